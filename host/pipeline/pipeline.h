#ifndef HOST_PIPELINE_PIPELINE_H
#define HOST_PIPELINE_PIPELINE_H

#include "clalign/align.h"
#include "plan/plan.h"
#include "scoring/used_pairs.h"

/* cla_align with a hand in the plan: `adjust`, unless NULL, may change it before anything runs. For tests
 * that force many small blocks, other strips or tiles; whatever it sets must be legal for the scheme. */
cla_status pipeline_align(cla_alignment **out, cla_device *device, const cla_sequence *query,
                          const cla_sequence *target, const cla_align_options *options,
                          void (*adjust)(plan *whole), cla_error *error);

/* cla_align and cla_align_several on a device that is the caller's, with results from malloc. */
cla_status pipeline_align_placed(cla_alignment **out, cla_device *device, const cla_sequence *query,
                                 const cla_sequence *target, const cla_align_options *options,
                                 cla_error *error);
cla_status pipeline_align_several(cla_alignment ***out, size_t *count, cla_device *device,
                                  const cla_sequence *query, const cla_sequence *target,
                                  const cla_align_options *options, int64_t most, cla_error *error);

/* CLA_ERROR_OPTION for a gap placement that cannot be. */
cla_status align_placement_check(const cla_align_options *options, cla_error *error);

/* Moves the gaps of the alignment, unless it is NULL, where the options want them, and verifies it again;
 * after an error *alignment is NULL. */
cla_status pipeline_place_gaps(cla_alignment **alignment, const cla_sequence *query,
                               const cla_sequence *target, const cla_align_options *options,
                               cla_error *error);

/* Whether the options ask for more than every alignment has. */
bool pipeline_asks_for_score(const cla_align_options *options);

/* Whether an alignment that reaches the score that is claimed is one that is asked for. */
bool pipeline_claim_is_least(const cla_align_options *options);

/* CLA_ERROR_OPTION for a claim that no strand reaches. A claim is of the better strand: the first one may
 * stay below it, and the second one too if the first did not. */
cla_status pipeline_wrong_claim(int64_t claim, const cla_scoring *scoring, cla_error *error);

/* What one strand must reach to be better than the other, or to be wanted at all. Below it the strand has
 * lost, which is no error. */
typedef struct strand_rival {
  bool given; /* there is such a score */
  int64_t least;
  bool lost;           /* set by the call: no alignment reaches `least`, and there is none */
  cla_metrics metrics; /* set by the call, also where the strand has lost */
} strand_rival;

/* What a strand's earlier alignments have left for its next one. */
typedef struct kept_matrix kept_matrix;
typedef struct strand_rest {
  const used_pairs *used; /* pairs of letters that may not be made, in rows of that strand; NULL: none */
  kept_matrix *matrix;    /* pipeline/kept_matrix.h's; NULL: nothing is kept */
  int64_t wanted;         /* alignments that are asked for, the next one included */
} strand_rest;

/* The same for one strand, forward or reverse. `rival` and `rest` may be NULL; *out is NULL where the strand
 * has lost. */
cla_status pipeline_align_strand(cla_alignment **out, cla_device *device, const cla_sequence *query,
                                 const cla_sequence *target, const cla_align_options *options,
                                 strand_rival *rival, strand_rest *rest, void (*adjust)(plan *whole),
                                 cla_error *error);

/* Adds what one more run took, cells and seconds, to what others took; the size of the matrix and its bound
 * stay. */
void pipeline_add_work(cla_metrics *sum, const cla_metrics *more);

#endif
