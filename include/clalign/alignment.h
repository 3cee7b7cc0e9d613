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

/* Which strand of the query was aligned with the target's forward strand. */
typedef enum cla_strand {
  CLA_STRAND_FORWARD = 0,
  CLA_STRAND_REVERSE = 1, /* the reverse complement of the query's range; DNA only */
  CLA_STRAND_BOTH = 2, /* the one with the better score, forward if they are equal: an option of cla_align, of
                          no alignment */
} cla_strand;

/* Where each gap of a path lies among the places that score the same. */
typedef enum cla_gap_placement {
  CLA_GAPS_CANONICAL = 0, /* as docs/internals/exactness.md has it */
  CLA_GAPS_LEFT = 1,      /* as far left on the target's forward strand as it goes, as in VCF */
  CLA_GAPS_RIGHT = 2,     /* as far right, as HGVS has it */
} cla_gap_placement;

/* What a step of the path does. */
typedef enum cla_run_kind {
  CLA_RUN_PAIR = 0,   /* a letter of each: match or mismatch */
  CLA_RUN_QUERY = 1,  /* query letters against a gap: CIGAR I */
  CLA_RUN_TARGET = 2, /* target letters against a gap: CIGAR D */
} cla_run_kind;

/* A run of equal steps of the path. */
typedef struct cla_run {
  int64_t length;    /* >= 1 */
  cla_run_kind kind; /* of all its steps */
} cla_run;

/* One of the two sequences of an alignment; positions are 0-based half-open in the whole record, on its
 * forward strand. */
typedef struct cla_side {
  char *name;         /* owned */
  char *location;     /* where it was read from, "" if from memory; owned */
  int64_t length;     /* of the whole record */
  int64_t begin, end; /* the range that took part */
  int64_t rotation; /* of a circular sequence: the record's letter that comes first; all positions are then of
                       the record rotated by it, 0 <= rotation < length */
  int64_t start, stop;  /* the aligned part; start is -1 without a path, but of a query on the reverse strand
                           it  is stop, because the path ends at its start */
  uint8_t checksum[16]; /* cla_sequence_checksum */
} cla_side;

/* Start and stop on the record as it is, -1 where not known. Of a circular record whose aligned part crosses
 * the origin, stop lies behind its length: the letters go on with the first one (as in GFF3). */
void cla_side_positions(const cla_side *side, int64_t *start, int64_t *stop);

/* What a stage took. */
typedef struct cla_stage {
  int64_t cells;  /* computed */
  double seconds; /* wall time */
} cla_stage;

/* How a score was verified (docs/internals/exactness.md). */
typedef enum cla_verified {
  CLA_VERIFIED_NOT = 0, /* by the kernel's self-test alone: a score_only run for which more was too dear */
  CLA_VERIFIED_END = 1, /* score_only: the end of its path was computed again, on the host */
  CLA_VERIFIED_PATH = 2 /* by a path that was scored letter by letter */
} cla_verified;

/* How the result was computed. Zero in an alignment that was loaded from a file. */
typedef struct cla_metrics {
  int64_t cells;          /* m x n of the two ranges, twice that if both strands were aligned */
  int64_t cells_computed; /* of all stages */
  bool pruned;            /* the sweep passed over what no path of score lower_bound or more uses */
  int64_t lower_bound;    /* what was known of the score before the sweep, where it pruned */
  double seconds;         /* wall time of the DP stages, without input and kernel builds */
  double sweep_seconds;   /* of the forward sweep alone */
  double build_seconds;   /* wall time before them, for kernels: compiled once for a machine, then loaded, and
                             tested on a small pair */
  cla_stage bounds;       /* before it: of the score and of what paths must still lose */
  cla_bound_level levels[CLA_LEVELS_MOST]; /* of the latter, of the strand and rotation of the result */
  int level_count;                         /* how many there are; 0: none was begun */
  cla_stage search;                        /* after the sweep, where the alignment starts */
  cla_stage blocks;                        /* then: computed again on the device */
  cla_stage bands;                         /* and traced on host threads */
  cla_verified verified;                   /* how the score was */
  char device[256];                        /* its name; of several those that took part, with " + " between */
  char kernel[32];                         /* the forward sweep's variant, and how it was laid out: */
  int lanes, lane_rows;                    /* a strip has lanes x lane_rows rows */
  int64_t tile_columns;                    /* and tiles of so many columns */
  char lost_devices[256]; /* those of several that failed, or that the pair does not fit; "": none */
} cla_metrics;

/* An exact alignment: coordinates, score and runs. Runs of equal kind never touch, PAIR runs hold both
 * matches and mismatches, and the runs lead from (query.start, target.start) to (query.stop, target.stop); on
 * the reverse strand from (query.stop, target.start) to (query.start, target.stop), as in SAM and PAF.
 * A local score of 0 has start = stop = 0 and no runs. */
typedef struct cla_alignment {
  cla_mode mode;                   /* what it had to cover */
  int free_ends;                   /* cla_free_ends; 0 unless the mode is CLA_MODE_FREE_ENDS */
  cla_strand strand;               /* of the query: forward or reverse */
  cla_alphabet alphabet;           /* of both sequences; CLA_ALPHABET_OWN: scoring.letters */
  cla_scoring scoring;             /* by which it is optimal */
  int64_t score;                   /* in the scheme's units */
  cla_side query, target;          /* where it is in either sequence */
  cla_gap_placement gap_placement; /* where its gaps lie among the places that score the same */
  bool has_band;  /* the best one of a band of diagonals (clalign/align.h): perhaps not the best of all */
  int64_t band;   /* so many diagonals on either side */
  bool has_split; /* a piece of such an alignment, or one on the other strand (cla_alignment_split): it need
                     not cover what the mode says, and it begins and ends with a pair */
  int64_t split_drop;      /* which was cut where the score drops by more than this, in the scheme's units */
  bool has_path;           /* false under score_only: start is -1, no runs */
  cla_run *runs;           /* owned, NULL if run_count is 0 */
  size_t run_count;        /* how many runs there are */
  cla_metrics metrics;     /* how it was computed */
  cla_work *work;          /* owned, in one piece; NULL unless keep_work asked for it or a file had it */
  cla_allocator allocator; /* of the alignment and all that it owns; without functions: malloc and free */
} cla_alignment;

/* Copies an alignment with its names and runs into memory of `allocator`, or of malloc where that is NULL.
 * Errors: CLA_ERROR_MEMORY, CLA_ERROR_OPTION (an allocator with one function only). End with
 * cla_alignment_free. */
cla_status cla_alignment_copy(cla_alignment **out, const cla_alignment *alignment,
                              const cla_allocator *allocator, cla_error *error);

/* Frees the alignment and all that it owns, by the allocator that made it. NULL is allowed. */
void cla_alignment_free(cla_alignment *alignment);

/* Moves every gap as far left or right as it goes over pairs whose letters stay the same
 * (docs/internals/exactness.md, "Gap placement"); score, starts, stops and the order and lengths of gaps
 * stay. The alignment must have a path and fit the sequences, else CLA_ERROR_VERIFICATION; CLA_ERROR_OPTION
 * for another placement than left or right, CLA_ERROR_MEMORY. After an error the alignment is as it was. */
cla_status cla_alignment_place_gaps(cla_alignment *alignment, cla_gap_placement placement,
                                    const cla_sequence *query, const cla_sequence *target, cla_error *error);

/* One of the two sequences. */
typedef enum cla_side_kind { CLA_SIDE_QUERY, CLA_SIDE_TARGET } cla_side_kind;

/* Letters begin .. end - 1 of one side's record, on its forward strand. */
typedef struct cla_side_range {
  cla_side_kind side; /* whose */
  int64_t begin, end; /* from 0, half-open */
} cla_side_range;

/* Of an alignment the part from the first to the last pair whose letter of one side lies in `range`: a global
 * alignment of just the letters that it aligns, with their score; its metrics are zero. *out is NULL, and no
 * error, where there is no such pair; the caller frees it. Errors: CLA_ERROR_INPUT (a range that is not
 * within the record), CLA_ERROR_OPTION (no path, or one across the origin of a circular record),
 * CLA_ERROR_VERIFICATION (sequences that do not fit), CLA_ERROR_MEMORY. */
cla_status cla_alignment_part(cla_alignment **out, const cla_alignment *alignment,
                              const cla_side_range *range, const cla_sequence *query,
                              const cla_sequence *target, cla_error *error);

/* What was found of a pair: `count` alignments, or none. Nothing is owned but where a function says that
 * cla_results_free ends it. */
typedef struct cla_results {
  const cla_alignment *const *alignments; /* of the same two sequences */
  size_t count;                           /* how many there are */
  const cla_sequence *query, *target;     /* which the alignments fit */
} cla_results;

/* Frees the alignments of such results and their array, and leaves none. */
void cla_results_free(cla_results *results);

/* Cuts an alignment where it is not worth having: its pieces are the parts of its path whose scores, less
 * `drop` for each part, have the largest sum. So between two pieces the score drops by more than `drop`,
 * within one it never does, and each scores more than `drop`, from its lowest to its highest value. Of
 * equally good parts the fewest are taken, and of these the shortest (docs/splitting.md).
 *
 * *out has the pieces, or none, the best first, at equal scores the first in the target first; each is exact:
 * the best global alignment of its letters, if the alignment was the best of its own. They keep mode and
 * ranges, and their metrics are zero. The caller ends *out with cla_results_free. Errors: CLA_ERROR_OPTION
 * (no path, a drop below 0), CLA_ERROR_VERIFICATION (sequences that do
 * not fit), CLA_ERROR_MEMORY. */
cla_status cla_alignment_split(cla_results *out, const cla_alignment *alignment, int64_t drop,
                               const cla_sequence *query, const cla_sequence *target, cla_error *error);

/* Equal letters that a piece has to be worth, where no drop is given. */
#define CLA_SPLIT_MATCHES 60

/* The drop to cut at if nobody says another, in the scheme's units: CLA_SPLIT_MATCHES times what a pair of
 * equal letters scores, of a matrix the mean of such pairs that score above 0. With gap costs of two pieces
 * it is one and a half times gap_first2, so that one long gap is no place to cut and two are, but at least
 * two thirds of the former. */
int64_t cla_split_drop(const cla_scoring *scoring);

/* What is in the columns of an alignment. */
typedef struct cla_statistics {
  int64_t matches;     /* equal unambiguous letters, and ambiguous ones that a matrix scores as such
                          (docs/matrices.md) */
  int64_t mismatches;  /* every other pair */
  int64_t positives;   /* pairs whose score is above 0, and matches */
  int64_t gap_opens;   /* gaps */
  int64_t gap_letters; /* letters against them */
  int64_t columns;     /* matches + mismatches + gap_letters */
  int64_t compared;    /* columns without the letters of each gap after its tenth, */
  int64_t unlike;      /* and of these, those in windows of 100 in which fewer than 60 are matches */
} cla_statistics;

/* Counts over the alignment's columns. CLA_ERROR_OPTION: the alignment has no path; CLA_ERROR_VERIFICATION:
 * it does not fit the sequences. */
cla_status cla_alignment_count(cla_statistics *out, const cla_alignment *alignment, const cla_sequence *query,
                               const cla_sequence *target, cla_error *error);

/* How many local alignments of that score or more two unrelated sequences of these lengths have
 * (docs/internals/blast-statistics.md). False where nobody knows: in other modes than local, and for schemes
 * that are not in BLAST's tables. */
bool cla_alignment_expect(double *expect, const cla_alignment *alignment);

/* Re-scores the alignment letter by letter and compares lengths, checksums, coordinates, the
 * mode's ends and the score. CLA_ERROR_VERIFICATION says what differs and where. */
cla_status cla_alignment_verify(const cla_alignment *alignment, const cla_sequence *query,
                                const cla_sequence *target, cla_error *error);

/* Saves the binary alignment, docs/internals/format-cla.md (CUDAlign 2.1, section 4.8): a temporary file
 * beside `path`, which is renamed. CLA_ERROR_OUTPUT leaves nothing under the final name. */
cla_status cla_alignment_save(const char *path, const cla_alignment *const *alignments, size_t count,
                              cla_error *error);

/* Loads what cla_alignment_save saved: `*count` >= 1 alignments, to be freed with cla_alignments_free.
 * CLA_ERROR_INPUT names what is truncated, altered, or of another format or version. */
cla_status cla_alignment_load(cla_alignment ***out, size_t *count, const char *path, cla_error *error);

/* The bytes of such a file in memory, which the caller frees with free(). Small ones are not compressed.
 * Errors as saving, but CLA_ERROR_OUTPUT. */
cla_status cla_alignments_pack(uint8_t **out, int64_t *length_bytes, const cla_alignment *const *alignments,
                               size_t count, cla_error *error);

/* Loads from such bytes; `source` names them in messages. As cla_alignment_load. */
cla_status cla_alignments_unpack(cla_alignment ***out, size_t *count, const void *bytes, int64_t length_bytes,
                                 const char *source, cla_error *error);

/* Frees an array of alignments, all of one allocator, and the alignments. NULL is allowed. */
void cla_alignments_free(cla_alignment **alignments, size_t count);

/* As cla_alignment_save, with the `work` of those alignments that have one. That differs between devices,
 * kernels and budgets, and so do the files; cla_alignment_save leaves it out. */
cla_status cla_alignment_save_with_work(const char *path, const cla_alignment *const *alignments,
                                        size_t count, cla_error *error);

#ifdef __cplusplus
}
#endif

#endif
