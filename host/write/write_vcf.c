/* VCF: where the query differs from the target, which is the reference. */

#include <inttypes.h>

#include "base/error.h"
#include "clalign/version.h"
#include "write/gapped_row.h"
#include "write/name_pair.h"
#include "write/vcf_record.h"

static void print_differences(const write_job *job, const cla_alignment *alignment, const char *contig) {
  vcf_records records = {.file = job->file,
                         .contig = contig,
                         .query = strand_query(alignment, job->query),
                         .target = strand_target(job->target)};
  int64_t query = strand_query_start(alignment), target = alignment->target.start;
  int64_t inserted = 0, deleted = 0; /* of the gaps that end here */
  for (size_t index = 0; index < alignment->run_count && !ferror(job->file); index++) {
    const cla_run *run = &alignment->runs[index];
    if (run->kind == CLA_RUN_QUERY) inserted += run->length;
    if (run->kind == CLA_RUN_TARGET) deleted += run->length;
    if (run->kind != CLA_RUN_PAIR) continue;
    if (inserted + deleted > 0) vcf_records_gap(&records, query, inserted, target, deleted);
    vcf_records_pairs(&records, query + inserted, target + deleted, run->length);
    query += inserted + run->length;
    target += deleted + run->length;
    inserted = deleted = 0;
  }
  if (inserted + deleted > 0) vcf_records_gap(&records, query, inserted, target, deleted);
  vcf_records_end(&records);
}

/* A gap needs a letter of the contig beside it. */
static cla_status check_letters(const cla_alignment *alignment, cla_error *error) {
  for (size_t index = 0; index < alignment->run_count; index++)
    if (alignment->runs[index].kind == CLA_RUN_PAIR) return CLA_OK;
  const cla_side *target = &alignment->target;
  if (alignment->run_count == 0 || target->start > 0 || target->stop < target->length) return CLA_OK;
  return error_set(error, CLA_ERROR_OPTION,
                   "the format vcf cannot say that no letter of the whole target is left; use paf or json");
}

/* Positions from 1, both ends included. */
static void print_part(FILE *file, const cla_alignment *alignment) {
  const cla_side *query = &alignment->query, *target = &alignment->target;
  char score[CLA_SCORE_TEXT_SIZE];
  cla_score_text(score, alignment->score, &alignment->scoring);
  fprintf(file,
          "##alignment=<ID=1,Score=%s,TargetFrom=%" PRId64 ",TargetTo=%" PRId64 ",QueryFrom=%" PRId64
          ",QueryTo=%" PRId64 ",Strand=%c>\n",
          score, target->start + 1, target->stop, query->start + 1, query->stop,
          alignment->strand == CLA_STRAND_REVERSE ? '-' : '+');
}

static void print_head(const write_job *job, const name_pair *names) {
  fputs("##fileformat=VCFv4.2\n##source=clalign " CLA_VERSION_STRING "\n", job->file);
  if (names->command) fprintf(job->file, "##commandline=%s\n", names->command);
  if (cla_sequence_length(job->target) > 0)
    fprintf(job->file, "##contig=<ID=%s,length=%" PRId64 ">\n", names->target,
            cla_sequence_length(job->target));
  fputs("##FORMAT=<ID=GT,Number=1,Type=String,Description=\"1: the query's letters\">\n", job->file);
  if (job->count > 0) print_part(job->file, job->alignments[0]);
  fprintf(job->file, "#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\t%s\n", names->query);
}

cla_status write_vcf(const write_job *job, cla_error *error) {
  name_pair names = {0};
  cla_status status = job->count > 0 ? check_letters(job->alignments[0], error) : CLA_OK;
  if (status == CLA_OK) status = name_pair_make(&names, job, CLEAN_COLUMN, CLEAN_SAM_REFERENCE, error);
  if (status == CLA_OK) print_head(job, &names);
  if (status == CLA_OK && job->count > 0) print_differences(job, job->alignments[0], names.target);
  name_pair_free(&names);
  return status;
}
