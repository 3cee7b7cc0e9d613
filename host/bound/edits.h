#ifndef HOST_BOUND_EDITS_H
#define HOST_BOUND_EDITS_H

#include <stdint.h>

#include "bound/bound_path.h"

/* The edit distance of chunks of rows, by the column in which a path leaves them: the fewest pairs that are
 * no match and letters in gaps, whatever the column in which it enters. Bit vectors, a part of the columns in
 * each lane (Myers 1999; Hyyrö 2003). */

/* Some rows of a pair of DNA sequences, and the diagonals (column less row) in which paths leave them. Those
 * outside of the matrix have letters that match nothing. */
typedef struct edit_chunk {
  int64_t row, rows;       /* the first row's letter, and how many: at most EDIT_ROWS_MOST */
  int64_t diagonal, count; /* the first, and how many: whole buckets */
  uint16_t *least;         /* by bucket: the fewest edits of the paths that end in it */
} edit_chunk;

#define EDIT_ROWS_MOST 8192

typedef struct edits_input {
  const uint8_t *query, *target;
  int64_t columns; /* of the target */
  int64_t bucket;  /* diagonals for which there is one result */
  int64_t most;    /* more edits are told as more, but not how many */
  const edit_chunk *chunks;
  int64_t count;
  int threads;
  const bound_pair *pair; /* whose stop ends the work, with results that mean nothing; NULL: none does */
} edits_input;

/* *cells: that were computed. CLA_ERROR_MEMORY. */
cla_status edits_compute(int64_t *cells, const edits_input *input, cla_error *error);

#endif
