#ifndef CLALIGN_ARRAYS_H
#define CLALIGN_ARRAYS_H

#include "clalign/align.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Aligns many pairs in one call, from arrays: reads, genes or proteins of up to some thousand letters. Making
 * objects for each sequence and alignment would take longer than aligning. */

/* Returns the number of host threads that this process may use according to affinity and cgroup. It is the
 * default of budgets.threads. */
int cla_host_threads(void);

/* Returns the sequence length up to which host threads, which align many pairs in the lanes of vectors, are
 * faster than a device. */
int64_t cla_arrays_letters(const cla_align_options *options);

/* Letters and pairs. The caller owns all arrays, which are only read. In arrays of two, element 0 is for
 * queries, element 1 for targets. */
typedef struct cla_pair_arrays {
  cla_alphabet alphabet;     /* alphabet of all letters */
  bool coded;                /* letters are codes, as in cla_record_block; false: text in either case */
  const uint8_t *letters[2]; /* letters of all sequences, one after the other */
  const int64_t *offsets[2]; /* start of each sequence, in letters, and end of the last sequence */
  int64_t sequences[2];      /* number of sequences; `offsets` has one element more */
  const int64_t *of[2];      /* 0-based index of each pair's sequence; NULL: pair i has sequence i */
  const uint8_t *strand;     /* by pair: the query's cla_strand, forward or reverse; NULL: options->strand */
  int64_t pairs;             /* number of pairs */
} cla_pair_arrays;

/* A run of a path, as in BAM: 16 times its length, plus its kind. A run of query letters is CIGAR's I, a run
 * of target letters D. Matches and mismatches are defined as in cla_statistics. */
typedef uint32_t cla_packed_run;
enum { CLA_PACKED_QUERY = 1, CLA_PACKED_TARGET = 2, CLA_PACKED_MATCH = 7, CLA_PACKED_OTHER = 8 };

/* The results of all pairs, in memory of the caller. Each array has an element per pair, or is NULL if the
 * result is not needed. The elements of a pair that failed are 0, and its strand is forward. */
typedef struct cla_pair_results {
  int64_t *score;             /* in the scheme's units */
  int64_t *start[2], *end[2]; /* the aligned parts, on the forward strands; start is -1 without paths */
  uint8_t *strand;            /* a cla_strand: forward or reverse; required unless all pairs are forward */
  uint8_t *status;            /* a cla_status; required */
  cla_packed_run *runs;       /* runs of all paths; NULL: no paths are computed, as with score_only */
  int64_t
      *run_offsets; /* index of each pair's first run, and end of the last pair's runs: pairs + 1 elements */
  int64_t runs_capacity;  /* room in `runs`; a path has at most as many runs as its pair has letters */
  int64_t runs_wanted;    /* output: number of runs of all pairs */
  int64_t failed;         /* output: number of pairs whose status is not CLA_OK */
  int64_t cells_computed; /* output: number of cells computed for all pairs */
} cla_pair_results;

/* Aligns all pairs exactly as cla_align does, on options->budgets.threads host threads. Scores, ends and
 * paths do not depend on the machine, the threads, the devices and the other pairs. The score of each path is
 * verified letter by letter. If a pair fails, its status is set and the call continues; cla_pair_arrays_tell
 * finds the reason.
 *
 * The devices of options->partners work at the same time as these threads. They align large chunks of pairs,
 * in proportion to the speeds of devices and threads. Devices find scores and ends; host threads find the
 * paths. A CPU device works on the same cores as the threads. A device that fails, or computes wrongly, is
 * not used further: a note reports it (callbacks.note), and host threads do its work. If only scores are
 * wanted, one score in 256 is verified by its path. The call has exclusive use of the partners, and releases
 * each partner when there are no more pairs for it.
 *
 * Pairs that are too long for the lanes of a vector are aligned one by one, on `device`. If `device` is NULL,
 * such pairs are aligned on the device that options->callbacks.device provides. Without that callback they
 * are aligned on a host thread, however long that takes, and a pair whose scores are too large for a host
 * thread fails with CLA_ERROR_OPTION (cla_align_needs_device). If there is a device, pairs of more than 2^28
 * cells are also aligned on that device.
 *
 * Options that concern the number or the place of alignments are refused: several, circular, has_band,
 * has_min_score, ranks, run, kernel, keep_work, lower_bound (CLA_ERROR_OPTION). callbacks.progress is called
 * from time to time, from the calling thread, and can end the call.
 *
 * Errors: CLA_ERROR_OPTION, CLA_ERROR_MEMORY, CLA_ERROR_INTERRUPTED. CLA_ERROR_OPTION is also returned if
 * runs_capacity is too small. In this case runs_wanted is a sufficient capacity, and all results except the
 * runs are set. */
cla_status cla_align_arrays(cla_pair_results *results, const cla_pair_arrays *pairs, cla_device *device,
                            const cla_align_options *options, cla_error *error);

/* Builds and tests the kernel for `pairs` on `device`, if it is not built yet. A later call with the device
 * as a partner then need not wait for the build. callbacks.progress is called before a kernel is compiled,
 * from the calling thread. CLA_ERROR_OPTION, CLA_ERROR_MEMORY, CLA_ERROR_DEVICE, CLA_ERROR_INTERRUPTED. */
cla_status cla_pair_arrays_prepare(const cla_pair_arrays *pairs, cla_device *device,
                                   const cla_align_options *options, cla_error *error);

/* Finds out why pair number `index` failed: aligns only this pair again, and sets *error. Returns CLA_OK if
 * the pair does not fail. */
cla_status cla_pair_arrays_tell(const cla_pair_arrays *pairs, int64_t index, cla_device *device,
                                const cla_align_options *options, cla_error *error);

/* Other ranks (clalign/ranks.h) that align pairs of calls, each with all its threads. */
typedef struct cla_arrays_ranks cla_arrays_ranks;

/* Starts a batch on all ranks, with options as for cla_align_arrays. *out is NULL if there is no other rank;
 * otherwise the caller calls cla_arrays_ranks_end. Only cla_arrays_ranks_send may be called from other
 * threads; all other functions must be called from the thread that called this function. CLA_ERROR_MEMORY,
 * CLA_ERROR_DEVICE. */
cla_status cla_arrays_ranks_begin(cla_arrays_ranks **out, const cla_ranks *ranks,
                                  const cla_align_options *options, cla_error *error);

/* Returns the largest number of calls whose pairs may be with other ranks at the same time; 0 if `ranks` is
 * NULL. */
int64_t cla_arrays_ranks_room(const cla_arrays_ranks *ranks);

/* Sends the targets of `pairs` to all ranks, once for a batch. Later calls with the same targets do not send
 * them. The targets must stay valid until the batch ends. CLA_ERROR_MEMORY. */
cla_status cla_arrays_ranks_keep(cla_arrays_ranks *ranks, const cla_pair_arrays *pairs, cla_error *error);

/* Sends pairs to the rank with the least work. Returns false if all ranks have enough work; the caller may
 * then align the pairs. The pairs are copied; their offsets must start with 0. The result arrays must stay
 * valid until cla_arrays_ranks_take returns them. */
bool cla_arrays_ranks_send(cla_arrays_ranks *ranks, cla_pair_results *results, const cla_pair_arrays *pairs,
                           void *user);

/* Sends and receives messages. If the work on some pairs has ended, sets *user to the `user` with which they
 * were sent; otherwise sets *user to NULL. If *aligned is true, the results are set as by cla_align_arrays,
 * and pairs that lanes cannot compute have an error. If it is false, the rank has died, and the caller must
 * align the pairs. CLA_ERROR_DEVICE, and errors of ranks. */
cla_status cla_arrays_ranks_take(void **user, bool *aligned, cla_arrays_ranks *ranks, cla_error *error);

/* Ends the batch on all ranks. Pairs that are still with other ranks are lost. NULL is allowed. */
void cla_arrays_ranks_end(cla_arrays_ranks *ranks);

#ifdef __cplusplus
}
#endif

#endif
