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

/* What a system is beside its name, file and section. */
#define ON_CPU(SETS, RUN) \
  .settings = (SETS), .whole_matrix = true, .run = (RUN), .scheme = &scheme, .paper = "001"
#define ON_GPU(SETS, RUN) \
  .settings = (SETS), .on_device = true, .run = (RUN), .scheme = &scheme, .paper = "001"
#define WHOLE .whole_matrix = true
#define WAITS .groups_wait = true

/* Name, file, section, what it adds. */
#define SYSTEM(NAME, SOURCE, SECTION, ADDS) \
  .name = (NAME), .source = (SOURCE), .section = (SECTION), .adds = (ADDS)

const study_system paper_001[] = {
    {SYSTEM("Cpu1", "cpu1_rows.c", "4.3", "cells row by row, with Trace1-Plain"), ON_CPU(PLAIN, nw_cpu1)},
    {SYSTEM("Cpu2", "cpu2_diagonals.c", "4.4", "cells by anti-diagonals"), ON_CPU(PLAIN, nw_cpu2)},
    {SYSTEM("Cpu3", "cpu3_tiles.c", "4.5", "tiles by anti-diagonals"), ON_CPU(BLOCKS, nw_cpu3)},
    {SYSTEM("Cpu4", "cpu4_threads.c", "4.6", "threads"), ON_CPU(THREADS, nw_cpu4)},
    {SYSTEM("Gpu1", "gpu1.cl", "4.7", "one launch an anti-diagonal of cells"), ON_GPU(ITEMS, nw_gpu1), WHOLE},
    {SYSTEM("Gpu2", "gpu2.cl", "4.8", "a small tile a work-item; scores in local memory"),
     ON_GPU(SMALL, nw_gpu2), WHOLE},
    {SYSTEM("Gpu3", "gpu3.cl", "4.9", "a tile a work-group, in local memory"), ON_GPU(LOCAL, nw_gpu3), WHOLE},
    {SYSTEM("Gpu4", "gpu4.cl", "4.10", "scores of all cells in a pass before"), ON_GPU(LOCAL, nw_gpu4),
     WHOLE},
    {SYSTEM("Gpu5", "gpu5.cl", "4.11", "one launch; work-groups wait for each other"), ON_GPU(LOCAL, nw_gpu5),
     WHOLE, WAITS},
    {SYSTEM("Gpu6", "gpu6.cl", "4.12", "the pass before and the one launch"), ON_GPU(LOCAL, nw_gpu6), WHOLE,
     WAITS},
    {SYSTEM("Gpu7", "gpu7.cl", "4.13", "only tiles' borders are kept, with Trace2-Sparse"),
     ON_GPU(LOCAL, nw_gpu_sparse)},
    {SYSTEM("Gpu8", "gpu8.cl", "4.14", "anti-diagonals in registers"), ON_GPU(WARP, nw_gpu_sparse)},
    {SYSTEM("Gpu9", "gpu9.cl", "4.15", "parallelograms, several warps a tile"), ON_GPU(TALL, nw_gpu_sparse)},
    {SYSTEM("Gpu10", "gpu10.cl", "7", "only super-tiles' borders are kept"), ON_GPU(TALL, nw_gpu10)},
    {.name = NULL},
};
