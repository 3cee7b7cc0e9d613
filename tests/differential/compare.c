#include "differential/compare.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int64_t case_bound(const drawn_case *one, int64_t best) {
  if (one->bound == BOUND_BELOW) return best - one->bound_by;
  return one->bound == BOUND_ABOVE ? best + one->bound_by : best;
}

int64_t case_least(const drawn_case *one, int64_t best) {
  if (one->least == LEAST_BELOW) return best - one->least_by;
  return one->least == LEAST_ABOVE ? best + one->least_by : best;
}

void wanted_make(wanted out[CASE_PAIRS_MOST], int64_t best[CASE_PAIRS_MOST], const drawn_case *one) {
  for (int i = 0; i < one->pair_count; i++) {
    const oracle_result result = oracle_align(one, &one->pairs[i]);
    size_t count = result.count;
    best[i] = result.paths[0].score;
    while (one->least != LEAST_NONE && count > 0 && result.paths[count - 1].score < case_least(one, best[0]))
      count--;
    out[i] = (wanted){.result = result, .count = count, .claim_fails = one->bound == BOUND_ABOVE};
  }
}

void wanted_free(wanted want[CASE_PAIRS_MOST], const drawn_case *one) {
  for (int i = 0; i < one->pair_count; i++) oracle_free(&want[i].result);
}

void case_path(cla_path *path, const drawn_case *one, const case_pair *pair) {
  drawn_case plain = *one;
  plain.score_only = false;
  plain.most = 1;
  plain.placement = CLA_GAPS_CANONICAL;
  oracle_result best = oracle_align(&plain, pair);
  const oracle_path *from = &best.paths[0];
  *path = (cla_path){.strand = from->reverse ? CLA_STRAND_REVERSE : CLA_STRAND_FORWARD,
                     .query_start = from->query_start,
                     .target_start = from->target_start,
                     .runs = calloc(from->run_count + 1, sizeof *path->runs),
                     .run_count = one->bound_by > 1 ? (from->run_count + 1) / 2 : from->run_count};
  if (!path->runs) abort();
  if (path->run_count > 0) memcpy(path->runs, from->runs, path->run_count * sizeof *path->runs);
  oracle_free(&best);
}

/* An alignment's place in letters of the strand that was aligned. An empty local one is at 0 of the record,
 * on either strand. */
static void strand_range(const cla_alignment *got, int64_t *start, int64_t *stop) {
  const cla_side *q = &got->query;
  const bool empty = got->mode == CLA_MODE_LOCAL && got->score == 0;
  const bool reverse = got->strand == CLA_STRAND_REVERSE && !empty;
  *start = reverse ? (q->stop < 0 ? -1 : q->length - q->stop) : q->start;
  *stop = reverse ? q->length - q->start : q->stop;
}

static bool same_runs(const cla_alignment *got, const oracle_path *want) {
  if (got->run_count != want->run_count) return false;
  for (size_t i = 0; i < got->run_count; i++)
    if (got->runs[i].length != want->runs[i].length || got->runs[i].kind != want->runs[i].kind) return false;
  return true;
}

static char *circle(const char *letters, int64_t length, int64_t from) {
  char *out = malloc((size_t)length + 1);
  if (!out) abort();
  for (int64_t i = 0; i < length; i++) out[i] = letters[(i + from) % length];
  out[length] = '\0';
  return out;
}

/* The score of what was returned, by its runs and the letters. */
static int64_t scored_anew(const drawn_case *one, const case_pair *pair, const cla_alignment *got) {
  int64_t start, stop;
  strand_range(got, &start, &stop);
  char *query = circle(pair->query, pair->rows, got->query.rotation);
  char *target = circle(pair->target, pair->columns, got->target.rotation);
  char *other = got->strand == CLA_STRAND_REVERSE ? oracle_reverse(query, pair->rows) : NULL;
  int64_t q = start, t = got->target.start;
  for (size_t r = 0; r < got->run_count; r++) {
    if (got->runs[r].kind != CLA_RUN_TARGET) q += got->runs[r].length;
    if (got->runs[r].kind != CLA_RUN_QUERY) t += got->runs[r].length;
  }
  int64_t score = INT64_MIN; /* of a path that leaves its own range */
  if (start >= 0 && q == stop && q <= pair->rows && t == got->target.stop && t <= pair->columns)
    score = oracle_rescore(one, (other ? other : query) + start, target + got->target.start, got->runs,
                           got->run_count);
  free(query);
  free(target);
  free(other);
  return score;
}

static void runs_text(char *text, size_t size, const cla_run *runs, size_t count) {
  size_t used = 0;
  text[0] = '\0';
  for (size_t i = 0; i < count && used + 24 < size; i++)
    used +=
        (size_t)snprintf(text + used, size - used, "%lld%c", (long long)runs[i].length, "MID"[runs[i].kind]);
}

static void tell(char text[DIFFERENCE_SIZE], size_t number, const char *what, const cla_alignment *got,
                 const oracle_path *want) {
  char runs[2][160];
  int64_t start, stop;
  strand_range(got, &start, &stop);
  runs_text(runs[0], sizeof runs[0], got->runs, got->run_count);
  runs_text(runs[1], sizeof runs[1], want->runs, want->run_count);
  snprintf(text, DIFFERENCE_SIZE,
           "%s of alignment %zu: got score %lld, %s strand, query %lld-%lld, target %lld-%lld, rotation "
           "%lld,%lld, %s; "
           "expected score %lld, %s strand, query %lld-%lld, target %lld-%lld, rotation %lld, %s",
           what, number + 1, (long long)got->score, got->strand == CLA_STRAND_REVERSE ? "reverse" : "forward",
           (long long)start, (long long)stop, (long long)got->target.start, (long long)got->target.stop,
           (long long)got->query.rotation, (long long)got->target.rotation, runs[0], (long long)want->score,
           want->reverse ? "reverse" : "forward", (long long)want->query_start, (long long)want->query_stop,
           (long long)want->target_start, (long long)want->target_stop, (long long)want->rotation, runs[1]);
}

/* NULL, or what differs. */
static const char *difference(const drawn_case *one, const case_pair *pair, const oracle_path *want,
                              const cla_alignment *got) {
  int64_t start, stop;
  strand_range(got, &start, &stop);
  const int64_t units = one->scoring.units > 0 ? one->scoring.units : 1;
  const int64_t got_units = got->scoring.units > 0 ? got->scoring.units : 1;
  if (got->score * units != want->score * got_units) return "score";
  if ((got->strand == CLA_STRAND_REVERSE) != want->reverse) return "strand";
  if (stop != want->query_stop || got->target.stop != want->target_stop) return "end";
  if (got->has_path == one->score_only) return one->score_only ? "path, not asked for," : "missing path";
  if (one->score_only) return NULL;
  if (start != want->query_start || got->target.start != want->target_start) return "start";
  int64_t rotation = want->rotation;
  if (one->circular == CLA_CIRCULAR_QUERY && want->reverse) rotation = (pair->rows - rotation) % pair->rows;
  if (got->query.rotation != (one->circular == CLA_CIRCULAR_QUERY ? rotation : 0)) return "rotation";
  if (got->target.rotation != (one->circular == CLA_CIRCULAR_TARGET ? rotation : 0)) return "rotation";
  if (!same_runs(got, want)) return "path";
  return scored_anew(one, pair, got) == want->score ? NULL : "score by runs and letters";
}

bool compare_alignments(char text[DIFFERENCE_SIZE], const drawn_case *one, const case_pair *pair,
                        const wanted *want, cla_alignment *const *got, size_t count) {
  for (size_t i = 0; i < count && i < want->count; i++) {
    const char *what = difference(one, pair, &want->result.paths[i], got[i]);
    if (!what) continue;
    tell(text, i, what, got[i], &want->result.paths[i]);
    return false;
  }
  if (count == want->count) return true;
  snprintf(text, DIFFERENCE_SIZE, "%zu alignments instead of %zu; the best has a score of %lld", count,
           want->count, (long long)want->result.paths[0].score);
  return false;
}
