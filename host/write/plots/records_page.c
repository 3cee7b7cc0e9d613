/* The picture of many records as a page: the SVG, with zoom and names under the pointer. */

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "write/plots/plot_internal.h"
#include "write/plots/records_plot.h"

static const char head[] =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"UTF-8\">\n<title>clalign</title>\n<style>\n"
    "body { margin: 0; font: 13px sans-serif; overflow: hidden; }\n"
    "svg { display: block; width: 100vw; height: calc(100vh - 28px); cursor: crosshair; }\n"
    "#told { height: 28px; line-height: 28px; padding: 0 12px; white-space: nowrap; overflow: hidden; }\n"
    "</style>\n</head>\n<body>\n<div id=\"told\">wheel: zoom; drag: move; double click: all</div>\n";

/* Zooms by the view box; tells the records and positions under the pointer. */
static const char script[] =
    "<script>\n"
    "const data = JSON.parse(document.getElementById('data').textContent);\n"
    "const svg = document.querySelector('svg'), told = document.getElementById('told');\n"
    "const whole = svg.getAttribute('viewBox').split(' ').map(Number);\n"
    "let view = whole.slice(), held = null;\n"
    "function show() { svg.setAttribute('viewBox', view.join(' ')); }\n"
    "function point(event) {\n"
    "  const p = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());\n"
    "  return [p.x, p.y];\n"
    "}\n"
    "function record(list, letter) {\n"
    "  let low = 0, high = list.length - 1;\n"
    "  while (low < high) {\n"
    "    const middle = (low + high + 1) >> 1;\n"
    "    if (list[middle][1] <= letter) low = middle; else high = middle - 1;\n"
    "  }\n"
    "  return list[low][0] + ':' + (Math.floor(letter - list[low][1]) + 1).toLocaleString('en');\n"
    "}\n"
    "svg.addEventListener('wheel', event => {\n"
    "  event.preventDefault();\n"
    "  const [x, y] = point(event), by = Math.exp(event.deltaY / 500);\n"
    "  if (view[2] * by > whole[2] * 1.5) return;\n"
    "  view = [x - (x - view[0]) * by, y - (y - view[1]) * by, view[2] * by, view[3] * by];\n"
    "  show();\n"
    "}, { passive: false });\n"
    "svg.addEventListener('pointerdown', event => { held = point(event); "
    "svg.setPointerCapture(event.pointerId); });\n"
    "svg.addEventListener('pointerup', () => { held = null; });\n"
    "svg.addEventListener('dblclick', () => { view = whole.slice(); show(); });\n"
    "svg.addEventListener('pointermove', event => {\n"
    "  const [x, y] = point(event), [left, top, width, height] = data.panel;\n"
    "  if (held) { view[0] += held[0] - x; view[1] += held[1] - y; show(); return; }\n"
    "  const across = (x - left) / width, up = 1 - (y - top) / height;\n"
    "  if (across < 0 || across >= 1 || up < 0 || up >= 1) return;\n"
    "  told.textContent = 'query ' + record(data.queries, up * data.letters[0]) + '   target ' +\n"
    "    record(data.targets, across * data.letters[1]);\n"
    "});\n"
    "</script>\n</body>\n</html>\n";

static json_t *records_as_json(const plot_records *records) {
  json_t *list = json_array();
  for (int64_t i = 0; i < records->count; i++)
    if (records->items[i]->drawn)
      json_array_append_new(
          list, json_pack("[s, I]", records->items[i]->name, (json_int_t)records->items[i]->offset));
  return list;
}

static json_t *page_as_json(const cla_records_plot *plot, const records_layout *layout) {
  return json_pack("{s:[f, f, f, f], s:[I, I], s:o, s:o}", "panel", layout->panel_x, layout->panel_y,
                   layout->panel_width, layout->panel_height, "letters", (json_int_t)plot->queries.letters,
                   (json_int_t)plot->targets.letters, "queries", records_as_json(&plot->queries), "targets",
                   records_as_json(&plot->targets));
}

cla_status records_page_write(FILE *file, const char *svg, const cla_records_plot *plot,
                              const records_layout *layout, cla_error *error) {
  const char *begin = strstr(svg, "<svg");
  fputs(head, file);
  fputs(begin ? begin : svg, file);
  cla_status status = plot_page_data(file, page_as_json(plot, layout), error);
  if (status == CLA_OK) fputs(script, file);
  return status;
}
