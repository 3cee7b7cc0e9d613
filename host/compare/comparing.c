/* What the steps of a comparison share: default options, and reports of progress. */

#include <stdlib.h>

#include "base/error.h"
#include "base/machine.h"
#include "compare/compare_internal.h"

cla_status comparing_report(const comparing *c, const char *stage, double fraction, cla_error *error) {
  const cla_callbacks *callbacks = &c->options->align.callbacks;
  const cla_progress progress = {
      .stage = stage, .fraction = fraction, .seconds = machine_seconds() - c->began, .seconds_left = -1};
  if (!callbacks->progress || callbacks->progress(&progress, callbacks->progress_user)) return CLA_OK;
  return error_set(error, CLA_ERROR_INTERRUPTED, "the comparison was cancelled");
}

void cla_compare_options_init(cla_compare_options *options) {
  *options = (cla_compare_options){.least_block = 0}; /* cla_compare knows the defaults of numbers */
  cla_align_options_init(&options->align);
  cla_error error;
  const cla_status status =
      cla_scoring_init_preset(&options->align.scoring, "genome", CLA_ALPHABET_DNA, &error);
  (void)status; /* the preset always exists */
}
