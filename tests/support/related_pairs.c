#include "support/related_pairs.h"

#include <stdlib.h>
#include <string.h>

#include "seq/random_stream.h"
#include "seq/sequence.h"

#define CODE_N (SEQUENCE_LETTER_COUNT - 1)

static const char *const names[RELATED_KINDS] = {
    "equal",         "few changes", "a tenth changed", "a third changed", "long insertion",
    "long deletion", "duplication", "inversion",       "translocation",   "tandem repeats",
    "homopolymers",  "with N",      "contained",       "unrelated"};

static uint8_t letter(random_stream *stream) {
  return (uint8_t)random_stream_below(stream, SEQUENCE_UNAMBIGUOUS);
}

static uint8_t *random_codes(int64_t length, random_stream *stream) {
  uint8_t *codes = malloc((size_t)length);
  if (!codes) abort();
  for (int64_t i = 0; i < length; i++) codes[i] = letter(stream);
  return codes;
}

/* Makes the target a copy of the query with one substitution in `substitution` letters and one indel in
 * `indel` letters; 0: none. */
static void copy_with_changes(related_pair *pair, uint64_t substitution, uint64_t indel,
                              random_stream *stream) {
  uint8_t *codes = malloc((size_t)pair->query_length * 2);
  int64_t length = 0;
  if (!codes) abort();
  for (int64_t i = 0; i < pair->query_length; i++) {
    const bool changed = indel && random_stream_below(stream, indel) == 0;
    if (changed && random_stream_below(stream, 2)) continue;
    if (changed) codes[length++] = letter(stream);
    const bool substituted = substitution && random_stream_below(stream, substitution) == 0;
    codes[length++] = (uint8_t)((pair->query[i] + substituted) % SEQUENCE_UNAMBIGUOUS);
  }
  pair->target = codes;
  pair->target_length = length;
}

/* Inserts `length` letters into the target before letter `at`: `letters`, or random ones if NULL. */
static void insert(related_pair *pair, int64_t at, const uint8_t *letters, int64_t length,
                   random_stream *stream) {
  uint8_t *codes = random_codes(pair->target_length + length, stream);
  memcpy(codes, pair->target, (size_t)at);
  if (letters) memcpy(codes + at, letters, (size_t)length);
  memcpy(codes + at + length, pair->target + at, (size_t)(pair->target_length - at));
  free(pair->target);
  pair->target = codes;
  pair->target_length += length;
}

static void exchange_sides(related_pair *pair) {
  uint8_t *codes = pair->query;
  const int64_t length = pair->query_length;
  pair->query = pair->target;
  pair->query_length = pair->target_length;
  pair->target = codes;
  pair->target_length = length;
}

static void reverse(uint8_t *codes, int64_t length) {
  for (int64_t i = 0; i < length / 2; i++) {
    const uint8_t code = codes[i];
    codes[i] = (uint8_t)(3 - codes[length - 1 - i]);
    codes[length - 1 - i] = (uint8_t)(3 - code);
  }
}

static void change_order(related_pair *pair, random_stream *stream) {
  const int64_t half = pair->target_length / 2;
  uint8_t *codes = random_codes(pair->target_length, stream);
  memcpy(codes, pair->target + half, (size_t)(pair->target_length - half));
  memcpy(codes + pair->target_length - half, pair->target, (size_t)half);
  free(pair->target);
  pair->target = codes;
}

void related_pair_make(related_pair *pair, related_kind kind, uint64_t seed, int64_t length) {
  random_stream stream;
  random_stream_init(&stream, seed, 2000 + (uint64_t)kind);
  *pair = (related_pair){.name = names[kind], .query_length = length};
  pair->query = random_codes(length, &stream);
  if (kind == RELATED_TANDEM)
    for (int64_t i = 7; i < length; i++) pair->query[i] = pair->query[i - 7];
  if (kind == RELATED_HOMOPOLYMER) memset(pair->query, 2, (size_t)length);
  const bool few = kind != RELATED_EQUAL && kind != RELATED_HOMOPOLYMER;
  const uint64_t substitution = kind == RELATED_TENTH_CHANGED ? 10 : kind == RELATED_THIRD_CHANGED ? 3 : 100;
  copy_with_changes(pair, few ? substitution : 0, few ? 10 * substitution : 0, &stream);
  const int64_t tenth = length / 10, middle = pair->target_length / 2;
  switch (kind) {
    case RELATED_LONG_INSERTION:
    case RELATED_LONG_DELETION: insert(pair, middle, NULL, tenth, &stream); break;
    case RELATED_DUPLICATION: insert(pair, middle, pair->target + middle, tenth, &stream); break;
    case RELATED_INVERSION: reverse(pair->target + pair->target_length / 3, pair->target_length / 3); break;
    case RELATED_TRANSLOCATION: change_order(pair, &stream); break;
    case RELATED_HOMOPOLYMER: pair->target_length -= tenth; break;
    case RELATED_WITH_N:
      memset(pair->query + tenth, CODE_N, (size_t)tenth / 2);
      memset(pair->target + middle, CODE_N, (size_t)tenth / 2);
      break;
    case RELATED_CONTAINED:
      memmove(pair->query, pair->query + tenth, (size_t)tenth);
      pair->query_length = tenth;
      break;
    case RELATED_NOT:
      for (int64_t i = 0; i < pair->target_length; i++) pair->target[i] = letter(&stream);
      break;
    default: break;
  }
  if (kind == RELATED_LONG_DELETION) exchange_sides(pair);
}

void related_pair_free(related_pair *pair) {
  free(pair->query);
  free(pair->target);
  *pair = (related_pair){0};
}

/* Removes up to half of the letters, at the front or at the end. */
static void shorten(uint8_t *codes, int64_t *length, random_stream *stream) {
  const int64_t less = (int64_t)random_stream_below(stream, (uint64_t)*length / 2 + 1);
  *length -= less;
  if (random_stream_below(stream, 2)) memmove(codes, codes + less, (size_t)*length);
}

void related_pair_make_random(random_pair *pair, uint64_t number, int64_t max_length) {
  random_stream stream;
  related_pair made;
  random_stream_init(&stream, number, 3000);
  const int64_t length = max_length / 2 + (int64_t)random_stream_below(&stream, (uint64_t)max_length / 2);
  related_pair_make(&made, (related_kind)(number % RELATED_KINDS), number, length);
  const uint64_t side = random_stream_below(&stream, 4);
  if (side == 0) shorten(made.query, &made.query_length, &stream);
  if (side == 1) shorten(made.target, &made.target_length, &stream);
  *pair = (random_pair){.query = made.query,
                        .target = made.target,
                        .query_length = made.query_length,
                        .target_length = made.target_length,
                        .mode = (number + number / RELATED_KINDS) % 2 ? CLA_MODE_GLOBAL : CLA_MODE_LOCAL,
                        .kind = made.name,
                        .scheme = "of related pairs",
                        .seed = number};
  related_scheme(&pair->scoring, (int)random_stream_below(&stream, 2));
}

void related_scheme(cla_scoring *scoring, int number) {
  static const int32_t schemes[RELATED_SCHEMES][4] = {
      {1, -3, 5, 2},
      {2, -1, 2, 1},
      {0, -1, 1, 1},
      {1, 0, 0, 0},
      {1, -30000, 300, 0},
      {5, -4, 400, 1},
      {CLA_SCORE_LIMIT, -CLA_SCORE_LIMIT, CLA_SCORE_LIMIT, CLA_SCORE_LIMIT}};
  cla_scoring_init(scoring);
  scoring->match = schemes[number][0];
  scoring->mismatch = schemes[number][1];
  scoring->gap_first = schemes[number][2];
  scoring->gap_ext = schemes[number][3];
}
