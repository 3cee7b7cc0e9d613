/* UCSC's chain format: the blocks of the target, and their positions in the query. */

#include <inttypes.h>

#include "result/alignment.h"
#include "write/writer.h"

/* The part of the path from its first to its last pair; a chain must start and end with a block. */
typedef struct paired_part {
  size_t first, last; /* indices of the first and last run */
  int64_t query, target, query_end, target_end;
} paired_part;

/* Finds the part with pairs; returns false if no letters are paired. */
static bool find_pairs(paired_part *part, const cla_alignment *alignment) {
  int64_t query = strand_query_start(alignment), target = alignment->target.start;
  bool found = false;
  for (size_t index = 0; index < alignment->run_count; index++) {
    const cla_run *run = &alignment->runs[index];
    if (run->kind == CLA_RUN_PAIR && !found)
      *part = (paired_part){.first = index, .query = query, .target = target};
    if (run->kind != CLA_RUN_TARGET) query += run->length;
    if (run->kind != CLA_RUN_QUERY) target += run->length;
    if (run->kind != CLA_RUN_PAIR) continue;
    found = true;
    part->last = index;
    part->query_end = query;
    part->target_end = target;
  }
  return found;
}

/* Prints a line for each block: the number of its letters, and the numbers of target and query letters up to
 * the next block. */
static void print_blocks(FILE *file, const cla_alignment *alignment, const paired_part *part) {
  int64_t in_target = 0, in_query = 0;
  for (size_t index = part->first; index <= part->last; index++) {
    const cla_run *run = &alignment->runs[index];
    if (run->kind == CLA_RUN_TARGET) in_target += run->length;
    if (run->kind == CLA_RUN_QUERY) in_query += run->length;
    if (run->kind != CLA_RUN_PAIR) continue;
    if (index > part->first) fprintf(file, "\t%" PRId64 "\t%" PRId64 "\n", in_target, in_query);
    fprintf(file, "%" PRId64, run->length);
    in_target = in_query = 0;
  }
  fputs("\n\n", file);
}

static void print_chain(FILE *file, const cla_alignment *alignment, const paired_part *part,
                        const name_pair *names, int64_t number) {
  /* Readers accept only whole points. */
  const int64_t score = alignment->score / (alignment->scoring.units > 1 ? alignment->scoring.units : 1);
  fprintf(file, "chain %" PRId64 " %s %" PRId64 " + %" PRId64 " %" PRId64, score, names->target,
          alignment->target.length, part->target, part->target_end);
  fprintf(file, " %s %" PRId64 " %c %" PRId64 " %" PRId64 " %" PRId64 "\n", names->query,
          alignment->query.length, alignment->strand == CLA_STRAND_REVERSE ? '-' : '+', part->query,
          part->query_end, number);
  print_blocks(file, alignment, part);
}

cla_status write_chain(const write_job *job, cla_error *error) {
  name_pair names;
  paired_part part;
  int64_t number = job->body_only ? *job->numbered : 0;
  cla_status status = name_pair_make(&names, job, error);
  for (size_t index = 0; index < job->count && status == CLA_OK && !ferror(job->file); index++)
    if (find_pairs(&part, job->alignments[index]))
      print_chain(job->file, job->alignments[index], &part, &names, ++number);
  if (job->body_only) *job->numbered = number;
  name_pair_free(&names);
  return status;
}
