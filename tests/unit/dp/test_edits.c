/* Edit distances by bit vectors against the textbook's matrix. */

#include "dp/edits.h"

#include "dp/fits.h"
#include "path/bound_path.h"
#include "seq/random_stream.h"
#include "seq/sequence.h"
#include "support/test.h"

#define LETTERS 700

static int64_t below(random_stream *stream, int64_t limit) {
  return (int64_t)random_stream_below(stream, (uint64_t)limit);
}

/* The edits of the best path through the rows to each column, from any column on. */
static void plain_edits(int64_t out[LETTERS + 1], const uint8_t *query, int64_t rows, const uint8_t *target,
                        int64_t columns) {
  static int64_t edits[LETTERS + 1];
  for (int64_t i = 0; i <= rows; i++) edits[i] = i;
  out[0] = rows;
  for (int64_t j = 1; j <= columns; j++) {
    int64_t corner = edits[0] = 0;
    for (int64_t i = 1; i <= rows; i++) {
      const bool equal = query[i - 1] == target[j - 1] && query[i - 1] < SEQUENCE_UNAMBIGUOUS;
      const int64_t pair = corner + !equal, gap = (edits[i] < edits[i - 1] ? edits[i] : edits[i - 1]) + 1;
      corner = edits[i];
      edits[i] = pair < gap ? pair : gap;
    }
    out[j] = edits[rows];
  }
}

Test(edits, are_those_of_the_whole_matrix_up_to_the_most) {
  static uint8_t letters[2][LETTERS];
  static int64_t want[LETTERS + 1];
  random_stream stream;
  random_stream_init(&stream, 5, 3);
  for (int turn = 0; turn < 300; turn++) {
    const int64_t columns = 1 + below(&stream, LETTERS), height = 1 + below(&stream, 200),
                  bucket = 1 + below(&stream, 20);
    const int64_t rows = 1 + below(&stream, LETTERS), kinds = below(&stream, 3) ? 4 : 2;
    for (int64_t i = 0; i < LETTERS; i++) letters[0][i] = (uint8_t)below(&stream, kinds);
    for (int64_t j = 0; j < LETTERS; j++)
      letters[1][j] = below(&stream, 6) ? letters[0][j] : (uint8_t)below(&stream, kinds);
    for (int64_t n = below(&stream, 3) ? 0 : below(&stream, 60); n > 0; n--)
      letters[below(&stream, 2)][below(&stream, LETTERS)] = SEQUENCE_UNAMBIGUOUS + 10;
    const int64_t count = (rows + height - 1) / height, most = below(&stream, height);
    edit_chunk *chunks = calloc((size_t)count, sizeof *chunks);
    for (int64_t c = 0; c < count; c++) {
      edit_chunk *chunk = &chunks[c];
      *chunk = (edit_chunk){.row = c * height, .rows = c + 1 < count ? height : rows - c * height};
      chunk->diagonal = below(&stream, columns + rows + 200) - rows - 100;
      chunk->count = bucket * (1 + below(&stream, 40));
      chunk->least = malloc((size_t)(chunk->count / bucket) * sizeof *chunk->least);
    }
    const edits_input input = {.query = letters[0],
                               .target = letters[1],
                               .columns = columns,
                               .bucket = bucket,
                               .most = most,
                               .chunks = chunks,
                               .count = count,
                               .threads = 1 + (int)below(&stream, 3)};
    int64_t cells;
    assert_ok(edits_compute(&cells, &input, &why));
    for (int64_t c = 0; c < count; c++) {
      const edit_chunk *chunk = &chunks[c];
      plain_edits(want, letters[0] + chunk->row, chunk->rows, letters[1], columns);
      for (int64_t b = 0; b < chunk->count / bucket; b++) {
        int64_t least = INT64_MAX;
        for (int64_t d = 0; d < bucket; d++) {
          const int64_t column = chunk->row + chunk->rows + chunk->diagonal + b * bucket + d;
          if (column >= 0 && column <= columns && want[column] < least) least = want[column];
        }
        if (least == INT64_MAX) continue; /* outside of the matrix */
        if (least <= most)
          cr_assert_eq(chunk->least[b], least, "turn %d, chunk %lld, bucket %lld", turn, (long long)c,
                       (long long)b);
        else
          cr_assert_gt(chunk->least[b], most, "turn %d, chunk %lld, bucket %lld", turn, (long long)c,
                       (long long)b);
      }
      free(chunk->least);
    }
    free(chunks);
  }
}

static cla_status end_at_once(void *user, cla_error *error) {
  (void)error;
  ++*(int *)user;
  return CLA_ERROR_INTERRUPTED;
}

/* Both ask before each group, and compute none once they are told to stop. */
Test(edits, and_fits_stop_when_asked_to) {
  uint8_t letters[256] = {0};
  uint16_t least[16];
  int32_t costs[16];
  for (int stops = 0; stops < 2; stops++) {
    int asked = 0;
    int64_t cells = -1;
    bound_stop stop = {.tick = stops ? end_at_once : NULL, .user = &asked};
    const bound_pair pair = {.stop = &stop, .ticks = true};
    edit_chunk chunk = {.rows = 256, .diagonal = -8, .count = 16, .least = least};
    const edits_input edits = {.query = letters,
                               .target = letters,
                               .columns = 256,
                               .bucket = 1,
                               .most = 64,
                               .chunks = &chunk,
                               .count = 1,
                               .threads = 1,
                               .stopped = bound_thread_stopped,
                               .stopped_by = &pair};
    assert_ok(edits_compute(&cells, &edits, &why));
    cr_expect_eq(cells == 0, stops == 1);
    fit part = {.rows = 256, .diagonal = -8, .count = 16, .bucket = 1, .least = costs};
    const fits_input fits = {.query = letters,
                             .target = letters,
                             .columns = 256,
                             .costs = {.other = 8, .first = 11, .ext = 5},
                             .fits = &part,
                             .count = 1,
                             .threads = 1,
                             .stopped = bound_thread_stopped,
                             .stopped_by = &pair};
    atomic_store(&stop.status, CLA_OK);
    assert_ok(fits_compute(&cells, &fits, &why));
    cr_expect_eq(cells == 0, stops == 1);
    cr_expect_eq(asked, 2 * stops);
    cr_expect_eq(atomic_load(&stop.status), stops ? CLA_ERROR_INTERRUPTED : CLA_OK);
  }
}
