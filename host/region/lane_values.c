#include "base/extremes.h"
#include "region/wavefront_internal.h"

static int64_t rule_h(const region *what, const border_rule *rule, int64_t nodes) {
  const int64_t h = what->corner - border_fall(rule, nodes);
  return what->floor && h < 0 ? 0 : h;
}

int64_t region_left_h(const region *what, int64_t row) {
  return rule_h(what, &what->left, row);
}

int64_t region_top_h(const region *what, int64_t column) {
  return what->above.h ? what->above.h[column] : rule_h(what, &what->top, column);
}

/* Each lane width has a loop of its own, for speed: another region may be waiting for a long row. */
#define UNWRAP(unsigned_type, signed_type)                              \
  for (int64_t i = 0; i < count; i++) {                                 \
    const unsigned_type low = ((const unsigned_type *)line)[first + i]; \
    last += (signed_type)(unsigned_type)(low - (unsigned_type)last);    \
    h[i] = last;                                                        \
  }

#define NARROW(unsigned_type) \
  for (int64_t i = 0; i < count; i++) ((unsigned_type *)line)[at + i] = (unsigned_type)values[i];

/* Writes `count` values, narrowed to lane_bits, to the line, starting at value `at`. */
static void narrow(void *line, int64_t at, const int64_t *values, int64_t count, int lane_bits) {
  if (lane_bits == 8) {
    NARROW(uint8_t)
  } else if (lane_bits == 16) {
    NARROW(uint16_t)
  } else {
    NARROW(uint32_t)
  }
}

/* Values of one node, one for each line. */
typedef struct node_values {
  int64_t line[GAP_LINES];
} node_values;

static bool has_values(const region *what) {
  return what->above.h || what->calls.top;
}

/* Returns the values of a node of the upper border, from the border's values or by its rule. */
static node_values values_by_rule(const region_work *w, int64_t node) {
  const region *what = w->what;
  const cla_scoring *scoring = w->engine->pair.scheme.scoring;
  node_values v = {{node >= 1 && !what->calls.top ? region_top_h(what, node) : what->corner}};
  const row_values into = row_values_in(v.line, 1, scoring);
  row_values_open(into, 0, scoring);
  if (node < 1 || !has_values(what)) return v;
  if (what->calls.top)
    what->calls.top(what->calls.user, node, 1, into);
  else
    for (int k = 0; k < w->g->lines - 1; k++) into.f[k][0] = what->above.f[k][node];
  return v;
}

/* Writes the node's values to each line, as value `at`. */
static void put_node(char *const *lines, const region_work *w, int64_t at, const node_values *v) {
  const int lane_bits = w->config->variant->lane_bits;
  for (int i = 0; i < w->g->lines; i++) narrow(lines[i], at, v->line + i, 1, lane_bits);
}

/* Writes the border's values for `count` nodes, from `node` on, to the lines, starting at value `at`. */
static void put_own(char *const *lines, const region_work *w, int64_t at, int64_t node, int64_t count) {
  const region *what = w->what;
  const int lane_bits = w->config->variant->lane_bits;
  int64_t values[GAP_LINES * REGION_TOP_NODES];
  const int64_t most = what->calls.top ? REGION_TOP_NODES : count;
  for (int64_t done = 0; done < count; done += most) {
    const int64_t some = smaller(count - done, most);
    row_values from = row_values_in(values, REGION_TOP_NODES, w->engine->pair.scheme.scoring);
    if (what->calls.top)
      what->calls.top(what->calls.user, node + done, some, from);
    else
      from = row_values_from(what->above, node);
    for (int i = 0; i < w->g->lines; i++)
      narrow(lines[i], at + done, row_values_line(from, i), some, lane_bits);
  }
}

void lane_values_top(const region_work *w, int64_t first, int64_t count) {
  const region *what = w->what;
  const kernel_geometry *geometry = w->g;
  char *lines = w->engine->staging;
  const int64_t line_bytes = count * geometry->value_bytes;
  /* Column c of the region ends at node c + 1. The nodes that the border itself has are [1, columns]. */
  const int64_t to_node = first - geometry->margin + 1;
  const int64_t own = smaller(larger(1 - to_node, 0), count);
  const int64_t own_end = has_values(what) ? larger(smaller(what->columns + 1 - to_node, count), own) : own;
  char *line[GAP_LINES];
  for (int i = 0; i < geometry->lines; i++) line[i] = lines + i * line_bytes;
  for (int64_t i = 0; i < own; i++) {
    const node_values v = values_by_rule(w, i + to_node);
    put_node(line, w, i, &v);
  }
  if (own < own_end) put_own(line, w, own, own + to_node, own_end - own);
  node_values v = {0};
  for (int64_t i = own_end; i < count; i++) {
    if (i == own_end || i + to_node <= what->columns)
      v = values_by_rule(w, smaller(i + to_node, what->columns));
    put_node(line, w, i, &v);
  }
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
