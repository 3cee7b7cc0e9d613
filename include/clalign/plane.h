#ifndef CLALIGN_PLANE_H
#define CLALIGN_PLANE_H

#include "clalign/plot.h"
#include "clalign/stable.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Which alignments are optimal as two scores or costs change together (docs/certainty.md). The plane of both
 * is cut into convex polygons, and in each the optimum is a linear function of both (Gusfield,
 * Balasubramanian and Naor 1994). */

/* A part of the plane, in units of the scheme: low[i] / one <= value of costs[i] <= high[i] / one. */
typedef struct cla_cost_box {
  cla_cost costs[2];       /* two different ones: x and y */
  int64_t low[2], high[2]; /* low < high */
  int64_t one;             /* >= 1 */
} cla_cost_box;

/* The largest size of numbers in a box. */
#define CLA_COST_BOX_MOST INT64_C(1000000000000)

/* A corner of a polygon: the values number[i] / one of costs[i], in units of the scheme. */
typedef struct cla_cost_corner {
  int64_t number[2], one; /* one >= 1 */
  bool exact; /* false: no scheme has these values. An alignment was sought beside the corner, in the polygon,
                 at most `beside` of the plane away */
} cla_cost_corner;

/* A part of the box in which one function is the optimum: base + slopes[0] x + slopes[1] y. */
typedef struct cla_cost_polygon {
  int64_t base, slopes[2]; /* in units of the scheme */
  /* The next counts are of one alignment that is optimal in the whole polygon (docs/formats.md). An alignment
   * with another number of what does not vary may score the same. */
  int64_t matches, mismatches;    /* pairs of equal and of other letters */
  int64_t gap_opens, gap_letters; /* gaps, and the letters in all of them */
  bool own;                       /* the given alignment is optimal in the whole polygon */
  cla_cost_corner *corners;       /* counter-clockwise; owned */
  int64_t corner_count;           /* >= 3 */
} cla_cost_polygon;

/* The polygons of a box. */
typedef struct cla_cost_plane {
  cla_cost_box box;           /* the box that was asked for */
  cla_cost_polygon *polygons; /* in order of discovery; owned */
  int64_t count;              /* number of polygons */
  int64_t own;                /* number of polygons with `own` */
  bool exact;                 /* all corners are exact */
  /* 0 if exact. Else each polygon is exact but for strips of this width along its sides, in units of the
   * scheme. A thinner polygon may be missing in these strips. */
  double beside;
  int64_t alignments; /* number of alignments that were computed */
  double seconds;     /* wall time */
} cla_cost_plane;

/* The usual largest number of alignments. */
#define CLA_COST_PLANE_ALIGNMENTS 5000

/* What to look for. */
typedef struct cla_cost_plane_options {
  cla_cost_box box;        /* the two costs and their ranges */
  int64_t alignments_most; /* the largest number of alignments to compute */
} cla_cost_plane_options;

/* Finds the polygons of a box for the first alignment of `pair`, which must be optimal and have a path. Parts
 * of the box in which no scheme exists are left out (clalign/scoring.h: scores of the wrong sign, or gap_ext
 * above gap_first). `how` is used as by cla_stability_find. The pair is aligned once for each polygon and
 * each corner. The caller frees *out with cla_cost_plane_free. Errors are those of cla_stability_find, and
 * CLA_ERROR_OPTION:
 *
 * - a wrong box, or one of costs that the scheme does not have
 * - more than alignments_most alignments would be needed */
cla_status cla_cost_plane_find(cla_cost_plane **out, cla_device *device, const cla_results *pair,
                               const cla_align_options *how, const cla_cost_plane_options *options,
                               cla_error *error);

/* CLA_ERROR_OPTION for a file name that does not end in .svg, .png, .pdf, .json or .tsv, and for a size or
 * dpi out of its range. `options` may be NULL. */
cla_status cla_cost_plane_check(const char *path, const cla_plot_options *options, cla_error *error);

/* Draws the plane, or writes its polygons as JSON or TSV (docs/formats.md). `pair` is that of the search.
 * `options` may be NULL; ranges and `work` are ignored. The file is written as by cla_plot_write. Errors:
 * those of cla_cost_plane_check, CLA_ERROR_OUTPUT, CLA_ERROR_MEMORY. */
cla_status cla_cost_plane_write(const char *path, const cla_cost_plane *plane, const cla_results *pair,
                                const cla_plot_options *options, cla_error *error);

/* Frees a plane, which may be NULL. */
void cla_cost_plane_free(cla_cost_plane *plane);

#ifdef __cplusplus
}
#endif

#endif
