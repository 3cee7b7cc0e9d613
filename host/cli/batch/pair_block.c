/* A block of pairs: aligns them, makes their text, and writes it. */

#include "cli/batch/pair_block.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/report/report.h"

/* Blocks with fewer cells are done before a device would start. */
#define DEVICE_CELLS 5e8
/* Maximum number of pairs of a search per call while devices are being opened. */
#define PART_PAIRS 65536

cla_status pair_block_no_memory(cla_error *error) {
  return cli_error(error, CLA_ERROR_MEMORY, "out of memory for blocks of pairs; free some memory");
}

void pair_block_clear(pair_block *block) {
  for (int side = 0; side < 2; side++) {
    cla_record_block_free(&block->own[side]);
    if (!block->lot.numbers) free(block->of[side]);
    free(block->found.start[side]);
    free(block->found.end[side]);
  }
  batch_lot_free(&block->lot);
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

static int64_t record_of(const pair_block *block, int side, int64_t pair) {
  return block->of[side] ? block->of[side][pair] : pair;
}

static int64_t letters_of(const pair_block *block, int side, int64_t pair) {
  const int64_t *offset = block->records[side]->offsets + record_of(block, side, pair);
  return offset[1] - offset[0];
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

/* Makes room for the results of the block's pairs. */
static cla_status make_room(pair_block *block, bool paths, cla_error *error) {
  int64_t letters = paths ? 0 : -1;
  for (int64_t i = 0; i < block->count && paths; i++)
    for (int side = 0; side < 2; side++) letters += letters_of(block, side, i);
  return pair_block_room(block, block->count, letters, error);
}

static cla_pair_arrays arrays_of(const block_means *b, const pair_block *block) {
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
    any.query.end = letters_of(block, 0, i);
    any.target.end = letters_of(block, 1, i);
    if (block->found.status[i] == CLA_OK && batch_cutoff_count(cutoff, list, 1) == 0) block->none[i] = 1;
  }
}

void pair_block_settle(const block_means *b, pair_block *block) {
  const cla_align_options *wanted = &b->run->how.align;
  for (int side = 0; side < 2; side++) {
    const bool all = all_read(block->records[side]);
    for (int64_t i = 0; i < block->count && !all; i++) {
      const uint8_t read = block->records[side]->status[record_of(block, side, i)];
      if (read != CLA_OK) block->found.status[i] = read;
    }
  }
  /* Pairs that were reported earlier count as failed, even if they are readable here. */
  for (int64_t i = 0; i < block->count && b->told > 0; i++)
    if (pair_block_number(b, block, i) <= b->told) block->found.status[i] = CLA_ERROR_INPUT;
  if (block->count == 0) return; /* an empty block may have no arrays */
  memset(block->told, 0, (size_t)block->count * sizeof *block->told);
  memset(block->none, 0, (size_t)block->count * sizeof *block->none);
  for (int64_t i = 0; i < block->count && wanted->has_min_score; i++)
    block->none[i] = block->found.score[i] < wanted->min_score;
  if (b->run->cutoff.on && !b->run->search) cut_off(b, block);
}

static cla_aligned_block aligned_of(const block_means *b, const pair_block *block) {
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
                             .common = &b->common};
}

cla_status pair_block_make_texts(pair_block *block, const block_means *b, cla_error *error) {
  const cla_aligned_block aligned = aligned_of(b, block);
  cla_status status = CLA_OK;
  for (int i = 0; i < b->run->outputs.outputs->count && status == CLA_OK; i++)
    status = cla_writer_make_block(&block->texts[i], b->run->outputs.writers[i], &aligned, error);
  return status;
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
    cells += (double)letters_of(block, 0, i) * (double)letters_of(block, 1, i);
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
  const double began = block_seconds();
  cla_status status = cla_align_arrays(wanted, arrays, NULL, align, error);
  if (status == CLA_OK && b->alike && block->cells >= DEVICE_CELLS)
    block_devices_tell(&b->beside, with, block->cells, block_seconds() - began);
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
  const cla_pair_arrays arrays = arrays_of(b, block);
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
  const cla_pair_arrays arrays = arrays_of(b, block);
  return cla_arrays_ranks_send(ranks, &block->found, &arrays, block);
}

/* Aligns again the pairs that failed on the other rank, because this rank may have more memory, or a
 * device. */
cla_status pair_block_returned(pair_block *block, block_means *b, cla_error *error) {
  const double cells = block->cells;
  bool any = false;
  if (block->unsolved) return pair_block_solve(block, b, false, error);
  cla_status status = pair_block_again(block, b, &any, error);
  block->cells = cells;
  block->keep.replayed = 0;
  if (status == CLA_OK) pair_block_settle(b, block);
  return status;
}

cla_status pair_block_spread(pair_block *block, const bool *none, int64_t count, cla_error *error) {
  cla_pair_results *found = &block->found;
  int64_t from = block->count - 1;
  block->count = count;
  cla_status status = make_room(block, false, error);
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

double block_seconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Returns how a side of a pair is called in messages. In a search, the target has not been read if the query
 * is unreadable. */
static const char *side_name(char *text, size_t size, const block_means *b, const pair_block *block,
                             int64_t pair, cla_sequence *const sides[2], int side) {
  const bool searched = block->of[1] != NULL;
  if (block->records[side]->sources) {
    const int64_t record = block->of[side][pair];
    const cla_record_source *source = &block->records[side]->sources[record];
    if (source->sequence) return cla_sequence_location(source->sequence);
    snprintf(text, size, "%.400s:%.100s", source->block->path,
             block->records[side]->names + block->records[side]->name_offsets[record]);
    return text;
  }
  const bool query_read = sides[0] || block->records[0]->sources;
  if (sides[side] && (query_read || !searched)) return cla_sequence_location(sides[side]);
  if (!searched) return b->paths[side];
  snprintf(text, size, "record %lld of %.300s",
           (long long)(block->records[side]->first + record_of(block, side, pair) + 1), b->paths[side]);
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
                                                  record_of(block, side, index), &b->how, why);
    if (status == CLA_OK) status = read;
    if (status == CLA_OK) status = batch_run_check_alphabet(b->run, sides[side], b->how.alphabet, error);
  }
  return status;
}

int64_t pair_block_number(const block_means *b, const pair_block *block, int64_t pair) {
  if (block->lot.numbers) return block->lot.numbers[pair];
  const int64_t row = block->records[0]->first + record_of(block, 0, pair);
  if (!block->of[1]) return row + 1;
  const int64_t before = row * b->targets - (b->one_file ? row * (row + 1) / 2 + row + 1 : 0);
  return before + block->of[1][pair] + 1;
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
  char names[2][512];
  if (pair_block_number(b, block, index) <= b->told || report_unread(b, block, index)) return;
  const cla_status read = read_sides(sides, b, block, index, &error);
  const cla_pair_arrays arrays = arrays_of(b, block);
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
                         side_name(names[0], sizeof names[0], b, block, index, sides, 0),
                         side_name(names[1], sizeof names[1], b, block, index, sides, 1));
  batch_report_failure(&b->run->report, &name, status, &error);
  for (int side = 0; side < 2; side++) cla_sequence_free(sides[side]);
}

/* Adds a block's text to an output. If the output's format cannot contain a pair, only that pair fails. */
static cla_status add_text(block_means *b, pair_block *block, int output, cla_error *error) {
  const cla_aligned_block aligned = aligned_of(b, block);
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
  const cla_aligned_block aligned = aligned_of(b, block);
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
    if (failed) report_failure(b, block, i, CLA_OK, NULL);
    if (failed && b->run->how.fail_fast) {
      failure = (cla_status)block->found.status[i];
      block->count = i; /* only the earlier pairs are written */
    }
    report->written += !failed;
    report->without += !failed && block->none[i];
  }
  if (status == CLA_OK) status = keep_pairs(b, block, error);
  for (int i = 0; i < b->run->outputs.outputs->count && status == CLA_OK; i++)
    status = add_text(b, block, i, error);
  block->count = all;
  return status == CLA_OK ? failure : status;
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
  b->began = block_seconds();
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
