/* A table with a line of numbers for each alignment, and names of the columns in its first line. */

#include <string.h>

#include "result/path_check.h"
#include "write/writer.h"

/* The data of a line. */
typedef struct tsv_line {
  const write_job *job;
  const cla_alignment *alignment;
  const name_pair *names;
  cla_statistics counts; /* counts of the alignment's columns, if it has a path */
} tsv_line;

/* Writes a position or count, or '*' if it is not known. */
static void put_known(text_buffer *text, int64_t number) {
  if (number < 0)
    text_put_char(text, '*');
  else
    text_put_number(text, number);
}

/* Defines a column whose value is written by one statement. */
#define COLUMN(name, statement)                                     \
  static void put_##name(text_buffer *text, const tsv_line *line) { \
    statement;                                                      \
  }
/* Defines a column with a count along the path. */
#define COUNT(name) COLUMN(name, put_known(text, line->alignment->has_path ? line->counts.name : -1))

COLUMN(query, text_put(text, line->names->query))
COLUMN(target, text_put(text, line->names->target))
COLUMN(query_start, put_known(text, line->alignment->query.start))
COLUMN(query_end, put_known(text, line->alignment->query.stop))
COLUMN(target_start, put_known(text, line->alignment->target.start))
COLUMN(target_end, put_known(text, line->alignment->target.stop))
COLUMN(query_length, text_put_number(text, line->alignment->query.length))
COLUMN(target_length, text_put_number(text, line->alignment->target.length))
COLUMN(strand, text_put_char(text, line->alignment->strand == CLA_STRAND_REVERSE ? '-' : '+'))
COUNT(matches)
COUNT(mismatches)
COUNT(gap_opens)
COUNT(gap_letters)
COUNT(columns)
COLUMN(score, text_put_score(text, line->alignment->score, &line->alignment->scoring))

/* Writes the identity in percent, with three decimals, rounded half up. */
static void put_identity(text_buffer *text, const tsv_line *line) {
  const int64_t columns = line->counts.columns;
  const int64_t parts = columns > 0 ? (200000 * line->counts.matches + columns) / (2 * columns) : 0;
  if (line->alignment->has_path)
    text_put_decimals(text, parts, 1000);
  else
    text_put_char(text, '*');
}

static void put_cigar(text_buffer *text, const tsv_line *line) {
  if (line->alignment->has_path && line->alignment->run_count > 0)
    job_cigar_put(text, line->job, line->alignment);
  else
    text_put_char(text, '*');
}

static const struct {
  const char *name;
  void (*put)(text_buffer *text, const tsv_line *line);
} all[] = {
    {"query", put_query},
    {"target", put_target},
    {"score", put_score},
    {"query_start", put_query_start},
    {"query_end", put_query_end},
    {"target_start", put_target_start},
    {"target_end", put_target_end},
    {"query_length", put_query_length},
    {"target_length", put_target_length},
    {"strand", put_strand},
    {"matches", put_matches},
    {"mismatches", put_mismatches},
    {"gap_opens", put_gap_opens},
    {"gap_letters", put_gap_letters},
    {"columns", put_columns},
    {"identity", put_identity},
    {"cigar", put_cigar},
};

#define SCORES "query,target,score,query_end,target_end"

const column_table tsv_table = {
    "tsv", "query,target,score,query_start,query_end,target_start,target_end,identity,cigar", all,
    sizeof *all, (int)(sizeof all / sizeof *all)};

cla_status tsv_columns_choose(column_list *out, const cla_write_options *how, bool paths, cla_error *error) {
  const char *usual = paths && !how->score_only ? NULL : SCORES;
  return column_list_parse(out, &tsv_table, how->columns ? how->columns : usual, error);
}

void write_tsv_head(FILE *file, const column_list *columns) {
  for (int i = 0; i < columns->count; i++)
    fprintf(file, "%c%s", i > 0 ? '\t' : '#', all[columns->of[i]].name);
  fputc('\n', file);
}

static cla_status put_line(text_buffer *text, const column_list *columns, tsv_line *line, cla_error *error) {
  const cla_alignment *alignment = line->alignment;
  cla_status status = CLA_OK;
  if (alignment->has_path) status = job_count(&line->counts, line->job, alignment, error);
  if (status != CLA_OK) return status;
  for (int i = 0; i < columns->count; i++) {
    if (i > 0) text_put_char(text, '\t');
    all[columns->of[i]].put(text, line);
  }
  text_put_char(text, '\n');
  return CLA_OK;
}

cla_status write_tsv(const write_job *job, cla_error *error) {
  const bool paths = job->count == 0 || job->alignments[0]->has_path;
  name_pair names;
  column_list read;
  text_buffer text;
  cla_status status = name_pair_make(&names, job, error);
  const column_list *columns = job->columns ? job->columns : &read;
  if (status == CLA_OK && !job->columns) status = tsv_columns_choose(&read, job->how, paths, error);
  if (status == CLA_OK && !job->body_only) write_tsv_head(job->file, columns);
  text_begin(&text, job);
  for (size_t index = 0; index < job->count && status == CLA_OK && !job_failed(job); index++)
    status = put_line(&text, columns, &(tsv_line){job, job->alignments[index], &names, {0}}, error);
  text_flush(&text);
  name_pair_free(&names);
  return status;
}
