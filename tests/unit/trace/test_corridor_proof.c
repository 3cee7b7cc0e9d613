/* The proof about paths outside a corridor (docs/internals/exactness.md), against matrices of all paths. It
 * compares the values at the edges, and the limits of paths that leave the corridor or keep away from a known
 * path. Limits must hold even where they are too wide to matter. */

#include "support/repeat_pairs.h"
#include "support/test.h"
#include "support/test_devices.h"
#include "trace/corridor.h"
#include "trace/pack_corridor.h"

#define NONE (-(1 << 28)) /* no path */
#define FIRST_SEED 8800000

static int most(int a, int b) {
  return a > b ? a : b;
}

static int least(int a, int b) {
  return a < b ? a : b;
}

static int pair_score(const repeat_pair *x, int i, int j) {
  return x->table.score[x->query[i - 1] * CLA_MATRIX_STRIDE + x->target[j - 1]];
}

/* A node with the best values of paths to it, or from it. */
typedef struct node {
  int h, e, f, e2, f2; /* 2: of the second piece of gap costs */
} node;

static const node no_path = {NONE, NONE, NONE, NONE, NONE};

/* A matrix of nodes up to the pair's end. */
typedef struct nodes {
  int columns;
  node *all;
} nodes;

static nodes make_nodes(const repeat_pair *x) {
  nodes n = {.columns = (int)x->pair.end_target + 1};
  n.all = malloc((size_t)(x->pair.end_query + 1) * (size_t)n.columns * sizeof *n.all);
  cr_assert(n.all);
  for (int64_t k = 0; k < (x->pair.end_query + 1) * n.columns; k++) n.all[k] = no_path;
  return n;
}

static node *at(const nodes *n, int i, int j) {
  return &n->all[(size_t)i * (size_t)n->columns + (size_t)j];
}

/* Adds the gaps that lead to a node from its neighbours across and down. */
static void add_gaps(node *here, const cla_scoring *s, const node *across, const node *down) {
  here->e = most(across->h - s->gap_first, across->e - s->gap_ext);
  here->f = most(down->h - s->gap_first, down->f - s->gap_ext);
  if (gap_two_pieces(s)) {
    here->e2 = most(across->h - s->gap_first2, across->e2 - s->gap_ext2);
    here->f2 = most(down->h - s->gap_first2, down->f2 - s->gap_ext2);
  }
  here->h = most(most(here->e, here->f), most(here->e2, here->f2));
}

/* What inner node (i,j) gets from those before it. */
static node come_to(const repeat_pair *x, const nodes *n, int i, int j) {
  node here = no_path;
  add_gaps(&here, &x->scoring, at(n, i, j - 1), at(n, i - 1, j));
  here.h = most(here.h, at(n, i - 1, j - 1)->h + pair_score(x, i, j));
  return here;
}

/* H of a node from which paths may start, or NONE. Along the borders a path is what they hold. */
static int start_value(const repeat_pair *x, int i, int j) {
  if (i == 0) return (int)path_ends_top_h(&x->scheme.ends, &x->scoring, j);
  if (j == 0) return (int)path_ends_left_h(&x->scheme.ends, &x->scoring, i);
  return x->scheme.ends.floor ? 0 : NONE;
}

static bool is_inside(const corridor *c, int i, int j) {
  const int64_t lane = i + j < c->low ? -1 : i - c->top[i + j];
  return lane >= 0 && lane < c->lanes;
}

/* Paths in the corridor from any start. */
static void fill_inside(nodes *n, const repeat_pair *x, const corridor *c) {
  for (int i = 0; i <= c->rows; i++)
    for (int j = 0; j <= c->columns; j++) {
      if (!is_inside(c, i, j)) continue;
      if (i > 0 && j > 0) *at(n, i, j) = come_to(x, n, i, j);
      at(n, i, j)->h = most(at(n, i, j)->h, start_value(x, i, j));
    }
}

/* Paths to the end in the corridor: h as seen from the node, e and f with a gap open. */
static void fill_back(nodes *n, const repeat_pair *x, const corridor *c) {
  for (int i = (int)c->rows; i >= 0; i--)
    for (int j = (int)c->columns; j >= 0; j--) {
      node *here = at(n, i, j);
      if (!is_inside(c, i, j)) continue;
      if (i == c->rows && j == c->columns) {
        here->h = 0;
        continue;
      }
      add_gaps(here, &x->scoring, j < c->columns ? at(n, i, j + 1) : &no_path,
               i < c->rows ? at(n, i + 1, j) : &no_path);
      if (j < c->columns && i < c->rows)
        here->h = most(here->h, at(n, i + 1, j + 1)->h + pair_score(x, i + 1, j + 1));
    }
}

/* The best of all paths to the end that are not only in the corridor. `n`: those that are. */
static int best_outside(const nodes *n, const repeat_pair *x, const corridor *c) {
  nodes o = make_nodes(x);
  for (int i = 0; i <= c->rows; i++)
    for (int j = 0; j <= c->columns; j++) {
      node *here = at(&o, i, j);
      if (i > 0 && j > 0) *here = come_to(x, &o, i, j);
      if (is_inside(c, i, j)) continue;
      if (i > 0 && j > 0) {
        const node from = come_to(x, n, i, j);
        *here = (node){most(here->h, from.h), most(here->e, from.e), most(here->f, from.f),
                       most(here->e2, from.e2), most(here->f2, from.f2)};
      }
      here->h = most(here->h, start_value(x, i, j));
    }
  const int best = at(&o, (int)c->rows, (int)c->columns)->h;
  free(o.all);
  return best;
}

static void check_edges(const repeat_pair *x, const corridor *c, const nodes *forth) {
  nodes back = make_nodes(x);
  fill_back(&back, x, c);
  for (int64_t line = c->low; line <= c->rows + c->columns; line++)
    for (int side = 0; side < 2; side++) {
      const int i = (int)c->top[line] + (side ? c->lanes - 1 : 0), j = (int)line - i;
      if (i < 0 || j < 0 || i > c->rows || j > c->columns) continue;
      const int64_t lost_forth = c->match * i - at(forth, i, j)->h;
      const int64_t lost_back = c->match * (c->rows - i) - at(&back, i, j)->h;
      const int got_forth = side ? c->forth[line].last : c->forth[line].first;
      const int got_back = side ? c->back[line].last : c->back[line].first;
      cr_assert_eq(got_forth, least((int)lost_forth, CORRIDOR_LOSS_MOST), "seed %llu: forth at (%d,%d)",
                   x->seed, i, j);
      cr_assert_eq(got_back, least((int)lost_back, CORRIDOR_LOSS_MOST), "seed %llu: back at (%d,%d)", x->seed,
                   i, j);
    }
  free(back.all);
}

/* An edge node with what was computed for it. */
typedef struct edge_node {
  int64_t row, column, forth, back;
  int side;
} edge_node;

static int list_edges(edge_node *out, const corridor *c) {
  int count = 0;
  for (int64_t line = c->low; line <= c->rows + c->columns; line++)
    for (int side = 0; side < 2; side++) {
      const int64_t row = c->top[line] + (side ? c->lanes - 1 : 0), column = line - row;
      if (row < 0 || column < 0 || row > c->rows || column > c->columns) continue;
      out[count++] =
          (edge_node){.row = row,
                      .column = column,
                      .forth = c->match * row - (side ? c->forth[line].last : c->forth[line].first),
                      .back = c->match * (c->rows - row) - (side ? c->back[line].last : c->back[line].first),
                      .side = side};
    }
  return count;
}

/* Twice what docs/internals/exactness.md says, over all pairs of edge nodes one by one. */
static int64_t most_by_edges(const repeat_pair *x, const corridor *c, const outside_path *o,
                             const path_row *known) {
  static edge_node edges[4 * REPEAT_PAIR_LETTERS_MOST];
  const int count = list_edges(edges, c);
  int64_t most_of_all = 2 * NONE, begin = 0;
  while (known[begin].first > known[begin].last) begin++;
  begin += known[begin].first;
  for (int n = 0; n < count; n++) {
    const edge_node *to = &edges[n];
    int64_t before = outside_begun(o, to->row, to->column);
    if (2 * c->match * to->column < before) before = 2 * c->match * to->column;
    if (before + 2 * to->back > most_of_all) most_of_all = before + 2 * to->back;
    for (int k = 0; k < count; k++) {
      const edge_node *from = &edges[k];
      if (from->row > to->row || from->column > to->column) continue;
      if (from->side != to->side && from->row + from->column > begin) continue;
      const int64_t moved = to->column - to->row - (from->column - from->row);
      const int64_t here =
          2 * from->forth + outside_gain(o, from->row, to->row) + o->slope * moved + 2 * to->back;
      if (here > most_of_all) most_of_all = here;
    }
  }
  return most_of_all +
         2 * 3 * (gap_most_first(&x->scoring) - gap_least_ext(&x->scoring)); /* three gaps may be cut */
}

/* How often bounds were looked at, and how often nothing could be taken from them. */
typedef struct counts {
  long long bounds, reached;
  long long by_edges, same;
} counts;

/* The bound of paths that score no less than the best one outside. */
static void check_most_outside(repeat_pair *x, const corridor *c, const path_row *known, int outside,
                               counts *of) {
  static const outside_kind kinds[] = {OUTSIDE_BY_WORDS, OUTSIDE_BY_DIFFERENCES};
  pack_pair pair = x->pair;
  pair.score = outside;
  for (int k = 0; k < 2; k++) {
    int64_t got = 0;
    OWNED(outside_path_free) outside_path o;
    assert_ok(outside_path_make(&o, kinds[k], &x->scheme, &pair, known, &why));
    assert_ok(corridor_most_outside(&got, c, &o, known, &x->scoring, &why));
    cr_assert(got >= 2 * (int64_t)outside, "seed %llu: %s: at most %g outside, and a path has %d (lanes %d)",
              x->seed, k ? "differences" : "words", (double)got / 2, outside, c->lanes);
    of->bounds++;
    of->reached += got == 2 * (int64_t)outside;
    if (x->seed % 8 == 0) {
      const int64_t want = most_by_edges(x, c, &o, known);
      cr_assert(got >= want, "seed %llu: %s: %g for %g (lanes %d)", x->seed, k ? "differences" : "words",
                (double)got / 2, (double)want / 2, c->lanes);
      of->by_edges++;
      of->same += got == want;
    }
  }
}

/* A corridor that has its course and what was found on the way back. */
static void check_corridor(repeat_pair *x, corridor *c, counts *of) {
  corridor_start begin;
  path steps = {0};
  bool inside = false;
  nodes forth = make_nodes(x);
  path_row *known = malloc((size_t)(c->rows + 1) * sizeof *known);
  cr_assert(known);
  corridor_go_forth(c, &x->scheme);
  fill_inside(&forth, x, c);
  check_edges(x, c, &forth);
  const int best = at(&forth, (int)c->rows, (int)c->columns)->h;
  cr_assert_eq(c->match * c->rows - c->loss, best, "seed %llu: in the end node", x->seed);
  if (best == x->pair.score) {
    assert_ok(corridor_follow(&inside, &begin, &steps, known, c, &why));
    const int outside = best_outside(&forth, x, c);
    cr_assert(inside, "seed %llu: the path leaves the corridor", x->seed);
    if (outside > NONE / 2) check_most_outside(x, c, known, outside, of);
  }
  path_free(&steps);
  free(known);
  free(forth.all);
}

static void check_lanes(repeat_pair *x, int lanes, counts *of) {
  OWNED(corridor_free) corridor c = {0};
  assert_ok(corridor_make(&c, &x->scheme, &x->pair, lanes, &why));
  if (corridor_go_back(&c)) check_corridor(x, &c, of);
}

static void check_pairs(repeat_scheme scheme, long long pairs) {
  static const int widths[] = {CORRIDOR_NARROW, CORRIDOR_MIDDLE, CORRIDOR_LANES_MOST};
  static repeat_pair x;
  counts of = {0};
  for (long long k = 0; k < pairs; k++) {
    if (!repeat_pair_make(&x, scheme, FIRST_SEED + (uint64_t)k, 420) || !corridor_takes(&x.scheme, &x.pair))
      continue;
    for (int i = 0; i < 3; i++) check_lanes(&x, widths[i], &of);
  }
  printf("%lld bounds, %lld of them reached, %lld of %lld by edges the same, seeds from %d\n", of.bounds,
         of.reached, of.same, of.by_edges, FIRST_SEED);
  cr_expect(of.bounds > pairs && of.same > of.by_edges * 9 / 10);
}

Test(corridor_proof, nothing_outside_has_more_than_is_said, .timeout = 600) {
  check_pairs(REPEAT_PLAIN, test_count("CLALIGN_TEST_PAIRS", 400));
}

Test(corridor_proof, nothing_outside_has_more_than_is_said_with_two_pieces_of_gap_costs, .timeout = 600) {
  check_pairs(REPEAT_TWO_PIECES, test_count("CLALIGN_TEST_PAIRS", 400) / 2);
}

/* Runs of a path: pairs, letters of the target, pairs, and so on. */
#define RUNS_MOST 5

/* Leads the middle of a corridor along a path. What is said of paths outside has to hold wherever a corridor
 * runs, and not only where the way back leads it. */
static void lead_along(corridor *c, const repeat_pair *x, const int *runs) {
  nodes back = make_nodes(x);
  int line = 0, row = 0;
  c->low = 0;
  c->top[0] = -c->lanes / 2;
  for (int run = 0; run < RUNS_MOST; run++)
    for (int k = 0; k < abs(runs[run]) * (run % 2 ? 1 : 2); k++) {
      row += run % 2 ? runs[run] < 0 : k % 2 == 0;
      c->top[++line] = row - c->lanes / 2;
    }
  cr_assert_eq(line, c->rows + c->columns);
  fill_back(&back, x, c);
  for (line = 0; line <= c->rows + c->columns; line++) {
    int16_t *const edges[] = {&c->back[line].first, &c->back[line].last};
    for (int side = 0; side < 2; side++) {
      const int i = c->top[line] + side * (c->lanes - 1), j = line - i;
      const bool is_node = i >= 0 && j >= 0 && i <= c->rows && j <= c->columns;
      const int lost = is_node ? (int)(c->match * (c->rows - i)) - at(&back, i, j)->h : CORRIDOR_LOSS_MOST;
      *edges[side] = (int16_t)least(lost, CORRIDOR_LOSS_MOST);
    }
  }
  free(back.all);
}

static void check_course(repeat_pair *x, int lanes, const int *runs) {
  corridor c = {0};
  counts of = {0};
  cr_assert(repeat_pair_score(x) && corridor_takes(&x->scheme, &x->pair));
  assert_ok(corridor_make(&c, &x->scheme, &x->pair, lanes, &why));
  lead_along(&c, x, runs);
  check_corridor(x, &c, &of);
  corridor_free(&c);
  cr_assert_eq(of.bounds, 2);
}

/* Another letter, which matches none. */
static void differ(uint8_t *letter) {
  *letter = REPEAT_PAIR_AMBIGUOUS;
}

/* Target: a copy of some letters before them, and a copy of the next ones behind those, both with other
 * letters. The known path has a gap for each copy. As good is the path that has the copies, and one gap
 * across the known path for all between: it is outside on the left, then on the right. Where it comes back on
 * the left, or leaves on the right, paths in the corridor have one gap more. */
Test(corridor_proof, a_gap_may_lead_across_the_known_path, .timeout = 600) {
  enum { BEFORE = 64, COPIED = 60, AFTER = 64, DIFFER = 4, LETTER_BLOCK = 8 };
  static repeat_pair x;
  uint8_t first[COPIED], second[COPIED];
  repeat_pair_begin(&x, BEFORE + 2 * COPIED + AFTER,
                    40); /* no letter beside a gap is that at its other end */
  memcpy(first, x.query + BEFORE, COPIED);
  memcpy(second, x.query + BEFORE + COPIED, COPIED);
  for (int k = 0; k < DIFFER; k++) { /* so that whoever is outside in a block pays for the letter in it */
    differ(&first[k * LETTER_BLOCK]);
    differ(&second[COPIED - 1 - k * LETTER_BLOCK]);
  }
  repeat_pair_put(&x, x.query, BEFORE);
  repeat_pair_put(&x, first, COPIED);
  repeat_pair_put(&x, x.query + BEFORE, 2 * COPIED);
  repeat_pair_put(&x, second, COPIED);
  repeat_pair_put(&x, x.query + BEFORE + 2 * COPIED, AFTER);
  x.scoring.match = 5;
  x.scoring.mismatch = 0;
  x.scoring.gap_first = 2 * DIFFER * x.scoring.match;
  x.scoring.gap_ext = 0;
  check_course(&x, CORRIDOR_NARROW, (const int[RUNS_MOST]){BEFORE, COPIED, 2 * COPIED, COPIED, AFTER});
}

/* The target has some letters twice, with changes at the begin of the first copy and towards the end of the
 * second. The known path has a gap for the first copy. The path with a gap for the second copy is as good,
 * and outside for a while, from the middle of a block on. What it loses in that block, it loses before it
 * leaves. */
Test(corridor_proof, a_block_costs_nothing_where_a_path_leaves_within, .timeout = 600) {
  enum { BEFORE = 287, COPIED = 58, AFTER = 61, DIFFER = 20, SECOND = 36, ASIDE = 8, RUN = 21 };
  static repeat_pair x;
  uint8_t first[COPIED], second[COPIED];
  repeat_pair_begin(&x, BEFORE + COPIED + AFTER, 1);
  memcpy(first, x.query + BEFORE, COPIED);
  memcpy(second, first, COPIED);
  for (int k = 0; k < DIFFER; k++) {
    differ(&first[k]);
    differ(&second[SECOND + k]);
  }
  repeat_pair_put(&x, x.query, BEFORE);
  repeat_pair_put(&x, first, COPIED);
  repeat_pair_put(&x, second, COPIED);
  repeat_pair_put(&x, x.query + BEFORE + COPIED, AFTER);
  x.scoring.match = 2;
  x.scoring.mismatch = -2;
  x.scoring.gap_first = 8;
  x.scoring.gap_ext = 4;
  check_course(&x, CORRIDOR_MIDDLE,
               (const int[RUNS_MOST]){BEFORE, COPIED + ASIDE, RUN, -ASIDE, COPIED - ASIDE - RUN + AFTER});
}
