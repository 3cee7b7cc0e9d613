#include "seq/alphabet_detect.h"

#include <string.h>

#include "base/error.h"

/* Letters counted by what they can mean. */
typedef struct letter_census {
  int64_t plain;      /* A C G T U N */
  int64_t any;        /* X, which masks DNA too */
  int64_t amino_only; /* of no nucleotide, without X */
} letter_census;

static letter_census take_census(const uint8_t *codes, int64_t length) {
  int64_t counts[256] = {0};
  letter_census census = {0};
  for (int64_t i = 0; i < length; i++) counts[codes[i]]++;
  for (int code = 0; alphabet_protein.letters[code]; code++) {
    const char letter = alphabet_protein.letters[code];
    if (strchr("ACGTUN", letter)) census.plain += counts[code];
    if (letter == 'X')
      census.any += counts[code];
    else if (alphabet_is_amino_only(letter))
      census.amino_only += counts[code];
  }
  return census;
}

static void turn_into_dna(uint8_t *codes, int64_t length) {
  uint8_t dna[256] = {0};
  for (int code = 0; alphabet_protein.letters[code]; code++)
    dna[code] = alphabet_dna.codes[(unsigned char)alphabet_protein.letters[code]];
  for (int64_t i = 0; i < length; i++) codes[i] = dna[codes[i]];
}

static cla_status report_odd_letter(const uint8_t *codes, const char *record, cla_error *error) {
  int64_t at = 0;
  while (!alphabet_is_amino_only(alphabet_protein.letters[codes[at]])) at++;
  return error_set(
      error, CLA_ERROR_INPUT,
      "%s has '%c' at position %lld, which is no nucleotide letter, but most others are; "
      "correct it, write N for an unknown letter, or say that it is a protein (the program's --type)",
      record, alphabet_protein.letters[codes[at]], (long long)at + 1);
}

cla_status alphabet_detect(const letter_set **out, uint8_t *codes, int64_t length, const char *record,
                           cla_error *error) {
  const letter_census census = take_census(codes, length);
  *out = NULL;
  const int64_t known = length - census.any;
  /* Three quarters: DNA with a few odd letters stays far above, a protein has about one third. */
  if (census.amino_only > 0 && census.plain < known - known / 4) {
    *out = &alphabet_protein;
    return CLA_OK;
  }
  const bool half_plain = known > 0 && census.plain >= known - census.plain;
  if (census.amino_only > 0 || (census.any > 0 && half_plain)) return report_odd_letter(codes, record, error);
  if (!half_plain)
    return error_set(
        error, CLA_ERROR_INPUT,
        "%s could be DNA with many ambiguous letters or a protein: only %lld of its %lld letters are "
        "A C G T U or N; say which it is, dna or protein (the program's --type)",
        record, (long long)census.plain, (long long)length);
  turn_into_dna(codes, length);
  *out = &alphabet_dna;
  return CLA_OK;
}
