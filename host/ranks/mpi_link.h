#ifndef HOST_RANKS_MPI_LINK_H
#define HOST_RANKS_MPI_LINK_H

#include <mpi.h>

#include "clalign/ranks.h"

/* Messages over MPI. Messages are cut into pieces, which preposted persistent receives take in order.
 * Sending a piece costs the sender a credit of the receiver. The receiver returns a credit for each piece
 * that it has taken. Only the thread that opened the link calls MPI; other threads only queue messages. If
 * MPI has User Level Failure Mitigation (ULFM), its calls report ranks that have died. */
typedef struct mpi_link mpi_link;

/* Opens the link. lost: is called for a rank that has died. broken: is called, and must end the process, if
 * there is no memory for a message. CLA_ERROR_MEMORY. */
cla_status mpi_link_open(mpi_link **out, MPI_Comm all, void (*lost)(int rank),
                         void (*broken)(const cla_error *why), cla_error *error);

/* The functions for a cla_ranks; `user` is the link. */
cla_status mpi_link_send(void *user, int to, int kind, const cla_rank_bytes *parts, int part_count,
                         cla_error *error);
cla_status mpi_link_take(void *user, cla_rank_message *out, bool *found, cla_error *error);
void mpi_link_rest(void *user, bool at_work);
void mpi_link_wake(void *user);
int64_t mpi_link_waiting(void *user, int to);

/* Returns an array with an entry for each rank: true if the rank has died. Deaths are noticed only if MPI has
 * ULFM and mpirun was told to use it. */
const bool *mpi_link_gone(const mpi_link *link);

/* Waits until all living ranks have called the function. Returns true if no rank has died. All ranks get
 * the same answer. */
bool mpi_link_meet(const mpi_link *link);

/* Sends the queued messages, for at most `seconds`. Returns false if some messages are still queued. */
bool mpi_link_flush(mpi_link *link, double seconds);

/* Frees all memory that MPI no longer needs. NULL is allowed. */
void mpi_link_close(mpi_link *link);

#endif
