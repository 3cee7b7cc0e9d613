#include "seq/letter_store.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "base/error.h"
#include "seq/alphabet.h"
#include "seq/sequence_internal.h"

static bool is_blank(unsigned char byte) {
  return byte == ' ' || byte == '\t' || byte == '\v' || byte == '\f';
}

/* Of letters that follow those which the store has. */
static cla_status append_case(letter_store *store, const unsigned char *bytes, int64_t count,
                              cla_error *error) {
  void *lower = store->lower;
  cla_status status =
      allocate_grow(&lower, &store->lower_capacity, store->length + count, 1, "letters' case", error);
  store->lower = lower;
  for (int64_t i = 0; i < count && status == CLA_OK; i++)
    store->lower[store->length + i] = bytes[i] >= 'a' && bytes[i] <= 'z' ? LOWER_CASE : 0;
  return status;
}

cla_status letter_store_append(letter_store *store, const unsigned char *bytes, int64_t count,
                               cla_error *error) {
  const letter_set *set = store->alphabet ? store->alphabet : &alphabet_protein;
  if (store->bad_position) return CLA_OK;
  void *codes = store->codes;
  cla_status status = allocate_grow(&codes, &store->capacity, store->length + count, 1, "a sequence", error);
  store->codes = codes;
  if (status) return status;
  for (int64_t i = 0; i < count; i++) { /* what is at i, if it is there, is no letter */
    const int64_t letters = letter_codes_of(store->codes + store->length, set, bytes + i, count - i);
    if (store->keep_case) status = append_case(store, bytes + i, letters, error);
    if (status) return status;
    store->length += letters;
    i += letters;
    if (i < count && (!store->skip_blanks || !is_blank(bytes[i]))) {
      store->bad_letter = bytes[i];
      store->bad_position = store->length + 1;
      break;
    }
  }
  return CLA_OK;
}

int64_t letter_store_count(const unsigned char *bytes, int64_t count) {
  int64_t letters = 0;
  for (int64_t i = 0; i < count; i++) letters += !is_blank(bytes[i]);
  return letters;
}

#define QUALITY_LEAST '!'
#define QUALITY_MOST '~'

cla_status letter_store_append_qualities(letter_store *store, const unsigned char *bytes, int64_t count,
                                         int64_t before, int *wrong, cla_error *error) {
  void *memory = store->qualities;
  cla_status status = allocate_grow(&memory, &store->quality_capacity, before + count, 1, "qualities", error);
  store->qualities = memory;
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
  if (store->length == 0 && store->allow_empty) {
    if (!store->alphabet) store->alphabet = &alphabet_dna;
    return CLA_OK;
  }
  if (store->length == 0)
    return error_set(error, CLA_ERROR_INPUT, "%s has no letters; complete it or choose another record",
                     record);
  /* Doubling may have reserved up to twice what is needed. If shrinking fails the larger block serves too. */
  uint8_t *shrunk = realloc(store->codes, (size_t)store->length);
  if (shrunk) {
    store->codes = shrunk;
    store->capacity = store->length;
  }
  if (store->alphabet) return CLA_OK;
  return alphabet_detect(&store->alphabet, store->codes, store->length, record, error);
}

void letter_store_clear(letter_store *store) {
  free(store->codes);
  free(store->qualities);
  free(store->lower);
  *store = (letter_store){.alphabet = store->alphabet,
                          .allow_empty = store->allow_empty,
                          .skip_blanks = store->skip_blanks,
                          .keep_qualities = store->keep_qualities,
                          .keep_case = store->keep_case};
}
