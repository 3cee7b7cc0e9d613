#include "store/row_writer.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/thread.h"

struct row_writer {
  const char *folder;
  sealed_kind kind;
  row_shape shape;
  pthread_t thread;
  pthread_mutex_t lock;
  pthread_cond_t changed;
  kept_row waiting[ROW_WRITER_QUEUE]; /* the first `count`, oldest first */
  int count;
  bool writing, ending;
  cla_error error; /* of the first row that could not be written */
};

static void write_row(row_writer *writer, const kept_row *row) {
  cla_error error = {.status = CLA_OK};
  char *path = NULL;
  cla_status status = row_file_path(&path, writer->folder, row->row, &error);
  if (status == CLA_OK) status = row_file_write(path, &writer->kind, row, &writer->shape, &error);
  free(path);
  pthread_mutex_lock(&writer->lock);
  if (status != CLA_OK) writer->error = error;
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
    writer->writing = true;
    const bool failed = writer->error.status != CLA_OK;
    pthread_cond_broadcast(&writer->changed);
    pthread_mutex_unlock(&writer->lock);
    if (!failed) write_row(writer, &row);
    kept_row_free(&row);
    pthread_mutex_lock(&writer->lock);
    writer->writing = false;
    pthread_cond_broadcast(&writer->changed);
  }
  pthread_mutex_unlock(&writer->lock);
  return NULL;
}

cla_status row_writer_create(row_writer **out, const char *folder, const sealed_kind *kind,
                             const row_shape *shape, cla_error *error) {
  row_writer *writer = NULL;
  *out = NULL;
  cla_status status = allocate_zeros((void **)&writer, 1, sizeof *writer, "the writer of rows", error);
  if (status != CLA_OK) return status;
  writer->folder = folder;
  writer->kind = *kind;
  writer->shape = *shape;
  pthread_mutex_init(&writer->lock, NULL);
  pthread_cond_init(&writer->changed, NULL);
  const int code = thread_start(&writer->thread, work, writer);
  if (code != 0) {
    pthread_mutex_destroy(&writer->lock);
    pthread_cond_destroy(&writer->changed);
    free(writer);
    return error_set(error, CLA_ERROR_MEMORY, "cannot start a thread for the rows: %s; free some memory",
                     strerror(code));
  }
  *out = writer;
  return CLA_OK;
}

/* With the lock held. */
static cla_status failure(const row_writer *writer, cla_error *error) {
  return writer->error.status == CLA_OK ? CLA_OK
                                        : error_set(error, writer->error.status, "%s", writer->error.message);
}

cla_status row_writer_put(row_writer *writer, kept_row *row, cla_error *error) {
  pthread_mutex_lock(&writer->lock);
  while (writer->count == ROW_WRITER_QUEUE) pthread_cond_wait(&writer->changed, &writer->lock);
  writer->waiting[writer->count++] = *row;
  *row = kept_row_head(row);
  cla_status status = failure(writer, error);
  pthread_cond_broadcast(&writer->changed);
  pthread_mutex_unlock(&writer->lock);
  return status;
}

cla_status row_writer_flush(row_writer *writer, cla_error *error) {
  pthread_mutex_lock(&writer->lock);
  while (writer->count > 0 || writer->writing) pthread_cond_wait(&writer->changed, &writer->lock);
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
  pthread_join(writer->thread, NULL);
  pthread_mutex_destroy(&writer->lock);
  pthread_cond_destroy(&writer->changed);
  free(writer);
}
