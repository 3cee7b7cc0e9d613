/* Wide vectors of 8-bit lanes, each with a base of its own: one work-item computes one tile. For CPUs.
 *
 *   g      = max(H(i-1,j-1) + s, E(i,j))          and the floor 0 in local mode
 *   H(i,j) = max(g, F(i,j))
 *   F(i+1,j) = max(F(i,j) - ext, g - first)       opening from an F is never better than going on,
 *   E(i,j+1) = max(E(i,j) - ext, g - first)       and a gap above one to the left is one to the left above one
 *
 * Lane l owns ALPHA rows. Its values are relative to base[l], and rise by ext with every row and column:
 *
 *   v(a,k) = H - base[l] + ext (a + k)            row a of the lane, step k of the segment
 *
 * In such values a gap goes on for nothing, and E and F are opened by one subtraction: a cell takes a comparison,
 * a selection, an addition, a subtraction and four maxima; the floor, which now rises, is a fifth. After every
 * SEGMENT steps each lane moves its base so that its first row stands at `level` again; lane_width.h proves that
 * the values of a segment then stay within 0 to 255. What a lane hands on takes the difference of the bases.
 *
 * Linear gaps (GAPS 1) open for nothing: E is H on the left and F is H above, in such values, and a cell takes an
 * addition and two maxima, the floor a third. With two pieces (GAPS 3, common.clh) the second's E and F rise by
 * ext - ext2 with each letter, and both pieces are opened from H: a cell takes six more operations.
 *
 * The best cell: only every BEST_ROWS-th row is looked at. A path to a cell gains at most the largest score in
 * each row, so a tile's best is at most BEST_ROWS - 1 of these above what was seen, in the tile or where paths
 * enter it; a tile that could thus hold the best cell is gone through a second time. With BEST 2 the last column's are.
 *
 * Launch: strips.clh's, one work-item a chain. Local memory: the ticket. Private memory: 3 TILE + LANES bytes and
 * (4 ALPHA + 2 SEGMENT) vectors.
 *
 * Defines: LANES (a power of two, 16 to 64), ALPHA, SEGMENT (16: divides LANES), TILE (largest tile_columns, >=
 * LANES), LOCAL, BEST, MATRIX, GAPS, PERSISTENT; tile_columns is a multiple of LANES. */

#define KERNEL vector8
#define VALUE uchar
#define VALUE_BITS 8
#define STATE uchar
#define CHAIN_ITEMS 1
#define TICKET_PER_TILE
#define BEST_ROWS (MATRIX ? 2 : 4) /* of large scores, rows between would let nearly every tile hold the best cell */

#include "common.clh"
#include "lanes.clh"
#if MATRIX
#define SCORE_STEPS (SEGMENT > FINE ? SEGMENT : FINE)
#define SCORE_BIAS(p) (2 * (p)->gap_ext)
#include "lane_scores.clh"
#define SCORE_TURNS (SCORE_STEPS / SEGMENT) /* segments of a block */
#endif

typedef int ints __attribute__((ext_vector_type(LANES)));
typedef uchar segment_vec __attribute__((ext_vector_type(SEGMENT)));
typedef int segment_ints __attribute__((ext_vector_type(SEGMENT)));
/* The same at any address. */
typedef vec loose_vec __attribute__((aligned(1)));
typedef ints loose_ints __attribute__((aligned(1)));
typedef segment_vec loose_segment __attribute__((aligned(1)));

/* One strip's state between steps. */
typedef struct lanes {
  vec h[ALPHA]; /* H of the last column */
#if GAPS > 1
  vec e[ALPHA]; /* E entering the next */
  vec f;        /* F entering the row below the lane's last */
#endif
#if GAPS == 3
  vec e2[ALPHA], f2; /* of the second piece */
#endif
  vec diagonal;           /* H above the lane's first row, at the last column */
  ints base;              /* relative to the tile's 64-bit base */
} lanes;

#define STATE_BYTES ((BUS_LINES * (ALPHA + 1) + 4) * LANES) /* H, E, F, the diagonal, the bases; GAPS 3: E2 and F2 */

/* What a tile reads and writes besides its lanes. */
typedef struct tile_view {
  constant region_params *p;
  vec query[ALPHA];
  vec match, mismatch, opening;     /* of values that rise: scores + 2 ext, first - ext */
#if GAPS == 3
  vec opening2, rise2;              /* first2 - ext, ext - ext2 */
  uchar bus_f2[TILE], above_f2[SEGMENT], last_f2[SEGMENT + LANES];
  global uchar *below_f2;
#endif
  vec rises[ALPHA + SEGMENT];       /* ext times the index */
  vec floors[ALPHA + SEGMENT];      /* of the segment: 0 at a + k = index */
  vec handed;                       /* to what lane l - 1 hands on: base[l-1] - base[l] - (ALPHA - 1) ext */
  uchar letters[TILE + LANES];      /* the target's letters, last column first: a lane's letter is at its index */
  uchar bus_h[TILE], bus_f[TILE];   /* from above */
  uchar above_h[SEGMENT], above_f[SEGMENT];
  uchar last_h[SEGMENT + LANES], last_f[SEGMENT + LANES]; /* of the last lane, last step first, from LANES - 1 on */
  global uchar *below_h, *below_f;  /* the bus for the strip below, at the column of step 0's last lane */
  global uchar *bottom;             /* the region's last row, at the column of step 0; NULL: not in this strip */
  int bottom_lane, bottom_row;      /* where it is */
#if MATRIX
  lane_scores scores;
#endif
  int level;                        /* of the first row at the start of a segment */
  int zero;                         /* 0 relative to the tile's base, or less */
  segment_ints above_rises;         /* of the row above lane 0's first */
  long base, strip_row, first_step;
  strip_entry entry;
  long own_step; /* steps of the strip before the tile */
} tile_view;

/* a - b, at least 0. */
static inline vec difference(vec a, vec b) { return VMAX(a, b) - b; }

/* What a step's scores come from: its target letters, or, with MATRIX, the scores themselves, by rows. */
#if MATRIX
typedef const vec *step_letters;
static inline vec pair_scores(const tile_view *v, step_letters given, int a) { return given[a]; }
#else
typedef vec step_letters;
static inline vec pair_scores(const tile_view *v, step_letters given, int a) {
  return v->query[a] == given ? v->match : v->mismatch;
}
#endif

/* Advances all lanes by one column, step `k` of the segment. Takes the H of every BEST_ROWS-th row, or of `all`,
 * into *best, relative to the lanes' bases. */
static inline __attribute__((always_inline)) void step(lanes *s, const tile_view *v, step_letters given, int k,
                                                       const bool all, vec *best) {
  const vec above = shift_in(s->h[ALPHA - 1], v->above_h[k]) + v->handed;
#if GAPS > 1
  vec f = shift_in(s->f, v->above_f[k]) + v->handed;
#else
  vec f = above;
#endif
#if GAPS == 3
  vec f2 = shift_in(s->f2, v->above_f2[k]) + v->handed;
#endif
  vec diagonal = s->diagonal;
  s->diagonal = above;
#pragma unroll
  for (int a = 0; a < ALPHA; a++) {
    vec g = diagonal + pair_scores(v, given, a);
#if GAPS > 1
    g = VMAX(g, s->e[a]);
#if GAPS == 3
    const vec gaps2 = VMAX(s->e2[a], f2);
    g = VMAX(g, gaps2);
#endif
#else
    g = VMAX(g, s->h[a]);
#endif
#if LOCAL
    g = VMAX(g, v->floors[a + k]);
#endif
    const vec h = VMAX(g, f);
#if GAPS == 3
    const vec opened = h - v->opening, opened2 = h - v->opening2;
    const vec lower2 = f2 + v->rise2, longer2 = s->e2[a] + v->rise2;
    f = VMAX(f, opened);
    s->e[a] = VMAX(s->e[a], opened);
    f2 = VMAX(lower2, opened2);
    s->e2[a] = VMAX(longer2, opened2);
#elif GAPS > 1
    const vec opened = g - v->opening;
    f = VMAX(f, opened);
    s->e[a] = VMAX(s->e[a], opened);
#else
    f = h;
#endif
    diagonal = s->h[a];
    s->h[a] = h;
#if BEST == 1
    if (all || a % BEST_ROWS == BEST_ROWS - 1) {
      const vec from_base = difference(h, v->rises[a + k]);
      *best = VMAX(*best, from_base);
    }
#endif
  }
#if GAPS > 1
  s->f = f;
#endif
#if GAPS == 3
  s->f2 = f2;
#endif
}

/* Sets what the view has of the lanes' bases and of the bus in the segment to come, at `begin` of the tile. */
static inline void begin_segment(tile_view *v, const lanes *s, long begin) {
  const int ext = (int)v->p->gap_ext;
  const vec low = __builtin_convertvector(s->base, vec);
  const VALUE own = (VALUE)(v->base + s->base[0]);
  v->handed = shift_in(low, (VALUE)(low[0] + (ALPHA - 1) * ext)) - low - v->rises[ALPHA - 1];
#if LOCAL
  const int most = ALPHA + SEGMENT - 2;
  ints highest = (ints)(v->zero + most * ext) - s->base;
  highest = highest < (ints)0 ? (ints)0 : highest;
  highest = highest > (ints)255 ? (ints)255 : highest;
  const vec top = __builtin_convertvector(highest, vec);
  for (int i = 0; i <= most; i++) v->floors[i] = difference(top, v->rises[most - i]);
#endif
  for (int k = 0; k < SEGMENT; k++) {
    v->above_h[k] = (uchar)(v->bus_h[begin + k] - own + (k - 1) * ext);
    v->above_f[k] = (uchar)(v->bus_f[begin + k] - own + k * ext);
#if GAPS == 3
    v->above_f2[k] = (uchar)(v->bus_f2[begin + k] - own + k * ext);
#endif
  }
}

/* Writes the bus for the strip below and moves the lanes' bases. */
static inline void end_segment(tile_view *v, lanes *s, long begin) {
  const int ext = (int)v->p->gap_ext;
  const int own = (uchar)(v->base + s->base[LANES - 1]);
  const uchar *last_f = GAPS > 1 ? v->last_f : v->last_h;
  uchar below_h[SEGMENT], below_f[SEGMENT];
  for (int k = 0; k < SEGMENT; k++) {
    below_h[k] = (uchar)(v->last_h[LANES + SEGMENT - 2 - k] + own - (ALPHA - 1 + k) * ext);
    below_f[k] = (uchar)(last_f[LANES + SEGMENT - 2 - k] + own - (ALPHA + k) * ext);
  }
  *(global loose_segment *)(v->below_h + begin) = *(const loose_segment *)below_h;
  *(global loose_segment *)(v->below_f + begin) = *(const loose_segment *)below_f;
#if GAPS == 3
  uchar below_f2[SEGMENT];
  for (int k = 0; k < SEGMENT; k++)
    below_f2[k] = (uchar)(v->last_f2[LANES + SEGMENT - 2 - k] + own - (ALPHA + k) * ext);
  *(global loose_segment *)(v->below_f2 + begin) = *(const loose_segment *)below_f2;
#endif

  const vec moved = s->h[0] - (vec)(uchar)v->level;
  s->base += __builtin_convertvector(s->h[0], ints) - (v->level + SEGMENT * ext);
#pragma unroll
  for (int a = 0; a < ALPHA; a++) {
    s->h[a] -= moved;
#if GAPS > 1
    s->e[a] -= moved;
#endif
#if GAPS == 3
    s->e2[a] -= moved;
#endif
  }
#if GAPS > 1
  s->f -= moved;
#endif
#if GAPS == 3
  s->f2 -= moved;
#endif
  s->diagonal -= moved;
}

/* What the last lane has after step k of the segment. A vector that begins ever earlier leaves its last lane. */
static inline void put_last(tile_view *v, const lanes *s, int k) {
  *(loose_vec *)(v->last_h + (SEGMENT - 1 - k)) = s->h[ALPHA - 1];
#if GAPS > 1
  *(loose_vec *)(v->last_f + (SEGMENT - 1 - k)) = s->f;
#endif
#if GAPS == 3
  *(loose_vec *)(v->last_f2 + (SEGMENT - 1 - k)) = s->f2;
#endif
}

/* Of a step of the tile. */
static inline step_letters letters_at(const tile_view *v, long step) {
#if MATRIX
  return scores_at(&v->scores, step);
#else
  return load_vec(v->letters + (v->p->tile_columns - 1 - step));
#endif
}


/* Lanes that have not begun get the base with which they will. */
static void wait_at_border(lanes *s, const tile_view *v, long begun) {
  for (long lane = begun; lane < LANES; lane++)
    s->base[lane] = (int)(entry_h(v->p, &v->entry, v->strip_row + lane * ALPHA) - v->base - v->level - v->p->gap_ext);
}

/* Puts lane `lane` on the left border: step `k` of the segment, which comes, is its column 0. */
static void enter_lane(lanes *s, const tile_view *v, int lane, int k) {
  const long row = v->strip_row + (long)lane * ALPHA, ext = v->p->gap_ext;
  const long base = v->base + s->base[lane];
  s->diagonal[lane] = (uchar)(entry_h(v->p, &v->entry, row - 1) - base + (k - 2) * ext);
  for (int a = 0; a < ALPHA; a++) {
    const long h = entry_h(v->p, &v->entry, row + a) - base + (a + k) * ext;
    s->h[a][lane] = (uchar)(h - ext);
#if GAPS > 1
    s->e[a][lane] = (uchar)(h - v->p->gap_first);
#endif
#if GAPS == 3
    s->e2[a][lane] = (uchar)(h - v->p->gap_first2);
#endif
  }
}

static inline ints larger_ints(ints a, ints b) { return a > b ? a : b; }

/* The largest H that the segment's `best` stands for, and `known`. */
static inline ints with_segment(ints known, const lanes *s, vec best) {
  return larger_ints(known, __builtin_convertvector(best, ints) + s->base);
}

/* The largest H where paths enter the tile: its lanes' last columns. */
static inline ints largest_entering(const tile_view *v, const lanes *s) {
  const int ext = (int)v->p->gap_ext;
  ints largest = __builtin_convertvector(s->diagonal, ints) + s->base + 2 * ext;
  for (int a = 0; a < ALPHA; a++)
    largest = larger_ints(largest, __builtin_convertvector(s->h[a], ints) + s->base - (a - 1) * ext);
  return largest;
}

static inline __attribute__((always_inline)) void plain_step(lanes *s, tile_view *v, long begin, int k, vec *best) {
  step(s, v, letters_at(v, begin + k), k, false, best);
  put_last(v, s, k);
}

/* SEGMENT steps from `begin` of the tile on. */
static inline void segment(lanes *lanes_now, tile_view *v, long begin, ints *largest, segment_ints *above) {
  vec best = (vec)(uchar)0;
  begin_segment(v, lanes_now, begin);
  int k = 0;
#if MATRIX
  /* Between the steps, the segment's share of the scores of the next block. */
  const int turn = (int)(begin % SCORE_STEPS) / SEGMENT;
  const int from = turn * SCORE_PAIRS / SCORE_TURNS, to = (turn + 1) * SCORE_PAIRS / SCORE_TURNS;
  for (int pair = from; pair < to; pair++) {
    for (const int end = (pair - from + 1) * SEGMENT / (to - from); k < end; k++)
      plain_step(lanes_now, v, begin, k, &best);
    skew_pair(&v->scores, pair, SCORE_STEPS);
  }
#endif
  for (; k < SEGMENT; k++) plain_step(lanes_now, v, begin, k, &best);
#if MATRIX
  if (turn == SCORE_TURNS - 1) turn_scores(&v->scores);
#endif
#if BEST == 1
  *largest = with_segment(*largest, lanes_now, best);
  segment_ints entering = __builtin_convertvector(*(const loose_segment *)v->above_h, segment_ints);
  entering += lanes_now->base[0] - v->above_rises;
  *above = entering > *above ? entering : *above;
#endif
  end_segment(v, lanes_now, begin);
}

/* A search for the best cell: cells below `least` cannot be it. */
typedef struct search {
  strip_best found;
  long least;
  vec reached; /* `least` relative to the lanes' bases, of the segment */
} search;

#if BEST == 1
static void set_reached(search *wanted, const lanes *s, const tile_view *v) {
  for (int lane = 0; lane < LANES; lane++)
    wanted->reached[lane] = (uchar)clamp(wanted->least - v->base - s->base[lane], 0L, 255L);
}

/* Offers the cells of a step that may be the best one. `largest` are the lanes' best. */
static inline void offer_cells(const lanes *s, const tile_view *v, long tile_step, int k, vec largest, search *wanted) {
  ulong any[LANES / 8], reaching = 0;
  *(loose_vec *)any = largest >= wanted->reached ? (vec)(uchar)1 : (vec)(uchar)0;
  for (int i = 0; i < LANES / 8; i++) reaching |= any[i];
  if (!reaching) return;
  for (int lane = 0; lane < LANES; lane++) {
    const long base = v->base + s->base[lane], column = v->first_step + tile_step - lane;
    if (base + largest[lane] < wanted->least || v->own_step + tile_step < lane || column >= v->p->columns)
      continue;
    for (int a = 0; a < ALPHA; a++) {
      const long row = v->strip_row + (long)lane * ALPHA + a;
      const long score = base + s->h[a][lane] - (a + k) * v->p->gap_ext;
      if (score >= wanted->least && row < v->p->rows) best_offer(&wanted->found, score, row, column);
    }
  }
  if (wanted->found.score > wanted->least) {
    wanted->least = wanted->found.score;
    set_reached(wanted, s, v);
  }
}
#elif BEST == 2
static void set_reached(search *wanted, const lanes *s, const tile_view *v) {}

/* Offers the cells of a step that are in the last column: those of one lane. */
static inline void offer_cells(const lanes *s, const tile_view *v, long tile_step, int k, vec largest, search *wanted) {
  const long column = v->p->columns - 1, lane = v->first_step + tile_step - column;
  if (lane < 0 || lane >= LANES || lane > v->own_step + tile_step) return;
  const long base = v->base + s->base[lane];
  for (int a = 0; a < ALPHA; a++) {
    const long row = v->strip_row + lane * ALPHA + a;
    const long score = base + s->h[a][lane] - (a + k) * v->p->gap_ext;
    if (row < v->p->rows) best_offer(&wanted->found, score, row, column);
  }
}
#endif

/* The same SEGMENT steps, with all that seldom is: lanes begin, the region's last row is written, and, unless
 * `wanted` is NULL, the best cell is looked for. */
static void careful_segment(lanes *s, tile_view *v, long begin, ints *largest, search *wanted) {
  vec best_of_all = (vec)(uchar)0;
  if (v->own_step + begin < LANES) wait_at_border(s, v, v->own_step + begin);
  begin_segment(v, s, begin);
#if BEST
  if (wanted) set_reached(wanted, s, v);
#endif
  for (int k = 0; k < SEGMENT; k++) {
    const long now = v->own_step + begin + k;
    vec best = (vec)(uchar)0;
    if (now < LANES) enter_lane(s, v, (int)now, k);
    step(s, v, letters_at(v, begin + k), k, true, &best);
    put_last(v, s, k);
    for (long lane = now + 1; lane < LANES; lane++) best[lane] = 0;
    best_of_all = VMAX(best_of_all, best);
    if (v->bottom)
      v->bottom[begin + k] = (uchar)(s->h[v->bottom_row][v->bottom_lane] + s->base[v->bottom_lane] + v->base -
                                     (v->bottom_row + k) * v->p->gap_ext);
#if BEST
    if (wanted) offer_cells(s, v, begin + k, k, best, wanted);
#endif
  }
#if MATRIX
  if ((begin + SEGMENT) % SCORE_STEPS == 0) {
    for (int pair = 0; pair < SCORE_PAIRS; pair++) skew_pair(&v->scores, pair, SCORE_STEPS);
    turn_scores(&v->scores);
  }
#endif
  *largest = with_segment(*largest, s, best_of_all);
  end_segment(v, s, begin);
}

/* The lanes at the tile's start; all that is not begun is 0. */
static void load_lanes(lanes *s, global const uchar *state, bool begun, int moved) {
  for (int a = 0; a < ALPHA; a++) {
    s->h[a] = begun ? *(global const loose_vec *)(state + a * LANES) : (vec)(uchar)0;
#if GAPS > 1
    s->e[a] = begun ? *(global const loose_vec *)(state + (ALPHA + a) * LANES) : (vec)(uchar)0;
#endif
  }
#if GAPS > 1
  s->f = begun ? *(global const loose_vec *)(state + 2 * ALPHA * LANES) : (vec)(uchar)0;
#endif
  s->diagonal = begun ? *(global const loose_vec *)(state + (2 * ALPHA + 1) * LANES) : (vec)(uchar)0;
  s->base = begun ? *(global const loose_ints *)(state + (2 * ALPHA + 2) * LANES) - moved : (ints)0;
#if GAPS == 3
  for (int a = 0; a < ALPHA; a++)
    s->e2[a] = begun ? *(global const loose_vec *)(state + (2 * ALPHA + 6 + a) * LANES) : (vec)(uchar)0;
  s->f2 = begun ? *(global const loose_vec *)(state + (3 * ALPHA + 6) * LANES) : (vec)(uchar)0;
#endif
}

static void save_lanes(global uchar *state, const lanes *s) {
  for (int a = 0; a < ALPHA; a++) {
    *(global loose_vec *)(state + a * LANES) = s->h[a];
#if GAPS > 1
    *(global loose_vec *)(state + (ALPHA + a) * LANES) = s->e[a];
#endif
  }
#if GAPS > 1
  *(global loose_vec *)(state + 2 * ALPHA * LANES) = s->f;
#endif
  *(global loose_vec *)(state + (2 * ALPHA + 1) * LANES) = s->diagonal;
  *(global loose_ints *)(state + (2 * ALPHA + 2) * LANES) = s->base;
#if GAPS == 3
  for (int a = 0; a < ALPHA; a++) *(global loose_vec *)(state + (2 * ALPHA + 6 + a) * LANES) = s->e2[a];
  *(global loose_vec *)(state + (3 * ALPHA + 6) * LANES) = s->f2;
#endif
}

/* Scheme, letters and upper border. */
static void open_view(tile_view *v, const region_work *w, long strip, long tile, long base) {
  constant region_params *p = w->p;
  const int first = (int)p->gap_first, ext = (int)p->gap_ext;
  const long steps = p->tile_columns;
  global const uchar *above = w->bus + ((strip + 1) & 1) * BUS_LINES * p->stride;
  v->p = p;
  v->base = base;
  v->strip_row = strip * STRIP_ROWS;
  v->first_step = tile * steps;
  find_entry(&v->entry, w, strip);
  v->own_step = (tile - v->entry.tile) * steps;
  v->match = (vec)(uchar)(p->match + 2 * ext);
  v->mismatch = (vec)(uchar)(p->mismatch + 2 * ext);
  v->opening = (vec)(uchar)(first - ext);
#if GAPS == 3
  const int dearer = (int)(p->gap_first2 - p->gap_first);
  v->opening2 = (vec)(uchar)(first + dearer - ext);
  v->rise2 = (vec)(uchar)(p->gap_ext - p->gap_ext2);
#else
  const int dearer = 0;
#endif
  for (int i = 0; i < ALPHA + SEGMENT; i++) v->rises[i] = (vec)(uchar)(i * ext);
  for (int k = 0; k < SEGMENT; k++) v->above_rises[k] = (k - 1) * ext;
  /* In the middle of the levels that lane_width.h allows. */
  const int step_rise = (int)p->largest + 2 * ext;
  const int lowest = step_rise + 5 * (first - ext) + dearer;
  const int highest = 255 - max(ALPHA - 1, SEGMENT) * step_rise - 2 * (first - ext);
  v->level = lowest + (highest - lowest) / 2;
  v->zero = (int)clamp(-base, -(1L << 30), 1L << 30);

  query_letters(v->query, p, w->query, v->strip_row);
  reversed_letters(v->letters, p, w->target, v->first_step + steps, steps + LANES - 1);
#if USED
  watch_used(&v->scores, w, strip, v->first_step);
#endif
#if MATRIX
  open_scores(&v->scores, p, w->scores, v->query, v->letters, steps);
#endif
  for (long k = BUS_MARGIN + v->first_step, to = 0; to < steps; k += LANES, to += LANES) {
    *(loose_vec *)(v->bus_h + to) = *(global const loose_vec *)(above + k);
    *(loose_vec *)(v->bus_f + to) = *(global const loose_vec *)(above + p->stride + k);
#if GAPS == 3
    *(loose_vec *)(v->bus_f2 + to) = *(global const loose_vec *)(above + 2 * p->stride + k);
#endif
  }
  v->below_h = w->bus + (strip & 1) * BUS_LINES * p->stride + BUS_MARGIN + v->first_step - (LANES - 1);
  v->below_f = v->below_h + p->stride;
#if GAPS == 3
  v->below_f2 = v->below_f + p->stride;
#endif
  const int bottom_row = (int)(p->rows - 1 - v->strip_row);
  v->bottom_row = bottom_row % ALPHA;
  v->bottom_lane = bottom_row / ALPHA;
  v->bottom = p->bottom && strip == p->strips - 1 ? w->bottom + BUS_MARGIN + v->first_step - v->bottom_lane : 0;
}

/* What others read of the strip's lower border besides the steps' own values. */
static void finish_border(const region_work *w, const tile_view *v, long strip, long tile) {
  constant region_params *p = w->p;
  const long steps = p->tile_columns;
  if (tile == p->tiles - 1) /* the columns that the last lane does not reach hold padding only */
    for (long x = steps; x < steps + LANES - 1; x++) {
      v->below_h[x] = v->below_h[steps - 1];
      v->below_f[x] = v->below_f[steps - 1];
#if GAPS == 3
      v->below_f2[x] = v->below_f2[steps - 1];
#endif
    }
  if (keeps_row(p, strip)) {
    const long slot = ((strip + 1) / p->row_interval - 1) % p->row_slots;
    global uchar *row = w->rows + slot * BUS_LINES * p->stride + BUS_MARGIN + v->first_step - (LANES - 1);
    for (long x = 0; x < steps; x++) {
      row[x] = v->below_h[x];
      row[p->stride + x] = v->below_f[x];
#if GAPS == 3
      row[2 * p->stride + x] = v->below_f2[x];
#endif
    }
  }
}

#if BEST
/* Goes through the tile again if it may hold the best cell. */
static void look_for_best(const region_work *w, tile_view *v, long strip, long score, global const uchar *state,
                          int moved) {
#if BEST == 2
  if (!reaches_last_column(v->p, v->first_step)) return;
#else
  if (!may_be_best_within(w, score, (BEST_ROWS - 1) * v->p->largest)) return;
#endif
  search wanted;
  ints unused = (ints)0;
  lanes again;
  const long known = (long)atomic_max(w->counters + COUNTER_KNOWN, 0) << v->p->known_shift;
  wanted.found = w->bests[strip];
  wanted.least = max(max(known, wanted.found.score), 1L);
  load_lanes(&again, state, v->own_step > 0, moved);
#if MATRIX
  rewind_scores(&v->scores, v->p->tile_columns);
#endif
  for (long begin = 0; begin < v->p->tile_columns; begin += SEGMENT)
    careful_segment(&again, v, begin, &unused, &wanted);
#if BEST == 1
  may_be_best(w, wanted.found.score); /* lets others know */
#endif
  publish_best(w, strip, &wanted.found);
}
#endif

static void compute_tile(const region_work *w, long strip, long tile, local chain_memory *memory) {
  constant region_params *p = w->p;
  global uchar *state = w->states + strip * STATE_BYTES;
  strip_entry entry;
  find_entry(&entry, w, strip);
  const bool begun = tile > entry.tile;
  const int moved = begun ? ((global const loose_ints *)(state + (2 * ALPHA + 2) * LANES))[0][0] : 0;
  const long base = begun ? w->bases[strip] + moved : entry_h(p, &entry, strip * STRIP_ROWS);
  tile_view v;
  lanes s;
  w->bases[strip] = base;
  open_view(&v, w, strip, tile, base);
  load_lanes(&s, state, begun, moved);

  ints largest = (ints)(-(1 << 30));
  segment_ints above = (segment_ints)(-(1 << 30));
  if (begun) largest = largest_entering(&v, &s);
  for (long begin = 0; begin < p->tile_columns; begin += SEGMENT) {
    if (v.own_step + begin < LANES || v.bottom)
      careful_segment(&s, &v, begin, &largest, 0);
    else
      segment(&s, &v, begin, &largest, &above);
  }
  finish_border(w, &v, strip, tile);
#if BEST
  int score = -(1 << 30);
  for (int lane = 0; lane < LANES; lane++) score = max(score, (int)largest[lane]);
  for (int k = 0; k < SEGMENT; k++) score = max(score, (int)above[k]);
  look_for_best(w, &v, strip, base + score, state, moved);
#endif
  save_lanes(state, &s);
}

/* H in the last row of the lane, in the last column that it has come to. */
static inline long lane_h(const region_work *w, long strip, int lane) {
  global const uchar *state = w->states + strip * STATE_BYTES;
  const int base = ((global const loose_ints *)(state + (2 * ALPHA + 2) * LANES))[0][lane];
  return w->bases[strip] + base + state[(ALPHA - 1) * LANES + lane] - (ALPHA - 2) * w->p->gap_ext;
}

#include "strips.clh"
