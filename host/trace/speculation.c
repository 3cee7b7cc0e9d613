#include "trace/speculation.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/extremes.h"
#include "base/machine.h"

/* The `factor` of band_block_wander. At first it is WANDER; later, WANDER_OF_SEEN times the path's root
 * mean square deviation. Measured deviations: 0.7 between random DNA sequences with the default scores.
 * Between random proteins: 1.0 if a gap costs 11 to open and 1 to extend, 0.17 if it costs 11 per letter. */
#define WANDER 1.8
#define WANDER_OF_SEEN 2
#define WANDER_LEAST 0.4
#define WANDER_MOST 4
#define DEVIATIONS_LEAST 4

#define WAIT_NANOSECONDS 50000000
/* nanoseconds from one handling of other processes' messages to the next */
#define WAIT_NANOSECONDS_FAR 300000
/* Maximum number of blocks per thread of another process, from their start until the path has passed them. */
#define BLOCKS_FAR 2

/* A place that moves upwards along the bound's path. */
typedef struct bound_place {
  size_t run; /* index of the run that starts at the place */
  int64_t row, column;
} bound_place;

typedef struct task {
  band_block block;
  band_block old; /* the task's previous block, to be freed by the thread that computes the new block */
  bool finished;
  cla_status status;
  cla_error error;
} task;

/* A thread that computes blocks, or waits while a thread of another process computes them. */
typedef struct worker {
  speculation *ahead;
  int process; /* number of the computing process; 0: this process */
  pthread_t thread;
} worker;

typedef struct crew {
  worker *workers; /* owned */
  int count;
  int ended; /* number of threads that have ended; protected by the lock */
} crew;

/* Arrays with one element per process; owned. */
typedef struct far_shares {
  int64_t *blocks; /* number of blocks started and not yet passed by the path; protected by the lock */
  int *threads;
} far_shares;

struct speculation {
  speculation_input in;
  int64_t lower;            /* lower row of the next block to be made known */
  pthread_rwlock_t reading; /* held while rows are read; taken by the thread that follows the path, before it
                               changes the rows */
  pthread_mutex_t lock;
  pthread_cond_t there, finished; /* `there`: work is available; `finished`: a block is finished */
  /* `lock` protects the fields from here to `stop`. Blocks are numbered from the path's end upwards. */
  task *tasks; /* block `i` is at i % in.blocks */
  /* Numbers of four blocks: the first one that the path has not passed, that is not started, that has no
   * guess, and whose rows are not known. */
  int64_t passed, begun, guessed, known;
  int64_t guess_row, guess; /* row and column of the last guess */
  band_node at;             /* the highest known node of the path */
  double squares;           /* sum of squares of the path's deviations from straight lines, as factors of
                               band_block_wander */
  int64_t deviations;
  bound_place near_guess; /* place on the bound's path near the next guess; used by the thread that computes
                             this guess */
  bool along;             /* the path's highest known node is near the bound's path */
  bool guessing;          /* a thread computes the next guess */
  bool unlike;            /* the last part of the path was taken from a block with wide goals */
  int64_t wide; /* length of the latest series of passed blocks with wide goals, whether or not the path was
                   taken from them */
  bool stop;
  atomic_bool cancel; /* the lock protects neither this field nor any later one */
  bound_place near_path;
  far_shares far;
  crew crew;
};

/* Returns the column of `row` on a straight line from the path's highest known node. The line runs to the
 * matrix' corner if paths must start there, else along the diagonal. */
static int64_t straight(const speculation *ahead, int64_t row) {
  const band_node *at = &ahead->at;
  const path_ends *ends = &ahead->in.all.problem->scheme.ends;
  if (ends->query_start || ends->target_start || at->row == 0) return at->column - (at->row - row);
  return (int64_t)((double)at->column * (double)row / (double)at->row);
}

/* Returns the column in which the bound's path crosses `row`, which must not be below the place. Returns -1
 * if the bound's path does not cross the row. */
static int64_t bound_column(const lower_bound *bound, bound_place *at, int64_t row) {
  if (!bound || row < bound->query_start || row > bound->query_stop) return -1;
  while (at->row > row) {
    const cla_run *run = &bound->runs[--at->run];
    if (run->kind != CLA_RUN_TARGET) at->row -= run->length;
    if (run->kind != CLA_RUN_QUERY) at->column -= run->length;
  }
  const bool pairs = at->row < row && bound->runs[at->run].kind == CLA_RUN_PAIR;
  return at->column + (pairs ? row - at->row : 0);
}

static bound_place bound_end(const lower_bound *bound) {
  if (!bound) return (bound_place){0};
  return (bound_place){.run = bound->run_count, .row = bound->query_stop, .column = bound->target_stop};
}

/* True if the path's node `at` is near the bound's path. */
static bool is_along(speculation *ahead, const band_node *at) {
  const int64_t column = bound_column(ahead->in.bound, &ahead->near_path, at->row);
  return column >= 0 && at->column - column <= BAND_GOALS_REACH && column - at->column <= BAND_GOALS_REACH;
}

/* Returns the column in which a path to column `last` of row `below` is likely to cross kept row `row`. */
static int64_t guess_from_row(speculation *ahead, int64_t row, int64_t below, int64_t last, bool along) {
  const known_row kept = {.rows = ahead->in.kept, .row = row, .scheme = &ahead->in.all.problem->scheme};
  const int64_t column = along ? bound_column(ahead->in.bound, &ahead->near_guess, row) : -1;
  return column >= 0 ? known_row_largest_near(&kept, column)
                     : known_row_likeliest(&kept, ahead->in.all.worth, below, last);
}

/* Guesses the path's node in the lower row of the next block without a guess. The caller holds the lock,
 * which is released while a row is searched. */
static void guess_next(speculation *ahead) {
  const int64_t row = ahead->tasks[ahead->guessed % ahead->in.blocks].block.lower;
  const int64_t below = ahead->guess_row, last = ahead->guess;
  int64_t guess;
  ahead->guessing = true;
  if (ahead->unlike) {
    guess = straight(ahead, row);
  } else {
    const bool along = ahead->along;
    pthread_mutex_unlock(&ahead->lock);
    pthread_rwlock_rdlock(&ahead->reading);
    guess = guess_from_row(ahead, row, below, last, along);
    pthread_rwlock_unlock(&ahead->reading);
    pthread_mutex_lock(&ahead->lock);
  }
  ahead->tasks[ahead->guessed++ % ahead->in.blocks].block.guess = guess;
  ahead->guess_row = row;
  ahead->guess = guess;
  ahead->guessing = false;
  pthread_cond_broadcast(&ahead->there);
}

static double wander(const speculation *ahead) {
  if (ahead->deviations < DEVIATIONS_LEAST) return WANDER;
  const double seen = WANDER_OF_SEEN * sqrt(ahead->squares / (double)ahead->deviations);
  return seen < WANDER_LEAST ? WANDER_LEAST : seen > WANDER_MOST ? WANDER_MOST : seen;
}

/* If the path's highest known node is in the block's lower row, adds the path's deviation from the block's
 * straight line to the statistics. */
static void note_deviation(speculation *ahead, const band_block *block) {
  if (block->distance <= 0 || ahead->at.row != block->lower) return;
  const double deviation =
      (double)(ahead->at.column - block->straight) / band_block_wander(1, block->distance);
  ahead->squares += deviation * deviation;
  ahead->deviations++;
}

/* Computes the block's band in process number `process`. */
static cla_status compute(speculation *ahead, band_block *block, const band_node *known, int process,
                          cla_error *error) {
  far_bands *far = ahead->in.far;
  band_work work;
  cla_status status = band_block_look(&work, block, &ahead->in.all, known, error);
  if (status != CLA_OK || !work.fits) return status;
  return process > 0 ? far->calls->compute(far, process, block, &work, error)
                     : band_block_compute(block, &work, error);
}

/* Computes the next block. The caller holds the lock, which is released during the computation. */
static void compute_next(speculation *ahead, int process) {
  const int64_t index = ahead->begun++;
  task *mine = ahead->tasks + index % ahead->in.blocks;
  mine->block.straight = straight(ahead, mine->block.lower);
  mine->block.distance = ahead->at.row - mine->block.lower;
  mine->block.wander = wander(ahead);
  mine->block.wide_before = ahead->wide;
  if (process > 0) ahead->far.blocks[process]++;
  pthread_mutex_unlock(&ahead->lock);
  band_block_free(&mine->old);
  const cla_status status =
      compute(ahead, &mine->block, index == 0 ? &ahead->in.end : NULL, process, &mine->error);
  pthread_mutex_lock(&ahead->lock);
  if (process > 0 && mine->block.owner == 0) ahead->far.blocks[process]--;
  mine->status = status;
  mine->finished = true;
  pthread_cond_signal(&ahead->finished);
}

/* True if the process may start a further block. */
static bool has_room(const speculation *ahead, int process) {
  if (process == 0) return true;
  return !atomic_load(&ahead->in.far->ended) &&
         ahead->far.blocks[process] < BLOCKS_FAR * ahead->far.threads[process];
}

static void *work(void *user) {
  const worker *self = user;
  speculation *ahead = self->ahead;
  pthread_mutex_lock(&ahead->lock);
  while (!ahead->stop) {
    if (ahead->begun < ahead->guessed && has_room(ahead, self->process))
      compute_next(ahead, self->process);
    else if (ahead->guessed < ahead->known && !ahead->guessing)
      guess_next(ahead);
    else
      pthread_cond_wait(&ahead->there, &ahead->lock);
  }
  ahead->crew.ended++;
  pthread_mutex_unlock(&ahead->lock);
  return NULL;
}

/* Makes the next block known to the threads. Returns false if there is no further block, or no room for
 * one. */
static bool add_block(speculation *ahead) {
  const int64_t lower = ahead->lower;
  if (lower <= ahead->in.upper || ahead->known == ahead->passed + ahead->in.blocks) return false;
  int64_t above = special_rows_loaded_above(ahead->in.kept, lower);
  if (above < 0) {
    pthread_rwlock_wrlock(&ahead->reading);
    above = special_rows_above(ahead->in.kept, lower);
    pthread_rwlock_unlock(&ahead->reading);
  }
  if (above > ahead->in.upper)
    ahead->lower = above;
  else if (ahead->in.upper == 0)
    ahead->lower = 0;
  if (ahead->lower == lower) return false;
  pthread_mutex_lock(&ahead->lock);
  task *next = ahead->tasks + ahead->known % ahead->in.blocks;
  *next = (task){.block = {.upper = ahead->lower, .lower = lower}, .old = next->old};
  if (ahead->known++ == 0) { /* the path's end is known */
    ahead->tasks[0].block.guess = ahead->guess;
    ahead->guessed = 1;
  }
  pthread_cond_broadcast(&ahead->there);
  pthread_mutex_unlock(&ahead->lock);
  return true;
}

static void add_blocks(speculation *ahead) {
  while (add_block(ahead)) continue;
}

static cla_status start_threads(speculation *ahead, int threads, cla_error *error) {
  crew *all = &ahead->crew;
  cla_status status = ALLOCATE_ARRAY(&all->workers, threads, "threads", error);
  for (int code = 0; status == CLA_OK && code == 0 && all->count < threads;) {
    const int far = all->count - ahead->in.threads;
    worker *next = all->workers + all->count;
    *next = (worker){.ahead = ahead, .process = far < 0 ? 0 : ahead->in.far->process_of[far]};
    code = thread_start(&next->thread, work, next);
    if (code == 0)
      all->count++;
    else if (all->count == 0)
      status = error_set(error, CLA_ERROR_MEMORY, "cannot start a thread: %s; give fewer --threads",
                         strerror(code));
  }
  return status;
}

/* Counts the threads of other processes, and makes room for their blocks. */
static cla_status add_far(speculation *ahead, cla_error *error) {
  const far_bands *far = ahead->in.far;
  const int count = far->processes;
  cla_status status = ALLOCATE_ZEROS(&ahead->far.blocks, count, "processes", error);
  if (status == CLA_OK) status = ALLOCATE_ZEROS(&ahead->far.threads, count, "processes", error);
  for (int i = 0; i < far->threads && status == CLA_OK; i++) ahead->far.threads[far->process_of[i]]++;
  ahead->in.blocks += smaller(BLOCKS_FAR * far->threads, ahead->in.more_blocks);
  ahead->in.all.threads += far->threads;
  return status;
}

cla_status speculation_create(speculation **out, const speculation_input *input, cla_error *error) {
  speculation *ahead = NULL;
  *out = NULL;
  cla_status status = ALLOCATE_ZEROS(&ahead, 1, "blocks", error);
  if (status != CLA_OK) return status;
  pthread_rwlock_init(&ahead->reading, NULL);
  pthread_mutex_init(&ahead->lock, NULL);
  pthread_cond_init(&ahead->there, NULL);
  thread_condition_init(&ahead->finished);
  atomic_init(&ahead->cancel, false);
  ahead->in = *input;
  ahead->in.all.kept = input->kept;
  ahead->in.all.reading = &ahead->reading;
  ahead->in.all.cancel = &ahead->cancel;
  ahead->lower = input->end.row;
  ahead->guess_row = input->end.row;
  ahead->guess = input->end.column;
  ahead->at = input->end;
  ahead->near_guess = ahead->near_path = bound_end(input->bound);
  ahead->along = is_along(ahead, &input->end);
  const int far = input->far ? input->far->threads : 0;
  if (far > 0) status = add_far(ahead, error);
  if (status == CLA_OK) status = ALLOCATE_ZEROS(&ahead->tasks, ahead->in.blocks, "blocks", error);
  if (status == CLA_OK) status = start_threads(ahead, input->threads + far, error);
  if (status == CLA_OK) add_blocks(ahead);
  if (status == CLA_OK)
    *out = ahead;
  else
    speculation_free(ahead);
  return status;
}

void speculation_free(speculation *ahead) {
  if (!ahead) return;
  far_bands *far = ahead->in.far;
  atomic_store(&ahead->cancel, true);
  pthread_mutex_lock(&ahead->lock);
  ahead->stop = true;
  pthread_cond_broadcast(&ahead->there);
  pthread_mutex_unlock(&ahead->lock);
  if (far) far->calls->await(far, &ahead->lock, &ahead->crew.ended, ahead->crew.count);
  for (int i = 0; i < ahead->crew.count; i++) pthread_join(ahead->crew.workers[i].thread, NULL);
  for (int64_t i = ahead->passed; i < ahead->known; i++) {
    band_block *block = &ahead->tasks[i % ahead->in.blocks].block;
    if (far && block->owner > 0) far->calls->drop(far, block);
    band_block_free(block);
  }
  for (int64_t i = 0; ahead->tasks && i < ahead->in.blocks; i++) band_block_free(&ahead->tasks[i].old);
  free(ahead->crew.workers);
  free(ahead->far.blocks);
  free(ahead->far.threads);
  free(ahead->tasks);
  pthread_cond_destroy(&ahead->there);
  pthread_cond_destroy(&ahead->finished);
  pthread_mutex_destroy(&ahead->lock);
  pthread_rwlock_destroy(&ahead->reading);
  free(ahead);
}

bool speculation_ended(const speculation *ahead) {
  return ahead->passed == ahead->known;
}

cla_status speculation_wait(band_block **block, speculation *ahead, cla_error *error) {
  far_bands *far = ahead->in.far;
  task *next = ahead->tasks + ahead->passed % ahead->in.blocks;
  *block = NULL;
  cla_status status = far ? far->calls->move(far, error) : CLA_OK;
  if (status != CLA_OK) return status;
  const struct timespec until = thread_time_in(far ? WAIT_NANOSECONDS_FAR : WAIT_NANOSECONDS);
  pthread_mutex_lock(&ahead->lock);
  for (int code = 0; !next->finished && code != ETIMEDOUT;)
    code = pthread_cond_timedwait(&ahead->finished, &ahead->lock, &until);
  const bool finished = next->finished;
  pthread_mutex_unlock(&ahead->lock);
  if (!finished) return CLA_OK;
  if (next->status != CLA_OK) return error_set(error, next->status, "%s", next->error.message);
  *block = &next->block;
  return CLA_OK;
}

/* Frees the rows from `from` on. If all rows are in memory, and other threads are reading them, a later
 * call frees these rows. The calling thread must not wait for readers, because all threads wait for it. */
static void drop_rows(speculation *ahead, int64_t from) {
  if (special_rows_on_disk(ahead->in.kept))
    pthread_rwlock_wrlock(&ahead->reading);
  else if (pthread_rwlock_trywrlock(&ahead->reading) != 0)
    return;
  special_rows_drop_from(ahead->in.kept, from);
  pthread_rwlock_unlock(&ahead->reading);
}

void speculation_pass(speculation *ahead, const band_node *at, bool led) {
  task *last = ahead->tasks + ahead->passed % ahead->in.blocks;
  const int64_t upper = last->block.upper;
  const bool unlike = last->block.wide && led;
  const bool along = is_along(ahead, at);
  last->old = last->block;
  drop_rows(ahead, upper + 1);
  pthread_mutex_lock(&ahead->lock);
  note_deviation(ahead, &last->old);
  ahead->at = *at;
  ahead->along = along;
  ahead->unlike = unlike;
  ahead->wide = last->old.wide ? ahead->wide + 1 : 0;
  if (last->old.owner > 0) {
    ahead->far.blocks[last->old.owner]--;
    pthread_cond_broadcast(&ahead->there);
  }
  pthread_mutex_unlock(&ahead->lock);
  ahead->passed++;
  add_blocks(ahead);
}
