/* Ranges of scores and costs in which an alignment stays optimal (docs/internals/certainty.md). */

#include "clalign/stable.h"

#include <string.h>

#include "base/error.h"
#include "base/extremes.h"
#include "base/machine.h"
#include "certain/other_costs.h"
#include "result/path_check.h"
#include "scoring/gap_costs.h"
#include "scoring/score_table.h"

/* The first step away from a value is one point; each further one is STEP_GROWTH times as long. */
#define STEP_GROWTH 4

/* The value number / one of a score or cost. */
typedef struct ratio {
  int64_t number, one;
} ratio;

/* The score of an alignment, as a function of the cost: base + slope * value. */
typedef struct score_line {
  int64_t base, slope;
} score_line;

/* The search for an end of a range. */
typedef struct stable_search {
  cost_search again;
  cla_cost cost;   /* the one that varies */
  int64_t side;    /* 1: larger values; -1: smaller ones */
  int64_t limit;   /* the last value that a scheme may have, or the next one beyond */
  ratio at;        /* the alignment is optimal up to here */
  score_line line; /* the alignment's score behind `at` */
} stable_search;

static bool is_two_pieces(const stable_search *s) {
  return gap_pieces(&s->again.alignment->scoring) > 1;
}

/* Compares two values in the direction of the search. */
static int compare(const stable_search *s, ratio a, ratio b) {
  const __int128 difference = (__int128)a.number * b.one - (__int128)b.number * a.one;
  return difference == 0 ? 0 : (difference > 0) == (s->side > 0) ? 1 : -1;
}

static ratio reduced(__int128 number, __int128 one) {
  const __int128 divisor = common_divisor_wide(number, one);
  if (divisor > 1) number /= divisor;
  if (divisor > 1) one /= divisor;
  return (ratio){(int64_t)number, (int64_t)one};
}

/* Returns the value at which both lines score the same. The slopes differ. */
static ratio meeting(score_line a, score_line b) {
  const __int128 number = (__int128)b.base - a.base, one = (__int128)a.slope - b.slope;
  return one > 0 ? reduced(number, one) : reduced(-number, -one);
}

static cost_values values_at(const stable_search *s, ratio value) {
  return (cost_values){.costs = {s->cost}, .count = 1, .numbers = {value.number}, .one = value.one};
}

/* The largest score or cost of the scheme but the one that varies. */
static int64_t largest_other(const stable_search *s) {
  const cost_values values = values_at(s, (ratio){0, 1});
  return cost_largest_other(&s->again, &values);
}

/* Returns a value that is beyond all values at which two alignments score the same. Bases of lines differ by
 * at most twice the largest base, and slopes by at least 1. */
static int64_t value_most(const stable_search *s) {
  const cla_side *query = &s->again.alignment->query, *target = &s->again.alignment->target;
  const int64_t columns = query->end - query->begin + target->end - target->begin, other = largest_other(s);
  return columns < CLA_SCORE_LIMIT / other / 2 ? 2 * columns * other + 1 : CLA_SCORE_LIMIT;
}

/* Returns the limit of a score or cost in the direction. */
static int64_t limit_of(const stable_search *s) {
  const cla_scoring *scoring = &s->again.alignment->scoring;
  const bool up = s->side > 0, two = is_two_pieces(s);
  const int64_t own = cla_cost_value(scoring, s->cost), most = larger(value_most(s), own < 0 ? -own : own);
  switch (s->cost) {
    case CLA_COST_MATCH: return up ? most : 0;
    case CLA_COST_MISMATCH: return up ? 0 : -most;
    case CLA_COST_GAP_FIRST: return !up ? scoring->gap_ext : two ? scoring->gap_first2 : most;
    case CLA_COST_GAP_EXT: return up ? scoring->gap_first : two ? scoring->gap_ext2 : 0;
    case CLA_COST_GAP_FIRST2: return up ? most : scoring->gap_first;
    default: return up ? scoring->gap_ext : 0;
  }
}

/* Returns the value between `at` and the given one, nearest to it, that a scheme can express. */
static ratio nearest(const stable_search *s, ratio value) {
  if (value.one < 1) return s->at;
  const __int128 one =
      CLA_SCORE_LIMIT /
      larger(largest_other(s), (value.number < 0 ? -value.number : value.number) / value.one + 1);
  const __int128 product = value.number * one;
  __int128 number = product / value.one;
  if (s->side > 0 && number * value.one > product) number--;
  if (s->side < 0 && number * value.one < product) number++;
  const ratio near = reduced(number, one);
  return compare(s, near, s->at) > 0 ? near : s->at;
}

/* Returns how the score of the path's gaps changes with the cost at the value, a little further in the
 * direction if two pieces cost the same. */
static int64_t gap_slope(const stable_search *s, const cla_alignment *of, ratio value) {
  const cla_scoring *scoring = &s->again.alignment->scoring;
  const int varied = ((int)s->cost - (int)CLA_COST_GAP_FIRST) / 2;
  const bool is_first = s->cost == CLA_COST_GAP_FIRST || s->cost == CLA_COST_GAP_FIRST2;
  __int128 costs[CLA_COST_COUNT];
  int64_t slope = 0;
  for (int cost = 0; cost < CLA_COST_COUNT; cost++)
    costs[cost] =
        cost == (int)s->cost ? value.number : (__int128)cla_cost_value(scoring, (cla_cost)cost) * value.one;
  for (size_t i = 0; i < of->run_count; i++) {
    if (of->runs[i].kind == CLA_RUN_PAIR) continue;
    const int64_t further = of->runs[i].length - 1, change = -(is_first ? 1 : further);
    const __int128 first = costs[CLA_COST_GAP_FIRST] + further * costs[CLA_COST_GAP_EXT],
                   second = costs[CLA_COST_GAP_FIRST2] + further * costs[CLA_COST_GAP_EXT2];
    int piece = is_two_pieces(s) && second < first;
    if (is_two_pieces(s) && second == first) piece = (change * s->side > 0) == (varied == 1);
    if (piece == varied) slope += change;
  }
  return slope;
}

/* Sets the line of an alignment at the value. */
static cla_status set_line(score_line *out, const stable_search *s, const cla_alignment *of, ratio value) {
  const cost_values values = values_at(s, value);
  int64_t score = 0, slope = 0;
  cla_status status = CLA_OK;
  *out = (score_line){0, 0};
  if (path_is_empty(of)) return CLA_OK;
  if (s->cost == CLA_COST_MATCH || s->cost == CLA_COST_MISMATCH)
    status = cost_pairs(&slope, &s->again, of, s->cost);
  else
    slope = gap_slope(s, of, value);
  if (status == CLA_OK) status = cost_score(&score, &s->again, of, &values);
  if (status != CLA_OK) return status;
  /* NOLINTNEXTLINE(clang-analyzer-core.DivideZero): a ratio's `one` is at least 1 */
  *out = (score_line){(int64_t)(((__int128)score - (__int128)slope * value.number) / value.one), slope};
  return CLA_OK;
}

/* Sets *better to the line of an alignment that is better at the value. *is_best is true if there is none. */
static cla_status look(bool *is_best, score_line *better, stable_search *s, ratio value) {
  const cost_values values = values_at(s, value);
  cla_alignment *found = NULL;
  cla_status status = cost_align(&found, &s->again, &values);
  if (status != CLA_OK) return status;
  const __int128 own = (__int128)s->line.base * value.one + (__int128)s->line.slope * value.number;
  *is_best = found->score == own;
  if (found->score < own)
    status = error_set(s->again.error, CLA_ERROR_VERIFICATION,
                       "wrong value: an optimal alignment scores less than the given one; report this");
  if (status == CLA_OK && !*is_best) status = set_line(better, s, found, value);
  cla_alignment_free(found);
  return status;
}

/* Takes the line that the alignment has behind `at`. *changed is true if it is another one than before. */
static cla_status turn_line(bool *changed, stable_search *s) {
  const score_line before = s->line;
  cla_status status = set_line(&s->line, s, s->again.alignment, s->at);
  *changed = s->line.slope != before.slope;
  return status;
}

/* Goes outwards until another alignment is better, then back to the value at which both score the same.
 * Either this is the end, or a third alignment is better there. */
static cla_status find_end(cla_stable_end *out, stable_search *s) {
  const int64_t point = s->again.alignment->scoring.units > 0 ? s->again.alignment->scoring.units : 1;
  const ratio limit = {s->limit, 1};
  int64_t step = point;
  bool closed = false, changed = false, rounded = false, is_best = false;
  score_line better = {0, 0};
  s->at = (ratio){cla_cost_value(&s->again.alignment->scoring, s->cost), 1};
  cla_status status = set_line(&s->line, s, s->again.alignment, s->at);
  ratio value = s->at;
  while (status == CLA_OK && (closed || compare(s, s->at, limit) < 0)) {
    if (!closed) {
      value = reduced((__int128)s->at.number + s->side * step * s->at.one, s->at.one);
      value = (ratio){value.number / value.one, 1}; /* an integer */
      if (compare(s, value, s->at) <= 0) value.number += s->side;
      if (compare(s, value, limit) > 0) value = limit;
      step *= STEP_GROWTH;
    } else if (compare(s, value, s->at) <= 0) {
      rounded = false;
      break;
    }
    const cost_values values = values_at(s, value);
    rounded = !cost_can_express(&s->again, &values);
    if (rounded) value = nearest(s, value);
    if (rounded && compare(s, value, s->at) <= 0) break;
    status = look(&is_best, &better, s, value);
    if (status != CLA_OK) break;
    if (!is_best) {
      value = meeting(s->line, better);
      closed = true;
      continue;
    }
    s->at = value;
    status = turn_line(&changed, s);
    if (closed && (!changed || rounded)) break;
    if (closed) step = point;
    closed = false;
  }
  *out = (cla_stable_end){.number = s->at.number,
                          .one = s->at.one,
                          .limit = !closed && compare(s, s->at, limit) == 0,
                          .exact = !rounded};
  return status;
}

cla_status cla_stability_find(cla_stability *out, cla_device *device, const cla_results *pair,
                              const cla_align_options *how, cla_error *error) {
  const cla_alignment *alignment = pair->alignments[0];
  stable_search s = {
      .again = {.alignment = alignment, .device = device, .how = how, .own_path = true, .error = error}};
  const double began = machine_seconds();
  memset(out, 0, sizeof *out);
  cla_status status = cost_search_begin(&s.again, pair);
  for (int i = 0; i < 2 * CLA_COST_COUNT && status == CLA_OK; i++) {
    cla_stable_range *range = &out->ranges[i / 2];
    s.cost = (cla_cost)(i / 2);
    s.side = i % 2 == 0 ? -1 : 1;
    s.limit = limit_of(&s);
    range->varies = cost_varies(&alignment->scoring, s.cost);
    if (range->varies) status = find_end(s.side < 0 ? &range->low : &range->high, &s);
  }
  cost_search_end(&s.again);
  out->alignments = s.again.alignments;
  out->seconds = machine_seconds() - began;
  return status;
}
