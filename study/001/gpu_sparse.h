#ifndef TOOLS_STUDY_001_GPU_SPARSE_H
#define TOOLS_STUDY_001_GPU_SPARSE_H

#include "gpu_matrix.h"

/* Headers on the device: lines that are `row_step` rows and `column_step` columns apart. */
typedef struct nw_lines {
  int row_step, column_step;
  int32_t *rows, *columns; /* owned: the lines on the host, once they are read */
} nw_lines;

/* Buffers for the lines, and the first of each kind: row 0 of the padded rectangle, `top`, of gpu->columns +
 * 1 cells, and column 0, `left`. */
cla_status nw_lines_make(nw_gpu *gpu, nw_lines *lines, const int32_t *top, const int32_t *left,
                         cla_error *error);

/* The same where row 0 and column 0 are those of the whole matrix. */
cla_status nw_lines_make_first(nw_gpu *gpu, nw_lines *lines, int gap, cla_error *error);

/* Computes all tiles by Gpu7's, Gpu8's or Gpu9's kernel. */
cla_status nw_lines_fill(const nw_gpu *gpu, cla_error *error);

/* Reads the lines into `lines`. */
cla_status nw_lines_read(const nw_gpu *gpu, nw_lines *lines, cla_error *error);

nw_headers nw_lines_headers(const nw_gpu *gpu, const nw_lines *lines);

/* Gives the lines to the result, as kept cells. */
void nw_lines_give(study_result *out, const nw_gpu *gpu, nw_lines *lines);

#endif
