#include "write/record_names.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/allocate.h"
#include "base/error.h"
#include "seq/alphabet.h"
#include "seq/sequence.h"

/* What of printable ASCII the name of SAM's reference may not have. */
static const bool marks[256] = {
    ['\\'] = true, [','] = true, ['"'] = true, ['\''] = true, ['`'] = true, ['('] = true, [')'] = true,
    ['['] = true,  [']'] = true, ['{'] = true, ['}'] = true,  ['<'] = true, ['>'] = true,
};

static bool is_allowed(unsigned char byte, bool first, clean_rule rule) {
  switch (rule) {
    case CLEAN_COLUMN: return byte > ' ' && byte != 0x7f;
    case CLEAN_FIRST_COLUMN: return byte > ' ' && byte != 0x7f && !(first && byte == '#');
    case CLEAN_SAM_QUERY: return byte > ' ' && byte < 0x7f && byte != '@';
    case CLEAN_SAM_REFERENCE:
      return byte > ' ' && byte < 0x7f && !marks[byte] && !(first && (byte == '*' || byte == '='));
    case CLEAN_LINE: return byte >= ' ' && byte != 0x7f;
  }
  return false;
}

/* Bytes of the valid UTF-8 character at `text`, 0 if there is none; *code is its number. */
static int utf8_length(uint32_t *code, const unsigned char *text) {
  static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  unsigned char lead = text[0];
  *code = lead;
  if (lead < 0x80) return 1;
  int length = lead >= 0xf0 && lead < 0xf8   ? 4
               : lead >= 0xe0 && lead < 0xf0 ? 3
               : lead >= 0xc0 && lead < 0xe0 ? 2
                                             : 0;
  uint32_t value = length ? lead & (0x7fu >> length) : 0;
  for (int index = 1; index < length; index++) {
    if ((text[index] & 0xc0) != 0x80) return 0; /* the terminating zero ends here too */
    value = value << 6 | (text[index] & 0x3fu);
  }
  *code = value;
  bool surrogate = value >= 0xd800 && value < 0xe000;
  return length && value >= least[length] && value <= 0x10ffff && !surrogate ? length : 0;
}

/* Bytes of the blank or line end beyond ASCII at `text`, 0 if there is none: those at which Python's split
 * and splitlines, with which readers part columns and lines, part a text. */
static int wide_blank_length(const char *text) {
  uint32_t code;
  const int length = utf8_length(&code, (const unsigned char *)text);
  const bool blank = code == 0x85 || code == 0xa0 || code == 0x1680 || (code >= 0x2000 && code <= 0x200a) ||
                     code == 0x2028 || code == 0x2029 || code == 0x202f || code == 0x205f || code == 0x3000;
  return length > 1 && blank ? length : 0;
}

cla_status clean_name(char **out, const char *name, clean_rule rule, const char *fallback, cla_error *error) {
  const bool column = rule == CLEAN_COLUMN || rule == CLEAN_FIRST_COLUMN;
  cla_status status = allocate_text(out, name && *name ? name : fallback, error);
  if (status != CLA_OK) return status;
  for (char *at = *out; *at; at++) {
    if (!is_allowed((unsigned char)*at, at == *out, rule)) *at = rule == CLEAN_LINE ? ' ' : '_';
    const int blank = column ? wide_blank_length(at) : 0;
    for (int byte = 0; byte < blank; byte++) at[byte] = '_';
  }
  return CLA_OK;
}

bool name_is_clean(const char *name, bool plain, clean_rule rule) {
  const bool column = rule == CLEAN_COLUMN || rule == CLEAN_FIRST_COLUMN || rule == CLEAN_LINE;
  if (!name || !*name) return false;
  if (column && !plain &&
      bytes_outside((const unsigned char *)name, (int64_t)strlen(name), PLAIN_LEAST, PLAIN_MOST))
    return false;
  if (column) return rule != CLEAN_FIRST_COLUMN || *name != '#';
  for (const char *at = name; *at; at++)
    if (!is_allowed((unsigned char)*at, at == name, rule)) return false;
  return true;
}

cla_status clean_utf8(char **out, const char *text, cla_error *error) {
  static const char replacement[] = "\xef\xbf\xbd";
  void *memory = NULL;
  cla_status status = allocate_array(&memory, (int64_t)strlen(text) * 3 + 1, 1, "a text", error);
  if (status != CLA_OK) return status;
  char *to = *out = memory;
  while (*text) {
    uint32_t code;
    int length = utf8_length(&code, (const unsigned char *)text);
    int copied = length > 0 ? length : 3;
    memcpy(to, length > 0 ? text : replacement, (size_t)copied);
    text += length > 0 ? length : 1;
    to += copied;
  }
  *to = 0;
  return CLA_OK;
}

record_key record_key_of(const char *name, const cla_sequence *sequence) {
  struct {
    uint8_t checksum[16];
    int64_t length, number;
    uint64_t name;
  } told = {.length = cla_sequence_length(sequence),
            .number = sequence_number(sequence),
            .name = XXH3_64bits(name, strlen(name))};
  cla_sequence_checksum(sequence, told.checksum);
  const XXH128_hash_t key = XXH3_128bits(&told, sizeof told);
  return (record_key){{key.high64, key.low64}};
}

/* A slot has the number of a target, from 1, and above it bits of its name's hash; 0: it is free. So most
 * names are told without a look at the targets. */
#define NUMBER_BITS 40
#define NUMBER_MASK ((UINT64_C(1) << NUMBER_BITS) - 1)

struct target_names {
  named_target *targets; /* in the order of their first pairs */
  int64_t count, capacity;
  uint64_t *slots;
  int64_t slot_count; /* a power of two */
};

#define SLOTS_FIRST 64

cla_status target_names_open(target_names **out, cla_error *error) {
  void *memory = NULL;
  *out = NULL;
  cla_status status = allocate_zeros(&memory, 1, sizeof(target_names), "names of targets", error);
  if (status != CLA_OK) return status;
  target_names *names = memory;
  names->slot_count = SLOTS_FIRST;
  status =
      allocate_zeros((void **)&names->slots, SLOTS_FIRST, sizeof *names->slots, "names of targets", error);
  if (status == CLA_OK)
    *out = names;
  else
    free(names);
  return status;
}

void target_names_close(target_names *names) {
  if (!names) return;
  free(names->targets);
  free(names->slots);
  free(names);
}

/* The slot of the name, or the free one where it belongs. */
static uint64_t *find_slot(const target_names *names, const uint64_t name[2]) {
  const int64_t last = names->slot_count - 1;
  for (int64_t slot = (int64_t)(name[0] & (uint64_t)last);; slot = (slot + 1) & last) {
    uint64_t *found = &names->slots[slot];
    if (*found == 0) return found;
    if ((*found ^ name[1]) & ~NUMBER_MASK) continue;
    const target_key *key = &names->targets[(*found & NUMBER_MASK) - 1].key;
    if (memcmp(key->name, name, sizeof key->name) == 0) return found;
  }
}

static cla_status grow(target_names *names, cla_error *error) {
  void *memory = names->targets;
  cla_status status = allocate_grow(&memory, &names->capacity, names->count + 1, sizeof *names->targets,
                                    "names of targets", error);
  if (status != CLA_OK) return status;
  names->targets = memory;
  if (2 * names->count < names->slot_count) return CLA_OK;
  status = allocate_zeros(&memory, 2 * names->slot_count, sizeof *names->slots, "names of targets", error);
  if (status != CLA_OK) return status;
  free(names->slots);
  names->slots = memory;
  names->slot_count *= 2;
  for (int64_t i = 0; i < names->count; i++) {
    const uint64_t *name = names->targets[i].key.name;
    *find_slot(names, name) = (name[1] & ~NUMBER_MASK) | (uint64_t)(i + 1);
  }
  return CLA_OK;
}

const char *results_target_name(const cla_results *results) {
  return results->count > 0 ? results->alignments[0]->target.name : cla_sequence_name(results->target);
}

cla_status target_key_make(target_key *out, const cla_results *results, bool plain, clean_rule rule,
                           cla_error *error) {
  const char *name = results_target_name(results);
  char *owned = NULL;
  if (!name_is_clean(name, plain, rule)) {
    cla_status status = clean_name(&owned, name, rule, "target", error);
    if (status != CLA_OK) return status;
    name = owned;
  }
  struct {
    uint8_t checksum[16];
    int64_t length;
  } letters = {.length = cla_sequence_length(results->target)};
  const XXH128_hash_t hash = XXH3_128bits(name, strlen(name));
  cla_sequence_checksum(results->target, letters.checksum);
  *out = (target_key){{hash.low64, hash.high64}, XXH3_64bits(&letters, sizeof letters)};
  free(owned);
  return CLA_OK;
}

void target_names_ask(const target_names *names, const target_key *key) {
  __builtin_prefetch(&names->slots[key->name[0] & (uint64_t)(names->slot_count - 1)]);
}

cla_status target_names_find(named_target **known, target_names *names, const target_key *key, int64_t pair,
                             cla_error *error) {
  cla_status status = grow(names, error);
  if (status != CLA_OK) return status;
  uint64_t *slot = find_slot(names, key->name);
  if (*slot == 0) {
    *slot = (key->name[1] & ~NUMBER_MASK) | (uint64_t)(names->count + 1);
    names->targets[names->count++] = (named_target){.key = *key, .pair = pair};
  }
  *known = &names->targets[(*slot & NUMBER_MASK) - 1];
  return CLA_OK;
}

bool named_target_is(const named_target *known, const target_key *key) {
  return known->key.letters == key->letters;
}

cla_status target_names_clash(const cla_results *results, const target_use *use, const named_target *earlier,
                              cla_error *error) {
  const char *whole = results_target_name(results);
  char *name = NULL;
  cla_status status = clean_name(&name, whole, use->rule, "target", error);
  if (status == CLA_OK)
    status =
        error_set(error, CLA_ERROR_INPUT,
                  "the target '%.200s' (%.400s) would be called '%.200s' in %s, as another sequence is, "
                  "the target of pair %lld; rename one of the two records, or use the format json",
                  whole, cla_sequence_location(results->target), name, use->format, (long long)earlier->pair);
  free(name);
  return status;
}

cla_status target_names_add(named_target **known, target_names *names, const cla_results *results,
                            const target_use *use, cla_error *error) {
  target_key key;
  cla_status status = target_key_make(&key, results, false, use->rule, error);
  if (status == CLA_OK) status = target_names_find(known, names, &key, use->pair, error);
  if (status != CLA_OK || named_target_is(*known, &key)) return status;
  return target_names_clash(results, use, *known, error);
}
