#ifndef HOST_RESULT_ALIGNMENT_COUNT_H
#define HOST_RESULT_ALIGNMENT_COUNT_H

#include "clalign/alignment.h"

/* cla_alignment_count of sequences as the alignment's positions have them: rotated already (rotated_pair.h).
 */
cla_status alignment_count(cla_statistics *out, const cla_alignment *alignment, const cla_sequence *query,
                           const cla_sequence *target, cla_error *error);

#endif
