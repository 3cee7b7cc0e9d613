#include "wavefront/self_test.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/error.h"
#include "device/device_use.h"
#include "reference/reference.h"
#include "seq/random_stream.h"
#include "seq/sequence.h"

#define SEED 20110
#define ROWS_MOST 700

/* A target that follows the query with a change in every eighth letter or so. */
static void make_pair(uint8_t *query, int64_t rows, uint8_t *target, int64_t columns) {
  random_stream stream;
  random_stream_init(&stream, SEED, 0);
  for (int64_t i = 0; i < rows; i++) query[i] = (uint8_t)random_stream_below(&stream, SEQUENCE_UNAMBIGUOUS);
  int64_t from = rows / 4;
  for (int64_t j = 0; j < columns; j++) {
    const uint64_t change = random_stream_below(&stream, 24);
    if (change == 0) from += (int64_t)random_stream_below(&stream, 4);
    target[j] = change == 1 || from >= rows ? (uint8_t)random_stream_below(&stream, SEQUENCE_LETTER_COUNT)
                                            : query[from];
    if (change != 2) from++;
  }
}

/* Whether the node of the last row is sure to be there: with pruning, if paths that reach the bound end in
 * it.
 */
static bool is_there(const region *what, const path_ends *ends, int64_t column, int64_t value) {
  return !what->prune || (path_ends_in_last_row(ends) && (ends->target_end || column == what->columns) &&
                          value >= what->bound);
}

/* Whether the region's last row and, with `best`, its best cell are the oracle's. Else *got and *want are two
 * values that differ. */
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

/* Pairs of the small pair that may not be made: on and beside its best path. */
static cla_status use_some(used_pairs **out, int64_t rows, int64_t columns, cla_error *error) {
  const int64_t from = rows / 4, length = (columns < rows - from ? columns : rows - from) / 2;
  const cla_run run = {.length = length, .kind = CLA_RUN_PAIR};
  cla_status status = used_pairs_create(out, error);
  if (status == CLA_OK) status = used_pairs_add(*out, from, 0, &run, 1, error);
  if (status == CLA_OK) status = used_pairs_add(*out, from + 3, 5, &run, 1, error);
  return status;
}

static cla_status test(cla_device *device, const kernel_config *config, const path_scheme *scheme,
                       best_kind best, bool prune, cla_error *error) {
  const cla_scoring *scoring = scheme->scoring;
  const score_table *table = scheme->table;
  const path_ends *ends = &scheme->ends;
  const int64_t two_strips = 2 * kernel_strip_rows(config) + 5;
  const int64_t rows = two_strips < ROWS_MOST ? two_strips : ROWS_MOST, columns = 4 * config->lanes + 50;
  const border_rule gap = border_of_gap(scoring, 0), zero = {0};
  uint8_t *query = NULL, *target = NULL;
  int64_t *bottom = NULL;
  wavefront *engine = NULL;
  used_pairs *used = NULL;
  reference_borders borders = {0};
  reference_matrix matrix = {0};
  region_result result;
  kernel_config small = *config;
  small.tile_columns = config->lanes;
  cla_status status = allocate_array((void **)&query, rows, 1, "the self-test", error);
  if (status == CLA_OK) status = allocate_array((void **)&target, columns, 1, "the self-test", error);
  if (status == CLA_OK)
    status = allocate_array((void **)&bottom, columns + 1, sizeof *bottom, "the self-test", error);
  if (status != CLA_OK) goto done;
  make_pair(query, rows, target, columns);
  score_table own = *table;
  if (table->used) {
    status = use_some(&used, rows, columns, error);
    if (status != CLA_OK) goto done;
    own.used = used;
  }
  const pair_problem pair = {query, target, rows, columns, {scoring, &own, *ends}};
  region whole = {.rows = rows,
                  .columns = columns,
                  .floor = ends->floor,
                  .best = best,
                  .left = ends->query_start ? zero : gap,
                  .top = ends->target_start ? zero : gap,
                  .prune = prune,
                  .down_ext = path_ends_down_ext(ends, scoring),
                  .across_ext = path_ends_across_ext(ends, scoring),
                  .bottom = bottom};
  status = reference_borders_make(&borders, rows, columns, scoring, *ends, error);
  if (status == CLA_OK) status = reference_fill(&matrix, &pair, &borders, error);
  if (status != CLA_OK) goto done;
  whole.bound = reference_end(&matrix, *ends).score;
  status = wavefront_create(&engine, device, &pair, 0, error);
  if (status == CLA_OK) status = wavefront_solve(&result, engine, &whole, &small, error);
  if (status != CLA_OK) goto done;
  int64_t got = 0, want = 0;
  if (!agrees(&whole, ends, &result, &matrix, &got, &want))
    status = error_set(
        error, CLA_ERROR_DEVICE,
        "self-test failed: kernel %s with %d lanes x %d rows gives %lld instead of %lld on %s; its driver "
        "compiles the kernel wrongly, try another --device or --kernel",
        config->variant->name, config->lanes, config->alpha, (long long)got, (long long)want,
        cla_device_describe(device)->name);

done:
  wavefront_free(engine);
  used_pairs_free(used);
  reference_borders_free(&borders);
  reference_matrix_free(&matrix);
  free(query);
  free(target);
  free(bottom);
  return status;
}

/* All that tells one test from another, but for the scores of single pairs: those are data to a kernel. */
typedef struct tested {
  const kernel_variant *variant;
  int lanes, alpha, launch, best;
  int prune, used, needs_lookup;
  int32_t match, mismatch, maximum, minimum;
  int32_t gap_first, gap_ext, gap_first2, gap_ext2;
  path_ends ends;
} tested;

cla_status self_test(cla_device *device, const kernel_config *config, const path_scheme *scheme,
                     best_kind best, bool prune, cla_error *error) {
  const cla_scoring *scoring = scheme->scoring;
  const score_table *table = scheme->table;
  tested what;
  memset(&what, 0, sizeof what); /* its padding is compared too */
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
  what.gap_first = scoring->gap_first;
  what.gap_ext = scoring->gap_ext;
  what.gap_first2 = scoring->gap_first2;
  what.gap_ext2 = scoring->gap_ext2;
  what.ends = scheme->ends;
  if (device_is_marked(device, &what, sizeof what)) return CLA_OK;
  cla_status status = test(device, config, scheme, best, prune, error);
  if (status == CLA_OK) device_mark(device, &what, sizeof what);
  return status;
}
