#ifndef HOST_DP_PAIR_LANES_INTERNAL_H
#define HOST_DP_PAIR_LANES_INTERNAL_H

#include <string.h>

#include "base/loops.h"
#include "dp/pair_lanes.h"
#include "seq/sequence.h"

/* Rows that strip_lanes_text.h computes together. */
#define STRIP_ROWS 4

#define TILE_COLUMNS_MOST 32

/* Bytes that each lane has for a column of tiles. */
enum {
  TILE_FLOOR, /* a score of 0 */
  TILE_MOST,  /* the largest H of the last row */
  TILE_STEP,  /* is added to values that come from the tile before */
  TILE_BAR,   /* a larger H may lead to a better end within a strip */
  TILE_BYTES
};

/* A group as the vectors take it. Elements are of a lane's width. */
struct lanes_space {
  void *query, *target; /* letters: a vector for each row, for each column */
  void *h, *f, *f2;     /* by column: losses of the row above, and of gaps into the row */
  void *pairs;    /* by column: losses of the row's pairs, or scores of a strip's, where they are looked up */
  uint8_t *masks; /* of each cell */
  uint16_t *left, *top; /* losses of the matrix' borders */
  uint32_t *runs;
  int64_t vectors, pairs_bytes, mask_bytes, border, run_room; /* room of these, in bytes or elements */
  int64_t row_cells; /* from a cell to the one below it in the band's first column or the matrix' */
  int masks_of_cell;
  int32_t base[LANES_MOST];  /* by lane: what was taken from the losses in the vectors, */
  int32_t limit[LANES_MOST]; /* and from where on a loss is not exact */
  bool based;                /* something was taken */
  int32_t *tile_bases;       /* by column of tiles, LANES_MOST of each: what H of a lane is relative to */
  uint8_t *tile_bytes;       /* likewise, TILE_BYTES times LANES_MOST of each */
  int64_t tile_base_room, tile_byte_room;
  uint8_t kept[STRIP_ROWS * TILE_COLUMNS_MOST * LANES_MOST]; /* H of a tile */
  bool one_query; /* all pairs have it, and losses of pairs are bytes */
};

/* Masks of a cell, in this order: of the second piece only with two pieces, STARTED only where paths start
 * anywhere. OPENS_DOWN tells of the gap into the cell below, OPENS_ACROSS of that into the next cell. */
enum {
  FROM_PAIR_MASK,
  ACROSS_MASK,
  OPENS_ACROSS_MASK,
  OPENS_DOWN_MASK,
  ACROSS2_MASK,
  OPENS_ACROSS2_MASK,
  DOWN_MASK,
  OPENS_DOWN2_MASK,
};

/* Losses are moved every so many rows. */
#define ROWS_OF_BASE 16

/* What stands for letters that are none of the unambiguous ones, where nothing is looked up, and behind a
 * sequence's last letter. */
typedef struct letter_marks {
  bool plain; /* nothing is looked up */
  uint8_t other;
} letter_marks;

extern const lanes_way lanes_ways_plain[2];
#if X86_VECTORS
extern const lanes_way lanes_ways_avx2[2], lanes_ways_avx512[2];
#endif

#endif
