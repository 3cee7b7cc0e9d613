#ifndef HOST_RUNS_RUN_STATE_H
#define HOST_RUNS_RUN_STATE_H

#include "clalign/alignment.h"
#include "clalign/run_directory.h"
#include "dp/borders.h"
#include "runs/sealed_file.h"

/* The progress of a run in its directory, besides its rows: state.json, once the sweep is done, and path.clp
 * with the path so far. */

typedef struct run_state {
  int64_t score, row, column; /* end cell: matrix node */
  int64_t cells;              /* computed so far */
  double sweep_seconds;
  double seconds; /* seconds of all stages so far */
  bool finished;  /* the path is complete, or none is wanted */
} run_state;

/* CLA_ERROR_OUTPUT, CLA_ERROR_MEMORY. */
cla_status run_state_write(const char *folder, const sealed_kind *run, const run_state *state,
                           cla_error *error);

/* Reads state.json. *there is false if there is none. CLA_ERROR_INPUT describes the file's fault, as the end
 * of a sentence that the caller begins with its name. */
cla_status run_state_read(run_state *state, bool *there, const char *folder, const sealed_kind *run,
                          cla_error *error);

/* A part of the path from the end backwards, and where the traceback stands. */
typedef struct saved_path {
  int64_t row, column, value;
  query_gap in_query_gap;
  bool at_start;
  cla_run *runs; /* from the end backwards */
  int64_t count;
} saved_path;

/* Write and read the saved path of a run. After reading, the caller frees path->runs. */
cla_status saved_path_write(const char *folder, const sealed_kind *run, const saved_path *path,
                            cla_error *error);
cla_status saved_path_read(saved_path *path, bool *there, const char *folder, const sealed_kind *run,
                           cla_error *error);

#define RUN_STATE_NAME "state.json"
#define SAVED_PATH_NAME "path.clp"

/* manifest.json of a run directory: all that defines the run's result, and the caller's own text. */

/* Writes the manifest. CLA_ERROR_OUTPUT, CLA_ERROR_MEMORY. */
cla_status run_manifest_write(const char *folder, const cla_run_directory *run, cla_error *error);

/* The run's key, which ties its files together: XXH3-128 of all that defines the result. */
cla_status run_manifest_key(uint8_t key[16], const cla_run_directory *run, cla_error *error);

/* Whether `folder` has a manifest, readable or not. */
bool run_manifest_exists(const char *folder);

#endif
