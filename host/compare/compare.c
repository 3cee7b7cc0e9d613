/* Compares two genomes: finds blocks by seeds, extends their ends exactly, and aligns them exactly. */

#include "clalign/compare.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/machine.h"
#include "compare/compare_internal.h"
#include "seq/sequence.h"

#define LEAST_BLOCK 100 /* default minimum number of matched letters of a block */
#define MOST_GAP 100000 /* default maximum number of letters between joined blocks */

static cla_status check_genome(const cla_genome *genome, const char *what, cla_error *error) {
  if (genome->count == 0)
    return error_set(error, CLA_ERROR_INPUT, "the %s genome has no records; give one at least", what);
  for (size_t i = 0; i < genome->count; i++) {
    cla_status status = sequence_strand_check(genome->records[i], error);
    if (status == CLA_OK) status = sequence_whole_check(genome->records[i], "a comparison of genomes", error);
    if (status != CLA_OK) return status;
  }
  return CLA_OK;
}

/* Moves the chosen blocks to the caller's comparison. */
static cla_status take_blocks(cla_comparison *out, const seed_blocks *found, cla_error *error) {
  cla_status status = ALLOCATE_ZEROS(&out->blocks, found->count, "blocks", error);
  for (int64_t i = 0; i < found->count && status == CLA_OK; i++) {
    out->blocks[i] = found->items[i].block;
    out->block_count++;
  }
  return status;
}

static int by_place(const void *a, const void *b) {
  const cla_block *x = a, *y = b;
  const int64_t first[] = {(int64_t)x->target, x->target_begin, (int64_t)x->query,  x->query_begin,
                           x->target_end,      x->query_end,    (int64_t)x->strand, (int64_t)x->role};
  const int64_t second[] = {(int64_t)y->target, y->target_begin, (int64_t)y->query,  y->query_begin,
                            y->target_end,      y->query_end,    (int64_t)y->strand, (int64_t)y->role};
  for (size_t i = 0; i < sizeof first / sizeof first[0]; i++)
    if (first[i] != second[i]) return first[i] < second[i] ? -1 : 1;
  return 0;
}

static void sort_blocks(cla_comparison *out) {
  if (out->block_count > 0) qsort(out->blocks, out->block_count, sizeof *out->blocks, by_place);
}

/* Keeps one of several blocks that have become the same when their ends were extended. */
static void drop_equal(cla_comparison *out) {
  size_t kept = 0;
  sort_blocks(out);
  for (size_t i = 0; i < out->block_count; i++)
    if (kept == 0 || by_place(&out->blocks[kept - 1], &out->blocks[i]) != 0)
      out->blocks[kept++] = out->blocks[i];
  out->block_count = kept;
}

/* Returns the seconds since *since, and sets *since to the current time. */
static double lap(double *since) {
  const double now = machine_seconds(), seconds = now - *since;
  *since = now;
  return seconds;
}

static cla_status compare(cla_comparison *out, comparing *c, cla_error *error) {
  seed_blocks found = {0};
  double since = c->began;
  cla_status status = joined_genome_make(&c->joined[0], &c->query, error);
  if (status == CLA_OK) status = joined_genome_make(&c->joined[1], &c->target, error);
  if (status == CLA_OK) status = seed_blocks_find(&found, c, error);
  if (status == CLA_OK) status = seed_blocks_choose(&found, c, error);
  out->word_letters = found.word_letters;
  if (status == CLA_OK) status = take_blocks(out, &found, error);
  seed_blocks_free(&found);
  joined_genome_free(&c->joined[0]);
  joined_genome_free(&c->joined[1]);
  out->seconds[0] = lap(&since);
  if (status == CLA_OK) status = block_ends_extend(out->blocks, out->block_count, c, error);
  drop_equal(out);
  if (status == CLA_OK) status = blocks_cross_origins(out, c, error);
  out->seconds[1] = lap(&since);
  if (status == CLA_OK) status = blocks_align(out->blocks, out->block_count, c, error);
  if (status == CLA_OK) status = blocks_trim(out->blocks, out->block_count, c, error);
  sort_blocks(out);
  out->seconds[2] = lap(&since);
  return status;
}

cla_status cla_compare(cla_comparison *out, cla_device *device, const cla_genome *query,
                       const cla_genome *target, const cla_compare_options *options, cla_error *error) {
  cla_compare_options filled = *options;
  if (filled.least_block <= 0) filled.least_block = LEAST_BLOCK;
  if (filled.most_gap <= 0) filled.most_gap = MOST_GAP;
  comparing c = {
      .options = &filled,
      .device = device,
      .query = *query,
      .target = *target,
      .threads = options->align.budgets.threads > 0 ? options->align.budgets.threads : machine_threads(),
      .began = machine_seconds()};
  *out = (cla_comparison){.query = *query, .target = *target};
  cla_status status = check_genome(query, "query", error);
  if (status == CLA_OK) status = check_genome(target, "target", error);
  if (status == CLA_OK) status = cla_scoring_check(&options->align.scoring, error);
  if (status == CLA_OK) status = compare(out, &c, error);
  if (status != CLA_OK) cla_comparison_free(out);
  return status;
}

void cla_comparison_free(cla_comparison *comparison) {
  for (size_t i = 0; i < comparison->block_count; i++) {
    cla_block *block = &comparison->blocks[i];
    for (size_t p = 0; block->certificates && p < block->piece_count; p++)
      cla_certificate_free(block->certificates[p]);
    free(block->certificates);
    cla_alignments_free(block->pieces, block->piece_count);
  }
  free(comparison->blocks);
  *comparison = (cla_comparison){0};
}
