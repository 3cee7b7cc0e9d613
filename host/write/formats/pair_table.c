#include "write/writer_internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/extremes.h"
#include "base/key_sort.h"
#include "result/path_check.h"
#include "seq/sequence.h"

/* The kinds of values in cells. The first two are also columns that can be chosen. */
typedef enum table_value {
  VALUE_SCORE,    /* in the scheme's units */
  VALUE_IDENTITY, /* thousandths of a percent */
  VALUE_DISTANCE, /* millionths of 1 - identity */
} table_value;

/* The records of one side, indexed by their numbers. */
typedef struct table_side {
  char **names; /* owned; NULL: no pair of the record has been added, so it is not in the table */
  int64_t count, capacity;
} table_side;

struct pair_table {
  table_value value;
  bool one_file;       /* sides[0] has the records of both sides, and each pair is added once */
  cla_scoring scoring; /* scheme of the scores */
  table_side sides[2];
  keyed_list cells; /* values of the cells, with the keys of key_of */
  bool sorted;
};

static const char *const names_of_values[] = {[VALUE_SCORE] = "score", [VALUE_IDENTITY] = "identity"};
const column_table matrix_table = {"a matrix", "score", names_of_values, sizeof *names_of_values, 2};

static uint64_t key_of(int64_t row, int64_t column) {
  return (uint64_t)row << 32 | (uint64_t)column;
}

bool pair_table_wanted(cla_format format) {
  return format == CLA_FORMAT_MATRIX || format == CLA_FORMAT_PHYLIP;
}

cla_status pair_table_open(pair_table **out, cla_format format, const cla_write_options *how,
                           const column_list *columns, cla_error *error) {
  const bool phylip = format == CLA_FORMAT_PHYLIP;
  pair_table *memory = NULL;
  *out = NULL;
  if (phylip && !how->one_file)
    return error_set(error, CLA_ERROR_OPTION,
                     "the format phylip is for all pairs of one file; use matrix for two");
  if (!phylip && columns->count > 1)
    return error_set(error, CLA_ERROR_OPTION,
                     "a matrix has one value for each pair; choose one column, score or identity");
  cla_status status = ALLOCATE_ZEROS(&memory, 1, "a table of pairs", error);
  if (status != CLA_OK) return status;
  *out = memory;
  (*out)->value = phylip ? VALUE_DISTANCE : (table_value)columns->of[0];
  (*out)->one_file = how->one_file;
  (*out)->sorted = true;
  return CLA_OK;
}

void pair_table_free(pair_table *table) {
  if (!table) return;
  for (int side = 0; side < 2; side++) {
    for (int64_t i = 0; i < table->sides[side].count; i++) free(table->sides[side].names[i]);
    free(table->sides[side].names);
  }
  free(table->cells.items);
  free(table);
}

static cla_status add_record(table_side *side, int64_t number, const char *name, cla_error *error) {
  cla_status status = ALLOCATE_GROW(&side->names, &side->capacity, number, "names of records", error);
  if (status != CLA_OK) return status;
  while (side->count < number) side->names[side->count++] = NULL;
  return side->names[number - 1] ? CLA_OK : allocate_text(&side->names[number - 1], name, error);
}

static cla_status add_cell(pair_table *table, int64_t row, int64_t column, int64_t value, cla_error *error) {
  const uint64_t key = key_of(row, column);
  const keyed_list *cells = &table->cells;
  table->sorted = table->sorted && (cells->count == 0 || cells->items[cells->count - 1].key < key);
  return keyed_list_add(&table->cells, key, value, error);
}

static cla_status value_of(int64_t *value, const pair_table *table, const write_job *job, cla_error *error) {
  const cla_alignment *alignment = job->alignments[0];
  cla_statistics counts;
  *value = alignment->score;
  if (table->value == VALUE_SCORE) return CLA_OK;
  if (!alignment->has_path)
    return error_set(error, CLA_ERROR_OPTION,
                     "identities need aligned paths; write scores, or align without score-only");
  cla_status status = job_count(&counts, job, alignment, error);
  if (status != CLA_OK) return status;
  const bool distance = table->value == VALUE_DISTANCE;
  const int64_t one = distance ? 1000000 : 100000, columns = counts.columns;
  const int64_t part = distance ? columns - counts.matches : counts.matches;
  *value = columns > 0 ? (2 * one * part + columns) / (2 * columns) : distance ? one : 0;
  return CLA_OK;
}

cla_status pair_table_put(pair_table *table, const write_job *job, cla_error *error) {
  const int64_t row = sequence_number(job->query), column = sequence_number(job->target);
  table_side *columns = &table->sides[table->one_file ? 0 : 1];
  name_pair names;
  int64_t value = 0;
  if (row < 1 || column < 1 || row > INT32_MAX || column > INT32_MAX)
    return error_set(error, CLA_ERROR_OPTION,
                     "a table is for all records of files of fewer than 2^31; use the format tsv");
  cla_status status = name_pair_make(&names, job, error);
  if (status == CLA_OK) status = add_record(&table->sides[0], row, names.query, error);
  if (status == CLA_OK) status = add_record(columns, column, names.target, error);
  name_pair_free(&names);
  if (status != CLA_OK || job->count == 0) return status;
  table->scoring = job->alignments[0]->scoring;
  status = value_of(&value, table, job, error);
  if (status == CLA_OK) status = add_cell(table, row, column, value, error);
  return status == CLA_OK && table->one_file ? add_cell(table, column, row, value, error) : status;
}

/* Writes a known cell. */
static void put_value(text_buffer *text, const pair_table *table, int64_t value) {
  char score[CLA_SCORE_TEXT_SIZE];
  switch (table->value) {
    case VALUE_SCORE:
      cla_score_text(score, value, &table->scoring);
      text_put(text, score);
      break;
    case VALUE_IDENTITY: text_put_decimals(text, value, 1000); break;
    case VALUE_DISTANCE: text_put_decimals(text, value, 1000000); break;
  }
}

/* Writes a row. On entry *next is the index of the row's first cell, on return the index of the cell after
 * the row. */
static cla_status put_row(text_buffer *text, const pair_table *table, int64_t row, int64_t *next,
                          cla_error *error) {
  const bool distances = table->value == VALUE_DISTANCE, scores = table->value == VALUE_SCORE;
  const table_side *columns = &table->sides[table->one_file ? 0 : 1];
  const char *name = table->sides[0].names[row - 1];
  if (!name) return CLA_OK;
  text_put(text, name);
  for (int64_t column = 1; column <= columns->count; column++) {
    if (!columns->names[column - 1]) continue;
    const keyed *cell = *next < table->cells.count ? &table->cells.items[*next] : NULL;
    const bool known = cell && cell->key == key_of(row, column);
    const bool itself = table->one_file && row == column && !scores;
    *next += known;
    text_put_char(text, distances ? ' ' : '\t');
    if (known)
      put_value(text, table, cell->value);
    else if (itself)
      put_value(text, table, distances ? 0 : 100000);
    else if (distances)
      return error_set(
          error, CLA_ERROR_INPUT,
          "records %lld and %lld have no distance, which phylip cannot say; correct the pairs that "
          "failed, or use the format matrix",
          (long long)row, (long long)column);
    else
      text_put(text, "NA");
  }
  text_put_char(text, '\n');
  return CLA_OK;
}

/* Writes the first line: the names of the columns, or for distances the number of records. */
static void put_head(text_buffer *text, const pair_table *table) {
  const table_side *columns = &table->sides[table->one_file ? 0 : 1];
  const bool distances = table->value == VALUE_DISTANCE;
  int64_t count = 0;
  for (int64_t i = 0; i < columns->count; i++) {
    if (!columns->names[i]) continue;
    count++;
    if (distances) continue;
    text_put_char(text, '\t');
    text_put(text, columns->names[i]);
  }
  if (distances) text_put_number(text, count);
  text_put_char(text, '\n');
}

cla_status pair_table_write(pair_table *table, FILE *file, cla_error *error) {
  text_buffer text;
  int64_t next = 0;
  cla_status status = CLA_OK;
  if (!table->sorted) status = key_sort(&table->cells, 0, 64, error);
  text_begin(&text, &(write_job){.file = file});
  if (status == CLA_OK) put_head(&text, table);
  for (int64_t row = 1; row <= table->sides[0].count && status == CLA_OK && !ferror(file); row++)
    status = put_row(&text, table, row, &next, error);
  text_flush(&text);
  return status;
}
