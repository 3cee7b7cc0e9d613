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

static void set_value(void *values, int value_bytes, int64_t index, int64_t value) {
  if (value_bytes == 1)
    ((int8_t *)values)[index] = (int8_t)value;
  else if (value_bytes == 2)
    ((int16_t *)values)[index] = (int16_t)value;
  else
    ((int32_t *)values)[index] = (int32_t)value;
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
  for (int64_t i = 0; i < count; i++) {
    const int64_t node = column - rows->column + i;
    if (node % SPECIAL_ROW_ANCHOR == 0) into->anchors[node / SPECIAL_ROW_ANCHOR] = h[i];
    set_value(into->steps, rows->value_bytes, node, h[i] - into->last_h);
    set_value(into->gaps, rows->value_bytes, node, h[i] - f[i]);
    into->last_h = h[i];
  }
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
