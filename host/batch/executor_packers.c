/* The memory of packs. */

#include "base/extremes.h"
#include "batch/executor_state.h"

#define WORKERS_MOST (1 << (LEVELS - 1))

/* Half of what the host has for aligning is for paths (batch_memory_for_paths). */
int64_t solvers_bytes(const cla_device_info *device, const cla_align_options *align) {
  const int64_t own = align->device_memory_bytes > 0 ? align->device_memory_bytes : device->memory_bytes;
  if (device->kind == CLA_DEVICE_CPU) return larger(smaller(own, align->memory_bytes / 2), 1);
  return own;
}

void solvers_take(executor_worker *worker, double part) {
  for (int w = 0; w < WORKERS_MOST && !worker->solver; w++) {
    executor_worker *other = &worker->device->workers[w];
    if (other == worker || other->at_work || !other->solver) continue;
    cla_device *handle = worker->handle;
    worker->handle = other->handle;
    worker->solver = other->solver;
    other->handle = handle;
    other->solver = NULL;
    other->solver_part = 0;
  }
  worker->solver_part = part;
}

void solvers_share(executor_device *device) {
  double taken = device->state->taken;
  if (device->workers[0].executor->align.device_memory_bytes <= 0) return;
  for (int w = 0; w < WORKERS_MOST; w++) {
    executor_worker *idle = &device->workers[w];
    if (idle->packing || idle->solver_part == 0) continue;
    taken += idle->solver_part;
    if (taken <= 1) continue;
    taken -= idle->solver_part;
    idle->solver_part = 0;
    pack_solver_release(idle->solver);
  }
}

void solvers_free(executor *x) {
  for (int i = 0; i < x->state.device_count; i++)
    for (int w = 0; w < WORKERS_MOST; w++) {
      executor_worker *worker = &x->devices[i].workers[w];
      pack_solver_free(worker->solver);
      worker->solver = NULL;
      worker->solver_part = 0;
    }
}
