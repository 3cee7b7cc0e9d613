#include "seq/record_index.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/allocate.h"

cla_status record_index_add(record_index *index, int64_t place, int64_t line, const char *name,
                            cla_error *error) {
  const int64_t size = (int64_t)strlen(name) + 1;
  void *places = index->places, *names = index->names;
  cla_status status =
      allocate_grow(&places, &index->capacity, index->count + 1, sizeof *index->places, "an index", error);
  index->places = places;
  if (status) return status;
  status = allocate_grow(&names, &index->names_capacity, index->names_length + size, 1, "an index", error);
  index->names = names;
  if (status) return status;
  memcpy(index->names + index->names_length, name, (size_t)size);
  index->places[index->count++] = (record_place){.place = place, .line = line, .name = index->names_length};
  index->names_length += size;
  return CLA_OK;
}

const char *record_index_name(const record_index *index, int64_t number) {
  return index->names + index->places[number].name;
}

static int64_t first_slot(const record_index *index, const char *name, int64_t length) {
  return (int64_t)(XXH3_64bits(name, (size_t)length) & (uint64_t)(index->slot_count - 1));
}

static int64_t next_slot(const record_index *index, int64_t slot) {
  return (slot + 1) & (index->slot_count - 1);
}

cla_status record_index_finish(record_index *index, cla_error *error) {
  index->slot_count = 16;
  while (index->slot_count < 2 * index->count) index->slot_count *= 2;
  void *slots = NULL;
  cla_status status = allocate_zeros(&slots, index->slot_count, sizeof *index->slots, "an index", error);
  index->slots = slots;
  if (status) return status;
  for (int64_t number = 0; number < index->count; number++) {
    const char *name = record_index_name(index, number);
    int64_t slot = first_slot(index, name, (int64_t)strlen(name));
    while (index->slots[slot] > 0) slot = next_slot(index, slot);
    index->slots[slot] = number + 1;
  }
  return CLA_OK;
}

int64_t record_index_find(const record_index *index, int64_t *same, const char *name, int64_t length) {
  int64_t first = -1;
  *same = 0;
  for (int64_t slot = first_slot(index, name, length); index->slots[slot] > 0;
       slot = next_slot(index, slot)) {
    const int64_t number = index->slots[slot] - 1;
    const char *other = record_index_name(index, number);
    if (strncmp(other, name, (size_t)length) != 0 || other[length] != '\0') continue;
    if (first < 0 || number < first) first = number;
    ++*same;
  }
  return first;
}

void record_index_free(record_index *index) {
  free(index->places);
  free(index->names);
  free(index->slots);
  *index = (record_index){0};
}
