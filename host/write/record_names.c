#include "write/record_names.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/allocate.h"
#include "base/error.h"
#include "seq/alphabet.h"
#include "seq/sequence.h"

/* Printable ASCII characters that SAM's RNAME must not have. */
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

/* Returns the number of bytes of the valid UTF-8 character at `text`, or 0 if there is no such character.
 * Sets *code to the character's code point. */
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
    if ((text[index] & 0xc0) != 0x80) return 0; /* also true for the terminating zero */
    value = value << 6 | (text[index] & 0x3fu);
  }
  *code = value;
  bool surrogate = value >= 0xd800 && value < 0xe000;
  return length && value >= least[length] && value <= 0x10ffff && !surrogate ? length : 0;
}

/* Returns the number of bytes of the non-ASCII blank or line end at `text`, or 0 if there is none. The
 * characters are those of Python's split and splitlines, because Python programs split columns and lines with
 * these functions. */
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

cla_status short_record_check(const char *format, int64_t letters, const char *what, cla_error *error) {
  if (letters <= INT32_MAX) return CLA_OK;
  return error_set(error, CLA_ERROR_OPTION,
                   "the format %s cannot hold %s of %lld letters: its limit is %d; use paf or json", format,
                   what, (long long)letters, INT32_MAX);
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

/* Number of shares of the table. Names are divided among the shares by their hashes, so that threads seldom
 * wait for the same lock. */
#define SHARES 64
#define CHUNK 512 /* number of names per chunk of memory; chunks never move */
#define SLOTS_FIRST 64

/* The low bits of a slot contain the 1-based number of a name in its share, and the high bits contain bits
 * of the name's hash. 0: the slot is free. So most searches compare only one name. */
#define NUMBER_BITS 40
#define NUMBER_MASK ((UINT64_C(1) << NUMBER_BITS) - 1)

typedef struct name_share {
  pthread_mutex_t lock;
  named_target **chunks; /* chunks with CHUNK names each */
  int64_t count, chunk_capacity;
  uint64_t *slots;
  int64_t slot_count; /* a power of two; 0 at first */
} name_share;

struct target_names {
  name_share shares[SHARES];
};

cla_status target_names_open(target_names **out, cla_error *error) {
  target_names *memory = NULL;
  *out = NULL;
  cla_status status = ALLOCATE_ZEROS(&memory, 1, "names of targets", error);
  if (status != CLA_OK) return status;
  *out = memory;
  for (int i = 0; i < SHARES; i++) pthread_mutex_init(&(*out)->shares[i].lock, NULL);
  return CLA_OK;
}

void target_names_close(target_names *names) {
  if (!names) return;
  for (int i = 0; i < SHARES; i++) {
    name_share *share = &names->shares[i];
    for (int64_t chunk = 0; chunk * CHUNK < share->count; chunk++) free(share->chunks[chunk]);
    free(share->chunks);
    free(share->slots);
    pthread_mutex_destroy(&share->lock);
  }
  free(names);
}

static named_target *name_at(const name_share *share, int64_t index) {
  return &share->chunks[index / CHUNK][index % CHUNK];
}

/* Returns the first slot where the name may be. */
static int64_t slot_of(const name_share *share, const uint64_t name[2]) {
  return (int64_t)(name[0] / SHARES & (uint64_t)(share->slot_count - 1));
}

/* Returns the slot of the name, or the free slot where the name belongs. */
static uint64_t *find_slot(const name_share *share, const uint64_t name[2]) {
  const int64_t last = share->slot_count - 1;
  for (int64_t slot = slot_of(share, name);; slot = (slot + 1) & last) {
    uint64_t *found = &share->slots[slot];
    if (*found == 0) return found;
    if ((*found ^ name[1]) & ~NUMBER_MASK) continue;
    const named_target *known = name_at(share, (int64_t)(*found & NUMBER_MASK) - 1);
    if (memcmp(known->name, name, sizeof known->name) == 0) return found;
  }
}

/* Makes room for one more name. */
static cla_status grow(name_share *share, cla_error *error) {
  cla_status status = ALLOCATE_GROW(&share->chunks, &share->chunk_capacity, share->count / CHUNK + 1,
                                    "names of targets", error);
  if (status == CLA_OK && 2 * share->count >= share->slot_count) {
    const int64_t wider = share->slot_count > 0 ? 2 * share->slot_count : SLOTS_FIRST;
    uint64_t *slots = NULL;
    status = ALLOCATE_ZEROS(&slots, wider, "names of targets", error);
    if (status != CLA_OK) return status;
    free(share->slots);
    share->slots = slots;
    share->slot_count = wider;
    for (int64_t i = 0; i < share->count; i++) {
      const uint64_t *name = name_at(share, i)->name;
      *find_slot(share, name) = (name[1] & ~NUMBER_MASK) | (uint64_t)(i + 1);
    }
  }
  return status;
}

static cla_status add_name(named_target **known, name_share *share, uint64_t *slot, const target_key *key,
                           cla_error *error) {
  const int64_t chunk = share->count / CHUNK;
  named_target *memory = NULL;
  if (share->count % CHUNK == 0) {
    cla_status status = ALLOCATE_ARRAY(&memory, CHUNK, "names of targets", error);
    if (status != CLA_OK) return status;
    share->chunks[chunk] = memory;
  }
  *known = name_at(share, share->count++);
  **known = (named_target){.name = {key->name[0], key->name[1]}};
  *slot = (key->name[1] & ~NUMBER_MASK) | (uint64_t)share->count;
  return CLA_OK;
}

/* Returns the name of the results' target: the name in the alignments or, if there are none, the name of the
 * sequence. */
static const char *results_target_name(const cla_results *results) {
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

static cla_status find_name(name_share *share, found_target *target, cla_error *error) {
  cla_status status = grow(share, error);
  if (status != CLA_OK) return status;
  uint64_t *slot = find_slot(share, target->key.name);
  if (*slot == 0) return add_name(&target->known, share, slot, &target->key, error);
  target->known = name_at(share, (int64_t)(*slot & NUMBER_MASK) - 1);
  return CLA_OK;
}

/* Finds the targets of a share; they form a linked list that starts at index `first`. All slots are
 * prefetched before the first slot is read. */
static cla_status find_in_share(name_share *share, found_target *targets, int64_t first, cla_error *error) {
  cla_status status = CLA_OK;
  pthread_mutex_lock(&share->lock);
  for (int64_t i = first; i >= 0 && share->slot_count > 0; i = targets[i].next)
    __builtin_prefetch(&share->slots[slot_of(share, targets[i].key.name)]);
  for (int64_t i = first; i >= 0 && status == CLA_OK; i = targets[i].next)
    status = find_name(share, &targets[i], error);
  pthread_mutex_unlock(&share->lock);
  return status;
}

cla_status target_names_find(target_names *names, found_target *targets, int64_t count, cla_error *error) {
  int64_t first[SHARES];
  cla_status status = CLA_OK;
  for (int share = 0; share < SHARES; share++) first[share] = -1;
  for (int64_t i = count - 1; i >= 0; i--) {
    const uint64_t *name = targets[i].key.name;
    targets[i].known = NULL;
    if (name[0] == 0 && name[1] == 0) continue;
    targets[i].next = first[name[0] % SHARES];
    first[name[0] % SHARES] = i;
  }
  for (int share = 0; share < SHARES && status == CLA_OK; share++)
    if (first[share] >= 0) status = find_in_share(&names->shares[share], targets, first[share], error);
  return status;
}

bool named_target_claim(named_target *known, const target_key *key, int64_t pair) {
  if (known->pair == 0) {
    known->letters = key->letters;
    known->pair = pair;
  }
  return known->letters == key->letters;
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
  found_target target;
  cla_status status = target_key_make(&target.key, results, false, use->rule, error);
  if (status == CLA_OK) status = target_names_find(names, &target, 1, error);
  if (status != CLA_OK) return status;
  *known = target.known;
  if (named_target_claim(target.known, &target.key, use->pair)) return CLA_OK;
  return target_names_clash(results, use, target.known, error);
}
