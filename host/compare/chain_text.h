#ifndef HOST_COMPARE_CHAIN_TEXT_H
#define HOST_COMPARE_CHAIN_TEXT_H

#include "compare/lift_map.h"

/* Lines of UCSC's chain format. */

/* Splits a line at tabs and blanks. Returns the number of columns, `most` at most. */
int text_columns(char *column[], int most, char *text);

/* The line "chain SCORE TNAME TSIZE + TSTART TEND QNAME QSIZE STRAND QSTART QEND ID". */
typedef struct chain_head {
  lift_pair pair;
  int64_t target, target_end, query, query_end;
} chain_head;

/* Reads a head, whose names then lie in `text`. False: it is none. */
bool chain_head_read(chain_head *head, char *text);

/* Reads a line of a block: its letters, and those of the target and the query up to the next one. *last: it
 * has letters alone. False: it is none. */
bool chain_block_read(int64_t number[3], bool *last, char *text);

#endif
