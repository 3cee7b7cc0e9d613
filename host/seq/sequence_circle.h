#ifndef HOST_SEQ_SEQUENCE_CIRCLE_H
#define HOST_SEQ_SEQUENCE_CIRCLE_H

#include "clalign/sequence.h"

/* `count` >= 1 letters of a record whose end is joined to its begin, from the letter `first` on, 0 <= first <
 * length: as a sequence of the same name and location, all of which takes part. With as many letters as the
 * record has, it is that record rotated. CLA_ERROR_MEMORY. The caller frees *out. */
cla_status sequence_circle_part(cla_sequence **out, const cla_sequence *sequence, int64_t first,
                                int64_t count, cla_error *error);

#endif
