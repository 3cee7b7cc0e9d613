#ifndef HOST_PLAN_EXPLAIN_H
#define HOST_PLAN_EXPLAIN_H

#include "plan/plan.h"

/* The plan as text of several lines for a person; the caller frees *out with free(). */
cla_status plan_explain(char **out, const plan *what, const plan_input *input, cla_error *error);

#endif
