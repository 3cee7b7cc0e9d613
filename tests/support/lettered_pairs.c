#include "support/lettered_pairs.h"

#include "seq/random_stream.h"
#include "support/test.h"

static int64_t between(random_stream *stream, int64_t least, int64_t most) {
  return least + (int64_t)random_stream_below(stream, (uint64_t)(most - least + 1));
}

static char pick(random_stream *stream, const char *letters) {
  return letters[random_stream_below(stream, strlen(letters))];
}

/* Letters of `common`; one letter in `rarity` is from `rare`. */
typedef struct letter_source {
  const char *common, *rare;
  int64_t rarity;
} letter_source;

static char next_letter(random_stream *stream, const letter_source *from) {
  return pick(stream, between(stream, 1, from->rarity) == 1 ? from->rare : from->common);
}

/* Makes a random query, and a target that is a changed copy or unrelated. */
static void make_letters(char *query, int64_t rows, char *target, int64_t columns, const letter_source *from,
                         random_stream *stream) {
  const int64_t distance = between(stream, 2, 20);
  const bool related = between(stream, 0, 3) > 0;
  int64_t at = between(stream, 0, rows / 2);
  for (int64_t i = 0; i < rows; i++) query[i] = next_letter(stream, from);
  for (int64_t j = 0; j < columns; j++) {
    const int64_t change = between(stream, 0, 3 * distance);
    if (change == 0) at += between(stream, 1, 9);
    const bool copied = related && change > 2 && at < rows;
    target[j] = copied ? query[at] : next_letter(stream, from);
    if (change != 1) at++;
  }
}

static void make_sequences(lettered_pair *pair, cla_alphabet alphabet, const letter_source *from,
                           int64_t max_length, random_stream *stream) {
  const int64_t rows = between(stream, 1, max_length), columns = between(stream, 1, max_length);
  char *query = malloc((size_t)rows), *target = malloc((size_t)columns);
  cr_assert(query && target);
  make_letters(query, rows, target, columns, from, stream);
  assert_ok(cla_sequence_from_letters_with(
      &pair->query, "query", query, rows,
      &(cla_sequence_options){.known = true, .alphabet = alphabet, .own = pair->scoring.letters}, &why));
  assert_ok(cla_sequence_from_letters_with(
      &pair->target, "target", target, columns,
      &(cla_sequence_options){.known = true, .alphabet = alphabet, .own = pair->scoring.letters}, &why));
  free(query);
  free(target);
}

static void make_gap_costs(cla_scoring *scoring, random_stream *stream) {
  scoring->gap_ext = (int32_t)between(stream, 0, 4);
  scoring->gap_first = scoring->gap_ext + (int32_t)between(stream, 0, 14);
}

/* Letters for own alphabets, which have at most 32. */
static const char own_letters[] = "AQZ*XJ#0123456789@HPUWBTCGNRYSK?";

static void make_own_matrix(lettered_pair *pair, random_stream *stream) {
  cla_scoring *scoring = &pair->scoring;
  const int size = between(stream, 0, 2) == 0 ? 32 : (int)between(stream, 1, 32);
  const int64_t most = between(stream, 0, 5) == 0 ? 4000 : 12;
  const bool symmetric = between(stream, 0, 1);
  memcpy(scoring->letters, own_letters, (size_t)size);
  scoring->matrix_size = size;
  for (int row = 0; row < size; row++)
    for (int column = 0; column < size; column++) {
      const int64_t value = row == column ? between(stream, 0, most) : between(stream, -most, most / 3);
      scoring->matrix[row * CLA_MATRIX_STRIDE + column] = (int32_t)value;
      if (symmetric && column < row)
        scoring->matrix[row * CLA_MATRIX_STRIDE + column] = scoring->matrix[column * CLA_MATRIX_STRIDE + row];
    }
  pair->scheme = symmetric ? "own letters, symmetric" : "own letters, asymmetric";
}

static void begin(lettered_pair *pair, uint64_t seed, random_stream *stream) {
  random_stream_init(stream, seed, 7000);
  *pair = (lettered_pair){.seed = seed, .mode = between(stream, 0, 1) ? CLA_MODE_GLOBAL : CLA_MODE_LOCAL};
  cla_scoring_init(&pair->scoring);
}

static void set_matrix(lettered_pair *pair, const char *name) {
  assert_ok(cla_scoring_set_matrix(&pair->scoring, name, &why));
  pair->scheme = name;
}

void lettered_pair_make(lettered_pair *pair, uint64_t seed, int64_t max_length) {
  random_stream stream;
  letter_source from = {.common = "ARNDCQEGHILKMFPSTWYV", .rare = "BZXJUO*"};
  cla_alphabet alphabet = CLA_ALPHABET_PROTEIN;
  begin(pair, seed, &stream);
  from.rarity = between(&stream, 5, 50);
  const int64_t kind = between(&stream, 0, 7);
  if (kind <= 2) {
    set_matrix(pair, cla_matrix_names()[between(&stream, 0, 7)]);
  } else if (kind == 3) {
    pair->scheme = "protein without a matrix";
  } else if (kind <= 5) {
    alphabet = CLA_ALPHABET_DNA;
    from.common = "ACGT";
    from.rare = "RYSWKMBDHVN";
    pair->scheme = "ambiguous DNA";
    if (kind == 4)
      set_matrix(pair, "EDNAFULL");
    else
      pair->scoring.ambiguity = between(&stream, 0, 1) ? CLA_AMBIGUITY_NEUTRAL : CLA_AMBIGUITY_EXPECTED;
  } else {
    alphabet = CLA_ALPHABET_OWN;
    make_own_matrix(pair, &stream);
    from.common = from.rare = pair->scoring.letters;
  }
  if (between(&stream, 0, 1)) make_gap_costs(&pair->scoring, &stream);
  make_sequences(pair, alphabet, &from, max_length, &stream);
}

void lettered_pair_make_protein(lettered_pair *pair, uint64_t seed, int64_t max_length, const char *matrix) {
  random_stream stream;
  const letter_source from = {.common = "ARNDCQEGHILKMFPSTWYV", .rare = "BZX*", .rarity = 20};
  begin(pair, seed, &stream);
  set_matrix(pair, matrix);
  make_gap_costs(&pair->scoring, &stream);
  make_sequences(pair, CLA_ALPHABET_PROTEIN, &from, max_length, &stream);
}

void lettered_pair_make_neutral(lettered_pair *pair, uint64_t seed, int64_t max_length) {
  random_stream stream;
  const letter_source from = {.common = "ACGT", .rare = "RYSWKMBDHVN", .rarity = 8};
  begin(pair, seed, &stream);
  pair->scheme = "neutral";
  pair->scoring.match = (int32_t)between(&stream, 1, 6);
  pair->scoring.mismatch = -(int32_t)between(&stream, 0, 6);
  pair->scoring.ambiguity = CLA_AMBIGUITY_NEUTRAL;
  make_gap_costs(&pair->scoring, &stream);
  make_sequences(pair, CLA_ALPHABET_DNA, &from, max_length, &stream);
}

void lettered_pair_free(lettered_pair *pair) {
  cla_sequence_free(pair->query);
  cla_sequence_free(pair->target);
}
