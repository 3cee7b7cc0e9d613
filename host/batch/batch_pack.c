#include "batch/batch_pack.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/extremes.h"
#include "base/machine.h"
#include "dp/pair_solver.h"
#include "pipeline/pipeline.h"
#include "result/alignment.h"
#include "result/cigar_reader.h"
#include "result/path_check.h"
#include "scoring/score_table.h"
#include "seq/sequence.h"
#include "trace/known_end.h"

/* A longer pair fills a device's lanes alone, and a host thread takes too long for its path. The larger limit
 * is for scores alone on a device that shares long pairs out: beyond it, one pair at a time is as fast. */
#define PACK_LETTERS_MOST 32768
#define PACK_LETTERS_MOST_SHARED 262144

/* Of scores alone one in VERIFIED_EACH is verified, unless its matrix is larger than VERIFIED_CELLS_MOST.
 * That takes a hundredth of the time of unlike pairs, less of others. */
#define VERIFIED_EACH 256
#define VERIFIED_CELLS_MOST 0x1p30

/* Jobs whose paths a thread looks for together, at the most. */
#define BLOCK_JOBS 256
/* Fewer where there are few for each thread, but so many at least: a vector takes as long for one. */
#define BLOCK_LEAST 64

struct tracers {
  pair_solver **idle; /* solvers that no thread uses; owned */
  int idle_count;
  int most;    /* threads that may trace at once */
  int threads; /* threads of the whole batch */
  pthread_mutex_t lock;
  pthread_cond_t changed;
  int tracing, others; /* threads at work: on paths of packs, and on single pairs */
  atomic_bool full;    /* more threads are at work than the batch may use: some tracing ones are to leave */
};

cla_status tracers_create(tracers **out, const trace_memory *memory, int threads, cla_error *error) {
  tracers *all = NULL;
  *out = NULL;
  cla_status status = allocate_zeros((void **)&all, 1, sizeof *all, "the threads of a batch", error);
  if (status != CLA_OK) return status;
  all->most = memory->threads;
  all->threads = threads;
  status = allocate_zeros((void **)&all->idle, all->most, sizeof *all->idle, "the threads of a batch", error);
  if (status != CLA_OK) {
    free(all);
    return status;
  }
  const bool has_lock = pthread_mutex_init(&all->lock, NULL) == 0;
  if (has_lock && pthread_cond_init(&all->changed, NULL) == 0) {
    *out = all;
    return CLA_OK;
  }
  if (has_lock) pthread_mutex_destroy(&all->lock);
  free(all->idle);
  free(all);
  return error_set(error, CLA_ERROR_MEMORY, "the lock of a batch cannot be made; free some memory");
}

void tracers_free(tracers *all) {
  if (!all) return;
  for (int i = 0; i < all->idle_count; i++) pair_solver_free(all->idle[i]);
  free(all->idle);
  pthread_cond_destroy(&all->changed);
  pthread_mutex_destroy(&all->lock);
  free(all);
}

int tracers_count(const tracers *all) {
  return all->most;
}

/* The lock is held. */
static void note_change(tracers *all) {
  atomic_store(&all->full, all->tracing > 1 && all->tracing + all->others > all->threads);
  pthread_cond_broadcast(&all->changed);
}

void tracers_enter(tracers *all) {
  pthread_mutex_lock(&all->lock);
  while (all->tracing > 0 && (all->tracing >= all->most || all->tracing + all->others >= all->threads))
    pthread_cond_wait(&all->changed, &all->lock);
  all->tracing++;
  pthread_mutex_unlock(&all->lock);
}

void tracers_leave(tracers *all) {
  pthread_mutex_lock(&all->lock);
  all->tracing--;
  note_change(all);
  pthread_mutex_unlock(&all->lock);
}

void tracers_pass(tracers *all) {
  if (!atomic_load(&all->full)) return;
  tracers_leave(all);
  tracers_enter(all);
}

void tracers_give_way(tracers *all, int threads) {
  pthread_mutex_lock(&all->lock);
  all->others += threads;
  note_change(all);
  while (all->tracing > 1 && all->tracing + all->others > all->threads)
    pthread_cond_wait(&all->changed, &all->lock);
  pthread_mutex_unlock(&all->lock);
}

void tracers_come_back(tracers *all, int threads) {
  pthread_mutex_lock(&all->lock);
  all->others -= threads;
  note_change(all);
  pthread_mutex_unlock(&all->lock);
}

/* A solver of the batch's pairs, for a thread that traces. CLA_ERROR_MEMORY. */
static cla_status take_solver(pair_solver **out, tracers *all, const pack_scheme *packs, cla_error *error) {
  *out = NULL;
  pthread_mutex_lock(&all->lock);
  if (all->idle_count > 0) *out = all->idle[--all->idle_count];
  pthread_mutex_unlock(&all->lock);
  return *out ? CLA_OK : pair_solver_create(out, &packs->scheme, packs->matches, packs->path_bytes, error);
}

static void give_solver(tracers *all, pair_solver *solver) {
  pthread_mutex_lock(&all->lock);
  const bool kept = all->idle_count < all->most;
  if (kept) all->idle[all->idle_count++] = solver;
  pthread_mutex_unlock(&all->lock);
  if (!kept) pair_solver_free(solver);
}

void pack_scheme_make(pack_scheme *out, const cla_align_options *align) {
  *out = (pack_scheme){0};
  if (align->has_band || align->several.split || align->circular != CLA_CIRCULAR_NONE || align->kernel.name ||
      align->kernel.settings)
    return;
  if (pair_letters_any_table(&out->table, &align->scoring, NULL) != CLA_OK) return;
  out->allowed = true;
  out->kind = align->scoring.matrix_size > 0 ? cla_scoring_alphabet(&align->scoring) : CLA_ALPHABET_DNA;
  out->scheme = (path_scheme){.scoring = &align->scoring,
                              .table = &out->table,
                              .ends = path_ends_make(align->mode, align->free_ends)};
  for (int code = 0; code < SEQUENCE_UNAMBIGUOUS; code++) out->matches[code] = UINT32_C(1) << code;
}

/* Whether a pair of so many letters is packed, if nothing else is against it. */
static bool takes_letters(const pack_scheme *packs, const cla_device_info *device, int64_t rows,
                          int64_t columns, const cla_align_options *align) {
  const bool shared = align->score_only && pack_way_of(device, &packs->scheme).shares;
  const int64_t most = shared ? PACK_LETTERS_MOST_SHARED : PACK_LETTERS_MOST;
  return rows <= most && columns <= most && pack_takes(device, &packs->scheme, rows, columns);
}

int batch_pack_class(const pack_scheme *packs, const cla_device_info *device,
                     const cla_align_options *align) {
  int size = packs->allowed ? CLA_BATCH_CLASSES - 1 : -1;
  for (; size >= 0; size--) {
    const int64_t side = larger((int64_t)sqrt(ldexp(1, size)), 1);
    if (takes_letters(packs, device, side, side, align)) break;
  }
  return size;
}

bool batch_pack_takes(const pack_scheme *packs, const cla_device_info *device, const batch_job *job,
                      const cla_align_options *align) {
  return packs->allowed && takes_letters(packs, device, sequence_range_letters(job->pair.query),
                                         sequence_range_letters(job->pair.target), align);
}

/* A job in the pack, with one strand or both. */
typedef struct pack_job {
  batch_job *job;
  int first, count; /* the job's strands among the pack's pairs; at equal scores the first wins */
} pack_job;

typedef struct pack {
  pack_job *jobs;
  int64_t count;
  pack_pair *pairs;      /* one for each strand of each job */
  cla_sequence **turned; /* each strand's reverse complement, owned; NULL: the strand is forward */
  int64_t strand_count;
  const pack_means *with;
  double seconds; /* of a job, about */
  atomic_llong next;
  atomic_int failed; /* the first status that is not CLA_OK */
  cla_error error;   /* of the first failure */
} pack;

static cla_status add_strand(pack *p, const batch_job *job, cla_strand strand, cla_error *error) {
  const cla_sequence *query = job->pair.query, *target = job->pair.target;
  if (strand == CLA_STRAND_REVERSE) {
    cla_status status = sequence_reverse_complement(&p->turned[p->strand_count], query, error);
    if (status != CLA_OK) return status;
    query = p->turned[p->strand_count];
  }
  p->pairs[p->strand_count++] = (pack_pair){.query = sequence_codes(query) + cla_sequence_begin(query),
                                            .target = sequence_codes(target) + cla_sequence_begin(target),
                                            .query_letters = sequence_range_letters(query),
                                            .target_letters = sequence_range_letters(target)};
  return CLA_OK;
}

static cla_status make_strands(pack *p, batch_job **jobs, cla_error *error) {
  cla_status status = allocate_array((void **)&p->jobs, p->count, sizeof *p->jobs, "a pack", error);
  if (status == CLA_OK)
    status = allocate_zeros((void **)&p->turned, 2 * p->count, sizeof *p->turned, "a pack", error);
  if (status == CLA_OK)
    status = allocate_array((void **)&p->pairs, 2 * p->count, sizeof *p->pairs, "a pack", error);
  for (int64_t i = 0; i < p->count && status == CLA_OK; i++) {
    const cla_strand strand = batch_job_strand(jobs[i], p->with->align);
    p->jobs[i] = (pack_job){.job = jobs[i], .first = (int)p->strand_count};
    if (strand != CLA_STRAND_REVERSE) status = add_strand(p, jobs[i], CLA_STRAND_FORWARD, error);
    if (status == CLA_OK && strand != CLA_STRAND_FORWARD)
      status = add_strand(p, jobs[i], CLA_STRAND_REVERSE, error);
    p->jobs[i].count = (int)p->strand_count - p->jobs[i].first;
  }
  return status;
}

/* The path of a pair. */
typedef struct traced_path {
  int32_t start_query, start_target;
  const uint32_t *runs; /* the solver's, of lanes */
  int32_t run_count;
  int64_t cells;               /* computed for it, about */
  double seconds;              /* about */
  const known_end_path *other; /* the path, if lanes have not found it; NULL: they have */
} traced_path;

/* The strand of a job that is aligned. */
typedef struct chosen_strand {
  const batch_job *job;
  const cla_sequence *turned; /* the query's reverse complement; NULL: the strand is forward */
  const pack_pair *pair;      /* of the strand */
  int strands;                /* how many strands the job has */
  const traced_path *path;    /* NULL: none is wanted */
} chosen_strand;

static void describe(cla_metrics *metrics, const pack *p, const chosen_strand *of) {
  metrics->cells = of->strands * of->pair->query_letters * of->pair->target_letters;
  metrics->cells_computed = metrics->cells;
  metrics->seconds = metrics->sweep_seconds = p->seconds;
  snprintf(metrics->device, sizeof metrics->device, "%s", p->with->device->name);
  snprintf(metrics->kernel, sizeof metrics->kernel, "packed");
}

static cla_status put_runs(cla_alignment *alignment, const traced_path *traced, cla_error *error) {
  const known_end_path *other = traced->other;
  if (!other) return packed_runs_take(alignment, traced->runs, traced->runs + traced->run_count, error);
  cla_status status = allocate_array((void **)&alignment->runs, (int64_t)other->run_count,
                                     sizeof *alignment->runs, "a path", error);
  if (status != CLA_OK) return status;
  if (other->run_count > 0) memcpy(alignment->runs, other->runs, other->run_count * sizeof *other->runs);
  alignment->run_count = other->run_count;
  return CLA_OK;
}

/* Gives an alignment that has its end the path. */
static cla_status put_path(cla_alignment *alignment, const traced_path *traced, cla_error *error) {
  cla_status status = put_runs(alignment, traced, error);
  if (status != CLA_OK) return status;
  alignment->query.start = alignment->query.begin + traced->start_query;
  alignment->target.start = alignment->target.begin + traced->start_target;
  alignment->metrics.bands = (cla_stage){.cells = traced->cells, .seconds = traced->seconds};
  alignment->metrics.cells_computed += traced->cells;
  alignment->metrics.seconds += traced->seconds;
  return CLA_OK;
}

/* From score and end node to the alignment of one strand, as cla_align has it. */
static cla_status make_alignment(cla_alignment **out, const pack *p, const chosen_strand *of,
                                 const cla_align_options *align, cla_error *error) {
  const cla_sequence *given = of->job->pair.query, *target = of->job->pair.target;
  const cla_sequence *turned = of->turned;
  cla_status status =
      alignment_create(out, turned ? turned : given, target, align->mode, &align->scoring, error);
  if (status != CLA_OK) return status;
  cla_alignment *alignment = *out;
  const bool empty = p->with->packs->scheme.ends.floor && of->pair->score == 0;
  alignment->free_ends = align->free_ends;
  alignment->score = of->pair->score;
  alignment->has_path = !align->score_only;
  describe(&alignment->metrics, p, of);
  if (!empty) {
    alignment->query.stop = alignment->query.begin + of->pair->end_query;
    alignment->target.stop = alignment->target.begin + of->pair->end_target;
    if (alignment->has_path) status = put_path(alignment, of->path, error);
  } else if (alignment->has_path) {
    alignment->query.start = alignment->target.start = 0;
  }
  if (turned) {
    side_turn(&alignment->query, path_is_nowhere(alignment));
    alignment->strand = CLA_STRAND_REVERSE;
    cla_sequence_checksum(given, alignment->query.checksum);
  }
  if (status == CLA_OK && alignment->has_path) {
    status = cla_alignment_verify(alignment, given, target, error);
    alignment->metrics.verified = CLA_VERIFIED_PATH;
  }
  return status == CLA_OK ? pipeline_place_gaps(out, given, target, align, error) : status;
}

/* Whether a score alone is verified by its path: those of a group's best, and a sample of all others. */
static bool wants_proof(const batch_job *job) {
  return (job->chosen || job->index % VERIFIED_EACH == 0) && batch_job_cells(job) <= VERIFIED_CELLS_MOST;
}

/* Looks for the path of a score that is all that is wanted. */
static cla_status verify_score(cla_alignment *alignment, const pack *p, const chosen_strand *of,
                               const cla_align_options *align, cla_error *error) {
  cla_alignment *whole = NULL;
  cla_align_options with_path = *align;
  with_path.score_only = false;
  cla_status status = make_alignment(&whole, p, of, &with_path, error);
  if (status == CLA_OK) alignment->metrics.verified = CLA_VERIFIED_PATH;
  cla_alignment_free(whole);
  return status;
}

/* Jobs of a pack that a thread finishes together, and the pairs whose paths are looked for. */
typedef struct pack_block {
  batch_job *jobs[BLOCK_JOBS];
  chosen_strand of[BLOCK_JOBS];
  const uint8_t *query[BLOCK_JOBS], *target[BLOCK_JOBS];
  int32_t rows[BLOCK_JOBS], columns[BLOCK_JOBS], end_row[BLOCK_JOBS], end_column[BLOCK_JOBS];
  int32_t start_row[BLOCK_JOBS], start_column[BLOCK_JOBS], run_count[BLOCK_JOBS];
  int64_t score[BLOCK_JOBS], runs[BLOCK_JOBS];
  row_tops tops[BLOCK_JOBS];
  bool solved[BLOCK_JOBS];
  int64_t count;
} pack_block;

static chosen_strand better_strand(const pack *p, const pack_job *one) {
  int best = one->first;
  for (int i = 1; i < one->count; i++)
    if (p->pairs[one->first + i].score > p->pairs[best].score) best = one->first + i;
  return (chosen_strand){
      .job = one->job, .turned = p->turned[best], .pair = &p->pairs[best], .strands = one->count};
}

/* The alignment, unless it scores too little. Where another job fails later, the caller aligns all of them
 * again, and what this one has is replaced. */
static cla_status finish_job(pack *p, batch_job *job, const chosen_strand *of, cla_error *error) {
  cla_alignment *alignment = NULL;
  cla_align_options align = *p->with->align;
  batch_job_options(&align, job);
  if (align.has_min_score && of->pair->score < align.min_score) return batch_job_give(job, NULL, error);
  cla_status status = make_alignment(&alignment, p, of, &align, error);
  if (status == CLA_OK && align.score_only && wants_proof(job))
    status = verify_score(alignment, p, of, &align, error);
  if (status == CLA_OK) return batch_job_give(job, alignment, error);
  cla_alignment_free(alignment);
  return status;
}

/* Whether the job's path is looked for. There is none in an empty local alignment. */
static bool wants_path(const pack *p, batch_job *job, const chosen_strand *of) {
  cla_align_options align = *p->with->align;
  batch_job_options(&align, job);
  if (align.has_min_score && of->pair->score < align.min_score) return false;
  if (p->with->packs->scheme.ends.floor && of->pair->score == 0) return false;
  return !align.score_only || wants_proof(job);
}

/* The pack fails, for the first such reason. */
static void fail(pack *p, cla_status status, const cla_error *why) {
  int none = CLA_OK;
  if (atomic_compare_exchange_strong(&p->failed, &none, (int)status)) p->error = *why;
}

static bool may_go_on(void *user) {
  const pack *p = user;
  const cla_progress nothing = {0}; /* of one alignment */
  return !p->with->align->callbacks.progress ||
         p->with->align->callbacks.progress(&nothing, p->with->align->callbacks.progress_user);
}

/* Pairs that lack memory are left to be aligned alone. */
static void finish_one(pack *p, batch_job *job, const chosen_strand *of) {
  cla_error why = {.status = CLA_OK};
  const cla_status status =
      may_go_on(p) ? finish_job(p, job, of, &why)
                   : error_set(&why, CLA_ERROR_INTERRUPTED, "interrupted between the paths of a pack");
  job->too_large = status == CLA_ERROR_MEMORY;
  if (status != CLA_OK && !job->too_large) fail(p, status, &why);
}

/* Adds a job whose path is looked for. */
static void add_to_block(pack_block *block, batch_job *job, const chosen_strand *of) {
  const int64_t at = block->count++;
  block->jobs[at] = job;
  block->of[at] = *of;
  block->query[at] = of->pair->query;
  block->target[at] = of->pair->target;
  block->rows[at] = (int32_t)of->pair->query_letters;
  block->columns[at] = (int32_t)of->pair->target_letters;
  block->score[at] = of->pair->score;
  block->tops[at] = of->pair->rows;
  block->end_row[at] = (int32_t)of->pair->end_query;
  block->end_column[at] = (int32_t)of->pair->end_target;
}

/* Finds the paths of a block. */
static cla_status trace_block(pack_block *block, pair_solver *solver, cla_error *error) {
  const solver_pairs pairs = {.query = block->query,
                              .target = block->target,
                              .rows = block->rows,
                              .columns = block->columns,
                              .count = block->count,
                              .paths = true,
                              .tops = block->tops,
                              .score = block->score,
                              .end_row = block->end_row,
                              .end_column = block->end_column,
                              .start_row = block->start_row,
                              .start_column = block->start_column,
                              .runs = block->runs,
                              .run_count = block->run_count,
                              .solved = block->solved};
  return pair_solver_trace(solver, &pairs, error);
}

/* Finishes a job whose path lanes cannot find. */
static void finish_otherwise(pack *p, batch_job *job, chosen_strand *of) {
  const double began = machine_seconds();
  const pack_pair *pair = of->pair;
  const pair_problem problem = {.query = pair->query,
                                .target = pair->target,
                                .rows = pair->end_query,
                                .columns = pair->end_target,
                                .scheme = p->with->packs->scheme};
  known_end_path found;
  cla_error why = {.status = CLA_OK};
  cla_status status = known_end_trace(&found, &problem, pair->score, p->with->packs->path_bytes, &why);
  job->too_large = status == CLA_ERROR_MEMORY;
  if (status != CLA_OK && !job->too_large) fail(p, status, &why);
  if (status != CLA_OK) return;
  const traced_path traced = {.start_query = (int32_t)found.start_row,
                              .start_target = (int32_t)found.start_column,
                              .cells = found.cells,
                              .seconds = machine_seconds() - began,
                              .other = &found};
  of->path = &traced;
  finish_one(p, job, of);
  free(found.runs);
}

/* Finishes jobs of the pack. */
static void finish_block(pack *p, pack_block *block, pair_solver *solver, int64_t first, int64_t past) {
  cla_error why = {.status = CLA_OK};
  const double began = machine_seconds();
  const int64_t before = pair_solver_cells(solver);
  block->count = 0;
  for (int64_t i = first; i < past; i++) {
    batch_job *job = p->jobs[i].job;
    const chosen_strand of = better_strand(p, &p->jobs[i]);
    if (wants_path(p, job, &of))
      add_to_block(block, job, &of);
    else
      finish_one(p, job, &of);
  }
  if (block->count == 0) return;
  cla_status status = trace_block(block, solver, &why);
  if (status != CLA_OK && status != CLA_ERROR_MEMORY) fail(p, status, &why);
  const double seconds = (machine_seconds() - began) / (double)block->count;
  const int64_t cells = (pair_solver_cells(solver) - before) / block->count;
  for (int64_t i = 0; i < block->count && atomic_load(&p->failed) == CLA_OK; i++) {
    const traced_path traced = {.start_query = block->start_row[i],
                                .start_target = block->start_column[i],
                                .runs = pair_solver_runs(solver) + block->runs[i],
                                .run_count = block->run_count[i],
                                .cells = cells,
                                .seconds = seconds};
    block->of[i].path = &traced;
    if (status == CLA_OK && block->solved[i])
      finish_one(p, block->jobs[i], &block->of[i]);
    else
      finish_otherwise(p, block->jobs[i], &block->of[i]);
  }
}

static void finish_some(void *user, int index) {
  pack *p = user;
  tracers *all = p->with->tracers;
  const int64_t most = smaller(larger(p->count / tracers_count(all), BLOCK_LEAST), BLOCK_JOBS);
  cla_error why = {.status = CLA_OK};
  pack_block *block = NULL;
  pair_solver *solver = NULL;
  (void)index;
  tracers_enter(all);
  cla_status status = allocate_array((void **)&block, 1, sizeof *block, "paths of a pack", &why);
  if (status == CLA_OK) status = take_solver(&solver, all, p->with->packs, &why);
  if (status != CLA_OK) fail(p, status, &why);
  for (int64_t i; (i = atomic_fetch_add(&p->next, most)) < p->count && atomic_load(&p->failed) == CLA_OK;) {
    finish_block(p, block, solver, i, smaller(i + most, p->count));
    tracers_pass(all);
  }
  if (solver) give_solver(all, solver);
  free(block);
  tracers_leave(all);
}

static void free_pack(pack *p) {
  for (int64_t i = 0; i < p->strand_count; i++) cla_sequence_free(p->turned[i]);
  free(p->jobs);
  free(p->turned);
  free(p->pairs);
}

cla_status batch_pack_align(batch_job **jobs, int64_t count, const pack_means *with, cla_error *error) {
  pack p = {.count = count, .with = with};
  const pack_question question = {.go_on = may_go_on, .user = &p};
  const double began = machine_seconds();
  cla_status status = make_strands(&p, jobs, error);
  if (status == CLA_OK) status = pack_solve(with->solver, p.pairs, p.strand_count, &question, error);
  if (status == CLA_OK) {
    p.seconds = (machine_seconds() - began) / (double)count;
    parallel_run(tracers_count(with->tracers), finish_some, &p);
    if ((status = (cla_status)atomic_load(&p.failed)) != CLA_OK && error) *error = p.error;
  }
  free_pack(&p);
  return status;
}
