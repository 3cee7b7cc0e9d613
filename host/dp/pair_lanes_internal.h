#ifndef HOST_DP_PAIR_LANES_INTERNAL_H
#define HOST_DP_PAIR_LANES_INTERNAL_H

#include <string.h>

#include "base/loops.h"
#include "dp/pair_lanes.h"
#include "seq/sequence.h"

/* Number of rows that strip_lanes_text.h computes together. */
#define STRIP_ROWS 8
#define STRIP_MIDDLE 4 /* rows of a strip's upper half */

/* Largest number of columns in a block of look_up_lanes_text.h. */
#define TURNED_COLUMNS_MOST 32

#define TILE_COLUMNS_MOST 32
#define TILE_COLUMNS_LEAST 4

#define TILE_RISES (TILE_COLUMNS_MOST + STRIP_ROWS + 1)

/* A group's data in vectors. Elements are as wide as a lane. */
struct lanes_space {
  void *query, *target;        /* letters: a vector for each row; a vector for each column */
  void *turned;                /* letters of the targets in the order of look_up_lanes_text.h */
  void *h, *f[CLA_GAP_PIECES]; /* by column: losses in the row above, and losses of gaps that lead down into
                                  the row */
  void *pairs;          /* by column: losses of a row's pairs, or scores of a strip's pairs, from look-ups */
  uint8_t *masks;       /* masks of each cell */
  uint16_t *left, *top; /* losses on the matrix' left and upper borders */
  uint32_t *runs;
  int64_t vectors, turned_bytes, pairs_bytes, mask_bytes, border,
      run_room;       /* allocated size of the arrays above, in bytes or elements */
  int64_t *mask_rows; /* by row: index in `masks` of the byte where the row's column 0 would be */
  int64_t mask_rows_room, mask_cells; /* room in `masks`, in cells */
  int masks_of_cell;
  int32_t base[LANES_MOST];  /* by lane: number that was subtracted from the losses in the vectors */
  int32_t limit[LANES_MOST]; /* by lane: lowest loss that may not be exact */
  bool based;                /* at least one base is not 0 */
  bool one_query;            /* all pairs have the same query, and losses of pairs fit a byte */
  bool is_turned;            /* `turned` is filled: queries differ, and losses of pairs fit a byte */
  int32_t *tile_reached;     /* by column of tiles and lane: upper bound of H in the row above */
  uint8_t *tile_lows;        /* by column of tiles and lane: low byte of the base in the strip above */
  int64_t tile_reached_room, tile_lows_room;
  uint8_t kept[STRIP_ROWS * TILE_COLUMNS_MOST * LANES_MOST]; /* H of all cells of a tile */
  uint8_t floors[TILE_RISES * LANES_MOST]; /* stored values of 0, by row + column of a tile */
  uint8_t rises[TILE_RISES * LANES_MOST];  /* by n: n times `ext` */
};

/* Masks of a cell: the mask of pairs, then four masks for each piece of gap costs, without DOWN for the last
 * piece. A mask of starts exists only if paths start anywhere. OPENS_DOWN is for the gap into the cell below,
 * OPENS_ACROSS for the gap into the next cell of the row. */
enum { FROM_PAIR_MASK, ACROSS_MASK, OPENS_ACROSS_MASK, OPENS_DOWN_MASK, DOWN_MASK };

/* The index of mask `mask` for piece `piece` of gap costs. */
#define MASK_OF(mask, piece) ((mask) + LANES_MASKS(piece))

/* The bases change after each ROWS_OF_BASE rows. */
#define ROWS_OF_BASE 16

/* Number of columns by which a row is extended if its last column may be on a path. */
#define COLUMNS_MORE 4

/* Codes that replace letters. One follows a sequence's last letter; without look-up, it also replaces
 * ambiguous letters. */
typedef struct letter_marks {
  bool plain; /* without look-up */
  uint8_t other;
} letter_marks;

extern const lanes_way lanes_ways_plain[2];
#if X86_VECTORS
extern const lanes_way lanes_ways_avx2[2], lanes_ways_avx512[2];
#endif

#endif
