#ifndef CLALIGN_CLUSTER_H
#define CLALIGN_CLUSTER_H

#include <stdint.h>

#include "clalign/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A model of a pair's time on several equal ranks. The sweep's time follows Aji 2008, section 4.1.2, equation
 * 4.7, with blocks of rows as macro-tiles. The traceback's time is computed from its bands between kept rows,
 * which the ranks compute in turn. */

/* A pair, and the ranks that align it together. */
typedef struct cla_cluster {
  int ranks;             /* 1 .. CLA_CLUSTER_RANKS */
  double sweep_seconds;  /* seconds of the sweep on one rank alone */
  int64_t rows, columns; /* size of the matrix, >= 1 */
  int64_t least_rows;    /* smallest number of rows that keeps a rank busy (cla_prediction) */
  int64_t border_bytes;  /* bytes per column that a block passes to the block below */
  double border_late;    /* number of columns that a block computes before it passes any to the block below,
                            divided by the block's number of rows; >= 0 */
  double trace_seconds;  /* seconds of the traceback's bands on one rank; 0: none */
  int64_t bands;         /* number of bands that the path crosses in sequence; 0: no bands */
  int64_t band_bytes;    /* bytes sent to the rank that computes a band */
  double latency;        /* seconds of a message between two ranks, >= 0 */
  double bandwidth;      /* bytes per second between two ranks, > 0 */
} cla_cluster;

/* Largest number of ranks of a cluster. */
#define CLA_CLUSTER_RANKS 65536

/* The times of a cluster's run, in seconds. */
typedef struct cla_cluster_time {
  int turns;          /* number of blocks of each rank */
  double seconds;     /* sum of the fields from here to `trace` */
  double computation; /* seconds in which a rank computes its blocks */
  double waiting;     /* waits for borders that arrive too slowly or too late */
  double fill;        /* seconds until the last rank has started: plans, letters, kernels and borders */
  double trace;       /* seconds of the traceback's bands */
  double efficiency;  /* (sweep_seconds + trace_seconds) / (ranks x seconds) */
} cla_cluster_time;

/* Predicts the times by the model, for the number of turns with the least time. CLA_ERROR_OPTION if a value
 * is out of its range. */
cla_status cla_cluster_predict(cla_cluster_time *out, const cla_cluster *cluster, cla_error *error);

#ifdef __cplusplus
}
#endif

#endif
