/* The least losses that any path can have in the first rows of a pair.
 *
 * Without look-up: a block is WORD query letters that do not occur in the target on the pair's diagonals.
 * In a block, each path has a mismatch, a gap, or a letter that is left out, so it loses at least `charge`.
 * This also holds for a gap over several blocks: a gap over k blocks has at least 8 (k - 2) + 2 letters. If
 * paths may start in any row, each row above the start loses a match, so `charge` is at most WORD matches.
 * One block may lie partly above the start, so one charge is subtracted from the sum. A gap may be open at
 * the last row, so the sum is also lowered by the difference between a charge and the cost of a further
 * letter. Letters of a target gap lose more than the charges: each the cost of a further letter or, if
 * less, the cost of a first letter minus a charge.
 *
 * With look-up: a query letter loses the difference between `match` and the score of the letter's best
 * pair, or at least `match` if the letter is left out. */

#include "base/allocate.h"
#include "base/extremes.h"
#include "dp/pair_solver_internal.h"
#include "seq/sequence.h"

#define WORD 8
#define CODE_BITS 2 /* bits of a letter that can match */
#define WORDS (1 << (CODE_BITS * WORD))

/* Finds the word that starts at each column, or WORDS if one of the word's letters matches nothing. Counts of
 * the words follow the diagonals. An index of places (seq/word_index.h) would be slower: 150 letters take 13
 * us to sort, and 1.3 us to count. */
static void find_words(int32_t *words, const uint8_t *target, int32_t columns) {
  uint32_t word = 0;
  int plain = 0;
  for (int32_t j = 0; j < columns; j++) {
    plain = target[j] < SEQUENCE_UNAMBIGUOUS ? plain + 1 : 0;
    word = (word << CODE_BITS | (target[j] & (SEQUENCE_UNAMBIGUOUS - 1))) & (WORDS - 1);
    if (j >= WORD - 1) words[j + 1 - WORD] = plain >= WORD ? (int32_t)word : WORDS;
  }
}

/* Returns the least loss of a path in a block that does not occur in the target. If paths may start in any
 * row, the block may lie above the start. */
static int64_t charge_of(const lanes_scheme *scheme) {
  const path_ends *ends = &scheme->scheme->ends;
  int64_t least = smaller(scheme->unlike, scheme->across[0].first);
  if (ends->query_start || ends->floor) least = smaller(least, (int64_t)WORD * scheme->match);
  for (int piece = 0; piece < scheme->pieces; piece++) {
    const int64_t first = scheme->down[piece].first, ext = scheme->down[piece].ext;
    least = smaller(least, smaller(scheme->across[piece].first, first));
    least = smaller(least, smaller((first + ext) / 2, WORD * ext));
  }
  return least;
}

int32_t row_losses_beside(const lanes_scheme *scheme) {
  int64_t least = scheme->across[scheme->pieces - 1].ext;
  for (int piece = 0; piece < scheme->pieces && !scheme->look_up; piece++)
    least = smaller(least, scheme->across[piece].first - charge_of(scheme));
  return (int32_t)least;
}

static void add_blocks(uint16_t *out, const pair_solver *s, const row_losses_of *of) {
  const lanes_scheme *scheme = &s->scheme;
  const path_ends *ends = &scheme->scheme->ends;
  const int64_t charge = charge_of(scheme), cut = charge - scheme->down[scheme->pieces - 1].ext;
  const int64_t spared = larger(cut, 0) + (ends->query_start || ends->floor ? charge : 0);
  const int32_t last = of->columns - WORD;
  int32_t entered = 0, left = 0;
  int64_t loss = 0;
  find_words(s->words, of->target, of->columns);
  out[0] = 0;
  for (int32_t block = 0; block < of->rows / WORD; block++) {
    const int64_t row = (int64_t)block * WORD, past = smaller(row + of->high, last) + 1;
    int32_t word[WORD];
    for (; entered < past; entered++) s->counts[s->words[entered]]++;
    for (; left < entered && left < row + of->low; left++) s->counts[s->words[left]]--;
    find_words(word, of->query + row, WORD);
    const bool occurs = word[0] < WORDS && s->counts[word[0]] > 0;
    loss += occurs ? 0 : charge;
    out[(block + 1) * LANES_MOST] = (uint16_t)smaller(larger(loss - spared, 0), UINT16_MAX);
  }
  for (; left < entered; left++) s->counts[s->words[left]]--;
}

static void add_letters(uint16_t *out, const pair_solver *s, const row_losses_of *of) {
  int64_t loss = 0;
  out[0] = 0;
  for (int32_t row = 0; row < of->rows; row++) {
    loss += s->letter_loss[of->query[row]];
    if (row % WORD == WORD - 1) out[(row / WORD + 1) * LANES_MOST] = (uint16_t)smaller(loss, UINT16_MAX);
  }
}

/* For each query letter, computes the loss of its best pair. */
static void find_letter_losses(pair_solver *s) {
  for (int code = 0; code < LANES_PADDING; code++) {
    s->letter_loss[code] = (uint16_t)s->scheme.match;
    for (int other = 0; other < LANES_PADDING; other++)
      s->letter_loss[code] = (uint16_t)smaller(s->letter_loss[code], s->scheme.table[32 * code + other]);
  }
}

cla_status row_losses_add(uint16_t *out, pair_solver *s, const row_losses_of *of, cla_error *error) {
  if (s->scheme.look_up) {
    find_letter_losses(s);
    add_letters(out, s, of);
    return CLA_OK;
  }
  cla_status status =
      ALLOCATE_GROW(&s->words, &s->words_room, (int64_t)of->columns + WORD, "a pair's words", error);
  if (status == CLA_OK && !s->counts) status = ALLOCATE_ZEROS(&s->counts, WORDS + 1, "a pair's words", error);
  if (status == CLA_OK) add_blocks(out, s, of);
  return status;
}
