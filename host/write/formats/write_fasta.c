/* Aligned FASTA: both rows of an alignment as records of equal length. */

#include <inttypes.h>

#include "clalign/sequence_file.h"
#include "write/writer.h"

static void print_record(const write_job *job, const cla_alignment *alignment, gapped_side row,
                         const char *name) {
  const cla_side *side = row == GAPPED_QUERY ? &alignment->query : &alignment->target;
  const bool reverse = row == GAPPED_QUERY && alignment->strand == CLA_STRAND_REVERSE;
  int64_t start, stop;
  cla_side_positions(side, &start, &stop);
  fprintf(job->file, ">%s start=%" PRId64 " end=%" PRId64 " strand=%c length=%" PRId64 "\n", name, start,
          stop, reverse ? '-' : '+', side->length);
  gapped_row_print(job, alignment, row, CLA_FASTA_LINE_LETTERS);
}

cla_status write_fasta(const write_job *job, cla_error *error) {
  name_pair names;
  cla_status status = name_pair_make(&names, job, error);
  for (size_t index = 0; index < job->count && status == CLA_OK && !ferror(job->file); index++) {
    print_record(job, job->alignments[index], GAPPED_QUERY, names.query);
    print_record(job, job->alignments[index], GAPPED_TARGET, names.target);
  }
  name_pair_free(&names);
  return status;
}
