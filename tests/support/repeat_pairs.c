#include "support/repeat_pairs.h"

#include "reference/reference.h"
#include "seq/sequence.h"
#include "support/test.h"

#define ROWS_LEAST 130
#define PERIOD_MOST 60
#define GAP_MOST 140

int repeat_pair_below(random_stream *stream, int limit) {
  return (int)random_stream_below(stream, (uint64_t)limit);
}

static int below(random_stream *stream, int limit) {
  return repeat_pair_below(stream, limit);
}

/* Adds letters to a sequence; letters beyond its room are dropped. */
typedef struct writer {
  uint8_t *letters;
  int count, most;
} writer;

static void put(writer *w, int letter) {
  if (w->count < w->most) w->letters[w->count++] = (uint8_t)letter;
}

static void put_random(writer *w, int count, int kinds, random_stream *stream) {
  while (count-- > 0) put(w, below(stream, kinds));
}

/* Adds a copy of the letters with `errors` errors in a thousand letters. */
static void put_copy(writer *w, const uint8_t *letters, int count, int errors, random_stream *stream) {
  for (int k = 0; k < count; k++) {
    const int event = below(stream, 1000);
    if (event >= errors)
      put(w, letters[k]);
    else if (event % 10 < 8)
      put(w, below(stream, 4));
    else if (event % 10 == 8)
      put_random(w, 1 + below(stream, 4), 4, stream);
  }
}

/* Properties of all parts of a pair. */
typedef struct nature {
  int errors; /* errors in a thousand letters */
  int kinds;  /* number of different letters */
} nature;

/* Adds a tandem repeat with different numbers of copies in both sequences. */
static void put_tandem(writer *query, writer *target, const nature *of, random_stream *stream) {
  uint8_t unit[PERIOD_MOST];
  const int period = 1 + below(stream, below(stream, 2) ? PERIOD_MOST : 8);
  const int copies = 2 + below(stream, 160 / period + 1);
  const int more = 1 + below(stream, below(stream, 2) ? 3 : 40 / period + 1);
  const int errors = below(stream, 3) == 0 ? below(stream, 60) : 0;
  writer w = {.letters = unit, .most = period};
  put_random(&w, period, 4, stream);
  const bool swapped = below(stream, 2);
  for (int k = 0; k < copies; k++) {
    put_copy(query, unit, period, errors, stream);
    put_copy(target, unit, period, k % 3 == 0 ? errors + of->errors : errors, stream);
  }
  for (int k = 0; k < more; k++) put_copy(swapped ? query : target, unit, period, errors, stream);
}

static void put_related(writer *query, writer *target, const nature *of, random_stream *stream) {
  const int begin = query->count;
  put_random(query, 10 + below(stream, 120), of->kinds, stream);
  put_copy(target, query->letters + begin, query->count - begin, of->errors, stream);
}

/* Inserts letters into one of the sequences, mostly about as many as a corridor has lanes on one or both
 * sides. They may be a copy of their neighbours. */
static void put_gap(writer *query, writer *target, random_stream *stream) {
  static const int sides[] = {16, 32, 64, 128};
  writer *w = below(stream, 2) ? query : target;
  const int near = sides[below(stream, 4)] + below(stream, 9) - 4,
            count = below(stream, 3) ? near : below(stream, GAP_MOST);
  if (below(stream, 2) && w->count > count) {
    const int begin = w->count - count;
    for (int k = 0; k < count; k++) put(w, w->letters[begin + k]);
  } else {
    put_random(w, count, 4, stream);
  }
}

static void make_letters(repeat_pair *pair, int length, random_stream *stream) {
  static const int errors[] = {0, 10, 30, 60, 100};
  writer query = {.letters = pair->query, .most = length}, target = {.letters = pair->target, .most = length};
  const nature of = {.errors = errors[below(stream, 5)], .kinds = below(stream, 4) ? 4 : 2};
  const int wanted = ROWS_LEAST + below(stream, length - ROWS_LEAST);
  if (below(stream, 4) == 0) put_random(below(stream, 2) ? &query : &target, below(stream, 60), 4, stream);
  while (query.count < wanted && target.count < wanted) {
    const int part = below(stream, 10);
    if (part < 4)
      put_related(&query, &target, &of, stream);
    else if (part < 8)
      put_tandem(&query, &target, &of, stream);
    else
      put_gap(&query, &target, stream);
  }
  query.most = target.most = REPEAT_PAIR_LETTERS_MOST;
  while (query.count < ROWS_LEAST || target.count < ROWS_LEAST) put_related(&query, &target, &of, stream);
  if (below(stream, 4) == 0) put_random(below(stream, 2) ? &query : &target, below(stream, 60), 4, stream);
  pair->rows = query.count;
  pair->columns = target.count;
  if (below(stream, 8) == 0) pair->query[below(stream, pair->rows)] = REPEAT_PAIR_AMBIGUOUS;
  if (below(stream, 8) == 0) pair->target[below(stream, pair->columns)] = REPEAT_PAIR_AMBIGUOUS;
}

static void choose_scheme(cla_scoring *scoring, path_ends *ends, random_stream *stream) {
  /* match, mismatch, first, ext */
  static const int schemes[][4] = {{1, -1, 1, 1}, {1, -1, 2, 1}, {2, -2, 1, 1}, {1, -3, 5, 2}, {2, -3, 5, 2},
                                   {1, -1, 3, 0}, {1, 0, 1, 0},  {1, -2, 2, 2}, {3, -1, 4, 1}, {1, -4, 1, 1}};
  const int known = (int)(sizeof schemes / sizeof *schemes), scheme = below(stream, 2 * known);
  const int free_ends = below(stream, CLA_FREE_ENDS_ALL + 1);
  cla_scoring_init(scoring);
  if (scheme < known) {
    scoring->match = schemes[scheme][0];
    scoring->mismatch = schemes[scheme][1];
    scoring->gap_first = schemes[scheme][2];
    scoring->gap_ext = schemes[scheme][3];
  } else {
    scoring->match = 1 + below(stream, 5);
    scoring->mismatch = scoring->match - 1 - below(stream, 9);
    scoring->gap_ext = below(stream, 5);
    scoring->gap_first = scoring->gap_ext + below(stream, 2) * below(stream, 8);
  }
  if (scoring->mismatch > 0) scoring->mismatch = 0;
  *ends = below(stream, 3) == 0 ? path_ends_make(CLA_MODE_LOCAL, 0)
          : free_ends == 0      ? path_ends_make(CLA_MODE_GLOBAL, 0)
                                : path_ends_make(CLA_MODE_FREE_ENDS, free_ends);
}

/* Chooses scores of which the best is 0; in half of the pairs unit costs. */
static void choose_penalties(cla_scoring *scoring, path_ends *ends, random_stream *stream) {
  const int free_ends = below(stream, 2) ? CLA_FREE_QUERY_END | CLA_FREE_TARGET_END : CLA_FREE_TARGET_END;
  const bool unit = below(stream, 2);
  cla_scoring_init(scoring);
  scoring->match = 0;
  scoring->mismatch = unit ? -1 : -1 - below(stream, 5);
  scoring->gap_ext = unit ? 1 : 1 + below(stream, 3);
  scoring->gap_first = unit ? 1 : scoring->gap_ext + below(stream, 7);
  *ends =
      below(stream, 2) ? path_ends_make(CLA_MODE_GLOBAL, 0) : path_ends_make(CLA_MODE_FREE_ENDS, free_ends);
}

static void add_piece(cla_scoring *scoring, random_stream *stream) {
  if (scoring->gap_ext == 0) scoring->gap_first += scoring->gap_ext = 1;
  scoring->gap_ext2 = below(stream, scoring->gap_ext);
  scoring->gap_first2 = scoring->gap_first + 1 + below(stream, 30);
}

static void add_matrix(cla_scoring *scoring, random_stream *stream) {
  const int size = SEQUENCE_LETTER_COUNT, ties = below(stream, 2);
  memcpy(scoring->letters, SEQUENCE_LETTERS, (size_t)size);
  scoring->matrix_size = size;
  for (int row = 0; row < size; row++)
    for (int column = 0; column < size; column++)
      scoring->matrix[row * CLA_MATRIX_STRIDE + column] =
          row == column ? (ties ? 2 : 2 + below(stream, 5)) : -1 - below(stream, ties ? 2 : 6);
}

void repeat_pair_begin(repeat_pair *pair, int rows, uint64_t seed) {
  *pair = (repeat_pair){.rows = rows, .seed = seed, .scheme.ends = path_ends_make(CLA_MODE_GLOBAL, 0)};
  random_stream_init(&pair->stream, seed, 1);
  for (int i = 0; i < rows; i++) pair->query[i] = (uint8_t)below(&pair->stream, 4);
  cla_scoring_init(&pair->scoring);
}

void repeat_pair_put(repeat_pair *pair, const uint8_t *letters, int count) {
  memcpy(pair->target + pair->columns, letters, (size_t)count);
  pair->columns += count;
}

bool repeat_pair_score(repeat_pair *pair) {
  reference_alignment end;
  score_table_build(&pair->table, &pair->scoring, SEQUENCE_LETTERS, SEQUENCE_UNAMBIGUOUS);
  pair->scheme.scoring = &pair->scoring;
  pair->scheme.table = &pair->table;
  assert_ok(reference_score(&end,
                            &(pair_problem){pair->query,
                                            pair->target,
                                            pair->rows,
                                            pair->columns,
                                            {&pair->scoring, &pair->table, pair->scheme.ends}},
                            &why));
  pair->pair = (pack_pair){.query = pair->query,
                           .target = pair->target,
                           .query_letters = pair->rows,
                           .target_letters = pair->columns,
                           .score = end.score,
                           .end_query = end.query_end,
                           .end_target = end.target_end};
  return end.query_end > 0 && end.target_end > 0;
}

bool repeat_pair_make(repeat_pair *pair, repeat_scheme scheme, uint64_t seed, int length) {
  pair->seed = seed;
  random_stream_init(&pair->stream, seed, 1);
  make_letters(pair, length, &pair->stream);
  choose_scheme(&pair->scoring, &pair->scheme.ends, &pair->stream);
  if (scheme == REPEAT_PENALTIES) choose_penalties(&pair->scoring, &pair->scheme.ends, &pair->stream);
  if (scheme == REPEAT_MATRIX) add_matrix(&pair->scoring, &pair->stream);
  if (scheme == REPEAT_TWO_PIECES || (scheme > REPEAT_TWO_PIECES && below(&pair->stream, 2)))
    add_piece(&pair->scoring, &pair->stream);
  return repeat_pair_score(pair);
}
