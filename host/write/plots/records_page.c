/* Writes the picture of many records as a page: the SVG, with zoom, names at the pointer, and letters. */

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "write/plots/plot_internal.h"
#include "write/plots/records_plot.h"

/* Marks in records_page.html that are replaced by the picture and by the data. */
#define PICTURE_MARK "<!-- PICTURE -->"
#define PAGE_DATA_MARK "<!-- DATA -->\n"

static json_t *records_as_json(const plot_records *records) {
  json_t *list = json_array();
  for (int64_t i = 0; i < records->count; i++)
    if (records->items[i]->drawn)
      json_array_append_new(
          list, json_pack("[s, I]", records->items[i]->name, (json_int_t)records->items[i]->offset));
  return list;
}

/* Returns the data of each path: its ends as positions on the axes, its strand and its kind. */
static json_t *hits_as_json(const cla_records_plot *plot) {
  static const char *const kinds[] = {"alignment", "in place",     "inverted in place",
                                      "relocated", "translocated", "further copy"};
  json_t *list = json_array();
  for (int64_t i = 0; i < plot->count; i++) {
    const plot_hit *hit = &plot->hits[i];
    const path_point *first = &plot->points[hit->first], *last = first + hit->count - 1;
    const int64_t query = hit->query->offset, target = hit->target->offset;
    json_array_append_new(list,
                          json_pack("[I, I, I, I, b, s]", (json_int_t)(query + first->query),
                                    (json_int_t)(query + last->query), (json_int_t)(target + first->target),
                                    (json_int_t)(target + last->target), hit->reverse, kinds[hit->kind]));
  }
  return list;
}

static json_t *page_as_json(const cla_records_plot *plot, const records_layout *layout) {
  return json_pack("{s:[f, f, f, f], s:[I, I], s:o, s:o, s:o}", "panel", layout->panel_x, layout->panel_y,
                   layout->panel_width, layout->panel_height, "letters", (json_int_t)plot->queries.letters,
                   (json_int_t)plot->targets.letters, "queries", records_as_json(&plot->queries), "targets",
                   records_as_json(&plot->targets), "hits", hits_as_json(plot));
}

static void put_letters(FILE *file, const plot_records *records, char side) {
  for (int64_t i = 0; i < records->count; i++) {
    const plot_record *record = records->items[i];
    if (record->drawn && record->letters)
      fprintf(file, "<script type=\"text/plain\" id=\"%c%lld\">%s</script>\n", side,
              (long long)record->offset, record->letters);
  }
}

/* Writes the paths for which the letters of both records are stored. */
static void put_paths(FILE *file, const cla_records_plot *plot) {
  for (int64_t i = 0; i < plot->count; i++) {
    const plot_hit *hit = &plot->hits[i];
    if (hit->path && hit->query->letters && hit->target->letters)
      fprintf(file, "<script type=\"text/plain\" id=\"path%lld\">%s</script>\n", (long long)i, hit->path);
  }
}

cla_status records_page_write(FILE *file, const char *svg, const cla_records_plot *plot,
                              const records_layout *layout, cla_error *error) {
  const char *begin = strstr(svg, "<svg");
  const char *picture = strstr(records_page, PICTURE_MARK), *mark = strstr(records_page, PAGE_DATA_MARK);
  fwrite(records_page, 1, (size_t)(picture - records_page), file);
  fputs(begin ? begin : svg, file);
  picture += strlen(PICTURE_MARK);
  fwrite(picture, 1, (size_t)(mark - picture), file);
  cla_status status = plot_page_data(file, page_as_json(plot, layout), error);
  if (status != CLA_OK) return status;
  put_letters(file, &plot->queries, 'q');
  put_letters(file, &plot->targets, 't');
  put_paths(file, plot);
  fputs(mark + strlen(PAGE_DATA_MARK), file);
  return CLA_OK;
}
