#include <stdlib.h>

#include "base/allocate.h"
#include "base/error.h"
#include "clalign/lower_bound.h"
#include "result/path_check.h"
#include "scoring/score_table.h"
#include "seq/sequence.h"

bool path_score(int64_t *out, int64_t *query_letters, const cla_run *runs, size_t run_count,
                const pair_problem *pair) {
  int64_t query = 0, target = 0, score = 0;
  bool fits = true;
  for (size_t index = 0; index < run_count && fits; index++) {
    const cla_run *run = &runs[index];
    if (run->kind == CLA_RUN_PAIR) {
      for (int64_t letter = 0; letter < run->length && fits; letter++) {
        int row = pair->query[query++] * CLA_MATRIX_STRIDE;
        int32_t value = pair->scheme.table->score[row + pair->target[target++]];
        fits = !__builtin_add_overflow(score, value, &score);
      }
      continue;
    }
    int64_t cost;
    fits = gap_cost_fits(&cost, pair->scheme.scoring, run->length) &&
           !__builtin_sub_overflow(score, cost, &score);
    if (!fits) break;
    if (run->kind == CLA_RUN_QUERY)
      query += run->length;
    else
      target += run->length;
  }
  *query_letters = query;
  *out = score;
  return fits;
}

/* Computes the score of a path that another program has found. */

/* A path in which adjacent runs of one kind are joined, and its numbers of letters. */
typedef struct joined_path {
  cla_run *runs; /* owned */
  size_t count;
  int64_t query_letters, target_letters;
} joined_path;

/* Adds a run. Returns false if the run is not valid or goes beyond the sequences. */
static bool join_run(joined_path *path, const cla_run *run, int64_t query_left, int64_t target_left) {
  const int kind = (int)run->kind;
  if (kind < CLA_RUN_PAIR || kind > CLA_RUN_TARGET || run->length < 1) return false;
  if (kind != CLA_RUN_TARGET) {
    if (run->length > query_left - path->query_letters) return false;
    path->query_letters += run->length;
  }
  if (kind != CLA_RUN_QUERY) {
    if (run->length > target_left - path->target_letters) return false;
    path->target_letters += run->length;
  }
  if (path->count > 0 && path->runs[path->count - 1].kind == run->kind)
    path->runs[path->count - 1].length += run->length;
  else
    path->runs[path->count++] = *run;
  return true;
}

static cla_status join_runs(joined_path *out, const cla_path *path, const cla_sequence *query,
                            const cla_sequence *target, cla_error *error) {
  const int64_t query_letters = cla_sequence_length(query), target_letters = cla_sequence_length(target);
  cla_status status = sequence_whole_check(query, "a path", error);
  if (status == CLA_OK) status = sequence_whole_check(target, "a path", error);
  if (status != CLA_OK) return status;
  if (path->query_start < 0 || path->query_start > query_letters || path->target_start < 0 ||
      path->target_start > target_letters)
    return error_set(error, CLA_ERROR_INPUT,
                     "the path starts at query position %lld and target position %lld, outside of records of "
                     "%lld and %lld letters; give the sequences that it is of",
                     (long long)path->query_start, (long long)path->target_start, (long long)query_letters,
                     (long long)target_letters);
  status = ALLOCATE_ARRAY(&out->runs, (int64_t)path->run_count, "a path's runs", error);
  for (size_t i = 0; i < path->run_count && status == CLA_OK; i++)
    if (!join_run(out, &path->runs[i], query_letters - path->query_start,
                  target_letters - path->target_start))
      status = error_set(error, CLA_ERROR_INPUT,
                         "run %zu of the path, %lld letters, leaves the sequences or is of no kind; give the "
                         "sequences that the path is of",
                         i + 1, (long long)path->runs[i].length);
  return status;
}

/* Sets *out to a copy of the path's query letters on the reverse strand, or to NULL for a forward path. */
static cla_status turn_query(uint8_t **out, const cla_path *path, const cla_sequence *query, int64_t letters,
                             cla_error *error) {
  *out = NULL;
  if (path->strand == CLA_STRAND_FORWARD) return CLA_OK;
  if (path->strand != CLA_STRAND_REVERSE)
    return error_set(error, CLA_ERROR_OPTION, "a path is of the forward or of the reverse strand, not of %d",
                     (int)path->strand);
  cla_status status = sequence_strand_check(query, error);
  if (status == CLA_OK) status = ALLOCATE_ARRAY(out, letters, "the reverse complement", error);
  if (status != CLA_OK) return status;
  const int64_t end = cla_sequence_length(query) - path->query_start;
  reverse_complement_codes(*out, sequence_codes(query) + end - letters, letters);
  return CLA_OK;
}

cla_status cla_path_score(int64_t *out, const cla_path *path, const cla_sequence *query,
                          const cla_sequence *target, const cla_scoring *scoring, cla_error *error) {
  joined_path joined = {0};
  uint8_t *turned = NULL;
  score_table table;
  int64_t score = 0, at = 0;
  cla_status status = cla_scoring_check(scoring, error);
  if (status == CLA_OK) status = pair_letters_check(scoring, query, target, error);
  if (status == CLA_OK) status = join_runs(&joined, path, query, target, error);
  if (status == CLA_OK) status = turn_query(&turned, path, query, joined.query_letters, error);
  if (status != CLA_OK) goto done;
  pair_strands_table(&table, scoring, query);
  const pair_problem pair = {.query = turned ? turned : sequence_codes(query) + path->query_start,
                             .target = sequence_codes(target) + path->target_start,
                             .scheme = {.scoring = scoring, .table = &table}};
  if (path_score(&score, &at, joined.runs, joined.count, &pair))
    *out = score;
  else
    status = error_set(error, CLA_ERROR_OPTION, "the path's score passes 2^63; use smaller scores");

done:
  free(joined.runs);
  free(turned);
  return status;
}
