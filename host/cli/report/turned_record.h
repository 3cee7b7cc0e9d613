#ifndef HOST_CLI_REPORT_TURNED_RECORD_H
#define HOST_CLI_REPORT_TURNED_RECORD_H

#include "clalign/align.h"

/* Writes the circular record of an alignment with a path as FASTA, rotated to begin with the first aligned
 * letter. A query on the reverse strand is written as that strand. CLA_ERROR_OUTPUT, CLA_ERROR_OPTION,
 * CLA_ERROR_MEMORY. */
cla_status turned_record_write(const char *path, const cla_alignment *alignment, const cla_sequence *record,
                               cla_circular circular, cla_error *error);

#endif
