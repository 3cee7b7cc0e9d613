#include "seq/record_index.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/allocate.h"
#include "base/error.h"
#include "seq/sequence_internal.h"

/* Parses a decimal number that starts with a digit and may contain commas. Returns the first byte after the
 * number, or NULL if there is no number. Numbers beyond int64 become INT64_MAX. */
static const char *parse_number(int64_t *number, const char *text) {
  int64_t value = 0;
  bool overflow = false;
  if (*text < '0' || *text > '9') return NULL;
  for (; (*text >= '0' && *text <= '9') || *text == ','; text++) {
    if (*text == ',') continue;
    const int digit = *text - '0';
    overflow |= value > (INT64_MAX - digit) / 10;
    if (!overflow) value = value * 10 + digit;
  }
  *number = overflow ? INT64_MAX : value;
  return text;
}

static bool parse_form(int64_t *from, int64_t *to, const char *text) {
  *to = -1;
  const char *rest = parse_number(from, text);
  if (!rest || *rest != '-') return false;
  if (!rest[1]) return true;
  rest = parse_number(to, rest + 1);
  return rest && !*rest;
}

bool sequence_range_form(const char *text) {
  int64_t from, to;
  return parse_form(&from, &to, text);
}

cla_status sequence_range_parse(int64_t *begin, int64_t *end, const char *text, int64_t length,
                                const char *record, cla_error *error) {
  char range[SHOWN_NAME_SIZE];
  int64_t from, to;
  shown_text(range, sizeof range, text);
  if (!parse_form(&from, &to, text))
    return error_set(
        error, CLA_ERROR_INPUT,
        "'%s' is no range of %s; write FROM-TO or FROM- with whole numbers, 1-based inclusive, within "
        "1-%lld",
        range, record, (long long)length);
  if (to < 0) to = length;
  if (from == 0 || to == 0)
    return error_set(error, CLA_ERROR_INPUT,
                     "range %s of %s begins or ends at 0, but positions count from 1; choose within 1-%lld",
                     range, record, (long long)length);
  if (from > length || to > length)
    return error_set(error, CLA_ERROR_INPUT,
                     "range %s is outside of %s, which has %lld letters; choose within 1-%lld", range, record,
                     (long long)length, (long long)length);
  if (from > to)
    return error_set(error, CLA_ERROR_INPUT, "range %s of %s is reversed; write the smaller position first",
                     range, record);
  *begin = from - 1;
  *end = to;
  return CLA_OK;
}

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

void record_choice_begin(record_choice *choice, const char *selection) {
  const char *colon = selection ? strrchr(selection, ':') : NULL;
  *choice = (record_choice){.selection = selection, .prefix = colon ? colon - selection : -1};
}

/* True if the first `count` bytes of `digits` are digits that make up the number. */
static bool is_number(const char *digits, int64_t count, int64_t number) {
  int64_t value = 0;
  for (int64_t i = 0; i < count; i++) {
    if (digits[i] < '0' || digits[i] > '9' || value > INT32_MAX) return false;
    value = value * 10 + digits[i] - '0';
  }
  return count > 0 && value == number;
}

static bool is_chosen_number(const record_choice *choice, int64_t number) {
  const char *selection = choice->selection;
  if (selection[0] != '#') return false;
  return is_number(selection + 1, (int64_t)strlen(selection) - 1, number) ||
         is_number(selection + 1, choice->prefix - 1, number);
}

int64_t record_choice_number(const record_choice *choice, int64_t count) {
  if (!choice->selection || choice->selection[0] != '#') return -1;
  const int64_t number = strtoll(choice->selection + 1, NULL, 10);
  return number >= 1 && number <= count && is_chosen_number(choice, number) ? number - 1 : -1;
}

record_fit record_choice_fit(const record_choice *choice, const char *name, int64_t number) {
  const char *selection = choice->selection;
  if (!selection) return number == 1 ? FIT_ONLY : FIT_NONE;
  if (strcmp(selection, name) == 0) return FIT_NAME;
  if (choice->prefix >= 0 && (int64_t)strlen(name) == choice->prefix &&
      memcmp(name, selection, (size_t)choice->prefix) == 0)
    return FIT_RANGE;
  if (is_chosen_number(choice, number)) return FIT_NUMBER;
  return number == 1 && sequence_range_form(selection) ? FIT_ONLY : FIT_NONE;
}

void record_choice_list(record_choice *choice, const char *name, int64_t number) {
  char shown[LISTED_NAME_SIZE];
  if (number > LISTED_NAMES + 1) return;
  if (number > 1) strcat(choice->listed, ", ");
  strcat(choice->listed, number > LISTED_NAMES ? "..." : shown_text(shown, sizeof shown, name));
}

cla_status record_choice_verdict(const record_choice *choice, int64_t records, const char *name, char marker,
                                 const char *file, cla_error *error) {
  char selection[SHOWN_NAME_SIZE];
  if (records == 0)
    return error_set(error, CLA_ERROR_INPUT,
                     "%s is empty; give a FASTA or FASTQ file with at least one record", file);
  if (choice->fit == FIT_ONLY && records > 1)
    return error_set(error, CLA_ERROR_INPUT,
                     "%s holds %lld records (%s); choose one as FILE:RECORD%s or by its number as FILE:#1%s, "
                     "or align all of them: clalign batch --all-vs-all QUERIES TARGETS",
                     file, (long long)records, choice->listed, choice->selection ? ":FROM-TO" : "",
                     choice->selection ? ":FROM-TO" : "");
  if (choice->fit == FIT_NONE)
    return error_set(
        error, CLA_ERROR_INPUT,
        "%s holds no record '%s'; it holds %s: choose one as FILE:RECORD or FILE:RECORD:FROM-TO, "
        "or by its number, 1 to %lld, as FILE:#1",
        file, shown_text(selection, sizeof selection, choice->selection), choice->listed, (long long)records);
  shown_text(selection, sizeof selection, name);
  if (choice->same > 1)
    return error_set(error, CLA_ERROR_INPUT,
                     "%s holds %lld records named '%s'; rename them, so that the choice is clear", file,
                     (long long)choice->same, selection);
  if (!*name)
    return error_set(error, CLA_ERROR_INPUT,
                     "the record of %s has no name; write one after the '%c' of its header", file, marker);
  return CLA_OK;
}

const char *record_choice_range(const record_choice *choice) {
  if (!choice->selection) return NULL;
  const bool of_number = choice->fit == FIT_NUMBER && choice->prefix >= 0;
  if (choice->fit == FIT_RANGE || of_number) return choice->selection + choice->prefix + 1;
  return choice->fit == FIT_ONLY ? choice->selection : NULL;
}
