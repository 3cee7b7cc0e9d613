#ifndef HOST_SEQ_RECORD_INDEX_H
#define HOST_SEQ_RECORD_INDEX_H

#include <stdbool.h>
#include <stdint.h>

#include "clalign/status.h"

/* Where the records of a file begin, and their names. Zero-initialise; end with record_index_free. */
typedef struct record_index {
  struct record_place *places;
  int64_t count, capacity;
  char *names; /* one after the other, each with its zero */
  int64_t names_length, names_capacity;
  int64_t *slots; /* a hash table of record numbers + 1, 0 for none; its size is a power of two */
  int64_t slot_count;
} record_index;

typedef struct record_place {
  int64_t place; /* of its header, for sequence_input_seek */
  int64_t line;  /* of its header, 1-based */
  int64_t name;  /* where its name begins among `names` */
} record_place;

/* Adds the next record. CLA_ERROR_MEMORY. */
cla_status record_index_add(record_index *index, int64_t place, int64_t line, const char *name,
                            cla_error *error);

/* Makes it possible to find names; to be called after the last record was added. CLA_ERROR_MEMORY. */
cla_status record_index_finish(record_index *index, cla_error *error);

/* The number, from 0, of the first record whose name is the first `length` bytes of `name`, and how many have
 * that name; -1 and 0 for none. */
int64_t record_index_find(const record_index *index, int64_t *same, const char *name, int64_t length);

const char *record_index_name(const record_index *index, int64_t number);

void record_index_free(record_index *index);

#endif
