#ifndef CLALIGN_ALIGNMENT_H
#define CLALIGN_ALIGNMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "clalign/allocator.h"
#include "clalign/mode.h"
#include "clalign/scoring.h"
#include "clalign/sequence.h"
#include "clalign/status.h"
#include "clalign/work.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The strand of the query that was aligned with the target's forward strand. */
typedef enum cla_strand {
  CLA_STRAND_FORWARD = 0,
  CLA_STRAND_REVERSE = 1, /* the reverse complement of the query's range; DNA only */
  CLA_STRAND_BOTH = 2,    /* only as an option: the better strand; at equal scores, the forward strand */
} cla_strand;

/* The place of each gap of a path if several places have the same score. */
typedef enum cla_gap_placement {
  CLA_GAPS_CANONICAL = 0, /* as defined in docs/internals/exactness.md */
  CLA_GAPS_LEFT = 1,      /* each gap as far left as possible on the target's forward strand, as in VCF */
  CLA_GAPS_RIGHT = 2,     /* each gap as far right as possible, as in HGVS */
  CLA_GAPS_OTHER = 3,     /* no rule: one of several optimal alignments; not as an option */
} cla_gap_placement;

/* The kind of a step of the path. */
typedef enum cla_run_kind {
  CLA_RUN_PAIR = 0,   /* a letter of each sequence: match or mismatch */
  CLA_RUN_QUERY = 1,  /* query letters against a gap: CIGAR I */
  CLA_RUN_TARGET = 2, /* target letters against a gap: CIGAR D */
} cla_run_kind;

/* A run of equal steps of the path. */
typedef struct cla_run {
  int64_t length;    /* >= 1 */
  cla_run_kind kind; /* kind of the steps */
} cla_run;

/* One of the two sequences of an alignment. Positions are 0-based and half-open, in the whole record, on its
 * forward strand. */
typedef struct cla_side {
  char *name;         /* owned */
  char *location;     /* the location from which the sequence was read; "" if it was in memory; owned */
  int64_t length;     /* letters of the whole record */
  int64_t begin, end; /* the range that took part */
  /* For a circular sequence: the position of the record's letter that comes first after rotation, 0 <=
   * rotation < length. All positions are in the rotated record. */
  int64_t rotation;
  int64_t start;        /* start of the aligned part; -1 without a path */
  int64_t stop;         /* end of the aligned part; -1 without a path on the reverse strand */
  uint8_t checksum[16]; /* cla_sequence_checksum */
} cla_side;

/* Sets *start and *stop to positions in the record without rotation, or to -1 if they are not known. If the
 * aligned part crosses the origin of a circular record, *stop is beyond the record's length, as in GFF3. */
void cla_side_positions(const cla_side *side, int64_t *start, int64_t *stop);

/* The work of a stage. */
typedef struct cla_stage {
  int64_t cells;  /* computed cells */
  double seconds; /* wall time */
} cla_stage;

/* The verification of a score (docs/internals/exactness.md). */
typedef enum cla_verified {
  CLA_VERIFIED_NOT = 0, /* not verified except by the kernel's self-test; with score_only, if a check would
                           have taken too long */
  CLA_VERIFIED_END = 1, /* with score_only: the host has computed the end of the path again */
  CLA_VERIFIED_PATH = 2 /* the path was scored letter by letter */
} cla_verified;

/* Measurements of how the result was computed. All zero in an alignment that was loaded from a file. */
typedef struct cla_metrics {
  int64_t cells;          /* m x n of the two ranges, twice that if both strands were aligned */
  int64_t cells_computed; /* cells computed by all stages */
  bool pruned;            /* the sweep skipped tiles that no path of score `lower_bound` uses */
  int64_t lower_bound;    /* the lower bound of the score, known before a pruned sweep */
  double seconds;         /* wall time of the DP stages, without input and kernel builds */
  double sweep_seconds;   /* wall time of the forward sweep */
  /* Wall time of building kernels before the stages. A kernel is compiled once on a machine and later loaded
   * from disk. Each time it is tested on a small pair. */
  double build_seconds;
  cla_stage bounds;                        /* the lower bound and the levels of bounds, before the sweep */
  cla_bound_level levels[CLA_LEVELS_MOST]; /* levels of bounds, for the result's strand and rotation */
  int level_count;                         /* number of levels; 0: no level was started */
  cla_stage search;                        /* the search for the alignment's start, after the sweep */
  cla_stage blocks;                        /* blocks computed again on the device, after the search */
  cla_stage bands;                         /* bands traced on host threads, after the blocks */
  cla_verified verified;                   /* the verification of the score */
  char device[256];       /* name of the device, or names of all devices used, with " + " between */
  char kernel[32];        /* variant of the forward sweep */
  int lanes, lane_rows;   /* a strip has lanes x lane_rows rows */
  int64_t tile_columns;   /* columns of a tile */
  char lost_devices[256]; /* names of devices that failed or did not fit the pair; "": none */
} cla_metrics;

/* An exact alignment: coordinates, score and runs. Adjacent runs are of different kinds. PAIR runs contain
 * both matches and mismatches. The runs lead from (query.start, target.start) to (query.stop, target.stop).
 * On the reverse strand the runs lead from (query.stop, target.start) to (query.start, target.stop), as in
 * SAM and PAF. A local score of 0 has start = stop = 0 and no runs. */
typedef struct cla_alignment {
  cla_mode mode;                   /* the parts of the ranges that the alignment had to cover */
  int free_ends;                   /* cla_free_ends; 0 unless the mode is CLA_MODE_FREE_ENDS */
  cla_strand strand;               /* strand of the query: forward or reverse */
  cla_alphabet alphabet;           /* alphabet of both sequences; CLA_ALPHABET_OWN: scoring.letters */
  cla_scoring scoring;             /* the scheme for which the alignment is optimal */
  int64_t score;                   /* in the scheme's units */
  cla_side query, target;          /* the aligned parts of both sequences */
  cla_gap_placement gap_placement; /* the place of gaps if several places have the same score */
  bool has_band; /* the best alignment within a band of diagonals (clalign/align.h); one outside the band may
                    be better */
  int64_t band;  /* diagonals on either side, as in cla_align_options */
  /* True for a piece of an alignment, possibly on the other strand (cla_alignment_split). A piece need not
   * cover the parts that the mode requires. A piece starts and ends with a pair. */
  bool has_split;
  int64_t split_drop;  /* largest drop of the score within a piece, in the scheme's units */
  bool has_path;       /* false with score_only: start is -1, and there are no runs */
  cla_run *runs;       /* owned, NULL if run_count is 0 */
  size_t run_count;    /* number of runs */
  cla_metrics metrics; /* how the alignment was computed */
  cla_work *work; /* owned, in one allocation; NULL unless keep_work was set or a file contained the work */
  cla_allocator allocator; /* source of the memory of the alignment and of all owned fields; no functions:
                              malloc and free */
} cla_alignment;

/* Copies an alignment with its names and runs into memory of `allocator`, or of malloc if `allocator` is
 * NULL. Errors: CLA_ERROR_MEMORY, CLA_ERROR_OPTION (an allocator with only one function). The caller frees
 * *out with cla_alignment_free. */
cla_status cla_alignment_copy(cla_alignment **out, const cla_alignment *alignment,
                              const cla_allocator *allocator, cla_error *error);

/* Frees the alignment and all owned fields with the alignment's allocator; NULL is allowed. */
void cla_alignment_free(cla_alignment *alignment);

/* Moves every gap as far left or right as possible, past pairs whose letters do not change
 * (docs/internals/exactness.md, "Gap placement"). Score, starts, stops, and the order and lengths of gaps do
 * not change. After an error the alignment is unchanged. CLA_ERROR_VERIFICATION if the alignment has no path
 * or does not fit the sequences, CLA_ERROR_OPTION for a placement other than left or right,
 * CLA_ERROR_MEMORY. */
cla_status cla_alignment_place_gaps(cla_alignment *alignment, cla_gap_placement placement,
                                    const cla_sequence *query, const cla_sequence *target, cla_error *error);

/* The two sequences of an alignment. */
typedef enum cla_side_kind { CLA_SIDE_QUERY, CLA_SIDE_TARGET } cla_side_kind;

/* A range of letters of one side's record, on its forward strand. */
typedef struct cla_side_range {
  cla_side_kind side; /* the side */
  int64_t begin, end; /* 0-based, half-open */
} cla_side_range;

/* Extracts the part of an alignment from the first to the last pair whose letter on range.side lies in
 * `range`. The result is a global alignment of exactly the letters in that part, with their score and zero
 * metrics. *out is NULL, without an error, if there is no such pair. The caller frees *out. Errors:
 * CLA_ERROR_INPUT (a range outside the record), CLA_ERROR_OPTION (no path, or a path across the origin of a
 * circular record), CLA_ERROR_VERIFICATION (sequences that do not fit), CLA_ERROR_MEMORY. */
cla_status cla_alignment_part(cla_alignment **out, const cla_alignment *alignment,
                              const cla_side_range *range, const cla_sequence *query,
                              const cla_sequence *target, cla_error *error);

/* The alignments of a pair. The struct owns nothing, unless the function that sets it requires
 * cla_results_free. */
typedef struct cla_results {
  const cla_alignment *const *alignments;            /* alignments of the same two sequences */
  size_t count;                                      /* number of alignments, >= 0 */
  const cla_sequence *query, *target;                /* the two sequences */
  const struct cla_certificate *const *certificates; /* by alignment (clalign/certain.h), for writers; an
                                                        entry or the array may be NULL */
} cla_results;

/* Frees the alignments and their array, and sets the number of alignments to 0. */
void cla_results_free(cla_results *results);

/* Cuts an alignment into pieces (docs/splitting.md). Among all ways to choose parts of the path, the pieces
 * are those with the largest sum of (score - `drop`); among equal sums, the fewest parts, then the shortest.
 * So the score drops by more than `drop` between two pieces, never drops by more than `drop` within a piece,
 * and each piece gains more than `drop`.
 *
 * *out contains the pieces in descending order of score; at equal scores, in the order of the target. There
 * may be no piece. If the alignment is optimal, each piece is the best global alignment of its letters.
 * Pieces have the mode and ranges of the alignment, and zero metrics. The caller frees *out with
 * cla_results_free. Errors: CLA_ERROR_OPTION (no path, a drop below 0), CLA_ERROR_VERIFICATION (sequences
 * that do not fit), CLA_ERROR_MEMORY. */
cla_status cla_alignment_split(cla_results *out, const cla_alignment *alignment, int64_t drop,
                               const cla_sequence *query, const cla_sequence *target, cla_error *error);

/* Default of the smallest gain of a piece, as a number of matches. */
#define CLA_SPLIT_MATCHES 60

/* Returns the default drop in the scheme's units: CLA_SPLIT_MATCHES times the score of a pair of equal
 * letters (with a matrix, times the mean of such scores above 0). With two pieces of gap costs the drop is
 * one and a half times gap_first2, but at least two thirds of that product. So a single long gap does not cut
 * an alignment, but two long gaps do. */
int64_t cla_split_drop(const cla_scoring *scoring);

/* Counts of an alignment's columns. */
typedef struct cla_statistics {
  int64_t matches;     /* equal unambiguous letters, and pairs that a matrix scores like equal letters
                          (docs/matrices.md) */
  int64_t mismatches;  /* every other pair */
  int64_t positives;   /* pairs whose score is above 0, and matches */
  int64_t gap_opens;   /* number of gaps */
  int64_t gap_letters; /* letters paired with gaps */
  int64_t columns;     /* matches + mismatches + gap_letters */
  int64_t compared;    /* number of columns, counting at most ten letters of each gap */
  int64_t unlike;      /* compared columns in windows of 100 with fewer than 60 matches */
} cla_statistics;

/* Counts the alignment's columns. CLA_ERROR_OPTION: the alignment has no path; CLA_ERROR_VERIFICATION: the
 * alignment does not fit the sequences. */
cla_status cla_alignment_count(cla_statistics *out, const cla_alignment *alignment, const cla_sequence *query,
                               const cla_sequence *target, cla_error *error);

/* Computes the alignment's score again, letter by letter, and checks the lengths, checksums, coordinates,
 * score, and the ends that the mode requires. The message of CLA_ERROR_VERIFICATION describes the difference
 * and its place. */
cla_status cla_alignment_verify(const cla_alignment *alignment, const cla_sequence *query,
                                const cla_sequence *target, cla_error *error);

/* Saves alignments in the binary format of docs/internals/format-cla.md (CUDAlign 2.1, section 4.8). Writes a
 * temporary file next to `path`, which is then renamed. After CLA_ERROR_OUTPUT, the file `path` is
 * unchanged. */
cla_status cla_alignment_save(const char *path, const cla_alignment *const *alignments, size_t count,
                              cla_error *error);

/* Loads the alignments of a file that cla_alignment_save has written, and sets *count >= 1. The caller frees
 * them with cla_alignments_free. CLA_ERROR_INPUT for a file that is truncated, altered, or of another format
 * or version. */
cla_status cla_alignment_load(cla_alignment ***out, size_t *count, const char *path, cla_error *error);

/* Makes the bytes of a file of alignments in memory. The caller frees *out with free(). A small file is not
 * compressed. Errors are those of cla_alignment_save, except CLA_ERROR_OUTPUT. */
cla_status cla_alignments_pack(uint8_t **out, int64_t *length_bytes, const cla_alignment *const *alignments,
                               size_t count, cla_error *error);

/* Like cla_alignment_load, but loads alignments from the bytes of cla_alignments_pack. In messages, `source`
 * is the name of the bytes. */
cla_status cla_alignments_unpack(cla_alignment ***out, size_t *count, const void *bytes, int64_t length_bytes,
                                 const char *source, cla_error *error);

/* Frees an array of alignments and the alignments, which must have the same allocator. NULL is allowed. */
void cla_alignments_free(cla_alignment **alignments, size_t count);

/* Like cla_alignment_save, but also saves each alignment's `work` if it has one. The work, and so the file,
 * depends on device, kernel and budgets. */
cla_status cla_alignment_save_with_work(const char *path, const cla_alignment *const *alignments,
                                        size_t count, cla_error *error);

#ifdef __cplusplus
}
#endif

#endif
