#ifndef HOST_DP_EDITS_H
#define HOST_DP_EDITS_H

#include <stdbool.h>
#include <stdint.h>

#include "clalign/status.h"

/* Computes edit distances of chunks of rows: for each column in which a path can leave a chunk, the fewest
 * mismatches plus letters in gaps. The path may enter the chunk in any column. The computation uses bit
 * vectors; each lane computes a part of the columns (Myers 1999; Hyyrö 2003). */

/* A chunk of rows of a pair of DNA sequences, and the diagonals (column minus row) in which paths leave the
 * chunk. Letters outside the matrix match nothing. */
typedef struct edit_chunk {
  int64_t row, rows;       /* index of the first row's letter; number of rows, at most EDIT_ROWS_MOST */
  int64_t diagonal, count; /* first diagonal; number of diagonals, a multiple of the bucket */
  uint16_t *least;         /* output: for each bucket, the fewest edits of a path that ends in the bucket */
} edit_chunk;

#define EDIT_ROWS_MOST 8192

typedef struct edits_input {
  const uint8_t *query, *target;
  int64_t columns; /* letters of the target */
  int64_t bucket;  /* diagonals of a bucket */
  int64_t most; /* results up to this number are exact; a larger result only shows that the distance is also
                   larger */
  const edit_chunk *chunks;
  int64_t count;
  int threads;
  /* If this function returns true, the work ends and the results are invalid. NULL: the work is never
   * stopped. */
  bool (*stopped)(const void *by, int thread);
  const void *stopped_by;
} edits_input;

/* Computes the edits of all chunks. *cells is set to the number of computed cells. CLA_ERROR_MEMORY. */
cla_status edits_compute(int64_t *cells, const edits_input *input, cla_error *error);

#endif
