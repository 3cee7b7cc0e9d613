/* A picture of the threads' work in a batch over time: a line for each thread, a bar for each piece. */

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/bench/bench.h"
#include "cli/report/report.h"

#define WIDTH 1000
#define LEFT 130
#define TOP 50
#define LANE_HEIGHT 26
#define LANES_MOST 64
#define COLOURS 6

cla_status bench_timeline_add(bench_timeline *timeline, const cla_batch_work *work, cla_error *error) {
  if (timeline->count == timeline->capacity) {
    const size_t capacity = timeline->capacity > 0 ? 2 * timeline->capacity : 1024;
    cla_batch_work *works = realloc(timeline->works, capacity * sizeof *works);
    if (!works)
      return cli_error(error, CLA_ERROR_MEMORY, "out of memory for the timeline; leave --timeline out");
    timeline->works = works;
    timeline->capacity = capacity;
  }
  timeline->works[timeline->count++] = *work;
  return CLA_OK;
}

/* Lighter ones for short pairs: by the letters of a side, to that many. */
static const struct {
  double letters;
  const char *colour, *text;
} colours[COLOURS] = {{1000, "#c6dbef", "to 1 kb"},   {3200, "#9ecae1", "to 3.2 kb"},
                      {10000, "#6baed6", "to 10 kb"}, {30000, "#3182bd", "to 30 kb"},
                      {60000, "#08519c", "to 60 kb"}, {INFINITY, "#08306b", "longer"}};

static const char *colour_of(const cla_batch_work *work) {
  const double letters = sqrt(work->cells / (double)work->pairs);
  int i = 0;
  while (letters > colours[i].letters) i++;
  return colours[i].colour;
}

static void write_key(FILE *file) {
  for (int i = 0; i < COLOURS; i++)
    fprintf(
        file,
        "<rect x=\"%d\" y=\"28\" width=\"12\" height=\"12\" fill=\"%s\"/><text x=\"%d\" y=\"38\">%s</text>\n",
        LEFT + i * 110, colours[i].colour, LEFT + i * 110 + 16, colours[i].text);
  fprintf(file,
          "<rect x=\"%d\" y=\"28\" width=\"12\" height=\"12\" fill=\"white\" stroke=\"#d95f02\"/>"
          "<text x=\"%d\" y=\"38\">packed</text>\n",
          LEFT + COLOURS * 110, LEFT + COLOURS * 110 + 16);
}

static void write_axis(FILE *file, double end, int lanes) {
  const int bottom = TOP + lanes * LANE_HEIGHT;
  double step = pow(10, floor(log10(end > 0 ? end : 1)));
  if (end / step < 4) step /= 4;
  for (int i = 0; i * step <= end; i++) {
    const double t = i * step;
    const double x = LEFT + t / end * (WIDTH - LEFT - 20);
    fprintf(file, "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"#cccccc\"/>\n", x, TOP, x,
            bottom);
    fprintf(file, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%g s</text>\n", x, bottom + 16, t);
  }
}

/* Sets lines[device] to the line of the device's first thread, and lines[devices] to the number of lines. */
static void find_lines(int *lines, size_t devices, const bench_timeline *timeline) {
  int first = 0;
  memset(lines, 0, (devices + 1) * sizeof *lines);
  for (size_t i = 0; i < timeline->count; i++) {
    const cla_batch_work *work = &timeline->works[i];
    const int part = work->part < LANES_MOST ? work->part : LANES_MOST - 1;
    if (part >= lines[work->device]) lines[work->device] = part + 1;
  }
  for (size_t d = 0; d <= devices; d++) {
    const int count = d < devices && lines[d] < 1 ? 1 : lines[d];
    lines[d] = first;
    first += count;
  }
}

static void write_bar(FILE *file, const cla_batch_work *work, double end, int line) {
  const double scale = (WIDTH - LEFT - 20) / end;
  const double width = (work->end - work->begin) * scale;
  fprintf(file, "<rect x=\"%.2f\" y=\"%d\" width=\"%.2f\" height=\"%d\" fill=\"%s\"%s><title>",
          LEFT + work->begin * scale, TOP + line * LANE_HEIGHT + 3, width > 0.05 ? width : 0.05,
          LANE_HEIGHT - 6, colour_of(work), work->packed ? " stroke=\"#d95f02\"" : "");
  fprintf(file, "%lld pairs from %lld on, %.3g s, a part of %d</title></rect>\n", (long long)work->pairs,
          (long long)work->first, work->end - work->begin, work->parts);
}

/* Writes a device's name without the characters that XML takes for markup. */
static void write_name(FILE *file, const char *name) {
  for (; *name; name++) fputc(strchr("<>&\"'", *name) || (unsigned char)*name < ' ' ? '?' : *name, file);
}

/* Writes a name for each line: the thread's number, with the device's name if there are several devices. */
static void write_line_names(FILE *file, const int *lines, size_t devices) {
  for (size_t d = 0; d < devices; d++)
    for (int line = lines[d]; line < lines[d + 1]; line++) {
      fprintf(file, "<text x=\"8\" y=\"%d\">", TOP + line * LANE_HEIGHT + 17);
      if (devices > 1) fprintf(file, "device %zu, ", d + 1);
      fprintf(file, "thread %d</text>\n", line - lines[d] + 1);
    }
}

static void write_picture(FILE *file, const bench_timeline *timeline, const cli_devices *devices,
                          const int *lines) {
  const int all = lines[devices->count];
  double end = 1e-9;
  for (size_t i = 0; i < timeline->count; i++) end = fmax(end, timeline->works[i].end);
  fprintf(
      file,
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\" "
      "font-size=\"11\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n<text x=\"%d\" y=\"16\">",
      WIDTH, TOP + all * LANE_HEIGHT + 30, LEFT);
  for (size_t d = 0; d < devices->count; d++) {
    if (d > 0) fputs(" + ", file);
    write_name(file, cla_device_describe(devices->items[d])->name);
  }
  fprintf(file, "</text>\n");
  write_key(file);
  write_axis(file, end, all);
  write_line_names(file, lines, devices->count);
  for (size_t i = 0; i < timeline->count; i++) {
    const cla_batch_work *work = &timeline->works[i];
    const int part = work->part < LANES_MOST ? work->part : LANES_MOST - 1;
    write_bar(file, work, end, lines[work->device] + part);
  }
  fprintf(file, "</svg>\n");
}

cla_status bench_timeline_write(const bench_timeline *timeline, const char *name, const cli_devices *devices,
                                cla_error *error) {
  int *lines = malloc((devices->count + 1) * sizeof *lines);
  if (!lines)
    return cli_error(error, CLA_ERROR_MEMORY, "out of memory for the timeline; leave --timeline out");
  find_lines(lines, devices->count, timeline);
  FILE *file = fopen(name, "w");
  if (!file) {
    free(lines);
    return cli_error(error, CLA_ERROR_OUTPUT, "cannot write %s: %s; give another file", name,
                     strerror(errno));
  }
  write_picture(file, timeline, devices, lines);
  free(lines);
  const bool failed = ferror(file) != 0;
  if (fclose(file) != 0 || failed)
    return cli_error(error, CLA_ERROR_OUTPUT, "cannot write %s; free some disk or give another file", name);
  return CLA_OK;
}
