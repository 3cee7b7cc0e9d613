#include "seq/alphabet.h"

#include <stddef.h>
#include <string.h>

#include "base/error.h"
#include "seq/sequence.h"

#define NONE_4 255, 255, 255, 255
#define NONE_16 NONE_4, NONE_4, NONE_4, NONE_4
#define NONE_64 NONE_16, NONE_16, NONE_16, NONE_16

/* The tables of codes are written out, so that they are constant and need no initialisation. The rows for
 * '@' to 'O' and for 'P' to '_' serve both upper and lower case. A code is the letter's position in
 * `letters`; in DNA, U has the code of T. */
#define DNA_FROM_40 255, 0, 10, 1, 11, 255, 255, 2, 12, 255, 255, 8, 255, 9, 14, 255
#define DNA_FROM_50 255, 255, 4, 6, 3, 3, 13, 7, 255, 5, 255, 255, 255, 255, 255, 255

const letter_set alphabet_dna = {
    .kind = CLA_ALPHABET_DNA,
    .unambiguous = SEQUENCE_UNAMBIGUOUS,
    .letters = SEQUENCE_LETTERS,
    .codes = {NONE_64, DNA_FROM_40, DNA_FROM_50, DNA_FROM_40, DNA_FROM_50, NONE_64, NONE_64},
};

#define PROTEIN_FROM_20 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 22, 255, 255, 255, 255, 255
#define PROTEIN_FROM_40 255, 0, 23, 4, 3, 6, 13, 7, 8, 9, 26, 11, 10, 12, 2, 21
#define PROTEIN_FROM_50 14, 5, 1, 15, 16, 20, 19, 17, 25, 18, 24, 255, 255, 255, 255, 255

const letter_set alphabet_protein = {
    .kind = CLA_ALPHABET_PROTEIN,
    .unambiguous = 23,
    .letters = "ARNDCQEGHILKMFPSTWYVUO*BZXJ",
    .codes = {NONE_16, NONE_16, PROTEIN_FROM_20, NONE_16, PROTEIN_FROM_40, PROTEIN_FROM_50, PROTEIN_FROM_40,
              PROTEIN_FROM_50, NONE_64, NONE_64},
};

_Static_assert(sizeof SEQUENCE_LETTERS == SEQUENCE_LETTER_COUNT + 1, "one code a letter");

const char *cla_alphabet_name(cla_alphabet kind) {
  switch (kind) {
    case CLA_ALPHABET_DNA: return "DNA";
    case CLA_ALPHABET_PROTEIN: return "protein";
    default: return "own letters";
  }
}

static bool is_upper(int letter) {
  return letter >= 'A' && letter <= 'Z';
}

static cla_status make_own(letter_set *out, const char *letters, cla_error *error) {
  const size_t count = letters ? strlen(letters) : 0;
  if (count < 1 || count > ALPHABET_LETTERS_MOST)
    return error_set(error, CLA_ERROR_OPTION,
                     "an alphabet of %zu letters cannot be; give the 1 to %d letters of the score matrix",
                     count, ALPHABET_LETTERS_MOST);
  *out = (letter_set){.kind = CLA_ALPHABET_OWN, .unambiguous = (int)count};
  memcpy(out->letters, letters, count);
  memset(out->codes, ALPHABET_NO_CODE, sizeof out->codes);
  for (size_t code = 0; code < count; code++) {
    const unsigned char letter = (unsigned char)letters[code];
    if (out->codes[letter] != ALPHABET_NO_CODE)
      return error_set(error, CLA_ERROR_OPTION, "an alphabet has the letter '%c' twice; remove one", letter);
    out->codes[letter] = (uint8_t)code;
    if (is_upper(letter)) out->codes[letter - 'A' + 'a'] = (uint8_t)code;
  }
  return CLA_OK;
}

cla_status alphabet_choose(const letter_set **out, letter_set *room, cla_alphabet kind, const char *own,
                           cla_error *error) {
  *out = NULL;
  cla_status status = CLA_OK;
  switch (kind) {
    case CLA_ALPHABET_DNA: *out = &alphabet_dna; break;
    case CLA_ALPHABET_PROTEIN: *out = &alphabet_protein; break;
    case CLA_ALPHABET_OWN:
      status = make_own(room, own, error);
      *out = room;
      break;
    default: status = error_set(error, CLA_ERROR_OPTION, "there is no alphabet %d", (int)kind);
  }
  return status;
}

bool alphabet_is_amino_only(int letter) {
  return letter > 0 && strchr("EFIJLOPQXZefijlopqxz*", letter) != NULL;
}

/* Numbers of letters, by what the letters can stand for. */
typedef struct letter_census {
  int64_t plain;      /* letters A C G T U N */
  int64_t any;        /* letter X, which masks letters in DNA, too */
  int64_t amino_only; /* letters other than X that stand for no nucleotide */
} letter_census;

static letter_census take_census(const letter_tally *tally) {
  letter_census census = {0};
  for (int code = 0; alphabet_protein.letters[code]; code++) {
    const char letter = alphabet_protein.letters[code];
    const int64_t count = tally->counts[code];
    if (strchr("ACGTUN", letter)) census.plain += count;
    if (letter == 'X')
      census.any += count;
    else if (alphabet_is_amino_only(letter))
      census.amino_only += count;
  }
  return census;
}

/* Each code has four counters, used in turn. Neighbouring letters are often equal, and adding to one
 * counter twice in a row is slow. */
void letter_tally_add(letter_tally *tally, const uint8_t *codes, int64_t count) {
  int64_t counts[4][256] = {{0}};
  for (int64_t i = 0; i < count; i++) counts[i % 4][codes[i]]++;
  for (int code = 0; code < ALPHABET_LETTERS_MOST; code++) {
    const int64_t more = counts[0][code] + counts[1][code] + counts[2][code] + counts[3][code];
    if (more > 0 && tally->counts[code] == 0)
      tally->first[code] = tally->letters + ((const uint8_t *)memchr(codes, code, (size_t)count) - codes);
    tally->counts[code] += more;
  }
  tally->letters += count;
}

static uint8_t dna_code(int code) {
  return alphabet_dna.codes[(unsigned char)alphabet_protein.letters[code]];
}

void letter_tally_turn_into_dna(letter_tally *tally) {
  const letter_tally old = *tally;
  *tally = (letter_tally){.letters = old.letters};
  for (int code = 0; alphabet_protein.letters[code]; code++) {
    const uint8_t dna = dna_code(code);
    if (old.counts[code] == 0) continue;
    if (tally->counts[dna] == 0 || old.first[code] < tally->first[dna]) tally->first[dna] = old.first[code];
    tally->counts[dna] += old.counts[code];
  }
}

void alphabet_turn_into_dna(uint8_t *codes, int64_t length) {
  uint8_t dna[256] = {0};
  for (int code = 0; alphabet_protein.letters[code]; code++) dna[code] = dna_code(code);
  for (int64_t i = 0; i < length; i++) codes[i] = dna[codes[i]];
}

static cla_status report_odd_letter(const letter_tally *tally, const char *record, cla_error *error) {
  int odd = -1;
  for (int code = 0; alphabet_protein.letters[code]; code++)
    if (tally->counts[code] > 0 && alphabet_is_amino_only(alphabet_protein.letters[code]) &&
        (odd < 0 || tally->first[code] < tally->first[odd]))
      odd = code;
  return error_set(
      error, CLA_ERROR_INPUT,
      "%s has '%c' at position %lld, which is no nucleotide letter, but most others are; "
      "correct it, write N for an unknown letter, or say that it is a protein (the program's --type)",
      record, alphabet_protein.letters[odd], (long long)tally->first[odd] + 1);
}

cla_status alphabet_tell(const letter_set **out, const letter_tally *tally, const char *record,
                         cla_error *error) {
  const letter_census census = take_census(tally);
  *out = NULL;
  const int64_t known = tally->letters - census.any;
  /* The limit is three quarters: in DNA with a few other letters, far more letters are plain; in a protein,
   * about one third. */
  if (census.amino_only > 0 && census.plain < known - known / 4) {
    *out = &alphabet_protein;
    return CLA_OK;
  }
  const bool half_plain = known > 0 && census.plain >= known - census.plain;
  if (census.amino_only > 0 || (census.any > 0 && half_plain)) return report_odd_letter(tally, record, error);
  if (!half_plain)
    return error_set(
        error, CLA_ERROR_INPUT,
        "%s could be DNA with many ambiguous letters or a protein: only %lld of its %lld letters are "
        "A C G T U or N; say which it is, dna or protein (the program's --type)",
        record, (long long)census.plain, (long long)tally->letters);
  *out = &alphabet_dna;
  return CLA_OK;
}

cla_status alphabet_detect(const letter_set **out, uint8_t *codes, int64_t length, const char *record,
                           cla_error *error) {
  letter_tally tally = {0};
  letter_tally_add(&tally, codes, length);
  cla_status status = alphabet_tell(out, &tally, record, error);
  if (status == CLA_OK && *out == &alphabet_dna) alphabet_turn_into_dna(codes, length);
  return status;
}
