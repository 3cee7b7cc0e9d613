#ifndef HOST_CERTAIN_PLANE_POLYGONS_H
#define HOST_CERTAIN_PLANE_POLYGONS_H

#include <stdbool.h>
#include <stdint.h>

#include "clalign/status.h"

/* The largest of several linear functions of two costs, as convex polygons. All is exact. */

/* A linear function of both costs: base + slopes[0] * x + slopes[1] * y. */
typedef struct plane_line {
  int64_t base, slopes[2];
} plane_line;

/* A point: x = number[0] / one, y = number[1] / one, without a common divisor; one >= 1. */
typedef struct plane_point {
  __int128 number[2], one;
} plane_point;

/* How much is known about a corner. */
typedef enum corner_state {
  CORNER_OPEN,
  CORNER_EXACT, /* the optimum there is the polygon's line */
  CORNER_NEAR,  /* the optimum at a point of the polygon near the corner is the polygon's line */
} corner_state;

/* The points in which one line is the largest. On side i of the polygon sides[i] is 0; inside all sides are
 * above 0. Corner i lies between sides i and i + 1. */
typedef struct plane_polygon {
  plane_line line;
  int64_t count, capacity;
  plane_line *sides;    /* owned */
  plane_point *corners; /* owned */
  corner_state *states; /* owned */
} plane_polygon;

/* Returns the point without a common divisor. one >= 1. */
plane_point plane_point_make(__int128 x, __int128 y, __int128 one);

bool plane_points_equal(const plane_point *a, const plane_point *b);

/* Compares the value at a point with 0: returns -1, 0 or 1. */
int plane_sign(const plane_line *line, const plane_point *point);

/* Returns a - b. */
plane_line plane_difference(const plane_line *a, const plane_line *b);

/* Sets the polygon to a rectangle that holds low[i] / one <= costs[i] <= high[i] / one. The caller calls
 * plane_polygon_free, also after an error. CLA_ERROR_MEMORY. */
cla_status plane_polygon_begin(plane_polygon *p, const int64_t low[2], const int64_t high[2], int64_t one,
                               cla_error *error);
cla_status plane_polygon_copy(plane_polygon *to, const plane_polygon *from, cla_error *error);
void plane_polygon_free(plane_polygon *p);

/* Cuts off the points in which the line is below 0. New corners are open. A polygon without inner points is
 * left without corners. CLA_ERROR_MEMORY. */
cla_status plane_polygon_cut(plane_polygon *p, const plane_line *line, cla_error *error);

/* Marks corners at the point that are open. */
void plane_polygon_mark(plane_polygon *p, const plane_point *point, corner_state state);

/* True if the point lies in the polygon or on its border. */
bool plane_polygon_has(const plane_polygon *p, const plane_point *point);

#endif
