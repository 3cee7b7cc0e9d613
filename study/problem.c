/* Pairs of sequences, and the check of every result against the oracle of host/reference. */

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "clalign/simulate.h"
#include "result/path_check.h"
#include "study.h"

#define MATRIX_CELLS_MOST 4000000 /* of pairs whose cells are compared one by one */

static cla_status make_letters(study_problem *out, const study_scheme *scheme, int64_t length,
                               cla_error *error) {
  cla_simulate_options options;
  const cla_sequence_options known = {.known = true,
                                      .alphabet = scheme->protein ? CLA_ALPHABET_PROTEIN : CLA_ALPHABET_DNA};
  char *first = NULL, *second = NULL;
  int64_t first_length = 0, second_length = 0;
  cla_simulate_options_init(&options);
  options.length = length;
  options.protein = scheme->protein;
  options.substitution_rate = scheme->alike ? 0.05 : 0.3;
  options.indel_rate = scheme->alike ? 0.005 : 0.02;
  cla_status status = cla_simulate(&first, &first_length, &second, &second_length, &options, error);
  if (status == CLA_OK)
    status = cla_sequence_from_letters_with(&out->query, "query", first, first_length, &known, error);
  if (status == CLA_OK)
    status = cla_sequence_from_letters_with(&out->target, "target", second, second_length, &known, error);
  free(first);
  free(second);
  return status;
}

static cla_status make_scoring(cla_scoring *out, const study_scheme *scheme, cla_error *error) {
  cla_status status = CLA_OK;
  cla_scoring_init(out);
  if (scheme->matrix) status = cla_scoring_set_matrix(out, scheme->matrix, error);
  if (status != CLA_OK) return status;
  if (scheme->match != 0 || scheme->mismatch != 0) {
    out->match = scheme->match;
    out->mismatch = scheme->mismatch;
  }
  out->gap_first = scheme->gap_first;
  out->gap_ext = scheme->gap_ext;
  return cla_scoring_check(out, error);
}

static cla_status ask_oracle(study_problem *problem, cla_error *error) {
  const pair_problem *pair = &problem->pair;
  reference_alignment best = {0};
  reference_borders borders = {0};
  cla_status status = reference_score(&best, pair, error);
  if (status != CLA_OK) return status;
  problem->score = best.score;
  reference_alignment_free(&best);
  if (pair->rows * pair->columns > MATRIX_CELLS_MOST) return CLA_OK;
  status = reference_borders_make(&borders, pair->rows, pair->columns, &problem->scoring, pair->scheme.ends,
                                  error);
  if (status == CLA_OK) status = reference_fill(&problem->matrix, pair, &borders, error);
  problem->has_matrix = status == CLA_OK;
  reference_borders_free(&borders);
  return status;
}

cla_status study_problem_make(study_problem *out, const study_scheme *scheme, int64_t length,
                              cla_error *error) {
  memset(out, 0, sizeof *out);
  cla_status status = make_letters(out, scheme, length, error);
  if (status == CLA_OK) status = make_scoring(&out->scoring, scheme, error);
  if (status != CLA_OK) goto done;
  pair_letters_table(&out->table, &out->scoring, out->query, out->target);
  out->letters = (int)strlen(sequence_alphabet(out->query)->letters);
  out->pair = (pair_problem){
      .query = sequence_codes(out->query),
      .target = sequence_codes(out->target),
      .rows = cla_sequence_length(out->query),
      .columns = cla_sequence_length(out->target),
      .scheme = {.scoring = &out->scoring, .table = &out->table, .ends = path_ends_make(scheme->mode, 0)}};
  status = ask_oracle(out, error);

done:
  if (status != CLA_OK) study_problem_free(out);
  return status;
}

void study_problem_free(study_problem *problem) {
  if (problem->has_matrix) reference_matrix_free(&problem->matrix);
  cla_sequence_free(problem->query);
  cla_sequence_free(problem->target);
  memset(problem, 0, sizeof *problem);
}

void study_result_free(study_result *result) {
  free(result->runs);
  for (int k = 0; k < 2; k++) free(result->cells[k].values);
  memset(result, 0, sizeof *result);
}

/* Whether the path leads from end to end or, of a local one, from its start to its end within the pair. */
static bool path_is_whole(const study_result *result, const pair_problem *pair) {
  int64_t rows = 0, columns = 0;
  for (size_t k = 0; k < result->run_count; k++) {
    if (result->runs[k].kind != CLA_RUN_TARGET) rows += result->runs[k].length;
    if (result->runs[k].kind != CLA_RUN_QUERY) columns += result->runs[k].length;
  }
  if (!pair->scheme.ends.anywhere) return rows == pair->rows && columns == pair->columns;
  return result->query_start >= 0 && result->target_start >= 0 && result->query_end <= pair->rows &&
         result->target_end <= pair->columns && result->query_start + rows == result->query_end &&
         result->target_start + columns == result->target_end;
}

static cla_status check_path(const study_result *result, const study_task *task, cla_error *error) {
  pair_problem pair = task->problem->pair;
  int64_t score = 0, letters = 0;
  if (!path_is_whole(result, &pair))
    return error_set(error, CLA_ERROR_VERIFICATION, "%s: the path does not lead from its start to its end",
                     task->system->name);
  pair.query += result->query_start;
  pair.target += result->target_start;
  if (!path_score(&score, &letters, result->runs, result->run_count, &pair) || score != task->problem->score)
    return error_set(error, CLA_ERROR_VERIFICATION, "%s: the path scores %" PRId64 ", the oracle %" PRId64,
                     task->system->name, score, task->problem->score);
  return CLA_OK;
}

static cla_status check_cells(const study_result *result, int k, const study_task *task, cla_error *error) {
  const study_cells *cells = &result->cells[k];
  const reference_matrix *matrix = &task->problem->matrix;
  for (int64_t i = 0; i * cells->row_step <= matrix->rows; i++)
    for (int64_t j = 0; j * cells->column_step <= matrix->columns; j++) {
      const int64_t at = k == 0 && result->place ? result->place(task, i, j)
                                                 : i * cells->row_stride + j * cells->column_stride;
      const int64_t found = cells->values[at];
      const int64_t row = i * cells->row_step, column = j * cells->column_step;
      const int64_t known = reference_at(matrix, matrix->h, row, column);
      if (found != known)
        return error_set(error, CLA_ERROR_VERIFICATION,
                         "%s: cell (%" PRId64 ", %" PRId64 ") is %" PRId64 ", the oracle has %" PRId64,
                         task->system->name, row, column, found, known);
    }
  return CLA_OK;
}

/* Whether a local score's cell has that score in the oracle's matrix, where there is one. */
static cla_status check_end(const study_result *result, const study_task *task, cla_error *error) {
  const reference_matrix *matrix = &task->problem->matrix;
  const int64_t i = result->query_end, j = result->target_end;
  if (!task->problem->pair.scheme.ends.anywhere || !task->problem->has_matrix) return CLA_OK;
  if (i >= 0 && i <= matrix->rows && j >= 0 && j <= matrix->columns &&
      reference_at(matrix, matrix->h, i, j) == result->score)
    return CLA_OK;
  return error_set(error, CLA_ERROR_VERIFICATION,
                   "%s: no path of the score ends at (%" PRId64 ", %" PRId64 ")", task->system->name, i, j);
}

cla_status study_check(const study_result *result, const study_task *task, cla_error *error) {
  if (result->batch_cells > 0) return CLA_OK; /* the system has checked each of its pairs */
  for (int k = 0; k < 2; k++) {
    if (!result->cells[k].values || !task->problem->has_matrix) continue;
    const cla_status status = check_cells(result, k, task, error);
    if (status != CLA_OK) return status;
  }
  if (result->score != task->problem->score)
    return error_set(error, CLA_ERROR_VERIFICATION, "%s: score %" PRId64 ", the oracle has %" PRId64,
                     task->system->name, result->score, task->problem->score);
  const cla_status status = check_end(result, task, error);
  if (status != CLA_OK) return status;
  return result->runs ? check_path(result, task, error) : CLA_OK;
}
