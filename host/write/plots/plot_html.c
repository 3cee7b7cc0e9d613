/* Writes a plot as a page: plot_page.html, with the paths, letters and matches inserted. */

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/extremes.h"
#include "result/cigar_reader.h"
#include "write/formats/certainty_tags.h"
#include "write/plots/plot_internal.h"

/* Largest number of letters of both sequences together; a page with more letters would be slow to open. */
#define LETTERS_MOST (INT64_C(16) << 20)
#define CHUNK 65536

/* Mark in the page that is replaced by the data. */
#define DATA_MARK "<!-- DATA -->\n"

static json_t *side_as_json(const cla_side *side, const char *name) {
  return json_pack("{s:s, s:I, s:I, s:I, s:I}", "name", name, "length", (json_int_t)side->length, "begin",
                   (json_int_t)side->begin, "end", (json_int_t)side->end, "rotation",
                   (json_int_t)side->rotation);
}

static json_t *alignment_as_json(const cla_alignment *alignment) {
  const cla_side *query = &alignment->query, *target = &alignment->target;
  const bool reverse = alignment->strand == CLA_STRAND_REVERSE;
  if (!alignment->has_path)
    return json_pack("{s:b, s:[I, I]}", "reverse", reverse, "end",
                     (json_int_t)(reverse ? query->start : query->stop), (json_int_t)target->stop);
  return json_pack("{s:b, s:[I, I], s:[I, I]}", "reverse", reverse, "query", (json_int_t)query->start,
                   (json_int_t)query->stop, "target", (json_int_t)target->start, (json_int_t)target->stop);
}

static json_t *alignments_as_json(const plot_figure *figure) {
  json_t *list = json_array();
  for (size_t i = 0; i < figure->count; i++)
    json_array_append_new(list, alignment_as_json(figure->alignments[i]));
  return list;
}

static json_t *dots_as_json(const plot_dots *dots) {
  json_t *list = json_array();
  for (int64_t i = 0; i < dots->count; i++) {
    const plot_dot *dot = &dots->items[i];
    json_array_append_new(list, json_pack("[I, I, I, i]", (json_int_t)dot->query, (json_int_t)dot->target,
                                          (json_int_t)dot->length, (int)dot->reverse));
  }
  return list;
}

static json_t *bands_as_json(const cla_work_band *bands, int64_t count) {
  json_t *list = json_array();
  for (int64_t i = 0; i < count; i++)
    json_array_append_new(list, json_pack("[I, I, I, I]", (json_int_t)bands[i].row, (json_int_t)bands[i].rows,
                                          (json_int_t)bands[i].column, (json_int_t)bands[i].columns));
  return list;
}

static json_t *levels_as_json(const plot_figure *figure) {
  const cla_work *work = figure->first->work;
  const cla_work_band *bands = work->level_bands;
  json_t *list = json_array();
  for (size_t i = 0; i < work->level_count; i++) {
    char text[PLOT_LEVEL_SIZE];
    plot_level_text(text, figure, i);
    json_array_append_new(list, json_pack("{s:s, s:o}", "text", text, "bands",
                                          bands_as_json(bands, work->levels[i].band_count)));
    bands += work->levels[i].band_count;
  }
  return list;
}

static json_t *work_as_json(const plot_figure *figure) {
  const cla_work *work = figure->first->work;
  if (!figure->work) return json_null();
  json_t *rows = json_array();
  for (size_t i = 0; i < work->special_row_count; i++) {
    const cla_work_band band = plot_special_row(figure, work->special_rows[i]);
    json_array_append_new(rows, json_pack("[I, I, I]", (json_int_t)work->special_rows[i],
                                          (json_int_t)band.column, (json_int_t)band.columns));
  }
  return json_pack("{s:b, s:o, s:o, s:o}", "reverse", figure->first->strand == CLA_STRAND_REVERSE, "bands",
                   bands_as_json(work->bands, (int64_t)work->band_count), "levels", levels_as_json(figure),
                   "rows", rows);
}

/* Lists the blocks by their intervals, class, number of alignments and margin. */
static json_t *certificate_as_json(const plot_figure *figure) {
  const cla_certificate *certificate = figure->certificate;
  json_t *list = json_array();
  if (!certificate) {
    json_decref(list);
    return json_null();
  }
  for (int64_t i = 0; i < certificate->block_count; i++) {
    const cla_ambiguous_block *block = &certificate->blocks[i];
    char margin[CLA_SCORE_TEXT_SIZE];
    cla_score_text(margin, block->margin, &figure->first->scoring);
    json_array_append_new(
        list, json_pack("[I, I, I, I, i, f, s]", (json_int_t)block->query_start,
                        (json_int_t)block->query_stop, (json_int_t)block->target_start,
                        (json_int_t)block->target_stop, (int)block->kind, block->log10_alignments, margin));
  }
  char delta[CLA_SCORE_TEXT_SIZE];
  cla_score_text(delta, certificate->delta, &figure->first->scoring);
  return json_pack("{s:s, s:o}", "delta", delta, "blocks", list);
}

static json_t *figure_as_json(const plot_figure *figure, bool dark) {
  const plot_view *view = &figure->view;
  char title[PLOT_TITLE_SIZE], facts[2][PLOT_FACTS_SIZE];
  plot_title_text(title, figure);
  plot_facts_text(facts, figure);
  return json_pack(
      "{s:s, s:s+++, s:b, s:b, s:b, s:o, s:o, s:{s:[I, I], s:[I, I]}, s:o, s:o, s:o, s:o}", "title", title,
      "facts", facts[0], ", ", facts[1], "", "dark", dark, "dna", figure->first->alphabet == CLA_ALPHABET_DNA,
      "pieces", plot_in_pieces(figure), "query", side_as_json(&figure->first->query, figure->query_name),
      "target", side_as_json(&figure->first->target, figure->target_name), "view", "query",
      (json_int_t)view->query.from, (json_int_t)view->query.to, "target", (json_int_t)view->target.from,
      (json_int_t)view->target.to, "alignments", alignments_as_json(figure), "dots",
      dots_as_json(&figure->dots), "work", work_as_json(figure), "certificate", certificate_as_json(figure));
}

cla_status plot_page_data(FILE *file, json_t *data, cla_error *error) {
  char *text = data ? json_dumps(data, JSON_COMPACT | JSON_ENSURE_ASCII) : NULL;
  json_decref(data);
  if (!text) return error_set(error, CLA_ERROR_MEMORY, "no memory for the data of a plot; free some");
  fputs("<script type=\"application/json\" id=\"data\">", file);
  for (const char *at = text; *at; at++) *at == '<' ? fputs("\\u003c", file) : fputc(*at, file);
  fputs("</script>\n", file);
  free(text);
  return CLA_OK;
}

static void put_path(FILE *file, const plot_figure *figure, size_t number) {
  cigar_reader reader;
  cigar_step step;
  if (!figure->alignments[number]->has_path) return;
  fprintf(file, "<script type=\"text/plain\" id=\"path%zu\">", number);
  cigar_reader_begin(&reader, figure->alignments[number], figure->query, figure->target);
  while (cigar_reader_next(&reader, &step)) fprintf(file, "%lld%c", (long long)step.length, step.operation);
  fputs("</script>\n", file);
}

/* Writes the margins of the first path's columns, as the tag mg of PAF does. */
static cla_status put_margins(FILE *file, const plot_figure *figure, cla_error *error) {
  text_memory text = {0};
  if (!figure->certificate) return CLA_OK;
  margins_text_make(&text, figure->certificate, figure->first);
  if (!text.failed) {
    fputs("<script type=\"text/plain\" id=\"margins\">", file);
    fwrite(text.bytes, 1, text.used, file);
    fputs("</script>\n", file);
  }
  free(text.bytes);
  return text.failed ? error_set(error, CLA_ERROR_MEMORY, "no memory for the margins of a plot; free some")
                     : CLA_OK;
}

/* Writes the letters of the aligned range. */
static void put_letters(FILE *file, const char *role, const cla_sequence *sequence, const cla_side *side) {
  char letters[CHUNK];
  fprintf(file, "<script type=\"text/plain\" id=\"%s\">", role);
  for (int64_t at = side->begin; at < side->end; at += CHUNK) {
    const int64_t end = smaller(at + CHUNK, side->end);
    cla_sequence_letters(letters, sequence, at, end);
    fwrite(letters, 1, (size_t)(end - at), file);
  }
  fputs("</script>\n", file);
}

cla_status plot_html_write(FILE *file, const plot_figure *figure, bool dark, cla_error *error) {
  const cla_side *query = &figure->first->query, *target = &figure->first->target;
  const char *mark = strstr(plot_page, DATA_MARK);
  fwrite(plot_page, 1, (size_t)(mark - plot_page), file);
  cla_status status = plot_page_data(file, figure_as_json(figure, dark), error);
  if (status != CLA_OK) return status;
  for (size_t i = 0; i < figure->count; i++) put_path(file, figure, i);
  status = put_margins(file, figure, error);
  if (status != CLA_OK) return status;
  if (query->end - query->begin + target->end - target->begin <= LETTERS_MOST) {
    put_letters(file, "query", figure->query, query);
    put_letters(file, "target", figure->target, target);
  }
  fputs(mark + strlen(DATA_MARK), file);
  return CLA_OK;
}
