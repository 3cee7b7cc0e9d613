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

/* The path of a record as a global alignment of the sequences' ranges, with its score. The caller frees *out,
 * also after an error. CLA_ERROR_VERIFICATION if it does not fit the sequences, CLA_ERROR_MEMORY. */
cla_status audit_alignment_of(cla_alignment **out, const cla_aligned_record *record,
                              const cla_scoring *scoring, const cla_sequence *query,
                              const cla_sequence *target, cla_error *error);

#endif
