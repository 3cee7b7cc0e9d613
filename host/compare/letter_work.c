#include "compare/letter_work.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "base/extremes.h"
#include "base/machine.h"

cla_status letter_work_add(letter_work *all, int64_t number, int64_t letters, cla_error *error) {
  cla_status status = ALLOCATE_GROW(&all->items, &all->capacity, all->count + 1, "the order of work", error);
  if (status != CLA_OK) return status;
  all->items[all->count++] = (letter_item){.number = number, .letters = letters};
  all->letters += letters;
  return CLA_OK;
}

double letter_work_fraction(letter_work *all, double more) {
  return all->letters > 0 ? ((double)atomic_load(&all->done) + more) / (double)all->letters : 1;
}

void letter_item_done(letter_item *item, letter_work *all) {
  item->done = true;
  atomic_fetch_add(&all->done, item->letters);
}

/* Does short things, on a thread of parallel_run. */
static void do_short(void *user, int thread) {
  letter_work *all = user;
  for (int64_t i;
       (i = atomic_fetch_add(&all->next, 1)) < all->count && first_error_status(&all->failed) == CLA_OK;) {
    cla_error error = {.status = CLA_OK};
    if (all->items[i].letters > all->share) continue;
    const letter_worker on = thread == 0 ? LETTER_WORKER_CALLER : LETTER_WORKER_ONE;
    first_error_note(&all->failed, all->work(&all->items[i], all, on, &error), &error);
  }
}

/* The longest first: no thread begins a long thing when the others have nothing to do. */
static int by_letters(const void *a, const void *b) {
  const letter_item *x = a, *y = b;
  if (x->letters != y->letters) return x->letters < y->letters ? 1 : -1;
  return (x->number > y->number) - (x->number < y->number);
}

cla_status letter_work_do(letter_work *all, cla_error *error) {
  if (all->count > 0) qsort(all->items, (size_t)all->count, sizeof *all->items, by_letters);
  all->share = larger(LETTER_WORK_SHORT, all->letters / all->threads);
  parallel_run((int)smaller(all->threads, all->count), do_short, all);
  cla_status status = first_error_take(&all->failed, error);
  for (int64_t i = 0; i < all->count && status == CLA_OK; i++)
    if (!all->items[i].done) status = all->work(&all->items[i], all, LETTER_WORKER_ALL, error);
  return status;
}
