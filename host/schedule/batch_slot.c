#include "schedule/batch_slot.h"

#include <stdlib.h>

bool batch_slot_is_complete(const batch_slot *slot) {
  return slot->closed && slot->outstanding == 0;
}

batch_job *batch_slot_take(batch_slot *slot) {
  batch_job *job = slot->single;
  slot->single = NULL;
  if (!job) job = job_list_take(&slot->failed);
  if (!job) job = group_best_take(&slot->best);
  return job;
}

void batch_slot_free(batch_slot *slot) {
  group_best_free(&slot->best);
  free(slot);
}
