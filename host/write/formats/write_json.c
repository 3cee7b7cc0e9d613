/* Writes one object per line, member by member. Building the objects in memory first would take as long as
 * aligning a batch of short pairs. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "result/alignment.h"
#include "scoring/gap_costs.h"
#include "scoring/score_table.h"
#include "write/certain_runs.h"
#include "write/writer.h"

/* True if a text needs no escapes. */
static bool is_plain(const char *text) {
  for (; *text; text++)
    if (*text < 0x20 || *text > 0x7e || *text == '"' || *text == '\\') return false;
  return true;
}

static void print_escaped(text_buffer *file, const char *clean) {
  for (const char *at = clean; *at;) {
    static const char special[] = "\"\\\b\f\n\r\t", letters[] = "\"\\bfnrt";
    char code[8];
    size_t plain = 0;
    while ((unsigned char)at[plain] >= 0x20 && at[plain] != '"' && at[plain] != '\\') plain++;
    text_put_bytes(file, at, plain);
    at += plain;
    if (!*at) break;
    const char *found = strchr(special, *at);
    text_put_char(file, '\\');
    if (found) {
      text_put_char(file, letters[found - special]);
    } else {
      snprintf(code, sizeof code, "u%04X", (unsigned)*at);
      text_put(file, code);
    }
    at++;
  }
}

/* Writes a string with quotes. */
static cla_status print_text(text_buffer *file, const char *text, cla_error *error) {
  char *clean = NULL;
  cla_status status = CLA_OK;
  if (!text) text = "";
  const bool plain = is_plain(text);
  if (!plain) status = clean_utf8(&clean, text, error);
  if (status != CLA_OK) return status;
  text_put_char(file, '"');
  if (plain)
    text_put(file, text);
  else
    print_escaped(file, clean);
  text_put_char(file, '"');
  free(clean);
  return CLA_OK;
}

/* Writes the key of a member that is not the first of its object, with a comma before the key and a colon
 * after it. */
static void print_key(text_buffer *file, const char *key) {
  text_put(file, ",\"");
  text_put(file, key);
  text_put(file, "\":");
}

static void print_integer(text_buffer *file, const char *key, bool known, int64_t value) {
  print_key(file, key);
  if (known)
    text_put_number(file, value);
  else
    text_put(file, "null");
}

/* Writes a number with six digits. The text always has a decimal point or an exponent, so that readers treat
 * it as a real number. */
static void print_real(text_buffer *file, const char *key, bool known, double value) {
  char text[REAL_MOST + 1];
  print_key(file, key);
  if (!known) {
    text_put(file, "null");
    return;
  }
  *put_real(text, value) = '\0';
  text_put(file, text);
  if (!strpbrk(text, ".e")) text_put(file, ".0");
}

static cla_status print_side(text_buffer *file, const char *key, const cla_side *side, bool reverse,
                             cla_error *error) {
  int64_t start, stop;
  cla_side_positions(side, &start, &stop);
  print_key(file, key);
  text_put(file, "{\"name\":");
  cla_status status = print_text(file, side->name, error);
  print_integer(file, "length", true, side->length);
  print_integer(file, "start", start >= 0, start);
  print_integer(file, "end", stop >= 0, stop);
  text_put(file, reverse ? ",\"strand\":\"-\"" : ",\"strand\":\"+\"");
  print_integer(file, "rotation", true, side->rotation);
  text_put_char(file, '}');
  return status;
}

static void print_score_or_null(text_buffer *file, bool known, int64_t score, const cla_scoring *scoring) {
  if (known)
    text_put_score(file, score, scoring);
  else
    text_put(file, "null");
}

static void print_matrix(text_buffer *file, const cla_scoring *scoring) {
  for (int row = 0; row < scoring->matrix_size; row++) {
    text_put(file, row == 0 ? "[[" : ",[");
    for (int column = 0; column < scoring->matrix_size; column++) {
      if (column > 0) text_put_char(file, ',');
      text_put_score(file, scoring->matrix[row * CLA_MATRIX_STRIDE + column], scoring);
    }
    text_put_char(file, ']');
  }
  text_put_char(file, ']');
}

/* Returns the word for an alphabet. Like all words used as values, it is in lower case. */
static const char *alphabet_word(cla_alphabet alphabet) {
  return alphabet == CLA_ALPHABET_DNA ? "dna" : alphabet == CLA_ALPHABET_PROTEIN ? "protein" : "own";
}

static void print_ambiguity(text_buffer *file, const cla_alignment *alignment) {
  static const char *const words[] = {"\"mismatch\"", "\"neutral\"", "\"expected\""};
  const bool asked = alignment->alphabet == CLA_ALPHABET_DNA && alignment->scoring.matrix_size == 0;
  print_key(file, "ambiguity");
  text_put(file, asked ? words[alignment->scoring.ambiguity] : "null");
}

static cla_status print_matrix_object(text_buffer *file, const cla_scoring *scoring, cla_error *error) {
  text_put(file, "{\"name\":");
  cla_status status = print_text(file, scoring->matrix_name, error);
  print_key(file, "letters");
  if (status == CLA_OK) status = print_text(file, scoring->letters, error);
  print_key(file, "scores");
  print_matrix(file, scoring);
  text_put_char(file, '}');
  return status;
}

static cla_status print_scoring(text_buffer *file, const cla_alignment *alignment, cla_error *error) {
  const cla_scoring *scoring = &alignment->scoring;
  const bool simple = scoring->matrix_size == 0;
  cla_status status = CLA_OK;
  text_put(file, ",\"scoring\":{\"match\":");
  print_score_or_null(file, simple, scoring->match, scoring);
  print_key(file, "mismatch");
  print_score_or_null(file, simple, scoring->mismatch, scoring);
  for (int k = 0; k < CLA_GAP_PIECES; k++) {
    const bool known = k < gap_pieces(scoring);
    print_key(file, gap_names[k][0]);
    print_score_or_null(file, known, scoring->gap[k].first, scoring);
    print_key(file, gap_names[k][1]);
    print_score_or_null(file, known, scoring->gap[k].ext, scoring);
  }
  print_key(file, "matrix");
  if (simple)
    text_put(file, "null");
  else
    status = print_matrix_object(file, scoring, error);
  print_ambiguity(file, alignment);
  text_put_char(file, '}');
  return status;
}

/* Writes the counts of the path; they are null if there is no path. */
static void print_counts(text_buffer *file, const cla_statistics *counts, bool known) {
  const struct {
    const char *key;
    int64_t value;
  } members[] = {{"matches", counts->matches},         {"mismatches", counts->mismatches},
                 {"positives", counts->positives},     {"gap_opens", counts->gap_opens},
                 {"gap_letters", counts->gap_letters}, {"columns", counts->columns}};
  for (size_t i = 0; i < sizeof members / sizeof *members; i++)
    print_integer(file, members[i].key, known, members[i].value);
}

/* Writes the path, which may be long. */
static void print_path(text_buffer *file, const write_job *job, const cla_alignment *alignment) {
  static const char *const placements[] = {"canonical", "left", "right", "other"};
  if (!alignment->has_path) {
    text_put(file, ",\"cigar\":null,\"gap_placement\":null");
    return;
  }
  text_put(file, ",\"cigar\":\"");
  cigar_put(file, alignment, job->query, job->target);
  text_put(file, "\",\"gap_placement\":\"");
  text_put(file, placements[alignment->gap_placement]);
  text_put_char(file, '"');
}

/* Writes a level of the bounds. */
static void print_level(text_buffer *file, const cla_bound_level *level) {
  static const char *const ends[] = {[CLA_LEVEL_RAN] = "null",
                                     [CLA_LEVEL_UNLIKE] = "\"unlike\"",
                                     [CLA_LEVEL_TIME] = "\"time\"",
                                     [CLA_LEVEL_MEMORY] = "\"memory\"",
                                     [CLA_LEVEL_ENOUGH] = "\"enough\""};
  text_put(file, "{\"size\":\"");
  text_put(file, work_level_size_name(level->size));
  text_put(file, level->edits ? "\",\"by\":\"edits\"" : "\",\"by\":\"seeds\"");
  print_real(file, "left", level->end == CLA_LEVEL_RAN, level->left);
  print_integer(file, "cells", true, level->cells);
  print_integer(file, "exact_cells", true, level->exact_cells);
  print_real(file, "seconds", true, level->seconds);
  print_key(file, "left_out");
  text_put(file, ends[level->end]);
  text_put_char(file, '}');
}

/* Writes the start of a stage's object. */
static void begin_stage(text_buffer *file, const char *begin, int64_t cells, double seconds) {
  text_put(file, begin);
  text_put(file, "{\"cells\":");
  text_put_number(file, cells);
  print_real(file, "seconds", true, seconds);
}

/* Writes cells and seconds by stage. The first stage contains the levels of bounds, if there are any. */
static void print_stages(text_buffer *file, const cla_metrics *metrics) {
  int64_t sweep_cells = metrics->cells_computed;
  sweep_cells -= metrics->bounds.cells + metrics->search.cells + metrics->blocks.cells + metrics->bands.cells;
  begin_stage(file, "{\"bounds\":", metrics->bounds.cells, metrics->bounds.seconds);
  for (int i = 0; i < metrics->level_count; i++) {
    text_put(file, i == 0 ? ",\"levels\":[" : ",");
    print_level(file, &metrics->levels[i]);
  }
  if (metrics->level_count > 0) text_put_char(file, ']');
  begin_stage(file, "},\"sweep\":", sweep_cells, metrics->sweep_seconds);
  begin_stage(file, "},\"search\":", metrics->search.cells, metrics->search.seconds);
  begin_stage(file, "},\"blocks\":", metrics->blocks.cells, metrics->blocks.seconds);
  begin_stage(file, "},\"bands\":", metrics->bands.cells, metrics->bands.seconds);
  text_put(file, "}}");
}

/* Writes the numbers of cells. An alignment that was loaded from a file has no metrics, so they are null.
 * Its number of cells is computed from the ranges and strands, unless it passes 2^63. */
static void print_cells(text_buffer *file, const write_job *job, const cla_alignment *alignment) {
  const cla_metrics *metrics = &alignment->metrics;
  const cla_side *query = &alignment->query, *target = &alignment->target;
  int64_t cells = 0;
  bool known = metrics->cells > 0;
  bool countable = !__builtin_mul_overflow(query->end - query->begin, target->end - target->begin, &cells);
  if (job->how->both_strands) countable = countable && !__builtin_mul_overflow(cells, 2, &cells);
  if (known) cells = metrics->cells;
  print_integer(file, "cells", known || countable, cells);
  print_integer(file, "cells_computed", known, metrics->cells_computed);
}

/* Writes how the score was verified. Paths are always verified before they are written. For a score that
 * was loaded from a file, the verification is not known. */
static void print_verified(text_buffer *file, const cla_alignment *alignment) {
  static const char *const words[] = {
      [CLA_VERIFIED_NOT] = "null", [CLA_VERIFIED_END] = "\"end\"", [CLA_VERIFIED_PATH] = "\"path\""};
  print_key(file, "verified");
  text_put(file, words[alignment->has_path ? CLA_VERIFIED_PATH : alignment->metrics.verified]);
}

static cla_status print_metrics(text_buffer *file, const cla_alignment *alignment, cla_error *error) {
  const cla_metrics *metrics = &alignment->metrics;
  const bool known = metrics->cells > 0, timed = known && metrics->seconds > 0;
  const double scale = timed ? 1e-9 / metrics->seconds : 0;
  cla_status status = CLA_OK;
  print_real(file, "seconds", known, metrics->seconds);
  print_real(file, "build_seconds", known, metrics->build_seconds);
  print_real(file, "gcups", timed && !alignment->has_band, scale * (double)metrics->cells);
  print_real(file, "gcups_raw", timed, scale * (double)metrics->cells_computed);
  print_key(file, "stages");
  if (known)
    print_stages(file, metrics);
  else
    text_put(file, "null");
  print_key(file, "device");
  if (known)
    status = print_text(file, metrics->device, error);
  else
    text_put(file, "null");
  if (status == CLA_OK && metrics->lost_devices[0]) {
    print_key(file, "lost_devices");
    status = print_text(file, metrics->lost_devices, error);
  }
  text_put(file, alignment->has_band ? ",\"exact\":false" : ",\"exact\":true");
  if (alignment->has_band) print_integer(file, "band", true, alignment->band);
  if (alignment->has_split) {
    print_key(file, "split_drop");
    text_put_score(file, alignment->split_drop, &alignment->scoring);
  }
  return status;
}

static void print_free_ends(text_buffer *file, int ends) {
  const char *before = "[";
  print_key(file, "free_ends");
  for (int i = 0; i < CLA_FREE_END_COUNT; i++)
    if (ends & 1 << i) {
      text_put(file, before);
      text_put_char(file, '"');
      text_put(file, cla_free_end_name((cla_free_ends)(1 << i)));
      text_put_char(file, '"');
      before = ",";
    }
  text_put(file, *before == '[' ? "[]" : "]");
}

/* Writes an interval of a side as an array, with positions in the record as it was read. */
static void print_interval(text_buffer *file, const cla_side *side, int64_t start, int64_t stop) {
  const cla_side interval = {
      .length = side->length, .rotation = side->rotation, .start = start, .stop = stop};
  cla_side_positions(&interval, &start, &stop);
  text_put_char(file, '[');
  text_put_number(file, start);
  text_put_char(file, ',');
  text_put_number(file, stop);
  text_put_char(file, ']');
}

static void print_block(text_buffer *file, const cla_ambiguous_block *block, const cla_alignment *alignment) {
  text_put(file, "{\"query\":");
  print_interval(file, &alignment->query, block->query_start, block->query_stop);
  text_put(file, ",\"target\":");
  print_interval(file, &alignment->target, block->target_start, block->target_stop);
  text_put(file, ",\"class\":\"");
  text_put(file, ambiguity_word(block));
  text_put_char(file, '"');
  print_real(file, "log10_alignments", true, block->log10_alignments);
  print_real(file, "least_support", true, block->least_support);
  print_key(file, "margin");
  text_put_score(file, block->margin, &alignment->scoring);
  text_put_char(file, '}');
}

/* Writes the margins of columns as runs of a length and a margin. */
static void print_margins(text_buffer *file, const int64_t *margins, int64_t columns,
                          const cla_scoring *scoring) {
  text_put(file, ",\"margins\":[");
  for (int64_t i = 0, length; i < columns; i += length) {
    for (length = 1; i + length < columns; length++)
      if (margins[i + length] != margins[i]) break;
    text_put(file, i > 0 ? ",[" : "[");
    text_put_number(file, length);
    text_put_char(file, ',');
    text_put_score(file, margins[i], scoring);
    text_put_char(file, ']');
  }
  text_put_char(file, ']');
}

static void print_displacements(text_buffer *file, const cla_certificate *certificate,
                                const cla_scoring *scoring) {
  if (certificate->displacement_count == 0) return;
  text_put(file, ",\"displacements\":[");
  for (int64_t i = 0; i < certificate->displacement_count; i++) {
    const cla_displacement *displacement = &certificate->displacements[i];
    text_put(file, i > 0 ? ",{\"diagonals\":" : "{\"diagonals\":");
    text_put_number(file, displacement->diagonals);
    print_margins(file, displacement->margins, certificate->column_count, scoring);
    text_put_char(file, '}');
  }
  text_put_char(file, ']');
}

/* Writes an end of a range in points, as numerator and denominator. */
static void print_end(text_buffer *file, const char *key, const cla_stable_end *end, int64_t units) {
  print_key(file, key);
  if (end->limit) {
    text_put(file, "null");
    return;
  }
  const int64_t divisor = common_divisor(end->number, end->one * units);
  text_put_char(file, '[');
  text_put_number(file, end->number / divisor);
  text_put_char(file, ',');
  text_put_number(file, end->one * units / divisor);
  text_put_char(file, ']');
}

static void print_stability(text_buffer *file, const cla_stability *stability, const cla_scoring *scoring) {
  print_key(file, "stable");
  for (int cost = 0; cost < CLA_COST_COUNT; cost++) {
    const cla_stable_range *range = &stability->ranges[cost];
    text_put(file, cost == 0 ? "{\"" : ",\"");
    text_put(file, cla_cost_name((cla_cost)cost));
    text_put(file, "\":");
    if (!range->varies) {
      text_put(file, "null");
      continue;
    }
    text_put(file, range->low.exact && range->high.exact ? "{\"exact\":true" : "{\"exact\":false");
    print_end(file, "low", &range->low, scoring_units(scoring));
    print_end(file, "high", &range->high, scoring_units(scoring));
    text_put_char(file, '}');
  }
  text_put_char(file, '}');
}

static void print_certificate(text_buffer *file, const cla_certificate *certificate,
                              const cla_alignment *alignment) {
  const cla_scoring *scoring = &alignment->scoring;
  text_put(file, ",\"certificate\":{\"delta\":");
  text_put_score(file, certificate->delta, scoring);
  text_put(file, certificate->unique ? ",\"unique\":true" : ",\"unique\":false");
  print_real(file, "log10_alignments", true, certificate->log10_alignments);
  print_integer(file, "ambiguous_columns", true, certificate->ambiguous);
  text_put(file, ",\"blocks\":[");
  for (int64_t i = 0; i < certificate->block_count; i++) {
    if (i > 0) text_put_char(file, ',');
    print_block(file, &certificate->blocks[i], alignment);
  }
  text_put_char(file, ']');
  print_margins(file, certificate->margins, certificate->column_count, scoring);
  print_displacements(file, certificate, scoring);
  if (certificate->stability) print_stability(file, certificate->stability, scoring);
  print_real(file, "seconds", certificate->seconds > 0, certificate->seconds);
  text_put_char(file, '}');
}

/* Writes an object. If memory runs out, a part of the line has been written, and the output must be
 * discarded. */
static cla_status write_object(text_buffer *file, const write_job *job, size_t index, cla_error *error) {
  const cla_alignment *alignment = job->alignments[index];
  const cla_metrics *metrics = &alignment->metrics;
  cla_statistics counts = {0};
  cla_status status = CLA_OK;
  if (alignment->has_path) status = alignment_count(&counts, alignment, job->query, job->target, error);
  if (status != CLA_OK) return status;
  text_put(file, "{\"score\":");
  text_put_score(file, alignment->score, &alignment->scoring);
  text_put(file, ",\"mode\":\"");
  text_put(file, cla_mode_name(alignment->mode));
  text_put(file, "\",\"type\":\"");
  text_put(file, alphabet_word(alignment->alphabet));
  text_put_char(file, '"');
  status = print_side(file, "query", &alignment->query, alignment->strand == CLA_STRAND_REVERSE, error);
  if (status == CLA_OK) status = print_side(file, "target", &alignment->target, false, error);
  if (alignment->mode == CLA_MODE_FREE_ENDS) print_free_ends(file, alignment->free_ends);
  print_counts(file, &counts, alignment->has_path);
  print_real(file, "gap_compressed_identity", alignment->has_path && counts.columns > 0,
             1 - gap_compressed_difference(&counts));
  print_path(file, job, alignment);
  if (status == CLA_OK) status = print_scoring(file, alignment, error);
  print_cells(file, job, alignment);
  print_verified(file, alignment);
  print_key(file, "lower_bound");
  print_score_or_null(file, metrics->cells > 0 && metrics->pruned, metrics->lower_bound, &alignment->scoring);
  if (status == CLA_OK) status = print_metrics(file, alignment, error);
  const cla_certificate *certificate = job_certificate(job, index);
  if (certificate) print_certificate(file, certificate, alignment);
  text_put(file, "}\n");
  return status;
}

cla_status write_json(const write_job *job, cla_error *error) {
  text_buffer text;
  cla_status status = CLA_OK;
  text_begin(&text, job);
  for (size_t index = 0; index < job->count && status == CLA_OK && !job_failed(job); index++)
    status = write_object(&text, job, index, error);
  text_flush(&text);
  return status;
}
