#ifndef HOST_WRITE_PLOTS_RECORDS_PLOT_H
#define HOST_WRITE_PLOTS_RECORDS_PLOT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "clalign/plot.h"
#include "write/hit_roles.h"
#include "write/plots/plot_canvas.h"

/* The picture of many records: records one behind the other on either axis, lines between them, and the
 * paths. */

typedef struct plot_record {
  char *name; /* owned, clean, with room for an ellipsis */
  uint8_t checksum[16];
  int64_t length, number; /* in the order in which they came */
  bool drawn;
  int64_t offset;            /* letters of the records before it on its axis */
  struct identity_bin *bins; /* along a target, of equal lengths; owned; NULL: none */
  int64_t bin_count;
  char *letters; /* see cla_records_plot_keep_letters; owned; NULL: none */
  double place;  /* of a query: where it lies on the targets */
} plot_record;

/* The records of one axis. */
typedef struct plot_records {
  plot_record **items; /* owned each, in the order of the axis */
  int64_t count, capacity;
  void *tree;             /* the same by name and letters, for tsearch */
  int64_t drawn, letters; /* of the drawn ones */
  int64_t covered;        /* letters that an alignment has */
} plot_records;

/* A point of a path, in letters of the records' forward strands. */
typedef struct path_point {
  int64_t query, target;
} path_point;

/* An alignment: so many of the plot's points. */
typedef struct plot_hit {
  plot_record *query, *target;
  int64_t first, count;
  bool reverse;
  int64_t score;
  cla_plot_kind kind;
  char *path;     /* extended CIGAR, for a page; owned; NULL: none */
  bool secondary; /* the hit's query letters have a better place */
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
  bool strip;           /* of the identity along the targets */
  bool keep_letters;    /* for a page */
  int64_t kept_letters; /* letters of records so far */
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

/* Adds an alignment's pairs to its target's bins. CLA_ERROR_MEMORY. */
cla_status records_strip_add(plot_record *record, const cla_alignment *alignment, const cla_sequence *query,
                             const cla_sequence *target, cla_error *error);

/* Points above the panel for the strip and its key. */
#define RECORDS_STRIP_ROOM 40.0

/* Points for the lane of features between the strip and the panel. */
#define RECORDS_LANE_ROOM 16.0

/* Where the picture is. */
typedef struct records_layout {
  double width, height, panel_x, panel_y, panel_width, panel_height;
  bool names_upwards; /* of the targets */
} records_layout;

void records_plot_layout(records_layout *out, const cla_records_plot *plot, const cla_plot_options *options);
/* Points above the panel for all of this. */
double records_strip_room(const cla_records_plot *plot);

/* Draws the strip above the panel, its key and features. */
void records_strip_draw(plot_canvas *canvas, const cla_records_plot *plot, const records_layout *layout);

/* The colour of a hit. */
plot_color records_hit_color(const plot_hit *hit);

void records_plot_draw(plot_canvas *canvas, const cla_records_plot *plot, const records_layout *layout,
                       const cla_plot_options *options);

/* A page that zooms around the picture that `draw` has written to `svg`. CLA_ERROR_MEMORY; output errors are
 * left in the stream's flag. */
cla_status records_page_write(FILE *file, const char *svg, const cla_records_plot *plot,
                              const records_layout *layout, cla_error *error);

#endif
