/* Reads all pairs of records of two files, or all pairs of different records of one file, each pair once. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "cli/batch/batch_reader.h"
#include "cli/report/report.h"

#define SEQUENCE_BYTES 512 /* approximate bytes of a sequence in memory besides its letters */

typedef struct batch_matrix {
  batch_reader reader;
  const char *queries_path, *targets_path;
  cla_sequence_file *queries; /* NULL: `query` is the only query */
  cla_sequence_file *targets; /* for all pairs of one file: equal to `queries` */
  bool one_file;              /* the targets of a query are the records after it */
  int64_t query_count, target_count;
  int64_t row, column;   /* place of the next pair */
  batch_sequence *query; /* the row's query; NULL: not read yet, or unreadable */
  batch_sequence **kept; /* targets kept for further queries, by their numbers */
  int64_t letters_kept, letters_most;
} batch_matrix;

static cla_status read_record(batch_sequence **out, batch_matrix *matrix, cla_sequence_file *file,
                              int64_t number, const char *path, cla_error *error) {
  cla_sequence *sequence = NULL;
  cla_status status = cla_sequence_file_read(&sequence, file, number, &matrix->reader.how, error);
  if (status == CLA_OK && !sequence)
    status =
        cli_error(error, CLA_ERROR_INPUT, "%.1024s was altered while it was read; leave it as it is", path);
  return status == CLA_OK ? batch_sequence_make(out, sequence, error) : status;
}

/* Returns the size of a kept sequence, in letters. Its other memory is included. */
static int64_t kept_letters(const batch_sequence *sequence) {
  return cla_sequence_length(sequence->sequence) + SEQUENCE_BYTES;
}

/* Takes a target, from memory or from the file. *out counts as one more use of the target. */
static cla_status take_target(batch_sequence **out, batch_matrix *matrix, int64_t number, cla_error *error) {
  if (matrix->kept[number]) {
    *out = batch_sequence_use(matrix->kept[number]);
    return CLA_OK;
  }
  cla_status status = read_record(out, matrix, matrix->targets, number, matrix->targets_path, error);
  if (status != CLA_OK) return status;
  const int64_t letters = kept_letters(*out);
  if (matrix->letters_kept + letters > matrix->letters_most) return CLA_OK;
  matrix->letters_kept += letters;
  matrix->kept[number] = batch_sequence_use(*out);
  return CLA_OK;
}

static cla_status take_query(batch_matrix *matrix, cla_error *error) {
  if (matrix->query) return CLA_OK;
  if (matrix->one_file) return take_target(&matrix->query, matrix, matrix->row, error);
  return read_record(&matrix->query, matrix, matrix->queries, matrix->row, matrix->queries_path, error);
}

/* Goes to the next query. With one file, frees the previous query's kept sequence, because no further pair
 * contains it. */
static void next_row(batch_matrix *matrix) {
  batch_sequence *kept = matrix->one_file ? matrix->kept[matrix->row] : NULL;
  if (kept) {
    matrix->letters_kept -= kept_letters(kept);
    matrix->kept[matrix->row] = NULL;
    batch_sequence_leave(kept);
  }
  if (matrix->queries) {
    batch_sequence_leave(matrix->query);
    matrix->query = NULL;
  }
  matrix->row++;
  matrix->column = matrix->one_file ? matrix->row + 1 : 0;
}

/* Returns the index of a pair in the order of reading. */
static int64_t pair_index(const batch_matrix *matrix, int64_t row, int64_t column) {
  if (!matrix->one_file) return row * matrix->target_count + column;
  return row * matrix->target_count - row * (row + 1) / 2 + column - row - 1;
}

static const char *side_name(const batch_sequence *sequence, const char *path, int64_t number, char *text,
                             size_t size) {
  if (sequence) return cla_sequence_location(sequence->sequence);
  snprintf(text, size, "record %lld of %.300s", (long long)number + 1, path);
  return text;
}

static cla_status next_pair(batch_reader *reader, batch_pair *pair, bool *found, batch_pair_name *name,
                            cla_error *error) {
  batch_matrix *matrix = (batch_matrix *)reader;
  char query[512], target[512];
  while (matrix->row < matrix->query_count && matrix->column >= matrix->target_count) next_row(matrix);
  *found = matrix->row < matrix->query_count;
  if (!*found) return CLA_OK;
  const int64_t row = matrix->row, column = matrix->column++, index = pair_index(matrix, row, column);
  *pair = (batch_pair){.index = index, .number = index + 1, .group = row};
  cla_status status = take_query(matrix, error);
  if (status == CLA_OK) status = take_target(&pair->target, matrix, column, error);
  if (status == CLA_OK)
    pair->query = batch_sequence_use(matrix->query);
  else
    batch_pair_describe_as(name, reader, pair->number,
                           side_name(matrix->query, matrix->queries_path, row, query, sizeof query),
                           side_name(NULL, matrix->targets_path, column, target, sizeof target));
  return status;
}

static void close_matrix(batch_reader *reader) {
  batch_matrix *matrix = (batch_matrix *)reader;
  for (int64_t i = 0; matrix->kept && i < matrix->target_count; i++) batch_sequence_leave(matrix->kept[i]);
  free(matrix->kept);
  batch_sequence_leave(matrix->query);
  if (matrix->targets != matrix->queries) cla_sequence_file_close(matrix->targets);
  cla_sequence_file_close(matrix->queries);
  free(matrix);
}

static cla_status open_counted(cla_sequence_file **out, int64_t *count, const char *path, cla_error *error) {
  cla_status status = cla_sequence_file_open(out, path, error);
  if (status == CLA_OK) status = cla_sequence_file_count(count, *out, error);
  if (status == CLA_OK && *count == 0)
    return cli_error(error, CLA_ERROR_INPUT,
                     "%.1024s is empty; give a FASTA or FASTQ file with at least one record", path);
  return status;
}

/* Opens the queries: a file, or else the location of a single record. */
static cla_status open_queries(batch_matrix *matrix, cla_error *error) {
  struct stat facts;
  const char *path = matrix->queries_path;
  const bool is_file = stat(path, &facts) == 0 || (path[0] == '-' && path[1] == '\0');
  if (is_file) return open_counted(&matrix->queries, &matrix->query_count, path, error);
  cla_sequence *sequence = NULL;
  matrix->query_count = 1;
  cla_status status = cla_sequence_read_with(&sequence, path, &matrix->reader.how, error);
  return status == CLA_OK ? batch_sequence_make(&matrix->query, sequence, error) : status;
}

static double part_read(const batch_reader *reader) {
  const batch_matrix *matrix = (const batch_matrix *)reader;
  return (double)pair_index(matrix, matrix->row, matrix->column) / (double)reader->total;
}

static cla_status open_files(batch_matrix *matrix, cla_error *error) {
  int64_t pairs = 0;
  cla_status status = matrix->one_file ? CLA_OK : open_queries(matrix, error);
  if (status == CLA_OK)
    status = open_counted(&matrix->targets, &matrix->target_count, matrix->targets_path, error);
  if (status == CLA_OK && matrix->one_file && matrix->target_count < 2)
    status =
        cli_error(error, CLA_ERROR_INPUT, "%.1024s holds one record, which makes no pair; give a second file",
                  matrix->targets_path);
  if (status == CLA_OK && matrix->one_file) {
    matrix->queries = matrix->targets;
    matrix->query_count = matrix->target_count - 1;
  }
  if (status != CLA_OK) return status;
  if (__builtin_mul_overflow(matrix->query_count, matrix->target_count + 1, &pairs))
    return cli_error(error, CLA_ERROR_INPUT, "%.512s and %.512s make more pairs than can be counted",
                     matrix->queries_path, matrix->targets_path);
  matrix->reader.total = pair_index(matrix, matrix->query_count, matrix->one_file ? matrix->target_count : 0);
  matrix->kept = calloc((size_t)matrix->target_count, sizeof *matrix->kept);
  return matrix->kept ? CLA_OK
                      : cli_error(error, CLA_ERROR_MEMORY, "out of memory for the records; free some memory");
}

/* Records that cannot be read are skipped; their errors are reported with their pairs. */
static void find_database(cla_database *out, batch_reader *reader) {
  batch_matrix *matrix = (batch_matrix *)reader;
  cla_error unused;
  *out = (cla_database){.records = 0};
  for (int64_t number = 0; number < matrix->target_count; number++) {
    batch_sequence *target = NULL;
    if (take_target(&target, matrix, number, &unused) != CLA_OK) continue;
    out->letters += cla_sequence_length(target->sequence);
    out->records++;
    batch_sequence_leave(target);
  }
}

cla_status batch_matrix_open(batch_reader **out, const batch_inputs *inputs, cla_error *error) {
  batch_matrix *matrix = calloc(1, sizeof *matrix);
  if (!matrix) return cli_error(error, CLA_ERROR_MEMORY, "out of memory for two files; free some memory");
  matrix->reader = (batch_reader){.next = next_pair,
                                  .part = part_read,
                                  .database = find_database,
                                  .close = close_matrix,
                                  .unit = "pair",
                                  .how = inputs->how};
  matrix->one_file = !inputs->targets;
  matrix->queries_path = inputs->queries;
  matrix->targets_path = inputs->targets ? inputs->targets : inputs->queries;
  matrix->column = matrix->one_file ? 1 : 0;
  matrix->letters_most = inputs->letters_kept;
  cla_status status = open_files(matrix, error);
  if (status == CLA_OK)
    *out = &matrix->reader;
  else
    close_matrix(&matrix->reader);
  return status;
}
