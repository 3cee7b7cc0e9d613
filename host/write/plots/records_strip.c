/* Draws the identity along the targets, as a strip above the picture of many records. */

#include <math.h>
#include <stdio.h>

#include "base/allocate.h"
#include "base/extremes.h"
#include "result/cigar_reader.h"
#include "write/plots/plot_internal.h"
#include "write/plots/records_plot.h"

/* Largest number of bins of a target, and least number of letters of a bin. */
#define BINS_MOST 2000
#define BIN_LETTERS_LEAST 100

#define STRIP_HEIGHT 9.0
#define STRIP_LEFT 24.0

/* Least identity of each colour, in percent. */
static const double class_least[PLOT_CLASSES] = {99.5, 98, 95, 90, 0};

static cla_status open_bins(plot_record *record, cla_error *error) {
  if (record->bins) return CLA_OK;
  record->bin_count = smaller(BINS_MOST, larger(record->length / BIN_LETTERS_LEAST, 1));
  return ALLOCATE_ZEROS(&record->bins, record->bin_count, "a plot's identity", error);
}

/* Adds `count` pairs to the bins, starting at target position `from`. */
static void add_pairs(plot_record *record, int64_t from, int64_t count, bool equal) {
  for (int64_t at = from, next; at < from + count; at = next) {
    const int64_t bin = smaller(at * record->bin_count / record->length, record->bin_count - 1);
    const int64_t end = ((bin + 1) * record->length + record->bin_count - 1) / record->bin_count;
    next = smaller(from + count, larger(end, at + 1));
    record->bins[bin].pairs += next - at;
    record->bins[bin].matches += equal ? next - at : 0;
  }
}

cla_status records_strip_add(plot_record *record, const cla_alignment *alignment, const cla_sequence *query,
                             const cla_sequence *target, cla_error *error) {
  cigar_reader reader;
  cigar_step step;
  cla_status status = open_bins(record, error);
  if (status != CLA_OK) return status;
  cigar_reader_begin(&reader, alignment, query, target);
  while (cigar_reader_next(&reader, &step))
    if (step.operation == '=' || step.operation == 'X')
      add_pairs(record, step.target, step.length, step.operation == '=');
  return CLA_OK;
}

static int class_of(const identity_bin *bin) {
  const double percent = 100.0 * (double)bin->matches / (double)bin->pairs;
  int it = 0;
  while (percent < class_least[it]) it++;
  return it;
}

/* Returns the approximate counts of pairs in a target's letters from .. to - 1. */
static identity_bin pairs_of(const plot_record *record, int64_t from, int64_t to) {
  identity_bin out = {0};
  const int64_t first = from * record->bin_count / record->length;
  const int64_t last = larger(first, (to - 1) * record->bin_count / record->length);
  for (int64_t bin = first; bin <= smaller(last, record->bin_count - 1); bin++) {
    out.matches += record->bins[bin].matches;
    out.pairs += record->bins[bin].pairs;
  }
  return out;
}

/* Draws a target's part of the strip, in steps of a point or a bin. Neighbours with the same colour become
 * one rectangle. */
static void draw_record(plot_canvas *canvas, const plot_record *record, double x, double width, double y) {
  const int64_t steps = larger(smaller((int64_t)ceil(width), record->bin_count), 1);
  int held = -1;
  int64_t since = 0;
  for (int64_t step = 0; step <= steps; step++) {
    int now = -1;
    if (step < steps) {
      const identity_bin bin =
          pairs_of(record, step * record->length / steps, (step + 1) * record->length / steps);
      now = bin.pairs > 0 ? class_of(&bin) : -1;
    }
    if (now == held && step < steps) continue;
    if (held >= 0)
      plot_rectangle(canvas, x + width * (double)since / (double)steps, y,
                     width * (double)(step - since) / (double)steps, STRIP_HEIGHT, plot_path_colors[0][held]);
    held = now;
    since = step;
  }
}

static void draw_strip_key(plot_canvas *canvas, double y) {
  static const char title[] = "identity along the target:";
  const plot_text_style style = {.size = PLOT_SMALL_TEXT, .color = PLOT_INK};
  double x = STRIP_LEFT + plot_text_width(title, style.size, false) + 10;
  plot_text(canvas, STRIP_LEFT, y + 9, &style, title);
  for (int i = 0; i < PLOT_CLASSES; i++) {
    char text[32];
    if (i + 1 < PLOT_CLASSES)
      snprintf(text, sizeof text, "%g %% or more", class_least[i]);
    else
      snprintf(text, sizeof text, "less");
    plot_rectangle(canvas, x, y, 14, STRIP_HEIGHT, plot_path_colors[0][i]);
    plot_text(canvas, x + 19, y + 9, &style, text);
    x += 32 + plot_text_width(text, style.size, false);
  }
}

double records_strip_room(const cla_records_plot *plot) {
  return (plot->strip ? RECORDS_STRIP_ROOM : 0) + (plot->feature_count > 0 ? RECORDS_LANE_ROOM : 0);
}

/* Draws the features of the forward strand above the features of the reverse strand. */
static void draw_lane(plot_canvas *canvas, const cla_records_plot *plot, const records_layout *layout) {
  static const char title[] = "features";
  const plot_text_style style = {.size = PLOT_SMALL_TEXT, .anchor = PLOT_ANCHOR_END, .color = PLOT_INK};
  const double y = layout->panel_y - RECORDS_LANE_ROOM + 2, half = (RECORDS_LANE_ROOM - 6) / 2;
  const double width = layout->panel_width / fmax((double)plot->targets.letters, 1);
  double drawn[2] = {-1, -1};
  plot_text(canvas, layout->panel_x - 6, y + 2 * half - 1, &style, title);
  for (int64_t i = 0; i < plot->feature_count; i++) {
    const plot_feature *it = &plot->features[i];
    const double x = layout->panel_x + (double)(it->target->offset + it->begin) * width;
    const double to = fmax(layout->panel_x + (double)(it->target->offset + it->end) * width, x + 0.5);
    if (x >= drawn[it->reverse] - 1 && to <= drawn[it->reverse])
      continue; /* hidden by the previous feature */
    plot_rectangle(canvas, x, y + (it->reverse ? half + 1 : 0), to - x, half, PLOT_FAINT_INK);
    drawn[it->reverse] = to;
  }
}

void records_strip_draw(plot_canvas *canvas, const cla_records_plot *plot, const records_layout *layout) {
  const double lane = plot->feature_count > 0 ? RECORDS_LANE_ROOM : 0;
  const double y = layout->panel_y - lane - STRIP_HEIGHT - 5;
  const double width = layout->panel_width / fmax((double)plot->targets.letters, 1);
  if (plot->feature_count > 0) draw_lane(canvas, plot, layout);
  if (!plot->strip) return;
  for (int64_t i = 0; i < plot->targets.count; i++) {
    const plot_record *record = plot->targets.items[i];
    if (record->bins)
      draw_record(canvas, record, layout->panel_x + (double)record->offset * width,
                  (double)record->length * width, y);
  }
  plot_frame(canvas, layout->panel_x, y, layout->panel_width, STRIP_HEIGHT, (plot_pen){0.5, PLOT_GRID});
  draw_strip_key(canvas, y - 24);
}
