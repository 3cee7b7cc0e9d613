#ifndef HOST_TRACE_BANDED_H
#define HOST_TRACE_BANDED_H

#include "bound/bound_path.h"
#include "trace/path.h"
#include "wavefront/region.h"

/* The best alignment of those whose nodes (i,j) all lie within `band` diagonals of the matrix' two corners:
 *
 *    min(0, n - m) - band <= j - i <= max(0, n - m) + band
 *
 * That is what a user asks for by --band, a restriction: whether another alignment is better is not known.
 * Everything else is as in docs/internals/exactness.md, on a matrix that has no other nodes. It runs on one
 * thread of the host, along the anti-diagonals (trace/band_line.h). */
typedef struct banded_input {
  pair_problem problem;
  int64_t band; /* >= 0 */
  bool score_only;
  int64_t memory_bytes;    /* budget */
  int64_t directions_most; /* bytes of it: where all directions fit in, no line is computed twice */
  region_tick tick;        /* NULL: none */
  void *tick_user;
} banded_input;

typedef struct banded_result {
  path_end end;                    /* the canonical one */
  int64_t start_row, start_column; /* but for score_only */
  int64_t cells, sweep_cells;      /* computed, and of these by the sweep */
  double sweep_seconds;
} banded_result;

/* Cells that its sweep computes, about. */
int64_t banded_cells(const banded_input *input);

/* Whether its lines hold the scores. */
bool banded_holds(const banded_input *input);

/* Fills *out and, but for score_only, adds the path's steps to *steps, which begins empty. Memory: a number
 * of bytes for each node of a line times the root of the lines, about. CLA_ERROR_MEMORY, CLA_ERROR_OPTION
 * without banded_holds, and what tick returns. */
cla_status banded_align(banded_result *out, path *steps, const banded_input *input, cla_error *error);

/* A bound_banded (bound/bound_path.h). */
bound_banded banded_cross;

#endif
