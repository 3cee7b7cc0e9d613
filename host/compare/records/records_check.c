/* Checks that a record of another program fits its sequences. */

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "compare/records/records_internal.h"
#include "path/paf_line.h"
#include "seq/sequence.h"
#include "seq/sequence_internal.h"

/* A path and its sequences, with the current position. */
typedef struct record_walk {
  strand_letters query;
  const uint8_t *target;
  const letter_set *letters;
  int64_t at[2]; /* next letters of the query, on its strand, and of the target */
} record_walk;

static record_walk begin_walk(const cla_aligned_record *record, const cla_sequence *query,
                              const cla_sequence *target) {
  return (record_walk){.query = {.codes = sequence_codes(query),
                                 .length = cla_sequence_length(query),
                                 .reverse = record->path.strand == CLA_STRAND_REVERSE},
                       .target = sequence_codes(target),
                       .letters = sequence_alphabet(query),
                       .at = {record->path.query_start, record->path.target_start}};
}

static uint8_t code_at(const record_walk *walk, int side, int64_t further) {
  const int64_t at = walk->at[side] + further;
  return side == 0 ? strand_code(&walk->query, at) : walk->target[at];
}

static cla_status wrong_letter(const record_walk *walk, int side, int64_t further, const char *what,
                               cla_error *error) {
  const int64_t at = walk->at[side] + further;
  const int64_t place = side == 0 && walk->query.reverse ? walk->query.length - at : at + 1;
  return error_set(
      error, CLA_ERROR_INPUT, "%s at letter %lld of the %s, which is %c there", what, (long long)place,
      side == 0 ? "query" : "target",
      walk->letters->letters[side == 0 && walk->query.reverse ? walk->query.codes[walk->query.length - 1 - at]
                                                              : code_at(walk, side, further)]);
}

/* Checks the operations = and X of a CIGAR against the sequences. */
static cla_status check_cigar(record_walk walk, const char *text, cla_error *error) {
  for (char *end; *text; text = end + 1) {
    const long long length = strtoll(text, &end, 10);
    for (long long i = 0; (*end == '=' || *end == 'X') && i < length; i++) {
      const uint8_t query = code_at(&walk, 0, i), target = code_at(&walk, 1, i);
      const bool known = query < walk.letters->unambiguous && target < walk.letters->unambiguous;
      if (known && (query == target) != (*end == '='))
        return wrong_letter(&walk, 1, i,
                            *end == '=' ? "its CIGAR says that the letters are equal, and they are not,"
                                        : "its CIGAR says that the letters differ, and they are equal,",
                            error);
    }
    if (*end != 'D' && *end != 'N') walk.at[0] += length;
    if (*end != 'I') walk.at[1] += length;
  }
  return CLA_OK;
}

/* Returns true if the letter in the file is that of the sequence. An ambiguous letter may have become N. */
static bool agrees(const record_walk *walk, int side, int64_t further, char letter) {
  const uint8_t code = code_at(walk, side, further);
  const int upper = toupper((unsigned char)letter);
  if (code >= walk->letters->unambiguous || upper == 'N' || upper == '=') return true;
  return walk->letters->letters[code] ==
         (upper == 'U' && walk->letters->kind == CLA_ALPHABET_DNA ? 'T' : upper);
}

static cla_status check_letters(const record_walk *walk, int side, const char *text, int64_t count,
                                const char *what, cla_error *error) {
  for (int64_t i = 0; i < count; i++)
    if (!agrees(walk, side, i, text[i])) return wrong_letter(walk, side, i, what, error);
  return CLA_OK;
}

/* Checks one operation of cs. Returns the text after it. */
static const char *check_operation(record_walk *walk, const char *text, cla_status *status,
                                   cla_error *error) {
  static const char what[] = "its tag cs has another letter";
  const char kind = *text++;
  char *end = NULL;
  int64_t letters = 0;
  while (isalpha((unsigned char)text[letters])) letters++;
  if (kind == ':' || kind == '~') {
    const int64_t length = strtoll(text + (kind == '~' ? 2 : 0), &end, 10);
    for (int64_t i = 0; kind == ':' && i < length && *status == CLA_OK; i++) {
      const uint8_t query = code_at(walk, 0, i), target = code_at(walk, 1, i);
      if (query != target && query < walk->letters->unambiguous && target < walk->letters->unambiguous)
        *status =
            wrong_letter(walk, 1, i, "its tag cs says that the letters are equal, and they are not,", error);
    }
    if (kind == ':') walk->at[0] += length;
    walk->at[1] += length;
    return kind == ':' ? end : end + 2;
  }
  if (kind == '*') {
    *status = check_letters(walk, 1, text, 1, what, error);
    if (*status == CLA_OK) *status = check_letters(walk, 0, text + 1, 1, what, error);
    walk->at[0]++;
    walk->at[1]++;
    return text + 2;
  }
  if (kind != '+') *status = check_letters(walk, 1, text, letters, what, error);
  if (*status == CLA_OK && kind != '-') *status = check_letters(walk, 0, text, letters, what, error);
  if (kind != '-') walk->at[0] += letters;
  if (kind != '+') walk->at[1] += letters;
  return text + letters;
}

/* Checks the text of a cs tag, which must extend along the whole path. */
static cla_status check_difference(record_walk walk, const cla_aligned_record *record, cla_error *error) {
  path_operations operations = {0};
  bool fits = false;
  cla_status status = paf_difference_read(&operations, &fits, record->difference, error);
  fits = fits && operations.query_letters == record->end[0] - record->start[0] &&
         operations.target_letters == record->end[1] - record->start[1];
  free(operations.path.runs);
  if (status == CLA_OK && !fits)
    return error_set(error, CLA_ERROR_INPUT,
                     "its tag cs does not lead from its starts to its ends; make the file again");
  for (const char *text = record->difference; status == CLA_OK && *text;)
    text = check_operation(&walk, text, &status, error);
  return status;
}

static cla_status check_lengths(const cla_aligned_record *record, const cla_sequence *const sides[2],
                                cla_error *error) {
  char name[SHOWN_NAME_SIZE];
  for (int side = 0; side < 2; side++)
    if (record->length[side] >= 0 && cla_sequence_length(sides[side]) != record->length[side])
      return error_set(
          error, CLA_ERROR_INPUT,
          "it says that %s has %lld letters, and in the sequence file it has %lld; give the files "
          "that it was made of, the query's first",
          shown_text(name, sizeof name, record->name[side]), (long long)record->length[side],
          (long long)cla_sequence_length(sides[side]));
  return CLA_OK;
}

cla_status cla_aligned_record_check(const cla_aligned_record *record, const cla_sequence *query,
                                    const cla_sequence *target, cla_error *error) {
  const cla_sequence *const sides[2] = {query, target};
  cla_status status = check_lengths(record, sides, error);
  if (status == CLA_OK && record->path.strand == CLA_STRAND_REVERSE)
    status = sequence_strand_check(query, error);
  if (status != CLA_OK) return status;
  const record_walk walk = begin_walk(record, query, target);
  if (record->letters)
    status = check_letters(&walk, 0, record->letters, record->end[0] - record->start[0],
                           "its SEQ has another letter", error);
  if (status == CLA_OK && record->cigar) status = check_cigar(walk, record->cigar, error);
  return status == CLA_OK && record->difference ? check_difference(walk, record, error) : status;
}
