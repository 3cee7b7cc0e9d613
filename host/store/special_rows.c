#include "store/special_rows.h"

#include <stdlib.h>

#include "base/allocate.h"

struct special_rows {
  row_shape shape;
  kept_row *row;
  int64_t count, capacity;
};

cla_status special_rows_create(special_rows **out, const row_shape *shape, cla_error *error) {
  cla_status status = allocate_array((void **)out, 1, sizeof **out, "special rows", error);
  if (status == CLA_OK) (*out)->shape = *shape;
  return status;
}

void special_rows_free(special_rows *rows) {
  if (!rows) return;
  special_rows_drop_from(rows, 0);
  free(rows->row);
  free(rows);
}

cla_status special_rows_put(special_rows *rows, const region_row_part *part, cla_error *error) {
  if (part->count == 0) return CLA_OK;
  if (rows->count == 0 || rows->row[rows->count - 1].row != part->row) {
    cla_status status = allocate_grow((void **)&rows->row, &rows->capacity, rows->count + 1,
                                      sizeof *rows->row, "special rows", error);
    if (status != CLA_OK) return status;
    rows->row[rows->count++] = (kept_row){.row = part->row};
  }
  return kept_row_append(rows->row + rows->count - 1, &rows->shape, part, error);
}

int64_t special_rows_above(const special_rows *rows, int64_t row) {
  for (int64_t i = rows->count; i-- > 0;)
    if (rows->row[i].row < row) return rows->row[i].row;
  return -1;
}

int64_t special_rows_column(const special_rows *rows) {
  return rows->shape.column;
}

static const kept_row *find(const special_rows *rows, int64_t row) {
  const kept_row *found = rows->row;
  while (found->row != row) found++;
  return found;
}

void special_rows_read(const special_rows *rows, int64_t row, int64_t column, int64_t count, int64_t *h,
                       int64_t *f) {
  const kept_row *from = find(rows, row);
  const int value_bytes = row_shape_value_bytes(&rows->shape);
  int64_t node = column - rows->shape.column;
  const int64_t end = node + count;
  for (int64_t index = kept_row_segment(from, node); node < end;) {
    const row_segment *segment = index < from->segment_count ? from->segments + index : NULL;
    const bool computed = segment && node >= segment->node;
    const int64_t stop = !segment ? end : computed ? segment->node + segment->count : segment->node;
    const int64_t some = (stop < end ? stop : end) - node;
    if (computed)
      kept_row_read(from, value_bytes, segment, node, some, h, f);
    else
      kept_row_substitute(from, &rows->shape, index, node, some, h, f);
    h += some;
    if (f) f += some;
    node += some;
    if (computed) index++;
  }
}

bool special_rows_computed(const special_rows *rows, int64_t row, int64_t column, int64_t *first,
                           int64_t *last) {
  const kept_row *from = find(rows, row);
  const int64_t node = column - rows->shape.column, index = kept_row_segment(from, node);
  if (index == from->segment_count) return false;
  const row_segment *segment = from->segments + index;
  *first = rows->shape.column + (segment->node > node ? segment->node : node);
  *last = rows->shape.column + segment->node + segment->count - 1;
  return true;
}

void special_rows_hull(const special_rows *rows, int64_t row, int64_t *first, int64_t *last) {
  const kept_row *from = find(rows, row);
  const row_segment *left = from->segments, *right = from->segments + from->segment_count - 1;
  if (left->count == 1 && left->node == 0 && left < right) left++;
  *first = rows->shape.column + left->node;
  *last = rows->shape.column + right->node + right->count - 1;
}

void special_rows_drop_from(special_rows *rows, int64_t row) {
  while (rows->count > 0 && rows->row[rows->count - 1].row >= row) kept_row_free(rows->row + --rows->count);
}
