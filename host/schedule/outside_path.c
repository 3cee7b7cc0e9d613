#include "schedule/outside_path.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/extremes.h"

#define CODE_BITS 2 /* of letters that match; a block with another one is nowhere */
#define PLACES (1 << (CODE_BITS * OUTSIDE_BLOCK))
#define NOWHERE (-1)

/* Where the target has which letters: of each word the last place, of each place the one before. */
typedef struct word_places {
  int32_t *last, *before;
} word_places;

/* The word of the OUTSIDE_BLOCK letters up to and with `code`, by the one before; *plain counts letters that
 * match, as far back as there are no others. */
static inline uint32_t next_word(uint32_t word, int *plain, uint8_t code) {
  *plain = code < 1 << CODE_BITS ? *plain + 1 : 0;
  return (word << CODE_BITS | (code & ((1 << CODE_BITS) - 1))) & (PLACES - 1);
}

static cla_status find_words(word_places *out, const packed_pair *pair, cla_error *error) {
  const int64_t columns = pair->end_target;
  uint32_t word = 0;
  int plain = 0;
  out->last = malloc((size_t)(PLACES + columns + 1) * sizeof *out->last);
  if (!out->last)
    return error_set(error, CLA_ERROR_MEMORY, "out of memory for a pair's words; free some memory");
  out->before = out->last + PLACES;
  memset(out->last, 0xff, PLACES * sizeof *out->last);
  for (int64_t j = 0; j < columns; j++) {
    word = next_word(word, &plain, pair->target[j]);
    if (plain < OUTSIDE_BLOCK) continue;
    const int32_t column = (int32_t)(j + 1 - OUTSIDE_BLOCK);
    out->before[column] = out->last[word];
    out->last[word] = column;
  }
  return CLA_OK;
}

/* Whether the diagonal of a block at these row and column meets the known path. */
static bool meets(const path_row *known, int64_t row, int64_t column) {
  for (int k = 0; k <= OUTSIDE_BLOCK; k++)
    if (known[row + k].first <= column + k && column + k <= known[row + k].last) return true;
  return false;
}

/* Diagonals, columns less rows, that paths can use: each letter that a path leaves the end's diagonal by
 * costs it something. */
typedef struct diagonal_range {
  int64_t first, last;
} diagonal_range;

static diagonal_range find_range(const packed_scheme *scheme, const packed_pair *pair) {
  const int64_t end = pair->end_target - pair->end_query, match = scheme->table->match;
  const int64_t loss = match * pair->end_query - pair->score, ext = scheme->scoring->gap_ext;
  return (diagonal_range){.first = ext > 0 ? end - loss / ext : -pair->end_query,
                          .last = end + loss / (ext + match)};
}

/* Whether a path that keeps away from the known one can match all of the block. */
static bool is_outside(const word_places *places, uint32_t word, const diagonal_range *range,
                       const path_row *known, int64_t row) {
  for (int32_t column = places->last[word]; column != NOWHERE; column = places->before[column]) {
    const int64_t diagonal = column - row;
    if (diagonal < range->first) return false; /* so are the places before */
    if (diagonal <= range->last && !meets(known, row, column)) return true;
  }
  return false;
}

static void add_blocks(outside_path *o, const word_places *places, const packed_scheme *scheme,
                       const packed_pair *pair, const path_row *known) {
  const cla_scoring *scoring = scheme->scoring;
  const int64_t match = o->match, blocks = o->rows / OUTSIDE_BLOCK;
  const int64_t in_row = smaller(match - scheme->table->mismatch, scoring->gap_ext + match);
  const int64_t loss = smaller(smaller(in_row, scoring->gap_first), match * OUTSIDE_BLOCK);
  const diagonal_range range = find_range(scheme, pair);
  o->sum[0] = o->most[0] = 0;
  for (int64_t b = 0; b < blocks; b++) {
    uint32_t word = 0;
    int plain = 0;
    for (int k = 0; k < OUTSIDE_BLOCK; k++)
      word = next_word(word, &plain, pair->query[b * OUTSIDE_BLOCK + k]);
    const bool outside = plain == OUTSIDE_BLOCK && is_outside(places, word, &range, known, b * OUTSIDE_BLOCK);
    const int32_t gain = (int32_t)(match * OUTSIDE_BLOCK - (outside ? 0 : loss));
    o->sum[b + 1] = o->sum[b] + gain;
    /* A path that begins within the block passes fewer rows. */
    o->most[b + 1] = (int32_t)larger(o->most[b] + gain, match * (OUTSIDE_BLOCK - 1));
  }
  o->sum[blocks + 1] = o->sum[blocks] + (int32_t)(match * OUTSIDE_BLOCK); /* the last one is not whole */
}

cla_status outside_path_make(outside_path *out, const packed_scheme *scheme, const packed_pair *pair,
                             const path_row *known, cla_error *error) {
  const int64_t numbers = pair->end_query / OUTSIDE_BLOCK + 2;
  word_places places = {0};
  *out = (outside_path){.rows = pair->end_query, .match = scheme->table->match};
  cla_status status = find_words(&places, pair, error);
  if (status == CLA_OK)
    status = allocate_array((void **)&out->sum, 2 * numbers, sizeof *out->sum, "a pair's words", error);
  if (status == CLA_OK) {
    out->most = out->sum + numbers;
    add_blocks(out, &places, scheme, pair, known);
  }
  free(places.last);
  return status;
}

void outside_path_free(outside_path *outside) {
  free(outside->sum);
}
