#ifndef HOST_WRITE_CIGAR_TEXT_H
#define HOST_WRITE_CIGAR_TEXT_H

#include <stdio.h>

#include "clalign/alignment.h"

/* Prints the extended CIGAR of an alignment with a path that fits its sequences (path_check_fit), for example
 * "12=1X3I7="; nothing for an empty alignment. Output errors stay in the stream's error flag. */
void cigar_print(FILE *file, const cla_alignment *alignment, const cla_sequence *query,
                 const cla_sequence *target);

#endif
