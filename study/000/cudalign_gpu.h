#ifndef TOOLS_STUDY_000_CUDALIGN_GPU_H
#define TOOLS_STUDY_000_CUDALIGN_GPU_H

#include "gotoh.h"

/* CUDAlign 1.0 on the host (sections 5.3 and 5.5): buses on the device, the launches of each
 * external diagonal, the best cell of all work-items. */

#define CUDALIGN_ALPHA 4 /* rows of a work-item, as in the papers */

typedef struct cudalign_gpu {
  const study_task *task;
  int row_blocks, columns, blocks, items; /* the grid; rows and columns are padded */
  char options[256];
  cl_mem query, target, horizontal, vertical[2], bests; /* owned */
} cudalign_gpu;

/* Letters and buses on the device. setting.rows is ALPHA * items; a block has at least setting.columns
 * columns, and twice `items`: the minimum size requirement. The caller ends with cudalign_gpu_end, also
 * after an error. */
cla_status cudalign_gpu_begin(cudalign_gpu *gpu, const study_task *task, cla_error *error);
void cudalign_gpu_end(cudalign_gpu *gpu);

/* A kernel with its arguments up to, but without, the diagonal, which is number *next. vertical[from] is
 * read, vertical[1 - from] written. */
cla_status cudalign_gpu_kernel(cl_kernel *out, cl_uint *next, const cudalign_gpu *gpu, const char *name,
                               int from, cla_error *error);

/* Launches external diagonal `diagonal` of it. */
cla_status cudalign_gpu_launch(const cudalign_gpu *gpu, cl_kernel kernel, cl_uint argument, int diagonal,
                               cla_error *error);

/* The number of external diagonals with cells delegation. */
int cudalign_gpu_diagonals(const cudalign_gpu *gpu);

/* The best cell of all work-items, after all launches. */
cla_status cudalign_gpu_best(gotoh_end *out, const cudalign_gpu *gpu, cla_error *error);

#endif
