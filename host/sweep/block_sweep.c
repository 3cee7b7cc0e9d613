
#include <stdio.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/machine.h"
#include "sweep/blocks_internal.h"

#define NANOSECONDS_BETWEEN_REPORTS ((long)(CLA_PROGRESS_SECONDS / 2 * 1e9))

/* The thread of a member. It computes the member's blocks of a round. */
typedef struct worker {
  block_round *round;
  team_member *member;
  int index; /* index of the member */
  sweep_block *first;
  pthread_t thread;
  bool started;
  cla_error error; /* error with which the member's device failed */
} worker;

cla_status block_round_open(block_round *round, cla_error *error) {
  const device_team *team = &round->sweep->team;
  if (thread_condition_init(&round->news) != 0)
    return error_set(error, CLA_ERROR_MEMORY, "the sweep's lock cannot be made; free some memory");
  round->has_locks = true;
  pthread_mutex_init(&round->lock, NULL);
  pthread_mutex_init(&round->rows, NULL);
  cla_status status = ALLOCATE_ARRAY(&round->devices, team->count, "the devices", error);
  if (status == CLA_OK) device_team_blocks(round->devices, team);
  return status;
}

cla_status block_round_deal(block_round *round, int64_t count, cla_error *error) {
  cla_status status = ALLOCATE_ZEROS(&round->blocks, count, "the blocks", error);
  if (status != CLA_OK) return status;
  round->dealt = true;
  round->count = round->end = count;
  return CLA_OK;
}

static cla_status open_round(block_round *round, sweep_work *s, int64_t *bottom, cla_error *error) {
  *round = (block_round){
      .sweep = s, .links = &block_links_here, .bottom = bottom, .keeps = s->kept, .strips = s->notes};
  cla_status status = block_round_open(round, error);
  if (status != CLA_OK) return status;
  device_team_guess(round->devices, &s->team);
  status =
      block_cutter_begin(&round->cutter, round->devices, s->team.count, s->start.row, s->input.rows, error);
  round->end = block_cutter_most(&round->cutter);
  if (status == CLA_OK) status = ALLOCATE_ZEROS(&round->blocks, round->end, "the blocks", error);
  atomic_init(&round->reached, sweep_reached(s));
  return status;
}

void block_round_close(block_round *round) {
  for (int64_t i = 0; i < round->count; i++) arriving_row_free(round->blocks[i].below);
  free(round->blocks);
  free(round->devices);
  block_cutter_free(&round->cutter);
  if (!round->has_locks) return;
  pthread_mutex_destroy(&round->rows);
  pthread_mutex_destroy(&round->lock);
  pthread_cond_destroy(&round->news);
}

/* Takes the member's next block of a round whose blocks were cut in advance; NULL: none is left. The caller
 * must hold the lock. */
static sweep_block *take_dealt(block_round *round, int member) {
  for (int64_t i = 0; i < round->end; i++) {
    sweep_block *b = round->blocks + i;
    if (b->owner != round->self || b->where.device != member || b->taken) continue;
    b->taken = true;
    return b;
  }
  return NULL;
}

/* Takes the member's next block; NULL: none is left. */
static sweep_block *take_block(block_round *round, int member) {
  sweep_block *taken = NULL;
  row_block where;
  pthread_mutex_lock(&round->lock);
  if (round->dealt)
    taken = take_dealt(round, member);
  else if (round->count < round->end && block_cutter_take(&where, &round->cutter, member)) {
    taken = round->blocks + round->count;
    *taken = (sweep_block){.round = round, .index = round->count, .where = where};
    round->count++;
  }
  if (taken) round->sweep->team.members[member].worked = true;
  pthread_mutex_unlock(&round->lock);
  return taken;
}

/* Computes the member's blocks, one after the other. A failure counts as the device's, unless it ends the
 * run for another reason. */
static void *work(void *user) {
  worker *w = user;
  block_round *round = w->round;
  for (sweep_block *b = w->first; b; b = take_block(round, w->index)) {
    cla_error reason = {.status = CLA_OK};
    cla_status status = sweep_block_solve(b, w->member, &reason);
    if (status == CLA_OK) continue;
    reason.status = status;
    if (device_team_can_do_without(status)) w->error = reason;
    const bool ends_run =
        status != CLA_ERROR_INTERRUPTED && (round->dealt || !device_team_can_do_without(status));
    block_round_end(round, b->index, ends_run ? &reason : NULL);
    break;
  }
  pthread_mutex_lock(&round->lock);
  round->working--;
  pthread_cond_broadcast(&round->news);
  pthread_mutex_unlock(&round->lock);
  if (round->links->wake) round->links->wake(round);
  return NULL;
}

int64_t block_round_computed(const block_round *round) {
  int64_t cells = 0;
  for (int64_t i = 0; i < round->count; i++) cells += round->blocks[i].cells - round->blocks[i].passed_over;
  return cells;
}

int64_t block_round_cells(block_round *round) {
  int64_t cells = 0, passed_over = 0;
  for (int64_t i = 0; i < round->count; i++) {
    cells += round->blocks[i].cells;
    passed_over += round->blocks[i].passed_over;
  }
  round->sweep->progress.passed_over = passed_over;
  return cells;
}

/* Reports progress from the calling thread until all threads of the round have ended. */
static void watch(block_round *round, void *user) {
  (void)user;
  pthread_mutex_lock(&round->lock);
  while (round->working > 0) {
    const struct timespec until = thread_time_in(NANOSECONDS_BETWEEN_REPORTS);
    cla_error reason = {.status = CLA_OK};
    pthread_cond_timedwait(&round->news, &round->lock, &until);
    const int64_t cells = block_round_cells(round);
    const bool ended = round->status != CLA_OK;
    pthread_mutex_unlock(&round->lock);
    if (!ended && sweep_tick(round->sweep, cells, &reason) != CLA_OK) block_round_end(round, 0, &reason);
    pthread_mutex_lock(&round->lock);
  }
  pthread_mutex_unlock(&round->lock);
}

/* Runs a round until all blocks are done or a device has failed. The cutter chooses the member that takes the
 * first block. */
static void run_round(block_round *round, worker *workers, void (*watch_it)(block_round *, void *),
                      void *user) {
  device_team *team = &round->sweep->team;
  /* asks before members start, because working members can change the answer */
  const int first = round->dealt ? 0 : block_cutter_first(&round->cutter);
  round->working = team->count;
  for (int taken = 0; taken < team->count; taken++) {
    const int i = (first + taken) % team->count;
    workers[i] =
        (worker){.round = round, .member = team->members + i, .index = i, .first = take_block(round, i)};
  }
  for (int i = 0; i < team->count; i++) {
    worker *w = workers + i;
    w->started = thread_start(&w->thread, work, w) == 0;
    if (w->started) continue;
    cla_error reason = {.status = CLA_OK};
    error_set(&reason, CLA_ERROR_MEMORY, "no thread can be started for a device; free some memory");
    block_round_end(round, 0, &reason);
    pthread_mutex_lock(&round->lock);
    round->working--;
    pthread_mutex_unlock(&round->lock);
  }
  watch_it(round, user);
  for (int i = 0; i < team->count; i++)
    if (workers[i].started) pthread_join(workers[i].thread, NULL);
}

cla_status block_round_run(block_round *round, void (*watch_it)(block_round *round, void *user), void *user,
                           cla_error *error) {
  worker *workers = NULL;
  cla_status status = ALLOCATE_ZEROS(&workers, round->sweep->team.count, "the devices", error);
  if (status == CLA_OK) run_round(round, workers, watch_it, user);
  free(workers);
  return status;
}

void block_round_finish(region_result *result, const block_round *round) {
  const sweep_block *last = round->blocks + round->count - 1;
  block_round_best(&round->sweep->start, round, round->count - 1);
  round->sweep->start.row = last->where.row;
  *result = last->result;
}

static cla_status go_back(block_round *round, bool *goes_on, cla_error *error) {
  sweep_work *s = round->sweep;
  /* The row above the first unfinished block. */
  const int64_t begun = round->end > 0 ? round->blocks[round->end].where.row : s->start.row;
  int64_t kept = -1;
  cla_status status = s->kept ? special_rows_last_whole(&kept, s->kept, error) : CLA_OK;
  if (status == CLA_OK && kept >= s->input.rows) { /* the last block's best cell is not known */
    special_rows_drop_from(s->kept, s->input.rows);
    status = special_rows_last_whole(&kept, s->kept, error);
  }
  *goes_on = true;
  if (status != CLA_OK) return status;
  block_round_best(&s->start, round, round->end);
  if (kept > begun) {
    special_rows_drop_from(s->kept, kept + 1);
    return sweep_go_below(s, kept, error);
  }
  if (s->kept) special_rows_drop_from(s->kept, begun + 1);
  if (round->end == 0) return CLA_OK;
  sweep_start_free(&s->start);
  arriving_row *below = round->blocks[round->end - 1].below;
  s->start.row = begun;
  status = arriving_row_begun(goes_on, below, error);
  if (status != CLA_OK || !*goes_on) return status; /* in these cases the row has no values */
  s->start.top = arriving_row_take(below);
  return CLA_OK;
}

cla_status block_round_go_back(block_round *round, bool *goes_on, cla_error *error) {
  sweep_work *s = round->sweep;
  cla_status status = go_back(round, goes_on, error);
  for (int64_t i = 0; i < round->count; i++) {
    const sweep_block *b = round->blocks + i;
    if (b->where.row + b->where.rows <= s->start.row) s->progress.passed_before += b->passed_over;
  }
  return status;
}

/* Removes the devices that have failed from the team. */
static cla_status lose_failed(sweep_work *s, const worker *workers, cla_error *error) {
  cla_status status = CLA_OK;
  for (int i = 0; status == CLA_OK && i < s->team.count; i++)
    if (workers[i].error.status != CLA_OK)
      status = device_team_lose(&s->team, s->team.members + i, &workers[i].error, s->options, error);
  if (status == CLA_OK) sweep_follow(s);
  return status;
}

void block_round_add_shares(const block_round *round) {
  for (int64_t i = 0; i < round->count && i < round->end; i++) {
    const sweep_block *b = round->blocks + i;
    team_member *member = round->sweep->team.members + b->where.device;
    if (!b->done || b->owner != round->self) continue;
    block_part_add(&member->swept, round->devices + b->where.device, &b->where);
    member->swept_seconds += b->seconds;
    member->waited_seconds += b->waited;
  }
}

cla_status sweep_tell_shares(const sweep_work *s, cla_error *error) {
  char *lines = NULL;
  size_t size = 0;
  if (!s->options->callbacks.explain) return CLA_OK;
  FILE *text = open_memstream(&lines, &size);
  for (int i = 0; text && i < s->team.count; i++) {
    const team_member *member = s->team.members + i;
    fprintf(text, "%s %s: ", i == 0 ? "swept by  " : "          ", cla_device_describe(member->device)->name);
    block_part_print(text, &member->swept, member->plan.sweep.alpha, s->input.rows);
    fprintf(text, "; %.3g s, waited %.2g s\n", member->swept_seconds, member->waited_seconds);
  }
  const bool whole = text && fclose(text) == 0;
  if (whole) s->options->callbacks.explain(lines, s->options->callbacks.explain_user);
  free(lines);
  return whole ? CLA_OK
               : error_set(error, CLA_ERROR_MEMORY,
                           "cannot allocate the text of what devices did; free some memory");
}

cla_status sweep_blocks(region_result *result, int64_t *cells, sweep_work *s, int64_t *bottom,
                        cla_error *error) {
  worker *workers = NULL;
  bool done = false;
  *cells = 0;
  cla_status status = ALLOCATE_ZEROS(&workers, s->team.count, "the devices", error);
  while (status == CLA_OK && !done) {
    block_round round;
    const region sample =
        sweep_region(s, s->start.row, s->input.rows, s->input.ends.floor ? 0 : SWEEP_NOTHING_KNOWN);
    device_team_measure(&s->team, &sample);
    bool lost = false;
    status = open_round(&round, s, bottom, error);
    if (status == CLA_OK) status = block_kernels_make(&lost, &round, error);
    if (lost) {
      block_round_close(&round);
      continue;
    }
    s->progress.stage_before = s->start.row * s->input.columns;
    const int64_t all = round.end;
    if (status == CLA_OK) {
      run_round(&round, workers, watch, NULL);
      block_round_cells(&round);
      status = round.status == CLA_OK ? CLA_OK : error_set(error, round.status, "%s", round.error.message);
    }
    *cells += block_round_computed(&round);
    block_round_add_shares(&round);
    done = status == CLA_OK && round.end == all;
    if (done) {
      block_round_finish(result, &round);
    } else if (status == CLA_OK) {
      bool goes_on = true;
      status = block_round_go_back(&round, &goes_on, error);
      if (status == CLA_OK) status = lose_failed(s, workers, error);
      done = !goes_on;
      if (done) *result = sweep_block_none(s);
    }
    block_round_close(&round);
  }
  free(workers);
  return status == CLA_OK ? sweep_tell_shares(s, error) : status;
}
