#ifndef HOST_PLAN_WAYS_H
#define HOST_PLAN_WAYS_H

#include "plan/plan.h"
#include "tuning/rates.h"

/* The ways to align a pair of which bounds leave a part: which one takes least, by plain numbers. A line is
 * an anti-diagonal. */

typedef enum plan_way { WAY_BAND, WAY_WINDOWS, WAY_SWEEP } plan_way;

typedef struct ways_input {
  tuning_rates rates;
  plan_bounds bounds;
  bool gpu;               /* the device that sweeps is one */
  int compute_units;      /* of the device that sweeps */
  int threads;            /* of the host */
  double rows, columns;   /* letters */
  double sweep_seconds;   /* of the sweep's cells without bounds, by a record; negative: not known */
  double sweep_share;     /* part of the matrix that a sweep without bounds computes */
  double opening_seconds; /* until the device is open */
  bool may_band;          /* options, scores and memory allow a band */
  /* What bounds leave, once they are made. */
  double area;     /* cells */
  double windows;  /* cells in the windows of a sweep, `area` or more */
  double expected; /* cells that exact values are expected to leave */
  double spread;   /* diagonals that unlike stretches leave, summed over all rows */
  double widest;   /* columns of the widest window; 0: not known */
} ways_input;

/* Seconds of each way after the levels, with the traceback. */
typedef struct way_seconds {
  bool known;
  double band, windows, sweep;
  double part;  /* cells of a sweep in windows, as a part of those of a sweep without */
  double share; /* part of the matrix in windows, if a sweep computes as much of them as usual */
  int parts;    /* most parts of a band that agree; 1: one thread computes it; 0: as many as threads want */
  plan_way chosen;
} way_seconds;

/* Seconds of each way, and which one is chosen. */
way_seconds ways_choose(const ways_input *in);

/* The chosen way and the reason, as a clause. *text has room for 128 bytes. */
void ways_describe(char text[128], const way_seconds *ways, const ways_input *in);

/* Seconds of a sweep without bounds, with its traceback. */
double ways_sweep_seconds(const ways_input *in);

/* Least seconds of levels, by edits or by seeds, and a band. */
double ways_levels_seconds(const ways_input *in, bool edits);

/* The levels' limit, and the work of the best way after them, in cells of a fit. */
double ways_work_most(const ways_input *in);
double ways_left_work(const ways_input *in);

/* Most diagonals that unlike stretches may leave, summed over all rows, if levels are to be made. */
double ways_spread_most(const ways_input *in);

#endif
