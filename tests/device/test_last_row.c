/* The last row of a region, handed down while the region is computed, on every device with kernel configs of
 * every variant (support/test_devices.h). It must be the oracle's, come from left to right without a gap, and
 * belong to that region, not to an earlier one. If strips leave it as words, it must come while launches run.
 */

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

#include "region/wavefront.h"
#include "seq/sequence.h"
#include "support/build_kinds.h"
#include "support/cases/region_case.h"
#include "support/test_devices.h"

#define STRIPS_MOST 3
/* The corner of a region with an upper border that is given. */
#define CORNER_ROW 37
#define CORNER_COLUMN 11

#define WIDE_COLUMNS 9000
#define WIDE_CELLS_MOST 5000000
/* Where the last row comes as words: so many regions one after the other on one engine, of the columns of a
 * tile or so, and wide ones. One in 64, as chance has it, is looked at before the device has done anything.
 */
#define TILE_COLUMNS 1024
#define NARROW_REGIONS 220
#define WIDE_REGIONS 8
/* A row that is computed while the host looks for it several times, of as many words at once as it reads in
 * two pieces. */
#define LONG_COLUMNS 500000

/* The last row as it comes. */
typedef struct taken_row {
  const region *what;
  const char *text;
  row_values got; /* the nodes so far, in full */
  int64_t nodes;
  bool ended;
  int64_t best_score, best_row, best_column; /* best cell that came with the row's end */
} taken_row;

/* The row as handed down, and as kept if that is wanted. It also notes if parts came that were not complete
 * at the begin of the running launch. */
typedef struct both_rows {
  taken_row below, kept;
  int64_t done; /* cells, before that launch */
  bool beside;
} both_rows;

static void take(taken_row *row, const region_row_part *part) {
  cr_assert(!row->ended, "%s: a part after the row's end", row->text);
  cr_assert(part->row == row->what->rows && part->column == row->nodes,
            "%s: a part of row %lld begins at %lld, not at %lld", row->text, (long long)part->row,
            (long long)part->column, (long long)row->nodes);
  cr_assert_leq(part->column + part->count, row->what->columns + 1, "%s: beyond the last column", row->text);
  for (int64_t i = 0; i < part->count; i++) {
    const int64_t node = row->nodes + i, before = node > 0 ? row->got.h[node - 1] : part->before;
    row->got.h[node] = region_case_unwrap(part->h, i, part->lane_bits, before);
    for (int k = 0; k < region_row_part_lines(part) - 1; k++)
      row->got.f[k][node] = region_case_unwrap(part->f[k], i, part->lane_bits, row->got.h[node]);
  }
  row->nodes += part->count;
  row->ended = part->count == 0;
  row->best_score = part->best_score;
  row->best_row = part->best_row;
  row->best_column = part->best_column;
}

static cla_status take_below(void *user, const region_row_part *part, cla_error *error) {
  both_rows *rows = user;
  (void)error;
  take(&rows->below, part);
  /* The last strip is behind the others: it has done no more columns than are done on average. */
  rows->beside = rows->beside || rows->below.nodes - 1 > rows->done / rows->below.what->rows;
  return CLA_OK;
}

static cla_status take_kept(void *user, const region_row_part *part, cla_error *error) {
  both_rows *rows = user;
  (void)error;
  if (part->row == rows->kept.what->rows) take(&rows->kept, part);
  return CLA_OK;
}

static cla_status note_cells(void *user, int64_t cells, cla_error *error) {
  both_rows *rows = user;
  (void)error;
  rows->done = cells;
  return CLA_OK;
}

static void row_begin(taken_row *row, const region *what, const char *text) {
  *row = (taken_row){.what = what, .text = text, .got.h = region_case_values(what->columns + 1)};
  for (int k = 0; k < CLA_GAP_PIECES; k++) row->got.f[k] = region_case_values(what->columns + 1);
}

static void row_free(taken_row *row) {
  free(row->got.h);
  for (int k = 0; k < CLA_GAP_PIECES; k++) free(row->got.f[k]);
}

static void both_rows_free(both_rows *rows) {
  row_free(&rows->below);
  row_free(&rows->kept);
}

/* Solves the region, whose row is handed down and, where it has a sink, kept; ends with both_rows_free. */
static void solve(both_rows *rows, region *what, wavefront *engine, const kernel_config *config,
                  const char *text) {
  cla_error error = {0};
  region_result result;
  *rows = (both_rows){.done = 0};
  row_begin(&rows->below, what, text);
  row_begin(&rows->kept, what, text);
  what->calls.below = take_below;
  what->calls.tick = note_cells;
  what->calls.user = rows;
  cr_assert_eq(wavefront_solve(&result, engine, what, config, &error), CLA_OK, "%s: %s", text, error.message);
  cr_assert(rows->below.ended && rows->below.nodes == what->columns + 1, "%s: the row ends at %lld", text,
            (long long)rows->below.nodes);
  if (!what->best) return;
  cr_assert(rows->below.best_score == result.best_score && rows->below.best_row == result.best_row &&
                rows->below.best_column == result.best_column,
            "%s: the row comes with the best cell (%lld,%lld)", text, (long long)rows->below.best_row,
            (long long)rows->below.best_column);
}

/* Whether strips leave the row as words, which devices with these kernels read beside launches. */
static bool comes_as_words(const kernel_config *config) {
  return config->variant->bus_words && config->launch == KERNEL_PERSISTENT;
}

/* The row is the oracle's. */
static void check_row(const taken_row *row, const region_case *c, const cla_scoring *scoring) {
  const reference_matrix *m = &c->matrix;
  const int64_t last = c->what.rows;
  cr_assert(row->ended && row->nodes == c->what.columns + 1, "%s: the row ends at %lld", row->text,
            (long long)row->nodes);
  for (int64_t j = 0; j <= c->what.columns; j++) {
    cr_assert_eq(row->got.h[j], reference_at(m, m->h, last, j), "%s: H of node %lld is %lld", row->text,
                 (long long)j, (long long)row->got.h[j]);
    if (j == 0) continue; /* F of the left border enters nothing */
    for (int k = 0; k < gap_pieces(scoring); k++)
      cr_assert_eq(row->got.f[k][j], region_case_f_below(m, scoring, k, last, j),
                   "%s: F of piece %d below node %lld is %lld", row->text, k + 1, (long long)j,
                   (long long)row->got.f[k][j]);
  }
}

/* A region and the scheme. */
typedef struct shape {
  kernel_gaps gaps;
  bool floor;
  region_kind kind;
  int strips;
  int64_t columns;
} shape;

static cla_scoring scoring_of(kernel_gaps gaps) {
  cla_scoring scoring;
  cla_scoring_init(&scoring);
  if (gaps == KERNEL_GAPS_LINEAR) scoring.gap_first = scoring.gap_ext = 3; /* nvidia16 wants no less */
  if (gaps != KERNEL_GAPS_TWO_PIECES) return scoring;
  scoring.gap_first = 6;
  scoring.gap_first2 = 14;
  scoring.gap_ext2 = 1;
  return scoring;
}

/* Letters of which the region is the part that it must be. */
static random_pair make_pair(const shape *s, int64_t strip_rows, uint64_t seed) {
  const bool inside = s->kind == REGION_BELOW_A_ROW;
  random_pair pair = {.query_length = s->strips * strip_rows + (inside ? CORNER_ROW : 0),
                      .target_length = s->columns + (inside ? CORNER_COLUMN : 0),
                      .scoring = scoring_of(s->gaps),
                      .mode = s->floor ? CLA_MODE_LOCAL : CLA_MODE_GLOBAL,
                      .kind = "random letters",
                      .scheme = "of the shape",
                      .seed = seed};
  pair.query = random_letters(pair.query_length, 2 * seed);
  pair.target = random_letters(pair.target_length, 2 * seed + 1);
  return pair;
}

static wavefront *engine_of(cla_device *device, const random_pair *pair, const score_table *table) {
  cla_error error = {0};
  wavefront *engine = NULL;
  const pair_problem problem = {.query = pair->query,
                                .target = pair->target,
                                .rows = pair->query_length,
                                .columns = pair->target_length,
                                .scheme = {.scoring = &pair->scoring, .table = table}};
  cr_assert_eq(wavefront_create(&engine, device, &problem, 0, &error), CLA_OK, "%s", error.message);
  return engine;
}

/* The config with tiles of `most` columns or as many as the scheme allows. */
static kernel_config with_tiles(const kernel_config *config, const random_pair *pair,
                                const score_table *table, int64_t most) {
  kernel_config wide = *config;
  const int64_t limit = kernel_tile_limit(config, &pair->scoring, table, 1);
  while (2 * wide.tile_columns <= most && 2 * wide.tile_columns <= limit) wide.tile_columns *= 2;
  return wide;
}

/* True if the config fits the pair's scheme and is to be tested with it. Configs with words always are,
 * because each form of gap costs has other words. */
static bool is_tested(const kernel_config *config, int number, const random_pair *pair,
                      const score_table *table) {
  char reason[160] = "";
  const path_ends ends = path_ends_make(pair->mode, 0);
  const bool takes = kernel_tile_limit(config, &pair->scoring, table, 1) >= config->lanes &&
                     kernel_takes_scheme(config->variant, &pair->scoring, table, reason, sizeof reason);
  if (!comes_as_words(config))
    return takes && build_kind_is_tested(number, &pair->scoring, table->needs_lookup, &ends, false);
  cr_assert(takes, "%s: %s", config->variant->name, reason);
  return true;
}

/* Solves a region of that shape with the config of that number, if it is one of those to be tested. */
static bool check_shape(cla_device *device, const kernel_config *config, int number, const shape *s,
                        uint64_t seed) {
  char text[RANDOM_PAIR_TEXT_SIZE + 160], pair_text[RANDOM_PAIR_TEXT_SIZE];
  random_pair pair = make_pair(s, kernel_strip_rows(config), seed);
  random_stream stream;
  score_table table;
  region_case c;
  both_rows rows;
  random_stream_init(&stream, seed, 5);
  score_table_build(&table, &pair.scoring, SEQUENCE_LETTERS, SEQUENCE_UNAMBIGUOUS);
  if (!is_tested(config, number, &pair, &table)) {
    random_pair_free(&pair);
    return false;
  }
  const kernel_config wide =
      with_tiles(config, &pair, &table, config->lanes << random_stream_below(&stream, 5));
  const region_place place = {.kind = s->kind, .row = CORNER_ROW, .column = CORNER_COLUMN};
  region_case_make_at(&c, &pair, &table, &place, &stream);
  if (s->floor) c.what.best = BEST_ANYWHERE;
  c.what.row_interval = kernel_strip_rows(config) * (random_stream_below(&stream, 2) ? 1 : s->strips);
  if (random_stream_below(&stream, 2)) c.what.calls.sink = take_kept;
  snprintf(text, sizeof text, "%s %d x %d, tiles of %lld, %d strips x %lld columns, region %d, %s",
           config->variant->name, config->lanes, config->alpha, (long long)wide.tile_columns, s->strips,
           (long long)s->columns, (int)s->kind, random_pair_text(&pair, pair_text));
  wavefront *engine = engine_of(device, &pair, &table);
  solve(&rows, &c.what, engine, &wide, text);
  check_row(&rows.below, &c, &pair.scoring);
  if (c.what.calls.sink) check_row(&rows.kept, &c, &pair.scoring);
  both_rows_free(&rows);
  wavefront_free(engine);
  region_case_free(&c);
  random_pair_free(&pair);
  return true;
}

/* Of the shapes of many columns a few, as the oracle takes long. */
static bool shape_is_tested(const shape *s, int64_t strip_rows) {
  const int sum = (int)s->gaps + (int)s->kind;
  if (s->columns < WIDE_COLUMNS) return true;
  return s->strips == 1 + sum % STRIPS_MOST && s->floor == (sum % 2 == 0) &&
         s->strips * strip_rows * s->columns <= WIDE_CELLS_MOST;
}

static int check_shapes(cla_device *device, const kernel_config *config, int number, uint64_t seed) {
  static const int64_t columns[] = {1, 63, 700, WIDE_COLUMNS};
  int checked = 0;
  for (int gaps = KERNEL_GAPS_LINEAR; gaps <= KERNEL_GAPS_TWO_PIECES; gaps++)
    for (int floor = 0; floor < 2; floor++)
      for (int kind = REGION_WHOLE; kind < REGION_KINDS; kind++)
        for (int strips = 1; strips <= STRIPS_MOST; strips++)
          for (int i = 0; i < 4; i++) {
            const shape s = {(kernel_gaps)gaps, floor, (region_kind)kind, strips, columns[i]};
            seed++;
            if (shape_is_tested(&s, kernel_strip_rows(config)))
              checked += check_shape(device, config, number, &s, seed);
          }
  return checked;
}

Test(last_row, is_the_oracles_whatever_the_region, .timeout = 1200) {
  const uint64_t seed = 1000 * (uint64_t)test_count("CLALIGN_TEST_SEED", 2024);
  cla_device *device = NULL;
  for (int index = 0; (device = test_device_open(index)); index++) {
    kernel_config config;
    for (int number = 0; test_kernel_config(&config, device, number); number++) {
      const int checked = check_shapes(device, &config, number, seed);
      printf("%s: %s, %d lanes x %d rows%s: %d regions, seeds from %llu\n", cla_device_describe(device)->name,
             config.variant->name, config.lanes, config.alpha,
             config.launch == KERNEL_PERSISTENT ? ", persistent" : "", checked, (unsigned long long)seed);
      cr_assert_gt(checked, 0);
    }
    cla_device_close(device);
  }
}

/* H of the row is that of the region's last row. */
static void check_bottom(const taken_row *row) {
  const int64_t *bottom = row->what->bottom;
  for (int64_t j = 0; j <= row->what->columns; j++)
    if (row->got.h[j] != bottom[j])
      cr_assert_fail("%s: H of node %lld is %lld, not %lld", row->text, (long long)j,
                     (long long)row->got.h[j], (long long)bottom[j]);
}

/* Solves regions of that shape with other rows of the query, one after the other on one engine. True if some
 * part of a row came that was not complete when a launch began. The regions have no best cell, so their first
 * launch waits for nothing. */
static bool check_one_after_the_other(cla_device *device, const kernel_config *config, int number,
                                      const shape *s, int64_t tile_columns, int64_t regions) {
  shape all = *s;
  all.strips *= (int)regions;
  random_pair pair = make_pair(&all, kernel_strip_rows(config), 7);
  score_table table;
  both_rows got;
  char text[160];
  bool beside = false;
  score_table_build(&table, &pair.scoring, SEQUENCE_LETTERS, SEQUENCE_UNAMBIGUOUS);
  if (!is_tested(config, number, &pair, &table)) {
    random_pair_free(&pair);
    return false;
  }
  const kernel_config wide = with_tiles(config, &pair, &table, tile_columns);
  const border_rule gap = border_of_gap(&pair.scoring, 0);
  const int64_t rows = s->strips * kernel_strip_rows(config);
  int64_t *bottom = region_case_values(s->columns + 1);
  wavefront *engine = engine_of(device, &pair, &table);
  for (int64_t i = 0; i < regions; i++) {
    region what = {.row = i * rows,
                   .rows = rows,
                   .columns = s->columns,
                   .left = gap,
                   .top = gap,
                   .row_interval = rows,
                   .bottom = bottom};
    snprintf(text, sizeof text, "%s %d x %d, %lld columns, region %lld of %lld", config->variant->name,
             config->lanes, config->alpha, (long long)s->columns, (long long)i + 1, (long long)regions);
    solve(&got, &what, engine, &wide, text);
    check_bottom(&got.below);
    beside = beside || got.beside;
    both_rows_free(&got);
  }
  wavefront_free(engine);
  free(bottom);
  random_pair_free(&pair);
  return beside;
}

/* Words that a region has left where the next one's will be are gone when these are looked for. */
Test(last_row, is_not_that_of_the_region_before, .timeout = 1200) {
  const shape narrow = {KERNEL_GAPS_LINEAR, false, REGION_WHOLE, 2, TILE_COLUMNS - 100};
  const shape wide = {KERNEL_GAPS_LINEAR, false, REGION_WHOLE, 2, WIDE_COLUMNS};
  cla_device *device = NULL;
  for (int index = 0; (device = test_device_open(index)); index++) {
    kernel_config config;
    for (int number = 0; test_kernel_config(&config, device, number); number++) {
      const bool words = comes_as_words(&config);
      check_one_after_the_other(device, &config, number, &narrow, TILE_COLUMNS, words ? NARROW_REGIONS : 2);
      if (words) check_one_after_the_other(device, &config, number, &wide, TILE_COLUMNS, WIDE_REGIONS);
    }
    cla_device_close(device);
  }
}

Test(last_row, comes_as_words_while_a_launch_runs, .timeout = 1200) {
  const shape s = {KERNEL_GAPS_LINEAR, false, REGION_WHOLE, 1, LONG_COLUMNS};
  cla_device *device = NULL;
  for (int index = 0; (device = test_device_open(index)); index++) {
    kernel_config config;
    int looked = 0, beside = 0;
    for (int number = 0; test_kernel_config(&config, device, number); number++) {
      if (!comes_as_words(&config)) continue;
      beside += check_one_after_the_other(device, &config, number, &s, KERNEL_TILE_LIMIT, 1);
      looked++;
    }
    cr_assert(looked == 0 || beside > 0, "no part of %d rows came while a launch ran", looked);
    cla_device_close(device);
  }
}
