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

/* How far a call is. */
typedef struct cla_progress {
  const char *stage; /* "lower bound search", "kernel compilation, once for this machine", "bounds, fine level
                        in 0.52 %" (of the matrix, that the level before has left), "forward sweep", "band",
                        "traceback", or "waiting for the device" */
  double fraction;   /* of all predicted work, 0 .. 1, never falling */
  int64_t cells_done;        /* of this stage, with those that were passed over */
  int64_t cells_passed_over; /* of these: proven not to matter, and not computed */
  double seconds;            /* since the stages began */
  double seconds_left;       /* estimate; negative while unknown */
} cla_progress;

/* The library reports its progress at most this often, and the program draws it as often. */
#define CLA_PROGRESS_SECONDS 0.1

/* Called from the calling thread some times a second. Return false to cancel: the call then ends with
 * CLA_ERROR_INTERRUPTED. */
typedef bool (*cla_progress_function)(const cla_progress *progress, void *user);

/* Called from the calling thread with what a user may want to know and nobody has to act on: one line, such
 * as a damaged file of a run directory that is computed again. */
typedef void (*cla_note_function)(const char *note, void *user);

/* Called from the calling thread with the plan, as cla_explain gives it, before the sweep begins; and of
 * several devices after it, with what each has done of it. */
typedef void (*cla_plan_function)(const char *text, void *user);

/* A sequence whose end is joined to its begin, such as a plasmid's. */
typedef enum cla_circular {
  CLA_CIRCULAR_NONE = 0,
  CLA_CIRCULAR_QUERY = 1,
  CLA_CIRCULAR_TARGET = 2,
} cla_circular;

/* Gives a call that was given no device the one to compute on. Called from the calling thread, once, when the
 * host alone cannot go on; *device stays the caller's and, with *tuning (records of it; NULL: none), must
 * outlive the call. Another status than CLA_OK ends the call. */
typedef cla_status (*cla_device_function)(cla_device **device, const cla_tuning **tuning, void *user,
                                          cla_error *error);

/* What the program has for host_cells where no device is named: some hundredths of a second. */
#define CLA_HOST_CELLS 4194304

/* A further device for the same pair, or for some of the pairs of cla_align_arrays. */
typedef struct cla_partner {
  cla_device *device;       /* not the call's own, nor another partner's */
  const cla_tuning *tuning; /* records of it, which must outlive the call; NULL: none */
} cla_partner;

/* What a call may take. */
typedef struct cla_budgets {
  int64_t memory_bytes;        /* of the host, for the stages; 0: half of what is free */
  int64_t memory_of_bytes;     /* the budget that memory_bytes is a share of, for messages, which then name it
                                  and how much of it would be needed; 0: memory_bytes is all of it */
  int64_t device_memory_bytes; /* 0: what the device has */
  int64_t disk_bytes;          /* of special rows in a run directory; 0: half of what is free there */
  int64_t special_rows;        /* the most that the forward sweep keeps; negative: chosen by the plan */
  int threads;                 /* of the host, for the traceback; 0: what affinity and cgroup allow */
} cla_budgets;

/* The kernel of the forward sweep by hand, for experts and tests. */
typedef struct cla_kernel_choice {
  const char *name;     /* of a variant (clalign/kernel.h); NULL: chosen by the plan */
  const char *settings; /* NAME=VALUE with commas between, of lanes, alpha, tile, launch (diagonals or
                           persistent), groups, panel, and bounds (auto, off, band, sweep:
                           docs/internals/bounds.md); NULL: none */
} cla_kernel_choice;

/* The run that a run directory keeps, so that it can be resumed. */
typedef struct cla_run_options {
  const char *directory; /* NULL: none */
  bool resume;           /* go on with the run that is there; false: begin one */
  const char *text;      /* kept there for the caller (cla_run_directory_read); NULL: "" */
} cla_run_options;

/* Whom a call tells what; NULL: nobody. Each is handed the pointer that follows it. */
typedef struct cla_callbacks {
  cla_progress_function progress; /* how far it has come; can end it */
  void *progress_user;            /* handed to it */
  cla_note_function note;         /* what went otherwise than planned */
  void *note_user;                /* handed to it */
  cla_plan_function explain;      /* the plan as text, before the sweep */
  void *explain_user;             /* handed to it */
  cla_device_function device;     /* the device, where `device` is NULL and one is needed */
  void *device_user;              /* handed to it */
} cla_callbacks;

/* Which alignments cla_align_several gives. */
typedef struct cla_several {
  int64_t most; /* so many, the best first; 1 for cla_align */
  bool split;   /* or the pieces of the best one (cla_alignment_split) */
  int64_t drop; /* which is cut where the score drops by more than this; negative: cla_split_drop */
} cla_several;

/* What to align, and how; cla_align_options_init sets all of it. What is pointed to must outlive the call. */
typedef struct cla_align_options {
  cla_mode mode;                   /* what of the two ranges the alignment must cover */
  int free_ends;                   /* cla_free_ends, with CLA_MODE_FREE_ENDS; 0 with every other mode */
  cla_strand strand;               /* of the query */
  cla_scoring scoring;             /* what pairs and gaps are worth; untouched: by the letters, see below */
  bool has_band;                   /* only the best alignment of a band, which proves nothing of the whole: */
  int64_t band;                    /* so many diagonals on either side of those of the matrix' corners */
  cla_circular circular;           /* the best of all rotations of that sequence */
  cla_gap_placement gap_placement; /* of the result; the canonical alignment decides everything else */
  bool allow_empty;                /* a sequence without letters is no error */
  bool score_only;                 /* score and end cell, no traceback */
  bool keep_work;                  /* the alignment says how its matrix was computed (clalign/work.h); of
                                      several, the first one does */
  bool has_min_score;              /* alignments of a score below min_score are not wanted, nor computed */
  int64_t min_score;               /* in the scheme's units */
  cla_several several;             /* best alignments, or pieces of one */
  cla_budgets budgets;             /* of memory, disk, rows and threads */
  int64_t host_cells;          /* a matrix of at most so many cells is computed on the calling thread, which
                                  compiles no kernel: where neither kernel, lower_bound, partners, run,
                                  callbacks, keep_work, circular nor a budget asks for more; 0: none is */
  cla_kernel_choice kernel;    /* of the sweep */
  cla_lower_bound lower_bound; /* what is known of the score beforehand, or how to find it */
  const cla_tuning *tuning;    /* records of this device, which must outlive the call; NULL: none */
  const cla_partner *partners; /* devices that compute the same pair beside the call's own, of any kind; NULL:
                                  none */
  size_t partner_count;        /* how many */
  const cla_ranks *ranks;      /* processes that take part, of which this one is rank 0; NULL: none */
  cla_run_options run;         /* kept in a folder */
  cla_callbacks callbacks;     /* progress, notes and the plan */
  const cla_allocator *allocator; /* of what the call returns; NULL: malloc and free */
} cla_align_options;

/* Local mode, forward strand, scoring by the letters, everything chosen by the plan.
 *
 * By the letters: DNA and own letters score as cla_scoring_init says, proteins by BLOSUM62, as
 * cla_scoring_init_for says. Values of `scoring` that are changed then are for DNA and own letters: proteins
 * are refused with CLA_ERROR_OPTION until a function of clalign/scoring.h, or a scheme copied there, says
 * what they score. */
void cla_align_options_init(cla_align_options *options);

/* Aligns the ranges of two sequences exactly, in memory linear in their lengths.
 *
 * The result is the canonical alignment of docs/internals/exactness.md: the same for every device, kernel,
 * number of special rows and budget. It has been verified (cla_alignment_verify). Errors: CLA_ERROR_OPTION
 * (options->lower_bound.score above the optimum included), CLA_ERROR_MEMORY (a budget too small names the
 * least that would do), CLA_ERROR_DEVICE, CLA_ERROR_INTERRUPTED, CLA_ERROR_VERIFICATION (a device that
 * computes wrongly), CLA_ERROR_INPUT (sequences of different alphabets, a letter
 * that the score matrix does not have).
 *
 * *out, NULL after an error, ends with cla_alignment_free; it needs neither device nor sequences any more.
 * The call has the device for itself, and waits while another thread has it (clalign/device.h):
 * CLA_ERROR_DEVICE if that would be for ever, from a callback of a call that uses it.
 *
 * `device` may be NULL with options->callbacks.device, which is asked for one only if the host alone would
 * take longer than a driver takes to open: small pairs, and pairs of which bounds leave little, need none.
 * Without that callback it may be NULL where cla_align_needs_device says so.
 *
 * With options->partners the matrix is computed by all these devices, which the call has for itself, and the
 * result is the same. None may be named twice (CLA_ERROR_OPTION). One that fails is left out: the others
 * compute its part, metrics.lost_devices says so, and so does the note. Only where none is left the call
 * fails. options->kernel is for all of them; the plan leaves out those whose part would not keep them
 * busy.
 *
 * A sequence without letters is CLA_ERROR_INPUT, or with options->allow_empty aligned like any other: locally
 * the alignment is empty, globally one gap. Nothing is computed on the device then, and a run is refused.
 *
 * With options->has_band only paths count whose nodes (i,j) lie within `band` diagonals of the two corners of
 * the m x n matrix, min(0, n - m) - band <= j - i <= max(0, n - m) + band, and the alignment says so: whether
 * a better one leaves the band is not known. One host thread computes it. That takes no run, no circular
 * and no lower_bound that is given (CLA_ERROR_OPTION), and cla_explain and cla_predict know nothing of it.
 *
 * With options->circular the result is the alignment of that rotation of the record which scores most, of
 * several the smallest (docs/internals/exactness.md); the side's `rotation` is that. It is for whole records,
 * in modes that free both ends of the circle or none, without a run and without a lower bound that is given
 * (CLA_ERROR_OPTION).
 *
 * With options->has_min_score *out is NULL, and the status CLA_OK, if no alignment scores min_score. A sweep
 * then passes over what cannot reach it, but with a run, which keeps the alignment whatever it scores. A
 * lower_bound.score below min_score is not checked where nothing is found.
 *
 * Another strand than forward is for DNA, else CLA_ERROR_INPUT. With both, two alignments are computed one
 * after the other, that of the better lower bound first and the second one with the first one's score as its
 * lower bound, and the metrics are those of both. cla_explain takes no CLA_STRAND_BOTH, and neither it nor
 * cla_predict and cla_predict_pair take circular.
 *
 * With options->run.directory the call keeps there what it has computed (docs/internals/format-run-dir.md).
 * After any end but a lost folder, a power cut included, a call with options->run.resume goes on from there,
 * on any device and with any kernel and budget, and gives the same alignment, with the seconds of all of them
 * in its metrics. Further errors: CLA_ERROR_OPTION (the folder has a run already, or one of other options),
 * CLA_ERROR_INPUT (no run there, other sequences, another format), CLA_ERROR_OUTPUT (it cannot be written, or
 * another process works in it). */
cla_status cla_align(cla_alignment **out, cla_device *device, const cla_sequence *query,
                     const cla_sequence *target, const cla_align_options *options, cla_error *error);

/* Whether cla_align, or cla_align_several, uses a device for this pair, as far as lengths and options tell:
 * if not, all of it is computed on the calling thread (options->host_cells, has_band), and `device` may be
 * NULL. */
bool cla_align_needs_device(const cla_sequence *query, const cla_sequence *target,
                            const cla_align_options *options);

/* Up to options->several.most local alignments of which no two use the same pair of letters, in the order of
 * their scores: each is the canonical one of a matrix in which no path may make a pair that an earlier one
 * uses (Waterman and Eggert 1987). Gaps are not restricted. The first is that of cla_align; there are fewer
 * if nothing above 0 is left. With both strands each strand has a matrix of its own, and the better of their
 * next ones is taken, forward if they are equal.
 *
 * A sweep for each alignment; options->lower_bound is of the first, options->kernel too where that kernel
 * cannot take pairs away. *out, of one at least, ends with cla_results_free. Errors as cla_align, and
 * CLA_ERROR_OPTION for less than 1 and, above 1, for other modes, score only, and a run.
 *
 * With several.split, for which several.most is 1, they are the pieces of the alignment of cla_align
 * (cla_alignment_split), the best first; options->min_score is of a piece, and out->count may be 0. With both
 * strands, what lies between two pieces, or between one and an end of the ranges, is aligned locally on the
 * other strand. So is what that leaves on either side, until nothing scores more than the drop
 * (docs/splitting.md). The first one's metrics are of all this work. CLA_ERROR_OPTION: score only. */
cla_status cla_align_several(cla_results *out, cla_device *device, const cla_sequence *query,
                             const cla_sequence *target, const cla_align_options *options, cla_error *error);

/* The plan for the same arguments as text of several lines: kernel and why, tiles, rows, memory, cost.
 * Computes nothing but the lower bound. The caller frees *out with free(). Errors: CLA_ERROR_OPTION,
 * CLA_ERROR_MEMORY, CLA_ERROR_INTERRUPTED. */
cla_status cla_explain(char **out, const cla_device *device, const cla_sequence *query,
                       const cla_sequence *target, const cla_align_options *options, cla_error *error);

/* How long an alignment will take, without input and kernel builds. */
typedef struct cla_prediction {
  double bound_seconds;  /* that finding the lower bound took; 0 if none was looked for */
  double computed_share; /* of the matrix that the sweep computes, about: below 1 where that bound spares it
                            the rest */
  bool bounds;           /* levels of bounds (docs/internals/bounds.md) may spare far more, as cla_align will
                            see: the seconds are of a sweep without them */
  double sweep_seconds; /* of the forward sweep, of both with both strands, by a tuning record's time model */
  bool rough;           /* or, as no record has timed the kernel, by a short sample on the device; of a pair
                           that the host computes (host_cells) as such pairs usually take */
  double traceback_seconds; /* of the rest: an estimate, because it depends on the alignment; 0 for a score */
  double band_seconds; /* of these: bands between kept rows, which ranks of a cluster share; of so many */
  int64_t bands;       /* rows between two kept ones, each */
  int64_t band_bytes;  /* that another rank is sent for one, about */
  int64_t host_bytes, device_bytes;               /* of memory, at most */
  int64_t host_budget_bytes, device_budget_bytes; /* that may be used; if less, cla_align is refused, and the
                                                     bytes are the least that would do */
  int64_t run_dir_bytes;      /* of disk in a run directory, if one is asked for, at most */
  int64_t run_dir_host_bytes; /* of host memory then */
  char kernel[64];            /* the variant; "host": none */
  int64_t least_rows;         /* that keep the device busy: fewer take as long */
  int64_t border_bytes;       /* of a column, that a part of the sweep hands to the part below, */
  double border_late;         /* and columns, for each row of the part, before that begins; 0: few */
  char reason[1280];          /* why this one, and by which record */
} cla_prediction;

/* Predicts cla_align on this device alone, whatever partners, for sequences of so many letters, of which
 * nothing else is known: as if they had nothing in common. If no record of options->tuning has timed the
 * kernel that would run, the call takes the device, builds that kernel and lets it compute a sample. Errors
 * as cla_align; budgets that are too small are none. */
cla_status cla_predict(cla_prediction *out, cla_device *device, int64_t query_letters, int64_t target_letters,
                       const cla_align_options *options, cla_error *error);

/* Predicts cla_align for these sequences, for which it finds the lower bound. Errors as cla_predict, and
 * CLA_ERROR_INTERRUPTED. */
cla_status cla_predict_pair(cla_prediction *out, cla_device *device, const cla_sequence *query,
                            const cla_sequence *target, const cla_align_options *options, cla_error *error);

#ifdef __cplusplus
}
#endif

#endif
