#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/files.h"
#include "clalign/plot.h"
#include "result/alignment.h"
#include "result/path_check.h"
#include "seq/sequence.h"
#include "write/certain_runs.h"
#include "write/plots/plot_internal.h"
#include "write/writer.h"

/* maximum number of bytes of a name that are used; far more than fit into the plot */
#define NAME_BYTES_MOST 400

typedef cla_status (*canvas_maker)(plot_canvas **out, FILE *file, const plot_paper *paper, cla_error *error);

const plot_color plot_path_colors[2][PLOT_CLASSES] = {{0x08407e, 0x1f78c1, 0x62a8de, 0x9ccbec, 0xc9e2f5},
                                                      {0x8c2d04, 0xd55e00, 0xf28c3a, 0xf7b680, 0xfbd9bd}};

const plot_color plot_level_colors[CLA_LEVELS_MOST] = {0xd9ece3, 0xb5dcc9, 0x86c9ab,
                                                       0x55b18a, 0x2f9a70, 0x1c7d58};

/* Colours on a dark background, where light colours are conspicuous. */
static const plot_tone dark_tones[] = {
    {PLOT_PAPER, 0x16191d},  {PLOT_INK, 0xe8e8e8},     {PLOT_FAINT_INK, 0xa8a8a8}, {PLOT_GRID, 0x5c6066},
    {PLOT_DOT, 0x5a6069},    {PLOT_GAP, 0xdddddd},     {PLOT_ROW, 0x8a6206},       {PLOT_COMPUTED, 0x3d3a1d},
    {PLOT_PRUNED, 0x26292d}, {PLOT_UNKNOWN, 0x1e2126}, {0x08407e, 0x9fd4ff},       {0x1f78c1, 0x5fb2f2},
    {0x62a8de, 0x3a86c4},    {0x9ccbec, 0x2b6291},     {0xc9e2f5, 0x234661},       {0x8c2d04, 0xffc48a},
    {0xd55e00, 0xf7963d},    {0xf28c3a, 0xc96a1a},     {0xf7b680, 0x8f4c15},       {0xfbd9bd, 0x613714},
    {0xd9ece3, 0x1f3029},    {0xb5dcc9, 0x234838},     {0x86c9ab, 0x286349},       {0x55b18a, 0x2d7f5c},
    {0x2f9a70, 0x319b6f},    {0x1c7d58, 0x36b882},     {PLOT_CERTAIN, 0x203a30},   {0xd98a00, 0xffb733},
    {0xf0b83c, 0xb37a12},    {0xf7dc9c, 0x5c4518},     {0x7f1f78, 0xe08fd6},       {0xbb5fae, 0x9c4590},
    {0xe3b7dc, 0x54294e}};

bool plot_is_page(const char *path) {
  return path_ends_in(path, ".html");
}

/* Returns the function for the kind of canvas that the file's name requires; NULL: none. */
static canvas_maker find_maker(const char *path) {
  static const struct {
    const char *ending;
    canvas_maker make;
  } formats[] = {{".png", plot_canvas_png}, {".svg", plot_canvas_svg}, {".pdf", plot_canvas_pdf}};
  for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
    if (path_ends_in(path, formats[i].ending)) return formats[i].make;
  return NULL;
}

cla_status plot_sizes_check(const cla_plot_options *options, cla_error *error) {
  if (options->size != 0 && (options->size < CLA_PLOT_SIZE_LEAST || options->size > CLA_PLOT_SIZE_MOST))
    return error_set(error, CLA_ERROR_OPTION, "a plot's matrix cannot be of size %lld; give %d to %d points",
                     (long long)options->size, CLA_PLOT_SIZE_LEAST, CLA_PLOT_SIZE_MOST);
  if (options->dpi != 0 && (options->dpi < CLA_PLOT_DPI_LEAST || options->dpi > CLA_PLOT_DPI_MOST))
    return error_set(error, CLA_ERROR_OPTION, "a plot cannot have %lld dots an inch; give %d to %d",
                     (long long)options->dpi, CLA_PLOT_DPI_LEAST, CLA_PLOT_DPI_MOST);
  return CLA_OK;
}

cla_status cla_plot_check(const char *path, const cla_plot_options *options, const cla_sequence *query,
                          const cla_sequence *target, cla_error *error) {
  if (!find_maker(path) && !plot_is_page(path))
    return error_set(
        error, CLA_ERROR_OPTION,
        "cannot tell from the name %.1024s what kind of plot is wanted; end it in .png, .svg, .pdf "
        "or .html",
        path);
  if (!options) return CLA_OK;
  cla_status status = plot_sizes_check(options, error);
  if (status != CLA_OK || !query || !target) return status;
  status = plot_range_check(&options->query, "query", cla_sequence_length(query), cla_sequence_begin(query),
                            cla_sequence_end(query), error);
  if (status != CLA_OK) return status;
  return plot_range_check(&options->target, "target", cla_sequence_length(target), cla_sequence_begin(target),
                          cla_sequence_end(target), error);
}

/* Replaces noncharacters, such as U+FFFE, by U+FFFD. They are valid UTF-8, but neither XML nor cairo accepts
 * them. */
static void replace_noncharacters(char *text) {
  char *to = text;
  while (*text) {
    const unsigned char *at = (const unsigned char *)text;
    const int length = at[0] >= 0xf0 ? 4 : at[0] >= 0xe0 ? 3 : at[0] >= 0xc0 ? 2 : 1;
    uint32_t value = length == 1 ? at[0] : at[0] & (0x7fu >> length);
    for (int i = 1; i < length; i++) value = value << 6 | (at[i] & 0x3fu);
    const bool none = (value & 0xfffe) == 0xfffe || (value >= 0xfdd0 && value <= 0xfdef);
    memmove(to, none ? "\xef\xbf\xbd" : text, none ? 3 : (size_t)length);
    to += none ? 3 : length;
    text += length;
  }
  *to = 0;
}

cla_status plot_name_clean(char **out, const char *name, cla_error *error) {
  char *line = NULL;
  cla_status status = clean_name(&line, name, CLEAN_LINE, "", error);
  if (status == CLA_OK) status = clean_utf8(out, line, error);
  free(line);
  if (status == CLA_OK) replace_noncharacters(*out);
  if (status != CLA_OK || strlen(*out) <= NAME_BYTES_MOST) return status;
  size_t length = NAME_BYTES_MOST;
  while (length > 0 && ((unsigned char)(*out)[length] & 0xc0) == 0x80) length--;
  (*out)[length] = 0;
  return CLA_OK;
}

static cla_status check_alignments(const plot_figure *figure, const cla_sequence *query,
                                   const cla_sequence *target, cla_error *error) {
  if (figure->count == 0)
    return error_set(error, CLA_ERROR_OPTION, "without an alignment there is nothing to plot");
  for (size_t i = 0; i < figure->count; i++) {
    const cla_alignment *alignment = figure->alignments[i];
    cla_status status = path_check_fit(alignment, query, target, error);
    if (status == CLA_OK && i == 0 && figure->certificate)
      status = certificate_check(figure->certificate, alignment, 1, error);
    if (status != CLA_OK) return status;
    if (alignment->query.rotation != figure->alignments[0]->query.rotation ||
        alignment->target.rotation != figure->alignments[0]->target.rotation)
      return error_set(error, CLA_ERROR_OPTION,
                       "alignments 1 and %zu are of different rotations; plot each by itself", i + 1);
  }
  return CLA_OK;
}

#define PANEL_LONG 600.0
#define PANEL_X 104.0
#define PANEL_Y 102.0
#define TRACK_SPACE 56.0  /* points for the target's axis */
#define TRACK_BELOW 110.0 /* points for the track, its caption and space */
#define STRIP_BELOW 64.0  /* points for the strip of certainty, its caption and space */
#define SIDE_SPACE 36.0
#define SIDE_WIDTH 350.0
#define BOTTOM_SPACE 24.0

static void choose_panel(plot_figure *figure) {
  const plot_axis *query = &figure->view.query, *target = &figure->view.target;
  const double rows = fmax((double)(query->to - query->from), 1);
  const double columns = fmax((double)(target->to - target->from), 1);
  const double longer = fmax(rows, columns);
  const double shortest = figure->layout.long_side / 2; /* least length of either side */
  figure->layout.panel_width = fmax(columns / longer * figure->layout.long_side, shortest);
  figure->layout.panel_height = fmax(rows / longer * figure->layout.long_side, shortest);
  figure->layout.same_scale =
      fabs(figure->layout.panel_width / columns * rows / figure->layout.panel_height - 1) < 0.01;
}

/* Chooses the places of all parts of the plot. */
static void lay_out(plot_figure *figure) {
  choose_panel(figure);
  figure->layout.panel_width = round(figure->layout.panel_width);
  figure->layout.panel_height = round(figure->layout.panel_height);
  figure->layout.panel_x = PANEL_X;
  figure->layout.panel_y = PANEL_Y;
  figure->view.query.begin = plot_bottom(figure);
  figure->view.query.end = figure->layout.panel_y;
  figure->view.target.begin = PANEL_X;
  figure->view.target.end = PANEL_X + figure->layout.panel_width;
  figure->layout.track_y = plot_bottom(figure) + TRACK_SPACE;
  figure->layout.side_x = figure->view.target.end + SIDE_SPACE;
  figure->layout.width = figure->layout.side_x + SIDE_WIDTH;
  figure->layout.strip_y = figure->layout.track_y + TRACK_BELOW;
  const double left = figure->certificate       ? figure->layout.strip_y + STRIP_BELOW
                      : figure->first->has_path ? figure->layout.strip_y
                                                : figure->layout.track_y;
  figure->layout.height = ceil(fmax(left, PANEL_Y + plot_side_height(figure)) + BOTTOM_SPACE);
}

/* Adds up the statistics of the counted paths. */
static cla_status count_paths(plot_figure *figure, cla_error *error) {
  cla_statistics *sum = &figure->statistics, one;
  cla_status status = CLA_OK;
  for (size_t i = 0; i < figure->counted.count && status == CLA_OK; i++) {
    status = alignment_count(&one, figure->counted.alignments[i], figure->query, figure->target, error);
    if (status != CLA_OK) break;
    sum->matches += one.matches;
    sum->columns += one.columns;
    sum->gap_opens += one.gap_opens;
    sum->gap_letters += one.gap_letters;
  }
  return status;
}

cla_status plot_head_make(char **out, const cla_sequence *sequence, const char *name, cla_error *error) {
  const char *description = cla_sequence_description(sequence);
  /* A description such as "circular=true" tells a program something, not a reader. */
  const bool words = description[0] && !strchr(description, '=');
  cla_status status = plot_name_clean(out, words ? description : name, error);
  /* cuts off the end of GenBank's "NAME, complete genome" */
  char *tail = status == CLA_OK ? strstr(*out, ", complete") : NULL;
  if (tail && tail > *out) *tail = '\0';
  return status;
}

/* Counts and chooses everything that the plot shows. */
static cla_status prepare(plot_figure *figure, const cla_plot_options *options, cla_error *error) {
  const cla_alignment *first = figure->first;
  cla_status status = plot_name_clean(&figure->query_name, first->query.name, error);
  if (status == CLA_OK) status = plot_name_clean(&figure->target_name, first->target.name, error);
  if (status == CLA_OK) status = plot_head_make(&figure->query_head, figure->query, first->query.name, error);
  if (status == CLA_OK)
    status = plot_head_make(&figure->target_head, figure->target, first->target.name, error);
  if (status == CLA_OK && options && options->title)
    status = plot_name_clean(&figure->title, options->title, error);
  figure->work = options && options->work;
  figure->layout.long_side = options && options->size > 0 ? (double)options->size : PANEL_LONG;
  if (status == CLA_OK && figure->work && !first->work)
    status = error_set(error, CLA_ERROR_OPTION,
                       "the alignment does not say how its matrix was computed, and so it cannot be drawn; "
                       "align with keep_work, and save with --save-work");
  if (status == CLA_OK)
    status = plot_view_choose(&figure->view, figure->alignments, figure->count, options, error);
  if (status == CLA_OK && first->has_path) status = count_paths(figure, error);
  if (status != CLA_OK) return status;
  if (first->has_path) {
    plot_identity_count(&figure->identity, &figure->view, &figure->counted, figure->query, figure->target);
    plot_gaps_find(&figure->gaps, &figure->view, &figure->counted);
  }
  lay_out(figure);
  if (figure->certificate) status = plot_certainty_count(&figure->certainty, figure, error);
  if (!figure->work && status == CLA_OK)
    status = plot_dots_find(&figure->dots, &figure->view, figure->query, figure->target, error);
  if (status == CLA_OK && figure->dots.count > 0) status = plot_dots_choose(&figure->dots, figure, error);
  return status;
}

/* The resolution with one pixel per point. */
#define USUAL_DPI 96.0

cla_status plot_canvas_open(plot_canvas **out, FILE *file, const char *path, const plot_paper *size,
                            const cla_plot_options *options, cla_error *error) {
  const canvas_maker make = plot_is_page(path) ? plot_canvas_svg : find_maker(path);
  const double dpi = options && options->dpi > 0 ? (double)options->dpi : USUAL_DPI;
  const plot_paper paper = {size->width, size->height, dpi / USUAL_DPI};
  cla_status status = make(out, file, &paper, error);
  if (status != CLA_OK) return status;
  if (options && options->dark) plot_canvas_tones(*out, dark_tones, sizeof dark_tones / sizeof *dark_tones);
  plot_rectangle(*out, 0, 0, paper.width, paper.height, PLOT_PAPER);
  return CLA_OK;
}

static cla_status draw(plot_figure *figure, FILE *file, const char *path, const cla_plot_options *options,
                       cla_error *error) {
  plot_canvas *canvas = NULL;
  const plot_paper paper = {.width = figure->layout.width, .height = figure->layout.height};
  cla_status status = plot_canvas_open(&canvas, file, path, &paper, options, error);
  if (status != CLA_OK) return status;
  plot_title_draw(canvas, figure);
  plot_matrix_draw(canvas, figure);
  plot_axes_draw(canvas, figure);
  plot_track_draw(canvas, figure);
  plot_strip_draw(canvas, figure);
  plot_side_draw(canvas, figure);
  return plot_canvas_finish(canvas, error);
}

cla_status cla_plot_write(const char *path, const cla_results *results, const cla_plot_options *options,
                          cla_error *error) {
  const cla_sequence *query = results->query, *target = results->target;
  plot_figure figure = {.alignments = results->alignments, .count = results->count};
  if (results->certificates && results->count > 0) figure.certificate = results->certificates[0];
  rotated_pair pair = {0};
  atomic_file *file = NULL;
  cla_status status = cla_plot_check(path, options, query, target, error);
  if (status == CLA_OK) status = sequence_whole_check(query, "a plot", error);
  if (status == CLA_OK) status = sequence_whole_check(target, "a plot", error);
  if (status == CLA_OK) status = check_alignments(&figure, query, target, error);
  if (status == CLA_OK) status = rotated_pair_make(&pair, figure.alignments[0], query, target, error);
  if (status != CLA_OK) goto done;
  figure.first = figure.alignments[0];
  figure.counted = (plot_paths){figure.alignments, plot_in_pieces(&figure) ? figure.count : 1};
  figure.query = pair.query;
  figure.target = pair.target;
  status = prepare(&figure, options, error);
  if (status == CLA_OK) status = atomic_file_open(&file, path, error);
  if (status != CLA_OK) goto done;
  if (plot_is_page(path))
    status = plot_html_write(atomic_file_stream(file), &figure, options && options->dark, error);
  else
    status = draw(&figure, atomic_file_stream(file), path, options, error);
  if (status == CLA_OK)
    status = atomic_file_commit(file, error);
  else
    atomic_file_discard(file);
done:
  free(figure.query_name);
  free(figure.target_name);
  free(figure.query_head);
  free(figure.target_head);
  free(figure.title);
  free(figure.certainty.shares);
  plot_dots_free(&figure.dots);
  rotated_pair_free(&pair);
  return status;
}
