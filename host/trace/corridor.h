#ifndef HOST_TRACE_CORRIDOR_H
#define HOST_TRACE_CORRIDOR_H

#include "packs/packs.h"

/* A corridor of as many nodes on each anti-diagonal, around the best way back from a pair's end (trace/
 * pack_corridor.h): where it runs, and the values in it.
 *
 * Values are losses: what is missing to a match in each row,
 *
 *      back:   match (end_query - i) - R(i,j),     R: the most that a path from the node to the end gains
 *      forth:  match i - H(i,j)
 *
 * over the paths that stay in the corridor. They are small where sequences are alike, so that 16 bits hold
 * them, and never negative back. */

/* Lanes: one of these. */
#define CORRIDOR_NARROW 32
#define CORRIDOR_MIDDLE 64
#define CORRIDOR_LANES_MOST 128
#define CORRIDOR_LOSS_MOST 30000 /* larger losses count as that */
#define CORRIDOR_ROOM 32         /* around the values of a line */

/* The costs as the lines take them. */
typedef struct corridor_costs {
  int16_t mismatch;                             /* loss of a pair that does not match */
  int16_t first, ext;                           /* of a gap along the row */
  int16_t first_down, ext_down;                 /* of a gap down the rows: with what its rows miss */
  int16_t first2, ext2, first2_down, ext2_down; /* likewise, of the second piece */
} corridor_costs;

/* Losses in the first and the last node of a line. */
typedef struct corridor_edge {
  int16_t first, last;
} corridor_edge;

typedef struct corridor {
  int64_t rows, columns; /* of the end node */
  int lanes;
  bool two; /* pieces of gap costs */
  corridor_costs costs;
  int64_t match;
  int64_t low;     /* the first line, i + j of its nodes; the last one is the end's */
  int32_t *top;    /* by line: the row of its first node */
  int16_t *query;  /* codes by row, [-room] to [rows + room], which match only those that are plain matches */
  int16_t *target; /* likewise, the last one first */
  int16_t *floor;  /* by row: the loss of a fresh start */
  corridor_edge *back, *forth;
  uint8_t *directions; /* `lanes` for each line */
  int16_t loss;        /* forth, in the end node */
  void *memory;        /* of all these */
} corridor;

/* Whether the pair's scores and lengths are such that losses fit. */
bool corridor_takes(const path_scheme *scheme, const pack_pair *pair);

/* CLA_ERROR_MEMORY. */
cla_status corridor_make(corridor *out, const path_scheme *scheme, const pack_pair *pair, int lanes,
                         cla_error *error);
void corridor_free(corridor *c);

/* Goes back from the end, wherever it is best, and notes where that was. False if it leaves the matrix' lower
 * right corner behind on the wrong side. */
bool corridor_go_back(corridor *c);

/* Computes the same lines forth, with directions (trace/band_line.h). */
void corridor_go_forth(corridor *c, const path_scheme *scheme);

#endif
