/* What paths gain at most that keep away from a known one, against all such paths; and the fewest differences
 * of blocks, letter by letter. */

#include "reference/reference.h"
#include "support/repeat_pairs.h"
#include "support/test.h"
#include "support/test_devices.h"
#include "trace/corridor.h"
#include "trace/outside_path.h"

#define NONE (-(1 << 28)) /* no path */
#define FIRST_SEED 8900000
#define FROM_ROWS 12 /* a pair */

static int most(int a, int b) {
  return a > b ? a : b;
}

typedef struct fixture {
  repeat_pair x;
  int rows, columns; /* of the end */
  path_row *known;
  int64_t first, last; /* diagonals, columns less rows, that paths may use */
} fixture;

/* The nodes of the canonical path by row. */
static path_row *make_known(const repeat_pair *x) {
  reference_alignment path;
  path_row *known = malloc((size_t)(x->rows + 1) * sizeof *known);
  cr_assert(known);
  assert_ok(reference_align(
      &path,
      &(pair_problem){x->query, x->target, x->rows, x->columns, {&x->scoring, &x->table, x->scheme.ends}},
      &why));
  for (int i = 0; i <= x->rows; i++) known[i] = (path_row){.first = 1, .last = 0};
  int32_t i = (int32_t)path.query_start, j = (int32_t)path.target_start;
  known[i] = (path_row){.first = j, .last = j};
  for (size_t r = 0; r < path.run_count; r++)
    for (int64_t k = 0; k < path.runs[r].length; k++) {
      i += path.runs[r].kind != CLA_RUN_TARGET;
      j += path.runs[r].kind != CLA_RUN_QUERY;
      if (known[i].first > known[i].last) known[i].first = j;
      known[i].last = j;
    }
  reference_alignment_free(&path);
  return known;
}

/* The pair, with the score that paths outside must have: the best one or less, so that some or many diagonals
 * can be used. */
static bool set_up(fixture *f, repeat_scheme scheme, uint64_t seed, int length) {
  repeat_pair *x = &f->x;
  if (!repeat_pair_make(x, scheme, seed, length) || !corridor_takes(&x->scheme, &x->pair)) return false;
  f->rows = (int)x->pair.end_query;
  f->columns = (int)x->pair.end_target;
  f->known = make_known(x);
  if (repeat_pair_below(&x->stream, 2))
    x->pair.score = x->scoring.match * x->pair.end_query - repeat_pair_below(&x->stream, 100);
  else
    x->pair.score -= repeat_pair_below(&x->stream, 3) * repeat_pair_below(&x->stream, 60);
  const int64_t end = f->columns - f->rows, loss = x->scoring.match * x->pair.end_query - x->pair.score;
  f->first = f->last = end;
  while (f->first > -f->rows && (end - f->first + 1) * gap_least_ext(&x->scoring) <= loss) f->first--;
  while (f->last < f->columns &&
         (f->last + 1 - end) * (gap_least_ext(&x->scoring) + x->scoring.match) <= loss)
    f->last++;
  return true;
}

static bool is_known(const fixture *f, int i, int j) {
  return f->known[i].first <= j && j <= f->known[i].last;
}

static bool may_use(const fixture *f, int i, int j) {
  return j - i >= f->first && j - i <= f->last;
}

/* A node's values, with no gap open or any, and with one; twice as large as scores. */
typedef struct node {
  int h, e, f, e2, f2; /* 2: of the second piece of gap costs */
} node;

static const node no_path = {NONE, NONE, NONE, NONE, NONE};

/* One node by its neighbours. */
static node step(const repeat_pair *x, int i, int j, node left, node upper, node pair) {
  const cla_scoring *s = &x->scoring;
  node here = no_path;
  here.e = most(left.h - 2 * s->gap_first, left.e - 2 * s->gap_ext);
  here.f = most(upper.h - 2 * s->gap_first, upper.f - 2 * s->gap_ext);
  if (gap_two_pieces(s)) {
    here.e2 = most(left.h - 2 * s->gap_first2, left.e2 - 2 * s->gap_ext2);
    here.f2 = most(upper.h - 2 * s->gap_first2, upper.f2 - 2 * s->gap_ext2);
  }
  here.h = most(most(here.e, here.f), most(here.e2, here.f2));
  if (i > 0 && j > 0)
    here.h =
        most(here.h, pair.h + 2 * x->table.score[x->query[i - 1] * CLA_MATRIX_STRIDE + x->target[j - 1]]);
  return here;
}

typedef struct counts {
  long long bounds, reached;
} counts;

/* From where paths are looked at: all nodes of a row, with a gap open or none, or any node at all. */
#define ANYWHERE (-1)

static void check_bound(counts *of, const fixture *f, const char *what, int64_t bound, int gain, int i, int j,
                        int from) {
  if (gain < NONE / 2) return;
  cr_assert(bound >= gain, "seed %llu, %s: a path gains %g from row %d to (%d,%d), at most %g is said",
            f->x.seed, what, gain / 2.0, from, i, j, (double)bound / 2);
  of->bounds++;
  of->reached += bound == gain;
}

/* All paths from a row's nodes, which may be of the known path, to where they meet that path again. What the
 * slope gives from the first diagonal on is in the values at the start. */
static void check_from(const fixture *f, const outside_path *o, const char *what, int from, counts *of) {
  OWNED(free_memory) node *row = malloc((size_t)(f->columns + 1) * sizeof *row);
  cr_assert(row);
  for (int j = 0; j <= f->columns; j++) row[j] = no_path;
  for (int i = most(from, 0); i <= f->rows; i++) {
    node pair = no_path, before = no_path; /* up and left of the node, left of it */
    for (int j = 0; j <= f->columns; j++) {
      const node upper = row[j];
      row[j] = no_path;
      if (may_use(f, i, j)) {
        const int begun = from == ANYWHERE ? 0 : i == from ? (int)o->slope * (j - i) : NONE;
        node here = step(&f->x, i, j, before, upper, pair);
        here.h = most(here.h, begun);
        check_bound(of, f, what,
                    from == ANYWHERE ? outside_begun(o, i, j) : outside_gain(o, from, i) + o->slope * (j - i),
                    here.h, i, j, from);
        if (i == from) here = (node){here.h, begun, begun, begun, begun};
        if (is_known(f, i, j)) here = i == from ? (node){begun, begun, begun, begun, begun} : no_path;
        row[j] = here;
      }
      pair = upper;
      before = row[j];
    }
  }
}

static void check_pair(fixture *f, counts *of) {
  static const outside_kind kinds[] = {OUTSIDE_BY_WORDS, OUTSIDE_BY_DIFFERENCES};
  static const char *const names[] = {"words", "differences"};
  for (int k = 0; k < 2; k++) {
    OWNED(outside_path_free) outside_path o = {0};
    assert_ok(outside_path_make(&o, kinds[k], &f->x.scheme, &f->x.pair, f->known, &why));
    check_from(f, &o, names[k], ANYWHERE, &of[2 * k]);
    for (int n = 0; n < FROM_ROWS; n++) {
      const int row = repeat_pair_below(&f->x.stream, f->rows);
      check_from(f, &o, names[k], n % 4 ? row - row % (int)o.block : row, &of[2 * k + 1]);
    }
  }
}

Test(outside_path, no_path_that_keeps_away_gains_more, .timeout = 600) {
  static const char *const names[] = {"words, from anywhere", "words", "differences, from anywhere",
                                      "differences"};
  static fixture f;
  counts of[4] = {0};
  const long long pairs = test_count("CLALIGN_TEST_PAIRS", 300);
  for (long long k = 0; k < pairs; k++) {
    if (!set_up(&f, k % 3 ? REPEAT_PLAIN : REPEAT_TWO_PIECES, FIRST_SEED + (uint64_t)k, 300)) continue;
    check_pair(&f, of);
    free(f.known);
    f.known = NULL;
  }
  for (int k = 0; k < 4; k++) {
    printf("%s: %lld bounds, %lld of them reached, seeds from %d\n", names[k], of[k].bounds, of[k].reached,
           FIRST_SEED);
    cr_expect(of[k].reached > 0);
  }
}

/* The least of the last row of a block against any part of the columns. */
static int differences(const fixture *f, const int32_t *paired, int64_t row, int64_t first, int64_t last) {
  int column[DIFFERENCES_BLOCK + 1], best = DIFFERENCES_BLOCK;
  for (int k = 0; k <= DIFFERENCES_BLOCK; k++) column[k] = k;
  for (int64_t j = first; j < last; j++) {
    int pair = 0;
    for (int k = 1; k <= DIFFERENCES_BLOCK; k++) {
      const uint8_t code = f->x.query[row + k - 1];
      const bool equal = code < 4 && code == f->x.target[j] && paired[j] != row + k - 1;
      int here = pair + !equal;
      if (column[k] + 1 < here) here = column[k] + 1;
      if (column[k - 1] + 1 < here) here = column[k - 1] + 1;
      pair = column[k];
      column[k] = here;
    }
    if (column[DIFFERENCES_BLOCK] < best) best = column[DIFFERENCES_BLOCK];
  }
  return best;
}

static void check_differences(fixture *f) {
  int32_t paired[REPEAT_PAIR_LETTERS_MOST];
  for (int j = 0; j < f->columns; j++) paired[j] = -1;
  for (int i = 0; i < f->rows; i++)
    if (f->known[i].first <= f->known[i].last && f->known[i + 1].first == f->known[i].last + 1)
      paired[f->known[i].last] = i;
  for (int n = 0; n < 3; n++) {
    int64_t got[DIFFERENCES_TOGETHER];
    const int64_t row = repeat_pair_below(&f->x.stream, f->rows - DIFFERENCES_BLOCK + 1);
    int blocks = 1 + repeat_pair_below(&f->x.stream, DIFFERENCES_TOGETHER);
    while (row + blocks * DIFFERENCES_BLOCK > f->rows) blocks--;
    const int64_t first = repeat_pair_below(&f->x.stream, f->columns);
    const int64_t last =
        n ? f->columns : first + repeat_pair_below(&f->x.stream, f->columns - (int)first + 1);
    const difference_blocks of = {.pair = &f->x.pair,
                                  .paired = paired,
                                  .row = row,
                                  .count = blocks,
                                  .first = n == 2 ? 0 : first,
                                  .last = last};
    outside_differences(got, &of);
    for (int b = 0; b < blocks; b++)
      cr_assert_eq(got[b], differences(f, paired, row + b * DIFFERENCES_BLOCK, n == 2 ? 0 : first, last),
                   "seed %llu, row %lld, block %d", f->x.seed, (long long)row, b);
  }
}

Test(outside_path, blocks_have_their_fewest_differences, .timeout = 600) {
  static fixture f;
  const long long pairs = test_count("CLALIGN_TEST_PAIRS", 200);
  for (long long k = 0; k < pairs; k++) {
    if (!set_up(&f, REPEAT_PLAIN, FIRST_SEED + 1000000 + (uint64_t)k, 400)) continue;
    if (f.rows >= DIFFERENCES_BLOCK) check_differences(&f);
    free(f.known);
    f.known = NULL;
  }
}

/* Some letters occur twice, one copy after the other. The known path has a gap for one copy, and a path that
 * keeps away has it for the other. */
static void check_copies(outside_kind kind, bool in_query, bool after) {
  enum { ROWS = 400, LEAVE = 64 };
  const int block = kind == OUTSIDE_BY_WORDS ? 8 : DIFFERENCES_BLOCK;
  static repeat_pair x;
  uint8_t once[ROWS];
  path_row known[ROWS + DIFFERENCES_BLOCK + 1];
  OWNED(outside_path_free) outside_path o;
  repeat_pair_begin(&x, ROWS, 3);
  memcpy(once, x.query, ROWS);
  if (in_query) {
    memcpy(x.query + LEAVE + block, once + LEAVE, ROWS - LEAVE);
    x.rows += block;
    repeat_pair_put(&x, once, ROWS);
  } else {
    repeat_pair_put(&x, once, LEAVE + block);
    repeat_pair_put(&x, once + LEAVE, ROWS - LEAVE);
  }
  cr_assert(repeat_pair_score(&x));
  cr_assert_eq(x.pair.score, ROWS - gap_cost(&x.scoring, block));
  const int gap = after ? LEAVE + block : LEAVE; /* where the known path has it */
  for (int i = 0; i <= x.rows; i++) {
    const int over = i - gap, back = over < 0 ? 0 : over < block ? over : block;
    known[i] = in_query ? (path_row){.first = i - back, .last = i - back}
                        : (path_row){.first = over <= 0 ? i : i + block, .last = over < 0 ? i : i + block};
  }
  const int upper = in_query && after ? LEAVE + block : LEAVE;
  assert_ok(outside_path_make(&o, kind, &x.scheme, &x.pair, known, &why));
  cr_expect_eq(outside_gain(&o, upper, upper + block), 2 * block, "kind %d, query %d, after %d", (int)kind,
               in_query, after);
}

Test(outside_path, blocks_that_begin_or_end_on_the_known_path_can_be_matched, .timeout = 600) {
  for (int k = 0; k < 8; k++) check_copies(k & 4 ? OUTSIDE_BY_DIFFERENCES : OUTSIDE_BY_WORDS, k & 1, k & 2);
}

/* A path that begins far down on the left border may match all letters from there on, whatever those before
 * miss. */
Test(outside_path, paths_that_begin_far_down_can_match_all_that_follows, .timeout = 600) {
  enum { BEFORE = 300, COPIED = 128, BETWEEN = 200, ROWS = BEFORE + COPIED, COLUMNS = 2 * COPIED + BETWEEN };
  static repeat_pair x;
  path_row known[ROWS + 1];
  uint8_t between[BETWEEN];
  repeat_pair_begin(&x, ROWS, 4);
  for (int j = 0; j < BETWEEN; j++) between[j] = (uint8_t)repeat_pair_below(&x.stream, 4);
  repeat_pair_put(&x, x.query + BEFORE, COPIED);
  repeat_pair_put(&x, between, BETWEEN);
  repeat_pair_put(&x, x.query + BEFORE, COPIED);
  x.scheme.ends = path_ends_make(CLA_MODE_LOCAL, 0);
  for (int i = 0; i <= ROWS; i++) /* the second copy */
    known[i] =
        (path_row){.first = i < BEFORE ? 1 : i - ROWS + COLUMNS, .last = i < BEFORE ? 0 : i - ROWS + COLUMNS};
  cr_assert(repeat_pair_score(&x));
  x.pair.end_target = COLUMNS;
  x.pair.score =
      COPIED - gap_cost(&x.scoring, COPIED + BETWEEN); /* so that the first copy can be used, too */
  for (int k = 0; k < OUTSIDE_KINDS; k++) {
    OWNED(outside_path_free) outside_path o;
    assert_ok(outside_path_make(&o, (outside_kind)k, &x.scheme, &x.pair, known, &why));
    cr_expect(outside_begun(&o, ROWS, COPIED) >= 2 * COPIED, "kind %d", k);
  }
}
