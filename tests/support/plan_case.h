#ifndef TESTS_SUPPORT_PLAN_CASE_H
#define TESTS_SUPPORT_PLAN_CASE_H

#include "plan/plan.h"
#include "tuning/lookup.h"

/* What a plan is made from. */

#define PLAN_CASE_ROOM (INT64_C(1) << 40) /* bytes that are always enough */

typedef struct plan_case {
  cla_device_info device;
  cla_scoring scoring;
  score_table table;
  plan_input input; /* points to the others */
} plan_case;

/* A CPU with 2 cores, AVX2, no device-wide counters and room for everything; local, the default scheme, no
 * tuning. */
void plan_case_make(plan_case *x, int64_t rows, int64_t columns);

/* Makes the device a GPU of 132 units that runs NVIDIA's kernels. */
void plan_case_take_gpu(plan_case *x);

void plan_case_rescore(plan_case *x, int match, int first, int ext);

/* A plan for a device that a record is there for. */
typedef struct tuned_plan {
  plan_case x; /* a CPU with counters; 1,000,000 x 1,000,000 letters */
  tuning_source source;
  cla_tuning tuning;
  plan made; /* the plan that was made last */
} tuned_plan;

extern tuned_plan tuned;

/* Makes `tuned` with a record of a few entries; a suite's .init and .fini. */
void tuned_plan_begin(void);
void tuned_plan_end(void);

void tuned_plan_size_is(int64_t rows, int64_t columns);

/* One more entry of the record. */
void tuned_plan_put(bool local, int64_t length, kernel_config config, time_model model);

/* Makes the plan: its sweep has that config, for a reason that has `reason` in it. */
void tuned_plan_expect(kernel_config wanted, const char *reason);

/* Makes the plan as it would be without any record. */
kernel_config tuned_plan_rule_for(int64_t rows, int64_t columns);

#endif
