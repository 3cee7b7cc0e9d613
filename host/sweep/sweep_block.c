#include "sweep/blocks_internal.h"

#include "base/allocate.h"
#include "base/error.h"
#include "base/extremes.h"
#include "base/machine.h"

/* Minimum duration, in seconds, of a block from which the device's rate is measured. */
#define SECONDS_TO_LEARN_FROM 0.05

static cla_status interrupted(cla_error *error) {
  return error_set(error, CLA_ERROR_INTERRUPTED, "the sweep ended before this block");
}

void block_round_end(block_round *round, int64_t end, const cla_error *error) {
  pthread_mutex_lock(&round->lock);
  if (error && round->status == CLA_OK) {
    round->status = error->status;
    round->error = *error;
  }
  round->end = smaller(round->end, error ? 0 : end);
  /* blocks before `end` go on, so their rows must still arrive */
  for (int64_t i = round->end; i < round->count; i++)
    if (round->blocks[i].below) arriving_row_stop(round->blocks[i].below);
  pthread_cond_broadcast(&round->news);
  pthread_mutex_unlock(&round->lock);
}

void block_round_waits(block_round *round, bool waits) {
  atomic_fetch_add(&round->waiting, waits ? 1 : -1);
  if (waits && round->links->wake) round->links->wake(round);
}

void block_round_best(sweep_start *best, const block_round *round, int64_t end) {
  for (int64_t i = 0; i < end; i++) {
    const sweep_block *b = round->blocks + i;
    if (b->result.best_score <= best->best_score)
      continue; /* of equally good cells, the upper one is canonical */
    best->best_score = b->result.best_score;
    best->best_row = b->where.row + b->result.best_row;
    best->best_column = b->result.best_column;
  }
}

/* Waits until all blocks above are done, and sets *out to the best cell of these blocks. */
static cla_status best_above(sweep_start *out, sweep_block *b, cla_error *error) {
  block_round *round = b->round;
  const sweep_start *start = &round->sweep->start;
  cla_status status = CLA_OK;
  *out = (sweep_start){.row = b->where.row,
                       .best_score = start->best_score,
                       .best_row = start->best_row,
                       .best_column = start->best_column};
  pthread_mutex_lock(&round->lock);
  for (int64_t i = 0; i < b->index && status == CLA_OK; i++) {
    while (!round->blocks[i].done && round->end > i) pthread_cond_wait(&round->news, &round->lock);
    if (!round->blocks[i].done) status = interrupted(error);
  }
  if (status == CLA_OK) block_round_best(out, round, b->index);
  pthread_mutex_unlock(&round->lock);
  return status;
}

/* Ends the run because of an error that is not the device's fault, so it would also occur on other devices.
 * Returns `status`. */
static cla_status sweep_block_end_run(sweep_block *b, cla_status status, cla_error *reason,
                                      cla_error *error) {
  if (status == CLA_OK || status == CLA_ERROR_INTERRUPTED) return status;
  reason->status = status;
  block_round_end(b->round, 0, reason);
  return error_set(error, status, "%s", reason->message);
}

cla_status sweep_block_keep(sweep_block *b, const region_row_part *part, cla_error *error) {
  sweep_work *s = b->round->sweep;
  cla_error reason = {.status = CLA_OK};
  sweep_start start = {.row = b->where.row, .best_score = INT64_MIN};
  cla_status status = part->count == 0 ? best_above(&start, b, error) : CLA_OK;
  if (status != CLA_OK) return status;
  const region_row_part moved = sweep_start_part(&start, part);
  if (s->on_disk) pthread_mutex_lock(&b->round->rows);
  status = special_rows_put(s->kept, &moved, &reason);
  if (s->on_disk) pthread_mutex_unlock(&b->round->rows);
  return sweep_block_end_run(b, status, &reason, error);
}

static cla_status keep_part(void *user, const region_row_part *part, cla_error *error) {
  sweep_block *b = user;
  return b->round->links->keep(b, part, error);
}

static cla_status hand_down(void *user, const region_row_part *part, cla_error *error) {
  sweep_block *b = user;
  cla_error reason = {.status = CLA_OK};
  return sweep_block_end_run(b, arriving_row_put(b->below, part, &reason), &reason, error);
}

static cla_status send_down(void *user, const region_row_part *part, cla_error *error) {
  sweep_block *b = user;
  return b->round->links->send_down(b, part, error);
}

static cla_status await_above(void *user, region_arrival *there, int64_t wanted, cla_error *error) {
  sweep_block *b = user;
  const double began = machine_seconds();
  cla_status status = arriving_row_await(b[-1].below, there, 0, error);
  if (status == CLA_OK && there->nodes < wanted) {
    block_round_waits(b->round, true);
    status = arriving_row_await(b[-1].below, there, wanted, error);
    block_round_waits(b->round, false);
  }
  b->waited += machine_seconds() - began;
  return status;
}

/* True if another process computes the block below. */
static bool goes_away(const sweep_block *b) {
  return b->round->dealt && !sweep_block_last(b) && b[1].owner != b->owner;
}

static void note_strip(void *user, const region_strip *strip) {
  sweep_block *b = user;
  b->round->links->strip(b, strip);
}

void sweep_block_strip(sweep_block *b, const region_strip *strip) {
  pthread_mutex_lock(&b->round->rows);
  work_notes_strip(b->round->sweep->notes, strip, b->where.row);
  pthread_mutex_unlock(&b->round->rows);
}

/* Only records the progress; the sweep's calling thread reports it. */
static cla_status tick(void *user, int64_t cells, cla_error *error) {
  sweep_block *b = user;
  block_round *round = b->round;
  pthread_mutex_lock(&round->lock);
  b->cells = cells;
  b->passed_over = b->skipped;
  const bool goes_on = round->end > b->index;
  pthread_mutex_unlock(&round->lock);
  return goes_on ? CLA_OK : interrupted(error);
}

/* Shows the row below the block to threads that wait for it. Returns false if the round has ended in the
 * meantime. */
static bool show_below(sweep_block *b, arriving_row *below) {
  block_round *round = b->round;
  pthread_mutex_lock(&round->lock);
  b->below = below;
  const bool goes_on = round->end > b->index;
  if (!goes_on) arriving_row_stop(below);
  pthread_cond_broadcast(&round->news);
  pthread_mutex_unlock(&round->lock);
  return goes_on;
}

/* Makes the row that the block hands down, for which the block below waits: the member's spare row or,
 * without one, a new row. */
static cla_status open_below(sweep_block *b, team_member *member, cla_error *error) {
  const row_shape shape = sweep_row_shape(b->round->sweep);
  arriving_row *below = member->spare;
  cla_error reason = {.status = CLA_OK};
  cla_status status = CLA_OK;
  if (sweep_block_last(b) || goes_away(b)) return CLA_OK;
  member->spare = NULL;
  if (below)
    arriving_row_reset(below);
  else
    status = arriving_row_create(&below, &shape, &reason);
  if (status != CLA_OK) return sweep_block_end_run(b, status, &reason, error);
  return show_below(b, below) ? CLA_OK : interrupted(error);
}

cla_status sweep_block_arriving(arriving_row **out, sweep_block *b, cla_error *error) {
  const row_shape shape = sweep_row_shape(b->round->sweep);
  *out = b->below;
  if (*out) return CLA_OK;
  cla_status status = arriving_row_create(out, &shape, error);
  if (status == CLA_OK) (void)show_below(b, *out);
  return status;
}

void sweep_block_ended(sweep_block *b, const region_result *result) {
  b->result = *result;
  b->done = true;
  b->least = atomic_load(&b->round->reached);
  b->cells = b->where.rows * b->round->sweep->input.columns;
  b->passed_over = b->cells - result->cells;
}

void sweep_block_rows_kept(sweep_block *b) {
  pthread_mutex_lock(&b->round->lock);
  b->kept = true;
  pthread_cond_broadcast(&b->round->news);
  pthread_mutex_unlock(&b->round->lock);
}

const block_links block_links_here = {.keep = sweep_block_keep, .strip = sweep_block_strip};

void sweep_block_release(block_round *round, int64_t index) {
  sweep_block *b = round->blocks + index;
  arriving_row *gone = NULL;
  pthread_mutex_lock(&round->lock);
  if (b->done && index + 1 < round->count && b[1].done) {
    gone = b->below;
    b->below = NULL;
  }
  pthread_mutex_unlock(&round->lock);
  arriving_row_free(gone);
}

/* Waits until the block above has started, and until it is known whether any node of its last row was
 * computed (*any). */
static cla_status begun_above(bool *any, sweep_block *b, cla_error *error) {
  block_round *round = b->round;
  *any = true;
  if (b->index == 0) return CLA_OK;
  block_round_waits(round, true);
  pthread_mutex_lock(&round->lock);
  while (!b[-1].below && round->end > b->index) pthread_cond_wait(&round->news, &round->lock);
  arriving_row *above = b[-1].below;
  pthread_mutex_unlock(&round->lock);
  const cla_status status = above ? arriving_row_begun(any, above, error) : interrupted(error);
  block_round_waits(round, false);
  return status;
}

/* Returns the block as a region. */
static region region_of(sweep_block *b, const team_member *member) {
  block_round *round = b->round;
  sweep_work *s = round->sweep;
  const bool last = sweep_block_last(b);
  const row_values above = b->index > 0 ? arriving_row_values(b[-1].below) : s->start.top;
  region part = sweep_region(s, b->where.row, b->where.row + b->where.rows, atomic_load(&round->reached));
  part.above = above;
  part.corner = above.h ? above.h[0] : 0;
  part.reached = part.best == BEST_ANYWHERE && !round->apart ? &round->reached : NULL;
  part.bottom = last ? round->bottom : NULL;
  part.row_interval = last && !b->keeps ? 0 : b->interval;
  part.calls = (region_calls){.await = b->index > 0 ? await_above : NULL,
                              .sink = b->keeps ? keep_part : NULL,
                              .below = last           ? NULL
                                       : goes_away(b) ? send_down
                                                      : hand_down,
                              .sink_threads = s->on_disk ? 1 : member->plan.trace.threads,
                              .strips = round->strips ? note_strip : NULL,
                              .tick = tick,
                              .passed_over = &b->skipped,
                              .user = b};
  return part;
}

region_result sweep_block_none(const sweep_work *s) {
  return (region_result){.best_score = REGION_NO_BEST(path_ends_best(&s->input.ends)), .bottom_last = -1};
}

cla_status sweep_block_solve(sweep_block *b, team_member *member, cla_error *error) {
  block_round *round = b->round;
  const region_row_part nothing = {.row = b->where.rows, .best_score = 0};
  region_result result = sweep_block_none(round->sweep);
  bool any = true;
  b->keeps = round->keeps && member->plan.row_interval > 0;
  b->interval = b->keeps ? member->plan.row_interval : b->where.rows;
  cla_status status = begun_above(&any, b, error);
  if (status == CLA_OK) status = open_below(b, member, error);
  if (status == CLA_OK && any) {
    const region part = region_of(b, member);
    const kernel_config whole =
        plan_block_way(&member->plan.sweep, round->devices + b->where.device, b->where.way);
    const kernel_config config =
        part.calls.below ? plan_block_config(&whole, &member->input, b->where.rows) : whole;
    const double began = machine_seconds();
    status = wavefront_solve(&result, member->engine, &part, &config, error);
    b->seconds = machine_seconds() - began - b->waited;
  } else if (status == CLA_OK && goes_away(b)) { /* nothing from this block on matters */
    status = send_down(b, &nothing, error);
  } else if (status == CLA_OK && b->below) {
    status = arriving_row_put(b->below, &nothing, error);
  }
  if (status == CLA_OK && round->links->done) status = round->links->done(b, &result, error);
  if (status != CLA_OK) return status;
  pthread_mutex_lock(&round->lock);
  sweep_block_ended(b, &result);
  b->kept = true;
  if (b->seconds >= SECONDS_TO_LEARN_FROM && !round->dealt)
    block_cutter_learn(&round->cutter, &b->where, (double)result.cells / b->seconds);
  /* The sweep never starts again below the row above, so it is freed if the block above is done. A block in
   * which nothing matters may end before the block above. */
  arriving_row *above = b->index > 0 && b[-1].done ? b[-1].below : NULL;
  if (above) b[-1].below = NULL;
  pthread_cond_broadcast(&round->news);
  pthread_mutex_unlock(&round->lock);
  if (member->spare)
    arriving_row_free(above);
  else
    member->spare = above;
  return CLA_OK;
}
