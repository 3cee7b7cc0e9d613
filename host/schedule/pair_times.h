#ifndef HOST_SCHEDULE_PAIR_TIMES_H
#define HOST_SCHEDULE_PAIR_TIMES_H

#include "clalign/align.h"

/* How long a pair takes on one device: a model of the wavefront (paper 003, section 4.1.2, equation 4.6) with
 * what tuning records have measured, corrected by what was seen in this run.
 *
 * A pair's size class is the whole part of the logarithm to base 2 of its cells. A level says how many pairs
 * are in work on the device at once: 2^level, each with as large a part of it. */

#define SIZE_CLASSES 64
#define LEVELS 6

/* How pairs are aligned. */
typedef enum batch_method {
  METHOD_SINGLE, /* one by the stages of cla_align */
  METHOD_PACKED, /* many at once, a lane each */
  METHODS
} batch_method;

/* Measured seconds as a multiple of what the model says. */
typedef struct time_ratio {
  double ratio;
  int64_t count; /* measurements; 0: nothing is known */
} time_ratio;

/* What a pair of a class takes by the model. */
typedef struct class_model {
  bool known;
  double cells;        /* of the pair that stands for the class */
  double cell_seconds; /* of one compute unit, the traceback's share included */
  double width;        /* compute units that the tiles of one pair can keep busy, on the average */
} class_model;

typedef struct pair_times {
  cla_device_info device; /* compute units, kind */
  cla_align_options align;
  int levels;     /* that are used: 1 and more */
  int64_t enough; /* pairs that fill a pack's lanes; 0: there are no packs */
  class_model classes[SIZE_CLASSES];
  time_ratio seen[METHODS][SIZE_CLASSES][LEVELS];
} pair_times;

/* `align` must outlive it: options of the pairs, with the device's tuning records. */
void pair_times_begin(pair_times *times, const cla_device_info *device, const cla_align_options *align,
                      int levels);

int size_class_of(double cells);

/* Seconds of one pair of so many cells with 2^level in work at once; of a pack of `pairs` pairs, of so many
 * cells in all, of the class. */
double pair_times_single(pair_times *times, double cells, int level);
double pair_times_packed(pair_times *times, double cells, int64_t pairs, int size, int level);

/* The level at which most pairs of so many cells are done in a second. */
int pair_times_best_level(pair_times *times, double cells);

/* What predictions for a class at a level are multiplied by, from what was seen so far. */
double pair_times_ratio(const pair_times *times, batch_method method, int size, int level);

/* Takes into account that work which takes so long by the model, without that ratio, took so long. */
void pair_times_learn(pair_times *times, batch_method method, int size, int level, double model_seconds,
                      double measured);

#endif
