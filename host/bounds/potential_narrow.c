#include <stdatomic.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "base/machine.h"
#include "bounds/potential_internal.h"

#define BUCKET_WORK 300 /* work of the chain per bucket, in cells of a fit; half as much with two threads */
#define BUCKET_BYTES 13 /* memory of a bucket: three costs of 4 bytes, and one flag */
#define LOOK_CHUNKS 64  /* number of chunks that a thread takes at a time */
/* Number of batches in which edits are counted. The costs that earlier batches found narrow each batch. */
#define BATCHES 24
#define BATCH_LEAST 8 /* minimum chunks of a batch */

/* Returns the least cost of the letters that are left out after a path that ends in the bucket or further
 * left, at `row` or above. */
static int64_t end_cost(const potential *p, const level *l, int64_t row, int64_t bucket) {
  const int64_t column = row + first_diagonal(p, l, bucket + 1) - 1;
  if (!p->costs.free_end) return NEVER;
  return p->costs.match * (larger(p->problem.rows - row, 0) + larger(p->problem.columns - column, 0));
}

/* Returns the least cost of the letters that are left out before a path that starts in the bucket or
 * further right, at `row` or below. */
static int64_t start_cost(const potential *p, const level *l, int64_t row, int64_t bucket) {
  if (!p->costs.free_start) return NEVER;
  return p->costs.match * (row + larger(row + first_diagonal(p, l, bucket), 0));
}

/* Returns the number of diagonals between the bucket and `diagonal`; 0 if the bucket contains it. */
static int64_t distance(const potential *p, const level *l, int64_t bucket, int64_t diagonal) {
  const int64_t first = first_diagonal(p, l, bucket), last = first_diagonal(p, l, bucket + 1) - 1;
  return diagonal < first ? first - diagonal : diagonal > last ? diagonal - last : 0;
}

/* Returns the least cost of the gaps from the bucket to `diagonal`. */
static int64_t distance_cost(const potential *p, const level *l, int64_t bucket, int64_t diagonal) {
  return p->costs.ext * distance(p, l, bucket, diagonal);
}

/* Returns the least cost from any node of a bucket to the end: the gaps, or the letters left out, that lead
 * to the diagonal of the matrix' last corner. */
static int64_t corner_cost(const potential *p, const level *l, int64_t bucket) {
  return (p->costs.free_end ? p->costs.match : p->costs.ext) *
         distance(p, l, bucket, p->problem.columns - p->problem.rows);
}

/* Returns the least cost to the end from a bucket on the last chunk's lower border. */
static int32_t last_cost(const potential *p, const level *l, int64_t bucket) {
  const int64_t corner = distance_cost(p, l, bucket, p->problem.columns - p->problem.rows);
  return least_cost(smaller(corner, end_cost(p, l, p->problem.rows, bucket)), NEVER);
}

/* Returns the least cost from the start to a bucket on the first chunk's upper border. */
static int32_t first_cost(const potential *p, const level *l, int64_t bucket) {
  return least_cost(smaller(distance_cost(p, l, bucket, 0), start_cost(p, l, 0, bucket)), NEVER);
}

static crossing crossing_of(const level_work *w, int64_t chunk) {
  const chunk_known *known = &w->known[chunk];
  const bool seeds = known->broken[0] + known->broken[1] > 0;
  /* Number of diagonals that gaps cross at the threshold's cost. */
  const int64_t gaps = known->dear / w->p->costs.ext;
  return (crossing){
      .costs = &w->p->costs,
      .bucket = w->l->bucket,
      .word = w->l->word,
      .dear = known->dear,
      .reach = {seeds ? level_reach(w, chunk, false) : gaps, seeds ? level_reach(w, chunk, true) : gaps},
      .seeds = {known->broken[0], known->broken[1]},
      .edits = known->edits,
      .count = known[1].begin - known->begin,
      .regions = w->regions + known->begin};
}

/* Returns a border's buckets, without costs: all buckets from the lowest to the highest one of the chunks
 * on both sides. */
static cost_row border_of(const level *l, int64_t border) {
  const int64_t above = larger(border - 1, 0), below = smaller(border, l->chunks - 1);
  return (cost_row){.first = smaller(l->first[above], l->first[below]),
                    .last = larger(l->last[above], l->last[below])};
}

typedef enum way { TO_END, FROM_START } way;

/* Makes room for the costs of a border's buckets [first, last]. */
static cla_status room_for(cost_row *row, int64_t first, int64_t last, chain_space *space, cla_error *error) {
  cla_status status = ALLOCATE_GROW(&space->memory, &space->capacity, last - first + 1, "a potential", error);
  *row = (cost_row){.first = first, .last = last, .cost = space->memory};
  return status;
}

/* Raises the chain's costs at the chunk's upper border to the exact costs of the chunk's unlike buckets. */
static cla_status pass_unlike(level_work *w, unlike_row *row, int64_t chunk, cla_error *error) {
  const unlike_chunk *unlike = &w->unlike[chunk];
  const crossing over = {.costs = &w->p->costs, .bucket = w->l->bucket};
  chain_space rows[2] = {{0}, {0}}, work = {0};
  cost_row below, ends;
  cla_status status = room_for(&below, unlike->first, unlike->last, &rows[0], error);
  if (status == CLA_OK) status = room_for(&ends, unlike->first, unlike->last, &rows[1], error);
  if (status == CLA_OK) status = chain_reach(&below, &w->borders[TO_END][chunk + 1], &over, &work, error);
  for (int64_t b = unlike->first; b <= unlike->last && status == CLA_OK; b++)
    ends.cost[b - unlike->first] =
        least_cost(end_cost(w->p, w->l, chunk_row(w->p, w->l, chunk + 1), b), NEVER);
  const unlike_crossing exactly = {
      .chunk = chunk, .below = &below, .ends = ends.cost, .above = &w->borders[TO_END][chunk]};
  if (status == CLA_OK) status = unlike_cross(w, row, &exactly, error);
  for (int i = 0; i < 2; i++) free(rows[i].memory);
  free(work.memory);
  return status;
}

static cla_status make_borders(level_work *w, way which, int64_t buckets, cla_error *error) {
  const level *l = w->l;
  cost_row **borders = &w->borders[which];
  cla_status status = ALLOCATE_ARRAY(borders, l->chunks + 1, "a potential", error);
  if (status == CLA_OK) status = ALLOCATE_ARRAY(&w->tables[which], buckets, "a potential", error);
  int32_t *cost = w->tables[which];
  for (int64_t c = 0; c <= l->chunks && status == CLA_OK; c++) {
    (*borders)[c] = border_of(l, c);
    (*borders)[c].cost = cost;
    cost += (*borders)[c].last - (*borders)[c].first + 1;
  }
  return status;
}

/* Computes the costs to the end at all borders, from the last border to the first. */
static cla_status go_back(level_work *w, atomic_bool *stopped, chain_space *space, cla_error *error) {
  const potential *p = w->p;
  const level *l = w->l;
  cost_row *borders = w->borders[TO_END];
  const cost_row *last = &borders[l->chunks];
  unlike_row row = {0};
  cla_status status = CLA_OK;
  for (int64_t b = last->first; b <= last->last; b++) last->cost[b - last->first] = last_cost(p, l, b);
  for (int64_t c = l->chunks - 1; c >= 0 && status == CLA_OK && !atomic_load(stopped); c--) {
    const crossing over = crossing_of(w, c);
    status = chain_cross(&borders[c], &borders[c + 1], &over, true, space, error);
    for (int64_t b = borders[c].first; status == CLA_OK && b <= borders[c].last; b++)
      borders[c].cost[b - borders[c].first] =
          least_cost(borders[c].cost[b - borders[c].first], end_cost(p, l, chunk_row(p, l, c + 1), b));
    const bool unlike = w->unlike && w->unlike[c].first <= w->unlike[c].last;
    if (status == CLA_OK && unlike) status = pass_unlike(w, &row, c, error);
    if (status == CLA_OK) path_raise(&borders[c], w, c, true);
    if ((unlike || c % 64 == 0) && bound_pair_stopped(p->pair)) atomic_store(stopped, true);
  }
  unlike_row_free(&row);
  return status;
}

static void begin_forth(const cost_row *at, const level_work *w) {
  for (int64_t b = at->first; b <= at->last; b++) at->cost[b - at->first] = first_cost(w->p, w->l, b);
}

/* Computes the costs from the start at the chunk's lower border from those at the upper border. */
static cla_status step_forth(cost_row *to, const cost_row *from, const level_work *w, int64_t chunk,
                             chain_space *space, cla_error *error) {
  const crossing over = crossing_of(w, chunk);
  const int64_t row = chunk_row(w->p, w->l, chunk);
  cla_status status = chain_cross(to, from, &over, false, space, error);
  for (int64_t b = to->first; status == CLA_OK && b <= to->last; b++)
    to->cost[b - to->first] = least_cost(to->cost[b - to->first], start_cost(w->p, w->l, row, b));
  if (status == CLA_OK) path_raise(to, w, chunk + 1, false);
  return status;
}

static cla_status go_forth(level_work *w, const atomic_bool *stopped, chain_space *space, cla_error *error) {
  cost_row *borders = w->borders[FROM_START];
  cla_status status = CLA_OK;
  begin_forth(&borders[0], w);
  for (int64_t c = 0; c < w->l->chunks && status == CLA_OK && !atomic_load(stopped); c++)
    status = step_forth(&borders[c + 1], &borders[c], w, c, space, error);
  return status;
}

/* Two threads compute the costs to the end and those from the start at the same time. */
typedef struct both_ways {
  level_work *w;
  atomic_int next;
  atomic_bool stopped;
  cla_status status[2];
  cla_error error[2];
} both_ways;

static void take_ways(void *user, int thread) {
  both_ways *s = user;
  (void)thread;
  for (int i; (i = atomic_fetch_add(&s->next, 1)) < 2;) {
    chain_space space = {0};
    s->status[i] = i == TO_END ? go_back(s->w, &s->stopped, &space, &s->error[i])
                               : go_forth(s->w, &s->stopped, &space, &s->error[i]);
    free(space.memory);
  }
}

static int64_t buckets_of_borders(const level *l) {
  int64_t buckets = 0;
  for (int64_t c = 0; c <= l->chunks; c++) {
    const cost_row border = border_of(l, c);
    buckets += border.last - border.first + 1;
  }
  return buckets;
}

static int64_t borders_work(const potential *p, int64_t buckets) {
  return buckets * BUCKET_WORK / (p->threads > 1 ? 2 : 1);
}

bool level_affordable(potential *p, const level *l) {
  const int64_t buckets = buckets_of_borders(l);
  p->memory_short = buckets * BUCKET_BYTES > p->input->bytes_most;
  return !p->memory_short && p->work + borders_work(p, buckets) <= p->work_most;
}

/* Computes the costs at all borders. *useless is set if that takes too much work or memory, or is stopped. */
static cla_status go_both_ways(level_work *w, bool *useless, cla_error *error) {
  potential *p = w->p;
  both_ways s = {.w = w};
  const int64_t buckets = buckets_of_borders(w->l);
  const int64_t bytes = buckets * BUCKET_BYTES + w->costs_count * 8 + w->count * (int64_t)sizeof *w->regions;
  p->memory_short = bytes > p->input->bytes_most;
  *useless = too_much(p, borders_work(p, buckets)) || p->memory_short;
  if (*useless) return CLA_OK;
  cla_status status = make_borders(w, TO_END, buckets, error);
  if (status == CLA_OK) status = make_borders(w, FROM_START, buckets, error);
  if (status != CLA_OK) return status;
  parallel_run(p->threads > 1 ? 2 : 1, take_ways, &s);
  *useless = atomic_load(&s.stopped);
  for (int i = 0; i < 2 && status == CLA_OK; i++) {
    status = s.status[i];
    if (status != CLA_OK) *error = s.error[i];
  }
  return status;
}

/* Returns the coarser level's costs to the end, from bucket `of` in the coarser chunk that contains
 * `chunk`; NULL: not known. */
static const int32_t *known_before(const level *l, int64_t chunk, int64_t of) {
  const level *from = l->before;
  const int64_t above = chunk / (from->chunk_rows / l->chunk_rows);
  if (of < from->first[above] || of > from->last[above]) return NULL;
  return &from->rest.cost[from->rest.offsets[above] + of];
}

/* Returns the coarser level's lower limit on the cost from a chunk's bucket to the end. */
static int64_t cost_before(const potential *p, const level *l, int64_t chunk, int64_t bucket) {
  const int64_t corner = corner_cost(p, l, bucket);
  const int32_t *known = l->before ? known_before(l, chunk, bucket / (l->before->bucket / l->bucket)) : NULL;
  return known ? larger(corner, *known) : corner;
}

/* By bucket of a chunk: least costs from the start to a node of the bucket, and from a node of the bucket to
 * the end. */
typedef struct chunk_costs {
  cost_row before, behind;
  chain_space spaces[2], work;
} chunk_costs;

/* Returns a high estimate of the exact cost from the start to a bucket: the cost along the bound's path,
 * then of a gap to the bucket. */
static int64_t expected_cost(const level_work *w, int64_t chunk, int64_t bucket, int64_t start) {
  if (!w->path || w->path[chunk].first > w->path[chunk].last) return start;
  const path_part *part = &w->path[chunk];
  const int64_t below = distance_cost(w->p, w->l, bucket, part->first),
                above = distance_cost(w->p, w->l, bucket, part->last);
  const int64_t first = first_diagonal(w->p, w->l, bucket);
  const bool between = first + w->l->bucket > part->first && first <= part->last;
  return smaller(part->before + (between ? 0 : smaller(below, above)), start);
}

/* Computes cost_before for all buckets of a chunk. */
static void costs_before(int32_t *out, const potential *p, const level *l, int64_t chunk) {
  const level *from = l->before;
  const int64_t last = l->last[chunk];
  const int64_t buckets = from ? from->bucket / l->bucket : last + 1;
  for (int64_t b = l->first[chunk], end; b <= last; b = end) {
    end = smaller((b / buckets + 1) * buckets, last + 1);
    const int32_t *known = from ? known_before(l, chunk, b / buckets) : NULL;
    for (int64_t k = b; k < end; k++)
      out[k] = least_cost(larger(corner_cost(p, l, k), known ? *known : 0), NEVER);
  }
}

static cla_status look_at_chunk(chunk_left *out, const level_work *w, int64_t chunk, chunk_costs *costs,
                                cla_error *error) {
  const potential *p = w->p;
  const level *l = w->l;
  const crossing over = crossing_of(w, chunk);
  const int64_t first = l->first[chunk], last = l->last[chunk];
  cla_status status = room_for(&costs->before, first, last, &costs->spaces[0], error);
  if (status == CLA_OK) status = room_for(&costs->behind, first, last, &costs->spaces[1], error);
  if (status == CLA_OK)
    status = chain_reach(&costs->before, &w->borders[FROM_START][chunk], &over, &costs->work, error);
  if (status == CLA_OK)
    status = chain_reach(&costs->behind, &w->borders[TO_END][chunk + 1], &over, &costs->work, error);
  if (status != CLA_OK) return status;
  const int64_t upper = chunk_row(p, l, chunk), lower = chunk_row(p, l, chunk + 1);
  *out = (chunk_left){.first = INT64_MAX, .last = -1};
  int32_t *rest = l->rest.cost + l->rest.offsets[chunk];
  uint8_t *starts = l->rest.starts + l->rest.offsets[chunk];
  costs_before(rest, p, l, chunk);
  for (int64_t b = first; b <= last; b++) {
    const int64_t start = start_cost(p, l, upper, b);
    const int64_t from = smaller(costs->before.cost[b - first], start);
    const int64_t known = smaller(costs->behind.cost[b - first], end_cost(p, l, lower, b));
    const int64_t to = larger(known, rest[b]);
    rest[b] = least_cost(to, NEVER);
    starts[b] = start + to <= p->budget;
    if (from + to > p->budget) continue;
    out->expected += expected_cost(w, chunk, b, start) + to <= p->budget;
    out->first = smaller(out->first, b);
    out->last = b;
    out->starts |= start + to <= p->budget;
  }
  return status;
}

/* Gives one bucket to each chunk without buckets, for example to chunks below all ends. Returns false if no
 * chunk has a bucket. */
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

/* If paths may start in a chunk, gives all chunks above it at least the same buckets. So all diagonals of
 * starts are included (docs/internals/bounds.md, "Starts"). */
static void close_starts(chunk_left *left, const level *l) {
  for (int64_t c = l->chunks - 1; c > 0; c--) {
    if (!left[c].starts) continue;
    left[c - 1].first = larger(smaller(left[c - 1].first, left[c].first), l->first[c - 1]);
    left[c - 1].last = smaller(larger(left[c - 1].last, left[c].last), l->last[c - 1]);
    left[c - 1].starts = true;
  }
}

/* Chunks shared by threads; a thread takes LOOK_CHUNKS of them at a time. */
typedef struct shared_chunks {
  const level_work *w;
  chunk_left *left;
  atomic_llong next;
  atomic_bool failed;
} shared_chunks;

static void take_chunks(void *user, int thread) {
  shared_chunks *s = user;
  const int64_t chunks = s->w->l->chunks;
  chunk_costs costs = {0};
  cla_status status = CLA_OK;
  (void)thread;
  while (status == CLA_OK && !atomic_load(&s->failed)) {
    const int64_t from = atomic_fetch_add(&s->next, LOOK_CHUNKS), end = smaller(from + LOOK_CHUNKS, chunks);
    if (from >= chunks) break;
    for (int64_t c = from; c < end && status == CLA_OK; c++)
      status = look_at_chunk(&s->left[c], s->w, c, &costs, NULL);
  }
  if (status != CLA_OK) atomic_store(&s->failed, true);
  for (int i = 0; i < 2; i++) free(costs.spaces[i].memory);
  free(costs.work.memory);
}

/* Computes the buckets left in each chunk from the costs from the start and those to the end. */
static cla_status look_at_all(const level_work *w, chunk_left *left, cla_error *error) {
  shared_chunks s = {.w = w, .left = left};
  parallel_run((int)smaller(w->p->threads, w->l->chunks / LOOK_CHUNKS + 1), take_chunks, &s);
  return atomic_load(&s.failed) ? allocate_failed("the potential", error) : CLA_OK;
}

/* The costs from the start at one border: the upper border of `chunk`. */
typedef struct forth {
  cost_row at;
  int64_t chunk;
  chain_space rows[2], space;
} forth;

static void free_forth(forth *f) {
  for (int i = 0; i < 2; i++) free(f->rows[i].memory);
  free(f->space.memory);
}

static cla_status start_forth(forth *f, const level_work *w, cla_error *error) {
  *f = (forth){.at = border_of(w->l, 0)};
  cla_status status = room_for(&f->at, f->at.first, f->at.last, &f->rows[0], error);
  if (status == CLA_OK) begin_forth(&f->at, w);
  return status;
}

/* Moves to the next border below. */
static cla_status move_forth(forth *f, const level_work *w, cla_error *error) {
  cost_row next = border_of(w->l, f->chunk + 1);
  cla_status status = room_for(&next, next.first, next.last, &f->rows[(f->chunk + 1) % 2], error);
  if (status == CLA_OK) status = step_forth(&next, &f->at, w, f->chunk, &f->space, error);
  f->at = next;
  f->chunk++;
  return status;
}

/* Excludes buckets of the chunks [f->chunk, end) by the costs from the start at f's border. Each chunk keeps
 * at least one bucket. */
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
      if (from + cost_before(p, l, c, b) > p->budget) continue;
      if (last < 0) first = b;
      last = b;
    }
    l->first[c] = first;
    l->last[c] = larger(first, last);
  }
  free(space.memory);
  return status;
}

/* Returns the end of the batch that starts with the chunk. */
static int64_t batch_end(const level *l, int64_t chunk) {
  if (l->period == 0) return smaller(chunk + larger(l->chunks / BATCHES, BATCH_LEAST), l->chunks);
  const int64_t end = (chunk / l->period + 1) * l->period, barrier = end - l->barrier;
  return smaller(chunk < barrier ? barrier : end, l->chunks);
}

/* Finds the regions of all chunks. Edits are counted in batches, and the costs that earlier batches found
 * narrow each batch. */
static cla_status find_all(level_work *w, bool *useless, cla_error *error) {
  const level *l = w->l;
  if (!l->edits) return level_regions(w, 0, l->chunks, useless, error);
  forth f;
  cla_status status = start_forth(&f, w, error);
  for (int64_t c = 0, end; c < l->chunks && status == CLA_OK && !*useless; c = end) {
    end = batch_end(l, c);
    if (c > 0) status = leave_out(w, &f, end, error);
    if (status == CLA_OK) status = level_regions(w, c, end, useless, error);
    while (f.chunk < end && end < l->chunks && status == CLA_OK && !*useless) {
      *useless = too_much(w->p, (f.at.last - f.at.first + 1) * BUCKET_WORK / 3);
      status = move_forth(&f, w, error);
    }
  }
  free_forth(&f);
  return status;
}

static cla_status make_rest(level *l, cla_error *error) {
  level_rest *rest = &l->rest;
  int64_t buckets = 0;
  cla_status status = ALLOCATE_ARRAY(&rest->offsets, l->chunks, "a potential", error);
  for (int64_t c = 0; c < l->chunks && status == CLA_OK; c++) {
    rest->offsets[c] = buckets - l->first[c];
    buckets += l->last[c] - l->first[c] + 1;
  }
  if (status == CLA_OK) status = ALLOCATE_ARRAY(&rest->cost, buckets, "a potential", error);
  return status == CLA_OK ? ALLOCATE_ARRAY(&rest->starts, buckets, "a potential", error) : status;
}

/* Lowers costs where paths may start anywhere. If a path that matters may start in a bucket, the same
 * bucket of the chunk above then excludes no node that is as good as a start (docs/internals/bounds.md,
 * "Starts"). */
static void open_starts(const potential *p, const level *l) {
  const level_rest *rest = &l->rest;
  for (int64_t c = l->chunks - 1; c > 0; c--) {
    const int64_t row = chunk_row(p, l, c);
    const int64_t here = rest->offsets[c], above = rest->offsets[c - 1];
    const int64_t last = smaller(l->last[c], l->last[c - 1]);
    for (int64_t b = larger(l->first[c], l->first[c - 1]); b <= last; b++) {
      if (!rest->starts[here + b]) continue;
      const int64_t column = larger(row + first_diagonal(p, l, b + 1) - 1, 0);
      rest->starts[above + b] = 1;
      rest->cost[above + b] = least_cost(rest->cost[above + b], p->budget - p->costs.match * (row + column));
    }
  }
}

cla_status level_narrow(potential *p, level *l, bool *useless, cla_error *error) {
  level_work w = {.p = p, .l = l};
  cla_status status = ALLOCATE_ZEROS(&w.known, l->chunks + 1, "a potential", error);
  if (status == CLA_OK) status = path_follow(&w, error);
  if (status == CLA_OK) status = find_all(&w, useless, error);
  if (status == CLA_OK && !*useless && l->fits) status = unlike_find(&w, error);
  if (status == CLA_OK && !*useless) status = go_both_ways(&w, useless, error);
  if (status == CLA_OK && !*useless) status = make_rest(l, error);
  if (status == CLA_OK && !*useless) status = look_at_all(&w, p->left, error);
  if (status == CLA_OK && !*useless) *useless = !fill_empty(p->left, l);
  if (status == CLA_OK && !*useless) close_starts(p->left, l);
  if (status == CLA_OK && !*useless && l->fits && p->problem.scheme.ends.floor) open_starts(p, l);
  free(w.nodes);
  free(w.path);
  free(w.unlike);
  free(w.known);
  free(w.regions);
  free(w.seeds);
  free(w.ends);
  for (int i = 0; i < 2; i++) {
    free(w.borders[i]);
    free(w.tables[i]);
  }
  free(w.space.memory);
  return status;
}
