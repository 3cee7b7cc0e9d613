/* The model of a sweep on several ranks against playing it. */

#include <math.h>

#include "clalign/cluster.h"
#include "support/test.h"

static cla_cluster small_cluster(int ranks) {
  return (cla_cluster){.ranks = ranks,
                       .sweep_seconds = 100,
                       .rows = 10000000,
                       .columns = 10000000,
                       .least_rows = 4096,
                       .border_bytes = 2,
                       .latency = 5e-6,
                       .bandwidth = 3e9};
}

/* How far the model is from the simulation, as a part of that. */
static double difference(const cla_cluster *cluster) {
  cla_cluster_time time;
  double seconds = 0, trace = 0;
  assert_ok(cla_cluster_predict(&time, cluster, &why));
  assert_ok(cla_cluster_simulate(&seconds, &trace, cluster, time.turns, &why));
  cr_expect_eq(trace, 0);
  return fabs(time.seconds - seconds) / seconds;
}

/* With a traceback. */
static cla_cluster traced_cluster(int ranks) {
  cla_cluster cluster = small_cluster(ranks);
  cluster.trace_seconds = 10;
  cluster.bands = 1024;
  cluster.band_bytes = 50000;
  return cluster;
}

Test(cluster_model, agrees_with_the_simulation_of_the_traceback) {
  const double latencies[] = {0, 5e-6, 1e-3, 1e-2}, bandwidths[] = {1e7, 1e8, 3e9};
  for (int ranks = 1; ranks <= 64; ranks *= 2)
    for (int l = 0; l < 4; l++)
      for (int b = 0; b < 3; b++) {
        cla_cluster cluster = traced_cluster(ranks);
        cla_cluster_time time;
        double sweep = 0, trace = 0;
        cluster.latency = latencies[l]; /* the last one: rank 0 does more than its part by itself */
        cluster.bandwidth = bandwidths[b];
        assert_ok(cla_cluster_predict(&time, &cluster, &why));
        assert_ok(cla_cluster_simulate(&sweep, &trace, &cluster, time.turns, &why));
        cr_expect_float_eq(time.trace, trace, (l < 3 ? 0.1 : 0.3) * trace,
                           "%d ranks, %g s, %g bytes/s: %g, played %g", ranks, latencies[l], bandwidths[b],
                           time.trace, trace);
      }
}

Test(cluster_model, ranks_share_the_traceback_as_far_as_it_waits_for_none) {
  cla_cluster cluster = traced_cluster(2);
  cla_cluster_time time, slow, few;
  assert_ok(cla_cluster_predict(&time, &cluster, &why));
  cr_expect(time.trace > 5 && time.trace < 5.5, "%g", time.trace);
  cluster.latency = 1e-2;
  assert_ok(cla_cluster_predict(&slow, &cluster, &why));
  cr_expect(slow.trace > 10, "half of the bands have to be asked for: %g", slow.trace);
  cluster = traced_cluster(64);
  cluster.bands = 2;
  assert_ok(cla_cluster_predict(&few, &cluster, &why));
  cr_expect(few.trace > 5, "two ranks are enough for two bands: %g", few.trace);
}

Test(cluster_model, agrees_with_the_simulation_of_few_ranks) {
  const double latencies[] = {0, 5e-6, 1e-3}, bandwidths[] = {1e7, 1e8, 3e9};
  for (int ranks = 1; ranks <= 8; ranks++)
    for (int l = 0; l < 3; l++)
      for (int b = 0; b < 3; b++) {
        cla_cluster cluster = small_cluster(ranks);
        cluster.latency = latencies[l];
        cluster.bandwidth = bandwidths[b];
        const double off = difference(&cluster);
        cr_expect(off < 0.03, "%d ranks, %g s, %g bytes/s: %g off", ranks, latencies[l], bandwidths[b], off);
      }
}

Test(cluster_model, agrees_with_the_simulation_up_to_1024_ranks) {
  for (int ranks = 16; ranks <= 1024; ranks *= 2) {
    const cla_cluster cluster = small_cluster(ranks);
    const double off = difference(&cluster);
    cr_expect(off < 0.05, "%d ranks: %g off", ranks, off);
  }
}

Test(cluster_model, one_rank_takes_what_it_takes_alone) {
  const cla_cluster cluster = small_cluster(1);
  cla_cluster_time time;
  assert_ok(cla_cluster_predict(&time, &cluster, &why));
  cr_expect_float_eq(time.seconds, 100, 1e-9);
  cr_expect_float_eq(time.efficiency, 1, 1e-9);
}

Test(cluster_model, a_slow_network_is_waited_for) {
  cla_cluster cluster = small_cluster(4);
  cla_cluster_time fast, slow;
  assert_ok(cla_cluster_predict(&fast, &cluster, &why));
  cluster.bandwidth = 1e5;
  assert_ok(cla_cluster_predict(&slow, &cluster, &why));
  cr_expect(fast.efficiency > 0.9, "%g", fast.efficiency);
  cr_expect(slow.waiting > 100, "%g s", slow.waiting); /* 20 MB at 0.1 MB/s */
  cr_expect(slow.efficiency < 0.2, "%g", slow.efficiency);
}

Test(cluster_model, a_border_that_begins_late_is_waited_for) {
  cla_cluster cluster = small_cluster(4);
  cla_cluster_time soon, late;
  assert_ok(cla_cluster_predict(&soon, &cluster, &why));
  cluster.border_late = 1; /* of four blocks each: a seventeenth of a block, and 48 launches */
  assert_ok(cla_cluster_predict(&late, &cluster, &why));
  cr_expect_float_eq(late.fill - soon.fill, 3 * (1. / 17 - 0.016) * 100 / 16, 0.05, "%g s",
                     late.fill - soon.fill);
  cr_expect(difference(&cluster) < 0.03);
  cluster.columns /= 1000; /* far more rows than columns: no later than a block takes */
  assert_ok(cla_cluster_predict(&late, &cluster, &why));
  cr_expect(late.seconds < 200, "%g s", late.seconds);
}

Test(cluster_model, refuses_what_cannot_be) {
  cla_cluster cluster = small_cluster(0);
  cla_cluster_time time;
  double seconds, trace;
  cla_error error;
  cr_expect_eq(cla_cluster_predict(&time, &cluster, &error), CLA_ERROR_OPTION);
  cluster = small_cluster(2);
  cluster.bandwidth = 0;
  cr_expect_eq(cla_cluster_predict(&time, &cluster, &error), CLA_ERROR_OPTION);
  cr_expect_eq(cla_cluster_simulate(&seconds, &trace, &cluster, 1, &error), CLA_ERROR_OPTION);
  cluster = small_cluster(2);
  cluster.border_late = -1;
  cr_expect_eq(cla_cluster_predict(&time, &cluster, &error), CLA_ERROR_OPTION);
  cluster = small_cluster(2);
  cluster.trace_seconds = -1;
  cr_expect_eq(cla_cluster_predict(&time, &cluster, &error), CLA_ERROR_OPTION);
}
