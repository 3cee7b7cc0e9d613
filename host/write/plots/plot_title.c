/* Draws the head above the panel: names, mode, score, identity. */

#include <stdio.h>

#include "write/plots/plot_internal.h"

#define TITLE_SIZE 18.0
#define TITLE_ROOM 500
#define LEFT 24.0

/* Writes a count and its noun, such as "1 gap" or "12 gaps". */
static void put_count(char *text, size_t size, int64_t count, const char *noun) {
  char number[PLOT_NUMBER_SIZE];
  plot_number_text(number, count);
  snprintf(text, size, "%s %s%s", number, noun, count == 1 ? "" : "s");
}

/* Writes the identity, and the numbers of columns and gaps of the path. */
static void describe_path(char *text, size_t size, const plot_figure *figure) {
  const cla_statistics *counts = &figure->statistics;
  char percent[PLOT_NUMBER_SIZE], columns[64], gaps[64], letters[64];
  plot_percent_text(percent, counts->matches, counts->columns);
  put_count(columns, sizeof columns, counts->columns, "column");
  put_count(gaps, sizeof gaps, counts->gap_opens, "gap");
  put_count(letters, sizeof letters, counts->gap_letters, "letter");
  if (!figure->first->has_path)
    snprintf(text, size, "the score alone, without the alignment");
  else if (counts->columns == 0)
    snprintf(text, size, "no letters are aligned");
  else if (counts->gap_opens == 0)
    snprintf(text, size, "identity %s %% of %s, no gaps", percent, columns);
  else
    snprintf(text, size, "identity %s %% of %s, %s of %s", percent, columns, gaps, letters);
}

/* Writes the number of pieces, and how many letters they cover. */
static void describe_pieces(char *text, size_t size, const plot_figure *figure) {
  const cla_side *target = &figure->first->target;
  char share[PLOT_NUMBER_SIZE], pieces[64], turned[64] = "";
  int64_t letters = 0, reverse = 0;
  for (size_t i = 0; i < figure->count; i++) {
    letters += figure->alignments[i]->target.stop - figure->alignments[i]->target.start;
    reverse += figure->alignments[i]->strand == CLA_STRAND_REVERSE;
  }
  plot_percent_text(share, letters, target->end - target->begin);
  put_count(pieces, sizeof pieces, (int64_t)figure->count, "piece");
  if (reverse > 0) snprintf(turned, sizeof turned, ", %lld of the reverse strand", (long long)reverse);
  snprintf(text, size, "%s of a %s alignment%s, with %s %% of the target", pieces,
           cla_mode_name(figure->first->mode), turned, share);
}

void plot_facts_text(char text[2][PLOT_FACTS_SIZE], const plot_figure *figure) {
  const cla_alignment *first = figure->first;
  char score[CLA_SCORE_TEXT_SIZE], several[64] = "", band[128] = "";
  cla_score_text(score, first->score, &first->scoring);
  if (figure->count > 1) snprintf(several, sizeof several, "the best of %zu: ", figure->count);
  if (first->has_band)
    snprintf(band, sizeof band, ", in a band of %lld diagonals: not proven to be the best",
             (long long)first->band);
  snprintf(text[0], PLOT_FACTS_SIZE, "%s%s alignment, %s, score %s%s", several, cla_mode_name(first->mode),
           first->strand == CLA_STRAND_REVERSE ? "reverse strand of the query" : "forward strand", score,
           band);
  if (plot_in_pieces(figure)) describe_pieces(text[0], PLOT_FACTS_SIZE, figure);
  describe_path(text[1], PLOT_FACTS_SIZE, figure);
}

void plot_title_join(char text[PLOT_TITLE_SIZE], const char *const heads[2], const char *const names[2],
                     double room) {
  char parts[2][TITLE_ROOM];
  snprintf(text, PLOT_TITLE_SIZE, "%s \xc3\x97 %s", heads[0], heads[1]);
  if (plot_text_width(text, TITLE_SIZE, true) <= room) return;
  for (int i = 0; i < 2; i++) {
    snprintf(parts[i], TITLE_ROOM - 4, "%s", names[i]);
    plot_text_fit(parts[i], TITLE_SIZE, true, (room - 2 * TITLE_SIZE) / 2);
  }
  snprintf(text, PLOT_TITLE_SIZE, "%s \xc3\x97 %s", parts[0], parts[1]);
}

void plot_title_text(char text[PLOT_TITLE_SIZE], const plot_figure *figure) {
  const double room = figure->layout.width - 2 * LEFT;
  if (figure->title) {
    snprintf(text, PLOT_TITLE_SIZE - 4, "%s", figure->title);
    plot_text_fit(text, TITLE_SIZE, true, room);
    return;
  }
  plot_title_join(text, (const char *[2]){figure->query_head, figure->target_head},
                  (const char *[2]){figure->query_name, figure->target_name}, room);
}

void plot_title_draw(plot_canvas *canvas, const plot_figure *figure) {
  const plot_text_style large = {.size = TITLE_SIZE, .bold = true, .color = PLOT_INK};
  const plot_text_style plain = {.size = PLOT_TEXT, .color = PLOT_INK};
  char title[PLOT_TITLE_SIZE], facts[2][PLOT_FACTS_SIZE];
  plot_title_text(title, figure);
  plot_facts_text(facts, figure);
  plot_text(canvas, LEFT, 38, &large, title);
  plot_text(canvas, LEFT, 62, &plain, facts[0]);
  plot_text(canvas, LEFT, 80, &plain, facts[1]);
}
