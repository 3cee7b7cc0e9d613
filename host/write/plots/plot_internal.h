#ifndef HOST_WRITE_PLOTS_PLOT_INTERNAL_H
#define HOST_WRITE_PLOTS_PLOT_INTERNAL_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "clalign/alphabet.h"
#include "clalign/plot.h"
#include "write/plots/plot_canvas.h"

/* Whether the file's name asks for a page. */
bool plot_is_page(const char *path);

/* A name as text, without control characters, and not too long; owned. CLA_ERROR_MEMORY. */
cla_status plot_name_clean(char **out, const char *name, cla_error *error);

/* The canvas that a file's name asks for, of a page the picture in it, with its ground. The scale is the
 * options', which may be NULL. CLA_ERROR_MEMORY, CLA_ERROR_OUTPUT. */
cla_status plot_canvas_open(plot_canvas **out, FILE *file, const char *path, const plot_paper *size,
                            const cla_plot_options *options, cla_error *error);

/* Which part of the matrix is drawn and where. Positions are those of the records on their forward strands,
 * rotated as the alignments are. The query's positions go up, the target's go to the right, so paths of the
 * reverse strand go down. */

typedef struct plot_axis {
  int64_t from, to; /* the part that is drawn, from <= to */
  double begin,
      end; /* points of `from` and `to` on the page, the query's begin below its end; set by the layout */
} plot_axis;

static inline double plot_axis_at(const plot_axis *axis, double position) {
  const double letters = axis->to > axis->from ? (double)(axis->to - axis->from) : 1;
  return axis->begin + (position - (double)axis->from) / letters * (axis->end - axis->begin);
}

typedef struct plot_view {
  plot_axis query, target;
} plot_view;

/* CLA_ERROR_OPTION for a range outside `length` letters, or outside [begin, end). */
cla_status plot_range_check(const cla_plot_range *range, const char *role, int64_t length, int64_t begin,
                            int64_t end, cla_error *error);

/* Chooses the part of the matrix that the options ask for. CLA_ERROR_OPTION if their ranges leave nothing. */
cla_status plot_view_choose(plot_view *out, const cla_alignment *const *alignments, size_t count,
                            const cla_plot_options *options, cla_error *error);

/* A straight piece of a path, in the direction in which the path runs. */
typedef struct plot_piece {
  cla_run_kind kind;
  double query, target, to_query, to_target;
} plot_piece;

/* Goes along an alignment's runs. */
typedef struct plot_walk {
  const cla_alignment *alignment;
  size_t run;
  int64_t query, target; /* where the next run begins */
} plot_walk;

void plot_walk_begin(plot_walk *walk, const cla_alignment *alignment);

/* The next run as a piece; false at the end. */
bool plot_walk_next(plot_walk *walk, plot_piece *piece);

/* Cuts a piece to the view; false if nothing of it is left. */
bool plot_piece_clip(plot_piece *piece, const plot_view *view);

#define PLOT_GAPS_MOST 15
#define PLOT_GAP_LEAST 50  /* letters of a gap of the list */
#define PLOT_GAPS_SHORT 10 /* gaps of the list if all are shorter */

/* Alignments that are counted together. */
typedef struct plot_paths {
  const cla_alignment *const *alignments;
  size_t count;
} plot_paths;

/* The largest gaps, the largest first; of equal ones the first on the first path. */
typedef struct plot_gap {
  int64_t length;
  plot_piece piece;      /* as much of it as lies within the view */
  int64_t query, target; /* the first letters, from 0, of the gap's piece, or that follow where it has none;
                            on the forward strand */
} plot_gap;

typedef struct plot_gaps {
  int64_t all;   /* gaps within the view */
  int64_t large; /* of at least PLOT_GAP_LEAST letters */
  int count;
  plot_gap items[PLOT_GAPS_MOST];
} plot_gaps;

void plot_gaps_find(plot_gaps *out, const plot_view *view, const plot_paths *paths);

#define PLOT_GAPS_HEAD_SIZE 160

/* Which gaps the list has, as its head. */
void plot_gaps_head(char text[PLOT_GAPS_HEAD_SIZE], const plot_gaps *gaps);

#define PLOT_WINDOWS_MOST 200

/* What the path is like within `letters` letters of the target from `target` on. Query letters against a gap
 * count where the gap is. */
typedef struct plot_window {
  int64_t target;
  int64_t matches, columns; /* 0 columns: the path is not here */
} plot_window;

typedef struct plot_identity {
  int64_t letters; /* of a window; the last one may have fewer */
  int64_t count;
  plot_window windows[PLOT_WINDOWS_MOST];
} plot_identity;

/* Classes of identity, from the highest: each begins at so many percent. */
#define PLOT_CLASSES 5
extern const int plot_class_percents[PLOT_CLASSES];

/* The class of the path where it crosses the target at that position, which is in the view. */
int plot_identity_class(const plot_identity *identity, double target);

/* Of alignments that fit the sequences and have paths; columns outside the view are left out. */
void plot_identity_count(plot_identity *out, const plot_view *view, const plot_paths *paths,
                         const cla_sequence *query, const cla_sequence *target);

/* Round numbers on an axis of letters. */
typedef struct plot_scale {
  int64_t step;     /* letters between two marks, 1, 2 or 5 times a power of ten */
  int64_t unit;     /* letters: 1, 1000 or 1000000 */
  int decimals;     /* decimals of a mark in this unit */
  const char *name; /* of the unit: "bp", "kbp", "Mbp", "aa" or "letters" */
} plot_scale;

/* For positions `from` to `to` on so many points, with marks at least `least` points apart. */
plot_scale plot_scale_choose(int64_t from, int64_t to, double points, double least, cla_alphabet alphabet);

/* The smallest of 1, 2, 5, 10, 20 ... that is at least `least`. */
int64_t plot_round_number(double least);

#define PLOT_NUMBER_SIZE 48

/* A mark's text without its unit: "12", "1,250", "0.25". */
void plot_scale_text(char text[PLOT_NUMBER_SIZE], const plot_scale *scale, int64_t position);

/* A whole number with a comma between thousands. */
void plot_number_text(char text[PLOT_NUMBER_SIZE], int64_t number);

/* A share in percent: "87.63", with so many decimals that only a whole is 100. */
void plot_percent_text(char text[PLOT_NUMBER_SIZE], int64_t part, int64_t whole);

/* How wide a text is, about: as wide as DejaVu Sans, which is wider than most. */
double plot_text_width(const char *text, double size, bool bold);

/* Cuts the text, which has room for three more bytes, so that it is at most so wide, with an ellipsis at the
 * end of what was cut. */
void plot_text_fit(char *text, double size, bool bold, double width);

/* An exact match of the view, on either strand. */
typedef struct plot_dot {
  int64_t query, target, length; /* where it begins on the forward strands */
  bool reverse;                  /* of the query: it then goes down from query + length */
} plot_dot;

#define PLOT_DOTS_MOST 4000

/* Exact matches, without those that two random sequences would have; the longest first. Begins as zero. */
typedef struct plot_dots {
  int64_t least; /* letters of a match */
  int64_t count, room;
  plot_dot *items;
} plot_dots;

/* CLA_ERROR_MEMORY. Ends with plot_dots_free, also after an error. */
cla_status plot_dots_find(plot_dots *out, const plot_view *view, const cla_sequence *query,
                          const cla_sequence *target, cla_error *error);
void plot_dots_free(plot_dots *dots);

/* A plot of alignments. The matrix is a panel with the target's axis below and the query's axis to its left.
 * Further below is a track with the identity. The key and the list of gaps are to the right. */

/* The colours of Okabe and Ito, which colour-blind readers can tell apart, and tints for areas. What is drawn
 * differs in shape, too. */
enum {
  PLOT_PAPER = 0xffffff,
  PLOT_INK = 0x222222,
  PLOT_FAINT_INK = 0x555555,
  PLOT_GRID = 0xb8b8b8,
  PLOT_DOT = 0xb0b0b0,
  PLOT_GAP = 0x333333,
  PLOT_ROW = 0xe69f00,        /* orange */
  PLOT_CROSSPOINT = 0xcc79a7, /* reddish purple */
  PLOT_IDENTITY = 0x009e73,   /* bluish green */
  PLOT_COMPUTED = 0xfbf3b5,   /* a tint of yellow */
  PLOT_PRUNED = 0xd6d6d6,
  PLOT_UNKNOWN = 0xf1f1f1,
};

/* Of what levels of the bounds leave, from the first level: ever stronger tints of green. */
extern const plot_color plot_level_colors[CLA_LEVELS_MOST];

/* Of a path by strand and class of identity: blue and vermillion, from dark to pale. */
extern const plot_color plot_path_colors[2][PLOT_CLASSES];

#define PLOT_ROW_WIDTH 0.75
#define PLOT_TEXT 12.0
#define PLOT_SMALL_TEXT 11.0

/* Where everything is, in points. */
typedef struct plot_layout {
  double long_side;     /* of the panel */
  double width, height; /* of the whole */
  double panel_x, panel_y, panel_width, panel_height;
  double track_y, side_x;
  bool same_scale; /* a letter of the query is as long as one of the target */
} plot_layout;

typedef struct plot_figure {
  const cla_alignment *const *alignments;
  size_t count;
  const cla_alignment *first; /* the alignment whose work is shown */
  plot_paths counted; /* those whose statistics, gaps and identity are shown: all pieces, or the first */
  const cla_sequence *query, *target; /* as the alignments have them: rotated */
  char *query_name, *target_name;     /* as text, with room for an ellipsis; owned */
  char *query_head, *target_head; /* as text, with room for an ellipsis; owned; descriptions, or the names */
  char *title; /* as text, with room for an ellipsis; owned; NULL: the names are the title */
  bool work;   /* how the matrix was computed is drawn */
  plot_dots dots;
  plot_view view;
  cla_statistics statistics; /* of the counted ones, if they have paths */
  plot_identity identity;
  plot_gaps gaps;
  plot_layout layout;
  int64_t rows_drawn, crosspoints_drawn; /* set by plot_matrix_draw */
} plot_figure;

/* Where a row of nodes, or a column, of the first alignment's matrix is. */
static inline double plot_row_at(const plot_figure *figure, int64_t row) {
  const cla_side *query = &figure->first->query;
  const bool reverse = figure->first->strand == CLA_STRAND_REVERSE;
  return plot_axis_at(&figure->view.query, (double)(reverse ? query->end - row : query->begin + row));
}

static inline double plot_column_at(const plot_figure *figure, int64_t column) {
  return plot_axis_at(&figure->view.target, (double)(figure->first->target.begin + column));
}

/* Whether the alignments are pieces of one. */
static inline bool plot_in_pieces(const plot_figure *figure) {
  return figure->first->has_split;
}

static inline double plot_clamp(double value, double low, double high) {
  return value < low ? low : value > high ? high : value;
}

/* What was computed of the row above a special row, along which that is drawn. */
cla_work_band plot_special_row(const plot_figure *figure, int64_t row);

/* Where the panel ends. */
static inline double plot_right(const plot_figure *figure) {
  return figure->layout.panel_x + figure->layout.panel_width;
}

static inline double plot_bottom(const plot_figure *figure) {
  return figure->layout.panel_y + figure->layout.panel_height;
}

/* Leaves the longest matches that no path hides. CLA_ERROR_MEMORY. */
cla_status plot_dots_choose(plot_dots *dots, const plot_figure *figure, cla_error *error);

/* The parts. */
void plot_path_draw(plot_canvas *canvas, const plot_figure *figure, const cla_alignment *alignment,
                    double width);
/* Draws the areas of the levels of bounds, or with `lines` the areas' borders. */
void plot_levels_draw(plot_canvas *canvas, const plot_figure *figure, bool lines);
void plot_matrix_draw(plot_canvas *canvas, plot_figure *figure);
void plot_axes_draw(plot_canvas *canvas, const plot_figure *figure);
void plot_track_draw(plot_canvas *canvas, const plot_figure *figure);
void plot_side_draw(plot_canvas *canvas, const plot_figure *figure);
void plot_title_draw(plot_canvas *canvas, const plot_figure *figure);

/* The title, and what the head says in two lines. */
#define PLOT_TITLE_SIZE 1024
#define PLOT_FACTS_SIZE 512
void plot_title_text(char text[PLOT_TITLE_SIZE], const plot_figure *figure);
void plot_facts_text(char text[2][PLOT_FACTS_SIZE], const plot_figure *figure);

/* What a level of the bounds left, by its number. */
#define PLOT_LEVEL_SIZE 160
void plot_level_text(char text[PLOT_LEVEL_SIZE], const plot_figure *figure, size_t number);

/* The page, zero-ended; made while building. */
extern const char plot_page[], records_page[];

/* The plot as a page that needs no network. CLA_ERROR_MEMORY; output errors are left in the stream's flag. */
cla_status plot_html_write(FILE *file, const plot_figure *figure, bool dark, cla_error *error);

/* The data of a page's script, which are freed; NULL: there was no memory for them. "</script>" in a name
 * does not end it. CLA_ERROR_MEMORY. */
cla_status plot_page_data(FILE *file, json_t *data, cla_error *error);

/* Whether a gap of the list is long enough to be seen in the panel. */
bool plot_gap_shows(const plot_figure *figure, int number);

/* How high the key and the list of gaps are. */
double plot_side_height(const plot_figure *figure);

#endif
