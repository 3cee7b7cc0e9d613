/* Kernels and settings that are chosen by hand. */

#include "plan/plan.h"
#include "support/cases/plan_case.h"
#include "support/test.h"

TestSuite(kernel_settings, .init = tuned_plan_begin, .fini = tuned_plan_end);

static void expect_refused(const char *part, const char *more) {
  cla_error error = {.message = ""};
  cr_assert_eq(plan_make(&tuned.made, &tuned.x.input, &error), CLA_ERROR_OPTION);
  cr_expect(strstr(error.message, part) && strstr(error.message, more), "%s", error.message);
}

Test(kernel_settings, a_kernel_that_is_asked_for_takes_its_own_entry) {
  tuned.x.input.kernel = "vector32";
  tuned_plan_expect((kernel_config){&kernel_vector32, 16, 4, 512, KERNEL_DIAGONALS, 0, 0},
                    "asked for; user record");
  tuned.x.input.kernel = "wave32";
  assert_ok(plan_make(&tuned.made, &tuned.x.input, &why));
  cr_expect_eq(tuned.made.sweep.variant, &kernel_wave32);
  cr_expect_str_eq(tuned.made.reason, "asked for");
}

Test(kernel_settings, settings_change_what_they_name_and_nothing_else) {
  tuned.x.input.settings = "tile=256";
  tuned_plan_expect((kernel_config){&kernel_vector16, 32, 16, 256, KERNEL_PERSISTENT, 5, 0},
                    "changed by --set");
  tuned.x.input.settings = "groups=7,alpha=8,tile=1024";
  tuned_plan_expect((kernel_config){&kernel_vector16, 32, 8, 1024, KERNEL_PERSISTENT, 7, 0},
                    "changed by --set");
  tuned.x.input.settings = "launch=diagonals";
  tuned_plan_expect((kernel_config){&kernel_vector16, 32, 16, 2048, KERNEL_DIAGONALS, 0, 0},
                    "changed by --set");
  tuned.x.input.kernel = "vector32";
  tuned.x.input.settings = "launch=persistent,groups=3";
  tuned_plan_expect((kernel_config){&kernel_vector32, 16, 4, 512, KERNEL_PERSISTENT, 3, 0},
                    "changed by --set");
  tuned.x.input.settings = "launch=persistent";
  cr_assert_eq(plan_make(&tuned.made, &tuned.x.input, NULL), CLA_OK);
  cr_expect_geq(tuned.made.sweep.groups, 1);
  tuned.x.input.settings = "lanes=4"; /* the tile follows */
  cr_assert_eq(plan_make(&tuned.made, &tuned.x.input, NULL), CLA_OK);
  cr_expect(tuned.made.sweep.lanes == 4 && tuned.made.sweep.tile_columns >= 4 &&
            tuned.made.sweep.tile_columns % 4 == 0);
}

Test(kernel_settings, settings_that_cannot_be_are_refused_with_what_can) {
  const struct {
    const char *settings, *part, *more;
  } cases[] = {
      {"speed=3", "'speed'", "lanes, alpha, tile, launch, groups, panel, bounds"},
      {"=3", "''", "lanes, alpha"},
      {",", "''", "lanes, alpha"},
      {"lanes", "--set lanes needs a value", "lanes=VALUE"},
      {"lanes=", "whole number", "''"},
      {"lanes=x", "whole number", "'x'"},
      {"lanes=16x", "whole number", "'16x'"},
      {"lanes=-16", "whole number", "'-16'"},
      {"lanes=0", "whole number", "'0'"},
      {"lanes=99999999999999999999", "whole number", "lanes"},
      {"alpha=2,lanes=16,alpha=4", "alpha is given twice", "once"},
      {"lanes=12", "lanes=12", "vector16 takes 8, 16, 32"},
      {"alpha=5", "alpha=5", "vector16 takes 2, 4, 8, 16"},
      {"tile=100", "tile=100", "multiples of 32 up to 2048"},
      {"tile=4096", "tile=4096", "multiples of 32 up to 2048"},
      {"launch=sideways", "diagonals or persistent", "'sideways'"},
      {"launch=diagonals,groups=3", "groups belongs to a persistent launch", "launch=persistent"},
      {"groups=2000000", "groups", "1 to 1000000"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    tuned.x.input.settings = cases[i].settings;
    expect_refused(cases[i].part, cases[i].more);
  }
  tuned.x.input.settings = "launch=persistent";
  tuned.x.device.counters = CLA_COUNTERS_NONE;
  expect_refused("a CPU cannot run", "atomics");
  tuned_plan_size_is(10000, 10000);
  plan_case_rescore(&tuned.x, 300, 300, 0);
  tuned.x.input.kernel = "vector16";
  tuned.x.input.settings = "lanes=32,alpha=16";
  expect_refused("scores are too large", "alpha");
}
