#ifndef HOST_DP_PAIR_LANES_INTERNAL_H
#define HOST_DP_PAIR_LANES_INTERNAL_H

#include <string.h>

#include "base/loops.h"
#include "dp/pair_lanes.h"
#include "seq/sequence.h"

/* Rows that strip_lanes_text.h computes together. */
#define STRIP_ROWS 8
#define STRIP_MIDDLE 4 /* rows of a strip's upper half */

/* The most columns of a block of look_up_lanes_text.h. */
#define TURNED_COLUMNS_MOST 32

#define TILE_COLUMNS_MOST 32
#define TILE_COLUMNS_LEAST 4

#define TILE_RISES (TILE_COLUMNS_MOST + STRIP_ROWS + 1)

/* A group as the vectors take it. Elements are of a lane's width. */
struct lanes_space {
  void *query, *target;        /* letters: a vector for each row, for each column */
  void *turned;                /* letters of targets as look_up_lanes_text.h has them */
  void *h, *f[CLA_GAP_PIECES]; /* by column: losses of the row above, and of gaps into the row */
  void *pairs;    /* by column: losses of the row's pairs, or scores of a strip's, where they are looked up */
  uint8_t *masks; /* of each cell */
  uint16_t *left, *top; /* losses of the matrix' borders */
  uint32_t *runs;
  int64_t vectors, turned_bytes, pairs_bytes, mask_bytes, border,
      run_room;                       /* room in the arrays above, in bytes or elements */
  int64_t *mask_rows;                 /* by row: the byte of `masks` where its column 0 would be */
  int64_t mask_rows_room, mask_cells; /* room in `masks`, in cells */
  int masks_of_cell;
  int32_t base[LANES_MOST];  /* by lane: what was subtracted from the losses in the vectors */
  int32_t limit[LANES_MOST]; /* by lane: the least loss that is not exact */
  bool based;                /* some base is not 0 */
  bool one_query;            /* all pairs have the same query, and losses of pairs are bytes */
  bool is_turned;            /* `turned` is there: queries differ, and losses of pairs are bytes */
  int32_t *tile_reached;     /* LANES_MOST for each column of tiles: upper bound of H in the row above */
  uint8_t *tile_lows; /* LANES_MOST for each column of tiles: lowest bytes of the bases in the strip above */
  int64_t tile_reached_room, tile_lows_room;
  uint8_t kept[STRIP_ROWS * TILE_COLUMNS_MOST * LANES_MOST]; /* H of a tile */
  uint8_t floors[TILE_RISES * LANES_MOST];                   /* by row + column of a tile */
  uint8_t rises[TILE_RISES * LANES_MOST];                    /* n ext for each n */
};

/* Masks of a cell: the pair's, then four for each piece of gap costs, the last one's without DOWN. One more
 * exists only where paths start anywhere. OPENS_DOWN is about the gap into the cell below, OPENS_ACROSS about
 * the gap into the next cell. */
enum { FROM_PAIR_MASK, ACROSS_MASK, OPENS_ACROSS_MASK, OPENS_DOWN_MASK, DOWN_MASK };

/* The number of a mask of some piece. */
#define MASK_OF(mask, piece) ((mask) + LANES_MASKS(piece))

/* Bases are moved once in so many rows. */
#define ROWS_OF_BASE 16

/* So many columns more are computed of a row whose last one is on a path, perhaps in a gap. */
#define COLUMNS_MORE 4

/* Codes that stand for ambiguous letters, where nothing is looked up, and behind a sequence's last letter. */
typedef struct letter_marks {
  bool plain; /* nothing is looked up */
  uint8_t other;
} letter_marks;

extern const lanes_way lanes_ways_plain[2];
#if X86_VECTORS
extern const lanes_way lanes_ways_avx2[2], lanes_ways_avx512[2];
#endif

#endif
