#ifndef HOST_WRITE_PLOTS_PLOT_INTERNAL_H
#define HOST_WRITE_PLOTS_PLOT_INTERNAL_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "clalign/alphabet.h"
#include "clalign/certain.h"
#include "clalign/plane.h"
#include "clalign/plot.h"
#include "write/plots/plot_canvas.h"

/* True if the file's name requires a page. */
bool plot_is_page(const char *path);

/* Sets *out to the name as valid text, without control characters and not too long. The caller frees *out.
 * CLA_ERROR_MEMORY. */
cla_status plot_name_clean(char **out, const char *name, cla_error *error);

/* Sets *out to the record's text in a title: its description, or `name` if there is none. The caller frees
 * *out. CLA_ERROR_MEMORY. */
cla_status plot_head_make(char **out, const cla_sequence *sequence, const char *name, cla_error *error);

/* Opens the kind of canvas that the file's name requires, and draws the background. For a page, opens the
 * canvas of the picture in the page. The scale is set by the options, which may be NULL. CLA_ERROR_MEMORY,
 * CLA_ERROR_OUTPUT. */
cla_status plot_canvas_open(plot_canvas **out, FILE *file, const char *path, const plot_paper *size,
                            const cla_plot_options *options, cla_error *error);

/* Checks size and dpi. CLA_ERROR_OPTION. */
cla_status plot_sizes_check(const cla_plot_options *options, cla_error *error);

/* The part of the matrix that is drawn, and its place. Positions are on the records' forward strands, rotated
 * like the alignments. The query's positions go up, the target's go to the right, so paths of the reverse
 * strand go down. */

typedef struct plot_axis {
  int64_t from, to;  /* range of the drawn part; from <= to */
  double begin, end; /* places of `from` and `to` on the page, in points, set by the layout; the query's
                        `begin` is lower on the page than its `end` */
} plot_axis;

static inline double plot_axis_at(const plot_axis *axis, double position) {
  const double letters = axis->to > axis->from ? (double)(axis->to - axis->from) : 1;
  return axis->begin + (position - (double)axis->from) / letters * (axis->end - axis->begin);
}

typedef struct plot_view {
  plot_axis query, target;
} plot_view;

/* Checks a range. CLA_ERROR_OPTION if it does not lie within `length` letters, or has no letter in [begin,
 * end). */
cla_status plot_range_check(const cla_plot_range *range, const char *role, int64_t length, int64_t begin,
                            int64_t end, cla_error *error);

/* Chooses the part of the matrix that the options request. CLA_ERROR_OPTION if the options' ranges contain
 * nothing to draw. */
cla_status plot_view_choose(plot_view *out, const cla_alignment *const *alignments, size_t count,
                            const cla_plot_options *options, cla_error *error);

/* A straight piece of a path, in the direction in which the path runs. */
typedef struct plot_piece {
  cla_run_kind kind;
  double query, target, to_query, to_target;
} plot_piece;

/* A walk along an alignment's runs. */
typedef struct plot_walk {
  const cla_alignment *alignment;
  size_t run;
  int64_t query, target; /* positions where the next run starts */
} plot_walk;

void plot_walk_begin(plot_walk *walk, const cla_alignment *alignment);

/* Sets *piece to the next run. Returns false at the end. */
bool plot_walk_next(plot_walk *walk, plot_piece *piece);

/* Cuts a piece to the part within the view. Returns false if nothing is left. */
bool plot_piece_clip(plot_piece *piece, const plot_view *view);

#define PLOT_GAPS_MOST 15
#define PLOT_GAP_LEAST 50  /* minimum number of letters of a gap in the list */
#define PLOT_GAPS_SHORT 10 /* number of gaps in the list if all gaps are shorter */

/* Alignments whose statistics are counted together. */
typedef struct plot_paths {
  const cla_alignment *const *alignments;
  size_t count;
} plot_paths;

/* A gap in the list of the largest gaps. The list is in descending order of size; gaps of equal size are in
 * the order of the paths. */
typedef struct plot_gap {
  int64_t length;
  plot_piece piece;      /* the part of the gap that lies within the view */
  int64_t query, target; /* 0-based positions, on the forward strands: in one sequence, of the gap's first
                            letter; in the other, of the letter after the gap */
} plot_gap;

typedef struct plot_gaps {
  int64_t all;   /* number of gaps within the view */
  int64_t large; /* number of gaps of at least PLOT_GAP_LEAST letters */
  int count;
  plot_gap items[PLOT_GAPS_MOST];
} plot_gaps;

void plot_gaps_find(plot_gaps *out, const plot_view *view, const plot_paths *paths);

#define PLOT_GAPS_HEAD_SIZE 160

/* Writes the list's head, which describes the gaps in the list. */
void plot_gaps_head(char text[PLOT_GAPS_HEAD_SIZE], const plot_gaps *gaps);

#define PLOT_WINDOWS_MOST 200

/* Counts for a window of `letters` letters of the target, from `target` on. Query letters in a gap count in
 * the window that contains the gap. */
typedef struct plot_window {
  int64_t target;
  int64_t matches, columns; /* columns = 0: the path does not cross the window */
} plot_window;

typedef struct plot_identity {
  int64_t letters; /* letters of a window; the last window may have fewer */
  int64_t count;
  plot_window windows[PLOT_WINDOWS_MOST];
} plot_identity;

/* Number of classes of identity, in descending order; plot_class_percents has the lower limit of each class,
 * in percent. */
#define PLOT_CLASSES 5
extern const int plot_class_percents[PLOT_CLASSES];

/* Returns the class of identity at target position `target`, which must be in the view. */
int plot_identity_class(const plot_identity *identity, double target);

/* Counts the identity of alignments, which must fit the sequences and have paths. Columns outside the view
 * are not counted. */
void plot_identity_count(plot_identity *out, const plot_view *view, const plot_paths *paths,
                         const cla_sequence *query, const cla_sequence *target);

/* The scale of an axis of letters: marks at round numbers. */
typedef struct plot_scale {
  int64_t step;     /* letters from one mark to the next: 1, 2 or 5 times a power of ten */
  int64_t unit;     /* letters of a unit: 1, 1000 or 1000000 */
  int decimals;     /* number of decimals of a mark in this unit */
  const char *name; /* name of the unit: "bp", "kbp", "Mbp", "aa" or "letters" */
} plot_scale;

/* Chooses a scale for positions `from` to `to`, drawn over `points` points, with marks at least `least`
 * points apart. */
plot_scale plot_scale_choose(int64_t from, int64_t to, double points, double least, cla_alphabet alphabet);

/* Returns the smallest of 1, 2, 5, 10, 20 ... that is at least `least`. */
int64_t plot_round_number(double least);

#define PLOT_NUMBER_SIZE 48

/* Writes a mark's text without the unit, such as "12", "1,250" or "0.25". */
void plot_scale_text(char text[PLOT_NUMBER_SIZE], const plot_scale *scale, int64_t position);

/* Writes a whole number with commas between thousands. */
void plot_number_text(char text[PLOT_NUMBER_SIZE], int64_t number);

/* Writes part / whole in percent, such as "87.63", with enough decimals that only a whole is shown as 100. */
void plot_percent_text(char text[PLOT_NUMBER_SIZE], int64_t part, int64_t whole);

/* Returns the approximate width of a text in points, as in DejaVu Sans, which is wider than most fonts. */
double plot_text_width(const char *text, double size, bool bold);

/* Cuts the text so that it is at most `width` points wide, with an ellipsis where it was cut. The text must
 * have room for three more bytes. */
void plot_text_fit(char *text, double size, bool bold, double width);

/* An exact match of the view, on either strand. */
typedef struct plot_dot {
  int64_t query, target, length; /* start on the forward strands, and number of letters */
  bool reverse; /* the match is on the query's reverse strand, and runs down from query + length */
} plot_dot;

#define PLOT_DOTS_MOST 4000

/* Exact matches that are longer than matches of random sequences; the longest first. The caller initialises
 * the struct with zeros. */
typedef struct plot_dots {
  int64_t least; /* least number of letters of a match */
  int64_t count, room;
  plot_dot *items;
} plot_dots;

/* Finds the exact matches in the view. The caller calls plot_dots_free, even after an error.
 * CLA_ERROR_MEMORY. */
cla_status plot_dots_find(plot_dots *out, const plot_view *view, const cla_sequence *query,
                          const cla_sequence *target, cla_error *error);
void plot_dots_free(plot_dots *dots);

/* The columns of a stretch of the target, counted by their certainty. */
typedef struct plot_share {
  int64_t columns;
  int64_t uncertain[2]; /* columns that not all best alignments have, by the class of their block */
} plot_share;

/* Shares by stretches of equal length along the target's axis. */
typedef struct plot_certainty {
  int64_t count;
  plot_share *shares; /* owned */
  plot_share all;     /* columns in the view */
} plot_certainty;

/* A plot of alignments. The matrix is a panel with the target's axis below and the query's axis to its left.
 * Further below is a track with the identity. The key and the list of gaps are to the right. */

/* The colours of Okabe and Ito, which colour-blind readers can tell apart, and tints for areas. The parts of
 * the plot also differ in shape. */
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
  PLOT_CERTAIN = 0xd3ebdf, /* a tint of green */
};

/* Colours of the areas that remain after the levels of bounds, from the first level on: increasingly strong
 * tints of green. */
extern const plot_color plot_level_colors[CLA_LEVELS_MOST];

/* Colours of a path, by strand and class of identity: blue and vermillion, from dark to pale. */
extern const plot_color plot_path_colors[2][PLOT_CLASSES];

/* Colours of uncertain columns, by the class of their block: amber and purple, from many columns to few. */
#define PLOT_TINTS 3
extern const plot_color plot_uncertain_colors[2][PLOT_TINTS];

#define PLOT_ROW_WIDTH 0.75
#define PLOT_TEXT 12.0
#define PLOT_SMALL_TEXT 11.0

/* The places of the plot's parts, in points. */
typedef struct plot_layout {
  double long_side;     /* longer side of the panel */
  double width, height; /* size of the whole plot */
  double panel_x, panel_y, panel_width, panel_height;
  double track_y, side_x;
  double strip_y;  /* top of the strip of certainty */
  bool same_scale; /* letters of the query and of the target are drawn with the same length */
} plot_layout;

typedef struct plot_figure {
  const cla_alignment *const *alignments;
  size_t count;
  const cla_alignment *first; /* the alignment whose work is shown */
  plot_paths counted; /* alignments whose statistics, gaps and identity are shown: all pieces, or the first
                         alignment */
  const cla_sequence *query, *target; /* rotated like the alignments */
  char *query_name, *target_name;     /* with room for an ellipsis; owned */
  char *query_head, *target_head;     /* descriptions, or the names; with room for an ellipsis; owned */
  char *title;                        /* with room for an ellipsis; owned; NULL: the names are the title */
  bool work;                          /* the plot shows how the matrix was computed */
  const cla_certificate *certificate; /* the first alignment's certificate; NULL: none */
  plot_certainty certainty;           /* counted if there is a certificate */
  plot_dots dots;
  plot_view view;
  cla_statistics statistics; /* statistics of the counted alignments, if they have paths */
  plot_identity identity;
  plot_gaps gaps;
  plot_layout layout;
  int64_t rows_drawn, crosspoints_drawn; /* set by plot_matrix_draw */
} plot_figure;

/* These functions return the place of a row or a column of nodes in the first alignment's matrix. */
static inline double plot_row_at(const plot_figure *figure, int64_t row) {
  const cla_side *query = &figure->first->query;
  const bool reverse = figure->first->strand == CLA_STRAND_REVERSE;
  return plot_axis_at(&figure->view.query, (double)(reverse ? query->end - row : query->begin + row));
}

static inline double plot_column_at(const plot_figure *figure, int64_t column) {
  return plot_axis_at(&figure->view.target, (double)(figure->first->target.begin + column));
}

/* True if the alignments are pieces of one alignment. */
static inline bool plot_in_pieces(const plot_figure *figure) {
  return figure->first->has_split;
}

static inline double plot_clamp(double value, double low, double high) {
  return value < low ? low : value > high ? high : value;
}

/* Returns the computed cells of the row just above a special row. The special row is drawn along these
 * cells. */
cla_work_band plot_special_row(const plot_figure *figure, int64_t row);

/* These functions return the right and the lower end of the panel. */
static inline double plot_right(const plot_figure *figure) {
  return figure->layout.panel_x + figure->layout.panel_width;
}

static inline double plot_bottom(const plot_figure *figure) {
  return figure->layout.panel_y + figure->layout.panel_height;
}

/* Reduces the matches to the longest ones that no path hides. CLA_ERROR_MEMORY. */
cla_status plot_dots_choose(plot_dots *dots, const plot_figure *figure, cla_error *error);

/* Counts the certainty of the first alignment's columns in stretches of a letter or a point of the panel. The
 * caller frees out->shares. CLA_ERROR_MEMORY. */
cla_status plot_certainty_count(plot_certainty *out, const plot_figure *figure, cla_error *error);

/* True if a block is large enough to be seen in the panel. */
bool plot_block_shows(const plot_figure *figure, const cla_ambiguous_block *block);

/* These functions draw the parts of the plot. The strip of certainty is below the identity track; blocks are
 * boxes in the panel. */
void plot_strip_draw(plot_canvas *canvas, const plot_figure *figure);
void plot_blocks_draw(plot_canvas *canvas, const plot_figure *figure);
void plot_path_draw(plot_canvas *canvas, const plot_figure *figure, const cla_alignment *alignment,
                    double width);
/* Draws the areas of the levels of bounds, or with `lines` the areas' borders. */
void plot_levels_draw(plot_canvas *canvas, const plot_figure *figure, bool lines);
void plot_matrix_draw(plot_canvas *canvas, plot_figure *figure);
void plot_axes_draw(plot_canvas *canvas, const plot_figure *figure);
void plot_track_draw(plot_canvas *canvas, const plot_figure *figure);
void plot_side_draw(plot_canvas *canvas, const plot_figure *figure);
void plot_title_draw(plot_canvas *canvas, const plot_figure *figure);

/* These functions write the title, and the two lines of the head. */
#define PLOT_TITLE_SIZE 1024
#define PLOT_FACTS_SIZE 512
void plot_title_text(char text[PLOT_TITLE_SIZE], const plot_figure *figure);

/* Joins the texts of query and target to a title: the descriptions `heads` if both fit in `room` points, else
 * the names, which are cut if they do not fit. */
void plot_title_join(char text[PLOT_TITLE_SIZE], const char *const heads[2], const char *const names[2],
                     double room);
void plot_facts_text(char text[2][PLOT_FACTS_SIZE], const plot_figure *figure);

/* Writes which part of the matrix remains after level `level` of the bounds. */
#define PLOT_LEVEL_SIZE 160
void plot_level_text(char text[PLOT_LEVEL_SIZE], const plot_figure *figure, size_t number);

/* The pages as zero-terminated texts, made by the build. */
extern const char plot_page[], records_page[];

/* Writes the plot as a page that needs no network. CLA_ERROR_MEMORY. Output errors only set the stream's
 * error flag. */
cla_status plot_html_write(FILE *file, const plot_figure *figure, bool dark, cla_error *error);

/* Writes the data of a page's script, and frees them; NULL: memory ran out. "</script>" in a name does not
 * end the script. CLA_ERROR_MEMORY. */
cla_status plot_page_data(FILE *file, json_t *data, cla_error *error);

/* True if a gap of the list is long enough to be visible in the panel. */
bool plot_gap_shows(const plot_figure *figure, int number);

/* Returns the height of the key and the list of gaps, in points. */
double plot_side_height(const plot_figure *figure);

/* Draws a plane of two costs to a canvas of the file's kind. CLA_ERROR_MEMORY, CLA_ERROR_OUTPUT. */
cla_status plane_plot_draw(FILE *file, const char *path, const cla_cost_plane *plane, const cla_results *pair,
                           const cla_plot_options *options, cla_error *error);

#endif
