#include "trace/path_claims.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/error.h"

cla_status path_claims_add(path_claims *claims, const trace_point *point, const char *stage,
                           cla_error *error) {
  cla_status status =
      ALLOCATE_GROW(&claims->items, &claims->capacity, claims->count + 1, "the nodes of a path", error);
  if (status == CLA_OK && point->at_start) claims->last_stage = stage;
  if (status != CLA_OK || point->at_start) return status;
  claims->items[claims->count++] = (path_claim){.row = point->row,
                                                .column = point->column,
                                                .value = point->value,
                                                .in_gap = point->in_query_gap != NO_QUERY_GAP,
                                                .stage = stage};
  return CLA_OK;
}

void path_claims_free(path_claims *claims) {
  free(claims->items);
  *claims = (path_claims){0};
}

/* A walk along the path: its current node, and the next claim to check. */
typedef struct walk {
  const path_claims *claims;
  wrong_claim *wrong;
  int64_t row, column, next; /* next: index of the next claim; -1 after the last claim */
} walk;

/* True if all claims up to the current node are right. The path's value at the current node is `value`. */
static bool agrees(walk *at, int64_t value) {
  for (; at->next >= 0; at->next--) {
    const path_claim *claim = &at->claims->items[at->next];
    if (at->row < claim->row || at->column < claim->column) {
      if (at->row <= claim->row && at->column <= claim->column) return true;
    } else if (at->row == claim->row && at->column == claim->column &&
               (claim->in_gap || claim->value == value)) {
      at->wrong->row = at->row;
      at->wrong->column = at->column;
      at->wrong->stage = claim->stage;
      continue;
    }
    at->wrong->claim = claim;
    at->wrong->value = value;
    at->wrong->missed = at->row != claim->row || at->column != claim->column;
    return false;
  }
  return true;
}

static int64_t pair_score(const claimed_path *traced, int64_t row, int64_t column) {
  const pair_problem *of = &traced->problem;
  return of->scheme.table->score[of->query[row] * CLA_MATRIX_STRIDE + of->target[column]];
}

bool path_claims_find_wrong(wrong_claim *out, const path_claims *claims, const claimed_path *traced) {
  walk at = {.claims = claims,
             .wrong = out,
             .row = traced->row,
             .column = traced->column,
             .next = claims->count - 1};
  int64_t score = 0;
  *out = (wrong_claim){.row = traced->row,
                       .column = traced->column,
                       .stage = claims->last_stage ? claims->last_stage : "traceback"};
  if (!agrees(&at, score)) return true;
  for (size_t index = 0; index < traced->run_count; index++) {
    const cla_run *run = &traced->runs[index];
    const int64_t before = score;
    for (int64_t letter = 1; letter <= run->length; letter++) {
      if (run->kind == CLA_RUN_PAIR) score += pair_score(traced, at.row, at.column);
      if (run->kind != CLA_RUN_PAIR) score = before - gap_cost(traced->problem.scheme.scoring, letter);
      if (run->kind != CLA_RUN_TARGET) at.row++;
      if (run->kind != CLA_RUN_QUERY) at.column++;
      if (!agrees(&at, score)) return true;
    }
  }
  if (at.next < 0) return false;
  out->claim = &claims->items[at.next];
  out->missed = true;
  return true;
}

void path_claims_blame(cla_error *error, const path_claims *claims, const claimed_path *traced) {
  wrong_claim wrong;
  char gives[64] = "misses it";
  if (!error) return;
  if (path_claims_find_wrong(&wrong, claims, traced)) {
    const path_claim *claim = wrong.claim;
    if (!wrong.missed) snprintf(gives, sizeof gives, "scores %lld there", (long long)wrong.value);
    error_set(error, CLA_ERROR_VERIFICATION,
              "verification failed: %s has the value %lld at (%lld, %lld), and the path that the %s traced "
              "from (%lld, %lld) %s; " WRONG_VALUE_REMEDY,
              claim == claims->items ? "the forward sweep" : "the traceback", (long long)claim->value,
              (long long)claim->row, (long long)claim->column, wrong.stage, (long long)wrong.row,
              (long long)wrong.column, gives);
  } else {
    char reason[sizeof error->message];
    snprintf(reason, sizeof reason, "%s", error->message);
    error_set(error, CLA_ERROR_VERIFICATION, "%.*s; all stages agree with the path; " WRONG_VALUE_REMEDY,
              (int)strcspn(reason, ";"), reason);
  }
}
