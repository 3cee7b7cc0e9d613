/* Rank 0's part of a sweep on several ranks: cuts the rows, and gives the other ranks their work. */

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/extremes.h"
#include "ranks/ranks_batch.h"
#include "ranks/ranks_internal.h"
#include "ranks/ranks_trace.h"

/* A device of a rank. */
typedef struct team_device {
  rank_device of;
  int rank, member;
} team_device;

/* All devices of all ranks. */
typedef struct rank_team {
  team_device *devices; /* owned */
  block_device *facts;  /* facts of `devices`, once all are known; owned */
  int count;
  int64_t capacity;
  rank_block *blocks; /* owned */
  int64_t block_count, block_capacity;
} rank_team;

static void rank_team_free(rank_team *team) {
  free(team->devices);
  free(team->facts);
  free(team->blocks);
}

static cla_status add_device(rank_team *team, int rank, int member, const rank_device *device,
                             cla_error *error) {
  cla_status status = ALLOCATE_GROW(&team->devices, &team->capacity, team->count + 1, "devices", error);
  if (status == CLA_OK) team->devices[team->count++] = (team_device){*device, rank, member};
  return status;
}

/* Sends the sweep's facts to the other ranks. */
static cla_status tell_pair(const sweep_work *s, int32_t number, cla_error *error) {
  rank_pair *head = NULL;
  rank_writer used = {0};
  cla_status status = ALLOCATE_ZEROS(&head, 1, "a message", error);
  if (status == CLA_OK) status = used_pairs_write(&used, s->table.used, error);
  if (status != CLA_OK) goto done;
  head->number = number;
  head->prune = s->plan.prune;
  head->keeps = s->kept;
  head->strips = s->notes;
  head->bound = s->plan.bound;
  head->matrix_block_rows = s->plan.matrix_block_rows;
  head->options = *s->options;
  head->input = s->input;
  head->table = s->table;
  const char *kernel = s->options->kernel.name, *settings = s->options->kernel.settings;
  head->kernel_bytes = kernel ? (int64_t)strlen(kernel) + 1 : 0;
  head->settings_bytes = settings ? (int64_t)strlen(settings) + 1 : 0;
  head->window_rows = s->windows.rows;
  head->window_count = s->windows.count;
  const int64_t window_bytes = s->windows.count * (int64_t)sizeof(int64_t);
  const cla_rank_bytes parts[] = {{head, sizeof *head},
                                  {kernel, head->kernel_bytes},
                                  {settings, head->settings_bytes},
                                  {s->windows.first, window_bytes},
                                  {s->windows.last, window_bytes},
                                  {used.bytes, used.length}};
  status = ranks_tell_parts(s->options->ranks, RANK_PAIR, parts, 6, error);

done:
  free(used.bytes);
  free(head);
  return status;
}

static cla_status tick(void *user, cla_error *error) {
  const rank_round *round = user;
  cla_status status = ranks_check_left(round->ranks, round->left, error);
  return status == CLA_OK ? sweep_tick(round->base.sweep, 0, error) : status;
}

/* Adds the devices of a rank from its message. *of_round is false if the message belongs to a round that
 * was broken off earlier. */
static cla_status take_devices(bool *of_round, rank_team *team, const rank_round *round,
                               const cla_rank_message *message, cla_error *error) {
  rank_reader from = rank_read(message);
  rank_device device;
  int32_t number;
  cla_status status = CLA_OK;
  *of_round = rank_copy(&number, &from, sizeof number) && number == round->number;
  if (!*of_round) return CLA_OK;
  for (int member = 0; status == CLA_OK && rank_copy(&device, &from, sizeof device); member++)
    status = add_device(team, message->from, member, &device, error);
  return status;
}

/* Waits until every other rank is ready, and takes the facts of the ranks' devices from the messages. */
static cla_status hear_all(rank_team *team, rank_round *round, cla_error *error) {
  const cla_ranks *ranks = round->ranks;
  const rank_tick while_waiting = {tick, round};
  cla_status status = CLA_OK;
  for (int heard = 1; heard < round->left && status == CLA_OK;) {
    cla_rank_message message = {0};
    status = ranks_wait(ranks, &message, &while_waiting, error);
    if (status == CLA_OK && message.kind == RANK_ERROR)
      status = ranks_failed(ranks, &(rank_work){RANK_PAIR, round->number}, &message, error);
    if (status == CLA_OK && message.kind == RANK_READY) {
      bool of_round;
      status = take_devices(&of_round, team, round, &message, error);
      heard += of_round;
    }
    free(message.bytes);
  }
  return status;
}

cla_status rank_team_own(rank_device **out, const device_team *team, cla_error *error) {
  block_device *facts = NULL;
  *out = NULL;
  cla_status status = ALLOCATE_ZEROS(&facts, team->count, "the devices", error);
  if (status == CLA_OK) status = ALLOCATE_ZEROS(out, team->count, "the devices", error);
  if (status == CLA_OK) device_team_blocks(facts, team);
  for (int i = 0; i < team->count && status == CLA_OK; i++) {
    const team_member *member = team->members + i;
    rank_device *device = *out + i;
    device->facts = facts[i];
    device->facts.name = NULL;
    device->facts.way_count = smaller(device->facts.way_count, 1) > 0 ? 1 : 0;
    device->gpu = member->input.device->kind == CLA_DEVICE_GPU;
    memcpy(device->name, member->input.device->name, sizeof device->name);
  }
  free(facts);
  return status;
}

/* Collects the devices' facts. If any rate is unknown, all rates become guesses, because measured rates
 * cannot be compared with guessed ones. */
static cla_status settle_facts(rank_team *team, const plan_input *input, cla_error *error) {
  bool known = true, any_gpu = false;
  cla_status status = ALLOCATE_ARRAY(&team->facts, team->count, "devices", error);
  for (int i = 0; i < team->count && status == CLA_OK; i++) {
    team->facts[i] = team->devices[i].of.facts;
    if (team->facts[i].idle) continue;
    known = known && team->facts[i].rate > 0;
    any_gpu = any_gpu || team->devices[i].of.gpu;
  }
  for (int i = 0; i < team->count && !known; i++) {
    plan_block_rate(team->facts + i, input, 0);
    if (team->facts[i].idle) continue;
    team->facts[i].rate = device_team_guessed_rate(team->devices[i].of.gpu, any_gpu);
    team->facts[i].guessed = true;
  }
  return status;
}

static cla_status add_block(rank_team *team, const row_block *where, cla_error *error) {
  cla_status status =
      ALLOCATE_GROW(&team->blocks, &team->block_capacity, team->block_count + 1, "the blocks", error);
  if (status != CLA_OK) return status;
  rank_block *block = team->blocks + team->block_count++;
  memset(block, 0, sizeof *block);
  block->where = *where;
  block->where.device = team->devices[where->device].member;
  block->rank = team->devices[where->device].rank;
  return CLA_OK;
}

/* Cuts all rows. In each turn, rank 0's first device takes the first block, because rank 0 has the row above
 * the sweep. */
static cla_status cut(rank_team *team, const sweep_work *s, cla_error *error) {
  block_cutter cutter = {0};
  row_block where;
  const int64_t rows = s->input.rows;
  cla_status status = block_cutter_begin(&cutter, team->facts, team->count, s->start.row, rows, error);
  for (int i = 0; status == CLA_OK && team->count > 0 && cutter.next < rows; i = (i + 1) % team->count)
    if (block_cutter_take(&where, &cutter, i)) status = add_block(team, &where, error);
  if (cutter.shares) block_cutter_free(&cutter);
  /* A device of another rank lacks the border below which the sweep begins. Then rank 0's devices must
   * compute all blocks. */
  if (status == CLA_OK && team->blocks && team->blocks[0].rank != 0 && s->start.row > 0) {
    for (int i = 0; i < team->count; i++) team->facts[i].idle = team->devices[i].rank != 0;
    team->block_count = 0;
    if (!team->facts[0].idle) return cut(team, s, error);
  }
  return status;
}

/* Returns the index of rank 0's fastest device that takes part; -1: none. */
static int fastest_here(const rank_team *team) {
  int best = -1;
  for (int i = 0; i < team->count; i++)
    if (team->devices[i].rank == 0 && !team->facts[i].idle &&
        (best < 0 || team->facts[i].rate > team->facts[best].rate))
      best = i;
  return best;
}

/* Deals the blocks of a kept matrix to the devices. */
static cla_status deal(rank_team *team, const sweep_work *s, const sweep_parts *parts, cla_error *error) {
  const int64_t begin = s->start.row, rows = s->input.rows;
  const int64_t count = (rows - begin + parts->rows - 1) / parts->rows;
  const row_block first = {.device = fastest_here(team), .rows = parts->rows};
  int *dealt = NULL;
  cla_status status = ALLOCATE_ARRAY(&dealt, count, "the blocks", error);
  if (status == CLA_OK) status = block_cutter_deal(dealt, count, &first, team->facts, team->count, error);
  for (int64_t i = 0; i < count && status == CLA_OK; i++) {
    const int64_t row = begin + i * parts->rows;
    const row_block where = {.device = dealt[i], .row = row, .rows = smaller(parts->rows, rows - row)};
    status = add_block(team, &where, error);
  }
  free(dealt);
  return status;
}

static cla_status tell_cut(const rank_team *team, const rank_round *round, cla_error *error) {
  const sweep_work *s = round->base.sweep;
  rank_cut head;
  memset(&head, 0, sizeof head);
  head.number = round->number;
  head.count = team->block_count;
  head.row = s->start.row;
  head.best_score = s->start.best_score;
  head.reached = sweep_reached(s);
  head.bottom = round->base.bottom;
  const cla_rank_bytes parts[] = {{&head, sizeof head},
                                  {team->blocks, team->block_count * (int64_t)sizeof *team->blocks}};
  return ranks_tell_parts(round->ranks, RANK_ROUND, parts, 2, error);
}

static cla_status add_own(rank_team *team, const sweep_work *s, cla_error *error) {
  rank_device *own = NULL;
  cla_status status = rank_team_own(&own, &s->team, error);
  for (int i = 0; i < s->team.count && status == CLA_OK; i++) status = add_device(team, 0, i, own + i, error);
  free(own);
  return status;
}

/* True if both devices have the same name and plan. They count as equally fast. */
static bool are_alike(const rank_device *a, const rank_device *b) {
  return strcmp(a->name, b->name) == 0 && a->facts.alpha == b->facts.alpha &&
         a->facts.unit_rows == b->facts.unit_rows && a->facts.least_rows == b->facts.least_rows;
}

/* Waits until the other ranks have the pair. *measure is set if rates must be measured by samples. */
static cla_status meet(bool *measure, rank_round *round, cla_error *error) {
  rank_team team = {0};
  cla_status status = add_own(&team, round->base.sweep, error);
  if (status == CLA_OK) status = hear_all(&team, round, error);
  *measure = false;
  for (int i = 1; i < team.count && status == CLA_OK; i++)
    *measure = *measure || !are_alike(&team.devices[0].of, &team.devices[i].of);
  rank_team_free(&team);
  return status;
}

/* Sends all ranks the letters, and whether to measure rates. The letters are only read here. */
static cla_status share(rank_round *round, bool measure, cla_error *error) {
  const pair_problem *problem = &round->base.sweep->problem;
  const plan_input *input = &round->base.sweep->input;
  const rank_thing things[] = {{(void *)(uintptr_t)problem->query, input->rows},
                               {(void *)(uintptr_t)problem->target, input->columns},
                               {&measure, sizeof measure}};
  bool whole;
  return ranks_share(&whole, round->ranks, &(rank_stage){RANK_END, round->number, {tick, round}}, things, 3,
                     error);
}

/* Sends the other ranks the pair, and collects all devices that can compute it. Then cuts or deals the
 * blocks. */
static cla_status gather(rank_team *team, rank_round *round, cla_error *error) {
  sweep_work *s = round->base.sweep;
  bool measure = false;
  const region sample =
      sweep_region(s, s->start.row, s->input.rows, s->input.ends.floor ? 0 : SWEEP_NOTHING_KNOWN);
  cla_status status = tell_pair(s, round->number, error);
  if (status == CLA_OK) status = meet(&measure, round, error);
  if (status == CLA_OK) status = share(round, measure, error);
  if (status == CLA_OK && measure) device_team_measure(&s->team, &sample);
  if (status == CLA_OK) status = add_own(team, s, error);
  if (status == CLA_OK) status = hear_all(team, round, error);
  if (status == CLA_OK) status = ranks_check_left(round->ranks, round->left, error);
  if (status == CLA_OK) status = settle_facts(team, &s->input, error);
  if (status != CLA_OK) return status;
  return round->parts ? deal(team, s, round->parts, error) : cut(team, s, error);
}

static cla_status run(int64_t *cells, rank_round *round, cla_error *error) {
  sweep_work *s = round->base.sweep;
  s->progress.stage_before = s->start.row * s->input.columns;
  cla_status status = rank_round_run(round, error);
  if (status == CLA_OK && round->base.status != CLA_OK)
    status = error_set(error, round->base.status, "%s", round->base.error.message);
  block_round_cells(&round->base);
  *cells = block_round_computed(&round->base);
  return status;
}

/* Runs a round, from the first to the last message to the other ranks. */
static cla_status sweep_round(int64_t *cells, rank_round *round, cla_error *error) {
  static _Atomic int32_t rounds;
  const sweep_work *s = round->base.sweep;
  rank_team team = {0};
  cla_error unused;
  *cells = 0;
  round->ranks = s->options->ranks;
  round->left = ranks_left(round->ranks);
  round->number = atomic_fetch_add(&rounds, 1) + 1;
  round->base.keeps = s->kept;
  round->base.apart = round->parts;
  round->base.strips = s->notes;
  round->told_reached = sweep_reached(s);
  atomic_init(&round->base.reached, round->told_reached);
  cla_status status = gather(&team, round, error);
  if (status == CLA_OK) status = rank_round_open(round, team.blocks, team.block_count, error);
  if (status == CLA_OK) status = tell_cut(&team, round, error);
  if (status == CLA_OK) status = run(cells, round, error);
  block_round_add_shares(&round->base);
  (void)ranks_tell(round->ranks, RANK_END, (cla_rank_bytes){&round->number, sizeof round->number}, &unused);
  rank_team_free(&team);
  return status;
}

/* True if the round failed because a rank has died. The remaining ranks then continue. */
static bool goes_on(const rank_round *round, cla_status status) {
  return status != CLA_OK && status != CLA_ERROR_INTERRUPTED && ranks_left(round->ranks) < round->left;
}

/* sweep_peers.blocks of a job with several ranks. */
static cla_status sweep_on_ranks(region_result *result, int64_t *cells, sweep_work *s, int64_t *bottom,
                                 cla_error *error) {
  cla_status status = CLA_OK;
  bool done = false;
  *cells = 0;
  while (status == CLA_OK && !done) {
    rank_round round = {.base = {.sweep = s, .bottom = bottom}};
    int64_t more = 0;
    status = sweep_round(&more, &round, error);
    *cells += more;
    done = status == CLA_OK;
    if (done) {
      block_round_finish(result, &round.base);
    } else if (goes_on(&round, status)) {
      bool any;
      round.base.end = 0; /* the rank that has died may have had the last row of a block */
      status = block_round_go_back(&round.base, &any, error);
    }
    block_round_close(&round.base);
  }
  return status == CLA_OK ? sweep_tell_shares(s, error) : status;
}

/* sweep_peers.parts of a job with several ranks. */
static cla_status sweep_parts_on_ranks(int64_t *cells, sweep_work *s, const sweep_parts *parts,
                                       cla_error *error) {
  rank_round round = {.base = {.sweep = s}, .parts = parts};
  cla_status status = sweep_round(cells, &round, error);
  if (goes_on(&round, status)) status = CLA_OK;
  block_round_close(&round.base);
  return status == CLA_OK ? sweep_tell_shares(s, error) : status;
}

#define ALONE "ranks      rank 0 alone sweeps and traces: "

/* sweep_peers.share of a job with several ranks. If a kernel hands no rows down before it ends, other ranks
 * have nothing to do. */
static int share_sweep(const char **why, const cla_align_options *options, int64_t rows, int64_t columns,
                       const plan *planned) {
  const cla_ranks *ranks = options->ranks;
  *why = NULL;
  if (!ranks_any(ranks)) return 1;
  if ((double)rows * (double)columns < (double)ranks->least_cells)
    *why = ALONE "the matrix has fewer cells than CLALIGN_MPI_CELLS\n";
  else if (planned && planned->prune && planned->sweep.variant->run_columns > 0)
    *why = ALONE "a pruned sweep by this kernel hands no rows down\n";
  return *why ? 1 : ranks->count;
}

static const sweep_peers sweep_peers_on_ranks = {share_sweep, sweep_on_ranks, sweep_parts_on_ranks};

const cla_peers rank_peers = {&sweep_peers_on_ranks, rank_traces_begin, &batch_peers_on_ranks};
