#include "support/reference_difference.h"

#include "result/alignment.h"

bool same_runs(const cla_run *a, size_t a_count, const cla_run *b, size_t b_count) {
  if (a_count != b_count) return false;
  for (size_t i = 0; i < a_count; i++)
    if (a[i].kind != b[i].kind || a[i].length != b[i].length) return false;
  return true;
}

const char *reference_difference(const cla_alignment *got, const reference_alignment *want) {
  const bool nowhere = got->mode == CLA_MODE_LOCAL && want->score == 0;
  const cla_side *target = &got->target;
  cla_side query = got->query; /* positions on the aligned strand */
  if (got->strand == CLA_STRAND_REVERSE) side_turn(&query, nowhere);
  if (got->score != want->score) return "score";
  if (query.stop != want->query_end || target->stop != want->target_end) return "end cell";
  if (!got->has_path) return NULL;
  if (query.start != want->query_start || target->start != want->target_start) return "start cell";
  return same_runs(got->runs, got->run_count, want->runs, want->run_count) ? NULL : "a run";
}
