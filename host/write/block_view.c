#include "write/block_view.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "scoring/score_table.h"
#include "seq/sequence.h"

/* True if the names have only plain letters and terminating zeros. */
static bool has_plain_names(const cla_record_block *records) {
  const int64_t bytes = records->name_offsets[records->count];
  return bytes_within((const unsigned char *)records->names, bytes, PLAIN_LEAST, PLAIN_MOST) ==
         bytes - records->count;
}

cla_status block_view_open(block_view *view, const cla_aligned_block *block, bool from_runs, bool summed,
                           cla_error *error) {
  letter_set own;
  const letter_set *letters = NULL;
  uint32_t unused[CLA_MATRIX_STRIDE];
  *view = (block_view){.block = block, .alignment = *block->common};
  cla_alignment *alignment = &view->alignment;
  cla_status status = alphabet_choose(&letters, &own, alignment->alphabet, alignment->scoring.letters, error);
  for (int side = 0; side < 2 && status == CLA_OK; side++)
    status = record_view_open(&view->sides[side], letters, error);
  if (status != CLA_OK) return status;
  /* If the matrix scores some unequal letters as matches, the runs are not enough to write cs. */
  view->packed = from_runs && !block->certificates &&
                 !score_table_matches(unused, &alignment->scoring, letters,
                                      block->strand ? ~UINT32_C(0) : block->records[0]->letters_met,
                                      block->records[1]->letters_met);
  view->summed = summed;
  for (int side = 0; side < 2; side++) view->plain_names[side] = has_plain_names(block->records[side]);
  view->list[0] = alignment;
  view->results =
      (cla_results){.alignments = view->list, .count = 1, .query = view->sides[0], .target = view->sides[1]};
  alignment->query = alignment->target = (cla_side){0};
  alignment->has_path = block->runs != NULL;
  alignment->runs = NULL;
  alignment->work = NULL;
  return CLA_OK;
}

void block_view_close(block_view *view) {
  for (int side = 0; side < 2; side++) {
    record_view_close(view->sides[side]);
    free(view->locations[side]);
  }
  free(view->runs);
}

static int64_t record_of(const cla_aligned_block *block, int side, int64_t pair) {
  if (block->of[side]) return block->of[side][pair];
  return block->records[side]->count == 1 ? 0 : pair;
}

char *block_view_name(const cla_aligned_block *block, int side, int64_t pair) {
  const cla_record_block *records = block->records[side];
  return records->names + records->name_offsets[record_of(block, side, pair)];
}

/* Returns the sequence of which the record is a range; NULL if the record is a whole sequence. */
static cla_sequence *sequence_of(const cla_record_block *records, int64_t record) {
  return records->sources ? records->sources[record].sequence : NULL;
}

int64_t block_view_length(const cla_aligned_block *block, int side, int64_t pair) {
  const int64_t record = record_of(block, side, pair), *offset = block->records[side]->offsets + record;
  const cla_sequence *sequence = sequence_of(block->records[side], record);
  return sequence ? cla_sequence_length(sequence) : offset[1] - offset[0];
}

/* Sets the side's location to PATH:NAME, like cla_sequence_file. */
static cla_status set_location(block_view *view, int side, const char *path, const char *name,
                               cla_error *error) {
  const size_t path_length = path ? strlen(path) : 0, name_length = path ? strlen(name) : 0;
  void *memory = view->locations[side];
  cla_status status = allocate_grow(&memory, &view->location_capacities[side],
                                    (int64_t)(path_length + name_length) + 2, 1, "a location", error);
  view->locations[side] = memory;
  if (status != CLA_OK) return status;
  char *to = view->locations[side];
  *to = '\0';
  if (!path) return CLA_OK;
  memcpy(to, path, path_length);
  to[path_length] = ':';
  memcpy(to + path_length + 1, name, name_length + 1);
  return CLA_OK;
}

/* Sets the side's view to a whole record. The record is stored in this block, or in the block of which it
 * is a range. */
static cla_status set_record(block_view *view, int side, int64_t record, cla_error *error) {
  const cla_record_block *records = view->block->records[side];
  const cla_record_source *source = records->sources ? &records->sources[record] : NULL;
  if (source && source->block) {
    record = source->index;
    records = source->block;
  }
  const char *name = records->names + records->name_offsets[record];
  cla_status status = view->summed ? set_location(view, side, records->path, name, error) : CLA_OK;
  return status == CLA_OK ? record_view_set(view->sides[side], records, record, view->locations[side],
                                            view->summed || view->keyed[side], error)
                          : status;
}

/* Converts a position in the range to a position in the record; -1 means no position. The position of an
 * empty local alignment is 0. */
static int64_t on_record(const cla_side *side, bool empty, int64_t position) {
  return position < 0 || empty ? position : side->begin + position;
}

static cla_status set_side(block_view *view, int side, int64_t pair, cla_error *error) {
  const cla_aligned_block *block = view->block;
  cla_side *out = side == 0 ? &view->alignment.query : &view->alignment.target;
  const int64_t record = record_of(block, side, pair);
  cla_sequence *sequence = sequence_of(block->records[side], record);
  cla_status status = sequence ? CLA_OK : set_record(view, side, record, error);
  if (!sequence) sequence = view->sides[side];
  const cla_sequence **result = side == 0 ? &view->results.query : &view->results.target;
  *result = sequence;
  out->name = block_view_name(block, side, pair);
  out->length = cla_sequence_length(sequence);
  out->begin = cla_sequence_begin(sequence);
  out->end = cla_sequence_end(sequence);
  const bool empty = view->alignment.mode == CLA_MODE_LOCAL && view->alignment.score == 0;
  out->start = on_record(out, empty, block->start[side] ? block->start[side][pair] : -1);
  out->stop = on_record(out, empty, block->end[side] ? block->end[side][pair] : out->end - out->begin);
  out->location = view->summed ? (char *)(uintptr_t)cla_sequence_location(sequence) : NULL;
  if (status == CLA_OK && view->summed) cla_sequence_checksum(sequence, out->checksum);
  return status;
}

const uint32_t *block_view_runs(const block_view *view, int64_t pair) {
  return view->packed && view->block->runs ? view->block->runs + view->block->run_offsets[pair] : NULL;
}

static cla_status set_runs(block_view *view, int64_t pair, cla_error *error) {
  const cla_aligned_block *block = view->block;
  const uint32_t *next = block->runs + block->run_offsets[pair];
  const uint32_t *end = block->runs + block->run_offsets[pair + 1];
  view->alignment.run_count = (size_t)(end - next);
  if (view->packed) return CLA_OK;
  cla_status status = ALLOCATE_GROW(&view->runs, &view->run_capacity, end - next, "a path", error);
  view->alignment.run_count = 0;
  while (status == CLA_OK && next < end)
    view->runs[view->alignment.run_count++] = packed_run_next(&next, end);
  view->alignment.runs = view->alignment.run_count > 0 ? view->runs : NULL;
  return status;
}

cla_status block_view_set(block_view *view, int64_t pair, cla_error *error) {
  const cla_aligned_block *block = view->block;
  cla_alignment *alignment = &view->alignment;
  view->results.count = !block->none || !block->none[pair];
  view->results.certificates = block->certificates ? block->certificates + pair : NULL;
  alignment->score = block->score[pair];
  alignment->strand = block->strand ? (cla_strand)block->strand[pair] : CLA_STRAND_FORWARD;
  cla_status status = block->runs ? set_runs(view, pair, error) : CLA_OK;
  for (int side = 0; side < 2 && status == CLA_OK; side++) status = set_side(view, side, pair, error);
  return status;
}

cla_status cla_aligned_block_each(const cla_aligned_block *block, cla_results_taker take, void *user,
                                  cla_error *error) {
  block_view view;
  cla_status status = block_view_open(&view, block, false, true, error);
  for (int64_t pair = 0; pair < block->count && status == CLA_OK; pair++) {
    if (!block_view_has(&view, pair)) continue;
    status = block_view_set(&view, pair, error);
    if (status == CLA_OK) status = take(pair, &view.results, user, error);
  }
  block_view_close(&view);
  return status;
}
