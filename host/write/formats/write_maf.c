/* MAF, the Multiple Alignment Format of UCSC: a block for each alignment, with the target first. */

#include <inttypes.h>
#include <stdlib.h>

#include "base/error.h"
#include "clalign/version.h"
#include "result/path_check.h"
#include "write/writer.h"

/* Widths of the columns, so that the letters of both rows are aligned. */
typedef struct row_widths {
  int name, start, size, length;
} row_widths;

static int wider(int width, int other) {
  return width > other ? width : other;
}

static int digits(int64_t number) {
  return snprintf(NULL, 0, "%" PRId64, number);
}

/* Prints a row without its letters. `start` is counted from the start of the strand that was aligned. */
static void print_row(FILE *file, const char *name, const cla_side *side, int64_t start, bool reverse,
                      const row_widths *widths) {
  fputs("s ", file);
  print_name(file, name, widths->name, false);
  fprintf(file, " %*" PRId64 " %*" PRId64 " %c %*" PRId64 " ", widths->start, start, widths->size,
          side->stop - side->start, reverse ? '-' : '+', widths->length, side->length);
}

static void print_block(const write_job *job, const cla_alignment *alignment, const name_pair *names) {
  const cla_side *query = &alignment->query, *target = &alignment->target;
  const int64_t query_start = strand_query_start(alignment);
  const row_widths widths = {
      .name = wider(text_letters(names->query), text_letters(names->target)),
      .start = wider(digits(query_start), digits(target->start)),
      .size = wider(digits(query->stop - query->start), digits(target->stop - target->start)),
      .length = wider(digits(query->length), digits(target->length))};
  char score[CLA_SCORE_TEXT_SIZE];
  cla_score_text(score, alignment->score, &alignment->scoring);
  fprintf(job->file, "a score=%s\n", score);
  print_row(job->file, names->target, target, target->start, false, &widths);
  gapped_row_print(job, alignment, GAPPED_TARGET, 0);
  fputc('\n', job->file);
  print_row(job->file, names->query, query, query_start, alignment->strand == CLA_STRAND_REVERSE, &widths);
  gapped_row_print(job, alignment, GAPPED_QUERY, 0);
  fputs("\n\n", job->file);
}

void write_maf_head(FILE *file, const char *command) {
  fputs("##maf version=1 program=clalign\n# clalign " CLA_VERSION_STRING "\n", file);
  if (command) fprintf(file, "# %s\n", command);
  fputc('\n', file);
}

/* Adds "PREFIX." before the name, as in UCSC's names, which consist of species and chromosome. */
static cla_status add_prefix(const char **name, char **owned, const char *prefix, cla_error *error) {
  char *cleaned = NULL, *longer = NULL;
  if (!prefix) return CLA_OK;
  cla_status status = clean_name(&cleaned, prefix, CLEAN_COLUMN, "", error);
  if (status == CLA_OK && asprintf(&longer, "%s.%s", cleaned, *name) < 0)
    status = error_set(error, CLA_ERROR_MEMORY, "out of memory for a name; free some memory");
  free(cleaned);
  if (status != CLA_OK) return status;
  free(*owned);
  *name = *owned = longer;
  return CLA_OK;
}

cla_status write_maf(const write_job *job, cla_error *error) {
  name_pair names;
  cla_status status = name_pair_make(&names, job, error);
  if (status == CLA_OK) status = add_prefix(&names.query, &names.owned[0], job->how->query_prefix, error);
  if (status == CLA_OK) status = add_prefix(&names.target, &names.owned[1], job->how->target_prefix, error);
  if (status != CLA_OK) goto done;
  if (!job->body_only) write_maf_head(job->file, names.command);
  for (size_t index = 0; index < job->count && !ferror(job->file); index++)
    if (path_has_pairs(job->alignments[index])) /* readers do not accept rows without letters */
      print_block(job, job->alignments[index], &names);
done:
  name_pair_free(&names);
  return status;
}
