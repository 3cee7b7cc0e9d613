#include <stdlib.h>

#include "result/alignment_count.h"
#include "result/path_check.h"
#include "write/cigar_text.h"
#include "write/clean_text.h"
#include "write/writer.h"

static void print_side(FILE *file, const char *name, const cla_side *side) {
  fprintf(file, "%s\t%lld\t%lld\t%lld\t", name, (long long)side->length, (long long)side->start,
          (long long)side->stop);
}

static cla_status print_line(const write_job *job, const cla_alignment *alignment, bool first,
                             cla_error *error) {
  cla_statistics statistics;
  char *query_name = NULL, *target_name = NULL;
  cla_status status = alignment_count(&statistics, alignment, job->query, job->target, error);
  if (status == CLA_OK) status = clean_name(&query_name, alignment->query.name, CLEAN_COLUMN, "query", error);
  if (status == CLA_OK)
    status = clean_name(&target_name, alignment->target.name, CLEAN_COLUMN, "target", error);
  if (status != CLA_OK) goto done;
  print_side(job->file, query_name, &alignment->query);
  fputs(alignment->strand == CLA_STRAND_REVERSE ? "-\t" : "+\t", job->file);
  print_side(job->file, target_name, &alignment->target);
  fprintf(job->file, "%lld\t%lld\t255\ttp:A:%c\tNM:i:%lld\tAS:i:%lld\t", (long long)statistics.matches,
          (long long)statistics.columns, first ? 'P' : 'S',
          (long long)(statistics.mismatches + statistics.gap_letters), (long long)alignment->score);
  if (alignment->scoring.units > 1) fprintf(job->file, "su:i:%d\t", alignment->scoring.units);
  fputs("cg:Z:", job->file);
  cigar_print(job->file, alignment, job->query, job->target);
  fputc('\n', job->file);
done:
  free(query_name);
  free(target_name);
  return status;
}

cla_status write_paf(const write_job *job, cla_error *error) {
  bool first = true;
  for (size_t index = 0; index < job->count && !ferror(job->file); index++) {
    if (path_is_empty(job->alignments[index]))
      continue; /* as other PAF writers: what is not aligned has no line */
    cla_status status = print_line(job, job->alignments[index], first, error);
    if (status != CLA_OK) return status;
    first = false;
  }
  return CLA_OK;
}
