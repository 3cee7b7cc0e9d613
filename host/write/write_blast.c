/* BLAST's tables of twelve columns: outfmt 6, and with comments outfmt 7. */

#include <inttypes.h>

#include "clalign/version.h"
#include "result/alignment.h"
#include "result/path_check.h"
#include "write/karlin_altschul.h"
#include "write/writer.h"

/* Expected number and bits, or nan, which every reader of numbers takes, where they are not known. */
static void print_significance(FILE *file, const cla_alignment *alignment) {
  karlin_altschul parameters;
  double expect;
  if (!karlin_altschul_find(&parameters, alignment) || !cla_alignment_expect(&expect, alignment)) {
    fputs("nan\tnan\n", file);
    return;
  }
  fprintf(file, expect < 1e-180 ? "0.0\t" : "%.3g\t", expect);
  fprintf(file, "%.1f\n", karlin_altschul_bits(&parameters, alignment->score));
}

/* Positions count from 1. Of the reverse strand the query's run upwards and the target's down. */
static cla_status print_line(const write_job *job, const cla_alignment *alignment, const name_pair *names,
                             cla_error *error) {
  const cla_side *query = &alignment->query, *target = &alignment->target;
  const bool reverse = alignment->strand == CLA_STRAND_REVERSE;
  cla_statistics counts;
  cla_status status = alignment_count(&counts, alignment, job->query, job->target, error);
  if (status != CLA_OK) return status;
  fprintf(job->file, "%s\t%s\t%.3f\t%" PRId64 "\t%" PRId64 "\t%" PRId64, names->query, names->target,
          100.0 * (double)counts.matches / (double)counts.columns, counts.columns, counts.mismatches,
          counts.gap_opens);
  fprintf(job->file, "\t%" PRId64 "\t%" PRId64 "\t%" PRId64 "\t%" PRId64 "\t", query->start + 1, query->stop,
          reverse ? target->stop : target->start + 1, reverse ? target->start + 1 : target->stop);
  print_significance(job->file, alignment);
  return CLA_OK;
}

static cla_status print_lines(const write_job *job, const name_pair *names, cla_error *error) {
  cla_status status = CLA_OK;
  for (size_t index = 0; index < job->count && status == CLA_OK && !ferror(job->file); index++)
    if (path_has_pairs(job->alignments[index]))
      status = print_line(job, job->alignments[index], names, error);
  return status;
}

cla_status write_blast(const write_job *job, cla_error *error) {
  name_pair names;
  cla_status status = name_pair_make(&names, job, error);
  if (status == CLA_OK) status = print_lines(job, &names, error);
  name_pair_free(&names);
  return status;
}

static int64_t count_lines(const write_job *job) {
  int64_t count = 0;
  for (size_t index = 0; index < job->count; index++) count += path_has_pairs(job->alignments[index]);
  return count;
}

void write_blast7_tail(FILE *file, int64_t pairs) {
  fprintf(file, "# BLAST processed %" PRId64 " queries\n", pairs);
}

/* Readers find the program and its version in the line that has the word BLAST. */
cla_status write_blast7(const write_job *job, cla_error *error) {
  const int64_t count = count_lines(job);
  name_pair names;
  cla_status status = name_pair_make(&names, job, error);
  if (status != CLA_OK) goto done;
  fputs("# clalign " CLA_VERSION_STRING " table as of BLAST\n", job->file);
  fprintf(job->file, "# Query: %s\n# Database: %s\n", names.query, names.target);
  if (count > 0)
    fputs(
        "# Fields: query acc.ver, subject acc.ver, % identity, alignment length, mismatches, gap opens, "
        "q. start, q. end, s. start, s. end, evalue, bit score\n",
        job->file);
  fprintf(job->file, "# %" PRId64 " hits found\n", count);
  status = print_lines(job, &names, error);
  if (status == CLA_OK && !job->body_only) write_blast7_tail(job->file, 1);
done:
  name_pair_free(&names);
  return status;
}
