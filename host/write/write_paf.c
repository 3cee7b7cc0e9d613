#include <ctype.h>

#include "result/alignment_count.h"
#include "result/cigar_reader.h"
#include "result/path_check.h"
#include "seq/sequence.h"
#include "write/cigar_text.h"
#include "write/gapped_row.h"
#include "write/name_pair.h"

static void print_side(FILE *file, const char *name, const cla_side *side) {
  fprintf(file, "%s\t%lld\t%lld\t%lld\t", name, (long long)side->length, (long long)side->start,
          (long long)side->stop);
}

/* The differences with their letters, as minimap2's short form of cs: ":3" matches, "*ag" a pair of a
 * target's and a query's letter, "+ac" query letters and "-gt" target letters in a gap. */
static void print_differences(const write_job *job, const cla_alignment *alignment) {
  char letters[SEQUENCE_LETTER_COUNT + 1] = SEQUENCE_LETTERS;
  const strand_letters query = strand_query(alignment, job->query), target = strand_target(job->target);
  cigar_reader reader;
  cigar_step step;
  for (int code = 0; code < SEQUENCE_LETTER_COUNT; code++) letters[code] = (char)tolower(letters[code]);
  cigar_reader_begin(&reader, alignment, job->query, job->target);
  while (!ferror(job->file) && cigar_reader_next(&reader, &step)) {
    switch (step.operation) {
      case '=': fprintf(job->file, ":%lld", (long long)step.length); break;
      case 'X':
        for (int64_t letter = 0; letter < step.length; letter++)
          fprintf(job->file, "*%c%c", letters[strand_code(&target, step.target + letter)],
                  letters[strand_code(&query, step.query + letter)]);
        break;
      case 'I':
        fputc('+', job->file);
        strand_print(job->file, &query, letters, step.query, step.length);
        break;
      default: fputc('-', job->file); strand_print(job->file, &target, letters, step.target, step.length);
    }
  }
}

static cla_status print_line(const write_job *job, const cla_alignment *alignment, const name_pair *names,
                             bool first, cla_error *error) {
  cla_statistics statistics;
  cla_status status = alignment_count(&statistics, alignment, job->query, job->target, error);
  if (status != CLA_OK) return status;
  print_side(job->file, names->query, &alignment->query);
  fputs(alignment->strand == CLA_STRAND_REVERSE ? "-\t" : "+\t", job->file);
  print_side(job->file, names->target, &alignment->target);
  fprintf(job->file, "%lld\t%lld\t255\ttp:A:%c\tNM:i:%lld\tAS:i:%lld\t", (long long)statistics.matches,
          (long long)statistics.columns, first ? 'P' : 'S',
          (long long)(statistics.mismatches + statistics.gap_letters), (long long)alignment->score);
  if (alignment->scoring.units > 1) fprintf(job->file, "su:i:%d\t", alignment->scoring.units);
  fputs("cg:Z:", job->file);
  cigar_print(job->file, alignment, job->query, job->target);
  if (alignment->alphabet == CLA_ALPHABET_DNA) { /* a protein's '*' would read as a mark of cs */
    fputs("\tcs:Z:", job->file);
    print_differences(job, alignment);
  }
  fputc('\n', job->file);
  return CLA_OK;
}

cla_status write_paf(const write_job *job, cla_error *error) {
  bool first = true;
  name_pair names;
  cla_status status = name_pair_make(&names, job, CLEAN_COLUMN, CLEAN_COLUMN, error);
  for (size_t index = 0; index < job->count && status == CLA_OK && !ferror(job->file); index++) {
    if (path_is_empty(job->alignments[index]))
      continue; /* as other PAF writers: what is not aligned has no line */
    status = print_line(job, job->alignments[index], &names, first, error);
    first = false;
  }
  name_pair_free(&names);
  return status;
}
