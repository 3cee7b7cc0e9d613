#include "base/extremes.h"
#include "wavefront/wavefront_state.h"

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

static void put(void *line, int lane_bits, int64_t index, int64_t value) {
  if (lane_bits == 8)
    ((uint8_t *)line)[index] = (uint8_t)value;
  else if (lane_bits == 16)
    ((uint16_t *)line)[index] = (uint16_t)value;
  else
    ((uint32_t *)line)[index] = (uint32_t)value;
}

/* Written out for each width, because a long row is waited for. */
#define UNWRAP(unsigned_type, signed_type)                              \
  for (int64_t i = 0; i < count; i++) {                                 \
    const unsigned_type low = ((const unsigned_type *)line)[first + i]; \
    last += (signed_type)(unsigned_type)(low - (unsigned_type)last);    \
    h[i] = last;                                                        \
  }

void lane_values_top(void *lines, const region *what, const kernel_geometry *geometry, int64_t first,
                     int64_t count, int lane_bits, const cla_scoring *scoring) {
  const int64_t line_bytes = count * geometry->value_bytes;
  const int64_t gap_first = scoring->gap_first, gap_first2 = scoring->gap_first2;
  char *line_f = (char *)lines + line_bytes, *line_f2 = line_f + line_bytes;
  for (int64_t i = 0; i < count; i++) {
    const int64_t column = first + i - geometry->margin; /* column c of the region ends in node c + 1 */
    const int64_t node = smaller(column + 1, what->columns);
    const bool valued = what->top_h && node >= 1;
    const int64_t h = node >= 1 ? region_top_h(what, node) : what->corner;
    put(lines, lane_bits, i, h);
    put(line_f, lane_bits, i, valued ? what->top_f[node] : h - gap_first);
    if (geometry->lines > 2) put(line_f2, lane_bits, i, valued ? what->top_f2[node] : h - gap_first2);
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
