#ifndef HOST_PACKS_PACKS_H
#define HOST_PACKS_PACKS_H

#include "clalign/alignment.h"
#include "clalign/device.h"
#include "dp/pair_solver.h"
#include "scoring/pair_problem.h"

/* Many pairs at once on one device, a pair a lane (packed.clh) or a pair a chain (chain_pairs.clh). The
 * device finds scores and canonical end nodes, the same as a sweep of each pair alone. The host finds a
 * pair's canonical path. */

/* A pair and its result. Sequences are letter codes of the two ranges, on the aligned strand; the caller owns
 * them. */
typedef struct pack_pair {
  const uint8_t *query, *target;
  int64_t query_letters, target_letters; /* >= 1 */
  int64_t score;                         /* out: the best one under the scheme */
  int64_t end_query,
      end_target; /* out: the canonical end node (docs/internals/exactness.md): letters before it */
  row_tops rows;  /* out: for pair_solver_trace; the solver's, until its next call */
} pack_pair;

/* Whether a pair of such lengths can be packed on the device. Not taken are pairs that are too long for the
 * lanes' memory, or whose scores might pass 2^29. */
bool pack_takes(const cla_device_info *device, const path_scheme *scheme, int64_t query_letters,
                int64_t target_letters);

/* How a device packs pairs of a scheme. */
typedef struct pack_way {
  int64_t enough; /* pairs that fill the device once; with fewer, a part is idle; 0: the device packs none */
  bool alike;  /* pairs that share a vector all take as long as the largest; else each takes its own time */
  bool shares; /* a very long pair is shared out among chains, so that no pair is too long */
} pack_way;

pack_way pack_way_of(const cla_device_info *device, const path_scheme *scheme);

/* Solves packs of one scheme on one device; keeps programs' and buffers' handles between calls. */
typedef struct pack_solver pack_solver;

/* `device` is the calling thread's while the solver is used (device_take), and `scheme` must outlive it.
 * CLA_ERROR_MEMORY. */
cla_status pack_solver_create(pack_solver **out, cla_device *device, const path_scheme *scheme,
                              cla_error *error);
void pack_solver_free(pack_solver *solver);

/* Whether to go on, asked before each launch. */
typedef struct pack_question {
  bool (*go_on)(void *user);
  void *user;
} pack_question;

/* Solves all pairs, each of which pack_takes. Order and lengths may be mixed: pairs of about the same size
 * are put together, so that few lanes idle. Thousands of pairs at once are best. `question` may be NULL. The
 * first call for scores of a kind compiles a kernel and tests it. CLA_ERROR_DEVICE (the driver fails, or the
 * device computes wrongly), CLA_ERROR_MEMORY, CLA_ERROR_INTERRUPTED (the answer was no). */
cla_status pack_solve(pack_solver *solver, pack_pair *pairs, int64_t count, const pack_question *question,
                      cla_error *error);

/* What the first call for such pairs does besides solving them: builds the kernel that it would take and
 * tests it. Errors as pack_solve. */
cla_status pack_prepare(pack_solver *solver, const pack_pair *pairs, int64_t count, cla_error *error);

/* Bytes of the device's memory that a call may take from now on; 0, as at first: all that the device has.
 * With a limit the solver takes fewer pairs at once. If the limit is too small for one pair alone, pack_solve
 * ends with CLA_ERROR_MEMORY. The limit suffices for each pair that pack_takes on a device with twice the
 * limit as memory. */
void pack_solver_limit(pack_solver *solver, int64_t device_bytes);

/* Frees the device memory that is kept for the next call. */
void pack_solver_release(pack_solver *solver);

#endif
