#ifndef TOOLS_STUDY_001_NW_H
#define TOOLS_STUDY_001_NW_H

#include "study.h"

/* Needleman-Wunsch with linear gaps, as all systems of Stanojević 2025 have it (section 2.2, equation 1):
 *
 *   H(i,j) = max(H(i-1,j-1) + score(query letter i, target letter j), H(i-1,j) - gap, H(i,j-1) - gap)
 *
 * with H(i,0) = -i * gap and H(0,j) = -j * gap. The thesis' y is the query, down the rows; its x the target.
 */

/* A rectangle of the matrix, its upper border (row 0) and left border (column 0) included. */
typedef struct nw_block {
  int32_t *cells; /* cell (i,j) is at cells[i * stride + j] */
  int64_t stride;
  int64_t rows, columns;         /* without the borders */
  const uint8_t *query, *target; /* of row i query[i - 1], of column j target[j - 1] */
  const int32_t *scores;         /* [query letter * CLA_MATRIX_STRIDE + target letter] */
  int32_t gap;
} nw_block;

/* The part with so many rows and columns whose upper left cell is border (i,j). */
static inline nw_block nw_part(const nw_block *whole, int64_t i, int64_t j, int64_t rows, int64_t columns) {
  nw_block part = *whole;
  part.cells += i * whole->stride + j;
  part.query += i;
  part.target += j;
  part.rows = rows;
  part.columns = columns;
  return part;
}

static inline int32_t nw_larger(int32_t a, int32_t b) {
  return a > b ? a : b;
}

/* Cell (i,j) of three that are known. */
static inline void nw_cell(const nw_block *block, int64_t i, int64_t j) {
  int32_t *cell = block->cells + i * block->stride + j;
  const int32_t score = block->scores[block->query[i - 1] * CLA_MATRIX_STRIDE + block->target[j - 1]];
  const int32_t gapped = nw_larger(cell[-block->stride], cell[-1]) - block->gap;
  *cell = nw_larger(cell[-block->stride - 1] + score, gapped);
}

/* Fills a block row by row; its borders are known. This is Cpu1, and what a tile is for Cpu3 and Cpu4. */
void nw_fill_rows(const nw_block *block);

/* Runs a system of the CPU: memory and borders, `fill`, Trace1. */
typedef void (*nw_filler)(const nw_block *whole, study_setting setting);
cla_status nw_on_cpu(study_result *out, const study_task *task, nw_filler fill, cla_error *error);

/* The block of a problem; cells and stride are the caller's. */
nw_block nw_block_of(const study_problem *problem);

/* A path as it is found, from its end. */
typedef struct nw_path {
  cla_run *runs; /* owned */
  int64_t count, capacity;
  int64_t row, column; /* where it has come to */
  int32_t score;       /* of the cell where it begins, as nw_trace_sparse finds it */
} nw_path;

/* Adds steps of one kind, and goes them. CLA_ERROR_MEMORY. */
cla_status nw_path_add(nw_path *path, cla_run_kind kind, int64_t steps, cla_error *error);

/* Follows the path through a block, whose cell (0,0) is cell (top, left) of the matrix, up to its upper or
 * left border. */
cla_status nw_path_follow(nw_path *path, const nw_block *block, int64_t top, int64_t left, cla_error *error);

/* Adds what is left along a border of the matrix, and gives the path to the result. */
cla_status nw_path_end(nw_path *path, study_result *out, cla_error *error);

/* Trace1-Plain: through a matrix that has all cells. */
cla_status nw_trace_plain(study_result *out, const nw_block *whole, cla_error *error);

/* What the sparse systems keep of the matrix: each tile's upper border, the lines of rows 0, tile_rows, 2
 * tile_rows ..., and left border, the lines of columns 0, tile_columns ... */
typedef struct nw_headers {
  const int32_t *row_lines;    /* H(k * tile_rows, j) is at [k * row_stride + j] */
  const int32_t *column_lines; /* H(i, k * tile_columns) is at [k * column_stride + i] */
  int64_t row_stride, column_stride;
  int tile_rows, tile_columns;
} nw_headers;

/* Fills the tile at (top, left) down to (row, column) from its headers. The block's cells are the caller's,
 * with room for a tile and its borders. */
void nw_fill_tile(nw_block *tile, const nw_headers *headers, int64_t top, int64_t left);

/* Trace2-Sparse: computes each tile that the path passes again, from its headers, until the path comes to row
 * 0 or column 0. `whole` has no cells. */
cla_status nw_trace_sparse(nw_path *path, const nw_block *whole, const nw_headers *headers, cla_error *error);

#endif
