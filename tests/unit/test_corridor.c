/* Paths of related pairs, looked for in a corridor, against the oracle: where there is a proof, the path is
 * the canonical one. */

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "../support/reference_difference.h"
#include "reference/reference.h"
#include "schedule/corridor.h"
#include "schedule/packed_corridor.h"
#include "seq/random_stream.h"
#include "seq/sequence.h"

#define LETTERS_MOST 900

static unsigned below(random_stream *stream, unsigned limit) {
  return (unsigned)random_stream_below(stream, limit);
}

/* Letters at random, of few kinds, or that repeat with a short period: repeats are what leads paths
 * elsewhere.
 */
static void make_query(uint8_t *query, int rows, random_stream *stream) {
  const int period = 1 + (int)below(stream, 12), kinds = 2 + (int)below(stream, 3);
  const bool repeats = below(stream, 3) == 0;
  for (int i = 0; i < rows; i++)
    query[i] = repeats && i >= period && below(stream, 30) > 0 ? query[i - period]
                                                               : (uint8_t)below(stream, (unsigned)kinds);
  for (int k = 0; below(stream, 5) == 0 && k < 5; k++) query[below(stream, (unsigned)rows)] = 14; /* N */
}

/* The query with up to 10 % of differences, and now and then other letters at its ends. */
static int make_target(uint8_t *target, const uint8_t *query, int rows, random_stream *stream) {
  const unsigned errors = below(stream, 100);
  int columns = 0;
  for (unsigned more = below(stream, 4) == 0 ? below(stream, 60) : 0; more > 0; more--)
    target[columns++] = (uint8_t)below(stream, 4);
  for (int i = 0; i < rows && columns < LETTERS_MOST; i++) {
    const unsigned event = below(stream, 1000);
    if (event < errors * 7 / 10)
      target[columns++] = (uint8_t)below(stream, 4);
    else if (event < errors * 8 / 10)
      for (unsigned more = 1 + below(stream, 20); more > 0; more--)
        target[columns++] = (uint8_t)below(stream, 4);
    else if (event < errors * 9 / 10)
      i += (int)below(stream, 20);
    else
      target[columns++] = query[i];
  }
  return columns;
}

static void choose_scheme(cla_scoring *scoring, path_ends *ends, random_stream *stream) {
  const int free_ends = (int)below(stream, CLA_FREE_ENDS_ALL + 1);
  cla_scoring_init(scoring);
  scoring->match = 1 + (int)below(stream, 4);
  scoring->mismatch = -(int)below(stream, 6);
  scoring->gap_ext = (int)below(stream, 4);
  scoring->gap_first = scoring->gap_ext + (int)below(stream, 8);
  *ends = below(stream, 3) == 0 ? path_ends_make(CLA_MODE_LOCAL, 0)
          : free_ends == 0      ? path_ends_make(CLA_MODE_GLOBAL, 0)
                                : path_ends_make(CLA_MODE_FREE_ENDS, free_ends);
}

/* Whether there was a proof. */
static bool check_pair(uint64_t seed) {
  static uint8_t query[LETTERS_MOST + 100], target[LETTERS_MOST + 100];
  cla_error error = {0};
  random_stream stream;
  cla_scoring scoring;
  path_ends ends;
  score_table table;
  reference_alignment want;
  path steps = {0};
  corridor_start start;
  bool done = false;
  random_stream_init(&stream, seed, 1);
  choose_scheme(&scoring, &ends, &stream);
  const int rows = 100 + (int)below(&stream, 400);
  make_query(query, rows, &stream);
  const int columns = make_target(target, query, rows, &stream);
  score_table_build(&table, &scoring, SEQUENCE_LETTERS, SEQUENCE_UNAMBIGUOUS);
  const packed_scheme scheme = {.scoring = &scoring, .table = &table, .ends = ends};
  cr_assert_eq(reference_align(&want, query, rows, target, columns, &table, &scoring, ends, &error), CLA_OK);
  const packed_pair pair = {.query = query,
                            .target = target,
                            .query_letters = rows,
                            .target_letters = columns,
                            .score = want.score,
                            .end_query = want.query_end,
                            .end_target = want.target_end};
  if (pair.end_query > 0 && pair.end_target > 0) {
    packed_path traced;
    cr_assert_eq(packed_corridor_trace(&done, &start, &steps, &scheme, &pair, &error), CLA_OK);
    cr_assert_eq(packed_trace(&traced, &scheme, &pair, &error), CLA_OK, "seed %llu: %s",
                 (unsigned long long)seed, error.message);
    cr_assert(traced.start_query == want.query_start && traced.start_target == want.target_start &&
                  same_runs(traced.runs, traced.run_count, want.runs, want.run_count),
              "seed %llu: another path, %s", (unsigned long long)seed, done ? "proven" : "by another way");
    free(traced.runs);
  }
  path_free(&steps);
  reference_alignment_free(&want);
  return done;
}

Test(corridor, proven_paths_are_those_of_the_oracle, .timeout = 600) {
  int proven = 0;
  for (uint64_t seed = 8700000; seed < 8700600; seed++) proven += check_pair(seed);
  printf("%d of 600 paths were proven in a corridor, seeds from 8700000\n", proven);
  cr_expect(proven > 200, "most of the pairs are related, and few paths are proven: %d", proven);
}

/* Two ways that score the same, far from each other: the canonical one has to be found. */
Test(corridor, ways_outside_that_are_as_good_leave_no_proof, .timeout = 60) {
  static uint8_t query[400], target[600];
  random_stream stream;
  cla_scoring scoring;
  score_table table;
  bool done = true;
  corridor_start start;
  path steps = {0};
  cla_error error = {0};
  reference_alignment want;
  random_stream_init(&stream, 1, 2);
  for (int i = 0; i < 400; i++) query[i] = (uint8_t)below(&stream, 4);
  memcpy(target, query, 300); /* its letters from 100 on are there twice, 200 columns apart */
  memcpy(target + 300, query + 100, 300);
  cla_scoring_init(&scoring);
  score_table_build(&table, &scoring, SEQUENCE_LETTERS, SEQUENCE_UNAMBIGUOUS);
  const path_ends ends = path_ends_make(CLA_MODE_GLOBAL, 0);
  const packed_scheme scheme = {.scoring = &scoring, .table = &table, .ends = ends};
  cr_assert_eq(reference_align(&want, query, 400, target, 600, &table, &scoring, ends, &error), CLA_OK);
  const packed_pair pair = {.query = query,
                            .target = target,
                            .query_letters = 400,
                            .target_letters = 600,
                            .score = want.score,
                            .end_query = want.query_end,
                            .end_target = want.target_end};
  cr_expect_eq(packed_corridor_trace(&done, &start, &steps, &scheme, &pair, &error), CLA_OK);
  cr_expect_not(done);
  path_free(&steps);
  reference_alignment_free(&want);
}
