#ifndef CLALIGN_BATCH_H
#define CLALIGN_BATCH_H

#include "clalign/align.h"
#include "clalign/batch_directory.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Many pairs over many devices and threads of the host, in constant memory. Whoever is free takes the next
 * pairs (docs/internals/scheduling.md). The results are the same bytes whoever does. */

/* A pair as its source gives it. */
typedef struct cla_batch_pair {
  const cla_sequence *query, *target; /* which must live until `release` */
  int64_t group;     /* with best_of_group: pairs whose results compete follow each other and have the same */
  bool has_strand;   /* this pair has a strand of its own, instead of align.strand: */
  cla_strand strand; /* forward, reverse or both */
  int64_t kept_as;   /* where the options have a directory: the pair's index there, */
  cla_pairs_mark mark;         /* and by what it is known again */
  cla_finished_unit *finished; /* its result of an earlier run, to be handed out in its turn, which the call
                                  takes over; NULL: it is to be aligned. Not with best_of_group */
  void *user;                  /* the source's */
} cla_batch_pair;

/* Of pairs, by their size. */
#define CLA_BATCH_CLASSES 64

/* Pairs by size: class k has those of 2^k cells and more, but fewer than 2^(k + 1). */
typedef struct cla_batch_sizes {
  int64_t pairs[CLA_BATCH_CLASSES]; /* how many of each class */
  double cells[CLA_BATCH_CLASSES];  /* of all of them, added up */
} cla_batch_sizes;

/* Adds so many pairs of `cells` each; takes some away if `pairs` is negative. */
void cla_batch_sizes_add(cla_batch_sizes *sizes, double cells, int64_t pairs);

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
  /* What is still to come from `next`, about, in *sizes, which is zero before; false: not known. It serves
   * progress.seconds_left only, and may count pairs that another call will get. NULL: never known. */
  bool (*left)(cla_batch_sizes *sizes, void *user);
  void *user; /* handed to all */
} cla_batch_source;

/* What became of a pair. */
typedef struct cla_batch_result {
  int64_t index;                    /* of the pair among all that the source gave, from 0 */
  cla_batch_pair pair;              /* as the source gave it, also where it could not be read */
  cla_status status;                /* of this pair alone */
  const cla_error *error;           /* where status is not CLA_OK, else NULL */
  cla_alignment *const *alignments; /* valid during the call (cla_alignment_copy); none where none scores
                                       min_score */
  size_t count;                     /* of the alignments, the best first */
  void *prepared;                   /* what the options' `prepare` returned, or NULL; freed after the call */
} cla_batch_result;

/* Takes a result; called from the thread that called cla_batch, in the pairs' order unless as_finished.
 * Return false to stop: cla_batch then ends with CLA_ERROR_INTERRUPTED. */
typedef bool (*cla_batch_sink)(const cla_batch_result *result, void *user);

/* Makes of a result what its sink will need, before its turn: such as the text of a record.
 *
 * Threads: any of the batch's own, which block all signals, several at once, and beside source, sink and the
 * other callbacks; never two at once for one pair. The pair's alignments are this thread's alone meanwhile:
 * it may change them, and the sink then has them so. Sequences, which other pairs may have too, are only
 * read. What else it touches, `user` too, must bear several threads. It must not use the batch's devices, and
 * should not wait for long: its time is that of the pairs behind it.
 *
 * Returns memory from malloc, which the sink has as `prepared` and which is freed after the sink's call, or
 * when the batch ends before; or NULL, which is no error: the sink does that work then, and tells what is
 * wrong. What is prepared does not count in align.budgets.memory_bytes. For a pair that is aligned again, as
 * when a device fails, it is called again, and what it returned before is freed. */
typedef void *(*cla_batch_prepare)(const cla_batch_result *result, void *user);

/* How far a batch is. */
typedef struct cla_batch_progress {
  int64_t pairs_read;   /* from the source so far */
  int64_t pairs_done;   /* of these: aligned, or with an error of their own; with best_of_group, scored;
                           without those that were finished before */
  int64_t pairs_failed; /* of these: with an error */
  int64_t results;      /* handed out */
  double cells_done;    /* m x n of the pairs that are done, added up */
  double seconds;       /* since the call began */
  double build_seconds; /* of these: in which kernels were compiled and nothing else was done */
  bool building;        /* so it is right now */
  double seconds_left;  /* about, for all that the source has; negative: not known */
} cla_batch_progress;

/* Called from the thread that called cla_batch some times a second. Return false to cancel. */
typedef bool (*cla_batch_progress_function)(const cla_batch_progress *progress, void *user);

/* A piece of work that is done: who did what when. */
typedef struct cla_batch_work {
  size_t device;     /* in the order in which they were given; behind the last one: threads of the host */
  int part;          /* which of its threads, from 0 */
  int parts;         /* of so many parts of the device it had one; 1: the whole */
  bool packed;       /* many pairs at once, a lane each; else one by the stages of cla_align */
  int64_t pairs;     /* that it was about */
  int64_t first;     /* the index of the first of them */
  double cells;      /* m x n of them, added up */
  double begin, end; /* seconds since the call began */
} cla_batch_work;

/* Called from the thread that called cla_batch with each piece of work after it is done. */
typedef void (*cla_batch_work_function)(const cla_batch_work *work, void *user);

/* What to do with each pair, and how; cla_batch_options_init sets all of it. */
typedef struct cla_batch_options {
  cla_batch_sink sink; /* required */
  void *sink_user;     /* handed to it */
  /* As for cla_align; threads and budgets are those of the whole batch: of memory_bytes an eighth is for
   * pairs on their way, with their letters and alignments, the rest for aligning. run, keep_work,
   * lower_bound, callbacks.progress and allocator must be as cla_align_options_init leaves them.
   * callbacks.explain is called before the first pair is aligned, with the plan for those that were read till
   * then. Its `tuning` is ignored: `tunings` has the records. One scheme is for all pairs: while nobody has
   * chosen one, it is that of DNA, and proteins have CLA_ERROR_OPTION as result. */
  cla_align_options align;
  const cla_tuning *const
      *tunings;          /* of each device, in their order; NULL: none at all, and so may each be */
  int64_t best_of_group; /* results only of so many pairs of each group, best scores first, at equal scores in
                            the pairs' order, after all pairs of the group: the others are not aligned and
                            have no result but their errors; 0: results of all pairs */
  /* Keeps each result that is no error as soon as it is found, before its turn: of pairs that other ranks
   * align, these do, where they see the same folder. NULL: none. Not with best_of_group. The caller's. */
  cla_batch_directory *directory;
  bool as_finished;      /* results as they are found, not in the pairs' order */
  bool fail_fast;        /* the first result that is an error, which is handed out, ends the batch with it */
  int64_t pairs_ahead;   /* the most pairs that are read and have no result yet; 0: chosen */
  int64_t letters_ahead; /* likewise letters; a larger pair is taken alone; 0: chosen */
  cla_batch_prepare prepare;            /* called with each result that is no error, but scores of a group's
                                           pairs; NULL: none */
  void *prepare_user;                   /* handed to it */
  cla_batch_progress_function progress; /* NULL: none */
  void *progress_user;                  /* handed to it */
  cla_batch_work_function work;         /* NULL: none */
  void *work_user;                      /* handed to it */
} cla_batch_options;

/* Local mode, forward strand, default scoring, all pairs, in order; sink is NULL. */
void cla_batch_options_init(cla_batch_options *options);

/* Aligns all pairs of a source, each exactly as cla_align does: the same bytes on one device or several, and
 * on the host. With align.host_cells threads of the host take short pairs, many at once in the lanes of their
 * vectors; without, and for others, devices do all. Without devices align.callbacks.device is asked for one
 * when the first pair needs it, from a thread of the batch. Each result goes to the sink. A pair that fails
 * does not end the batch unless fail_fast: its result says why. A device that fails is left out, what it had
 * is done by the others, and align.callbacks.note is told; CLA_ERROR_DEVICE, or CLA_ERROR_VERIFICATION for
 * one that computes wrongly, when none is left: what was found till then is handed out, without the results
 * that are missing in between.
 *
 * With best_of_group scores come first, of all pairs, and then alignments of the best. The pairs that may
 * still be among them are kept; others are released at once. With pairs_ahead reading waits until results are
 * taken, so that any number of pairs takes the same memory.
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
