#include "rows/row_file.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/machine.h"
#include "scoring/gap_costs.h"

/* Head of a row's file. After it come the segments (node, count, H of the first node), then the chunks (all
 * anchors of a full chunk, steps, gaps). */
typedef struct row_head {
  int64_t row, column, nodes, value_bytes;
  int64_t best_score, best_row, best_column;
  int64_t segment_count, packed;
  double seconds;
} row_head;

const char *row_file_kind(const row_shape *shape) {
  static const char *const magic[CLA_GAP_PIECES] = {"ROW1", "ROW2"}; /* by pieces of gap costs */
  return magic[gap_pieces(shape->scoring) - 1];
}

cla_status row_file_path(char **out, const char *folder, int64_t row, cla_error *error) {
  const size_t size = strlen(folder) + 40;
  cla_status status = ALLOCATE_ARRAY(out, (int64_t)size, "a file name", error);
  if (status == CLA_OK) snprintf(*out, size, "%s/row-%012" PRId64 ".clr", folder, row);
  return status;
}

int64_t row_file_number(const char *name) {
  char again[64];
  if (strncmp(name, "row-", 4) != 0) return -1;
  const int64_t row = strtoll(name + 4, NULL, 10);
  snprintf(again, sizeof again, "row-%012" PRId64 ".clr", row);
  return strcmp(again, name) == 0 ? row : -1;
}

static int64_t chunk_nodes(int64_t packed, int64_t chunk) {
  const int64_t left = packed - chunk * KEPT_ROW_CHUNK;
  return left < KEPT_ROW_CHUNK ? left : KEPT_ROW_CHUNK;
}

cla_status row_file_write(const char *path, const sealed_kind *kind, const kept_row *row,
                          const row_shape *shape, cla_error *error) {
  const int value_bytes = row_shape_value_bytes(shape);
  const row_head head = {.row = row->row,
                         .column = shape->column,
                         .nodes = shape->nodes,
                         .value_bytes = value_bytes,
                         .best_score = row->best_score,
                         .best_row = row->best_row,
                         .best_column = row->best_column,
                         .segment_count = row->segment_count,
                         .packed = row->packed,
                         .seconds = row->seconds};
  sealed_writer *file = NULL;
  cla_status status = sealed_writer_open(&file, path, kind, error);
  if (status != CLA_OK) return status;
  sealed_writer_put(file, &head, sizeof head);
  for (int64_t i = 0; i < row->segment_count; i++) {
    const int64_t segment[3] = {row->segments[i].node, row->segments[i].count, row->segments[i].h};
    sealed_writer_put(file, segment, sizeof segment);
  }
  for (int64_t i = 0; i < row->chunk_count; i++) {
    row_chunk *chunk = row->chunks + i;
    const int64_t bytes = chunk_nodes(row->packed, i) * value_bytes;
    sealed_writer_put(file, chunk->anchors, sizeof chunk->anchors);
    for (int line = 0; line < gap_lines(shape->scoring); line++)
      sealed_writer_put(file, *row_chunk_array(chunk, line), bytes);
  }
  return sealed_writer_commit(file, error);
}

/* Scores of sequences that fit into memory are below this limit. Sums of a row's values then stay within 63
 * bits. */
#define VALUE_LIMIT (INT64_MAX / 4)

static bool is_value(int64_t h) {
  return h >= -VALUE_LIMIT && h <= VALUE_LIMIT;
}

static cla_status contradiction(cla_error *error) {
  return error_set(error, CLA_ERROR_INPUT, "contradicts itself");
}

static cla_status read_segments(kept_row *row, int64_t count, int64_t nodes, sealed_reader *file,
                                cla_error *error) {
  int64_t end = 0;
  cla_status status = ALLOCATE_ARRAY(&row->segments, count, "a row", error);
  row->segment_capacity = count;
  for (int64_t i = 0; status == CLA_OK && i < count; i++) {
    int64_t segment[3];
    status = sealed_reader_get(file, segment, sizeof segment, error);
    if (status != CLA_OK) return status;
    if (segment[0] < end || segment[1] < 1 || segment[1] > nodes - segment[0] || !is_value(segment[2]))
      return contradiction(error);
    end = segment[0] + segment[1];
    row->segments[row->segment_count++] =
        (row_segment){.node = segment[0], .count = segment[1], .packed = row->packed, .h = segment[2]};
    row->packed += segment[1];
  }
  return status;
}

static cla_status read_chunks(kept_row *row, const row_shape *shape, sealed_reader *file, cla_error *error) {
  const int value_bytes = row_shape_value_bytes(shape);
  const int64_t count = (row->packed + KEPT_ROW_CHUNK - 1) / KEPT_ROW_CHUNK;
  cla_status status = ALLOCATE_ZEROS(&row->chunks, count, "a row", error);
  row->chunk_capacity = count;
  for (int64_t i = 0; status == CLA_OK && i < count; i++) {
    row_chunk *chunk = row->chunks + row->chunk_count++;
    chunk->capacity = chunk_nodes(row->packed, i);
    status = sealed_reader_get(file, chunk->anchors, sizeof chunk->anchors, error);
    for (size_t anchor = 0; status == CLA_OK && anchor < KEPT_ROW_CHUNK / KEPT_ROW_ANCHOR; anchor++)
      if (!is_value(chunk->anchors[anchor])) status = contradiction(error);
    for (int line = 0; status == CLA_OK && line < gap_lines(shape->scoring); line++) {
      void **array = row_chunk_array(chunk, line);
      status = allocate_array(array, chunk->capacity, value_bytes, "a row", error);
      if (status == CLA_OK) status = sealed_reader_get(file, *array, chunk->capacity * value_bytes, error);
    }
  }
  return status;
}

cla_status row_file_read(kept_row *row, const char *path, const sealed_kind *kind, const row_shape *shape,
                         bool nodes, cla_error *error) {
  const int value_bytes = row_shape_value_bytes(shape);
  sealed_reader *file = NULL;
  row_head head;
  cla_status status = sealed_reader_open(&file, path, kind, error);
  if (status == CLA_OK) status = sealed_reader_get(file, &head, sizeof head, error);
  if (status != CLA_OK) goto done;
  if (head.row != row->row || head.column != shape->column || head.nodes != shape->nodes ||
      head.value_bytes != value_bytes || head.segment_count < 1 || head.segment_count > shape->nodes) {
    status = error_set(error, CLA_ERROR_INPUT, "holds another row");
    goto done;
  }
  if (head.best_score > VALUE_LIMIT || head.best_row < 0 || head.best_row > head.row ||
      head.best_column < 0 || head.best_column >= head.column + head.nodes) {
    status = contradiction(error);
    goto done;
  }
  row->best_score = head.best_score;
  row->best_row = head.best_row;
  row->best_column = head.best_column;
  row->seconds = head.seconds;
  row->whole = true;
  if (nodes) status = read_segments(row, head.segment_count, shape->nodes, file, error);
  if (nodes && status == CLA_OK) status = read_chunks(row, shape, file, error);
done:
  sealed_reader_close(file);
  return status;
}

/* Minimum number of rows that may wait to be written, for any number of threads. */
#define ROWS_WAITING_LEAST 2

struct row_writer {
  const char *folder;
  sealed_kind kind;
  row_shape shape;
  pthread_t *threads;
  int thread_count;
  pthread_mutex_t lock;
  pthread_cond_t changed;
  kept_row *waiting; /* `count` waiting rows, oldest first, in room for `room` rows */
  int count, room;
  int writing; /* number of threads that are writing a row */
  bool ending;
  cla_error error; /* error of the first row that could not be written */
};

static void write_row(row_writer *writer, const kept_row *row) {
  cla_error error = {.status = CLA_OK};
  char *path = NULL;
  cla_status status = row_file_path(&path, writer->folder, row->row, &error);
  if (status == CLA_OK) status = row_file_write(path, &writer->kind, row, &writer->shape, &error);
  free(path);
  pthread_mutex_lock(&writer->lock);
  if (status != CLA_OK && writer->error.status == CLA_OK) writer->error = error;
  pthread_mutex_unlock(&writer->lock);
}

static void *work(void *user) {
  row_writer *writer = user;
  pthread_mutex_lock(&writer->lock);
  for (;;) {
    while (writer->count == 0 && !writer->ending) pthread_cond_wait(&writer->changed, &writer->lock);
    if (writer->count == 0) break;
    kept_row row = writer->waiting[0];
    memmove(writer->waiting, writer->waiting + 1, (size_t)--writer->count * sizeof row);
    writer->writing++;
    const bool failed = writer->error.status != CLA_OK;
    pthread_cond_broadcast(&writer->changed);
    pthread_mutex_unlock(&writer->lock);
    if (!failed) write_row(writer, &row);
    kept_row_free(&row);
    pthread_mutex_lock(&writer->lock);
    writer->writing--;
    pthread_cond_broadcast(&writer->changed);
  }
  pthread_mutex_unlock(&writer->lock);
  return NULL;
}

static cla_status start_threads(row_writer *writer, int threads, cla_error *error) {
  cla_status status = ALLOCATE_ARRAY(&writer->threads, threads, "threads", error);
  while (status == CLA_OK && writer->thread_count < threads) {
    const int code = thread_start(writer->threads + writer->thread_count, work, writer);
    if (code == 0)
      writer->thread_count++;
    else if (writer->thread_count > 0)
      break;
    else
      status = error_set(error, CLA_ERROR_MEMORY, "cannot start a thread for the rows: %s; free some memory",
                         strerror(code));
  }
  return status;
}

cla_status row_writer_create(row_writer **out, const char *folder, const sealed_kind *kind,
                             const row_shape *shape, int threads, cla_error *error) {
  row_writer *writer = NULL;
  *out = NULL;
  cla_status status = ALLOCATE_ZEROS(&writer, 1, "the writer of rows", error);
  if (status != CLA_OK) return status;
  writer->folder = folder;
  writer->kind = *kind;
  writer->shape = *shape;
  writer->room = threads > ROWS_WAITING_LEAST ? threads : ROWS_WAITING_LEAST;
  pthread_mutex_init(&writer->lock, NULL);
  pthread_cond_init(&writer->changed, NULL);
  status = ALLOCATE_ARRAY(&writer->waiting, writer->room, "the writer of rows", error);
  if (status == CLA_OK) status = start_threads(writer, threads, error);
  if (status == CLA_OK)
    *out = writer;
  else
    row_writer_free(writer);
  return status;
}

/* Returns the error of an earlier row, or CLA_OK. The lock must be held. */
static cla_status failure(const row_writer *writer, cla_error *error) {
  return writer->error.status == CLA_OK ? CLA_OK
                                        : error_set(error, writer->error.status, "%s", writer->error.message);
}

cla_status row_writer_put(row_writer *writer, kept_row *row, cla_error *error) {
  pthread_mutex_lock(&writer->lock);
  while (writer->count == writer->room) pthread_cond_wait(&writer->changed, &writer->lock);
  writer->waiting[writer->count++] = *row;
  *row = kept_row_head(row);
  cla_status status = failure(writer, error);
  pthread_cond_broadcast(&writer->changed);
  pthread_mutex_unlock(&writer->lock);
  return status;
}

cla_status row_writer_flush(row_writer *writer, cla_error *error) {
  pthread_mutex_lock(&writer->lock);
  while (writer->count > 0 || writer->writing > 0) pthread_cond_wait(&writer->changed, &writer->lock);
  cla_status status = failure(writer, error);
  pthread_mutex_unlock(&writer->lock);
  return status;
}

void row_writer_free(row_writer *writer) {
  if (!writer) return;
  pthread_mutex_lock(&writer->lock);
  writer->ending = true;
  pthread_cond_broadcast(&writer->changed);
  pthread_mutex_unlock(&writer->lock);
  for (int i = 0; i < writer->thread_count; i++) pthread_join(writer->threads[i], NULL);
  pthread_mutex_destroy(&writer->lock);
  pthread_cond_destroy(&writer->changed);
  free(writer->threads);
  free(writer->waiting);
  free(writer);
}
