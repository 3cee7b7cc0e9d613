#ifndef HOST_COMPARE_CHAIN_TEXT_H
#define HOST_COMPARE_CHAIN_TEXT_H

#include "compare/lift/lift_map.h"

/* Lines of UCSC's chain format. */

/* Splits a line at tabs and spaces. Returns the number of columns, at most `most`. */
int text_columns(char *column[], int most, char *text);

/* The columns of the line "chain SCORE TNAME TSIZE + TSTART TEND QNAME QSIZE STRAND QSTART QEND ID". */
typedef struct chain_head {
  lift_pair pair;
  int64_t target, target_end, query, query_end;
} chain_head;

/* Reads the head line of a chain. The names point into `text`. Returns false if the line is not a head. */
bool chain_head_read(chain_head *head, char *text);

/* Reads a block line: the number of letters in the block, and of the target's and the query's letters up to
 * the next block. *last: the line has only the first number. Returns false if the line is not a block. */
bool chain_block_read(int64_t number[3], bool *last, char *text);

#endif
