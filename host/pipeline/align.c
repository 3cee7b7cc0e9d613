#include "clalign/align.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/extremes.h"
#include "base/machine.h"
#include "pipeline/align_banded.h"
#include "pipeline/align_bound.h"
#include "pipeline/align_input.h"
#include "pipeline/checkpoint.h"
#include "pipeline/circular.h"
#include "pipeline/empty_pair.h"
#include "pipeline/pair_letters.h"
#include "pipeline/pipeline.h"
#include "pipeline/predict.h"
#include "pipeline/self_test.h"
#include "pipeline/sweep_end.h"
#include "pipeline/time_left.h"
#include "pipeline/traceback.h"
#include "plan/explain.h"
#include "result/alignment_create.h"
#include "result/path_check.h"
#include "result/strand_view.h"
#include "seq/reverse_complement.h"

#define SECONDS_BETWEEN_REPORTS 0.1

void cla_align_options_init(cla_align_options *options) {
  memset(options, 0, sizeof *options);
  cla_scoring_init(&options->scoring);
  options->mode = CLA_MODE_LOCAL;
  options->special_rows = -1;
}

/* One run of the pipeline. */
typedef struct run {
  const cla_align_options *options;
  plan_input input;
  cla_sequence *turned;   /* the query on the reverse strand, or NULL; owned */
  strand_rival *rival;    /* or NULL */
  const used_pairs *used; /* that no path may make, or NULL */
  plan plan;
  score_table table;
  const uint8_t *query, *target; /* codes of the ranges */
  int64_t query_begin, target_begin;
  lower_bound bound; /* of the score, known before the sweep */
  wavefront *engine;
  special_rows *kept;
  checkpoint *checkpoint; /* of a run directory, or NULL */
  sweep_start start;
  const char *stage;
  double began, reported;
  int64_t done_before;  /* cells of the stages that have ended */
  int64_t stage_before; /* cells of this stage that were done when the run was resumed */
} run;

/* What can be refused before a run directory is made. From here on the query is *strand, the one that is
 * aligned: a sequence like any other. */
static cla_status check_pair(run *r, const cla_sequence **strand, const cla_sequence *query,
                             const cla_sequence *target, const cla_align_options *options, cla_error *error) {
  cla_status status = cla_scoring_check(&options->scoring, error);
  *strand = query;
  if (status == CLA_OK) status = empty_pair_check(query, target, options, error);
  if (status == CLA_OK) status = align_strand_check(options->strand, error);
  if (status == CLA_OK) status = align_banded_check(options, error);
  if (status == CLA_OK && options->strand == CLA_STRAND_REVERSE) {
    status = sequence_reverse_complement(&r->turned, query, error);
    *strand = r->turned;
  }
  return status == CLA_OK ? pair_letters_check(&options->scoring, *strand, target, error) : status;
}

static cla_status prepare(run *r, const cla_device_info *device, const cla_sequence *query,
                          const cla_sequence *target, const cla_align_options *options, cla_error *error) {
  r->options = options;
  r->query = sequence_codes(query) + cla_sequence_begin(query);
  r->target = sequence_codes(target) + cla_sequence_begin(target);
  r->query_begin = cla_sequence_begin(query);
  r->target_begin = cla_sequence_begin(target);
  cla_status status =
      align_input_make(&r->input, &r->table, device, cla_sequence_end(query) - cla_sequence_begin(query),
                       cla_sequence_end(target) - cla_sequence_begin(target), options, error);
  r->input.alphabet = cla_sequence_alphabet(query);
  r->input.reverse = options->strand == CLA_STRAND_REVERSE;
  if (status == CLA_OK) pair_letters_table(&r->table, &options->scoring, query, target);
  if (status == CLA_OK && r->used) score_table_use(&r->table, &options->scoring, r->used);
  return status == CLA_OK ? plan_make(&r->plan, &r->input, error) : status;
}

/* Reports progress, a few times a second at most, and asks whether to go on. */
static cla_status report(void *user, int64_t cells, cla_error *error) {
  run *r = user;
  const double now = machine_seconds();
  if (!r->options->progress || now - r->reported < SECONDS_BETWEEN_REPORTS) return CLA_OK;
  r->reported = now;
  cla_progress progress = {
      .stage = r->stage, .cells_done = r->stage_before + cells, .seconds = now - r->began + r->bound.seconds};
  time_left(&progress, &r->plan, r->done_before + r->stage_before + cells);
  if (r->options->progress(&progress, r->options->progress_user)) return CLA_OK;
  return error_set(error, CLA_ERROR_INTERRUPTED, "interrupted during the %s%s", r->stage,
                   r->checkpoint ? "" : "; nothing was written");
}

static cla_status put_sweep_row(void *user, const region_row_part *part, cla_error *error) {
  run *r = user;
  const region_row_part moved = sweep_start_part(&r->start, part);
  return special_rows_put(r->kept, &moved, error);
}

static cla_status open_rows(run *r, cla_error *error) {
  const row_shape shape = {.nodes = r->input.columns + 1,
                           .largest_score = r->table.maximum,
                           .scoring = &r->options->scoring,
                           .floor = r->input.ends.floor};
  if (r->checkpoint) return checkpoint_rows(&r->kept, r->checkpoint, &shape, error);
  return r->plan.row_interval > 0 ? special_rows_create(&r->kept, &shape, error) : CLA_OK;
}

static cla_status report_bound(void *user, cla_error *error) {
  return report(user, 0, error);
}

static cla_status find_bound(run *r, cla_error *error) {
  const align_bound_input input = {.whole = &r->input,
                                   .options = r->options,
                                   .query = r->query,
                                   .target = r->target,
                                   .query_begin = r->query_begin,
                                   .target_begin = r->target_begin,
                                   .rival = r->rival,
                                   .tick = report_bound,
                                   .tick_user = r};
  if (!align_bound_wanted(&r->plan, &input)) return CLA_OK;
  r->stage = "lower bound search";
  r->began = r->reported = machine_seconds();
  return align_bound_find(&r->bound, &r->plan, &input, error);
}

/* All that is known before anything is computed; ends with free_prepared, also after an error. */
static cla_status look_ahead(run *r, const cla_device *device, const cla_sequence *query,
                             const cla_sequence *target, const cla_align_options *options, cla_error *error) {
  const cla_sequence *strand = NULL;
  cla_status status = check_pair(r, &strand, query, target, options, error);
  if (status == CLA_OK) status = circular_plan_check(strand, target, options, error);
  if (status == CLA_OK) status = prepare(r, cla_device_describe(device), strand, target, options, error);
  return status == CLA_OK ? find_bound(r, error) : status;
}

static void free_prepared(run *r) {
  lower_bound_free(&r->bound);
  cla_sequence_free(r->turned);
}

cla_status cla_explain(char **out, const cla_device *device, const cla_sequence *query,
                       const cla_sequence *target, const cla_align_options *options, cla_error *error) {
  run r = {0};
  *out = NULL;
  cla_status status = look_ahead(&r, device, query, target, options, error);
  if (status == CLA_OK) status = plan_explain(out, &r.plan, &r.input, error);
  free_prepared(&r);
  return status;
}

cla_status pipeline_predict_strand(cla_prediction *out, strand_rival *rival, const cla_device *device,
                                   const cla_sequence *query, const cla_sequence *target,
                                   const cla_align_options *options, cla_error *error) {
  run r = {.rival = rival};
  memset(out, 0, sizeof *out);
  cla_status status = look_ahead(&r, device, query, target, options, error);
  if (status == CLA_OK) status = prediction_make(out, &r.plan, &r.input, error);
  out->bound_seconds = r.bound.seconds;
  const bool known = r.bound.source != LOWER_BOUND_NONE;
  if (known && (!rival->given || r.bound.score >= rival->least))
    *rival = (strand_rival){.given = true, .least = r.bound.score + 1};
  free_prepared(&r);
  return status;
}

/* Tells the plan to those who asked for it. */
static cla_status tell_plan(const run *r, cla_error *error) {
  char *text = NULL;
  if (!r->options->explain) return CLA_OK;
  cla_status status = plan_explain(&text, &r->plan, &r->input, error);
  if (status == CLA_OK) r->options->explain(text, r->options->explain_user);
  free(text);
  return status;
}

/* The forward sweep: score, end cell and special rows. */
static cla_status sweep(run *r, trace_point *end, cla_metrics *metrics, cla_error *error) {
  const cla_scoring *scoring = &r->options->scoring;
  const path_ends *ends = &r->input.ends;
  const best_kind best = path_ends_best(ends);
  int64_t *bottom = NULL;
  region_result result;
  cla_status status = CLA_OK;
  if (path_ends_in_last_row(ends))
    status = allocate_array((void **)&bottom, r->input.columns + 1, sizeof *bottom, "the last row", error);
  if (status == CLA_OK && r->checkpoint)
    status =
        checkpoint_sweep_start(&r->start, r->checkpoint, r->kept, r->input.rows, r->input.columns, error);
  if (status != CLA_OK) goto done;
  r->began -= r->start.seconds;
  r->stage_before = r->start.row * r->input.columns;
  if (r->checkpoint) special_rows_set_begin(r->kept, r->began);
  sweep_end_begin(&r->start, &r->input);
  const border_rule gap = border_of_gap(scoring, 0), zero = {0};
  const region whole = {
      .row = r->start.row,
      .rows = r->input.rows - r->start.row,
      .columns = r->input.columns,
      .floor = ends->floor,
      .best = best,
      .prune = r->plan.prune,
      .bound = best == BEST_NONE ? r->plan.bound : larger(r->plan.bound, r->start.best_score),
      .down_ext = path_ends_down_ext(ends, scoring),
      .across_ext = path_ends_across_ext(ends, scoring),
      .corner = r->start.top_h ? r->start.top_h[0] : 0,
      .left = ends->query_start ? zero : border_of_gap(scoring, r->start.row),
      .top = ends->target_start ? zero : gap,
      .top_h = r->start.top_h,
      .top_f = r->start.top_f,
      .top_f2 = r->start.top_f2,
      .bottom = bottom,
      .row_interval = r->plan.row_interval,
      .sink = put_sweep_row,
      .sink_threads = r->checkpoint ? 1 : r->plan.threads,
      .tick = report,
      .user = r};
  r->stage = "forward sweep";
  status = wavefront_solve(&result, r->engine, &whole, &r->plan.sweep, error);
  if (status != CLA_OK) goto done;
  metrics->cells_computed = result.cells;
  metrics->sweep_seconds = machine_seconds() - r->began;
  *end = sweep_end(&r->start, &r->input, &result, bottom);
  if (r->checkpoint) status = checkpoint_swept(r->checkpoint, r->kept, end, metrics, error);

done:
  sweep_start_free(&r->start);
  free(bottom);
  return status;
}

static cla_status trace(run *r, cla_alignment *alignment, const trace_point *end, cla_error *error) {
  traceback t = {.engine = r->engine,
                 .plan = &r->plan,
                 .input = &r->input,
                 .query = r->query,
                 .target = r->target,
                 .tick = report,
                 .tick_user = r,
                 .save = r->checkpoint ? checkpoint_save_path : NULL,
                 .save_user = r->checkpoint,
                 .point = *end};
  r->done_before = r->plan.sweep_cells;
  r->stage_before = 0;
  r->stage = "traceback";
  const double began = machine_seconds();
  cla_status status = r->checkpoint ? checkpoint_load_path(r->checkpoint, &t.point, &t.steps, error) : CLA_OK;
  if (status == CLA_OK) status = traceback_run(&t, r->kept, error);
  t.bands.seconds = machine_seconds() - began - t.search.seconds - t.blocks.seconds;
  alignment->metrics.cells_computed += t.cells;
  alignment->metrics.search = t.search;
  alignment->metrics.blocks = t.blocks;
  alignment->metrics.bands = t.bands;
  if (status == CLA_OK) {
    path_finish(&t.steps, &alignment->runs, &alignment->run_count);
    alignment->has_path = true;
    alignment->query.start = alignment->query.begin + t.point.row;
    alignment->target.start = alignment->target.begin + t.point.column;
  }
  path_free(&t.steps);
  return status;
}

/* Whether two configs are built from the same source in the same way. */
static bool same_build(const kernel_config *a, const kernel_config *b) {
  return a->variant == b->variant && a->lanes == b->lanes && a->alpha == b->alpha && a->launch == b->launch;
}

/* Builds and tests every kernel that the stages may launch; what passed is kept for the next run. */
static cla_status prepare_kernels(run *r, cla_device *device, cla_error *error) {
  /* A run that goes on may have lost rows. */
  const bool all_rows = r->plan.row_interval > 0 && !r->options->resume;
  const int64_t block = all_rows ? r->plan.row_interval : r->input.rows;
  const cla_scoring *scoring = &r->options->scoring;
  const kernel_config *sweep = &r->plan.sweep, *blocks = &r->plan.blocks;
  const path_ends *ends = &r->input.ends, fixed = {0};
  const best_kind best = path_ends_best(ends);
  cla_status status = self_test(device, sweep, scoring, &r->table, ends, best, r->plan.prune, error);
  if (status == CLA_OK && !r->input.score_only && plan_block_interval(&r->plan, block) > 0 &&
      (best != BEST_NONE || !same_build(sweep, blocks)))
    status = self_test(device, blocks, scoring, &r->table, ends, BEST_NONE, false, error);
  if (status == CLA_OK && !r->input.score_only && start_search_applies(&r->plan, &r->input, block))
    status = self_test(device, blocks, scoring, &r->table, &fixed, BEST_NONE, false, error);
  if (status == CLA_OK) wavefront_save_programs(r->engine);
  return status;
}

/* All stages, timed. */
static cla_status run_stages(run *r, cla_alignment *alignment, cla_error *error) {
  trace_point end = {0};
  r->began = r->reported = machine_seconds();
  const trace_point *known = r->checkpoint ? checkpoint_end(r->checkpoint, &alignment->metrics) : NULL;
  cla_status status = open_rows(r, error);
  if (known)
    end = *known;
  else if (status == CLA_OK)
    status = sweep(r, &end, &alignment->metrics, error);
  if (status == CLA_OK && align_bound_lost(&r->bound, r->rival, end.value)) {
    r->rival->lost = true;
    alignment->metrics.seconds = machine_seconds() - r->began + r->bound.seconds;
    return CLA_OK;
  }
  if (status == CLA_OK) status = lower_bound_check(&r->bound, end.value, &r->options->scoring, error);
  if (status != CLA_OK) return status;
  if (known) r->began -= alignment->metrics.seconds;
  alignment->score = end.value;
  const bool empty = r->input.ends.floor && end.value == 0;
  alignment->query.stop = empty ? 0 : alignment->query.begin + end.row;
  alignment->target.stop = empty ? 0 : alignment->target.begin + end.column;
  if (empty && !r->options->score_only) {
    alignment->has_path = true;
    alignment->query.start = alignment->target.start = 0;
  } else if (!r->options->score_only) {
    status = trace(r, alignment, &end, error);
  }
  alignment->metrics.seconds = machine_seconds() - r->began + r->bound.seconds;
  return status;
}

/* What the metrics say before anything is computed. */
static void describe_run(cla_metrics *metrics, const plan *what, const cla_device_info *device) {
  metrics->cells = what->sweep_cells;
  metrics->pruned = what->prune;
  metrics->lower_bound = what->bound;
  snprintf(metrics->device, sizeof metrics->device, "%s", device->name);
  snprintf(metrics->kernel, sizeof metrics->kernel, "%s", what->sweep.variant->name);
  metrics->lanes = what->sweep.lanes;
  metrics->lane_rows = what->sweep.alpha;
  metrics->tile_columns = what->sweep.tile_columns;
}

/* The alignment is of the reverse complement; what it says becomes what holds for the record. */
static void turn(cla_alignment *alignment, const cla_sequence *query) {
  side_turn(&alignment->query, path_is_nowhere(alignment));
  alignment->strand = CLA_STRAND_REVERSE;
  cla_sequence_checksum(query, alignment->query.checksum);
}

cla_status pipeline_align_strand(cla_alignment **out, cla_device *device, const cla_sequence *query,
                                 const cla_sequence *target, const cla_align_options *options,
                                 strand_rival *rival, const used_pairs *used, void (*adjust)(plan *whole),
                                 cla_error *error) {
  run r = {.rival = rival, .used = used};
  const cla_sequence *strand = NULL;
  cla_alignment *alignment = NULL;
  *out = NULL;
  cla_status status = check_pair(&r, &strand, query, target, options, error);
  if (status == CLA_OK && empty_pair(strand, target)) {
    status = empty_pair_align(&alignment, cla_device_describe(device), strand, target, options, rival, error);
    if (status == CLA_OK && r.turned) turn(alignment, query);
    if (status == CLA_OK) status = cla_alignment_verify(alignment, query, target, error);
    goto done;
  }
  if (status == CLA_OK && options->has_band) {
    status = align_banded(&alignment, strand, target, options, rival, error);
    if (status == CLA_OK && r.turned) turn(alignment, query);
    if (status == CLA_OK && !options->score_only && !(rival && rival->lost))
      status = cla_alignment_verify(alignment, query, target, error);
    goto done;
  }
  if (status == CLA_OK && options->run_dir)
    status = checkpoint_open(&r.checkpoint, query, target, options, error);
  if (status == CLA_OK) status = prepare(&r, cla_device_describe(device), strand, target, options, error);
  /* A sweep that is done needs no bound, but what was claimed is still to be proven. */
  const bool swept = r.checkpoint && checkpoint_end(r.checkpoint, NULL);
  if (status == CLA_OK && (!swept || options->lower_bound.kind == CLA_LOWER_BOUND_SCORE))
    status = find_bound(&r, error);
  if (status != CLA_OK) goto done;
  if (adjust) adjust(&r.plan);
  status = tell_plan(&r, error);
  if (status != CLA_OK) goto done;
  const wavefront_input input = {.query = r.query,
                                 .target = r.target,
                                 .query_length = r.input.rows,
                                 .target_length = r.input.columns,
                                 .scoring = &options->scoring,
                                 .table = &r.table,
                                 .device_memory_bytes = r.input.device_memory_bytes};
  status = alignment_create(&alignment, strand, target, options->mode, &options->scoring, error);
  if (status == CLA_OK) alignment->free_ends = options->free_ends;
  if (status == CLA_OK) status = wavefront_create(&r.engine, device, &input, error);
  if (status == CLA_OK) status = prepare_kernels(&r, device, error);
  if (status != CLA_OK) goto done;
  describe_run(&alignment->metrics, &r.plan, cla_device_describe(device));
  status = run_stages(&r, alignment, error);
  if (rival) rival->metrics = alignment->metrics;
  if (rival && rival->lost) goto done;
  if (status == CLA_OK && r.turned) turn(alignment, query);
  if (status == CLA_OK && !options->score_only)
    status = cla_alignment_verify(alignment, query, target, error);
  if (status == CLA_ERROR_VERIFICATION && r.checkpoint) checkpoint_forget_path(r.checkpoint);
  if (status == CLA_OK && r.checkpoint) status = checkpoint_finish(r.checkpoint, alignment, error);

done:
  wavefront_free(r.engine);
  special_rows_free(r.kept);
  lower_bound_free(&r.bound);
  checkpoint_close(r.checkpoint, status, error);
  cla_sequence_free(r.turned);
  if (status == CLA_OK && !(rival && rival->lost))
    *out = alignment;
  else
    cla_alignment_free(alignment);
  return status;
}
