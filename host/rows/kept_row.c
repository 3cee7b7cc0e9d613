#include "rows/kept_row.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "base/error.h"
#include "scoring/gap_costs.h"
#include "scoring/lane_width.h"

int row_shape_value_bytes(const row_shape *shape) {
  return lane_width_difference_bytes(shape->largest_score, shape->scoring);
}

/* Defines functions that compute the differences of `count` nodes from wrapped values. `before` is H of the
 * node on the left. There is one function for each width of lanes and of differences, so that compilers
 * vectorise the loops. The sweep waits for its rows. */
#define TAKE_LANES(name, lane, signed_lane, difference)                                                   \
  static void name##_steps(difference to[restrict], const lane h[restrict], int64_t count, lane before) { \
    to[0] = (difference)(signed_lane)(lane)(h[0] - before);                                               \
    for (int64_t i = 1; i < count; i++) to[i] = (difference)(signed_lane)(lane)(h[i] - h[i - 1]);         \
  }                                                                                                       \
  static void name##_gaps(difference to[restrict], const lane h[restrict], const lane f[restrict],        \
                          int64_t count) {                                                                \
    for (int64_t i = 0; i < count; i++) to[i] = (difference)(signed_lane)(lane)(h[i] - f[i]);             \
  }

TAKE_LANES(take_8_as_8, uint8_t, int8_t, int8_t)
TAKE_LANES(take_8_as_16, uint8_t, int8_t, int16_t)
TAKE_LANES(take_8_as_32, uint8_t, int8_t, int32_t)
TAKE_LANES(take_16_as_8, uint16_t, int16_t, int8_t)
TAKE_LANES(take_16_as_16, uint16_t, int16_t, int16_t)
TAKE_LANES(take_16_as_32, uint16_t, int16_t, int32_t)
TAKE_LANES(take_32_as_8, uint32_t, int32_t, int8_t)
TAKE_LANES(take_32_as_16, uint32_t, int32_t, int16_t)
TAKE_LANES(take_32_as_32, uint32_t, int32_t, int32_t)

/* Appends `count` nodes of the part, from the part's node `from` on, to the row's packed nodes. The chunk
 * must have room for them. */
static void take(const kept_row *row, int value_bytes, const region_row_part *part, int64_t from,
                 int64_t count) {
  const row_chunk *into = row->chunks + row->packed / KEPT_ROW_CHUNK;
  const int64_t index = row->packed % KEPT_ROW_CHUNK;
  const int lines = region_row_part_lines(part);
#define TAKE(lane_bits, bits)                                                                     \
  {                                                                                               \
    const uint##lane_bits##_t *h = (const uint##lane_bits##_t *)part->h + from;                   \
    take_##lane_bits##_as_##bits##_steps((int##bits##_t *)into->steps + index, h, count,          \
                                         (uint##lane_bits##_t)row->last);                         \
    for (int k = 0; k < lines - 1; k++)                                                           \
      take_##lane_bits##_as_##bits##_gaps((int##bits##_t *)into->gaps[k] + index, h,              \
                                          (const uint##lane_bits##_t *)part->f[k] + from, count); \
  }
#define TAKE_LANE(lane_bits) \
  if (value_bytes == 1)      \
    TAKE(lane_bits, 8)       \
  else if (value_bytes == 2) \
    TAKE(lane_bits, 16)      \
  else                       \
    TAKE(lane_bits, 32)
  if (part->lane_bits == 8) {
    TAKE_LANE(8)
  } else if (part->lane_bits == 16) {
    TAKE_LANE(16)
  } else {
    TAKE_LANE(32)
  }
}

/* Returns the sum of `count` <= KEPT_ROW_ANCHOR steps from `index` on. Bytes are summed in groups of 256,
 * whose sums fit 16 bits and vectorise well. */
static int64_t sum_steps(const void *steps, int value_bytes, int64_t index, int64_t count) {
  int64_t sum = 0;
  if (value_bytes == 1) {
    const int8_t *from = (const int8_t *)steps + index;
    for (int64_t i = 0; i < count;) {
      const int64_t end = count - i < 256 ? count : i + 256;
      int16_t part = 0;
      for (; i < end; i++) part = (int16_t)(part + from[i]);
      sum += part;
    }
  } else if (value_bytes == 2) {
    int32_t part = 0;
    for (int64_t i = 0; i < count; i++) part += ((const int16_t *)steps)[index + i];
    sum = part;
  } else {
    for (int64_t i = 0; i < count; i++) sum += ((const int32_t *)steps)[index + i];
  }
  return sum;
}

static cla_status grow(void **array, int64_t used, int64_t bytes, cla_error *error) {
  void *grown = realloc(*array, (size_t)bytes);
  if (!grown)
    return error_set(error, CLA_ERROR_MEMORY, "cannot allocate %lld bytes for a special row; lower --memory",
                     (long long)bytes);
  poison_memory((char *)grown + used, bytes - used, POISON_LINES);
  *array = grown;
  return CLA_OK;
}

/* Makes room for the next `wanted` packed nodes, or as many of them as fit into a chunk: in the last chunk,
 * or in a new one. */
static cla_status make_room(kept_row *row, const row_shape *shape, int64_t wanted, cla_error *error) {
  const int64_t index = row->packed / KEPT_ROW_CHUNK, used = row->packed % KEPT_ROW_CHUNK;
  cla_status status = CLA_OK;
  if (index == row->chunk_count) {
    status = ALLOCATE_GROW(&row->chunks, &row->chunk_capacity, index + 1, "a special row", error);
    if (status != CLA_OK) return status;
    row->chunks[row->chunk_count++] = (row_chunk){0};
  }
  row_chunk *chunk = row->chunks + index;
  if (chunk->capacity > used) return CLA_OK;
  int64_t capacity = used + wanted > 2 * used ? used + wanted : 2 * used;
  if (capacity > KEPT_ROW_CHUNK) capacity = KEPT_ROW_CHUNK;
  const int value_bytes = row_shape_value_bytes(shape);
  for (int i = 0; status == CLA_OK && i < gap_lines(shape->scoring); i++)
    status = grow(row_chunk_array(chunk, i), used * value_bytes, capacity * value_bytes, error);
  if (status == CLA_OK) chunk->capacity = capacity;
  return status;
}

/* Begins a segment at the part's first node, and sets row->last to H of that node. */
static cla_status begin_segment(kept_row *row, const row_shape *shape, const region_row_part *part,
                                cla_error *error) {
  cla_status status =
      ALLOCATE_GROW(&row->segments, &row->segment_capacity, row->segment_count + 1, "a special row", error);
  if (status != CLA_OK) return status;
  row->last = part->before;
  if (part->lane_bits == 8)
    row->last += (int8_t)(uint8_t)(*(const uint8_t *)part->h - (uint8_t)part->before);
  else if (part->lane_bits == 16)
    row->last += (int16_t)(uint16_t)(*(const uint16_t *)part->h - (uint16_t)part->before);
  else
    row->last += (int32_t)(*(const uint32_t *)part->h - (uint32_t)part->before);
  row->segments[row->segment_count++] =
      (row_segment){.node = part->column - shape->column, .packed = row->packed, .h = row->last};
  return CLA_OK;
}

static bool continues(const kept_row *row, const row_shape *shape, const region_row_part *part) {
  if (row->segment_count == 0) return false;
  const row_segment *last = row->segments + row->segment_count - 1;
  return part->column - shape->column == last->node + last->count;
}

cla_status kept_row_append(kept_row *row, const row_shape *shape, const region_row_part *part,
                           cla_error *error) {
  const int value_bytes = row_shape_value_bytes(shape);
  cla_status status = continues(row, shape, part) ? CLA_OK : begin_segment(row, shape, part, error);
  for (int64_t done = 0; status == CLA_OK && done < part->count;) {
    const int64_t to_anchor = KEPT_ROW_ANCHOR - row->packed % KEPT_ROW_ANCHOR;
    status = make_room(row, shape, part->count - done, error);
    if (status != CLA_OK) return status;
    row_chunk *chunk = row->chunks + row->packed / KEPT_ROW_CHUNK;
    const int64_t index = row->packed % KEPT_ROW_CHUNK;
    int64_t count = part->count - done < to_anchor ? part->count - done : to_anchor;
    if (count > chunk->capacity - index) count = chunk->capacity - index;
    take(row, value_bytes, part, done, count);
    if (index % KEPT_ROW_ANCHOR == 0)
      chunk->anchors[index / KEPT_ROW_ANCHOR] = row->last + sum_steps(chunk->steps, value_bytes, index, 1);
    row->last += sum_steps(chunk->steps, value_bytes, index, count);
    row->packed += count;
    row->segments[row->segment_count - 1].count += count;
    done += count;
  }
  return status;
}

void kept_row_free(kept_row *row) {
  for (int64_t i = 0; i < row->chunk_count; i++)
    for (int line = 0; line < GAP_LINES; line++) free(*row_chunk_array(row->chunks + i, line));
  free(row->chunks);
  free(row->segments);
}

int64_t kept_row_bytes(const kept_row *row, const row_shape *shape) {
  const int lines = gap_lines(shape->scoring);
  int64_t bytes = (int64_t)sizeof *row + row->chunk_capacity * (int64_t)sizeof *row->chunks +
                  row->segment_capacity * (int64_t)sizeof *row->segments;
  for (int64_t i = 0; i < row->chunk_count; i++)
    bytes += row->chunks[i].capacity * lines * row_shape_value_bytes(shape);
  return bytes;
}

int64_t kept_row_segment(const kept_row *row, int64_t node) {
  int64_t low = 0, high = row->segment_count;
  while (low < high) {
    const int64_t middle = low + (high - low) / 2;
    if (row->segments[middle].node + row->segments[middle].count <= node)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* Reads `count` nodes from `index` of the chunk on; `before` is H of the node on the left. */
#define READ_DIFFERENCES(type)                                          \
  const type *steps = (const type *)chunk->steps + index;               \
  for (int64_t i = 0; i < count; i++) out.h[i] = before += steps[i];    \
  for (int k = 0; k < CLA_GAP_PIECES; k++) {                            \
    int64_t *f = out.f[k];                                              \
    const type *gaps = f ? (const type *)chunk->gaps[k] + index : NULL; \
    for (int64_t i = 0; f && i < count; i++) f[i] = out.h[i] - gaps[i]; \
  }

static void read_chunk(const row_chunk *chunk, int value_bytes, int64_t index, int64_t count, int64_t before,
                       row_values out) {
  if (value_bytes == 1) {
    READ_DIFFERENCES(int8_t)
  } else if (value_bytes == 2) {
    READ_DIFFERENCES(int16_t)
  } else {
    READ_DIFFERENCES(int32_t)
  }
}

void kept_row_read(const kept_row *row, int value_bytes, const row_segment *segment, int64_t node,
                   int64_t count, row_values out) {
  const int64_t end = segment->packed + node - segment->node + count;
  for (int64_t packed = end - count; packed < end;) {
    int64_t from = packed / KEPT_ROW_ANCHOR * KEPT_ROW_ANCHOR, known = 0;
    const row_chunk *chunk = row->chunks + from / KEPT_ROW_CHUNK;
    const int64_t to = from + KEPT_ROW_ANCHOR < end ? from + KEPT_ROW_ANCHOR : end;
    if (segment->packed > from) {
      from = segment->packed;
      known = segment->h;
    } else {
      known = chunk->anchors[from % KEPT_ROW_CHUNK / KEPT_ROW_ANCHOR];
    }
    const int64_t index = from % KEPT_ROW_CHUNK;
    const int64_t before = known - sum_steps(chunk->steps, value_bytes, index, 1) +
                           sum_steps(chunk->steps, value_bytes, index, packed - from);
    read_chunk(chunk, value_bytes, index + packed - from, to - packed, before, out);
    out = row_values_from(out, to - packed);
    packed = to;
  }
}

void kept_row_substitute(const kept_row *row, const row_shape *shape, int64_t right, int64_t node,
                         int64_t count, row_values out) {
  const cla_scoring *scoring = shape->scoring;
  const int64_t first = scoring->gap[0].first, ext = scoring->gap[0].ext;
  const int64_t rise = (shape->largest_score > 0 ? shape->largest_score : 0) + ext;
  const row_segment *on_right = right < row->segment_count ? row->segments + right : NULL;
  const row_segment *on_left = right > 0 ? row->segments + right - 1 : NULL;
  int64_t left_h = 0, left_node = 0;
  if (on_left) {
    left_node = on_left->node + on_left->count - 1;
    kept_row_read(row, row_shape_value_bytes(shape), on_left, left_node, 1, (row_values){.h = &left_h});
  }
  for (int64_t i = 0; i < count; i++) {
    const int64_t from_left = left_h - gap_cost(scoring, node + i - left_node);
    const int64_t from_right =
        on_right ? on_right->h - (first - ext) - (on_right->node - node - i) * rise : 0;
    int64_t value = !on_left || (on_right && from_right > from_left) ? from_right : from_left;
    if (shape->floor && value < 0) value = 0;
    out.h[i] = value;
    row_values_open(out, i, scoring);
  }
}
