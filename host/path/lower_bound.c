#include "path/lower_bound.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/extremes.h"
#include "base/machine.h"
#include "path/source_path.h"
#include "result/path_check.h"

/* A local bound below 1 / USELESS_PART of the highest possible score is not used. A bound that is a
 * fraction f of the highest possible score prunes about a fraction 2 f of the cells. */
#define USELESS_PART 1000

void lower_bound_free(lower_bound *bound) {
  free(bound->runs);
  memset(bound, 0, sizeof *bound);
}

/* Proves the bound: returns true if the path is an alignment of the ranges in the input's mode. *score
 * receives the path's score. The proof does not depend on how the path was made. */
static bool prove(int64_t *score, const bound_path *path, const lower_bound_input *input,
                  const bound_pair *pair) {
  const pair_problem *problem = &input->problem;
  char fault[PATH_FAULT_SIZE];
  int64_t at;
  const cla_alignment claimed = {.mode = input->mode,
                                 .free_ends = input->free_ends,
                                 .scoring = *problem->scheme.scoring,
                                 .score = 1, /* a path with a local score of 0 would have no runs */
                                 .query = {.length = problem->rows,
                                           .end = problem->rows,
                                           .start = path->query,
                                           .stop = path->query_stop},
                                 .target = {.length = problem->columns,
                                            .end = problem->columns,
                                            .start = path->target,
                                            .stop = path->target_stop},
                                 .has_path = true,
                                 .runs = path->runs,
                                 .run_count = (size_t)path->count};
  return path_is_consistent(&claimed, fault) && unused_path_is(path, pair) &&
         path_score(score, &at, path->runs, (size_t)path->count,
                    &(pair_problem){
                        .query = problem->query + path->query,
                        .target = problem->target + path->target,
                        .scheme = {.scoring = problem->scheme.scoring, .table = problem->scheme.table}}) &&
         (input->mode != CLA_MODE_LOCAL || *score > 0);
}

/* Makes the path the bound if it helps. If the claimed score is higher than the path's score, the claim
 * remains the bound. */
static cla_status take_path(lower_bound *out, bound_path *path, const lower_bound_input *input,
                            const bound_pair *pair, lower_bound_source source, cla_error *error) {
  int64_t score;
  const path_ends ends = input->problem.scheme.ends;
  if (ends.floor && bound_path_keep_best_part(path, pair) <= 0) return CLA_OK;
  cla_status status = ends.floor ? CLA_OK : bound_path_complete(path, pair, &ends, error);
  if (status != CLA_OK || !prove(&score, path, input, pair)) return status;
  const int64_t shorter = smaller(input->problem.rows, input->problem.columns);
  if (source == LOWER_BOUND_SEEDS && input->mode == CLA_MODE_LOCAL &&
      score < shorter * (int64_t)input->problem.scheme.table->maximum / USELESS_PART)
    return CLA_OK;
  const bool claimed = out->source == LOWER_BOUND_CLAIM && out->score > score;
  *out = (lower_bound){.source = claimed ? LOWER_BOUND_CLAIM : source,
                       .score = claimed ? out->score : score,
                       .has_path = true,
                       .path_score = score,
                       .query_start = path->query,
                       .target_start = path->target,
                       .query_stop = path->query_stop,
                       .target_stop = path->target_stop,
                       .runs = path->runs,
                       .run_count = (size_t)path->count};
  path->runs = NULL;
  return CLA_OK;
}

static bool seeds_can_help(const lower_bound_input *input) {
  const int64_t least = LOWER_BOUND_LEAST_LETTERS;
  if (input->work_most <= 0 || input->problem.rows < least || input->problem.columns < least) return false;
  return input->mode == CLA_MODE_GLOBAL || input->problem.scheme.table->maximum > 0;
}

cla_status lower_bound_find(lower_bound *out, const lower_bound_input *input, cla_error *error) {
  const double began = machine_seconds();
  bound_stop stop = {.tick = input->tick, .user = input->tick_user, .error = error};
  const cla_lower_bound *wanted = input->wanted;
  const bound_pair pair = {.problem = input->problem,
                           .banded = wanted->kind == CLA_LOWER_BOUND_PATH ? NULL : input->banded,
                           .stop = &stop,
                           .ticks = true};
  const bool global = input->mode == CLA_MODE_GLOBAL;
  const int64_t work = input->work_most;
  const int threads =
      seed_path_threads(input->problem.rows, input->problem.columns, input->threads, input->memory_bytes);
  bound_path path = {0};
  space_crosser crosser = {.pair = &pair, .path = &path, .work = work, .threads = (int)larger(threads, 1)};
  const given_place place = {
      .query_begin = input->query_begin, .target_begin = input->target_begin, .ends = global};
  lower_bound_source source = LOWER_BOUND_NONE;
  bool found = false;
  cla_status status = CLA_OK;
  memset(out, 0, sizeof *out);
  if (wanted->kind == CLA_LOWER_BOUND_SCORE && (input->mode != CLA_MODE_LOCAL || wanted->score > 0)) {
    out->source = LOWER_BOUND_CLAIM;
    out->score = wanted->score;
  }
  if (wanted->kind == CLA_LOWER_BOUND_PATH) {
    status = given_path_make(&found, &crosser, wanted->path, &place, error);
    source = LOWER_BOUND_PATH;
  } else if (wanted->kind != CLA_LOWER_BOUND_OFF && threads > 0 && seeds_can_help(input)) {
    status = seed_path_make(&path, &pair, &input->problem.scheme.ends, work, threads, error);
    found = path.count > 0;
    source = LOWER_BOUND_SEEDS;
  }
  if (status == CLA_OK) status = (cla_status)atomic_load(&stop.status);
  if (status == CLA_OK && found) status = take_path(out, &path, input, &pair, source, error);
  bound_path_free(&path);
  out->seconds = machine_seconds() - began;
  return status;
}

cla_status lower_bound_check(const lower_bound *bound, int64_t score, const cla_scoring *scoring,
                             cla_error *error) {
  char texts[2][CLA_SCORE_TEXT_SIZE];
  if (bound->source == LOWER_BOUND_NONE || score >= bound->score) return CLA_OK;
  cla_score_text(texts[0], score, scoring);
  cla_score_text(texts[1], bound->score, scoring);
  if (bound->source == LOWER_BOUND_CLAIM)
    return error_set(error, CLA_ERROR_OPTION,
                     "the lower bound %s is above the optimum: no alignment scores that much; give a lower "
                     "one, or leave it to be found (auto)",
                     texts[1]);
  return error_set(
      error, CLA_ERROR_VERIFICATION,
      "wrong value: the forward sweep has the optimal score %s, below %s, that of an alignment found "
      "beforehand; " WRONG_VALUE_REMEDY,
      texts[0], texts[1]);
}
