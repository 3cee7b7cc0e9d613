#ifndef HOST_RANKS_CLUSTER_H
#define HOST_RANKS_CLUSTER_H

#include "clalign/device.h"
#include "clalign/ranks.h"
#include "clalign/tune.h"
#include "pipeline/pipeline.h"

/* The ranks of mpirun as a cla_ranks (clalign/ranks.h), and the work of the ranks other than 0. */

/* Functions that the program provides. */
typedef struct cluster_calls {
  bool (*interrupted)(void); /* returns true if this process must end */
  void (*lost)(int rank);    /* reports on rank 0 that `rank` has died and that the other ranks continue */
  /* Reports the error, and ends the process immediately. The other ranks continue as if this rank had
   * died. */
  void (*broken)(const cla_error *why);
} cluster_calls;

/* Joins the job. Removes MPI's own arguments from the command line. CLA_ERROR_DEVICE if MPI cannot be used.
 */
cla_status cluster_begin(const cla_ranks **out, int *count, char ***arguments, const cluster_calls *calls,
                         cla_error *error);

/* The devices of this rank. The cluster_open function keeps ownership of them. */
typedef struct cluster_devices {
  cla_device **items;
  cla_tuning *const *tunings;
  size_t count;
} cluster_devices;

/* Opens the devices that `select` names, in the form of --device; NULL: the most suitable devices. */
typedef cla_status (*cluster_open)(cluster_devices *out, const char *select, int threads, cla_error *error);

/* Does the work that rank 0 sends, until the job ends. Returns the job's exit code, or CLUSTER_LEFT_ALONE if
 * rank 0 has died. */
#define CLUSTER_LEFT_ALONE 4
int cluster_serve(const cla_ranks *job, cluster_open open);

/* The functions by which ranks share a job, for cla_ranks.peers. */
extern const cla_peers rank_peers;

/* Leaves the job, and returns `code`, the exit code. Rank 0 sends it to all other ranks. */
int cluster_end(int code);

#endif
