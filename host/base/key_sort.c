#include "base/key_sort.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"

#define DIGITS (1 << KEY_SORT_DIGIT)

cla_status keyed_list_add(keyed_list *list, uint64_t key, int64_t value, cla_error *error) {
  if (list->count == list->capacity) {
    cla_status status =
        ALLOCATE_GROW(&list->items, &list->capacity, list->count + 1, "seeds of the lower bound", error);
    if (status != CLA_OK) return status;
  }
  list->items[list->count++] = (keyed){.key = key, .value = value};
  return CLA_OK;
}

/* One pass of a radix sort: sorts `from` into `to` by the digit at bit `shift`. */
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

cla_status keyed_list_add_all(keyed_list *list, const keyed *items, int64_t count, cla_error *error) {
  cla_status status =
      ALLOCATE_GROW(&list->items, &list->capacity, list->count + count, "seeds of the lower bound", error);
  if (status != CLA_OK || count == 0) return status;
  memcpy(list->items + list->count, items, (size_t)count * sizeof *items);
  list->count += count;
  return CLA_OK;
}

int key_bits(uint64_t most) {
  int bits = 0;
  while (bits < 64 && most >> bits > 0) bits++;
  return bits;
}

keyed *key_sort_with(keyed *items, keyed *scratch, int64_t count, int shift, int bits) {
  for (int done = 0; done < bits; done += KEY_SORT_DIGIT) {
    sort_digit(scratch, items, count, shift + done);
    keyed *sorted = scratch;
    scratch = items;
    items = sorted;
  }
  return items;
}

cla_status key_sort(keyed_list *list, int shift, int bits, cla_error *error) {
  void *scratch = NULL;
  if (list->count < 2) return CLA_OK;
  cla_status status = allocate_array(&scratch, list->count, sizeof *list->items, "sorting seeds", error);
  if (status != CLA_OK) return status;
  keyed *items = list->items;
  list->items = key_sort_with(items, scratch, list->count, shift, bits);
  list->capacity = list->count; /* `items` and `scratch` both have at least this capacity */
  free(list->items == items ? scratch : items);
  return CLA_OK;
}
