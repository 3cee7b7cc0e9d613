#ifndef HOST_RESULT_ALIGNMENT_H
#define HOST_RESULT_ALIGNMENT_H

#include <stdint.h>

#include "clalign/alignment.h"
#include "clalign/allocator.h"
#include "clalign/status.h"
#include "clalign/work.h"
#include "scoring/pair_problem.h"
#include "seq/sequence.h"

/* Creates an alignment without a path. The sides' names, locations, lengths, ranges and checksums are set;
 * score and stops are 0, starts are -1, metrics are zero. The caller sets the score, the coordinates and,
 * with has_path, `runs` (from malloc, owned by the alignment), and frees *out with cla_alignment_free.
 * Errors: CLA_ERROR_MEMORY; *out is then NULL. */
cla_status alignment_create(cla_alignment **out, const cla_sequence *query, const cla_sequence *target,
                            cla_mode mode, const cla_scoring *scoring, cla_error *error);

/* Counts columns as cla_alignment_count does, for sequences that are already rotated (rotated_pair). */
cla_status alignment_count(cla_statistics *out, const cla_alignment *alignment, const cla_sequence *query,
                           const cla_sequence *target, cla_error *error);

/* An alignment seen along its path: query positions are on the strand that was aligned. */

/* Changes the query's positions from the record's forward strand to its reverse complement or back: `p`
 * becomes length - `p`. Unknown positions (-1), and the positions of an alignment that is `nowhere`
 * (path_is_nowhere), do not change. */
void side_turn(cla_side *side, bool nowhere);

/* True for the empty alignment whose local score is 0. It has no place: start = stop = 0. */
bool path_is_nowhere(const cla_alignment *alignment);

/* Sets *out to a view of `alignment` with the query's positions on the strand that was aligned. Both share
 * texts and runs. Returns false, and does nothing, if a position is outside the record. */
bool strand_view(cla_alignment *out, const cla_alignment *alignment);

/* Returns the query's letters on the strand that was aligned. */
strand_letters strand_query(const cla_alignment *alignment, const cla_sequence *query);

/* Returns the path's start in the query, on the strand that was aligned. The alignment must have a path. */
int64_t strand_query_start(const cla_alignment *alignment);

/* Returns the row of the matrix in which the path starts: strand_query_start, counted from the start of the
 * query's range. */
int64_t strand_start_row(const cla_alignment *alignment);

/* A path whose gaps are to be placed. Only the letters of the ranges are required. */
typedef struct gapped_path {
  strand_letters query, target; /* letters on the strands that were aligned */
  int64_t start[2];             /* index of the path's first letter in `query` and in `target` */
  path_ends ends;
  const cla_run *runs;
  size_t run_count;
} gapped_path;

/* The core of cla_alignment_place_gaps: writes the runs to the caller's memory, at most 2 run_count + 1, and
 * returns their number in *count. CLA_ERROR_MEMORY. */
cla_status gapped_path_place(cla_run *runs, size_t *count, const gapped_path *path,
                             cla_gap_placement placement, cla_error *error);

/* Cuts the alignment in `whole` into the pieces of cla_alignment_split; the caller frees the pieces and their
 * array. */
cla_status alignment_pieces(cla_alignment ***out, size_t *count, const cla_results *whole, int64_t drop,
                            cla_error *error);

/* Orders by descending score, then by ascending start in the target: below 0 if `first` comes first. */
int alignments_compare(const cla_alignment *first, const cla_alignment *second);
void alignments_sort(cla_alignment **alignments, size_t count);

/* The sequences to which an alignment's positions refer. A circular sequence is rotated. */
typedef struct rotated_pair {
  const cla_sequence *query, *target;
  cla_sequence *owned[2]; /* rotated sequences that were made, or NULL */
} rotated_pair;

/* Makes the rotated sequences. A sequence whose length differs from that of the alignment's side is not
 * rotated. The caller frees *out with rotated_pair_free, even after an error. CLA_ERROR_MEMORY. */
cla_status rotated_pair_make(rotated_pair *out, const cla_alignment *alignment, const cla_sequence *query,
                             const cla_sequence *target, cla_error *error);
void rotated_pair_free(rotated_pair *pair);

/* Largest number of parts: two origins cut a path into three parts. */
#define ORIGIN_PARTS_MOST 3

/* A part of an alignment that was cut at the origin of a circular record. */
typedef struct origin_part {
  cla_alignment *alignment;
  int64_t first_column; /* the whole alignment's column with which the part begins; its column 0 follows its
                           last one */
} origin_part;

/* Cuts an alignment of circular records at the origins, so that positions ascend along the records. Each
 * part extends from its first to its last pair and has its own score. With `target_alone`, only the target
 * is cut, and parts keep the gaps at their ends. A global path around the whole target then becomes a
 * single alignment, which starts at the target's origin, with the query rotated. `rotated` has the
 * sequences to which the alignment's positions refer. The caller frees the parts. CLA_ERROR_MEMORY,
 * CLA_ERROR_VERIFICATION. */
cla_status alignment_along_records(origin_part out[ORIGIN_PARTS_MOST], size_t *count,
                                   const cla_alignment *alignment, bool target_alone,
                                   const rotated_pair *rotated, cla_error *error);

/* Returns the word for `size`. */
const char *work_level_size_name(cla_level_size size);

/* The sizes of a work record's lists, in elements. */
typedef struct work_room {
  int64_t bands, special_rows, crosspoints, levels, level_bands;
} work_room;

/* Creates an empty record in one piece of memory. The caller frees *out with free(). CLA_ERROR_MEMORY. */
cla_status work_record_create(cla_work **out, const work_room *room, cla_error *error);

/* work_record_bytes returns the size of a copy; work_record_copy makes a copy in memory of that size. */
int64_t work_record_bytes(const cla_work *work);
cla_work *work_record_copy(void *memory, const cla_work *work);

/* Returns the band that contains row `row` of cells. Returns NULL if the band is not known, or if no cell of
 * the row was computed. */
const cla_work_band *work_record_band(const cla_work *work, int64_t row);

/* Memory of results. It comes from `allocator` if that has functions, else from the heap. */

/* Returns CLA_ERROR_OPTION for an allocator with only one function. */
cla_status result_memory_check(const cla_allocator *allocator, cla_error *error);

/* Like allocate_zeros, but allocates from `allocator`. */
cla_status result_memory_allocate(void **out, const cla_allocator *allocator, int64_t count, int64_t size,
                                  const char *what, cla_error *error);

/* Frees memory that came from `allocator`; NULL is allowed. */
void result_memory_release(const cla_allocator *allocator, void *memory);

#endif
