/* The textbook kernel: 32-bit lanes, one work-item per lane, one work-group per tile. Right for every device
 * and every scheme, score matrices included; the last resort where nothing faster is allowed.
 *
 * The recurrence is vector16.cl's, that of linear gaps (GAPS 1) too. Work-item l owns ALPHA consecutive rows of its strip
 * and hands its bottom row's (H, F) to work-item l + 1 through local memory, double-buffered, with one barrier a step. The
 * bus is read and written in blocks of LANES columns. Values are relative to a 64-bit base moved at every tile, so scores
 * may pass 2^31.
 *
 * Launch: strips.clh's, LANES work-items a group, tile diagonals only.
 * Local memory: 9 LANES + 4 values of 32 bits, with GAPS 3 another 4 LANES + 2, and, with LOCAL, 3 LANES of 64 bits.
 *
 * Options: common.clh's. LANES is the local size, and tile_columns a multiple of it. */

#define KERNEL group32
#define VALUE int
#define VALUE_BITS 32
#define STATE int
#define CHAIN_ITEMS LANES

#include "common.clh"

typedef struct rows32 {
  int h[ALPHA], e[ALPHA];
  int f, diagonal;
  int query[ALPHA];
#if GAPS == 3
  int e2[ALPHA], f2; /* of the second piece */
#endif
} rows32;

typedef struct handover {
  int h[2][LANES + 1], f[2][LANES + 1]; /* [step parity][lane that takes it] */
  int above_h[LANES], above_f[LANES];   /* a block of the bus */
  int below_h[LANES], below_f[LANES];
#if GAPS == 3
  int f2[2][LANES + 1], above_f2[LANES], below_f2[LANES];
#endif
} handover;

typedef struct chain_memory {
  int ticket;
  handover pass;
#if BEST
  int best[LANES];
  long score[LANES], row[LANES], column[LANES]; /* each work-item's best cell */
#endif
} chain_memory;

/* A work-item's view of its tile. */
typedef struct tile32 {
  constant region_params *p;
  global const uchar *target;
  constant int *scores;
  global const int *above;
  global int *below;
  global int *bottom;
  global int *kept; /* a special row's slot, or 0 */
  long base, first_step, strip_row;
  strip_entry entry;
  long own_step; /* steps of the strip before the tile */
  int lane, chosen, chosen_lane, floor;
#if USED
  const region_work *work;
  long strip;
  bool uses; /* some pair of the block of steps may not be made */
#endif
} tile32;

/* The score of row a's letter against the target's. If the row's bit forbids the pair, it is that of a used pair. */
static inline int pair_score(const tile32 *v, int a, int query, int target, uint forbidden) {
#if USED
  if (forbidden >> a & 1) return USED_SCORE(v->p);
#endif
#if MATRIX
  return v->scores[query * SCORE_STRIDE + target];
#else
  return query == target ? (int)v->p->match : (int)v->p->mismatch;
#endif
}

static void enter_rows(rows32 *s, const tile32 *v) {
  const long row = v->strip_row + (long)v->lane * ALPHA;
  s->diagonal = (int)(entry_h(v->p, &v->entry, row - 1) - v->base);
#pragma unroll
  for (int a = 0; a < ALPHA; a++) {
    const int h = (int)(entry_h(v->p, &v->entry, row + a) - v->base);
    s->h[a] = h;
    s->e[a] = h - (int)v->p->gap.first;
#if GAPS == 3
    s->e2[a] = h - (int)v->p->gap.first2;
#endif
  }
}

/* Advances this work-item's rows by one column; returns the largest H of them. `up_f2` is of the second piece. */
static inline int step(rows32 *s, const tile32 *v, long column, int up_h, int up_f, int up_f2) {
  const int target = target_code(v->p, v->target, column);
  uint forbidden = 0;
#if USED
  if (v->uses) forbidden = used_rows(v->work, v->strip, v->strip_row + (long)v->lane * ALPHA, column);
#endif
  const int ext = (int)v->p->gap.ext;
#if GAPS > 1
  const int first = (int)v->p->gap.first;
#endif
#if GAPS == 3
  const int first2 = (int)v->p->gap.first2, ext2 = (int)v->p->gap.ext2;
  int f2 = up_f2;
#endif
  int f = up_f, diagonal = s->diagonal, best = INT_MIN;
  s->diagonal = up_h;
#pragma unroll
  for (int a = 0; a < ALPHA; a++) {
#if GAPS > 1
    int g = max(diagonal + pair_score(v, a, s->query[a], target, forbidden), s->e[a]);
#else
    int g = max(diagonal + pair_score(v, a, s->query[a], target, forbidden), s->h[a] - ext);
#endif
#if LOCAL
    g = max(g, v->floor);
#endif
#if GAPS == 3
    g = max(g, max(s->e2[a], f2));
#endif
    const int h = max(g, f);
#if GAPS == 3
    f = max(f - ext, h - first);
    f2 = max(f2 - ext2, h - first2);
    s->e[a] = max(s->e[a] - ext, h - first);
    s->e2[a] = max(s->e2[a] - ext2, h - first2);
#elif GAPS > 1
    f = max(f - ext, g - first);
    s->e[a] = max(s->e[a] - ext, h - first);
#else
    f = h - ext;
#endif
    diagonal = s->h[a];
    s->h[a] = h;
    best = max(best, h);
  }
  s->f = f;
#if GAPS == 3
  s->f2 = f2;
#endif
  return best;
}

/* Computes the tile's steps. Returns the largest H of this work-item's cells; unless `score` is INT_MAX, every cell that has
 * exactly that, or, with BEST 2, is in the last column, is offered to `found`. All work-items of the group take part. */
static inline int sweep(rows32 *s, tile32 *v, local handover *pass, int score, strip_best *found) {
  const long steps = v->p->tile_columns;
  int best = INT_MIN;
  pass->h[0][v->lane + 1] = s->h[ALPHA - 1];
  pass->f[0][v->lane + 1] = s->f;
#if GAPS == 3
  pass->f2[0][v->lane + 1] = s->f2;
#endif
  for (long block = 0; block < steps; block += LANES) {
#if USED
    const long begin = v->first_step + block;
    v->uses = uses_columns(v->work, v->strip, begin - LANES, begin + LANES);
#endif
    const long here = BUS_MARGIN + v->first_step + block + v->lane;
    pass->above_h[v->lane] = (int)((uint)v->above[here] - (uint)v->base);
    pass->above_f[v->lane] = (int)((uint)v->above[v->p->stride + here] - (uint)v->base);
#if GAPS == 3
    pass->above_f2[v->lane] = (int)((uint)v->above[2 * v->p->stride + here] - (uint)v->base);
#endif
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < LANES; k++) {
      const int parity = k & 1;
      const long column = v->first_step + block + k - v->lane, own = v->own_step + block + k - v->lane;
      if (own == 0) enter_rows(s, v);
      if (own >= 0) {
        const int up_h = v->lane ? pass->h[parity][v->lane] : pass->above_h[k];
        const int up_f = v->lane ? pass->f[parity][v->lane] : pass->above_f[k];
#if GAPS == 3
        const int up_f2 = v->lane ? pass->f2[parity][v->lane] : pass->above_f2[k];
#else
        const int up_f2 = 0;
#endif
        const int largest = step(s, v, column, up_h, up_f, up_f2);
        if (column < v->p->columns) best = max(best, largest);
#if BEST == 2
        if (score != INT_MAX && column == v->p->columns - 1)
#pragma unroll
          for (int a = 0; a < ALPHA; a++) {
            const long row = v->strip_row + (long)v->lane * ALPHA + a;
            if (row < v->p->rows) best_offer(found, v->base + s->h[a], row, column);
          }
#elif BEST
        if (largest == score && column < v->p->columns)
#pragma unroll
          for (int a = 0; a < ALPHA; a++) {
            const long row = v->strip_row + (long)v->lane * ALPHA + a;
            if (s->h[a] == score && row < v->p->rows) best_offer(found, v->base + score, row, column);
          }
#endif
        if (v->lane == v->chosen_lane)
#pragma unroll
          for (int a = 0; a < ALPHA; a++)
            if (a == v->chosen) v->bottom[BUS_MARGIN + column] = (int)((uint)s->h[a] + (uint)v->base);
      }
      pass->h[parity ^ 1][v->lane + 1] = s->h[ALPHA - 1];
      pass->f[parity ^ 1][v->lane + 1] = s->f;
#if GAPS == 3
      pass->f2[parity ^ 1][v->lane + 1] = s->f2;
#endif
      if (v->lane == LANES - 1) {
        pass->below_h[k] = s->h[ALPHA - 1];
        pass->below_f[k] = s->f;
#if GAPS == 3
        pass->below_f2[k] = s->f2;
#endif
      }
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    const int h = (int)((uint)pass->below_h[v->lane] + (uint)v->base);
    const int f = (int)((uint)pass->below_f[v->lane] + (uint)v->base);
    const long there = here - (LANES - 1);
    v->below[there] = h;
    v->below[v->p->stride + there] = f;
    if (v->kept) {
      v->kept[there] = h;
      v->kept[v->p->stride + there] = f;
    }
#if GAPS == 3
    const int f2 = (int)((uint)pass->below_f2[v->lane] + (uint)v->base);
    v->below[2 * v->p->stride + there] = f2;
    if (v->kept) v->kept[2 * v->p->stride + there] = f2;
#endif
  }
  return best;
}

#define STATE_VALUES (BUS_LINES * (ALPHA + 1)) /* H, E, F, the diagonal; with GAPS 3 E2 and F2 */

static void load_rows(rows32 *s, global const int *state, int lane, int moved) {
#pragma unroll
  for (int a = 0; a < ALPHA; a++) {
    s->h[a] = state[a * LANES + lane] - moved;
    s->e[a] = state[(ALPHA + a) * LANES + lane] - moved;
  }
  s->f = state[2 * ALPHA * LANES + lane] - moved;
  s->diagonal = state[(2 * ALPHA + 1) * LANES + lane] - moved;
#if GAPS == 3
#pragma unroll
  for (int a = 0; a < ALPHA; a++) s->e2[a] = state[(2 * ALPHA + 2 + a) * LANES + lane] - moved;
  s->f2 = state[(3 * ALPHA + 2) * LANES + lane] - moved;
#endif
}

static void save_rows(global int *state, const rows32 *s, int lane) {
#pragma unroll
  for (int a = 0; a < ALPHA; a++) {
    state[a * LANES + lane] = s->h[a];
    state[(ALPHA + a) * LANES + lane] = s->e[a];
  }
  state[2 * ALPHA * LANES + lane] = s->f;
  state[(2 * ALPHA + 1) * LANES + lane] = s->diagonal;
#if GAPS == 3
#pragma unroll
  for (int a = 0; a < ALPHA; a++) state[(2 * ALPHA + 2 + a) * LANES + lane] = s->e2[a];
  state[(3 * ALPHA + 2) * LANES + lane] = s->f2;
#endif
}

static inline __attribute__((always_inline)) void compute_tile(const region_work *w, long strip, long tile,
                                                                local chain_memory *memory) {
  constant region_params *p = w->p;
  local handover *pass = &memory->pass;
  global int *state = w->states + strip * (STATE_VALUES * LANES);
  tile32 v;
  rows32 s;
  v.p = p;
  v.target = w->target;
  v.scores = w->scores;
  v.lane = (int)get_local_id(0);
  v.strip_row = strip * STRIP_ROWS;
  v.first_step = tile * p->tile_columns;
  find_entry(&v.entry, w, strip);
  v.own_step = (tile - v.entry.tile) * p->tile_columns;
  const bool begun = v.own_step > 0;
#if USED
  v.work = w;
  v.strip = strip;
#endif
  v.above = w->bus + ((strip + 1) & 1) * BUS_LINES * p->stride;
  v.below = w->bus + (strip & 1) * BUS_LINES * p->stride;
  v.bottom = w->bottom;
  v.kept = 0;
  if (keeps_row(p, strip))
    v.kept = w->rows + ((strip + 1) / p->row_interval - 1) % p->row_slots * BUS_LINES * p->stride;

  /* Move the base to the middle of the strip's last column. */
  const int moved = begun ? state[(ALPHA - 1) * LANES + LANES / 2] : 0;
  v.base = begun ? w->bases[strip] + moved : entry_h(p, &v.entry, v.strip_row + STRIP_ROWS / 2);
  v.floor = (int)clamp(-v.base, -2000000000L, 2000000000L);
  const bool last = strip == p->strips - 1;
  const int bottom_row = (int)(p->rows - 1 - v.strip_row);
  v.chosen = bottom_row % ALPHA;
  v.chosen_lane = p->bottom && last ? bottom_row / ALPHA : -1;

#pragma unroll
  for (int a = 0; a < ALPHA; a++) s.query[a] = query_code(p, w->query, v.strip_row + (long)v.lane * ALPHA + a);

  /* A tile that reaches the best known score can hold the best cell, and is gone through once more to find it. Only then is
   * the state of its last column written over that of its first. */
#if BEST
  strip_best found = w->bests[strip];
#else
  strip_best found; /* not used */
#endif
  int wanted = INT_MAX, passes = 1;
  barrier(CLK_GLOBAL_MEM_FENCE); /* all have read the bytes that lane 0 and its neighbours will write */
  for (int count = 0; count < passes; count++) {
#pragma unroll
    for (int a = 0; a < ALPHA; a++) s.h[a] = s.e[a] = 0;
    s.f = s.diagonal = 0;
#if GAPS == 3
    for (int a = 0; a < ALPHA; a++) s.e2[a] = 0;
    s.f2 = 0;
#endif
    if (begun) load_rows(&s, state, v.lane, moved);
    int best = sweep(&s, &v, pass, wanted, &found);
#if BEST == 2
    if (count == 0 && reaches_last_column(p, v.first_step)) {
      wanted = 0;
      passes = 2;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
#elif BEST
    if (count == 0) {
      memory->best[v.lane] = best;
      barrier(CLK_LOCAL_MEM_FENCE);
      for (int lane = 0; lane < LANES; lane++) best = max(best, memory->best[lane]);
      barrier(CLK_LOCAL_MEM_FENCE);
      if (v.lane == 0) memory->best[0] = may_be_best(w, v.base + best);
      barrier(CLK_LOCAL_MEM_FENCE);
      if (memory->best[0]) {
        wanted = best;
        passes = 2;
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
  }
  /* Without this barrier PoCL 5.0's work-item loops mix the lanes' states. */
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  save_rows(state, &s, v.lane);
  if (v.lane == 0) w->bases[strip] = v.base;

  if (tile == p->tiles - 1) { /* the columns that the last lane does not reach hold padding only */
    const long end = BUS_MARGIN + v.first_step + p->tile_columns - (LANES - 1);
    const int h = (int)((uint)pass->below_h[LANES - 1] + (uint)v.base);
    const int f = (int)((uint)pass->below_f[LANES - 1] + (uint)v.base);
    if (v.lane < LANES - 1) {
      v.below[end + v.lane] = h;
      v.below[p->stride + end + v.lane] = f;
#if GAPS == 3
      v.below[2 * p->stride + end + v.lane] = (int)((uint)pass->below_f2[LANES - 1] + (uint)v.base);
#endif
    }
  }

#if BEST
  if (passes == 2) {
    memory->score[v.lane] = found.score;
    memory->row[v.lane] = found.row;
    memory->column[v.lane] = found.column;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (v.lane == 0) {
      for (int lane = 0; lane < LANES; lane++)
        best_offer(&found, memory->score[lane], memory->row[lane], memory->column[lane]);
      publish_best(w, strip, &found);
    }
  }
#endif
}

/* H in the last row of the lane, in the last column that it has come to. */
static inline long lane_h(const region_work *w, long strip, int lane) {
  return w->bases[strip] + w->states[strip * (STATE_VALUES * LANES) + (ALPHA - 1) * LANES + lane];
}

#include "strips.clh"
