#ifndef HOST_DP_DIRECTIONS_H
#define HOST_DP_DIRECTIONS_H

#include "base/loops.h"
#include "dp/path.h"

/* The order of preference among paths of equal score, and the walk back that follows it
 * (docs/internals/exactness.md, "Path"). No other place of the host has them, except the tests' oracle in
 * host/reference/, with which each tracer is compared. Kernels find ends only; scoring/pair_problem.h says
 * which of two ends is better.
 *
 * A cell's direction byte says how the path to it goes on backwards. Of all ways that give H its value, the
 * one with the largest code is taken. A gap opens where it can, so that the shorter of two gaps is preferred.
 * Names with 2 belong to the second piece of gap costs. */
enum {
  FROM_F2 = 2,
  FROM_F = 3,
  FROM_E2 = 4,
  FROM_E = 5,
  FROM_PAIR = 6,
  FROM_START = 7,
  FROM_MASK = 7,
  F2_OPENED = 8,
  F_OPENED = 16,
  E2_OPENED = 32,
  E_OPENED = 64
};

/* The gap from which H came, if it came from one. */
ALWAYS_INLINE int direction_of_gap(int64_t h, int64_t e, int64_t f, int64_t e2, bool two) {
  return h == e ? FROM_E : two && h == e2 ? FROM_E2 : !two || h == f ? FROM_F : FROM_F2;
}

/* Where H came from: a fresh start with the value `start`, a pair, or the gap. */
ALWAYS_INLINE int direction_of(int64_t h, int64_t start, int64_t pair, int gap) {
  return h == start ? FROM_START : h == pair ? FROM_PAIR : gap;
}

/* `bit` if the gap with the value `gap` may open in the cell, where it would have the value `opened`. */
ALWAYS_INLINE int direction_opened(int64_t gap, int64_t opened, int bit) {
  return gap == opened ? bit : 0;
}

/* The state of a walk: in H of a node, or in a gap. */
typedef enum trace_state {
  STATE_H = 0,
  STATE_F2 = FROM_F2,
  STATE_F = FROM_F,
  STATE_E2 = FROM_E2,
  STATE_E = FROM_E
} trace_state;

typedef struct trace_place {
  int64_t row, column;
  trace_state state;
  bool started; /* the walk has reached the path's start */
} trace_place;

/* Takes one step back, through a gap, into one, or to the path's start. */
static inline cla_status direction_step(trace_place *at, int direction, path *into, cla_error *error) {
  const int from = direction & FROM_MASK;
  const bool across = at->state == STATE_E || at->state == STATE_E2;
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
  if (direction & F2_OPENED << (at->state - STATE_F2)) at->state = STATE_H;
  return path_add(into, across ? CLA_RUN_TARGET : CLA_RUN_QUERY, 1, error);
}

/* Finds the direction byte of the place's cell. False if there is none; then the walk ends. */
typedef bool (*direction_find)(uint8_t *out, const trace_place *at, void *user);

/* Follows the canonical path back from a place and adds its steps, until it starts or `find` ends it.
 * CLA_ERROR_MEMORY. */
ALWAYS_INLINE cla_status directions_walk(trace_place *at, path *into, direction_find find, void *user,
                                         cla_error *error) {
  cla_status status = CLA_OK;
  int64_t pairs = 0; /* pairs that are not added yet */
  uint8_t direction = 0;
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
