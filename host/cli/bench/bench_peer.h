#ifndef HOST_CLI_BENCH_BENCH_PEER_H
#define HOST_CLI_BENCH_BENCH_PEER_H

#include <stdbool.h>
#include <stdint.h>

#include "clalign/alignment.h"
#include "cli/bench/bench_samples.h"
#include "cli/report/progress_bar.h"

/* parasail beside clalign: its striped, scan and diagonal functions of 8, 16 and 32 bits for this CPU's
 * widest instruction set, on one thread. */

#define PEER_METHODS 3
#define PEER_WIDTHS 3
#define PEER_FUNCTIONS (PEER_METHODS * PEER_WIDTHS)
#define PEER_LETTERS_LIMIT 1000000000 /* its lengths are int */

typedef struct peer_function {
  char name[48]; /* sw_striped_avx2_256_16 */
  int bits;
  const char *wrong; /* why its result does not count, or NULL; static */
  bool slow;         /* out of the running after a round */
  bool best;         /* of the right ones of its width */
  bench_samples seconds;
} peer_function;

typedef struct bench_peer {
  const char *query, *target;          /* letters; not owned */
  int64_t query_length, target_length; /* what it gets */
  bool cut;                            /* less than clalign gets */
  cla_mode mode;
  cla_scoring scoring;
  int64_t score; /* clalign's, for what the peer gets */
  peer_function functions[PEER_FUNCTIONS];
  int function_count;
} bench_peer;

/* How the peer's progress is shown. */
typedef struct peer_progress {
  progress_bar *bar;
  const char *label;
} peer_progress;

/* Whether this program was built with parasail, and its version, "parasail 2.6.0". */
bool bench_peer_built_in(void);
void bench_peer_version(char *text, size_t size);

/* Lists the functions. CLA_ERROR_DEVICE if parasail has none for this CPU. */
cla_status bench_peer_begin(bench_peer *peer, cla_error *error);

/* Runs each function that has been neither wrong nor slow once, so that the first round meets all of them.
 * CLA_ERROR_INTERRUPTED after a signal. */
cla_status bench_peer_round(bench_peer *peer, const peer_progress *progress, cla_error *error);

/* Marks the best of each width, by medians. */
void bench_peer_finish(bench_peer *peer);

/* parasail's rate. */
double bench_peer_gcups(const bench_peer *peer, const peer_function *function);

#endif
