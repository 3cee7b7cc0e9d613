/* Moves the gaps of a finished path to the left or the right as far as possible. */

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/error.h"
#include "clalign/alignment.h"
#include "result/alignment.h"
#include "result/path_check.h"
#include "scoring/pair_problem.h"
#include "seq/sequence.h"

/* A gap and its place. The order of the gaps is fixed, so the number of pairs before a gap determines the
 * gap's letters. Only unequal letters or a neighbouring gap can limit how far a gap moves. */
typedef struct placed_gap {
  cla_run_kind kind;
  int64_t length;
  int64_t pairs;  /* number of the path's pairs before the gap */
  int64_t letter; /* position of the gap's first letter, in the query on its strand or in the target */
} placed_gap;

typedef struct gap_list {
  placed_gap *gaps;
  int64_t count;
  int64_t pairs; /* number of pairs of the whole path */
  strand_letters query, target;
} gap_list;

static void list_gaps(gap_list *list, const gapped_path *path) {
  int64_t query = path->start[0], target = path->start[1];
  for (size_t i = 0; i < path->run_count; i++) {
    const cla_run *run = &path->runs[i];
    if (run->kind == CLA_RUN_PAIR)
      list->pairs += run->length;
    else
      list->gaps[list->count++] = (placed_gap){.kind = run->kind,
                                               .length = run->length,
                                               .pairs = list->pairs,
                                               .letter = run->kind == CLA_RUN_QUERY ? query : target};
    if (run->kind != CLA_RUN_TARGET) query += run->length;
    if (run->kind != CLA_RUN_QUERY) target += run->length;
  }
}

/* True if moving the gap past a pair replaces the pair's letter by an equal letter. The score then stays the
 * same in every scoring scheme. */
static bool same_letters(const gap_list *list, const placed_gap *gap, int64_t one, int64_t other) {
  const strand_letters *letters = gap->kind == CLA_RUN_QUERY ? &list->query : &list->target;
  return strand_code(letters, one) == strand_code(letters, other);
}

/* Returns the smallest or largest number of pairs that may precede a gap. `neighbour`: the gap beside it on
 * that side; NULL: none, so the limit is `end`. Two gaps of one kind stay at least a pair apart, because
 * otherwise they would become one gap. */
static int64_t pairs_limit(const placed_gap *gap, const placed_gap *neighbour, int64_t end, int64_t inwards) {
  if (!neighbour) return end;
  return neighbour->pairs + (neighbour->kind == gap->kind ? inwards : 0);
}

/* Returns the minimum number of pairs before the first gap of kind `kind`. It is 1 if letters of this kind
 * may be left out at the path's start: a gap at a free end would not count as a gap. */
static int64_t kept_at_start(path_ends ends, cla_run_kind kind) {
  return ends.floor || (kind == CLA_RUN_QUERY ? ends.query_start : ends.target_start);
}

static int64_t kept_at_end(path_ends ends, cla_run_kind kind) {
  return ends.anywhere || (kind == CLA_RUN_QUERY ? ends.query_end : ends.target_end);
}

static void move_left(gap_list *list, path_ends ends) {
  for (int64_t i = 0; i < list->count; i++) {
    placed_gap *gap = &list->gaps[i];
    const int64_t least = pairs_limit(gap, i > 0 ? gap - 1 : NULL, kept_at_start(ends, gap->kind), 1);
    while (gap->pairs > least && same_letters(list, gap, gap->letter - 1, gap->letter + gap->length - 1)) {
      gap->pairs--;
      gap->letter--;
    }
  }
}

static void move_right(gap_list *list, path_ends ends) {
  for (int64_t i = list->count - 1; i >= 0; i--) {
    placed_gap *gap = &list->gaps[i];
    const int64_t most = pairs_limit(gap, i + 1 < list->count ? gap + 1 : NULL,
                                     list->pairs - kept_at_end(ends, gap->kind), -1);
    while (gap->pairs < most && same_letters(list, gap, gap->letter, gap->letter + gap->length)) {
      gap->pairs++;
      gap->letter++;
    }
  }
}

/* Writes the runs: the gaps, and the pairs between them. Returns the number of runs. */
static size_t make_runs(cla_run *runs, const gap_list *list) {
  size_t count = 0;
  int64_t pairs = 0;
  for (int64_t i = 0; i < list->count; i++) {
    const placed_gap *gap = &list->gaps[i];
    if (gap->pairs > pairs) runs[count++] = (cla_run){.length = gap->pairs - pairs, .kind = CLA_RUN_PAIR};
    runs[count++] = (cla_run){.length = gap->length, .kind = gap->kind};
    pairs = gap->pairs;
  }
  if (list->pairs > pairs) runs[count++] = (cla_run){.length = list->pairs - pairs, .kind = CLA_RUN_PAIR};
  return count;
}

cla_status gapped_path_place(cla_run *runs, size_t *count, const gapped_path *path,
                             cla_gap_placement placement, cla_error *error) {
  gap_list list = {.query = path->query, .target = path->target};
  cla_status status = ALLOCATE_ARRAY(&list.gaps, (int64_t)path->run_count + 1, "an alignment's gaps", error);
  if (status != CLA_OK) return status;
  list_gaps(&list, path);
  if (placement == CLA_GAPS_LEFT)
    move_left(&list, path->ends);
  else
    move_right(&list, path->ends);
  *count = make_runs(runs, &list);
  free(list.gaps);
  return CLA_OK;
}

/* Places the gaps. The sequences must have the strand and the rotation of the alignment's positions. */
static cla_status place(cla_alignment *alignment, cla_gap_placement placement, const cla_sequence *query,
                        const cla_sequence *target, cla_error *error) {
  void *runs = NULL;
  size_t count = 0;
  cla_status status = path_check_fit(alignment, query, target, error);
  if (status != CLA_OK) return status;
  if (!alignment->has_path)
    return error_set(error, CLA_ERROR_VERIFICATION,
                     "the alignment has no path with gaps to place; align again without score-only");
  const gapped_path path = {
      .query = strand_query(alignment, query),
      .target = {.codes = sequence_codes(target), .length = cla_sequence_length(target)},
      .start = {strand_query_start(alignment), alignment->target.start},
      .ends = path_ends_make(alignment->mode, alignment->free_ends),
      .runs = alignment->runs,
      .run_count = alignment->run_count};
  status = result_memory_allocate(&runs, &alignment->allocator, 2 * (int64_t)path.run_count + 1,
                                  sizeof(cla_run), "a path", error);
  if (status == CLA_OK) status = gapped_path_place(runs, &count, &path, placement, error);
  if (status == CLA_OK) alignment->gap_placement = placement;
  if (status == CLA_OK && count > 0) {
    result_memory_release(&alignment->allocator, alignment->runs);
    alignment->runs = runs;
    alignment->run_count = count;
    runs = NULL;
  }
  result_memory_release(&alignment->allocator, runs);
  return status;
}

cla_status cla_alignment_place_gaps(cla_alignment *alignment, cla_gap_placement placement,
                                    const cla_sequence *query, const cla_sequence *target, cla_error *error) {
  rotated_pair pair;
  if (placement != CLA_GAPS_LEFT && placement != CLA_GAPS_RIGHT)
    return error_set(error, CLA_ERROR_OPTION, "gaps are placed left or right, not by %d", (int)placement);
  cla_status status = rotated_pair_make(&pair, alignment, query, target, error);
  if (status == CLA_OK) status = place(alignment, placement, pair.query, pair.target, error);
  rotated_pair_free(&pair);
  return status;
}
