#ifndef HOST_CLUSTER_CLUSTER_H
#define HOST_CLUSTER_CLUSTER_H

#include "clalign/device.h"
#include "clalign/ranks.h"
#include "clalign/tune.h"

/* The ranks of mpirun as clalign/ranks.h has them, and what those do that are not rank 0. */

/* What the program gives. */
typedef struct cluster_calls {
  bool (*interrupted)(void); /* whether this process is to end */
  void (*lost)(int rank);    /* the rank has died, and the others go on: rank 0 says so */
  void (*broken)(
      const cla_error *why); /* says so, and ends the process at once: the others do as after a death */
} cluster_calls;

/* Joins the job. MPI's own arguments are taken out. CLA_ERROR_DEVICE if MPI cannot be used. */
cla_status cluster_begin(const cla_ranks **out, int *count, char ***arguments, const cluster_calls *calls,
                         cla_error *error);

/* Devices of this rank, which stay the opener's. */
typedef struct cluster_devices {
  cla_device **items;
  cla_tuning *const *tunings;
  size_t count;
} cluster_devices;

/* Opens the devices that `select` names, as --device does; NULL: those that suit best. */
typedef cla_status (*cluster_open)(cluster_devices *out, const char *select, int threads, cla_error *error);

/* Does what rank 0 says until it ends; returns the exit code of the job, or this one if rank 0 has died. */
#define CLUSTER_LEFT_ALONE 4
int cluster_serve(const cla_ranks *job, cluster_open open);

/* Leaves the job with that exit code, which rank 0 tells to all others. */
int cluster_end(int code);

#endif
