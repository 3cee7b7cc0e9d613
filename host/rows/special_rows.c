#include "rows/special_rows.h"

#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/machine.h"
#include "rows/row_file.h"

struct special_rows {
  row_shape shape;
  row_folder folder; /* path NULL: rows are in memory */
  row_writer *writer;
  kept_row **row; /* ascending; a row that is only on disk has no segments */
  int64_t count, capacity;
  pthread_mutex_t lock; /* protects `row`, `count` and `capacity` while rows are put */
  double began;
  bool pinned;
};

cla_status special_rows_create(special_rows **out, const row_shape *shape, cla_error *error) {
  cla_status status = ALLOCATE_ZEROS(out, 1, "special rows", error);
  if (status != CLA_OK) return status;
  (*out)->shape = *shape;
  pthread_mutex_init(&(*out)->lock, NULL);
  return CLA_OK;
}

static void note(const special_rows *rows, int64_t row, const char *text) {
  char line[512];
  if (!rows->folder.note) return;
  snprintf(line, sizeof line, "special row %lld in %.200s %.200s; it is done without it", (long long)row,
           rows->folder.path, text);
  rows->folder.note(line, rows->folder.note_user);
}

static cla_status read_file(const special_rows *rows, kept_row *row, bool nodes, cla_error *error) {
  char *path = NULL;
  cla_status status = row_file_path(&path, rows->folder.path, row->row, error);
  if (status == CLA_OK) status = row_file_read(row, path, &rows->folder.kind, &rows->shape, nodes, error);
  free(path);
  return status;
}

/* Sets *out to the entry of `row`, and makes it if there is none. The lock must be held. */
static cla_status enter(kept_row **out, special_rows *rows, int64_t row, cla_error *error) {
  int64_t after = rows->count;
  while (after > 0 && rows->row[after - 1]->row > row) after--;
  if (after > 0 && rows->row[after - 1]->row == row) {
    *out = rows->row[after - 1];
    return CLA_OK;
  }
  cla_status status = ALLOCATE_GROW(&rows->row, &rows->capacity, rows->count + 1, "special rows", error);
  if (status == CLA_OK) status = ALLOCATE_ZEROS(out, 1, "a special row", error);
  if (status != CLA_OK) return status;
  (*out)->row = row;
  memmove(rows->row + after + 1, rows->row + after, (size_t)(rows->count++ - after) * sizeof *rows->row);
  rows->row[after] = *out;
  return CLA_OK;
}

/* Removes the entry, but does not free its values. */
static void leave(special_rows *rows, int64_t index) {
  free(rows->row[index]);
  memmove(rows->row + index, rows->row + index + 1, (size_t)(--rows->count - index) * sizeof *rows->row);
}

static void drop(special_rows *rows, int64_t index) {
  kept_row_free(rows->row[index]);
  leave(rows, index);
}

/* Makes entries for the rows whose files are sound. */
static cla_status find_files(special_rows *rows, cla_error *error) {
  DIR *folder = opendir(rows->folder.path);
  kept_row *row = NULL;
  cla_status status = CLA_OK;
  if (!folder)
    return error_set(error, CLA_ERROR_INPUT,
                     "cannot read the folder %.1024s: %s; restore it or choose another", rows->folder.path,
                     strerror(errno));
  for (const struct dirent *entry; status == CLA_OK && (entry = readdir(folder));) {
    cla_error reason = {.message = ""};
    const int64_t number = row_file_number(entry->d_name);
    if (number < 0) continue;
    kept_row found = {.row = number};
    cla_status sound = read_file(rows, &found, false, &reason);
    if (sound == CLA_ERROR_INPUT)
      note(rows, number, reason.message);
    else if (sound != CLA_OK)
      status = error_set(error, sound, "%s", reason.message);
    else if ((status = enter(&row, rows, number, error)) == CLA_OK)
      *row = found;
  }
  closedir(folder);
  return status;
}

cla_status special_rows_open(special_rows **out, const row_shape *shape, const row_folder *folder,
                             cla_error *error) {
  cla_status status = special_rows_create(out, shape, error);
  if (status != CLA_OK) return status;
  (*out)->folder = *folder;
  status = find_files(*out, error);
  if (status == CLA_OK)
    status = row_writer_create(&(*out)->writer, (*out)->folder.path, &folder->kind, shape,
                               folder->threads > 0 ? folder->threads : 1, error);
  if (status != CLA_OK) {
    special_rows_free(*out);
    *out = NULL;
  }
  return status;
}

void special_rows_free(special_rows *rows) {
  if (!rows) return;
  row_writer_free(rows->writer);
  rows->pinned = false;
  special_rows_drop_from(rows, 0);
  pthread_mutex_destroy(&rows->lock);
  free(rows->row);
  free(rows);
}

cla_status special_rows_put(special_rows *rows, const region_row_part *part, cla_error *error) {
  kept_row *into = NULL;
  pthread_mutex_lock(&rows->lock);
  cla_status status = enter(&into, rows, part->row, error);
  pthread_mutex_unlock(&rows->lock);
  if (status != CLA_OK) return status;
  if (part->count > 0) return kept_row_append(into, &rows->shape, part, error);
  into->best_score = part->best_score;
  into->best_row = part->best_row;
  into->best_column = part->best_column;
  into->seconds = machine_seconds() - rows->began;
  into->whole = true;
  return rows->writer ? row_writer_put(rows->writer, into, error) : CLA_OK;
}

cla_status special_rows_flush(special_rows *rows, cla_error *error) {
  return rows->writer ? row_writer_flush(rows->writer, error) : CLA_OK;
}

/* Loads the row unless it is in memory. Returns false if that fails. */
static bool load(special_rows *rows, kept_row *row) {
  cla_error reason = {.message = ""};
  if (row->segment_count > 0) return true;
  if (special_rows_flush(rows, &reason) == CLA_OK && read_file(rows, row, true, &reason) == CLA_OK)
    return true;
  kept_row_free(row);
  *row = (kept_row){.row = row->row};
  note(rows, row->row, reason.message);
  return false;
}

int64_t special_rows_loaded_above(const special_rows *rows, int64_t row) {
  for (int64_t i = rows->count; i-- > 0;)
    if (rows->row[i]->row < row) return rows->row[i]->segment_count > 0 ? rows->row[i]->row : -1;
  return -1;
}

bool special_rows_on_disk(const special_rows *rows) {
  return rows->writer != NULL;
}

int64_t special_rows_above(special_rows *rows, int64_t row) {
  for (int64_t i = rows->count; i-- > 0;) {
    if (rows->row[i]->row >= row) continue;
    if (load(rows, rows->row[i])) return rows->row[i]->row;
    drop(rows, i);
  }
  return -1;
}

int64_t special_rows_count(const special_rows *rows) {
  return rows->count;
}

int64_t special_rows_at(const special_rows *rows, int64_t index) {
  return rows->row[index]->row;
}

cla_status special_rows_last_whole(int64_t *row, special_rows *rows, cla_error *error) {
  cla_status status = special_rows_flush(rows, error);
  *row = -1;
  for (int64_t i = 0; i < rows->count && rows->row[i]->whole; i++) *row = rows->row[i]->row;
  return status;
}

int64_t special_rows_column(const special_rows *rows) {
  return rows->shape.column;
}

static kept_row *find(const special_rows *rows, int64_t row) {
  pthread_mutex_t *lock = (pthread_mutex_t *)(uintptr_t)&rows->lock;
  pthread_mutex_lock(lock);
  int64_t first = 0;
  for (int64_t last = rows->count - 1; first < last;) {
    const int64_t middle = (first + last) / 2;
    if (rows->row[middle]->row < row)
      first = middle + 1;
    else
      last = middle;
  }
  kept_row *there = rows->row[first];
  pthread_mutex_unlock(lock);
  return there;
}

const kept_row *special_rows_find(const special_rows *rows, int64_t row) {
  return find(rows, row);
}

void special_rows_set_begin(special_rows *rows, double began) {
  rows->began = began;
}

void special_rows_stow(special_rows *rows, int64_t row) {
  kept_row *stowed = find(rows, row);
  if (!rows->writer) return;
  const kept_row head = kept_row_head(stowed);
  kept_row_free(stowed);
  *stowed = head;
}

void special_rows_read(const special_rows *rows, int64_t row, int64_t column, int64_t count, row_values out) {
  const kept_row *from = special_rows_find(rows, row);
  const int value_bytes = row_shape_value_bytes(&rows->shape);
  int64_t node = column - rows->shape.column;
  const int64_t end = node + count;
  for (int64_t index = kept_row_segment(from, node); node < end;) {
    const row_segment *segment = index < from->segment_count ? from->segments + index : NULL;
    const bool computed = segment && node >= segment->node;
    const int64_t stop = !segment ? end : computed ? segment->node + segment->count : segment->node;
    const int64_t some = (stop < end ? stop : end) - node;
    if (computed)
      kept_row_read(from, value_bytes, segment, node, some, out);
    else
      kept_row_substitute(from, &rows->shape, index, node, some, out);
    out = row_values_from(out, some);
    node += some;
    if (computed) index++;
  }
}

bool special_rows_computed(const special_rows *rows, int64_t row, int64_t column, int64_t *first,
                           int64_t *last) {
  const kept_row *from = special_rows_find(rows, row);
  const int64_t node = column - rows->shape.column, index = kept_row_segment(from, node);
  if (index == from->segment_count) return false;
  const row_segment *segment = from->segments + index;
  *first = rows->shape.column + (segment->node > node ? segment->node : node);
  *last = rows->shape.column + segment->node + segment->count - 1;
  return true;
}

void special_rows_hull(const special_rows *rows, int64_t row, int64_t *first, int64_t *last) {
  const kept_row *from = special_rows_find(rows, row);
  const row_segment *left = from->segments, *right = from->segments + from->segment_count - 1;
  if (left->count == 1 && left->node == 0 && left < right) left++;
  *first = rows->shape.column + left->node;
  *last = rows->shape.column + right->node + right->count - 1;
}

void special_rows_drop_from(special_rows *rows, int64_t row) {
  if (rows->pinned) return;
  while (rows->count > 0 && rows->row[rows->count - 1]->row >= row) drop(rows, rows->count - 1);
}

void special_rows_pin(special_rows *rows) {
  rows->pinned = true;
}

cla_status special_rows_take(special_rows *rows, special_rows *from, int64_t first, int64_t last,
                             cla_error *error) {
  cla_status status = CLA_OK;
  for (int64_t i = rows->count; i-- > 0;)
    if (rows->row[i]->row >= first && rows->row[i]->row <= last) drop(rows, i);
  pthread_mutex_lock(&from->lock);
  for (int64_t i = from->count; i-- > 0 && status == CLA_OK;) {
    kept_row *into = NULL;
    if (from->row[i]->row < first || from->row[i]->row > last) continue;
    status = enter(&into, rows, from->row[i]->row, error);
    if (status != CLA_OK) break;
    *into = *from->row[i];
    leave(from, i);
  }
  pthread_mutex_unlock(&from->lock);
  return status;
}

#define COMPARED_NODES 1024 /* number of nodes compared at a time */

bool special_rows_same(const special_rows *rows, const special_rows *others, int64_t row) {
  int64_t values[2][GAP_LINES * COMPARED_NODES];
  const special_rows *const both[2] = {rows, others};
  const cla_scoring *scoring = rows->shape.scoring;
  const int64_t nodes = rows->shape.nodes;
  for (int64_t node = 0; node < nodes; node += COMPARED_NODES) {
    const int64_t count = nodes - node < COMPARED_NODES ? nodes - node : COMPARED_NODES;
    for (int i = 0; i < 2; i++)
      special_rows_read(both[i], row, rows->shape.column + node, count,
                        row_values_in(values[i], count, scoring));
    if (memcmp(values[0], values[1], (size_t)(gap_lines(scoring) * count) * sizeof **values) != 0)
      return false;
  }
  return true;
}

int64_t special_rows_bytes(const special_rows *rows) {
  int64_t bytes = 0;
  for (int64_t i = 0; i < rows->count; i++) bytes += kept_row_bytes(rows->row[i], &rows->shape);
  return bytes;
}
