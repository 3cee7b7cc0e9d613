#include <jansson.h>
#include <stdlib.h>

#include "base/error.h"
#include "result/alignment_count.h"
#include "write/cigar_text.h"
#include "write/clean_text.h"
#include "write/writer.h"

/* Every json_t * here may be NULL when memory ends. Jansson passes that on and releases what it was given,
 * so one look at the finished object suffices. */

static json_t *text_value(const char *text) {
  char *clean = NULL;
  if (clean_utf8(&clean, text ? text : "", NULL) != CLA_OK) return NULL;
  json_t *value = json_string(clean);
  free(clean);
  return value;
}

static json_t *integer_or_null(bool known, int64_t value) {
  return known ? json_integer(value) : json_null();
}

static json_t *real_or_null(bool known, double value) {
  return known ? json_real(value) : json_null();
}

static json_t *side_value(const cla_side *side, bool reverse) {
  int64_t start, stop;
  cla_side_positions(side, &start, &stop);
  return json_pack("{s:o,s:I,s:o,s:o,s:s,s:I}", "name", text_value(side->name), "length",
                   (json_int_t)side->length, "start", integer_or_null(start >= 0, start), "end",
                   integer_or_null(stop >= 0, stop), "strand", reverse ? "-" : "+", "rotation",
                   (json_int_t)side->rotation);
}

/* Jansson has no decimal fractions, only doubles: scores are written past it, as exact numbers. */
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

static json_t *ambiguity_value(const cla_alignment *alignment) {
  static const char *const words[] = {"mismatch", "neutral", "expected"};
  const bool asked = alignment->alphabet == CLA_ALPHABET_DNA && alignment->scoring.matrix_size == 0;
  return asked ? json_string(words[alignment->scoring.ambiguity]) : json_null();
}

/* The texts that the object of the scoring holds beside its numbers; ambiguity last. */
typedef struct scoring_texts {
  json_t *matrix, *ambiguity; /* owned */
} scoring_texts;

static bool make_scoring_texts(scoring_texts *out, const cla_alignment *alignment) {
  const cla_scoring *scoring = &alignment->scoring;
  out->matrix = json_pack("{s:o,s:o}", "name", text_value(scoring->matrix_name), "letters",
                          text_value(scoring->letters));
  out->ambiguity = json_pack("{s:o}", "ambiguity", ambiguity_value(alignment));
  return out->matrix && out->ambiguity;
}

/* The members of an object without its braces; false where memory ends. */
static bool print_members(FILE *file, const json_t *object) {
  const size_t flags = JSON_COMPACT | JSON_EMBED | JSON_REAL_PRECISION(6);
  return json_dumpf(object, file, flags) == 0 || ferror(file);
}

static bool print_scoring(FILE *file, const cla_scoring *scoring, const scoring_texts *texts) {
  const bool simple = scoring->matrix_size == 0, two = scoring->gap_first2 > 0;
  bool fits = true;
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
  if (simple) {
    fputs("null,", file);
  } else {
    fputc('{', file);
    fits = print_members(file, texts->matrix);
    fputs(",\"scores\":", file);
    print_matrix(file, scoring);
    fputs("},", file);
  }
  fits &= print_members(file, texts->ambiguity);
  fputc('}', file);
  return fits;
}

/* The counts over the path; all null without one. */
static cla_status make_counts(json_t **out, const write_job *job, const cla_alignment *alignment,
                              cla_error *error) {
  cla_statistics counts = {0};
  const bool known = alignment->has_path;
  if (known) {
    cla_status status = alignment_count(&counts, alignment, job->query, job->target, error);
    if (status != CLA_OK) return status;
  }
  *out = json_pack(
      "{s:o,s:o,s:o,s:o,s:o,s:o}", "matches", integer_or_null(known, counts.matches), "mismatches",
      integer_or_null(known, counts.mismatches), "positives", integer_or_null(known, counts.positives),
      "gap_opens", integer_or_null(known, counts.gap_opens), "gap_letters",
      integer_or_null(known, counts.gap_letters), "columns", integer_or_null(known, counts.columns));
  return CLA_OK;
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

static json_t *stage_value(int64_t cells, double seconds) {
  return json_pack("{s:I,s:f}", "cells", (json_int_t)cells, "seconds", seconds);
}

/* Cells and seconds by stage. */
static json_t *stages_value(const cla_metrics *metrics) {
  int64_t sweep_cells = metrics->cells_computed;
  sweep_cells -= metrics->search.cells + metrics->blocks.cells + metrics->bands.cells;
  return json_pack("{s:o,s:o,s:o,s:o}", "sweep", stage_value(sweep_cells, metrics->sweep_seconds), "search",
                   stage_value(metrics->search.cells, metrics->search.seconds), "blocks",
                   stage_value(metrics->blocks.cells, metrics->blocks.seconds), "bands",
                   stage_value(metrics->bands.cells, metrics->bands.seconds));
}

/* What was measured; an alignment that was loaded from a file has no metrics, and nulls say so. The number
 * of cells follows from the ranges, unless the product passes 2^63. */
static json_t *cells_value(const cla_alignment *alignment) {
  const cla_metrics *metrics = &alignment->metrics;
  const cla_side *query = &alignment->query, *target = &alignment->target;
  int64_t cells = 0;
  bool known = metrics->cells > 0;
  bool countable = !__builtin_mul_overflow(query->end - query->begin, target->end - target->begin, &cells);
  if (known) cells = metrics->cells;
  return json_pack("{s:o,s:o}", "cells", integer_or_null(known || countable, cells), "cells_computed",
                   integer_or_null(known, metrics->cells_computed));
}

static json_t *metrics_value(const cla_alignment *alignment) {
  const cla_metrics *metrics = &alignment->metrics;
  bool known = metrics->cells > 0, timed = known && metrics->seconds > 0;
  double scale = timed ? 1e-9 / metrics->seconds : 0;
  return json_pack("{s:o,s:o,s:o,s:o,s:o,s:o*,s:b,s:o*}", "seconds", real_or_null(known, metrics->seconds),
                   "gcups", real_or_null(timed && !alignment->has_band, scale * (double)metrics->cells),
                   "gcups_raw", real_or_null(timed, scale * (double)metrics->cells_computed), "stages",
                   known ? stages_value(metrics) : json_null(), "device",
                   known ? text_value(metrics->device) : json_null(), "lost_devices",
                   metrics->lost_devices[0] ? text_value(metrics->lost_devices) : NULL, "exact",
                   !alignment->has_band, "band", alignment->has_band ? json_integer(alignment->band) : NULL);
}

/* The names of the ends; NULL when out of memory. */
static json_t *free_ends_value(int ends) {
  json_t *names = json_array();
  for (int i = 0; i < CLA_FREE_END_COUNT; i++)
    if (ends & 1 << i) json_array_append_new(names, json_string(cla_free_end_name((cla_free_ends)(1 << i))));
  return names;
}

/* All of the object but its scores. */
typedef struct json_parts {
  json_t *head, *counts, *cells, *metrics; /* owned */
  scoring_texts scoring;
} json_parts;

static cla_status make_parts(json_parts *out, const write_job *job, const cla_alignment *alignment,
                             cla_error *error) {
  out->head = json_pack("{s:s,s:s,s:o,s:o}", "mode", cla_mode_name(alignment->mode), "type",
                        alphabet_word(alignment->alphabet), "query",
                        side_value(&alignment->query, alignment->strand == CLA_STRAND_REVERSE), "target",
                        side_value(&alignment->target, false));
  if (out->head && alignment->mode == CLA_MODE_FREE_ENDS &&
      json_object_set_new(out->head, "free_ends", free_ends_value(alignment->free_ends)) != 0)
    return error_set(error, CLA_ERROR_MEMORY, "out of memory: a JSON object; write the paf format instead");
  cla_status status = make_counts(&out->counts, job, alignment, error);
  if (status != CLA_OK) return status;
  out->cells = cells_value(alignment);
  out->metrics = metrics_value(alignment);
  if (make_scoring_texts(&out->scoring, alignment) && out->head && out->counts && out->cells && out->metrics)
    return CLA_OK;
  return error_set(error, CLA_ERROR_MEMORY, "out of memory: a JSON object; write the paf format instead");
}

static void free_parts(json_parts *parts) {
  json_decref(parts->head);
  json_decref(parts->counts);
  json_decref(parts->cells);
  json_decref(parts->metrics);
  json_decref(parts->scoring.matrix);
  json_decref(parts->scoring.ambiguity);
}

static bool print_object(const write_job *job, const cla_alignment *alignment, const json_parts *parts) {
  FILE *file = job->file;
  const cla_metrics *metrics = &alignment->metrics;
  fputs("{\"score\":", file);
  print_score(file, alignment->score, &alignment->scoring);
  fputc(',', file);
  bool fits = print_members(file, parts->head);
  fputc(',', file);
  fits &= print_members(file, parts->counts);
  fputc(',', file);
  print_path(job, alignment);
  fputc(',', file);
  fits &= print_scoring(file, &alignment->scoring, &parts->scoring);
  fputc(',', file);
  fits &= print_members(file, parts->cells);
  fputs(",\"lower_bound\":", file);
  print_score_or_null(file, metrics->cells > 0 && metrics->pruned, metrics->lower_bound, &alignment->scoring);
  fputc(',', file);
  fits &= print_members(file, parts->metrics);
  fputs("}\n", file);
  return fits;
}

static cla_status write_object(const write_job *job, const cla_alignment *alignment, cla_error *error) {
  json_parts parts = {0};
  cla_status status = make_parts(&parts, job, alignment, error);
  if (status == CLA_OK && !print_object(job, alignment, &parts))
    status = error_set(error, CLA_ERROR_MEMORY, "out of memory: a JSON text; write the paf format instead");
  free_parts(&parts);
  return status;
}

cla_status write_json(const write_job *job, cla_error *error) {
  for (size_t index = 0; index < job->count && !ferror(job->file); index++) {
    cla_status status = write_object(job, job->alignments[index], error);
    if (status != CLA_OK) return status;
  }
  return CLA_OK;
}
