/* The memory of packs. */

#include "base/extremes.h"
#include "batch/executor_state.h"

#define WORKERS_MOST (1 << (LEVELS - 1))

/* Half of what the host has for aligning is for paths (batch_memory_for_paths). */
int64_t packers_bytes(const cla_device_info *device, const cla_align_options *align) {
  const int64_t own = align->device_memory_bytes > 0 ? align->device_memory_bytes : device->memory_bytes;
  if (device->kind == CLA_DEVICE_CPU) return larger(smaller(own, align->memory_bytes / 2), 1);
  return own;
}

void packers_take(executor_worker *worker, double part) {
  for (int w = 0; w < WORKERS_MOST && !worker->packer; w++) {
    executor_worker *other = &worker->device->workers[w];
    if (other == worker || other->at_work || !other->packer) continue;
    cla_device *handle = worker->handle;
    worker->handle = other->handle;
    worker->packer = other->packer;
    other->handle = handle;
    other->packer = NULL;
    other->packer_part = 0;
  }
  worker->packer_part = part;
}

void packers_share(executor_device *device) {
  double taken = device->state->taken;
  if (device->workers[0].executor->align.device_memory_bytes <= 0) return;
  for (int w = 0; w < WORKERS_MOST; w++) {
    executor_worker *idle = &device->workers[w];
    if (idle->packing || idle->packer_part == 0) continue;
    taken += idle->packer_part;
    if (taken <= 1) continue;
    taken -= idle->packer_part;
    idle->packer_part = 0;
    packed_release(idle->packer);
  }
}

void packers_free(executor *x) {
  for (int i = 0; i < x->state.device_count; i++)
    for (int w = 0; w < WORKERS_MOST; w++) {
      executor_worker *worker = &x->devices[i].workers[w];
      packed_free(worker->packer);
      worker->packer = NULL;
      worker->packer_part = 0;
    }
}
