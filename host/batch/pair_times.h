#ifndef HOST_BATCH_PAIR_TIMES_H
#define HOST_BATCH_PAIR_TIMES_H

#include "clalign/batch.h"
#include "packs/packs.h"
#include "tuning/time_model.h"

/* How long a pair takes on one device: a model of the wavefront (Aji 2008, section 4.1.2, equation 4.6) with
 * what tuning records have measured, until there is something to go by that was measured in this run.
 *
 * A pair's size class is the whole part of the logarithm to base 2 of its cells. A level says how many pairs
 * are in work on the device at once: 2^level, each with as large a part of it. */

#define SIZE_CLASSES CLA_BATCH_CLASSES
#define LEVELS 6

/* How pairs are aligned. */
typedef enum batch_method {
  METHOD_SINGLE, /* one by the stages of cla_align */
  METHOD_PACKED, /* many at once */
  METHODS
} batch_method;

/* What was measured of the work of a class: of a piece, on the average. */
typedef struct times_seen {
  int64_t count; /* pieces; 0: nothing is known */
  double cells, seconds;
  double device_seconds; /* of the device's, shared out evenly among what was in work at once */
  double model_seconds;  /* by the model, without what was measured */
} times_seen;

/* What a pair of a class takes by the model. */
typedef struct class_model {
  bool known;
  bool timed;          /* by a tuning record */
  double cells;        /* of the pair that stands for the class */
  double cell_seconds; /* of one compute unit, the traceback's share included */
  double width;        /* compute units that the tiles of one pair can keep busy, on the average */
} class_model;

/* What was measured of all classes at a level, as a function of a pair's size. */
typedef struct level_fit {
  int64_t learned; /* pieces that had been measured */
  bool found;      /* there was enough for one */
  time_model model;
} level_fit;

typedef struct pair_times {
  cla_device_info device; /* compute units, kind */
  cla_align_options align;
  int levels;   /* that are used: 1 and more */
  pack_way way; /* no pairs are enough: there are no packs */
  class_model classes[SIZE_CLASSES];
  times_seen seen[METHODS][SIZE_CLASSES][LEVELS];
  int64_t learned; /* pieces that were measured of single pairs */
  level_fit fits[LEVELS];
} pair_times;

/* `align` must outlive it: options of the pairs, with the device's tuning records. */
void pair_times_begin(pair_times *times, const cla_device_info *device, const cla_align_options *align,
                      int levels);

int size_class_of(double cells);

/* Seconds of one pair of so many cells with 2^level in work at once. */
double pair_times_single(pair_times *times, double cells, int level);

/* Seconds of a pair by the model alone: by itself on the whole device, or its part of a pack there. */
double pair_times_model(pair_times *times, batch_method method, double cells);

/* Whether tuning records have timed such a pair. */
bool pair_times_timed(pair_times *times, batch_method method, double cells);

/* Pairs that share a pack. */
typedef struct pack_load {
  int64_t pairs;
  double cells, largest; /* of all, and of the largest pair, about */
  int size;              /* the class that its time is learned for */
} pack_load;

/* Seconds of a pack, corrected by what was measured of packs of its class. */
double pair_times_packed(const pair_times *times, const pack_load *load, int level);

/* Cells that a pack of the class' pairs has that takes so long; each pair takes as long as *pair_cells
 * besides its own. */
double pair_times_pack_cells(double *pair_cells, const pair_times *times, int size, int level,
                             double seconds);

/* Pairs of so many cells that are done in a second at the level, and the level at which they are most. */
double pair_times_rate(pair_times *times, double cells, int level);
int pair_times_best_level(pair_times *times, double cells);

/* What work took: from begin to end, and of the device's seconds (times_seen). */
typedef struct times_measured {
  double seconds, device_seconds;
} times_measured;

/* Takes into account what a pair took, or a pack. */
void pair_times_learn_single(pair_times *times, double cells, int level, times_measured took);
void pair_times_learn_packed(pair_times *times, const pack_load *load, int level, times_measured took);

#endif
