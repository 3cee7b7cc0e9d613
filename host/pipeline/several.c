/* Alignments that share no pair of letters, with the best first (Waterman and Eggert 1987). */

#include <stdlib.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/extremes.h"
#include "clalign/align.h"
#include "pipeline/kept_matrix.h"
#include "pipeline/pipeline.h"
#include "pipeline/pipeline_internal.h"
#include "result/alignment.h"
#include "scoring/used_pairs.h"
#include "seq/sequence.h"

/* The alignments of one strand, one per round. */
typedef struct strand_rounds {
  cla_strand strand;
  used_pairs *used;    /* pairs of earlier alignments; NULL: none */
  kept_matrix *matrix; /* owned */
  cla_alignment *next; /* owned; the best remaining alignment; NULL: not computed yet */
  int64_t most;        /* upper limit on the remaining alignments' scores */
} strand_rounds;

typedef struct rounds {
  const align_job *given;
  cla_align_options options; /* options of a round */
  strand_rounds strands[2];
  int strand_count;
  cla_alignment **found;
  int64_t count, capacity, most;
  bool claimed; /* true: the user claims that the better strand scores at least `claim` */
  int64_t claim;
} rounds;

static bool report(const cla_progress *progress, void *user) {
  const rounds *r = user;
  cla_progress of_all = *progress;
  of_all.fraction = ((double)r->count + progress->fraction) / (double)r->most;
  if (r->most > 1) of_all.seconds_left = -1; /* the number of alignments is not known */
  return r->given->options->callbacks.progress(&of_all, r->given->options->callbacks.progress_user);
}

cla_status several_check(const cla_align_options *options, cla_error *error) {
  const int64_t most = options->several.most;
  if (most < 1)
    return error_set(error, CLA_ERROR_OPTION, "%lld alignments cannot be asked for; ask for 1 or more",
                     (long long)most);
  if (most == 1) return CLA_OK;
  if (options->several.split)
    return error_set(error, CLA_ERROR_OPTION,
                     "one alignment is cut into pieces, not several; leave split out, or ask for 1");
  if (options->mode != CLA_MODE_LOCAL)
    return error_set(error, CLA_ERROR_OPTION,
                     "several alignments are for local mode; in other modes the best one is the answer");
  if (options->score_only)
    return error_set(
        error, CLA_ERROR_OPTION,
        "a further alignment is what the paths of those before leave; several and score only do not go "
        "together");
  if (options->run.directory)
    return error_set(error, CLA_ERROR_OPTION,
                     "a run directory keeps one alignment, not several; leave one out");
  if (options->gap_placement != CLA_GAPS_CANONICAL)
    return error_set(
        error, CLA_ERROR_OPTION,
        "several alignments share no pair of letters where their gaps are; gaps that are moved might "
        "take pairs of another one: leave the gap placement out");
  if (options->has_band)
    return error_set(error, CLA_ERROR_OPTION,
                     "of a band of diagonals one alignment is found, not several; leave one out");
  if (options->circular != CLA_CIRCULAR_NONE)
    return error_set(error, CLA_ERROR_OPTION,
                     "of a circular sequence one alignment is found, not several; leave one out");
  return CLA_OK;
}

/* Adds the alignment's pairs to the used pairs. Positions are on the aligned strand. */
static cla_status use_pairs(strand_rounds *strand, const cla_alignment *alignment, cla_error *error) {
  if (!strand->used) {
    cla_status status = used_pairs_create(&strand->used, error);
    if (status != CLA_OK) return status;
  }
  return used_pairs_add(strand->used, strand_start_row(alignment),
                        alignment->target.start - alignment->target.begin, alignment->runs,
                        alignment->run_count, error);
}

/* Subtracts the memory of kept matrices from the run's budget. *others is true if another strand has a kept
 * matrix. */
static void share_memory(cla_align_options *options, bool *others, const rounds *r,
                         const strand_rounds *strand) {
  int64_t kept =
      kept_matrix_block_bytes(strand->matrix); /* while a block is being swept again, it exists twice */
  *others = false;
  for (int i = 0; i < r->strand_count; i++) {
    if (r->strands + i == strand || kept_matrix_bytes(r->strands[i].matrix) == 0) continue;
    kept += kept_matrix_bytes(r->strands[i].matrix);
    *others = true;
  }
  /* Without a given budget, the budget is computed from the free memory, which already excludes kept
   * matrices. */
  const int64_t budget = align_memory_fixed(&r->options);
  if (budget <= 0) return;
  options->budgets.memory_bytes = larger(budget - kept, 1);
  if (options->budgets.memory_of_bytes == 0) options->budgets.memory_of_bytes = budget;
}

static void forget_others(rounds *r, const strand_rounds *strand) {
  for (int i = 0; i < r->strand_count; i++) {
    if (r->strands + i == strand) continue;
    kept_matrix_free(r->strands[i].matrix);
    r->strands[i].matrix = NULL;
  }
}

/* Computes the strand's best remaining alignment, if it scores at least `least`. Only the first alignment
 * may use a given bound, or a kernel that cannot exclude used pairs. */
static cla_status compute_next(rounds *r, strand_rounds *strand, bool any, int64_t least, cla_error *error) {
  cla_align_options options = r->options;
  strand_rival needed = {.given = !any, .least = least};
  options.strand = strand->strand;
  if (strand->used) {
    options.keep_work = false;
    if (!options.kernel.name || !plan_takes_used(options.kernel.name))
      options.kernel.name = options.kernel.settings = NULL;
  }
  cla_status status = strand->matrix ? CLA_OK : kept_matrix_create(&strand->matrix, error);
  if (status != CLA_OK) return status;
  strand_rest rest = {.used = strand->used, .matrix = strand->matrix, .wanted = r->most - r->count};
  bool others;
  share_memory(&options, &others, r, strand);
  align_job job = *r->given;
  job.options = &options;
  job.rival = &needed;
  job.rest = &rest;
  status = pipeline_align_strand(&strand->next, &job, error);
  if (status == CLA_ERROR_MEMORY && others) {
    forget_others(r, strand);
    share_memory(&options, &others, r, strand);
    status = pipeline_align_strand(&strand->next, &job, error);
  }
  if (status == CLA_OK) strand->most = strand->next ? strand->next->score : least - 1;
  return status;
}

/* Sets *best to the strand whose next alignment is better; at equal scores, the forward strand; NULL: no
 * alignment is left. A strand that cannot have a better alignment is not computed. */
static cla_status choose_strand(strand_rounds **best, rounds *r, cla_error *error) {
  const bool asked = pipeline_asks_for_score(&r->options);
  /* an empty alignment is a result if it is the only one; a claim is always checked */
  const bool any = r->count == 0 && (!asked || pipeline_claim_is_least(&r->options));
  *best = NULL;
  for (int i = 0; i < r->strand_count; i++)
    if (r->strands[i].next && (!*best || r->strands[i].next->score > (*best)->next->score))
      *best = r->strands + i;
  for (int i = 0; i < r->strand_count; i++) {
    strand_rounds *strand = r->strands + i;
    const bool before = *best && strand < *best; /* true if the strand is preferred at equal scores */
    int64_t least = larger(asked ? r->options.min_score : 1, 1);
    if (*best) least = larger(least, (*best)->next->score + (before ? 0 : 1));
    if (strand->next || strand->most < least) continue;
    cla_status status = compute_next(r, strand, any && !*best, least, error);
    if (status != CLA_OK) return status;
    if (strand->next) *best = strand;
  }
  return CLA_OK;
}

/* Takes the best remaining alignment of the two strands. */
static cla_status take_best(rounds *r, bool *ended, cla_error *error) {
  strand_rounds *best = NULL;
  cla_status status = choose_strand(&best, r, error);
  if (status != CLA_OK) return status;
  if (r->count == 0 && r->claimed && (!best || best->next->score < r->claim))
    return pipeline_wrong_claim(r->claim, &r->options.scoring, error);
  *ended = !best || best->next->score == 0;
  if (!best || (*ended && r->count > 0)) return CLA_OK; /* no alignment is left */
  status = ALLOCATE_GROW(&r->found, &r->capacity, r->count + 1, "the alignments", error);
  if (status == CLA_OK && !*ended) status = use_pairs(best, best->next, error);
  if (status != CLA_OK) return status;
  r->found[r->count++] = best->next;
  best->next = NULL;
  return CLA_OK;
}

static strand_rounds strand_begin(cla_strand strand) {
  return (strand_rounds){.strand = strand, .most = INT64_MAX};
}

static void free_rounds(rounds *r) {
  for (int i = 0; i < r->strand_count; i++) {
    cla_alignment_free(r->strands[i].next);
    used_pairs_free(r->strands[i].used);
    kept_matrix_free(r->strands[i].matrix);
  }
  cla_alignments_free(r->found, (size_t)r->count);
}

/* Computes only the best alignment, in any mode. */
static cla_status align_once(cla_alignment ***out, size_t *count, const rounds *r, cla_error *error) {
  cla_alignment *found = NULL;
  cla_status status = pipeline_align_placed(&found, r->given, error);
  if (status == CLA_OK && found) status = ALLOCATE_ZEROS(out, 1, "an alignment", error);
  if (status == CLA_OK && found)
    (*out)[(*count)++] = found;
  else
    cla_alignment_free(found);
  return status;
}

cla_status pipeline_align_several(cla_alignment ***out, size_t *count, const align_job *job,
                                  cla_error *error) {
  const cla_align_options *options = job->options;
  const int64_t most = options->several.most;
  rounds r = {.given = job, .options = *options, .most = most};
  bool ended = false;
  *out = NULL;
  *count = 0;
  cla_status status = CLA_OK;
  if (options->several.split) return pipeline_align_split(out, count, job, error);
  if (most == 1) return align_once(out, count, &r, error);
  if (options->callbacks.progress) {
    r.options.callbacks.progress = report;
    r.options.callbacks.progress_user = &r;
  }
  if (options->strand != CLA_STRAND_REVERSE) r.strands[r.strand_count++] = strand_begin(CLA_STRAND_FORWARD);
  if (options->strand != CLA_STRAND_FORWARD) r.strands[r.strand_count++] = strand_begin(CLA_STRAND_REVERSE);
  if (r.strand_count == 2 && options->lower_bound.kind == CLA_LOWER_BOUND_SCORE) {
    r.claimed = pipeline_claim_is_least(options);
    r.claim = options->lower_bound.score;
    r.options.lower_bound.kind = CLA_LOWER_BOUND_AUTO;
  }
  while (status == CLA_OK && !ended && r.count < most) status = take_best(&r, &ended, error);
  if (status == CLA_OK) {
    *out = r.found;
    *count = (size_t)r.count;
    r.found = NULL;
    r.count = 0;
  }
  free_rounds(&r);
  return status;
}
