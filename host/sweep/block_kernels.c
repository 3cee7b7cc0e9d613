#include "sweep/blocks_internal.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/machine.h"
#include "region/wavefront.h"

/* The work of making the kernels of a round's devices. `errors`: by device, the error with which the device
 * failed. */
typedef struct kernels_made {
  const block_round *round;
  cla_error *errors;
  atomic_int next;
} kernels_made;

/* Returns the config of the device's further way. */
static kernel_config further_config(const block_round *round, int index) {
  const team_member *member = round->sweep->team.members + index;
  const int way = block_cutter_further_way(&round->cutter, index);
  return plan_block_way(&member->plan.sweep, round->devices + index, way);
}

static void make_one(const kernels_made *made, int index) {
  const block_round *round = made->round;
  const sweep_work *s = round->sweep;
  const team_member *member = s->team.members + index;
  cla_error *error = made->errors + index;
  if (block_cutter_further_way(&round->cutter, index) == 0) return;
  const kernel_config config = further_config(round, index);
  const path_scheme scheme = {&s->options->scoring, &s->table, member->input.ends};
  error->status =
      self_test(member->device, &config, &scheme, path_ends_best(&scheme.ends), member->plan.prune, error);
  if (error->status == CLA_OK) wavefront_save_programs(member->engine);
}

static void make(void *user, int thread) {
  kernels_made *made = user;
  (void)thread;
  for (int i; (i = atomic_fetch_add(&made->next, 1)) < made->round->sweep->team.count;) make_one(made, i);
}

static bool any_to_make(const block_round *round) {
  for (int i = 0; i < round->sweep->team.count; i++)
    if (block_cutter_further_way(&round->cutter, i) > 0) return true;
  return false;
}

/* Prevents the device from computing further blocks with the rows per lane of this further way. After a
 * second failure, it computes no blocks of further ways at all: the device itself may be at fault, and
 * other kernels would also fail. */
static void refuse(const block_round *round, int index, const cla_error *reason) {
  const cla_align_options *options = round->sweep->options;
  team_member *member = round->sweep->team.members + index;
  const int alpha = further_config(round, index).alpha;
  char text[CLA_ERROR_MESSAGE_SIZE];
  member->plan.shared.alphas_refused = member->plan.shared.alphas_refused ? UINT64_MAX : UINT64_C(1) << alpha;
  snprintf(text, sizeof text, "%s goes on without blocks of %d rows a lane: %.1500s",
           cla_device_describe(member->device)->name, alpha, reason->message);
  if (options->callbacks.note) options->callbacks.note(text, options->callbacks.note_user);
}

cla_status block_kernels_make(bool *again, const block_round *round, cla_error *error) {
  sweep_work *s = round->sweep;
  const device_team *team = &s->team;
  kernels_made made = {.round = round};
  const double began = machine_seconds();
  *again = false;
  if (!any_to_make(round)) return CLA_OK;
  cla_status status = ALLOCATE_ZEROS(&made.errors, team->count, "the devices", error);
  if (status != CLA_OK) return status;
  parallel_run(team->count, make, &made);
  for (int i = 0; i < team->count && status == CLA_OK; i++) {
    const cla_error *reason = made.errors + i;
    if (reason->status == CLA_OK) continue;
    *again = true;
    if (device_team_can_do_without(reason->status))
      refuse(round, i, reason);
    else
      status = error_set(error, reason->status, "%s", reason->message);
  }
  s->progress.began += machine_seconds() - began;
  if (s->on_disk) special_rows_set_begin(s->kept, s->progress.began);
  free(made.errors);
  return status;
}
