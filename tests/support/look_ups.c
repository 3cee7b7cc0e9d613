#include "support/look_ups.h"

#include <stdbool.h>
#include <string.h>

#include "base/extremes.h"
#include "seq/sequence.h"

static int64_t below(random_stream *stream, int64_t limit) {
  return (int64_t)random_stream_below(stream, (uint64_t)limit);
}

void look_ups_letters(uint8_t *letters, int64_t count, random_stream *stream) {
  const int64_t kinds = 1 + below(stream, SEQUENCE_LETTER_COUNT - SEQUENCE_UNAMBIGUOUS);
  for (int64_t n = below(stream, below(stream, 2) ? 4 : count / 4 + 1); n > 0; n--)
    letters[below(stream, count)] = (uint8_t)(SEQUENCE_UNAMBIGUOUS + below(stream, kinds));
  const int64_t from = below(stream, count);
  const int64_t end = below(stream, 3) ? from : smaller(from + below(stream, 60), count);
  for (int64_t i = from; i < end; i++) letters[i] = SEQUENCE_LETTER_COUNT - 1;
}

/* Draws a matrix. Transitions may be cheaper, pairs of ambiguous letters score random values or all the
 * same, and the match of an ambiguous letter may have the lowest score. */
static void draw_matrix(cla_scoring *s, random_stream *stream) {
  const int64_t apart = s->match - s->mismatch, transitions = below(stream, apart), same = below(stream, 2);
  strcpy(s->letters, SEQUENCE_LETTERS);
  s->matrix_size = SEQUENCE_LETTER_COUNT;
  for (int a = 0; a < SEQUENCE_LETTER_COUNT; a++)
    for (int b = 0; b < SEQUENCE_LETTER_COUNT; b++) {
      const bool plain = a < SEQUENCE_UNAMBIGUOUS && b < SEQUENCE_UNAMBIGUOUS;
      const int64_t other =
          plain ? apart - (a + b) % 2 * transitions : 1 + (same ? apart : below(stream, 2 * apart));
      s->matrix[a * CLA_MATRIX_STRIDE + b] = s->match - (plain && a == b ? 0 : (int32_t)other);
    }
  const int dear = (int)below(stream, 4 * SEQUENCE_UNAMBIGUOUS);
  int32_t least = s->matrix[0];
  for (int a = 0; a < SEQUENCE_LETTER_COUNT; a++)
    for (int b = 0; b < SEQUENCE_LETTER_COUNT; b++)
      least = (int32_t)smaller(least, s->matrix[a * CLA_MATRIX_STRIDE + b]);
  if (dear < SEQUENCE_UNAMBIGUOUS) s->matrix[dear * CLA_MATRIX_STRIDE + dear] = least;
  s->match = s->mismatch = 0;
}

void look_ups_scores(cla_scoring *scoring, random_stream *stream) {
  if (below(stream, 2) && scoring->match > scoring->mismatch)
    draw_matrix(scoring, stream);
  else
    scoring->ambiguity = below(stream, 2) ? CLA_AMBIGUITY_NEUTRAL : CLA_AMBIGUITY_EXPECTED;
}
