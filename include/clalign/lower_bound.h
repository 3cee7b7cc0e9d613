#ifndef CLALIGN_LOWER_BOUND_H
#define CLALIGN_LOWER_BOUND_H

#include "clalign/alignment.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A lower bound of the optimal score, known before the sweep. The score of any alignment of the pair is such
 * a bound. Cells that cannot reach the bound need not be computed. The result is the same with every bound
 * and without a bound. */

/* An alignment's path without a score: its start, 0-based in the whole records, and its runs. Adjacent runs
 * may be of the same kind. On the reverse strand, query_start is a position in the query's reverse
 * complement. */
typedef struct cla_path {
  cla_strand strand; /* forward or reverse; the bound holds only for alignments of this strand */
  int64_t query_start, target_start; /* start of the path */
  cla_run *runs;                     /* owned */
  size_t run_count;                  /* number of runs */
} cla_path;

/* The source of a bound. */
typedef enum cla_lower_bound_kind {
  CLA_LOWER_BOUND_AUTO = 0, /* an alignment is searched, starting from exact matches, if that can save time */
  CLA_LOWER_BOUND_OFF,      /* no bound is known, and the call searches for none */
  CLA_LOWER_BOUND_SCORE,    /* the caller claims that some alignment reaches `score`; if none does, the call
                               fails. An alignment is also searched, and the higher of both scores is used */
  CLA_LOWER_BOUND_PATH, /* `path` is scored: in local mode its best part, in global mode `path` extended to
                           both sequences' ends. The other strand is treated as with AUTO */
} cla_lower_bound_kind;

/* A bound. */
typedef struct cla_lower_bound {
  cla_lower_bound_kind kind; /* determines which of the next fields is used, if any */
  int64_t score;             /* in the scheme's units */
  const cla_path *path;      /* must outlive the call */
} cla_lower_bound;

/* Reads the path of an alignment of these two sequences on `strand` (on either, with CLA_STRAND_BOTH) from a
 * file in one of three formats:
 *   .cla        a binary alignment of exactly these letters
 *   SAM or BAM  the longest alignment on the strand of a query and a target with these names, of
 *               whole records; the CIGAR has every letter of the query, clips included
 *   PAF         the longest alignment, as for SAM, plain or gzip, with the tag cg:Z (minimap2 -c)
 * The file's scores, and its marks of equal letters, are ignored. Errors: CLA_ERROR_INPUT if the file is
 * missing, damaged or of another format, if it has no alignment of this pair, or if the alignment extends
 * beyond the sequences' ends; CLA_ERROR_MEMORY. The caller frees *out with cla_path_free, even after an
 * error. */
cla_status cla_path_read(cla_path *out, const char *file, const cla_sequence *query,
                         const cla_sequence *target, cla_strand strand, cla_error *error);

/* Computes the score of the whole path letter by letter, without extending or cutting it. Adjacent runs of
 * one kind count as one run. The difference to cla_align's score shows how far another aligner's result is
 * from the optimum. Errors:
 *
 * - CLA_ERROR_INPUT: a path beyond the records' ends, a letter without scores, a reverse strand that is not
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
