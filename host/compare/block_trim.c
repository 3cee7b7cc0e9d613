/* If two primary blocks have letters in common, cuts these letters from the worse block. */

#include <stdlib.h>

#include "base/allocate.h"
#include "base/extremes.h"
#include "compare/compare_internal.h"

#define HOLE_LETTERS 50 /* letters; the letters of a gap at least this long do not count as covered */
#define LEAST_REST 20   /* minimum number of letters of a part that is kept */

/* For each record: the letters of the kept pieces. */
typedef struct kept_letters {
  stretch_list *of[2]; /* lists for each query record [0] and each target record [1] */
} kept_letters;

/* Adds the piece's letters of one genome, without long gaps. */
static cla_status add_side(stretch_list *list, const cla_alignment *piece, bool query, cla_error *error) {
  const bool down = query && piece->strand == CLA_STRAND_REVERSE;
  const cla_run_kind own = query ? CLA_RUN_QUERY : CLA_RUN_TARGET;
  int64_t at = query ? (down ? piece->query.stop : piece->query.start) : piece->target.start, from = at;
  cla_status status = CLA_OK;
  for (size_t i = 0; i < piece->run_count && status == CLA_OK; i++) {
    const cla_run *run = &piece->runs[i];
    const int64_t step = run->kind == CLA_RUN_PAIR || run->kind == own ? run->length : 0;
    if (run->kind == own && run->length >= HOLE_LETTERS) {
      status = stretch_list_add(list, smaller(from, at), larger(from, at), error);
      from = down ? at - step : at + step;
    }
    at += down ? -step : step;
  }
  return status == CLA_OK ? stretch_list_add(list, smaller(from, at), larger(from, at), error) : status;
}

static cla_status keep_piece(const kept_letters *kept, const cla_block *block, const cla_alignment *piece,
                             cla_error *error) {
  cla_status status = add_side(&kept->of[0][block->query], piece, true, error);
  return status == CLA_OK ? add_side(&kept->of[1][block->target], piece, false, error) : status;
}

/* The pieces that a block keeps. */
typedef struct piece_list {
  cla_alignment **items;
  int64_t count, capacity;
} piece_list;

static cla_status piece_list_add(piece_list *list, cla_alignment *piece, cla_error *error) {
  cla_status status =
      ALLOCATE_GROW(&list->items, &list->capacity, list->count + 1, "the pieces of a block", error);
  if (status == CLA_OK)
    list->items[list->count++] = piece;
  else
    cla_alignment_free(piece);
  return status;
}

static void piece_list_free(piece_list *list) {
  for (int64_t i = 0; i < list->count; i++) cla_alignment_free(list->items[i]);
  free(list->items);
  *list = (piece_list){0};
}

/* A block that is being cut in one genome. */
typedef struct block_cut {
  const comparing *c;
  const cla_block *block;
  cla_side_kind side;
  const stretch_list *better; /* the letters of better blocks in that genome */
  piece_list parts;           /* the pieces that the block keeps */
} block_cut;

/* Adds the parts of a piece whose letters do not belong to a better block. Takes over the piece. */
static cla_status cut_piece(block_cut *cut, cla_alignment *piece, cla_error *error) {
  const stretch_list *better = cut->better;
  const cla_side *its = cut->side == CLA_SIDE_QUERY ? &piece->query : &piece->target;
  struct stretch rest;
  cla_status status = CLA_OK;
  if (stretch_list_count(better, its->start, its->stop) == 0)
    return piece_list_add(&cut->parts, piece, error);
  for (int64_t at = its->start; status == CLA_OK && stretch_list_free(&rest, better, at, its->stop);
       at = rest.to) {
    cla_alignment *part = NULL;
    if (rest.to - rest.from < LEAST_REST) continue;
    status = cla_alignment_part(&part, piece, &(cla_side_range){cut->side, rest.from, rest.to},
                                cut->c->query.records[cut->block->query],
                                cut->c->target.records[cut->block->target], error);
    if (status == CLA_OK && part) status = piece_list_add(&cut->parts, part, error);
  }
  cla_alignment_free(piece);
  return status;
}

/* Cuts all pieces of a block where their letters in one genome belong to better blocks. */
static cla_status cut_block(cla_block *block, const comparing *c, const kept_letters *kept,
                            cla_side_kind side, cla_error *error) {
  block_cut cut = {
      .c = c,
      .block = block,
      .side = side,
      .better = side == CLA_SIDE_QUERY ? &kept->of[0][block->query] : &kept->of[1][block->target]};
  cla_status status = CLA_OK;
  size_t i = 0;
  for (; i < block->piece_count && status == CLA_OK; i++) status = cut_piece(&cut, block->pieces[i], error);
  for (; i < block->piece_count; i++) cla_alignment_free(block->pieces[i]);
  free(block->pieces);
  block->pieces = cut.parts.items;
  block->piece_count = (size_t)cut.parts.count;
  if (status == CLA_OK) return CLA_OK;
  piece_list_free(&cut.parts);
  block->pieces = NULL;
  block->piece_count = 0;
  return status;
}

/* Sets the block's interval to that of its pieces. */
static void fit_block(cla_block *block) {
  for (size_t i = 0; i < block->piece_count; i++) {
    const cla_side *query = &block->pieces[i]->query, *target = &block->pieces[i]->target;
    block->query_begin = i == 0 ? query->start : smaller(block->query_begin, query->start);
    block->query_end = i == 0 ? query->stop : larger(block->query_end, query->stop);
    block->target_begin = i == 0 ? target->start : smaller(block->target_begin, target->start);
    block->target_end = i == 0 ? target->stop : larger(block->target_end, target->stop);
  }
}

static int by_matched(const void *a, const void *b) {
  const cla_block *x = *(cla_block *const *)a, *y = *(cla_block *const *)b;
  if (x->matched != y->matched) return x->matched < y->matched ? 1 : -1;
  return (x > y) - (x < y);
}

static cla_status trim_all(cla_block **order, size_t count, const comparing *c, const kept_letters *kept,
                           cla_error *error) {
  cla_status status = CLA_OK;
  for (size_t i = 0; i < count && status == CLA_OK; i++) {
    cla_block *block = order[i];
    if (block->role == CLA_BLOCK_PRIMARY) {
      status = cut_block(block, c, kept, CLA_SIDE_TARGET, error);
      if (status == CLA_OK) status = cut_block(block, c, kept, CLA_SIDE_QUERY, error);
      for (size_t k = 0; k < block->piece_count && status == CLA_OK; k++)
        status = keep_piece(kept, block, block->pieces[k], error);
    }
    fit_block(block);
  }
  return status;
}

static void kept_free(kept_letters *kept, const comparing *c) {
  for (size_t i = 0; kept->of[0] && i < c->query.count; i++) free(kept->of[0][i].items);
  for (size_t i = 0; kept->of[1] && i < c->target.count; i++) free(kept->of[1][i].items);
  free(kept->of[0]);
  free(kept->of[1]);
}

cla_status blocks_trim(cla_block *blocks, size_t count, const comparing *c, cla_error *error) {
  const char *what = "the letters of blocks";
  cla_block **order = NULL;
  kept_letters kept = {0};
  cla_status status = ALLOCATE_ARRAY(&order, (int64_t)count, what, error);
  if (status == CLA_OK) status = ALLOCATE_ZEROS(&kept.of[0], (int64_t)c->query.count, what, error);
  if (status == CLA_OK) status = ALLOCATE_ZEROS(&kept.of[1], (int64_t)c->target.count, what, error);
  for (size_t i = 0; i < count && status == CLA_OK; i++) order[i] = &blocks[i];
  if (status == CLA_OK) {
    qsort(order, count, sizeof *order, by_matched);
    status = trim_all(order, count, c, &kept, error);
  }
  kept_free(&kept, c);
  free(order);
  return status;
}
