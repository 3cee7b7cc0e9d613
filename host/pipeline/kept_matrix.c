#include "pipeline/kept_matrix.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "base/extremes.h"
#include "base/machine.h"
#include "plan/plan.h"

/* A pruned sweep replaces the kept matrix only if it has less than this fraction of the changed cells. The
 * reason: a pruned sweep serves one alignment, a kept matrix all further ones. */
#define PRUNED_SHARE 0.25
/* Time of the search for a bound, as a fraction of the time of a sweep. */
#define SERVES_SHARE 0.05

cla_status kept_matrix_create(kept_matrix **out, cla_error *error) {
  return ALLOCATE_ZEROS(out, 1, "the matrix for further alignments", error);
}

void kept_matrix_free(kept_matrix *matrix) {
  if (!matrix) return;
  special_rows_free(matrix->rows);
  free(matrix->bests);
  free(matrix);
}

int64_t kept_matrix_bytes(const kept_matrix *matrix) {
  if (!matrix || !matrix->rows) return 0;
  return special_rows_bytes(matrix->rows) + matrix->block_count * (int64_t)sizeof *matrix->bests;
}

int64_t kept_matrix_block_bytes(const kept_matrix *matrix) {
  const int64_t bytes = kept_matrix_bytes(matrix);
  return bytes > 0 ? bytes / matrix->block_count : 0;
}

static int64_t block_begin(const kept_matrix *m, int64_t block) {
  return block * m->block_rows;
}

static int64_t block_end(const kept_matrix *m, int64_t block, int64_t rows) {
  return smaller((block + 1) * m->block_rows, rows);
}

/* True if one of the paths uses a pair in the block, and the matrix does not exclude that path's pairs yet.
 */
static bool is_used(const kept_matrix *m, const used_pairs *used, int64_t begin, int64_t end) {
  int64_t first, last;
  for (int p = m->used_paths; p < used_pairs_paths(used); p++)
    if (used_pairs_rows(used, p, &first, &last) && first <= end && last > begin) return true;
  return false;
}

/* Returns the minimum fraction of the matrix that must be swept again. */
static double changed_share(const kept_matrix *m, const used_pairs *used, int64_t rows) {
  int64_t changed = 0;
  if (!m->whole) return 1;
  for (int64_t block = 0; block < m->block_count; block++) {
    const int64_t begin = block_begin(m, block), end = block_end(m, block, rows);
    if (is_used(m, used, begin, end)) changed += end - begin;
  }
  return (double)changed / (double)rows;
}

bool kept_matrix_serves(const strand_work *r) {
  const kept_matrix *m = r->job->rest ? r->job->rest->matrix : NULL;
  return m && changed_share(m, r->job->rest->used, r->sweep.input.rows) <= SERVES_SHARE;
}

/* Returns the number of processes that share the matrix' blocks. With GPUs, blocks are not shared: blocks
 * small enough for sharing leave a GPU idle. Measured on 2 Mbp at 10 %, three alignments: 9 s with one
 * H100, 38 s with two processes that have one H100 each. */
static int sharing_processes(const strand_work *r) {
  const plan_input *input = &r->sweep.input;
  return input->device->kind == CLA_DEVICE_GPU
             ? 1
             : align_processes(r->job->options, input->rows, input->columns);
}

void kept_matrix_choose(strand_work *r, const plan *unpruned) {
  kept_matrix *m = r->job->rest ? r->job->rest->matrix : NULL;
  const bool last = r->job->rest && r->job->rest->wanted <= 1;
  r->keeps = false;
  if (!m || r->job->options->score_only || r->checkpoint) return;
  /* The first alignment is likely to change most of the matrix. */
  const bool first = !r->job->rest->used && r->bound.source != LOWER_BOUND_NONE;
  const double worth =
      first ? 1 : changed_share(m, r->job->rest->used, r->sweep.input.rows) * (last ? 1 : PRUNED_SHARE);
  if (r->sweep.plan.prune && r->sweep.plan.prune_share <= worth) return;
  if (last && !m->whole) return;
  plan kept = *unpruned;
  plan_keep(&kept, &r->sweep.input, sharing_processes(r));
  if (kept.matrix_block_rows == 0) return;
  r->sweep.plan = kept;
  r->keeps = true;
}

static cla_status create_rows(special_rows **out, const strand_work *r, cla_error *error) {
  row_shape shape = sweep_row_shape(&r->sweep);
  shape.scoring =
      &r->job->rest->matrix->scoring; /* the matrix' copy of the scoring exists as long as the rows */
  return special_rows_create(out, &shape, error);
}

/* Makes a matrix without any computed block. */
static cla_status begin_matrix(strand_work *r, cla_error *error) {
  kept_matrix *m = r->job->rest->matrix;
  special_rows_free(m->rows);
  free(m->bests);
  *m = (kept_matrix){.block_rows = r->sweep.plan.matrix_block_rows, .scoring = r->job->options->scoring};
  m->block_count = (r->sweep.input.rows + m->block_rows - 1) / m->block_rows;
  cla_status status = ALLOCATE_ZEROS(&m->bests, m->block_count, "the best cells of blocks", error);
  if (status == CLA_OK) status = create_rows(&m->rows, r, error);
  if (status == CLA_OK) special_rows_pin(m->rows);
  return status;
}

void kept_matrix_fit(strand_work *r) {
  kept_matrix *m = r->job->rest ? r->job->rest->matrix : NULL;
  if (!r->keeps || !m || !m->whole) return;
  m->whole = plan_keep_fit(&r->sweep.plan, &r->sweep.input, m->block_rows);
}

static int descending(const void *a, const void *b) {
  const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x < y) - (x > y);
}

/* Sets *least to the lowest score that matters in the blocks `first` to `last`. It is the score that as
 * many other blocks reach as alignments are wanted. Lower scores are not searched for, which saves time
 * with dissimilar sequences. */
static cla_status least_wanted(int64_t *least, const strand_work *r, int64_t first, int64_t last,
                               cla_error *error) {
  const kept_matrix *m = r->job->rest->matrix;
  const int64_t wanted = larger(r->job->rest->wanted, 1);
  int64_t *scores = NULL;
  *least = 0;
  if (wanted >= m->block_count) return CLA_OK;
  cla_status status = ALLOCATE_ARRAY(&scores, m->block_count, "the best scores of blocks", error);
  if (status != CLA_OK) return status;
  for (int64_t i = 0; i < m->block_count; i++) scores[i] = i >= first && i <= last ? 0 : m->bests[i].score;
  qsort(scores, (size_t)m->block_count, sizeof *scores, descending);
  *least = scores[wanted - 1];
  free(scores);
  return CLA_OK;
}

/* Returns the best cell of a block's sweep. */
static block_best best_of_block(const region_result *result, int64_t begin, int64_t least) {
  if (result->best_score < larger(least, 1)) return (block_best){.most = larger(least - 1, 0)};
  return (block_best){.score = result->best_score,
                      .row = begin + result->best_row,
                      .column = result->best_column,
                      .most = result->best_score};
}

/* A run of adjacent blocks that are swept again, from top to bottom. */
typedef struct matrix_run {
  strand_work *r;
  int64_t block, last; /* index of the next block, and of the run's last block */
  int64_t swept;       /* number of blocks that have been swept one after the other */
  bool changed;        /* the row above the next block has changed */
  cla_metrics *metrics;
} matrix_run;

/* Starts the run's sweep below the kept row above its next block. */
static cla_status begin_run(matrix_run *run, cla_error *error) {
  strand_work *r = run->r;
  const kept_matrix *m = r->job->rest->matrix;
  const int64_t begin = block_begin(m, run->block);
  int64_t least = 0;
  cla_status status = least_wanted(&least, r, run->block, run->last, error);
  if (status == CLA_OK) status = create_rows(&r->sweep.kept, r, error);
  if (status == CLA_OK && begin > 0)
    status = sweep_start_below(&r->sweep.start, m->rows, begin, r->sweep.input.columns,
                               &r->job->options->scoring, error);
  r->sweep.start.row = begin;
  r->sweep.start.best_score = least;
  r->sweep.start.best_row = r->sweep.start.best_column = 0;
  return status;
}

static void end_run(matrix_run *run) {
  strand_work *r = run->r;
  sweep_start_free(&r->sweep.start);
  special_rows_free(r->sweep.kept);
  r->sweep.kept = NULL;
}

/* Stores the best cell and the kept rows of the run's next block in the matrix. */
static cla_status take_block(matrix_run *run, const region_result *result, int64_t least, cla_error *error) {
  strand_work *r = run->r;
  kept_matrix *m = r->job->rest->matrix;
  const int64_t rows = r->sweep.input.rows;
  const int64_t begin = block_begin(m, run->block), end = block_end(m, run->block, rows);
  m->bests[run->block] = best_of_block(result, begin, least);
  run->changed = end < rows && !(m->whole && special_rows_same(m->rows, r->sweep.kept, end));
  run->block++;
  run->swept++;
  return special_rows_take(m->rows, r->sweep.kept, begin + 1, end, error);
}

/* Sweeps the next block on the first device. */
static cla_status sweep_block(matrix_run *run, cla_error *error) {
  strand_work *r = run->r;
  const kept_matrix *m = r->job->rest->matrix;
  const int64_t interval = smaller(r->sweep.plan.row_interval, m->block_rows);
  region_result result;
  run->last = run->block;
  cla_status status = begin_run(run, error);
  const int64_t end = block_end(m, run->block, r->sweep.input.rows), least = r->sweep.start.best_score;
  if (status == CLA_OK) status = sweep_to(&r->sweep, &result, end, interval, NULL, error);
  if (status != CLA_OK) return status;
  run->metrics->cells_computed += result.cells;
  status = take_block(run, &result, least, error);
  end_run(run);
  return status;
}

static bool has_changed(const matrix_run *run) {
  const kept_matrix *m = run->r->job->rest->matrix;
  const int64_t end = block_end(m, run->block, run->r->sweep.input.rows);
  return !m->whole || run->changed || is_used(m, run->r->job->rest->used, block_begin(m, run->block), end);
}

/* Stores a part of a sweep on several processes. *goes_on is false if the next block has not changed. */
static cla_status take_part(bool *goes_on, int64_t *least, void *user, const sweep_part *part,
                            cla_error *error) {
  matrix_run *run = user;
  cla_status status = take_block(run, &part->result, part->least, error);
  *goes_on = run->block <= run->last && has_changed(run);
  if (status != CLA_OK || !*goes_on) return status;
  return least_wanted(least, run->r, run->block, run->last, error);
}

/* Sweeps the next blocks on all processes, down to the first block that has not changed. */
static cla_status sweep_on_all(matrix_run *run, cla_error *error) {
  strand_work *r = run->r;
  const kept_matrix *m = r->job->rest->matrix;
  const sweep_parts parts = {.rows = m->block_rows, .take = take_part, .user = run};
  int64_t cells = 0;
  run->last = m->block_count - 1;
  cla_status status = begin_run(run, error);
  if (status == CLA_OK) status = align_peers(r->job->options)->sweep->parts(&cells, &r->sweep, &parts, error);
  run->metrics->cells_computed += cells;
  if (status == CLA_OK) end_run(run);
  return status;
}

/* Returns how many consecutive blocks, from the run's next block on, are known to have changed. */
static int64_t known_changed(const matrix_run *run) {
  const kept_matrix *m = run->r->job->rest->matrix;
  matrix_run ahead = *run;
  while (ahead.block < m->block_count && has_changed(&ahead)) {
    ahead.changed = false; /* whether it has changed is not known yet */
    ahead.block++;
  }
  return ahead.block - run->block;
}

/* Returns the block with the best cell; at equal scores, the uppermost block. */
static int64_t best_block(const kept_matrix *m) {
  int64_t best = 0;
  for (int64_t block = 1; block < m->block_count; block++)
    if (m->bests[block].score > m->bests[best].score) best = block;
  return best;
}

/* Returns a block whose best cell is unknown and may be better than the best cell of block `best`; -1:
 * none. */
static int64_t unknown_block(const kept_matrix *m, int64_t best) {
  const int64_t score = m->bests[best].score;
  for (int64_t block = 0; block < m->block_count; block++) {
    const block_best *other = m->bests + block;
    if (other->score < other->most && (other->most > score || (other->most == score && block < best)))
      return block;
  }
  return -1;
}

/* Sweeps the blocks that have changed. The pair is not sent to other processes for a single block. */
static cla_status sweep_changed(strand_work *r, cla_metrics *metrics, cla_error *error) {
  kept_matrix *m = r->job->rest->matrix;
  matrix_run run = {.r = r, .metrics = metrics};
  cla_status status = CLA_OK;
  while (status == CLA_OK && run.block < m->block_count) {
    if (!has_changed(&run)) {
      run.block++;
      run.swept = 0;
      continue;
    }
    const bool several = run.swept + known_changed(&run) > 1 && run.block + 1 < m->block_count;
    const bool shared = several && r->sweep.team.shared && sharing_processes(r) > 1;
    status = shared ? sweep_on_all(&run, error) : sweep_block(&run, error);
  }
  m->whole = status == CLA_OK;
  m->used_paths = used_pairs_paths(r->job->rest->used);
  return status;
}

cla_status kept_matrix_sweep(strand_work *r, trace_point *end, cla_metrics *metrics, cla_error *error) {
  kept_matrix *m = r->job->rest->matrix;
  int64_t best = 0;
  cla_status status = m->whole ? CLA_OK : begin_matrix(r, error);
  work_notes_begin(r->sweep.notes, 0);
  r->sweep.progress.stage = "forward sweep";
  if (status == CLA_OK) status = sweep_changed(r, metrics, error);
  while (status == CLA_OK) {
    best = best_block(m);
    matrix_run run = {.r = r, .block = unknown_block(m, best), .metrics = metrics};
    if (run.block < 0) break;
    status = sweep_block(&run, error);
  }
  metrics->sweep_seconds = machine_seconds() - r->sweep.progress.began;
  if (status != CLA_OK) return status;
  *end = (trace_point){
      .row = m->bests[best].row, .column = m->bests[best].column, .value = m->bests[best].score};
  r->sweep.kept = m->rows;
  return CLA_OK;
}
