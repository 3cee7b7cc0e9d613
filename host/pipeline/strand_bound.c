/* Finds a lower bound on the strand's score before its sweep, and makes the pruned plan. */

#include "base/machine.h"
#include "pipeline/strand_internal.h"
#include "plan/plan.h"
#include "trace/banded.h"

/* Work of a lower bound per letter of both sequences (space_crosser.work). A core does this work in less than
 * a microsecond. Work is counted instead of timed, so that the machine and its load do not influence what the
 * sweep skips. */
#define BOUND_LETTER_WORK 160

static bool has_rival(const strand_work *r) {
  return r->job->rival && r->job->rival->given;
}

/* Returns which bound to search for. A path of the other strand proves nothing for this strand. A claim is
 * about the better strand, so it becomes the rival's score. */
static cla_lower_bound wanted_bound(const strand_work *r) {
  const cla_align_options *options = r->job->options;
  const cla_lower_bound *given = &options->lower_bound;
  if (r->sweep.table.used &&
      given->kind != CLA_LOWER_BOUND_OFF) /* a given bound applies to the first alignment */
    return (cla_lower_bound){.kind = CLA_LOWER_BOUND_AUTO};
  if (given->kind == CLA_LOWER_BOUND_PATH && given->path->strand != options->strand)
    return (cla_lower_bound){.kind = CLA_LOWER_BOUND_AUTO};
  if (given->kind == CLA_LOWER_BOUND_SCORE && has_rival(r))
    return (cla_lower_bound){.kind = CLA_LOWER_BOUND_OFF};
  return *given;
}

static cla_status report_bound(void *user, cla_error *error) {
  return sweep_tick(user, 0, error);
}

static cla_status find_bound(strand_work *r, const cla_lower_bound *wanted, cla_error *error) {
  /* A claim suffices for pruning, but levels of bounds also need a path. */
  const bool sought = wanted->kind != CLA_LOWER_BOUND_SCORE || strand_band_possible(r);
  const plan_input *whole = &r->sweep.input;
  const int host_threads = machine_threads(), device_threads = (int)whole->device->compute_units;
  /* true if the user limits the device's threads by --threads */
  const bool shared = whole->device->kind == CLA_DEVICE_CPU && device_threads < host_threads;
  const lower_bound_input search = {
      .problem = r->sweep.problem,
      .query_begin = r->query_begin,
      .target_begin = r->target_begin,
      .mode = r->job->options->mode,
      .free_ends = r->job->options->free_ends,
      .wanted = wanted,
      .banded = banded_cross,
      .work_most = sought ? BOUND_LETTER_WORK * (whole->rows + whole->columns) : 0,
      .threads = shared ? device_threads : host_threads,
      .memory_bytes = whole->memory_bytes,
      .tick = report_bound,
      .tick_user = &r->sweep};
  cla_status status = lower_bound_find(&r->bound, &search, error);
  r->bound_known = status == CLA_OK;
  r->sweep.progress.bound_seconds = r->bound.seconds;
  return status;
}

cla_status strand_work_bound(strand_work *r, cla_error *error) {
  const cla_lower_bound wanted = wanted_bound(r);
  if (r->bound_known) return CLA_OK;
  if (wanted.kind == CLA_LOWER_BOUND_AUTO && !plan_prune_possible(&r->sweep.plan, &r->sweep.input) &&
      !strand_band_possible(r))
    return CLA_OK;
  r->sweep.progress.stage = "lower bound search";
  r->sweep.progress.began = r->sweep.progress.reported = machine_seconds();
  return find_bound(r, &wanted, error);
}

void strand_work_prune(strand_work *r) {
  const bool known = r->bound.source != LOWER_BOUND_NONE;
  const bool rival = has_rival(r) && r->job->options->lower_bound.kind != CLA_LOWER_BOUND_OFF;
  r->sweep.input.bound_known = known;
  r->sweep.input.bound = r->bound.score;
  if (!known && !rival) return;
  const bool above = rival && (!known || r->job->rival->least > r->bound.score);
  plan_prune(&r->sweep.plan, &r->sweep.input, above ? r->job->rival->least : r->bound.score);
}

bool strand_bound_lost(const lower_bound *bound, const strand_rival *rival, int64_t score) {
  if (!rival || !rival->given || score >= rival->least) return false;
  return bound->source == LOWER_BOUND_NONE || bound->score < rival->least;
}
