#ifndef HOST_RESULT_ALIGNMENT_CREATE_H
#define HOST_RESULT_ALIGNMENT_CREATE_H

#include "clalign/alignment.h"

/* Makes an alignment without a path: the sides' names, locations, lengths, ranges and checksums are
 * filled, score and stops are 0, starts -1, metrics zero. The caller fills score, coordinates and, with
 * has_path, `runs` (from malloc, owned by the alignment), and frees *out with cla_alignment_free.
 * Errors: CLA_ERROR_MEMORY; *out is then NULL. */
cla_status alignment_create(cla_alignment **out, const cla_sequence *query, const cla_sequence *target,
                            cla_mode mode, const cla_scoring *scoring, cla_error *error);

#endif
