#include "differential/runs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "differential/pieces.h"
#include "pipeline/pipeline.h"
#include "support/ranks/local_ranks.h"
#include "support/small_plans.h"

bool run_sequences(cla_sequence *out[2], const drawn_case *one, int pair, cla_error *error) {
  const case_pair *p = &one->pairs[pair];
  char names[2][16];
  snprintf(names[0], sizeof names[0], "q%d", pair);
  snprintf(names[1], sizeof names[1], "t%d", pair);
  out[0] = out[1] = NULL;
  const char *own = one->alphabet == CLA_ALPHABET_OWN ? one->scoring.letters : NULL;
  return cla_sequence_from_letters_with(
             &out[0], names[0], p->query, p->rows,
             &(cla_sequence_options){.known = true, .alphabet = one->alphabet, .own = own},
             error) == CLA_OK &&
         cla_sequence_from_letters_with(
             &out[1], names[1], p->target, p->columns,
             &(cla_sequence_options){.known = true, .alphabet = one->alphabet, .own = own}, error) == CLA_OK;
}

bool run_device_is_full(const char *message) {
  return strstr(message, "failed with CL_OUT_OF_HOST_MEMORY") ||
         strstr(message, "failed with CL_MEM_OBJECT_ALLOCATION_FAILURE");
}

verdict run_failed(char text[DIFFERENCE_SIZE], const drawn_case *one, cla_status status, const char *message,
                   bool claim_fails) {
  const bool says_claim = strstr(message, "lower bound") && strstr(message, "above the");
  snprintf(text, DIFFERENCE_SIZE, "error (%s): %.800s", cla_status_name(status), message);
  if (says_claim) return claim_fails && status == CLA_ERROR_OPTION ? VERDICT_SAME : VERDICT_DIFFERENT;
  if (status == CLA_ERROR_OPTION || run_device_is_full(message)) return VERDICT_REFUSED;
  return status == CLA_ERROR_MEMORY && one->memory_bytes > 0 ? VERDICT_REFUSED : VERDICT_DIFFERENT;
}

static cla_status call(cla_alignment ***out, size_t *count, const drawn_case *one,
                       cla_sequence *const pair[2], const cla_align_options *options, const run_place *place,
                       cla_error *error) {
  if (one->most > 1 || one->split) {
    cla_results found;
    cla_align_options several = *options;
    several.several.most = one->most;
    cla_status status = cla_align_several(&found, place->devices[0], pair[0], pair[1], &several, error);
    *out = (cla_alignment **)found.alignments;
    *count = found.count;
    return status;
  }
  *out = calloc(1, sizeof **out);
  if (!*out) abort();
  cla_status status;
  if (one->entry == ENTRY_SMALL_PLAN && one->strand != CLA_STRAND_BOTH && !one->circular && !one->has_band) {
    const align_job asked = {.device = place->devices[0],
                             .query = pair[0],
                             .target = pair[1],
                             .options = options,
                             .adjust = small_plan};
    settled_job settled;
    status = align_settle(&settled, &asked, error);
    if (status == CLA_OK) status = pipeline_align(*out, &settled.job, error);
  } else
    status = cla_align(*out, place->devices[0], pair[0], pair[1], options, error);
  *count = **out ? 1 : 0;
  return status;
}

bool run_same_bytes(char text[DIFFERENCE_SIZE], cla_alignment *const *got, size_t count,
                    cla_alignment *const *alone, size_t alone_count) {
  uint8_t *bytes[2] = {NULL, NULL};
  int64_t lengths[2] = {0, 0};
  cla_error error = {0};
  bool same = count == alone_count;
  if (same && count > 0)
    same = cla_alignments_pack(&bytes[0], &lengths[0], (const cla_alignment *const *)got, count, &error) ==
               CLA_OK &&
           cla_alignments_pack(&bytes[1], &lengths[1], (const cla_alignment *const *)alone, count, &error) ==
               CLA_OK &&
           lengths[0] == lengths[1] && memcmp(bytes[0], bytes[1], (size_t)lengths[0]) == 0;
  if (!same)
    snprintf(text, DIFFERENCE_SIZE, "%zu alignments, not the bytes of %zu of one rank%s%.700s", count,
             alone_count, error.message[0] ? ": " : "", error.message);
  free(bytes[0]);
  free(bytes[1]);
  return same;
}

bool run_lacks_lanes(const char *message) {
  return strstr(message, "the scores are too large for ") != NULL;
}

/* What a call gave. */
typedef struct outcome {
  cla_status status;
  cla_error error;
  cla_alignment **found; /* owned */
  size_t count;
} outcome;

/* Whether several ranks gave what one process gives. A kernel that is named needs wider lanes on several, and
 * a device that other processes use, too, may be full for one of both. */
static bool compare_alone(char text[DIFFERENCE_SIZE], const drawn_case *one, cla_sequence *const pair[2],
                          const cla_align_options *options, const outcome *got, const run_place *place) {
  outcome alone = {.status = CLA_OK};
  alone.status = call(&alone.found, &alone.count, one, pair, options, place, &alone.error);
  bool same = alone.status == got->status;
  if (run_device_is_full(got->error.message) || run_device_is_full(alone.error.message)) {
    same = true;
  } else if (same && got->status == CLA_OK) {
    same = run_same_bytes(text, got->found, got->count, alone.found, alone.count);
  } else if (!same) {
    same = run_lacks_lanes(got->error.message);
    snprintf(text, DIFFERENCE_SIZE, "%s on %d ranks, and %s on one: %.800s", cla_status_name(got->status),
             one->ranks, cla_status_name(alone.status),
             got->status != CLA_OK ? got->error.message : alone.error.message);
  }
  cla_alignments_free(alone.found, alone.count);
  return same;
}

/* Whether the outcome is what the oracle wants. */
static verdict judge(char text[DIFFERENCE_SIZE], const drawn_case *one, const wanted *want, int64_t bound,
                     const outcome *got) {
  const case_pair *pair = &one->pairs[0];
  const oracle_path *best = &want->result.paths[0];
  if (got->status != CLA_OK) return run_failed(text, one, got->status, got->error.message, want->claim_fails);
  if (want->claim_fails) {
    snprintf(text, DIFFERENCE_SIZE, "no error, though the bound %lld is above the optimum %lld",
             (long long)bound, (long long)best->score);
    return VERDICT_DIFFERENT;
  }
  const bool same = one->split
                        ? compare_pieces(text, one, pair, best, one->split_drop, got->found, got->count)
                        : compare_alignments(text, one, pair, want, got->found, got->count);
  return same ? VERDICT_SAME : VERDICT_DIFFERENT;
}

/* cla_align and its kin. */
static verdict run_library(char text[DIFFERENCE_SIZE], const drawn_case *one, const run_place *place) {
  const case_pair *pair = &one->pairs[0];
  char settings[CASE_SETTINGS_SIZE];
  cla_align_options options;
  cla_sequence *sequences[2];
  outcome got = {.status = CLA_ERROR_INPUT};
  cla_path path = {0};
  wanted want[CASE_PAIRS_MOST];
  int64_t best[CASE_PAIRS_MOST];
  wanted_make(want, best, one);
  case_options(&options, one, settings);
  static const cla_lower_bound_kind kinds[BOUND_WORDS] = {CLA_LOWER_BOUND_OFF,   CLA_LOWER_BOUND_AUTO,
                                                          CLA_LOWER_BOUND_SCORE, CLA_LOWER_BOUND_SCORE,
                                                          CLA_LOWER_BOUND_SCORE, CLA_LOWER_BOUND_PATH};
  options.lower_bound =
      (cla_lower_bound){.kind = kinds[one->bound], .score = case_bound(one, best[0]), .path = &path};
  if (one->bound == BOUND_PATH) case_path(&path, one, pair);
  options.has_min_score = one->least != LEAST_NONE;
  options.min_score = case_least(one, best[0]);
  cla_partner partners[RUN_DEVICES];
  for (int i = 1; i < one->devices; i++) partners[i - 1] = (cla_partner){.device = place->devices[i]};
  options.partners = partners;
  options.partner_count = one->entry == ENTRY_PARTNERS ? (size_t)one->devices - 1 : 0;
  local_ranks *ranks = NULL;
  if (one->entry == ENTRY_RANKS) {
    ranks = local_ranks_begin_on(place->devices + 1, one->ranks - 1);
    options.ranks = local_ranks_first(ranks);
  }
  if (run_sequences(sequences, one, 0, &got.error))
    got.status = call(&got.found, &got.count, one, sequences, &options, place, &got.error);
  options.ranks = NULL;
  verdict found = judge(text, one, want, options.lower_bound.score, &got);
  if (ranks) local_ranks_end(ranks);
  if (ranks && found != VERDICT_DIFFERENT && !compare_alone(text, one, sequences, &options, &got, place))
    found = VERDICT_DIFFERENT;
  cla_alignments_free(got.found, got.count);
  cla_sequence_free(sequences[0]);
  cla_sequence_free(sequences[1]);
  cla_path_free(&path);
  wanted_free(want, one);
  return found;
}

verdict run_case(char text[DIFFERENCE_SIZE], const drawn_case *one, const run_place *place) {
  text[0] = '\0';
  switch (one->entry) {
    case ENTRY_BATCH:
    case ENTRY_RANKS_BATCH: return run_batch(text, one, place);
    case ENTRY_MPI:
    case ENTRY_MPI_BATCH: return run_mpi(text, one, place);
    case ENTRY_PROGRAM:
    case ENTRY_PROGRAM_BATCH: return run_program(text, one, place);
    default: return run_library(text, one, place);
  }
}

int run_top(int order[CASE_PAIRS_MOST], const drawn_case *one, const int64_t best[CASE_PAIRS_MOST]) {
  int count = 0;
  for (int i = 0; i < one->pair_count; i++) {
    int at = count++;
    while (one->top > 0 && at > 0 && best[order[at - 1]] < best[i]) {
      order[at] = order[at - 1];
      at--;
    }
    order[at] = i;
  }
  return one->top > 0 && one->top < count ? (int)one->top : count;
}
