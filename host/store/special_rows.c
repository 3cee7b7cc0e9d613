#include "store/special_rows.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "scoring/lane_width.h"

typedef struct special_row {
  int64_t row;
  int64_t last_h;   /* of the last node put */
  int64_t *anchors; /* H at nodes 0, SPECIAL_ROW_ANCHOR, ... */
  void *steps;      /* H(j) - H(j-1) */
  void *gaps;       /* H(j) - F(j) */
} special_row;

struct special_rows {
  int64_t column, nodes;
  int value_bytes; /* 1, 2 or 4 */
  special_row *row;
  int64_t count, capacity;
};

static int64_t anchor_count(int64_t nodes) {
  return (nodes + SPECIAL_ROW_ANCHOR - 1) / SPECIAL_ROW_ANCHOR;
}

cla_status special_rows_create(special_rows **out, int64_t column, int64_t nodes, int64_t largest_score,
                               const cla_scoring *scoring, cla_error *error) {
  cla_status status = allocate_array((void **)out, 1, sizeof **out, "special rows", error);
  if (status != CLA_OK) return status;
  (*out)->column = column;
  (*out)->nodes = nodes;
  (*out)->value_bytes = lane_width_difference_bytes(largest_score, scoring);
  return CLA_OK;
}

static void release_row(special_row *row) {
  free(row->anchors);
  free(row->steps);
  free(row->gaps);
}

void special_rows_free(special_rows *rows) {
  if (!rows) return;
  special_rows_drop_from(rows, 0);
  free(rows->row);
  free(rows);
}

static cla_status begin_row(special_rows *rows, int64_t row, cla_error *error) {
  cla_status status = allocate_grow((void **)&rows->row, &rows->capacity, rows->count + 1, sizeof *rows->row,
                                    "special rows", error);
  if (status != CLA_OK) return status;
  special_row *fresh = rows->row + rows->count;
  *fresh = (special_row){.row = row};
  status = allocate_array((void **)&fresh->anchors, anchor_count(rows->nodes), sizeof(int64_t),
                          "a special row", error);
  if (status == CLA_OK)
    status = allocate_array(&fresh->steps, rows->nodes, rows->value_bytes, "a special row", error);
  if (status == CLA_OK)
    status = allocate_array(&fresh->gaps, rows->nodes, rows->value_bytes, "a special row", error);
  if (status != CLA_OK)
    release_row(fresh);
  else
    rows->count++;
  return status;
}

/* Differences of `count` nodes from node `node` on; `last` is H of the node before. Written out for each
 * width, because the sweep waits for its rows. */
#define PUT_DIFFERENCES(type)                                                                    \
  ((type *)into->steps)[node] = (type)(h[0] - last);                                             \
  for (int64_t i = 1; i < count; i++) ((type *)into->steps)[node + i] = (type)(h[i] - h[i - 1]); \
  for (int64_t i = 0; i < count; i++) ((type *)into->gaps)[node + i] = (type)(h[i] - f[i]);

static void put_differences(special_row *into, int value_bytes, int64_t node, int64_t count, int64_t last,
                            const int64_t *h, const int64_t *f) {
  if (value_bytes == 1) {
    PUT_DIFFERENCES(int8_t)
  } else if (value_bytes == 2) {
    PUT_DIFFERENCES(int16_t)
  } else {
    PUT_DIFFERENCES(int32_t)
  }
}

static int64_t get_value(const void *values, int value_bytes, int64_t index) {
  return value_bytes == 1   ? ((const int8_t *)values)[index]
         : value_bytes == 2 ? ((const int16_t *)values)[index]
                            : ((const int32_t *)values)[index];
}

cla_status special_rows_put(special_rows *rows, int64_t row, int64_t column, int64_t count, const int64_t *h,
                            const int64_t *f, cla_error *error) {
  if (column == rows->column) {
    cla_status status = begin_row(rows, row, error);
    if (status != CLA_OK) return status;
    rows->row[rows->count - 1].last_h = h[0];
  }
  special_row *into = rows->row + rows->count - 1;
  const int64_t node = column - rows->column;
  const int64_t next = (node + SPECIAL_ROW_ANCHOR - 1) / SPECIAL_ROW_ANCHOR * SPECIAL_ROW_ANCHOR;
  for (int64_t i = next - node; i < count; i += SPECIAL_ROW_ANCHOR)
    into->anchors[(node + i) / SPECIAL_ROW_ANCHOR] = h[i];
  if (count > 0) put_differences(into, rows->value_bytes, node, count, into->last_h, h, f);
  if (count > 0) into->last_h = h[count - 1];
  return CLA_OK;
}

int64_t special_rows_above(const special_rows *rows, int64_t row) {
  for (int64_t i = rows->count; i-- > 0;)
    if (rows->row[i].row < row) return rows->row[i].row;
  return -1;
}

int64_t special_rows_column(const special_rows *rows) {
  return rows->column;
}

void special_rows_read(const special_rows *rows, int64_t row, int64_t column, int64_t count, int64_t *h,
                       int64_t *f) {
  const special_row *from = rows->row;
  while (from->row != row) from++;
  const int64_t first = column - rows->column;
  int64_t node = first / SPECIAL_ROW_ANCHOR * SPECIAL_ROW_ANCHOR;
  int64_t value = 0;
  for (; node < first + count; node++) {
    value = node % SPECIAL_ROW_ANCHOR == 0 ? from->anchors[node / SPECIAL_ROW_ANCHOR]
                                           : value + get_value(from->steps, rows->value_bytes, node);
    if (node < first) continue;
    h[node - first] = value;
    if (f) f[node - first] = value - get_value(from->gaps, rows->value_bytes, node);
  }
}

void special_rows_drop_from(special_rows *rows, int64_t row) {
  while (rows->count > 0 && rows->row[rows->count - 1].row >= row) release_row(rows->row + --rows->count);
}
