#include "trace/pack_corridor.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/extremes.h"
#include "dp/directions.h"

/* Until the path leaves the corridor, or comes to the matrix' border. */
static bool find_direction(uint8_t *out, const trace_place *at, void *user) {
  const corridor *c = user;
  const int64_t line = at->row + at->column;
  if (at->row <= 0 || at->column <= 0 || line < c->low) return false;
  const int64_t lane = at->row - c->top[line];
  if (lane < 0 || lane >= c->lanes) return false;
  *out = c->directions[line * c->lanes + lane];
  return true;
}

/* Notes the nodes of a path from the end back. */
static void note_rows(path_row *known, const corridor *c, const path *steps) {
  int64_t i = c->rows;
  int32_t j = (int32_t)c->columns;
  for (int64_t row = 0; row <= c->rows; row++) known[row] = (path_row){.first = 1, .last = 0};
  known[i] = (path_row){.first = j, .last = j};
  for (int64_t run = 0; run < steps->count; run++)
    for (int64_t k = 0; k < steps->runs[run].length; k++) {
      const cla_run_kind kind = steps->runs[run].kind;
      if (kind != CLA_RUN_QUERY) j--;
      if (kind != CLA_RUN_TARGET) known[--i].last = j;
      known[i].first = j;
    }
}

cla_status corridor_follow(bool *inside, corridor_start *start, path *into, path_row *known, corridor *c,
                           cla_error *error) {
  trace_place at = {.row = c->rows, .column = c->columns};
  cla_status status = directions_walk(&at, into, find_direction, c, error);
  *inside = at.started || at.row == 0 || at.column == 0;
  start->row = at.row;
  start->column = at.column;
  if (status == CLA_OK) note_rows(known, c, into);
  return status;
}

/* Most gaps that cutting a path cuts. It is cut where it comes back into the corridor, and where it joins the
 * known path again, there perhaps with two kinds of gaps. Where it first leaves, all before lies inside, and
 * the edge's H is the path's own. A gap that is cut is paid for in one of its parts. */
#define GAPS_CUT 3

#define UNKNOWN (INT32_MAX / 4)

typedef enum edge_side { EDGE_FIRST, EDGE_LAST, EDGE_SIDES } edge_side;

/* Least losses of paths, over the lines seen so far, at the nodes where they left the corridor by one edge.
 * They include the slope, and are twice as large as scores. A path belongs to the first block that begins at
 * or below its row. */
typedef struct edge_losses {
  int64_t merged; /* a block's number: paths of earlier blocks are in `least` */
  int64_t least;  /* least loss of these paths, less outside_path.lost of their block */
  int64_t near;   /* least loss of the paths of block `merged` */
  int32_t *far;   /* by later block; least loss of its paths */
} edge_losses;

typedef struct edge_check {
  const corridor *corridor;
  const outside_path *outside;
  edge_losses sides[EDGE_SIDES];
  int64_t least; /* least loss of paths that leave the corridor */
} edge_check;

static cla_status make_check(edge_check *check, cla_error *error) {
  const int64_t count = outside_blocks_to(check->outside, check->outside->rows) + 2;
  int32_t *far = NULL;
  cla_status status = allocate_array((void **)&far, EDGE_SIDES * count, sizeof *far, "a pair's path", error);
  for (int64_t k = 0; status == CLA_OK && k < EDGE_SIDES * count; k++) far[k] = UNKNOWN;
  for (int side = 0; side < EDGE_SIDES; side++)
    check->sides[side] =
        (edge_losses){.least = UNKNOWN, .near = UNKNOWN, .far = far ? far + side * count : NULL};
  check->least = UNKNOWN;
  return status;
}

/* Notes paths that leave in this row. */
static inline void leave(edge_losses *side, const outside_path *o, int64_t row, int64_t loss) {
  const int64_t block = outside_blocks_from(o, row);
  if (block < side->merged)
    side->least = smaller(side->least, loss - o->lost[block]);
  else if (block == side->merged)
    side->near = smaller(side->near, loss);
  else
    side->far[block] = (int32_t)smaller(side->far[block], loss);
}

/* Least loss of paths that come back in this row. Rows of later calls are not above it. Only whole blocks
 * since they left add to the loss. */
static inline int64_t come_back(edge_losses *side, const outside_path *o, int64_t row) {
  const int64_t block = outside_blocks_to(o, row);
  while (side->merged <= block) {
    side->least = smaller(side->least, side->near - o->lost[side->merged]);
    side->near = side->far[++side->merged];
  }
  return smaller(side->least + o->lost[block], side->near);
}

/* Least loss up to this node of paths that have been outside from their start on. */
static inline int64_t lost_before(const edge_check *check, int64_t row, int64_t column) {
  const int64_t match = check->corridor->match;
  return 2 * match * row - smaller(outside_begun(check->outside, row, column), 2 * match * column);
}

/* Checks the paths that leave or come back in the line's node of one edge. either: they may come back at the
 * other edge. */
static inline void check_edge(edge_check *check, edge_side side, int64_t line, bool either) {
  const corridor *c = check->corridor;
  const int64_t row = c->top[line] + (side == EDGE_LAST ? c->lanes - 1 : 0), column = line - row;
  if (row < 0 || column < 0 || row > c->rows || column > c->columns) return;
  const int64_t forth = side == EDGE_LAST ? c->forth[line].last : c->forth[line].first;
  const int64_t back = side == EDGE_LAST ? c->back[line].last : c->back[line].first;
  const int64_t moved = check->outside->slope * (column - row), loss = 2 * forth + moved;
  leave(&check->sides[side], check->outside, row, loss);
  if (either) leave(&check->sides[!side], check->outside, row, loss);
  const int64_t lost =
      smaller(come_back(&check->sides[side], check->outside, row) - moved, lost_before(check, row, column));
  check->least = smaller(check->least, lost + 2 * back);
}

/* The line of the known path's first node. */
static int64_t first_line(const corridor *c, const path_row *known) {
  int64_t row = 0;
  while (row < c->rows && known[row].first > known[row].last) row++;
  return row + known[row].first;
}

cla_status corridor_most_outside(int64_t *out, const corridor *c, const outside_path *outside,
                                 const path_row *known, const cla_scoring *scoring, cla_error *error) {
  const int64_t opening = GAPS_CUT * gap_most_cut(scoring);
  const int64_t begin = first_line(c, known);
  edge_check check = {.corridor = c, .outside = outside};
  cla_status status = make_check(&check, error);
  if (status != CLA_OK) return status;
  for (int64_t line = c->low; line <= c->rows + c->columns; line++) {
    check_edge(&check, EDGE_FIRST, line, line <= begin);
    check_edge(&check, EDGE_LAST, line, line <= begin);
  }
  *out = 2 * (c->match * c->rows + opening) - check.least;
  free(check.sides[0].far);
  return CLA_OK;
}

/* The largest loss per row, in outside_path_reach, with which a proof succeeds. By differences it is below 1,
 * as measured with several schemes. The rows of a block may be passed without a difference, which takes up a
 * part of the loss at the corridor's edges. */
static double share_of_reach(outside_kind kind, int lanes) {
  if (kind == OUTSIDE_BY_WORDS) return 1;
  return lanes == CORRIDOR_NARROW ? 0.35 : lanes == CORRIDOR_MIDDLE ? 0.5 : 0.6;
}

/* Whether a proof that outside paths score less may succeed. It cannot if the best path lacks too much. */
static bool has_a_chance(outside_kind kind, const path_scheme *scheme, const pack_pair *pair, int lanes) {
  const cla_scoring *scoring = scheme->scoring;
  const int64_t match = scheme->table->match;
  const int64_t off = lanes * (2 * gap_least_ext(scoring) + match) + 2 * scoring->gap_first;
  return (double)(match * pair->end_query - pair->score - off) <
         share_of_reach(kind, lanes) * outside_path_reach(kind, scheme) * (double)pair->end_query;
}

/* A pair, with the limits of outside paths that narrower corridors have left. */
typedef struct corridor_tries {
  const path_scheme *scheme;
  const pack_pair *pair;
  path_row *known;  /* the path that was found */
  path_row *before; /* the path found before, to which `outside` belongs */
  outside_path outside[OUTSIDE_KINDS];
} corridor_tries;

static void forget_outside(corridor_tries *t) {
  for (int kind = 0; kind < OUTSIDE_KINDS; kind++) outside_path_free(&t->outside[kind]);
}

/* Proves that the path that was followed is the canonical one. */
static cla_status prove(bool *done, corridor_tries *t, outside_kind kind, const corridor *c,
                        cla_error *error) {
  outside_path *outside = &t->outside[kind];
  int64_t most = 0;
  cla_status status = CLA_OK;
  if (!has_a_chance(kind, t->scheme, t->pair, c->lanes)) return CLA_OK;
  if (!outside->lost) status = outside_path_make(outside, kind, t->scheme, t->pair, t->known, error);
  if (status == CLA_OK)
    status = corridor_most_outside(&most, c, outside, t->known, t->scheme->scoring, error);
  if (status == CLA_OK) *done = most < 2 * t->pair->score;
  return status;
}

/* Follows the path, and proves it. */
static cla_status follow_and_prove(bool *done, corridor_start *start, path *into, corridor_tries *t,
                                   corridor *c, cla_error *error) {
  const size_t known_bytes = (size_t)(c->rows + 1) * sizeof *t->known;
  path_row *const other = t->before;
  bool inside = false;
  t->before = t->known;
  t->known = other;
  cla_status status = corridor_follow(&inside, start, into, t->known, c, error);
  if (memcmp(t->known, t->before, known_bytes) != 0) forget_outside(t);
  for (int kind = 0; kind < OUTSIDE_KINDS && status == CLA_OK && inside && !*done; kind++)
    status = prove(done, t, (outside_kind)kind, c, error);
  return status;
}

static cla_status try_width(bool *done, corridor_start *start, path *into, corridor_tries *t, int lanes,
                            cla_error *error) {
  corridor c = {0};
  cla_status status = corridor_make(&c, t->scheme, t->pair, lanes, error);
  if (status != CLA_OK) return status;
  if (!corridor_go_back(&c)) goto done;
  corridor_go_forth(&c, t->scheme);
  start->cells += 2 * lanes * (c.rows + c.columns - c.low + 1);
  if (c.match * c.rows - c.loss == t->pair->score) status = follow_and_prove(done, start, into, t, &c, error);

done:
  if (!*done) path_free(into);
  corridor_free(&c);
  return status;
}

/* A pair under a scheme with a match score, for one that has none. */
typedef struct matching_pair {
  cla_scoring scoring;
  score_table table;
  path_scheme scheme;
  pack_pair pair;
} matching_pair;

/* Makes a scheme with larger scores: twice the score, plus 1 for each letter of the step. All paths from the
 * corner to a node gain the same, so their order stays. False if paths may start elsewhere, or the scores do
 * not allow it. */
static bool make_matching(matching_pair *out, const path_scheme *scheme, const pack_pair *pair) {
  const path_ends *ends = &scheme->ends;
  const score_table *table = scheme->table;
  if (ends->floor || ends->query_start || ends->target_start || table->needs_lookup || table->used ||
      table->match != 0 || table->mismatch >= 0 || gap_least_ext(scheme->scoring) < 1)
    return false;
  out->scoring = *scheme->scoring;
  out->scoring.match = 2;
  out->scoring.mismatch = 2 * table->mismatch + 2;
  out->scoring.gap_first = 2 * scheme->scoring->gap_first - 1;
  out->scoring.gap_ext = 2 * scheme->scoring->gap_ext - 1;
  if (gap_two_pieces(scheme->scoring)) {
    out->scoring.gap_first2 = 2 * scheme->scoring->gap_first2 - 1;
    out->scoring.gap_ext2 = 2 * scheme->scoring->gap_ext2 - 1;
  }
  out->table = *table;
  for (int k = 0; k < CLA_MATRIX_STRIDE * CLA_MATRIX_STRIDE; k++)
    out->table.score[k] = 2 * table->score[k] + 2;
  out->table.maximum = 2 * table->maximum + 2;
  out->table.minimum = 2 * table->minimum + 2;
  out->table.match = out->scoring.match;
  out->table.mismatch = out->scoring.mismatch;
  out->scheme = (path_scheme){.scoring = &out->scoring, .table = &out->table, .ends = *ends};
  out->pair = *pair;
  out->pair.score = 2 * pair->score + pair->end_query + pair->end_target;
  out->pair.rows = (pack_rows){0};
  return true;
}

static cla_status trace_widths(bool *done, corridor_start *start, path *into, const path_scheme *scheme,
                               const pack_pair *pair, cla_error *error) {
  static const int widths[] = {CORRIDOR_NARROW, CORRIDOR_MIDDLE, CORRIDOR_LANES_MOST};
  corridor_tries t = {.scheme = scheme, .pair = pair};
  if (!corridor_takes(scheme, pair)) return CLA_OK;
  cla_status status =
      allocate_array((void **)&t.known, 2 * (pair->end_query + 1), sizeof *t.known, "a pair's path", error);
  if (status != CLA_OK) return status;
  path_row *const both = t.known;
  t.before = t.known + pair->end_query + 1;
  memset(both, 0, (size_t)(2 * (pair->end_query + 1)) * sizeof *both);
  for (int i = 0; i < 3 && status == CLA_OK && !*done; i++)
    if (has_a_chance(OUTSIDE_BY_WORDS, scheme, pair, widths[i]) ||
        has_a_chance(OUTSIDE_BY_DIFFERENCES, scheme, pair, widths[i]))
      status = try_width(done, start, into, &t, widths[i], error);
  forget_outside(&t);
  free(both);
  return status;
}

cla_status pack_corridor_trace(bool *done, corridor_start *start, path *into, const path_scheme *scheme,
                               const pack_pair *pair, cla_error *error) {
  matching_pair matching;
  *done = false;
  *start = (corridor_start){0};
  if (make_matching(&matching, scheme, pair))
    return trace_widths(done, start, into, &matching.scheme, &matching.pair, error);
  return trace_widths(done, start, into, scheme, pair, error);
}
