#ifndef HOST_BASE_KEY_SORT_H
#define HOST_BASE_KEY_SORT_H

#include <stdint.h>

#include "clalign/status.h"

typedef struct keyed {
  uint64_t key;
  int64_t value;
} keyed;

/* A growing list of keyed items. Begins as zero, ends with free(items). */
typedef struct keyed_list {
  keyed *items;
  int64_t count, capacity;
} keyed_list;

/* CLA_ERROR_MEMORY. */
cla_status keyed_list_add(keyed_list *list, uint64_t key, int64_t value, cla_error *error);

/* Adds `count` items behind the others. CLA_ERROR_MEMORY. */
cla_status keyed_list_add_all(keyed_list *list, const keyed *items, int64_t count, cla_error *error);

/* The bits of keys up to `most`; 0 for 0. */
int key_bits(uint64_t most);

/* Bits that are sorted by at a time. */
#define KEY_SORT_DIGIT 11

/* Sorts by the `bits` bits of the keys that begin at bit `shift`, and those up to a multiple of
 * KEY_SORT_DIGIT, ascending; equal ones keep their order.
 * CLA_ERROR_MEMORY (it needs as much again). */
cla_status key_sort(keyed_list *list, int shift, int bits, cla_error *error);

/* Sorts `count` items with scratch memory of the same size. Returns the array that has the result: `items` or
 * `scratch`. */
keyed *key_sort_with(keyed *items, keyed *scratch, int64_t count, int shift, int bits);

#endif
