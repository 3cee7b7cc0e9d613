/* VCF: where the query differs from the target, which is the reference. */

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/error.h"
#include "clalign/version.h"
#include "result/path_check.h"
#include "write/gapped_row.h"
#include "write/name_pair.h"
#include "write/vcf_head.h"
#include "write/vcf_record.h"

/* The gaps along the path, those that touch as one. */
static size_t list_gaps(vcf_difference *list, const cla_alignment *alignment, const vcf_records *records) {
  vcf_difference gap = {.query = records->query_start, .target = records->target_start};
  size_t count = 0;
  for (size_t index = 0; index < alignment->run_count; index++) {
    const cla_run *run = &alignment->runs[index];
    if (run->kind == CLA_RUN_QUERY) gap.inserted += run->length;
    if (run->kind == CLA_RUN_TARGET) gap.deleted += run->length;
    if (run->kind != CLA_RUN_PAIR) continue;
    if (gap.inserted + gap.deleted > 0) list[count++] = gap;
    gap = (vcf_difference){.query = gap.query + gap.inserted + run->length,
                           .target = gap.target + gap.deleted + run->length};
  }
  if (gap.inserted + gap.deleted > 0) list[count++] = gap;
  return count;
}

/* A path's differences, in the order of their positions; takes its runs. */
static cla_status print_differences(const write_job *job, cla_alignment *alignment, const name_pair *names,
                                    cla_error *error) {
  const vcf_records records = {.file = job->file,
                               .contig = names->target,
                               .query_name = job->body_only ? names->query : NULL,
                               .query = strand_query(alignment, job->query),
                               .target = strand_target(job->target),
                               .query_start = strand_query_start(alignment),
                               .target_start = alignment->target.start,
                               .target_stop = alignment->target.stop};
  vcf_difference *list = NULL;
  const int64_t most = (int64_t)alignment->run_count / 2 + 1; /* gaps with pairs between them */
  cla_status status = allocate_array((void **)&list, most, sizeof *list, "a path's differences", error);
  if (status != CLA_OK) return status;
  const size_t gaps = list_gaps(list, alignment, &records);
  free(alignment->runs);
  alignment->runs = NULL;
  const size_t count = vcf_differences_settle(&records, list, gaps);
  vcf_records_print(&records, list + gaps - count, count);
  free(list);
  return CLA_OK;
}

/* The alignment with every gap as far left as it goes, over pairs of unequal letters too, so that the records
 * do not depend on where its gaps were placed. Texts are shared; the caller frees the runs. */
static cla_status place_left(cla_alignment *out, const cla_alignment *alignment, const write_job *job,
                             cla_error *error) {
  const int64_t count = (int64_t)alignment->run_count;
  void *runs = NULL;
  *out = (cla_alignment){.mode = alignment->mode,
                         .free_ends = alignment->free_ends,
                         .strand = alignment->strand,
                         .scoring = alignment->scoring,
                         .score = alignment->score,
                         .query = alignment->query,
                         .target = alignment->target,
                         .has_path = true,
                         .run_count = alignment->run_count};
  cla_status status = allocate_array(&runs, count, sizeof *out->runs, "a path", error);
  if (status != CLA_OK) return status;
  if (count > 0) memcpy(runs, alignment->runs, alignment->run_count * sizeof *out->runs);
  out->runs = runs;
  return cla_alignment_place_gaps(out, CLA_GAPS_LEFT, job->query, job->target, error);
}

static cla_status check_target(const cla_alignment *alignment, cla_error *error) {
  const cla_side *query = &alignment->query, *target = &alignment->target;
  if (target->length > INT32_MAX)
    return error_set(error, CLA_ERROR_OPTION,
                     "the format vcf has positions of up to %d, and the target has %" PRId64
                     " letters; use paf or json",
                     INT32_MAX, target->length);
  const bool both = query->start < query->stop && target->length > 0;
  if (both || alignment->run_count == 0 || target->start > 0 || target->stop < target->length) return CLA_OK;
  return error_set(error, CLA_ERROR_OPTION,
                   "the format vcf needs a letter of the target beside a gap, and all of them are in gaps; "
                   "use paf or json");
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

static void print_first_lines(FILE *file, const char *command) {
  fputs("##fileformat=VCFv4.2\n##source=clalign " CLA_VERSION_STRING "\n", file);
  if (command) fprintf(file, "##commandline=%s\n", command);
}

static void print_contig(FILE *file, const char *name, int64_t length) {
  if (length > 0) fprintf(file, "##contig=<ID=%s,length=%" PRId64 ">\n", name, length);
}

static void print_genotype(FILE *file) {
  fputs("##FORMAT=<ID=GT,Number=1,Type=String,Description=\"1: the query's letters\">\n", file);
}

static void print_columns(FILE *file, const char *sample) {
  fprintf(file, "#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\t%s\n", sample);
}

static void print_head(const write_job *job, const cla_alignment *alignment, const name_pair *names) {
  print_first_lines(job->file, names->command);
  print_contig(job->file, names->target, cla_sequence_length(job->target));
  print_genotype(job->file);
  if (alignment) print_part(job->file, alignment);
  print_columns(job->file, names->query);
}

void write_vcf_head(FILE *file, const char *command, const sam_hdr_t *targets) {
  print_first_lines(file, command);
  for (int i = 0; i < sam_hdr_nref(targets); i++)
    print_contig(file, sam_hdr_tid2name(targets, i), sam_hdr_tid2len(targets, i));
  fputs("##INFO=<ID=QNAME,Number=1,Type=String,Description=\"The query\">\n", file);
  print_genotype(file);
  print_columns(file, "query");
}

/* What stands for something else in INFO. */
static void clean_info(char *name) {
  for (; *name; name++)
    if (*name == ';' || *name == '=' || *name == ',') *name = '_';
}

cla_status write_vcf(const write_job *job, cla_error *error) {
  const cla_alignment *alignment = job->count > 0 ? job->alignments[0] : NULL;
  cla_alignment placed = {0};
  name_pair names = {0};
  cla_status status = alignment ? check_target(alignment, error) : CLA_OK;
  if (status == CLA_OK && alignment) status = place_left(&placed, alignment, job, error);
  if (status == CLA_OK) status = name_pair_make(&names, job, CLEAN_COLUMN, CLEAN_SAM_REFERENCE, error);
  if (status == CLA_OK && job->body_only) clean_info(names.query);
  if (status == CLA_OK && !job->body_only) print_head(job, alignment, &names);
  if (status == CLA_OK && alignment) status = print_differences(job, &placed, &names, error);
  free(placed.runs);
  name_pair_free(&names);
  return status;
}
