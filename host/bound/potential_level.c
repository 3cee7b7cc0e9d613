#include <stdlib.h>

#include "base/allocate.h"
#include "bound/potential_internal.h"

#define BUCKET_WORK 300 /* of a bucket, in cells of fits */
#define BUCKET_BYTES 9  /* costs to the end, at borders and in chunks, and whether paths start there */
/* Regions by edits are found in so many batches of chunks; what is known of the costs of those before makes
 * the next ones narrower. */
#define BATCHES 16
#define BATCH_LEAST 8 /* chunks */

/* What a path costs at least that ends after so many rows or further down on a diagonal up to the bucket's
 * last, or that begins so far down. */
static int64_t end_cost(const potential *p, const level *l, int64_t row, int64_t bucket) {
  const int64_t column = row + first_diagonal(p, l, bucket + 1) - 1;
  if (!p->costs.free_end) return NEVER;
  return p->costs.match * (larger(p->problem.rows - row, 0) + larger(p->problem.columns - column, 0));
}

static int64_t start_cost(const potential *p, const level *l, int64_t row, int64_t bucket) {
  if (!p->costs.free_start) return NEVER;
  return p->costs.match * (row + larger(row + first_diagonal(p, l, bucket), 0));
}

/* Of gaps from the bucket to a diagonal. */
static int64_t distance_cost(const potential *p, const level *l, int64_t bucket, int64_t diagonal) {
  const int64_t first = first_diagonal(p, l, bucket), last = first_diagonal(p, l, bucket + 1) - 1;
  return p->costs.ext * (diagonal < first ? first - diagonal : diagonal > last ? diagonal - last : 0);
}

/* From a bucket to the end, whatever is on the way: the corner's diagonal is reached by gaps or by letters
 * that are left out. */
static int64_t corner_cost(const potential *p, const level *l, int64_t bucket) {
  const int64_t gaps = distance_cost(p, l, bucket, p->problem.columns - p->problem.rows);
  return p->costs.free_end ? gaps / p->costs.ext * p->costs.match : gaps;
}

/* At the lower border of the last chunk, and at the upper one of the first. */
static int32_t last_cost(const potential *p, const level *l, int64_t bucket) {
  const int64_t corner = distance_cost(p, l, bucket, p->problem.columns - p->problem.rows);
  return least_cost(smaller(corner, end_cost(p, l, p->problem.rows, bucket)), NEVER);
}

static int32_t first_cost(const potential *p, const level *l, int64_t bucket) {
  return least_cost(smaller(distance_cost(p, l, bucket, 0), start_cost(p, l, 0, bucket)), NEVER);
}

static crossing crossing_of(const level_work *w, int64_t chunk) {
  const int32_t *broken = w->broken + 2 * chunk;
  const bool seeds = broken[0] + broken[1] > 0;
  const int64_t gaps = w->dear[chunk] / w->p->costs.ext; /* of the threshold */
  return (crossing){
      .costs = &w->p->costs,
      .bucket = w->l->bucket,
      .word = w->l->word,
      .dear = w->dear[chunk],
      .reach = {seeds ? level_reach(w, chunk, false) : gaps, seeds ? level_reach(w, chunk, true) : gaps},
      .seeds = {broken[0], broken[1]},
      .count = w->begins[chunk + 1] - w->begins[chunk],
      .regions = w->regions + w->begins[chunk]};
}

/* The buckets of a border between chunks: those of the chunks above and below. */
static cost_row border_of(const level *l, int64_t border) {
  const int64_t above = larger(border - 1, 0), below = smaller(border, l->chunks - 1);
  return (cost_row){.first = smaller(l->first[above], l->first[below]),
                    .last = larger(l->last[above], l->last[below])};
}

/* Costs to the end, from the last border to the first. */
static cla_status go_back(level_work *w, bool *useless, cla_error *error) {
  potential *p = w->p;
  const level *l = w->l;
  int64_t buckets = 0;
  cla_status status =
      allocate_array((void **)&w->borders, l->chunks + 1, sizeof *w->borders, "a potential", error);
  if (status != CLA_OK) return status;
  for (int64_t c = 0; c <= l->chunks; c++) {
    w->borders[c] = border_of(l, c);
    buckets += w->borders[c].last - w->borders[c].first + 1;
  }
  const int64_t bytes = buckets * BUCKET_BYTES + w->costs_count * 8 + w->count * (int64_t)sizeof *w->regions;
  *useless = too_much(p, buckets * BUCKET_WORK) || bytes > p->bytes_most;
  if (*useless) return CLA_OK;
  status = allocate_array((void **)&w->table, buckets, sizeof *w->table, "a potential", error);
  int32_t *cost = w->table;
  for (int64_t c = 0; c <= l->chunks && status == CLA_OK; c++) {
    w->borders[c].cost = cost;
    cost += w->borders[c].last - w->borders[c].first + 1;
  }
  cost_row *last = &w->borders[l->chunks];
  for (int64_t b = last->first; status == CLA_OK && b <= last->last; b++)
    last->cost[b - last->first] = last_cost(p, l, b);
  for (int64_t c = l->chunks - 1; c >= 0 && status == CLA_OK && !*useless; c--) {
    const crossing over = crossing_of(w, c);
    cost_row *border = &w->borders[c];
    status = chain_cross(border, &w->borders[c + 1], &over, true, &w->space, error);
    for (int64_t b = border->first; status == CLA_OK && b <= border->last; b++)
      border->cost[b - border->first] =
          least_cost(border->cost[b - border->first], end_cost(p, l, chunk_row(p, l, c + 1), b));
    *useless = c % 64 == 0 && bound_pair_stopped(p->pair);
  }
  return status;
}

/* Room for the costs of a border's buckets. */
static cla_status room_for(cost_row *row, int64_t first, int64_t last, chain_space *space, cla_error *error) {
  cla_status status = allocate_grow((void **)&space->memory, &space->capacity, last - first + 1,
                                    sizeof *space->memory, "a potential", error);
  *row = (cost_row){.first = first, .last = last, .cost = space->memory};
  return status;
}

/* What a path costs at least from the start to a node of each of the chunk's buckets, and from there to its
 * end. */
typedef struct chunk_costs {
  cost_row before, behind;
  chain_space spaces[2], work;
} chunk_costs;

static cla_status look_at_chunk(chunk_left *out, level_work *w, int64_t chunk, const cost_row *from_start,
                                chunk_costs *costs, cla_error *error) {
  const potential *p = w->p;
  const level *l = w->l;
  const crossing over = crossing_of(w, chunk);
  const int64_t first = l->first[chunk], last = l->last[chunk];
  cla_status status = room_for(&costs->before, first, last, &costs->spaces[0], error);
  if (status == CLA_OK) status = room_for(&costs->behind, first, last, &costs->spaces[1], error);
  if (status == CLA_OK) status = chain_reach(&costs->before, from_start, &over, &costs->work, error);
  if (status == CLA_OK)
    status = chain_reach(&costs->behind, &w->borders[chunk + 1], &over, &costs->work, error);
  if (status != CLA_OK) return status;
  const int64_t upper = chunk_row(p, l, chunk), lower = chunk_row(p, l, chunk + 1);
  *out = (chunk_left){.first = INT64_MAX, .last = -1};
  for (int64_t b = first; b <= last; b++) {
    const int64_t start = start_cost(p, l, upper, b);
    const int64_t from = smaller(costs->before.cost[b - first], start);
    const int64_t known = smaller(costs->behind.cost[b - first], end_cost(p, l, lower, b));
    const int64_t to = larger(known, corner_cost(p, l, b));
    if (l->fits) p->rest[p->offsets[chunk] + b - first] = least_cost(to, NEVER);
    if (l->fits) p->starts[p->offsets[chunk] + b - first] = start + to <= p->budget;
    if (from + to > p->budget) continue;
    out->first = smaller(out->first, b);
    out->last = b;
    out->starts |= start + to <= p->budget;
  }
  return status;
}

/* Chunks in which no path that matters is, as behind its end, keep a bucket. Returns whether others have any.
 */
static bool fill_empty(chunk_left *left, const level *l) {
  int64_t filled = 0;
  while (filled < l->chunks && left[filled].first > left[filled].last) filled++;
  if (filled == l->chunks) return false;
  for (int64_t c = 0; c < l->chunks; c++) {
    if (left[c].first <= left[c].last) continue;
    const int64_t beside = left[c < filled ? filled : c - 1].last;
    left[c].first = left[c].last = larger(smaller(beside, l->last[c]), l->first[c]);
  }
  return true;
}

/* Above a chunk in which paths begin everything of it stays, so that the diagonals of their starts lead there
 * (docs/internals/bounds.md). */
static void close_starts(chunk_left *left, const level *l) {
  for (int64_t c = l->chunks - 1; c > 0; c--) {
    if (!left[c].starts) continue;
    left[c - 1].first = larger(smaller(left[c - 1].first, left[c].first), l->first[c - 1]);
    left[c - 1].last = smaller(larger(left[c - 1].last, left[c].last), l->last[c - 1]);
    left[c - 1].starts = true;
  }
}

/* Costs from the start to a border, from the first border on. */
typedef struct forth {
  cost_row at;
  int64_t chunk; /* below the border */
  chain_space rows[2];
} forth;

static void free_forth(forth *f) {
  for (int i = 0; i < 2; i++) free(f->rows[i].memory);
}

static cla_status begin_forth(forth *f, const level_work *w, cla_error *error) {
  *f = (forth){.at = border_of(w->l, 0)};
  cla_status status = room_for(&f->at, f->at.first, f->at.last, &f->rows[0], error);
  for (int64_t b = f->at.first; status == CLA_OK && b <= f->at.last; b++)
    f->at.cost[b - f->at.first] = first_cost(w->p, w->l, b);
  return status;
}

/* On to the next border. */
static cla_status step_forth(forth *f, level_work *w, cla_error *error) {
  const crossing over = crossing_of(w, f->chunk);
  const int64_t row = chunk_row(w->p, w->l, f->chunk);
  cost_row next = border_of(w->l, f->chunk + 1);
  cla_status status = room_for(&next, next.first, next.last, &f->rows[(f->chunk + 1) % 2], error);
  if (status == CLA_OK) status = chain_cross(&next, &f->at, &over, false, &w->space, error);
  for (int64_t b = next.first; status == CLA_OK && b <= next.last; b++)
    next.cost[b - next.first] = least_cost(next.cost[b - next.first], start_cost(w->p, w->l, row, b));
  f->at = next;
  f->chunk++;
  return status;
}

/* What is left of each chunk between costs from the start and costs to the end. */
static cla_status look_at_all(level_work *w, chunk_left *left, cla_error *error) {
  const level *l = w->l;
  chunk_costs costs = {0};
  forth f;
  cla_status status = begin_forth(&f, w, error);
  for (int64_t c = 0; c < l->chunks && status == CLA_OK; c++) {
    status = look_at_chunk(&left[c], w, c, &f.at, &costs, error);
    if (status == CLA_OK) status = step_forth(&f, w, error);
  }
  free_forth(&f);
  for (int i = 0; i < 2; i++) free(costs.spaces[i].memory);
  free(costs.work.memory);
  return status;
}

/* Leaves those buckets of the chunks from f's on to before `end` that matter by what is known of the chunks
 * above; at least one. */
static cla_status leave_out(level_work *w, const forth *f, int64_t end, cla_error *error) {
  const potential *p = w->p;
  level *l = w->l;
  const crossing over = {.costs = &p->costs, .bucket = l->bucket};
  const int64_t row = chunk_row(p, l, f->chunk);
  chain_space space = {0};
  cla_status status = CLA_OK;
  for (int64_t c = f->chunk; c < end && status == CLA_OK; c++) {
    cost_row before;
    status = room_for(&before, l->first[c], l->last[c], &space, error);
    if (status == CLA_OK) status = chain_reach(&before, &f->at, &over, &w->space, error);
    if (status != CLA_OK) break;
    int64_t first = before.first, last = -1;
    for (int64_t b = before.first; b <= before.last; b++) {
      const int64_t from = smaller(before.cost[b - before.first], start_cost(p, l, row, b));
      if (from + corner_cost(p, l, b) > p->budget) continue;
      if (last < 0) first = b;
      last = b;
    }
    l->first[c] = first;
    l->last[c] = larger(first, last);
  }
  free(space.memory);
  return status;
}

/* All regions: by edits, in batches. */
static cla_status find_all(level_work *w, bool *useless, cla_error *error) {
  const level *l = w->l;
  if (!l->edits) return level_regions(w, 0, l->chunks, useless, error);
  const int64_t batch = larger(l->chunks / BATCHES, BATCH_LEAST);
  forth f;
  cla_status status = begin_forth(&f, w, error);
  for (int64_t c = 0; c < l->chunks && status == CLA_OK && !*useless; c += batch) {
    const int64_t end = smaller(c + batch, l->chunks);
    if (c > 0) status = leave_out(w, &f, end, error);
    if (status == CLA_OK) status = level_regions(w, c, end, useless, error);
    while (f.chunk < end && end < l->chunks && status == CLA_OK && !*useless) {
      *useless = too_much(w->p, (f.at.last - f.at.first + 1) * BUCKET_WORK / 3);
      status = step_forth(&f, w, error);
    }
  }
  free_forth(&f);
  return status;
}

static cla_status make_rest(potential *p, cla_error *error) {
  const level *l = &p->fine;
  int64_t buckets = 0;
  cla_status status =
      allocate_array((void **)&p->offsets, l->chunks, sizeof *p->offsets, "a potential", error);
  for (int64_t c = 0; c < l->chunks && status == CLA_OK; c++) {
    p->offsets[c] = buckets;
    buckets += l->last[c] - l->first[c] + 1;
  }
  if (status == CLA_OK)
    status = allocate_array((void **)&p->rest, buckets, sizeof *p->rest, "a potential", error);
  return status == CLA_OK ? allocate_array((void **)&p->starts, buckets, 1, "a potential", error) : status;
}

/* Where paths may start anywhere: above a bucket in which one starts that matters nothing is excluded that is
 * as good as a start (docs/internals/bounds.md). */
static void open_starts(const potential *p, const level *l) {
  for (int64_t c = l->chunks - 1; c > 0; c--) {
    const int64_t row = chunk_row(p, l, c);
    const int64_t here = p->offsets[c] - l->first[c], above = p->offsets[c - 1] - l->first[c - 1];
    const int64_t last = smaller(l->last[c], l->last[c - 1]);
    for (int64_t b = larger(l->first[c], l->first[c - 1]); b <= last; b++) {
      if (!p->starts[here + b]) continue;
      const int64_t column = larger(row + first_diagonal(p, l, b + 1) - 1, 0);
      p->starts[above + b] = 1;
      p->rest[above + b] = least_cost(p->rest[above + b], p->budget - p->costs.match * (row + column));
    }
  }
}

cla_status level_narrow(chunk_left *left, potential *p, level *l, bool *useless, cla_error *error) {
  level_work w = {.p = p, .l = l};
  cla_status status = allocate_array((void **)&w.dear, l->chunks, sizeof *w.dear, "a potential", error);
  if (status == CLA_OK)
    status = allocate_array((void **)&w.broken, 2 * l->chunks, sizeof *w.broken, "a potential", error);
  if (status == CLA_OK)
    status = allocate_array((void **)&w.begins, l->chunks + 1, sizeof *w.begins, "a potential", error);
  if (status == CLA_OK) status = find_all(&w, useless, error);
  p->dear_chunks = l->fits ? l->chunks : 0;
  if (status == CLA_OK && !*useless) status = go_back(&w, useless, error);
  if (status == CLA_OK && !*useless && l->fits) status = make_rest(p, error);
  if (status == CLA_OK && !*useless) status = look_at_all(&w, left, error);
  if (status == CLA_OK && !*useless) *useless = !fill_empty(left, l);
  if (status == CLA_OK && !*useless) close_starts(left, l);
  if (status == CLA_OK && !*useless && l->fits && p->problem.scheme.ends.floor) open_starts(p, l);
  free(w.dear);
  free(w.broken);
  free(w.begins);
  free(w.regions);
  free(w.seeds);
  free(w.ends);
  free(w.borders);
  free(w.table);
  free(w.space.memory);
  return status;
}
