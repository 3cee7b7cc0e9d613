/* A band of diagonals against the textbook: all nodes of the matrix, those outside the band out of reach. */

#include "seq/random_stream.h"
#include "seq/sequence.h"
#include "support/random_pairs.h"
#include "support/reference_difference.h"
#include "support/test.h"
#include "trace/banded.h"

#define NONE (INT64_MIN / 4)

typedef struct matrix {
  const random_pair *pair;
  const score_table *table;
  const path_ends *ends;
  int64_t m, n, band;
  int64_t *h, *e, *f, *e2, *f2;
} matrix;

static bool in_band(const matrix *x, int64_t i, int64_t j) {
  const int64_t corner = x->n - x->m;
  return j - i >= (corner < 0 ? corner : 0) - x->band && j - i <= (corner > 0 ? corner : 0) + x->band;
}

static int64_t at(const matrix *x, const int64_t *values, int64_t i, int64_t j) {
  return values[i * (x->n + 1) + j];
}

static int64_t most(int64_t a, int64_t b) {
  return a > b ? a : b;
}

static int64_t pair_score(const matrix *x, int64_t i, int64_t j) {
  return x->table->score[x->pair->query[i - 1] * CLA_MATRIX_STRIDE + x->pair->target[j - 1]];
}

static void fill(matrix *x) {
  const cla_scoring *s = &x->pair->scoring;
  const bool two = gap_pieces(s) > 1;
  for (int64_t i = 0; i <= x->m; i++)
    for (int64_t j = 0; j <= x->n; j++) {
      int64_t h = NONE, e = NONE, f = NONE, e2 = NONE, f2 = NONE;
      if (in_band(x, i, j) && i == 0) {
        h = x->ends->target_start ? 0 : -gap_cost(s, j);
      } else if (in_band(x, i, j) && j == 0) {
        h = x->ends->query_start ? 0 : -gap_cost(s, i);
      } else if (in_band(x, i, j)) {
        e = most(at(x, x->h, i, j - 1) - s->gap_first, at(x, x->e, i, j - 1) - s->gap_ext);
        f = most(at(x, x->h, i - 1, j) - s->gap_first, at(x, x->f, i - 1, j) - s->gap_ext);
        h = most(at(x, x->h, i - 1, j - 1) + pair_score(x, i, j), most(e, f));
        if (two) e2 = most(at(x, x->h, i, j - 1) - s->gap_first2, at(x, x->e2, i, j - 1) - s->gap_ext2);
        if (two) f2 = most(at(x, x->h, i - 1, j) - s->gap_first2, at(x, x->f2, i - 1, j) - s->gap_ext2);
        h = most(h, most(e2, f2));
        if (x->ends->floor) h = most(h, 0);
      }
      x->h[i * (x->n + 1) + j] = h;
      x->e[i * (x->n + 1) + j] = e;
      x->f[i * (x->n + 1) + j] = f;
      x->e2[i * (x->n + 1) + j] = e2;
      x->f2[i * (x->n + 1) + j] = f2;
    }
}

static bool may_end(const matrix *x, int64_t i, int64_t j) {
  const path_ends *ends = x->ends;
  if (ends->anywhere || (i == x->m && j == x->n)) return true;
  return (i == x->m && ends->target_end) || (j == x->n && ends->query_end);
}

static void find_end(const matrix *x, banded_result *out) {
  *out = (banded_result){.end.score = x->ends->anywhere ? 0 : INT64_MIN};
  for (int64_t i = 0; i <= x->m; i++)
    for (int64_t j = 0; j <= x->n; j++)
      if (in_band(x, i, j) && may_end(x, i, j) && at(x, x->h, i, j) > out->end.score) {
        out->end.score = at(x, x->h, i, j);
        out->end.row = i;
        out->end.column = j;
      }
}

static void follow(const matrix *x, banded_result *out, path *steps) {
  const cla_scoring *s = &x->pair->scoring;
  int64_t i = out->end.row, j = out->end.column;
  char state = 'H';
  while (true) {
    const int64_t h = at(x, x->h, i, j);
    if (state == 'H' && x->ends->floor && h == 0) break;
    if (state == 'H' && i == 0 && j == 0) break;
    if (i == 0 || j == 0) {
      if (i == 0 ? x->ends->target_start : x->ends->query_start) break;
      path_add(steps, i == 0 ? CLA_RUN_TARGET : CLA_RUN_QUERY, 1, NULL);
      if (i == 0)
        j--;
      else
        i--;
    } else if (state == 'H') {
      if (at(x, x->h, i - 1, j - 1) + pair_score(x, i, j) == h) {
        path_add(steps, CLA_RUN_PAIR, 1, NULL);
        i--;
        j--;
      } else {
        state = at(x, x->e, i, j) == h    ? 'E'
                : at(x, x->e2, i, j) == h ? 'e'
                : at(x, x->f, i, j) == h  ? 'F'
                                          : 'f';
      }
    } else if (state == 'E' || state == 'e') {
      const int64_t opened = at(x, x->h, i, j - 1) - (state == 'E' ? s->gap_first : s->gap_first2);
      path_add(steps, CLA_RUN_TARGET, 1, NULL);
      if (opened == at(x, state == 'E' ? x->e : x->e2, i, j)) state = 'H';
      j--;
    } else {
      const int64_t opened = at(x, x->h, i - 1, j) - (state == 'F' ? s->gap_first : s->gap_first2);
      path_add(steps, CLA_RUN_QUERY, 1, NULL);
      if (opened == at(x, state == 'F' ? x->f : x->f2, i, j)) state = 'H';
      i--;
    }
  }
  out->start_row = i;
  out->start_column = j;
}

static bool same_path(const path *a, const path *b) {
  return same_runs(a->runs, (size_t)a->count, b->runs, (size_t)b->count);
}

static path_ends random_ends(random_stream *stream) {
  const int kind = (int)random_stream_below(stream, CLA_MODE_COUNT);
  return path_ends_make((cla_mode)kind, (int)random_stream_below(stream, CLA_FREE_ENDS_ALL + 1));
}

static void compare(const banded_input *in, const banded_result *want, const path *want_steps,
                    const char *what) {
  banded_result got;
  path steps = {0};
  assert_ok_for(banded_align(&got, &steps, in, &why), "%s", what);
  cr_assert(
      got.end.score == want->end.score && got.end.row == want->end.row && got.end.column == want->end.column,
      "%s: score %lld at (%lld, %lld), expected %lld at (%lld, %lld)", what, (long long)got.end.score,
      (long long)got.end.row, (long long)got.end.column, (long long)want->end.score, (long long)want->end.row,
      (long long)want->end.column);
  if (in->score_only) {
    cr_assert_eq(steps.count, 0);
  } else {
    cr_assert(got.start_row == want->start_row && got.start_column == want->start_column, "%s: start", what);
    cr_assert(same_path(&steps, want_steps), "%s: another path", what);
  }
  path_free(&steps);
}

static void check(uint64_t seed, int64_t max_length) {
  OWNED(random_pair_free) random_pair pair;
  random_stream stream;
  score_table table;
  char text[RANDOM_PAIR_TEXT_SIZE], what[RANDOM_PAIR_TEXT_SIZE + 200];
  random_pair_make(&pair, seed, max_length);
  random_stream_init(&stream, seed, 7);
  score_table_build(&table, &pair.scoring, SEQUENCE_LETTERS, SEQUENCE_UNAMBIGUOUS);
  const path_ends ends = random_ends(&stream);
  const int64_t widths[] = {0, 1, 5, 40, 100000};
  matrix x = {.pair = &pair, .table = &table, .ends = &ends, .m = pair.query_length, .n = pair.target_length};
  x.band = widths[random_stream_below(&stream, 5)];
  const size_t nodes = (size_t)((x.m + 1) * (x.n + 1));
  x.h = malloc(nodes * sizeof *x.h);
  x.e = malloc(nodes * sizeof *x.e);
  x.f = malloc(nodes * sizeof *x.f);
  x.e2 = malloc(nodes * sizeof *x.e2);
  x.f2 = malloc(nodes * sizeof *x.f2);
  cr_assert(x.h && x.e && x.f);
  banded_result want;
  path steps = {0};
  fill(&x);
  find_end(&x, &want);
  follow(&x, &want, &steps);
  snprintf(what, sizeof what, "%s, band %lld, ends %d%d%d%d%d%d", random_pair_text(&pair, text),
           (long long)x.band, ends.query_start, ends.query_end, ends.target_start, ends.target_end,
           ends.floor, ends.anywhere);
  banded_input in = {.problem = {pair.query, pair.target, x.m, x.n, {&pair.scoring, &table, ends}},
                     .band = x.band,
                     .memory_bytes = INT64_C(1) << 30};
  if (table.maximum < 1000 && table.minimum > -1000 && pair.scoring.gap_first < 10000) {
    compare(&in, &want, &steps, what);
    in.directions_most = INT64_C(1) << 30;
    compare(&in, &want, &steps, what);
    in.score_only = true;
    compare(&in, &want, &steps, what);
  }
  path_free(&steps);
  free(x.h);
  free(x.e);
  free(x.f);
  free(x.e2);
  free(x.f2);
}

Test(banded, equals_the_textbook) {
  for (uint64_t seed = 1; seed <= 3000; seed++) check(seed, 60);
}

/* Long enough for kept lines, and for arrays that move along. */
Test(banded, equals_the_textbook_for_longer_pairs) {
  for (uint64_t seed = 1; seed <= 12; seed++) check(1000 + seed, 3000);
}

Test(banded, says_what_does_not_fit) {
  static const uint8_t letters[100] = {0};
  score_table table;
  banded_result result;
  path steps = {0};
  cla_scoring scoring = default_scoring();
  score_table_build(&table, &scoring, SEQUENCE_LETTERS, SEQUENCE_UNAMBIGUOUS);
  const path_scheme scheme = {&scoring, &table, path_ends_make(CLA_MODE_GLOBAL, 0)};
  banded_input in = {.problem = {letters, letters, 100, 100, scheme}, .band = 10, .memory_bytes = 1000};
  assert_error(banded_align(&result, &steps, &in, &why), CLA_ERROR_MEMORY, "--memory");
  in.memory_bytes = INT64_C(1) << 30;
  scoring.match = CLA_SCORE_LIMIT;
  score_table_build(&table, &scoring, SEQUENCE_LETTERS, SEQUENCE_UNAMBIGUOUS);
  assert_error(banded_align(&result, &steps, &in, &why), CLA_ERROR_OPTION, "too large");
  cr_expect_eq(steps.count, 0);
}
