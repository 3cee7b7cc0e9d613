/* Which of parasail's functions is the one to compare with. */

#include "cli/bench/bench_peer.h"

#include <stdio.h>

#include "cli/bench/bench_parasail.h"
#include "cli/report/report.h"

/* After a round, functions that took longer than so many times the fastest right one of their width are out:
 * noise does not make up for that. */
#define NEAR 1.25

static const char *const methods[PEER_METHODS] = {"striped", "scan", "diag"};
static const int widths[PEER_WIDTHS] = {8, 16, 32};

cla_status bench_peer_begin(bench_peer *peer, cla_error *error) {
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
    }
  }
  return CLA_OK;
}

static cla_status run_function(peer_function *function, const bench_peer *peer, const peer_progress *progress,
                               cla_error *error) {
  peer_outcome outcome;
  cla_status status = peer_run(&outcome, peer, function, progress, error);
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

/* The right function of that width with the least median, or NULL. */
static peer_function *fastest_of(bench_peer *peer, int bits) {
  peer_function *best = NULL;
  for (int i = 0; i < peer->function_count; i++) {
    peer_function *function = &peer->functions[i];
    if (function->bits != bits || function->wrong || function->slow) continue;
    if (!best || bench_median(&function->seconds) < bench_median(&best->seconds)) best = function;
  }
  return best;
}

static void drop_slow(bench_peer *peer) {
  for (int i = 0; i < peer->function_count; i++) {
    peer_function *function = &peer->functions[i];
    const peer_function *best = fastest_of(peer, function->bits);
    if (function->wrong || !best) continue;
    if (bench_median(&function->seconds) > NEAR * bench_median(&best->seconds)) function->slow = true;
  }
}

cla_status bench_peer_round(bench_peer *peer, const peer_progress *progress, cla_error *error) {
  for (int i = 0; i < peer->function_count; i++) {
    peer_function *function = &peer->functions[i];
    if (function->wrong || function->slow) continue;
    cla_status status = run_function(function, peer, progress, error);
    if (status != CLA_OK) return status;
  }
  drop_slow(peer);
  return CLA_OK;
}

void bench_peer_finish(bench_peer *peer) {
  for (int width = 0; width < PEER_WIDTHS; width++) {
    peer_function *best = fastest_of(peer, widths[width]);
    if (best) best->best = true;
  }
}

double bench_peer_gcups(const bench_peer *peer, const peer_function *function) {
  return bench_rate((double)peer->query_length * (double)peer->target_length,
                    bench_median(&function->seconds));
}
