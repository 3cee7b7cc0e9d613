#include "trace/corridor_proof.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "base/extremes.h"

/* A path is cut where it comes back into the corridor, and where it joins the known one again, which may be
 * with the other kind of gap: then two are cut. Where it leaves the corridor first, all before lies inside,
 * and the edge's H is that of the path itself. A gap that is cut is paid for in one of its parts. */
#define GAPS_CUT 3

#define UNKNOWN (INT32_MAX / 4)

typedef enum edge_side { EDGE_FIRST, EDGE_LAST, EDGE_SIDES } edge_side;

/* What is known of paths that can come back at one edge, from those lines that have been looked at: what they
 * have lost where they left the corridor, with the slope. All is twice as large as scores. */
typedef struct edge_losses {
  int64_t merged; /* where they left before the first row of this block: */
  int64_t least;  /* the least, less what the blocks cost that lie before those rows */
  int64_t near;   /* where they left in the block before it, behind its first row: the least */
  int32_t *far;   /* further down: by the first block that lies behind those rows */
} edge_losses;

typedef struct edge_check {
  const corridor *corridor;
  const outside_path *outside;
  edge_losses sides[EDGE_SIDES];
  int64_t least; /* what paths lose at least that are not only in the corridor */
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

/* Paths leave in this row. */
static inline void leave(edge_losses *side, const outside_path *o, int64_t row, int64_t loss) {
  const int64_t block = outside_blocks_from(o, row);
  if (block < side->merged)
    side->least = smaller(side->least, loss - o->lost[block]);
  else if (block == side->merged)
    side->near = smaller(side->near, loss);
  else
    side->far[block] = (int32_t)smaller(side->far[block], loss);
}

/* What those have lost at least that come back in this row, which is not above an earlier one's. If there is
 * no whole block since they left, none costs. */
static inline int64_t come_back(edge_losses *side, const outside_path *o, int64_t row) {
  const int64_t block = outside_blocks_to(o, row);
  while (side->merged <= block) {
    side->least = smaller(side->least, side->near - o->lost[side->merged]);
    side->near = side->far[++side->merged];
  }
  return smaller(side->least + o->lost[block], side->near);
}

/* What those lose that have been outside from their start on, up to this node. */
static inline int64_t lost_before(const edge_check *check, int64_t row, int64_t column) {
  const int64_t match = check->corridor->match;
  return 2 * match * row - smaller(outside_begun(check->outside, row, column), 2 * match * column);
}

/* The paths that leave or come back in a node of one edge. `either`: they may come back at the other one. */
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
