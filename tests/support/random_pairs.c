#include "support/random_pairs.h"

#include <inttypes.h>
#include <stdbool.h>

#include "seq/random_stream.h"
#include "seq/sequence.h"
#include "support/test.h"

#define CODE_N (SEQUENCE_LETTER_COUNT - 1)

const int64_t random_pair_edges[] = {8,   16,  32,  48,   64,   96,   128,  192,   256,
                                     384, 512, 768, 1024, 2048, 4096, 8192, 16384, 0};

static int64_t below(random_stream *stream, int64_t limit) {
  return (int64_t)random_stream_below(stream, (uint64_t)limit);
}

/* Draws a number from `low` to `high`, both included. */
static int64_t between(random_stream *stream, int64_t low, int64_t high) {
  return low + below(stream, high - low + 1);
}

static uint8_t *codes_allocate(int64_t length) {
  uint8_t *codes = malloc((size_t)length);
  if (!codes) abort();
  return codes;
}

/* The schemes. */

static void scheme_set(random_pair *pair, const char *name, int64_t match, int64_t mismatch, int64_t first,
                       int64_t ext) {
  cla_scoring_init(&pair->scoring);
  pair->scheme = name;
  pair->scoring.match = (int32_t)match;
  pair->scoring.mismatch = (int32_t)mismatch;
  pair->scoring.gap_first = (int32_t)first;
  pair->scoring.gap_ext = (int32_t)ext;
}

static void scheme_make_plain(random_pair *pair, random_stream *stream) {
  const int64_t limit = CLA_SCORE_LIMIT;
  const int64_t match = between(stream, 1, 10), mismatch = -between(stream, 0, 12),
                ext = between(stream, 0, 6);
  const int64_t first = ext + between(stream, 0, 10), big = between(stream, 900, 1000);
  switch (below(stream, 13)) {
    case 0:
    case 1: scheme_set(pair, "default", 1, -3, 5, 2); break;
    case 2: scheme_set(pair, "linear gap", match, mismatch, ext, ext); break;
    case 3: scheme_set(pair, "free extension", match, mismatch, first, 0); break;
    case 4: scheme_set(pair, "free gaps", match, mismatch, 0, 0); break;
    case 5: scheme_set(pair, "mismatch 0", match, 0, first, ext); break;
    case 6:
      scheme_set(pair, "about 1000", big, -between(stream, 900, 1000), 1000, between(stream, 0, 1000));
      break;
    case 7:
      scheme_set(pair, "at the limit", limit, -limit, limit,
                 limit - below(stream, 2) * between(stream, 0, limit));
      break;
    case 8: scheme_set(pair, "edit distance", 0, -1, 1, 1); break;
    case 9: scheme_set(pair, "longest common subsequence", 1, 0, 0, 0); break;
    case 10: scheme_set(pair, "dear opening", match, mismatch, between(stream, 50, 400), ext); break;
    case 11: scheme_set(pair, "dear mismatch", match, -between(stream, 100, 30000), first, ext); break;
    default: scheme_set(pair, "any", match, mismatch, first, ext); break;
  }
}

/* Adds an asymmetric matrix over some of the letters, with '*' for missing ones. */
static void scheme_add_matrix(random_pair *pair, random_stream *stream) {
  cla_scoring *scoring = &pair->scoring;
  const int kept = (int)between(stream, 4, SEQUENCE_LETTER_COUNT);
  pair->scheme = "matrix";
  memcpy(scoring->letters, SEQUENCE_LETTERS, (size_t)kept);
  scoring->matrix_size = kept;
  if (kept < SEQUENCE_LETTER_COUNT || below(stream, 2)) scoring->letters[scoring->matrix_size++] = '*';
  for (int row = 0; row < scoring->matrix_size; row++)
    for (int column = 0; column < scoring->matrix_size; column++)
      scoring->matrix[row * CLA_MATRIX_STRIDE + column] =
          (int32_t)(row == column ? between(stream, 1, 9) : between(stream, -9, 2));
}

/* The lengths. */

static int64_t length_near_edge(random_stream *stream, int64_t max_length) {
  int64_t edges = 0;
  while (random_pair_edges[edges] > 0 && random_pair_edges[edges] < max_length) edges++;
  if (edges == 0) return between(stream, 1, max_length);
  const int64_t length = random_pair_edges[below(stream, edges)] + between(stream, -1, 1);
  return length < max_length ? length : max_length;
}

static int64_t length_make(random_stream *stream, int64_t max_length) {
  switch (below(stream, 4)) {
    case 0: return between(stream, 1, max_length < 5 ? max_length : 5);
    case 1: return between(stream, 1, max_length);
    default: return length_near_edge(stream, max_length);
  }
}

static void lengths_make(random_pair *pair, random_stream *stream, int64_t max_length) {
  pair->query_length = length_make(stream, max_length);
  pair->target_length = length_make(stream, max_length);
  const int64_t few = between(stream, 1, max_length < 3 ? max_length : 3);
  switch (below(stream, 12)) {
    case 0:
      pair->query_length = few;
      pair->target_length = max_length;
      break;
    case 1:
      pair->query_length = max_length;
      pair->target_length = few;
      break;
    case 2: pair->target_length = pair->query_length; break;
    default: break;
  }
}

/* The letters. */

static void letters_random(uint8_t *codes, int64_t length, int64_t alphabet, random_stream *stream) {
  for (int64_t i = 0; i < length; i++) codes[i] = (uint8_t)below(stream, alphabet);
}

/* Makes `to` a copy of `from`, repeated if `from` is shorter, with about one change in `distance` letters: a
 * substitution, or an indel of up to `longest` letters. */
static void letters_related(uint8_t *to, int64_t to_length, const uint8_t *from, int64_t from_length,
                            int64_t distance, int64_t longest, random_stream *stream) {
  int64_t at = between(stream, 0, from_length - 1) * below(stream, 2);
  for (int64_t i = 0; i < to_length;) {
    const int64_t change = below(stream, 3 * distance);
    if (change == 0) at += between(stream, 1, longest);
    if (change == 1)
      for (int64_t left = between(stream, 1, longest); left > 0 && i < to_length; left--)
        to[i++] = (uint8_t)below(stream, SEQUENCE_UNAMBIGUOUS);
    if (i == to_length) break;
    to[i++] = change == 2 ? (uint8_t)below(stream, SEQUENCE_UNAMBIGUOUS) : from[at % from_length];
    at++;
  }
}

static void letters_repeats(uint8_t *codes, int64_t length, random_stream *stream) {
  uint8_t unit[7];
  const int64_t unit_length = between(stream, 1, (int64_t)sizeof unit);
  letters_random(unit, unit_length, SEQUENCE_UNAMBIGUOUS, stream);
  const int64_t errors = between(stream, 10, 200);
  for (int64_t i = 0; i < length; i++)
    codes[i] = below(stream, errors) ? unit[i % unit_length] : (uint8_t)below(stream, SEQUENCE_UNAMBIGUOUS);
}

static void letters_sprinkle(uint8_t *codes, int64_t length, bool only_n, random_stream *stream) {
  for (int64_t i = 0; i < length; i++)
    if (below(stream, 8) == 0)
      codes[i] = only_n ? CODE_N : (uint8_t)between(stream, SEQUENCE_UNAMBIGUOUS, CODE_N);
}

static void kind_related(random_pair *pair, random_stream *stream) {
  const int64_t distance = between(stream, 2, 60), longest = between(stream, 1, 40);
  pair->kind = "related";
  letters_random(pair->query, pair->query_length, SEQUENCE_UNAMBIGUOUS, stream);
  letters_related(pair->target, pair->target_length, pair->query, pair->query_length, distance, longest,
                  stream);
}

static void kind_identical(random_pair *pair, random_stream *stream) {
  pair->kind = "identical";
  pair->target_length = pair->query_length;
  free(pair->target);
  pair->target = codes_allocate(pair->target_length);
  letters_random(pair->query, pair->query_length, SEQUENCE_UNAMBIGUOUS, stream);
  memcpy(pair->target, pair->query, (size_t)pair->query_length);
}

static void kind_contained(random_pair *pair, random_stream *stream) {
  const bool query_inside = pair->query_length < pair->target_length;
  const int64_t inner = query_inside ? pair->query_length : pair->target_length;
  const int64_t outer = query_inside ? pair->target_length : pair->query_length;
  uint8_t *large = query_inside ? pair->target : pair->query;
  pair->kind = "one contained in the other";
  letters_random(large, outer, SEQUENCE_UNAMBIGUOUS, stream);
  memcpy(query_inside ? pair->query : pair->target, large + between(stream, 0, outer - inner), (size_t)inner);
}

static void kind_repeats(random_pair *pair, random_stream *stream) {
  pair->kind = "tandem repeats";
  letters_repeats(pair->query, pair->query_length, stream);
  if (below(stream, 2))
    letters_repeats(pair->target, pair->target_length, stream);
  else
    letters_related(pair->target, pair->target_length, pair->query, pair->query_length, 40, 9, stream);
}

static void kind_two_letters(random_pair *pair, random_stream *stream) {
  pair->kind = "two letters";
  letters_random(pair->query, pair->query_length, 2, stream);
  letters_random(pair->target, pair->target_length, 2, stream);
}

static void kind_homopolymers(random_pair *pair, random_stream *stream) {
  const int query = (int)below(stream, SEQUENCE_UNAMBIGUOUS);
  pair->kind = "homopolymers";
  memset(pair->query, query, (size_t)pair->query_length);
  memset(pair->target, below(stream, 3) ? query : (query + 1) % SEQUENCE_UNAMBIGUOUS,
         (size_t)pair->target_length);
}

static void kind_ambiguous(random_pair *pair, random_stream *stream) {
  const bool only_n = below(stream, 2);
  kind_related(pair, stream);
  pair->kind = only_n ? "related with N" : "related with IUPAC letters";
  letters_sprinkle(pair->query, pair->query_length, only_n, stream);
  letters_sprinkle(pair->target, pair->target_length, only_n, stream);
}

static void kind_all_n(random_pair *pair, random_stream *stream) {
  pair->kind = "all N";
  memset(pair->query, CODE_N, (size_t)pair->query_length);
  letters_random(pair->target, pair->target_length, SEQUENCE_UNAMBIGUOUS, stream);
  if (below(stream, 2)) memset(pair->target, CODE_N, (size_t)pair->target_length);
}

static void kind_unrelated(random_pair *pair, random_stream *stream) {
  pair->kind = "unrelated";
  letters_random(pair->query, pair->query_length, SEQUENCE_UNAMBIGUOUS, stream);
  letters_random(pair->target, pair->target_length, SEQUENCE_UNAMBIGUOUS, stream);
}

void random_pair_add_piece(random_pair *pair) {
  cla_scoring *scoring = &pair->scoring;
  const int64_t room = CLA_SCORE_LIMIT - scoring->gap_first;
  random_stream stream;
  random_stream_init(&stream, pair->seed, 1001); /* a separate stream, so that pairs are the same with and
                                                  * without a second piece */
  if (below(&stream, 3) > 0 || scoring->gap_ext == 0 || room == 0) return;
  const int64_t more = between(&stream, 1, below(&stream, 3) ? 40 : 3 * (int64_t)scoring->gap_first + 1);
  scoring->gap_ext2 = (int32_t)below(&stream, scoring->gap_ext);
  scoring->gap_first2 = scoring->gap_first + (int32_t)(more < room ? more : room);
}

static void pair_make(random_pair *pair, uint64_t seed, int64_t max_length, bool plain) {
  static void (*const kinds[])(random_pair *, random_stream *) = {
      kind_unrelated, kind_related,     kind_related,      kind_related,   kind_identical, kind_contained,
      kind_repeats,   kind_two_letters, kind_homopolymers, kind_ambiguous, kind_all_n};
  const int64_t all = sizeof kinds / sizeof *kinds, of_plain_letters = all - 2;
  random_stream stream;
  random_stream_init(&stream, seed, 1000);
  *pair = (random_pair){.seed = seed, .mode = below(&stream, 2) ? CLA_MODE_GLOBAL : CLA_MODE_LOCAL};
  scheme_make_plain(pair, &stream);
  if (!plain && below(&stream, 10) == 0) scheme_add_matrix(pair, &stream);
  if (!plain) random_pair_add_piece(pair);
  lengths_make(pair, &stream, max_length);
  pair->query = codes_allocate(pair->query_length);
  pair->target = codes_allocate(pair->target_length);
  kinds[below(&stream, plain ? of_plain_letters : all)](pair, &stream);
}

void random_pair_make(random_pair *pair, uint64_t seed, int64_t max_length) {
  pair_make(pair, seed, max_length, false);
}

void random_pair_make_plain(random_pair *pair, uint64_t seed, int64_t max_length) {
  pair_make(pair, seed, max_length, true);
}

void random_pair_choose_mode(random_pair *pair) {
  random_stream stream;
  random_stream_init(&stream, pair->seed, 1001);
  const int ends = (int)below(&stream, CLA_FREE_ENDS_ALL + 1);
  pair->mode = below(&stream, 2) ? cla_free_ends_mode(ends) : (cla_mode)below(&stream, CLA_MODE_FREE_ENDS);
  pair->free_ends = pair->mode == CLA_MODE_FREE_ENDS ? ends : 0;
}

void random_pair_free(random_pair *pair) {
  free(pair->query);
  free(pair->target);
  *pair = (random_pair){0};
}

static const char *mode_text(const random_pair *pair, char buffer[32]) {
  snprintf(buffer, 32, pair->free_ends ? "%s %d" : "%s", cla_mode_name(pair->mode), pair->free_ends);
  return buffer;
}

const char *random_pair_text(const random_pair *pair, char buffer[RANDOM_PAIR_TEXT_SIZE]) {
  char mode[32];
  snprintf(buffer, RANDOM_PAIR_TEXT_SIZE,
           "seed %" PRIu64 ": %s, %" PRId64 " x %" PRId64
           ", %s, scheme %s (match %d, mismatch %d, gap %d + %d, %d + %d)",
           pair->seed, pair->kind, pair->query_length, pair->target_length, mode_text(pair, mode),
           pair->scheme, pair->scoring.match, pair->scoring.mismatch, pair->scoring.gap_first,
           pair->scoring.gap_ext, pair->scoring.gap_first2, pair->scoring.gap_ext2);
  return buffer;
}

uint8_t *random_letters(int64_t count, uint64_t seed) {
  uint8_t *codes = codes_allocate(count);
  random_stream stream;
  random_stream_init(&stream, seed, 0);
  for (int64_t i = 0; i < count; i++) codes[i] = (uint8_t)below(&stream, 4);
  return codes;
}

char *random_pair_letters(const uint8_t *codes, int64_t length) {
  char *letters = malloc((size_t)length + 1);
  if (!letters) abort();
  for (int64_t i = 0; i < length; i++) letters[i] = SEQUENCE_LETTERS[codes[i]];
  letters[length] = '\0';
  return letters;
}

cla_sequence *random_pair_sequence(const char *name, const uint8_t *codes, int64_t length) {
  cla_sequence *sequence = NULL;
  char *letters = random_pair_letters(codes, length);
  assert_ok(cla_sequence_from_letters_with(
      &sequence, name, letters, length, &(cla_sequence_options){.known = true, .alphabet = CLA_ALPHABET_DNA},
      &why));
  free(letters);
  return sequence;
}
