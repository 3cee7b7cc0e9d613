/* Which of parasail's functions is the one to compare with. */

#include "cli/bench_peer.h"

#include <stdio.h>
#include <stdlib.h>

#include "cli/bench_parasail.h"
#include "cli/cli_report.h"

/* A trial is all of the query, which shapes what a function keeps in caches, against so much of the target
 * that a run takes some tens of milliseconds. */
#define TRIAL_CELLS 1e8
#define TRIAL_RUNS 2
/* Candidates that the trial puts so near the fastest may well be faster in earnest. */
#define NEAR 0.9

static const char *const methods[PEER_METHODS] = {"striped", "scan", "diag"};
static const int widths[PEER_WIDTHS] = {8, 16, 32};

static cla_status try_function(peer_function *function, const bench_peer *peer, const peer_progress *progress,
                               cla_error *error) {
  int64_t letters = (int64_t)(TRIAL_CELLS / (double)peer->query_length) + 1;
  if (letters > peer->target_length) letters = peer->target_length;
  bench_samples trial = {.count = 0};
  for (int i = 0; i < TRIAL_RUNS; i++) {
    peer_outcome outcome;
    cla_status status = peer_run(&outcome, peer, function, letters, progress, error);
    if (status != CLA_OK) return status;
    if (outcome.crashed) {
      function->wrong = "ended without a result";
      return CLA_OK;
    }
    bench_samples_add(&trial, outcome.seconds);
  }
  function->trial_rate = bench_rate((double)peer->query_length * (double)letters, bench_least(&trial));
  return CLA_OK;
}

static int by_width_and_rate(const void *a, const void *b) {
  const peer_function *x = a, *y = b;
  if (x->bits != y->bits) return x->bits - y->bits;
  return (x->trial_rate < y->trial_rate) - (x->trial_rate > y->trial_rate);
}

cla_status bench_peer_begin(bench_peer *peer, const peer_progress *progress, cla_error *error) {
  const char *instructions = peer_instructions();
  if (!instructions)
    return cli_error(error, CLA_ERROR_DEVICE, "parasail has no functions for this CPU; leave --peer out");
  peer->function_count = 0;
  for (int width = 0; width < PEER_WIDTHS; width++) {
    for (int method = 0; method < PEER_METHODS; method++) {
      peer_function *function = &peer->functions[peer->function_count++];
      *function = (peer_function){.bits = widths[width]};
      snprintf(function->name, sizeof function->name, "%s_%s_%s_%d",
               peer->mode == CLA_MODE_LOCAL ? "sw" : "nw", methods[method], instructions, widths[width]);
      cla_status status = try_function(function, peer, progress, error);
      if (status != CLA_OK) return status;
    }
  }
  qsort(peer->functions, (size_t)peer->function_count, sizeof peer->functions[0], by_width_and_rate);
  return CLA_OK;
}

static cla_status run_function(peer_function *function, const bench_peer *peer, const peer_progress *progress,
                               cla_error *error) {
  peer_outcome outcome;
  cla_status status = peer_run(&outcome, peer, function, peer->target_length, progress, error);
  if (status != CLA_OK) return status;
  if (outcome.crashed)
    function->wrong = "ended without a result";
  else if (outcome.saturated)
    function->wrong = "saturated";
  else if (outcome.score != peer->score)
    function->wrong = "another score";
  else
    bench_samples_add(&function->seconds, outcome.seconds);
  return CLA_OK;
}

cla_status bench_peer_round(bench_peer *peer, const peer_progress *progress, cla_error *error) {
  int bits = 0;
  double least_rate = 0; /* of candidates of this width */
  for (int i = 0; i < peer->function_count; i++) {
    peer_function *function = &peer->functions[i];
    if (function->bits != bits) least_rate = 0;
    bits = function->bits;
    if (function->wrong || function->trial_rate < least_rate) continue;
    cla_status status = run_function(function, peer, progress, error);
    if (status != CLA_OK) return status;
    if (!function->wrong && least_rate <= 0) least_rate = NEAR * function->trial_rate;
  }
  return CLA_OK;
}

void bench_peer_finish(bench_peer *peer) {
  peer_function *best = NULL;
  for (int i = 0; i < peer->function_count; i++) {
    peer_function *function = &peer->functions[i];
    if (best && best->bits != function->bits) best = NULL;
    if (function->wrong || function->seconds.count == 0) continue;
    if (best && bench_median(&best->seconds) <= bench_median(&function->seconds)) continue;
    if (best) best->best = false;
    function->best = true;
    best = function;
  }
}

double bench_peer_gcups(const bench_peer *peer, const peer_function *function) {
  return bench_rate((double)peer->query_length * (double)peer->target_length,
                    bench_median(&function->seconds));
}
