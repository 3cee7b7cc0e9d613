#include "differential/pieces.h"

#include <stdio.h>
#include <stdlib.h>

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

bool compare_pieces(char text[DIFFERENCE_SIZE], const drawn_case *one, const case_pair *pair,
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
