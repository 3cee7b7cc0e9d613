#include "batch/lane_lot.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/extremes.h"
#include "base/machine.h"
#include "batch/arrays_internal.h"
#include "clalign/arrays.h"
#include "pipeline/pipeline.h"
#include "result/alignment.h"
#include "result/cigar_reader.h"
#include "scoring/score_table.h"

bool lane_lot_allowed(const cla_align_options *align) {
  return align->several.most == 1 && !align->several.split && !align->has_band &&
         align->circular == CLA_CIRCULAR_NONE && !align->kernel.name && !align->kernel.settings &&
         align->lower_bound.kind == CLA_LOWER_BOUND_AUTO;
}

bool lane_lot_takes(const batch_job *job, int64_t letters) {
  return sequence_range_letters(job->pair.query) <= letters &&
         sequence_range_letters(job->pair.target) <= letters;
}

bool lane_lot_agrees(const batch_job *one, const batch_job *other, const cla_align_options *align) {
  const bool both = batch_job_strand(one, align) == CLA_STRAND_BOTH;
  return one->only_score == other->only_score && both == (batch_job_strand(other, align) == CLA_STRAND_BOTH);
}

void lane_lot_free(lane_lot *lot) {
  for (int side = 0; side < 2; side++) {
    free(lot->letters[side]);
    free(lot->offsets[side]);
    free(lot->start[side]);
    free(lot->end[side]);
  }
  void *const others[] = {lot->score, lot->run_offsets, lot->strand, lot->status, lot->wanted, lot->runs};
  for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) free(others[i]);
  *lot = (lane_lot){0};
}

/* Makes room for `pairs` pairs with `letters` letters in total per side. */
static cla_status make_room(lane_lot *lot, int64_t pairs, const int64_t letters[2], cla_error *error) {
  static const char what[] = "pairs in lanes";
  cla_status status = CLA_OK;
  for (int side = 0; side < 2 && status == CLA_OK; side++)
    status = ALLOCATE_GROW(&lot->letters[side], &lot->letter_room[side], letters[side], what, error);
  if (status == CLA_OK)
    status = ALLOCATE_GROW(&lot->runs, &lot->run_room, letters[0] + letters[1], what, error);
  if (status != CLA_OK || pairs <= lot->pairs) return status;
  int64_t **const longs[] = {&lot->offsets[0], &lot->offsets[1], &lot->start[0], &lot->start[1],
                             &lot->end[0],     &lot->end[1],     &lot->score,    &lot->run_offsets};
  uint8_t **const bytes[] = {&lot->strand, &lot->status, &lot->wanted};
  lot->pairs = 0;
  for (size_t i = 0; i < sizeof longs / sizeof longs[0] && status == CLA_OK; i++) {
    free(*longs[i]);
    status = ALLOCATE_ARRAY(longs[i], pairs + 1, what, error);
  }
  for (size_t i = 0; i < sizeof bytes / sizeof bytes[0] && status == CLA_OK; i++) {
    free(*bytes[i]);
    status = ALLOCATE_ARRAY(bytes[i], pairs, what, error);
  }
  if (status == CLA_OK) lot->pairs = pairs;
  return status;
}

/* Copies the letters of all ranges, and the strands, into the lot. */
static cla_status fill(lane_lot *lot, const batch_job *first, int64_t count, const cla_align_options *align,
                       cla_error *error) {
  int64_t letters[2] = {0, 0}, place = 0;
  for (const batch_job *job = first; job; job = job->next) {
    letters[0] += sequence_range_letters(job->pair.query);
    letters[1] += sequence_range_letters(job->pair.target);
  }
  cla_status status = make_room(lot, count, letters, error);
  if (status != CLA_OK) return status;
  letters[0] = letters[1] = 0;
  for (const batch_job *job = first; job; job = job->next, place++) {
    const cla_sequence *const sides[] = {job->pair.query, job->pair.target};
    lot->wanted[place] = (uint8_t)batch_job_strand(job, align);
    for (int side = 0; side < 2; side++) {
      const int64_t own = sequence_range_letters(sides[side]);
      lot->offsets[side][place] = letters[side];
      memcpy(lot->letters[side] + letters[side],
             sequence_codes(sides[side]) + cla_sequence_begin(sides[side]), (size_t)own);
      letters[side] += own;
      lot->offsets[side][place + 1] = letters[side];
    }
  }
  return CLA_OK;
}

/* Returns the options for the lot as a whole. */
static cla_align_options options_of(const batch_job *first, const cla_align_options *align) {
  cla_align_options out = *align;
  batch_job_options(&out, first);
  out.has_min_score = false;
  out.tuning = NULL;
  return out;
}

/* What all pairs of a lot have in common. */
typedef struct lot_result {
  const lane_lot *lot;
  const cla_align_options *align;
  double seconds; /* mean time per pair */
  int64_t computed;
} lot_result;

static void describe(cla_metrics *metrics, const batch_job *job, const lot_result *of) {
  const int strands = of->align->strand == CLA_STRAND_BOTH ? 2 : 1;
  metrics->cells = strands * (int64_t)batch_job_cells(job);
  metrics->cells_computed = of->computed;
  metrics->seconds = metrics->sweep_seconds = of->seconds;
  snprintf(metrics->device, sizeof metrics->device, ALIGN_ON_HOST);
  snprintf(metrics->kernel, sizeof metrics->kernel, "lanes");
}

/* Makes a pair's alignment from the arrays, as cla_align would return it. */
static cla_status make_alignment(cla_alignment **out, const batch_job *job, const lot_result *of,
                                 int64_t place, cla_error *error) {
  const lane_lot *lot = of->lot;
  const cla_sequence *query = job->pair.query, *target = job->pair.target;
  const bool floor = path_ends_make(of->align->mode, of->align->free_ends).floor;
  cla_status status = alignment_create(out, query, target, of->align->mode, &of->align->scoring, error);
  if (status != CLA_OK) return status;
  cla_alignment *alignment = *out;
  cla_side *const sides[] = {&alignment->query, &alignment->target};
  alignment->free_ends = of->align->free_ends;
  alignment->score = lot->score[place];
  alignment->strand = (cla_strand)lot->strand[place];
  alignment->has_path = !of->align->score_only;
  describe(&alignment->metrics, job, of);
  const bool nowhere = floor && alignment->score == 0;
  for (int side = 0; side < 2; side++) {
    const int64_t begin = nowhere ? 0 : sides[side]->begin;
    const int64_t start = lot->start[side][place], stop = lot->end[side][place];
    sides[side]->start = start < 0 ? start : nowhere ? 0 : begin + start;
    sides[side]->stop = stop < 0 ? stop : nowhere ? 0 : begin + stop;
  }
  if (!alignment->has_path) return CLA_OK;
  alignment->gap_placement = of->align->gap_placement;
  alignment->metrics.verified = CLA_VERIFIED_PATH;
  return packed_runs_take(alignment, lot->runs + lot->run_offsets[place],
                          lot->runs + lot->run_offsets[place + 1], error);
}

/* Gives the job its alignment, or none if the alignment scores too little. */
static cla_status give(batch_job *job, const lot_result *of, int64_t place, const cla_align_options *align,
                       cla_error *error) {
  cla_align_options wanted = *align;
  cla_alignment *alignment = NULL;
  batch_job_options(&wanted, job);
  cla_status status = CLA_OK;
  if (!wanted.has_min_score || of->lot->score[place] >= wanted.min_score)
    status = make_alignment(&alignment, job, of, place, error);
  if (status == CLA_OK) return batch_job_give(job, alignment, error);
  cla_alignment_free(alignment);
  return status;
}

/* Number of pairs that a thread processes per turn. */
#define PAIRS_OF_TURN 64

/* The alignments that threads have to make from a lot. */
typedef struct giving {
  const lot_result *of;
  const cla_align_options *align;
  batch_job **turns; /* the first job of each turn */
  int64_t count;
  atomic_llong next; /* the next turn */
  atomic_int status;
  pthread_mutex_t lock; /* guards *error */
  cla_error *error;
} giving;

static void give_turns(void *user, int index) {
  giving *g = user;
  (void)index;
  for (int64_t turn;
       atomic_load(&g->status) == CLA_OK && (turn = atomic_fetch_add(&g->next, 1)) < g->count;) {
    cla_error why = {.status = CLA_OK};
    cla_status status = CLA_OK;
    batch_job *job = g->turns[turn];
    for (int64_t i = 0; job && i < PAIRS_OF_TURN && status == CLA_OK; i++, job = job->next) {
      const int64_t place = turn * PAIRS_OF_TURN + i;
      job->no_lanes = g->of->lot->status[place] != CLA_OK;
      if (!job->no_lanes) status = give(job, g->of, place, g->align, &why);
    }
    if (status == CLA_OK) continue;
    pthread_mutex_lock(&g->lock);
    if (atomic_load(&g->status) == CLA_OK && g->error) *g->error = why;
    atomic_store(&g->status, status);
    pthread_mutex_unlock(&g->lock);
  }
}

/* Gives all jobs their alignments, on as many threads as the options have. */
static cla_status give_all(batch_job *first, int64_t count, const lot_result *of,
                           const cla_align_options *align, cla_error *error) {
  giving g = {.of = of, .align = align, .lock = PTHREAD_MUTEX_INITIALIZER, .error = error};
  const int64_t turns = (count + PAIRS_OF_TURN - 1) / PAIRS_OF_TURN;
  cla_status status = ALLOCATE_ARRAY(&g.turns, turns, "a lot", error);
  if (status != CLA_OK) return status;
  int64_t place = 0;
  for (batch_job *job = first; job; job = job->next, place++)
    if (place % PAIRS_OF_TURN == 0) g.turns[g.count++] = job;
  parallel_run((int)larger(smaller(align->budgets.threads, turns), 1), give_turns, &g);
  free(g.turns);
  return (cla_status)atomic_load(&g.status);
}

cla_status lane_lot_align(lane_lot *lot, batch_job *first, int64_t count, const cla_align_options *align,
                          cla_device *device, cla_error *error) {
  const double began = machine_seconds();
  const cla_partner partner = {.device = device};
  const arrays_rules rules = {.devices_first = true, .device_ends = true};
  cla_align_options how = options_of(first, align);
  cla_status status = fill(lot, first, count, align, error);
  if (status != CLA_OK) return status;
  const cla_pair_arrays pairs = {.alphabet = cla_sequence_alphabet(first->pair.query),
                                 .coded = true,
                                 .letters = {lot->letters[0], lot->letters[1]},
                                 .offsets = {lot->offsets[0], lot->offsets[1]},
                                 .sequences = {count, count},
                                 .strand = how.strand == CLA_STRAND_BOTH ? NULL : lot->wanted,
                                 .pairs = count};
  cla_pair_results found = {.score = lot->score,
                            .start = {lot->start[0], lot->start[1]},
                            .end = {lot->end[0], lot->end[1]},
                            .strand = lot->strand,
                            .status = lot->status,
                            .runs = how.score_only ? NULL : lot->runs,
                            .run_offsets = how.score_only ? NULL : lot->run_offsets,
                            .runs_capacity = lot->run_room};
  if (device) {
    how.partners = &partner;
    how.partner_count = 1;
  }
  status = arrays_align(&found, &pairs, NULL, &how, device ? &rules : &(arrays_rules){0}, error);
  const lot_result of = {.lot = lot,
                         .align = &how,
                         .seconds = (machine_seconds() - began) / (double)count,
                         .computed = found.cells_computed / count};
  return status == CLA_OK ? give_all(first, count, &of, align, error) : status;
}
