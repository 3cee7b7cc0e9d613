#ifndef TESTS_SUPPORT_CASES_PLAN_CASE_H
#define TESTS_SUPPORT_CASES_PLAN_CASE_H

#include "plan/plan.h"
#include "tuning/lookup.h"

/* The inputs of a plan. */

#define PLAN_CASE_ROOM (INT64_C(1) << 40) /* bytes, enough for every plan */

typedef struct plan_case {
  cla_device_info device;
  cla_scoring scoring;
  score_table table;
  plan_input input; /* points to the other fields */
} plan_case;

/* Sets a CPU with 2 cores, AVX2, no device-wide counters and enough memory; local mode, the default scheme,
 * no tuning. */
void plan_case_make(plan_case *x, int64_t rows, int64_t columns);

/* Changes the device to a GPU of 132 units that runs NVIDIA's kernels. */
void plan_case_take_gpu(plan_case *x);

void plan_case_rescore(plan_case *x, int match, int first, int ext);

/* A plan for a device with a tuning record. */
typedef struct tuned_plan {
  plan_case x; /* a CPU with counters; 1,000,000 x 1,000,000 letters */
  tuning_source source;
  cla_tuning tuning;
  plan made; /* the last plan made */
} tuned_plan;

extern tuned_plan tuned;

/* Makes `tuned` with a record of a few entries; for a suite's .init and .fini. */
void tuned_plan_begin(void);
void tuned_plan_end(void);

void tuned_plan_size_is(int64_t rows, int64_t columns);

/* Adds an entry to the record. */
void tuned_plan_put(bool local, int64_t length, kernel_config config, time_model model);

/* Makes the plan. Expects that its sweep has the config, and that the stated reason contains `reason`. */
void tuned_plan_expect(kernel_config wanted, const char *reason);

/* Makes the plan without any record, and returns the sweep's config. */
kernel_config tuned_plan_rule_for(int64_t rows, int64_t columns);

#endif
