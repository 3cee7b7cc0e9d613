#include "pipeline/progress_gate.h"

#include "base/error.h"

bool progress_gate_open(const progress_gate *gate, double now) {
  return gate->options->progress && now - gate->passed >= CLA_PROGRESS_SECONDS;
}

cla_status progress_gate_pass(progress_gate *gate, const cla_progress *progress, double now,
                              cla_error *error) {
  gate->passed = now;
  if (gate->options->progress(progress, gate->options->progress_user)) return CLA_OK;
  return error_set(error, CLA_ERROR_INTERRUPTED, "interrupted during the %s%s", progress->stage,
                   gate->options->run_dir ? "" : "; nothing was written");
}
