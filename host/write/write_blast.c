/* BLAST's tables: outfmt 6, and with comments outfmt 7. */

#include <inttypes.h>

#include "clalign/version.h"
#include "result/alignment.h"
#include "result/path_check.h"
#include "write/blast_columns.h"
#include "write/karlin_altschul.h"
#include "write/writer.h"

static cla_status print_lines(const write_job *job, const name_pair *names, const column_list *columns,
                              cla_error *error) {
  cla_status status = CLA_OK;
  for (size_t index = 0; index < job->count && status == CLA_OK && !ferror(job->file); index++) {
    blast_line line = {.job = job, .alignment = job->alignments[index], .names = names};
    if (!path_has_pairs(line.alignment)) continue;
    status = alignment_count(&line.counts, line.alignment, job->query, job->target, error);
    if (status == CLA_OK) blast_columns_print(columns, &line);
  }
  return status;
}

/* The job's columns, or those of its options in `read`. */
static cla_status choose_columns(const column_list **out, column_list *read, const write_job *job,
                                 cla_error *error) {
  *out = job->columns ? job->columns : read;
  return job->columns ? CLA_OK : column_list_parse(read, &blast_table, job->how->columns, error);
}

cla_status write_blast(const write_job *job, cla_error *error) {
  name_pair names;
  column_list read;
  const column_list *columns;
  cla_status status = name_pair_make(&names, job, error);
  if (status == CLA_OK) status = choose_columns(&columns, &read, job, error);
  if (status == CLA_OK) status = print_lines(job, &names, columns, error);
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

/* What the expected numbers are for, where they are known. */
static void print_space(const write_job *job) {
  const cla_database *database = job->how->database;
  karlin_altschul parameters;
  if (job->count == 0 || !karlin_altschul_find(&parameters, job->alignments[0])) return;
  const cla_side *query = &job->alignments[0]->query, *target = &job->alignments[0]->target;
  const cla_database alone = {.letters = target->end - target->begin, .records = 1};
  const search_space space = karlin_altschul_space(&parameters, query->end - query->begin,
                                                   database && database->records > 0 ? database : &alone);
  fprintf(job->file,
          "# Effective search space: %.0f (query %.0f x subjects %.0f letters; %" PRId64
          " letters in %" PRId64 " subjects)\n",
          space.query * space.target, space.query, space.target, space.letters, space.records);
}

/* Readers find the program and its version in the line that has the word BLAST. */
cla_status write_blast7(const write_job *job, cla_error *error) {
  const int64_t count = count_lines(job);
  name_pair names;
  column_list read;
  const column_list *columns;
  cla_status status = name_pair_make(&names, job, error);
  if (status == CLA_OK) status = choose_columns(&columns, &read, job, error);
  if (status != CLA_OK) goto done;
  fputs("# clalign " CLA_VERSION_STRING " table as of BLAST\n", job->file);
  fprintf(job->file, "# Query: %s\n# Database: %s\n", names.query, names.target);
  if (count > 0) {
    print_space(job);
    fputs("# Fields: ", job->file);
    blast_columns_print_titles(columns, job->file);
    fputc('\n', job->file);
  }
  fprintf(job->file, "# %" PRId64 " hits found\n", count);
  status = print_lines(job, &names, columns, error);
  if (status == CLA_OK && !job->body_only) write_blast7_tail(job->file, 1);
done:
  name_pair_free(&names);
  return status;
}
