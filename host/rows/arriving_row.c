#include "rows/arriving_row.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "base/error.h"
#include "scoring/gap_costs.h"

struct arriving_row {
  row_shape shape;
  kept_row row; /* the computed parts of the row */
  row_values values;
  pthread_mutex_t lock; /* protects the fields below */
  pthread_cond_t news;
  region_arrival there;
  bool ended, stopped;
};

cla_status arriving_row_create(arriving_row **out, const row_shape *shape, cla_error *error) {
  arriving_row *row = NULL;
  *out = NULL;
  cla_status status = ALLOCATE_ZEROS(&row, 1, "a block's border", error);
  if (status != CLA_OK) return status;
  row->shape = *shape;
  arriving_row_reset(row);
  pthread_mutex_init(&row->lock, NULL);
  pthread_cond_init(&row->news, NULL);
  status = row_values_make(&row->values, shape->nodes, shape->scoring, "a block's border", error);
  if (status == CLA_OK)
    *out = row;
  else
    arriving_row_free(row);
  return status;
}

void arriving_row_reset(arriving_row *row) {
  const int64_t values = gap_lines(row->shape.scoring) * row->shape.nodes;
  if (row->values.h) poison_memory(row->values.h, values * (int64_t)sizeof *row->values.h, POISON_LONGS);
  kept_row_free(&row->row);
  row->row = (kept_row){0};
  row->there = (region_arrival){.nodes = 0, .computed = -1};
  row->ended = row->stopped = false;
}

void arriving_row_free(arriving_row *row) {
  if (!row) return;
  kept_row_free(&row->row);
  row_values_free(&row->values);
  pthread_cond_destroy(&row->news);
  pthread_mutex_destroy(&row->lock);
  free(row);
}

int64_t arriving_row_bytes(int64_t nodes, const cla_scoring *scoring) {
  return nodes * gap_lines(scoring) * (int64_t)(sizeof(int64_t) + sizeof(int32_t));
}

/* Fills the nodes [from, to), which were not computed, with substitutes. */
static void substitute(arriving_row *row, int64_t from, int64_t to) {
  if (from < to)
    kept_row_substitute(&row->row, &row->shape, kept_row_segment(&row->row, from), from, to - from,
                        row_values_from(row->values, from));
}

/* Adds the part's nodes. Before the first part, also fills the nodes left of it. *out receives the nodes that
 * have arrived. */
static cla_status take_part(region_arrival *out, arriving_row *row, const region_row_part *part,
                            cla_error *error) {
  const bool first = row->row.segment_count == 0;
  const int64_t node = part->column - row->shape.column;
  cla_status status = kept_row_append(&row->row, &row->shape, part, error);
  if (status != CLA_OK) return status;
  const row_segment *segment = row->row.segments + row->row.segment_count - 1;
  if (first) substitute(row, 0, node);
  kept_row_read(&row->row, row_shape_value_bytes(&row->shape), segment, node, part->count,
                row_values_from(row->values, node));
  *out = (region_arrival){.nodes = node + part->count, .computed = node + part->count - 1};
  return CLA_OK;
}

cla_status arriving_row_put(arriving_row *row, const region_row_part *part, cla_error *error) {
  region_arrival there = row->there;
  cla_status status = CLA_OK;
  if (part->count > 0)
    status = take_part(&there, row, part, error);
  else if (row->row.segment_count > 0) {
    substitute(row, there.nodes, row->shape.nodes);
    there.nodes = row->shape.nodes;
  }
  if (status != CLA_OK) return status;
  if (part->count == 0) { /* the row is complete, and only its values are needed */
    kept_row_free(&row->row);
    row->row = (kept_row){.row = row->row.row};
  }
  pthread_mutex_lock(&row->lock);
  row->there = there;
  row->ended = part->count == 0;
  pthread_cond_broadcast(&row->news);
  pthread_mutex_unlock(&row->lock);
  return CLA_OK;
}

void arriving_row_stop(arriving_row *row) {
  pthread_mutex_lock(&row->lock);
  row->stopped = true;
  pthread_cond_broadcast(&row->news);
  pthread_mutex_unlock(&row->lock);
}

static cla_status stopped(const arriving_row *row, cla_error *error) {
  return row->stopped ? error_set(error, CLA_ERROR_INTERRUPTED, "the rows above were not computed") : CLA_OK;
}

cla_status arriving_row_begun(bool *any, arriving_row *row, cla_error *error) {
  pthread_mutex_lock(&row->lock);
  while (!row->stopped && !row->ended && row->there.computed < 0) pthread_cond_wait(&row->news, &row->lock);
  *any = row->there.computed >= 0;
  cla_status status = stopped(row, error);
  pthread_mutex_unlock(&row->lock);
  return status;
}

cla_status arriving_row_await(arriving_row *row, region_arrival *there, int64_t wanted, cla_error *error) {
  pthread_mutex_lock(&row->lock);
  while (!row->stopped && !row->ended && row->there.nodes < wanted) pthread_cond_wait(&row->news, &row->lock);
  *there = row->there;
  cla_status status = stopped(row, error);
  pthread_mutex_unlock(&row->lock);
  return status;
}

row_values arriving_row_values(const arriving_row *row) {
  return row->values;
}

row_values arriving_row_take(arriving_row *row) {
  const row_values values = row->values;
  row->values = (row_values){0};
  return values;
}
