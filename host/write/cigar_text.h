#ifndef HOST_WRITE_CIGAR_TEXT_H
#define HOST_WRITE_CIGAR_TEXT_H

#include "clalign/alignment.h"
#include "write/text_buffer.h"

/* The extended CIGAR of an alignment with a path that fits its sequences (path_check_fit), for example
 * "12=1X3I7="; nothing for an empty alignment. */
void cigar_put(text_buffer *text, const cla_alignment *alignment, const cla_sequence *query,
               const cla_sequence *target);

#endif
