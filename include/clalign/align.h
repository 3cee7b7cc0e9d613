#ifndef CLALIGN_ALIGN_H
#define CLALIGN_ALIGN_H

#include "clalign/alignment.h"
#include "clalign/allocator.h"
#include "clalign/device.h"
#include "clalign/lower_bound.h"
#include "clalign/ranks.h"
#include "clalign/tune.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The progress of a call. */
typedef struct cla_progress {
  /* "lower bound search", "kernel compilation, once for this machine", "bounds, fine level in 0.52 %",
   * "forward sweep", "band", "traceback" or "waiting for the device". The percentage is the part of the
   * matrix that remains after the previous level. */
  const char *stage;
  double fraction;           /* finished part of all predicted work, 0 .. 1, never falling */
  int64_t cells_done;        /* cells of the stage that were computed or skipped */
  int64_t cells_passed_over; /* cells of the stage that were skipped, because they provably do not matter */
  double seconds;            /* seconds since the stages started */
  double seconds_left;       /* estimate; negative while unknown */
} cla_progress;

/* Least seconds between two reports of progress. */
#define CLA_PROGRESS_SECONDS 0.1

/* A function that is called from the calling thread several times per second. If it returns false, the call
 * is cancelled and returns CLA_ERROR_INTERRUPTED. */
typedef bool (*cla_progress_function)(const cla_progress *progress, void *user);

/* A function that is called from the calling thread with a note of one line, for example about a damaged file
 * of a run directory. A note requires no action. */
typedef void (*cla_note_function)(const char *note, void *user);

/* A function that is called from the calling thread before the sweep starts, with the plan as cla_explain
 * writes it. If there are several devices, the function is called again after the sweep, with the share of
 * each device. */
typedef void (*cla_plan_function)(const char *text, void *user);

/* The sequence that is circular, such as a plasmid: its end is joined to its start. */
typedef enum cla_circular {
  CLA_CIRCULAR_NONE = 0,
  CLA_CIRCULAR_QUERY = 1,
  CLA_CIRCULAR_TARGET = 2,
} cla_circular;

/* A function that provides a device to a call that was started without one. It is called at most once, from
 * the calling thread, when the call needs a device. It sets *tuning to the device's records or to NULL. The
 * caller owns device and records, which must outlive the call. If the status is not CLA_OK, the call ends
 * with that status. */
typedef cla_status (*cla_device_function)(cla_device **device, const cla_tuning **tuning, void *user,
                                          cla_error *error);

/* The value of host_cells in the program clalign if the user names no device: some hundredths of a second of
 * work. */
#define CLA_HOST_CELLS 4194304

/* An additional device for the same pair, or for some of the pairs of cla_align_arrays. */
typedef struct cla_partner {
  cla_device *device;       /* neither the call's own device nor another partner's */
  const cla_tuning *tuning; /* records of the device, which must outlive the call; or NULL */
} cla_partner;

/* The limits of a call. */
typedef struct cla_budgets {
  int64_t memory_bytes;    /* host memory of the stages; 0: half of the free memory */
  int64_t memory_of_bytes; /* for messages: the larger budget of which memory_bytes is a share; 0: no share */
  int64_t device_memory_bytes; /* device memory; 0: all of the device's memory */
  int64_t disk_bytes;   /* disk space for special rows in a run directory; 0: half of the free space there */
  int64_t special_rows; /* largest number of special rows that the forward sweep keeps; negative: chosen
                           automatically */
  int threads;          /* host threads; 0: as many as affinity and cgroup allow */
} cla_budgets;

/* The caller's choice of a kernel for the forward sweep, for experts and tests. */
typedef struct cla_kernel_choice {
  const char *name; /* name of a variant (clalign/kernel.h); NULL: chosen by the plan */
  /* NAME=VALUE,NAME=VALUE and so on, or NULL. Names: lanes, alpha, tile, launch (diagonals or persistent),
   * groups, panel, and bounds (auto, off, band, sweep: docs/internals/bounds.md). */
  const char *settings;
} cla_kernel_choice;

/* The run directory of a run that can be resumed. */
typedef struct cla_run_options {
  const char *directory; /* NULL: none */
  bool resume;           /* continue the run in the directory; false: start a run */
  const char *text;      /* a text of the caller, stored in the folder (cla_run_directory_read); NULL: "" */
} cla_run_options;

/* The callbacks of a call, each with the pointer that is passed to it. Each callback may be NULL. */
typedef struct cla_callbacks {
  cla_progress_function progress; /* receives the progress; can end the call */
  void *progress_user;            /* passed to `progress` */
  cla_note_function note;         /* receives notes, for example about changes of the plan during the run */
  void *note_user;                /* passed to `note` */
  cla_plan_function explain;      /* receives the plan as text, before the sweep */
  void *explain_user;             /* passed to `explain` */
  cla_device_function device;     /* provides a device if the call needs one and has none */
  void *device_user;              /* passed to `device` */
} cla_callbacks;

/* The alignments that cla_align_several returns. */
typedef struct cla_several {
  int64_t most;  /* largest number of alignments, the best first; 1 for cla_align */
  bool split;    /* return the pieces of the best alignment instead (cla_alignment_split) */
  bool inverted; /* with `split`: also find inverted stretches between the pieces, as if both strands were
                    aligned */
  int64_t drop;  /* largest drop of the score within a piece; negative: cla_split_drop */
} cla_several;

/* The options of an alignment. cla_align_options_init sets all of them. Everything that the fields point to
 * must outlive the call. */
typedef struct cla_align_options {
  cla_mode mode;       /* the parts of the two ranges that the alignment must cover */
  int free_ends;       /* cla_free_ends, with CLA_MODE_FREE_ENDS; 0 with every other mode */
  cla_strand strand;   /* strand of the query */
  cla_scoring scoring; /* scores of pairs and gaps; if unchanged, chosen by the letters (see below) */
  bool has_band;       /* find the best alignment within a band, which may not be the best of all */
  int64_t band; /* number of diagonals by which the band extends beyond the diagonals of the matrix' corners,
                   on either side */
  cla_circular circular;           /* the circular sequence; its best rotation is found */
  cla_gap_placement gap_placement; /* placement of the result's gaps */
  bool allow_empty;                /* accept a sequence without letters */
  bool score_only;                 /* find only score and end cell, without traceback */
  bool keep_work;                  /* record how the first alignment's matrix was computed (clalign/work.h) */
  bool has_min_score;              /* do not compute alignments below min_score */
  int64_t min_score;               /* in the scheme's units */
  cla_several several;             /* best alignments, or pieces of one */
  cla_budgets budgets;             /* limits of memory, disk, rows and threads */
  /* A matrix of at most this number of cells is computed by the calling thread, without compiling a kernel;
   * 0: that thread computes none. Ignored with options for kernel, lower_bound, partners, run, callbacks,
   * keep_work, circular or budgets. */
  int64_t host_cells;
  cla_kernel_choice kernel;       /* kernel of the sweep */
  cla_lower_bound lower_bound;    /* known lower bound of the score, or how to find a bound */
  const cla_tuning *tuning;       /* records of this device, which must outlive the call; or NULL */
  const cla_partner *partners;    /* additional devices for the pair, of any kind; or NULL */
  size_t partner_count;           /* number of partners */
  const cla_ranks *ranks;         /* processes that take part; this process is rank 0; or NULL */
  cla_run_options run;            /* the run directory */
  cla_callbacks callbacks;        /* progress, notes and the plan */
  const cla_allocator *allocator; /* memory of the results; NULL: malloc and free */
} cla_align_options;

/* Sets local mode, forward strand, and scoring by the letters; the plan chooses everything else.
 *
 * Scoring by the letters: DNA and user-defined letters get the scheme of cla_scoring_init, proteins get the
 * scheme of cla_scoring_init_for, which contains BLOSUM62. If the caller changes values of `scoring`, the
 * changes apply to DNA and user-defined letters. Proteins are then refused with CLA_ERROR_OPTION, unless
 * their scores were set by a function of clalign/scoring.h or copied from another scheme. */
void cla_align_options_init(cla_align_options *options);

/* Aligns the ranges of two sequences exactly, in memory linear in their lengths.
 *
 * The result is the canonical alignment of docs/internals/exactness.md: the same for every device, kernel,
 * number of special rows and budget. The alignment has been verified (cla_alignment_verify). *out is NULL
 * after an error; otherwise the caller frees it with cla_alignment_free. Device and sequences may be freed
 * before the alignment. Errors:
 *
 * - CLA_ERROR_OPTION: also for options->lower_bound.score above the optimum
 * - CLA_ERROR_MEMORY: the message names the smallest sufficient budget
 * - CLA_ERROR_INPUT: sequences of different alphabets, or a letter without scores
 * - CLA_ERROR_VERIFICATION: the device has computed wrong values
 * - CLA_ERROR_DEVICE, CLA_ERROR_INTERRUPTED
 *
 * Devices. The call has exclusive use of the device, and waits while another thread uses it
 * (clalign/device.h). If a callback uses the device of its own call, the callback gets CLA_ERROR_DEVICE,
 * because otherwise it would wait for ever. If options->callbacks.device is set, `device` may be NULL. This
 * callback is called only if the host alone would take longer than opening a driver. Small pairs, and pairs
 * for which bounds exclude almost the whole matrix, need no device. Without the callback, `device` may be
 * NULL if cla_align_needs_device is false.
 *
 * With options->partners all devices compute the matrix together, and the result is the same. The call has
 * exclusive use of all devices. Each device may be given only once (else CLA_ERROR_OPTION). If a device
 * fails, the other devices compute its part, and metrics.lost_devices and a note name the failed device. The
 * call fails only if no device is left. options->kernel applies to all devices. A device is not used if its
 * part would be too small to keep it busy.
 *
 * Empty sequences. A sequence without letters is CLA_ERROR_INPUT. With options->allow_empty such a sequence
 * is aligned: a local alignment is empty, a global one is a single gap. In this case no device is used, and a
 * run is refused.
 *
 * Bands. With options->has_band, the alignment is the best one whose nodes (i,j) all lie in a band of the m x
 * n matrix: min(0, n - m) - band <= j - i <= max(0, n - m) + band. A path outside the band may be better, so
 * has_band is also set in the alignment. One host thread computes the alignment. A run, circular and a given
 * lower_bound are refused (CLA_ERROR_OPTION). cla_explain and cla_predict ignore the band.
 *
 * Circular sequences. With options->circular, the result is the alignment of the record's best rotation, or
 * of the smallest among equally good rotations (docs/internals/exactness.md). The side's `rotation` is set to
 * that rotation. CLA_ERROR_OPTION for a range of a record, for modes that free only one end of the circle,
 * for a run, and for a given lower bound. cla_explain, cla_predict and cla_predict_pair refuse the option.
 *
 * Minimum scores. With options->has_min_score, *out is NULL and the status is CLA_OK if no alignment reaches
 * min_score. The sweep then skips cells that cannot reach min_score. With options->run.directory it does not,
 * because a run directory stores every alignment. If there is no such alignment, a lower_bound.score below
 * min_score is not checked.
 *
 * Strands. Strands other than forward are only for DNA (else CLA_ERROR_INPUT). CLA_STRAND_BOTH computes two
 * alignments one after the other. The strand with the better lower bound comes first, and its score is the
 * lower bound of the other strand. The metrics are sums over both strands. cla_explain refuses
 * CLA_STRAND_BOTH.
 *
 * Runs. With options->run.directory, the call stores its work in that folder
 * (docs/internals/format-run-dir.md). If the call ends early, even by a power cut, a call with
 * options->run.resume continues the work. The second call may use any device, kernel and budget, and returns
 * the same alignment. The metrics contain the seconds of all calls. Additional errors:
 *
 * - CLA_ERROR_OPTION: the folder already contains a run, or a run with other options
 * - CLA_ERROR_INPUT: the folder contains no run, a run of other sequences, or another format
 * - CLA_ERROR_OUTPUT: the folder cannot be written, or another process works in it */
cla_status cla_align(cla_alignment **out, cla_device *device, const cla_sequence *query,
                     const cla_sequence *target, const cla_align_options *options, cla_error *error);

/* True if cla_align or cla_align_several may use a device for this pair, judged by lengths and options. If
 * false, the calling thread computes the whole matrix (options->host_cells, has_band), and `device` may be
 * NULL. */
bool cla_align_needs_device(const cla_sequence *query, const cla_sequence *target,
                            const cla_align_options *options);

/* Counts the words that the target has in common with the query's forward strand (out[0]) and with its
 * reverse strand (out[1]). It uses a sample of about 8,192 words of 18 letters, and takes time linear in the
 * lengths. So the counts show which strand is related to the target, but not how much of it. CLA_ERROR_OPTION
 * for sequences that are not DNA; CLA_ERROR_MEMORY. */
cla_status cla_strand_words(int64_t out[2], const cla_sequence *query, const cla_sequence *target,
                            cla_error *error);

/* Finds up to options->several.most local alignments that share no pair of letters, in descending order of
 * score. Each alignment is the canonical alignment of a matrix in which no path may use a pair of an earlier
 * alignment (Waterman and Eggert 1987). Gaps are not restricted. The first alignment is that of cla_align.
 * The result has fewer alignments if no further alignment scores above 0. With both strands, each strand has
 * its own matrix, and each result is the better of the next alignments of both strands (at equal scores, that
 * of the forward strand).
 *
 * Each alignment requires a sweep. options->lower_bound applies only to the first alignment, and so does
 * options->kernel if that kernel cannot exclude pairs. *out contains at least one alignment; the caller frees
 * it with cla_results_free. Errors are those of cla_align, and CLA_ERROR_OPTION for several.most below 1. If
 * several.most is above 1, other modes, score_only and a run are also CLA_ERROR_OPTION.
 *
 * With several.split and several.most 1, the results are the pieces of cla_align's alignment
 * (cla_alignment_split) in descending order of score; there may be no piece. options->min_score applies to
 * each piece. With both strands, the stretches between the pieces, and between pieces and the ends of the
 * ranges, are aligned locally on the other strand. The stretches on either side of each piece found in this
 * way are aligned in turn, until no alignment scores more than the drop (docs/splitting.md). The first
 * piece's metrics include all this work. score_only is CLA_ERROR_OPTION. */
cla_status cla_align_several(cla_results *out, cla_device *device, const cla_sequence *query,
                             const cla_sequence *target, const cla_align_options *options, cla_error *error);

/* Sets *out to cla_align's plan for the same arguments, as text of several lines: the kernel and why it was
 * chosen, tiles, rows, memory, cost. Computes only the lower bound. The caller frees *out with free().
 * Errors: CLA_ERROR_OPTION, CLA_ERROR_MEMORY, CLA_ERROR_INTERRUPTED. */
cla_status cla_explain(char **out, const cla_device *device, const cla_sequence *query,
                       const cla_sequence *target, const cla_align_options *options, cla_error *error);

/* The predicted time and memory of an alignment. Input and kernel builds are not included. */
typedef struct cla_prediction {
  double bound_seconds; /* seconds of the search for a lower bound; 0: no search */
  /* Estimated fraction of the matrix that the sweep computes; below 1 if the bound excludes cells. */
  double computed_share;
  bool bounds;          /* levels of bounds (docs/internals/bounds.md) may save far more than predicted */
  double sweep_seconds; /* forward sweeps of all strands, predicted by a tuning record's time model */
  /* sweep_seconds was estimated from a short sample on the device, because no record has timed the kernel.
   * For a pair that the host computes (host_cells), the time was estimated from the usual rate. */
  bool rough;
  double
      traceback_seconds; /* estimate of the traceback, which depends on the alignment; 0 for a score alone */
  double band_seconds; /* the part of traceback_seconds spent in bands, which is divided among the ranks of a
                          cluster */
  int64_t bands;       /* number of bands, each between two kept rows */
  int64_t band_bytes;  /* approximate bytes sent to another rank for a band */
  int64_t host_bytes, device_bytes; /* peak memory; if above the budget, the smallest sufficient memory */
  int64_t host_budget_bytes, device_budget_bytes; /* budgets; cla_align refuses if the bytes exceed them */
  int64_t run_dir_bytes;      /* peak disk space of a run directory, if one is requested */
  int64_t run_dir_host_bytes; /* peak host memory with a run directory */
  char kernel[64];            /* name of the variant; "host": no kernel */
  int64_t least_rows; /* smallest number of rows that keeps the device busy; fewer rows take the same time */
  int64_t border_bytes; /* bytes per column that a part of the sweep passes to the part below */
  double border_late;   /* number of columns that a part computes before it passes any to the part below,
                           divided by the part's number of rows; 0: few */
  char reason[1280];    /* why this kernel was chosen, and by which record */
} cla_prediction;

/* Predicts cla_align on this device alone, without partners, for unrelated sequences of these lengths. If no
 * record of options->tuning has timed the kernel, the function uses the device: it builds the kernel and
 * times a sample. options->callbacks.device represents a device that is not open yet. If host_cells is also
 * set, and the host would compute the pair in less time than opening the device takes, the host is assumed.
 * Errors are those of cla_align, but budgets that are too small are not an error. */
cla_status cla_predict(cla_prediction *out, cla_device *device, int64_t query_letters, int64_t target_letters,
                       const cla_align_options *options, cla_error *error);

/* Predicts cla_align for these sequences, using their lower bound. Errors are those of cla_predict, and
 * CLA_ERROR_INTERRUPTED. */
cla_status cla_predict_pair(cla_prediction *out, cla_device *device, const cla_sequence *query,
                            const cla_sequence *target, const cla_align_options *options, cla_error *error);

#ifdef __cplusplus
}
#endif

#endif
