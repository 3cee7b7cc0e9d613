#include "write/formats/vcf_certainty.h"

#include <inttypes.h>
#include <math.h>

#include "base/allocate.h"
#include "base/extremes.h"
#include "seq/sequence.h"
#include "write/certain_runs.h"

/* The largest number in NPL: readers keep real numbers in 32 bits. */
#define NUMBER_LOG10_MOST 38

/* Columns of a path, and what is known of them. */
typedef struct record_certainty {
  int64_t first, after; /* columns with the record's letters */
  int64_t margin;       /* least margin of these columns */
  int64_t blocks;       /* number of blocks with one of these columns */
  int64_t block_margin;
  double log10_alignments;
  const cla_ambiguous_block *first_block, *last_block;
  bool alternative;
} record_certainty;

cla_status vcf_columns_make(vcf_columns *out, const write_job *job, size_t index, int64_t query_start,
                            cla_error *error) {
  const cla_alignment *alignment = job->alignments[index];
  const int64_t runs = (int64_t)alignment->run_count;
  int64_t at[3] = {0, query_start, alignment->target.start};
  *out = (vcf_columns){.certificate = job_certificate(job, index), .alignment = alignment};
  if (!out->certificate) return CLA_OK;
  cla_status status = ALLOCATE_ARRAY(&out->columns, 3 * (runs + 1), "a path's columns", error);
  for (int64_t i = 0; i <= runs && status == CLA_OK; i++) {
    for (int k = 0; k < 3; k++) out->columns[3 * i + k] = at[k];
    if (i == runs) break;
    const cla_run *run = &alignment->runs[i];
    at[0] += run->length;
    if (run->kind != CLA_RUN_TARGET) at[1] += run->length;
    if (run->kind != CLA_RUN_QUERY) at[2] += run->length;
  }
  return status;
}

/* Returns the column with a letter of the query (side 1) or the target (side 2). */
static int64_t column_of(const vcf_columns *columns, int side, int64_t letter) {
  int64_t first = 0, after = (int64_t)columns->alignment->run_count;
  while (after - first > 1) {
    const int64_t middle = first + (after - first) / 2;
    if (columns->columns[3 * middle + side] <= letter)
      first = middle;
    else
      after = middle;
  }
  const cla_run_kind other = side == 1 ? CLA_RUN_TARGET : CLA_RUN_QUERY;
  while (first > 0 && columns->alignment->runs[first].kind == other) first--;
  return columns->columns[3 * first] + letter - columns->columns[3 * first + side];
}

static void add_letters(record_certainty *it, const vcf_columns *columns, int side, int64_t from,
                        int64_t count) {
  if (count == 0) return;
  const int64_t first = column_of(columns, side, from),
                after = column_of(columns, side, from + count - 1) + 1;
  for (int64_t i = first; i < after; i++) it->margin = smaller(it->margin, columns->certificate->margins[i]);
  it->first = smaller(it->first, first);
  it->after = larger(it->after, after);
}

static int64_t first_block_after(const cla_certificate *certificate, int64_t column) {
  int64_t first = 0, after = certificate->block_count;
  while (first < after) {
    const int64_t middle = first + (after - first) / 2;
    const cla_ambiguous_block *block = &certificate->blocks[middle];
    if (block->first_column + block->columns > column)
      after = middle;
    else
      first = middle + 1;
  }
  return first;
}

static record_certainty find_certainty(const vcf_columns *columns, const vcf_difference *record) {
  const cla_certificate *certificate = columns->certificate;
  record_certainty it = {.first = INT64_MAX, .margin = INT64_MAX, .block_margin = INT64_MAX};
  add_letters(&it, columns, 1, record->query, record->inserted);
  add_letters(&it, columns, 2, record->target, record->deleted);
  for (int64_t i = first_block_after(certificate, it.first); i < certificate->block_count; i++) {
    const cla_ambiguous_block *block = &certificate->blocks[i];
    if (block->first_column >= it.after) break;
    if (block->columns == 0) continue;
    if (it.blocks++ == 0) it.first_block = block;
    it.last_block = block;
    it.block_margin = smaller(it.block_margin, block->margin);
    it.log10_alignments += block->log10_alignments;
    it.alternative |= block->kind != CLA_AMBIGUITY_SHIFT;
  }
  it.alternative |= it.blocks > 1;
  return it;
}

/* Prints where a gap that can move over equal letters may lie, in VCF's own fields. */
static void print_places(FILE *file, const cla_ambiguous_block *block, const vcf_difference *record,
                         const strand_letters *target) {
  const bool one_sided = (record->deleted == 0) != (record->inserted == 0);
  const int64_t letters = block->target_stop - block->target_start - record->deleted;
  if (!one_sided || record->target != block->target_start || letters < 1) return;
  fprintf(file, ";CIPOS=0,%" PRId64 ";HOMLEN=%" PRId64 ";HOMSEQ=", letters, letters);
  strand_print(file, target, SEQUENCE_LETTERS, record->target, letters);
}

void vcf_certainty_print(FILE *file, const vcf_columns *columns, const vcf_difference *record,
                         const strand_letters *target) {
  char text[CLA_SCORE_TEXT_SIZE], number[REAL_MOST + 1];
  const cla_scoring *scoring = &columns->alignment->scoring;
  const record_certainty it = find_certainty(columns, record);
  cla_score_text(text, it.margin, scoring);
  fprintf(file, "%s\tMG=%s", it.alternative ? "ambiguous" : "PASS", text);
  if (it.blocks == 0) return;
  cla_score_text(text, it.block_margin, scoring);
  const double power = it.log10_alignments < NUMBER_LOG10_MOST ? it.log10_alignments : NUMBER_LOG10_MOST;
  *put_real(number, power < 6 ? round(pow(10, power)) : pow(10, power)) = '\0';
  fprintf(file, ";BMG=%s;AMB=%" PRId64 ",%" PRId64 ";NPL=%s;ACL=%s", text, it.first_block->target_start + 1,
          it.last_block->target_stop, number, it.alternative ? "alternative" : "shift");
  if (!it.alternative) print_places(file, it.first_block, record, target);
}

void vcf_certainty_head(FILE *file, const cla_certificate *certificate, const cla_scoring *scoring) {
  char most[CLA_SCORE_TEXT_SIZE] = "what --certify finds";
  if (certificate) cla_score_text(most, certificate->delta, scoring);
  fprintf(file,
          "##FILTER=<ID=PASS,Description=\"All filters passed\">\n"
          "##FILTER=<ID=ambiguous,Description=\"Other best alignments have other differences here\">\n"
          "##INFO=<ID=MG,Number=1,Type=Float,Description=\"Least margin of the record's columns, in points; "
          "above %s it means more than %s\">\n",
          most, most);
  fputs(
      "##INFO=<ID=BMG,Number=1,Type=Float,Description=\"Margin of the ambiguous part with the record, in "
      "points\">\n"
      "##INFO=<ID=AMB,Number=2,Type=Integer,Description=\"First and last letter of the reference in that "
      "part\">\n"
      "##INFO=<ID=NPL,Number=1,Type=Float,Description=\"Number of best alignments of that part, at most "
      "1e38\">\n"
      "##INFO=<ID=ACL,Number=1,Type=String,Description=\"shift: a gap can move over equal letters; "
      "alternative: all else\">\n"
      "##INFO=<ID=CIPOS,Number=2,Type=Integer,Description=\"Confidence interval around POS\">\n"
      "##INFO=<ID=HOMLEN,Number=.,Type=Integer,Description=\"Letters over which the gap can move\">\n"
      "##INFO=<ID=HOMSEQ,Number=.,Type=String,Description=\"These letters\">\n",
      file);
}
