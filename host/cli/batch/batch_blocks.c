/* Pairs of two files in blocks: each thread cuts a block off both files, aligns it and makes its text, and
 * blocks are written in their order. */

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "clalign/arrays.h"
#include "clalign/record_blocks.h"
#include "cli/batch/batch_run.h"
#include "cli/report/report.h"

/* A block has so many pairs at the most, of queries of so many bytes. */
#define BLOCK_PAIRS 2048
#define BLOCK_BYTES (INT64_C(1) << 20)
/* Targets are as many as queries, however long. */
#define ANY_BYTES INT64_MAX
/* Blocks on their way for each thread. */
#define BLOCKS_OF_THREAD 2
#define SECONDS_BETWEEN_LOOKS 0.1
/* Pairs of more letters in the mean are aligned one by one, by all threads and devices. */
#define LETTERS_MOST 4096

/* Pairs on their way. */
typedef struct pair_block {
  int64_t number; /* among all blocks, from 0 */
  cla_record_block sides[2];
  int64_t count, room; /* pairs, and for how many there are arrays */
  cla_pair_results found;
  uint8_t *none; /* not 0: a pair has no alignment that is wanted */
  cla_block_text texts[OUTPUT_LIMIT];
  double cells;
  cla_status failed; /* of the block as a whole */
  cla_error error;
  struct pair_block *next; /* among the free ones */
} pair_block;

struct batch_blocks {
  batch_run *run;
  const char *paths[2];
  cla_record_blocks *files[2];
  cla_sequence_options how;
  cla_align_options align; /* of each block */
  cla_alignment common;    /* what all alignments have */
  int threads;
  const cla_device_options *device_options;
  cli_devices devices;                    /* for what threads cannot take; opened for the first such pair */
  batch_reader reader;                    /* says what pairs are called */
  pthread_mutex_t cutting, lock, opening; /* of the files, of all below, and of the devices */
  pthread_cond_t changed;
  pair_block *held;          /* the first block, if it was cut already */
  pair_block *free, **ready; /* by number */
  int blocks, at_work;
  int64_t cut, written, pairs; /* blocks; pairs that were cut */
  bool ended, writing, stopped;
};

static cla_status no_memory(cla_error *error) {
  return cli_error(error, CLA_ERROR_MEMORY, "out of memory for blocks of pairs; free some memory");
}

/* Both files must end together. */
static void note_uneven(batch_blocks *b, int longer) {
  b->run->read_status =
      cli_error(&b->run->read_error, CLA_ERROR_INPUT,
                "%.512s has %lld records, and %.512s has more; --pairwise takes as many of both",
                b->paths[1 - longer], (long long)b->pairs, b->paths[longer]);
}

/* Cuts the next pairs off both files; the block has none at their end. */
static cla_status cut_block(pair_block *block, batch_blocks *b, cla_error *error) {
  block->count = 0;
  cla_status status = cla_record_block_cut(&block->sides[0], b->files[0], BLOCK_PAIRS, BLOCK_BYTES, error);
  if (status != CLA_OK) return status;
  const int64_t queries = block->sides[0].count;
  status = cla_record_block_cut(&block->sides[1], b->files[1], queries > 0 ? queries : 1, ANY_BYTES, error);
  if (status != CLA_OK) return status;
  const int64_t targets = block->sides[1].count;
  block->count = queries < targets ? queries : targets;
  b->pairs += block->count;
  b->ended = queries == 0 || targets < queries;
  if (queries != targets) note_uneven(b, targets > queries);
  return CLA_OK;
}

static void free_block(pair_block *block) {
  if (!block) return;
  for (int side = 0; side < 2; side++) {
    cla_record_block_free(&block->sides[side]);
    free(block->found.start[side]);
    free(block->found.end[side]);
  }
  for (int i = 0; i < OUTPUT_LIMIT; i++) cla_block_text_free(&block->texts[i]);
  free(block->found.score);
  free(block->found.strand);
  free(block->found.runs);
  free(block->found.run_offsets);
  free(block->found.status);
  free(block->none);
  free(block);
}

static bool resize(void **array, int64_t count, size_t size) {
  void *more = realloc(*array, (size_t)(count > 0 ? count : 1) * size);
  if (more) *array = more;
  return more;
}

/* Room for what is found of the block's pairs. */
static cla_status make_room(pair_block *block, bool paths, cla_error *error) {
  cla_pair_results *found = &block->found;
  bool made = true;
  int64_t letters = 0;
  for (int side = 0; side < 2; side++) letters += block->sides[side].offsets[block->count];
  if (block->count > block->room) {
    for (int side = 0; side < 2; side++) {
      made = made && resize((void **)&found->start[side], block->count, sizeof *found->start[side]);
      made = made && resize((void **)&found->end[side], block->count, sizeof *found->end[side]);
    }
    made = made && resize((void **)&found->score, block->count, sizeof *found->score);
    made = made && resize((void **)&found->strand, block->count, sizeof *found->strand);
    made = made && resize((void **)&found->status, block->count, sizeof *found->status);
    made = made && resize((void **)&block->none, block->count, sizeof *block->none);
    made = made && resize((void **)&found->run_offsets, block->count + 1, sizeof *found->run_offsets);
    block->room = made ? block->count : 0;
  }
  if (made && paths && letters > found->runs_capacity) {
    made = resize((void **)&found->runs, letters, sizeof *found->runs);
    found->runs_capacity = made ? letters : 0;
  }
  return made ? CLA_OK : no_memory(error);
}

static cla_pair_arrays arrays_of(const batch_blocks *b, const pair_block *block) {
  const cla_record_block *query = &block->sides[0], *target = &block->sides[1];
  return (cla_pair_arrays){.alphabet = b->how.alphabet,
                           .coded = true,
                           .letters = {query->codes, target->codes},
                           .offsets = {query->offsets, target->offsets},
                           .sequences = {query->count, target->count},
                           .pairs = block->count};
}

/* A pair is as good as its records; what scores too little has no alignment to write. */
static void settle_statuses(const batch_blocks *b, pair_block *block) {
  const cla_align_options *wanted = &b->run->how.align;
  for (int64_t i = 0; i < block->count; i++) {
    for (int side = 0; side < 2; side++)
      if (block->sides[side].status[i] != CLA_OK) block->found.status[i] = block->sides[side].status[i];
    const double rows = (double)(block->sides[0].offsets[i + 1] - block->sides[0].offsets[i]);
    const double columns = (double)(block->sides[1].offsets[i + 1] - block->sides[1].offsets[i]);
    block->none[i] = wanted->has_min_score && block->found.score[i] < wanted->min_score;
    block->cells += rows * columns;
  }
}

static cla_aligned_block aligned_of(const batch_blocks *b, const pair_block *block) {
  const cla_pair_results *found = &block->found;
  return (cla_aligned_block){.count = block->count,
                             .records = {&block->sides[0], &block->sides[1]},
                             .status = found->status,
                             .none = block->none,
                             .score = found->score,
                             .start = {found->start[0], found->start[1]},
                             .end = {found->end[0], found->end[1]},
                             .runs = b->align.score_only ? NULL : found->runs,
                             .run_offsets = found->run_offsets,
                             .strand = found->strand,
                             .common = &b->common};
}

static cla_status make_texts(const batch_blocks *b, pair_block *block, cla_error *error) {
  const cla_aligned_block aligned = aligned_of(b, block);
  cla_status status = CLA_OK;
  for (int i = 0; i < b->run->outputs.outputs->count && status == CLA_OK; i++)
    status = cla_writer_make_block(&block->texts[i], b->run->outputs.writers[i], &aligned, error);
  return status;
}

/* From the bytes of a block's records to its text. */
static cla_status solve_block(const batch_blocks *b, pair_block *block, cla_error *error) {
  cla_status status = CLA_OK;
  block->cells = 0;
  for (int side = 0; side < 2 && status == CLA_OK; side++)
    status = cla_record_block_parse(&block->sides[side], &b->how, error);
  if (status == CLA_OK) status = make_room(block, !b->align.score_only, error);
  const cla_pair_arrays arrays = arrays_of(b, block);
  if (status == CLA_OK) status = cla_align_arrays(&block->found, &arrays, NULL, &b->align, error);
  if (status != CLA_OK) return status;
  settle_statuses(b, block);
  return make_texts(b, block, error);
}

/* What a side of a pair is called in messages. */
static const char *side_name(const batch_blocks *b, const cla_sequence *sequence, int side) {
  return sequence ? cla_sequence_location(sequence) : b->paths[side];
}

/* A pair's records, as if they had been read one by one; the first one's error is told. */
static cla_status read_sides(cla_sequence *sides[2], const batch_blocks *b, const pair_block *block,
                             int64_t index, cla_error *error) {
  cla_error other = {.status = CLA_OK};
  cla_status status = CLA_OK;
  for (int side = 0; side < 2; side++) {
    cla_error *why = status == CLA_OK ? error : &other;
    const cla_status read = cla_record_block_read(&sides[side], &block->sides[side], index, &b->how, why);
    if (status == CLA_OK) status = read;
  }
  return status;
}

/* Tells an error of a pair; CLA_OK: it is to be found out. */
static void report_failure(batch_blocks *b, const pair_block *block, int64_t index, cla_status status,
                           const cla_error *why) {
  cla_sequence *sides[2] = {NULL, NULL};
  cla_error error = {.status = CLA_OK};
  batch_pair_name name;
  const cla_status read = read_sides(sides, b, block, index, &error);
  const cla_pair_arrays arrays = arrays_of(b, block);
  if (status != CLA_OK)
    error = *why;
  else if (read != CLA_OK)
    status = read;
  else
    status = cla_pair_arrays_tell(&arrays, index, NULL, &b->align, &error);
  if (status == CLA_OK) status = (cla_status)block->found.status[index];
  batch_pair_describe_as(&name, &b->reader, block->sides[0].first + index + 1, side_name(b, sides[0], 0),
                         side_name(b, sides[1], 1));
  batch_report_failure(&b->run->report, &name, status, &error);
  for (int side = 0; side < 2; side++) cla_sequence_free(sides[side]);
}

/* Adds a block's text to an output. What the output cannot hold is the pair's own error. */
static cla_status add_text(batch_blocks *b, pair_block *block, int output, cla_error *error) {
  const cla_aligned_block aligned = aligned_of(b, block);
  cla_status status = CLA_OK;
  for (int64_t next = 0; next < block->count && status == CLA_OK; next++) {
    status =
        cla_writer_add_block(b->run->outputs.writers[output], &aligned, &block->texts[output], &next, error);
    if (status == CLA_OK || status == CLA_ERROR_OUTPUT || status == CLA_ERROR_MEMORY) return status;
    report_failure(b, block, next, status, error);
    b->run->report.written--;
    if (!b->run->how.fail_fast) status = CLA_OK;
  }
  return status;
}

/* Adds a block's pairs to the report and its text to the outputs. */
static cla_status write_block(batch_blocks *b, pair_block *block, cla_error *error) {
  batch_report *report = &b->run->report;
  cla_status status = block->failed;
  if (status != CLA_OK) *error = block->error;
  for (int64_t i = 0; i < block->count && status == CLA_OK; i++) {
    const bool failed = block->found.status[i] != CLA_OK;
    if (failed) report_failure(b, block, i, CLA_OK, NULL);
    if (failed && b->run->how.fail_fast) status = (cla_status)block->found.status[i];
    report->written += !failed;
    report->without += !failed && block->none[i];
  }
  for (int i = 0; i < b->run->outputs.outputs->count && status == CLA_OK; i++)
    status = add_text(b, block, i, error);
  report->cells += block->cells;
  report->done_before += block->count;
  return status;
}

/* Ends the run with an error. */
static void stop(batch_blocks *b, cla_status status, const cla_error *error) {
  b->stopped = true;
  pthread_cond_broadcast(&b->changed);
  if (b->run->stopped != CLA_OK) return;
  b->run->stopped = status;
  b->run->why = *error;
}

/* Writes all blocks whose turn it is, unless another thread does. With the lock, which it leaves meanwhile.
 */
static void write_ready(batch_blocks *b) {
  if (b->writing) return;
  b->writing = true;
  for (pair_block *block; !b->stopped && (block = b->ready[b->written % b->blocks]);) {
    cla_error error = {.status = CLA_OK};
    pthread_mutex_unlock(&b->lock);
    const cla_status status = write_block(b, block, &error);
    pthread_mutex_lock(&b->lock);
    if (status != CLA_OK) stop(b, status, &error);
    b->ready[b->written++ % b->blocks] = NULL;
    block->next = b->free;
    b->free = block;
    pthread_cond_broadcast(&b->changed);
  }
  b->writing = false;
}

/* A block with the next pairs; NULL at the end, or when the run has stopped. */
static pair_block *next_block(batch_blocks *b) {
  cla_error error = {.status = CLA_OK};
  pair_block *block = NULL;
  pthread_mutex_lock(&b->cutting);
  pthread_mutex_lock(&b->lock);
  while (!b->held && !b->free && !b->stopped) pthread_cond_wait(&b->changed, &b->lock);
  const bool cut = b->held && !b->stopped;
  if (cut) {
    block = b->held;
    b->held = NULL;
  } else if (!b->ended && !b->stopped) {
    block = b->free;
    b->free = block->next;
  }
  pthread_mutex_unlock(&b->lock);
  const cla_status status = block && !cut ? cut_block(block, b, &error) : CLA_OK;
  if (block) block->number = b->cut;
  const bool any = block && status == CLA_OK && block->count > 0;
  b->cut += any;
  pthread_mutex_unlock(&b->cutting);
  if (!block || any) return block;
  pthread_mutex_lock(&b->lock);
  if (status != CLA_OK) stop(b, status, &error);
  block->next = b->free;
  b->free = block;
  pthread_mutex_unlock(&b->lock);
  return NULL;
}

static void *work(void *user) {
  batch_blocks *b = user;
  for (pair_block *block; (block = next_block(b));) {
    block->failed = solve_block(b, block, &block->error);
    pthread_mutex_lock(&b->lock);
    b->ready[block->number % b->blocks] = block;
    write_ready(b);
    pthread_mutex_unlock(&b->lock);
  }
  pthread_mutex_lock(&b->lock);
  b->at_work--;
  pthread_cond_broadcast(&b->changed);
  pthread_mutex_unlock(&b->lock);
  return NULL;
}

/* A pair that lanes and host cannot take needs a device, which is opened for the first such pair. */
static cla_status open_late(cla_device **device, const cla_tuning **tuning, void *user, cla_error *error) {
  batch_blocks *b = user;
  cla_status status = CLA_OK;
  pthread_mutex_lock(&b->opening);
  if (b->devices.count == 0) {
    status = cli_devices_open(&b->devices, b->device_options, error);
    if (status == CLA_OK) status = cli_devices_load_tuning(&b->devices, true, error);
  }
  if (status == CLA_OK) {
    *device = b->devices.items[0];
    *tuning = b->devices.tunings[0];
  }
  pthread_mutex_unlock(&b->opening);
  return status;
}

static void show_progress(batch_blocks *b, double seconds) {
  const cla_batch_progress progress = {.seconds = seconds, .seconds_left = -1};
  batch_report_progress(&b->run->report, &progress);
  batch_outputs_flush(&b->run->outputs);
}

static double seconds_now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Waits until all threads have ended. */
static void watch(batch_blocks *b, double began) {
  cla_error error = {.status = CLA_OK};
  pthread_mutex_lock(&b->lock);
  while (b->at_work > 0) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += (long)(1e9 * SECONDS_BETWEEN_LOOKS);
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_cond_timedwait(&b->changed, &b->lock, &until);
    if (!b->writing) show_progress(b, seconds_now() - began);
    if (interrupt_requested() && !b->stopped)
      stop(b, CLA_ERROR_INTERRUPTED, (cli_error(&error, CLA_ERROR_INTERRUPTED, "interrupted"), &error));
  }
  pthread_mutex_unlock(&b->lock);
}

static cla_status make_blocks(batch_blocks *b, cla_error *error) {
  b->ready = calloc((size_t)b->blocks, sizeof *b->ready);
  if (!b->ready) return no_memory(error);
  for (int i = 0; i < b->blocks; i++) {
    pair_block *block = calloc(1, sizeof *block);
    if (!block) return no_memory(error);
    block->next = b->free;
    b->free = block;
  }
  return CLA_OK;
}

cla_status batch_blocks_all(batch_blocks *b, const cla_device_options *device, cla_error *error) {
  const double began = seconds_now();
  batch_run *run = b->run;
  int started = 0;
  b->threads = run->how.align.budgets.threads > 0 ? run->how.align.budgets.threads : cla_host_threads();
  b->blocks = BLOCKS_OF_THREAD * b->threads + 1;
  b->device_options = device;
  b->align = run->how.align;
  b->align.has_min_score = false;
  b->align.budgets.threads = 1;
  b->align.host_cells = CLA_HOST_CELLS;
  b->align.callbacks = (cla_callbacks){.device = open_late, .device_user = b};
  b->how.known = true;
  b->how.alphabet = run->alphabet;
  b->common = (cla_alignment){.mode = b->align.mode,
                              .free_ends = b->align.free_ends,
                              .alphabet = run->alphabet,
                              .scoring = b->align.scoring};
  pthread_t *threads = calloc((size_t)b->threads, sizeof *threads);
  cla_status status = threads ? make_blocks(b, error) : no_memory(error);
  b->at_work = status == CLA_OK ? b->threads : 0;
  for (; started < b->at_work && batch_thread_start(&threads[started], work, b); started++) {
  }
  if (status == CLA_OK && started == 0) status = no_memory(error);
  pthread_mutex_lock(&b->lock);
  b->at_work -= status == CLA_OK ? b->threads - started : 0;
  pthread_mutex_unlock(&b->lock);
  if (started > 0) watch(b, began);
  for (int i = 0; i < started; i++) pthread_join(threads[i], NULL);
  free(threads);
  run->report.seconds += seconds_now() - began;
  if (status != CLA_OK || run->stopped == CLA_OK) return status;
  *error = run->why;
  return run->stopped;
}

/* A file that can be read twice. */
static bool is_file(const char *path) {
  struct stat facts;
  return stat(path, &facts) == 0 && S_ISREG(facts.st_mode);
}

/* Letters of a block's pairs, in the mean of each side. */
static double mean_letters(const pair_block *block) {
  const double bytes = (double)block->sides[0].byte_count + (double)block->sides[1].byte_count;
  return bytes / 2 / (double)block->count;
}

/* Cuts the first block, which says what alphabet all pairs have. False where blocks are not the way: no pair
 * can be read, long pairs are better aligned one by one, and a protein's records are told one by one from
 * those of DNA. */
static bool look_at_first(batch_blocks *b, cla_alphabet *alphabet) {
  cla_error ignored;
  pair_block *block = b->held = calloc(1, sizeof *block);
  if (!block || cut_block(block, b, &ignored) != CLA_OK || block->count == 0) return false;
  if (mean_letters(block) > LETTERS_MOST) return false;
  for (int64_t i = 0; i < block->count && !b->how.known; i++) {
    cla_sequence *sides[2] = {NULL, NULL};
    for (int side = 0; side < 2; side++)
      if (cla_record_block_read(&sides[side], &block->sides[side], i, &b->how, &ignored) != CLA_OK)
        sides[side] = NULL;
    if (sides[0] && sides[1]) {
      *alphabet = cla_sequence_alphabet(sides[0]);
      b->how.known = *alphabet == CLA_ALPHABET_DNA && cla_sequence_alphabet(sides[1]) == *alphabet;
      i = block->count;
    }
    for (int side = 0; side < 2; side++) cla_sequence_free(sides[side]);
  }
  return b->how.known;
}

static bool open_files(batch_blocks *b, const batch_inputs *inputs) {
  cla_error ignored;
  const char *const paths[2] = {inputs->queries, inputs->targets};
  for (int side = 0; side < 2; side++) {
    b->paths[side] = paths[side];
    if (cla_record_blocks_open(&b->files[side], paths[side], b->how.qualities, &ignored) != CLA_OK)
      return false;
  }
  return true;
}

batch_blocks *batch_blocks_open(cla_alphabet *alphabet, const batch_inputs *inputs, batch_run *run) {
  batch_blocks *b = NULL;
  const bool files = inputs->pairwise && is_file(inputs->queries) && is_file(inputs->targets);
  /* What cannot be read twice is read here only where nothing can speak against it. */
  if (!inputs->pairwise || inputs->read_again || (!files && !inputs->how.known)) return NULL;
  b = calloc(1, sizeof *b);
  if (!b) return NULL;
  b->run = run;
  b->reader.unit = "pair";
  b->how = inputs->how;
  pthread_mutex_init(&b->cutting, NULL);
  pthread_mutex_init(&b->lock, NULL);
  pthread_mutex_init(&b->opening, NULL);
  pthread_cond_init(&b->changed, NULL);
  if (b->how.known) *alphabet = b->how.alphabet;
  if (open_files(b, inputs) && (!files || look_at_first(b, alphabet))) return b;
  run->read_status = CLA_OK;
  batch_blocks_close(b);
  return NULL;
}

void batch_blocks_close(batch_blocks *b) {
  if (!b) return;
  free_block(b->held);
  for (pair_block *block = b->free, *next; block; block = next) {
    next = block->next;
    free_block(block);
  }
  for (int i = 0; b->ready && i < b->blocks; i++) free_block(b->ready[i]);
  for (int side = 0; side < 2; side++) cla_record_blocks_close(b->files[side]);
  cli_devices_close(&b->devices);
  pthread_cond_destroy(&b->changed);
  pthread_mutex_destroy(&b->opening);
  pthread_mutex_destroy(&b->lock);
  pthread_mutex_destroy(&b->cutting);
  free(b->ready);
  free(b);
}
