#ifndef TESTS_SUPPORT_PLAN_CASE_H
#define TESTS_SUPPORT_PLAN_CASE_H

#include "plan/plan.h"

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

#endif
