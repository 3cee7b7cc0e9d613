#ifndef TOOLS_STUDY_001_GPU_MATRIX_H
#define TOOLS_STUDY_001_GPU_MATRIX_H

#include "nw.h"

#define NW_SUPER 8 /* tiles of a super-tile, down and across: SUPER of gpu10.cl */

/* The device's side of a run: letters, scores and, of Gpu1 to Gpu6, the matrix. Rows and columns are padded
 * to whole tiles, so that kernels need not look where the matrix ends; nobody reads what the padding gives.
 */
typedef struct nw_gpu {
  const study_task *task;
  int rows, columns; /* padded */
  cl_mem query, target, scores;
  cl_mem cells[2];   /* Gpu1 to Gpu6: the matrix; else the headers: row lines, column lines */
  char options[256]; /* of the build */
} nw_gpu;

/* Letters and scores on the device, padded to so many whole tiles: 1, or NW_SUPER. `block` has no cells. */
cla_status nw_gpu_begin(nw_gpu *gpu, const study_task *task, const nw_block *block, int tiles,
                        cla_error *error);
void nw_gpu_end(nw_gpu *gpu);

/* A kernel with the arguments that all of them have: the cells, letters, scores, rows and columns. `next` is
 * the number of the first further argument. */
cla_status nw_gpu_kernel(cl_kernel *out, cl_uint *next, const nw_gpu *gpu, const char *name,
                         cla_error *error);

/* A launch for each anti-diagonal of down x across cells or tiles, with a work-group each, or a work-item
 * each in groups of `items`. The diagonal's number is the kernel's argument `argument`. */
typedef struct nw_wave {
  cl_kernel kernel;
  cl_uint argument;
  int64_t down, across;
  int64_t items;
  bool item_each;
} nw_wave;

cla_status nw_gpu_wave(const nw_gpu *gpu, const nw_wave *wave, cla_error *error);

#endif
