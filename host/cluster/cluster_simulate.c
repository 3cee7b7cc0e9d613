/* Plays a sweep on several ranks, piece by piece, and a traceback, band by band. */

#include <math.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "base/error.h"
#include "cluster/cluster_model.h"

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

/* The bands of a rank. */
typedef struct rank_bands {
  double free;                  /* when its bands are computed */
  double passed[CLUSTER_BANDS]; /* ring buffer; when the path had passed its last bands */
  int64_t count;
} rank_bands;

/* The time at which the rank has room for another band. */
static double may_begin(const rank_bands *r) {
  return fmax(r->free, r->passed[r->count % CLUSTER_BANDS]);
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
      line = fmax(line, r->passed[r->count % CLUSTER_BANDS]) + t.send;
      begin = fmax(begin, line + c->latency);
    }
    r->free = begin + t.compute;
    path = fmax(path, r->free) + (rank > 0 ? t.answer : 0);
    r->passed[r->count++ % CLUSTER_BANDS] = path;
  }
  return t.begin + path;
}

static cla_status play_trace(double *seconds, const cla_cluster *cluster, cla_error *error) {
  rank_bands *ranks = NULL;
  *seconds = cluster->trace_seconds;
  if (cluster->bands == 0 || cluster->ranks == 1) return CLA_OK;
  cla_status status = allocate_zeros((void **)&ranks, cluster->ranks, sizeof *ranks, "the ranks", error);
  if (status == CLA_OK) *seconds = play_bands(cluster, ranks);
  free(ranks);
  return status;
}

cla_status cla_cluster_simulate(double *sweep, double *trace, const cla_cluster *cluster, int turns,
                                cla_error *error) {
  border_times borders[2] = {{0}, {0}};
  double *free_at = NULL;
  *sweep = *trace = 0;
  cla_status status = cluster_check(cluster, error);
  if (status == CLA_OK && (turns < 1 || turns > CLA_CLUSTER_RANKS))
    status = error_set(error, CLA_ERROR_OPTION, "%d turns cannot be; give 1 or more", turns);
  if (status == CLA_OK) status = play_trace(trace, cluster, error);
  if (status != CLA_OK) return status;
  const block_times t = cluster_block_times(cluster, turns);
  status = allocate_zeros((void **)&free_at, cluster->ranks, sizeof *free_at, "the ranks", error);
  for (int i = 0; i < 2 && status == CLA_OK; i++) {
    status = allocate_zeros((void **)&borders[i].arrived, t.pieces, sizeof(double), "pieces", error);
    if (status == CLA_OK)
      status = allocate_zeros((void **)&borders[i].left, t.pieces, sizeof(double), "pieces", error);
  }
  for (int64_t block = 0; status == CLA_OK && block < (int64_t)turns * cluster->ranks; block++) {
    double *own = free_at + block % cluster->ranks;
    *own = play_block(&borders[block % 2], block > 0 ? &borders[(block + 1) % 2] : NULL, &t, *own);
    *sweep = fmax(*sweep, *own);
  }
  *sweep += cluster_start_seconds(cluster);
  for (int i = 0; i < 2; i++) {
    free(borders[i].arrived);
    free(borders[i].left);
  }
  free(free_at);
  return status;
}
