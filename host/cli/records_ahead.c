#include "cli/records_ahead.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

#include "cli/cli_report.h"

/* Records that wait, and their letters; a longer one waits alone. */
#define RECORDS_MOST 1024
#define LETTERS_MOST (INT64_C(8) << 20)

/* What reading a record gave. */
typedef struct read_record {
  cla_status status;
  cla_sequence *sequence; /* NULL with CLA_OK: the file's end */
  cla_error *error;       /* owned; NULL with CLA_OK, or where there was no memory */
} read_record;

struct records_ahead {
  cla_sequence_file *file;
  cla_sequence_options how;
  pthread_t thread;
  pthread_mutex_t lock; /* of all that follows */
  pthread_cond_t changed;
  bool stopping, ended; /* ended: the file's end was taken */
  read_record records[RECORDS_MOST];
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

/* Waits until there is room for a record; false: no more are wanted. */
static bool wait_for_room(records_ahead *ahead) {
  while (!ahead->stopping &&
         (ahead->count == RECORDS_MOST || (ahead->count > 0 && ahead->letters >= LETTERS_MOST)))
    pthread_cond_wait(&ahead->changed, &ahead->lock);
  return !ahead->stopping;
}

static void *read_all(void *user) {
  records_ahead *ahead = user;
  bool ended = false;
  pthread_mutex_lock(&ahead->lock);
  while (!ended && wait_for_room(ahead)) {
    pthread_mutex_unlock(&ahead->lock);
    const read_record record = read_one(ahead);
    pthread_mutex_lock(&ahead->lock);
    ended = record.status == CLA_OK && !record.sequence;
    ahead->records[(ahead->first + ahead->count++) % RECORDS_MOST] = record;
    ahead->letters += letters_of(&record);
    if (ahead->count == 1) pthread_cond_signal(&ahead->changed); /* the one that may wait for it */
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

records_ahead *records_ahead_begin(cla_sequence_file *file, const cla_sequence_options *how) {
  records_ahead *ahead = calloc(1, sizeof *ahead);
  if (!ahead) return NULL;
  ahead->file = file;
  ahead->how = *how;
  const bool has_lock = pthread_mutex_init(&ahead->lock, NULL) == 0;
  const bool has_changed = has_lock && pthread_cond_init(&ahead->changed, NULL) == 0;
  if (has_changed && begin_thread(ahead)) return ahead;
  if (has_changed) pthread_cond_destroy(&ahead->changed);
  if (has_lock) pthread_mutex_destroy(&ahead->lock);
  free(ahead);
  return NULL;
}

/* The next one; the file's end again and again. */
static read_record take_record(records_ahead *ahead) {
  read_record record = {.status = CLA_OK};
  if (ahead->ended) return record;
  pthread_mutex_lock(&ahead->lock);
  while (ahead->count == 0) pthread_cond_wait(&ahead->changed, &ahead->lock);
  record = ahead->records[ahead->first];
  const bool was_full = ahead->count == RECORDS_MOST || ahead->letters >= LETTERS_MOST;
  ahead->first = (ahead->first + 1) % RECORDS_MOST;
  ahead->count--;
  ahead->letters -= letters_of(&record);
  if (was_full) pthread_cond_signal(&ahead->changed); /* the thread, which may wait for room */
  pthread_mutex_unlock(&ahead->lock);
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

void records_ahead_end(records_ahead *ahead) {
  if (!ahead) return;
  pthread_mutex_lock(&ahead->lock);
  ahead->stopping = true;
  pthread_cond_signal(&ahead->changed);
  pthread_mutex_unlock(&ahead->lock);
  pthread_join(ahead->thread, NULL);
  for (; ahead->count > 0; ahead->count--) {
    cla_sequence_free(ahead->records[ahead->first].sequence);
    free(ahead->records[ahead->first].error);
    ahead->first = (ahead->first + 1) % RECORDS_MOST;
  }
  pthread_cond_destroy(&ahead->changed);
  pthread_mutex_destroy(&ahead->lock);
  free(ahead);
}
