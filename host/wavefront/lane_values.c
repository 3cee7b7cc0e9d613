#include "base/extremes.h"
#include "wavefront/wavefront_internal.h"

static int64_t rule_h(const region *what, const border_rule *rule, int64_t nodes) {
  const int64_t h = what->corner - border_fall(rule, nodes);
  return what->floor && h < 0 ? 0 : h;
}

int64_t region_left_h(const region *what, int64_t row) {
  return rule_h(what, &what->left, row);
}

int64_t region_top_h(const region *what, int64_t column) {
  return what->top_h ? what->top_h[column] : rule_h(what, &what->top, column);
}

/* Written out for each width, because a long row is waited for. */
#define UNWRAP(unsigned_type, signed_type)                              \
  for (int64_t i = 0; i < count; i++) {                                 \
    const unsigned_type low = ((const unsigned_type *)line)[first + i]; \
    last += (signed_type)(unsigned_type)(low - (unsigned_type)last);    \
    h[i] = last;                                                        \
  }

#define NARROW(unsigned_type) \
  for (int64_t i = 0; i < count; i++) ((unsigned_type *)line)[at + i] = (unsigned_type)values[i];

/* `count` values from the line's value `at` on. */
static void narrow(void *line, int64_t at, const int64_t *values, int64_t count, int lane_bits) {
  if (lane_bits == 8) {
    NARROW(uint8_t)
  } else if (lane_bits == 16) {
    NARROW(uint16_t)
  } else {
    NARROW(uint32_t)
  }
}

/* One value of each line, of a node that the region's border has no values for, or of its last one. */
static void put_by_rule(char *const *lines, const region_work *w, int64_t at, int64_t node) {
  const region *what = w->what;
  const cla_scoring *scoring = w->engine->pair.scheme.scoring;
  const int lane_bits = w->config->variant->lane_bits;
  const bool valued = what->top_h && node >= 1;
  const int64_t h = node >= 1 ? region_top_h(what, node) : what->corner;
  const int64_t f = valued ? what->top_f[node] : h - scoring->gap_first;
  narrow(lines[0], at, &h, 1, lane_bits);
  narrow(lines[1], at, &f, 1, lane_bits);
  if (w->g->lines < 3) return;
  const int64_t f2 = valued ? what->top_f2[node] : h - scoring->gap_first2;
  narrow(lines[2], at, &f2, 1, lane_bits);
}

void lane_values_top(const region_work *w, int64_t first, int64_t count) {
  const region *what = w->what;
  const kernel_geometry *geometry = w->g;
  const int lane_bits = w->config->variant->lane_bits;
  char *lines = w->engine->staging;
  const int64_t line_bytes = count * geometry->value_bytes;
  /* Column c of the region ends in node c + 1. The border's own nodes are [1, columns]. */
  const int64_t to_node = first - geometry->margin + 1;
  const int64_t own = smaller(larger(1 - to_node, 0), count);
  const int64_t own_end = what->top_h ? larger(smaller(what->columns + 1 - to_node, count), own) : own;
  char *const line[] = {lines, lines + line_bytes, lines + 2 * line_bytes};
  for (int64_t i = 0; i < own; i++) put_by_rule(line, w, i, i + to_node);
  if (own < own_end) {
    narrow(line[0], own, what->top_h + own + to_node, own_end - own, lane_bits);
    narrow(line[1], own, what->top_f + own + to_node, own_end - own, lane_bits);
    if (geometry->lines > 2) narrow(line[2], own, what->top_f2 + own + to_node, own_end - own, lane_bits);
  }
  for (int64_t i = own_end; i < count; i++) put_by_rule(line, w, i, smaller(i + to_node, what->columns));
}

void lane_values_words(uint64_t *words, const void *lines, const kernel_geometry *geometry, int64_t count) {
  const uint16_t *h = lines, *f = h + count;
  for (int64_t i = 0; i < count; i++) words[i] = h[i] | (uint32_t)f[i] << 16;
  if (geometry->lines == 2) return;
  const uint16_t *f2 = f + count;
  for (int64_t i = 0; i < count; i++) words[count + i] = f2[i];
}

void lane_values_unwrap(int64_t *h, const void *line, int64_t first, int64_t count, int lane_bits,
                        int64_t neighbour) {
  int64_t last = neighbour;
  if (lane_bits == 8) {
    UNWRAP(uint8_t, int8_t)
  } else if (lane_bits == 16) {
    UNWRAP(uint16_t, int16_t)
  } else {
    UNWRAP(uint32_t, int32_t)
  }
}
