/* Creates the engines of a run's devices, with the kernels of the run's stages. */

#include <stdatomic.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/machine.h"
#include "device/device_use.h"
#include "region/wavefront.h"
#include "sweep/sweep.h"
#include "trace/traceback.h"

/* True if two configs use the same build of the same source. */
static bool same_build(const kernel_config *a, const kernel_config *b) {
  return a->variant == b->variant && a->lanes == b->lanes && a->alpha == b->alpha && a->launch == b->launch;
}

/* A sweep with this many cells takes 5 s on an H200, and minutes on a CPU. So before such a sweep, the
 * traceback's kernel is also tested: it might be unusable. */
#define LONG_SWEEP_CELLS 2e13

/* True if the traceback's kernels are built together with the sweep's kernel. Usually they are not: most
 * paths are traced on the host, and NVIDIA's compiler takes one or two seconds per kernel. */
static bool builds_all(const plan *whole) {
  const double cells = (double)whole->predicted.sweep_cells * (whole->prune ? whole->prune_share : 1);
  return whole->predicted.block_cells > 0 || cells >= LONG_SWEEP_CELLS;
}

/* Builds and tests the kernels that the stages are likely to launch on the device. */
static cla_status make_kernels(const sweep_work *s, wavefront *engine, cla_device *device, const plan *whole,
                               const plan_input *input, cla_error *error) {
  /* a resumed run may lack some rows */
  const bool all_rows = whole->row_interval > 0 && !s->options->run.resume && s->team.count == 0;
  const int64_t block = all_rows ? whole->row_interval : input->rows;
  const cla_scoring *scoring = &s->options->scoring;
  const kernel_config *sweep = &whole->sweep, *blocks = &whole->blocks;
  const path_scheme scheme = {scoring, &s->table, input->ends}, fixed = {scoring, &s->table, {0}};
  const best_kind best = path_ends_best(&input->ends);
  kernel_test tests[SELF_TESTS_MOST] = {{sweep, &scheme, best, whole->prune}};
  const bool traces = !input->score_only && builds_all(whole);
  int count = 1;
  if (traces && plan_block_interval(whole, block, INT64_MAX) > 0 &&
      (best != BEST_NONE || !same_build(sweep, blocks)))
    tests[count++] = (kernel_test){blocks, &scheme, BEST_NONE, false};
  if (traces && start_search_applies(whole, input, block))
    tests[count++] = (kernel_test){blocks, &fixed, BEST_NONE, false};
  cla_status status = self_tests(device, tests, count, error);
  if (status == CLA_OK) wavefront_save_programs(engine);
  return status;
}

/* Data for reports while a driver compiles. Only the calling thread may call the user's callback. */
typedef struct compile_watch {
  strand_progress *progress;
  pthread_t caller;
} compile_watch;

static cla_status report_compiling(void *user, cla_error *error) {
  const compile_watch *watch = user;
  return pthread_equal(watch->caller, pthread_self()) ? progress_compiling(watch->progress, error) : CLA_OK;
}

static cla_status make_engine(wavefront **out, const sweep_work *s, cla_device *device, const plan *whole,
                              const plan_input *input, cla_error *error) {
  cla_status status = wavefront_create(out, device, &s->problem, input->device_memory_bytes, error);
  return status == CLA_OK ? make_kernels(s, *out, device, whole, input, error) : status;
}

/* The work of creating the engines of a team's members. `errors`: by member, the error with which the member
 * failed. */
typedef struct engines_made {
  sweep_work *sweep;
  cla_error *errors;
  atomic_int next;
} engines_made;

static bool same_kind(const team_member *a, const team_member *b) {
  return device_is_like(a->device, b->device);
}

/* Creates the engines of member `first` and then, one after the other, of the later members of the same
 * kind. So a driver that caches programs compiles for the first of them only. Does nothing if an earlier
 * member is of that kind. */
static void make_engines_of_kind(const engines_made *made, int first) {
  const sweep_work *s = made->sweep;
  const device_team *team = &s->team;
  for (int i = 0; i < first; i++)
    if (same_kind(team->members + i, team->members + first)) return;
  for (int i = first; i < team->count; i++) {
    team_member *member = team->members + i;
    if (member->lost || !same_kind(member, team->members + first)) continue;
    cla_error *error = made->errors + i;
    error->status = make_engine(&member->engine, s, member->device, &member->plan, &member->input, error);
  }
}

static void make_engines(void *user, int thread) {
  engines_made *made = user;
  (void)thread;
  for (int i; (i = atomic_fetch_add(&made->next, 1)) < made->sweep->team.count;)
    make_engines_of_kind(made, i);
}

static cla_status make_all_engines(sweep_work *s, cla_device *device, cla_error *error) {
  device_team *team = &s->team;
  engines_made made = {.sweep = s};
  if (team->count == 0) return make_engine(&s->engine, s, device, &s->plan, &s->input, error);
  cla_status status = ALLOCATE_ZEROS(&made.errors, team->count, "the devices", error);
  if (status != CLA_OK) return status;
  parallel_run(team->count, make_engines, &made);
  for (int i = 0; status == CLA_OK && i < team->count; i++) {
    const cla_error *reason = made.errors + i;
    if (reason->status == CLA_OK) continue;
    status = device_team_can_do_without(reason->status)
                 ? device_team_lose(team, team->members + i, reason, s->options, error)
                 : error_set(error, reason->status, "%s", reason->message);
  }
  free(made.errors);
  if (status == CLA_OK) sweep_follow(s);
  return status;
}

static void watch_compilers(const sweep_work *s, cla_device *device, compile_watch *watch) {
  const device_compiling call = watch ? report_compiling : NULL;
  device_on_compiling(device, call, watch);
  for (int i = 0; i < s->team.count; i++) device_on_compiling(s->team.members[i].device, call, watch);
}

cla_status sweep_engines(sweep_work *s, cla_device *device, double *seconds, cla_error *error) {
  compile_watch watch = {.progress = &s->progress, .caller = pthread_self()};
  const double began = machine_seconds();
  watch_compilers(s, device, &watch);
  cla_status status = make_all_engines(s, device, error);
  watch_compilers(s, device, NULL);
  *seconds = machine_seconds() - began;
  return status;
}

cla_status sweep_kernel(void *user, wavefront *engine, const kernel_config *config, const path_scheme *scheme,
                        cla_error *error) {
  sweep_work *s = user;
  cla_device *device = wavefront_device(engine);
  compile_watch watch = {.progress = &s->progress, .caller = pthread_self()};
  device_on_compiling(device, report_compiling, &watch);
  cla_status status = self_test(device, config, scheme, BEST_NONE, false, error);
  device_on_compiling(device, NULL, NULL);
  if (status == CLA_OK) wavefront_save_programs(engine);
  return status;
}
