#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "cli/batch/batch_reader.h"
#include "cli/report/report.h"

#define SIDE_SHOWN 400 /* bytes of a location in a message */

batch_sequence *batch_sequence_use(batch_sequence *sequence) {
  sequence->uses++;
  return sequence;
}

void batch_sequence_leave(batch_sequence *sequence) {
  if (!sequence || --sequence->uses > 0) return;
  cla_sequence_free(sequence->sequence);
  free(sequence);
}

double batch_sequence_letters(const batch_sequence *sequence) {
  return (double)(cla_sequence_end(sequence->sequence) - cla_sequence_begin(sequence->sequence));
}

cla_status batch_sequence_make(batch_sequence **out, cla_sequence *sequence, cla_error *error) {
  *out = malloc(sizeof **out);
  if (*out) {
    **out = (batch_sequence){.sequence = sequence, .uses = 1};
    return CLA_OK;
  }
  cla_sequence_free(sequence);
  return cli_error(error, CLA_ERROR_MEMORY, "out of memory for a sequence; free some memory");
}

void batch_pair_describe_as(batch_pair_name *name, const batch_reader *reader, int64_t number,
                            const char *query, const char *target) {
  snprintf(name->text, sizeof name->text, "%s %" PRId64 " (%.*s%s%.*s)", reader->unit, number, SIDE_SHOWN,
           query, target ? ", " : "", SIDE_SHOWN, target ? target : "");
}

void batch_pair_describe(batch_pair_name *name, const batch_reader *reader, const batch_pair *pair) {
  batch_pair_describe_as(name, reader, pair->number, cla_sequence_location(pair->query->sequence),
                         cla_sequence_location(pair->target->sequence));
}

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

/* The records of a file, read by a thread of its own while those before them are worked on. */
typedef struct records_ahead {
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
} records_ahead;

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

bool batch_thread_start(pthread_t *out, void *(*work)(void *), void *user) {
  sigset_t all, before;
  sigfillset(&all);
  if (pthread_sigmask(SIG_SETMASK, &all, &before) != 0) return false;
  const int problem = pthread_create(out, NULL, work, user);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return problem == 0;
}

/* Reads what is next in the file, which must outlive it and be left alone, about so many letters ahead. NULL
 * where there is no memory or thread for that. Only for files that never let a reader wait. */
static records_ahead *records_ahead_begin(cla_sequence_file *file, const cla_sequence_options *how,
                                          int64_t letters_most) {
  records_ahead *ahead = calloc(1, sizeof *ahead);
  if (!ahead) return NULL;
  ahead->file = file;
  ahead->how = *how;
  ahead->letters_most = letters_most;
  const bool has_lock = pthread_mutex_init(&ahead->lock, NULL) == 0;
  const bool has_changed = has_lock && pthread_cond_init(&ahead->changed, NULL) == 0;
  if (has_changed && batch_thread_start(&ahead->thread, read_all, ahead)) return ahead;
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

/* As cla_sequence_file_next. */
static cla_status records_ahead_next(cla_sequence **out, records_ahead *ahead, cla_error *error) {
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

/* NULL is allowed. */
static void records_ahead_end(records_ahead *ahead) {
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

/* The first record of a file with the first one of another, the second with the second, and so on. */
typedef struct batch_pairwise {
  batch_reader reader;
  const char *paths[2];
  cla_sequence_file *files[2];
  records_ahead *ahead[2]; /* NULL: this thread reads */
  bool may_be_ahead;
  int64_t letters_ahead;
  int64_t pairs;
} batch_pairwise;

/* What a side is called that cannot be read. */
static const char *side_name(const batch_pairwise *files, const batch_sequence *sequence, int side) {
  return sequence ? cla_sequence_location(sequence->sequence) : files->paths[side];
}

/* Both files must end together. */
static cla_status uneven(const batch_pairwise *files, int longer, cla_error *error) {
  return cli_error(error, CLA_ERROR_INPUT,
                   "%.512s has %lld records, and %.512s has more; --pairwise takes as many of both",
                   files->paths[1 - longer], (long long)files->pairs, files->paths[longer]);
}

/* Threads read the files once it is known how: the first pair may have to say. */
static void begin_ahead(batch_pairwise *files) {
  if (!files->may_be_ahead || !files->reader.how.known) return;
  files->may_be_ahead = false;
  for (int i = 0; i < 2; i++)
    files->ahead[i] = records_ahead_begin(files->files[i], &files->reader.how, files->letters_ahead);
}

static cla_status next_record(cla_sequence **out, batch_pairwise *files, int side, cla_error *error) {
  return files->ahead[side] ? records_ahead_next(out, files->ahead[side], error)
                            : cla_sequence_file_next(out, files->files[side], &files->reader.how, error);
}

static cla_status next_pair(batch_reader *reader, batch_pair *pair, bool *found, batch_pair_name *name,
                            cla_error *error) {
  batch_pairwise *files = (batch_pairwise *)reader;
  batch_sequence *sides[2] = {NULL, NULL};
  cla_status statuses[2] = {CLA_OK, CLA_OK};
  bool ended[2] = {false, false};
  cla_error other;
  begin_ahead(files);
  for (int i = 0; i < 2; i++) {
    cla_sequence *sequence = NULL;
    cla_error *where = i == 1 && statuses[0] != CLA_OK ? &other : error; /* the first one is told */
    statuses[i] = next_record(&sequence, files, i, where);
    ended[i] = statuses[i] == CLA_OK && !sequence;
    if (sequence) statuses[i] = batch_sequence_make(&sides[i], sequence, where);
  }
  *found = !ended[0] && !ended[1];
  cla_status status = statuses[0] != CLA_OK ? statuses[0] : statuses[1];
  if (*found) {
    *pair = (batch_pair){.index = files->pairs, .number = files->pairs + 1, .group = files->pairs};
    files->pairs++;
  } else if (ended[0] != ended[1]) {
    status = uneven(files, ended[0] ? 1 : 0, error);
  }
  if (*found && status == CLA_OK) {
    pair->query = sides[0];
    pair->target = sides[1];
    return CLA_OK;
  }
  if (*found)
    batch_pair_describe_as(name, reader, pair->number, side_name(files, sides[0], 0),
                           side_name(files, sides[1], 1));
  batch_sequence_leave(sides[0]);
  batch_sequence_leave(sides[1]);
  return status;
}

static cla_status pass_pair(batch_reader *reader, cla_batch_sizes *sizes, bool *found, cla_error *error) {
  batch_pairwise *files = (batch_pairwise *)reader;
  int64_t letters[2] = {-1, -1};
  cla_status status = cla_sequence_file_pass(&letters[0], files->files[0], error);
  if (status == CLA_OK) status = cla_sequence_file_pass(&letters[1], files->files[1], error);
  *found = letters[0] >= 0 && letters[1] >= 0;
  if (*found) cla_batch_sizes_add(sizes, (double)letters[0] * (double)letters[1], 1);
  return status;
}

static void close_files(batch_reader *reader) {
  batch_pairwise *files = (batch_pairwise *)reader;
  for (int i = 0; i < 2; i++) records_ahead_end(files->ahead[i]);
  cla_sequence_file_close(files->files[0]);
  cla_sequence_file_close(files->files[1]);
  free(files);
}

bool batch_are_files(const char *const paths[2]) {
  struct stat facts[2];
  for (int i = 0; i < 2; i++)
    if (stat(paths[i], &facts[i]) != 0 || !S_ISREG(facts[i].st_mode)) return false;
  return true;
}

cla_status batch_pairwise_open(batch_reader **out, const batch_inputs *inputs, cla_error *error) {
  batch_pairwise *files = calloc(1, sizeof *files);
  if (!files) return cli_error(error, CLA_ERROR_MEMORY, "out of memory for two files; free some memory");
  files->reader = (batch_reader){
      .next = next_pair, .pass = pass_pair, .close = close_files, .unit = "pair", .how = inputs->how};
  files->paths[0] = inputs->queries;
  files->paths[1] = inputs->targets;
  files->may_be_ahead = batch_are_files(files->paths);
  files->reader.read_once = !files->may_be_ahead;
  files->letters_ahead = inputs->letters_ahead;
  cla_status status = CLA_OK;
  for (int i = 0; i < 2 && status == CLA_OK; i++)
    status = cla_sequence_file_open(&files->files[i], files->paths[i], error);
  if (status == CLA_OK)
    *out = &files->reader;
  else
    close_files(&files->reader);
  return status;
}
