#ifndef HOST_CERTAIN_NEAR_REGION_H
#define HOST_CERTAIN_NEAR_REGION_H

#include "base/first_error.h"
#include "certain/certain_internal.h"

/* The backward sweep is divided into regions of blocks, which are swept at the same time. A region but the
 * last one of the matrix begins a block behind its own blocks, in a node of the alignment with the
 * alignment's own rest there, the seed. All rests are those of some paths. So they are never too high. At the
 * region's last line, the nodes that matter must be those of the region behind it, with equal rests. Then the
 * region's own lines are right. If not, the region is swept again from the lines of the region behind it. */
typedef struct near_region {
  int64_t first, last;           /* blocks */
  int64_t first_line, last_line; /* lines of these blocks */
  int64_t seed_line, seed_row;   /* -1: no seed */
  near_line begin[2];            /* the two lines behind the region, as this region found them */
  near_line end[2];              /* the region's first two lines */
  optimal_graph graph; /* from the last line at or before last_line with a node that all optimal alignments
                          pass, to the last such line before first_line */
} near_region;

typedef struct near_regions {
  cuts *cuts;
  const near_optimal_input *input;
  near_region *regions; /* from the last line to the first */
  int64_t count;
  atomic_llong next; /* number of the region that a thread takes next */
  atomic_llong cells;
  first_error failed;
} near_regions;

/* A thread that sweeps regions. */
typedef struct near_thread {
  near_regions *all;
  replay_reader *reader;
  bool ticks; /* true on the caller's thread, which calls the tick */
} near_thread;

/* Sweeps a region: from its seed, or from the lines of the region `behind` it, which may be NULL. Errors:
 * CLA_ERROR_MEMORY, errors of the tick, and the status of another thread that failed. */
cla_status near_region_sweep(near_region *r, near_thread *thread, const near_region *behind,
                             cla_error *error);

#endif
