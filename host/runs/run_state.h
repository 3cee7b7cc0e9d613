#ifndef HOST_RUNS_RUN_STATE_H
#define HOST_RUNS_RUN_STATE_H

#include "clalign/alignment.h"
#include "clalign/run_directory.h"
#include "dp/borders.h"
#include "runs/sealed_file.h"

/* The files that store the progress of a run in its directory, besides the rows. state.json exists once the
 * sweep is done; path.clp contains the path so far. */

typedef struct run_state {
  int64_t score, row, column; /* end cell: matrix node */
  int64_t cells;              /* number of cells computed so far */
  double sweep_seconds;
  double seconds; /* seconds of all stages so far */
  bool finished;  /* the path is complete, or no path is wanted */
} run_state;

/* Writes state.json. CLA_ERROR_OUTPUT, CLA_ERROR_MEMORY. */
cla_status run_state_write(const char *folder, const sealed_kind *run, const run_state *state,
                           cla_error *error);

/* Reads state.json. *there is false if there is no such file. With CLA_ERROR_INPUT, the message describes
 * what is wrong with the file. The message is the end of a sentence that the caller starts with the file's
 * name. */
cla_status run_state_read(run_state *state, bool *there, const char *folder, const sealed_kind *run,
                          cla_error *error);

/* A part of the path, from the end backwards, and the node that the traceback has reached. */
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

/* The file manifest.json of a run directory holds all that defines the run's result, and the caller's own
 * text. */

/* Writes the manifest. CLA_ERROR_OUTPUT, CLA_ERROR_MEMORY. */
cla_status run_manifest_write(const char *folder, const cla_run_directory *run, cla_error *error);

/* Computes the run's key, which ties the run's files together: XXH3-128 of all that defines the result. */
cla_status run_manifest_key(uint8_t key[16], const cla_run_directory *run, cla_error *error);

/* True if `folder` has a manifest, readable or not. */
bool run_manifest_exists(const char *folder);

#endif
