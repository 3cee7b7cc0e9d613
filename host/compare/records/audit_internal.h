#ifndef HOST_COMPARE_AUDIT_INTERNAL_H
#define HOST_COMPARE_AUDIT_INTERNAL_H

#include "clalign/audit.h"

/* A target, and the points that the records lose in each of its windows. */
typedef struct track_target {
  char *name; /* owned */
  int64_t length;
  double *lost; /* for each window, in the scheme's units; owned */
  int64_t windows;
} track_target;

/* Number of bins of records. A record's bin depends on the fraction of the optimal score that it loses. */
#define TRACK_BINS 6
extern const char *const track_bin_names[TRACK_BINS];

struct cla_audit_track {
  int64_t window_letters;
  track_target **targets; /* in the order in which they were added; each is owned */
  int64_t count, capacity;
  void *tree; /* the same targets by name, for tsearch */
  int64_t bins[TRACK_BINS];
};

#endif
