#ifndef HOST_BASE_KEY_SORT_H
#define HOST_BASE_KEY_SORT_H

#include <stdint.h>

#include "clalign/status.h"

typedef struct keyed {
  uint64_t key;
  int64_t value;
} keyed;

/* A growing list of keyed items. Zero-initialise; the caller frees `items` with free(). */
typedef struct keyed_list {
  keyed *items;
  int64_t count, capacity;
} keyed_list;

/* Adds one item. CLA_ERROR_MEMORY. */
cla_status keyed_list_add(keyed_list *list, uint64_t key, int64_t value, cla_error *error);

/* Adds `count` items behind the others. CLA_ERROR_MEMORY. */
cla_status keyed_list_add_all(keyed_list *list, const keyed *items, int64_t count, cla_error *error);

/* Returns the number of bits that keys up to `most` need; 0 for 0. */
int key_bits(uint64_t most);

/* Number of key bits by which one pass of the sort sorts. */
#define KEY_SORT_DIGIT 11

/* Sorts the list, ascending, by `bits` bits of the keys from bit `shift` on; `bits` is rounded up to a
 * multiple of KEY_SORT_DIGIT. Items whose bits are equal keep their order. CLA_ERROR_MEMORY (a second array
 * of the list's size is needed). */
cla_status key_sort(keyed_list *list, int shift, int bits, cla_error *error);

/* Sorts `count` items with scratch memory of the same size. Returns the array that holds the result: `items`
 * or `scratch`. */
keyed *key_sort_with(keyed *items, keyed *scratch, int64_t count, int shift, int bits);

#endif
