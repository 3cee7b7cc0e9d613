#include "write/plot_gaps.h"

#include <string.h>

static void insert(plot_gaps *gaps, const plot_gap *gap) {
  int at = gaps->count;
  while (at > 0 && gaps->items[at - 1].length < gap->length) at--;
  if (at == PLOT_GAPS_MOST) return;
  if (gaps->count < PLOT_GAPS_MOST) gaps->count++;
  memmove(gaps->items + at + 1, gaps->items + at, (size_t)(gaps->count - 1 - at) * sizeof *gaps->items);
  gaps->items[at] = *gap;
}

void plot_gaps_find(plot_gaps *out, const plot_view *view, const cla_alignment *alignment) {
  plot_walk walk;
  plot_piece piece;
  out->all = 0;
  out->count = 0;
  plot_walk_begin(&walk, alignment);
  while (plot_walk_next(&walk, &piece)) {
    if (piece.kind == CLA_RUN_PAIR) continue;
    plot_gap gap = {.length = alignment->runs[walk.run - 1].length, .piece = piece};
    gap.query = (int64_t)(piece.query < piece.to_query ? piece.query : piece.to_query);
    gap.target = (int64_t)piece.target;
    if (!plot_piece_clip(&gap.piece, view)) continue;
    out->all++;
    insert(out, &gap);
  }
}
