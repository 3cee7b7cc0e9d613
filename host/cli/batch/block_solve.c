/* Aligns the pairs of a block. */

#include <stdlib.h>
#include <string.h>

#include "cli/batch/pair_block.h"
#include "cli/report/report.h"

/* Blocks with fewer cells are done before a device would start. */
#define DEVICE_CELLS 5e8
/* Maximum number of pairs of a search per call while devices are being opened. */
#define PART_PAIRS 65536

/* Makes room for the results of the block's pairs. */
static cla_status make_room(pair_block *block, bool paths, cla_error *error) {
  int64_t letters = paths ? 0 : -1;
  for (int64_t i = 0; i < block->count && paths; i++)
    for (int side = 0; side < 2; side++) letters += pair_block_letters(block, side, i);
  return pair_block_room(block, block->count, letters, error);
}

static bool all_read(const cla_record_block *records) {
  bool failed = false;
  for (int64_t i = 0; i < records->count; i++) failed |= records->status[i] != CLA_OK;
  return !failed;
}

/* Marks the alignments that are too likely by chance as unwanted. */
static void cut_off(const block_means *b, pair_block *block) {
  const batch_cutoff *cutoff = &b->run->cutoff;
  cla_alignment any = b->common;
  const cla_alignment *const list[] = {&any};
  for (int64_t i = 0; i < block->count; i++) {
    any.score = block->found.score[i];
    any.query.end = pair_block_letters(block, 0, i);
    any.target.end = pair_block_letters(block, 1, i);
    if (block->found.status[i] == CLA_OK && batch_cutoff_count(cutoff, list, 1) == 0) block->none[i] = 1;
  }
}

void pair_block_settle(const block_means *b, pair_block *block) {
  const cla_align_options *wanted = &b->run->how.align;
  for (int side = 0; side < 2; side++) {
    const bool all = all_read(block->records[side]);
    for (int64_t i = 0; i < block->count && !all; i++) {
      const uint8_t read = block->records[side]->status[pair_block_record(block, side, i)];
      if (read != CLA_OK) block->found.status[i] = read;
    }
  }
  /* Pairs that were reported before have failed, whether they are readable or not. */
  for (int64_t i = 0; i < block->count && b->told > 0; i++)
    if (pair_block_number(b, block, i) <= b->told) block->found.status[i] = CLA_ERROR_INPUT;
  if (block->count == 0) return; /* an empty block may have no arrays */
  memset(block->told, 0, (size_t)block->count * sizeof *block->told);
  memset(block->none, 0, (size_t)block->count * sizeof *block->none);
  for (int64_t i = 0; i < block->count && wanted->has_min_score; i++)
    block->none[i] = block->found.score[i] < wanted->min_score;
  if (b->run->cutoff.on && !b->run->search) cut_off(b, block);
}

static bool lacks_memory(const pair_block *block) {
  for (int64_t i = 0; i < block->count; i++)
    if (block->found.status[i] == CLA_ERROR_MEMORY) return true;
  return false;
}

/* Returns the number of cells of all pairs. If each query has all targets, it is the product of the letters
 * of both sides. */
static double cells_of(const pair_block *block) {
  double cells = 0;
  const int64_t *queries = block->records[0]->offsets, *targets = block->records[1]->offsets;
  const int64_t first = block->first_query, past = first + block->queries;
  if (block->queries > 0)
    return (double)(queries[past] - queries[first]) * (double)targets[block->records[1]->count];
  for (int64_t i = 0; i < block->count; i++)
    cells += (double)pair_block_letters(block, 0, i) * (double)pair_block_letters(block, 1, i);
  return cells;
}

/* Sets the devices in `align` for a block that is large enough. Returns true if it did. */
static bool use_devices(cla_align_options *align, block_means *b, const pair_block *block,
                        const cla_pair_arrays *arrays) {
  if (block->cells < DEVICE_CELLS) return false;
  block_devices_want(&b->beside, block->seconds, arrays, align);
  return block_devices_use(&b->beside, align, b->alike);
}

/* Aligns all pairs of the block in one call. */
static cla_status solve_whole(cla_pair_results *wanted, const cla_pair_arrays *arrays, block_means *b,
                              const pair_block *block, cla_align_options *align, cla_error *error) {
  const bool with = use_devices(align, b, block, arrays);
  const double began = cli_seconds();
  cla_status status = cla_align_arrays(wanted, arrays, NULL, align, error);
  if (status == CLA_OK && b->alike && block->cells >= DEVICE_CELLS)
    block_devices_tell(&b->beside, with, block->cells, cli_seconds() - began);
  return status;
}

/* Scores all pairs of a search. While devices are being opened, scores them in parts, so that the devices can
 * take part from the next part on. */
static cla_status score_parts(cla_pair_results *wanted, const cla_pair_arrays *arrays, block_means *b,
                              const pair_block *block, cla_align_options *align, cla_error *error) {
  cla_pair_results results = *wanted;
  cla_pair_arrays part = *arrays;
  cla_status status = CLA_OK;
  for (int64_t done = 0; done < arrays->pairs && status == CLA_OK; done += part.pairs) {
    const bool with = use_devices(align, b, block, arrays);
    const bool waits = !with && block_devices_coming(&b->beside);
    const int64_t left = arrays->pairs - done;
    part.pairs = waits && left > PART_PAIRS ? PART_PAIRS : left;
    for (int side = 0; side < 2; side++) part.of[side] = arrays->of[side] + done;
    results.score = wanted->score + done;
    results.strand = wanted->strand + done;
    results.status = wanted->status + done;
    status = cla_align_arrays(&results, &part, NULL, align, error);
  }
  return status;
}

cla_status pair_block_solve(pair_block *block, block_means *b, bool scores_alone, cla_error *error) {
  cla_align_options align = b->align;
  block->cells = cells_of(block);
  block->scores_alone = align.score_only = scores_alone || align.score_only;
  if (align.score_only) align.gap_placement = CLA_GAPS_CANONICAL;
  cla_status status = make_room(block, !align.score_only, error);
  const cla_pair_arrays arrays = pair_block_arrays(b, block);
  cla_pair_results wanted = block->found;
  for (int side = 0; side < 2 && scores_alone; side++) wanted.start[side] = wanted.end[side] = NULL;
  if (status == CLA_OK && scores_alone && b->ranks)
    status = search_on_ranks(&wanted, &arrays, b->ranks, &align, error);
  else if (status == CLA_OK && scores_alone)
    status = score_parts(&wanted, &arrays, b, block, &align, error);
  else if (status == CLA_OK)
    status = solve_whole(&wanted, &arrays, b, block, &align, error);
  if (status == CLA_OK && b->large_memory > 0 && lacks_memory(block)) {
    align.budgets.memory_bytes = b->large_memory;
    pthread_mutex_lock(&b->large);
    status = cla_align_arrays(&wanted, &arrays, NULL, &align, error);
    pthread_mutex_unlock(&b->large);
  }
  if (status == CLA_OK) pair_block_settle(b, block);
  return status;
}

bool pair_block_lend(pair_block *block, const block_means *b, cla_arrays_ranks *ranks, cla_error *error) {
  block->cells = cells_of(block);
  block->scores_alone = b->align.score_only;
  if (make_room(block, !block->scores_alone, error) != CLA_OK) return false;
  const cla_pair_arrays arrays = pair_block_arrays(b, block);
  return cla_arrays_ranks_send(ranks, &block->found, &arrays, block);
}

/* Stops the use of devices after one has failed. */
static void note_lost(const char *text, void *user) {
  block_means *b = user;
  if (block_devices_lose(&b->beside)) batch_report_warn(&b->run->report, text);
}

cla_status block_means_open(block_means *b, const cla_device_options *device, double seconds,
                            cla_error *error) {
  cla_status status = cli_late_device_begin(&b->device, device, true, error);
  if (status != CLA_OK) return status;
  if (pthread_mutex_init(&b->large, NULL) != 0) return pair_block_no_memory(error);
  b->begun = true;
  return block_devices_begin(&b->beside, device, &b->device.lock, seconds, error);
}

cla_status block_means_begin(block_means *b, batch_run *run, cla_error *error) {
  b->run = run;
  b->reader.unit = run->reader ? run->reader->unit : "pair";
  b->directory = run->units.directory;
  b->told = b->list ? 0 : run->report.failed;
  b->align = run->how.align;
  b->align.has_min_score = false;
  b->align.ranks = NULL;
  b->align.host_cells = CLA_HOST_CELLS;
  b->align.callbacks = (cla_callbacks){
      .device = cli_late_device_open, .device_user = &b->device, .note = note_lost, .note_user = b};
  b->began = cli_seconds();
  /* In a batch of proteins, the alphabet of each record is detected. */
  b->how.known |= run->alphabet != CLA_ALPHABET_PROTEIN;
  b->how.alphabet = run->alphabet;
  b->common = (cla_alignment){.mode = b->align.mode,
                              .free_ends = b->align.free_ends,
                              .alphabet = run->alphabet,
                              .scoring = b->align.scoring,
                              .gap_placement = b->align.gap_placement};
  return block_devices_wait(&b->beside, error);
}

void block_means_end(block_means *b) {
  block_devices_end(&b->beside);
  cli_late_device_end(&b->device);
  if (b->begun) pthread_mutex_destroy(&b->large);
  b->begun = false;
}
