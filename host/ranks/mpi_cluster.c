/* Joins and leaves a job of mpirun. */

#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/extremes.h"
#include "base/machine.h"
#include "ranks/cluster.h"
#include "ranks/mpi_link.h"
#include "ranks/ranks.h"

#define FLUSH_SECONDS 5.0
#define LEAVE_SECONDS 10
/* For a matrix with fewer cells, loading the kernels of the other ranks takes longer than the sweep. */
#define LEAST_CELLS (INT64_C(1) << 33)

static cla_ranks ranks;
static mpi_link *link_to_all;
static char host_name[MPI_MAX_PROCESSOR_NAME];

/* Returns the number of hardware threads that this rank may use. Ranks that are bound to the same threads
 * share them. */
static int share_threads(MPI_Comm host) {
  cpu_set_t own, *all = calloc((size_t)ranks.host_count, sizeof *all);
  double share = 0;
  CPU_ZERO(&own);
  if (!all || sched_getaffinity(0, sizeof own, &own) != 0) CPU_SET(0, &own);
  if (!all) return 1;
  MPI_Allgather(&own, sizeof own, MPI_BYTE, all, sizeof own, MPI_BYTE, host);
  for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
    int sharing = 0;
    if (!CPU_ISSET((size_t)cpu, &own)) continue;
    for (int i = 0; i < ranks.host_count; i++) sharing += CPU_ISSET((size_t)cpu, &all[i]) != 0;
    share += 1.0 / sharing;
  }
  free(all);
  return (int)larger((int64_t)(machine_threads() * share / CPU_COUNT(&own) + 0.01), 1);
}

static void describe_host(void) {
  MPI_Comm host;
  int length = 0;
  const char *least = getenv("CLALIGN_MPI_CELLS");
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
  MPI_Comm_rank(host, &ranks.host_rank);
  MPI_Comm_size(host, &ranks.host_count);
  MPI_Get_processor_name(host_name, &length);
  ranks.host = host_name;
  ranks.threads = share_threads(host);
  ranks.memory_bytes = machine_memory_available() / 2 / ranks.host_count;
  ranks.least_cells = least ? strtoll(least, NULL, 10) : LEAST_CELLS;
  MPI_Comm_free(&host);
}

cla_status cluster_begin(const cla_ranks **out, int *count, char ***arguments, const cluster_calls *calls,
                         cla_error *error) {
  int level = 0;
  MPI_Init_thread(count, arguments, MPI_THREAD_FUNNELED, &level);
  if (level < MPI_THREAD_FUNNELED)
    return error_set(error, CLA_ERROR_DEVICE,
                     "this MPI allows no threads; use one that was built with MPI_THREAD_FUNNELED");
  MPI_Comm_rank(MPI_COMM_WORLD, &ranks.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks.count);
  describe_host();
  *out = &ranks; /* `lost` may be called only after this */
  cla_status status = mpi_link_open(&link_to_all, MPI_COMM_WORLD, calls->lost, calls->broken, error);
  ranks.peers = &rank_peers;
  ranks.send = mpi_link_send;
  ranks.take = mpi_link_take;
  ranks.rest = mpi_link_rest;
  ranks.wake = mpi_link_wake;
  ranks.waiting = mpi_link_waiting;
  if (status != CLA_OK) link_to_all = NULL; /* no message can be sent, so the other ranks end with this one */
  ranks.gone = link_to_all ? mpi_link_gone(link_to_all) : NULL;
  ranks.interrupted = ranks.rank > 0 ? calls->interrupted : NULL;
  ranks.user = link_to_all;
  return status;
}

static volatile sig_atomic_t leaving_with;

/* Ends the process when a rank for which others wait does not respond in time. */
static void leave_now(int number) {
  (void)number;
  _exit(leaving_with);
}

/* Moves messages until all other ranks have read the message CLA_RANK_QUIT. Messages that their threads are
 * still sending need credits. */
static void await_others(void) {
  bool *said = calloc((size_t)ranks.count, sizeof *said);
  cla_error unused;
  for (bool all = !said; !all;) {
    cla_rank_message message = {0};
    bool found = false;
    if (ranks.take(ranks.user, &message, &found, &unused) != CLA_OK) break;
    if (found && message.kind == CLA_RANK_QUIT) said[message.from] = true;
    free(message.bytes);
    all = true;
    for (int i = 1; i < ranks.count; i++) all = all && (said[i] || ranks_is_gone(&ranks, i));
    if (!all && !found) ranks.rest(ranks.user, false);
  }
  free(said);
}

int cluster_end(int code) {
  cla_error unused;
  const cla_rank_bytes quit = {&code, sizeof code};
  leaving_with = code;
  if (code != 0) {
    signal(SIGALRM, leave_now);
    alarm(LEAVE_SECONDS);
  }
  if (ranks.rank == 0 && link_to_all) {
    (void)ranks_tell(&ranks, CLA_RANK_QUIT, quit, &unused);
    await_others();
  } else if (link_to_all) {
    (void)ranks_send(&ranks, 0, CLA_RANK_QUIT, quit, &unused);
  }
  if (link_to_all) (void)mpi_link_flush(link_to_all, FLUSH_SECONDS);
  /* No message is on its way after the meeting, so no receive is needed then. */
  const bool all = !link_to_all || mpi_link_meet(link_to_all);
  ranks.gone = NULL;
  mpi_link_close(link_to_all);
  if (all) MPI_Finalize(); /* if a rank has died, Open MPI may never return from this call */
  return code;
}
