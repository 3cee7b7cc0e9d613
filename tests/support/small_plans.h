#ifndef TESTS_SUPPORT_SMALL_PLANS_H
#define TESTS_SUPPORT_SMALL_PLANS_H

#include "plan/plan.h"

/* Makes blocks, searches, strips and tiles as small as they can be, so that pairs of a few hundred letters go
 * through every stage. Rows that the sweep keeps lie a strip apart, where it keeps any. */
void small_plan(plan *whole);

#endif
