#ifndef CLALIGN_PLOT_H
#define CLALIGN_PLOT_H

#include "clalign/alignment.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Part of a record, 0-based half-open on its forward strand; both 0: not given. */
typedef struct cla_plot_range {
  int64_t from, to; /* letters from .. to - 1 */
} cla_plot_range;

/* Options of a plot; zero: all of the matrix, the clean figure, in the usual size. If only one sequence has a
 * range, the other's range is the part that the paths cross within it. */
typedef struct cla_plot_options {
  cla_plot_range query, target; /* the part of the matrix */
  bool work;         /* also how the first alignment's matrix was computed, which it must say (`work`) */
  bool dark;         /* on a dark ground */
  const char *title; /* NULL: the names of the sequences */
  int64_t size; /* size of the matrix' longer side, in points: CLA_PLOT_SIZE_LEAST .. CLA_PLOT_SIZE_MOST; 0:
                   600 */
  int64_t dpi;  /* of a PNG, CLA_PLOT_DPI_LEAST .. CLA_PLOT_DPI_MOST; 0: 96, a pixel a point */
} cla_plot_options;

/* The limits of size and dpi. */
#define CLA_PLOT_SIZE_LEAST 200 /* points */
#define CLA_PLOT_SIZE_MOST 4000 /* points */
#define CLA_PLOT_DPI_LEAST 48   /* dots an inch */
#define CLA_PLOT_DPI_MOST 600   /* dots an inch */

/* Checks a plot before the alignment is computed. CLA_ERROR_OPTION for a file name that does not end in .png,
 * .svg, .pdf or .html, and for a size or dpi out of its range. With both sequences, also for a range outside
 * a record or the part of it that is aligned. `query`, `target` and `options` may be NULL. */
cla_status cla_plot_check(const char *path, const cla_plot_options *options, const cla_sequence *query,
                          const cla_sequence *target, cla_error *error);

/* Draws the matrix of a pair's alignments, at least one (docs/plots.md). It shows paths by strand and
 * identity, exact matches elsewhere (for DNA), the first alignment's identity along the target, and its
 * largest gaps.
 *
 * The file's name decides the format. An SVG stays small however long the alignment is. An .html page zooms
 * and shows letters, and ignores size and dpi. The same arguments give the same bytes with the same libraries
 * and fonts; an SVG with any. A temporary file is renamed, so that nothing partial ever stands under `path`.
 * `options` may be NULL.
 *
 * Errors: those of cla_plot_check, CLA_ERROR_OPTION (`work` of an alignment without it),
 * CLA_ERROR_VERIFICATION (alignments that do not fit the sequences), CLA_ERROR_OUTPUT, CLA_ERROR_MEMORY. */
cla_status cla_plot_write(const char *path, const cla_results *results, const cla_plot_options *options,
                          cla_error *error);

/* A picture of the alignments of many records. */
typedef struct cla_records_plot cla_records_plot;

/* CLA_ERROR_MEMORY. Ends with cla_records_plot_free. */
cla_status cla_records_plot_begin(cla_records_plot **out, cla_error *error);

/* Adds a pair's alignments, perhaps none. The drawn parts are copied. Records are the same if their names and
 * letters are equal. Alignments without a path are left out. CLA_ERROR_MEMORY. */
cla_status cla_records_plot_add(cla_records_plot *plot, const cla_alignment *const *alignments, size_t count,
                                const cla_sequence *query, const cla_sequence *target, cla_error *error);

/* How many alignments it has. */
size_t cla_records_plot_alignments(const cla_records_plot *plot);

/* Draws all records of targets along x in the order in which they came, and those of queries that have an
 * alignment along y, by where their best one lies. `options`, which may be NULL, have no ranges and no
 * `work`. Errors: as cla_plot_write; CLA_ERROR_OPTION without an alignment. */
cla_status cla_records_plot_write(const char *path, cla_records_plot *plot, const cla_plot_options *options,
                                  cla_error *error);

/* NULL is allowed. */
void cla_records_plot_free(cla_records_plot *plot);

#ifdef __cplusplus
}
#endif

#endif
