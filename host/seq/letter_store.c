#include "seq/letter_store.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/error.h"
#include "seq/alphabet.h"
#include "seq/sequence_internal.h"

/* If only a range is kept: number of letters that are passed to the range at a time. */
#define PASSED_AT_ONCE 16384

static bool is_blank(unsigned char byte) {
  return byte == ' ' || byte == '\t' || byte == '\v' || byte == '\f';
}

void letter_store_case(uint8_t *lower, const unsigned char *bytes, int64_t count) {
  for (int64_t i = 0; i < count; i++) lower[i] = bytes[i] >= 'a' && bytes[i] <= 'z' ? LOWER_CASE : 0;
}

/* Appends the case of letters that are appended next. */
static cla_status append_case(letter_store *store, const unsigned char *bytes, int64_t count,
                              cla_error *error) {
  cla_status status =
      ALLOCATE_GROW(&store->lower, &store->lower_capacity, store->length + count, "letters' case", error);
  if (status == CLA_OK) letter_store_case(store->lower + store->length, bytes, count);
  return status;
}

int64_t letter_store_letters(const letter_store *store) {
  const letter_range *range = store->range;
  return range ? range->tally.letters + store->length - range->kept : store->length;
}

static const letter_set *set_of(const letter_store *store) {
  return store->alphabet ? store->alphabet : &alphabet_protein;
}

/* Passes the letters appended last to the range, and drops those outside it. */
static cla_status pass_letters(letter_store *store, cla_error *error) {
  const int64_t kept = store->range->kept;
  letter_part part = {.count = store->length - kept};
  uint8_t *codes = store->codes + kept;
  cla_status status = letter_range_pass(&part, store->range, set_of(store), !store->alphabet, codes, error);
  if (status != CLA_OK) return status;
  if (part.count > 0) memmove(codes, codes + part.from, (size_t)part.count);
  if (part.count > 0 && store->lower)
    memmove(store->lower + kept, store->lower + kept + part.from, (size_t)part.count);
  store->length = kept + part.count;
  return CLA_OK;
}

cla_status letter_store_append(letter_store *store, const unsigned char *bytes, int64_t count,
                               cla_error *error) {
  const letter_set *set = set_of(store);
  if (store->bad_position) return CLA_OK;
  cla_status status =
      ALLOCATE_GROW(&store->codes, &store->capacity, store->length + count, "a sequence", error);
  if (status) return status;
  /* at the end of each iteration, byte i is no letter, or i equals `count` */
  for (int64_t i = 0; i < count; i++) {
    const int64_t letters = letter_codes_of(store->codes + store->length, set, bytes + i, count - i);
    if (store->keep_case) status = append_case(store, bytes + i, letters, error);
    if (status) return status;
    store->length += letters;
    i += letters;
    if (i < count && (!store->skip_blanks || !is_blank(bytes[i]))) {
      store->bad_letter = bytes[i];
      store->bad_position = letter_store_letters(store) + 1;
      break;
    }
  }
  const bool many = store->range && store->length - store->range->kept >= PASSED_AT_ONCE;
  return many ? pass_letters(store, error) : CLA_OK;
}

int64_t letter_store_count(const unsigned char *bytes, int64_t count) {
  int64_t letters = 0;
  for (int64_t i = 0; i < count; i++) letters += !is_blank(bytes[i]);
  return letters;
}

cla_status letter_store_append_qualities(letter_store *store, const unsigned char *bytes, int64_t count,
                                         int64_t before, int *wrong, cla_error *error) {
  cla_status status =
      ALLOCATE_GROW(&store->qualities, &store->quality_capacity, before + count, "qualities", error);
  for (int64_t i = 0; i < count && status == CLA_OK; i++) {
    if (is_blank(bytes[i])) continue;
    if (bytes[i] < QUALITY_LEAST || bytes[i] > QUALITY_MOST) *wrong = bytes[i];
    store->qualities[before++] = (uint8_t)(bytes[i] - QUALITY_LEAST);
  }
  return status;
}

static cla_status report_bad_letter(const letter_store *store, const char *record, cla_error *error) {
  char letter[SHOWN_LETTER_SIZE];
  shown_letter(letter, store->bad_letter);
  const long long position = store->bad_position;
  if (store->alphabet && store->alphabet->kind == CLA_ALPHABET_OWN)
    return error_set(
        error, CLA_ERROR_INPUT,
        "%s has %s at position %lld, which is no letter of the score matrix (%s are); correct it or "
        "complete the matrix",
        record, letter, position, store->alphabet->letters);
  if (store->bad_letter == '-' || store->bad_letter == '.')
    return error_set(
        error, CLA_ERROR_INPUT,
        "%s has %s, the sign of a gap, at position %lld; remove the gaps: sequences must be unaligned",
        record, letter, position);
  if (!store->alphabet)
    return error_set(
        error, CLA_ERROR_INPUT,
        "%s has %s at position %lld, which is no letter of a nucleotide or an amino acid; correct "
        "it, or write N or X for an unknown one",
        record, letter, position);
  if (store->alphabet->kind == CLA_ALPHABET_PROTEIN)
    return error_set(
        error, CLA_ERROR_INPUT,
        "%s has %s at position %lld, which is no letter of an amino acid (A to Z and * are); correct "
        "it, or write X for an unknown one",
        record, letter, position);
  return error_set(
      error, CLA_ERROR_INPUT,
      "%s has %s at position %lld, which is no nucleotide letter (A C G T U and the IUPAC letters "
      "R Y S W K M B D H V N are); correct it, write N for an unknown letter, or align it as what it is",
      record, letter, position);
}

cla_status letter_store_finish(letter_store *store, const char *record, cla_error *error) {
  if (store->bad_position) return report_bad_letter(store, record, error);
  if (store->range && store->length > store->range->kept) {
    cla_status status = pass_letters(store, error);
    if (status != CLA_OK) return status;
  }
  const int64_t letters = letter_store_letters(store);
  if (letters == 0 && store->allow_empty) {
    if (!store->alphabet) store->alphabet = &alphabet_dna;
    return CLA_OK;
  }
  if (letters == 0)
    return error_set(error, CLA_ERROR_INPUT, "%s has no letters; complete it or choose another record",
                     record);
  /* Doubling may have reserved up to twice the memory that is needed. If realloc fails, the larger block
   * stays. */
  uint8_t *shrunk = store->length > 0 ? realloc(store->codes, (size_t)store->length) : NULL;
  if (shrunk) {
    store->codes = shrunk;
    store->capacity = store->length;
  }
  if (store->alphabet) return CLA_OK;
  if (!store->range) return alphabet_detect(&store->alphabet, store->codes, store->length, record, error);
  cla_status status = alphabet_tell(&store->alphabet, &store->range->tally, record, error);
  if (status != CLA_OK || store->alphabet != &alphabet_dna) return status;
  alphabet_turn_into_dna(store->codes, store->length);
  letter_tally_turn_into_dna(&store->range->tally);
  return CLA_OK;
}

void letter_store_clear(letter_store *store) {
  free(store->codes);
  free(store->qualities);
  free(store->lower);
  *store = (letter_store){.alphabet = store->alphabet,
                          .allow_empty = store->allow_empty,
                          .skip_blanks = store->skip_blanks,
                          .keep_qualities = store->keep_qualities,
                          .keep_case = store->keep_case,
                          .range = store->range};
}
