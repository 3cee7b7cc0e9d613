#ifndef HOST_CLI_BENCH_BENCH_PARASAIL_H
#define HOST_CLI_BENCH_BENCH_PARASAIL_H

#include "cli/bench/bench_peer.h"

/* The calls of libparasail. */

typedef struct peer_outcome {
  double seconds;
  int score;
  bool saturated;
  bool crashed; /* it ended without a result; nothing else is set */
} peer_outcome;

/* The widest instruction set that both the library and this CPU have, as parasail's functions are named:
 * "avx2_256"; NULL if there is none. */
const char *peer_instructions(void);

/* Runs the function of that name on the first letters of the peer's pair. It works in a process of its own,
 * because it can neither be asked to stop nor tell how far it is. Errors: CLA_ERROR_INTERRUPTED,
 * CLA_ERROR_MEMORY, CLA_ERROR_OPTION (this program was built without parasail). */
cla_status peer_run(peer_outcome *out, const bench_peer *peer, const peer_function *function,
                    const peer_progress *progress, cla_error *error);

#endif
