#ifndef HOST_PACKS_PACKS_H
#define HOST_PACKS_PACKS_H

#include "clalign/alignment.h"
#include "clalign/device.h"
#include "dp/pair_solver.h"
#include "scoring/pair_problem.h"

/* Many pairs at once on one device, one pair per lane (packed.clh) or per chain (chain_pairs.clh). The device
 * finds the same scores and canonical end nodes as a sweep of each pair alone. The host finds a pair's
 * canonical path. */

/* A pair and its result. Sequences are letter codes of the two ranges, on the aligned strand; the caller owns
 * them. */
typedef struct pack_pair {
  const uint8_t *query, *target;
  int64_t query_letters, target_letters; /* >= 1 */
  int64_t score;                         /* out: the best score under the scheme */
  int64_t end_query,
      end_target; /* out: the canonical end node (docs/internals/exactness.md), as letters before it */
  row_tops rows;  /* out: for pair_solver_trace; owned by the solver, until its next call */
} pack_pair;

/* True if a pair of these lengths can be packed on the device. Returns false for pairs that are too long for
 * the lanes' memory, or whose scores might exceed 2^29. */
bool pack_takes(const cla_device_info *device, const path_scheme *scheme, int64_t query_letters,
                int64_t target_letters);

/* Properties of the way in which a device packs pairs of a scheme. */
typedef struct pack_way {
  /* Number of pairs that fill the device once; with fewer, a part is idle; 0: the device packs no pairs. */
  int64_t enough;
  bool alike;  /* all pairs of a vector take as long as the largest; false: each takes its own time */
  bool shares; /* a very long pair is divided among chains, so that no pair is too long */
} pack_way;

pack_way pack_way_of(const cla_device_info *device, const path_scheme *scheme);

/* A solver for packs of one scheme on one device. The solver keeps programs and buffers between calls. */
typedef struct pack_solver pack_solver;

/* Makes a solver. While the solver is used, the calling thread must own `device` (device_take). `scheme` must
 * outlive the solver. Fails with CLA_ERROR_MEMORY. */
cla_status pack_solver_create(pack_solver **out, cla_device *device, const path_scheme *scheme,
                              cla_error *error);
void pack_solver_free(pack_solver *solver);

/* The question whether to go on. It is asked before each launch. */
typedef struct pack_question {
  bool (*go_on)(void *user);
  void *user;
} pack_question;

/* Solves all pairs; pack_takes must be true for each. Order and lengths may be mixed: pairs of about the same
 * size are grouped, so that few lanes are idle. Thousands of pairs at once are best. `question` may be NULL.
 * The first call for a kind of scores compiles a kernel and tests it. Fails with CLA_ERROR_DEVICE (the driver
 * fails, or the device computes wrongly), CLA_ERROR_MEMORY or CLA_ERROR_INTERRUPTED (the answer was no). */
cla_status pack_solve(pack_solver *solver, pack_pair *pairs, int64_t count, const pack_question *question,
                      cla_error *error);

/* Builds and tests the kernel that pack_solve would use for these pairs. Errors as pack_solve. */
cla_status pack_prepare(pack_solver *solver, const pack_pair *pairs, int64_t count, cla_error *error);

/* Limits the device memory of later calls; 0, the initial value: all of the device's memory. With a limit,
 * the solver takes fewer pairs at once. If the limit is too small for a single pair, pack_solve returns
 * CLA_ERROR_MEMORY. A limit suffices for each pair for which pack_takes is true on a device whose memory is
 * twice the limit. */
void pack_solver_limit(pack_solver *solver, int64_t device_bytes);

#endif
