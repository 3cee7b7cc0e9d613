/* cla_batch: many pairs, in any order. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "differential/runs.h"
#include "support/ranks/local_ranks.h"

typedef struct batch_run {
  const drawn_case *one;
  cla_sequence *sequences[CASE_PAIRS_MOST][2];
  wanted want[CASE_PAIRS_MOST];
  int order[CASE_PAIRS_MOST], order_count; /* the results that are due */
  bool seen[CASE_PAIRS_MOST];
  int next, results;
  verdict found;
  char *text;
  bool keeps; /* the results, or compares with those that are kept */
  cla_alignment **kept[CASE_PAIRS_MOST];
  size_t kept_count[CASE_PAIRS_MOST];
} batch_run;

static bool give(cla_batch_pair *pair, cla_status *status, cla_error *error, void *user) {
  batch_run *run = user;
  (void)status;
  (void)error;
  if (run->next == run->one->pair_count) return false;
  pair->query = run->sequences[run->next][0];
  pair->target = run->sequences[run->next][1];
  run->next++;
  return true;
}

/* Of one rank, for the run on several. */
static void keep(batch_run *run, const cla_batch_result *result) {
  const int i = (int)result->index;
  cla_error error = {0};
  if (result->count == 0) return;
  run->kept[i] = calloc(result->count, sizeof *run->kept[i]);
  if (!run->kept[i]) abort();
  for (size_t k = 0; k < result->count; k++, run->kept_count[i]++)
    if (cla_alignment_copy(&run->kept[i][k], result->alignments[k], NULL, &error) != CLA_OK) abort();
}

static bool take(const cla_batch_result *result, void *user) {
  batch_run *run = user;
  const int i = (int)result->index;
  char text[DIFFERENCE_SIZE];
  const int due = run->results++;
  if (run->keeps) keep(run, result);
  if (run->found != VERDICT_SAME) return true;
  if (result->status != CLA_OK) { /* out of turn with --top */
    run->found = run_failed(run->text, run->one, result->status, result->error->message, false);
    return true;
  }
  if (run->one->as_finished)
    run->found = run->seen[i] ? VERDICT_DIFFERENT : VERDICT_SAME;
  else
    run->found = due < run->order_count && run->order[due] == i ? VERDICT_SAME : VERDICT_DIFFERENT;
  run->seen[i] = true;
  if (run->found != VERDICT_SAME)
    snprintf(run->text, DIFFERENCE_SIZE, "result %d is pair %d, which is not due", due + 1, i + 1);
  else if (!compare_alignments(text, run->one, &run->one->pairs[i], &run->want[i], result->alignments,
                               result->count)) {
    run->found = VERDICT_DIFFERENT;
    snprintf(run->text, DIFFERENCE_SIZE, "pair %d: %.900s", i + 1, text);
  } else if (!run->keeps && run->one->ranks > 0 &&
             !run_same_bytes(text, result->alignments, result->count, run->kept[i], run->kept_count[i])) {
    run->found = VERDICT_DIFFERENT;
    snprintf(run->text, DIFFERENCE_SIZE, "pair %d: %.900s", i + 1, text);
  }
  return true;
}

static cla_status call(batch_run *run, const run_place *place, cla_error *error) {
  const drawn_case *one = run->one;
  char settings[CASE_SETTINGS_SIZE];
  cla_batch_options options;
  cla_batch_options_init(&options);
  case_options(&options.align, one, settings);
  options.align.host_cells = one->by_lanes ? CLA_HOST_CELLS : 0;
  options.sink = take;
  options.sink_user = run;
  options.align.kernel.settings = NULL;
  options.align.several.most = one->most;
  options.best_of_group = one->top;
  options.as_finished = one->as_finished && one->top == 0;
  options.pairs_ahead = one->pairs_ahead;
  options.align.has_min_score = one->least != LEAST_NONE;
  options.align.min_score = case_least(one, run->want[0].result.paths[0].score);
  const cla_batch_source source = {.next = give, .user = run};
  if (one->ranks == 0 || run->keeps)
    return cla_batch(NULL, place->devices, (size_t)one->devices, &source, &options, error);
  local_ranks *ranks = local_ranks_begin_on(place->devices + 1, one->ranks - 1);
  options.align.ranks = local_ranks_first(ranks);
  const cla_status status = cla_batch(NULL, place->devices, 1, &source, &options, error);
  local_ranks_end(ranks);
  return status;
}

/* One rank's results first, where several are to have the same. */
static cla_status call_both(batch_run *run, const run_place *place, cla_error *error) {
  if (run->one->ranks == 0) return call(run, place, error);
  run->keeps = true;
  cla_status status = call(run, place, error);
  run->keeps = false;
  if (status != CLA_OK || run->found != VERDICT_SAME) return status;
  memset(run->seen, 0, sizeof run->seen);
  run->next = run->results = 0;
  return call(run, place, error);
}

verdict run_batch(char text[DIFFERENCE_SIZE], const drawn_case *one, const run_place *place) {
  batch_run run = {.one = one, .text = text};
  cla_error error = {0};
  int64_t best[CASE_PAIRS_MOST];
  bool made = true;
  wanted_make(run.want, best, one);
  for (int i = 0; i < one->pair_count; i++) made = run_sequences(run.sequences[i], one, i, &error) && made;
  run.order_count = run_top(run.order, one, best);
  const cla_status status = made ? call_both(&run, place, &error) : CLA_ERROR_INPUT;
  if (status != CLA_OK)
    run.found = run_failed(text, one, status, error.message, false);
  else if (run.found == VERDICT_SAME && run.results != run.order_count) {
    snprintf(text, DIFFERENCE_SIZE, "%d results instead of %d", run.results, run.order_count);
    run.found = VERDICT_DIFFERENT;
  }
  for (int i = 0; i < one->pair_count; i++) {
    cla_sequence_free(run.sequences[i][0]);
    cla_sequence_free(run.sequences[i][1]);
    cla_alignments_free(run.kept[i], run.kept_count[i]);
  }
  wanted_free(run.want, one);
  return run.found;
}
