#include <string.h>

#include "result/alignment.h"
#include "result/cigar_reader.h"
#include "scoring/gap_costs.h"
#include "scoring/score_table.h"
#include "seq/sequence.h"
#include "write/writer.h"

/* The pair and srspair formats of EMBOSS' water and needle. A row consists of a name, a position, letters and
 * a position. The letters always start at column 22, because readers split rows there. */
#define ROW_LETTERS 50
#define ROW_MARGIN 21
#define POSITION_WIDTH 6

typedef struct pair_row {
  const char *name;
  int name_width, position_width;
  int64_t rotation;
  int64_t position; /* number of the strand's letters before the row */
  strand_letters from;
  char letters[ROW_LETTERS + 1];
} pair_row;

typedef struct pair_block {
  FILE *file;
  pair_row query, target;
  char markup[ROW_LETTERS + 1];
  char margins[ROW_LETTERS + 1];
  const int64_t *next_margin; /* margin of the path's next column; NULL: margins are not shown */
  int64_t units;              /* units of a margin in a point */
  const char *alphabet;       /* letters, indexed by their codes */
  score_table table;
  bool repeats_last; /* as in print_row */
  int columns;
  int64_t query_end, target_end; /* positions after the columns collected so far */
} pair_block;

/* Prints a line of the head with a number, which has at least one decimal. */
static void print_score(FILE *file, const char *key, int64_t score, const cla_scoring *scoring) {
  char text[CLA_SCORE_TEXT_SIZE];
  cla_score_text(text, score, scoring);
  fprintf(file, "# %s: %s%s\n", key, text, strchr(text, '.') ? "" : ".0");
}

/* Prints the lines of the scheme. The second piece of gap costs has no separate line, because readers refuse
 * unknown lines. */
static void print_costs(FILE *file, const cla_scoring *scoring) {
  char first[CLA_SCORE_TEXT_SIZE], second[CLA_SCORE_TEXT_SIZE];
  cla_score_text(first, scoring->match, scoring);
  cla_score_text(second, scoring->mismatch, scoring);
  if (scoring->matrix_size > 0)
    fprintf(file, "# Matrix: %s", scoring->matrix_name[0] ? scoring->matrix_name : "given");
  else
    fprintf(file, "# Matrix: match %s mismatch %s", first, second);
  for (int k = 1; k < gap_pieces(scoring); k++) {
    cla_score_text(first, scoring->gap[k].first, scoring);
    cla_score_text(second, scoring->gap[k].ext, scoring);
    fprintf(file, ", second piece of gaps %s extended %s", first, second);
  }
  fputc('\n', file);
  print_score(file, "Gap_penalty", scoring->gap[0].first, scoring);
  print_score(file, "Extend_penalty", scoring->gap[0].ext, scoring);
  fputs("#\n", file);
}

static void print_share(FILE *file, const char *key, int64_t part, int64_t whole) {
  double percent = whole > 0 ? 100.0 * (double)part / (double)whole : 0;
  fprintf(file, "# %-12s%5lld/%lld (%4.1f%%)\n", key, (long long)part, (long long)whole, percent);
}

static void print_head(FILE *file, const cla_alignment *alignment, const cla_statistics *counts,
                       const char *query_name, const char *target_name) {
  fputs("#=======================================\n#\n# Aligned_sequences: 2\n", file);
  fprintf(file, "# 1: %s\n# 2: %s\n", query_name, target_name);
  print_costs(file, &alignment->scoring);
  fprintf(file, "# Length: %lld\n", (long long)counts->columns);
  print_share(file, "Identity:", counts->matches, counts->columns);
  print_share(file, "Similarity:", counts->positives, counts->columns);
  print_share(file, "Gaps:", counts->gap_letters, counts->columns);
  print_score(file, "Score", alignment->score, &alignment->scoring);
  fputs("# \n#\n", file);
  fputs("#=======================================\n\n", file);
}

/* Makes a row. `last` is the largest position on the forward strand in any row. */
static pair_row make_row(const char *name, const cla_side *side, int64_t start, int64_t last,
                         const strand_letters *from) {
  pair_row row = {.name = name, .rotation = side->rotation, .position = start, .from = *from};
  const int64_t largest = side->rotation > 0 ? side->length : last + from->reverse;
  int digits = snprintf(NULL, 0, "%lld", (long long)largest);
  row.position_width = digits > POSITION_WIDTH ? digits : POSITION_WIDTH;
  row.name_width = ROW_MARGIN - 2 - row.position_width;
  if (row.name_width < 1) row.name_width = 1;
  return row;
}

/* Returns the position of letter number `letters` of the strand, counted from 1 on the forward strand of the
 * record without rotation. */
static long long shown_position(const pair_row *row, int64_t letters) {
  const int64_t position = row->from.reverse ? row->from.length - letters + 1 : letters;
  if (row->rotation == 0) return (long long)position;
  return (long long)((position - 1 + row->rotation + row->from.length) % row->from.length) + 1;
}

/* Prints a row. It starts with the position of its first letter and ends with the position of its last
 * letter. A row with only a gap starts with the position of the next letter (in srspair, of the previous
 * letter), and ends with that of the previous letter. On the reverse strand, positions descend. */
static void print_row(FILE *file, const pair_row *row, int64_t end, bool repeats_last) {
  const bool letters = end > row->position;
  const long long first = shown_position(row, letters || !repeats_last ? row->position + 1 : end);
  print_name(file, row->name, row->name_width, true);
  fprintf(file, " %*lld %s %*lld\n", row->position_width, first, row->letters, row->position_width,
          shown_position(row, end));
}

static void print_block(pair_block *block) {
  if (block->columns == 0) return;
  block->query.letters[block->columns] = 0;
  block->markup[block->columns] = 0;
  block->target.letters[block->columns] = 0;
  print_row(block->file, &block->query, block->query_end, block->repeats_last);
  fprintf(block->file, "%*s%s\n", ROW_MARGIN, "", block->markup);
  print_row(block->file, &block->target, block->target_end, block->repeats_last);
  block->margins[block->columns] = 0;
  if (block->next_margin) fprintf(block->file, "%*s%s\n", ROW_MARGIN, "", block->margins);
  fputc('\n', block->file);
  block->query.position = block->query_end;
  block->target.position = block->target_end;
  block->columns = 0;
}

/* Returns the sign between two letters. There are three signs: for matches, for other pairs that score
 * above 0, and for all remaining pairs. */
static char pair_markup(const pair_block *block, char operation, uint8_t query, uint8_t target) {
  if (operation == '=') return '|';
  return block->table.score[query * CLA_MATRIX_STRIDE + target] > 0 ? ':' : '.';
}

/* Returns the sign of a margin: points, rounded up, so only an ambiguous column has 0. */
static char margin_sign(int64_t margin, int64_t units) {
  if (margin > 9 * units) return '*';
  return (char)('0' + (margin + units - 1) / units);
}

static void add_column(pair_block *block, char operation) {
  int column = block->columns;
  bool has_query = operation != 'D', has_target = operation != 'I';
  const uint8_t query = has_query ? strand_code(&block->query.from, block->query_end) : 0;
  const uint8_t target = has_target ? strand_code(&block->target.from, block->target_end) : 0;
  block->query.letters[column] =
      has_query ? strand_letter(&block->query.from, block->alphabet, block->query_end) : '-';
  block->target.letters[column] =
      has_target ? strand_letter(&block->target.from, block->alphabet, block->target_end) : '-';
  block->markup[column] = has_query && has_target ? pair_markup(block, operation, query, target) : ' ';
  block->query_end += has_query;
  block->target_end += has_target;
  if (++block->columns == ROW_LETTERS) print_block(block);
}

/* Numbers of letters of the ranges before and after the path, which are free ends shown as gaps. */
typedef struct free_letters {
  int64_t query_before, target_before, query_behind, target_behind;
} free_letters;

/* Counts the free letters if the job shows them. A piece of an alignment, or a local alignment, has none. */
static free_letters count_free_letters(const write_job *job, const cla_alignment *alignment) {
  const cla_side *query = &alignment->query, *target = &alignment->target;
  free_letters out = {0};
  if (!job->how->free_ends || alignment->has_split || alignment->mode == CLA_MODE_LOCAL) return out;
  out.query_before = strand_start_row(alignment);
  out.query_behind = query->end - query->begin - (query->stop - query->start) - out.query_before;
  out.target_before = target->start - target->begin;
  out.target_behind = target->end - target->stop;
  return out;
}

/* Adds letters of free ends, which have no margins. */
static void add_free(pair_block *block, char operation, int64_t count) {
  for (int64_t column = 0; column < count && !ferror(block->file); column++) {
    block->margins[block->columns] = ' ';
    add_column(block, operation);
  }
}

static void add_columns(pair_block *block, char operation, int64_t count) {
  for (int64_t column = 0; column < count && !ferror(block->file); column++) {
    if (block->next_margin) block->margins[block->columns] = margin_sign(*block->next_margin++, block->units);
    add_column(block, operation);
  }
}

static void print_columns(const write_job *job, size_t index, const name_pair *names, bool srspair) {
  const cla_alignment *alignment = job->alignments[index];
  const cla_certificate *certificate = srspair ? NULL : job_certificate(job, index);
  cigar_reader reader;
  cigar_step step;
  const letter_set *letters = sequence_alphabet(job->query);
  const strand_letters query = strand_query(alignment, job->query);
  const strand_letters target = strand_target(job->target);
  const cla_side *query_side = &alignment->query, *target_side = &alignment->target;
  const free_letters ends = count_free_letters(job, alignment);
  const int64_t start = strand_query_start(alignment) - ends.query_before;
  const int64_t target_start = alignment->target.start - ends.target_before;
  pair_block block = {
      .file = job->file,
      .repeats_last = srspair,
      .next_margin = certificate ? certificate->margins : NULL,
      .units = alignment->scoring.units > 0 ? alignment->scoring.units : 1,
      .alphabet = letters->letters,
      .query = make_row(names->query, query_side, start,
                        query_side->stop + (query.reverse ? ends.query_before : ends.query_behind), &query),
      .target =
          make_row(names->target, target_side, target_start, target_side->stop + ends.target_behind, &target),
      .query_end = start,
      .target_end = target_start};
  score_table_build(&block.table, &alignment->scoring, letters->letters, letters->unambiguous);
  cigar_reader_begin(&reader, alignment, job->query, job->target);
  add_free(&block, 'I', ends.query_before);
  add_free(&block, 'D', ends.target_before);
  while (cigar_reader_next(&reader, &step)) add_columns(&block, step.operation, step.length);
  add_free(&block, 'I', ends.query_behind);
  add_free(&block, 'D', ends.target_behind);
  print_block(&block);
}

static cla_status write_one(const write_job *job, size_t index, const name_pair *names, bool srspair,
                            cla_error *error) {
  const cla_alignment *alignment = job->alignments[index];
  cla_statistics counts;
  cla_status status = alignment_count(&counts, alignment, job->query, job->target, error);
  if (status != CLA_OK) return status;
  const free_letters ends = count_free_letters(job, alignment);
  const int64_t shown = ends.query_before + ends.target_before + ends.query_behind + ends.target_behind;
  counts.columns += shown;
  counts.gap_letters += shown;
  print_head(job->file, alignment, &counts, names->query, names->target);
  print_columns(job, index, names, srspair);
  fputc('\n', job->file);
  return CLA_OK;
}

static void print_file_head(FILE *file, const char *command, const char *format, bool margins) {
  fputs("########################################\n# Program: clalign\n", file);
  if (command) fprintf(file, "# Commandline: %s\n", command);
  fprintf(file, "# Align_format: %s\n", format);
  /* Readers skip lines of the head that they do not know. */
  if (margins) fputs("# Margins: points lost without the column above; 0 not certain, * more than 9\n", file);
  fputs("########################################\n\n", file);
}

void write_pair_head(FILE *file, const char *command) {
  print_file_head(file, command, "pair", false);
}

void write_srspair_head(FILE *file, const char *command) {
  print_file_head(file, command, "srspair", false);
}

void write_pair_tail(FILE *file, int64_t pairs) {
  (void)pairs;
  fputs("#---------------------------------------\n#---------------------------------------\n", file);
}

static cla_status write_text(const write_job *job, bool srspair, cla_error *error) {
  name_pair names;
  cla_status status = name_pair_make(&names, job, error);
  if (status != CLA_OK) goto done;
  const bool margins = !srspair && job->count > 0 && job_certificate(job, 0);
  if (!job->body_only) print_file_head(job->file, names.command, srspair ? "srspair" : "pair", margins);
  for (size_t index = 0; index < job->count && status == CLA_OK && !ferror(job->file); index++)
    status = write_one(job, index, &names, srspair, error);
  if (!job->body_only) write_pair_tail(job->file, 1);
done:
  name_pair_free(&names);
  return status;
}

cla_status write_pair(const write_job *job, cla_error *error) {
  return write_text(job, false, error);
}

cla_status write_srspair(const write_job *job, cla_error *error) {
  return write_text(job, true, error);
}
