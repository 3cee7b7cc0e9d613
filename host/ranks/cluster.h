#ifndef HOST_RANKS_CLUSTER_H
#define HOST_RANKS_CLUSTER_H

#include "clalign/device.h"
#include "clalign/ranks.h"
#include "clalign/tune.h"
#include "pipeline/pipeline.h"

/* The ranks of mpirun as clalign/ranks.h has them, and the work of ranks other than 0. */

/* Calls that the program gives. */
typedef struct cluster_calls {
  bool (*interrupted)(void); /* whether this process must end */
  void (*lost)(int rank);    /* rank 0 reports that the rank has died, and that the others go on */
  /* Reports the error, and ends the process at once. The others go on as after a death. */
  void (*broken)(const cla_error *why);
} cluster_calls;

/* Joins the job. MPI's own arguments are taken out. CLA_ERROR_DEVICE if MPI cannot be used. */
cla_status cluster_begin(const cla_ranks **out, int *count, char ***arguments, const cluster_calls *calls,
                         cla_error *error);

/* Devices of this rank. The opener keeps them. */
typedef struct cluster_devices {
  cla_device **items;
  cla_tuning *const *tunings;
  size_t count;
} cluster_devices;

/* Opens the devices that `select` names, as --device does; NULL: the devices that suit best. */
typedef cla_status (*cluster_open)(cluster_devices *out, const char *select, int threads, cla_error *error);

/* Does the work that rank 0 gives until it ends. Returns the job's exit code, or CLUSTER_LEFT_ALONE if rank 0
 * has died. */
#define CLUSTER_LEFT_ALONE 4
int cluster_serve(const cla_ranks *job, cluster_open open);

/* The tables by which jobs are shared, for cla_ranks.peers. */
extern const cla_peers rank_peers;

/* Leaves the job with that exit code, which rank 0 tells to all others. */
int cluster_end(int code);

#endif
