/* Files for clalign lift: a byte for the options, two for the length of the alignment's file, that file, and
 * behind it the annotations. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clalign/lift.h"
#include "fuzz.h"

static void lift(const cla_lift *map, const cla_lift_job *job) {
  cla_error error = {.message = ""};
  cla_lift_counts counts;
  int64_t sum = 0;
  if (!fuzz_ok(cla_lift_file(&counts, map, job, &error), &error)) return;
  for (int fate = 0; fate < CLA_LIFT_FATES; fate++) sum += counts.fates[fate];
  fuzz_demand(sum == counts.features, "a feature was neither lifted nor lost");
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
  static FILE *nowhere;
  static char path[4096];
  fuzz_input input = {.at = bytes, .left = count};
  cla_error error = {.message = ""};
  cla_lift *map = NULL;
  if (!nowhere) nowhere = fopen("/dev/null", "w");
  const uint8_t choice = fuzz_byte(&input);
  const size_t low = fuzz_byte(&input), length = low + 256 * (size_t)fuzz_byte(&input);
  const size_t of_map = length < input.left ? length : input.left;
  const char *file = fuzz_file(input.at, of_map);
  if (fuzz_ok(cla_lift_open(&map, file, choice & 1, &error), &error)) {
    fuzz_folder_write("annotations", input.at + of_map, input.left - of_map);
    (void)snprintf(path, sizeof path, "%s/annotations", fuzz_folder());
    const cla_lift_job job = {.path = path,
                              .format = (cla_annotation)(choice / 2 % 3),
                              .bed_columns = choice & 64 ? 12 : 0,
                              .min_match = choice & 128 ? 0.1 : CLA_LIFT_MIN_MATCH,
                              .file = nowhere,
                              .unlifted = "/dev/null"};
    lift(map, &job);
  }
  cla_lift_close(map);
  return 0;
}
