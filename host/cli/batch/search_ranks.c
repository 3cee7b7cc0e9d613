/* Scores the pairs of a search on other ranks. Each rank has all targets, and receives some queries at a
 * time. */

#include <stdlib.h>

#include "cli/batch/pair_block.h"
#include "cli/report/report.h"

/* Approximate number of cells, and maximum number of pairs, that a rank receives at a time. */
#define LOT_CELLS 2e8
#define LOT_PAIRS_MOST 16384

/* Pairs that are scored together. */
typedef struct search_lot {
  cla_pair_results results;
  cla_pair_arrays pairs; /* `of` and `offsets` of the queries belong to the lot and are owned */
} search_lot;

typedef struct search_lots {
  search_lot *items;
  int64_t count, next; /* `next`: index of the first lot that nobody has started */
  int64_t out;         /* number of lots that other ranks have */
  const cla_align_options *align;
} search_lots;

static double letters_of(const cla_pair_arrays *pairs, int side) {
  return (double)pairs->offsets[side][pairs->sequences[side]] / (double)pairs->sequences[side];
}

/* Sets the lot's queries, which are consecutive. Their offsets start at 0. */
static bool choose_queries(search_lot *lot, const cla_pair_arrays *all, int64_t first) {
  const int64_t pairs = lot->pairs.pairs, from = all->of[0][first];
  const int64_t count = all->of[0][first + pairs - 1] - from + 1;
  int64_t *of = malloc((size_t)pairs * sizeof *of), *offsets = malloc((size_t)(count + 1) * sizeof *offsets);
  lot->pairs.of[0] = of;
  lot->pairs.offsets[0] = offsets;
  if (!of || !offsets) return false;
  for (int64_t i = 0; i < pairs; i++) of[i] = all->of[0][first + i] - from;
  for (int64_t i = 0; i <= count; i++) offsets[i] = all->offsets[0][from + i] - all->offsets[0][from];
  lot->pairs.letters[0] = all->letters[0] + all->offsets[0][from];
  lot->pairs.sequences[0] = count;
  return true;
}

static void free_lots(search_lots *lots) {
  for (int64_t i = 0; i < lots->count; i++) {
    free((void *)(uintptr_t)lots->items[i].pairs.of[0]);
    free((void *)(uintptr_t)lots->items[i].pairs.offsets[0]);
  }
  free(lots->items);
}

static cla_status cut(search_lots *lots, const cla_pair_results *wanted, const cla_pair_arrays *all,
                      cla_error *error) {
  const double cells = letters_of(all, 0) * letters_of(all, 1);
  const int64_t most = cells * LOT_PAIRS_MOST < LOT_CELLS ? LOT_PAIRS_MOST : (int64_t)(LOT_CELLS / cells) + 1;
  bool made = true;
  lots->items = calloc((size_t)(all->pairs / most) + 1, sizeof *lots->items);
  if (!lots->items) return pair_block_no_memory(error);
  for (int64_t first = 0; first < all->pairs && made; first += most) {
    search_lot *lot = &lots->items[lots->count++];
    lot->pairs = *all;
    lot->pairs.pairs = all->pairs - first < most ? all->pairs - first : most;
    lot->pairs.of[1] = all->of[1] + first;
    lot->results.score = wanted->score + first;
    lot->results.strand = wanted->strand + first;
    lot->results.status = wanted->status + first;
    made = choose_queries(lot, all, first);
  }
  return made ? CLA_OK : pair_block_no_memory(error);
}

static cla_status align_here(search_lot *lot, const cla_align_options *align, cla_error *error) {
  return cla_align_arrays(&lot->results, &lot->pairs, NULL, align, error);
}

/* Takes a lot back from another rank. *found: there was one. If the lot failed there, this rank scores it. */
static cla_status take_back(bool *found, search_lots *lots, cla_arrays_ranks *ranks, cla_error *error) {
  void *user = NULL;
  bool aligned = true;
  cla_status status = cla_arrays_ranks_take(&user, &aligned, ranks, error);
  search_lot *lot = user;
  *found = lot;
  lots->out -= *found;
  if (status != CLA_OK || !lot || (aligned && lot->results.failed == 0)) return status;
  return align_here(lot, lots->align, error);
}

cla_status search_on_ranks(const cla_pair_results *wanted, const cla_pair_arrays *all,
                           cla_arrays_ranks *ranks, const cla_align_options *align, cla_error *error) {
  search_lots lots = {.align = align};
  cla_status status = cut(&lots, wanted, all, error);
  while (status == CLA_OK && (lots.next < lots.count || lots.out > 0)) {
    search_lot *lot = lots.next < lots.count ? &lots.items[lots.next] : NULL;
    bool found = false;
    const bool sent = lot && cla_arrays_ranks_send(ranks, &lot->results, &lot->pairs, lot);
    lots.out += sent;
    lots.next += sent;
    if (sent) continue;
    status = take_back(&found, &lots, ranks, error);
    if (status != CLA_OK || found) continue;
    if (lot) {
      lots.next++;
      status = align_here(lot, align, error);
    } else {
      cli_ranks->rest(cli_ranks->user, true);
      if (interrupt_requested()) status = cli_error(error, CLA_ERROR_INTERRUPTED, "interrupted");
    }
  }
  free_lots(&lots);
  return status;
}

cla_status search_ranks_begin(block_means *b, const cla_record_block *targets, cla_error *error) {
  const cla_pair_arrays all = {.alphabet = b->how.alphabet,
                               .coded = true,
                               .letters = {targets->codes, targets->codes},
                               .offsets = {targets->offsets, targets->offsets},
                               .sequences = {targets->count, targets->count}};
  cla_status status = cla_arrays_ranks_begin(&b->ranks, cli_ranks, &b->align, error);
  return status == CLA_OK && b->ranks ? cla_arrays_ranks_keep(b->ranks, &all, error) : status;
}
