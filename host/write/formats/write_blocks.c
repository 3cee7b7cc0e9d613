/* The ambiguous blocks of alignments, as BED with further columns. */

#include <inttypes.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "write/certain_runs.h"
#include "write/writer.h"

/* A block and its alignment. */
typedef struct listed_block {
  const cla_ambiguous_block *block;
  const cla_alignment *alignment;
  int64_t number; /* position in the list before it is sorted */
} listed_block;

static int compare_starts(const void *a, const void *b) {
  const listed_block *left = a, *right = b;
  const int64_t *starts[] = {&left->block->target_start, &right->block->target_start};
  if (*starts[0] != *starts[1]) return *starts[0] < *starts[1] ? -1 : 1;
  return left->number < right->number ? -1 : left->number > right->number;
}

/* Returns the number of blocks of an alignment; 0 if it has no columns, and so no certificate. */
static int64_t block_count(const write_job *job, size_t index) {
  const cla_certificate *certificate = job_certificate(job, index);
  return certificate ? certificate->block_count : 0;
}

/* Lists the blocks of all alignments in the order of the target. The caller frees *out. */
static cla_status list_blocks(listed_block **out, int64_t *count, const write_job *job, cla_error *error) {
  int64_t all = 0;
  for (size_t i = 0; i < job->count; i++) all += block_count(job, i);
  cla_status status = ALLOCATE_ARRAY(out, all, "ambiguous blocks", error);
  for (size_t i = 0; i < job->count && status == CLA_OK; i++)
    for (int64_t k = 0; k < block_count(job, i); k++, ++*count)
      (*out)[*count] = (listed_block){&job->certificates[i]->blocks[k], job->alignments[i], *count};
  if (*count > 1) qsort(*out, (size_t)*count, sizeof **out, compare_starts);
  return status;
}

static void print_line(FILE *file, const char *target, const listed_block *it) {
  const cla_ambiguous_block *block = it->block;
  char log10_alignments[REAL_MOST + 1], margin[CLA_SCORE_TEXT_SIZE];
  int64_t query_start, query_stop;
  cla_side query = it->alignment->query; /* the query may still be rotated */
  query.start = block->query_start;
  query.stop = block->query_stop;
  cla_side_positions(&query, &query_start, &query_stop);
  *put_real(log10_alignments, block->log10_alignments) = '\0';
  cla_score_text(margin, block->margin, &it->alignment->scoring);
  fprintf(file, "%s\t%" PRId64 "\t%" PRId64 "\t%s\t%d\t%c\t%" PRId64 "\t%" PRId64 "\t%s\t%s\n", target,
          block->target_start, block->target_stop, ambiguity_word(block),
          (int)(1000 * block->least_support + 0.5), it->alignment->strand == CLA_STRAND_REVERSE ? '-' : '+',
          query_start, query_stop, log10_alignments, margin);
}

cla_status write_blocks(const write_job *job, cla_error *error) {
  listed_block *blocks = NULL;
  int64_t count = 0;
  name_pair names = {0};
  cla_status status = list_blocks(&blocks, &count, job, error);
  if (status == CLA_OK) status = name_pair_make(&names, job, error);
  for (int64_t i = 0; i < count && status == CLA_OK && !ferror(job->file); i++)
    print_line(job->file, names.target, &blocks[i]);
  free(blocks);
  name_pair_free(&names);
  return status;
}
