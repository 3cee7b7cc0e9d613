#include "trace/outside_path.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/extremes.h"
#include "base/loops.h"

#define WORD_BITS 3
#define WORD (1 << WORD_BITS) /* letters */
#define CODE_BITS 2           /* bits of a letter that matches; a block with another letter occurs nowhere */
#define PLAIN_CODES (1 << CODE_BITS)
#define PLACES (1 << (CODE_BITS * WORD))
#define NOWHERE (-1)

/* The places of words in the target. last: by word, its last place. before: by place, the word's place
 * before. */
typedef struct word_places {
  int32_t *last, *before;
} word_places;

/* The word of the WORD letters that end with `code`, from the word before. *plain counts the letters up to
 * here since the last one that matches nothing. */
static inline uint32_t next_word(uint32_t word, int *plain, uint8_t code) {
  *plain = code < PLAIN_CODES ? *plain + 1 : 0;
  return (word << CODE_BITS | (code & (PLAIN_CODES - 1))) & (PLACES - 1);
}

static cla_status find_words(word_places *out, const pack_pair *pair, cla_error *error) {
  const int64_t columns = pair->end_target;
  uint32_t word = 0;
  int plain = 0;
  out->last = malloc((size_t)(PLACES + columns + 1) * sizeof *out->last);
  if (!out->last)
    return error_set(error, CLA_ERROR_MEMORY, "out of memory for a pair's words; free some memory");
  poison_memory(out->last, (PLACES + columns + 1) * (int64_t)sizeof *out->last, POISON_INTS);
  out->before = out->last + PLACES;
  memset(out->last, 0xff, PLACES * sizeof *out->last);
  for (int64_t j = 0; j < columns; j++) {
    word = next_word(word, &plain, pair->target[j]);
    if (plain < WORD) continue;
    const int32_t column = (int32_t)(j + 1 - WORD);
    out->before[column] = out->last[word];
    out->last[word] = column;
  }
  return CLA_OK;
}

/* Whether the diagonal of a block at this row and column meets the known path. The block's first and last
 * node do not count: there a path may have just left the known path, or join it again. */
static bool meets(const path_row *known, int64_t row, int64_t column) {
  for (int k = 1; k < WORD; k++)
    if (known[row + k].first <= column + k && column + k <= known[row + k].last) return true;
  return false;
}

/* The diagonals (columns less rows) that paths can use. Each diagonal between a path and the end's costs it
 * something. */
typedef struct diagonal_range {
  int64_t first, last;
} diagonal_range;

static diagonal_range find_range(const path_scheme *scheme, const pack_pair *pair) {
  const int64_t end = pair->end_target - pair->end_query, match = scheme->table->match;
  const int64_t loss = match * pair->end_query - pair->score, ext = gap_least_ext(scheme->scoring);
  return (diagonal_range){.first = ext > 0 ? end - loss / ext : -pair->end_query,
                          .last = end + loss / (ext + match)};
}

/* Whether a path that keeps away from the known one can match all of the block. */
static bool is_outside(const word_places *places, uint32_t word, const diagonal_range *range,
                       const path_row *known, int64_t row) {
  for (int32_t column = places->last[word]; column != NOWHERE; column = places->before[column]) {
    const int64_t diagonal = column - row;
    if (diagonal < range->first) return false; /* the places before are on lower diagonals, too */
    if (diagonal <= range->last && !meets(known, row, column)) return true;
  }
  return false;
}

/* Adds block `b`; all blocks before it have been added. A path that begins within it passes fewer rows. A
 * path that begins in row i is at most i diagonals left of the main one. */
static void add_block(outside_path *o, int64_t b, int64_t loss, int64_t loss_anywhere) {
  const int64_t most = o->row_most * o->block, fewer = most - o->row_most;
  o->lost[b + 1] = o->lost[b] + (int32_t)smaller(loss, most);
  o->most[b + 1] = (int32_t)larger(o->most[b] + most - smaller(loss_anywhere, most), fewer);
  o->begun[b + 1] =
      (int32_t)larger(o->begun[b] + most - smaller(loss, most), fewer + o->slope * (b * o->block + 1));
}

static cla_status add_words(outside_path *o, const path_scheme *scheme, const pack_pair *pair,
                            const path_row *known, cla_error *error) {
  const cla_scoring *scoring = scheme->scoring;
  const int64_t match = scheme->table->match;
  const int64_t in_row = smaller(match - scheme->table->mismatch, gap_least_ext(scoring) + match);
  const int64_t loss = 2 * smaller(in_row, scoring->gap_first);
  const diagonal_range range = find_range(scheme, pair);
  word_places places = {0};
  cla_status status = find_words(&places, pair, error);
  for (int64_t b = 0; status == CLA_OK && b < o->rows / WORD; b++) {
    uint32_t word = 0;
    int plain = 0;
    for (int k = 0; k < WORD; k++) word = next_word(word, &plain, pair->query[b * WORD + k]);
    const bool outside = plain == WORD && is_outside(&places, word, &range, known, b * WORD);
    add_block(o, b, outside ? 0 : loss, outside ? 0 : loss);
  }
  free(places.last);
  return status;
}

/* Sets *out to the rows that the known path pairs columns with, by column; -1: none. */
static cla_status find_paired(int32_t **out, const pack_pair *pair, const path_row *known, cla_error *error) {
  cla_status status =
      allocate_array((void **)out, pair->end_target + 1, sizeof **out, "a pair's path", error);
  if (status != CLA_OK) return status;
  for (int64_t j = 0; j <= pair->end_target; j++) (*out)[j] = -1;
  for (int64_t i = 0; i < pair->end_query; i++)
    if (known[i].first <= known[i].last && known[i + 1].first == known[i].last + 1)
      (*out)[known[i].last] = (int32_t)i;
  return CLA_OK;
}

/* A bit for each letter of each block. */
typedef uint64_t block_words __attribute__((vector_size(8 * DIFFERENCES_TOGETHER)));
typedef int64_t block_counts __attribute__((vector_size(8 * DIFFERENCES_TOGETHER)));

/* Takes a letter's bit out: by memory, as words in registers are slow to write to one by one. */
ALWAYS_INLINE void take_out(block_words *words, uint64_t place) {
  uint64_t bits[DIFFERENCES_TOGETHER] = {0};
  block_words bit;
  bits[place / DIFFERENCES_BLOCK] = UINT64_C(1) << place % DIFFERENCES_BLOCK;
  memcpy(&bit, bits, sizeof bit);
  *words &= ~bit;
}

/* The letters of the blocks that are equal to each code. */
static void find_equal(block_words equal[PLAIN_CODES + 1], const uint8_t *query, int blocks) {
  memset(equal, 0, (PLAIN_CODES + 1) * sizeof *equal);
  for (int k = 0; k < blocks * DIFFERENCES_BLOCK; k++)
    if (query[k] < PLAIN_CODES)
      equal[query[k]][k / DIFFERENCES_BLOCK] |= UINT64_C(1) << k % DIFFERENCES_BLOCK;
}

ALWAYS_INLINE void find_differences(int64_t *out, const difference_blocks *of) {
  const uint8_t *target = of->pair->target;
  const int32_t *paired = of->paired;
  const int64_t row = of->row, last = of->last;
  block_words equal[PLAIN_CODES + 1], plus, minus = {0};
  block_counts count, least;
  const uint64_t rows = (uint64_t)of->count * DIFFERENCES_BLOCK;
  find_equal(equal, of->pair->query + row, of->count);
  for (int b = 0; b < DIFFERENCES_TOGETHER; b++) {
    plus[b] = UINT64_MAX;
    count[b] = least[b] = DIFFERENCES_BLOCK;
  }
  for (int64_t j = of->first; j < last; j++) {
    const uint8_t code = target[j];
    const uint64_t place = (uint64_t)(paired[j] - row);
    block_words same = equal[code < PLAIN_CODES ? code : PLAIN_CODES];
    if (place < rows) take_out(&same, place);
    const block_words vertical = same | minus;
    const block_words across = (((same & plus) + plus) ^ plus) | same;
    block_words rise = minus | ~(across | plus), fall = plus & across;
    count += (block_counts)(rise >> 63) - (block_counts)(fall >> 63);
    const block_counts less = count < least;
    least = (count & less) | (least & ~less);
    rise <<= 1;
    fall <<= 1;
    plus = fall | ~(vertical | rise);
    minus = rise & vertical;
  }
  for (int b = 0; b < of->count; b++) out[b] = least[b];
}

#if X86_VECTORS
__attribute__((target("avx2"))) static void find_avx2(int64_t *out, const difference_blocks *of) {
  find_differences(out, of);
}
#endif

void outside_differences(int64_t *out, const difference_blocks *of) {
#if X86_VECTORS
  if (__builtin_cpu_supports("avx2")) {
    find_avx2(out, of);
    return;
  }
#endif
  find_differences(out, of);
}

static cla_status add_differences(outside_path *o, const path_scheme *scheme, const pack_pair *pair,
                                  const path_row *known, cla_error *error) {
  const int64_t match = scheme->table->match, pair_loss = 2 * (match - scheme->table->mismatch);
  const int64_t ext = gap_least_ext(scheme->scoring), blocks = o->rows / DIFFERENCES_BLOCK;
  const int64_t loss = smaller(pair_loss, 2 * ext + match), anywhere = smaller(pair_loss, 2 * ext);
  const diagonal_range range = find_range(scheme, pair);
  int32_t *paired = NULL;
  cla_status status = find_paired(&paired, pair, known, error);
  for (int64_t b = 0; status == CLA_OK && b < blocks; b += DIFFERENCES_TOGETHER) {
    const int count = (int)smaller(DIFFERENCES_TOGETHER, blocks - b);
    const int64_t row = b * DIFFERENCES_BLOCK, past = row + count * DIFFERENCES_BLOCK;
    const difference_blocks of = {.pair = pair,
                                  .paired = paired,
                                  .row = row,
                                  .count = count,
                                  .first = larger(row + range.first, 0),
                                  .last = smaller(past + range.last, pair->end_target)};
    int64_t differences[DIFFERENCES_TOGETHER];
    outside_differences(differences, &of);
    for (int k = 0; k < count; k++) add_block(o, b + k, loss * differences[k], anywhere * differences[k]);
  }
  free(paired);
  return status;
}

double outside_path_reach(outside_kind kind, const path_scheme *scheme) {
  const int64_t match = scheme->table->match, pair_loss = match - scheme->table->mismatch;
  const int64_t ext = gap_least_ext(scheme->scoring);
  if (kind == OUTSIDE_BY_WORDS)
    return (double)smaller(smaller(pair_loss, ext + match), scheme->scoring->gap_first) / WORD;
  return 0.5 * (double)smaller(2 * pair_loss, 2 * ext + match) / 2; /* about half of random letters differ */
}

cla_status outside_path_make(outside_path *out, outside_kind kind, const path_scheme *scheme,
                             const pack_pair *pair, const path_row *known, cla_error *error) {
  const bool by_words = kind == OUTSIDE_BY_WORDS;
  const int64_t match = scheme->table->match, block = by_words ? WORD : DIFFERENCES_BLOCK;
  const int64_t whole = pair->end_query / block;
  *out = (outside_path){.rows = pair->end_query,
                        .row_most = 2 * match,
                        .block = block,
                        .block_bits = by_words ? WORD_BITS : DIFFERENCES_BLOCK_BITS,
                        .slope = by_words ? 0 : match};
  cla_status status =
      allocate_array((void **)&out->lost, 3 * (whole + 1), sizeof *out->lost, "a pair's blocks", error);
  if (status != CLA_OK) return status;
  out->most = out->lost + whole + 1;
  out->begun = out->most + whole + 1;
  out->lost[0] = out->most[0] = out->begun[0] = 0;
  status = by_words ? add_words(out, scheme, pair, known, error)
                    : add_differences(out, scheme, pair, known, error);
  return status;
}

void outside_path_free(outside_path *outside) {
  free(outside->lost);
  *outside = (outside_path){0};
}
