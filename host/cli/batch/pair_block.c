/* A block of pairs: its memory, its records and its results. */

#include "cli/batch/pair_block.h"

#include <stdlib.h>

#include "cli/report/report.h"

cla_status pair_block_no_memory(cla_error *error) {
  return cli_error(error, CLA_ERROR_MEMORY, "out of memory for blocks of pairs; free some memory");
}

void pair_block_uncertify(pair_block *block) {
  for (int64_t i = 0; i < block->certified; i++) {
    if (block->certificates) cla_certificate_free(block->certificates[i]);
    if (block->refused) free(block->refused[i]);
  }
  free(block->certificates);
  free(block->refused);
  block->certificates = NULL;
  block->refused = NULL;
  block->certified = 0;
}

void pair_block_clear(pair_block *block) {
  for (int side = 0; side < 2; side++) {
    cla_record_block_free(&block->own[side]);
    if (!block->lot.numbers) free(block->of[side]);
    free(block->found.start[side]);
    free(block->found.end[side]);
  }
  batch_lot_free(&block->lot);
  pair_block_uncertify(block);
  for (int i = 0; i < OUTPUT_LIMIT; i++) cla_block_text_free(&block->texts[i]);
  free(block->found.score);
  free(block->found.strand);
  free(block->found.runs);
  free(block->found.run_offsets);
  free(block->found.status);
  free(block->none);
  free(block->told);
  free(block->keep.marks);
  free(block->keep.kept_marks);
}

void pair_block_free(pair_block *block) {
  if (!block) return;
  pair_block_clear(block);
  free(block);
}

static bool resize(void **array, int64_t count, size_t size) {
  void *more = realloc(*array, (size_t)(count > 0 ? count : 1) * size);
  if (more) *array = more;
  return more;
}

cla_status pair_block_room(pair_block *block, int64_t count, int64_t runs, cla_error *error) {
  cla_pair_results *found = &block->found;
  bool made = true;
  if (count > block->room) {
    for (int side = 0; side < 2; side++) {
      made = made && resize((void **)&found->start[side], count, sizeof *found->start[side]);
      made = made && resize((void **)&found->end[side], count, sizeof *found->end[side]);
    }
    made = made && resize((void **)&found->score, count, sizeof *found->score);
    made = made && resize((void **)&found->strand, count, sizeof *found->strand);
    made = made && resize((void **)&found->status, count, sizeof *found->status);
    made = made && resize((void **)&block->none, count, sizeof *block->none);
    made = made && resize((void **)&block->told, count, sizeof *block->told);
    made = made && resize((void **)&found->run_offsets, count + 1, sizeof *found->run_offsets);
    block->room = made ? count : 0;
  }
  if (made && runs >= 0 && (runs > found->runs_capacity || !found->runs)) {
    made = resize((void **)&found->runs, runs, sizeof *found->runs);
    /* Even 0 runs need an array, because NULL would mean that no paths are wanted. */
    found->runs_capacity = made ? runs : 0;
  }
  return made ? CLA_OK : pair_block_no_memory(error);
}

cla_pair_arrays pair_block_arrays(const block_means *b, const pair_block *block) {
  const cla_record_block *query = block->records[0], *target = block->records[1];
  return (cla_pair_arrays){.alphabet = b->how.alphabet,
                           .coded = true,
                           .letters = {query->codes, target->codes},
                           .offsets = {query->offsets, target->offsets},
                           .sequences = {query->count, target->count},
                           .of = {block->of[0], block->of[1]},
                           .strand = block->lot.strands,
                           .pairs = block->count};
}

cla_aligned_block pair_block_aligned(const block_means *b, const pair_block *block) {
  const cla_pair_results *found = &block->found;
  return (cla_aligned_block){.count = block->count,
                             .records = {block->records[0], block->records[1]},
                             .of = {block->of[0], block->of[1]},
                             .status = found->status,
                             .none = block->none,
                             .score = found->score,
                             .start = {found->start[0], found->start[1]},
                             .end = {found->end[0], found->end[1]},
                             .runs = block->scores_alone ? NULL : found->runs,
                             .run_offsets = found->run_offsets,
                             .strand = found->strand,
                             .certificates = (const cla_certificate *const *)block->certificates,
                             .common = &b->common};
}

cla_status pair_block_spread(pair_block *block, const bool *none, int64_t count, cla_error *error) {
  cla_pair_results *found = &block->found;
  int64_t from = block->count - 1;
  block->count = count;
  cla_status status = pair_block_room(block, count, -1, error);
  if (status != CLA_OK) return status;
  if (from < 0) found->run_offsets[0] = 0; /* nothing was aligned */
  for (int64_t to = count - 1; to >= 0; to--) {
    if (!block->scores_alone) found->run_offsets[to + 1] = found->run_offsets[from + 1];
    for (int side = 0; side < 2; side++) {
      found->start[side][to] = none[to] ? 0 : found->start[side][from];
      found->end[side][to] = none[to] ? 0 : found->end[side][from];
    }
    found->score[to] = none[to] ? 0 : found->score[from];
    found->strand[to] = none[to] ? CLA_STRAND_FORWARD : found->strand[from];
    found->status[to] = none[to] ? CLA_OK : found->status[from];
    block->none[to] = none[to] || block->none[from];
    block->told[to] = false;
    from -= !none[to];
  }
  return CLA_OK;
}

int64_t pair_block_number(const block_means *b, const pair_block *block, int64_t pair) {
  if (block->lot.numbers) return block->lot.numbers[pair];
  const int64_t row = block->records[0]->first + pair_block_record(block, 0, pair);
  if (!block->of[1]) return row + 1;
  const int64_t before = row * b->targets - (b->one_file ? row * (row + 1) / 2 + row + 1 : 0);
  return before + block->of[1][pair] + 1;
}
