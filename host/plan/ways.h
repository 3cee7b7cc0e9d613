#ifndef HOST_PLAN_WAYS_H
#define HOST_PLAN_WAYS_H

#include "plan/plan.h"
#include "tuning/rates.h"

/* Chooses, by predicted times, how to align a pair if bounds leave only a part of its matrix. A line is an
 * anti-diagonal. */

typedef enum plan_way { WAY_BAND, WAY_WINDOWS, WAY_SWEEP } plan_way;

typedef struct ways_input {
  tuning_rates rates;
  plan_bounds bounds;
  bool gpu;               /* the sweep's device is a GPU */
  int compute_units;      /* compute units of the sweep's device */
  int threads;            /* threads of the host */
  double rows, columns;   /* letters of the query and of the target */
  double sweep_seconds;   /* time of the sweep's cells without bounds, from a record; negative: not known */
  double sweep_share;     /* fraction of the matrix that a sweep without bounds computes */
  double opening_seconds; /* time to open the device */
  bool may_band;          /* options, scores and memory allow a band */
  /* The part of the matrix that remains once the bounds are made. */
  double area;     /* cells that the bounds do not exclude */
  double windows;  /* diagonals that stay because of unlike stretches, summed over all rows */
  double expected; /* cells expected to remain once values are exact */
  double spread;   /* diagonals that stay because of unlike stretches, summed over all rows */
  double widest;   /* columns of the widest window; 0: not known */
} ways_input;

/* Seconds of each way after the levels, including the traceback. */
typedef struct way_seconds {
  bool known;
  double band, windows, sweep;
  double part; /* cells of a sweep in windows, as a fraction of the cells of a sweep without windows */
  /* Fraction of the matrix that the windows cover, provided that a sweep computes the usual fraction of
   * their cells. */
  double share;
  /* Maximum number of a band's parts that still join; 1: one thread computes the band; 0: no limit. */
  int parts;
  plan_way chosen;
} way_seconds;

/* Predicts the seconds of each way, and chooses one. */
way_seconds ways_choose(const ways_input *in);

/* Describes the chosen way and the reason in one clause. `text` has room for 128 bytes. */
void ways_describe(char text[128], const way_seconds *ways, const ways_input *in);

/* Returns the seconds of a sweep without bounds, including its traceback. */
double ways_sweep_seconds(const ways_input *in);

/* Returns the minimum seconds of a band and of the levels before it, which count edits or seeds. */
double ways_levels_seconds(const ways_input *in, bool edits);

/* Return the work limit of the levels, and the work of the best way after the levels; unit: cells of a
 * fit. */
double ways_work_most(const ways_input *in);
double ways_left_work(const ways_input *in);

/* Returns the maximum number of diagonals, summed over all rows, that may stay because of unlike stretches if
 * levels are to be made. */
double ways_spread_most(const ways_input *in);

#endif
