#ifndef HOST_RANKS_CLUSTER_MODEL_H
#define HOST_RANKS_CLUSTER_MODEL_H

#include "clalign/cluster.h"

/* Constants and times that the messages over MPI, their model, and the model's test share. */

#define CLUSTER_CREDITS 4 /* maximum number of pieces on their way from one rank to another */
#define CLUSTER_REST 2e-4 /* maximum time between two looks for messages, in seconds */
#define CLUSTER_PIECE_BYTES (INT64_C(256) << 10) /* maximum number of bytes that are sent as one piece */

/* The times of a block, in seconds. */
typedef struct block_times {
  int64_t pieces; /* number of pieces of the block's border */
  double compute; /* time of the whole block */
  double late;    /* time from the start of the block to the start of its last row */
  double send;    /* time to send a piece, without the latency */
  double latency;
} block_times;

/* The times of a band of the traceback, in seconds. Rank 0 sends the band's input, and later asks for the
 * path through the band. */
typedef struct band_times {
  double compute;
  double send;   /* time to send the input, without the latency */
  double answer; /* time of question and answer, including latencies and the time to follow the path */
  double begin;  /* time to start the whole traceback, until the ranks have the letters */
} band_times;

band_times cluster_band_times(const cla_cluster *cluster);

/* Returns the seconds before the first block of any rank. */
double cluster_start_seconds(const cla_cluster *cluster);

block_times cluster_block_times(const cla_cluster *cluster, int turns);

#endif
