#include "batch/batch_results.h"

#include <stdlib.h>

#include "base/allocate.h"

static int64_t score_of(const batch_job *job) {
  return job->alignments[0]->score;
}

/* Returns true if `a` comes before `b` among the results. */
static bool is_better(const batch_job *a, const batch_job *b) {
  if (score_of(a) != score_of(b)) return score_of(a) > score_of(b);
  return a->index < b->index;
}

static void swap(batch_job **a, batch_job **b) {
  batch_job *other = *a;
  *a = *b;
  *b = other;
}

/* Moves the heap's last job up to its place. No job is better than the jobs below it. */
static void rise(group_best *best) {
  for (int64_t at = best->count - 1; at > 0; at = (at - 1) / 2) {
    const int64_t above = (at - 1) / 2;
    if (!is_better(best->jobs[above], best->jobs[at])) return;
    swap(&best->jobs[above], &best->jobs[at]);
  }
}

/* Moves the heap's top job down to its place. */
static void sink(group_best *best) {
  for (int64_t at = 0;;) {
    int64_t below = 2 * at + 1;
    if (below >= best->count) return;
    if (below + 1 < best->count && is_better(best->jobs[below], best->jobs[below + 1])) below++;
    if (!is_better(best->jobs[at], best->jobs[below])) return;
    swap(&best->jobs[at], &best->jobs[below]);
    at = below;
  }
}

cla_status group_best_add(batch_job **out, group_best *best, batch_job *job, cla_error *error) {
  *out = NULL;
  if (best->count == best->most) {
    *out = job;
    if (!is_better(job, best->jobs[0])) return CLA_OK;
    swap(&best->jobs[0], out);
    best->letters += batch_job_letters(job) - batch_job_letters(*out);
    sink(best);
    return CLA_OK;
  }
  cla_status status =
      ALLOCATE_GROW(&best->jobs, &best->capacity, best->count + 1, "the best pairs of a group", error);
  if (status != CLA_OK) return status;
  best->jobs[best->count++] = job;
  best->letters += batch_job_letters(job);
  rise(best);
  return CLA_OK;
}

bool group_best_least(const group_best *best, int64_t *least) {
  if (best->count < best->most) return false;
  *least = score_of(best->jobs[0]);
  return true;
}

static int compare(const void *left, const void *right) {
  const batch_job *const *a = left, *const *b = right;
  return is_better(*a, *b) ? -1 : 1;
}

void group_best_sort(group_best *best) {
  if (best->count > 0) qsort(best->jobs, (size_t)best->count, sizeof *best->jobs, compare);
}

/* Returns the next job in sorted order, or NULL. */
static batch_job *group_best_take(group_best *best) {
  return best->taken < best->count ? best->jobs[best->taken++] : NULL;
}

static void group_best_free(group_best *best) {
  free(best->jobs);
  *best = (group_best){0};
}

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
