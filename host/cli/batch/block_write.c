/* Makes the text of a block's pairs, writes it, and reports the pairs that failed. */

#include <stdio.h>

#include "cli/batch/pair_block.h"
#include "cli/report/report.h"

#define NAME_SIZE 512 /* bytes of a side's name in messages */

cla_status pair_block_make_texts(pair_block *block, const block_means *b, cla_error *error) {
  cla_status status = pair_block_certify(block, b, error);
  const cla_aligned_block aligned = pair_block_aligned(b, block);
  for (int i = 0; i < b->run->outputs.outputs->count && status == CLA_OK; i++)
    status = cla_writer_make_block(&block->texts[i], b->run->outputs.writers[i], &aligned, error);
  return status;
}

/* Returns how a side of a pair is called in messages. In a search, the target has not been read if the query
 * is unreadable. */
static const char *side_name(char text[NAME_SIZE], const block_means *b, const pair_block *block,
                             int64_t pair, cla_sequence *const sides[2], int side) {
  const bool searched = block->of[1] != NULL;
  if (block->records[side]->sources) {
    const int64_t record = block->of[side][pair];
    const cla_record_source *source = &block->records[side]->sources[record];
    if (source->sequence) return cla_sequence_location(source->sequence);
    snprintf(text, NAME_SIZE, "%.400s:%.100s", source->block->path,
             block->records[side]->names + block->records[side]->name_offsets[record]);
    return text;
  }
  const bool query_read = sides[0] || block->records[0]->sources;
  if (sides[side] && (query_read || !searched)) return cla_sequence_location(sides[side]);
  if (!searched) return b->paths[side];
  snprintf(text, NAME_SIZE, "record %lld of %.300s",
           (long long)(block->records[side]->first + pair_block_record(block, side, pair) + 1),
           b->paths[side]);
  return text;
}

/* Reads a pair's records one by one. Returns the first error. */
static cla_status read_sides(cla_sequence *sides[2], const block_means *b, const pair_block *block,
                             int64_t index, cla_error *error) {
  cla_error other = {.status = CLA_OK};
  cla_status status = CLA_OK;
  for (int side = 0; side < 2; side++) {
    cla_error *why = status == CLA_OK ? error : &other;
    if (block->records[side]->sources) continue; /* these records were already read */
    const cla_status read = cla_record_block_read(&sides[side], block->records[side],
                                                  pair_block_record(block, side, index), &b->how, why);
    if (status == CLA_OK) status = read;
    if (status == CLA_OK) status = batch_run_check_alphabet(b->run, sides[side], b->how.alphabet, error);
  }
  return status;
}

/* Reports the error of a pair of a list that could not be read. Returns false if the pair could be read. */
static bool report_unread(const block_means *b, const pair_block *block, int64_t index) {
  const batch_lot *lot = &block->lot;
  for (int64_t i = 0; i < lot->failure_count; i++) {
    const batch_read_failure *failure = &lot->failures[i];
    if (failure->pair == index)
      batch_report_failure(&b->run->report, &failure->name, failure->error.status, &failure->error);
    if (failure->pair == index) return true;
  }
  return false;
}

/* Reports the error of a pair. If `status` is CLA_OK, the error is found by aligning the pair again. */
static void report_failure(block_means *b, const pair_block *block, int64_t index, cla_status status,
                           const cla_error *why) {
  cla_sequence *sides[2] = {NULL, NULL};
  cla_error error = {.status = CLA_OK};
  batch_pair_name name;
  char names[2][NAME_SIZE];
  if (pair_block_number(b, block, index) <= b->told || report_unread(b, block, index)) return;
  const cla_status read = read_sides(sides, b, block, index, &error);
  const cla_pair_arrays arrays = pair_block_arrays(b, block);
  cla_align_options align = b->align;
  if (b->large_memory > 0) align.budgets.memory_bytes = b->large_memory;
  if (status != CLA_OK)
    error = *why;
  else if (read != CLA_OK)
    status = read;
  else
    status = cla_pair_arrays_tell(&arrays, index, NULL, &align, &error);
  if (status == CLA_OK)
    status =
        cli_error(&error, (cla_status)block->found.status[index],
                  "it failed beside other pairs, but not by itself; take fewer --threads or free memory");
  batch_pair_describe_as(&name, &b->reader, pair_block_number(b, block, index),
                         side_name(names[0], b, block, index, sides, 0),
                         side_name(names[1], b, block, index, sides, 1));
  batch_report_failure(&b->run->report, &name, status, &error);
  for (int side = 0; side < 2; side++) cla_sequence_free(sides[side]);
}

/* Adds a block's text to an output. If the output's format cannot contain a pair, only that pair fails. */
static cla_status add_text(block_means *b, pair_block *block, int output, cla_error *error) {
  const cla_aligned_block aligned = pair_block_aligned(b, block);
  cla_status status = CLA_OK;
  for (int64_t next = 0; next < block->count && status == CLA_OK; next++) {
    status =
        cla_writer_add_block(b->run->outputs.writers[output], &aligned, &block->texts[output], &next, error);
    if (status == CLA_OK || status == CLA_ERROR_OUTPUT || status == CLA_ERROR_MEMORY) return status;
    if (!block->told[next]) report_failure(b, block, next, status, error);
    b->run->report.written -= !block->told[next];
    block->told[next] = true;
    if (!b->run->how.fail_fast) status = CLA_OK;
  }
  return status;
}

/* A block whose pairs are being saved and drawn. */
typedef struct kept_block {
  block_means *means;
  const pair_block *block;
} kept_block;

static cla_status keep_pair(int64_t pair, const cla_results *found, void *user, cla_error *error) {
  const kept_block *of = user;
  return batch_outputs_keep(&of->means->run->outputs, pair_block_number(of->means, of->block, pair), found,
                            error);
}

/* Saves and draws the block's pairs, if the options ask for it. */
static cla_status keep_pairs(block_means *b, const pair_block *block, cla_error *error) {
  const batch_outputs *out = &b->run->outputs;
  const cla_aligned_block aligned = pair_block_aligned(b, block);
  if (!out->save && !out->plot) return CLA_OK;
  return cla_aligned_block_each(&aligned, keep_pair, &(kept_block){b, block}, error);
}

cla_status pair_block_write(pair_block *block, block_means *b, cla_error *error) {
  batch_report *report = &b->run->report;
  const int64_t all = block->count;
  cla_status status = block->failed, failure = CLA_OK;
  if (status != CLA_OK) *error = block->error;
  for (int64_t i = 0; i < block->count && status == CLA_OK; i++) {
    const bool failed = block->found.status[i] != CLA_OK;
    const cla_error *why = block->refused ? block->refused[i] : NULL;
    if (failed) report_failure(b, block, i, why ? why->status : CLA_OK, why);
    if (failed && b->run->how.fail_fast) {
      failure = (cla_status)block->found.status[i];
      block->count = i; /* only the pairs before it are written */
    }
    report->written += !failed;
    report->without += !failed && block->none[i];
  }
  if (status == CLA_OK) status = keep_pairs(b, block, error);
  for (int i = 0; i < b->run->outputs.outputs->count && status == CLA_OK; i++)
    status = add_text(b, block, i, error);
  block->count = all;
  pair_block_uncertify(block);
  return status == CLA_OK ? failure : status;
}
