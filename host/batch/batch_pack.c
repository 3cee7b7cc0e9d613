#include "batch/batch_pack.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/extremes.h"
#include "base/machine.h"
#include "pipeline/pipeline.h"
#include "result/alignment.h"
#include "result/path_check.h"
#include "scoring/score_table.h"
#include "seq/sequence.h"

/* A longer pair fills a device's lanes alone, and a host thread takes too long for its path. The larger limit
 * is for scores alone on a device that shares long pairs out: beyond it, one pair at a time is as fast. */
#define PACK_LETTERS_MOST 32768
#define PACK_LETTERS_MOST_SHARED 262144

/* Of scores alone one in VERIFIED_EACH is verified, unless its matrix is larger than VERIFIED_CELLS_MOST.
 * That takes a hundredth of the time of unlike pairs, less of others. */
#define VERIFIED_EACH 256
#define VERIFIED_CELLS_MOST 0x1p30

struct tracers {
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
  const bool has_lock = pthread_mutex_init(&all->lock, NULL) == 0;
  if (has_lock && pthread_cond_init(&all->changed, NULL) == 0) {
    *out = all;
    return CLA_OK;
  }
  if (has_lock) pthread_mutex_destroy(&all->lock);
  free(all);
  return error_set(error, CLA_ERROR_MEMORY, "the lock of a batch cannot be made; free some memory");
}

void tracers_free(tracers *all) {
  if (!all) return;
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

/* The strand of a job that is aligned. */
typedef struct chosen_strand {
  const batch_job *job;
  const cla_sequence *turned; /* the query's reverse complement; NULL: the strand is forward */
  const pack_pair *pair;      /* of the strand */
  int strands;                /* how many strands the job has */
} chosen_strand;

static void describe(cla_metrics *metrics, const pack *p, const chosen_strand *of) {
  metrics->cells = of->strands * of->pair->query_letters * of->pair->target_letters;
  metrics->cells_computed = metrics->cells;
  metrics->seconds = metrics->sweep_seconds = p->seconds;
  snprintf(metrics->device, sizeof metrics->device, "%s", p->with->device->name);
  snprintf(metrics->kernel, sizeof metrics->kernel, "packed");
}

/* Finds the path of an alignment that has its end. */
static cla_status trace(cla_alignment *alignment, const pack *p, const pack_pair *pair, cla_error *error) {
  pack_path path = {0};
  const double began = machine_seconds();
  cla_status status = pack_trace(&path, &p->with->packs->scheme, pair, p->with->packs->path_bytes, error);
  if (status != CLA_OK) return status;
  alignment->runs = path.runs;
  alignment->run_count = path.run_count;
  alignment->query.start = alignment->query.begin + path.start_query;
  alignment->target.start = alignment->target.begin + path.start_target;
  alignment->metrics.bands = (cla_stage){.cells = path.cells, .seconds = machine_seconds() - began};
  alignment->metrics.cells_computed += path.cells;
  alignment->metrics.seconds += alignment->metrics.bands.seconds;
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
    if (alignment->has_path) status = trace(alignment, p, of->pair, error);
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

/* The better strand's alignment, unless it scores too little. Where another job fails later, the caller
 * aligns all of them again, and what this one has is replaced. */
static cla_status finish_job(pack *p, const pack_job *one, cla_error *error) {
  int best = one->first;
  cla_alignment *alignment = NULL;
  cla_align_options align = *p->with->align;
  for (int i = 1; i < one->count; i++)
    if (p->pairs[one->first + i].score > p->pairs[best].score) best = one->first + i;
  batch_job_options(&align, one->job);
  const chosen_strand of = {
      .job = one->job, .turned = p->turned[best], .pair = &p->pairs[best], .strands = one->count};
  if (align.has_min_score && of.pair->score < align.min_score) return batch_job_give(one->job, NULL, error);
  cla_status status = make_alignment(&alignment, p, &of, &align, error);
  if (status == CLA_OK && align.score_only && wants_proof(one->job))
    status = verify_score(alignment, p, &of, &align, error);
  if (status == CLA_OK) return batch_job_give(one->job, alignment, error);
  cla_alignment_free(alignment);
  return status;
}

static bool may_go_on(void *user) {
  const pack *p = user;
  const cla_progress nothing = {0}; /* of one alignment */
  return !p->with->align->callbacks.progress ||
         p->with->align->callbacks.progress(&nothing, p->with->align->callbacks.progress_user);
}

/* Pairs that lack memory are left to be aligned alone. */
static void finish_one(pack *p, pack_job *one) {
  cla_error why = {.status = CLA_OK};
  int none = CLA_OK;
  const cla_status status =
      may_go_on(p) ? finish_job(p, one, &why)
                   : error_set(&why, CLA_ERROR_INTERRUPTED, "interrupted between the paths of a pack");
  one->job->too_large = status == CLA_ERROR_MEMORY;
  if (status == CLA_OK || one->job->too_large) return;
  if (atomic_compare_exchange_strong(&p->failed, &none, (int)status)) p->error = why;
}

static void finish_some(void *user, int index) {
  pack *p = user;
  (void)index;
  tracers_enter(p->with->tracers);
  for (int64_t i; (i = atomic_fetch_add(&p->next, 1)) < p->count && atomic_load(&p->failed) == CLA_OK;) {
    finish_one(p, &p->jobs[i]);
    tracers_pass(p->with->tracers);
  }
  tracers_leave(p->with->tracers);
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
