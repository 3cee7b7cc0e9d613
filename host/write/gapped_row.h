#ifndef HOST_WRITE_GAPPED_ROW_H
#define HOST_WRITE_GAPPED_ROW_H

#include "result/alignment.h"
#include "write/writer.h"

/* Letters of a sequence as the path goes through them. */

/* The target's, as those of the query (strand_query). */
strand_letters strand_target(const cla_sequence *target);

/* Prints `count` letters from a position of the strand on; `letters` has them by their codes. */
void strand_print(FILE *file, const strand_letters *strand, const char *letters, int64_t start,
                  int64_t count);

typedef enum gapped_side { GAPPED_QUERY, GAPPED_TARGET } gapped_side;

/* Prints one row of the alignment: a side's letters along the path, '-' where it has a gap. With a
 * `line_letters` above 0 there are so many on a line, and each line ends; otherwise there is no line end. */
void gapped_row_print(const write_job *job, const cla_alignment *alignment, gapped_side side,
                      int line_letters);

#endif
