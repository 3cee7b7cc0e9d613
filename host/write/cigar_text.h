#ifndef HOST_WRITE_CIGAR_TEXT_H
#define HOST_WRITE_CIGAR_TEXT_H

#include <stdio.h>

#include "clalign/alignment.h"

/* The extended CIGAR of an alignment with a path that fits its sequences (path_check_fit), for example
 * "12=1X3I7="; nothing for an empty alignment. */

/* Streams it; output errors stay in the stream's error flag. */
void cigar_print(FILE *file, const cla_alignment *alignment, const cla_sequence *query,
                 const cla_sequence *target);

/* As text, which the caller frees. Errors: CLA_ERROR_MEMORY. */
cla_status cigar_text(char **out, const cla_alignment *alignment, const cla_sequence *query,
                      const cla_sequence *target, cla_error *error);

#endif
