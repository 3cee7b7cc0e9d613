#ifndef CLALIGN_BATCH_H
#define CLALIGN_BATCH_H

#include "clalign/align.h"
#include "clalign/batch_directory.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Aligns many pairs on many devices and host threads, in constant memory. A device or thread that is free
 * aligns the next pairs (docs/internals/scheduling.md). Results are the same bytes regardless of the device
 * or thread that aligns a pair. */

/* A pair, as set by the batch's source. */
typedef struct cla_batch_pair {
  const cla_sequence *query, *target; /* owned by the source; both must live until `release` */
  int64_t group;       /* used with best_of_group: consecutive pairs with the same number are a group */
  bool has_strand;     /* `strand` applies to this pair, instead of align.strand */
  cla_strand strand;   /* forward, reverse or both */
  int64_t kept_as;     /* the pair's index in the `directory` of the options, if a directory is given */
  cla_pairs_mark mark; /* identifies the pair in that directory in a later run */
  cla_finished_unit
      *finished; /* the pair's result from an earlier run, which is passed to the sink in its turn; the call
                    takes ownership. NULL: the pair is to be aligned. Not with best_of_group */
  void *user;    /* a pointer for the source; the call does not use it */
} cla_batch_pair;

/* The source of the pairs. All functions are called from the thread that called cla_batch. */
typedef struct cla_batch_source {
  /* Sets *pair to the next pair and returns true; returns false after the last pair. Before the call *pair is
   * zero and *status is CLA_OK. For a pair that cannot be read, `next` sets *error and a *status such as
   * CLA_ERROR_INPUT, and returns true. The error becomes the pair's result, and the batch continues. If no
   * further pair can be read, `next` sets *error and *status and returns false. cla_batch then ends with that
   * status after the results of all earlier pairs. */
  bool (*next)(cla_batch_pair *pair, cla_status *status, cla_error *error, void *user);
  /* Called when the pair's sequences are no longer needed: once for each pair that `next` returned with
   * CLA_OK, regardless of the pair's result. NULL: no call. */
  void (*release)(const cla_batch_pair *pair, void *user);
  /* Sets *part to the approximate fraction of all pairs that `next` has not returned yet, 0 .. 1. Returns
   * false if the fraction is not known. Used only for progress.seconds_left. NULL: never known. */
  bool (*left)(double *part, void *user);
  void *user; /* passed to all functions */
} cla_batch_source;

/* The result of a pair. */
typedef struct cla_batch_result {
  int64_t index;                    /* index of the pair among all pairs of the source, from 0 */
  cla_batch_pair pair;              /* the pair as set by the source, even if it could not be read */
  cla_status status;                /* CLA_OK, or the error of this pair */
  const cla_error *error;           /* set if status is not CLA_OK, else NULL */
  cla_alignment *const *alignments; /* valid during the call (cla_alignment_copy) */
  size_t count;   /* number of alignments, sorted with the best first; 0 if none reaches min_score */
  void *prepared; /* the value returned by `prepare`, or NULL; freed after the call */
} cla_batch_result;

/* A function that receives a result. It is called from the thread that called cla_batch, in the pairs' order
 * unless as_finished is set. If it returns false, the batch stops, and cla_batch returns
 * CLA_ERROR_INTERRUPTED. */
typedef bool (*cla_batch_sink)(const cla_batch_result *result, void *user);

/* A function that prepares data for the sink from a result, such as the text of a record.
 *
 * Threads: the function is called from threads of the batch, which block all signals. Several calls may run
 * at the same time, also at the same time as source, sink and other callbacks, but never two calls for one
 * pair. During the call no other thread uses the pair's alignments. The function may change them, and the
 * sink receives the changed alignments. Sequences must only be read, because other pairs may share them. All
 * other data, including `user`, must be safe for several threads. The function must not use the batch's
 * devices, and should not block for long, because the following pairs have to wait, too.
 *
 * The function returns memory from malloc, which the sink receives as `prepared`. The batch frees the memory
 * after the sink's call, or at the end of a batch that stops earlier. NULL is not an error: the sink then
 * does the work, and reports any error. Prepared memory is not counted in align.budgets.memory_bytes. A pair
 * that is aligned again, because a device failed, is prepared again, and its earlier memory is freed. */
typedef void *(*cla_batch_prepare)(const cla_batch_result *result, void *user);

/* The progress of a batch. */
typedef struct cla_batch_progress {
  int64_t pairs_read;   /* pairs read from the source so far */
  int64_t pairs_done;   /* pairs that are aligned (with best_of_group: scored) or have failed, except pairs
                           finished in an earlier run */
  int64_t pairs_failed; /* pairs with an error */
  int64_t results;      /* results passed to the sink */
  double cells_done;    /* sum of m x n over pairs_done */
  double seconds;       /* since the call began */
  double build_seconds; /* seconds during which kernels were compiled and nothing else was done */
  bool building;        /* kernels are being compiled, and nothing else is done */
  double seconds_left;  /* estimate for all pairs of the source; negative: not known */
} cla_batch_progress;

/* A function that is called several times per second, from the thread that called cla_batch. If it returns
 * false, the batch is cancelled. */
typedef bool (*cla_batch_progress_function)(const cla_batch_progress *progress, void *user);

/* A finished piece of work: the pairs, the device and the time. */
typedef struct cla_batch_work {
  size_t device; /* index of the device in the call's array; equal to the number of devices: host threads */
  int part;      /* index of the device's or host's thread, from 0 */
  int parts;     /* the work used 1 / parts of the device; 1: the whole device */
  bool packed;   /* many pairs were aligned together; false: one pair, by the stages of cla_align */
  int64_t pairs; /* number of pairs */
  int64_t first; /* index of the first pair */
  double cells;  /* sum of m x n over the pairs */
  double begin, end; /* seconds since the call began */
} cla_batch_work;

/* A function that is called after each finished piece of work, from the thread that called cla_batch. */
typedef void (*cla_batch_work_function)(const cla_batch_work *work, void *user);

/* The options of a batch; cla_batch_options_init sets all of them. */
typedef struct cla_batch_options {
  cla_batch_sink sink; /* required */
  void *sink_user;     /* passed to `sink` */
  /* Options as for cla_align. Threads and budgets are those of the whole batch. An eighth of memory_bytes is
   * for the letters and alignments of pairs that have no result yet, the rest is for aligning. run,
   * keep_work, lower_bound, callbacks.progress and allocator must have the values that cla_align_options_init
   * sets. callbacks.explain is called before the first pair is aligned, with the plan for the pairs read so
   * far. align.tuning is ignored; `tunings` contains the records. All pairs have the same scoring scheme.
   * With the default scheme, which is for DNA, the result of a protein pair is CLA_ERROR_OPTION. */
  cla_align_options align;
  const cla_tuning *const *tunings; /* by device: its tuning records, or NULL; NULL: no records */
  int64_t best_of_group; /* number of pairs of each group that are aligned and have results: those with the
                            best scores; at equal scores, the first ones. Other pairs have a result only if
                            there was an error. 0: all pairs have results */
  /* A folder in which each successful result is stored as soon as it is found, before its turn. A rank that
   * has access to the same folder stores the results of the pairs that it aligns. Owned by the caller. NULL:
   * none. Not with best_of_group. */
  cla_batch_directory *directory;
  bool as_finished;    /* pass results in the order in which they are found, not in the pairs' order */
  bool fail_fast;      /* the first error passed to the sink ends the batch with the error's status */
  int64_t pairs_ahead; /* largest number of pairs that are read and have no result yet; 0: automatic */
  int64_t
      letters_ahead; /* largest number of letters of these pairs; a longer pair is read alone; 0: automatic */
  cla_batch_prepare prepare; /* called with each successful result, but not with scores computed only to
                                choose a group's best pairs; NULL: none */
  void *prepare_user;        /* passed to `prepare` */
  cla_batch_progress_function progress; /* NULL: none */
  void *progress_user;                  /* passed to `progress` */
  cla_batch_work_function work;         /* NULL: none */
  void *work_user;                      /* passed to `work` */
} cla_batch_options;

/* Sets local mode, forward strand, default scoring, and results for all pairs in order; sink is NULL. */
void cla_batch_options_init(cla_batch_options *options);

/* Aligns all pairs of a source, each exactly as cla_align does: the results are the same bytes on one or
 * several devices and on the host. If align.host_cells is set, host threads align short pairs, many at the
 * same time in the lanes of vectors. Devices align all other pairs. Without devices, align.callbacks.device
 * is called when the first pair needs a device, from a thread of the batch. Each result is passed to the
 * sink. If a pair fails, its result contains the error, and the batch continues unless fail_fast is set.
 *
 * A device that fails is not used further: other devices do its work, and a note reports it
 * (align.callbacks.note). If no device is left, the batch ends with CLA_ERROR_DEVICE, or with
 * CLA_ERROR_VERIFICATION if the last device computed wrongly. All results found until then are passed to the
 * sink, even if earlier pairs have no result.
 *
 * With best_of_group all pairs of a group are scored first, and then the best pairs are aligned. Pairs that
 * may still be among the best are kept; all other pairs are released immediately. Reading waits while
 * pairs_ahead pairs have no result, so memory does not grow with the number of pairs.
 *
 * *done is set to the final progress; `done` may be NULL. The status is CLA_OK if every pair had a result,
 * even if some results are errors. Other errors: CLA_ERROR_OPTION, CLA_ERROR_MEMORY, CLA_ERROR_DEVICE,
 * CLA_ERROR_VERIFICATION, CLA_ERROR_INTERRUPTED, CLA_ERROR_OUTPUT if a result cannot be stored, the status
 * with which the source ended, and with fail_fast the status of a pair. The call has exclusive use of the
 * devices, and opens more handles of them. No thread works for the call after its return. */
cla_status cla_batch(cla_batch_progress *done, cla_device *const *devices, size_t device_count,
                     const cla_batch_source *source, const cla_batch_options *options, cla_error *error);

#ifdef __cplusplus
}
#endif

#endif
