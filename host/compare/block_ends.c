/* The ends of blocks: extends each end by exact alignment as long as the score increases. */

#include <stdlib.h>

#include "base/allocate.h"
#include "base/extremes.h"
#include "clalign/arrays.h"
#include "compare/compare_internal.h"
#include "seq/sequence.h"

#define FIRST_WINDOW 512   /* letters of either genome in the first window beyond an end */
#define LAST_WINDOW 16384  /* letters of either genome in the largest window */
#define NEAR_WINDOW_END 64 /* letters; a path that ends this close to the window's end might continue */

/* One end of a block. */
typedef struct block_end {
  cla_block *block;
  bool upper; /* true: the end with the larger target position */
  bool done;
  int64_t query, target; /* letters of each genome in the window */
} block_end;

/* The ends of all blocks. */
typedef struct end_list {
  block_end *items; /* owned */
  int64_t count;
  int64_t left;       /* number of ends that have a window in this round */
  int64_t letters[2]; /* letters of all windows of this round, in the query and in the target */
} end_list;

/* The windows of one round, in the form for cla_align_arrays. */
typedef struct end_windows {
  uint8_t *letters[2];
  int64_t *offsets[2];
  int64_t *score, *end[2];
  uint8_t *status;
  int64_t *of; /* for each window: index of the block's end */
  int64_t count;
} end_windows;

static void end_windows_free(end_windows *w) {
  for (int side = 0; side < 2; side++) {
    free(w->letters[side]);
    free(w->offsets[side]);
    free(w->end[side]);
  }
  free(w->score);
  free(w->status);
  free(w->of);
  *w = (end_windows){0};
}

/* Returns true if the end is extended towards larger query positions. */
static bool query_goes_up(const block_end *end) {
  return end->upper == (end->block->strand == CLA_STRAND_FORWARD);
}

/* Finds the number of letters between the block's end and the end of each record. */
static void rooms(int64_t *query, int64_t *target, const block_end *end, const comparing *c) {
  const cla_block *b = end->block;
  *query =
      query_goes_up(end) ? cla_sequence_length(c->query.records[b->query]) - b->query_end : b->query_begin;
  *target = end->upper ? cla_sequence_length(c->target.records[b->target]) - b->target_end : b->target_begin;
}

/* Copies letters outwards from the block's end. */
static void copy_out(uint8_t *out, const uint8_t *codes, int64_t from, int64_t count, int64_t step,
                     bool turned) {
  for (int64_t i = 0; i < count; i++) {
    const uint8_t code = codes[from + step * i];
    out[i] = turned ? nucleotide_complement[code] : code;
  }
}

static void copy_window(end_windows *w, const block_end *end, const comparing *c) {
  const cla_block *b = end->block;
  const bool up = query_goes_up(end);
  copy_out(w->letters[0] + w->offsets[0][w->count], sequence_codes(c->query.records[b->query]),
           up ? b->query_end : b->query_begin - 1, end->query, up ? 1 : -1, b->strand == CLA_STRAND_REVERSE);
  copy_out(w->letters[1] + w->offsets[1][w->count], sequence_codes(c->target.records[b->target]),
           end->upper ? b->target_end : b->target_begin - 1, end->target, end->upper ? 1 : -1, false);
}

/* Chooses the size of each window, at most `letters`. */
static void size_windows(end_list *ends, int64_t letters, const comparing *c) {
  ends->left = ends->letters[0] = ends->letters[1] = 0;
  for (int64_t i = 0; i < ends->count; i++) {
    block_end *end = &ends->items[i];
    if (end->done) continue;
    rooms(&end->query, &end->target, end, c);
    end->query = smaller(end->query, letters);
    end->target = smaller(end->target, letters);
    end->done = end->query == 0 || end->target == 0;
    if (end->done) continue;
    ends->letters[0] += end->query;
    ends->letters[1] += end->target;
    ends->left++;
  }
}

static cla_status end_windows_make(end_windows *w, const end_list *ends, const comparing *c,
                                   cla_error *error) {
  const char *what = "ends of blocks";
  const int64_t left = ends->left;
  cla_status status = ALLOCATE_ZEROS(&w->score, left, what, error);
  if (status == CLA_OK) status = ALLOCATE_ZEROS(&w->status, left, what, error);
  if (status == CLA_OK) status = ALLOCATE_ARRAY(&w->of, left, what, error);
  for (int side = 0; side < 2 && status == CLA_OK; side++) {
    status = ALLOCATE_ARRAY(&w->letters[side], ends->letters[side], what, error);
    if (status == CLA_OK) status = ALLOCATE_ZEROS(&w->offsets[side], left + 1, what, error);
    if (status == CLA_OK) status = ALLOCATE_ZEROS(&w->end[side], left, what, error);
  }
  for (int64_t i = 0; i < ends->count && status == CLA_OK; i++) {
    const block_end *end = &ends->items[i];
    if (end->done) continue;
    copy_window(w, end, c);
    w->of[w->count] = i;
    w->offsets[0][w->count + 1] = w->offsets[0][w->count] + end->query;
    w->offsets[1][w->count + 1] = w->offsets[1][w->count] + end->target;
    w->count++;
  }
  return status;
}

/* Moves a block's end. If the path ends close to the window's end, the block's end gets a larger window in
 * the next round, up to the largest. */
static void move_end(block_end *end, int64_t query, int64_t target, int64_t letters) {
  cla_block *b = end->block;
  if (query_goes_up(end))
    b->query_end += query;
  else
    b->query_begin -= query;
  if (end->upper)
    b->target_end += target;
  else
    b->target_begin -= target;
  const bool cut = end->query == letters || end->target == letters;
  /* The end of a tandem copy gets no larger window: its path would run on into the better block beside the
   * copy. */
  const int64_t last = b->role == CLA_BLOCK_PRIMARY ? LAST_WINDOW : FIRST_WINDOW;
  end->done = letters >= last || !cut ||
              (query + NEAR_WINDOW_END < end->query && target + NEAR_WINDOW_END < end->target);
}

static cla_status align_windows(end_windows *w, const comparing *c, cla_error *error) {
  cla_align_options options;
  cla_align_options_init(&options);
  options.mode = CLA_MODE_EXTEND;
  options.scoring = c->options->align.scoring;
  /* Only the first gap piece is used. With a long gap of constant cost, a path could jump from a copy to
   * the letters of another block. */
  for (int k = 1; k < CLA_GAP_PIECES; k++) options.scoring.gap[k] = (cla_gap_piece){0};
  options.score_only = true;
  options.budgets = c->options->align.budgets;
  const cla_pair_arrays pairs = {.alphabet = CLA_ALPHABET_DNA,
                                 .coded = true,
                                 .letters = {w->letters[0], w->letters[1]},
                                 .offsets = {w->offsets[0], w->offsets[1]},
                                 .sequences = {w->count, w->count},
                                 .pairs = w->count};
  cla_pair_results found = {.score = w->score, .end = {w->end[0], w->end[1]}, .status = w->status};
  cla_status status = cla_align_arrays(&found, &pairs, NULL, &options, error);
  for (int64_t i = 0; i < w->count && status == CLA_OK; i++)
    if (w->status[i] != CLA_OK) status = cla_pair_arrays_tell(&pairs, i, NULL, &options, error);
  return status;
}

static cla_status extend_round(end_list *ends, int64_t letters, bool *more, const comparing *c,
                               cla_error *error) {
  end_windows w = {0};
  size_windows(ends, letters, c);
  *more = false;
  if (ends->left == 0) return CLA_OK;
  cla_status status = end_windows_make(&w, ends, c, error);
  if (status == CLA_OK) status = align_windows(&w, c, error);
  for (int64_t i = 0; i < w.count && status == CLA_OK; i++) {
    const bool pays = w.score[i] > 0;
    block_end *end = &ends->items[w.of[i]];
    move_end(end, pays ? w.end[0][i] : 0, pays ? w.end[1][i] : 0, letters);
    *more |= !end->done;
  }
  end_windows_free(&w);
  return status;
}

cla_status block_ends_extend(cla_block *blocks, size_t count, const comparing *c, cla_error *error) {
  end_list ends = {.count = 2 * (int64_t)count};
  bool more = count > 0;
  cla_status status = ALLOCATE_ZEROS(&ends.items, ends.count, "ends of blocks", error);
  for (size_t i = 0; i < count && status == CLA_OK; i++) {
    ends.items[2 * i] = (block_end){.block = &blocks[i]};
    ends.items[2 * i + 1] = (block_end){.block = &blocks[i], .upper = true};
  }
  for (int64_t letters = FIRST_WINDOW; more && status == CLA_OK;
       letters = smaller(2 * letters, LAST_WINDOW)) {
    status = comparing_report(c, "ends of blocks", 0, error);
    if (status == CLA_OK) status = extend_round(&ends, letters, &more, c, error);
  }
  free(ends.items);
  return status;
}
