#ifndef HOST_WRITE_PLANE_TEXT_H
#define HOST_WRITE_PLANE_TEXT_H

#include <stdio.h>

#include "clalign/plane.h"

/* The polygons of a plane of two costs as text, and their values in points. */

/* A fraction without a common divisor. */
typedef struct plane_value {
  int64_t number, one; /* one >= 1 */
} plane_value;

/* Returns number / one units of the scheme in points. */
plane_value plane_value_make(int64_t number, int64_t one, const cla_scoring *scoring);

/* Writes the polygons; output errors only set the stream's error flag. CLA_ERROR_MEMORY. */
cla_status plane_json_write(FILE *file, const cla_cost_plane *plane, const cla_alignment *alignment,
                            cla_error *error);
void plane_tsv_write(FILE *file, const cla_cost_plane *plane, const cla_alignment *alignment);

/* Draws the polygons to a canvas of the file's kind. CLA_ERROR_MEMORY, CLA_ERROR_OUTPUT. */
cla_status plane_plot_draw(FILE *file, const char *path, const cla_cost_plane *plane, const cla_results *pair,
                           const cla_plot_options *options, cla_error *error);

#endif
