/* Draws the key and the list of gaps, to the right of the panel. */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "result/alignment.h"
#include "write/plots/plot_internal.h"

#define LINE 20.0
#define HEAD_SPACE 30.0
#define SWATCH 26.0

typedef enum key_shape { KEY_LINE, KEY_AREA, KEY_POINT, KEY_STRAND, KEY_TINTS, KEY_NOTE } key_shape;

/* An entry of the key: its sample and its text. */
typedef struct key_entry {
  key_shape shape;
  plot_color color;
  double width; /* width of the sample, if it is a line */
  bool reverse; /* KEY_STRAND: true: colours of the reverse strand */
  int kind;     /* KEY_TINTS: the class of ambiguity */
  char text[PLOT_LEVEL_SIZE];
} key_entry;

#define KEY_MOST 20

typedef struct plot_key {
  int count;
  key_entry entries[KEY_MOST];
} plot_key;

static key_entry *add_entry(plot_key *key, key_shape shape, plot_color color, double width) {
  key_entry *entry = &key->entries[key->count++];
  *entry = (key_entry){.shape = shape, .color = color, .width = width};
  return entry;
}

/* Writes a count; "12 of 345" if not all are drawn. */
static void put_drawn(char *text, size_t size, const char *what, int64_t drawn, int64_t all) {
  char part[PLOT_NUMBER_SIZE], whole[PLOT_NUMBER_SIZE];
  plot_number_text(part, drawn);
  plot_number_text(whole, all);
  if (drawn == all)
    snprintf(text, size, "%s (%s)", what, whole);
  else
    snprintf(text, size, "%s (%s of %s drawn)", what, part, whole);
}

void plot_level_text(char text[PLOT_LEVEL_SIZE], const plot_figure *figure, size_t number) {
  const cla_side *query = &figure->first->query, *target = &figure->first->target;
  const cla_work_level *level = &figure->first->work->levels[number];
  char share[PLOT_NUMBER_SIZE];
  plot_percent_text(share, level->cells, (query->end - query->begin) * (target->end - target->begin));
  snprintf(text, PLOT_LEVEL_SIZE, "left by the %s level, by %s (%s %%)", work_level_size_name(level->size),
           level->edits ? "edits" : "seeds", share);
}

static void add_work(plot_key *key, const plot_figure *figure) {
  const cla_work *work = figure->first->work;
  const cla_side *query = &figure->first->query, *target = &figure->first->target;
  const int64_t columns = target->end - target->begin, rows = query->end - query->begin;
  const int64_t known = (rows - work->unknown_rows) * columns;
  char share[PLOT_NUMBER_SIZE];
  key_entry *entry = NULL;
  if (work->cells > 0) {
    entry = add_entry(key, KEY_AREA, PLOT_COMPUTED, 0);
    plot_percent_text(share, work->cells, rows * columns);
    snprintf(entry->text, sizeof entry->text, "computed by the sweep (%s %%)", share);
  }
  if (work->cells < known) {
    entry = add_entry(key, KEY_AREA, PLOT_PRUNED, 0);
    plot_percent_text(share, known - work->cells, rows * columns);
    snprintf(entry->text, sizeof entry->text, "%s (%s %%)",
             figure->first->has_band ? "outside the band" : "passed over, cannot matter", share);
  }
  for (size_t i = 0; i < work->level_count; i++)
    plot_level_text(add_entry(key, KEY_AREA, plot_level_colors[i], 0)->text, figure, i);
  if (work->unknown_rows > 0) {
    entry = add_entry(key, KEY_AREA, PLOT_UNKNOWN, 0);
    snprintf(entry->text, sizeof entry->text, "swept before the run was resumed");
  }
  if (work->special_rows_kept > 0) {
    entry = add_entry(key, KEY_LINE, PLOT_ROW, PLOT_ROW_WIDTH);
    put_drawn(entry->text, sizeof entry->text, "special rows", figure->rows_drawn, work->special_rows_kept);
  }
  if (work->crosspoints_met > 0) {
    entry = add_entry(key, KEY_POINT, PLOT_CROSSPOINT, 3);
    put_drawn(entry->text, sizeof entry->text, "crosspoints", figure->crosspoints_drawn,
              work->crosspoints_met);
  }
}

/* Adds the colours of the strands that occur, and the meaning of dark and pale. */
static void add_strands(plot_key *key, const plot_figure *figure) {
  for (int reverse = 0; reverse < 2; reverse++) {
    size_t count = 0;
    for (size_t i = 0; i < figure->count; i++)
      count += (figure->alignments[i]->strand == CLA_STRAND_REVERSE) == reverse;
    if (count == 0) continue;
    key_entry *entry = add_entry(key, KEY_STRAND, 0, 2.5);
    entry->reverse = reverse;
    snprintf(entry->text, sizeof entry->text, reverse ? "reverse strand" : "forward strand");
    if (figure->count > 1)
      snprintf(entry->text + strlen(entry->text), sizeof entry->text - strlen(entry->text), ": %zu %s%s%s",
               count, plot_in_pieces(figure) ? "piece" : "alignment", count > 1 ? "s" : "",
               !plot_in_pieces(figure) && (figure->first->strand == CLA_STRAND_REVERSE) == reverse
                   ? ", the best thicker"
                   : "");
  }
  key_entry *entry = add_entry(key, KEY_NOTE, 0, 0);
  snprintf(entry->text, sizeof entry->text, "identity, strong to faint: %d %%, %d, %d, %d or more, less",
           plot_class_percents[0], plot_class_percents[1], plot_class_percents[2], plot_class_percents[3]);
}

static void add_dots(plot_key *key, const plot_figure *figure) {
  const plot_dots *dots = &figure->dots;
  char least[PLOT_NUMBER_SIZE];
  if (dots->count == 0) return;
  key_entry *entry = add_entry(key, KEY_LINE, PLOT_DOT, 1);
  plot_number_text(least, dots->items[dots->count - 1].length);
  snprintf(entry->text, sizeof entry->text, "exact matches of %s bp or more", least);
}

/* Adds the classes of certainty, and the boxes if some are drawn. */
static void add_certainty(plot_key *key, const plot_figure *figure) {
  static const char *const texts[2] = {"could lie elsewhere: a gap that can move",
                                       "could be another alignment"};
  bool boxes = false;
  snprintf(add_entry(key, KEY_AREA, PLOT_CERTAIN, 0)->text, PLOT_LEVEL_SIZE,
           "certain: in all best alignments");
  for (int kind = 0; kind < 2; kind++) {
    key_entry *entry = add_entry(key, KEY_TINTS, 0, 0);
    entry->kind = kind;
    snprintf(entry->text, sizeof entry->text, "%s", texts[kind]);
  }
  for (int64_t i = 0; i < figure->certificate->block_count; i++)
    boxes |= plot_block_shows(figure, &figure->certificate->blocks[i]);
  snprintf(add_entry(key, KEY_NOTE, 0, 0)->text, PLOT_LEVEL_SIZE,
           "strong to faint: half of the columns or more, 5 %%, less");
  if (boxes)
    snprintf(add_entry(key, KEY_NOTE, 0, 0)->text, PLOT_LEVEL_SIZE,
             "boxes: outside of them all best alignments agree");
}

static void make_key(plot_key *key, const plot_figure *figure) {
  key->count = 0;
  if (figure->first->has_path) {
    add_strands(key, figure);
  } else {
    key_entry *entry = add_entry(key, KEY_POINT, plot_path_colors[0][0], 4);
    snprintf(entry->text, sizeof entry->text, "where the alignment ends");
  }
  bool gaps = false;
  for (int i = 0; i < figure->gaps.count; i++) gaps |= plot_gap_shows(figure, i);
  if (gaps) {
    key_entry *entry = add_entry(key, KEY_LINE, PLOT_GAP, 2.5);
    snprintf(entry->text, sizeof entry->text, "gaps of the list");
  }
  add_dots(key, figure);
  if (figure->certificate) add_certainty(key, figure);
  if (figure->work) add_work(key, figure);
}

/* Draws the colours of all classes of identity side by side. */
static void draw_strand(plot_canvas *canvas, double x, double y, const key_entry *entry) {
  const double width = SWATCH / PLOT_CLASSES;
  for (int i = 0; i < PLOT_CLASSES; i++)
    plot_rectangle(canvas, x + i * width, y - 4 - entry->width, width, 2 * entry->width,
                   plot_path_colors[entry->reverse][i]);
}

static void draw_entry(plot_canvas *canvas, double x, double y, const key_entry *entry) {
  const plot_text_style style = {.size = PLOT_TEXT, .color = PLOT_INK};
  const plot_text_style faint = {.size = PLOT_SMALL_TEXT, .color = PLOT_FAINT_INK};
  if (entry->shape == KEY_NOTE) {
    plot_text(canvas, x, y, &faint, entry->text);
    return;
  }
  if (entry->shape == KEY_STRAND) draw_strand(canvas, x, y, entry);
  for (int i = 0; entry->shape == KEY_TINTS && i < PLOT_TINTS; i++)
    plot_rectangle(canvas, x + i * SWATCH / PLOT_TINTS, y - 11, SWATCH / PLOT_TINTS, 14,
                   plot_uncertain_colors[entry->kind][i]);
  if (entry->shape == KEY_LINE)
    plot_line(canvas, x + 1, y - 4, x + SWATCH - 1, y - 4, (plot_pen){entry->width, entry->color});
  if (entry->shape == KEY_POINT)
    plot_circle(canvas, x + SWATCH / 2, y - 4, entry->width, entry->color, PLOT_INK);
  if (entry->shape == KEY_AREA) {
    plot_rectangle(canvas, x, y - 11, SWATCH, 14, entry->color);
    plot_frame(canvas, x, y - 11, SWATCH, 14, (plot_pen){0.75, PLOT_FAINT_INK});
  }
  plot_text(canvas, x + SWATCH + 8, y, &style, entry->text);
}

/* A column of the list: the place where its texts start or end, depending on the anchor. */
typedef struct list_column {
  double x;
  plot_anchor anchor;
  const char *head;
} list_column;

static const list_column list_columns[] = {{16, PLOT_ANCHOR_END, ""},
                                           {94, PLOT_ANCHOR_END, "letters"},
                                           {104, PLOT_ANCHOR_START, "missing in"},
                                           {246, PLOT_ANCHOR_END, "query at"},
                                           {330, PLOT_ANCHOR_END, "target at"}};

static void draw_cell(plot_canvas *canvas, const plot_figure *figure, int column, double y, const char *text,
                      plot_color color) {
  const plot_text_style style = {.size = PLOT_SMALL_TEXT,
                                 .bold = color == PLOT_GAP,
                                 .anchor = list_columns[column].anchor,
                                 .color = color};
  plot_text(canvas, figure->layout.side_x + list_columns[column].x, y, &style, text);
}

/* Converts a 0-based position in the rotated record to a 1-based position in the original record. */
static int64_t position_of(const cla_side *side, int64_t position) {
  return side->rotation > 0 ? (position + side->rotation) % side->length + 1 : position + 1;
}

static void draw_gap(plot_canvas *canvas, const plot_figure *figure, int number, double y) {
  const plot_gap *gap = &figure->gaps.items[number];
  const int64_t numbers[] = {number + 1, gap->length, 0, position_of(&figure->first->query, gap->query),
                             position_of(&figure->first->target, gap->target)};
  for (int column = 0; column < 5; column++) {
    char text[PLOT_NUMBER_SIZE];
    plot_number_text(text, numbers[column]);
    if (column == 2) strcpy(text, gap->piece.kind == CLA_RUN_TARGET ? "query" : "target");
    draw_cell(canvas, figure, column, y, text, column == 0 ? PLOT_GAP : PLOT_INK);
  }
}

static void draw_list(plot_canvas *canvas, const plot_figure *figure, double y) {
  const plot_text_style head = {.size = PLOT_TEXT + 1, .bold = true, .color = PLOT_INK};
  const plot_gaps *gaps = &figure->gaps;
  char text[PLOT_GAPS_HEAD_SIZE];
  plot_gaps_head(text, gaps);
  plot_text(canvas, figure->layout.side_x, y, &head, text);
  if (gaps->count == 0) return;
  y += LINE;
  for (int column = 0; column < 5; column++)
    draw_cell(canvas, figure, column, y, list_columns[column].head, PLOT_FAINT_INK);
  for (int i = 0; i < gaps->count; i++) draw_gap(canvas, figure, i, y += LINE - 2);
}

/* True if only a part of the aligned ranges is drawn. */
static bool shows_part(const plot_figure *figure) {
  const cla_side *query = &figure->first->query, *target = &figure->first->target;
  const plot_axis *rows = &figure->view.query, *columns = &figure->view.target;
  return rows->from > query->begin || rows->to < query->end || columns->from > target->begin ||
         columns->to < target->end;
}

double plot_side_height(const plot_figure *figure) {
  plot_key key;
  make_key(&key, figure);
  const double list = figure->first->has_path ? HEAD_SPACE + LINE + (figure->gaps.count + 1) * (LINE - 2) : 0;
  return LINE + (key.count + 3) * LINE + list;
}

void plot_side_draw(plot_canvas *canvas, const plot_figure *figure) {
  const plot_text_style head = {.size = PLOT_TEXT + 1, .bold = true, .color = PLOT_INK};
  const plot_text_style faint = {.size = PLOT_SMALL_TEXT, .color = PLOT_FAINT_INK};
  plot_key key;
  double y = figure->layout.panel_y + PLOT_TEXT;
  make_key(&key, figure);
  plot_text(canvas, figure->layout.side_x, y, &head, "Key");
  y += 2;
  for (int i = 0; i < key.count; i++) draw_entry(canvas, figure->layout.side_x, y += LINE, &key.entries[i]);
  if (!figure->layout.same_scale)
    plot_text(canvas, figure->layout.side_x, y += LINE, &faint, "The axes have different scales.");
  if (shows_part(figure))
    plot_text(canvas, figure->layout.side_x, y += LINE, &faint,
              "Only a part of the matrix is drawn, as are its gaps.");
  if (figure->first->has_path) draw_list(canvas, figure, y + HEAD_SPACE + 4);
}
