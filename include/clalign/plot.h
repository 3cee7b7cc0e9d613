#ifndef CLALIGN_PLOT_H
#define CLALIGN_PLOT_H

#include "clalign/alignment.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A part of a record, 0-based and half-open, on the record's forward strand; both fields 0: not given. */
typedef struct cla_plot_range {
  int64_t from, to; /* letters `from` .. `to` - 1 */
} cla_plot_range;

/* Options of a plot; all zero: the whole matrix, without `work`, in the usual size. If a range is given for
 * only one sequence, the range of the other sequence is the part that the paths cross within the given
 * range. */
typedef struct cla_plot_options {
  cla_plot_range query, target; /* the part of the matrix to be drawn */
  bool work; /* also show how the first alignment's matrix was computed; the alignment must have its `work` */
  bool dark; /* draw on a dark background */
  const char *title; /* NULL: the names of the sequences */
  int64_t size; /* size of the matrix' longer side, in points: CLA_PLOT_SIZE_LEAST .. CLA_PLOT_SIZE_MOST; 0:
                   600 */
  int64_t dpi; /* dots per inch of a PNG, CLA_PLOT_DPI_LEAST .. CLA_PLOT_DPI_MOST; 0: 96, a pixel per point */
} cla_plot_options;

/* The limits of size and dpi. */
#define CLA_PLOT_SIZE_LEAST 200 /* points */
#define CLA_PLOT_SIZE_MOST 4000 /* points */
#define CLA_PLOT_DPI_LEAST 48   /* dots per inch */
#define CLA_PLOT_DPI_MOST 600   /* dots per inch */

/* Checks the arguments of a plot before the alignment is computed. CLA_ERROR_OPTION for a file name that does
 * not end in .png, .svg, .pdf or .html, and for a size or dpi out of its range. If both sequences are given,
 * the same error is returned for ranges outside the aligned part of a record. `query`, `target` and `options`
 * may be NULL. */
cla_status cla_plot_check(const char *path, const cla_plot_options *options, const cla_sequence *query,
                          const cla_sequence *target, cla_error *error);

/* Draws the matrix of a pair with its alignments (docs/plots.md). There must be at least one alignment. The
 * plot shows paths coloured by strand and identity, exact matches elsewhere (for DNA), the first alignment's
 * identity along the target, and the first alignment's largest gaps. If results->certificates has the first
 * alignment's certificate, the plot shows which columns are certain (docs/certainty.md).
 *
 * The format follows from the name of the file. An SVG is small for alignments of any length. An .html page
 * can be zoomed and shows letters; size and dpi are ignored. With the same libraries and fonts, the same
 * arguments give the same bytes; an SVG does not depend on libraries and fonts. The plot is written to a
 * temporary file, which is then renamed, so that `path` never contains a partial file. `options` may be NULL.
 *
 * Errors: those of cla_plot_check. CLA_ERROR_OPTION if `work` is requested but the alignment has none, or if
 * the certificate has other columns. CLA_ERROR_VERIFICATION if the alignments do not fit the sequences,
 * CLA_ERROR_OUTPUT, CLA_ERROR_MEMORY. */
cla_status cla_plot_write(const char *path, const cla_results *results, const cla_plot_options *options,
                          cla_error *error);

/* A picture of the alignments of many records. */
typedef struct cla_records_plot cla_records_plot;

/* Creates a picture without alignments. CLA_ERROR_MEMORY. The caller frees *out with
 * cla_records_plot_free. */
cla_status cla_records_plot_begin(cla_records_plot **out, cla_error *error);

/* Adds a pair's alignments; `count` may be 0. The drawn parts of alignments are copied. Two sequences are the
 * same record if their names and letters are equal. Alignments without a path are left out.
 * CLA_ERROR_MEMORY. */
cla_status cla_records_plot_add(cla_records_plot *plot, const cla_alignment *const *alignments, size_t count,
                                const cla_sequence *query, const cla_sequence *target, cla_error *error);

/* The kind of an alignment of two compared genomes (clalign/events.h), which determines its colour. */
typedef enum cla_plot_kind {
  CLA_PLOT_BY_STRAND = 0,    /* no kind: the colour shows the strand */
  CLA_PLOT_SYNTENIC = 1,     /* at the expected place */
  CLA_PLOT_INVERTED = 2,     /* at the expected place, on the other strand */
  CLA_PLOT_RELOCATED = 3,    /* at another place of the same record */
  CLA_PLOT_TRANSLOCATED = 4, /* in another record */
  CLA_PLOT_COPY = 5,         /* an additional copy */
} cla_plot_kind;

/* Like cla_records_plot_add, for one alignment that is drawn in the colour of its kind. The picture then also
 * has a strip with the identity along the targets. CLA_ERROR_VERIFICATION if the alignment does not fit the
 * sequences; CLA_ERROR_MEMORY. */
cla_status cla_records_plot_add_as(cla_records_plot *plot, const cla_alignment *alignment, cla_plot_kind kind,
                                   const cla_sequence *query, const cla_sequence *target, cla_error *error);

/* Adds a feature of a target, such as a gene. A lane above the picture shows the feature. The target must
 * have been added before; *known is false if no target has the name. `begin` and `end` are 0-based half-open.
 * CLA_ERROR_MEMORY. */
cla_status cla_records_plot_add_feature(bool *known, cla_records_plot *plot, const char *target,
                                        int64_t begin, int64_t end, bool reverse, cla_error *error);

/* Stores the letters of all records added after this call, up to 16 Mi letters together. A page then shows
 * the letters of each alignment. */
void cla_records_plot_keep_letters(cla_records_plot *plot);

/* Returns the number of alignments in the picture. */
size_t cla_records_plot_alignments(const cla_records_plot *plot);

/* Draws all target records along x in the order in which they were added. Query records with an alignment are
 * drawn along y, ordered by the place of their best alignment. `options` may be NULL; ranges and `work` must
 * not be set. Errors are those of cla_plot_write, and CLA_ERROR_OPTION if there is no alignment. */
cla_status cla_records_plot_write(const char *path, cla_records_plot *plot, const cla_plot_options *options,
                                  cla_error *error);

/* Frees the picture; NULL is allowed. */
void cla_records_plot_free(cla_records_plot *plot);

#ifdef __cplusplus
}
#endif

#endif
