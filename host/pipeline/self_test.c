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

cla_status self_test(cla_device *device, const kernel_config *config, const cla_scoring *scoring,
                     const score_table *table, bool local, cla_error *error) {
  const int64_t two_strips = 2 * kernel_strip_rows(config) + 5;
  const int64_t rows = two_strips < ROWS_MOST ? two_strips : ROWS_MOST, columns = 4 * config->lanes + 50;
  const border_rule border = {.first = local ? 0 : scoring->gap_first,
                              .further = local ? 0 : scoring->gap_ext};
  uint8_t *query = NULL, *target = NULL;
  int64_t *bottom = NULL;
  wavefront *engine = NULL;
  reference_alignment want = {0};
  region_result got;
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
  const region whole = {.rows = rows,
                        .columns = columns,
                        .floor = local,
                        .best = local,
                        .left = border,
                        .top = border,
                        .bottom = bottom};
  status = wavefront_create(&engine, device, &input, error);
  if (status == CLA_OK) status = wavefront_solve(&got, engine, &whole, &small, error);
  if (status == CLA_OK)
    status = reference_score(&want, query, rows, target, columns, table, scoring,
                             local ? CLA_MODE_LOCAL : CLA_MODE_GLOBAL, error);
  if (status != CLA_OK) goto done;
  const int64_t score = local ? got.best_score : bottom[columns];
  if (score != want.score ||
      (local && (got.best_row != want.query_end || got.best_column != want.target_end)))
    status = error_set(
        error, CLA_ERROR_DEVICE,
        "self-test failed: kernel %s with %d lanes x %d rows gives %lld instead of %lld on %s; its driver "
        "compiles the kernel wrongly, try another --device or --kernel",
        config->variant->name, config->lanes, config->alpha, (long long)score, (long long)want.score,
        cla_device_describe(device)->name);

done:
  wavefront_free(engine);
  reference_alignment_free(&want);
  free(query);
  free(target);
  free(bottom);
  return status;
}
