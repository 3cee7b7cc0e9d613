/* BLAST's tables: outfmt 6, and outfmt 7, which has comments. The names of columns are those of BLAST+
 * (`-outfmt "6 NAME NAME ..."`). */

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/extremes.h"
#include "clalign/version.h"
#include "result/alignment.h"
#include "result/path_check.h"
#include "write/formats/karlin_altschul.h"
#include "write/writer.h"

/* The data of a line. */
typedef struct blast_line {
  const write_job *job;
  const cla_alignment *alignment; /* has at least one pair of letters */
  const name_pair *names;
  cla_statistics counts;
} blast_line;

/* Positions are 1-based. On the reverse strand, the query's positions ascend and the target's positions
 * descend. */

static void print_query(FILE *file, const blast_line *line) {
  fputs(line->names->query, file);
}

static void print_target(FILE *file, const blast_line *line) {
  fputs(line->names->target, file);
}

static void print_share(FILE *file, int64_t part, const blast_line *line) {
  fprintf(file, "%.3f", 100.0 * (double)part / (double)line->counts.columns);
}

static void print_pident(FILE *file, const blast_line *line) {
  print_share(file, line->counts.matches, line);
}

static void print_ppos(FILE *file, const blast_line *line) {
  print_share(file, line->counts.positives, line);
}

#define PRINT_NUMBER(name, value)                                \
  static void print_##name(FILE *file, const blast_line *line) { \
    fprintf(file, "%" PRId64, (int64_t)(value));                 \
  }

static bool is_reverse(const blast_line *line) {
  return line->alignment->strand == CLA_STRAND_REVERSE;
}

/* Returns the frame, which is the strand for nucleotides, and 0 for proteins. */
static int frame(const blast_line *line, bool reverse) {
  if (line->alignment->alphabet == CLA_ALPHABET_PROTEIN) return 0;
  return reverse ? -1 : 1;
}

/* Returns the percentage of the query's letters that are covered, rounded as BLAST does. */
static int64_t coverage(int64_t covered, const blast_line *line) {
  return (int64_t)(0.5 + 100.0 * (double)covered / (double)line->alignment->query.length);
}

static int by_start(const void *a, const void *b) {
  const cla_side *first = &(*(const cla_alignment *const *)a)->query,
                 *second = &(*(const cla_alignment *const *)b)->query;
  return (first->start > second->start) - (first->start < second->start);
}

/* Returns the number of query letters that are in any alignment of the pair; -1 if memory runs out. */
static int64_t covered_together(const write_job *job) {
  const cla_alignment **sorted = malloc(job->count * sizeof *sorted);
  int64_t covered = 0, end = 0;
  if (!sorted) return -1;
  memcpy(sorted, job->alignments, job->count * sizeof *sorted);
  qsort(sorted, job->count, sizeof *sorted, by_start);
  for (size_t index = 0; index < job->count; index++) {
    const cla_side *query = &sorted[index]->query;
    if (!path_has_pairs(sorted[index])) continue;
    covered += larger(query->stop - larger(query->start, end), 0);
    end = larger(end, query->stop);
  }
  free(sorted);
  return covered;
}

static void print_qcovs(FILE *file, const blast_line *line) {
  const int64_t covered = covered_together(line->job);
  if (covered < 0)
    fputs("N/A", file);
  else
    fprintf(file, "%" PRId64, coverage(covered, line));
}

PRINT_NUMBER(qlen, line->alignment->query.length)
PRINT_NUMBER(slen, line->alignment->target.length)
PRINT_NUMBER(qstart, line->alignment->query.start + 1)
PRINT_NUMBER(qend, line->alignment->query.stop)
PRINT_NUMBER(sstart, is_reverse(line) ? line->alignment->target.stop : line->alignment->target.start + 1)
PRINT_NUMBER(send, is_reverse(line) ? line->alignment->target.start + 1 : line->alignment->target.stop)
PRINT_NUMBER(length, line->counts.columns)
PRINT_NUMBER(nident, line->counts.matches)
PRINT_NUMBER(mismatch, line->counts.mismatches)
PRINT_NUMBER(positive, line->counts.positives)
PRINT_NUMBER(gapopen, line->counts.gap_opens)
PRINT_NUMBER(gaps, line->counts.gap_letters)
PRINT_NUMBER(qframe, frame(line, false))
PRINT_NUMBER(sframe, frame(line, is_reverse(line)))
PRINT_NUMBER(qcovhsp, coverage(line->alignment->query.stop - line->alignment->query.start, line))

static void print_sstrand(FILE *file, const blast_line *line) {
  const bool protein = line->alignment->alphabet == CLA_ALPHABET_PROTEIN;
  fputs(protein ? "N/A" : is_reverse(line) ? "minus" : "plus", file);
}

static void print_score(FILE *file, const blast_line *line) {
  char text[CLA_SCORE_TEXT_SIZE];
  cla_score_text(text, line->alignment->score, &line->alignment->scoring);
  fputs(text, file);
}

/* An expected number or a bit score that is not known is written as nan, which every reader of numbers
 * accepts. */
static void print_evalue(FILE *file, const blast_line *line) {
  double expect;
  if (!cla_database_expect(&expect, line->alignment, line->job->how->database))
    fputs("nan", file);
  else
    fprintf(file, expect < 1e-180 ? "0.0" : "%.3g", expect);
}

static void print_bitscore(FILE *file, const blast_line *line) {
  karlin_altschul parameters;
  if (karlin_altschul_find(&parameters, line->alignment))
    fprintf(file, "%.1f", karlin_altschul_bits(&parameters, line->alignment->score));
  else
    fputs("nan", file);
}

/* The target's letters are printed on the forward strand, and the query's letters on the strand that was
 * aligned. */
static void print_qseq(FILE *file, const blast_line *line) {
  write_job job = *line->job;
  job.file = file;
  gapped_row_print(&job, line->alignment, GAPPED_QUERY, 0);
}

static void print_sseq(FILE *file, const blast_line *line) {
  write_job job = *line->job;
  job.file = file;
  gapped_row_print(&job, line->alignment, GAPPED_TARGET, 0);
}

static const struct {
  const char *name, *title;
  void (*print)(FILE *file, const blast_line *line);
} all[] = {
    {"qseqid", "query id", print_query},
    {"qacc", "query acc.", print_query},
    {"qaccver", "query acc.ver", print_query},
    {"qlen", "query length", print_qlen},
    {"sseqid", "subject id", print_target},
    {"sacc", "subject acc.", print_target},
    {"saccver", "subject acc.ver", print_target},
    {"slen", "subject length", print_slen},
    {"qstart", "q. start", print_qstart},
    {"qend", "q. end", print_qend},
    {"sstart", "s. start", print_sstart},
    {"send", "s. end", print_send},
    {"qseq", "query seq", print_qseq},
    {"sseq", "subject seq", print_sseq},
    {"evalue", "evalue", print_evalue},
    {"bitscore", "bit score", print_bitscore},
    {"score", "score", print_score},
    {"length", "alignment length", print_length},
    {"pident", "% identity", print_pident},
    {"nident", "identical", print_nident},
    {"mismatch", "mismatches", print_mismatch},
    {"positive", "positives", print_positive},
    {"gapopen", "gap opens", print_gapopen},
    {"gaps", "gaps", print_gaps},
    {"ppos", "% positives", print_ppos},
    {"qframe", "query frame", print_qframe},
    {"sframe", "sbjct frame", print_sframe},
    {"sstrand", "subject strand", print_sstrand},
    {"qcovs", "% query coverage per subject", print_qcovs},
    {"qcovhsp", "% query coverage per hsp", print_qcovhsp},
};

#define ALL ((int)(sizeof all / sizeof *all))
#define USUAL "qaccver,saccver,pident,length,mismatch,gapopen,qstart,qend,sstart,send,evalue,bitscore"

const column_table blast_table = {"BLAST's tables", USUAL, all, sizeof *all, ALL};

/* Prints the line, including its end. */
static void print_line(const column_list *columns, const blast_line *line) {
  FILE *file = line->job->file;
  for (int index = 0; index < columns->count; index++) {
    if (index > 0) fputc('\t', file);
    all[columns->of[index]].print(file, line);
  }
  fputc('\n', file);
}

static cla_status print_lines(const write_job *job, const name_pair *names, const column_list *columns,
                              cla_error *error) {
  cla_status status = CLA_OK;
  for (size_t index = 0; index < job->count && status == CLA_OK && !ferror(job->file); index++) {
    blast_line line = {.job = job, .alignment = job->alignments[index], .names = names};
    if (!path_has_pairs(line.alignment)) continue;
    status = alignment_count(&line.counts, line.alignment, job->query, job->target, error);
    if (status == CLA_OK) print_line(columns, &line);
  }
  return status;
}

/* Sets *out to the job's columns. If there are none, parses the columns of the job's options into *read, and
 * sets *out to them. */
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

/* Prints the search space used for the expected numbers, if these are known. */
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

/* Writes the table with comments. Readers expect program and version in the line with the word BLAST. */
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
    for (int i = 0; i < columns->count; i++)
      fprintf(job->file, "%s%s", i > 0 ? ", " : "", all[columns->of[i]].title);
    fputc('\n', job->file);
  }
  fprintf(job->file, "# %" PRId64 " hits found\n", count);
  status = print_lines(job, &names, columns, error);
  if (status == CLA_OK && !job->body_only) write_blast7_tail(job->file, 1);
done:
  name_pair_free(&names);
  return status;
}
