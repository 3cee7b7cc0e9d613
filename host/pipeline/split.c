/* Alignments in pieces. The path is cut at stretches that lower its score too much. The letters between two
 * pieces are aligned on the other strand. */

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/extremes.h"
#include "pipeline/pipeline.h"
#include "pipeline/pipeline_internal.h"
#include "result/alignment.h"
#include "scoring/score_table.h"
#include "seq/sequence.h"

/* Letters of both records, on their forward strands, that lie between two pieces or at an end of the
 * alignment. */
typedef struct rest {
  int64_t query, query_end, target, target_end;
} rest;

typedef struct split_work {
  const align_job *given;
  cla_align_options options; /* options for aligning a rest */
  const cla_alignment *whole;
  int64_t drop;
  int64_t best;           /* largest score of a pair of letters in a rest; set by find_best */
  cla_metrics metrics;    /* sum over all alignments */
  cla_alignment **pieces; /* owned */
  int64_t count, capacity;
  rest *rests; /* owned; rests still to be aligned */
  int64_t rest_count, rest_capacity;
} split_work;

/* Reports progress without a fraction, because the number of rests is not known. */
static bool report(const cla_progress *progress, void *user) {
  const split_work *w = user;
  cla_progress of_all = *progress;
  of_all.fraction = 1;
  of_all.seconds_left = -1;
  return w->given->options->callbacks.progress(&of_all, w->given->options->callbacks.progress_user);
}

cla_status split_check(const cla_align_options *options, cla_error *error) {
  if (options->score_only)
    return error_set(error, CLA_ERROR_OPTION,
                     "a score alone has no path to cut; split and score only do not go together");
  return CLA_OK;
}

static int by_target(const void *a, const void *b) {
  const cla_alignment *first = *(cla_alignment *const *)a, *second = *(cla_alignment *const *)b;
  return (first->target.start > second->target.start) - (first->target.start < second->target.start);
}

static cla_status add_piece(split_work *w, cla_alignment *piece, cla_error *error) {
  cla_status status = ALLOCATE_GROW(&w->pieces, &w->capacity, w->count + 1, "the pieces", error);
  if (status == CLA_OK) w->pieces[w->count++] = piece;
  return status;
}

/* Adds a rest, unless it is too short for a piece. */
static cla_status add_rest(split_work *w, const rest *it, cla_error *error) {
  int64_t most = 0;
  const int64_t letters = smaller(it->query_end - it->query, it->target_end - it->target);
  if (letters <= 0 || w->best <= 0) return CLA_OK;
  if (!__builtin_mul_overflow(letters, w->best, &most) && most <= w->drop) return CLA_OK;
  cla_status status =
      ALLOCATE_GROW(&w->rests, &w->rest_capacity, w->rest_count + 1, "the rests of an alignment", error);
  if (status == CLA_OK) w->rests[w->rest_count++] = *it;
  return status;
}

/* Divides a rest at an alignment found in it. Sets *before and *after to the parts before and after this
 * alignment, in the direction of the whole alignment's path. */
static void part_rest(rest *before, rest *after, const rest *it, const cla_alignment *found, bool reverse) {
  const cla_side *query = &found->query, *target = &found->target;
  *before = *after = *it;
  before->target_end = target->start;
  after->target = target->stop;
  if (reverse) {
    before->query = query->stop;
    after->query_end = query->start;
  } else {
    before->query_end = query->start;
    after->query = query->stop;
  }
}

/* Adds the rests between the pieces of the whole path. */
static cla_status find_rests(split_work *w, cla_error *error) {
  const cla_side *query = &w->whole->query, *target = &w->whole->target;
  rest before, left = {query->begin, query->end, target->begin, target->end};
  cla_status status = CLA_OK;
  if (w->pieces) qsort(w->pieces, (size_t)w->count, sizeof *w->pieces, by_target);
  for (int64_t i = 0; w->pieces && i < w->count && status == CLA_OK; i++) {
    part_rest(&before, &left, &left, w->pieces[i], w->whole->strand == CLA_STRAND_REVERSE);
    status = add_rest(w, &before, error);
  }
  return status == CLA_OK ? add_rest(w, &left, error) : status;
}

static void shift(cla_side *side, int64_t by, const cla_side *whole) {
  side->start += by;
  side->stop += by;
  side->length = whole->length;
  side->rotation = whole->rotation;
  side->begin = whole->begin;
  side->end = whole->end;
  memcpy(side->checksum, whole->checksum, sizeof side->checksum);
}

/* Converts the positions of an alignment of a rest's letters to positions in the records. */
static void place(cla_alignment *found, const split_work *w, const rest *it) {
  shift(&found->query, it->query, &w->whole->query);
  shift(&found->target, it->target, &w->whole->target);
  found->mode = w->whole->mode;
  found->free_ends = w->whole->free_ends;
}

/* Cuts the alignment, which must be of these two sequences, and adds its pieces. `it`: the rest in which
 * the pieces' positions count, so they are converted to positions in the records; NULL: they are already. */
static cla_status cut(split_work *w, const cla_alignment *found, const cla_sequence *query,
                      const cla_sequence *target, const rest *it, cla_error *error) {
  cla_alignment **pieces = NULL;
  size_t count = 0, taken = 0;
  const cla_results whole = {.alignments = &found, .count = 1, .query = query, .target = target};
  cla_status status = alignment_pieces(&pieces, &count, &whole, w->drop, error);
  while (status == CLA_OK && taken < count) {
    status = add_piece(w, pieces[taken], error);
    if (status != CLA_OK) break;
    if (it) place(pieces[taken], w, it);
    pieces[taken++] = NULL;
  }
  for (size_t i = taken; i < count; i++) cla_alignment_free(pieces[i]);
  free(pieces);
  return status;
}

static cla_status align_rest(split_work *w, const rest *it, const cla_sequence *query,
                             const cla_sequence *target, cla_error *error) {
  strand_rival needed = {.given = true, .least = w->drop + 1};
  align_job job = *w->given;
  cla_alignment *found = NULL;
  rest before, after;
  job.query = query;
  job.target = target;
  job.options = &w->options;
  job.rival = &needed;
  cla_status status = pipeline_align_strand(&found, &job, error);
  if (status == CLA_OK) pipeline_add_work(&w->metrics, &needed.metrics);
  if (status == CLA_OK) status = pipeline_place_gaps(&found, query, target, &w->options, error);
  if (status == CLA_OK && found) status = cut(w, found, query, target, it, error);
  if (status == CLA_OK && found) {
    place(found, w, it);
    part_rest(&before, &after, it, found, w->whole->strand == CLA_STRAND_REVERSE);
    status = add_rest(w, &before, error);
    if (status == CLA_OK) status = add_rest(w, &after, error);
  }
  cla_alignment_free(found);
  return status;
}

/* Copies letters of a record. The record may be rotated. */
static cla_status copy_letters(cla_sequence **out, const cla_sequence *record, const cla_side *side,
                               int64_t from, int64_t to, cla_error *error) {
  return sequence_circle_part(out, record, (from + side->rotation) % side->length, to - from, error);
}

/* Aligns a rest, with copies of its letters as sequences. Otherwise, each rest would make the reverse
 * strand of the whole record. */
static cla_status look_through(split_work *w, const rest *it, cla_error *error) {
  cla_sequence *query = NULL, *target = NULL;
  cla_status status =
      copy_letters(&query, w->given->query, &w->whole->query, it->query, it->query_end, error);
  if (status == CLA_OK)
    status = copy_letters(&target, w->given->target, &w->whole->target, it->target, it->target_end, error);
  if (status == CLA_OK) status = align_rest(w, it, query, target, error);
  cla_sequence_free(query);
  cla_sequence_free(target);
  return status;
}

/* Finds the largest score of a pair of letters in a rest. The query is on the strand on which rests are
 * aligned. */
static cla_status find_best(split_work *w, cla_error *error) {
  const bool reverse = w->options.strand == CLA_STRAND_REVERSE;
  cla_sequence *turned = NULL;
  score_table table;
  cla_status status = reverse ? sequence_reverse_complement(&turned, w->given->query, error) : CLA_OK;
  if (status != CLA_OK) return status;
  pair_letters_table(&table, &w->options.scoring, reverse ? turned : w->given->query, w->given->target);
  w->best = table.maximum;
  cla_sequence_free(turned);
  return CLA_OK;
}

static cla_status turn_rests(split_work *w, cla_error *error) {
  const cla_align_options *given = w->given->options;
  cla_align_options *options = &w->options;
  options->mode = CLA_MODE_LOCAL;
  options->free_ends = 0;
  options->strand = w->whole->strand == CLA_STRAND_REVERSE ? CLA_STRAND_FORWARD : CLA_STRAND_REVERSE;
  options->has_band = options->keep_work = false;
  options->run = (cla_run_options){0}; /* the run directory keeps the whole alignment only */
  options->lower_bound = (cla_lower_bound){.kind = CLA_LOWER_BOUND_AUTO};
  options->kernel.name = options->kernel.settings =
      NULL; /* kernel and settings were chosen for the whole alignment */
  options->callbacks.explain = NULL;
  if (given->callbacks.progress) {
    options->callbacks.progress = report;
    options->callbacks.progress_user = w;
  }
  cla_status status = find_best(w, error);
  if (status == CLA_OK) status = find_rests(w, error);
  while (status == CLA_OK && w->rest_count > 0) {
    const rest it = w->rests[--w->rest_count];
    status = look_through(w, &it, error);
  }
  return status;
}

/* Drops pieces below min_score, and verifies the others. The first piece gets the metrics of all work. */
static cla_status finish(split_work *w, cla_error *error) {
  const cla_align_options *given = w->given->options;
  cla_status status = CLA_OK;
  int64_t kept = 0;
  alignments_sort(w->pieces, (size_t)w->count);
  while (kept < w->count && !(given->has_min_score && w->pieces[kept]->score < given->min_score)) kept++;
  for (int64_t i = kept; i < w->count; i++) cla_alignment_free(w->pieces[i]);
  w->count = kept;
  for (int64_t i = 0; i < w->count && status == CLA_OK; i++) {
    status = cla_alignment_verify(w->pieces[i], w->given->query, w->given->target, error);
    w->pieces[i]->metrics.verified = CLA_VERIFIED_PATH;
  }
  if (w->count == 0) return status;
  w->pieces[0]->metrics = w->metrics;
  return status;
}

cla_status pipeline_align_split(cla_alignment ***out, size_t *count, const align_job *job, cla_error *error) {
  split_work w = {.given = job, .options = *job->options};
  cla_align_options options = *job->options;
  align_job one = *job;
  cla_alignment *whole = NULL;
  options.several.split = options.has_min_score = w.options.several.split = w.options.has_min_score = false;
  one.options = &options;
  w.drop = options.several.drop >= 0 ? options.several.drop : cla_split_drop(&options.scoring);
  cla_status status = pipeline_align_placed(&whole, &one, error);
  if (status != CLA_OK) return status;
  w.whole = whole;
  w.metrics = whole->metrics;
  status = cut(&w, whole, job->query, job->target, NULL, error);
  if (status == CLA_OK && (options.strand == CLA_STRAND_BOTH || options.several.inverted))
    status = turn_rests(&w, error);
  if (status == CLA_OK) status = finish(&w, error);
  if (status == CLA_OK && w.count > 0) {
    w.pieces[0]->work = whole->work;
    whole->work = NULL;
    *out = w.pieces;
    *count = (size_t)w.count;
    w.pieces = NULL;
    w.count = 0;
  }
  for (int64_t i = 0; i < w.count; i++) cla_alignment_free(w.pieces[i]);
  free(w.pieces);
  free(w.rests);
  cla_alignment_free(whole);
  return status;
}
