/* Aji 2008, equation 4.7: T = (T_tile + T_comm) x (tiles of a node + S(nodes)). Here, a macro-tile is a
 * block of rows. Its border is sent while the block is computed, so T_comm counts only where it exceeds
 * T_tile. S is the time until the previous rank has sent its first piece. */

#include "ranks/cluster_model.h"

#include <math.h>

#include "base/error.h"
#include "plan/block_cutter.h"
#include "region/region.h"

#define TURNS_MOST 4 /* maximum number of blocks of a device */
/* Additional seconds per launch of a block on a CPU. Measured with PoCL and 2 to 8 ranks; on 2 H100: none. */
#define PART_SECONDS 1.5e-3
/* Seconds to follow a path through a band when rank 0 asks for it. Measured with PoCL and 2 to 8 ranks. */
#define WAY_SECONDS 5e-4
/* Seconds until the ranks have plans and kernels. Measured with PoCL and 2 to 8 ranks; on H100: 0.16. */
#define START_SECONDS 0.15

double cluster_start_seconds(const cla_cluster *c) {
  const double letters = (double)c->rows + (double)c->columns;
  return c->ranks > 1 ? START_SECONDS + letters / c->bandwidth + c->latency : 0;
}

block_times cluster_block_times(const cla_cluster *c, int turns) {
  const double rows = (double)c->rows / c->ranks / turns;
  const double bytes = (double)(c->columns + 1) * (double)c->border_bytes;
  block_times t = {.pieces = (int64_t)fmax(ceil(bytes / (double)CLUSTER_PIECE_BYTES), REGION_BATCHES_BELOW),
                   .latency = c->latency};
  t.compute = c->sweep_seconds * fmax(rows, fmin((double)c->least_rows, (double)c->rows)) / (double)c->rows;
  if (c->ranks > 1 && c->border_late > 0) t.compute += REGION_BATCHES_BELOW * PART_SECONDS;
  const double behind = c->border_late * rows, late = behind / (behind + (double)c->columns);
  t.late = fmax(BLOCK_LATE, late) * t.compute;
  t.send = bytes / (double)t.pieces / c->bandwidth;
  return t;
}

/* Returns the seconds between two pieces. A piece is sent after two events: the previous piece has been
 * sent, and the piece CLUSTER_CREDITS before it has been acknowledged. */
static double pace_of_pieces(const block_times *t) {
  return fmax(t->send, (t->send + 2 * t->latency) / CLUSTER_CREDITS);
}

band_times cluster_band_times(const cla_cluster *c) {
  const double letters = (double)c->rows + (double)c->columns;
  return (band_times){.compute = c->trace_seconds / (double)c->bands,
                      .send = (double)c->band_bytes / c->bandwidth,
                      .answer = 2 * c->latency + CLUSTER_REST + WAY_SECONDS,
                      .begin = 2 * (letters / c->bandwidth + c->latency) + CLUSTER_REST};
}

/* Returns the seconds of the traceback. Three activities run at the same time: ranks compute a few bands
 * ahead of the path; rank 0 sends work; rank 0 asks for paths. The slowest one sets the pace. */
static double trace(const cla_cluster *c) {
  if (c->bands == 0 || c->ranks == 1) return c->trace_seconds;
  const band_times t = cluster_band_times(c);
  const double ranks = fmin(c->ranks, (double)c->bands), far = (ranks - 1) / ranks;
  const double pace = fmax(t.compute / ranks, far * fmax(t.send, t.answer));
  return t.begin + t.compute + far * (t.send + t.answer) + pace * ((double)c->bands - 1);
}

static cla_cluster_time predict(const cla_cluster *c, int turns) {
  const block_times t = cluster_block_times(c, turns);
  const double hop = t.late + t.compute / (double)t.pieces + t.send + t.latency;
  const double pace = fmax(t.compute, pace_of_pieces(&t) * (double)t.pieces);
  const double turn = fmax(pace, c->ranks * hop);
  cla_cluster_time out = {.turns = turns,
                          .computation = turns * t.compute,
                          .fill = cluster_start_seconds(c) + (c->ranks - 1) * hop};
  out.waiting = (turns - 1) * turn + pace - out.computation;
  out.trace = trace(c);
  out.seconds = out.computation + out.waiting + out.fill + out.trace;
  out.efficiency = (c->sweep_seconds + c->trace_seconds) / out.seconds / c->ranks;
  return out;
}

/* Returns CLA_ERROR_OPTION if a value is out of range. */
static cla_status check(const cla_cluster *c, cla_error *error) {
  if (c->ranks >= 1 && c->ranks <= CLA_CLUSTER_RANKS && c->sweep_seconds > 0 && c->rows >= 1 &&
      c->columns >= 1 && c->border_bytes >= 1 && c->border_late >= 0 && c->latency >= 0 && c->bandwidth > 0 &&
      c->trace_seconds >= 0 && c->bands >= 0 && c->band_bytes >= 0)
    return CLA_OK;
  return error_set(
      error, CLA_ERROR_OPTION,
      "a cluster has 1 to %d ranks, a sweep of some seconds, letters, a border, a latency, lateness and a "
      "traceback from 0 and a bandwidth above 0; give these",
      CLA_CLUSTER_RANKS);
}

cla_status cla_cluster_predict(cla_cluster_time *out, const cla_cluster *cluster, cla_error *error) {
  cla_status status = check(cluster, error);
  *out = (cla_cluster_time){0};
  if (status != CLA_OK) return status;
  if (cluster->ranks == 1) {
    *out = (cla_cluster_time){.turns = 1,
                              .seconds = cluster->sweep_seconds + cluster->trace_seconds,
                              .computation = cluster->sweep_seconds,
                              .trace = cluster->trace_seconds,
                              .efficiency = 1};
    return CLA_OK;
  }
  *out = predict(cluster, 1);
  for (int turns = 2; turns <= TURNS_MOST; turns++) {
    const cla_cluster_time other = predict(cluster, turns);
    if (other.seconds < out->seconds) *out = other;
  }
  return CLA_OK;
}
