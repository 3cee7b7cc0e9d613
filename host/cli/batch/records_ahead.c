#include "cli/batch/records_ahead.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

#include "cli/report/report.h"

/* Records that wait; their letters are bounded, too, and a longer record waits alone. */
#define RECORDS_MOST 1024
/* They are handed over so many at once, or so many letters, so that neither thread wakes the other for each.
 */
#define BLOCK_RECORDS 32
#define BLOCK_LETTERS (INT64_C(1) << 16)

/* What reading a record gave. */
typedef struct read_record {
  cla_status status;
  cla_sequence *sequence; /* NULL with CLA_OK: the file's end */
  cla_error *error;       /* owned; NULL with CLA_OK, or where there was no memory */
} read_record;

/* Some of them, in their order. */
typedef struct read_block {
  read_record records[BLOCK_RECORDS];
  int first, count;
  int64_t letters;
} read_block;

struct records_ahead {
  cla_sequence_file *file;
  cla_sequence_options how;
  int64_t letters_most;
  pthread_t thread;
  read_block taken;     /* the caller's: of the oldest block */
  bool ended;           /* the file's end was taken; likewise */
  pthread_mutex_t lock; /* of all that follows */
  pthread_cond_t changed;
  bool stopping;
  read_block blocks[RECORDS_MOST / BLOCK_RECORDS]; /* that wait, in a circle */
  int first, count;
  int64_t letters;
};

static int64_t letters_of(const read_record *record) {
  return record->sequence ? cla_sequence_length(record->sequence) : 0;
}

static read_record read_one(records_ahead *ahead) {
  cla_error error = {.status = CLA_OK};
  read_record record = {.status = CLA_OK};
  record.status = cla_sequence_file_next(&record.sequence, ahead->file, &ahead->how, &error);
  if (record.status != CLA_OK && (record.error = malloc(sizeof *record.error)) != NULL) *record.error = error;
  return record;
}

/* Records up to the end of a block, or of the file. */
static void read_some(read_block *out, bool *ended, records_ahead *ahead) {
  *out = (read_block){.count = 0};
  while (!*ended && out->count < BLOCK_RECORDS && out->letters < BLOCK_LETTERS) {
    const read_record record = read_one(ahead);
    *ended = record.status == CLA_OK && !record.sequence;
    out->records[out->count++] = record;
    out->letters += letters_of(&record);
  }
}

/* Waits until there is room for a block; false: no more are wanted. */
static bool wait_for_room(records_ahead *ahead) {
  while (!ahead->stopping && (ahead->count == RECORDS_MOST / BLOCK_RECORDS ||
                              (ahead->count > 0 && ahead->letters >= ahead->letters_most)))
    pthread_cond_wait(&ahead->changed, &ahead->lock);
  return !ahead->stopping;
}

static void *read_all(void *user) {
  records_ahead *ahead = user;
  bool ended = false;
  pthread_mutex_lock(&ahead->lock);
  while (!ended && wait_for_room(ahead)) {
    read_block *block = &ahead->blocks[(ahead->first + ahead->count) % (RECORDS_MOST / BLOCK_RECORDS)];
    pthread_mutex_unlock(&ahead->lock); /* nobody else looks at a block that does not wait */
    read_some(block, &ended, ahead);
    pthread_mutex_lock(&ahead->lock);
    ahead->letters += block->letters;
    if (++ahead->count == 1) pthread_cond_signal(&ahead->changed); /* the one that may wait for it */
  }
  pthread_mutex_unlock(&ahead->lock);
  return NULL;
}

/* Signals are for the thread that began. */
static bool begin_thread(records_ahead *ahead) {
  sigset_t all, before;
  sigfillset(&all);
  if (pthread_sigmask(SIG_SETMASK, &all, &before) != 0) return false;
  const int problem = pthread_create(&ahead->thread, NULL, read_all, ahead);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return problem == 0;
}

records_ahead *records_ahead_begin(cla_sequence_file *file, const cla_sequence_options *how,
                                   int64_t letters_most) {
  records_ahead *ahead = calloc(1, sizeof *ahead);
  if (!ahead) return NULL;
  ahead->file = file;
  ahead->how = *how;
  ahead->letters_most = letters_most;
  const bool has_lock = pthread_mutex_init(&ahead->lock, NULL) == 0;
  const bool has_changed = has_lock && pthread_cond_init(&ahead->changed, NULL) == 0;
  if (has_changed && begin_thread(ahead)) return ahead;
  if (has_changed) pthread_cond_destroy(&ahead->changed);
  if (has_lock) pthread_mutex_destroy(&ahead->lock);
  free(ahead);
  return NULL;
}

/* Makes the oldest block the caller's. */
static void take_block(records_ahead *ahead) {
  pthread_mutex_lock(&ahead->lock);
  while (ahead->count == 0) pthread_cond_wait(&ahead->changed, &ahead->lock);
  ahead->taken = ahead->blocks[ahead->first];
  const bool was_full = ahead->count == RECORDS_MOST / BLOCK_RECORDS || ahead->letters >= ahead->letters_most;
  ahead->first = (ahead->first + 1) % (RECORDS_MOST / BLOCK_RECORDS);
  ahead->count--;
  ahead->letters -= ahead->taken.letters;
  if (was_full) pthread_cond_signal(&ahead->changed); /* the thread, which may wait for room */
  pthread_mutex_unlock(&ahead->lock);
}

/* The next one; the file's end again and again. */
static read_record take_record(records_ahead *ahead) {
  read_record record = {.status = CLA_OK};
  if (ahead->ended) return record;
  if (ahead->taken.first == ahead->taken.count) take_block(ahead);
  record = ahead->taken.records[ahead->taken.first++];
  ahead->ended = record.status == CLA_OK && !record.sequence;
  return record;
}

cla_status records_ahead_next(cla_sequence **out, records_ahead *ahead, cla_error *error) {
  const read_record record = take_record(ahead);
  *out = record.sequence;
  if (record.status == CLA_OK) return CLA_OK;
  if (!record.error)
    return cli_error(error, CLA_ERROR_MEMORY, "out of memory for the error of a record; free some memory");
  *error = *record.error;
  free(record.error);
  return record.status;
}

static void free_block(read_block *block) {
  for (; block->first < block->count; block->first++) {
    cla_sequence_free(block->records[block->first].sequence);
    free(block->records[block->first].error);
  }
}

void records_ahead_end(records_ahead *ahead) {
  if (!ahead) return;
  pthread_mutex_lock(&ahead->lock);
  ahead->stopping = true;
  pthread_cond_signal(&ahead->changed);
  pthread_mutex_unlock(&ahead->lock);
  pthread_join(ahead->thread, NULL);
  free_block(&ahead->taken);
  for (; ahead->count > 0; ahead->count--) {
    free_block(&ahead->blocks[ahead->first]);
    ahead->first = (ahead->first + 1) % (RECORDS_MOST / BLOCK_RECORDS);
  }
  pthread_cond_destroy(&ahead->changed);
  pthread_mutex_destroy(&ahead->lock);
  free(ahead);
}
