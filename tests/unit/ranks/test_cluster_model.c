/* The model of a pair on several ranks, against playing its sweep, piece by piece, and its traceback, band by
 * band. */

#include "ranks/cluster_model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/test.h"

/* Times of a border's pieces. */
typedef struct border_times {
  double *arrived; /* owned; when each piece is at the next block */
  double *left;    /* owned; when each piece has left the sender */
} border_times;

/* Plays a block that may begin at time `free`, below a border. Returns the time when it is done. */
static double play_block(border_times *below, const border_times *above, const block_times *t, double free) {
  const double piece = t->compute / (double)t->pieces;
  double done = free, line = 0;
  for (int64_t j = 0; j < t->pieces; j++) {
    const double there = above ? above->arrived[j] : 0;
    done = fmax(done, there) + piece;
    const double credit = j >= CLUSTER_CREDITS ? below->left[j - CLUSTER_CREDITS] + 2 * t->latency : 0;
    line = fmax(fmax(done + t->late, line), credit) + t->send;
    below->left[j] = line;
    below->arrived[j] = line + t->latency;
  }
  return done;
}

#define BANDS 2 /* bands of a rank in work or waiting for the path, at most */

/* The bands of a rank. */
typedef struct rank_bands {
  double free;          /* when its bands are computed */
  double passed[BANDS]; /* ring buffer; when the path had passed its last bands */
  int64_t count;
} rank_bands;

/* The time at which the rank has room for another band. */
static double may_begin(const rank_bands *r) {
  return fmax(r->free, r->passed[r->count % BANDS]);
}

static int first_free(const rank_bands *ranks, int count) {
  int first = 0;
  for (int i = 1; i < count; i++)
    if (may_begin(&ranks[i]) < may_begin(&ranks[first])) first = i;
  return first;
}

/* Plays the bands, from the path's end on. Each goes to the rank that has room first. Returns the time when
 * the path is through all of them. */
static double play_bands(const cla_cluster *c, rank_bands *ranks) {
  const band_times t = cluster_band_times(c);
  double line = 0, path = 0;
  for (int64_t band = 0; band < c->bands; band++) {
    const int rank = first_free(ranks, c->ranks);
    rank_bands *r = &ranks[rank];
    double begin = may_begin(r);
    if (rank > 0) {
      line = fmax(line, r->passed[r->count % BANDS]) + t.send;
      begin = fmax(begin, line + c->latency);
    }
    r->free = begin + t.compute;
    path = fmax(path, r->free) + (rank > 0 ? t.answer : 0);
    r->passed[r->count++ % BANDS] = path;
  }
  return t.begin + path;
}

/* The seconds of the traceback, played. */
static double play_trace(const cla_cluster *cluster) {
  rank_bands ranks[64] = {{0}};
  cr_assert_leq(cluster->ranks, 64);
  if (cluster->bands == 0 || cluster->ranks == 1) return cluster->trace_seconds;
  return play_bands(cluster, ranks);
}

/* The seconds of a sweep with `turns` turns, played. */
static double play_sweep(const cla_cluster *cluster, int turns) {
  static double free_at[1024];
  border_times borders[2];
  double seconds = 0;
  const block_times t = cluster_block_times(cluster, turns);
  cr_assert_leq(cluster->ranks, 1024);
  memset(free_at, 0, sizeof free_at);
  for (int i = 0; i < 2; i++) {
    borders[i].arrived = calloc((size_t)t.pieces, sizeof(double));
    borders[i].left = calloc((size_t)t.pieces, sizeof(double));
    cr_assert(borders[i].arrived && borders[i].left);
  }
  for (int block = 0; block < turns * cluster->ranks; block++) {
    double *own = free_at + block % cluster->ranks;
    *own = play_block(&borders[block % 2], block > 0 ? &borders[(block + 1) % 2] : NULL, &t, *own);
    seconds = fmax(seconds, *own);
  }
  for (int i = 0; i < 2; i++) {
    free(borders[i].arrived);
    free(borders[i].left);
  }
  return seconds + cluster_start_seconds(cluster);
}

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

/* How far the model of a sweep is from playing it, as a part of that. */
static double difference(const cla_cluster *cluster) {
  cla_cluster_time time;
  assert_ok(cla_cluster_predict(&time, cluster, &why));
  cr_expect_eq(time.trace, 0);
  const double seconds = play_sweep(cluster, time.turns);
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
        cluster.latency = latencies[l]; /* the last one: rank 0 does more than its part by itself */
        cluster.bandwidth = bandwidths[b];
        assert_ok(cla_cluster_predict(&time, &cluster, &why));
        const double trace = play_trace(&cluster);
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
  cla_error error;
  cr_expect_eq(cla_cluster_predict(&time, &cluster, &error), CLA_ERROR_OPTION);
  cluster = small_cluster(2);
  cluster.bandwidth = 0;
  cr_expect_eq(cla_cluster_predict(&time, &cluster, &error), CLA_ERROR_OPTION);
  cluster = small_cluster(2);
  cluster.border_late = -1;
  cr_expect_eq(cla_cluster_predict(&time, &cluster, &error), CLA_ERROR_OPTION);
  cluster = small_cluster(2);
  cluster.trace_seconds = -1;
  cr_expect_eq(cla_cluster_predict(&time, &cluster, &error), CLA_ERROR_OPTION);
}
