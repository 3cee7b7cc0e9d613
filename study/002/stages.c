/* The six stages of CUDAlign 2.1, one after the other (section 4.3, figure 7). A row of the study tells one
 * of them; all are run, so that each result ends as a path that the oracle checks. */

#include "stages.h"

#include <stdlib.h>

#include "base/error.h"

#define STAGES 6

/* What is handed from stage to stage. All is owned. */
typedef struct stages_state {
  const study_task *task;
  stage_choice choice;
  stage_work work; /* with the cells of the current stage */
  crosspoint end;
  special_rows rows;
  special_columns columns;
  crosspoint_list traced, points; /* of stage 2, of stages 3 and 4 */
  binary_alignment binary;
  int64_t cells[STAGES + 1];
  double seconds[STAGES + 1];
} stages_state;

/* Stage 1 where there is no device: one thread, the end alone. */
static cla_status sweep_on_host(stages_state *s, study_result *out, cla_error *error) {
  double last = machine_seconds();
  gotoh_end best;
  const pair_problem *pair = &s->task->problem->pair;
  const cla_status status = gotoh_sweep(&best, s->task->problem, error);
  s->end = (crosspoint){best.i, best.j, best.score, CROSS_PLAIN};
  s->rows.step = 1;
  out->compute = study_lap(&last);
  out->cells_computed = pair->rows * pair->columns;
  return status;
}

static cla_status stage1(stages_state *s, study_result *out, cla_error *error) {
  const cla_status status = s->choice.on_host
                                ? sweep_on_host(s, out, error)
                                : stage1_sweep(&s->end, &s->rows, out, s->task, s->choice.prune, error);
  s->seconds[1] = out->prepare + out->compute + out->transfer;
  s->cells[1] = out->cells_computed;
  return status;
}

/* The time and the cells of a stage that has ended. */
static void note(stages_state *s, int stage, double *last) {
  s->seconds[stage] = study_lap(last);
  s->cells[stage] = s->work.cells;
  s->work.cells = 0;
}

/* Stages 2 to 6. */
static cla_status find_path(stages_state *s, study_result *out, cla_error *error) {
  const int threads = s->choice.on_host ? 1 : machine_threads();
  special_columns *keep = s->choice.orthogonal ? &s->columns : NULL;
  double last = machine_seconds();
  cla_status status = stage2_trace(&s->traced, &s->work, &s->end, &s->rows, keep, error);
  note(s, 2, &last);
  if (status == CLA_OK) status = stage3_split(&s->points, &s->work, &s->traced, &s->columns, error);
  note(s, 3, &last);
  if (status == CLA_OK) status = stage4_split(&s->points, &s->work, s->choice.balanced, threads, error);
  note(s, 4, &last);
  if (status == CLA_OK) status = stage5_align(&s->binary, &s->work, &s->points, error);
  note(s, 5, &last);
  if (status == CLA_OK) status = stage6_reconstruct(out, &s->binary, error);
  note(s, 6, &last);
  return status;
}

/* What the row tells: its stage's time and cells, or those of all. */
static void tell(study_result *out, const stages_state *s) {
  const int stage = s->choice.stage;
  if (stage > 1) {
    out->prepare = out->transfer = 0;
    out->compute = s->seconds[stage];
    out->cells_computed = s->cells[stage] > 0 ? s->cells[stage] : STUDY_NO_CELLS;
    out->stored_bytes = 0;
  }
  for (int64_t k = 0; k < s->columns.count && stage == 2; k++)
    out->stored_bytes += 2 * (s->columns.columns[k].places + 1) * (int64_t)sizeof(int32_t);
  for (int k = 2; k <= STAGES && stage == 0; k++) {
    out->trace += s->seconds[k];
    out->cells_computed += s->cells[k];
  }
}

/* All special rows' H for the check, where they are those of the whole matrix. */
static void give_rows(study_result *out, stages_state *s) {
  if (s->choice.on_host || s->choice.prune) return;
  out->cells[0] = (study_cells){s->rows.h, s->rows.step, 1, s->rows.stride, 1};
  s->rows.h = NULL;
}

static void free_state(stages_state *s) {
  for (int64_t k = 0; k < s->columns.count; k++) {
    free(s->columns.columns[k].h);
    free(s->columns.columns[k].e);
  }
  free(s->columns.columns);
  free(s->rows.h);
  free(s->rows.f);
  free(s->traced.points);
  free(s->points.points);
  free(s->binary.along.gaps);
  free(s->binary.down.gaps);
}

/* A wrong result's message names the system, as those of study_check do. */
static cla_status named(cla_status status, const study_task *task, cla_error *error) {
  const cla_error found = *error;
  if (status != CLA_ERROR_VERIFICATION) return status;
  return error_set(error, status, "%s: %s", task->system->name, found.message);
}

cla_status stages_run(study_result *out, const study_task *task, const stage_choice *choice,
                      cla_error *error) {
  const pair_problem *pair = &task->problem->pair;
  stages_state s = {.task = task, .choice = *choice, .columns.step = task->setting.columns};
  s.work.pair = (letter_pair){pair->query, pair->target, gotoh_costs_of(task->problem)};
  cla_status status = stage1(&s, out, error);
  out->score = s.end.score;
  out->query_end = s.end.i;
  out->target_end = s.end.j;
  if (status == CLA_OK && out->score > 0) status = find_path(&s, out, error);
  tell(out, &s);
  give_rows(out, &s);
  free_state(&s);
  return named(status, task, error);
}
