#ifndef HOST_DP_DIRECTIONS_H
#define HOST_DP_DIRECTIONS_H

#include "base/loops.h"
#include "dp/borders.h"
#include "dp/path.h"

/* The order of preference among paths of equal score, and the walk back along the preferred path
 * (docs/internals/exactness.md, "Path"). The tests compare each tracer with an oracle, host/reference/,
 * which implements order and walk a second time. Kernels find only the ends of paths;
 * scoring/pair_problem.h defines which of two ends is better.
 *
 * A cell's direction is the last step of the preferred path to the cell. Of all steps that give H its
 * value, the step with the largest code is preferred. The walk leaves a gap at the first cell where the gap
 * can have been opened, so the shorter of two gaps is preferred. The code of a gap is the code for the
 * first piece of gap costs, minus the piece's index. */
enum {
  FROM_LEAST = 2, /* least code: F of the last piece */
  FROM_F = FROM_LEAST + CLA_GAP_PIECES - 1,
  FROM_E = FROM_F + CLA_GAP_PIECES,
  FROM_PAIR,
  FROM_START,
  FROM_MASK = CLA_GAP_PIECES <= 2 ? 7 : 15
};

/* The bit of a direction that is set if the gap with code `from` can be opened in the cell. */
#define OPENED(from) ((FROM_MASK + 1) << ((from)-FROM_LEAST))

#if CLA_GAP_PIECES <= 2
typedef uint8_t cell_direction;
#else
typedef uint16_t cell_direction;
#endif
_Static_assert((int)FROM_START <= (int)FROM_MASK && OPENED(FROM_E) == (cell_direction)OPENED(FROM_E),
               "a direction holds its codes");

/* NOLINTBEGIN(bugprone-macro-parentheses) */
/* clang-format off */
#define FROM_E_IF(k, h, e, pieces) (k) < (pieces) && (h) == (e)[k] ? FROM_E - (k) :
#define FROM_F_IF(k, h, f, pieces) (k) < (pieces) - 1 && (h) == (f)[k] ? FROM_F - (k) :
/* clang-format on */
/* NOLINTEND(bugprone-macro-parentheses) */

/* The code of the gap that gives H its value, if a gap does. `e` and `f` are arrays by piece; `pieces` is a
 * constant. This is a macro so that compilers can keep vectors of narrow values narrow. */
#define DIRECTION_OF_GAP(h, e, f, pieces) \
  (EACH_GAP_PIECE(FROM_E_IF, h, e, pieces) EACH_GAP_PIECE(FROM_F_IF, h, f, pieces) FROM_F - (pieces) + 1)

/* Returns the code of the step that gives H its value: a start of the path with the value `start`, a pair,
 * or the gap with code `gap`. */
ALWAYS_INLINE int direction_of(int64_t h, int64_t start, int64_t pair, int gap) {
  return h == start ? FROM_START : h == pair ? FROM_PAIR : gap;
}

/* Returns `bit` if the gap may have been opened in the cell, else 0. `gap`: the gap's value; `opened`: the
 * value of a gap that opens in this cell. */
ALWAYS_INLINE int direction_opened(int64_t gap, int64_t opened, int bit) {
  return gap == opened ? bit : 0;
}

/* The state of a walk in a node: in H, or in a gap. */
typedef enum trace_state {
  STATE_H = 0,
  STATE_F = FROM_F, /* F of the first piece; for another piece, minus its index */
  STATE_E = FROM_E
} trace_state;

static inline bool trace_across(trace_state state) {
  return state > STATE_F;
}

static inline bool trace_down(trace_state state) {
  return state != STATE_H && state <= STATE_F;
}

/* Returns the index of the piece of the gap that the walk is in; 0 in H. */
static inline int trace_piece(trace_state state) {
  return state == STATE_H ? 0 : (int)(trace_across(state) ? STATE_E : STATE_F) - (int)state;
}

static inline query_gap query_gap_of(trace_state state) {
  return trace_down(state) ? (query_gap)(QUERY_GAP + trace_piece(state)) : NO_QUERY_GAP;
}

static inline trace_state query_gap_state(query_gap gap) {
  return gap == NO_QUERY_GAP ? STATE_H : (trace_state)((int)STATE_F + (int)QUERY_GAP - (int)gap);
}

typedef struct trace_place {
  int64_t row, column;
  trace_state state;
  bool started; /* the walk has reached the path's start */
} trace_place;

/* Goes one step back: through a gap, into a gap, or to the path's start. */
static inline cla_status direction_step(trace_place *at, int direction, path *into, cla_error *error) {
  const int from = direction & FROM_MASK;
  const bool across = trace_across(at->state);
  if (at->state == STATE_H && from == FROM_START) {
    at->started = true;
    return CLA_OK;
  }
  if (at->state == STATE_H) {
    at->state = (trace_state)from;
    return CLA_OK;
  }
  if (across)
    at->column--;
  else
    at->row--;
  if (direction & OPENED(at->state)) at->state = STATE_H;
  return path_add(into, across ? CLA_RUN_TARGET : CLA_RUN_QUERY, 1, error);
}

/* A function that finds the direction of the cell at a place. Returns false if the cell has no direction; the
 * walk then ends. */
typedef bool (*direction_find)(cell_direction *out, const trace_place *at, void *user);

/* Follows the canonical path back from a place and adds its steps, up to the path's start, or until `find`
 * returns false. CLA_ERROR_MEMORY. */
ALWAYS_INLINE cla_status directions_walk(trace_place *at, path *into, direction_find find, void *user,
                                         cla_error *error) {
  cla_status status = CLA_OK;
  int64_t pairs = 0; /* number of pairs that are not yet added */
  cell_direction direction = 0;
  while (status == CLA_OK && !at->started && find(&direction, at, user)) {
    if (at->state == STATE_H && (direction & FROM_MASK) == FROM_PAIR) {
      pairs++;
      at->row--;
      at->column--;
      continue;
    }
    status = path_add(into, CLA_RUN_PAIR, pairs, error);
    pairs = 0;
    if (status == CLA_OK) status = direction_step(at, direction, into, error);
  }
  return status == CLA_OK ? path_add(into, CLA_RUN_PAIR, pairs, error) : status;
}

#endif
