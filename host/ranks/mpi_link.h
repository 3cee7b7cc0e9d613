#ifndef HOST_RANKS_MPI_LINK_H
#define HOST_RANKS_MPI_LINK_H

#include <mpi.h>

#include "clalign/ranks.h"

/* Messages over MPI. They are cut into pieces, which preposted persistent receives take in their order. A
 * rank sends no more pieces than it has credits of the receiver, which gives one back for each piece that it
 * has taken. MPI is called from the thread that opened the link alone; others only queue.
 *
 * Where MPI has User Level Failure Mitigation (ULFM), calls tell of ranks that have died. */
typedef struct mpi_link mpi_link;

/* Opens the link. lost: called for a rank that has died. broken: ends the process if memory is too short for
 * a message. CLA_ERROR_MEMORY. */
cla_status mpi_link_open(mpi_link **out, MPI_Comm all, void (*lost)(int rank),
                         void (*broken)(const cla_error *why), cla_error *error);

/* The calls of cla_ranks; `user` is the link. */
cla_status mpi_link_send(void *user, int to, int kind, const cla_rank_bytes *parts, int part_count,
                         cla_error *error);
cla_status mpi_link_take(void *user, cla_rank_message *out, bool *found, cla_error *error);
void mpi_link_rest(void *user, bool at_work);
void mpi_link_wake(void *user);
int64_t mpi_link_waiting(void *user, int to);

/* Tells by rank whether it has died. No death is seen unless MPI has ULFM and mpirun was told to use it. */
const bool *mpi_link_gone(const mpi_link *link);

/* Waits until all living ranks have come here. True if none has died; all get the same answer. */
bool mpi_link_meet(const mpi_link *link);

/* Sends the queued messages, for at most `seconds`. False if something is left. */
bool mpi_link_flush(mpi_link *link, double seconds);

/* Frees all that MPI does not need any more. NULL is allowed. */
void mpi_link_close(mpi_link *link);

#endif
