#ifndef HOST_PLAN_WAYS_H
#define HOST_PLAN_WAYS_H

#include "plan/plan.h"
#include "tuning/rates.h"

/* Chooses, by predicted times, the way to align a pair of which bounds leave a part. A line is an
 * anti-diagonal. */

typedef enum plan_way { WAY_BAND, WAY_WINDOWS, WAY_SWEEP } plan_way;

typedef struct ways_input {
  tuning_rates rates;
  plan_bounds bounds;
  bool gpu;               /* the device that sweeps is a GPU */
  int compute_units;      /* compute units of the device that sweeps */
  int threads;            /* threads of the host */
  double rows, columns;   /* letters of the query and of the target */
  double sweep_seconds;   /* time of the sweep's cells without bounds, from a record; negative: not known */
  double sweep_share;     /* part of the matrix that a sweep without bounds computes */
  double opening_seconds; /* time to open the device */
  bool may_band;          /* options, scores and memory allow a band */
  /* The part that the bounds leave, once they are made. */
  double area;     /* cells left */
  double windows;  /* cells in the windows of a sweep, >= area */
  double expected; /* cells expected to remain once values are exact */
  double spread;   /* diagonals that stay because of unlike stretches, summed over all rows */
  double widest;   /* columns of the widest window; 0: not known */
} ways_input;

/* Seconds of each way after the levels, including the traceback. */
typedef struct way_seconds {
  bool known;
  double band, windows, sweep;
  double part;  /* cells of a sweep in windows, as a part of the cells of a sweep without windows */
  double share; /* the windows' part of the matrix, if a sweep computes the usual part of them */
  int parts;    /* most parts of a band that agree; 1: one thread computes the band; 0: no limit */
  plan_way chosen;
} way_seconds;

/* Predicts the seconds of each way, and chooses one. */
way_seconds ways_choose(const ways_input *in);

/* Describes the chosen way and the reason in a clause. `text` has room for 128 bytes. */
void ways_describe(char text[128], const way_seconds *ways, const ways_input *in);

/* Returns the seconds of a sweep without bounds, including its traceback. */
double ways_sweep_seconds(const ways_input *in);

/* Returns the least seconds of levels, by edits or by seeds, together with a band. */
double ways_levels_seconds(const ways_input *in, bool edits);

/* Return the work limit of the levels, and the work of the best way after the levels, in cells of a fit. */
double ways_work_most(const ways_input *in);
double ways_left_work(const ways_input *in);

/* Returns the most diagonals, summed over all rows, that may stay because of unlike stretches if levels are
 * to be made. */
double ways_spread_most(const ways_input *in);

#endif
