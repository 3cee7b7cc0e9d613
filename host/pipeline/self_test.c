#include "pipeline/self_test.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "base/error.h"
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

/* Whether the region's last row and, with `best`, its best cell are the oracle's. Else *got and *want are two
 * values that differ. */
static bool agrees(const region *what, const region_result *result, const reference_matrix *matrix,
                   int64_t *got, int64_t *want) {
  const reference_cell best = reference_best(matrix);
  /* With pruning only the last node is sure to be there, where that is where paths end. */
  const int64_t first = !what->prune ? 0 : what->best ? what->columns + 1 : what->columns;
  if (first <= what->columns && result->bottom_last < what->columns) return false;
  for (int64_t j = first; j <= what->columns; j++) {
    *got = what->bottom[j];
    *want = reference_at(matrix, matrix->h, what->rows, j);
    if (*got != *want) return false;
  }
  *got = result->best_score;
  *want = best.score;
  return !what->best || (*got == *want && result->best_row == best.row && result->best_column == best.column);
}

cla_status self_test(cla_device *device, const kernel_config *config, const cla_scoring *scoring,
                     const score_table *table, bool local, bool best, bool prune, cla_error *error) {
  const int64_t two_strips = 2 * kernel_strip_rows(config) + 5;
  const int64_t rows = two_strips < ROWS_MOST ? two_strips : ROWS_MOST, columns = 4 * config->lanes + 50;
  const border_rule border = {.first = local ? 0 : scoring->gap_first,
                              .further = local ? 0 : scoring->gap_ext};
  uint8_t *query = NULL, *target = NULL;
  int64_t *bottom = NULL;
  wavefront *engine = NULL;
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
  const wavefront_input input = {.query = query,
                                 .target = target,
                                 .query_length = rows,
                                 .target_length = columns,
                                 .scoring = scoring,
                                 .table = table};
  region whole = {.rows = rows,
                  .columns = columns,
                  .floor = local,
                  .best = best,
                  .left = border,
                  .top = border,
                  .bottom = bottom};
  status = reference_borders_make(&borders, rows, columns, scoring, local ? CLA_MODE_LOCAL : CLA_MODE_GLOBAL,
                                  error);
  if (status == CLA_OK)
    status = reference_fill(&matrix, query, rows, target, columns, table, scoring, &borders, local, error);
  if (status != CLA_OK) goto done;
  whole.prune = prune;
  if (prune)
    whole.bound = best ? reference_best(&matrix).score : reference_at(&matrix, matrix.h, rows, columns);
  status = wavefront_create(&engine, device, &input, error);
  if (status == CLA_OK) status = wavefront_solve(&result, engine, &whole, &small, error);
  if (status != CLA_OK) goto done;
  int64_t got = 0, want = 0;
  if (!agrees(&whole, &result, &matrix, &got, &want))
    status = error_set(
        error, CLA_ERROR_DEVICE,
        "self-test failed: kernel %s with %d lanes x %d rows gives %lld instead of %lld on %s; its driver "
        "compiles the kernel wrongly, try another --device or --kernel",
        config->variant->name, config->lanes, config->alpha, (long long)got, (long long)want,
        cla_device_describe(device)->name);

done:
  wavefront_free(engine);
  reference_borders_free(&borders);
  reference_matrix_free(&matrix);
  free(query);
  free(target);
  free(bottom);
  return status;
}
