#ifndef HOST_COMPARE_AUDIT_INTERNAL_H
#define HOST_COMPARE_AUDIT_INTERNAL_H

#include "clalign/audit.h"

/* A target and what it loses. */
typedef struct track_target {
  char *name; /* owned */
  int64_t length;
  double *lost; /* by window, in the scheme's units; owned */
  int64_t windows;
} track_target;

/* Bins of records by the part of their optimal score that they lose. */
#define TRACK_BINS 6
extern const char *const track_bin_names[TRACK_BINS];

struct cla_audit_track {
  int64_t window_letters;
  track_target **targets; /* in the order in which they came; owned each */
  int64_t count, capacity;
  void *tree; /* the same by name, for tsearch */
  int64_t bins[TRACK_BINS];
};

#endif
