/* Packed pairs of 16-bit lanes for NVIDIA GPUs (sm_90 and later): one warp computes one tile.
 *
 * A 32-bit register holds two lanes: work-item l is lane l in the low half and lane l + 32 in the high half,
 * so a warp is a chain of 64 lanes of ALPHA rows each. The hand-over to the next lane is a rotation of the
 * warp, in which work-item 0 moves the arriving low half to its high half and takes the bus into its low
 * one. The recurrence is vector.clh's; with X = H - first kept instead of H, a pair of cells takes
 *
 *   s = prmt(scores of both rows, letters)        g = max(X(i-1,j-1) + s + first, E)     fused add-max
 *   h = max(g, F)                                 F' = max(F - ext, g - first)           add, fused
 *   X = h - first                                 E' = max(E - ext, X)                   fused
 *   best = max(best, h)
 *
 * Scores without memory: the scores of a row with A, C, G and T, plus `first`, are four bytes of a register,
 * and a letter is a selector of two nibbles, the byte and its sign. Letters that match nothing have no byte:
 * tiles that hold one, the first of a strip, and the last strip take the careful steps, which mask them.
 *
 * The floor costs nothing: while a strip's values are small its base is 0 and the floor is the instruction's
 * own zero; above BASE_LEAST the floor is out of reach, because values of a tile differ by less.
 *
 * Launch: strips.clh's, 32 work-items a group.
 * Local memory: 4 x 32 values of 32 bits and, with LOCAL, 3 x 32 of 64 bits.
 *
 * Defines: LANES (64), ALPHA, LOCAL, BEST, MATRIX (0), PERSISTENT; tile_columns is a multiple of 64. */

#define KERNEL nvidia16
#define VALUE short
#define STATE uint
#define ITEMS 32
#define GROUP_ITEMS ITEMS

#include "common.clh"

/* The lanes live in registers only where everything that takes their address is inlined. */
#define INLINE static inline __attribute__((always_inline))
#define BASE_LEAST 16000

static inline uint add2(uint a, uint b) {
  uint r;
  asm("add.s16x2 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
  return r;
}

static inline uint max2(uint a, uint b) {
  uint r;
  asm("max.s16x2 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
  return r;
}

/* The larger one, and at least 0. */
static inline uint max2_floor(uint a, uint b) {
  uint r;
  asm("max.relu.s16x2 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
  return r;
}

static inline uint permute(uint a, uint b, uint selector) {
  uint r;
  asm("prmt.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(selector));
  return r;
}

/* The value of the work-item before this one; item 0 gets that of item 31. */
static inline uint from_before(uint v, uint before) {
  uint r;
  asm volatile("shfl.sync.idx.b32 %0, %1, %2, 31, 0xffffffff;" : "=r"(r) : "r"(v), "r"(before));
  return r;
}

static inline uint pair_of(long v) { return ((uint)v & 0xffffu) * 0x10001u; }
static inline int low_half(uint v) { return (short)(v & 0xffffu); }
static inline int high_half(uint v) { return (short)(v >> 16); }
static inline uint with_half(uint v, int high, int value) {
  return high ? (v & 0xffffu) | ((uint)value << 16) : (v & 0xffff0000u) | ((uint)value & 0xffffu);
}

/* One work-item's two lanes. */
typedef struct lanes2 {
  uint x[ALPHA], e[ALPHA]; /* H - first of the last column, E entering the next */
  uint f, diagonal;        /* F entering the row below; X above the first row at the last column */
  uint letter;             /* selector bytes of the two lanes' letters */
  uint never;              /* all ones in the halves whose letter matches nothing */
} lanes2;

typedef struct tile2 {
  constant region_params *p;
  uint scores_low[ALPHA], scores_high[ALPHA];
  uint minus_first, minus_ext, mismatch;
  uint before, take_half, take_f, take_letter; /* the shuffle's source and the selectors of item 0 */
  long base, strip_row, first_step;
  int item, chosen, chosen_lane;
  global const uchar *target;
  global const short *above;
  global short *below, *bottom;
  global short *kept; /* a special row's slot, or 0 */
} tile2;

/* A block of 32 steps on its way in and out. */
typedef struct block2 {
  uint bus[ITEMS], column[ITEMS], below[ITEMS];
} block2;

typedef struct group_memory {
  int ticket, needs_care;
  block2 block;
#if BEST
  int best[ITEMS];
  long score[ITEMS], row[ITEMS], column[ITEMS]; /* each work-item's best cell */
#endif
} group_memory;

/* A row's scores with A, C, G, T, plus first, as four bytes. */
static uint row_scores(constant region_params *p, int letter) {
  uint scores = 0;
  for (int t = 0; t < UNAMBIGUOUS; t++) {
    const int score = (int)(letter == t ? p->match : p->mismatch) + (int)p->gap_first;
    scores |= ((uint)score & 0xffu) << (8 * t);
  }
  return scores;
}

/* Advances both lanes by one column; returns their largest H. `careful`: letters may match nothing. */
INLINE uint step(lanes2 *s, const tile2 *v, uint bus, uint column, const bool careful, const bool at_zero) {
  const uint above = permute(from_before(s->x[ALPHA - 1], v->before), bus, v->take_half);
  uint f = permute(from_before(s->f, v->before), bus, v->take_f);
  s->letter = permute(from_before(s->letter, v->before), column, v->take_letter);
  if (careful) s->never = permute(from_before(s->never, v->before), (column >> 8) * 0xffffu, v->take_half);
  const uint selector = s->letter + 0x4400u;
  uint diagonal = s->diagonal, best = 0x80008000u;
  s->diagonal = above;
#pragma unroll
  for (int a = 0; a < ALPHA; a++) {
    uint score = permute(v->scores_low[a], v->scores_high[a], selector);
    if (careful) score = (score & ~s->never) | (v->mismatch & s->never);
    uint g = add2(diagonal, score);
#if LOCAL
    g = at_zero ? max2_floor(g, s->e[a]) : max2(g, s->e[a]);
#else
    g = max2(g, s->e[a]);
#endif
    const uint h = max2(g, f);
    f = max2(add2(g, v->minus_first), add2(f, v->minus_ext));
    diagonal = s->x[a];
    s->x[a] = add2(h, v->minus_first);
    s->e[a] = max2(add2(s->e[a], v->minus_ext), s->x[a]);
#if BEST
    best = max2(best, h);
#endif
  }
  s->f = f;
  return best;
}

/* A letter of the target as `step` takes it: the selector byte, and bit 8 if it matches nothing. */
INLINE uint column_word(const tile2 *v, long column) {
  const uint code = (uint)target_code(v->p, v->target, column);
  return code < UNAMBIGUOUS ? code | (8u | code) << 4 : 0x180u;
}

/* Puts the low or high lane on the left border: the step to come is its column 0. */
INLINE void enter_lane(lanes2 *s, const tile2 *v, int high) {
  const long row = v->strip_row + (long)(v->item + ITEMS * high) * ALPHA;
  const long shift = v->base + v->p->gap_first;
  s->diagonal = with_half(s->diagonal, high, (int)(left_border_h(v->p, row - 1) - shift));
#pragma unroll
  for (int a = 0; a < ALPHA; a++) {
    const int x = (int)(left_border_h(v->p, row + a) - shift);
    s->x[a] = with_half(s->x[a], high, x);
    s->e[a] = with_half(s->e[a], high, x);
  }
}

#if BEST
/* Offers the cells of one lane that have exactly `wanted` at this step. */
INLINE void offer_lane(const lanes2 *s, const tile2 *v, int high, long column, int wanted, strip_best *found) {
  if (column < 0 || column >= v->p->columns) return;
#pragma unroll
  for (int a = 0; a < ALPHA; a++) {
    const int x = high ? high_half(s->x[a]) : low_half(s->x[a]);
    const long row = v->strip_row + (long)(v->item + ITEMS * high) * ALPHA + a;
    if (x + (int)v->p->gap_first == wanted && row < v->p->rows) best_offer(found, v->base + wanted, row, column);
  }
}
#endif

/* What the careful steps do after step `n` of the tile; `largest` are the lanes' best of the step. */
INLINE uint after_careful_step(const lanes2 *s, const tile2 *v, int n, uint largest, int wanted, strip_best *found) {
  const int waiting = v->first_step ? 0 : v->item - n; /* columns before this item's low lane begins */
  if (waiting > 0) largest = with_half(largest, 0, -32768);
  if (waiting + ITEMS > 0 && !v->first_step) largest = with_half(largest, 1, -32768);
#if BEST
  if (low_half(largest) == wanted) offer_lane(s, v, 0, v->first_step + n - v->item, wanted, found);
  if (high_half(largest) == wanted) offer_lane(s, v, 1, v->first_step + n - v->item - ITEMS, wanted, found);
#endif
  if (v->chosen_lane >= 0 && v->item == v->chosen_lane % ITEMS) {
    const int upper = v->chosen_lane / ITEMS;
    const long column = v->first_step + n - v->chosen_lane;
    uint x = 0;
  #pragma unroll
  for (int a = 0; a < ALPHA; a++) x = a == v->chosen ? s->x[a] : x;
    const int h = (upper ? high_half(x) : low_half(x)) + (int)v->p->gap_first;
    if (column >= 0) v->bottom[BUS_MARGIN + column] = (short)(h + (int)v->base);
  }
  return largest;
}

/* The tile's steps; returns the largest H of the two lanes' cells. In careful steps every cell that has exactly
 * `wanted` is offered to `found`. All work-items take part. */
INLINE uint sweep(lanes2 *s, const tile2 *v, local block2 *block, const bool careful, const bool at_zero, int wanted,
                  strip_best *found) {
  const int first = (int)v->p->gap_first, base = (int)v->base;
  uint best = 0x80008000u;
  const int steps = (int)v->p->tile_columns;
#pragma unroll 1
  for (int begin = 0; begin < steps; begin += ITEMS) {
    const long here = BUS_MARGIN + v->first_step + begin + v->item, there = here - (LANES - 1);
    barrier(CLK_LOCAL_MEM_FENCE);
    block->bus[v->item] = ((uint)(v->above[here] - base - first) & 0xffffu) |
                          (uint)(v->above[v->p->stride + here] - base) << 16;
    block->column[v->item] = column_word(v, v->first_step + begin + v->item);
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll 1
    for (int k = 0; k < ITEMS; k++) {
      const int n = begin + k;
      if (careful && v->first_step == 0 && n == v->item) enter_lane(s, v, 0);
      if (careful && v->first_step == 0 && n == v->item + ITEMS) enter_lane(s, v, 1);
      uint largest = step(s, v, block->bus[k], block->column[k], careful, at_zero);
      if (careful) largest = after_careful_step(s, v, n, largest, wanted, found);
      best = max2(best, largest);
      if (v->item == ITEMS - 1) block->below[k] = permute(s->x[ALPHA - 1], s->f, 0x7632u);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const short h = (short)(low_half(block->below[v->item]) + first + base);
    const short f = (short)(high_half(block->below[v->item]) + base);
    v->below[there] = h;
    v->below[v->p->stride + there] = f;
    if (v->kept) {
      v->kept[there] = h;
      v->kept[v->p->stride + there] = f;
    }
  }
  return best;
}

#define STATE_WORDS (2 * ALPHA + 2)

/* The lanes at the tile's first step: from the state, moved to the tile's base, or not begun. */
INLINE void load_lanes(lanes2 *s, const tile2 *v, global const uint *state, bool begun, uint moved) {
#pragma unroll
  for (int a = 0; a < ALPHA; a++) {
    s->x[a] = begun ? add2(state[a * ITEMS + v->item], moved) : pair_of(-v->p->gap_first);
    s->e[a] = begun ? add2(state[(ALPHA + a) * ITEMS + v->item], moved) : pair_of(-v->p->gap_first);
  }
  s->f = begun ? add2(state[2 * ALPHA * ITEMS + v->item], moved) : pair_of(-v->p->gap_first);
  s->diagonal = begun ? add2(state[(2 * ALPHA + 1) * ITEMS + v->item], moved) : pair_of(-v->p->gap_first);
  const uint low = column_word(v, v->first_step - 1 - v->item);
  const uint high = column_word(v, v->first_step - 1 - v->item - ITEMS);
  s->letter = (low & 0xffu) | (high & 0xffu) << 8;
  s->never = (low >> 8) * 0xffffu | (high >> 8) * 0xffff0000u;
}

INLINE void save_lanes(global uint *state, const lanes2 *s, int item) {
#pragma unroll
  for (int a = 0; a < ALPHA; a++) {
    state[a * ITEMS + item] = s->x[a];
    state[(ALPHA + a) * ITEMS + item] = s->e[a];
  }
  state[2 * ALPHA * ITEMS + item] = s->f;
  state[(2 * ALPHA + 1) * ITEMS + item] = s->diagonal;
}

static void compute_tile(const region_work *w, long strip, long tile, local group_memory *memory) {
  constant region_params *p = w->p;
  global uint *state = w->states + strip * (STATE_WORDS * ITEMS);
  tile2 v;
  lanes2 s;
  v.p = p;
  v.target = w->target;
  v.item = (int)get_local_id(0);
  v.strip_row = strip * STRIP_ROWS;
  v.first_step = tile * p->tile_columns;
  v.above = w->bus + ((strip + 1) & 1) * 2 * p->stride;
  v.below = w->bus + (strip & 1) * 2 * p->stride;
  v.bottom = w->bottom;
  v.kept = 0;
  if (keeps_row(p, strip)) v.kept = w->rows + ((strip + 1) / p->row_interval - 1) % p->row_slots * 2 * p->stride;
  v.minus_first = pair_of(-p->gap_first);
  v.minus_ext = pair_of(-p->gap_ext);
  v.mismatch = pair_of(p->mismatch + p->gap_first);
  v.before = (uint)(v.item + ITEMS - 1) % ITEMS;
  v.take_half = v.item ? 0x3210u : 0x1054u;
  v.take_f = v.item ? 0x3210u : 0x1076u;
  v.take_letter = v.item ? 0x3210u : 0x3204u;

  /* Move the base to the middle of the strip's last column, or to 0 where the floor may be near. */
  const long old_base = tile == 0 ? 0 : w->bases[strip];
  long middle = left_border_h(p, v.strip_row + STRIP_ROWS / 2);
  if (tile > 0) middle = old_base + high_half(state[(ALPHA - 1) * ITEMS]) + p->gap_first;
  v.base = middle;
#if LOCAL
  if (middle <= BASE_LEAST) v.base = 0;
#endif
  const uint moved = pair_of(old_base - v.base);
  const int bottom_row = (int)(p->rows - 1 - v.strip_row);
  v.chosen = bottom_row % ALPHA;
  v.chosen_lane = p->bottom && strip == p->strips - 1 ? bottom_row / ALPHA : -1;

#pragma unroll
  for (int a = 0; a < ALPHA; a++) {
    const long row = v.strip_row + (long)v.item * ALPHA + a;
    v.scores_low[a] = row_scores(p, query_code(p, w->query, row));
    v.scores_high[a] = row_scores(p, query_code(p, w->query, row + ITEMS * ALPHA));
  }
  if (v.item == 0) memory->needs_care = tile == 0 || v.chosen_lane >= 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (long column = v.first_step - (LANES - 1) + v.item; column < v.first_step + p->tile_columns; column += ITEMS)
    if (column_word(&v, column) >> 8) memory->needs_care = 1;
#if BEST
  strip_best found = w->bests[strip];
#else
  strip_best found; /* not used */
#endif
  if (v.item == 0) wait_for_columns(w, strip, v.first_step + p->tile_columns);
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); /* everyone has read what others will write */
  const bool careful = memory->needs_care;

  /* A tile that reaches what is known so far can hold the best cell: it is gone through once more to find
   * where. Only then is the state of its last column written over that of its first. */
  int wanted = INT_MAX, passes = 1;
  for (int count = 0; count < passes; count++) {
    uint largest;
    load_lanes(&s, &v, state, tile > 0, moved);
    if (careful || count > 0)
      largest = sweep(&s, &v, &memory->block, true, v.base == 0, wanted, &found);
    else if (LOCAL && v.base == 0)
      largest = sweep(&s, &v, &memory->block, false, true, wanted, &found);
    else
      largest = sweep(&s, &v, &memory->block, false, false, wanted, &found);
#if BEST
    if (count == 0) {
      memory->best[v.item] = max(low_half(largest), high_half(largest));
      barrier(CLK_LOCAL_MEM_FENCE);
      int best = memory->best[0];
      for (int item = 1; item < ITEMS; item++) best = max(best, memory->best[item]);
      barrier(CLK_LOCAL_MEM_FENCE);
      if (v.item == 0) memory->best[0] = may_be_best(w, v.base + best);
      barrier(CLK_LOCAL_MEM_FENCE);
      if (memory->best[0]) {
        wanted = best;
        passes = 2;
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
  }
  save_lanes(state, &s, v.item);
  if (v.item == 0) w->bases[strip] = v.base;

  if (tile == p->tiles - 1) { /* the columns that the last lane does not reach hold padding only */
    const long end = BUS_MARGIN + v.first_step + p->tile_columns - (LANES - 1);
    const short h = (short)(low_half(memory->block.below[ITEMS - 1]) + (int)p->gap_first + (int)v.base);
    const short f = (short)(high_half(memory->block.below[ITEMS - 1]) + (int)v.base);
    for (long x = v.item; x < LANES - 1; x += ITEMS) {
      v.below[end + x] = h;
      v.below[p->stride + end + x] = f;
    }
  }
#if PERSISTENT
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  if (v.item == 0) publish_steps(w, strip, v.first_step + p->tile_columns);
#endif
#if BEST
  if (passes == 2) {
    memory->score[v.item] = found.score;
    memory->row[v.item] = found.row;
    memory->column[v.item] = found.column;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (v.item == 0) {
      for (int item = 0; item < ITEMS; item++)
        best_offer(&found, memory->score[item], memory->row[item], memory->column[item]);
      publish_best(w, strip, &found);
    }
  }
#endif
}

#include "strips.clh"
