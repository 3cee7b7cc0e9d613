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

bool batch_thread_start(pthread_t *out, void *(*work)(void *), void *user) {
  sigset_t all, before;
  sigfillset(&all);
  if (pthread_sigmask(SIG_SETMASK, &all, &before) != 0) return false;
  const int problem = pthread_create(out, NULL, work, user);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return problem == 0;
}

/* Reads the i-th record of one file together with the i-th record of another file. */
typedef struct batch_pairwise {
  batch_reader reader;
  const char *paths[2];
  cla_sequence_file *files[2];
  int64_t pairs;
} batch_pairwise;

/* Returns how a side is called in messages if it cannot be read. */
static const char *side_name(const batch_pairwise *files, const batch_sequence *sequence, int side) {
  return sequence ? cla_sequence_location(sequence->sequence) : files->paths[side];
}

/* Sets the error that one file has more records than the other. */
static cla_status uneven(const batch_pairwise *files, int longer, cla_error *error) {
  return cli_error(error, CLA_ERROR_INPUT,
                   "%.512s has %lld records, and %.512s has more; --pairwise takes as many of both",
                   files->paths[1 - longer], (long long)files->pairs, files->paths[longer]);
}

static cla_status next_pair(batch_reader *reader, batch_pair *pair, bool *found, batch_pair_name *name,
                            cla_error *error) {
  batch_pairwise *files = (batch_pairwise *)reader;
  batch_sequence *sides[2] = {NULL, NULL};
  cla_status statuses[2] = {CLA_OK, CLA_OK};
  bool ended[2] = {false, false};
  cla_error other;
  for (int i = 0; i < 2; i++) {
    cla_sequence *sequence = NULL;
    cla_error *where = i == 1 && statuses[0] != CLA_OK ? &other : error; /* the first error is reported */
    statuses[i] = cla_sequence_file_next(&sequence, files->files[i], &reader->how, where);
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

static void close_files(batch_reader *reader) {
  batch_pairwise *files = (batch_pairwise *)reader;
  cla_sequence_file_close(files->files[0]);
  cla_sequence_file_close(files->files[1]);
  free(files);
}

#define GZIP_FIRST 0x1f

double batch_file_bytes(const char *path, bool list) {
  struct stat facts;
  if (stat(path, &facts) != 0 || !S_ISREG(facts.st_mode)) return 0;
  FILE *file = fopen(path, "rb");
  if (!file) return 0;
  const int head = fgetc(file);
  fclose(file);
  return head == '>' || head == '@' || (list && head != GZIP_FIRST) ? (double)facts.st_size : 0;
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
  files->reader = (batch_reader){.next = next_pair, .close = close_files, .unit = "pair", .how = inputs->how};
  files->paths[0] = inputs->queries;
  files->paths[1] = inputs->targets;
  cla_status status = CLA_OK;
  for (int i = 0; i < 2 && status == CLA_OK; i++)
    status = cla_sequence_file_open(&files->files[i], files->paths[i], error);
  if (status == CLA_OK)
    *out = &files->reader;
  else
    close_files(&files->reader);
  return status;
}
