#include "batch/schedule_internal.h"

bool device_has_share(const device_state *device, int level) {
  return device->taken + 1.0 / (double)(1 << level) <= 1 + 1e-9;
}

void schedule_predict_single(batch_task *task, device_state *device, const batch_job *job) {
  task->predicted = pair_times_single(&device->times, job->cells, task->at_once);
}

double schedule_throughput(device_state *device, double cells) {
  return pair_times_rate(&device->times, cells, pair_times_best_level(&device->times, cells));
}

bool schedule_take_one(batch_task *out, batch_state *state, device_state *device, int size, int level) {
  batch_job *job = job_list_take(&state->pending[size]);
  state->pending_count--;
  *out = (batch_task){.method = METHOD_SINGLE, .level = level, .at_once = level};
  schedule_predict_single(out, device, job);
  job_list_add(&out->jobs, job);
  return true;
}

int schedule_level_for(int64_t count, int most) {
  int level = 0;
  while (level < most && INT64_C(1) << (level + 1) <= count) level++;
  return level;
}

void schedule_unpack(batch_state *state, int size) {
  job_list_return(&state->pending[size], job_list_take(&state->packs[size]));
  state->packs_count--;
  state->pending_count++;
}
