#ifndef CLALIGN_LOWER_BOUND_H
#define CLALIGN_LOWER_BOUND_H

#include "clalign/alignment.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A lower bound of the optimal score, known before the sweep. Any alignment of the pair proves that the
 * optimum is not below its score. Cells that cannot reach the bound need not be computed. The result is the
 * same with every bound and without one. */

/* An alignment's path without a score: its start, 0-based in the whole records, and its runs. Runs of the
 * same kind may touch. On the reverse strand query_start counts in the query's reverse complement. */
typedef struct cla_path {
  cla_strand strand;                 /* forward or reverse; a bound for alignments of this strand only */
  int64_t query_start, target_start; /* start of the path */
  cla_run *runs;                     /* owned */
  size_t run_count;                  /* how many */
} cla_path;

/* How a bound comes about. */
typedef enum cla_lower_bound_kind {
  CLA_LOWER_BOUND_AUTO = 0, /* an alignment is looked for, from exact matches, where that can save time */
  CLA_LOWER_BOUND_OFF,      /* nothing is known, nor looked for */
  CLA_LOWER_BOUND_SCORE,    /* `score`: somebody's word; if no alignment reaches it, that is an error. An
                               alignment is looked for, too, and the higher score of the two counts */
  CLA_LOWER_BOUND_PATH, /* `path` is re-scored: in local mode its best part counts, in global mode it is led
                           on to the ends of both sequences; on the other strand it is as AUTO */
} cla_lower_bound_kind;

/* A bound. */
typedef struct cla_lower_bound {
  cla_lower_bound_kind kind; /* decides which field below is used, if any */
  int64_t score;             /* in the scheme's units */
  const cla_path *path;      /* must outlive the call */
} cla_lower_bound;

/* Reads the path of an alignment of these two sequences on that strand (or on either, with both) from a file,
 * which is one of
 *   .cla        a binary alignment, of exactly these letters
 *   SAM or BAM  the longest alignment on that strand of a query and a target with these names, of
 *               whole records; the CIGAR has every letter of the query, clips included
 *   PAF         likewise, plain or gzip, with the tag cg:Z (minimap2 -c)
 * The scores in the file, and which letters it says are equal, do not matter. Errors: CLA_ERROR_INPUT
 * (missing, of another format, damaged, no alignment of this pair, one that leaves the sequences),
 * CLA_ERROR_MEMORY. The caller ends with cla_path_free, also after an error. */
cla_status cla_path_read(cla_path *out, const char *file, const cla_sequence *query,
                         const cla_sequence *target, cla_strand strand, cla_error *error);

/* Scores the whole path letter by letter, without leading it to ends or cutting it. Touching runs of one kind
 * are one. The difference to cla_align's score tells how far another aligner's result is from the optimum.
 * Errors:
 *
 * - CLA_ERROR_INPUT: a path that leaves the records, sequences without scores, a reverse strand that is not
 * DNA
 * - CLA_ERROR_OPTION: a scheme or a strand out of range, scores beyond 2^63
 * - CLA_ERROR_MEMORY */
cla_status cla_path_score(int64_t *out, const cla_path *path, const cla_sequence *query,
                          const cla_sequence *target, const cla_scoring *scoring, cla_error *error);

/* Frees the runs; NULL is allowed. */
void cla_path_free(cla_path *path);

#ifdef __cplusplus
}
#endif

#endif
