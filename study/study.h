#ifndef TOOLS_STUDY_STUDY_H
#define TOOLS_STUDY_STUDY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/machine.h"
#include "clalign/alignment.h"
#include "device/device.h"
#include "reference/reference.h"
#include "scoring/pair_problem.h"
#include "seq/sequence.h"

/* The study: systems of the source papers, one beside the other. README.md says how one is added. */

/* How the pairs of a paper are scored. */
typedef struct study_scheme {
  cla_mode mode;
  bool protein;       /* letters of the pairs: amino acids, or DNA */
  bool alike;         /* 5 % substitutions and 0.5 % indels, as between two strains; else 30 % and 2 % */
  const char *matrix; /* a built-in one, or NULL: `match` and `mismatch` */
  int gap_first, gap_ext;
  int match, mismatch; /* both 0: 1 and -3 */
} study_scheme;

/* A pair of sequences and what the oracle knows of it. */
typedef struct study_problem {
  cla_sequence *query, *target; /* owned */
  cla_scoring scoring;
  score_table table;
  pair_problem pair; /* the two sequences as codes, with `table` */
  int letters;       /* codes are below it */
  int64_t score;     /* the oracle's */
  bool has_matrix;
  reference_matrix matrix; /* the oracle's, of short pairs */
} study_problem;

/* What may be chosen of a system: the tile, and work-items of a group or threads. 0: the system has none. */
typedef struct study_setting {
  int rows, columns, items;
} study_setting;

typedef struct study_task study_task;

/* Cells that a system has kept: (i * row_step, j * column_step) is at values[i * row_stride + j *
 * column_stride]. */
typedef struct study_cells {
  int32_t *values; /* owned; NULL: none */
  int64_t row_step, column_step, row_stride, column_stride;
} study_cells;

#define STUDY_NO_CELLS (-1)

/* What a run found, and what it took. Zero-initialise. */
typedef struct study_result {
  int64_t score;
  int64_t query_end, target_end;     /* letters before the end of a local path */
  int64_t query_start, target_start; /* letters before the start of a local path */
  cla_run *runs;                     /* the path from start to end; owned; NULL: the score alone */
  size_t run_count;
  study_cells cells[2];
  int64_t (*place)(const study_task *task, int64_t i, int64_t j); /* of cells[0]; NULL: by its strides */
  int64_t stored_bytes;                     /* of the cells that came back to the host */
  int64_t cells_computed;                   /* 0: those of the matrix; STUDY_NO_CELLS: none */
  double prepare, compute, transfer, trace; /* seconds: memory and upload, cells, download, path */
  double batch_cells;                       /* of many pairs, which the system checks itself; 0: the pair's */
} study_result;

typedef struct study_system study_system;

/* One run of one system. */
struct study_task {
  const study_system *system;
  const study_problem *problem;
  study_setting setting;
  cla_device *device; /* NULL for a system of the CPU */
};

/* A row of the study. */
struct study_system {
  const char *paper, *name;
  const char
      *source; /* the file that shows the idea, in the paper's folder; of a GPU system the kernel file */
  const char *section; /* of the paper */
  const char *adds;    /* what it adds, a phrase */
  const study_scheme *scheme;
  const study_setting *settings; /* the first is the default; ended by zeros, but one at least */
  bool on_device;
  bool by_clalign;   /* on clalign's own kernels, not on those of this folder */
  bool whole_matrix; /* keeps all cells */
  bool groups_wait;  /* work-groups of a launch wait for each other */
  cla_status (*run)(study_result *out, const study_task *task, cla_error *error);
};

/* The table, ended by a NULL name: each paper's systems in its order. */
extern const study_system *const study_papers[];

/* problem.c: pairs and checks. A related pair of `length` letters; the caller ends with study_problem_free.
 */
cla_status study_problem_make(study_problem *out, const study_scheme *scheme, int64_t length,
                              cla_error *error);
void study_problem_free(study_problem *problem);

/* Whether the result is the oracle's: the score, the path's score letter by letter, and, of short pairs, each
 * kept cell. Else CLA_ERROR_VERIFICATION, which names the system. */
cla_status study_check(const study_result *result, const study_task *task, cla_error *error);
void study_result_free(study_result *result);

/* Seconds since *last, which becomes now. */
static inline double study_lap(double *last) {
  const double now = machine_seconds(), seconds = now - *last;
  *last = now;
  return seconds;
}

/* device.c: OpenCL for the systems. A kernel of the system's file, built with `options`. */
cla_status study_kernel(cl_kernel *out, const study_task *task, const char *name, const char *options,
                        cla_error *error);

/* Starts `groups` work-groups of `items` work-items each. The device does them after all that came before. */
cla_status study_launch(const study_task *task, cl_kernel kernel, int64_t groups, int64_t items,
                        cla_error *error);
cla_status study_wait(const study_task *task, cla_error *error);

/* Copies a buffer's bytes to the host, after all that came before. */
cla_status study_read(const study_task *task, cl_mem from, void *to, int64_t bytes, cla_error *error);
cla_status study_write(const study_task *task, cl_mem to, const void *from, int64_t bytes, cla_error *error);

/* A buffer of zeros; the caller releases it. */
cla_status study_zeros(cl_mem *out, const study_task *task, int64_t bytes, const char *what,
                       cla_error *error);

#endif
