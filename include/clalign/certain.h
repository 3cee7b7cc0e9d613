#ifndef CLALIGN_CERTAIN_H
#define CLALIGN_CERTAIN_H

#include "clalign/align.h"
#include "clalign/alignment.h"
#include "clalign/stable.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How certain each column of an optimal alignment is (docs/certainty.md).
 *
 * A column is a pair of letters, or one letter in a gap. The margin of a column is the alignment's score
 * minus the best score of any alignment without this column, in the same mode and scheme. A column with
 * margin 0 is ambiguous: another alignment with the same score lacks it. All alignments with the same score
 * have all other columns. Sources: robustness measures (Chao, Hardison and Miller 1993), reliable regions
 * (Vingron and Argos 1990). */

/* Why a part of an alignment is ambiguous. */
typedef enum cla_ambiguity_class {
  CLA_AMBIGUITY_SHIFT = 0, /* one gap can move over equal letters; there is no other difference */
  CLA_AMBIGUITY_OTHER = 1, /* everything else */
} cla_ambiguity_class;

/* A smallest part of the alignment outside of which all optimal alignments agree. The letters of the query's
 * part stand for letters of the target's part in every alignment that scores less than `margin` below the
 * optimum. Positions are 0-based, half-open, on the forward strands of the records, rotated like the
 * alignment. */
typedef struct cla_ambiguous_block {
  int64_t query_start, query_stop;   /* letters of the query */
  int64_t target_start, target_stop; /* letters of the target */
  int64_t first_column, columns;     /* columns of the alignment in the block */
  cla_ambiguity_class kind;          /* why the part is ambiguous */
  double log10_alignments;           /* decimal logarithm of the number of optimal alignments of the block */
  int64_t margin;       /* at most `delta` + 1 of the certificate, which means: more than delta */
  double least_support; /* least support of the block's columns; 1 if it has no column */
} cla_ambiguous_block;

/* What it costs to be somewhere else: the margin if only alignments count that, at the column's letter, are
 * more than `diagonals` away. */
typedef struct cla_displacement {
  int64_t diagonals; /* >= 1 */
  int64_t *margins;  /* by column, 0 .. delta + 1; owned */
} cla_displacement;

/* The certainty of an alignment. */
typedef struct cla_certificate {
  int64_t delta;        /* the largest margin that is known exactly */
  int64_t column_count; /* columns of the alignment, in the order of the target */
  int64_t *margins;     /* by column, 0 .. delta + 1; delta + 1 means: more than delta; owned */
  int64_t *ceilings; /* by column, the largest margin that the scores allow at this place; INT64_MAX: none is
                        known; owned */
  float *supports;   /* by column, the share of the optimal alignments that have it, 0 .. 1; owned */
  int64_t ambiguous; /* number of columns with margin 0 */
  bool unique;       /* there is only one optimal alignment */
  double log10_alignments;         /* decimal logarithm of the number of optimal alignments */
  cla_ambiguous_block *blocks;     /* in the order of the target; owned */
  int64_t block_count;             /* number of blocks */
  cla_displacement *displacements; /* owned */
  int64_t displacement_count;      /* number of displacements */
  /* With optimal_most: optimal alignments, each once. The given one is the first. The next one differs from
   * it in the last block only. In each block the given columns come first. All others follow in the order of
   * their start (lines, then rows), then of their first difference. There an end comes before a pair, then a
   * query letter in a gap, then a target letter. All but the first have zero metrics and CLA_GAPS_OTHER.
   * Owned. */
  cla_alignment **optimal;
  int64_t optimal_count;    /* number of alignments in `optimal` */
  bool optimal_all;         /* there are no others */
  cla_stability *stability; /* the caller sets it for writers (cla_stability_find); freed with free(); NULL:
                               not sought */
  int64_t cells;            /* cells computed */
  double seconds;           /* wall time */
} cla_certificate;

/* The options of cla_certify. cla_certify_options_init sets the defaults. */
typedef struct cla_certify_options {
  int64_t delta; /* the largest margin to find; negative: match + 2 gap_first, which every pair's margin is at
                    most */
  const int64_t *displacements; /* diagonals >= 1; may be NULL */
  int64_t displacement_count;   /* number of displacements */
  int64_t optimal_most;         /* the largest number of optimal alignments to list; 0: none */
  /* The name of a file; NULL: none. It receives a text for Graphviz: the graph of all alignments that score
   * at most `delta` less than the optimum, in the lines of block `graph_block`. Nodes have positions, edges
   * the letters, the loss, and whether the alignment has them. */
  const char *graph;
  int64_t graph_block;            /* the block's number, from 0 */
  int threads;                    /* host threads; 0: as many as affinity and cgroup allow */
  int64_t memory_bytes;           /* host memory; 0: half of the free memory */
  cla_progress_function progress; /* may be NULL */
  void *progress_user;            /* passed to `progress` */
} cla_certify_options;

/* Sets the defaults. */
void cla_certify_options_init(cla_certify_options *options);

/* Finds the certainty of an optimal alignment, which must have a path. The sequences are those that were
 * aligned. All values are computed and checked anew on the host. The caller frees *out with
 * cla_certificate_free. Errors:
 *
 * - CLA_ERROR_OPTION: no path, an empty path, a band, wrong options, or no block graph_block
 * - CLA_ERROR_VERIFICATION: the sequences do not fit, or the alignment is not optimal
 * - CLA_ERROR_MEMORY, CLA_ERROR_INTERRUPTED; with a graph CLA_ERROR_OUTPUT */
cla_status cla_certify(cla_certificate **out, const cla_alignment *alignment, const cla_sequence *query,
                       const cla_sequence *target, const cla_certify_options *options, cla_error *error);
/* Frees a certificate, which may be NULL. */
void cla_certificate_free(cla_certificate *certificate);

#ifdef __cplusplus
}
#endif

#endif
