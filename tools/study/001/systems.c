/* The systems of Stanojević 2025, in the thesis' order (tables 2 and 3). */

#include "study.h"

cla_status nw_cpu1(study_result *out, const study_task *task, cla_error *error);
cla_status nw_cpu2(study_result *out, const study_task *task, cla_error *error);
cla_status nw_cpu3(study_result *out, const study_task *task, cla_error *error);
cla_status nw_cpu4(study_result *out, const study_task *task, cla_error *error);
cla_status nw_gpu1(study_result *out, const study_task *task, cla_error *error);
cla_status nw_gpu2(study_result *out, const study_task *task, cla_error *error);
cla_status nw_gpu3(study_result *out, const study_task *task, cla_error *error);
cla_status nw_gpu4(study_result *out, const study_task *task, cla_error *error);
cla_status nw_gpu5(study_result *out, const study_task *task, cla_error *error);
cla_status nw_gpu6(study_result *out, const study_task *task, cla_error *error);
cla_status nw_gpu_sparse(study_result *out, const study_task *task, cla_error *error);
cla_status nw_gpu10(study_result *out, const study_task *task, cla_error *error);

static const study_scheme scheme = {
    .mode = CLA_MODE_GLOBAL, .protein = true, .matrix = "BLOSUM62", .gap_first = 11, .gap_ext = 11};

/* Tile rows, tile columns, work-items or threads. */
#define SETTINGS (const study_setting[])
#define PLAIN    \
  SETTINGS {     \
    {0, 0, 0}, { \
      0, 0, 0    \
    }            \
  }
#define BLOCKS                                                     \
  SETTINGS {                                                       \
    {256, 256, 0}, {64, 64, 0}, {128, 1024, 0}, {1024, 1024, 0}, { \
      0, 0, 0                                                      \
    }                                                              \
  }
#define THREADS                                                                                  \
  SETTINGS {                                                                                     \
    {256, 256, 0}, {256, 256, 1}, {256, 256, 2}, {256, 256, 4}, {256, 256, 8}, {256, 256, 16}, { \
      0, 0, 0                                                                                    \
    }                                                                                            \
  }
#define ITEMS                                           \
  SETTINGS {                                            \
    {0, 0, 128}, {0, 0, 32}, {0, 0, 64}, {0, 0, 256}, { \
      0, 0, 0                                           \
    }                                                   \
  }
#define SMALL                                                                   \
  SETTINGS {                                                                    \
    {4, 8, 64}, {4, 8, 32}, {4, 8, 128}, {2, 4, 64}, {8, 8, 64}, {8, 16, 64}, { \
      0, 0, 0                                                                   \
    }                                                                           \
  }
#define LOCAL                                                                                 \
  SETTINGS {                                                                                  \
    {32, 64, 64}, {32, 32, 32}, {32, 64, 32}, {32, 64, 128}, {32, 128, 64}, {32, 128, 128}, { \
      0, 0, 0                                                                                 \
    }                                                                                         \
  }

#define WARP                                                                    \
  SETTINGS {                                                                    \
    {32, 256, 32}, {32, 64, 32}, {32, 128, 32}, {32, 512, 32}, {32, 256, 64}, { \
      0, 0, 0                                                                   \
    }                                                                           \
  }
#define TALL                                                                             \
  SETTINGS {                                                                             \
    {128, 256, 128}, {64, 256, 64}, {256, 256, 256}, {128, 128, 128}, {128, 512, 128}, { \
      0, 0, 0                                                                            \
    }                                                                                    \
  }

/* A table of this paper ends with a row of zeros. */
#define CPU(NAME, SOURCE, SECTION, SETS, RUN, ADDS) \
  { "001", NAME, SOURCE, SECTION, ADDS, &scheme, SETS, false, true, RUN }
#define GPU(NAME, SOURCE, SECTION, SETS, WHOLE, RUN, ADDS) \
  { "001", NAME, SOURCE, SECTION, ADDS, &scheme, SETS, true, WHOLE, RUN }

const study_system paper_001[] = {
    CPU("Cpu1", "cpu1_rows.c", "4.3", PLAIN, nw_cpu1, "cells row by row, with Trace1-Plain"),
    CPU("Cpu2", "cpu2_diagonals.c", "4.4", PLAIN, nw_cpu2, "cells by anti-diagonals"),
    CPU("Cpu3", "cpu3_tiles.c", "4.5", BLOCKS, nw_cpu3, "tiles by anti-diagonals"),
    CPU("Cpu4", "cpu4_threads.c", "4.6", THREADS, nw_cpu4, "threads"),
    GPU("Gpu1", "gpu1.cl", "4.7", ITEMS, true, nw_gpu1, "one launch an anti-diagonal of cells"),
    GPU("Gpu2", "gpu2.cl", "4.8", SMALL, true, nw_gpu2, "a small tile a work-item, scores in local memory"),
    GPU("Gpu3", "gpu3.cl", "4.9", LOCAL, true, nw_gpu3, "a tile a work-group, in local memory"),
    GPU("Gpu4", "gpu4.cl", "4.10", LOCAL, true, nw_gpu4, "scores of all cells in a pass before"),
    GPU("Gpu5", "gpu5.cl", "4.11", LOCAL, true, nw_gpu5, "one launch, work-groups wait for each other"),
    GPU("Gpu6", "gpu6.cl", "4.12", LOCAL, true, nw_gpu6, "both of these"),
    GPU("Gpu7", "gpu7.cl", "4.13", LOCAL, false, nw_gpu_sparse,
        "tiles' borders are kept, with Trace2-Sparse"),
    GPU("Gpu8", "gpu8.cl", "4.14", WARP, false, nw_gpu_sparse, "anti-diagonals in registers"),
    GPU("Gpu9", "gpu9.cl", "4.15", TALL, false, nw_gpu_sparse, "parallelograms, several warps a tile"),
    GPU("Gpu10", "gpu10.cl", "7", TALL, false, nw_gpu10, "super-tiles' borders are kept"),
    {0},
};
