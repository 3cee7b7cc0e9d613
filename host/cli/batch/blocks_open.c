/* Opens files and lists for blocks, if blocks suit them. */

#include <stdlib.h>

#include "cli/batch/file_blocks.h"

/* Bytes that a block takes per byte of its queries. They hold both sides' records, as read and as codes,
 * the paths and the text. */
#define BYTES_OF_BYTE 24
/* Further bytes per byte of the queries, if there are certificates. */
#define BYTES_OF_CERTIFICATE 64
#define BLOCK_BYTES_LEAST (INT64_C(1) << 13)
/* Blocks per thread that can be in use. */
#define BLOCKS_OF_THREAD 2

/* Returns the mean number of letters per side of a block's pairs. */
static double mean_letters(const pair_block *block) {
  const double bytes = (double)block->own[0].byte_count + (double)block->own[1].byte_count;
  return bytes / 2 / (double)block->count;
}

/* Finds the alphabet of the first readable pair. Returns false if there is none, or if its sides have
 * different alphabets. */
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

/* Cuts the first block, which determines the alphabet of all pairs. Returns false if blocks do not suit the
 * files: no pair is readable, or long pairs are better aligned one by one. */
static bool look_at_first(batch_blocks *b, cla_alphabet *alphabet, bool kept) {
  cla_error ignored;
  pair_block *block = b->held = calloc(1, sizeof *block);
  if (!block || blocks_cut_queries(block, b, &ignored) != CLA_OK ||
      blocks_cut_targets(block, b, &ignored) != CLA_OK || block->count == 0)
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

/* Sets the number of blocks and their size, within --memory. */
static void set_sizes(batch_blocks *b) {
  const cla_budgets *budgets = &b->run->how.align.budgets;
  b->threads = budgets->threads > 0 ? budgets->threads : cli_ranks ? cli_ranks->threads : cla_host_threads();
  b->blocks = BLOCKS_OF_THREAD * b->threads + 1;
  const bool certified = b->run->certify.how;
  const int64_t most = certified ? BLOCK_BYTES / 4 : BLOCK_BYTES,
                bytes_of_byte = BYTES_OF_BYTE + (certified ? BYTES_OF_CERTIFICATE : 0);
  b->block_bytes = most;
  b->block_pairs = BLOCK_PAIRS;
  if (budgets->memory_bytes == 0) return;
  const int64_t bytes = budgets->memory_bytes / (BLOCKS_SHARE * bytes_of_byte * (int64_t)b->blocks);
  b->block_bytes = bytes > most ? most : bytes < BLOCK_BYTES_LEAST ? BLOCK_BYTES_LEAST : bytes;
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
  /* A file that can be read only once may be opened here only if blocks will certainly be used. */
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
  pair_block *const lists[] = {b->held, b->free, b->away, b->back};
  for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
    for (pair_block *block = lists[i], *next; block; block = next) {
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
