#ifndef TOOLS_STUDY_001_NW_TILES_H
#define TOOLS_STUDY_001_NW_TILES_H

#include "nw.h"

/* A matrix as a grid of tiles; those of the last row and column may be smaller. */
typedef struct nw_tiles {
  const nw_block *whole;
  int64_t tile_rows, tile_columns; /* cells */
  int64_t down, across;            /* tiles */
} nw_tiles;

static inline nw_tiles nw_tiles_of(const nw_block *whole, study_setting setting) {
  return (nw_tiles){whole, setting.rows, setting.columns, (whole->rows + setting.rows - 1) / setting.rows,
                    (whole->columns + setting.columns - 1) / setting.columns};
}

static inline int64_t nw_diagonals(const nw_tiles *tiles) {
  return tiles->down + tiles->across - 1;
}

static inline int64_t nw_at_most(int64_t a, int64_t b) {
  return a < b ? a : b;
}

/* The row of the uppermost tile on diagonal d. */
static inline int64_t nw_first_on(const nw_tiles *tiles, int64_t d) {
  return d < tiles->across ? 0 : d - tiles->across + 1;
}

static inline int64_t nw_tiles_on(const nw_tiles *tiles, int64_t d) {
  return nw_at_most(d, tiles->down - 1) - nw_first_on(tiles, d) + 1;
}

/* Tile k of diagonal d, from above. */
static inline nw_block nw_tile(const nw_tiles *tiles, int64_t d, int64_t k) {
  const int64_t i = (nw_first_on(tiles, d) + k) * tiles->tile_rows;
  const int64_t j = (d - nw_first_on(tiles, d) - k) * tiles->tile_columns;
  return nw_part(tiles->whole, i, j, nw_at_most(tiles->tile_rows, tiles->whole->rows - i),
                 nw_at_most(tiles->tile_columns, tiles->whole->columns - j));
}

#endif
