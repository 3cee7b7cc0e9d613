#ifndef HOST_WRITE_CERTIFICATE_PART_H
#define HOST_WRITE_CERTIFICATE_PART_H

#include "clalign/certain.h"
#include "result/alignment.h"

/* Makes the certificate of a part of an alignment of circular records, with the part's positions. Margins,
 * supports and blocks are those of the part's columns. A block across the origin is a block of either part,
 * each with its letters there. `unique` and the number of alignments are those of the whole alignment.
 * Displacements are left out. The caller calls certificate_part_free. CLA_ERROR_MEMORY. */
cla_status certificate_part_make(cla_certificate **out, const cla_certificate *whole,
                                 const cla_alignment *alignment, const origin_part *part, cla_error *error);
void certificate_part_free(cla_certificate *part);

#endif
