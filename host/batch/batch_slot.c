#include "batch/batch_slot.h"

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

void slot_list_add(slot_list *list, batch_slot *slot) {
  slot->before = list->last;
  *(slot->before ? &slot->before->next : &list->first) = slot;
  list->last = slot;
}

void slot_list_remove(slot_list *list, batch_slot *slot) {
  *(slot->before ? &slot->before->next : &list->first) = slot->next;
  *(slot->next ? &slot->next->before : &list->last) = slot->before;
}

void slot_list_touch(slot_list *list, batch_slot *slot) {
  if (slot->touched) return;
  slot->touched = true;
  slot->next_touched = NULL;
  *(list->touched ? &list->last_touched->next_touched : &list->touched) = slot;
  list->last_touched = slot;
}

batch_slot *slot_list_take_touched(slot_list *list) {
  batch_slot *slot = list->touched;
  if (!slot) return NULL;
  list->touched = slot->next_touched;
  slot->touched = false;
  return slot;
}
