/* The live band against the oracle: random pairs traced from the end to the start through rows chosen at
 * random, with every step of the path compared. */

#include "base/extremes.h"
#include "ranks/ranks_trace.h"
#include "seq/random_stream.h"
#include "seq/sequence.h"
#include "support/lettered_pairs.h"
#include "support/random_pairs.h"
#include "support/ranks/local_ranks.h"
#include "support/reference_path.h"
#include "support/test.h"
#include "support/test_devices.h"
#include "trace/band_block.h"
#include "trace/live_band.h"

typedef struct fixture {
  random_pair pair;
  score_table table;
  row_worth worth;
  reference_borders borders;
  reference_matrix matrix;
  reference_alignment want;
  random_stream stream;
  path_ends ends;
  bool local;
  bool lettered; /* pairs with letters and scores of all kinds */
  bool further;  /* local alignments after the first few, whose pairs are `used` */
  used_pairs *used;
  local_ranks *ranks;            /* NULL: this one alone */
  traceback traced;              /* what the other rank is told of */
  far_bands *traces;             /* blocks are another rank's; NULL: none are */
  long long far, dropped;        /* blocks that such a rank had; blocks that nobody took */
  long long blocks, taken, wide; /* computed from guesses; taken over; of them with wide goals */
  long long bytes[5];            /* bands of known nodes with looked up scores: by bytes of a value */
} fixture;

/* Letters of all kinds, most with scores that are looked up. */
static void take_lettered_pair(fixture *x, uint64_t seed, int64_t max_length) {
  OWNED(lettered_pair_free) lettered_pair made;
  lettered_pair_make(&made, seed, max_length);
  const int64_t rows = cla_sequence_length(made.query), columns = cla_sequence_length(made.target);
  const letter_set *set = sequence_alphabet(made.query);
  x->pair = (random_pair){.query = malloc((size_t)rows),
                          .target = malloc((size_t)columns),
                          .query_length = rows,
                          .target_length = columns,
                          .scoring = made.scoring,
                          .kind = "letters of all kinds",
                          .scheme = made.scheme,
                          .seed = seed};
  cr_assert(x->pair.query && x->pair.target);
  memcpy(x->pair.query, sequence_codes(made.query), (size_t)rows);
  memcpy(x->pair.target, sequence_codes(made.target), (size_t)columns);
  score_table_build(&x->table, &x->pair.scoring, set->letters, set->unambiguous);
  score_table_keep(&x->table, sequence_letters_met(made.query), sequence_letters_met(made.target));
  random_pair_add_piece(&x->pair);
}

static void take_random_pair(fixture *x, uint64_t seed, int64_t max_length) {
  random_pair_make(&x->pair, seed, max_length);
  score_table_build(&x->table, &x->pair.scoring, SEQUENCE_LETTERS, SEQUENCE_UNAMBIGUOUS);
}

/* Marks the pairs of the first one to three alignments as used. */
static void use_pairs(fixture *x) {
  const random_pair *p = &x->pair;
  assert_ok(used_pairs_create(&x->used, &why));
  score_table_use(&x->table, &p->scoring, x->used);
  for (uint64_t round = 0; round <= p->seed % 3; round++) {
    OWNED(reference_alignment_free) reference_alignment made;
    assert_ok(reference_align(&made, RANDOM_PAIR_PROBLEM(p, &x->table, x->ends), &why));
    assert_ok(used_pairs_add(x->used, made.query_start, made.target_start, made.runs, made.run_count, &why));
  }
}

static void set_up(fixture *x, uint64_t seed, int64_t max_length) {
  if (x->lettered)
    take_lettered_pair(x, seed, max_length);
  else
    take_random_pair(x, seed, max_length);
  random_pair_choose_mode(&x->pair);
  random_stream_init(&x->stream, seed, 3);
  random_pair *p = &x->pair;
  if (x->further) p->mode = CLA_MODE_LOCAL;
  x->local = p->mode == CLA_MODE_LOCAL;
  x->ends = path_ends_make(p->mode, p->free_ends);
  if (x->further) use_pairs(x);
  cla_status status = row_worth_make(&x->worth, p->query, p->query_length, &x->table, &why);
  if (status == CLA_OK)
    status =
        reference_borders_make(&x->borders, p->query_length, p->target_length, &p->scoring, x->ends, &why);
  if (status == CLA_OK)
    status = reference_fill(&x->matrix,
                            &(pair_problem){p->query,
                                            p->target,
                                            p->query_length,
                                            p->target_length,
                                            {&p->scoring, &x->table, {.floor = x->local}}},
                            &x->borders, &why);
  if (status == CLA_OK) status = reference_align(&x->want, RANDOM_PAIR_PROBLEM(p, &x->table, x->ends), &why);
  assert_ok(status);
}

static void tear_down(fixture *x) {
  reference_alignment_free(&x->want);
  reference_matrix_free(&x->matrix);
  reference_borders_free(&x->borders);
  row_worth_free(&x->worth);
  random_pair_free(&x->pair);
  used_pairs_free(x->used);
}

/* The values of a row of the matrix. */
static row_values read_row(const fixture *x, int64_t row) {
  const cla_scoring *scoring = &x->pair.scoring;
  row_values values;
  assert_ok(row_values_make(&values, x->matrix.columns + 1, scoring, "a row", &why));
  for (int64_t j = 0; j <= x->matrix.columns; j++) {
    values.h[j] = reference_at(&x->matrix, x->matrix.h, row, j);
    for (int k = 0; k < gap_pieces(scoring); k++)
      values.f[k][j] = larger(values.h[j] - scoring->gap[k].first,
                              reference_at(&x->matrix, x->matrix.f[k], row, j) - scoring->gap[k].ext);
  }
  return values;
}

static void free_row(row_values *values) {
  row_values_free(values);
}

static pair_problem problem_of(const fixture *x) {
  const random_pair *p = &x->pair;
  const path_scheme scheme = {&p->scoring, &x->table, x->ends};
  return (pair_problem){p->query, p->target, p->query_length, p->target_length, scheme};
}

/* The node alone, or a part of its row around a guess that is near enough. */
static void choose_goals(band_goals *goals, fixture *x, const band_node *node) {
  const cla_scoring *scoring = &x->pair.scoring;
  band_goals_set_node(goals, node, &x->worth, scoring);
  if (random_stream_below(&x->stream, 2) == 0) return;
  row_values values = read_row(x, node->row);
  const uint64_t count = random_stream_below(&x->stream, 2) ? BAND_GOALS_LIMIT : 5 * BAND_GOALS_LIMIT;
  int64_t first = node->column - (int64_t)random_stream_below(&x->stream, count);
  int64_t last = first + (int64_t)count - 1;
  if (first < 0) first = 0;
  if (last > x->matrix.columns) last = x->matrix.columns;
  band_goals row;
  const row_part part = {node->row, first, last - first + 1, row_values_from(values, first)};
  band_goals_set_row(&row, &part, &x->worth, scoring);
  if (band_goals_have(&row, node)) *goals = row;
  free_row(&values);
}

/* Scores with which a band's values may need more than 32 bits. */
#define LARGE_COST 10000

/* Traces from the node to `row`. False if the scheme's scores are too large for a band. */
static bool trace_to_row(fixture *x, band_node *node, bool *ended, path *into, int64_t row,
                         const char *text) {
  static const int64_t intervals[] = {8, 16, 48, 0};
  live_band *band = NULL;
  live_band_outcome outcome;
  band_goals goals;
  row_values values = read_row(x, row);
  choose_goals(&goals, x, node);
  int64_t column = 0;
  const pair_problem problem = problem_of(x);
  live_band_input input = {.problem = &problem,
                           .worth = &x->worth,
                           .row = row,
                           .top = values,
                           .cells_limit = INT64_MAX,
                           .bytes_limit = INT64_MAX,
                           .line_interval = intervals[random_stream_below(&x->stream, 4)]};
  cr_assert(live_band_look(&input, &goals), "%s", text);
  if (x->table.needs_lookup) x->bytes[input.extent.value_bytes]++;
  const int64_t first = input.extent.first;
  if (first > 0 && random_stream_below(&x->stream, 2)) column = first; /* a window of the row */
  input.column = column;
  input.top = row_values_from(values, column);
  cr_assert(live_band_look(&input, &goals), "%s", text);
  assert_ok_for(live_band_create(&band, &outcome, &input, &goals, &why), "%s", text);
  *ended = false;
  const bool too_large = outcome == LIVE_BAND_TOO_LARGE && gap_most_first(&x->pair.scoring) >= LARGE_COST;
  cr_assert(too_large || outcome == LIVE_BAND_READY, "%s: row %lld to %lld: outcome %d", text, (long long)row,
            (long long)node->row, (int)outcome);
  while (!too_large && !*ended) {
    assert_ok_for(live_band_trace(node, ended, into, &outcome, band, &why), "%s", text);
    cr_assert_eq(outcome, LIVE_BAND_READY);
  }
  live_band_free(band);
  free_row(&values);
  return !too_large;
}

static void keep_row(const fixture *x, special_rows *kept, int64_t row) {
  const int64_t count = x->matrix.columns + 1;
  row_values values = read_row(x, row);
  const int lines = gap_lines(&x->pair.scoring);
  uint32_t *lanes = calloc((size_t)(count * lines), sizeof *lanes);
  cr_assert(lanes);
  for (int64_t j = 0; j < count * lines; j++) lanes[j] = (uint32_t)values.h[j]; /* all lines */
  region_row_part part = {.row = row, .count = count, .before = values.h[0], .lane_bits = 32};
  region_row_part_set(&part, lanes, count * (int64_t)sizeof *lanes, lines);
  assert_ok(special_rows_put(kept, &part, &why));
  assert_ok(special_rows_put(kept, &(region_row_part){.row = row, .column = count}, &why));
  free_row(&values);
  free(lanes);
}

/* A block for another rank: a thread waits for it, while the test moves messages. */
typedef struct far_work {
  fixture *x;
  band_block *block;
  band_work *work;
  atomic_bool finished;
  cla_status status;
  cla_error error;
} far_work;

static void *wait_for_block(void *user) {
  far_work *far = user;
  far->status = far->x->traces->calls->compute(far->x->traces, 1, far->block, far->work, &far->error);
  atomic_store(&far->finished, true);
  return NULL;
}

/* Sometimes nobody waits for it any more. */
static void compute_far(fixture *x, band_block *block, band_work *work, const char *text) {
  far_work far = {.x = x, .block = block, .work = work};
  atomic_bool cancel;
  pthread_t thread;
  atomic_init(&cancel, random_stream_below(&x->stream, 8) == 0);
  atomic_init(&far.finished, false);
  work->input.cancel = &cancel;
  cr_assert_eq(pthread_create(&thread, NULL, wait_for_block, &far), 0);
  while (!atomic_load(&far.finished)) assert_ok_for(x->traces->calls->move(x->traces, &why), "%s", text);
  pthread_join(thread, NULL);
  cr_assert_eq(far.status, CLA_OK, "%s: %s", text, far.error.message);
  cr_assert(!block->band && !block->top.h);
  x->far += block->owner > 0;
}

static bool take_far(fixture *x, band_node *node, path *into, const band_block *block, const char *text) {
  bool done = false;
  if (random_stream_below(&x->stream, 8) == 0) {
    x->traces->calls->drop(x->traces, block);
    x->dropped++;
    return false;
  }
  assert_ok_for(x->traces->calls->take(&done, node, into, x->traces, block, &why), "%s", text);
  return done;
}

/* Computes the block up to `row` from a guess, which may be right, near or anywhere, and takes it over if it
 * leads from the node. */
static bool take_guessed_block(fixture *x, band_node *node, path *into, int64_t row, const char *text) {
  special_rows *kept = NULL;
  pthread_rwlock_t reading = PTHREAD_RWLOCK_INITIALIZER;
  bool done = false;
  const row_shape shape = {.nodes = x->matrix.columns + 1,
                           .largest_score = x->table.maximum,
                           .scoring = &x->pair.scoring,
                           .floor = x->local};
  assert_ok(special_rows_create(&kept, &shape, &why));
  if (row > 0) keep_row(x, kept, row);
  keep_row(x, kept, node->row);
  const pair_problem problem = problem_of(x);
  const band_blocks all = {.problem = &problem,
                           .worth = &x->worth,
                           .kept = kept,
                           .reading = &reading,
                           .bytes_limit = INT64_MAX,
                           .line_interval = 8 * (int64_t)random_stream_below(&x->stream, 3),
                           .wide_rows_least = random_stream_below(&x->stream, 2) ? 1 : INT64_MAX,
                           .threads = 2,
                           .device_rate = 1};
  band_block block = {.upper = row, .lower = node->row, .guess = node->column};
  switch (random_stream_below(&x->stream, 4)) {
    case 0: block.guess += (int64_t)random_stream_below(&x->stream, 9) - 4; break;
    case 1: block.guess += (int64_t)random_stream_below(&x->stream, 81) - 40; break;
    case 2: block.guess = (int64_t)random_stream_below(&x->stream, (uint64_t)x->matrix.columns + 1); break;
    default: break;
  }
  if (block.guess < 0) block.guess = 0;
  if (block.guess > x->matrix.columns) block.guess = x->matrix.columns;
  block.straight = block.guess;
  block.distance = (int64_t)random_stream_below(&x->stream, 3000);
  block.wander = (double)random_stream_below(&x->stream, 3);
  band_work work;
  assert_ok_for(band_block_look(&work, &block, &all, NULL, &why), "%s", text);
  if (x->traces && work.fits)
    compute_far(x, &block, &work, text);
  else
    assert_ok_for(band_block_compute(&block, &work, &why), "%s", text);
  if (block.owner > 0)
    done = take_far(x, node, into, &block, text);
  else
    assert_ok_for(band_block_take(&done, node, into, &block, &why), "%s", text);
  x->blocks++;
  x->taken += done;
  x->wide += done && block.wide;
  band_block_free(&block);
  special_rows_free(kept);
  return done;
}

/* Traces the pair of the fixture in steps of random height. False if the scheme was left out. */
static bool trace_pair(fixture *x, band_node *node, path *steps, const char *text) {
  bool done = x->local && node->value == 0;
  while (!done && node->row > 0 && (x->local || node->column > 0)) {
    const int64_t few = random_stream_below(&x->stream, 3) ? node->row : node->row < 20 ? node->row : 20;
    const int64_t row = node->row - 1 - (int64_t)random_stream_below(&x->stream, (uint64_t)few);
    bool ended;
    const bool guessed = random_stream_below(&x->stream, 2) && take_guessed_block(x, node, steps, row, text);
    if (!guessed && !trace_to_row(x, node, &ended, steps, row, text)) return false;
    done = x->local && node->state == STATE_H &&
           reference_at(&x->matrix, x->matrix.h, node->row, node->column) == 0;
  }
  return true;
}

/* False if the scheme was left out. */
static bool check_pair(fixture *x, uint64_t seed, int64_t max_length) {
  char text[RANDOM_PAIR_TEXT_SIZE];
  path steps = {0};
  set_up(x, seed, max_length);
  random_pair_text(&x->pair, text);
  const reference_alignment *want = &x->want;
  const pair_problem problem = problem_of(x);
  x->traced = (traceback){.problem = problem, .end_row = problem.rows};
  if (x->ranks) x->traced.far_user = local_ranks_first(x->ranks);
  if (x->ranks) assert_ok(rank_traces_begin(&x->traces, &x->traced, &why));
  band_node node = {.row = want->query_end, .column = want->target_end, .value = want->score};
  const bool fits = trace_pair(x, &node, &steps, text);
  const bool starts =
      x->local || (x->ends.target_start && node.row == 0) || (x->ends.query_start && node.column == 0);
  if (fits && !starts && path_add(&steps, CLA_RUN_QUERY, node.row, &why) == CLA_OK) {
    assert_ok(path_add(&steps, CLA_RUN_TARGET, node.column, &why));
    node.row = node.column = 0;
  }
  if (fits) {
    cr_assert(node.row == want->query_start && node.column == want->target_start, "%s: start", text);
    cr_assert_eq((size_t)steps.count, want->run_count, "%s: %lld runs for %zu", text, (long long)steps.count,
                 want->run_count);
  }
  for (int64_t i = 0; fits && i < steps.count; i++) {
    const cla_run *got = steps.runs + steps.count - 1 - i, *run = want->runs + i;
    cr_assert(got->kind == run->kind && got->length == run->length, "%s: run %lld", text, (long long)i);
  }
  path_free(&steps);
  if (x->traces) x->traces->calls->end(x->traces);
  x->traces = NULL;
  tear_down(x);
  return fits;
}

static void check_pairs(fixture *x, uint64_t seed, long long count, int64_t max_length) {
  long long checked = 0;
  for (long long i = 0; i < count; i++) checked += check_pair(x, seed + (uint64_t)i, max_length);
  printf("%lld of %lld guessed blocks were taken over, %lld of them with wide goals\n", x->taken, x->blocks,
         x->wide);
  cr_assert(x->taken > 0 && x->taken < x->blocks && x->wide > 0);
  printf("%lld of %lld pairs of up to %lld letters have scores that fit\n", checked, count,
         (long long)max_length);
  cr_assert_gt(checked, count / 2);
}

static long long pairs(void) {
  return test_count("CLALIGN_TEST_PAIRS", 7000);
}

Test(live_band, follows_the_canonical_path_of_short_pairs, .timeout = 600) {
  fixture x = {0};
  check_pairs(&x, 7000000, pairs(), 160);
}

Test(live_band, follows_the_canonical_path_of_longer_pairs, .timeout = 600) {
  fixture x = {0};
  check_pairs(&x, 8000000, pairs() / 40, 1200);
}

Test(live_band, follows_the_canonical_path_where_scores_are_looked_up, .timeout = 600) {
  fixture x = {.lettered = true};
  check_pairs(&x, 9000000, pairs() / 8, 300);
  printf("bands with looked up scores: %lld in 2 bytes, %lld in 4\n", x.bytes[2], x.bytes[4]);
  cr_assert(x.bytes[2] > 0 && x.bytes[4] > 0);
}

Test(live_band, follows_the_canonical_path_of_longer_pairs_where_scores_are_looked_up, .timeout = 600) {
  fixture x = {.lettered = true};
  check_pairs(&x, 9500000, pairs() / 80, 1500);
}

Test(live_band, follows_the_canonical_path_of_further_alignments, .timeout = 600) {
  fixture x = {.further = true};
  check_pairs(&x, 7500000, pairs() / 20, 80);
}

/* The other rank dies as it is to answer: what it has is lost, and all goes on without it. */
Test(live_band, follows_the_canonical_path_where_the_other_rank_dies, .timeout = 600) {
  static const int kinds[] = {RANK_TRACE_READY, RANK_TRACE_DONE, RANK_TRACE_TAKEN};
  for (int i = 0; i < 12; i++) {
    fixture x = {.ranks = local_ranks_begin(NULL)};
    local_ranks_die(x.ranks, kinds[i % 3],
                    1 + (i % 3 == 0 ? 6 : 3) * (i / 3)); /* two words that it is ready */
    for (uint64_t seed = 7800000; seed < 7800060; seed++) check_pair(&x, seed, 160);
    cr_assert(ranks_is_gone(local_ranks_first(x.ranks), 1));
    cr_assert_eq(x.far > 0, kinds[i % 3] == RANK_TRACE_TAKEN || i >= 3);
    local_ranks_end(x.ranks);
  }
}

Test(live_band, follows_the_canonical_path_in_bands_of_another_rank, .timeout = 600) {
  fixture x = {.ranks = local_ranks_begin(NULL)};
  check_pairs(&x, 7700000, pairs() / 20, 160);
  fixture lettered = {.lettered = true, .ranks = x.ranks};
  check_pairs(&lettered, 9700000, pairs() / 80, 300);
  fixture further = {.further = true, .ranks = x.ranks};
  check_pairs(&further, 7900000, pairs() / 40, 80);
  printf("blocks of another rank: %lld, %lld of further alignments, dropped: %lld\n", x.far + lettered.far,
         further.far, x.dropped + lettered.dropped);
  cr_assert(x.far > 0 && lettered.far > 0 && further.far > 0 && x.dropped > 0);
  local_ranks_end(x.ranks);
}
