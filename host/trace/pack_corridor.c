#include "trace/pack_corridor.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "trace/corridor_path.h"
#include "trace/corridor_proof.h"

/* What paths may miss for each row is what they are shown to miss outside, about. By differences it is less,
 * as measured with several schemes: the rows of a block, which may be passed without a difference, take a
 * part of what a corridor's edges cost. */
static double share_of_reach(outside_kind kind, int lanes) {
  if (kind == OUTSIDE_BY_WORDS) return 1;
  return lanes == CORRIDOR_NARROW ? 0.35 : lanes == CORRIDOR_MIDDLE ? 0.5 : 0.6;
}

/* Whether paths outside could be shown to score less: the best path must not miss more. */
static bool has_a_chance(outside_kind kind, const path_scheme *scheme, const pack_pair *pair, int lanes) {
  const cla_scoring *scoring = scheme->scoring;
  const int64_t match = scheme->table->match;
  const int64_t off = lanes * (2 * gap_least_ext(scoring) + match) + 2 * scoring->gap_first;
  return (double)(match * pair->end_query - pair->score - off) <
         share_of_reach(kind, lanes) * outside_path_reach(kind, scheme) * (double)pair->end_query;
}

/* A pair, with what is known of paths outside from narrower corridors. */
typedef struct corridor_tries {
  const path_scheme *scheme;
  const pack_pair *pair;
  path_row *known;  /* the path that was found */
  path_row *before; /* the one before, which the following belongs to */
  outside_path outside[OUTSIDE_KINDS];
} corridor_tries;

static void forget_outside(corridor_tries *t) {
  for (int kind = 0; kind < OUTSIDE_KINDS; kind++) outside_path_free(&t->outside[kind]);
}

/* Proves that the path that was followed is the canonical one. */
static cla_status prove(bool *done, corridor_tries *t, outside_kind kind, const corridor *c,
                        cla_error *error) {
  outside_path *outside = &t->outside[kind];
  int64_t most = 0;
  cla_status status = CLA_OK;
  if (!has_a_chance(kind, t->scheme, t->pair, c->lanes)) return CLA_OK;
  if (!outside->lost) status = outside_path_make(outside, kind, t->scheme, t->pair, t->known, error);
  if (status == CLA_OK)
    status = corridor_most_outside(&most, c, outside, t->known, t->scheme->scoring, error);
  if (status == CLA_OK) *done = most < 2 * t->pair->score;
  return status;
}

/* Follows the path, and proves it. */
static cla_status follow_and_prove(bool *done, corridor_start *start, path *into, corridor_tries *t,
                                   const corridor *c, cla_error *error) {
  const size_t known_bytes = (size_t)(c->rows + 1) * sizeof *t->known;
  path_row *const other = t->before;
  corridor_begin begin = {0};
  bool inside = false;
  t->before = t->known;
  t->known = other;
  cla_status status = corridor_follow(&inside, &begin, into, t->known, c, error);
  start->row = begin.row;
  start->column = begin.column;
  if (memcmp(t->known, t->before, known_bytes) != 0) forget_outside(t);
  for (int kind = 0; kind < OUTSIDE_KINDS && status == CLA_OK && inside && !*done; kind++)
    status = prove(done, t, (outside_kind)kind, c, error);
  return status;
}

static cla_status try_width(bool *done, corridor_start *start, path *into, corridor_tries *t, int lanes,
                            cla_error *error) {
  corridor c = {0};
  cla_status status = corridor_make(&c, t->scheme, t->pair, lanes, error);
  if (status != CLA_OK) return status;
  if (!corridor_go_back(&c)) goto done;
  corridor_go_forth(&c, t->scheme);
  start->cells += 2 * lanes * (c.rows + c.columns - c.low + 1);
  if (c.match * c.rows - c.loss == t->pair->score) status = follow_and_prove(done, start, into, t, &c, error);

done:
  if (!*done) path_free(into);
  corridor_free(&c);
  return status;
}

cla_status pack_corridor_trace(bool *done, corridor_start *start, path *into, const path_scheme *scheme,
                               const pack_pair *pair, cla_error *error) {
  static const int widths[] = {CORRIDOR_NARROW, CORRIDOR_MIDDLE, CORRIDOR_LANES_MOST};
  corridor_tries t = {.scheme = scheme, .pair = pair};
  *done = false;
  *start = (corridor_start){0};
  if (!corridor_takes(scheme, pair)) return CLA_OK;
  cla_status status =
      allocate_array((void **)&t.known, 2 * (pair->end_query + 1), sizeof *t.known, "a pair's path", error);
  if (status != CLA_OK) return status;
  path_row *const both = t.known;
  t.before = t.known + pair->end_query + 1;
  memset(both, 0, (size_t)(2 * (pair->end_query + 1)) * sizeof *both);
  for (int i = 0; i < 3 && status == CLA_OK && !*done; i++)
    if (has_a_chance(OUTSIDE_BY_WORDS, scheme, pair, widths[i]) ||
        has_a_chance(OUTSIDE_BY_DIFFERENCES, scheme, pair, widths[i]))
      status = try_width(done, start, into, &t, widths[i], error);
  forget_outside(&t);
  free(both);
  return status;
}
