/* One object a line, written member by member: with objects in memory a batch of short pairs would take as
 * long to write as to align. */

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "result/alignment_count.h"
#include "write/cigar_text.h"
#include "write/clean_text.h"
#include "write/writer.h"

/* A string with its quotes. */
static cla_status print_text(FILE *file, const char *text, cla_error *error) {
  char *clean = NULL;
  cla_status status = clean_utf8(&clean, text ? text : "", error);
  if (status != CLA_OK) return status;
  fputc('"', file);
  for (const char *at = clean; *at;) {
    static const char special[] = "\"\\\b\f\n\r\t", letters[] = "\"\\bfnrt";
    size_t plain = 0;
    while ((unsigned char)at[plain] >= 0x20 && at[plain] != '"' && at[plain] != '\\') plain++;
    fwrite(at, 1, plain, file);
    at += plain;
    if (!*at) break;
    const char *found = strchr(special, *at);
    if (found)
      fprintf(file, "\\%c", letters[found - special]);
    else
      fprintf(file, "\\u%04X", (unsigned)*at);
    at++;
  }
  fputc('"', file);
  free(clean);
  return CLA_OK;
}

static void print_integer(FILE *file, const char *key, bool known, int64_t value) {
  if (known)
    fprintf(file, "\"%s\":%" PRId64, key, value);
  else
    fprintf(file, "\"%s\":null", key);
}

/* Six digits; always a point or an exponent, so that it is read as a real number; and a point in every
 * locale. */
static void print_real(FILE *file, const char *key, bool known, double value) {
  char text[32];
  if (!known) {
    fprintf(file, "\"%s\":null", key);
    return;
  }
  snprintf(text, sizeof text, "%.6g", value);
  const size_t mantissa = strcspn(text, "e");
  const size_t whole = strspn(text, "-0123456789");
  if (whole < mantissa) text[whole] = '.';
  fprintf(file, "\"%s\":%.*s", key, (int)mantissa, text);
  if (text[mantissa])
    fprintf(file, "e%ld", strtol(text + mantissa + 1, NULL, 10));
  else if (whole == mantissa)
    fputs(".0", file);
}

static cla_status print_side(FILE *file, const char *key, const cla_side *side, bool reverse,
                             cla_error *error) {
  int64_t start, stop;
  cla_side_positions(side, &start, &stop);
  fprintf(file, "\"%s\":{\"name\":", key);
  cla_status status = print_text(file, side->name, error);
  fprintf(file, ",\"length\":%" PRId64 ",", side->length);
  print_integer(file, "start", start >= 0, start);
  fputc(',', file);
  print_integer(file, "end", stop >= 0, stop);
  fprintf(file, ",\"strand\":\"%c\",\"rotation\":%" PRId64 "}", reverse ? '-' : '+', side->rotation);
  return status;
}

/* Fractions too are exact numbers. */
static void print_score(FILE *file, int64_t score, const cla_scoring *scoring) {
  char text[CLA_SCORE_TEXT_SIZE];
  cla_score_text(text, score, scoring);
  fputs(text, file);
}

static void print_score_or_null(FILE *file, bool known, int64_t score, const cla_scoring *scoring) {
  if (known)
    print_score(file, score, scoring);
  else
    fputs("null", file);
}

static void print_matrix(FILE *file, const cla_scoring *scoring) {
  for (int row = 0; row < scoring->matrix_size; row++) {
    fputs(row == 0 ? "[[" : ",[", file);
    for (int column = 0; column < scoring->matrix_size; column++) {
      if (column > 0) fputc(',', file);
      print_score(file, scoring->matrix[row * CLA_MATRIX_STRIDE + column], scoring);
    }
    fputc(']', file);
  }
  fputc(']', file);
}

/* Lower case, as all words that are values. */
static const char *alphabet_word(cla_alphabet alphabet) {
  return alphabet == CLA_ALPHABET_DNA ? "dna" : alphabet == CLA_ALPHABET_PROTEIN ? "protein" : "own";
}

static void print_ambiguity(FILE *file, const cla_alignment *alignment) {
  static const char *const words[] = {"\"mismatch\"", "\"neutral\"", "\"expected\""};
  const bool asked = alignment->alphabet == CLA_ALPHABET_DNA && alignment->scoring.matrix_size == 0;
  fprintf(file, "\"ambiguity\":%s", asked ? words[alignment->scoring.ambiguity] : "null");
}

static cla_status print_matrix_object(FILE *file, const cla_scoring *scoring, cla_error *error) {
  fputs("{\"name\":", file);
  cla_status status = print_text(file, scoring->matrix_name, error);
  fputs(",\"letters\":", file);
  if (status == CLA_OK) status = print_text(file, scoring->letters, error);
  fputs(",\"scores\":", file);
  print_matrix(file, scoring);
  fputc('}', file);
  return status;
}

static cla_status print_scoring(FILE *file, const cla_alignment *alignment, cla_error *error) {
  const cla_scoring *scoring = &alignment->scoring;
  const bool simple = scoring->matrix_size == 0, two = scoring->gap_first2 > 0;
  cla_status status = CLA_OK;
  fputs("\"scoring\":{\"match\":", file);
  print_score_or_null(file, simple, scoring->match, scoring);
  fputs(",\"mismatch\":", file);
  print_score_or_null(file, simple, scoring->mismatch, scoring);
  fputs(",\"gap_first\":", file);
  print_score(file, scoring->gap_first, scoring);
  fputs(",\"gap_ext\":", file);
  print_score(file, scoring->gap_ext, scoring);
  fputs(",\"gap_first2\":", file);
  print_score_or_null(file, two, scoring->gap_first2, scoring);
  fputs(",\"gap_ext2\":", file);
  print_score_or_null(file, two, scoring->gap_ext2, scoring);
  fputs(",\"matrix\":", file);
  if (simple)
    fputs("null", file);
  else
    status = print_matrix_object(file, scoring, error);
  fputc(',', file);
  print_ambiguity(file, alignment);
  fputc('}', file);
  return status;
}

/* The counts over the path; all null without one. */
static void print_counts(FILE *file, const cla_statistics *counts, bool known) {
  const struct {
    const char *key;
    int64_t value;
  } members[] = {{"matches", counts->matches},         {"mismatches", counts->mismatches},
                 {"positives", counts->positives},     {"gap_opens", counts->gap_opens},
                 {"gap_letters", counts->gap_letters}, {"columns", counts->columns}};
  for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
    if (i > 0) fputc(',', file);
    print_integer(file, members[i].key, known, members[i].value);
  }
}

/* The path itself, which may be long. */
static void print_path(const write_job *job, const cla_alignment *alignment) {
  static const char *const placements[] = {"canonical", "left", "right"};
  if (!alignment->has_path) {
    fputs("\"cigar\":null,\"gap_placement\":null", job->file);
    return;
  }
  fputs("\"cigar\":\"", job->file);
  cigar_print(job->file, alignment, job->query, job->target);
  fprintf(job->file, "\",\"gap_placement\":\"%s\"", placements[alignment->gap_placement]);
}

static void print_stage(FILE *file, const char *key, int64_t cells, double seconds, const char *after) {
  fprintf(file, "\"%s\":{\"cells\":%" PRId64 ",", key, cells);
  print_real(file, "seconds", true, seconds);
  fprintf(file, "}%s", after);
}

/* Cells and seconds by stage. */
static void print_stages(FILE *file, const cla_metrics *metrics) {
  int64_t sweep_cells = metrics->cells_computed;
  sweep_cells -= metrics->search.cells + metrics->blocks.cells + metrics->bands.cells;
  fputc('{', file);
  print_stage(file, "sweep", sweep_cells, metrics->sweep_seconds, ",");
  print_stage(file, "search", metrics->search.cells, metrics->search.seconds, ",");
  print_stage(file, "blocks", metrics->blocks.cells, metrics->blocks.seconds, ",");
  print_stage(file, "bands", metrics->bands.cells, metrics->bands.seconds, "}");
}

/* What was measured; an alignment that was loaded from a file has no metrics, and nulls say so. The number
 * of cells follows from the ranges, unless the product passes 2^63. */
static void print_cells(FILE *file, const cla_alignment *alignment) {
  const cla_metrics *metrics = &alignment->metrics;
  const cla_side *query = &alignment->query, *target = &alignment->target;
  int64_t cells = 0;
  bool known = metrics->cells > 0;
  bool countable = !__builtin_mul_overflow(query->end - query->begin, target->end - target->begin, &cells);
  if (known) cells = metrics->cells;
  print_integer(file, "cells", known || countable, cells);
  fputc(',', file);
  print_integer(file, "cells_computed", known, metrics->cells_computed);
}

static cla_status print_metrics(FILE *file, const cla_alignment *alignment, cla_error *error) {
  const cla_metrics *metrics = &alignment->metrics;
  const bool known = metrics->cells > 0, timed = known && metrics->seconds > 0;
  const double scale = timed ? 1e-9 / metrics->seconds : 0;
  cla_status status = CLA_OK;
  print_real(file, "seconds", known, metrics->seconds);
  fputc(',', file);
  print_real(file, "gcups", timed && !alignment->has_band, scale * (double)metrics->cells);
  fputc(',', file);
  print_real(file, "gcups_raw", timed, scale * (double)metrics->cells_computed);
  fputs(",\"stages\":", file);
  if (known)
    print_stages(file, metrics);
  else
    fputs("null", file);
  fputs(",\"device\":", file);
  if (known)
    status = print_text(file, metrics->device, error);
  else
    fputs("null", file);
  if (status == CLA_OK && metrics->lost_devices[0]) {
    fputs(",\"lost_devices\":", file);
    status = print_text(file, metrics->lost_devices, error);
  }
  fprintf(file, ",\"exact\":%s", alignment->has_band ? "false" : "true");
  if (alignment->has_band) fprintf(file, ",\"band\":%" PRId64, alignment->band);
  return status;
}

static void print_free_ends(FILE *file, int ends) {
  const char *before = "[";
  fputs(",\"free_ends\":", file);
  for (int i = 0; i < CLA_FREE_END_COUNT; i++)
    if (ends & 1 << i) {
      fprintf(file, "%s\"%s\"", before, cla_free_end_name((cla_free_ends)(1 << i)));
      before = ",";
    }
  fputs(*before == '[' ? "[]" : "]", file);
}

/* Out of memory, which the texts need, leaves a part of the line: the output is then to be discarded. */
static cla_status write_object(const write_job *job, const cla_alignment *alignment, cla_error *error) {
  FILE *file = job->file;
  const cla_metrics *metrics = &alignment->metrics;
  cla_statistics counts = {0};
  cla_status status = CLA_OK;
  if (alignment->has_path) status = alignment_count(&counts, alignment, job->query, job->target, error);
  if (status != CLA_OK) return status;
  fputs("{\"score\":", file);
  print_score(file, alignment->score, &alignment->scoring);
  fprintf(file, ",\"mode\":\"%s\",\"type\":\"%s\",", cla_mode_name(alignment->mode),
          alphabet_word(alignment->alphabet));
  status = print_side(file, "query", &alignment->query, alignment->strand == CLA_STRAND_REVERSE, error);
  fputc(',', file);
  if (status == CLA_OK) status = print_side(file, "target", &alignment->target, false, error);
  if (alignment->mode == CLA_MODE_FREE_ENDS) print_free_ends(file, alignment->free_ends);
  fputc(',', file);
  print_counts(file, &counts, alignment->has_path);
  fputc(',', file);
  print_path(job, alignment);
  fputc(',', file);
  if (status == CLA_OK) status = print_scoring(file, alignment, error);
  fputc(',', file);
  print_cells(file, alignment);
  fputs(",\"lower_bound\":", file);
  print_score_or_null(file, metrics->cells > 0 && metrics->pruned, metrics->lower_bound, &alignment->scoring);
  fputc(',', file);
  if (status == CLA_OK) status = print_metrics(file, alignment, error);
  fputs("}\n", file);
  return status;
}

cla_status write_json(const write_job *job, cla_error *error) {
  for (size_t index = 0; index < job->count && !ferror(job->file); index++) {
    cla_status status = write_object(job, job->alignments[index], error);
    if (status != CLA_OK) return status;
  }
  return CLA_OK;
}
