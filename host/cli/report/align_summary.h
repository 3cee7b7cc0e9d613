#ifndef HOST_CLI_REPORT_ALIGN_SUMMARY_H
#define HOST_CLI_REPORT_ALIGN_SUMMARY_H

#include "clalign/align.h"

/* Prints the closing lines of `clalign align` on stderr, of `count` >= 1 alignments: of the first one score,
 * coordinates (1-based inclusive, as people count), identity and gaps where there is a path, scoring, time,
 * rate and device; a line for each of the next ones. */
cla_status align_summary_print(const cla_alignment *const *alignments, size_t count,
                               const cla_sequence *query, const cla_sequence *target, cla_error *error);

/* That no alignment reached the least score that was asked for. */
void align_summary_print_none(const cla_align_options *how);

#endif
