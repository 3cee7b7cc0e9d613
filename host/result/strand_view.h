#ifndef HOST_RESULT_STRAND_VIEW_H
#define HOST_RESULT_STRAND_VIEW_H

#include "clalign/alignment.h"
#include "seq/reverse_complement.h"

/* An alignment as its path runs: query positions on the strand that was aligned, which is what everything
 * that walks along the runs needs. */

/* Turns the query's positions around, p to length - p: from the record's forward strand to its reverse
 * complement or back. What is not known (-1), and the 0 of an
 * alignment that is `nowhere` (path_is_nowhere), stay so. */
void side_turn(cla_side *side, bool nowhere);

/* The alignment with the query's positions on the strand that was aligned; texts and runs stay shared. False,
 * and nothing is done, if a position is none of the record. */
bool strand_view(cla_alignment *out, const cla_alignment *alignment);

/* The query's letters on the strand that was aligned. */
strand_letters strand_query(const cla_alignment *alignment, const cla_sequence *query);

/* Where the path starts in the query, on the strand that was aligned; of an alignment with a path. */
int64_t strand_query_start(const cla_alignment *alignment);

/* The same from the beginning of the range that was aligned: the row of the matrix. */
int64_t strand_start_row(const cla_alignment *alignment);

#endif
