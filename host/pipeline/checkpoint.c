#include "pipeline/checkpoint.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/machine.h"
#include "clalign/run_directory.h"
#include "clalign/version.h"
#include "pipeline/run_folder.h"
#include "result/alignment.h"
#include "rows/row_file.h"
#include "runs/run_state.h"
#include "seq/sequence.h"

#define SAVE_SECONDS 1.0 /* minimum seconds between two savings of the path */
#define SAVE_SHARE 20 /* minimum seconds between two savings, as a multiple of the last saving's duration */

struct checkpoint {
  const cla_align_options *options;
  file_lock *lock;
  bool is_part;    /* the run is one of the two strands of a run; messages name the run of both strands */
  sealed_kind run; /* has the run's key; a file's name is added where the file is opened */
  int64_t rows, columns; /* size of the matrix */
  bool swept;
  trace_point end;
  run_state state;
  double saved, saving_seconds;
};

/* Describes the call's run. */
static cla_status describe(cla_run_directory **out, const align_job *job, cla_error *error) {
  const cla_align_options *options = job->options;
  const cla_sequence *sequences[] = {job->query, job->target};
  cla_run_directory *run = NULL;
  cla_status status = ALLOCATE_ZEROS(&run, 1, "a run", error);
  *out = run;
  if (status != CLA_OK) return status;
  run->mode = options->mode;
  run->free_ends = options->free_ends;
  run->strand = options->strand;
  run->alphabet = cla_sequence_alphabet(job->query);
  run->scoring = options->scoring;
  run->score_only = options->score_only;
  run->claimed = job->rival ? job->rival->given : options->lower_bound.kind == CLA_LOWER_BOUND_SCORE;
  if (run->claimed) run->claimed_score = job->rival ? job->rival->least : options->lower_bound.score;
  cla_side *sides[] = {&run->query, &run->target};
  for (int i = 0; i < 2 && status == CLA_OK; i++) {
    sides[i]->length = cla_sequence_length(sequences[i]);
    sides[i]->begin = cla_sequence_begin(sequences[i]);
    sides[i]->end = cla_sequence_end(sequences[i]);
    cla_sequence_checksum(sequences[i], sides[i]->checksum);
    status = allocate_text(&sides[i]->name, cla_sequence_name(sequences[i]), error);
    if (status == CLA_OK)
      status = allocate_text(&sides[i]->location, cla_sequence_location(sequences[i]), error);
  }
  if (status == CLA_OK) status = allocate_text(&run->program, CLA_VERSION_STRING, error);
  if (status == CLA_OK) status = allocate_text(&run->text, options->run.text ? options->run.text : "", error);
  return status;
}

static cla_status check_side(const cla_side *was, const cla_side *is, const char *which, cla_error *error) {
  if (memcmp(was->checksum, is->checksum, sizeof was->checksum) == 0 && was->length == is->length &&
      was->begin == is->begin && was->end == is->end && strcmp(was->name, is->name) == 0)
    return CLA_OK;
  return error_set(error, CLA_ERROR_INPUT,
                   "the %s %.512s is not the one that the run began with: %s; restore it, or begin again in "
                   "another --run-dir",
                   which, is->location,
                   was->length != is->length || memcmp(was->checksum, is->checksum, sizeof was->checksum) != 0
                       ? "its letters have changed"
                       : "its name or range has changed");
}

static cla_status check_manifest(const cla_run_directory *run, const char *folder, const uint8_t key[16],
                                 cla_error *error) {
  cla_run_directory *was = NULL;
  uint8_t was_key[16];
  cla_status status = cla_run_directory_read(&was, folder, error);
  if (status == CLA_OK) status = check_side(&was->query, &run->query, "query", error);
  if (status == CLA_OK) status = check_side(&was->target, &run->target, "target", error);
  if (status == CLA_OK) status = run_manifest_key(was_key, was, error);
  if (status == CLA_OK && memcmp(was_key, key, sizeof was_key) != 0)
    status = error_set(error, CLA_ERROR_OPTION,
                       "the run in %.1024s has another mode, strand, other scores, file names or claimed "
                       "bound; resume it with "
                       "those, or begin another in a folder of its own",
                       folder);
  cla_run_directory_free(was);
  return status;
}

/* Turns the status of a damaged file into a note that the file is ignored. Returns any other status
 * unchanged. */
static cla_status passed_over(const checkpoint *c, cla_status status, const char *name, const char *instead,
                              const cla_error *reason, cla_error *error) {
  if (status == CLA_OK) return CLA_OK;
  if (status != CLA_ERROR_INPUT) return error_set(error, status, "%s", reason->message);
  run_folder_note(c->options, name, reason->message, instead);
  return CLA_OK;
}

static bool in_matrix(const checkpoint *c, int64_t row, int64_t column) {
  return row >= 0 && row <= c->rows && column >= 0 && column <= c->columns;
}

static cla_status load_state(checkpoint *c, cla_error *error) {
  cla_error reason = {.message = ""};
  bool there = false;
  cla_status status = run_state_read(&c->state, &there, c->options->run.directory, &c->run, &reason);
  if (there && status == CLA_OK && !in_matrix(c, c->state.row, c->state.column))
    status = error_set(&reason, CLA_ERROR_INPUT, "contradicts itself: its end cell is outside of the matrix");
  c->swept = there && status == CLA_OK;
  c->end = (trace_point){.row = c->state.row, .column = c->state.column, .value = c->state.score};
  return passed_over(c, status, RUN_STATE_NAME, "the sweep goes on from its last row", &reason, error);
}

cla_status checkpoint_open(checkpoint **out, const align_job *job, cla_error *error) {
  const cla_align_options *options = job->options;
  checkpoint *c = NULL;
  cla_run_directory *run = NULL;
  *out = NULL;
  cla_status status = ALLOCATE_ZEROS(&c, 1, "a run", error);
  if (status != CLA_OK) return status;
  c->options = options;
  c->is_part = job->rival != NULL;
  c->rows = sequence_range_letters(job->query);
  c->columns = sequence_range_letters(job->target);
  status = describe(&run, job, error);
  if (status == CLA_OK) status = run_manifest_key(c->run.key, run, error);
  if (status == CLA_OK) status = run_folder_lock(&c->lock, options, error);
  if (status == CLA_OK && options->run.resume)
    status = check_manifest(run, options->run.directory, c->run.key, error);
  else if (status == CLA_OK)
    status = run_manifest_write(options->run.directory, run, error);
  if (status == CLA_OK) status = load_state(c, error);
  cla_run_directory_free(run);
  if (status == CLA_OK)
    *out = c;
  else
    checkpoint_close(c, CLA_OK, NULL);
  return status;
}

void checkpoint_close(checkpoint *c, cla_status status, cla_error *error) {
  if (!c) return;
  const bool passes = status == CLA_ERROR_DEVICE || status == CLA_ERROR_MEMORY ||
                      status == CLA_ERROR_OUTPUT || status == CLA_ERROR_INTERRUPTED;
  if (passes && error && !c->is_part) {
    const size_t used = strlen(error->message);
    snprintf(error->message + used, sizeof error->message - used, "; the run in %.512s can be resumed",
             c->options->run.directory);
  }
  file_lock_release(c->lock);
  free(c);
}

cla_status checkpoint_rows(special_rows **out, checkpoint *c, const row_shape *shape, int threads,
                           cla_error *error) {
  row_folder folder = {.path = c->options->run.directory,
                       .kind = c->run,
                       .threads = threads,
                       .note = c->options->callbacks.note,
                       .note_user = c->options->callbacks.note_user};
  memcpy(folder.kind.name, row_file_kind(shape), sizeof folder.kind.name);
  return special_rows_open(out, shape, &folder, error);
}

const trace_point *checkpoint_end(const checkpoint *c, cla_metrics *metrics) {
  if (!c->swept || !metrics) return c->swept ? &c->end : NULL;
  metrics->cells_computed = c->state.cells;
  metrics->sweep_seconds = c->state.sweep_seconds;
  metrics->seconds = c->state.seconds;
  return &c->end;
}

int64_t checkpoint_sweep_row(const checkpoint *c, special_rows *rows) {
  const int64_t row = c->options->run.resume ? special_rows_above(rows, c->rows) : -1;
  special_rows_drop_from(rows, row + 1);
  return row < 0 ? 0 : row;
}

cla_status checkpoint_swept(checkpoint *c, special_rows *rows, const trace_point *end,
                            const cla_metrics *metrics, cla_error *error) {
  cla_status status = rows ? special_rows_flush(rows, error) : CLA_OK;
  c->state = (run_state){.score = end->value,
                         .row = end->row,
                         .column = end->column,
                         .cells = metrics->cells_computed,
                         .sweep_seconds = metrics->sweep_seconds,
                         .seconds = metrics->sweep_seconds};
  c->end = *end;
  if (status == CLA_OK) status = run_state_write(c->options->run.directory, &c->run, &c->state, error);
  c->swept = status == CLA_OK;
  c->saved = machine_seconds();
  return status;
}

/* True if the runs go from the end cell to the saved point. */
static bool path_leads(const checkpoint *c, const saved_path *saved) {
  int64_t row = c->end.row, column = c->end.column;
  for (int64_t i = 0; i < saved->count; i++) {
    const cla_run *run = &saved->runs[i];
    if (run->kind != CLA_RUN_TARGET && run->length > row) return false;
    if (run->kind != CLA_RUN_QUERY && run->length > column) return false;
    row -= run->kind == CLA_RUN_TARGET ? 0 : run->length;
    column -= run->kind == CLA_RUN_QUERY ? 0 : run->length;
  }
  return saved->row == row && saved->column == column;
}

cla_status checkpoint_load_path(checkpoint *c, trace_point *point, path *steps, cla_error *error) {
  cla_error reason = {.message = ""};
  saved_path saved;
  bool there = false;
  cla_status status = c->options->run.resume
                          ? saved_path_read(&saved, &there, c->options->run.directory, &c->run, &reason)
                          : CLA_OK;
  c->saved = machine_seconds();
  if (there && status == CLA_OK && !path_leads(c, &saved))
    status = error_set(&reason, CLA_ERROR_INPUT, "contradicts itself: its runs lead to another place");
  if (status != CLA_OK) {
    free(saved.runs);
    return passed_over(c, status, SAVED_PATH_NAME, "the traceback begins again", &reason, error);
  }
  if (!there) return CLA_OK;
  *point = (trace_point){.row = saved.row,
                         .column = saved.column,
                         .value = saved.value,
                         .in_query_gap = saved.in_query_gap,
                         .at_start = saved.at_start};
  *steps = (path){.runs = saved.runs, .count = saved.count, .capacity = saved.count};
  return CLA_OK;
}

static cla_status save_path(checkpoint *c, const trace_point *point, const path *steps, cla_error *error) {
  const saved_path saved = {.row = point->row,
                            .column = point->column,
                            .value = point->value,
                            .in_query_gap = point->in_query_gap,
                            .at_start = point->at_start,
                            .runs = steps->runs,
                            .count = steps->count};
  return saved_path_write(c->options->run.directory, &c->run, &saved, error);
}

cla_status checkpoint_save_path(void *user, const trace_point *point, const path *steps, cla_error *error) {
  checkpoint *c = user;
  const double began = machine_seconds();
  if (began - c->saved < SAVE_SECONDS || began - c->saved < SAVE_SHARE * c->saving_seconds) return CLA_OK;
  cla_status status = save_path(c, point, steps, error);
  c->saved = machine_seconds();
  c->saving_seconds = c->saved - began;
  return status;
}

void checkpoint_forget_path(checkpoint *c) {
  run_folder_remove(c->options->run.directory, SAVED_PATH_NAME);
}

/* Saves the whole path in the order of a traceback, that is, from the path's end backwards. */
static cla_status save_whole_path(checkpoint *c, const cla_alignment *alignment, cla_error *error) {
  const trace_point start = {.row = strand_start_row(alignment),
                             .column = alignment->target.start - alignment->target.begin,
                             .at_start = true};
  path steps = {0};
  cla_status status = CLA_OK;
  for (size_t i = alignment->run_count; i-- > 0 && status == CLA_OK;)
    status = path_add(&steps, alignment->runs[i].kind, alignment->runs[i].length, error);
  if (status == CLA_OK) status = save_path(c, &start, &steps, error);
  path_free(&steps);
  return status;
}

cla_status checkpoint_save_result(checkpoint *c, const cla_alignment *alignment, cla_error *error) {
  const cla_alignment *alignments[] = {alignment};
  char *result = NULL;
  cla_status status = path_join(&result, c->options->run.directory, "result.cla", error);
  if (status == CLA_OK) status = cla_alignment_save(result, alignments, 1, error);
  free(result);
  return status;
}

cla_status checkpoint_end_run(checkpoint *c, cla_error *error) {
  c->state.finished = true;
  cla_status status = run_state_write(c->options->run.directory, &c->run, &c->state, error);
  if (status == CLA_OK) run_folder_remove_rows(c->options->run.directory);
  return status;
}

cla_status checkpoint_finish(checkpoint *c, const cla_alignment *alignment, cla_error *error) {
  cla_status status = alignment->has_path ? save_whole_path(c, alignment, error) : CLA_OK;
  if (status == CLA_OK) status = checkpoint_save_result(c, alignment, error);
  c->state.cells = alignment->metrics.cells_computed;
  c->state.seconds = alignment->metrics.seconds;
  return status == CLA_OK ? checkpoint_end_run(c, error) : status;
}
