#ifndef TESTS_SUPPORT_TUNED_PLAN_H
#define TESTS_SUPPORT_TUNED_PLAN_H

#include "support/plan_case.h"
#include "tuning/lookup.h"

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
