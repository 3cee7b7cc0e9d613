/* Goes on with blocks beyond the origins of circles. The letters there may be too few for a block of their
 * own. */

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/extremes.h"
#include "compare/compare_internal.h"

#define NEAR_ORIGIN 20  /* letters; a block that ends this close to an origin may go on beyond it */
#define LEAST_BEYOND 10 /* minimum number of letters beyond an origin */

/* Blocks that begin beyond origins. */
typedef struct origin_search {
  cla_comparison *out;
  const comparing *c;
  cla_block *found; /* owned */
  int64_t count, capacity;
} origin_search;

static bool overlap(int64_t begin, int64_t end, int64_t other_begin, int64_t other_end) {
  return begin < other_end && other_begin < end;
}

/* Returns true if a primary block has letters of `it` in either genome. */
static bool is_taken(const cla_block *it, const cla_block *blocks, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const cla_block *other = &blocks[i];
    if (other->role != CLA_BLOCK_PRIMARY) continue;
    if (other->query == it->query &&
        overlap(it->query_begin, it->query_end, other->query_begin, other->query_end))
      return true;
    if (other->target == it->target &&
        overlap(it->target_begin, it->target_end, other->target_begin, other->target_end))
      return true;
  }
  return false;
}

/* Moves a place by `step` letters, and to the other side of the origin if it is then at the end of a circle.
 * Returns false if it is then beyond a record's end. */
static bool move_place(int64_t *place, int64_t step, bool up, const cla_genome *genome, size_t record) {
  const int64_t length = cla_sequence_length(genome->records[record]);
  const bool circular = genome->circular && genome->circular[record];
  *place += up ? step : -step;
  if (circular && *place == (up ? length : 0)) *place = up ? 0 : length;
  return *place >= 0 && *place <= length;
}

/* Returns the number of letters between a place and its record's end, if that is a circle's origin; else
 * INT64_MAX. */
static int64_t to_origin(int64_t place, bool up, const cla_genome *genome, size_t record) {
  if (!genome->circular || !genome->circular[record]) return INT64_MAX;
  return up ? cla_sequence_length(genome->records[record]) - place : place;
}

/* Adds an empty block beyond an origin near the block's end, unless there are no letters or other blocks have
 * them. */
static cla_status add_beyond(origin_search *s, const cla_block *block, bool upper, cla_error *error) {
  const cla_genome *query = &s->c->query, *target = &s->c->target;
  const bool query_up = upper == (block->strand == CLA_STRAND_FORWARD);
  int64_t at = query_up ? block->query_end : block->query_begin;
  int64_t to = upper ? block->target_end : block->target_begin;
  const int64_t step =
      smaller(to_origin(at, query_up, query, block->query), to_origin(to, upper, target, block->target));
  if (step > NEAR_ORIGIN || !move_place(&at, step, query_up, query, block->query) ||
      !move_place(&to, step, upper, target, block->target))
    return CLA_OK;
  const cla_block next = {.query = block->query,
                          .target = block->target,
                          .query_begin = query_up ? at : at - 1,
                          .query_end = query_up ? at + 1 : at,
                          .target_begin = upper ? to : to - 1,
                          .target_end = upper ? to + 1 : to};
  if (is_taken(&next, s->out->blocks, s->out->block_count)) return CLA_OK;
  cla_status status = ALLOCATE_GROW(&s->found, &s->capacity, s->count + 1, "blocks beyond origins", error);
  if (status == CLA_OK)
    s->found[s->count++] = (cla_block){.query = block->query,
                                       .target = block->target,
                                       .strand = block->strand,
                                       .query_begin = at,
                                       .query_end = at,
                                       .target_begin = to,
                                       .target_end = to};
  return status;
}

/* Adds those of the blocks found that have letters of their own. */
static cla_status take_found(origin_search *s, cla_error *error) {
  cla_comparison *out = s->out;
  cla_block *all = NULL;
  cla_status status = ALLOCATE_ARRAY(&all, (int64_t)out->block_count + s->count, "blocks", error);
  if (status != CLA_OK) return status;
  if (out->block_count > 0) memcpy(all, out->blocks, out->block_count * sizeof *all);
  free(out->blocks);
  out->blocks = all;
  for (int64_t i = 0; i < s->count; i++) {
    const cla_block *it = &s->found[i];
    if (it->query_end - it->query_begin >= LEAST_BEYOND &&
        it->target_end - it->target_begin >= LEAST_BEYOND && !is_taken(it, all, out->block_count))
      all[out->block_count++] = *it;
  }
  return CLA_OK;
}

cla_status blocks_cross_origins(cla_comparison *out, const comparing *c, cla_error *error) {
  origin_search s = {.out = out, .c = c};
  cla_status status = CLA_OK;
  for (size_t i = 0; i < out->block_count && status == CLA_OK; i++) {
    if (out->blocks[i].role != CLA_BLOCK_PRIMARY) continue;
    status = add_beyond(&s, &out->blocks[i], false, error);
    if (status == CLA_OK) status = add_beyond(&s, &out->blocks[i], true, error);
  }
  if (status == CLA_OK && s.count > 0) {
    status = block_ends_extend(s.found, (size_t)s.count, c, error);
    if (status == CLA_OK) status = take_found(&s, error);
  }
  free(s.found);
  return status;
}
