#ifndef CLALIGN_RUN_DIRECTORY_H
#define CLALIGN_RUN_DIRECTORY_H

#include "clalign/alignment.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The manifest of a run directory (cla_run_options; docs/internals/format-run-dir.md). */
typedef struct cla_run_directory {
  char *program;          /* version of clalign that started the run; owned, like all pointers below */
  cla_mode mode;          /* as in cla_align_options */
  int free_ends;          /* as in cla_alignment */
  cla_strand strand;      /* as in cla_align_options */
  cla_alphabet alphabet;  /* alphabet of both sequences */
  cla_scoring scoring;    /* without the matrix' name */
  bool score_only;        /* no traceback */
  bool claimed;           /* the user claims a score (CLA_LOWER_BOUND_SCORE), which the sweep must prove */
  int64_t claimed_score;  /* the claimed score */
  cla_side query, target; /* both sequences; start and stop are 0 */
  char *text;             /* cla_run_options.text */
} cla_run_directory;

/* Reads the manifest of `folder`. Errors: CLA_ERROR_INPUT if the folder is not a run directory, has another
 * format or version, or a file was altered; CLA_ERROR_MEMORY. The caller frees *out with
 * cla_run_directory_free. */
cla_status cla_run_directory_read(cla_run_directory **out, const char *folder, cla_error *error);

/* Frees the manifest; NULL is allowed. */
void cla_run_directory_free(cla_run_directory *run);

#ifdef __cplusplus
}
#endif

#endif
