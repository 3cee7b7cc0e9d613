#ifndef CLALIGN_ARRAYS_H
#define CLALIGN_ARRAYS_H

#include "clalign/align.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Many pairs at once, as arrays: for reads, genes and proteins of up to some thousand letters, of which a
 * sequence and an alignment object each would take longer than to align them. */

/* Threads of the host that this process may use, by affinity and cgroup: what budgets.threads 0 stands for.
 */
int cla_host_threads(void);

/* Letters and pairs; all arrays are the caller's, and are read only. Index 0 is about queries, 1 about
 * targets. */
typedef struct cla_pair_arrays {
  cla_alphabet alphabet;     /* of all letters */
  bool coded;                /* letters are codes, as cla_record_block has them; else text in either case */
  const uint8_t *letters[2]; /* of all sequences, one after the other */
  const int64_t *offsets[2]; /* in letters: of each sequence's first one, and behind the last one */
  int64_t sequences[2];      /* how many there are; offsets has one more */
  const int64_t *of[2];      /* the sequence of each pair, from 0; NULL: the i-th of the i-th pair */
  int64_t pairs;             /* how many there are */
} cla_pair_arrays;

/* A run of a path, as BAM has it: its length times 16, and what it is. A run of the query is CIGAR's I, of
 * the target D; matches, and other pairs, are as in cla_statistics. */
typedef uint32_t cla_packed_run;
enum { CLA_PACKED_QUERY = 1, CLA_PACKED_TARGET = 2, CLA_PACKED_MATCH = 7, CLA_PACKED_OTHER = 8 };

/* What is found of each pair, in memory of the caller: arrays of as many elements as there are pairs, or NULL
 * for what is not wanted. Of a pair that failed all are 0, and its strand is forward. */
typedef struct cla_pair_results {
  int64_t *score;             /* in the scheme's units */
  int64_t *start[2], *end[2]; /* of the aligned parts, on the forward strands; start is -1 without paths */
  uint8_t *strand;            /* a cla_strand: forward or reverse; required unless it is forward for all */
  uint8_t *status;            /* a cla_status; required */
  cla_packed_run *runs;       /* of all paths; NULL: none are wanted, as under score_only */
  int64_t *run_offsets;       /* of each pair's first run, and behind the last one: an element more */
  int64_t runs_capacity;      /* of runs: no path has more than the letters of its pair */
  int64_t runs_wanted;        /* out: how many there are */
  int64_t failed;             /* out: pairs whose status is not CLA_OK */
  int64_t cells_computed;     /* out: of all pairs */
} cla_pair_results;

/* Aligns all pairs exactly as cla_align does, on the threads of options->budgets.threads: the same scores,
 * ends and paths, whatever the machine, the threads, devices and other pairs. Paths are scored again, letter
 * by letter. A pair that fails has its status and does not end the call; cla_pair_arrays_tell says why.
 *
 * The devices of options->partners take large chunks of pairs beside these threads, as many as their speed
 * and that of the threads ask for. They find scores and ends; host threads find the paths. A CPU device works
 * on the same cores as the threads. A device that fails, or computes wrongly, is left out:
 * callbacks.note is told, and host threads do its work. Of scores alone one in 256 is verified by its path.
 * The call has the partners for itself, and gives each back when no pairs are left for it.
 *
 * Pairs that are too long for the lanes of a vector are aligned one by one: on `device`, or where it is NULL
 * on the one that options->callbacks.device gives, or else on a host thread, however long that takes.
 * Scores that are too large for a host thread are CLA_ERROR_OPTION then (cla_align_needs_device).
 *
 * Options that say how many alignments there are, or where they lie, cannot be had: several, circular,
 * has_band, has_min_score, gap_placement, ranks, run, kernel, keep_work, lower_bound
 * (CLA_ERROR_OPTION). callbacks.progress is asked now and then, from the calling thread, whether to go on.
 *
 * Errors: CLA_ERROR_OPTION, also for too few runs_capacity, where runs_wanted says how many it takes and all
 * but the runs is there; CLA_ERROR_MEMORY, CLA_ERROR_INTERRUPTED. */
cla_status cla_align_arrays(cla_pair_results *results, const cla_pair_arrays *pairs, cla_device *device,
                            const cla_align_options *options, cla_error *error);

/* Builds and tests on a device the kernel for such pairs, if it is not there yet: a call with the device as
 * partner need not wait for it then. callbacks.progress is asked, from the calling thread, before a kernel is
 * compiled. CLA_ERROR_OPTION, CLA_ERROR_MEMORY, CLA_ERROR_DEVICE, CLA_ERROR_INTERRUPTED. */
cla_status cla_pair_arrays_prepare(const cla_pair_arrays *pairs, cla_device *device,
                                   const cla_align_options *options, cla_error *error);

/* Why the pair of that index failed: aligns it again, by itself, and sets *error. CLA_OK if it does not
 * fail. */
cla_status cla_pair_arrays_tell(const cla_pair_arrays *pairs, int64_t index, cla_device *device,
                                const cla_align_options *options, cla_error *error);

#ifdef __cplusplus
}
#endif

#endif
