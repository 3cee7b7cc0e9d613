#ifndef HOST_TRACE_WHOLE_BAND_H
#define HOST_TRACE_WHOLE_BAND_H

#include "path/lower_bound.h"
#include "trace/live_band.h"

/* Sweep and traceback in one stage, on the host's threads. All nodes that a potential does not exclude are
 * computed in live bands (trace/live_band.h). The matrix is divided into parts, which follow each other
 * along the bound's path. Each part after the first starts in a node of that path, with the path's score
 * there. A part continues into the next one until, on some line, all values that matter differ by the same
 * number in both parts. Below that line, the next part's values plus that number are right
 * (docs/internals/exactness.md, "Parts of a band"; Maleki et al. 2014 do the same for other recurrences).
 * All parts are also traced at the same time. */
typedef struct whole_band whole_band;

typedef struct whole_band_input {
  const pair_problem *problem;
  const potential *potential;
  const row_worth *worth;
  const lower_bound *bound; /* has a path; its score is above 0 unless paths end in the corner */
  int64_t margin; /* the margin of the potential: ends that score this much less than the bound matter */
  int threads;
  int64_t bytes_limit;
  cla_status (*tick)(void *user, int64_t cells,
                     cla_error *error); /* called on the caller's thread; NULL: no call */
  void *tick_user;
  int64_t parts; /* number of parts; 0: chosen automatically; if parts do not agree, one part is used */
  int64_t line_interval; /* lines from one kept line to the next; 0: chosen automatically; other values are
                            for tests */
} whole_band_input;

/* Returns the approximate bytes of a band of the problem, including overlapping parts and kept lines. */
int64_t whole_band_bytes(const pair_problem *problem);

/* Computes the nodes and sets *end to the canonical path's end. *out is NULL unless *outcome is
 * LIVE_BAND_READY. LIVE_BAND_EMPTY means that no path has the bound's score, which would be a bug. Errors:
 * CLA_ERROR_MEMORY, and errors of the tick. */
cla_status whole_band_sweep(whole_band **out, live_band_outcome *outcome, path_end *end,
                            const whole_band_input *input, cla_error *error);
void whole_band_free(whole_band *band);

/* Returns the number of cells computed so far. */
int64_t whole_band_cells(const whole_band *band);

/* Adds the canonical path's steps from its end back to its start, and sets *row and *column to the start.
 * *outcome is LIVE_BAND_READY or LIVE_BAND_TOO_LARGE. Errors: CLA_ERROR_MEMORY, or CLA_ERROR_DEVICE if the
 * values contradict each other. */
cla_status whole_band_trace(int64_t *row, int64_t *column, path *into, live_band_outcome *outcome,
                            whole_band *band, cla_error *error);

#endif
