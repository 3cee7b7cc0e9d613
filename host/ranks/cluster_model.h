#ifndef HOST_RANKS_CLUSTER_MODEL_H
#define HOST_RANKS_CLUSTER_MODEL_H

#include "clalign/cluster.h"

/* Constants and times shared by the messages over MPI, their model, and the model's test. */

#define CLUSTER_CREDITS 4                        /* most pieces on their way from one rank to another */
#define CLUSTER_REST 2e-4                        /* most seconds between two looks for messages */
#define CLUSTER_PIECE_BYTES (INT64_C(256) << 10) /* most bytes of a message sent at once */

/* The times of a block, in seconds. */
typedef struct block_times {
  int64_t pieces; /* number of pieces of the block's border */
  double compute; /* time of the whole block */
  double late;    /* from the begin of the block to the begin of its last row */
  double send;    /* time to send a piece, without the latency */
  double latency;
} block_times;

/* The times of a band of the traceback, in seconds. Rank 0 sends the band's input, and later asks for the
 * path through the band. */
typedef struct band_times {
  double compute;
  double send;   /* time to send the input, without the latency */
  double answer; /* question and answer, including latencies and following the path */
  double begin;  /* begin of the whole traceback: until the ranks have the letters */
} band_times;

band_times cluster_band_times(const cla_cluster *cluster);

/* Returns the seconds before the first block of any rank. */
double cluster_start_seconds(const cla_cluster *cluster);

block_times cluster_block_times(const cla_cluster *cluster, int turns);

#endif
