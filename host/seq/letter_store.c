#include "seq/letter_store.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "base/error.h"
#include "seq/alphabet.h"
#include "seq/sequence.h"
#include "seq/shown_text.h"

#define SURVEY_LETTERS 1000 /* enough to tell the composition of a protein from that of DNA */
#define CODE_N (SEQUENCE_LETTER_COUNT - 1)

static bool is_blank(unsigned char byte) {
  return byte == ' ' || byte == '\t' || byte == '\v' || byte == '\f';
}

static bool is_plain(uint8_t code) {
  return code < SEQUENCE_UNAMBIGUOUS || code == CODE_N;
}

/* The first bad letter: from here on letters are only surveyed. */
static void start_survey(letter_store *store, unsigned char byte) {
  store->bad_letter = byte;
  store->bad_position = store->length + 1;
  const int64_t first = store->length > SURVEY_LETTERS / 2 ? store->length - SURVEY_LETTERS / 2 : 0;
  for (int64_t i = first; i < store->length; i++) store->plain += is_plain(store->codes[i]);
  store->surveyed = store->length - first;
}

static void survey(letter_store *store, const unsigned char *bytes, int64_t count) {
  for (int64_t i = 0; i < count && store->surveyed < SURVEY_LETTERS; i++) {
    if (is_blank(bytes[i])) continue;
    store->surveyed++;
    store->plain += is_plain(alphabet_codes[bytes[i]]);
  }
}

cla_status letter_store_append(letter_store *store, const unsigned char *bytes, int64_t count,
                               cla_error *error) {
  int64_t i = 0;
  if (!store->bad_position) {
    void *codes = store->codes;
    cla_status status =
        allocate_grow(&codes, &store->capacity, store->length + count, 1, "a sequence", error);
    store->codes = codes;
    if (status) return status;
    for (; i < count; i++) {
      const uint8_t code = alphabet_codes[bytes[i]];
      if (code != ALPHABET_NO_CODE) {
        store->codes[store->length++] = code;
      } else if (!store->skip_blanks || !is_blank(bytes[i])) {
        start_survey(store, bytes[i]);
        break;
      }
    }
  }
  if (store->bad_position) survey(store, bytes + i, count - i);
  return CLA_OK;
}

int64_t letter_store_count(const unsigned char *bytes, int64_t count) {
  int64_t letters = 0;
  for (int64_t i = 0; i < count; i++) letters += !is_blank(bytes[i]);
  return letters;
}

static cla_status report_bad_letter(const letter_store *store, const char *record, cla_error *error) {
  char letter[SHOWN_LETTER_SIZE];
  shown_letter(letter, store->bad_letter);
  const long long position = store->bad_position;
  /* Three quarters: DNA with a few odd letters stays far above, a protein has about one third. */
  if (alphabet_is_amino_only(store->bad_letter) && store->plain * 4 < store->surveyed * 3)
    return error_set(
        error, CLA_ERROR_INPUT,
        "%s looks like a protein (letter %s at position %lld): this version aligns nucleotides only, "
        "A C G T U and the IUPAC letters R Y S W K M B D H V N; give its DNA sequence",
        record, letter, position);
  if (store->bad_letter == '-' || store->bad_letter == '.')
    return error_set(
        error, CLA_ERROR_INPUT,
        "%s has %s, the sign of a gap, at position %lld; remove the gaps: sequences must be unaligned",
        record, letter, position);
  return error_set(
      error, CLA_ERROR_INPUT,
      "%s has %s at position %lld, which is no nucleotide letter (A C G T U and the IUPAC letters "
      "R Y S W K M B D H V N are); correct it, or write N for an unknown letter",
      record, letter, position);
}

cla_status letter_store_finish(letter_store *store, const char *record, cla_error *error) {
  if (store->bad_position) return report_bad_letter(store, record, error);
  if (store->length == 0)
    return error_set(error, CLA_ERROR_INPUT, "%s has no letters; complete it or choose another record",
                     record);
  /* Doubling may have reserved up to twice what is needed. If shrinking fails the larger block serves too. */
  uint8_t *shrunk = realloc(store->codes, (size_t)store->length);
  if (shrunk) {
    store->codes = shrunk;
    store->capacity = store->length;
  }
  return CLA_OK;
}

void letter_store_clear(letter_store *store) {
  free(store->codes);
  *store = (letter_store){.skip_blanks = store->skip_blanks};
}
