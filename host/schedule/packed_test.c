#include "schedule/packed_test.h"

#include "base/error.h"
#include "reference/reference.h"
#include "schedule/packed_run.h"
#include "seq/random_stream.h"

#define SEED 20111
#define PAIRS 24
#define CODES 4
#define LETTERS_MOST 72 /* several strips, and segments */

/* A code that the kernels know as a letter of a target. */
static uint8_t any_code(const packs_input *input, random_stream *stream) {
  const uint8_t code = (uint8_t)random_stream_below(stream, CODES);
  return code == input->padding ? (uint8_t)((code + 1) % CODES) : code;
}

/* A pair of 1 to LETTERS_MOST letters, related from the middle on; all with one query where the engine is for
 * such. */
static void make_pair(packed_pair *pair, uint8_t *query, uint8_t *target, const packs_input *input,
                      random_stream *stream) {
  if (!input->one_query) pair->query_letters = 1 + (int64_t)random_stream_below(stream, LETTERS_MOST);
  const int64_t rows = pair->query_letters;
  const int64_t columns = 1 + (int64_t)random_stream_below(stream, LETTERS_MOST);
  for (int64_t i = 0; i < rows && !input->one_query; i++) query[i] = any_code(input, stream);
  int64_t from = rows / 2;
  for (int64_t j = 0; j < columns; j++) {
    const uint64_t change = random_stream_below(stream, 12);
    target[j] = change == 0 || from >= rows ? any_code(input, stream) : query[from];
    if (change == 1) from += (int64_t)random_stream_below(stream, 4);
    if (change != 2) from++;
  }
  pair->query = query;
  pair->target = target;
  pair->target_letters = columns;
}

cla_status packed_test(packs *engine, const packs_input *input, cla_error *error) {
  static const char remedy[] =
      "its OpenCL compiler is not to be trusted with this kernel; try another --device";
  uint8_t letters[PAIRS][2][LETTERS_MOST], one_query[LETTERS_MOST];
  packed_pair pairs[PAIRS];
  packed_tops_list tops = {0};
  random_stream stream;
  random_stream_init(&stream, SEED, 0);
  for (int i = 0; i < LETTERS_MOST; i++) one_query[i] = any_code(input, &stream);
  for (int i = 0; i < PAIRS; i++) {
    pairs[i] = (packed_pair){.query_letters = LETTERS_MOST};
    make_pair(&pairs[i], input->one_query ? one_query : letters[i][0], letters[i][1], input, &stream);
  }
  cla_status status = packed_run(engine, input, pairs, PAIRS, &tops, NULL, error);
  for (int i = 0; i < PAIRS && status == CLA_OK; i++) {
    reference_alignment want;
    const packed_pair *pair = &pairs[i];
    status = reference_score(&want, pair->query, pair->query_letters, pair->target, pair->target_letters,
                             input->table, input->scoring, input->ends, error);
    if (status == CLA_OK && (want.score != pair->score || want.query_end != pair->end_query ||
                             want.target_end != pair->end_target))
      status = error_set(error, CLA_ERROR_DEVICE,
                         "the device computes %s wrongly: score %lld at (%lld, %lld) instead of %lld at "
                         "(%lld, %lld); %s",
                         input->config.name, (long long)pair->score, (long long)pair->end_query,
                         (long long)pair->end_target, (long long)want.score, (long long)want.query_end,
                         (long long)want.target_end, remedy);
  }
  packed_tops_free(&tops);
  return status;
}
