#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/extremes.h"
#include "base/files.h"
#include "base/machine.h"
#include "bounds/potential.h"
#include "certain/certain_internal.h"
#include "pipeline/pipeline.h"
#include "result/alignment.h"
#include "result/path_check.h"
#include "seq/alphabet.h"
#include "seq/sequence.h"

/* The largest delta: losses are stored in 32 bits. */
#define DELTA_MOST (INT64_C(1) << 29)
/* The work that levels may take, by cells of the matrix: more would not save time. */
#define BOUNDS_WORK 16
/* The part of the memory that the arrays of threads may take, as a divisor. */
#define READERS_SHARE 8

void cla_certify_options_init(cla_certify_options *options) {
  memset(options, 0, sizeof *options);
  options->delta = -1;
}

void cla_certificate_free(cla_certificate *certificate) {
  if (!certificate) return;
  free(certificate->margins);
  free(certificate->ceilings);
  free(certificate->supports);
  free(certificate->blocks);
  for (int64_t i = 0; i < certificate->displacement_count; i++) free(certificate->displacements[i].margins);
  free(certificate->displacements);
  free(certificate->stability);
  cla_alignments_free(certificate->optimal, (size_t)certificate->optimal_count);
  free(certificate);
}

/* The state of a call. */
typedef struct certifying {
  const cla_alignment *alignment;
  const cla_certify_options *options;
  const certify_bounds *bounds;
  rotated_pair pair;
  uint8_t *turned; /* owned; the reverse complement of the query's range, or NULL */
  score_table table;
  pair_problem problem;
  lower_bound bound;                 /* the alignment's own path; its runs are not owned */
  int64_t query_first, target_first; /* positions of the matrix' first letters on the strand */
  bound_stop stop;
  cuts cuts;
  optimal_graph graph;
  potential *potential;
  replay *values;
  int64_t memory_bytes; /* budget of host memory */
  int threads;
  double began;
  cla_error *error;
} certifying;

static cla_status tick(void *user, int64_t cells, cla_error *error) {
  certifying *w = user;
  if (!w->options->progress) return CLA_OK;
  const double all = 1.2 * (double)w->problem.rows * (double)w->problem.columns;
  const cla_progress progress = {.stage = "certificate",
                                 .fraction = w->potential ? 0 : (double)cells / all,
                                 .cells_done = cells,
                                 .seconds = machine_seconds() - w->began,
                                 .seconds_left = -1};
  if (w->options->progress(&progress, w->options->progress_user)) return CLA_OK;
  return error_set(error, CLA_ERROR_INTERRUPTED, "cancelled");
}

static cla_status tick_bounds(void *user, cla_error *error) {
  return tick(user, 0, error);
}

static cla_status check(const certifying *w, cla_error *error) {
  const cla_alignment *a = w->alignment;
  const cla_certify_options *options = w->options;
  if (a->has_band)
    return error_set(error, CLA_ERROR_OPTION,
                     "an alignment within a band is no optimum, so it has no certificate; align without a "
                     "band");
  if (!a->has_path || path_is_empty(a))
    return error_set(error, CLA_ERROR_OPTION,
                     "an alignment without columns has no certificate; align with a path");
  if (options->delta > DELTA_MOST)
    return error_set(error, CLA_ERROR_OPTION, "the largest margin to find is at most %lld, not %lld",
                     (long long)DELTA_MOST, (long long)options->delta);
  if (options->optimal_most > 0 && a->scoring.gap_first == 0 && a->mode != CLA_MODE_GLOBAL && !a->has_split)
    return error_set(
        error, CLA_ERROR_OPTION,
        "optimal alignments cannot be listed if gaps cost nothing and ends are free: each may have "
        "any gaps at its ends; raise the cost of gaps, or align global");
  for (int64_t i = 0; i < options->displacement_count; i++)
    if (options->displacements[i] < 1)
      return error_set(error, CLA_ERROR_OPTION, "a displacement is at least 1 diagonal, not %lld",
                       (long long)options->displacements[i]);
  return CLA_OK;
}

/* Sets the problem: the letters that the alignment had to choose from, or the letters of a piece alone. */
static cla_status set_problem(certifying *w, cla_error *error) {
  const cla_alignment *a = w->alignment;
  const bool reverse = a->strand == CLA_STRAND_REVERSE;
  int64_t begin = a->has_split ? a->query.start : a->query.begin,
          end = a->has_split ? a->query.stop : a->query.end;
  const int64_t target = a->has_split ? a->target.start : a->target.begin,
                target_end = a->has_split ? a->target.stop : a->target.end;
  const uint8_t *query = sequence_codes(w->pair.query) + begin;
  if (reverse) {
    cla_status status = ALLOCATE_ARRAY(&w->turned, end - begin, "the reverse complement", error);
    if (status != CLA_OK) return status;
    reverse_complement_codes(w->turned, query, end - begin);
    query = w->turned;
  }
  w->query_first = reverse ? a->query.length - end : begin;
  w->target_first = target;
  w->problem = (pair_problem){
      .query = query,
      .target = sequence_codes(w->pair.target) + target,
      .rows = end - begin,
      .columns = target_end - target,
      .scheme = {&a->scoring, &w->table,
                 a->has_split ? path_ends_make(CLA_MODE_GLOBAL, 0) : path_ends_make(a->mode, a->free_ends)}};
  pair_strands_table(&w->table, &a->scoring, w->pair.query);
  score_table_keep(&w->table, letter_codes_met(query, w->problem.rows),
                   letter_codes_met(w->problem.target, w->problem.columns));
  return CLA_OK;
}

static int64_t choose_delta(const certifying *w) {
  const cla_scoring *s = &w->alignment->scoring;
  int64_t delta = w->options->delta;
  if (delta < 0) delta = larger(w->table.maximum, 0) + 2 * (int64_t)s->gap[0].first;
  /* The empty alignment lacks all columns, and scores 0. */
  return w->problem.scheme.ends.floor ? smaller(delta, larger(w->alignment->score - 1, 0)) : delta;
}

static void set_bound(certifying *w) {
  const cla_alignment *a = w->alignment;
  int64_t rows = 0, columns = 0;
  for (size_t i = 0; i < a->run_count; i++) {
    if (a->runs[i].kind != CLA_RUN_TARGET) rows += a->runs[i].length;
    if (a->runs[i].kind != CLA_RUN_QUERY) columns += a->runs[i].length;
  }
  const int64_t row = strand_query_start(a) - w->query_first, column = a->target.start - w->target_first;
  w->bound = (lower_bound){.source = LOWER_BOUND_PATH,
                           .score = a->score,
                           .has_path = true,
                           .path_score = a->score,
                           .query_start = row,
                           .target_start = column,
                           .query_stop = row + rows,
                           .target_stop = column + columns,
                           .runs = a->runs,
                           .run_count = a->run_count};
}

static void set_budgets(certifying *w) {
  const cla_align_options budgets = {
      .budgets = {.memory_bytes = w->options->memory_bytes, .threads = w->options->threads}};
  w->memory_bytes = align_memory_budget(&budgets);
  w->threads = align_threads(&budgets);
}

/* Makes levels of bounds where they can save time. */
static cla_status make_potential(certifying *w, cla_error *error) {
  const path_ends *ends = &w->problem.scheme.ends;
  const bool corner = !ends->anywhere && !ends->query_end && !ends->target_end;
  potential_levels levels;
  if (smaller(w->problem.rows, w->problem.columns) < w->bounds->letters || !potential_possible(&w->problem) ||
      (!corner && w->alignment->score <= 0))
    return CLA_OK;
  w->stop = (bound_stop){.tick = tick_bounds, .user = w, .error = error};
  const bound_pair pair = {.problem = w->problem, .stop = &w->stop, .ticks = true};
  const bool given = w->bounds->shape.chunk_rows > 0;
  const double cells = given ? 1e15 : (double)w->problem.rows * (double)w->problem.columns;
  const potential_input input = {.pair = &pair,
                                 .bound = &w->bound,
                                 .threads = w->threads,
                                 .work_most = (int64_t)(cells / BOUNDS_WORK) + 1,
                                 .bytes_most = w->memory_bytes / 4,
                                 .spread_most = cells / BOUNDS_WORK,
                                 .edits = true,
                                 .margin = w->cuts.delta,
                                 .shape = w->bounds->shape};
  cla_status status = potential_make(&w->potential, &levels, &input, error);
  return status == CLA_OK ? (cla_status)atomic_load(&w->stop.status) : status;
}

/* Returns the input of the sweep back. */
static near_optimal_input back_of(certifying *w) {
  const int64_t readers = w->memory_bytes / READERS_SHARE / (replay_reader_bytes(w->values) + 1);
  return (near_optimal_input){.values = w->values,
                              .bytes_limit = w->memory_bytes / 2,
                              .threads = (int)larger(smaller(w->threads, readers), 1),
                              .regions = w->bounds->regions,
                              .ways_most = w->options->optimal_most,
                              .tick = tick,
                              .tick_user = w};
}

/* Sweeps forward and back. */
static cla_status sweep(certifying *w, int64_t *cells, cla_error *error) {
  live_band_outcome outcome;
  replay_input input = {.problem = &w->problem,
                        .potential = w->potential,
                        .bound = &w->bound,
                        .margin = w->cuts.delta,
                        .threads = w->threads,
                        .parts = w->bounds->parts,
                        .line_interval = w->bounds->line_interval,
                        .bytes_limit = w->memory_bytes / 2,
                        .tick = tick,
                        .tick_user = w};
  cla_status status = replay_make(&w->values, &outcome, &input, error);
  if (status == CLA_OK && outcome == LIVE_BAND_TOO_LARGE)
    return error_set(error, CLA_ERROR_MEMORY,
                     "the certificate needs more memory than %lld MiB; raise --memory, or lower --certify",
                     (long long)(w->memory_bytes >> 20));
  if (status != CLA_OK) return status;
  const near_optimal_input back = back_of(w);
  return near_optimal_sweep(&w->cuts, &w->graph, cells, &back, error);
}

/* Converts a block's rows and columns to positions in the records, and adds it to the certificate. */
static void put_block(cla_certificate *out, const certifying *w, const found_block *found) {
  memcpy(out->supports + found->block.first_column, found->supports,
         (size_t)found->block.columns * sizeof *out->supports);
  const bool reverse = w->alignment->strand == CLA_STRAND_REVERSE;
  cla_ambiguous_block *to = &out->blocks[out->block_count++];
  int32_t loss = (int32_t)w->cuts.delta + 1;
  *to = found->block;
  for (int i = 0; i < 2; i++) {
    if (found->lines[i] < 0) continue;
    if (found->losses[i] < loss) loss = found->losses[i];
    const int32_t outside = cuts_outside_line(&w->cuts, found->lines[i]);
    if (outside < loss) loss = outside;
  }
  to->margin = loss;
  const int64_t start = found->block.query_start + w->query_first,
                stop = found->block.query_stop + w->query_first;
  to->query_start = reverse ? w->alignment->query.length - stop : start;
  to->query_stop = reverse ? w->alignment->query.length - start : stop;
  to->target_start += w->target_first;
  to->target_stop += w->target_first;
}

static cla_status put_blocks(cla_certificate *out, const certifying *w, cla_error *error) {
  const optimal_graph *g = &w->graph;
  cla_status status = ALLOCATE_ARRAY(&out->blocks, g->block_count + 1, "a certificate", error);
  for (int64_t i = g->block_count - 1; i >= 0 && status == CLA_OK; i--) {
    put_block(out, w, &g->blocks[i]);
    out->log10_alignments += g->blocks[i].block.log10_alignments;
  }
  out->unique = g->block_count == 0;
  return status;
}

/* Makes the certificate's arrays, the cuts and the graph. */
static cla_status begin(cla_certificate *out, certifying *w, cla_error *error) {
  const cla_alignment *a = w->alignment;
  w->cuts = (cuts){.problem = &w->problem,
                   .optimum = a->score,
                   .delta = choose_delta(w),
                   .start_row = w->bound.query_start,
                   .start_column = w->bound.target_start,
                   .diagonals = w->options->displacements,
                   .displacements = w->options->displacement_count};
  out->delta = w->cuts.delta;
  cla_status status = cuts_make(&w->cuts, a->runs, a->run_count, error);
  if (status == CLA_OK)
    status = ALLOCATE_ARRAY(&out->ceilings, w->cuts.column_count + 1, "a certificate", error);
  if (status == CLA_OK)
    status = ALLOCATE_ARRAY(&out->supports, w->cuts.column_count + 1, "a certificate", error);
  for (int64_t i = 0; i < w->cuts.column_count && status == CLA_OK; i++) out->supports[i] = 1;
  graph_begin(&w->graph, &w->cuts, NULL, -1);
  if (status == CLA_OK) ceilings_find(out->ceilings, &w->cuts, a->runs, a->run_count);
  return status;
}

static cla_status check_block_number(const cla_certificate *certificate, int64_t block, cla_error *error) {
  if (block >= 0 && block < certificate->block_count) return CLA_OK;
  if (certificate->block_count == 0)
    return error_set(error, CLA_ERROR_OPTION,
                     "there is no block to draw: this is the only alignment with its score");
  return error_set(error, CLA_ERROR_OPTION,
                   "there is no block %lld: the alignment has blocks 1 to %lld, in the order of the target",
                   (long long)block + 1, (long long)certificate->block_count);
}

/* Sweeps back again, and writes the graph of the options' block. The same edges do not change the cuts. */
static cla_status write_graph(const cla_certificate *made, certifying *w, const list_origin *origin,
                              cla_error *error) {
  const cla_certify_options *options = w->options;
  optimal_graph again;
  atomic_file *file = NULL;
  int64_t cells = 0;
  cla_status status = check_block_number(made, options->graph_block, error);
  if (status != CLA_OK) return status;
  near_graph graph = {.number = options->graph_block + 1,
                      .letters = sequence_alphabet(w->pair.query)->letters};
  near_graph_place(&graph, &made->blocks[options->graph_block], origin);
  near_optimal_input back = back_of(w);
  back.threads = 1;
  back.regions = 1;
  back.ways_most = 0;
  back.graph = &graph;
  graph_begin(&again, &w->cuts, NULL, -1);
  status = near_optimal_sweep(&w->cuts, &again, &cells, &back, error);
  if (status == CLA_OK) status = atomic_file_open(&file, options->graph, error);
  if (status == CLA_OK) {
    near_graph_write(atomic_file_stream(file), &graph, &w->cuts);
    status = atomic_file_commit(file, error);
  }
  graph_free(&again);
  graph_free(&graph.graph);
  return status;
}

static cla_status certify(cla_certificate *out, certifying *w, cla_error *error) {
  int64_t score = 0;
  cla_status status = check(w, error);
  if (status == CLA_OK)
    status = alignment_rescore(&score, w->alignment, w->pair.query, w->pair.target, error);
  if (status == CLA_OK && score != w->alignment->score)
    status = error_set(error, CLA_ERROR_VERIFICATION,
                       "verification failed: the path scores %lld, not %lld; align again", (long long)score,
                       (long long)w->alignment->score);
  if (status == CLA_OK) status = set_problem(w, error);
  if (status != CLA_OK) return status;
  set_bound(w);
  set_budgets(w);
  const list_origin origin = {w->alignment, w->query_first, w->target_first, w->memory_bytes / 2};
  status = begin(out, w, error);
  if (status == CLA_OK) status = make_potential(w, error);
  if (status == CLA_OK) status = sweep(w, &out->cells, error);
  if (status != CLA_OK) return status;
  cuts_finish(&w->cuts);
  status = cuts_margins(out, &w->cuts, error);
  if (status == CLA_OK) status = put_blocks(out, w, error);
  if (status == CLA_OK && w->options->graph) status = write_graph(out, w, &origin, error);
  if (status != CLA_OK || w->options->optimal_most <= 0) return status;
  return optimal_list_make(out, &w->graph, &origin, w->options->optimal_most, error);
}

cla_status certificate_make(cla_certificate **out, const cla_results *pair,
                            const cla_certify_options *options, const certify_bounds *bounds,
                            cla_error *error) {
  certifying w = {
      .alignment = pair->alignments[0], .options = options, .bounds = bounds, .began = machine_seconds()};
  cla_certificate *made = NULL;
  *out = NULL;
  cla_status status = path_check_fit(w.alignment, pair->query, pair->target, error);
  if (status == CLA_OK) status = rotated_pair_make(&w.pair, w.alignment, pair->query, pair->target, error);
  if (status == CLA_OK) status = ALLOCATE_ZEROS(&made, 1, "a certificate", error);
  if (status == CLA_OK) status = certify(made, &w, error);
  if (made) made->seconds = machine_seconds() - w.began;
  if (status == CLA_OK)
    *out = made;
  else
    cla_certificate_free(made);
  replay_free(w.values);
  potential_free(w.potential);
  cuts_free(&w.cuts);
  graph_free(&w.graph);
  free(w.turned);
  rotated_pair_free(&w.pair);
  return status;
}

cla_status cla_certify(cla_certificate **out, const cla_alignment *alignment, const cla_sequence *query,
                       const cla_sequence *target, const cla_certify_options *options, cla_error *error) {
  const cla_results pair = {.alignments = &alignment, .count = 1, .query = query, .target = target};
  const certify_bounds bounds = {.letters = BOUNDS_LETTERS};
  return certificate_make(out, &pair, options, &bounds, error);
}
