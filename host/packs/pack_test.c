#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/error.h"
#include "kernels/kernel.h"
#include "packs/pack_internal.h"
#include "reference/reference.h"
#include "seq/random_stream.h"

#define SEED 20111
#define CODES 4

/* Returns a random code that may occur in a target: not `padding`. */
static uint8_t any_code(const pack_tested *tested, random_stream *stream) {
  const uint8_t code = (uint8_t)random_stream_below(stream, CODES);
  return code == tested->padding ? (uint8_t)((code + 1) % CODES) : code;
}

/* Makes a pair whose target is related to the second half of its query. With `one_query` the query is given.
 */
static void make_pair(pack_pair *pair, uint8_t *query, uint8_t *target, const pack_tested *tested,
                      random_stream *stream) {
  if (!tested->one_query)
    pair->query_letters = 1 + (int64_t)random_stream_below(stream, (uint64_t)tested->rows);
  const int64_t rows = pair->query_letters,
                columns = 1 + (int64_t)random_stream_below(stream, (uint64_t)tested->columns);
  for (int64_t i = 0; i < rows && !tested->one_query; i++) query[i] = any_code(tested, stream);
  int64_t from = rows / 2;
  for (int64_t j = 0; j < columns; j++) {
    const uint64_t change = random_stream_below(stream, 12);
    target[j] = change == 0 || from >= rows ? any_code(tested, stream) : query[from];
    if (change == 1) from += (int64_t)random_stream_below(stream, 4);
    if (change != 2) from++;
  }
  pair->query = query;
  pair->target = target;
  pair->target_letters = columns;
}

static cla_status compare(const pack_tested *tested, const pack_pair *pair, cla_error *error) {
  reference_alignment want;
  cla_status status = reference_score(
      &want,
      &(pair_problem){pair->query, pair->target, pair->query_letters, pair->target_letters, tested->scheme},
      error);
  const bool ends = want.query_end == pair->end_query && want.target_end == pair->end_target;
  if (status != CLA_OK || (want.score == pair->score && (ends || tested->score_alone))) return status;
  return error_set(error, CLA_ERROR_DEVICE,
                   "the device computes %s wrongly: score %lld at (%lld, %lld) instead of %lld at (%lld, "
                   "%lld); its OpenCL compiler is not to be trusted with this kernel; try another --device",
                   tested->kernel, (long long)pair->score, (long long)pair->end_query,
                   (long long)pair->end_target, (long long)want.score, (long long)want.query_end,
                   (long long)want.target_end);
}

/* Compares a few pairs' scores and ends with the reference's. Fails with CLA_ERROR_DEVICE, whose message
 * contains the first difference, or with CLA_ERROR_MEMORY. */
static cla_status pack_test(const pack_tested *tested, cla_error *error) {
  uint8_t *letters = NULL;
  pack_pair *pairs = NULL;
  random_stream stream;
  random_stream_init(&stream, SEED, 0);
  const int64_t of_pair = tested->rows + tested->columns;
  cla_status status = ALLOCATE_ARRAY(&letters, (tested->pairs + 1) * of_pair, "pairs of a test", error);
  if (status == CLA_OK) status = ALLOCATE_ZEROS(&pairs, tested->pairs, "pairs of a test", error);
  if (status != CLA_OK) goto done;
  uint8_t *one_query = letters + tested->pairs * of_pair;
  for (int64_t i = 0; i < tested->rows; i++) one_query[i] = any_code(tested, &stream);
  for (int i = 0; i < tested->pairs; i++) {
    uint8_t *query = letters + i * of_pair;
    pairs[i].query_letters = tested->rows;
    make_pair(&pairs[i], tested->one_query ? one_query : query, query + tested->rows, tested, &stream);
  }
  status = tested->solve(tested->user, pairs, tested->pairs, error);
  for (int i = 0; i < tested->pairs && status == CLA_OK; i++) status = compare(tested, &pairs[i], error);

done:
  free(letters);
  free(pairs);
  return status;
}

/* Everything on which a kernel's test depends. */
typedef struct tested_kernel {
  char kernel[32];
  pack_geometry geometry;
  int64_t ends[6];
  gap_costs gaps;
  int32_t score[CLA_MATRIX_STRIDE * CLA_MATRIX_STRIDE];
} tested_kernel;

cla_status pack_test_once(cla_device *device, const pack_tested *tested, const pack_geometry *geometry,
                          cla_error *error) {
  const path_ends *ends = &tested->scheme.ends;
  tested_kernel key = {.geometry = *geometry};
  const int64_t of_ends[] = {ends->query_start, ends->query_end, ends->target_start,
                             ends->target_end,  ends->floor,     ends->anywhere};
  snprintf(key.kernel, sizeof key.kernel, "%s", tested->kernel);
  memcpy(key.ends, of_ends, sizeof key.ends);
  key.gaps = kernel_gap_costs(tested->scheme.scoring);
  memcpy(key.score, tested->scheme.table->score, sizeof key.score);
  if (device_is_marked(device, &key, sizeof key)) return CLA_OK;
  cla_status status = pack_test(tested, error);
  if (status != CLA_OK) return status;
  device_mark(device, &key, sizeof key);
  device_save_programs(device);
  return CLA_OK;
}
