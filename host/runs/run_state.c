#include "runs/run_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/files.h"
#include "runs/sealed_json.h"

#define STATE_FORMAT "clalign run state"
#define PATH_KIND "PATH"

static void key_text(char text[33], const sealed_kind *run) {
  for (size_t i = 0; i < sizeof run->key; i++) snprintf(text + 2 * i, 3, "%02x", run->key[i]);
}

cla_status run_state_write(const char *folder, const sealed_kind *run, const run_state *state,
                           cla_error *error) {
  char *path = NULL, key[33];
  key_text(key, run);
  json_t *object = json_pack("{s:s, s:I, s:I, s:I, s:I, s:f, s:f, s:b}", "run", key, "score",
                             (json_int_t)state->score, "end_row", (json_int_t)state->row, "end_column",
                             (json_int_t)state->column, "cells", (json_int_t)state->cells, "sweep_seconds",
                             state->sweep_seconds, "seconds", state->seconds, "finished", state->finished);
  cla_status status =
      object ? path_join(&path, folder, RUN_STATE_NAME, error)
             : error_set(error, CLA_ERROR_MEMORY, "out of memory for a run directory; free some memory");
  if (status == CLA_OK) status = sealed_json_write(path, STATE_FORMAT, object, error);
  json_decref(object);
  free(path);
  return status;
}

cla_status run_state_read(run_state *state, bool *there, const char *folder, const sealed_kind *run,
                          cla_error *error) {
  char *path = NULL, key[33];
  json_t *object = NULL;
  json_int_t score = 0, row = 0, column = 0, cells = 0;
  const char *found = NULL;
  double sweep_seconds = 0, seconds = 0;
  int finished = 0;
  cla_status status = path_join(&path, folder, RUN_STATE_NAME, error);
  *there = status == CLA_OK && path_exists_in(folder, RUN_STATE_NAME);
  if (!*there) goto done;
  key_text(key, run);
  status = sealed_json_read(&object, path, STATE_FORMAT, error);
  if (status != CLA_OK) goto done;
  if (json_unpack(object, "{s:s, s:I, s:I, s:I, s:I, s:F, s:F, s:b}", "run", &found, "score", &score,
                  "end_row", &row, "end_column", &column, "cells", &cells, "sweep_seconds", &sweep_seconds,
                  "seconds", &seconds, "finished", &finished) != 0)
    status = error_set(error, CLA_ERROR_INPUT, "lacks something");
  else if (strcmp(found, key) != 0)
    status = error_set(error, CLA_ERROR_INPUT, "belongs to another run");
  *state = (run_state){.score = score,
                       .row = row,
                       .column = column,
                       .cells = cells,
                       .sweep_seconds = sweep_seconds,
                       .seconds = seconds,
                       .finished = finished != 0};
done:
  json_decref(object);
  free(path);
  return status;
}

/* Head of path.clp: the node that the traceback has reached, its value, the gap in which it is (query_gap),
 * and whether the path is complete. The runs follow, each as the number length x 4 + kind. */
typedef struct path_head {
  int64_t row, column, value, in_query_gap, at_start, count;
} path_head;

#define PART 4096 /* number of runs written or read together */

static sealed_kind path_kind(const sealed_kind *run) {
  sealed_kind kind = *run;
  memcpy(kind.name, PATH_KIND, sizeof kind.name);
  return kind;
}

cla_status saved_path_write(const char *folder, const sealed_kind *run, const saved_path *path,
                            cla_error *error) {
  const sealed_kind kind = path_kind(run);
  const path_head head = {.row = path->row,
                          .column = path->column,
                          .value = path->value,
                          .in_query_gap = path->in_query_gap,
                          .at_start = path->at_start,
                          .count = path->count};
  char *name = NULL;
  sealed_writer *file = NULL;
  int64_t part[PART];
  cla_status status = path_join(&name, folder, SAVED_PATH_NAME, error);
  if (status == CLA_OK) status = sealed_writer_open(&file, name, &kind, error);
  if (status != CLA_OK) goto done;
  sealed_writer_put(file, &head, sizeof head);
  for (int64_t from = 0; from < path->count; from += PART) {
    const int64_t count = path->count - from < PART ? path->count - from : PART;
    for (int64_t i = 0; i < count; i++)
      part[i] = path->runs[from + i].length * 4 + (int64_t)path->runs[from + i].kind;
    sealed_writer_put(file, part, count * (int64_t)sizeof part[0]);
  }
  status = sealed_writer_commit(file, error);
done:
  free(name);
  return status;
}

static cla_status contradiction(cla_error *error) {
  return error_set(error, CLA_ERROR_INPUT, "contradicts itself");
}

/* Reads `count` runs. Allocates memory only as runs are read, because the count in the head may be wrong. */
static cla_status read_runs(saved_path *path, int64_t count, sealed_reader *file, cla_error *error) {
  int64_t part[PART], capacity = 0;
  void *runs = NULL;
  cla_status status = count < 0 ? contradiction(error) : CLA_OK;
  while (status == CLA_OK && path->count < count) {
    const int64_t left = count - path->count, more = left < PART ? left : PART;
    status = sealed_reader_get(file, part, more * (int64_t)sizeof part[0], error);
    if (status == CLA_OK)
      status = allocate_grow(&runs, &capacity, path->count + more, sizeof *path->runs, "the path", error);
    path->runs = runs;
    for (int64_t i = 0; status == CLA_OK && i < more; i++)
      if (part[i] < 4 || part[i] % 4 > CLA_RUN_TARGET)
        status = contradiction(error);
      else
        path->runs[path->count++] = (cla_run){.length = part[i] / 4, .kind = (cla_run_kind)(part[i] % 4)};
  }
  return status;
}

cla_status saved_path_read(saved_path *path, bool *there, const char *folder, const sealed_kind *run,
                           cla_error *error) {
  const sealed_kind kind = path_kind(run);
  char *name = NULL;
  sealed_reader *file = NULL;
  path_head head = {0};
  *path = (saved_path){0};
  cla_status status = path_join(&name, folder, SAVED_PATH_NAME, error);
  *there = status == CLA_OK && path_exists_in(folder, SAVED_PATH_NAME);
  if (!*there) goto done;
  status = sealed_reader_open(&file, name, &kind, error);
  if (status == CLA_OK) status = sealed_reader_get(file, &head, sizeof head, error);
  if (status != CLA_OK) goto done;
  if (head.in_query_gap < NO_QUERY_GAP || head.in_query_gap >= QUERY_GAP + CLA_GAP_PIECES) {
    status = contradiction(error);
    goto done;
  }
  status = read_runs(path, head.count, file, error);
  path->row = head.row;
  path->column = head.column;
  path->value = head.value;
  path->in_query_gap = (query_gap)head.in_query_gap;
  path->at_start = head.at_start != 0;
done:
  sealed_reader_close(file);
  free(name);
  return status;
}
