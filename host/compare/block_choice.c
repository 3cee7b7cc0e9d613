/* Chooses the role of each block, and joins neighbouring blocks. */

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/extremes.h"
#include "compare/compare_internal.h"

/* A block has letters of its own in a genome if at most 1 / OWN_PART of its letters there are in better
 * blocks. */
#define OWN_PART 2
/* Minimum number of matched letters of a block that keeps its neighbours apart. */
#define BREAKING_LETTERS 1000
/* Maximum number of letters between joined neighbours, per matched letter of the smaller neighbour. */
#define GAP_FACTOR 50

static int by_matched(const void *a, const void *b) {
  const cla_block *x = &((const seed_block *)a)->block, *y = &((const seed_block *)b)->block;
  if (x->matched != y->matched) return x->matched < y->matched ? 1 : -1;
  if (x->target != y->target) return x->target < y->target ? -1 : 1;
  if (x->target_begin != y->target_begin) return x->target_begin < y->target_begin ? -1 : 1;
  if (x->query != y->query) return x->query < y->query ? -1 : 1;
  if (x->query_begin != y->query_begin) return x->query_begin < y->query_begin ? -1 : 1;
  return (x->strand > y->strand) - (x->strand < y->strand);
}

static int by_target(const void *a, const void *b) {
  const cla_block *x = &((const seed_block *)a)->block, *y = &((const seed_block *)b)->block;
  if (x->target != y->target) return x->target < y->target ? -1 : 1;
  if (x->target_begin != y->target_begin) return x->target_begin < y->target_begin ? -1 : 1;
  return by_matched(a, b);
}

/* Letters that are in better blocks, by places in the joined genomes. */
typedef struct taken_letters {
  stretch_list query, target;
} taken_letters;

static cla_status take(taken_letters *taken, const seed_blocks *blocks, const seed_block *it,
                       cla_error *error) {
  cla_status status = CLA_OK;
  for (int64_t i = 0; i < it->part_count && status == CLA_OK; i++) {
    const covered_part *part = &blocks->parts[it->first_part + i];
    if (it->block.role != CLA_BLOCK_TARGET_COPY)
      status = stretch_list_add(&taken->query, part->query, part->query_end, error);
    if (status == CLA_OK && it->block.role != CLA_BLOCK_QUERY_COPY)
      status = stretch_list_add(&taken->target, part->target, part->target_end, error);
  }
  return status;
}

/* Sets the block's role. Returns false if most of its letters are in better blocks, in both genomes. */
static bool find_role(seed_block *it, const seed_blocks *blocks, const taken_letters *taken) {
  int64_t query = 0, target = 0, query_taken = 0, target_taken = 0;
  for (int64_t i = 0; i < it->part_count; i++) {
    const covered_part *part = &blocks->parts[it->first_part + i];
    query += part->query_end - part->query;
    target += part->target_end - part->target;
    query_taken += stretch_list_count(&taken->query, part->query, part->query_end);
    target_taken += stretch_list_count(&taken->target, part->target, part->target_end);
  }
  const bool query_own = query_taken <= query / OWN_PART, target_own = target_taken <= target / OWN_PART;
  it->block.role = !target_own  ? CLA_BLOCK_QUERY_COPY
                   : !query_own ? CLA_BLOCK_TARGET_COPY
                                : CLA_BLOCK_PRIMARY;
  return query_own || target_own;
}

static cla_status find_roles(seed_blocks *blocks, cla_error *error) {
  taken_letters taken = {0};
  cla_status status = CLA_OK;
  int64_t kept = 0;
  if (blocks->count > 0) qsort(blocks->items, (size_t)blocks->count, sizeof *blocks->items, by_matched);
  for (int64_t i = 0; i < blocks->count && status == CLA_OK; i++) {
    seed_block it = blocks->items[i];
    if (!find_role(&it, blocks, &taken)) continue;
    status = take(&taken, blocks, &it, error);
    blocks->items[kept++] = it;
  }
  blocks->count = kept;
  free(taken.query.items);
  free(taken.target.items);
  return status;
}

/* A primary block, to be sorted by its place in the query. */
typedef struct ranked_block {
  int64_t index; /* index in the order of the target */
  const cla_block *block;
} ranked_block;

static int by_query(const void *a, const void *b) {
  const cla_block *x = ((const ranked_block *)a)->block, *y = ((const ranked_block *)b)->block;
  if (x->query != y->query) return x->query < y->query ? -1 : 1;
  if (x->query_begin != y->query_begin) return x->query_begin < y->query_begin ? -1 : 1;
  return (((const ranked_block *)a)->index > ((const ranked_block *)b)->index) -
         (((const ranked_block *)a)->index < ((const ranked_block *)b)->index);
}

/* Returns true if `b` follows `a` in both genomes, not too far away. */
static bool follows(const cla_block *a, const cla_block *b, int64_t most_gap) {
  const bool reverse = a->strand == CLA_STRAND_REVERSE;
  if (a->query != b->query || a->target != b->target || a->strand != b->strand) return false;
  const cla_block *first = reverse ? b : a, *second = reverse ? a : b; /* in the order of the query */
  const int64_t far = smaller(most_gap, GAP_FACTOR * smaller(a->matched, b->matched));
  return b->target_begin > a->target_begin && b->target_end > a->target_end &&
         second->query_begin > first->query_begin && second->query_end > first->query_end &&
         b->target_begin - a->target_end <= far && second->query_begin - first->query_end <= far;
}

static void join(cla_block *block, const cla_block *more) {
  block->query_begin = smaller(block->query_begin, more->query_begin);
  block->query_end = larger(block->query_end, more->query_end);
  block->target_begin = smaller(block->target_begin, more->target_begin);
  block->target_end = larger(block->target_end, more->target_end);
  block->matched += more->matched;
}

static bool takes_part(const cla_block *block, int64_t least) {
  return block->role == CLA_BLOCK_PRIMARY && block->matched >= least;
}

/* Ranks the primary blocks with at least `least` matched letters by their places in the query. The rank of
 * any other block is -1. */
static cla_status rank_blocks(int64_t *rank, const seed_blocks *blocks, int64_t least, cla_error *error) {
  ranked_block *order = NULL;
  int64_t count = 0;
  cla_status status = ALLOCATE_ARRAY(&order, blocks->count, "the order of blocks", error);
  if (status != CLA_OK) return status;
  for (int64_t i = 0; i < blocks->count; i++) {
    rank[i] = -1;
    if (takes_part(&blocks->items[i].block, least))
      order[count++] = (ranked_block){i, &blocks->items[i].block};
  }
  qsort(order, (size_t)count, sizeof *order, by_query);
  for (int64_t i = 0; i < count; i++) rank[order[i].index] = i;
  free(order);
  return CLA_OK;
}

/* Joins neighbouring blocks with at least `least` matched letters, unless a third block with that many
 * letters is between them. */
static cla_status join_neighbours(seed_blocks *blocks, int64_t least, int64_t most_gap, cla_error *error) {
  int64_t *rank = NULL, last = -1, last_rank = -1, kept = 0;
  cla_status status = ALLOCATE_ARRAY(&rank, blocks->count, "the order of blocks", error);
  if (status == CLA_OK) status = rank_blocks(rank, blocks, least, error);
  for (int64_t i = 0; i < blocks->count && status == CLA_OK; i++) {
    const cla_block *block = &blocks->items[i].block;
    cla_block *before = last >= 0 ? &blocks->items[last].block : NULL;
    const int64_t step = block->strand == CLA_STRAND_REVERSE ? -1 : 1;
    if (rank[i] >= 0 && before && rank[i] == last_rank + step && follows(before, block, most_gap)) {
      join(before, block);
      last_rank = rank[i];
      continue;
    }
    if (rank[i] >= 0) {
      last = kept;
      last_rank = rank[i];
    }
    blocks->items[kept++] = blocks->items[i];
  }
  if (status == CLA_OK) blocks->count = kept;
  free(rank);
  return status;
}

static bool is_within(const cla_block *block, const cla_block *outer) {
  return block->query == outer->query && block->target == outer->target &&
         block->query_begin >= outer->query_begin && block->query_end <= outer->query_end &&
         block->target_begin >= outer->target_begin && block->target_end <= outer->target_end;
}

/* Drops each primary block that is inside another primary block in both genomes. The alignment of the outer
 * block also covers the inner one's letters, on either strand. */
static void drop_inner(seed_blocks *blocks) {
  int64_t kept = 0, outer = -1;
  for (int64_t i = 0; i < blocks->count; i++) {
    const cla_block *block = &blocks->items[i].block;
    const cla_block *longest = outer >= 0 ? &blocks->items[outer].block : NULL;
    const bool primary = block->role == CLA_BLOCK_PRIMARY;
    if (primary && longest && is_within(block, longest)) continue;
    blocks->items[kept] = blocks->items[i];
    if (primary && (!longest || longest->target != block->target || block->target_end > longest->target_end))
      outer = kept;
    kept++;
  }
  blocks->count = kept;
}

cla_status seed_blocks_choose(seed_blocks *blocks, const comparing *c, cla_error *error) {
  static const int64_t levels[] = {BREAKING_LETTERS, 0};
  cla_status status = find_roles(blocks, error);
  for (size_t i = 0; i < sizeof levels / sizeof *levels && status == CLA_OK && blocks->count > 0; i++) {
    qsort(blocks->items, (size_t)blocks->count, sizeof *blocks->items, by_target);
    status = join_neighbours(blocks, levels[i], c->options->most_gap, error);
    if (status == CLA_OK) drop_inner(blocks);
  }
  return status;
}
