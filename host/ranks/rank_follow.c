/* The part of ranks other than 0 in a sweep, directed by rank 0. */

#include <stdlib.h>

#include "base/allocate.h"
#include "base/error.h"
#include "ranks/ranks_internal.h"

/* A pair that rank 0 has sent. */
typedef struct sent_pair {
  const cla_ranks *ranks;
  rank_pair head;
  cla_align_options options;
  cla_partner *partners; /* owned, like all pointers from here to `used` */
  char *kernel, *settings;
  uint8_t *letters[2];
  bool measure; /* rank 0 wants the devices' rates measured by samples */
  used_pairs *used;
  sweep_work sweep;
  cla_rank_message *early; /* messages that came before the cut */
  int64_t early_count, early_capacity;
} sent_pair;

static void free_pair(sent_pair *p) {
  device_team_free(&p->sweep.team);
  free(p->partners);
  free(p->kernel);
  free(p->settings);
  for (int i = 0; i < 2; i++) free(p->letters[i]);
  used_pairs_free(p->used);
  free(p->sweep.windows.first);
  free(p->sweep.windows.last);
  for (int64_t i = 0; i < p->early_count; i++) free(p->early[i].bytes);
  free(p->early);
}

static cla_status read_pair(sent_pair *p, const cla_rank_message *message, cla_error *error) {
  rank_reader from = rank_read(message);
  if (!rank_copy(&p->head, &from, sizeof p->head)) return ranks_damaged(message, error);
  const rank_pair *head = &p->head;
  row_windows *windows = &p->sweep.windows;
  const int64_t count = head->window_count;
  cla_status status = rank_take_text(&p->kernel, &from, head->kernel_bytes, error);
  if (status == CLA_OK) status = rank_take_text(&p->settings, &from, head->settings_bytes, error);
  if (status == CLA_OK) status = rank_take(&windows->first, &from, count, sizeof *windows->first, error);
  if (status == CLA_OK) status = rank_take(&windows->last, &from, count, sizeof *windows->last, error);
  if (status == CLA_OK) status = used_pairs_read(&p->used, &from, error);
  windows->rows = head->window_rows;
  windows->count = count;
  return status;
}

/* Sets the options and the plan's input, with this rank's devices, threads and pointers. */
static cla_status settle(sent_pair *p, const cluster_devices *means, cla_error *error) {
  sweep_work *s = &p->sweep;
  const size_t partners = means->count - 1;
  cla_status status = ALLOCATE_ARRAY(&p->partners, (int64_t)partners + 1, "the devices", error);
  if (status != CLA_OK) return status;
  for (size_t i = 0; i < partners; i++)
    p->partners[i] = (cla_partner){.device = means->items[i + 1], .tuning = means->tunings[i + 1]};
  cla_align_options_init(&p->options);
  p->options.scoring = p->head.options.scoring;
  p->options.score_only = p->head.options.score_only;
  p->options.budgets.device_memory_bytes = p->head.options.budgets.device_memory_bytes;
  p->options.budgets.threads = p->ranks->threads;
  p->options.kernel.name = p->kernel;
  p->options.kernel.settings = p->settings;
  p->options.partners = p->partners;
  p->options.partner_count = partners;
  s->options = s->progress.options = &p->options;
  s->table = p->head.table;
  s->table.used = p->used;
  s->input = p->head.input;
  s->input.mode = "";
  s->input.scoring = &p->options.scoring;
  s->input.table = &s->table;
  s->input.device = cla_device_describe(means->items[0]);
  s->input.kernel = p->kernel;
  s->input.settings = p->settings;
  s->input.threads = p->ranks->threads;
  s->input.tuning = means->tunings[0];
  if (p->options.budgets.device_memory_bytes <= 0)
    s->input.device_memory_bytes = s->input.device->memory_bytes / 8 * 7;
  s->problem = (pair_problem){.rows = s->input.rows,
                              .columns = s->input.columns,
                              .scheme = {&p->options.scoring, &s->table, s->input.ends}};
  return CLA_OK;
}

static cla_status make_plan(sent_pair *p, const cluster_devices *means, cla_error *error) {
  sweep_work *s = &p->sweep;
  cla_status status = plan_make(&s->plan, &s->input, error);
  if (status != CLA_OK) return status;
  if (p->head.prune) plan_prune(&s->plan, &s->input, p->head.bound);
  if (p->head.matrix_block_rows > 0) {
    plan_keep(&s->plan, &s->input, 1);
    (void)plan_keep_fit(&s->plan, &s->input,
                        p->head.matrix_block_rows); /* a device whose plan does not fit takes no part */
  }
  const team_request wanted = {.input = &s->input, .first = &s->plan, .options = &p->options, .shared = true};
  status = device_team_plan(&s->team, means->items[0], &wanted, error);
  for (int i = 0; i < s->team.count && status == CLA_OK; i++) s->team.members[i].input.score_only = true;
  return status;
}

/* Receives the letters, and whether to measure rates. *whole is false if rank 0 has given up the sweep. */
static cla_status receive_letters(bool *whole, sent_pair *p, cla_error *error) {
  sweep_work *s = &p->sweep;
  const int64_t counts[] = {s->input.rows, s->input.columns};
  const rank_stage stage = {.ends = RANK_END, .number = p->head.number};
  cla_status status = CLA_OK;
  *whole = true;
  for (int i = 0; i < 2 && status == CLA_OK; i++)
    status = ALLOCATE_ARRAY(&p->letters[i], counts[i], "the letters of a pair", error);
  const rank_thing things[] = {
      {p->letters[0], counts[0]}, {p->letters[1], counts[1]}, {&p->measure, sizeof p->measure}};
  if (status == CLA_OK) status = ranks_share(whole, p->ranks, &stage, things, 3, error);
  s->problem.query = p->letters[0];
  s->problem.target = p->letters[1];
  return status;
}

/* Sends rank 0 the facts of this rank's devices. A device takes no part if its plan is of another kind than
 * rank 0's plan. */
static cla_status tell_devices(sent_pair *p, cla_error *error) {
  const device_team *team = &p->sweep.team;
  rank_device *devices = NULL;
  cla_status status = rank_team_own(&devices, team, error);
  for (int i = 0; i < team->count && status == CLA_OK; i++) {
    const plan *own = &team->members[i].plan;
    const bool alike = own->prune == p->head.prune && own->matrix_block_rows == p->head.matrix_block_rows;
    if (!alike || (own->prune && own->sweep.variant->run_columns > 0)) devices[i].facts.idle = true;
  }
  const cla_rank_bytes parts[] = {{&p->head.number, sizeof p->head.number},
                                  {devices, team->count * (int64_t)sizeof *devices}};
  if (status == CLA_OK) status = p->ranks->send(p->ranks->user, 0, RANK_READY, parts, 2, error);
  free(devices);
  return status;
}

/* Waits for the message that says how the rows are cut. *found is false if rank 0 has given up the sweep.
 * Stores messages that come earlier, such as borders from other ranks. */
static cla_status await_cut(bool *found, cla_rank_message *cut, sent_pair *p, cla_error *error) {
  cla_status status = CLA_OK;
  *found = false;
  for (;;) {
    cla_rank_message message = {0};
    void *early = p->early;
    status = ranks_wait(p->ranks, &message, &(rank_tick){.call = NULL}, error);
    if (status != CLA_OK) return status;
    if (message.kind == RANK_END) {
      free(message.bytes);
      return CLA_OK;
    }
    if (message.kind == RANK_ROUND) {
      *found = true;
      *cut = message;
      return CLA_OK;
    }
    status = allocate_grow(&early, &p->early_capacity, p->early_count + 1, sizeof message, "messages", error);
    p->early = early;
    if (status != CLA_OK) {
      free(message.bytes);
      return status;
    }
    p->early[p->early_count++] = message;
  }
}

static cla_status run_cut(sent_pair *p, const cla_rank_message *message, cla_error *error) {
  rank_reader from = rank_read(message);
  rank_cut cut;
  rank_block *blocks = NULL;
  if (!rank_copy(&cut, &from, sizeof cut)) return ranks_damaged(message, error);
  cla_status status = rank_take(&blocks, &from, cut.count, sizeof *blocks, error);
  if (status != CLA_OK) return status;
  rank_round round = {.base = {.sweep = &p->sweep,
                               .keeps = p->head.keeps,
                               .apart = p->head.matrix_block_rows > 0,
                               .strips = p->head.strips},
                      .ranks = p->ranks,
                      .number = cut.number};
  block_round *base = &round.base;
  atomic_init(&base->reached, cut.reached);
  p->sweep.start = (sweep_start){.row = cut.row, .best_score = cut.best_score};
  status = rank_round_open(&round, blocks, cut.count, error);
  if (status == CLA_OK && cut.bottom)
    status = ALLOCATE_ARRAY(&base->bottom, p->sweep.input.columns + 1, "the last row", error);
  free(blocks);
  for (int64_t i = 0; i < p->early_count && status == CLA_OK; i++)
    status = rank_round_handle(&round, p->early + i, error);
  if (status == CLA_OK) status = rank_round_run(&round, error);
  free(base->bottom);
  block_round_close(base);
  /* rank 0 already knows the round's own errors */
  return status;
}

cla_status sweep_for_rank0(const cla_ranks *ranks, const cluster_devices *means, const cla_rank_message *pair,
                           cla_error *error) {
  sent_pair *p = NULL;
  cla_rank_message cut = {0};
  bool whole = false, found = false;
  double seconds = 0;
  if (means->count == 0) return error_set(error, CLA_ERROR_DEVICE, "it has no device");
  cla_status status = ALLOCATE_ZEROS(&p, 1, "a pair", error);
  if (status != CLA_OK) return status;
  p->ranks = ranks;
  status = read_pair(p, pair, error);
  if (status == CLA_OK) status = settle(p, means, error);
  if (status == CLA_OK) status = make_plan(p, means, error);
  if (status == CLA_OK) status = tell_devices(p, error);
  if (status == CLA_OK) status = receive_letters(&whole, p, error);
  if (status == CLA_OK && whole) status = sweep_engines(&p->sweep, means->items[0], &seconds, error);
  if (status == CLA_OK && whole) {
    const sweep_work *s = &p->sweep;
    const region sample = sweep_region(s, 0, s->input.rows, s->input.ends.floor ? 0 : SWEEP_NOTHING_KNOWN);
    if (p->measure) device_team_measure(&p->sweep.team, &sample);
    status = tell_devices(p, error);
  }
  if (status == CLA_OK && whole) status = await_cut(&found, &cut, p, error);
  if (status == CLA_OK && found) status = run_cut(p, &cut, error);
  free(cut.bytes);
  free_pair(p);
  free(p);
  return status;
}
