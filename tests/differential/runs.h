#ifndef TESTS_DIFFERENTIAL_RUNS_H
#define TESTS_DIFFERENTIAL_RUNS_H

#include "differential/compare.h"

#define RUN_DEVICES RANKS_MOST

/* Where cases run. */
typedef struct run_place {
  cla_device *devices[RUN_DEVICES]; /* the same one, opened several times */
  const char *program;              /* clalign; NULL: there is none */
  const char *ranks_program;        /* clalign-mpi; NULL: there is none */
  const char *folder;               /* for the program's files */
} run_place;

typedef enum verdict {
  VERDICT_SAME,
  VERDICT_REFUSED, /* an option or budget that does not go with the rest, or a full device: told, no result */
  VERDICT_DIFFERENT
} verdict;

/* Runs the case and compares it with the oracle. `text` says what differs, or why it was refused. */
verdict run_case(char text[DIFFERENCE_SIZE], const drawn_case *one, const run_place *place);

/* For the other files of runs: a pair's sequences; false where they cannot be made. */
bool run_sequences(cla_sequence *out[2], const drawn_case *one, int pair, cla_error *error);

/* The program, and batches. */
verdict run_program(char text[DIFFERENCE_SIZE], const drawn_case *one, const run_place *place);
verdict run_batch(char text[DIFFERENCE_SIZE], const drawn_case *one, const run_place *place);

/* The program on ranks of mpirun, and alone. */
verdict run_mpi(char text[DIFFERENCE_SIZE], const drawn_case *one, const run_place *place);

/* Whether a kernel that is named was refused for its lanes: several ranks, as several devices, need wider
 * ones. */
bool run_lacks_lanes(const char *message);

/* Whether two results are the same bytes as .cla has them; else `text` says so. */
bool run_same_bytes(char text[DIFFERENCE_SIZE], cla_alignment *const *got, size_t count,
                    cla_alignment *const *alone, size_t alone_count);

/* Whether an error says that the device has no memory left: other processes may use it, too. NVIDIA has
 * CL_OUT_OF_RESOURCES for kernels that read outside, so that is none. */
bool run_device_is_full(const char *message);

/* Judges a status other than CLA_OK. claim_fails: the case's bound is above the optimum, which must be the
 * error then, and only then. Too little memory is right if the case has a budget or the device is full. */
verdict run_failed(char text[DIFFERENCE_SIZE], const drawn_case *one, cla_status status, const char *message,
                   bool claim_fails);

/* Of wanted results of a batch's pairs those that --top leaves, in their order; returns how many. */
int run_top(int order[CASE_PAIRS_MOST], const drawn_case *one, const int64_t best[CASE_PAIRS_MOST]);

#endif
