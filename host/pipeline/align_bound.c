#include "pipeline/align_bound.h"

#include "base/machine.h"
#include "plan/plan.h"

/* Work (bound/space_cross.h) on a lower bound for each letter of both sequences, less than a microsecond of a
 * core. It is counted, so that neither the machine nor its load decides what the sweep passes over. */
#define BOUND_LETTER_WORK 160

/* A path of the other strand says nothing of this one. A claim is of the better strand, and what this one
 * must reach because of it is the rival's. */
static cla_lower_bound wanted_bound(const align_bound_input *input) {
  const cla_lower_bound *given = &input->options->lower_bound;
  if (input->whole->table->used &&
      given->kind != CLA_LOWER_BOUND_OFF) /* what is given is of the first alignment */
    return (cla_lower_bound){.kind = CLA_LOWER_BOUND_AUTO};
  if (given->kind == CLA_LOWER_BOUND_PATH && given->path->strand != input->options->strand)
    return (cla_lower_bound){.kind = CLA_LOWER_BOUND_AUTO};
  if (given->kind == CLA_LOWER_BOUND_SCORE && input->rival && input->rival->given)
    return (cla_lower_bound){.kind = CLA_LOWER_BOUND_OFF};
  return *given;
}

bool align_bound_wanted(const plan *what, const align_bound_input *input) {
  return wanted_bound(input).kind != CLA_LOWER_BOUND_AUTO || plan_prune_possible(what, input->whole);
}

static void prune(plan *whole, const align_bound_input *input, const lower_bound *bound) {
  const bool known = bound->source != LOWER_BOUND_NONE;
  const bool rival =
      input->rival && input->rival->given && input->options->lower_bound.kind != CLA_LOWER_BOUND_OFF;
  if (!known && !rival) return;
  const bool above = rival && (!known || input->rival->least > bound->score);
  plan_prune(whole, input->whole, above ? input->rival->least : bound->score);
}

cla_status align_bound_find(lower_bound *out, plan *whole, const align_bound_input *input, cla_error *error) {
  const cla_device_info *device = input->whole->device;
  const int host_threads = machine_threads(), device_threads = (int)device->compute_units;
  const bool shared = device->kind == CLA_DEVICE_CPU && device_threads < host_threads; /* --threads */
  const cla_lower_bound wanted = wanted_bound(input);
  const lower_bound_input search = {
      .query = input->query,
      .target = input->target,
      .query_length = input->whole->rows,
      .target_length = input->whole->columns,
      .query_begin = input->query_begin,
      .target_begin = input->target_begin,
      .scoring = input->whole->scoring,
      .table = input->whole->table,
      .mode = input->options->mode,
      .free_ends = input->options->free_ends,
      .wanted = &wanted,
      .work_most = BOUND_LETTER_WORK * (input->whole->rows + input->whole->columns),
      .threads = shared ? device_threads : host_threads,
      .memory_bytes = input->whole->memory_bytes,
      .tick = input->tick,
      .tick_user = input->tick_user};
  cla_status status = lower_bound_find(out, &search, error);
  if (status == CLA_OK) prune(whole, input, out);
  return status;
}

bool align_bound_lost(const lower_bound *bound, const strand_rival *rival, int64_t score) {
  if (!rival || !rival->given || score >= rival->least) return false;
  return bound->source == LOWER_BOUND_NONE || bound->score < rival->least;
}
