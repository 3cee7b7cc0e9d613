#ifndef HOST_PIPELINE_SCORE_CHECK_H
#define HOST_PIPELINE_SCORE_CHECK_H

#include "pipeline/strand_internal.h"

/* Verifies a score without its alignment (docs/internals/exactness.md, Verification): is there a path that
 * has it? From the end cell the canonical path is followed back on the host, through the rows that the sweep
 * has kept, for as long as that costs little beside the sweep. *out says how far it came. Errors:
 * CLA_ERROR_DEVICE where the values of the sweep contradict the score, CLA_ERROR_MEMORY, and what the run's
 * tick returns. */
cla_status score_check(cla_verified *out, strand_run *r, const trace_point *end, cla_stage *bands,
                       cla_error *error);

#endif
