#ifndef HOST_PIPELINE_PIPELINE_H
#define HOST_PIPELINE_PIPELINE_H

#include "clalign/align.h"
#include "plan/plan.h"

/* cla_align with a hand in the plan: `adjust`, unless NULL, may change it before anything runs. For tests
 * that force many small blocks, other strips or tiles; whatever it sets must be legal for the scheme. */
cla_status pipeline_align(cla_alignment **out, cla_device *device, const cla_sequence *query,
                          const cla_sequence *target, const cla_align_options *options,
                          void (*adjust)(plan *whole), cla_error *error);

/* What one strand must reach to be better than the other, or to be wanted at all. Below it the strand has lost,
 * which is no error. */
typedef struct strand_rival {
  bool given; /* there is such a score */
  int64_t least;
  bool lost;           /* set by the call: no alignment reaches `least`, and there is none */
  cla_metrics metrics; /* set by the call, also where the strand has lost */
} strand_rival;

/* The same for one strand, forward or reverse. `rival` may be NULL; *out is NULL where the strand has lost.
 */
cla_status pipeline_align_strand(cla_alignment **out, cla_device *device, const cla_sequence *query,
                                 const cla_sequence *target, const cla_align_options *options,
                                 strand_rival *rival, void (*adjust)(plan *whole), cla_error *error);

#endif
