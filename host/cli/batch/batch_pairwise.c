/* The first record of a file with the first one of another, the second with the second, and so on. */

#include <stdlib.h>
#include <sys/stat.h>

#include "cli/batch/batch_reader.h"
#include "cli/batch/records_ahead.h"
#include "cli/report/report.h"

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

static void close_files(batch_reader *reader) {
  batch_pairwise *files = (batch_pairwise *)reader;
  for (int i = 0; i < 2; i++) records_ahead_end(files->ahead[i]);
  cla_sequence_file_close(files->files[0]);
  cla_sequence_file_close(files->files[1]);
  free(files);
}

/* Two files on a disk: others may keep their reader waiting, which could not be interrupted then. */
static bool are_files(const char *const paths[2]) {
  struct stat facts[2];
  for (int i = 0; i < 2; i++)
    if (stat(paths[i], &facts[i]) != 0 || !S_ISREG(facts[i].st_mode)) return false;
  return true;
}

cla_status batch_pairwise_open(batch_reader **out, const batch_inputs *inputs, cla_error *error) {
  batch_pairwise *files = calloc(1, sizeof *files);
  if (!files) return cli_error(error, CLA_ERROR_MEMORY, "out of memory for two files; free some memory");
  files->reader = (batch_reader){
      .next = next_pair, .close = close_files, .unit = "pair", .total = -1, .how = inputs->how};
  files->paths[0] = inputs->queries;
  files->paths[1] = inputs->targets;
  files->may_be_ahead = are_files(files->paths);
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
