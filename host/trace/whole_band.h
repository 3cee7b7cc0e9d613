#ifndef HOST_TRACE_WHOLE_BAND_H
#define HOST_TRACE_WHOLE_BAND_H

#include "bound/lower_bound.h"
#include "trace/live_band.h"

/* Sweep and traceback in one: all nodes of a matrix that a potential does not exclude, in live bands
 * (trace/live_band.h) of the host's threads.
 *
 * Parts follow each other along the bound's path. Each but the first begins with one of its nodes, and with
 * what the path scores down to there. A part goes on into the next one until its values differ from the next
 * one's by one number wherever it matters: from there on the next one's are right but for that number
 * (docs/internals/exactness.md, "Parts of a band"; Maleki et al. 2014 do so for other recurrences). The way
 * back is found likewise, by all parts at once. */
typedef struct whole_band whole_band;

typedef struct whole_band_input {
  const pair_problem *problem;
  const potential *potential;
  const row_worth *worth;
  const lower_bound *bound; /* with a path; its score is above 0 unless paths end in the corner */
  int threads;
  int64_t bytes_limit;
  cla_status (*tick)(void *user, int64_t cells, cla_error *error); /* of the caller's thread; NULL: none */
  void *tick_user;
  int64_t parts;         /* 0: chosen; 1 where they would not agree */
  int64_t line_interval; /* 0: chosen; for tests */
} whole_band_input;

/* Memory that a band of the problem takes, about: parts overlap, and lines are kept. */
int64_t whole_band_bytes(const pair_problem *problem);

/* Computes the nodes, and the one in which the canonical path ends. *out is NULL unless *outcome is
 * LIVE_BAND_READY; LIVE_BAND_EMPTY: no path has the bound's score, which cannot be. CLA_ERROR_MEMORY, and
 * what the tick returns. */
cla_status whole_band_sweep(whole_band **out, live_band_outcome *outcome, path_end *end,
                            const whole_band_input *input, cla_error *error);
void whole_band_free(whole_band *band);

/* Cells computed so far, and the parts in which they were. */
int64_t whole_band_cells(const whole_band *band);
int whole_band_parts(const whole_band *band);

/* Adds the canonical path's steps from its end back to its start, whose node is *row and *column. *outcome is
 * LIVE_BAND_READY or LIVE_BAND_TOO_LARGE. CLA_ERROR_MEMORY; CLA_ERROR_DEVICE if values contradict each other.
 */
cla_status whole_band_trace(int64_t *row, int64_t *column, path *into, live_band_outcome *outcome,
                            whole_band *band, cla_error *error);

#endif
