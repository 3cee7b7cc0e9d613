#include "search/search_internal.h"

#include <math.h>

#include "support/test.h"

#define CLASSES 6
#define LIMIT 120.0

/* A run whose classes take `part` of their shares, and `fixed` seconds at least: what is said of the time
 * left from a fifth of the run on is within 30 %. */
static void expect_near(double part, double fixed) {
  double begins[CLASSES + 1] = {0};
  for (int i = 0; i < CLASSES; i++) {
    const double share = (LIMIT - begins[i]) / (CLASSES - i);
    begins[i + 1] = begins[i] + fmax(part * share, fixed);
  }
  const double end = begins[CLASSES];
  class_times times = {0};
  for (int i = 0; i < CLASSES; i++) {
    class_times_begin(&times, begins[i], (LIMIT - begins[i]) / (CLASSES - i), CLASSES - i);
    for (int tenth = 0; tenth < 10; tenth++) {
      const double now = begins[i] + (begins[i + 1] - begins[i]) * tenth / 10, left = end - now;
      const double said = class_times_left(&times, now);
      if (now >= end / 5 && left > 3)
        cr_expect(said > 0.7 * left && said < 1.3 * left, "%g of the share, at least %g s: %g s left, not %g",
                  part, fixed, said, left);
    }
    class_times_end(&times, begins[i + 1]);
  }
}

Test(class_times, are_near_from_a_fifth_of_the_run_on) {
  for (double part = 0.3; part <= 1; part += 0.1) expect_near(part, 0);
}

Test(class_times, know_of_classes_that_take_longer_than_their_share) {
  expect_near(1, 21);
}

Test(class_times, begin_with_the_limit_and_never_say_that_it_is_over) {
  class_times times = {0};
  class_times_begin(&times, 0, LIMIT / CLASSES, CLASSES);
  cr_expect_float_eq(class_times_left(&times, 0), LIMIT, 1e-9);
  class_times_end(&times, LIMIT / CLASSES);
  class_times_begin(&times, LIMIT / CLASSES, 20, 1);
  cr_expect_gt(class_times_left(&times, 1000), 0);
}
