#ifndef HOST_COMPARE_CHAIN_TEXT_H
#define HOST_COMPARE_CHAIN_TEXT_H

#include <stdbool.h>
#include <stdint.h>

/* Lines of UCSC's chain format. */

/* Splits a line at tabs and spaces. Returns the number of columns, at most `most`. */
int text_columns(char *column[], int most, char *text);

/* The columns of the line "chain SCORE TNAME TSIZE + TSTART TEND QNAME QSIZE STRAND QSTART QEND ID". */
typedef struct chain_head {
  const char *query_name, *target_name;
  int64_t query_length, target_length;
  bool reverse; /* query positions are on the reverse strand */
  int64_t target, target_end, query, query_end;
} chain_head;

/* Reads the head line of a chain. The names point into `text`. Returns false if the line is not a head. */
bool chain_head_read(chain_head *head, char *text);

/* Reads a block line: the number of letters in the block, and of the target's and the query's letters up to
 * the next block. *last: the line has only the first number. Returns false if the line is not a block. */
bool chain_block_read(int64_t number[3], bool *last, char *text);

#endif
