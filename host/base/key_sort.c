#include "base/key_sort.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"

#define DIGIT_BITS 11
#define DIGITS (1 << DIGIT_BITS)

cla_status keyed_list_add(keyed_list *list, uint64_t key, int64_t value, cla_error *error) {
  if (list->count == list->capacity) {
    cla_status status = allocate_grow((void **)&list->items, &list->capacity, list->count + 1,
                                      sizeof *list->items, "seeds of the lower bound", error);
    if (status != CLA_OK) return status;
  }
  list->items[list->count++] = (keyed){.key = key, .value = value};
  return CLA_OK;
}

/* One pass of a radix sort from the lowest digit on. */
static void sort_digit(keyed *to, const keyed *from, int64_t count, int shift) {
  int64_t begins[DIGITS] = {0}, at = 0;
  for (int64_t i = 0; i < count; i++) begins[from[i].key >> shift & (DIGITS - 1)]++;
  for (int digit = 0; digit < DIGITS; digit++) {
    const int64_t here = begins[digit];
    begins[digit] = at;
    at += here;
  }
  for (int64_t i = 0; i < count; i++) to[begins[from[i].key >> shift & (DIGITS - 1)]++] = from[i];
}

cla_status key_sort(keyed_list *list, int shift, int bits, cla_error *error) {
  void *other = NULL;
  if (list->count < 2) return CLA_OK;
  cla_status status = allocate_array(&other, list->count, sizeof *list->items, "sorting seeds", error);
  if (status != CLA_OK) return status;
  list->capacity = list->count; /* true of `other`, and no less of what it is exchanged with */
  for (int done = 0; done < bits; done += DIGIT_BITS) {
    sort_digit(other, list->items, list->count, shift + done);
    keyed *sorted = other;
    other = list->items;
    list->items = sorted;
  }
  free(other);
  return CLA_OK;
}
