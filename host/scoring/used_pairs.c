#include "scoring/used_pairs.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "base/extremes.h"

/* The pairs of one alignment, from top to bottom. */
typedef struct used_path {
  used_run *runs;
  size_t count;
} used_path;

struct used_pairs {
  used_path *paths;
  int64_t count, capacity;
};

cla_status used_pairs_create(used_pairs **out, cla_error *error) {
  return ALLOCATE_ZEROS(out, 1, "the pairs that alignments use", error);
}

void used_pairs_free(used_pairs *used) {
  if (!used) return;
  for (int64_t i = 0; i < used->count; i++) free(used->paths[i].runs);
  free(used->paths);
  free(used);
}

/* Makes room for a path of at most `most` runs. The caller increments used->count once the path is
 * complete. */
static cla_status add_path(used_path **out, used_pairs *used, int64_t most, cla_error *error) {
  cla_status status =
      ALLOCATE_GROW(&used->paths, &used->capacity, used->count + 1, "the pairs that alignments use", error);
  if (status != CLA_OK) return status;
  *out = used->paths + used->count;
  **out = (used_path){0};
  return ALLOCATE_ARRAY(&(*out)->runs, most + 1, "the pairs that an alignment uses", error);
}

cla_status used_pairs_add(used_pairs *used, int64_t row, int64_t column, const cla_run *runs, size_t count,
                          cla_error *error) {
  used_path *path;
  cla_status status = add_path(&path, used, (int64_t)count, error);
  if (status != CLA_OK) return status;
  for (size_t i = 0; i < count; i++) {
    if (runs[i].kind == CLA_RUN_PAIR)
      path->runs[path->count++] = (used_run){.row = row + 1, .column = column + 1, .length = runs[i].length};
    if (runs[i].kind != CLA_RUN_TARGET) row += runs[i].length;
    if (runs[i].kind != CLA_RUN_QUERY) column += runs[i].length;
  }
  used->count++;
  return CLA_OK;
}

const used_run *used_pairs_runs(int64_t *count, const used_pairs *used, int path) {
  *count = (int64_t)used->paths[path].count;
  return used->paths[path].runs;
}

cla_status used_pairs_add_runs(used_pairs *used, const used_run *runs, int64_t count, cla_error *error) {
  used_path *path;
  cla_status status = add_path(&path, used, count, error);
  if (status != CLA_OK) return status;
  for (; path->count < (size_t)count; path->count++) path->runs[path->count] = runs[path->count];
  used->count++;
  return CLA_OK;
}

int used_pairs_paths(const used_pairs *used) {
  return used ? (int)used->count : 0;
}

/* Returns the row of a run's last pair. line_of_last returns the pair's line, which is the sum of row and
 * column. */
static int64_t row_of_last(const used_run *run) {
  return run->row + run->length - 1;
}

static int64_t line_of_last(const used_run *run) {
  return run->row + run->column + 2 * (run->length - 1);
}

bool used_pairs_rows(const used_pairs *used, int path, int64_t *first, int64_t *last) {
  const used_path *p = used->paths + path;
  if (p->count == 0) return false;
  *first = p->runs[0].row;
  *last = row_of_last(p->runs + p->count - 1);
  return true;
}

/* Returns the index of the path's first run that ends at `place` or later. `last` is row_of_last or
 * line_of_last, so `place` is a row or a line. */
static size_t first_run(const used_path *path, int64_t place, int64_t (*last)(const used_run *run)) {
  size_t low = 0, high = path->count;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (last(path->runs + middle) < place)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

int64_t used_pairs_in_row(const used_pairs *used, int path, int64_t row) {
  const used_path *p = used->paths + path;
  const size_t at = first_run(p, row, row_of_last);
  return at < p->count && p->runs[at].row <= row ? p->runs[at].column + row - p->runs[at].row : 0;
}

bool used_pairs_has(const used_pairs *used, int64_t row, int64_t column) {
  for (int path = 0; path < used_pairs_paths(used); path++)
    if (used_pairs_in_row(used, path, row) == column) return true;
  return false;
}

int64_t used_pairs_on_line(const used_pairs *used, int path, int64_t line) {
  const used_path *p = used->paths + path;
  const size_t at = first_run(p, line, line_of_last);
  const int64_t steps = at < p->count ? line - p->runs[at].row - p->runs[at].column : -1;
  return steps >= 0 && steps % 2 == 0 ? p->runs[at].row + steps / 2 : 0;
}

used_walk used_walk_begin(const used_pairs *used, int64_t first_row, int64_t last_row, int64_t first_column,
                          int64_t last_column) {
  used_walk walk = {.used = used,
                    .first_row = first_row,
                    .last_row = last_row,
                    .first_column = first_column,
                    .last_column = last_column};
  if (used && used->count > 0) walk.next = first_run(used->paths, first_row, row_of_last);
  return walk;
}

bool used_walk_next(used_walk *walk, used_run *out) {
  while (walk->path < used_pairs_paths(walk->used)) {
    const used_path *path = walk->used->paths + walk->path;
    while (walk->next < path->count && path->runs[walk->next].row <= walk->last_row) {
      const used_run *run = path->runs + walk->next++;
      const int64_t above = larger(walk->first_row - run->row, walk->first_column - run->column);
      const int64_t from = larger(above, 0);
      const int64_t down = smaller(walk->last_row - run->row, walk->last_column - run->column);
      const int64_t to = smaller(down, run->length - 1);
      if (from > to) continue;
      *out = (used_run){.row = run->row + from, .column = run->column + from, .length = to - from + 1};
      return true;
    }
    if (++walk->path < used_pairs_paths(walk->used))
      walk->next = first_run(walk->used->paths + walk->path, walk->first_row, row_of_last);
  }
  return false;
}
