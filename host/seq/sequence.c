#include "seq/sequence.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/allocate.h"
#include "base/error.h"
#include "seq/alphabet.h"
#include "seq/letter_range.h"
#include "seq/letter_store.h"
#include "seq/sequence_internal.h"

#define CHECKSUM_CHUNK 16384

struct cla_sequence {
  char *name, *location;
  char *description; /* NULL: no description */
  uint8_t *codes;
  uint8_t *qualities; /* FASTQ's qualities; NULL: there are none, or they are not kept */
  uint8_t *lower;     /* LOWER_CASE or 0 for each letter; NULL: the case was not kept */
  letter_set *own;    /* owned; alphabet made for this sequence; NULL: `alphabet` is static */
  const letter_set *alphabet;
  uint32_t letters_met;
  int64_t length, begin, end, number;
  uint8_t checksum[16];
  letter_tally *tally;      /* owned; tally of a record of which only a range is in memory; otherwise NULL */
  cla_sequence *letters_of; /* the sequence that owns codes and alphabet; NULL: this one */
  atomic_int views;         /* number of other sequences that use this sequence's letters */
};

/* Hashes the letters and finds the codes that occur. */
static cla_status survey_long(XXH128_hash_t *sum, cla_sequence *sequence, cla_error *error) {
  char letters[CHECKSUM_CHUNK];
  XXH3_state_t *state = XXH3_createState();
  if (!state || XXH3_128bits_reset(state) != XXH_OK) {
    XXH3_freeState(state);
    return error_set(error, CLA_ERROR_MEMORY, "out of memory for a checksum; free some memory");
  }
  for (int64_t at = 0; at < sequence->length; at += CHECKSUM_CHUNK) {
    const int64_t left = sequence->length - at, count = left < CHECKSUM_CHUNK ? left : CHECKSUM_CHUNK;
    sequence->letters_met |= letter_codes_spell(letters, sequence->alphabet, sequence->codes + at, count);
    XXH3_128bits_update(state, letters, (size_t)count);
  }
  *sum = XXH3_128bits_digest(state);
  XXH3_freeState(state);
  return CLA_OK;
}

/* Sets the checksum and the codes that occur. The checksum is that of the letters, not of their codes, so
 * it stays valid if the letters' codes ever change. */
static cla_status survey_letters(cla_sequence *sequence, cla_error *error) {
  cla_status status = CLA_OK;
  XXH128_hash_t sum = {0};
  if (sequence->length <= CHECKSUM_CHUNK) {
    char letters[CHECKSUM_CHUNK];
    sequence->letters_met =
        letter_codes_spell(letters, sequence->alphabet, sequence->codes, sequence->length);
    sum = XXH3_128bits(letters, (size_t)sequence->length);
  } else {
    status = survey_long(&sum, sequence, error);
  }
  if (status != CLA_OK) return status;
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, sum);
  memcpy(sequence->checksum, canonical.digest, sizeof sequence->checksum);
  return CLA_OK;
}

/* Sets the alphabet. An alphabet made of a matrix' letters is copied; the others are static. */
static cla_status take_alphabet(cla_sequence *sequence, const letter_set *letters, cla_error *error) {
  sequence->alphabet = letters;
  if (letters->kind != CLA_ALPHABET_OWN) return CLA_OK;
  cla_status status = ALLOCATE_ZEROS(&sequence->own, 1, "an alphabet", error);
  if (status) return status;
  *sequence->own = *letters;
  sequence->alphabet = sequence->own;
  return CLA_OK;
}

/* Takes the tally, the set of codes and the checksum from the range: not all letters of the record are in
 * memory. */
static void take_range(cla_sequence *sequence, const letter_range *range) {
  *sequence->tally = range->tally;
  for (int code = 0; code < ALPHABET_LETTERS_MOST; code++)
    if (range->tally.counts[code] > 0) sequence->letters_met |= UINT32_C(1) << code;
  letter_sum_finish(sequence->checksum, &range->sum, sequence->alphabet->kind == CLA_ALPHABET_DNA);
}

/* Moves the kept letters to their places in the record. */
static cla_status map_range(letter_store *letters, cla_error *error) {
  cla_status status = CLA_OK;
  uint8_t **arrays[] = {&letters->codes, letters->keep_case ? &letters->lower : NULL};
  for (int i = 0; i < 2 && arrays[i]; i++) {
    status = letter_range_map(arrays[i], letters->range, error);
    if (status == CLA_OK) continue;
    if (i > 0) letter_range_unmap(letters->codes, letters->range->tally.letters);
    if (i > 0) letters->codes = NULL;
    return status;
  }
  return CLA_OK;
}

cla_status sequence_create(cla_sequence **out, const sequence_label *label, letter_store *letters,
                           cla_error *error) {
  cla_sequence *sequence = NULL;
  *out = NULL;
  cla_status status = ALLOCATE_ZEROS(&sequence, 1, "a sequence", error);
  if (status) return status;
  const letter_range *range = letters->range;
  if (range && range->kept == range->tally.letters) range = NULL;
  if (range) status = ALLOCATE_ZEROS(&sequence->tally, 1, "a sequence", error);
  if (!status && range) status = map_range(letters, error);
  if (status) {
    free(sequence->tally);
    free(sequence);
    return status;
  }
  sequence->codes = letters->codes;
  sequence->length = range ? range->tally.letters : letters->length;
  sequence->begin = label->begin;
  sequence->end = label->end;
  sequence->number = label->number;
  letters->codes = NULL;
  sequence->qualities = letters->qualities;
  letters->qualities = NULL;
  sequence->lower = letters->lower;
  letters->lower = NULL;
  status = take_alphabet(sequence, letters->alphabet, error);
  letter_store_clear(letters);
  if (!status && range) take_range(sequence, range);
  /* `codes` is never NULL, even without letters. */
  if (!status && !sequence->codes) status = ALLOCATE_ARRAY(&sequence->codes, 1, "a sequence", error);
  if (!status) status = allocate_text(&sequence->name, label->name, error);
  if (!status) status = allocate_text(&sequence->location, label->location, error);
  if (!status && label->description && label->description[0])
    status = allocate_text(&sequence->description, label->description, error);
  if (!status && !range) status = survey_letters(sequence, error);
  if (status) {
    cla_sequence_free(sequence);
    return status;
  }
  *out = sequence;
  return CLA_OK;
}

cla_status record_view_open(cla_sequence **out, const letter_set *letters, cla_error *error) {
  cla_sequence *memory = NULL;
  *out = NULL;
  cla_status status = ALLOCATE_ZEROS(&memory, 1, "a sequence", error);
  if (status) return status;
  status = take_alphabet(memory, letters, error);
  if (status)
    free(memory);
  else
    *out = memory;
  return status;
}

cla_status record_view_set(cla_sequence *view, const cla_record_block *block, int64_t index, char *location,
                           bool summed, cla_error *error) {
  const int64_t at = block->offsets[index];
  view->name = block->names + block->name_offsets[index];
  view->location = location;
  view->codes = block->codes + at;
  view->qualities = block->qualities ? block->qualities + at : NULL;
  view->lower = block->lower ? block->lower + at : NULL;
  view->length = view->end = block->offsets[index + 1] - at;
  view->number = block->path ? block->first + index + 1 : 0;
  view->letters_met = block->letters_met;
  return summed ? survey_letters(view, error) : CLA_OK;
}

void record_view_close(cla_sequence *view) {
  if (view) free(view->own);
  free(view);
}

cla_status sequence_view(cla_sequence **out, cla_sequence *whole, const char *location, int64_t begin,
                         int64_t end, cla_error *error) {
  cla_sequence *memory = NULL;
  *out = NULL;
  cla_status status = ALLOCATE_ZEROS(&memory, 1, "a sequence", error);
  if (status) return status;
  cla_sequence *view = memory, *owner = whole->letters_of ? whole->letters_of : whole;
  view->codes = whole->codes;
  view->qualities = whole->qualities;
  view->lower = whole->lower;
  view->alphabet = whole->alphabet;
  view->tally = whole->tally;
  view->letters_met = whole->letters_met;
  view->length = whole->length;
  view->begin = begin;
  view->end = end;
  view->number = whole->number;
  memcpy(view->checksum, whole->checksum, sizeof view->checksum);
  view->letters_of = owner;
  atomic_fetch_add(&owner->views, 1);
  status = allocate_text(&view->name, whole->name, error);
  if (!status) status = allocate_text(&view->location, location, error);
  if (!status && whole->description) status = allocate_text(&view->description, whole->description, error);
  if (status)
    cla_sequence_free(view);
  else
    *out = view;
  return status;
}

cla_status cla_sequence_part(cla_sequence **out, cla_sequence *whole, const char *location, int64_t begin,
                             int64_t end, cla_error *error) {
  const bool empty = whole->length == 0 && begin == 0 && end == 0;
  *out = NULL;
  if (!empty && (begin < 0 || begin >= end || end > whole->length))
    return error_set(error, CLA_ERROR_OPTION,
                     "letters %lld to %lld are no range of a record of %lld; give 0 <= begin < end <= length",
                     (long long)begin, (long long)end, (long long)whole->length);
  return sequence_view(out, whole, location, begin, end, error);
}

/* Makes a sequence of letters. `store` is empty, but its options, such as the alphabet, are set. */
static cla_status from_letters(cla_sequence **out, const char *name, const char *letters, int64_t length,
                               letter_store store, cla_error *error) {
  char shown[SHOWN_NAME_SIZE], record[SHOWN_NAME_SIZE + 16] = "sequence '";
  if (!name) name = "";
  strcat(strcat(record, shown_text(shown, sizeof shown, name)), "'");
  *out = NULL;
  cla_status status = CLA_OK;
  if (letters && length > 0)
    status = letter_store_append(&store, (const unsigned char *)letters, length, error);
  if (!status) status = letter_store_finish(&store, record, error);
  if (!status) status = sequence_create(out, &(sequence_label){name, "", .end = store.length}, &store, error);
  letter_store_clear(&store);
  return status;
}

cla_status cla_sequence_from_letters(cla_sequence **out, const char *name, const char *letters,
                                     int64_t length, cla_error *error) {
  return from_letters(out, name, letters, length, (letter_store){0}, error);
}

cla_status cla_sequence_from_letters_with(cla_sequence **out, const char *name, const char *letters,
                                          int64_t length, const cla_sequence_options *options,
                                          cla_error *error) {
  letter_set room;
  letter_store store = {.allow_empty = options->allow_empty, .keep_case = options->keep_case};
  *out = NULL;
  cla_status status = CLA_OK;
  if (options->known)
    status = alphabet_choose(&store.alphabet, &room, options->alphabet, options->own, error);
  return status ? status : from_letters(out, name, letters, length, store, error);
}

/* Ends one use of a sequence's letters, and frees them after the last use. `views` does not include the
 * owner's own use. */
static void leave_letters(cla_sequence *owner) {
  if (atomic_fetch_sub(&owner->views, 1) > 0) return;
  if (owner->tally) {
    letter_range_unmap(owner->codes, owner->length);
    letter_range_unmap(owner->lower, owner->length);
  } else {
    free(owner->codes);
    free(owner->lower);
  }
  free(owner->qualities);
  free(owner->tally);
  free(owner->own);
  free(owner);
}

void cla_sequence_free(cla_sequence *sequence) {
  if (!sequence) return;
  cla_sequence *owner = sequence->letters_of;
  free(sequence->name);
  free(sequence->location);
  free(sequence->description);
  if (owner) free(sequence);
  leave_letters(owner ? owner : sequence);
}

const char *cla_sequence_name(const cla_sequence *sequence) {
  return sequence->name;
}
const char *cla_sequence_description(const cla_sequence *sequence) {
  return sequence->description ? sequence->description : "";
}
const char *cla_sequence_location(const cla_sequence *sequence) {
  return sequence->location;
}
int64_t cla_sequence_length(const cla_sequence *sequence) {
  return sequence->length;
}
int64_t cla_sequence_begin(const cla_sequence *sequence) {
  return sequence->begin;
}
int64_t cla_sequence_end(const cla_sequence *sequence) {
  return sequence->end;
}
int64_t sequence_number(const cla_sequence *sequence) {
  return sequence->number;
}
const uint8_t *sequence_codes(const cla_sequence *sequence) {
  return sequence->codes;
}

const uint8_t *sequence_qualities(const cla_sequence *sequence) {
  return sequence->qualities;
}

const uint8_t *sequence_lower(const cla_sequence *sequence) {
  return sequence->lower;
}

bool cla_sequence_circular(const cla_sequence *sequence) {
  const char *text = cla_sequence_description(sequence);
  return strstr(text, "circular=true") || strstr(text, "topology=circular");
}

cla_alphabet cla_sequence_alphabet(const cla_sequence *sequence) {
  return sequence->alphabet->kind;
}
const letter_set *sequence_alphabet(const cla_sequence *sequence) {
  return sequence->alphabet;
}
uint32_t sequence_letters_met(const cla_sequence *sequence) {
  return sequence->letters_met;
}

cla_status sequence_whole_check(const cla_sequence *sequence, const char *use, cla_error *error) {
  char shown[SHOWN_NAME_SIZE];
  if (!sequence->tally) return CLA_OK;
  return error_set(error, CLA_ERROR_OPTION,
                   "of '%s' only a range was read, and %s takes all letters; read it without range_alone",
                   shown_text(shown, sizeof shown, sequence->name), use);
}

int64_t sequence_find(const cla_sequence *sequence, uint8_t code) {
  const letter_tally *tally = sequence->tally;
  if (tally) return tally->counts[code] > 0 ? tally->first[code] : -1;
  const uint8_t *found = memchr(sequence->codes, code, (size_t)sequence->length);
  return found ? found - sequence->codes : -1;
}

char cla_sequence_letter(const cla_sequence *sequence, int64_t position) {
  return sequence->alphabet->letters[sequence->codes[position]];
}

void cla_sequence_letters(char *letters, const cla_sequence *sequence, int64_t from, int64_t to) {
  const char *of_code = sequence->alphabet->letters;
  for (int64_t i = from; i < to; i++) letters[i - from] = of_code[sequence->codes[i]];
}

void cla_sequence_checksum(const cla_sequence *sequence, uint8_t checksum[16]) {
  memcpy(checksum, sequence->checksum, sizeof sequence->checksum);
}

cla_status sequence_circle_part(cla_sequence **out, const cla_sequence *sequence, int64_t first,
                                int64_t count, cla_error *error) {
  const int64_t length = cla_sequence_length(sequence);
  const uint8_t *codes = sequence_codes(sequence);
  letter_store letters = {.alphabet = sequence_alphabet(sequence), .length = count, .capacity = count};
  *out = NULL;
  cla_status status = sequence_whole_check(sequence, "a circle", error);
  if (status == CLA_OK) status = ALLOCATE_ARRAY(&letters.codes, count, "a rotated sequence", error);
  if (status != CLA_OK) return status;
  if (sequence->qualities) status = ALLOCATE_ARRAY(&letters.qualities, count, "a rotated sequence", error);
  if (sequence->lower && status == CLA_OK)
    status = ALLOCATE_ARRAY(&letters.lower, count, "a rotated sequence", error);
  for (int64_t done = 0, at = first; done < count && status == CLA_OK; at = 0) {
    const int64_t left = count - done, part = length - at < left ? length - at : left;
    memcpy(letters.codes + done, codes + at, (size_t)part);
    if (letters.qualities && sequence->qualities)
      memcpy(letters.qualities + done, sequence->qualities + at, (size_t)part);
    if (letters.lower && sequence->lower) memcpy(letters.lower + done, sequence->lower + at, (size_t)part);
    done += part;
  }
  if (status == CLA_OK)
    status = sequence_create(out,
                             &(sequence_label){.name = cla_sequence_name(sequence),
                                               .location = cla_sequence_location(sequence),
                                               .description = sequence->description,
                                               .end = count},
                             &letters, error);
  letter_store_clear(&letters);
  return status;
}

/* in the order of SEQUENCE_LETTERS; bits: A 1, C 2, G 4, T 8 */
const uint8_t nucleotide_bases[SEQUENCE_LETTER_COUNT] = {1, 2, 4, 8, 5, 10, 6, 9, 12, 3, 14, 13, 11, 7, 15};

/* A C G T R Y S W K M B D H V N become T G C A Y R S W M K V H D B N. */
const uint8_t nucleotide_complement[SEQUENCE_LETTER_COUNT] = {3, 2, 1,  0,  5,  4,  6, 7,
                                                              9, 8, 13, 12, 11, 10, 14};

char cla_nucleotide_complement(char letter) {
  const uint8_t code = alphabet_dna.codes[(unsigned char)letter];
  return code == ALPHABET_NO_CODE ? letter : SEQUENCE_LETTERS[nucleotide_complement[code]];
}

void reverse_complement_codes(uint8_t *out, const uint8_t *codes, int64_t length) {
  for (int64_t i = 0; i < length; i++) out[i] = nucleotide_complement[codes[length - 1 - i]];
}

cla_status sequence_strand_check(const cla_sequence *sequence, cla_error *error) {
  const cla_alphabet kind = cla_sequence_alphabet(sequence);
  if (kind == CLA_ALPHABET_DNA) return CLA_OK;
  return error_set(error, CLA_ERROR_INPUT,
                   "only DNA has a reverse strand, and the query is of %s; use the strand forward",
                   kind == CLA_ALPHABET_PROTEIN ? "amino acids" : "own letters");
}

cla_status sequence_reverse_complement(cla_sequence **out, const cla_sequence *sequence, cla_error *error) {
  const int64_t length = cla_sequence_length(sequence);
  letter_store letters = {.alphabet = sequence_alphabet(sequence), .length = length, .capacity = length};
  *out = NULL;
  cla_status status = sequence_strand_check(sequence, error);
  if (status == CLA_OK) status = sequence_whole_check(sequence, "its other strand", error);
  if (status == CLA_OK) status = ALLOCATE_ARRAY(&letters.codes, length, "the reverse complement", error);
  if (status != CLA_OK) return status;
  reverse_complement_codes(letters.codes, sequence_codes(sequence), length);
  const sequence_label label = {.name = cla_sequence_name(sequence),
                                .location = cla_sequence_location(sequence),
                                .description = sequence->description,
                                .begin = length - cla_sequence_end(sequence),
                                .end = length - cla_sequence_begin(sequence)};
  status = sequence_create(out, &label, &letters, error);
  letter_store_clear(&letters);
  return status;
}
