/* Wide vectors of 16-bit lanes: one work-item computes one tile. For CPUs.
 *
 *   g      = max(H(i-1,j-1) + s, E(i,j))          and the floor 0 in local mode
 *   H(i,j) = max(g, F(i,j))
 *   F(i+1,j) = max(F(i,j) - ext, g - first)       opening from an F is never better than going on
 *   E(i,j+1) = max(E(i,j) - ext, H(i,j) - first)
 *
 * Lane l of the vector owns ALPHA rows; a strip has LANES x ALPHA rows. All values are relative to a 64-bit
 * base that is moved at the start of every tile; lane_width.h proves that they fit.
 *
 * Launch: one dimension, one work-item per tile of the diagonal (strip s, tile d - 2s), local size 1.
 * Local memory: none. Private memory: (TILE + LANES) letters and 2 TILE bus values of 16 bits.
 *
 * Defines: LANES (power of two), ALPHA, TILE (largest tile_columns, >= LANES), LOCAL. */

#include "common.clh"

typedef short vec __attribute__((ext_vector_type(LANES)));

#define VMAX(a, b) ((a) > (b) ? (a) : (b))

/* One strip's state between steps. */
typedef struct lanes {
  vec h[ALPHA], e[ALPHA]; /* H of the last column, E entering the next */
  vec f;                  /* F entering the row below the lane's last */
  vec diagonal;           /* H above the lane's first row, at the last column */
} lanes;

typedef struct scores {
  vec match, mismatch, first, ext, floor;
} scores;

#define INDEX_1(b) b
#define INDEX_2(b) INDEX_1(b), INDEX_1(b + 1)
#define INDEX_4(b) INDEX_2(b), INDEX_2(b + 2)
#define INDEX_8(b) INDEX_4(b), INDEX_4(b + 4)
#define INDEX_16(b) INDEX_8(b), INDEX_8(b + 8)
#define INDEX_32(b) INDEX_16(b), INDEX_16(b + 16)
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#if LANES == 8
#define FIRST_INDICES INDEX_4(0), INDEX_2(4), 6
#elif LANES == 16
#define FIRST_INDICES INDEX_8(0), INDEX_4(8), INDEX_2(12), 14
#elif LANES == 32
#define FIRST_INDICES INDEX_16(0), INDEX_8(16), INDEX_4(24), INDEX_2(28), 30
#else
#error LANES must be 8, 16 or 32
#endif

/* Every lane's value to the next lane; `first` enters lane 0. */
static inline vec shift_in(vec v, short first) {
  return __builtin_shufflevector(v, (vec)(first), LANES, FIRST_INDICES);
}

static inline vec load_vec(const short *from) {
  vec v;
  __builtin_memcpy(&v, from, sizeof v);
  return v;
}

static inline short largest_lane(vec v) {
  short best = v[0];
  for (int lane = 1; lane < LANES; lane++) best = max(best, (short)v[lane]);
  return best;
}

/* Advances all lanes by one column. `up_h`, `up_f`: what lane 0 takes from above. Returns the lanes' largest
 * H; where `chosen` >= 0, *chosen_h is the H of row `chosen` of each lane. */
static inline vec step(lanes *s, const vec *query, vec target, short up_h, short up_f, const scores *c, int chosen,
                       vec *chosen_h) {
  vec above = shift_in(s->h[ALPHA - 1], up_h);
  vec f = shift_in(s->f, up_f);
  vec diagonal = s->diagonal;
  vec best = (vec)(short)-32768;
  s->diagonal = above;
#pragma unroll
  for (int a = 0; a < ALPHA; a++) {
    vec g = diagonal + (query[a] == target ? c->match : c->mismatch);
    g = VMAX(g, s->e[a]);
#if LOCAL
    g = VMAX(g, c->floor);
#endif
    vec h = VMAX(g, f);
    vec lower = f - c->ext, opened = g - c->first;
    f = VMAX(lower, opened);
    vec longer = s->e[a] - c->ext, begun = h - c->first;
    s->e[a] = VMAX(longer, begun);
    diagonal = s->h[a];
    s->h[a] = h;
#if LOCAL
    best = VMAX(best, h);
#endif
    if (chosen >= 0) *chosen_h = a == chosen ? h : *chosen_h;
  }
  s->f = f;
  return best;
}

/* Puts lane `lane` on the left border: the step to come is its column 0. */
static void enter_lane(lanes *s, constant region_params *p, long strip_row, int lane, long base) {
  long row = strip_row + (long)lane * ALPHA;
  s->diagonal[lane] = (short)(left_border_h(p, row - 1) - base);
  for (int a = 0; a < ALPHA; a++) {
    long h = left_border_h(p, row + a) - base;
    s->h[a][lane] = (short)h;
    s->e[a][lane] = (short)(h - p->gap_first);
  }
}

#define STATE_VECTORS (2 * ALPHA + 2)

static void load_lanes(lanes *s, global const short *state, short moved) {
  for (int a = 0; a < ALPHA; a++)
    for (int lane = 0; lane < LANES; lane++) {
      s->h[a][lane] = state[a * LANES + lane] - moved;
      s->e[a][lane] = state[(ALPHA + a) * LANES + lane] - moved;
    }
  for (int lane = 0; lane < LANES; lane++) {
    s->f[lane] = state[2 * ALPHA * LANES + lane] - moved;
    s->diagonal[lane] = state[(2 * ALPHA + 1) * LANES + lane] - moved;
  }
}

static void save_lanes(global short *state, const lanes *s) {
  for (int a = 0; a < ALPHA; a++)
    for (int lane = 0; lane < LANES; lane++) {
      state[a * LANES + lane] = s->h[a][lane];
      state[(ALPHA + a) * LANES + lane] = s->e[a][lane];
    }
  for (int lane = 0; lane < LANES; lane++) {
    state[2 * ALPHA * LANES + lane] = s->f[lane];
    state[(2 * ALPHA + 1) * LANES + lane] = s->diagonal[lane];
  }
}

/* What a tile reads and writes besides its lanes. */
typedef struct tile_view {
  vec query[ALPHA];
  scores c;
  short letters[TILE + LANES]; /* the target's letters, last column first: a lane's letter is at its index */
  short above_h[TILE], above_f[TILE];
  global short *below_h, *below_f; /* the bus for the strip below, at the column of step 0's last lane */
  short base;                      /* 16 low bits of the base */
  long strip_row, first_step;
} tile_view;

static inline vec letters_at(const tile_view *v, long steps, long k) {
  return load_vec(v->letters + (steps - 1 - k));
}

static inline void put_below(tile_view *v, const lanes *s, long k) {
  v->below_h[k] = s->h[ALPHA - 1][LANES - 1] + v->base;
  v->below_f[k] = s->f[LANES - 1] + v->base;
}

/* The first LANES steps of a strip: lane k begins at step k. */
static vec enter_strip(lanes *s, tile_view *v, constant region_params *p, long base, int chosen,
                       int chosen_lane, global short *bottom) {
  vec best = (vec)(short)-32768;
  for (int k = 0; k < LANES; k++) {
    vec h = (vec)(short)0;
    enter_lane(s, p, v->strip_row, k, base);
    vec largest = step(s, v->query, letters_at(v, p->tile_columns, k), v->above_h[k], v->above_f[k], &v->c, chosen,
                       &h);
    for (int lane = 0; lane <= k; lane++) best[lane] = max((short)best[lane], (short)largest[lane]);
    put_below(v, s, k);
    if (chosen >= 0) bottom[k] = h[chosen_lane] + v->base;
  }
  return best;
}

#if LOCAL
/* Goes through the tile again and offers every cell that reaches `score` to the strip's best. */
static void locate(lanes *s, tile_view *v, constant region_params *p, long base, short score, strip_best *best) {
  for (long k = 0; k < p->tile_columns; k++) {
    vec h;
    if (v->first_step + k < LANES) enter_lane(s, p, v->strip_row, (int)(v->first_step + k), base);
    vec largest = step(s, v->query, letters_at(v, p->tile_columns, k), v->above_h[k], v->above_f[k], &v->c, -1, &h);
    for (int lane = 0; lane < LANES; lane++) {
      long column = v->first_step + k - lane;
      if (largest[lane] != score || column < 0 || column >= p->columns) continue;
      for (int a = 0; a < ALPHA; a++) {
        long row = v->strip_row + (long)lane * ALPHA + a;
        if (s->h[a][lane] == score && row < p->rows) best_offer(best, base + score, row, column);
      }
    }
  }
}
#endif

kernel void vector16(constant region_params *p, constant int *unused_scores, global const uchar *query, global const uchar *target,
                     global short *bus, global short *states, global long *bases, global short *rows,
                     global short *bottom, global strip_best *bests, long diagonal, long first_strip) {
  const long strip = first_strip + (long)get_global_id(0);
  const long tile = diagonal - 2 * strip;
  const long steps = p->tile_columns;
  global short *state = states + strip * (STATE_VECTORS * LANES);
  global const short *above = bus + ((strip + 1) & 1) * 2 * p->stride;
  global short *below = bus + (strip & 1) * 2 * p->stride;
  tile_view v;
  lanes s;
  v.strip_row = strip * STRIP_ROWS;
  v.first_step = tile * steps;

  /* Move the base to the middle of the strip's last column. */
  const short moved = tile == 0 ? 0 : state[(ALPHA - 1) * LANES + LANES / 2];
  const long base = tile == 0 ? left_border_h(p, v.strip_row + STRIP_ROWS / 2) : bases[strip] + moved;
  bases[strip] = base;
  v.base = (short)base;
  v.c.match = (vec)(short)p->match;
  v.c.mismatch = (vec)(short)p->mismatch;
  v.c.first = (vec)(short)p->gap_first;
  v.c.ext = (vec)(short)p->gap_ext;
  v.c.floor = (vec)(short)clamp(-base, -32000L, 32000L);

  for (int a = 0; a < ALPHA; a++)
    for (int lane = 0; lane < LANES; lane++)
      v.query[a][lane] = (short)query_letter(p, query, v.strip_row + (long)lane * ALPHA + a);
  for (long x = 0; x < steps + LANES - 1; x++)
    v.letters[x] = (short)target_letter(p, target, v.first_step + steps - 1 - x);
  for (long k = 0; k < steps; k++) {
    v.above_h[k] = above[BUS_MARGIN + v.first_step + k] - v.base;
    v.above_f[k] = above[p->stride + BUS_MARGIN + v.first_step + k] - v.base;
  }
  v.below_h = below + BUS_MARGIN + v.first_step - (LANES - 1);
  v.below_f = v.below_h + p->stride;

  const bool last = strip == p->strips - 1;
  const int bottom_row = (int)(p->rows - 1 - v.strip_row);
  const int chosen = p->bottom && last ? bottom_row % ALPHA : -1;
  const int chosen_lane = bottom_row / ALPHA;
  global short *bottom_h = bottom + BUS_MARGIN + v.first_step - chosen_lane;

  if (tile == 0) {
    for (int a = 0; a < ALPHA; a++) s.h[a] = s.e[a] = (vec)(short)0;
    s.f = s.diagonal = (vec)(short)0;
  } else {
    load_lanes(&s, state, moved);
  }
  vec best = (vec)(short)-32768;
  long k = 0;
  if (tile == 0) {
    best = enter_strip(&s, &v, p, base, chosen, chosen_lane, bottom_h);
    k = LANES;
  }
  if (chosen < 0) {
    for (; k < steps; k++) {
      vec h;
      vec largest = step(&s, v.query, letters_at(&v, steps, k), v.above_h[k], v.above_f[k], &v.c, -1, &h);
      best = VMAX(best, largest);
      put_below(&v, &s, k);
    }
  } else {
    for (; k < steps; k++) {
      vec h = (vec)(short)0;
      vec largest = step(&s, v.query, letters_at(&v, steps, k), v.above_h[k], v.above_f[k], &v.c, chosen, &h);
      best = VMAX(best, largest);
      put_below(&v, &s, k);
      bottom_h[k] = h[chosen_lane] + v.base;
    }
  }

  if (tile == p->tiles - 1) /* the columns that the last lane does not reach hold padding only */
    for (long x = steps; x < steps + LANES - 1; x++) {
      v.below_h[x] = v.below_h[steps - 1];
      v.below_f[x] = v.below_f[steps - 1];
    }
  if (keeps_row(p, strip)) {
    const long slot = ((strip + 1) / p->row_interval - 1) % p->row_slots;
    global short *row = rows + slot * 2 * p->stride + BUS_MARGIN + v.first_step - (LANES - 1);
    for (long x = 0; x < steps; x++) {
      row[x] = v.below_h[x];
      row[p->stride + x] = v.below_f[x];
    }
  }

#if LOCAL
  /* Only a tile that reaches what is known so far can hold the best cell. */
  strip_best found = bests[strip];
  const int parity = (int)(diagonal & 1);
  const short largest = largest_lane(best);
  long known = found.known[parity ^ 1];
  if (strip > 0) known = max(known, bests[strip - 1].known[parity ^ 1]);
  if (base + largest >= known && base + largest > 0) {
    lanes again;
    if (tile == 0) {
      for (int a = 0; a < ALPHA; a++) again.h[a] = again.e[a] = (vec)(short)0;
      again.f = again.diagonal = (vec)(short)0;
    } else {
      load_lanes(&again, state, moved);
    }
    locate(&again, &v, p, base, largest, &found);
    known = max(known, base + largest);
  }
  bests[strip].score = found.score;
  bests[strip].row = found.row;
  bests[strip].column = found.column;
  bests[strip].known[parity] = known;
#endif
  save_lanes(state, &s);
}
