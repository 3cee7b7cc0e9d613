/* Words that both sequences have, by sorting both lists of words by hash and walking along them together;
 * each common word becomes the maximal exact match around it.
 *
 * Words are sampled by their hash alone (all those whose hash ends with zeros), so that a common word is
 * either taken from both sequences or from none. */

#include "bound/seeds.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/key_sort.h"
#include "bound/unused_path.h"
#include "seq/sequence.h"

#define SORT_SHIFT 20 /* above the bits that sampling makes 0 */
#define SORT_BITS 33  /* three digits; words that agree in them are compared in full */
#define POSITION_BITS 33
#define FREQUENT 32   /* a word with more pairs of places tells nothing about where to align */
#define LETTER_WORK 1 /* to look at a letter, in cells of an optimal alignment, and */
#define WORD_WORK 5   /* to sort a word or a match */
#define LETTERS_BETWEEN_LOOKS (INT64_C(1) << 20)

/* A bijection of 64 bits (the finalizer of splitmix64), so that equal hashes are equal words. It would leave
 * 0, which is a run of A, as it is. */
static uint64_t mix(uint64_t word) {
  word ^= UINT64_C(0x9e3779b97f4a7c15);
  word = (word ^ (word >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  word = (word ^ (word >> 27)) * UINT64_C(0x94d049bb133111eb);
  return word ^ (word >> 31);
}

/* The sampled words of codes[begin .. end - 1], with the positions of their first letters, sorted by hash. */
static cla_status collect_words(keyed_list *out, const bound_pair *pair, const uint8_t *codes, int64_t begin,
                                int64_t end, int word, int sampling_bits, cla_error *error) {
  const uint64_t letters_mask = (UINT64_C(1) << 2 * word) - 1, zeros = (UINT64_C(1) << sampling_bits) - 1;
  uint64_t letters = 0;
  int64_t known = 0;
  for (int64_t i = begin; i < end; i++) {
    if ((i - begin) % LETTERS_BETWEEN_LOOKS == 0 && bound_pair_stopped(pair)) return CLA_OK;
    known = codes[i] < SEQUENCE_UNAMBIGUOUS ? known + 1 : 0;
    letters = (letters << 2 | (codes[i] & 3)) & letters_mask;
    if (known < word) continue;
    const uint64_t hash = mix(letters);
    if (hash & zeros) continue;
    cla_status status = keyed_list_add(out, hash, i - word + 1, error);
    if (status != CLA_OK) return status;
  }
  return key_sort(out, SORT_SHIFT, SORT_BITS, error);
}

static uint64_t sorted_part(const keyed *item) {
  return item->key >> SORT_SHIFT & ((UINT64_C(1) << SORT_BITS) - 1);
}

/* The end of the group of words that sort as the one at `from` does. */
static int64_t group_end(const keyed_list *words, int64_t from) {
  int64_t end = from + 1;
  while (end < words->count && sorted_part(&words->items[end]) == sorted_part(&words->items[from])) end++;
  return end;
}

/* Common words as (query position, diagonal). Diagonals count from that of the area's lower left corner. */
static cla_status pair_words(keyed_list *out, const keyed_list *query, const keyed_list *target,
                             const bound_area *area, cla_error *error) {
  for (int64_t i = 0, j = 0; i < query->count && j < target->count;) {
    const uint64_t a = sorted_part(&query->items[i]), b = sorted_part(&target->items[j]);
    if (a != b) {
      i += a < b;
      j += a > b;
      continue;
    }
    const int64_t i_end = group_end(query, i), j_end = group_end(target, j);
    if ((i_end - i) <= FREQUENT && (j_end - j) <= FREQUENT && (i_end - i) * (j_end - j) <= FREQUENT)
      for (int64_t x = i; x < i_end; x++)
        for (int64_t y = j; y < j_end; y++) {
          if (query->items[x].key != target->items[y].key) continue;
          const int64_t row = query->items[x].value, diagonal = target->items[y].value - area->target - row;
          cla_status status = keyed_list_add(out, (uint64_t)row, diagonal + area->query_stop, error);
          if (status != CLA_OK) return status;
        }
    i = i_end;
    j = j_end;
  }
  return CLA_OK;
}

/* Whether eight letters from two places on are pairwise equal and unambiguous. */
static bool eight_match(const uint8_t *query, const uint8_t *target) {
  uint64_t a, b;
  memcpy(&a, query, sizeof a);
  memcpy(&b, target, sizeof b);
  _Static_assert(SEQUENCE_UNAMBIGUOUS == 4, "codes above 3 have one of these bits");
  return ((a ^ b) | (a & UINT64_C(0xfcfcfcfcfcfcfcfc))) == 0;
}

static bool one_matches(uint8_t query, uint8_t target) {
  return query == target && query < SEQUENCE_UNAMBIGUOUS;
}

/* The maximal match around a common word at (query, target). */
static seed_match extend(const bound_pair *pair, const bound_area *area, int64_t query, int64_t target,
                         int word) {
  int64_t before = 0, length = word;
  int64_t room = query - area->query < target - area->target ? query - area->query : target - area->target;
  const uint8_t *q = pair->query + query, *t = pair->target + target;
  while (room - before >= 8 && eight_match(q - before - 8, t - before - 8)) before += 8;
  while (before < room && one_matches(q[-before - 1], t[-before - 1])) before++;
  room = area->query_stop - query < area->target_stop - target ? area->query_stop - query
                                                               : area->target_stop - target;
  while (room - length >= 8 && eight_match(q + length, t + length)) length += 8;
  while (length < room && one_matches(q[length], t[length])) length++;
  return (seed_match){.query = query - before, .target = target - before, .length = before + length};
}

/* From common words, sorted by diagonal and there by query position, to matches: a word within the last match
 * of its diagonal belongs to it. */
static cla_status extend_words(seed_matches *out, const bound_pair *pair, const bound_area *area,
                               const keyed_list *words, int word, cla_error *error) {
  uint64_t diagonal = UINT64_MAX;
  int64_t covered = 0;
  for (int64_t i = 0; i < words->count; i++) {
    const keyed *item = &words->items[i];
    if (item->key == diagonal && item->value < covered) continue;
    const int64_t target = (int64_t)item->key - area->query_stop + area->target + item->value;
    const seed_match match = extend(pair, area, item->value, target, word);
    diagonal = item->key;
    covered = match.query + match.length;
    cla_status status = unused_match_add(out, match, word, pair, error);
    if (status != CLA_OK) return status;
  }
  return CLA_OK;
}

/* Puts matches into the order of their query positions; `order` is used for it. */
static cla_status sort_matches(seed_matches *matches, keyed_list *order, cla_error *error) {
  void *sorted = NULL;
  cla_status status = CLA_OK;
  order->count = 0;
  for (int64_t i = 0; i < matches->count && status == CLA_OK; i++)
    status = keyed_list_add(order, (uint64_t)matches->items[i].query, i, error);
  if (status == CLA_OK) status = key_sort(order, 0, POSITION_BITS, error);
  if (status == CLA_OK)
    status = allocate_array(&sorted, matches->count, sizeof *matches->items, "sorting matches", error);
  if (status != CLA_OK) return status;
  for (int64_t i = 0; i < matches->count; i++)
    ((seed_match *)sorted)[i] = matches->items[order->items[i].value];
  free(matches->items);
  matches->items = sorted;
  matches->capacity = matches->count;
  return CLA_OK;
}

cla_status seeds_find(seed_matches *out, const bound_pair *pair, const bound_area *area, int word,
                      int sampling_bits, cla_error *error) {
  keyed_list query = {0}, target = {0}, common = {0};
  out->count = 0;
  cla_status status =
      collect_words(&query, pair, pair->query, area->query, area->query_stop, word, sampling_bits, error);
  if (status == CLA_OK)
    status = collect_words(&target, pair, pair->target, area->target, area->target_stop, word, sampling_bits,
                           error);
  if (status != CLA_OK || bound_pair_stopped(pair)) goto done;
  status = pair_words(&common, &query, &target, area, error);
  out->work += LETTER_WORK * (bound_area_rows(area) + bound_area_columns(area)) +
               WORD_WORK * (query.count + target.count + common.count);
  if (status == CLA_OK) status = key_sort(&common, 0, POSITION_BITS, error);
  if (status != CLA_OK) goto done;
  for (int64_t i = 0; i < common.count; i++) {
    const keyed item = common.items[i];
    common.items[i] = (keyed){.key = (uint64_t)item.value, .value = (int64_t)item.key};
  }
  status = key_sort(&common, 0, POSITION_BITS, error);
  if (status == CLA_OK) status = extend_words(out, pair, area, &common, word, error);
  if (status == CLA_OK) status = sort_matches(out, &common, error);

done:
  free(common.items);
  free(target.items);
  free(query.items);
  return status;
}
