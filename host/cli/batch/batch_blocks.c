/* Pairs of two files, or of a list, in blocks. Each thread cuts a block off, aligns it and makes its text;
 * blocks are written in their order. */

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

#include "cli/batch/pair_block.h"
#include "cli/report/report.h"

/* A block has so many pairs at the most, of queries of so many bytes. */
#define BLOCK_PAIRS 2048
/* Host threads compute so many pairs together: blocks of long pairs have a multiple of that. */
#define PAIRS_TOGETHER 64
#define BLOCK_BYTES (INT64_C(1) << 20)
/* A block takes so many bytes for each byte of its queries: both records as read and as codes, paths and
 * text. */
#define BYTES_OF_BYTE 24
/* Of --memory blocks take this part, and pairs that are aligned by themselves as much. */
#define BLOCKS_SHARE 4
/* A pair that needs more gets this part, one pair at a time. */
#define LARGE_SHARE 2
#define BLOCK_BYTES_LEAST (INT64_C(1) << 13)
/* A block has as many targets as queries, however long they are. */
#define ANY_BYTES INT64_MAX
/* Blocks on their way for each thread. */
#define BLOCKS_OF_THREAD 2
#define SECONDS_BETWEEN_LOOKS 0.1
/* Seconds of work before which the rate is not known. */
#define SECONDS_THAT_TELL 0.1

struct batch_blocks {
  batch_run *run;
  block_means means;
  batch_pair *first; /* a list's first pair, if it was read already; NULL: it was not, or is in a block */
  cla_record_blocks *files[2];
  int threads;
  pthread_mutex_t cutting[2];  /* held while a block is cut off each file */
  pthread_cond_t turn_changed; /* `turn` has changed; waited for with cutting[1] */
  pthread_mutex_t lock;        /* guards all fields below, but the counts of cuts */
  pthread_cond_t changed;
  pair_block *held;   /* the first block, if it was cut already */
  pair_block *free;   /* blocks for further pairs */
  pair_block **ready; /* blocks to be written, each at its number modulo `blocks` */
  int blocks, at_work;
  int64_t block_bytes;      /* bytes of a block's queries, at the most */
  int64_t block_pairs;      /* the most of the next block */
  int64_t cut;              /* blocks with queries */
  int64_t index;            /* index of the next block's first pair */
  int64_t turn;             /* number of the next block that gets targets */
  int64_t pairs;            /* pairs that were cut off both files */
  int64_t written;          /* blocks that were written */
  double bytes;             /* of all queries, or of the list, as in the file; 0: not known */
  _Atomic double bytes_cut; /* of the queries or lines that were cut */
  atomic_bool ended;        /* one of the files has ended */
  bool writing, stopped;
};

/* Both files must end together. */
static void note_uneven(batch_blocks *b, int longer) {
  b->run->read_status =
      cli_error(&b->run->read_error, CLA_ERROR_INPUT,
                "%.512s has %lld records, and %.512s has more; --pairwise takes as many of both",
                b->means.paths[1 - longer], (long long)b->pairs, b->means.paths[longer]);
}

/* How long the rest of the queries takes, by what those until now have taken: if the file does not say how
 * many there are, as long again. */
static double seconds_left(const batch_blocks *b) {
  const double taken = block_seconds() - b->means.began;
  if (b->bytes_cut == 0 || taken < SECONDS_THAT_TELL) return 0;
  return b->bytes > 0 ? taken * (b->bytes - b->bytes_cut) / b->bytes_cut : taken;
}

/* How many pairs the next block has, by one that was cut: as many as its bytes allow, in full groups. */
static void set_block_pairs(batch_blocks *b, const cla_record_block *cut) {
  const int64_t groups = cut->count / PAIRS_TOGETHER;
  if (cut->count < b->block_pairs)
    b->block_pairs = groups > 0 ? groups * PAIRS_TOGETHER : PAIRS_TOGETHER;
  else if (cut->byte_count < b->block_bytes / 2)
    b->block_pairs = 2 * b->block_pairs < BLOCK_PAIRS ? 2 * b->block_pairs : BLOCK_PAIRS;
}

/* How many pairs the next block has: as many as an earlier run's block that begins with the same pair, and
 * otherwise `most`, but none of the next such block. */
static int64_t pairs_of_next(pair_block *block, const batch_blocks *b, int64_t most) {
  int64_t first = 0, past = 0;
  block->keep.first = b->index;
  block->keep.kept = 0;
  if (!b->means.directory || !cla_batch_directory_next(&first, &past, b->means.directory, b->index))
    return most;
  if (first == b->index) return block->keep.kept = past - first;
  return first - b->index < most ? first - b->index : most;
}

/* Reads the next pairs of the list, which ends behind them after an error. */
static cla_status cut_list(pair_block *block, batch_blocks *b, cla_error *error) {
  batch_lot *lot = &block->lot;
  cla_error why = {.status = CLA_OK};
  const int64_t most = pairs_of_next(block, b, BLOCK_PAIRS);
  cla_status status = batch_list_lot(lot, b->means.list, b->first, most,
                                     block->keep.kept > 0 ? ANY_BYTES : b->block_bytes, &why);
  b->first = NULL;
  b->index += lot->count;
  for (int side = 0; side < 2; side++) {
    block->records[side] = &lot->records[side];
    block->of[side] = lot->of[side];
  }
  block->count = lot->count;
  block->number = b->cut;
  block->seconds = seconds_left(b);
  b->bytes_cut = b->bytes_cut + (double)lot->bytes;
  b->cut += lot->count > 0;
  b->ended = b->ended || status != CLA_OK || lot->count == 0;
  if (status == CLA_ERROR_OPTION || status == CLA_ERROR_MEMORY) {
    *error = why;
    return status;
  }
  if (status != CLA_OK) {
    b->run->read_status = status;
    b->run->read_error = why;
  }
  return CLA_OK;
}

/* Cuts the next queries. A block has none at the end of the file. */
static cla_status cut_queries(pair_block *block, batch_blocks *b, cla_error *error) {
  cla_record_block *queries = &block->own[0];
  block->count = 0;
  const int64_t most = pairs_of_next(block, b, b->block_pairs);
  cla_status status = cla_record_block_cut(queries, b->files[0], most,
                                           block->keep.kept > 0 ? ANY_BYTES : b->block_bytes, error);
  if (status != CLA_OK) return status;
  if (most == b->block_pairs) set_block_pairs(b, queries);
  b->index += queries->count;
  block->seconds = seconds_left(b);
  b->bytes_cut = b->bytes_cut + (double)queries->byte_count;
  block->number = b->cut;
  b->cut += queries->count > 0;
  if (queries->count == 0) b->ended = true;
  return CLA_OK;
}

/* Cuts as many targets as queries. Behind the last query it tries one target more, to see whether the files
 * end together. */
static cla_status cut_targets(pair_block *block, batch_blocks *b, cla_error *error) {
  const int64_t queries = block->own[0].count;
  cla_status status =
      cla_record_block_cut(&block->own[1], b->files[1], queries > 0 ? queries : 1, ANY_BYTES, error);
  if (status != CLA_OK) return status;
  const int64_t targets = block->own[1].count;
  block->count = queries < targets ? queries : targets;
  b->pairs += block->count;
  if (queries == targets) return CLA_OK;
  b->ended = true;
  if (b->run->read_status == CLA_OK) note_uneven(b, targets > queries);
  return CLA_OK;
}

/* Takes what an earlier run has kept of the block. *again: pairs had failed, and were tried again. */
static cla_status recall(batch_blocks *b, pair_block *block, bool *again, cla_error *error) {
  block_bytes bytes = {.at = NULL};
  cla_status status =
      cla_batch_directory_find(&bytes.at, &bytes.count, b->means.directory, block->keep.first, error);
  block->scores_alone = b->means.align.score_only;
  block->cells = 0;
  if (status == CLA_OK) status = pair_block_unpack(block, &bytes, error);
  if (status == CLA_OK) status = pair_block_same(block, &b->means, error);
  if (status == CLA_OK) status = pair_block_again(block, &b->means, again, error);
  if (status == CLA_OK) pair_block_settle(&b->means, block);
  free(bytes.at);
  return status;
}

/* Solves the block, or takes it from the run directory, which keeps it. */
static cla_status solve_kept(batch_blocks *b, pair_block *block, cla_error *error) {
  block_bytes bytes = {.at = NULL};
  bool news = true;
  block->keep.replayed = 0;
  cla_status status = pair_block_mark(block, error);
  if (status == CLA_OK)
    status = block->keep.kept > 0 ? recall(b, block, &news, error)
                                  : pair_block_solve(block, &b->means, false, error);
  if (status != CLA_OK || !news) return status;
  status = pair_block_pack(&bytes, block, error);
  pthread_mutex_lock(&b->lock);
  if (status == CLA_OK)
    status = cla_batch_directory_keep(b->means.directory, block->keep.first, block->keep.first + block->count,
                                      bytes.at, bytes.count, error);
  pthread_mutex_unlock(&b->lock);
  free(bytes.at);
  return status;
}

/* From the bytes of a block's records to its text. */
static cla_status solve_block(batch_blocks *b, pair_block *block, cla_error *error) {
  cla_status status = CLA_OK;
  for (int side = 0; side < 2 && status == CLA_OK && !b->means.list; side++) {
    block->records[side] = &block->own[side];
    status = cla_record_block_parse(&block->own[side], &b->means.how, error);
  }
  if (status == CLA_OK)
    status =
        b->means.directory ? solve_kept(b, block, error) : pair_block_solve(block, &b->means, false, error);
  return status == CLA_OK ? pair_block_make_texts(block, &b->means, error) : status;
}

/* Ends the run with an error. */
static void stop(batch_blocks *b, cla_status status, const cla_error *error) {
  b->stopped = true;
  pthread_cond_broadcast(&b->changed);
  if (b->run->stopped != CLA_OK) return;
  b->run->stopped = status;
  b->run->why = *error;
}

/* Writes all blocks whose turn it is, unless another thread does. The lock is held, and given away meanwhile.
 */
static void write_ready(batch_blocks *b) {
  if (b->writing) return;
  b->writing = true;
  for (pair_block *block; !b->stopped && (block = b->ready[b->written % b->blocks]);) {
    cla_error error = {.status = CLA_OK};
    pthread_mutex_unlock(&b->lock);
    const cla_status status = pair_block_write(block, &b->means, &error);
    pthread_mutex_lock(&b->lock);
    if (status != CLA_OK) stop(b, status, &error);
    b->run->report.cells += block->cells;
    b->run->report.done_before += block->count - block->keep.replayed;
    b->run->report.replayed += block->keep.replayed;
    b->ready[b->written++ % b->blocks] = NULL;
    block->next = b->free;
    b->free = block;
    pthread_cond_broadcast(&b->changed);
  }
  b->writing = false;
}

/* Whether to go on; all threads ask. */
static bool may_go_on(const cla_progress *progress, void *user) {
  (void)progress;
  (void)user;
  return !interrupt_requested();
}

/* A free block with the next queries, or the one that is held; NULL at the end, or when the run has stopped.
 */
static pair_block *begin_block(batch_blocks *b, bool *is_cut) {
  pair_block *block = NULL;
  pthread_mutex_lock(&b->lock);
  while (!b->held && !b->free && !b->stopped) pthread_cond_wait(&b->changed, &b->lock);
  *is_cut = b->held && !b->stopped;
  if (*is_cut) {
    block = b->held;
    b->held = NULL;
  } else if (!b->ended && !b->stopped) {
    block = b->free;
    b->free = block->next;
  }
  pthread_mutex_unlock(&b->lock);
  return block;
}

/* Blocks get their targets in turn, while another thread cuts the next queries. */
static cla_status take_turn(pair_block *block, batch_blocks *b, cla_error *error) {
  pthread_mutex_lock(&b->cutting[1]);
  while (b->turn != block->number) pthread_cond_wait(&b->turn_changed, &b->cutting[1]);
  const cla_status status = cut_targets(block, b, error);
  b->turn++;
  pthread_cond_broadcast(&b->turn_changed);
  pthread_mutex_unlock(&b->cutting[1]);
  return status;
}

/* A block with the next pairs; NULL at the end, or when the run has stopped. */
static pair_block *next_block(batch_blocks *b) {
  cla_error error = {.status = CLA_OK};
  bool is_cut = false;
  pthread_mutex_lock(&b->cutting[0]);
  pair_block *block = begin_block(b, &is_cut);
  cla_status status = CLA_OK;
  if (block && !is_cut) status = b->means.list ? cut_list(block, b, &error) : cut_queries(block, b, &error);
  pthread_mutex_unlock(&b->cutting[0]);
  if (!block || is_cut) return block;
  if (status == CLA_OK && !b->means.list) status = take_turn(block, b, &error);
  if (status == CLA_OK && block->count > 0) return block;
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

static void show_progress(batch_blocks *b, double seconds) {
  const double left = b->bytes > 0 ? seconds_left(b) : 0;
  const cla_batch_progress progress = {.seconds = seconds, .seconds_left = left > 0 ? left : -1};
  batch_report_progress(&b->run->report, &progress);
  batch_outputs_flush(&b->run->outputs);
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
    if (!b->writing) show_progress(b, block_seconds() - began);
    if (interrupt_requested() && !b->stopped)
      stop(b, CLA_ERROR_INTERRUPTED, (cli_error(&error, CLA_ERROR_INTERRUPTED, "interrupted"), &error));
  }
  pthread_mutex_unlock(&b->lock);
}

/* A first block that was cut before the run directory was there need not be one that it keeps. */
static cla_status cut_again(batch_blocks *b, cla_error *error) {
  int64_t first = 0, past = 0;
  if (!b->held || !b->run->units.directory ||
      !cla_batch_directory_next(&first, &past, b->run->units.directory, 0))
    return CLA_OK;
  pair_block_free(b->held);
  b->held = NULL;
  b->index = b->turn = b->cut = b->pairs = 0;
  b->bytes_cut = 0;
  b->ended = false;
  b->run->read_status = CLA_OK;
  cla_status status = CLA_OK;
  for (int side = 0; side < 2 && status == CLA_OK; side++) {
    cla_record_blocks_close(b->files[side]);
    b->files[side] = NULL;
    status = cla_record_blocks_open(&b->files[side], b->means.paths[side], b->means.how.qualities, error);
  }
  return status;
}

static cla_status make_blocks(batch_blocks *b, cla_error *error) {
  b->ready = calloc((size_t)b->blocks, sizeof *b->ready);
  if (!b->ready) return pair_block_no_memory(error);
  /* There are as many blocks as places in `ready`, so no two blocks have the same place. */
  for (int i = b->held ? 1 : 0; i < b->blocks; i++) {
    pair_block *block = calloc(1, sizeof *block);
    if (!block) return pair_block_no_memory(error);
    block->next = b->free;
    b->free = block;
  }
  return CLA_OK;
}

cla_status batch_blocks_all(batch_blocks *b, const cla_device_options *device, cla_error *error) {
  const double began = block_seconds();
  batch_run *run = b->run;
  int started = 0;
  pthread_t *threads = calloc((size_t)b->threads, sizeof *threads);
  cla_status status = threads ? cut_again(b, error) : pair_block_no_memory(error);
  if (status == CLA_OK) status = make_blocks(b, error);
  if (status == CLA_OK) status = block_means_open(&b->means, device, 0, error);
  if (status == CLA_OK) status = block_means_begin(&b->means, run, error);
  b->means.align.budgets.threads = 1;
  b->means.alike = true;
  b->bytes = batch_file_bytes(b->means.paths[0], b->means.list != NULL);
  b->means.align.callbacks.progress = may_go_on;
  b->means.large_memory = b->means.align.budgets.memory_bytes / LARGE_SHARE;
  b->means.align.budgets.memory_bytes /= BLOCKS_SHARE * b->threads;
  const int wanted = status == CLA_OK ? b->threads : 0;
  b->at_work = wanted; /* the threads' own from here on */
  for (; threads && started < wanted && batch_thread_start(&threads[started], work, b); started++) {
  }
  if (status == CLA_OK && started == 0) status = pair_block_no_memory(error);
  pthread_mutex_lock(&b->lock);
  b->at_work -= wanted - started;
  pthread_mutex_unlock(&b->lock);
  if (started > 0) watch(b, began);
  for (int i = 0; i < started; i++) pthread_join(threads[i], NULL);
  free(threads);
  run->report.seconds += block_seconds() - began;
  if (status != CLA_OK || run->stopped == CLA_OK) return status;
  *error = run->why;
  return run->stopped;
}

/* Letters of a block's pairs, in the mean of each side. */
static double mean_letters(const pair_block *block) {
  const double bytes = (double)block->own[0].byte_count + (double)block->own[1].byte_count;
  return bytes / 2 / (double)block->count;
}

/* The alphabet of the first pair that can be read, if it has one. */
static bool find_alphabet(cla_alphabet *alphabet, const batch_blocks *b, const pair_block *block) {
  bool found = false;
  cla_error ignored;
  for (int64_t i = 0; i < block->count && !found; i++) {
    cla_sequence *sides[2] = {NULL, NULL};
    for (int side = 0; side < 2; side++)
      if (cla_record_block_read(&sides[side], &block->own[side], i, &b->means.how, &ignored) != CLA_OK)
        sides[side] = NULL;
    found = sides[0] && sides[1];
    if (found) *alphabet = cla_sequence_alphabet(sides[0]);
    const bool same = found && cla_sequence_alphabet(sides[1]) == *alphabet;
    for (int side = 0; side < 2; side++) cla_sequence_free(sides[side]);
    if (found && !same) return false;
  }
  return found;
}

/* Cuts the first block, which says what alphabet all pairs have. False where blocks are not the way: no pair
 * can be read, or long pairs are better aligned one by one. */
static bool look_at_first(batch_blocks *b, cla_alphabet *alphabet, bool kept) {
  cla_error ignored;
  pair_block *block = b->held = calloc(1, sizeof *block);
  if (!block || cut_queries(block, b, &ignored) != CLA_OK || cut_targets(block, b, &ignored) != CLA_OK ||
      block->count == 0)
    return false;
  b->turn = 1;
  if (!kept && mean_letters(block) > (double)cla_arrays_letters(&b->run->how.align)) return false;
  return b->means.how.known || find_alphabet(alphabet, b, block);
}

static bool open_files(batch_blocks *b, const batch_inputs *inputs) {
  cla_error ignored;
  const char *const paths[2] = {inputs->queries, inputs->targets};
  for (int side = 0; side < 2; side++) {
    b->means.paths[side] = paths[side];
    if (cla_record_blocks_open(&b->files[side], paths[side], b->means.how.qualities, &ignored) != CLA_OK)
      return false;
  }
  return true;
}

/* How many blocks there are, and how large, within --memory. */
static void set_sizes(batch_blocks *b) {
  const cla_budgets *budgets = &b->run->how.align.budgets;
  b->threads = budgets->threads > 0 ? budgets->threads : cla_host_threads();
  b->blocks = BLOCKS_OF_THREAD * b->threads + 1;
  b->block_bytes = BLOCK_BYTES;
  b->block_pairs = BLOCK_PAIRS;
  if (budgets->memory_bytes == 0) return;
  const int64_t bytes = budgets->memory_bytes / (BLOCKS_SHARE * BYTES_OF_BYTE * (int64_t)b->blocks);
  b->block_bytes = bytes > BLOCK_BYTES ? BLOCK_BYTES : bytes < BLOCK_BYTES_LEAST ? BLOCK_BYTES_LEAST : bytes;
}

static batch_blocks *make(const batch_inputs *inputs, batch_run *run) {
  batch_blocks *b = calloc(1, sizeof *b);
  if (!b) return NULL;
  b->run = run;
  b->means.how = inputs->how;
  set_sizes(b);
  for (int side = 0; side < 2; side++) pthread_mutex_init(&b->cutting[side], NULL);
  pthread_cond_init(&b->turn_changed, NULL);
  pthread_mutex_init(&b->lock, NULL);
  pthread_cond_init(&b->changed, NULL);
  return b;
}

static cla_status check_alphabet(const cla_sequence *sequence, void *user, cla_error *error) {
  const batch_run *run = user;
  return batch_run_check_alphabet(run, sequence, run->alphabet, error);
}

batch_blocks *batch_blocks_of_list(const batch_inputs *inputs, batch_run *run) {
  batch_blocks *b = make(inputs, run);
  if (!b) return NULL;
  batch_reader *list = run->reader;
  list->check = check_alphabet;
  list->check_user = run;
  list->how.alphabet = run->alphabet;
  b->means.list = list;
  b->means.paths[0] = inputs->regions ? inputs->regions : inputs->list;
  b->first = batch_run_held(run);
  return b;
}

batch_blocks *batch_blocks_open(cla_alphabet *alphabet, const batch_inputs *inputs, batch_run *run) {
  batch_blocks *b = NULL;
  const bool files =
      inputs->pairwise && batch_are_files((const char *const[]){inputs->queries, inputs->targets});
  /* A file that cannot be read twice is read here only if blocks are certain to be the way. */
  if (!inputs->pairwise || (!files && (inputs->read_again || !inputs->how.known))) return NULL;
  b = make(inputs, run);
  if (!b) return NULL;
  if (b->means.how.known) *alphabet = b->means.how.alphabet;
  if (open_files(b, inputs) && (!files || look_at_first(b, alphabet, inputs->in_blocks))) return b;
  run->read_status = CLA_OK;
  batch_blocks_close(b);
  return NULL;
}

void batch_blocks_close(batch_blocks *b) {
  if (!b) return;
  pair_block_free(b->held);
  for (pair_block *block = b->free, *next; block; block = next) {
    next = block->next;
    pair_block_free(block);
  }
  for (int i = 0; b->ready && i < b->blocks; i++) pair_block_free(b->ready[i]);
  for (int side = 0; side < 2; side++) cla_record_blocks_close(b->files[side]);
  block_means_end(&b->means);
  pthread_cond_destroy(&b->changed);
  pthread_mutex_destroy(&b->lock);
  for (int side = 0; side < 2; side++) pthread_mutex_destroy(&b->cutting[side]);
  pthread_cond_destroy(&b->turn_changed);
  free(b->ready);
  free(b);
}
