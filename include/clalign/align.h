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
   * matrix that the level before has left. */
  const char *stage;
  double fraction;           /* part of all predicted work that is done, 0 .. 1, never falling */
  int64_t cells_done;        /* cells of the stage that are done, computed or passed over */
  int64_t cells_passed_over; /* cells of the stage that were proven not to matter, and not computed */
  double seconds;            /* seconds since the stages began */
  double seconds_left;       /* estimate; negative while unknown */
} cla_progress;

/* Least seconds from one report of progress to the next. */
#define CLA_PROGRESS_SECONDS 0.1

/* Called from the calling thread some times a second. Return false to cancel: then the call ends with
 * CLA_ERROR_INTERRUPTED. */
typedef bool (*cla_progress_function)(const cla_progress *progress, void *user);

/* Called from the calling thread with a note of one line that needs no action, for instance about a damaged
 * file of a run directory. */
typedef void (*cla_note_function)(const char *note, void *user);

/* Called from the calling thread with the plan, as cla_explain gives it, before the sweep begins. With
 * several devices it is called again after the sweep, with the share of each. */
typedef void (*cla_plan_function)(const char *text, void *user);

/* A sequence whose end is joined to its begin, such as a plasmid's. */
typedef enum cla_circular {
  CLA_CIRCULAR_NONE = 0,
  CLA_CIRCULAR_QUERY = 1,
  CLA_CIRCULAR_TARGET = 2,
} cla_circular;

/* Gives a device to a call without one. Called once, from the calling thread, when the host alone cannot go
 * on. *tuning: records of the device, or NULL. The caller keeps both, and they must outlive the call. Any
 * status but CLA_OK ends the call. */
typedef cla_status (*cla_device_function)(cla_device **device, const cla_tuning **tuning, void *user,
                                          cla_error *error);

/* The program's host_cells if no device is named: some hundredths of a second of work. */
#define CLA_HOST_CELLS 4194304

/* A further device for the same pair, or for some of the pairs of cla_align_arrays. */
typedef struct cla_partner {
  cla_device *device;       /* not the call's own, nor another partner's */
  const cla_tuning *tuning; /* records of the device, which must outlive the call; or NULL */
} cla_partner;

/* The limits of a call. */
typedef struct cla_budgets {
  int64_t memory_bytes;        /* host memory of the stages; 0: half of what is free */
  int64_t memory_of_bytes;     /* whole budget of which memory_bytes is a share, for messages; 0: no share */
  int64_t device_memory_bytes; /* device memory; 0: all that the device has */
  int64_t disk_bytes;          /* disk of special rows in a run directory; 0: half of what is free there */
  int64_t special_rows;        /* most special rows that the forward sweep keeps; negative: chosen */
  int threads;                 /* host threads; 0: what affinity and cgroup allow */
} cla_budgets;

/* The kernel of the forward sweep by hand, for experts and tests. */
typedef struct cla_kernel_choice {
  const char *name; /* name of a variant (clalign/kernel.h); NULL: chosen by the plan */
  /* NAME=VALUE with commas between, or NULL. Names: lanes, alpha, tile, launch (diagonals or persistent),
   * groups, panel, and bounds (auto, off, band, sweep: docs/internals/bounds.md). */
  const char *settings;
} cla_kernel_choice;

/* The run of a run directory, which can be resumed. */
typedef struct cla_run_options {
  const char *directory; /* NULL: none */
  bool resume;           /* go on with the run in the directory; false: begin one */
  const char *text;      /* the caller's text, kept in the folder (cla_run_directory_read); NULL: "" */
} cla_run_options;

/* The callbacks of a call, each with the pointer that it gets. Any may be NULL. */
typedef struct cla_callbacks {
  cla_progress_function progress; /* gets the progress; can end the call */
  void *progress_user;            /* passed to `progress` */
  cla_note_function note;         /* gets notes about changes of the plan during the run */
  void *note_user;                /* passed to `note` */
  cla_plan_function explain;      /* gets the plan as text, before the sweep */
  void *explain_user;             /* passed to `explain` */
  cla_device_function device;     /* gives a device if the call has none and needs one */
  void *device_user;              /* passed to `device` */
} cla_callbacks;

/* The alignments that cla_align_several gives. */
typedef struct cla_several {
  int64_t most; /* most alignments, the best first; 1 for cla_align */
  bool split;   /* the pieces of the best alignment instead (cla_alignment_split) */
  int64_t drop; /* largest drop of the score within a piece; negative: cla_split_drop */
} cla_several;

/* The options of an alignment, which cla_align_options_init sets. All that they point to must outlive the
 * call. */
typedef struct cla_align_options {
  cla_mode mode;                   /* the parts of the two ranges that the alignment must cover */
  int free_ends;                   /* cla_free_ends, with CLA_MODE_FREE_ENDS; 0 with every other mode */
  cla_strand strand;               /* strand of the query */
  cla_scoring scoring;             /* scores of pairs and gaps; untouched: by the letters (see below) */
  bool has_band;                   /* only the best alignment of a band, which may not be the best of all */
  int64_t band;                    /* diagonals of the band on either side of those of the matrix' corners */
  cla_circular circular;           /* the circular sequence, whose best rotation is wanted */
  cla_gap_placement gap_placement; /* placement of the result's gaps */
  bool allow_empty;                /* a sequence without letters is no error */
  bool score_only;                 /* score and end cell, no traceback */
  bool keep_work;      /* the first alignment tells how its matrix was computed (clalign/work.h) */
  bool has_min_score;  /* alignments below min_score are neither wanted nor computed */
  int64_t min_score;   /* in the scheme's units */
  cla_several several; /* best alignments, or pieces of one */
  cla_budgets budgets; /* limits of memory, disk, rows and threads */
  /* Most cells of a matrix that the calling thread computes, without compiling a kernel; 0: none. Options for
   * kernel, lower_bound, partners, run, callbacks, keep_work, circular or budgets exclude that way. */
  int64_t host_cells;
  cla_kernel_choice kernel;       /* kernel of the sweep */
  cla_lower_bound lower_bound;    /* known lower bound of the score, or the way to find one */
  const cla_tuning *tuning;       /* records of this device, which must outlive the call; or NULL */
  const cla_partner *partners;    /* further devices for the pair, of any kind; or NULL */
  size_t partner_count;           /* number of partners */
  const cla_ranks *ranks;         /* processes that take part, of which this one is rank 0; or NULL */
  cla_run_options run;            /* the run directory */
  cla_callbacks callbacks;        /* progress, notes and the plan */
  const cla_allocator *allocator; /* memory of the results; NULL: malloc and free */
} cla_align_options;

/* Local mode, forward strand, scoring by the letters, everything chosen by the plan.
 *
 * By the letters: DNA and own letters score by cla_scoring_init, proteins by cla_scoring_init_for, which is
 * BLOSUM62. Changed values of `scoring` are for DNA and own letters. Proteins are then refused with
 * CLA_ERROR_OPTION, unless a function of clalign/scoring.h, or a copied scheme, has set their scores. */
void cla_align_options_init(cla_align_options *options);

/* Aligns the ranges of two sequences exactly, in memory linear in their lengths.
 *
 * The result is the canonical alignment of docs/internals/exactness.md: the same for every device, kernel,
 * number of special rows and budget. It has been verified (cla_alignment_verify). *out is NULL after an
 * error, and ends with cla_alignment_free. It needs neither device nor sequences any more. Errors:
 *
 * - CLA_ERROR_OPTION: also for options->lower_bound.score above the optimum
 * - CLA_ERROR_MEMORY: the message names the least budget that suffices
 * - CLA_ERROR_INPUT: sequences of different alphabets, or a letter without scores
 * - CLA_ERROR_VERIFICATION: the device has computed wrong values
 * - CLA_ERROR_DEVICE, CLA_ERROR_INTERRUPTED
 *
 * Devices. The call has the device for itself, and waits while another thread has it (clalign/device.h). A
 * callback of a call that uses the device would wait for ever, and gets CLA_ERROR_DEVICE. `device` may be
 * NULL with options->callbacks.device. That is called only if the host alone would take longer than opening a
 * driver. Small pairs, and pairs of which bounds leave little, need no device. Without the callback, `device`
 * may be NULL if cla_align_needs_device is false.
 *
 * With options->partners all devices compute the matrix, and the result is the same. The call has them all
 * for itself. No device may be named twice (CLA_ERROR_OPTION). If a device fails, the others compute its
 * part; metrics.lost_devices and a note name it. The call fails only if no device is left. options->kernel is
 * for all devices. Devices that their part would not keep busy are left out.
 *
 * Empty sequences. A sequence without letters is CLA_ERROR_INPUT. With options->allow_empty it is aligned:
 * locally the alignment is empty, globally it is one gap. No device is used then, and a run is refused.
 *
 * Bands. With options->has_band only paths count whose nodes (i,j) lie within `band` diagonals of both
 * corners of the m x n matrix: min(0, n - m) - band <= j - i <= max(0, n - m) + band. Whether a better path
 * leaves the band is not known, and the alignment says so. One host thread computes it. A run, circular and a
 * given lower_bound are refused (CLA_ERROR_OPTION). cla_explain and cla_predict ignore the band.
 *
 * Circular sequences. With options->circular the result is the alignment of the best rotation of the record,
 * of equal ones the smallest (docs/internals/exactness.md). The side's `rotation` has it. It is for whole
 * records, in modes that free both ends of the circle or none, without a run and without a given lower bound
 * (CLA_ERROR_OPTION). cla_explain, cla_predict and cla_predict_pair do not take it.
 *
 * Least scores. With options->has_min_score *out is NULL, and the status CLA_OK, if no alignment scores
 * min_score. The sweep then passes over cells that cannot reach it, except in a run, which keeps any
 * alignment. If nothing is found, a lower_bound.score below min_score is not checked.
 *
 * Strands. Strands other than forward are for DNA, else CLA_ERROR_INPUT. With both, two alignments are
 * computed one after the other. The one with the better lower bound comes first, and its score is the other's
 * lower bound. The metrics are those of both. cla_explain does not take CLA_STRAND_BOTH.
 *
 * Runs. With options->run.directory the call keeps its work there (docs/internals/format-run-dir.md). After
 * any end, a power cut included, a call with options->run.resume goes on from there. It may use any device,
 * kernel and budget, and gives the same alignment. The metrics have the seconds of all calls. Further errors:
 *
 * - CLA_ERROR_OPTION: the folder has a run already, or one of other options
 * - CLA_ERROR_INPUT: no run, other sequences, or another format
 * - CLA_ERROR_OUTPUT: the folder cannot be written, or another process works in it */
cla_status cla_align(cla_alignment **out, cla_device *device, const cla_sequence *query,
                     const cla_sequence *target, const cla_align_options *options, cla_error *error);

/* True if cla_align or cla_align_several may use a device for this pair, by lengths and options. If not, the
 * calling thread computes all of it (options->host_cells, has_band), and `device` may be NULL. */
bool cla_align_needs_device(const cla_sequence *query, const cla_sequence *target,
                            const cla_align_options *options);

/* Counts words that both sequences have in common, with the query's strand `forward` in out[0] and the other
 * one in out[1]. It takes a sample of about 8,192 words of 18 letters, in time linear in the lengths. So it
 * tells which strand is related, not how much of it. CLA_ERROR_OPTION (not DNA), CLA_ERROR_MEMORY. */
cla_status cla_strand_words(int64_t out[2], const cla_sequence *query, const cla_sequence *target,
                            cla_error *error);

/* Finds up to options->several.most local alignments without common pairs of letters, by falling score. Each
 * is the canonical one of a matrix in which no path may make a pair of an earlier alignment (Waterman and
 * Eggert 1987). Gaps are not restricted. The first is that of cla_align. There are fewer if no score above 0
 * is left. With both strands, each strand has its own matrix; the better of their next alignments is taken,
 * at equal scores the forward one.
 *
 * A sweep for each alignment; options->lower_bound is of the first, options->kernel too where that kernel
 * cannot take pairs away. *out, of one at least, ends with cla_results_free. Errors as cla_align, and
 * CLA_ERROR_OPTION for less than 1 and, above 1, for other modes, score only, and a run.
 *
 * With several.split, for which several.most is 1, the results are the pieces of cla_align's alignment
 * (cla_alignment_split) by falling score; there may be none. options->min_score is for a piece. With both
 * strands, the stretches between pieces, and up to the ends of the ranges, are aligned locally on the other
 * strand. So is what that leaves on either side, until nothing scores more than the drop (docs/splitting.md).
 * The first piece's metrics are of all this work. CLA_ERROR_OPTION: score only. */
cla_status cla_align_several(cla_results *out, cla_device *device, const cla_sequence *query,
                             const cla_sequence *target, const cla_align_options *options, cla_error *error);

/* Sets *out to cla_align's plan for the same arguments, as text of several lines: the kernel and the reason
 * for it, tiles, rows, memory, cost. Computes only the lower bound. The caller frees *out with free().
 * Errors: CLA_ERROR_OPTION, CLA_ERROR_MEMORY, CLA_ERROR_INTERRUPTED. */
cla_status cla_explain(char **out, const cla_device *device, const cla_sequence *query,
                       const cla_sequence *target, const cla_align_options *options, cla_error *error);

/* The predicted time and memory of an alignment, without input and kernel builds. */
typedef struct cla_prediction {
  double bound_seconds; /* duration of the search for a lower bound; 0: none was sought */
  /* Estimated part of the matrix that the sweep computes; below 1 if the bound prunes. */
  double computed_share;
  bool bounds;          /* levels of bounds (docs/internals/bounds.md) may spare far more than predicted */
  double sweep_seconds; /* forward sweep, or both with both strands, by a tuning record's time model */
  /* sweep_seconds is by a short sample on the device, because no record has timed the kernel. For a pair that
   * the host computes (host_cells), it is by the usual rate. */
  bool rough;
  double traceback_seconds; /* estimate for the rest, which depends on the alignment; 0 for a score alone */
  double band_seconds;      /* the part of traceback_seconds in bands, which ranks of a cluster share */
  int64_t bands;            /* number of bands, each between two kept rows */
  int64_t band_bytes;       /* approximate bytes that another rank is sent for a band */
  int64_t host_bytes, device_bytes; /* most memory; the least that suffices if above the budget */
  int64_t host_budget_bytes, device_budget_bytes; /* budgets; cla_align refuses if the bytes exceed them */
  int64_t run_dir_bytes;                          /* most disk of a run directory, if one is asked for */
  int64_t run_dir_host_bytes;                     /* most host memory with a run directory */
  char kernel[64];                                /* the variant; "host": none */
  int64_t least_rows;   /* least rows that keep the device busy; fewer take as long */
  int64_t border_bytes; /* bytes of a column that a part of the sweep hands to the part below */
  double border_late;   /* columns, for each row of a part, before it hands any down; 0: few */
  char reason[1280];    /* why this kernel, and by which record */
} cla_prediction;

/* Predicts cla_align on this device alone, without partners, for unrelated sequences of that length. If no
 * record of options->tuning has timed the kernel, the call takes the device, builds the kernel and times a
 * sample. With options->callbacks.device, it is a call whose device is not open yet: if host_cells is set,
 * the host computes what takes no longer than that. Errors as cla_align, but budgets that are too small are
 * no error. */
cla_status cla_predict(cla_prediction *out, cla_device *device, int64_t query_letters, int64_t target_letters,
                       const cla_align_options *options, cla_error *error);

/* Predicts cla_align for these sequences, with their lower bound. Errors as cla_predict, and
 * CLA_ERROR_INTERRUPTED. */
cla_status cla_predict_pair(cla_prediction *out, cla_device *device, const cla_sequence *query,
                            const cla_sequence *target, const cla_align_options *options, cla_error *error);

#ifdef __cplusplus
}
#endif

#endif
