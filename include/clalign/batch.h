#ifndef CLALIGN_BATCH_H
#define CLALIGN_BATCH_H

#include "clalign/align.h"
#include "clalign/batch_directory.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Many pairs over many devices and threads of the host, in constant memory. A device or thread that is free
 * takes the next pairs (docs/internals/scheduling.md). Results are the same bytes whoever aligns a pair. */

/* A pair as its source gives it. */
typedef struct cla_batch_pair {
  const cla_sequence *query, *target; /* the source's; both must live until `release` */
  int64_t group;               /* used with best_of_group: consecutive pairs with the same number compete */
  bool has_strand;             /* `strand` holds for this pair, instead of align.strand */
  cla_strand strand;           /* forward, reverse or both */
  int64_t kept_as;             /* the pair's index in the options' directory, if they have one */
  cla_pairs_mark mark;         /* identifies the pair in that directory in a later run */
  cla_finished_unit *finished; /* the pair's result of an earlier run, to be handed out in its turn; the call
                                  takes it over. NULL: the pair is to be aligned. Not with best_of_group */
  void *user;                  /* the source's own pointer; the call does not use it */
} cla_batch_pair;

/* Where the pairs come from. All functions are called from the thread that called cla_batch. */
typedef struct cla_batch_source {
  /* Gives the next pair, with *pair zero and *status CLA_OK before; false at the end. What cannot be read is
   * a pair with a *status other than CLA_OK (CLA_ERROR_INPUT, say) and *error set: it counts, its result is
   * that, and the rest goes on. False with such a *status: nothing more can be read; cla_batch ends with it
   * when the pairs before have their results. */
  bool (*next)(cla_batch_pair *pair, cla_status *status, cla_error *error, void *user);
  /* The pair's sequences are not needed any more; once for each pair that `next` gave with CLA_OK, whatever
   * became of it. NULL: the caller needs not know. */
  void (*release)(const cla_batch_pair *pair, void *user);
  /* What part of all pairs is still to come from `next`, about, 0 .. 1; false: not known. It serves
   * progress.seconds_left only. NULL: never known. */
  bool (*left)(double *part, void *user);
  void *user; /* handed to all */
} cla_batch_source;

/* What became of a pair. */
typedef struct cla_batch_result {
  int64_t index;                    /* of the pair among all that the source gave, from 0 */
  cla_batch_pair pair;              /* as the source gave it, also where it could not be read */
  cla_status status;                /* CLA_OK, or why this pair failed */
  const cla_error *error;           /* where status is not CLA_OK, else NULL */
  cla_alignment *const *alignments; /* valid during the call (cla_alignment_copy); none where none scores
                                       min_score */
  size_t count;                     /* of the alignments, the best first */
  void *prepared;                   /* what the options' `prepare` returned, or NULL; freed after the call */
} cla_batch_result;

/* Takes a result; called from the thread that called cla_batch, in the pairs' order unless as_finished.
 * Return false to stop: cla_batch then ends with CLA_ERROR_INTERRUPTED. */
typedef bool (*cla_batch_sink)(const cla_batch_result *result, void *user);

/* Makes ahead what the sink will need of a result, such as the text of a record.
 *
 * Threads: any of the batch's own, which block all signals, several at once, and beside source, sink and the
 * other callbacks; never two at once for one pair. The pair's alignments are this thread's alone meanwhile:
 * it may change them, and the sink then has them so. Sequences, which other pairs may have too, are only
 * read. What else it touches, `user` too, must bear several threads. It must not use the batch's devices, and
 * should not wait for long: its time is that of the pairs behind it.
 *
 * Returns memory from malloc, which the sink gets as `prepared`. The batch frees it after the sink's call, or
 * when the batch ends before. NULL is no error: then the sink does the work, and reports what is wrong.
 * Prepared memory does not count in align.budgets.memory_bytes. A pair that is aligned again, because a
 * device failed, is prepared again, and its earlier memory is freed. */
typedef void *(*cla_batch_prepare)(const cla_batch_result *result, void *user);

/* How far a batch is. */
typedef struct cla_batch_progress {
  int64_t pairs_read;   /* from the source so far */
  int64_t pairs_done;   /* pairs that are aligned (with best_of_group: scored) or have failed, without those
                           finished in an earlier run */
  int64_t pairs_failed; /* pairs with an error */
  int64_t results;      /* results that were handed out */
  double cells_done;    /* m x n of the pairs that are done, added up */
  double seconds;       /* since the call began */
  double build_seconds; /* seconds in which kernels were compiled and nothing else was done */
  bool building;        /* right now kernels are compiled and nothing else is done */
  double seconds_left;  /* about, for all that the source has; negative: not known */
} cla_batch_progress;

/* Called from the thread that called cla_batch some times a second. Return false to cancel. */
typedef bool (*cla_batch_progress_function)(const cla_batch_progress *progress, void *user);

/* A piece of work that is done: who did what when. */
typedef struct cla_batch_work {
  size_t device;     /* index of the device as given; the number of devices stands for threads of the host */
  int part;          /* index of the device's or host's thread, from 0 */
  int parts;         /* the work had 1 / parts of the device; 1: the whole */
  bool packed;       /* many pairs were aligned at once; else one, by the stages of cla_align */
  int64_t pairs;     /* how many pairs the work was about */
  int64_t first;     /* index of the first pair */
  double cells;      /* m x n of the pairs, added up */
  double begin, end; /* seconds since the call began */
} cla_batch_work;

/* Called from the thread that called cla_batch with each piece of work after it is done. */
typedef void (*cla_batch_work_function)(const cla_batch_work *work, void *user);

/* What to do with each pair, and how; cla_batch_options_init sets all of it. */
typedef struct cla_batch_options {
  cla_batch_sink sink; /* required */
  void *sink_user;     /* handed to `sink` */
  /* Options as for cla_align. Threads and budgets are those of the whole batch: an eighth of memory_bytes is
   * for pairs on their way, with their letters and alignments, and the rest for aligning. run, keep_work,
   * lower_bound, callbacks.progress and allocator must be as cla_align_options_init leaves them.
   * callbacks.explain is called before the first pair is aligned, with the plan for the pairs read so far.
   * align.tuning is ignored: `tunings` has the records. All pairs have one scoring scheme. The default is
   * that of DNA, with which a protein pair's result is CLA_ERROR_OPTION. */
  cla_align_options align;
  const cla_tuning *const
      *tunings;          /* one for each device, in their order; an element may be NULL; NULL: none */
  int64_t best_of_group; /* how many pairs of each group are aligned and have results: the best scores first,
                            at equal scores in the pairs' order. Of the other pairs only errors are results.
                            0: all pairs have results */
  /* Keeps each result that is no error as soon as it is found, before its turn. A rank that sees the same
   * folder keeps the results of the pairs that it aligns. Owned by the caller. NULL: none. Not with
   * best_of_group. */
  cla_batch_directory *directory;
  bool as_finished;          /* results as they are found, not in the pairs' order */
  bool fail_fast;            /* the first error that is handed out ends the batch with its status */
  int64_t pairs_ahead;       /* the most pairs that are read and have no result yet; 0: chosen */
  int64_t letters_ahead;     /* the most letters on their way; a larger pair is taken alone; 0: chosen */
  cla_batch_prepare prepare; /* called with each result that is no error, not with scores that only choose a
                                group's best; NULL: none */
  void *prepare_user;        /* handed to `prepare` */
  cla_batch_progress_function progress; /* NULL: none */
  void *progress_user;                  /* handed to `progress` */
  cla_batch_work_function work;         /* NULL: none */
  void *work_user;                      /* handed to `work` */
} cla_batch_options;

/* Local mode, forward strand, default scoring, all pairs, in order; sink is NULL. */
void cla_batch_options_init(cla_batch_options *options);

/* Aligns all pairs of a source, each exactly as cla_align does: the same bytes on one device or several, and
 * on the host. If align.host_cells is set, threads of the host take short pairs, many at once in the lanes of
 * their vectors. Devices take all other pairs. Without devices align.callbacks.device is asked for one when
 * the first pair needs it, from a thread of the batch. Each result goes to the sink. A pair that fails does
 * not end the batch unless fail_fast: its result says why.
 *
 * A device that fails is left out: others do its work, and align.callbacks.note is told. If no device is
 * left, the batch ends with CLA_ERROR_DEVICE, or with CLA_ERROR_VERIFICATION if the last one computed
 * wrongly. Results found till then are handed out, without those that are missing in between.
 *
 * With best_of_group all pairs of a group are scored first, and then the best are aligned. Pairs that may
 * still be among the best are kept; others are released at once. Reading waits while pairs_ahead pairs have
 * no result, so that any number of pairs takes the same memory.
 *
 * *done, which may be NULL, is how far the batch came. The status is CLA_OK when every pair had its result,
 * whatever the results are. Errors otherwise: CLA_ERROR_OPTION, CLA_ERROR_MEMORY, CLA_ERROR_DEVICE,
 * CLA_ERROR_VERIFICATION, CLA_ERROR_INTERRUPTED, CLA_ERROR_OUTPUT (a result cannot be kept), what the source
 * ended with, and with fail_fast what a pair failed with. The call has the devices for itself, opens further
 * handles of them, and no thread works for it any more when it returns. */
cla_status cla_batch(cla_batch_progress *done, cla_device *const *devices, size_t device_count,
                     const cla_batch_source *source, const cla_batch_options *options, cla_error *error);

#ifdef __cplusplus
}
#endif

#endif
