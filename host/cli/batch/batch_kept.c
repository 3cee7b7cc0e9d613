/* Stores blocks in a run directory: the results of all pairs, from which another run makes the same text. */

#include <stdlib.h>
#include <string.h>

#include "cli/batch/pair_block.h"
#include "cli/report/report.h"

/* The head of a block's bytes (docs/internals/format-run-dir.md). */
typedef struct kept_head {
  int64_t count, runs;
  int64_t searched; /* not 0: the pairs' record indices are stored, too */
} kept_head;

/* Stored values per pair: numbers of 64-bit values, of further 64-bit values if record indices are stored,
 * and of bytes. */
#define NUMBERS_OF_PAIR 6
#define NUMBERS_OF_SEARCH 2
#define BYTES_OF_PAIR 3

/* The bytes that remain to be read or written. */
typedef struct byte_place {
  uint8_t *at;
  int64_t left;
} byte_place;

static void put(byte_place *to, const void *from, int64_t bytes) {
  if (bytes > 0) memcpy(to->at, from, (size_t)bytes);
  to->at += bytes;
}

static bool take(void *to, byte_place *from, int64_t bytes) {
  if (bytes < 0 || bytes > from->left) return false;
  if (bytes > 0) memcpy(to, from->at, (size_t)bytes);
  from->at += bytes;
  from->left -= bytes;
  return true;
}

/* Returns the marks of a side's records. The caller frees them. */
static uint64_t *marks_of(const cla_record_block *records) {
  uint64_t *marks = calloc((size_t)records->count + 1, sizeof *marks);
  for (int64_t i = 0; marks && i < records->count; i++) marks[i] = cla_record_block_mark(records, i);
  return marks;
}

cla_status pair_block_mark(pair_block *block, cla_error *error) {
  uint64_t *sides[2] = {marks_of(block->records[0]), marks_of(block->records[1])};
  uint64_t *marks = realloc(block->keep.marks, (size_t)block->count * sizeof *marks + 1);
  if (marks) block->keep.marks = marks;
  const bool made = marks && sides[0] && sides[1];
  for (int64_t i = 0; made && i < block->count; i++) {
    const int64_t query = block->of[0] ? block->of[0][i] : i, target = block->of[1] ? block->of[1][i] : i;
    const uint64_t strand = block->lot.strands ? block->lot.strands[i] : 0;
    marks[i] = (sides[0][query] * UINT64_C(0x9e3779b97f4a7c15) + strand) ^ sides[1][target];
  }
  free(sides[0]);
  free(sides[1]);
  return made ? CLA_OK : pair_block_no_memory(error);
}

cla_status pair_block_pack(block_bytes *out, const pair_block *block, cla_error *error) {
  const cla_pair_results *found = &block->found;
  const int64_t n = block->count, numbers = NUMBERS_OF_PAIR + (block->keep.searched ? NUMBERS_OF_SEARCH : 0);
  const kept_head head = {n, block->scores_alone ? 0 : found->run_offsets[n], block->keep.searched};
  const int64_t bytes = (int64_t)sizeof head + n * (numbers * (int64_t)sizeof(int64_t) + BYTES_OF_PAIR) +
                        (n + head.runs) * (int64_t)sizeof *found->runs;
  if (out->count + bytes > out->room) {
    uint8_t *more = realloc(out->at, (size_t)(out->count + bytes));
    if (!more) return pair_block_no_memory(error);
    out->at = more;
    out->room = out->count + bytes;
  }
  byte_place to = {.at = out->at + out->count};
  put(&to, &head, sizeof head);
  put(&to, found->score, n * (int64_t)sizeof *found->score);
  for (int side = 0; side < 2; side++) {
    put(&to, found->start[side], n * (int64_t)sizeof *found->start[side]);
    put(&to, found->end[side], n * (int64_t)sizeof *found->end[side]);
    if (block->keep.searched) put(&to, block->of[side], n * (int64_t)sizeof *block->of[side]);
  }
  for (int64_t i = 0; i < n; i++) {
    const uint32_t runs =
        block->scores_alone ? 0 : (uint32_t)(found->run_offsets[i + 1] - found->run_offsets[i]);
    put(&to, &runs, sizeof runs);
  }
  put(&to, found->runs, head.runs * (int64_t)sizeof *found->runs);
  put(&to, found->strand, n);
  put(&to, found->status, n);
  put(&to, block->none, n);
  put(&to, block->keep.marks, n * (int64_t)sizeof *block->keep.marks);
  out->count += bytes;
  return CLA_OK;
}

static cla_status impossible(cla_error *error) {
  return cli_error(error, CLA_ERROR_INPUT,
                   "the run directory's journal.clj holds impossible values; delete it to begin again");
}

/* Makes room for the stored pairs, and for their record indices if these are stored. */
static cla_status make_room(pair_block *block, const kept_head *head, cla_error *error) {
  uint64_t *marks = realloc(block->keep.kept_marks, (size_t)head->count * sizeof *marks + 1);
  if (marks) block->keep.kept_marks = marks;
  for (int side = 0; side < 2 && marks && head->searched; side++) {
    int64_t *of = realloc(block->of[side], (size_t)head->count * sizeof *of + 1);
    if (!of) return pair_block_no_memory(error);
    block->of[side] = of;
  }
  return marks ? pair_block_room(block, head->count, head->runs, error) : pair_block_no_memory(error);
}

static bool are_records(const pair_block *block, int64_t count) {
  for (int side = 0; side < 2; side++)
    for (int64_t i = 0; i < count; i++)
      if (block->of[side][i] < 0 || block->of[side][i] >= block->records[side]->count) return false;
  return true;
}

cla_status pair_block_unpack(pair_block *block, block_bytes *from, cla_error *error) {
  cla_pair_results *found = &block->found;
  byte_place at = {from->at + from->read, from->count - from->read};
  kept_head head;
  if (!take(&head, &at, sizeof head) || head.count < 0 || head.runs < 0 ||
      head.count > at.left / ((NUMBERS_OF_PAIR * (int64_t)sizeof(int64_t)) + BYTES_OF_PAIR) ||
      head.runs > at.left / (int64_t)sizeof *found->runs || (head.searched != 0) != block->keep.searched)
    return impossible(error);
  cla_status status = make_room(block, &head, error);
  if (status != CLA_OK) return status;
  const int64_t n = head.count, longs = n * (int64_t)sizeof(int64_t);
  bool whole = take(found->score, &at, longs);
  for (int side = 0; side < 2 && whole; side++) {
    whole = take(found->start[side], &at, longs) && take(found->end[side], &at, longs);
    if (block->keep.searched) whole = whole && take(block->of[side], &at, longs);
  }
  found->run_offsets[0] = 0;
  for (int64_t i = 0; i < n && whole; i++) {
    uint32_t runs = 0;
    whole = take(&runs, &at, sizeof runs);
    found->run_offsets[i + 1] = found->run_offsets[i] + runs;
  }
  whole = whole && found->run_offsets[n] == head.runs &&
          take(found->runs, &at, head.runs * (int64_t)sizeof *found->runs) && take(found->strand, &at, n) &&
          take(found->status, &at, n) && take(block->none, &at, n) &&
          take(block->keep.kept_marks, &at, longs);
  if (!whole || (block->keep.searched && !are_records(block, n))) return impossible(error);
  if (n > 0) memset(block->told, 0, (size_t)n * sizeof *block->told);
  from->read = from->count - at.left;
  block->keep.kept_count = n;
  return CLA_OK;
}

cla_status pair_block_same(const pair_block *block, const block_means *b, cla_error *error) {
  const int64_t count = block->count < block->keep.kept_count ? block->count : block->keep.kept_count;
  int64_t at = 0;
  /* Failed pairs may have changed, because they are aligned again. */
  while (at < count &&
         (block->found.status[at] != CLA_OK || block->keep.marks[at] == block->keep.kept_marks[at]))
    at++;
  if (at == block->keep.kept_count && at == block->count) return CLA_OK;
  const int64_t number = at < block->count ? pair_block_number(b, block, at)
                         : at > 0          ? pair_block_number(b, block, at - 1) + 1
                                           : 1;
  return cli_error(error, CLA_ERROR_INPUT,
                   "%s %lld is not what it was when the batch began: restore the files that were altered, or "
                   "begin again in another --run-dir",
                   b->reader.unit, (long long)number);
}

/* Makes a block of the pairs that have failed. */
static cla_status choose_failed(pair_block *part, const pair_block *block, cla_error *error) {
  int64_t failed = 0;
  for (int64_t i = 0; i < block->count; i++) failed += block->found.status[i] != CLA_OK;
  const size_t size = (size_t)failed * sizeof(int64_t) + 1;
  for (int side = 0; side < 2; side++) {
    part->records[side] = block->records[side];
    part->of[side] = malloc(size);
  }
  if (block->lot.strands) part->lot.strands = malloc((size_t)failed + 1);
  if (!part->of[0] || !part->of[1] || (block->lot.strands && !part->lot.strands))
    return pair_block_no_memory(error);
  for (int64_t i = 0; i < block->count; i++) {
    if (block->found.status[i] == CLA_OK) continue;
    for (int side = 0; side < 2; side++)
      part->of[side][part->count] = block->of[side] ? block->of[side][i] : i;
    if (block->lot.strands) part->lot.strands[part->count] = block->lot.strands[i];
    part->count++;
  }
  return CLA_OK;
}

/* Replaces the results of the failed pairs by those of `part`. */
static cla_status merge(pair_block *block, const pair_block *part, cla_error *error) {
  cla_pair_results *to = &block->found;
  const cla_pair_results *from = &part->found;
  const bool paths = !block->scores_alone;
  const int64_t all = paths ? to->run_offsets[block->count] + from->run_offsets[part->count] : 0;
  cla_packed_run *runs = paths ? malloc((size_t)all * sizeof *runs + 1) : NULL;
  int64_t count = 0, next = 0;
  int64_t *offsets = block->keep.offsets_room;
  if (paths && !(runs && offsets)) {
    free(runs);
    return pair_block_no_memory(error);
  }
  for (int64_t i = 0; i < block->count; i++) {
    const bool again = to->status[i] != CLA_OK;
    const cla_pair_results *of = again ? from : to;
    const int64_t at = again ? next++ : i;
    if (again) {
      to->score[i] = from->score[at];
      to->strand[i] = from->strand[at];
      for (int side = 0; side < 2; side++) {
        to->start[side][i] = from->start[side][at];
        to->end[side][i] = from->end[side][at];
      }
      to->status[i] = from->status[at];
    }
    const int64_t begin = paths ? of->run_offsets[at] : 0, end = paths ? of->run_offsets[at + 1] : 0;
    if (end > begin) memcpy(runs + count, of->runs + begin, (size_t)(end - begin) * sizeof *runs);
    if (paths) offsets[i] = count;
    count += end - begin;
  }
  if (!paths) return CLA_OK;
  offsets[block->count] = count;
  memcpy(to->run_offsets, offsets, (size_t)(block->count + 1) * sizeof *to->run_offsets);
  free(to->runs);
  to->runs = runs;
  to->runs_capacity = all;
  return CLA_OK;
}

cla_status pair_block_again(pair_block *block, block_means *b, bool *any, cla_error *error) {
  pair_block part = {.number = block->number};
  *any = false;
  block->keep.replayed = 0;
  for (int64_t i = 0; i < block->count; i++) block->keep.replayed += block->found.status[i] == CLA_OK;
  if (block->keep.replayed == block->count) return CLA_OK;
  *any = true;
  block->keep.offsets_room = malloc((size_t)(block->count + 1) * sizeof *block->keep.offsets_room);
  cla_status status =
      block->keep.offsets_room ? choose_failed(&part, block, error) : pair_block_no_memory(error);
  if (status == CLA_OK) status = pair_block_solve(&part, b, false, error);
  if (status == CLA_OK) status = merge(block, &part, error);
  block->cells = part.cells;
  free(block->keep.offsets_room);
  block->keep.offsets_room = NULL;
  pair_block_clear(&part);
  return status;
}
