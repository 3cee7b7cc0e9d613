#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/extremes.h"
#include "device/device_use.h"
#include "reference/reference.h"
#include "region/wavefront_internal.h"
#include "seq/random_stream.h"
#include "seq/sequence.h"

#define SEED 20110
#define ROWS_MOST 700

/* Makes a random query, and a target that is a copy of the query with a change in about every eighth
 * letter. */
static void make_pair(uint8_t *query, int64_t rows, uint8_t *target, int64_t columns) {
  random_stream stream;
  random_stream_init(&stream, SEED, 0);
  random_stream_codes(&stream, query, rows, SEQUENCE_UNAMBIGUOUS);
  int64_t from = rows / 4;
  for (int64_t j = 0; j < columns; j++) {
    const uint64_t change = random_stream_below(&stream, 24);
    if (change == 0) from += (int64_t)random_stream_below(&stream, 4);
    target[j] = change == 1 || from >= rows ? (uint8_t)random_stream_below(&stream, SEQUENCE_LETTER_COUNT)
                                            : query[from];
    if (change != 2) from++;
  }
}

/* True if the node of the last row must have a value. With pruning, this holds only for nodes in which a path
 * with the bound's score may end. */
static bool is_there(const region *what, const path_ends *ends, int64_t column, int64_t value) {
  return !what->prune || (path_ends_in_last_row(ends) && (ends->target_end || column == what->columns) &&
                          value >= what->bound);
}

/* True if the region's last row and, if wanted, its best cell equal the oracle's. If not, *got and *want
 * receive the first two values that differ. */
static bool agrees(const region *what, const path_ends *ends, const region_result *result,
                   const reference_matrix *matrix, int64_t *got, int64_t *want) {
  for (int64_t j = 0; j <= what->columns; j++) {
    *want = reference_at(matrix, matrix->h, what->rows, j);
    if (!is_there(what, ends, j, *want)) continue;
    *got = j < result->bottom_first || j > result->bottom_last ? INT64_MIN : what->bottom[j];
    if (*got != *want) return false;
  }
  const reference_cell best =
      what->best == BEST_LAST_COLUMN ? reference_last_column(matrix) : reference_best(matrix);
  if (what->best == BEST_NONE || (what->prune && best.score < what->bound)) return true;
  *got = result->best_score;
  *want = best.score;
  return *got == *want && result->best_row == best.row && result->best_column == best.column;
}

/* A small pair, its matrix as one region, and the oracle's matrix. trial_free frees all owned fields. */
typedef struct trial {
  uint8_t *query, *target; /* owned */
  int64_t *bottom;         /* owned */
  used_pairs *used;        /* owned; NULL: no pair is used */
  score_table table;
  pair_problem pair; /* the problem that consists of query, target and table */
  reference_matrix matrix;
  region whole;
} trial;

static void trial_free(trial *t) {
  used_pairs_free(t->used);
  reference_matrix_free(&t->matrix);
  free(t->query);
  free(t->target);
  free(t->bottom);
}

/* Marks pairs as used, on and beside the best path. */
static cla_status use_some(trial *t, cla_error *error) {
  const int64_t from = t->pair.rows / 4, length = smaller(t->pair.columns, t->pair.rows - from) / 2;
  const cla_run run = {.length = length, .kind = CLA_RUN_PAIR};
  cla_status status = used_pairs_create(&t->used, error);
  if (status == CLA_OK) status = used_pairs_add(t->used, from, 0, &run, 1, error);
  if (status == CLA_OK) status = used_pairs_add(t->used, from + 3, 5, &run, 1, error);
  t->table.used = t->used;
  return status;
}

/* Makes a pair with `columns` columns and, up to ROWS_MOST, the rows of three strips of the config. */
static cla_status make_letters(trial *t, const kernel_config *config, const path_scheme *scheme,
                               int64_t columns, cla_error *error) {
  const int64_t rows = smaller(2 * kernel_strip_rows(config) + 5, ROWS_MOST);
  cla_status status = ALLOCATE_ARRAY(&t->query, rows, "the self-test", error);
  if (status == CLA_OK) status = ALLOCATE_ARRAY(&t->target, columns, "the self-test", error);
  if (status == CLA_OK) status = ALLOCATE_ARRAY(&t->bottom, columns + 1, "the self-test", error);
  if (status != CLA_OK) return status;
  make_pair(t->query, rows, t->target, columns);
  t->table = *scheme->table;
  t->pair = (pair_problem){t->query, t->target, rows, columns, {scheme->scoring, &t->table, scheme->ends}};
  return scheme->table->used ? use_some(t, error) : CLA_OK;
}

/* Computes the oracle's matrix. */
static cla_status fill_matrix(trial *t, cla_error *error) {
  const path_scheme *scheme = &t->pair.scheme;
  reference_borders borders = {0};
  cla_status status =
      reference_borders_make(&borders, t->pair.rows, t->pair.columns, scheme->scoring, scheme->ends, error);
  if (status == CLA_OK) status = reference_fill(&t->matrix, &t->pair, &borders, error);
  reference_borders_free(&borders);
  return status;
}

static void set_region(trial *t, best_kind best, bool prune) {
  const cla_scoring *scoring = t->pair.scheme.scoring;
  const path_ends *ends = &t->pair.scheme.ends;
  const border_rule gap = border_of_gap(scoring, 0), zero = {0};
  t->whole = (region){.rows = t->pair.rows,
                      .columns = t->pair.columns,
                      .floor = ends->floor,
                      .best = best,
                      .left = ends->query_start ? zero : gap,
                      .top = ends->target_start ? zero : gap,
                      .prune = prune,
                      .bound = reference_end(&t->matrix, *ends).score,
                      .down_ext = path_ends_down_ext(ends, scoring),
                      .across_ext = path_ends_across_ext(ends, scoring),
                      .depths = 1,
                      .bottom = t->bottom};
}

/* Solves the region, and compares the result with the oracle's. */
static cla_status solve(const trial *t, cla_device *device, const kernel_config *config, cla_error *error) {
  wavefront *engine = NULL;
  region_result result;
  int64_t got = 0, want = 0;
  cla_status status = wavefront_create(&engine, device, &t->pair, 0, error);
  if (status == CLA_OK) status = wavefront_solve(&result, engine, &t->whole, config, error);
  if (status == CLA_OK && !agrees(&t->whole, &t->pair.scheme.ends, &result, &t->matrix, &got, &want))
    status = error_set(
        error, CLA_ERROR_DEVICE,
        "self-test failed: kernel %s with %d lanes x %d rows gives %lld instead of %lld on %s; its driver "
        "compiles the kernel wrongly, try another --device or --kernel",
        config->variant->name, config->lanes, config->alpha, (long long)got, (long long)want,
        cla_device_describe(device)->name);
  wavefront_free(engine);
  return status;
}

static cla_status try_columns(cla_device *device, const kernel_test *test, int64_t columns,
                              int64_t tile_columns, cla_error *error) {
  trial t = {0};
  kernel_config small = *test->config;
  small.tile_columns = tile_columns;
  cla_status status = make_letters(&t, &small, test->scheme, columns, error);
  if (status == CLA_OK) status = fill_matrix(&t, error);
  if (status == CLA_OK) {
    set_region(&t, test->best, test->prune);
    status = solve(&t, device, &small, error);
  }
  trial_free(&t);
  return status;
}

/* Tests a pair of several tiles and a pair of a single tile. PoCL 5.0's wave16 missed ends in the last
 * column with single tiles only. */
static cla_status test(cla_device *device, const kernel_test *test, cla_error *error) {
  const int lanes = test->config->lanes;
  cla_status status = try_columns(device, test, 4 * lanes + 50, lanes, error);
  if (status != CLA_OK || test->best != BEST_LAST_COLUMN) return status;
  const int64_t most = kernel_tile_limit(test->config, test->scheme->scoring, test->scheme->table, 0);
  return try_columns(device, test, lanes - lanes / 4, most < 2 * lanes ? lanes : 2 * lanes, error);
}

/* What identifies a test. Scores of single pairs of letters do not, because kernels read them as data. */
typedef struct tested {
  const kernel_variant *variant;
  int lanes, alpha, launch, best;
  int prune, used, needs_lookup;
  int32_t match, mismatch, maximum, minimum;
  cla_gap_piece gap[CLA_GAP_PIECES];
  path_ends ends;
} tested;

cla_status self_test(cla_device *device, const kernel_config *config, const path_scheme *scheme,
                     best_kind best, bool prune, cla_error *error) {
  const cla_scoring *scoring = scheme->scoring;
  const score_table *table = scheme->table;
  tested what;
  memset(&what, 0, sizeof what); /* padding is compared, too */
  what.variant = config->variant;
  what.lanes = config->lanes;
  what.alpha = config->alpha;
  what.launch = (int)config->launch;
  what.best = (int)best;
  what.prune = prune;
  what.used = table->used != NULL;
  what.needs_lookup = table->needs_lookup;
  what.match = table->match;
  what.mismatch = table->mismatch;
  what.maximum = table->maximum;
  what.minimum = table->minimum;
  memcpy(what.gap, scoring->gap, sizeof what.gap);
  what.ends = scheme->ends;
  if (device_is_marked(device, &what, sizeof what)) return CLA_OK;
  cla_status status = test(device, &(kernel_test){config, scheme, best, prune}, error);
  if (status == CLA_OK) device_mark(device, &what, sizeof what);
  return status;
}

/* Sets *out to the program that the test's region needs. */
static void name_program(wanted_program *out, char file[64], cla_device *device, const kernel_test *test) {
  kernel_config small = test->prune ? kernel_pruned(test->config) : *test->config;
  small.tile_columns = small.lanes;
  wavefront engine = {.device = device, .pair = {.scheme = *test->scheme}};
  const region what = {.floor = test->scheme->ends.floor, .best = test->best, .prune = test->prune};
  const region_work work = {.engine = &engine, .what = &what, .config = &small};
  wavefront_program(out, file, &work);
}

cla_status self_tests(cla_device *device, const kernel_test *tests, int count, cla_error *error) {
  wanted_program wanted[SELF_TESTS_MOST] = {{NULL, ""}};
  char files[SELF_TESTS_MOST][64];
  cla_status status = CLA_OK;
  for (int i = 0; i < count; i++) name_program(wanted + i, files[i], device, tests + i);
  device_build_ahead(device, wanted, count);
  for (int i = 0; i < count && status == CLA_OK; i++) {
    const kernel_test *one = tests + i;
    status = self_test(device, one->config, one->scheme, one->best, one->prune, error);
  }
  return status;
}
