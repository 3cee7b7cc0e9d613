/* Kept rows in several pieces, or several in a piece, through several threads, on every device. Each must
 * equal the last row of the region that ends with it, and come with that region's best cell. */

#include <criterion/criterion.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "region/wavefront.h"
#include "rows/special_rows.h"
#include "seq/sequence.h"
#include "support/random_pairs.h"
#include "support/test_devices.h"

#define ROWS_MOST 11

/* How rows come: parts of each, the border's among them. */
typedef struct way {
  int64_t columns;
  int rows, threads, parts;
} way;

static const way long_rows = {.columns = 600000, .rows = 3, .threads = 3, .parts = 3};
static const way short_rows = {.columns = 600, .rows = ROWS_MOST, .threads = 8, .parts = 2};

typedef struct kept_case {
  const way *way;
  special_rows *rows;
  atomic_int parts, ended;
  atomic_llong best_score[ROWS_MOST], best_row[ROWS_MOST], best_column[ROWS_MOST];
  int64_t interval;
} kept_case;

static cla_status put(void *user, const region_row_part *part, cla_error *error) {
  kept_case *c = user;
  const int64_t index = part->row / c->interval - 1;
  cr_assert(index >= 0 && index < c->way->rows && part->row % c->interval == 0);
  atomic_fetch_add(part->count > 0 ? &c->parts : &c->ended, 1);
  if (part->count == 0) {
    c->best_score[index] = part->best_score;
    c->best_row[index] = part->best_row;
    c->best_column[index] = part->best_column;
  }
  return special_rows_put(c->rows, part, error);
}

static void check(cla_device *device, const kernel_config *config, const way *how) {
  cla_error error = {0};
  cla_scoring scoring;
  score_table table;
  wavefront *engine = NULL;
  region_result result;
  kept_case c = {.way = how, .interval = kernel_strip_rows(config)};
  const int64_t columns = how->columns, rows = how->rows * c.interval;
  uint8_t *query = random_letters(rows, 1), *target = random_letters(columns, 2);
  int64_t *kept = malloc((size_t)(columns + 1) * sizeof *kept),
          *bottom = malloc((size_t)(columns + 1) * sizeof *bottom);
  cr_assert(kept && bottom);
  cla_scoring_init(&scoring);
  score_table_build(&table, &scoring, SEQUENCE_LETTERS, SEQUENCE_UNAMBIGUOUS);
  const row_shape shape = {
      .nodes = columns + 1, .largest_score = table.maximum, .scoring = &scoring, .floor = true};
  const pair_problem problem = {.query = query,
                                .target = target,
                                .rows = rows,
                                .columns = columns,
                                .scheme = {.scoring = &scoring, .table = &table}};
  region what = {.rows = rows,
                 .columns = columns,
                 .floor = true,
                 .best = BEST_ANYWHERE,
                 .row_interval = c.interval,
                 .calls = {.sink = put, .sink_threads = how->threads, .user = &c}};
  cr_assert_eq(special_rows_create(&c.rows, &shape, &error), CLA_OK, "%s", error.message);
  cr_assert_eq(wavefront_create(&engine, device, &problem, 0, &error), CLA_OK, "%s", error.message);
  cr_assert_eq(wavefront_solve(&result, engine, &what, config, &error), CLA_OK, "%s", error.message);
  cr_assert_eq(c.ended, how->rows);
  cr_assert_geq(c.parts, how->parts * how->rows, "rows in %d parts, the border's among them", (int)c.parts);
  what.row_interval = 0;
  what.bottom = bottom;
  for (int64_t i = 0; i < how->rows; i++) {
    what.rows = (i + 1) * c.interval;
    cr_assert_eq(wavefront_solve(&result, engine, &what, config, &error), CLA_OK, "%s", error.message);
    special_rows_read(c.rows, what.rows, 0, columns + 1, (row_values){.h = kept});
    for (int64_t j = 0; j <= columns; j++)
      cr_assert_eq(kept[j], bottom[j], "%s: H(%lld,%lld) is %lld, not %lld", config->variant->name,
                   (long long)what.rows, (long long)j, (long long)kept[j], (long long)bottom[j]);
    /* With slanted tiles a strip's best cell may be known later than its row. Tiles below the best known
     * score are not searched for their best cell. */
    cr_assert_leq(c.best_score[i], result.best_score);
    if (c.best_score[i] == result.best_score && result.best_score == c.best_score[how->rows - 1])
      cr_assert(c.best_row[i] == result.best_row && c.best_column[i] == result.best_column,
                "%s, row %lld: best (%lld,%lld), not (%lld,%lld)", config->variant->name,
                (long long)what.rows, (long long)c.best_row[i], (long long)c.best_column[i],
                (long long)result.best_row, (long long)result.best_column);
  }
  cr_assert_eq(c.best_score[how->rows - 1], result.best_score);
  wavefront_free(engine);
  special_rows_free(c.rows);
  free(kept);
  free(bottom);
  free(query);
  free(target);
}

Test(kept_rows, are_whole_however_they_come, .timeout = 1200) {
  cla_device *device = NULL;
  for (int index = 0; (device = test_device_open(index)); index++) {
    const bool cpu = cla_device_describe(device)->kind == CLA_DEVICE_CPU;
    kernel_config config;
    int checked = 0;
    for (int number = 0; test_kernel_config(&config, device, number); number++) {
      config.tile_columns = config.lanes * 8;
      config.rows_at_once = number % 4;
      check(device, &config, &short_rows);
      if (config.variant->for_cpus != cpu) continue; /* others are slow */
      check(device, &config, &long_rows);
      checked++;
    }
    cr_assert_gt(checked, 0);
    cla_device_close(device);
  }
}
