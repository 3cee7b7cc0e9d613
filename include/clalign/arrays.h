#ifndef CLALIGN_ARRAYS_H
#define CLALIGN_ARRAYS_H

#include "clalign/align.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Many pairs at once, as arrays, for reads, genes and proteins of up to some thousand letters. Making objects
 * for each sequence and alignment would take longer than aligning. */

/* Returns the number of host threads that this process may use, by affinity and cgroup. budgets.threads 0
 * means that number. */
int cla_host_threads(void);

/* Returns the sequence length up to which host threads, with pairs in the lanes of vectors, are faster than a
 * device. */
int64_t cla_arrays_letters(const cla_align_options *options);

/* Letters and pairs. The caller owns all arrays, which are only read. In arrays of two, element 0 is for
 * queries, element 1 for targets. */
typedef struct cla_pair_arrays {
  cla_alphabet alphabet;     /* alphabet of all letters */
  bool coded;                /* letters are codes, as in cla_record_block; false: text in either case */
  const uint8_t *letters[2]; /* letters of all sequences, one after the other */
  const int64_t *offsets[2]; /* start of each sequence, in letters, and end of the last sequence */
  int64_t sequences[2];      /* number of sequences; `offsets` has one element more */
  const int64_t *of[2];      /* index of each pair's sequence, from 0; NULL: pair i has sequence i */
  const uint8_t *strand;     /* by pair: the query's cla_strand, forward or reverse; NULL: options->strand */
  int64_t pairs;             /* number of pairs */
} cla_pair_arrays;

/* A run of a path, as in BAM: 16 times its length, plus its kind. A run of query letters is CIGAR's I, of
 * target letters D. Matches, and other pairs, are as in cla_statistics. */
typedef uint32_t cla_packed_run;
enum { CLA_PACKED_QUERY = 1, CLA_PACKED_TARGET = 2, CLA_PACKED_MATCH = 7, CLA_PACKED_OTHER = 8 };

/* The results of all pairs, in memory of the caller. Each array has an element per pair, or is NULL if it is
 * not wanted. The elements of a pair that failed are 0, and its strand is forward. */
typedef struct cla_pair_results {
  int64_t *score;             /* in the scheme's units */
  int64_t *start[2], *end[2]; /* of the aligned parts, on the forward strands; start is -1 without paths */
  uint8_t *strand;            /* a cla_strand: forward or reverse; required unless all pairs are forward */
  uint8_t *status;            /* a cla_status; required */
  cla_packed_run *runs;       /* runs of all paths; NULL: no paths are wanted, as under score_only */
  int64_t
      *run_offsets; /* index of each pair's first run, and end of the last pair's runs: pairs + 1 elements */
  int64_t runs_capacity;  /* room in `runs`; a path has at most as many runs as its pair has letters */
  int64_t runs_wanted;    /* out: number of runs of all pairs */
  int64_t failed;         /* out: number of pairs whose status is not CLA_OK */
  int64_t cells_computed; /* out: number of cells computed for all pairs */
} cla_pair_results;

/* Aligns all pairs exactly as cla_align does, on options->budgets.threads host threads. Scores, ends and
 * paths do not depend on the machine, the threads, the devices and the other pairs. Paths are scored again,
 * letter by letter. A pair that fails gets its status and does not end the call; cla_pair_arrays_tell finds
 * the reason.
 *
 * The devices of options->partners take large chunks of pairs beside these threads, in proportion to their
 * speed and that of the threads. Devices find scores and ends; host threads find the paths. A CPU device
 * works on the same cores as the threads. A device that fails, or computes wrongly, is not used further: a
 * note reports it (callbacks.note), and host threads do its work. If only scores are wanted, one score in 256
 * is verified by its path. The call uses the partners alone, and releases each partner when no pairs are left
 * for it.
 *
 * Pairs that are too long for the lanes of a vector are aligned one by one, on `device`. If `device` is NULL,
 * such pairs are aligned on the device that options->callbacks.device gives, or without that callback on a
 * host thread, however long that takes. With a device so are pairs of more than 2^28 cells. A pair whose
 * scores are too large for a host thread then fails with CLA_ERROR_OPTION (cla_align_needs_device).
 *
 * Options about the number or the place of alignments are refused: several, circular,
 * has_band, has_min_score, ranks, run, kernel, keep_work, lower_bound
 * (CLA_ERROR_OPTION). callbacks.progress is called now and then, from the calling thread, and can end the
 * call.
 *
 * Errors: CLA_ERROR_OPTION, CLA_ERROR_MEMORY, CLA_ERROR_INTERRUPTED. CLA_ERROR_OPTION is also returned if
 * runs_capacity is too small: runs_wanted is then the sufficient capacity, and all results but the runs are
 * set. */
cla_status cla_align_arrays(cla_pair_results *results, const cla_pair_arrays *pairs, cla_device *device,
                            const cla_align_options *options, cla_error *error);

/* Builds and tests on a device the kernel for such pairs, if it is not built yet. A later call with the
 * device as partner then need not wait for the build. callbacks.progress is called before a kernel is
 * compiled, from the calling thread. CLA_ERROR_OPTION, CLA_ERROR_MEMORY, CLA_ERROR_DEVICE,
 * CLA_ERROR_INTERRUPTED. */
cla_status cla_pair_arrays_prepare(const cla_pair_arrays *pairs, cla_device *device,
                                   const cla_align_options *options, cla_error *error);

/* Finds out why the pair of that index failed: aligns only this pair again, and sets *error. Returns CLA_OK
 * if the pair does not fail. */
cla_status cla_pair_arrays_tell(const cla_pair_arrays *pairs, int64_t index, cla_device *device,
                                const cla_align_options *options, cla_error *error);

/* Other ranks (clalign/ranks.h) take calls' pairs over, each on all its threads. */
typedef struct cla_arrays_ranks cla_arrays_ranks;

/* Begins a batch on all ranks, with options as for cla_align_arrays; *out is NULL if there is no other rank.
 * End with cla_arrays_ranks_end. Only cla_arrays_ranks_send may be called on another thread than the one that
 * began the ranks. CLA_ERROR_MEMORY, CLA_ERROR_DEVICE. */
cla_status cla_arrays_ranks_begin(cla_arrays_ranks **out, const cla_ranks *ranks,
                                  const cla_align_options *options, cla_error *error);

/* How many calls may be out at once, at the most; 0 of NULL. */
int64_t cla_arrays_ranks_room(const cla_arrays_ranks *ranks);

/* Sends the targets of `pairs` to all ranks, once for a batch. Later calls that have the same targets do not
 * send them. They must stay where they are. CLA_ERROR_MEMORY. */
cla_status cla_arrays_ranks_keep(cla_arrays_ranks *ranks, const cla_pair_arrays *pairs, cla_error *error);

/* Sends pairs to the rank that has least to do; false: all have enough, and the caller may align them.
 * Pairs are copied; their offsets begin with 0. Results must stay where they are until they come back. */
bool cla_arrays_ranks_send(cla_arrays_ranks *ranks, cla_pair_results *results, const cla_pair_arrays *pairs,
                           void *user);

/* Moves messages, and gives back the `user` of pairs that are no longer out; *user is NULL if all others are.
 * *aligned: the results are there, as from cla_align_arrays. Pairs that lanes cannot take have an error then.
 * Otherwise the rank has died, and the caller aligns the pairs. CLA_ERROR_DEVICE, and errors of ranks. */
cla_status cla_arrays_ranks_take(void **user, bool *aligned, cla_arrays_ranks *ranks, cla_error *error);

/* Ends the batch on all ranks: what is out does not come back. NULL is allowed. */
void cla_arrays_ranks_end(cla_arrays_ranks *ranks);

#ifdef __cplusplus
}
#endif

#endif
