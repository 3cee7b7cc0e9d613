#ifndef HOST_TRACE_CORRIDOR_H
#define HOST_TRACE_CORRIDOR_H

#include "packs/packs.h"

/* A corridor with the same number of nodes on each anti-diagonal, around the best way back from a pair's end
 * (trace/pack_corridor.h).
 *
 * Its values are losses: the score that is missing to a match in each row,
 *
 *      back:   match (end_query - i) - R(i,j),     R: the most that a path from the node to the end gains
 *      forth:  match i - H(i,j)
 *
 * over the paths that stay in the corridor. In similar sequences they are so small that 16 bits hold them.
 * Back, they are never negative. */

/* The possible numbers of lanes, which are the nodes on an anti-diagonal. */
#define CORRIDOR_NARROW 32
#define CORRIDOR_MIDDLE 64
#define CORRIDOR_LANES_MOST 128
#define CORRIDOR_LOSS_MOST 30000 /* largest loss; larger ones are cut to it */
#define CORRIDOR_ROOM 32         /* values of padding around a line */

/* Costs in losses. */
typedef struct corridor_costs {
  int16_t mismatch;                             /* a pair that does not match */
  int16_t first, ext;                           /* a gap along the row */
  int16_t first_down, ext_down;                 /* a gap down the rows, with the matches missing there */
  int16_t first2, ext2, first2_down, ext2_down; /* both kinds of gaps by the second piece */
} corridor_costs;

/* Losses in the first and the last node of a line. */
typedef struct corridor_edge {
  int16_t first, last;
} corridor_edge;

typedef struct corridor {
  int64_t rows, columns; /* row and column of the end node */
  int lanes;
  bool two; /* two pieces of gap costs */
  corridor_costs costs;
  int64_t match;
  int64_t low;     /* number of the first line: i + j of its nodes; the last line is the end node's */
  int32_t *top;    /* by line; row of its first node */
  int16_t *query;  /* codes by row, from -room to rows + room; equal codes are plain matches */
  int16_t *target; /* such codes by column, in reverse */
  int16_t *floor;  /* by row; loss of a fresh start */
  corridor_edge *back, *forth; /* by line */
  uint8_t *directions;         /* by line and lane */
  int16_t loss;                /* loss forth in the end node */
  void *memory;                /* memory of all arrays */
} corridor;

/* True if losses fit, by the pair's scores and lengths. */
bool corridor_takes(const path_scheme *scheme, const pack_pair *pair);

/* CLA_ERROR_MEMORY. */
cla_status corridor_make(corridor *out, const path_scheme *scheme, const pack_pair *pair, int lanes,
                         cla_error *error);
void corridor_free(corridor *c);

/* Goes back from the end along the best way, and notes the lines' places. False if it passes the matrix by
 * without reaching a border. */
bool corridor_go_back(corridor *c);

/* Computes the same lines forwards, with directions (dp/directions.h). */
void corridor_go_forth(corridor *c, const path_scheme *scheme);

#endif
