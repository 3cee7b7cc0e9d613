#ifndef HOST_WRITE_PLOTS_RECORDS_PLOT_H
#define HOST_WRITE_PLOTS_RECORDS_PLOT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "clalign/plot.h"
#include "write/hit_roles.h"
#include "write/plots/plot_canvas.h"

/* The picture of many records: on each axis the records one after the other, lines between the records, and
 * the paths. */

typedef struct plot_record {
  char *name; /* owned; valid text, with room for an ellipsis */
  char *head; /* the record's description, or its name, for the title; owned */
  uint8_t checksum[16];
  int64_t length, number; /* number of letters; number of the record on its axis, in the order of input */
  bool drawn;
  int64_t offset;            /* number of letters of the records before this record on its axis */
  struct identity_bin *bins; /* for a target: counts for parts of equal lengths; owned; NULL: none */
  int64_t bin_count;
  char *letters; /* the record's letters (cla_records_plot_keep_letters); owned; NULL: none */
  double place;  /* for a query: its place on the axis of the targets */
} plot_record;

/* The records of one axis. */
typedef struct plot_records {
  plot_record **items; /* the records, each owned, in the order of the axis */
  int64_t count, capacity;
  void *tree;             /* the same records by name and letters, for tsearch */
  int64_t drawn, letters; /* number of drawn records, and of their letters */
  int64_t covered;        /* number of letters that are in an alignment */
} plot_records;

/* A point of a path, as positions on the forward strands of the records. */
typedef struct path_point {
  int64_t query, target;
} path_point;

/* An alignment: `count` of the plot's points, starting with point `first`. */
typedef struct plot_hit {
  plot_record *query, *target;
  int64_t first, count;
  bool reverse;
  int64_t score;
  cla_plot_kind kind;
  char *path;     /* extended CIGAR, used by pages; owned; NULL: none */
  bool secondary; /* the hit's query letters have a better alignment elsewhere */
} plot_hit;

struct cla_records_plot {
  plot_records queries, targets;
  plot_hit *hits;
  int64_t count, capacity;
  path_point *points;
  int64_t point_count, point_capacity;
  cla_alphabet alphabet;
  struct plot_feature *features; /* owned */
  int64_t feature_count, feature_capacity;
  bool strip;           /* the picture has a strip with the identity along the targets */
  bool keep_letters;    /* letters of records are stored for a page */
  int64_t kept_letters; /* number of letters stored so far */
};

/* A feature of a target. */
typedef struct plot_feature {
  plot_record *target;
  int64_t begin, end;
  bool reverse;
} plot_feature;

/* Pairs of a part of a target. */
typedef struct identity_bin {
  int64_t matches, pairs;
} identity_bin;

/* Adds an alignment's pairs to the bins of its target. CLA_ERROR_MEMORY. */
cla_status records_strip_add(plot_record *record, const cla_alignment *alignment, const cla_sequence *query,
                             const cla_sequence *target, cla_error *error);

/* Height, in points, of the strip and its key above the panel. */
#define RECORDS_STRIP_ROOM 40.0

/* Points for the lane of features between the strip and the panel. */
#define RECORDS_LANE_ROOM 16.0

/* The size of the picture, and the place of its panel, in points. */
typedef struct records_layout {
  double width, height, panel_x, panel_y, panel_width, panel_height;
  bool names_upwards; /* the names of targets are upright */
} records_layout;

void records_plot_layout(records_layout *out, const cla_records_plot *plot, const cla_plot_options *options);
/* Returns the height, in points, of the strip and the lane of features above the panel; 0 for each that is
 * missing. */
double records_strip_room(const cla_records_plot *plot);

/* Draws the strip above the panel, its key and features. */
void records_strip_draw(plot_canvas *canvas, const cla_records_plot *plot, const records_layout *layout);

void records_plot_draw(plot_canvas *canvas, const cla_records_plot *plot, const records_layout *layout,
                       const cla_plot_options *options);

/* Writes a page with which the picture in `svg` can be zoomed. CLA_ERROR_MEMORY. Output errors only set the
 * stream's error flag. */
cla_status records_page_write(FILE *file, const char *svg, const cla_records_plot *plot,
                              const records_layout *layout, cla_error *error);

#endif
