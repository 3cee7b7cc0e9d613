#include "bounds/potential.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "bounds/potential_internal.h"

cla_status potential_make(potential **out, potential_levels *levels, const potential_input *input,
                          cla_error *error) {
  const pair_problem *problem = &input->pair->problem;
  potential *p = NULL;
  bool useless = true;
  *out = NULL;
  *levels = (potential_levels){0};
  cla_status status = ALLOCATE_ZEROS(&p, 1, "a potential", error);
  if (status != CLA_OK) return status;
  p->pair = input->pair;
  p->problem = *problem;
  p->threads = input->threads;
  p->work_most = input->work_most;
  p->input = input;
  potential_costs(p);
  cla_level_end hindrance;
  status = choose_shape(&hindrance, p, error);
  if (status != CLA_OK) goto done;
  if (hindrance != CLA_LEVEL_RAN) {
    levels->at[levels->count++] = (cla_bound_level){.size = CLA_LEVEL_COARSE, .end = hindrance};
    goto done;
  }
  const int64_t chunks = (problem->rows + p->shape.chunk_rows - 1) / p->shape.chunk_rows;
  status = ALLOCATE_ARRAY(&p->left, chunks, "a potential", error);
  if (status == CLA_OK) status = levels_make(p, levels, &useless, error);

done:
  levels->cells = p->cells;
  word_index_free(&p->index);
  if (status == CLA_OK && !useless)
    *out = p;
  else
    potential_free(p);
  return status;
}

void potential_free(potential *p) {
  if (!p) return;
  level_free(&p->fine);
  free(p->left);
  free(p);
}

int64_t potential_area(const potential *p) {
  return p->area;
}

double potential_spread(const potential *p) {
  return p->spread;
}

int64_t potential_expected(const potential *p) {
  return p->expected;
}

int64_t potential_chunk_rows(const potential *p) {
  return p->fine.chunk_rows;
}

static int64_t chunk_of(const potential *p, int64_t row) {
  return row == 0 ? 0 : (row - 1) / p->fine.chunk_rows;
}

void potential_row(const potential *p, int64_t row, int64_t *first, int64_t *last) {
  const chunk_left *left = &p->left[chunk_of(p, row)];
  *first = larger(row + first_diagonal(p, &p->fine, left->first), 0);
  *last = smaller(row + first_diagonal(p, &p->fine, left->last + 1) - 1, p->problem.columns);
}

int32_t potential_cost(const potential *p, int64_t row, int64_t first, int64_t last) {
  const int64_t chunk = chunk_of(p, row);
  const chunk_left *left = &p->left[chunk];
  const int64_t low = larger(bucket_of(p, &p->fine, larger(first, -p->problem.rows)), left->first);
  const int64_t high = smaller(bucket_of(p, &p->fine, larger(last, -p->problem.rows)), left->last);
  int32_t least = NEVER;
  for (int64_t b = low; b <= high; b++)
    least = least_cost(least, p->fine.rest.cost[p->fine.rest.offsets[chunk] + b]);
  return least == NEVER ? NEVER : (int32_t)(least - p->spared);
}

void potential_starts(const potential *p, int64_t row, int64_t *first, int64_t *last) {
  const int64_t chunk = chunk_of(p, row);
  const chunk_left *left = &p->left[chunk];
  *first = 1;
  *last = 0;
  for (int64_t b = left->first; b <= left->last; b++) {
    if (!p->fine.rest.starts[p->fine.rest.offsets[chunk] + b]) continue;
    if (*first > *last) *first = first_diagonal(p, &p->fine, b);
    *last = first_diagonal(p, &p->fine, b + 1) - 1;
  }
}

/* Returns the minimum of 2 H - match (row + column) over the bucket's nodes that are not excluded. */
static int64_t least_value(const potential *p, int64_t chunk, int64_t bucket) {
  const chunk_left *left = &p->left[chunk];
  if (bucket < left->first || bucket > left->last) return INT64_MAX / 4;
  return p->fine.rest.cost[p->fine.rest.offsets[chunk] + bucket] - p->budget;
}

int64_t potential_slack(const potential *p, int64_t row, int64_t column, int64_t h) {
  const int64_t bucket = bucket_of(p, &p->fine, column - row);
  return 2 * h - p->costs.match * (row + column) - least_value(p, chunk_of(p, row), bucket);
}

int64_t potential_least_x(const potential *p, int64_t first_row, int64_t last_row) {
  int64_t least = INT64_MAX / 4;
  for (int64_t chunk = chunk_of(p, first_row); chunk <= chunk_of(p, last_row); chunk++)
    for (int64_t b = p->left[chunk].first; b <= p->left[chunk].last; b++) {
      const int64_t value = least_value(p, chunk, b) + p->costs.match * first_diagonal(p, &p->fine, b);
      if (value < least) least = value;
    }
  return least / 2 - 1;
}

void potential_box(const potential *p, int64_t line, int64_t *row, int64_t *column) {
  *row = *column = 0;
  for (int64_t chunk = 0; chunk < p->fine.chunks; chunk++) {
    const int64_t above = chunk_row(p, &p->fine, chunk), end = chunk_row(p, &p->fine, chunk + 1);
    const int64_t low = larger(first_diagonal(p, &p->fine, p->left[chunk].first), -end);
    const int64_t high = first_diagonal(p, &p->fine, p->left[chunk].last + 1) - 1;
    if (2 * above + low > line) continue;
    *row = larger(*row, smaller(end, (line - low) / 2));
    /* The line's node on the chunk's last diagonal or, if it lies outside the chunk, on the nearer border. */
    *column = larger(*column, smaller(smaller(end + high, line - above), (line + high) / 2));
  }
  *column = smaller(*column, p->problem.columns);
}

int64_t potential_last_start(const potential *p) {
  int64_t last = -1;
  for (int64_t chunk = 0; chunk < p->fine.chunks; chunk++) {
    int64_t first_start, last_start;
    const int64_t row = chunk_row(p, &p->fine, chunk + 1);
    potential_starts(p, row, &first_start, &last_start);
    if (first_start <= last_start) last = larger(last, 2 * row + last_start);
  }
  return last;
}
