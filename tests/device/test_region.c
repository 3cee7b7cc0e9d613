/* wavefront_solve on every device with kernel configs of every variant (support/test_devices.h), against the
 * oracle's full matrix: best cell, last row and kept rows.
 *
 * - borders: local and global, forward and reverse, and from within a matrix
 * - lengths: at the edges of lanes, strips and tiles
 * - pruning: pairs so related that much of a region is passed over */

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/extremes.h"
#include "reference/reference.h"
#include "region/wavefront.h"
#include "seq/random_stream.h"
#include "seq/sequence.h"
#include "support/build_kinds.h"
#include "support/cases/region_case.h"
#include "support/limit_schemes.h"
#include "support/random_pairs.h"
#include "support/related_pairs.h"
#include "support/test_devices.h"

#define NESTING 1 /* region_case_make goes one deep, and pruning no deeper (docs/internals/pruning.md) */

/* Every so many pairs one is related, and larger. */
#define RELATED_EVERY 5
/* And so many have a scheme that the lanes just allow. */
#define LIMIT_EVERY 3

/* Letters of pairs with a tail, and how many of them. */
#define TAIL_LETTERS 1200
#define TAILS 8

#define REGION_TEXT_SIZE (RANDOM_PAIR_TEXT_SIZE + 160)

/* Of all pruned regions together: cells that were computed, and that there are. */
static int64_t pruned_cells, pruned_of;

/* Of the regions with gap costs of two pieces that a device has solved: those that were pruned, and the
 * others. */
static int two_pieces[2];

/* Every kept row is compared as it arrives. */
typedef struct row_check {
  const reference_matrix *matrix;
  const region *what;
  const region_case *of;
  const cla_scoring *scoring;
  int64_t largest; /* score of a pair */
  int64_t reached; /* by the best path, or on the upper border */
  reference_cell best;
  int64_t nodes, row, next_column, ended;
  int64_t last; /* H of the node before next_column */
  const char *text;
} row_check;

/* The most that a path can still gain from a node on. */
static int64_t potential(const row_check *check, int64_t row, int64_t column) {
  const int64_t down = check->what->rows - row, across = check->what->columns - column;
  if (down > across) return check->largest * across - check->what->down_ext * (down - across);
  return check->largest * down - check->what->across_ext * (across - down);
}

/* Whether a path through the node may be the best: its value must be there and right. The bound rises to the
 * best score in the course of a local region. */
static bool matters(const row_check *check, int64_t row, int64_t column) {
  return !check->what->prune ||
         reference_at(check->matrix, check->matrix->h, row, column) + potential(check, row, column) >=
             check->reached;
}

/* The nodes of the row in [from, end) are missing: none of them may matter. */
static void check_missing(const row_check *check, int64_t row, int64_t from, int64_t end) {
  for (int64_t column = from; column < end; column++)
    cr_assert(!matters(check, row, column), "%s: (%lld,%lld) is missing, H %lld, potential %lld, bound %lld",
              check->text, (long long)row, (long long)column,
              (long long)reference_at(check->matrix, check->matrix->h, row, column),
              (long long)potential(check, row, column), (long long)check->reached);
}

/* Whether the best cell must be found if it scores so much. */
static bool is_looked_for(const row_check *check, int64_t score) {
  return score >= check->reached || (!check->what->prune && check->what->best != BEST_ANYWHERE);
}

/* The best cell that comes with a row. */
static void check_best_down_to(const row_check *check, const region_row_part *part) {
  const reference_cell best = check->best;
  const bool below = best.row > part->row;
  if (below)
    cr_assert_lt(part->best_score, best.score, "%s: best down to row %lld", check->text,
                 (long long)part->row);
  if (below || best.row == 0 || !is_looked_for(check, best.score)) return;
  cr_assert(part->best_score == best.score && part->best_row == best.row && part->best_column == best.column,
            "%s: best down to row %lld is %lld at (%lld,%lld), not %lld at (%lld,%lld)", check->text,
            (long long)part->row, (long long)part->best_score, (long long)part->best_row,
            (long long)part->best_column, (long long)best.score, (long long)best.row, (long long)best.column);
}

static cla_status check_row(void *user, const region_row_part *part, cla_error *error) {
  row_check *check = user;
  const int64_t row = part->row, column = part->column;
  int64_t before = row == check->row && column == check->next_column ? check->last : part->before;
  (void)error;
  if (row != check->row) {
    check_missing(check, check->row, check->next_column, check->row > 0 ? check->what->columns + 1 : 0);
    for (int64_t passed = check->row + check->what->row_interval; passed < row;
         passed += check->what->row_interval)
      check_missing(check, passed, 0, check->what->columns + 1);
    check_missing(check, row, 0, column);
    check->row = row;
    check->next_column = column;
  }
  cr_assert_eq(column, check->next_column, "%s: a part of row %lld begins at %lld", check->text,
               (long long)row, (long long)column);
  check->next_column += part->count;
  if (part->count == 0 && !check->what->prune)
    cr_assert_eq(column, check->matrix->columns + 1, "%s: row %lld ends at %lld", check->text, (long long)row,
                 (long long)column);
  check->ended += part->count == 0;
  if (part->count == 0 && check->what->best) check_best_down_to(check, part);
  for (int64_t i = 0; i < part->count; i++) {
    const int64_t h = region_case_unwrap(part->h, i, part->lane_bits, before);
    before = check->last = h;
    const int64_t want_h = reference_at(check->matrix, check->matrix->h, row, column + i);
    const bool exact = matters(check, row, column + i);
    cr_assert(exact ? h == want_h : h <= want_h, "%s: kept H(%lld,%lld) is %lld, not %lld", check->text,
              (long long)row, (long long)(column + i), (long long)h, (long long)want_h);
    check->nodes++;
    if (column + i == 0) continue; /* F of the left border enters nothing */
    for (int k = 0; k < gap_pieces(check->scoring); k++) {
      const int64_t f = region_case_unwrap(part->f[k], i, part->lane_bits, h);
      const int64_t want_f = region_case_f_below(check->matrix, check->scoring, k, row, column + i);
      cr_assert(exact ? f == want_f : f <= want_f, "%s: kept F of piece %d below (%lld,%lld) is %lld",
                check->text, k + 1, (long long)row, (long long)(column + i), (long long)f);
    }
  }
  return CLA_OK;
}

static void check_best(const region_result *got, const region_case *c, const row_check *rows) {
  const char *text = rows->text;
  const reference_cell best = region_case_best(c);
  if (!is_looked_for(rows, best.score)) {
    cr_assert_leq(got->best_score, best.score, "%s: the best cell is too good", text);
    return;
  }
  cr_assert(got->best_score == best.score && got->best_row == best.row && got->best_column == best.column,
            "%s: best is %lld at (%lld,%lld), not %lld at (%lld,%lld)", text, (long long)got->best_score,
            (long long)got->best_row, (long long)got->best_column, (long long)best.score, (long long)best.row,
            (long long)best.column);
}

static void check_last_row(const region_result *got, const region_case *c, const row_check *rows) {
  for (int64_t j = 0; j <= c->what.columns; j++) {
    const int64_t want = reference_at(&c->matrix, c->matrix.h, c->what.rows, j);
    const bool there = j >= got->bottom_first && j <= got->bottom_last;
    cr_assert(!matters(rows, c->what.rows, j) || (there && c->what.bottom[j] == want),
              "%s: last row differs at %lld", rows->text, (long long)j);
    cr_assert(!there || c->what.bottom[j] <= want, "%s: last row is too large at %lld", rows->text,
              (long long)j);
  }
}

static void check_cells(const region_result *got, const region_case *c) {
  cr_assert(got->cells <= c->what.rows * c->what.columns);
  if (!c->what.prune) {
    cr_assert_eq(got->cells, c->what.rows * c->what.columns);
    cr_assert_eq(got->bottom_last - got->bottom_first, c->what.columns);
  } else {
    pruned_cells += got->cells;
    pruned_of += c->what.rows * c->what.columns;
  }
}

/* Rows that should have come, or of which nothing matters. */
static void check_rows_end(const region_case *c, const row_check *rows) {
  const int64_t kept = c->what.row_interval > 0 ? c->what.rows / c->what.row_interval : 0;
  cr_assert(rows->ended == kept || c->what.prune, "%s: %lld rows should end", rows->text, (long long)kept);
  if (!c->what.prune)
    cr_assert_eq(rows->nodes, kept * (c->what.columns + 1), "%s: %lld rows should be kept", rows->text,
                 (long long)kept);
  if (rows->row > 0) check_missing(rows, rows->row, rows->next_column, c->what.columns + 1);
  for (int64_t row = rows->row + c->what.row_interval;
       row <= kept * c->what.row_interval && c->what.row_interval > 0; row += c->what.row_interval)
    check_missing(rows, row, 0, c->what.columns + 1);
}

/* Has the region pruned, now and then or always: with the value that it will find as the bound, or less. */
static void choose_pruning(region_case *c, row_check *check, bool related, random_stream *stream) {
  region *r = &c->what;
  if (r->floor && !r->best) return;
  r->prune = related || random_stream_below(stream, 2) == 0;
  r->bound = check->reached = region_case_best_end(c);
  r->down_ext = path_ends_down_ext(&c->ends, check->scoring);
  r->across_ext = path_ends_across_ext(&c->ends, check->scoring);
  if (random_stream_below(stream, 2))
    r->bound -= (int64_t)random_stream_below(stream, related ? (uint64_t)r->columns : 200);
  if (r->best != BEST_ANYWHERE) check->reached = r->bound;
  for (int64_t j = 0; r->best == BEST_ANYWHERE && j <= r->columns; j++)
    check->reached = larger(check->reached, c->top.h[j]);
  if (r->floor && r->bound < 0) r->bound = 0;
}

/* Says what is solved, in `text`. */
static void describe(char text[REGION_TEXT_SIZE], const kernel_config *config, const region *what,
                     const random_pair *pair) {
  char pair_text[RANDOM_PAIR_TEXT_SIZE];
  snprintf(text, REGION_TEXT_SIZE, "%s %d x %d%s, tiles of %lld, %lld x %lld at (%lld,%lld)%s, %s",
           config->variant->name, config->lanes, config->alpha,
           config->launch == KERNEL_PERSISTENT ? " persistent" : "", (long long)config->tile_columns,
           (long long)what->rows, (long long)what->columns, (long long)what->row, (long long)what->column,
           what->reverse ? " reverse" : "", random_pair_text(pair, pair_text));
}

static void read_top(void *user, int64_t node, int64_t count, row_values into) {
  const region_case *c = ((const row_check *)user)->of;
  for (int line = 0; line < GAP_LINES; line++) {
    int64_t *to = row_values_line(into, line);
    if (to) memcpy(to, row_values_line(c->top, line) + node, (size_t)count * sizeof *to);
  }
}

/* Half of the upper borders are read by a call. */
static void choose_top(region_case *c, random_stream *stream) {
  if (c->what.prune || !c->what.above.h || random_stream_below(stream, 2) == 0) return;
  c->what.above = (row_values){0};
  c->what.calls.top = read_top;
}

/* Solves the region and compares all that is handed out. */
static void solve(cla_device *device, const kernel_config *config, const random_pair *pair, region_case *c,
                  row_check *rows, const score_table *table) {
  cla_error error = {0};
  region_result result;
  wavefront *engine = NULL;
  int64_t *bottom = region_case_values(c->what.columns + 1);
  c->what.bottom = bottom;
  c->what.calls.sink = check_row;
  c->what.calls.user = rows;
  const pair_problem problem = {.query = pair->query,
                                .target = pair->target,
                                .rows = pair->query_length,
                                .columns = pair->target_length,
                                .scheme = {.scoring = &pair->scoring, .table = table}};
  cr_assert_eq(wavefront_create(&engine, device, &problem, 0, &error), CLA_OK, "%s", error.message);
  cr_assert_eq(wavefront_solve(&result, engine, &c->what, config, &error), CLA_OK, "%s: %s", rows->text,
               error.message);
  if (c->what.best) check_best(&result, c, rows);
  check_last_row(&result, c, rows);
  check_cells(&result, c);
  if (gap_pieces(&pair->scoring) > 1) two_pieces[c->what.prune]++;
  check_rows_end(c, rows);
  wavefront_free(engine);
  free(bottom);
}

/* The seed's pair, with a scheme that the config may allow. */
static void make_pair(random_pair *pair, const kernel_config *config, uint64_t seed, int64_t max_length) {
  if (seed % RELATED_EVERY == RELATED_EVERY - 1)
    related_pair_make_random(pair, seed / RELATED_EVERY, 2 * max_length);
  else
    random_pair_make(pair, seed, max_length);
  pair->seed = seed;
  if (seed % RELATED_EVERY == RELATED_EVERY - 1) random_pair_add_piece(pair);
  cla_scoring scoring;
  if (seed % LIMIT_EVERY == 0 && limit_scheme_make(&scoring, config, NESTING, seed)) {
    pair->scoring = scoring;
    pair->scheme = "that the lanes just allow";
  }
}

/* Solves one random region with the config of that number, if the scheme allows it; false if not. */
static bool check_region(cla_device *device, kernel_config config, int number, uint64_t seed,
                         int64_t max_length) {
  random_pair pair;
  random_stream stream;
  score_table table;
  region_case c;
  char text[REGION_TEXT_SIZE];
  random_stream_init(&stream, seed, 2);
  const bool related = seed % RELATED_EVERY == RELATED_EVERY - 1;
  make_pair(&pair, &config, seed, max_length);
  score_table_build(&table, &pair.scoring, SEQUENCE_LETTERS, SEQUENCE_UNAMBIGUOUS);
  const int64_t strip_rows = kernel_strip_rows(&config);
  const int64_t limit = kernel_tile_limit(&config, &pair.scoring, &table, NESTING);
  if (limit < config.lanes ||
      !kernel_takes_scheme(config.variant, &pair.scoring, &table, text, sizeof text)) {
    random_pair_free(&pair);
    return false;
  }
  while (config.tile_columns * 2 <= limit && config.tile_columns < KERNEL_TILE_LIMIT / 8 &&
         random_stream_below(&stream, 3))
    config.tile_columns *= 2;
  /* Half the regions with the slant that those of many columns have. */
  kernel_variant wide = *config.variant;
  wide.persistent.slant = wide.persistent.wide_slant;
  if (wide.persistent.wide_slant > 0 && seed % 2 == 0) config.variant = &wide;
  region_case_make(&c, &pair, &table, &stream);
  describe(text, &config, &c.what, &pair);

  row_check rows = {.matrix = &c.matrix,
                    .what = &c.what,
                    .of = &c,
                    .scoring = &pair.scoring,
                    .largest = table.maximum > 0 ? table.maximum : 0,
                    .text = text};
  region_case_choose_ends(&c, &stream);
  rows.best = region_case_best(&c);
  c.what.row_interval = strip_rows * (int64_t)random_stream_below(&stream, 4);
  choose_pruning(&c, &rows, related, &stream);
  if (!c.what.prune) c.what.panel_rows = strip_rows * (int64_t)random_stream_below(&stream, 4);
  choose_top(&c, &stream);
  const bool tested = build_kind_is_tested(number, &pair.scoring, table.needs_lookup, &c.ends, c.what.prune);
  if (tested) solve(device, &config, &pair, &c, &rows, &table);
  region_case_free(&c);
  random_pair_free(&pair);
  return tested;
}

/* With all configs the limit is CTest's for long tests: nearly all of the time goes to builds, which other
 * work on the machine makes as long as it likes. */
Test(region, equals_the_oracle_with_kernel_configs, .timeout = 7200) {
  const long long count = test_count("CLALIGN_TEST_REGIONS", 60);
  cla_device *device = NULL;
  for (int index = 0; (device = test_device_open(index)); index++) {
    kernel_config config;
    int64_t narrow_cells = 0, narrow_of = 0;
    long long fewest = count; /* regions of a config */
    for (int number = 0; test_kernel_config(&config, device, number); number++) {
      int solved = 0;
      /* CPUs emulate the work-groups of kernels for GPUs slowly. */
      const bool slow = cla_device_describe(device)->kind == CLA_DEVICE_CPU && !config.variant->for_cpus;
      const long long regions = slow && count >= 8 ? count / 8 : count;
      if (regions < fewest) fewest = regions;
      for (long long i = 0; i < regions * build_kinds_drawn() || (solved == 0 && i < 100); i++)
        solved += check_region(device, config, number, 5000 + (uint64_t)i, 700);
      printf("%s: %s, %d lanes x %d rows%s: %d regions, seeds from 5000\n", cla_device_describe(device)->name,
             config.variant->name, config.lanes, config.alpha,
             config.launch == KERNEL_PERSISTENT ? ", persistent" : "", solved);
      cr_assert(solved > regions / 5, "%d of %lld", solved, regions);
      if (pruned_of > 0)
        printf("  pruned: %.1f %% of the cells\n", 100.0 * (double)pruned_cells / (double)pruned_of);
      /* In regions this small, strips of many rows hardly end early. */
      if (!slow && kernel_strip_rows(&config) <= 256) {
        narrow_cells += pruned_cells;
        narrow_of += pruned_of;
      }
      pruned_cells = pruned_of = 0;
    }
    cr_assert(fewest < 60 || (two_pieces[0] > 0 && two_pieces[1] > 0), "%d and %d with two pieces",
              two_pieces[0], two_pieces[1]);
    two_pieces[0] = two_pieces[1] = 0;
    cr_assert(count < 40 || narrow_of == 0 || narrow_cells < narrow_of / 10 * 9,
              "hardly anything was passed over");
    cla_device_close(device);
  }
}

/* Scores that are looked up: one letter's match is worth more. */
static void look_scores_up(random_pair *pair) {
  static const char letters[] = "ACGT*";
  cla_scoring *scoring = &pair->scoring;
  scoring->matrix_size = (int)strlen(letters);
  memcpy(scoring->letters, letters, strlen(letters));
  for (int q = 0; q < scoring->matrix_size; q++)
    for (int t = 0; t < scoring->matrix_size; t++)
      scoring->matrix[q * CLA_MATRIX_STRIDE + t] =
          q == t && letters[q] != '*' ? scoring->match + (q == 0) : scoring->mismatch;
  pair->scheme = "looked up";
}

/* A query of any number of rows that the begin of a longer target is related to. Paths may end anywhere in
 * the last row, which is computed up to where nothing on the right of it can matter. */
static bool check_unlike_tail(cla_device *device, kernel_config config, uint64_t seed, bool lookup) {
  char text[REGION_TEXT_SIZE];
  random_stream stream;
  related_pair made;
  score_table table;
  region_case c;
  random_stream_init(&stream, seed, 7);
  related_pair_make(&made, RELATED_TENTH_CHANGED, seed, TAIL_LETTERS);
  random_pair pair = {.query = made.query,
                      .target = made.target,
                      .query_length = 100 + (int64_t)random_stream_below(&stream, TAIL_LETTERS / 2),
                      .target_length = made.target_length,
                      .mode = CLA_MODE_GLOBAL,
                      .kind = made.name,
                      .scheme = "of related pairs",
                      .seed = seed};
  related_scheme(&pair.scoring, 1);
  if (lookup) look_scores_up(&pair);
  score_table_build(&table, &pair.scoring, SEQUENCE_LETTERS, SEQUENCE_UNAMBIGUOUS);
  const bool takes = kernel_tile_limit(&config, &pair.scoring, &table, 1) >= config.lanes &&
                     kernel_takes_scheme(config.variant, &pair.scoring, &table, text, sizeof text);
  if (takes) {
    region_case_make_at(&c, &pair, &table, &(region_place){.kind = REGION_WHOLE}, &stream);
    describe(text, &config, &c.what, &pair);
    c.ends.target_end = true;
    row_check rows = {.matrix = &c.matrix,
                      .what = &c.what,
                      .scoring = &pair.scoring,
                      .largest = table.maximum,
                      .text = text};
    c.what.prune = true;
    c.what.bound = rows.reached = region_case_best_end(&c);
    c.what.down_ext = path_ends_down_ext(&c.ends, &pair.scoring);
    c.what.across_ext = path_ends_across_ext(&c.ends, &pair.scoring);
    solve(device, &config, &pair, &c, &rows, &table);
    region_case_free(&c);
  }
  random_pair_free(&pair);
  return takes;
}

/* With every config for the device and on every day, because random regions of these kinds hardly ever end
 * so. */
Test(region, last_rows_end_where_strips_have_ended, .timeout = 600) {
  cla_device *device = NULL;
  for (int index = 0; (device = test_device_open(index)); index++) {
    kernel_config config;
    int solved = 0;
    for (int number = 0; test_kernel_config(&config, device, number); number++) {
      /* CPUs take ten times as long to compile the kernels for GPUs. */
      if (cla_device_describe(device)->kind == CLA_DEVICE_CPU && !config.variant->for_cpus) continue;
      for (uint64_t i = 0; i < TAILS; i++) solved += check_unlike_tail(device, config, 100 + i, i % 4 > 0);
    }
    const char *only = getenv("CLALIGN_TEST_KERNEL"); /* perhaps one that is left out */
    cr_assert(solved > 0 || only);
    cla_device_close(device);
  }
}

/* The best local path begins on the left border, `before` rows below the corner, where a gap from the corner
 * would have less than 0. */
static void check_floor_of_border(cla_device *device, const kernel_config *config, int64_t before) {
  enum { ROWS = 24 };
  char text[REGION_TEXT_SIZE];
  uint8_t query[ROWS];
  random_stream stream;
  score_table table;
  region_case c;
  random_pair pair = {.query = query,
                      .target = query + before,
                      .query_length = ROWS,
                      .target_length = ROWS - before,
                      .mode = CLA_MODE_LOCAL,
                      .kind = "begins on the left border",
                      .scheme = "default"};
  random_stream_init(&stream, (uint64_t)before, 8);
  for (int64_t i = 0; i < ROWS; i++) query[i] = (uint8_t)(i < before ? 0 : 1 + i % 3);
  cla_scoring_init(&pair.scoring);
  score_table_build(&table, &pair.scoring, SEQUENCE_LETTERS, SEQUENCE_UNAMBIGUOUS);
  if (kernel_tile_limit(config, &pair.scoring, &table, NESTING) < config->lanes) return;
  region_case_make_at(&c, &pair, &table, &(region_place){.kind = REGION_BELOW_A_ROW}, &stream);
  c.what.best = BEST_ANYWHERE;
  describe(text, config, &c.what, &pair);
  row_check rows = {
      .matrix = &c.matrix, .what = &c.what, .scoring = &pair.scoring, .largest = table.maximum, .text = text};
  rows.best = region_case_best(&c);
  solve(device, config, &pair, &c, &rows, &table);
  region_case_free(&c);
}

Test(region, left_borders_of_local_regions_are_never_below_zero, .timeout = 600) {
  cla_device *device = NULL;
  for (int index = 0; (device = test_device_open(index)); index++) {
    kernel_config config;
    for (int number = 0; test_kernel_config(&config, device, number); number++) {
      /* CPUs take ten times as long to compile the kernels for GPUs; lanes begin alike in both launches. */
      const bool cpu = cla_device_describe(device)->kind == CLA_DEVICE_CPU;
      if ((cpu && !config.variant->for_cpus) || config.launch == KERNEL_PERSISTENT) continue;
      for (int64_t before = 1; before <= 7; before++) check_floor_of_border(device, &config, before);
    }
    cla_device_close(device);
  }
}
