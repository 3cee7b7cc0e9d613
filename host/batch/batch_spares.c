#include "batch/batch_spares.h"

#include <stdlib.h>

#include "base/allocate.h"

cla_status batch_spares_take_job(batch_job **out, batch_spares *spares, cla_error *error) {
  *out = spares->jobs;
  if (!*out) return allocate_zeros((void **)out, 1, sizeof **out, "a pair", error);
  spares->jobs = (*out)->next;
  **out = (batch_job){.next = NULL};
  return CLA_OK;
}

cla_status batch_spares_take_slot(batch_slot **out, batch_spares *spares, cla_error *error) {
  *out = spares->slots;
  if (!*out) return allocate_zeros((void **)out, 1, sizeof **out, "the place of a result", error);
  spares->slots = (*out)->next;
  **out = (batch_slot){.next = NULL};
  return CLA_OK;
}

void batch_spares_add_job(batch_spares *spares, batch_job *job) {
  job->next = spares->jobs;
  spares->jobs = job;
}

void batch_spares_add_slot(batch_spares *spares, batch_slot *slot) {
  slot->next = spares->slots;
  spares->slots = slot;
}

void batch_spares_free(batch_spares *spares) {
  for (batch_job *job = spares->jobs, *next; job; job = next) {
    next = job->next;
    free(job);
  }
  for (batch_slot *slot = spares->slots, *next; slot; slot = next) {
    next = slot->next;
    free(slot);
  }
  *spares = (batch_spares){0};
}
