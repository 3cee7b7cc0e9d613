#include "differential/pieces.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A pair or a whole gap of the path. */
typedef struct element {
  int64_t score, row, column, letters; /* row, column: before it; letters: columns of the alignment */
  cla_run_kind kind;
} element;

/* What a choice of pieces is worth: more is better, then fewer pieces, then fewer columns. */
typedef struct worth {
  int64_t sum, pieces, columns;
} worth;

static bool is_better(worth a, worth b) {
  if (a.sum != b.sum) return a.sum > b.sum;
  return a.pieces != b.pieces ? a.pieces < b.pieces : a.columns < b.columns;
}

/* The path's elements, and one behind the last; the caller frees. */
static element *list_elements(int64_t *count, const drawn_case *one, const case_pair *pair,
                              const oracle_path *path) {
  char *other = path->reverse ? oracle_reverse(pair->query, pair->rows) : NULL;
  const char *query = other ? other : pair->query;
  int64_t row = path->query_start, column = path->target_start;
  element *out = calloc((size_t)(path->query_stop - row + path->target_stop - column) + 1, sizeof *out);
  if (!out) abort();
  *count = 0;
  for (size_t r = 0; r < path->run_count; r++) {
    const cla_run *run = &path->runs[r];
    const bool pairs = run->kind == CLA_RUN_PAIR;
    for (int64_t k = 0; k < (pairs ? run->length : 1); k++) {
      out[(*count)++] = (element){.score = pairs ? oracle_score(one, query[row], pair->target[column])
                                                 : -oracle_gap(&one->scoring, run->length),
                                  .row = row,
                                  .column = column,
                                  .letters = pairs ? 1 : run->length,
                                  .kind = run->kind};
      if (run->kind != CLA_RUN_TARGET) row += out[*count - 1].letters;
      if (run->kind != CLA_RUN_QUERY) column += out[*count - 1].letters;
    }
  }
  out[*count] = (element){.row = row, .column = column};
  free(other);
  return out;
}

/* The best worth of all choices: of those up to each element, by where the last piece begins. */
static worth best_worth(const element *all, int64_t count, int64_t drop) {
  worth *best = calloc((size_t)count + 1, sizeof *best);
  if (!best) abort();
  for (int64_t end = 1; end <= count; end++) {
    int64_t score = 0, columns = 0;
    best[end] = best[end - 1];
    if (all[end - 1].kind != CLA_RUN_PAIR) continue;
    for (int64_t begin = end - 1; begin >= 0; begin--) {
      score += all[begin].score;
      columns += all[begin].letters;
      const worth with = {best[begin].sum + score - drop, best[begin].pieces + 1,
                          best[begin].columns + columns};
      if (all[begin].kind == CLA_RUN_PAIR && is_better(with, best[end])) best[end] = with;
    }
  }
  const worth found = best[count];
  free(best);
  return found;
}

/* Whether the piece is the path's part from some element to another; adds its worth, and marks its elements.
 */
static const char *add_piece(worth *sum, bool *taken, const element *all, int64_t count, int64_t drop,
                             const cla_alignment *got) {
  const bool reverse = got->strand == CLA_STRAND_REVERSE;
  const int64_t row = reverse ? got->query.length - got->query.stop : got->query.start;
  const int64_t stop = reverse ? got->query.length - got->query.start : got->query.stop;
  int64_t at = 0, score = 0;
  while (at < count && (all[at].row != row || all[at].column != got->target.start)) at++;
  for (size_t r = 0; r < got->run_count; r++)
    for (int64_t left = got->runs[r].length; left > 0; left -= all[at++].letters) {
      if (at >= count || taken[at] || all[at].kind != got->runs[r].kind || all[at].letters > left)
        return "path";
      taken[at] = true;
      score += all[at].score;
      sum->columns += all[at].letters;
    }
  if (all[at].row != stop || all[at].column != got->target.stop) return "end";
  if (score != got->score || score <= drop) return "score";
  if (got->runs[0].kind != CLA_RUN_PAIR || got->runs[got->run_count - 1].kind != CLA_RUN_PAIR)
    return "gap at the end";
  sum->sum += score - drop;
  sum->pieces++;
  return NULL;
}

static bool compare_cut(char text[DIFFERENCE_SIZE], const drawn_case *one, const case_pair *pair,
                        const oracle_path *path, int64_t drop, cla_alignment *const *got, size_t count) {
  int64_t elements = 0;
  element *all = list_elements(&elements, one, pair, path);
  bool *taken = calloc((size_t)elements + 1, sizeof *taken);
  const worth want = best_worth(all, elements, drop);
  const char *what = NULL;
  worth sum = {0};
  if (!taken) abort();
  for (size_t i = 0; i < count && !what; i++) {
    what = add_piece(&sum, taken, all, elements, drop, got[i]);
    if (i > 0 && got[i]->score > got[i - 1]->score) what = "order";
    if ((got[i]->strand == CLA_STRAND_REVERSE) != path->reverse) what = "strand";
  }
  if (!what && (is_better(want, sum) || is_better(sum, want))) what = "choice";
  snprintf(text, DIFFERENCE_SIZE,
           "%s of pieces cut at %lld: got %zu of %lld columns worth %lld; expected %lld of %lld worth %lld",
           what ? what : "", (long long)drop, count, (long long)sum.columns, (long long)sum.sum,
           (long long)want.pieces, (long long)want.columns, (long long)want.sum);
  free(taken);
  free(all);
  return !what;
}

/* A part of both records: what the first strand's pieces, or a path on the other one, leave. */
typedef struct left_over {
  int64_t query, query_stop, target, target_stop; /* on the records' forward strands */
} left_over;

typedef struct other_strand {
  const drawn_case *one;
  const case_pair *pair;
  bool reverse; /* the strand that is looked through */
  cla_alignment *const *got;
  size_t count, seen; /* pieces of that strand, and those that lay in some path */
  char *text;
} other_strand;

static bool is_within(const cla_side *side, int64_t start, int64_t stop) {
  return side->start >= start && side->stop <= stop;
}

/* The pieces that lie where the path does are those that its cutting gives; they move into the part. */
static bool compare_within(other_strand *o, const drawn_case *local, const case_pair *part,
                           const left_over *it, const left_over *of, const oracle_path *path) {
  cla_alignment **within = calloc(o->count + 1, sizeof *within);
  cla_alignment *moved = calloc(o->count + 1, sizeof *moved);
  size_t count = 0;
  if (!within || !moved) abort();
  for (size_t i = 0; i < o->count; i++) {
    const cla_alignment *piece = o->got[i];
    if (!is_within(&piece->query, of->query, of->query_stop) ||
        !is_within(&piece->target, of->target, of->target_stop))
      continue;
    moved[count] = *piece;
    moved[count].query.length = part->rows;
    moved[count].query.start -= it->query;
    moved[count].query.stop -= it->query;
    moved[count].target.start -= it->target;
    moved[count].target.stop -= it->target;
    within[count] = &moved[count];
    count++;
  }
  o->seen += count;
  const bool same = compare_cut(o->text, local, part, path, o->one->split_drop, within, count);
  free(within);
  free(moved);
  return same;
}

/* Looks for the best local path of what is left over, compares its pieces, and goes on on either side of it.
 */
static bool compare_left_over(other_strand *o, const left_over *it) {
  const int64_t rows = it->query_stop - it->query, columns = it->target_stop - it->target;
  if (rows <= 0 || columns <= 0) return true;
  case_pair part = {strndup(o->pair->query + it->query, (size_t)rows),
                    strndup(o->pair->target + it->target, (size_t)columns), rows, columns};
  drawn_case local = *o->one;
  local.mode = CLA_MODE_LOCAL;
  local.free_ends = 0;
  local.strand = o->reverse ? CLA_STRAND_REVERSE : CLA_STRAND_FORWARD;
  oracle_result best = oracle_align(&local, &part);
  const oracle_path *path = best.paths;
  bool same = true;
  if (best.count > 0 && path->score > o->one->split_drop) {
    const int64_t start = it->query + (o->reverse ? rows - path->query_stop : path->query_start);
    const left_over of = {start, start + path->query_stop - path->query_start,
                          it->target + path->target_start, it->target + path->target_stop};
    /* Sides are those of the first strand, along which inversions lie one behind the other. */
    const bool turned = !o->reverse;
    const left_over before = {turned ? of.query_stop : it->query, turned ? it->query_stop : of.query,
                              it->target, of.target};
    const left_over after = {turned ? it->query : of.query_stop, turned ? of.query : it->query_stop,
                             of.target_stop, it->target_stop};
    same = compare_within(o, &local, &part, it, &of, path) && compare_left_over(o, &before) &&
           compare_left_over(o, &after);
  }
  oracle_free(&best);
  free(part.query);
  free(part.target);
  return same;
}

static int by_target(const void *a, const void *b) {
  const cla_alignment *first = *(cla_alignment *const *)a, *second = *(cla_alignment *const *)b;
  return (first->target.start > second->target.start) - (first->target.start < second->target.start);
}

/* What lies between the first strand's pieces, which are sorted by the target here, and at their ends. */
static bool compare_between(other_strand *o, cla_alignment **first, size_t count) {
  const case_pair *pair = o->pair;
  const bool turned = !o->reverse; /* the first strand is the reverse one: its query positions fall */
  left_over it = {0, pair->rows, 0, 0};
  bool same = true;
  qsort(first, count, sizeof *first, by_target);
  for (size_t i = 0; i <= count && same; i++) {
    const cla_side *next = i < count ? &first[i]->query : NULL;
    it.target_stop = i < count ? first[i]->target.start : pair->columns;
    if (next) *(turned ? &it.query : &it.query_stop) = turned ? next->stop : next->start;
    if (!next) *(turned ? &it.query : &it.query_stop) = turned ? 0 : pair->rows;
    same = compare_left_over(o, &it);
    if (next) *(turned ? &it.query_stop : &it.query) = turned ? next->start : next->stop;
    if (next) it.target = first[i]->target.stop;
  }
  return same;
}

bool compare_pieces(char text[DIFFERENCE_SIZE], const drawn_case *one, const case_pair *pair,
                    const oracle_path *path, int64_t drop, cla_alignment *const *got, size_t count) {
  if (one->strand != CLA_STRAND_BOTH) return compare_cut(text, one, pair, path, drop, got, count);
  cla_alignment **strands[2] = {calloc(count + 1, sizeof *got), calloc(count + 1, sizeof *got)};
  size_t counts[2] = {0, 0};
  if (!strands[0] || !strands[1]) abort();
  bool same = true;
  for (size_t i = 0; i < count; i++) {
    const int other = (got[i]->strand == CLA_STRAND_REVERSE) != path->reverse;
    strands[other][counts[other]++] = got[i];
    same = same && (i == 0 || got[i]->score <= got[i - 1]->score);
  }
  if (!same) snprintf(text, DIFFERENCE_SIZE, "pieces of both strands are not the best first");
  other_strand o = {.one = one,
                    .pair = pair,
                    .reverse = !path->reverse,
                    .got = strands[1],
                    .count = counts[1],
                    .text = text};
  same = same && compare_cut(text, one, pair, path, drop, strands[0], counts[0]) &&
         compare_between(&o, strands[0], counts[0]);
  if (same && o.seen != o.count) {
    snprintf(text, DIFFERENCE_SIZE, "%zu pieces of the other strand, and %zu in what is left over", o.count,
             o.seen);
    same = false;
  }
  free(strands[0]);
  free(strands[1]);
  return same;
}
