#ifndef HOST_TRACE_BANDED_H
#define HOST_TRACE_BANDED_H

#include "dp/path.h"
#include "path/bound_path.h"
#include "region/region.h"

/* The best alignment in a band of diagonals, for the option --band. All nodes (i,j) of the alignment lie
 * between the diagonals of the matrix' two corners, or at most `band` diagonals outside them:
 *
 *     min(0, n - m) - band <= j - i <= max(0, n - m) + band
 *
 * An alignment outside the band may be better. The other rules are those of docs/internals/exactness.md,
 * for the matrix without the nodes outside the band. Host threads compute the band, along the anti-diagonals
 * (dp/band_line.h). */
typedef struct banded_input {
  pair_problem problem;
  int64_t band;     /* >= 0 */
  bool all_matters; /* the band cannot be narrower; for the message of CLA_ERROR_MEMORY */
  bool score_only;
  int64_t memory_bytes;    /* budget of memory */
  int64_t directions_most; /* limit of the bytes of all directions; if they fit, each line is computed only
                              once */
  int threads;             /* for wide lines; 0: one */
  region_tick tick;        /* NULL: none */
  void *tick_user;
} banded_input;

typedef struct banded_result {
  path_end end;                    /* the canonical end */
  int64_t start_row, start_column; /* unset with score_only */
  int64_t cells, sweep_cells;      /* computed cells: in all; in the sweep alone */
  double sweep_seconds;
} banded_result;

/* Returns the approximate number of cells of the band's sweep. */
int64_t banded_cells(const banded_input *input);

/* True if the scores fit into the integers of the band's lines. */
bool banded_holds(const banded_input *input);

/* Sets *out and, unless score_only, adds the path's steps to *steps, which must be empty. Memory grows with
 * the nodes of a line times the square root of the number of lines. Errors: CLA_ERROR_MEMORY,
 * CLA_ERROR_OPTION if banded_holds is false, and errors of the tick. */
cla_status banded_align(banded_result *out, path *steps, const banded_input *input, cla_error *error);

/* The alignment within a band, as a bound_banded function (path/bound_path.h). */
bound_banded banded_cross;

#endif
