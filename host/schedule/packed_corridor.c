#include "schedule/packed_corridor.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "base/extremes.h"
#include "schedule/corridor_path.h"
#include "schedule/corridor_proof.h"

/* Where the rows of a block, which are passed without a difference, take a part of what the corridor's edges
 * cost, less is shown. */
#define TIGHT_SHARE 0.35

/* Whether paths outside could be shown to score less: the best path must not miss more. */
static bool has_a_chance(outside_kind kind, const packed_scheme *scheme, const packed_pair *pair, int lanes) {
  const bool is_tight = kind == OUTSIDE_BY_DIFFERENCES && lanes < CORRIDOR_LANES_MOST;
  const cla_scoring *scoring = scheme->scoring;
  const int64_t match = scheme->table->match;
  const int64_t off = lanes * (2 * scoring->gap_ext + match) + 2 * scoring->gap_first;
  return (double)(match * pair->end_query - pair->score - off) <
         (is_tight ? TIGHT_SHARE : 1) * outside_path_reach(kind, scheme) * (double)pair->end_query;
}

/* Proves that the path that was followed is the canonical one. */
static cla_status prove(bool *done, outside_kind kind, const corridor *c, const path_row *known,
                        const packed_scheme *scheme, const packed_pair *pair, cla_error *error) {
  int64_t most = 0;
  if (!has_a_chance(kind, scheme, pair, c->lanes)) return CLA_OK;
  cla_status status = corridor_most_outside(&most, kind, c, known, scheme, pair, error);
  if (status == CLA_OK) *done = most < 2 * pair->score;
  return status;
}

static cla_status try_width(bool *done, corridor_start *start, path *into, const packed_scheme *scheme,
                            const packed_pair *pair, int lanes, cla_error *error) {
  corridor c = {0};
  path_row *known = NULL;
  corridor_begin begin = {0};
  bool inside = false;
  cla_status status = corridor_make(&c, scheme, pair, lanes, error);
  if (status != CLA_OK) return status;
  if (!corridor_go_back(&c)) goto done;
  corridor_go_forth(&c, scheme);
  start->cells += 2 * lanes * (c.rows + c.columns - c.low + 1);
  if (c.match * c.rows - c.loss != pair->score) goto done;
  status = allocate_array((void **)&known, c.rows + 1, sizeof *known, "a pair's path", error);
  if (status == CLA_OK) status = corridor_follow(&inside, &begin, into, known, &c, error);
  start->row = begin.row;
  start->column = begin.column;
  if (status == CLA_OK && inside) status = prove(done, OUTSIDE_BY_WORDS, &c, known, scheme, pair, error);
  /* Which takes blocks of more rows than a narrow corridor leaves room for. */
  if (status == CLA_OK && inside && !*done && lanes > CORRIDOR_NARROW)
    status = prove(done, OUTSIDE_BY_DIFFERENCES, &c, known, scheme, pair, error);

done:
  if (!*done) path_free(into);
  free(known);
  corridor_free(&c);
  return status;
}

cla_status packed_corridor_trace(bool *done, corridor_start *start, path *into, const packed_scheme *scheme,
                                 const packed_pair *pair, cla_error *error) {
  static const int widths[] = {CORRIDOR_NARROW, CORRIDOR_MIDDLE, CORRIDOR_LANES_MOST};
  cla_status status = CLA_OK;
  *done = false;
  *start = (corridor_start){0};
  if (!corridor_takes(scheme, pair)) return CLA_OK;
  for (int i = 0; i < 3 && status == CLA_OK && !*done; i++)
    if (has_a_chance(OUTSIDE_BY_WORDS, scheme, pair, widths[i]) ||
        (widths[i] > CORRIDOR_NARROW && has_a_chance(OUTSIDE_BY_DIFFERENCES, scheme, pair, widths[i])))
      status = try_width(done, start, into, scheme, pair, widths[i], error);
  return status;
}
