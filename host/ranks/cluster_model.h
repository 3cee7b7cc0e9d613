#ifndef HOST_RANKS_CLUSTER_MODEL_H
#define HOST_RANKS_CLUSTER_MODEL_H

#include "clalign/cluster.h"

/* Constants and times that messages over MPI, their model and its test share. */

#define CLUSTER_CREDITS 4                        /* pieces on their way from one rank to another */
#define CLUSTER_REST 2e-4                        /* seconds between looks for messages, at most */
#define CLUSTER_PIECE_BYTES (INT64_C(256) << 10) /* most of a message that is sent at once */

/* The times of a block, in seconds. */
typedef struct block_times {
  int64_t pieces; /* number of pieces of its border */
  double compute; /* the whole block */
  double late;    /* from the block's begin to that of its last row */
  double send;    /* a piece, without the latency */
  double latency;
} block_times;

/* The times of a band of the traceback, in seconds. Rank 0 sends the band's input, and asks later for the
 * path through it. */
typedef struct band_times {
  double compute;
  double send;   /* without the latency */
  double answer; /* question and answer, with latencies and the path's way through the band */
  double begin;  /* of the whole traceback, until the ranks have the letters */
} band_times;

band_times cluster_band_times(const cla_cluster *cluster);

/* The seconds before any rank's first block. */
double cluster_start_seconds(const cla_cluster *cluster);

block_times cluster_block_times(const cla_cluster *cluster, int turns);

#endif
