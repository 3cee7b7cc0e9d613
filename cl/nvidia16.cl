/* Packed pairs of 16-bit lanes for NVIDIA GPUs (sm_90 and later): one warp computes the tiles of a strip.
 *
 * A 32-bit register holds two lanes: work-item l is lane l in the low half and lane l + 32 in the high half,
 * so a warp is a chain of 64 lanes of ALPHA rows each. The hand-over to the next lane is a rotation of the
 * warp, in which work-item 0 moves the arriving low half to its high half and takes the bus into its low
 * one. The recurrence is vector.clh's; with X = H - first kept instead of H, a pair of cells takes
 *
 *   s = prmt(scores of both rows, letters)        the scores plus `first`, never negative
 *   t = X(i-1,j-1) + s                            a 32-bit addition, in another pipe than the rest
 *   g = max(t, E, floor)                          one instruction of three operands
 *   k = g - first                                 a 32-bit subtraction, likewise
 *   F' = max(F - ext, k)                          fused
 *   X = max(F - first, k)                         fused
 *   E' = max(E - ext, X)                          fused
 *   best = max(best, X, the next row's X)         one instruction for two rows
 *
 * Halves are unsigned: a value less the tile's base, plus BIAS. lane_width.h proves that they stay within
 * BIAS - 768 of BIAS, so that no 32-bit addition carries from the low lane into the high one.
 *
 * Scores without memory: the scores of a row with A, C, G and T, plus `first`, are four bytes of a register,
 * and a letter is a selector of two nibbles, the byte and its sign. Letters that match nothing have no byte:
 * blocks of 32 steps in which a lane meets one, the first of a strip, and those that are gone through again for
 * the best cell take the careful steps, which mask them.
 *
 * In a persistent launch the bus is a line of words of 64 bits: (H, F) below, the strip that wrote them above. A
 * strip that finds its upper neighbour's number has the values with it, without a fence or a second look; the
 * next block's words are fetched while this one is computed.
 *
 * Launch: strips.clh's, groups of 4 warps, each with a strip of its own.
 * Local memory of a warp: 6 x 32 values of 32 bits and, with BEST, 3 x 32 of 64 and 32 of 32 bits.
 *
 * Defines: LANES (64), ALPHA, LOCAL, BEST, MATRIX (0), PERSISTENT; tile_columns is a multiple of 64. */

#define KERNEL nvidia16
#define VALUE short
#define STATE uint
#define ITEMS 32
#define CHAIN_ITEMS ITEMS
#define CHAINS 4 /* a multiprocessor's schedulers: groups of one warp may end up on one and the same */
#define chain_barrier() warp_barrier()
#define OWN_TILE_LOOP

#include "common.clh"

/* The lanes live in registers only where everything that takes their address is inlined. */
#define INLINE static inline __attribute__((always_inline))
#define BIAS 32768
#define FLOOR_LIMIT 32000L

/* Instructions. */

INLINE uint add2(uint a, uint b) {
  uint r;
  asm("add.u16x2 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
  return r;
}

INLINE uint max2(uint a, uint b) {
  uint r;
  asm("max.u16x2 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
  return r;
}

INLINE uint permute(uint a, uint b, uint selector) {
  uint r;
  asm("prmt.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(selector));
  return r;
}

/* The value of work-item `item`. */
INLINE uint from_item(uint v, uint item) {
  uint r;
  asm volatile("shfl.sync.idx.b32 %0, %1, %2, 31, 0xffffffff;" : "=r"(r) : "r"(v), "r"(item));
  return r;
}

/* Whether any work-item says so. */
INLINE bool any_item(bool says) {
  uint r;
  asm volatile("{ .reg .pred p, q; setp.ne.u32 p, %1, 0; vote.sync.any.pred q, p, 0xffffffff; selp.u32 %0, 1, 0, q; }"
               : "=r"(r) : "r"((uint)says));
  return r;
}

/* What the warp has written to local memory is seen by all of it. */
INLINE void warp_barrier(void) { asm volatile("bar.warp.sync 0xffffffff;" : : : "memory"); }

INLINE ulong load_word(global const ulong *from) {
  ulong r;
  asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(r) : "l"(from) : "memory");
  return r;
}

INLINE void store_word(global ulong *to, ulong word) {
  asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" : : "l"(to), "l"(word) : "memory");
}

INLINE uint pair_of(long v) { return ((uint)v & 0xffffu) * 0x10001u; }
INLINE int half_of(uint v, int high) { return (int)((high ? v >> 16 : v) & 0xffffu); }
INLINE uint with_half(uint v, int high, uint value) {
  return high ? (v & 0xffffu) | value << 16 : (v & 0xffff0000u) | (value & 0xffffu);
}

/* One work-item's two lanes. */
typedef struct lanes2 {
  uint x[ALPHA], e[ALPHA]; /* H - first of the last column, E entering the next */
  uint f, diagonal;        /* F entering the row below; X above the first row at the last column */
} lanes2;

/* A block of 32 steps on its way in and out. A letter is a selector for the low lane in bits 0-7 and for the high
 * lane, 32 columns back, in bits 8-15; bits 16 and 17: it matches nothing there. */
typedef struct block2 {
  uint letters[2 * ITEMS]; /* of the block before and of this one: a lane's letter is at its own distance */
  uint bus[ITEMS], below[ITEMS], bottom[ITEMS];
} block2;

typedef struct chain_memory {
  int ticket;
  block2 block;
#if BEST
  int best[ITEMS];
  long score[ITEMS], row[ITEMS], column[ITEMS]; /* each work-item's best cell */
#endif
} chain_memory;

/* A strip, and where in it its group is. */
typedef struct strip2 {
  const region_work *w;
  constant region_params *p;
  local block2 *block;
  global uint *words; /* the bus words of the tile, kept for going through it again */
  global short *kept; /* a special row's slot, or 0 */
  uint scores_low[ALPHA], scores_high[ALPHA];
  uint first, minus_first, minus_ext, mismatch, floor;
  uint before, take_half, take_f; /* the shuffle's source and the selectors of item 0 */
  uint shift, unshift;            /* added to a bus word they make it X and F relative to the base, and back */
  uint letter, letter_before;     /* this item's letters of the next block and of the one before it */
  ulong word;                     /* this item's bus word of the next block */
  long strip, strip_row, base;
  int item, chosen, chosen_lane;
  int care; /* blocks to come in which a lane may meet a letter that matches nothing */
} strip2;

/* A row's scores with A, C, G, T, plus first, as four bytes. */
static uint row_scores(constant region_params *p, int letter) {
  uint scores = 0;
  for (int t = 0; t < UNAMBIGUOUS; t++) {
    const int score = (int)(letter == t ? p->match : p->mismatch) + (int)p->gap_first;
    scores |= ((uint)score & 0xffu) << (8 * t);
  }
  return scores;
}

/* Advances both lanes by one column; returns their largest X. `never`: all ones in the halves whose letter
 * matches nothing, looked at only if `careful`. */
INLINE uint step(lanes2 *s, const strip2 *v, uint bus, uint selector, const bool careful, uint never) {
  const uint above = permute(from_item(s->x[ALPHA - 1], v->before), bus, v->take_half);
  uint f = permute(from_item(s->f, v->before), bus, v->take_f);
  uint diagonal = s->diagonal, best = 0;
  s->diagonal = above;
#pragma unroll
  for (int a = 0; a < ALPHA; a++) {
    uint score = permute(v->scores_low[a], v->scores_high[a], selector);
    if (careful) score = (score & ~never) | (v->mismatch & never);
    uint g = max2(diagonal + score, s->e[a]);
#if LOCAL
    g = max2(g, v->floor);
#endif
    const uint opened = g - v->first;
    diagonal = s->x[a];
    s->x[a] = max2(add2(f, v->minus_first), opened);
    f = max2(add2(f, v->minus_ext), opened);
    s->e[a] = max2(add2(s->e[a], v->minus_ext), s->x[a]);
#if BEST
    best = max2(best, s->x[a]);
#endif
  }
  s->f = f;
  return best;
}

/* A letter of the target: the low lane's selector, and bit 16 if it matches nothing. */
INLINE uint letter_word(const strip2 *v, long column) {
  const uint code = (uint)target_code(v->p, v->w->target, column);
  return code < UNAMBIGUOUS ? code | (8u | code) << 4 : 0x10080u;
}

/* Puts the low or high lane on the left border: the step to come is its column 0. */
INLINE void enter_lane(lanes2 *s, const strip2 *v, int high) {
  const long row = v->strip_row + (long)(v->item + ITEMS * high) * ALPHA;
  const long shift = v->base + v->p->gap_first - BIAS;
  s->diagonal = with_half(s->diagonal, high, (uint)(left_border_h(v->p, row - 1) - shift));
#pragma unroll
  for (int a = 0; a < ALPHA; a++) {
    const uint x = (uint)(left_border_h(v->p, row + a) - shift);
    s->x[a] = with_half(s->x[a], high, x);
    s->e[a] = with_half(s->e[a], high, x);
  }
}

#if BEST
/* Offers the cells of one lane whose X is `wanted` at this step. */
INLINE void offer_lane(const lanes2 *s, const strip2 *v, int high, long column, int wanted, strip_best *found) {
  if (column < 0 || column >= v->p->columns) return;
  const long score = v->base + wanted - BIAS + v->p->gap_first;
#pragma unroll
  for (int a = 0; a < ALPHA; a++) {
    const long row = v->strip_row + (long)(v->item + ITEMS * high) * ALPHA + a;
    if (half_of(s->x[a], high) == wanted && row < v->p->rows) best_offer(found, score, row, column);
  }
}
#endif

/* A careful step at `column` of lane 0: lanes begin, letters may match nothing, cells of `wanted` are offered. */
INLINE uint careful_step(lanes2 *s, const strip2 *v, uint bus, uint letter, long column, int wanted,
                         strip_best *found) {
  if (column == v->item) enter_lane(s, v, 0);
  if (column == v->item + ITEMS) enter_lane(s, v, 1);
  const uint never = (letter >> 16 & 1u) * 0xffffu | (letter >> 17 & 1u) * 0xffff0000u;
  uint largest = step(s, v, bus, letter, true, never);
  if (column < v->item) largest = with_half(largest, 0, 0); /* lanes that have not begun */
  if (column < v->item + ITEMS) largest = with_half(largest, 1, 0);
#if BEST
  if (half_of(largest, 0) == wanted) offer_lane(s, v, 0, column - v->item, wanted, found);
  if (half_of(largest, 1) == wanted) offer_lane(s, v, 1, column - v->item - ITEMS, wanted, found);
#endif
  return largest;
}

/* The chosen row's X after a step, of the chosen lane's work-item. */
INLINE uint chosen_x(const lanes2 *s, const strip2 *v) {
  uint x = s->x[0];
#pragma unroll
  for (int a = 1; a < ALPHA; a++) x = a == v->chosen ? s->x[a] : x;
  return x;
}

/* Fetches the bus word of the block that begins at `column`, whether it is there already or not. */
INLINE void fetch_word(strip2 *v, long column) {
#if PERSISTENT
  if (v->strip > 0) {
    global const ulong *line = (global const ulong *)(v->w->bus + 4 * v->p->stride) + ((v->strip + 1) & 1) * v->p->stride;
    v->word = load_word(line + BUS_MARGIN + column + v->item);
    return;
  }
#endif
  global const short *line = v->w->bus + ((v->strip + 1) & 1) * 2 * v->p->stride + BUS_MARGIN + column + v->item;
  v->word = (ushort)line[0] | (uint)(ushort)line[v->p->stride] << 16;
}

/* The same, once it is there. */
INLINE uint await_word(strip2 *v, long column) {
#if PERSISTENT
  while (v->strip > 0 && (uint)(v->word >> 32) != (uint)v->strip) fetch_word(v, column);
#endif
  return (uint)v->word;
}

/* Writes the bus word of a column for the strip below. */
INLINE void put_word(const strip2 *v, long column, uint word) {
#if PERSISTENT
  global ulong *line = (global ulong *)(v->w->bus + 4 * v->p->stride) + (v->strip & 1) * v->p->stride;
  store_word(line + BUS_MARGIN + column, (ulong)(uint)(v->strip + 1) << 32 | word);
#else
  global short *line = v->w->bus + (v->strip & 1) * 2 * v->p->stride + BUS_MARGIN + column;
  line[0] = (short)word;
  line[v->p->stride] = (short)(word >> 16);
#endif
  if (v->kept) {
    v->kept[BUS_MARGIN + column] = (short)word;
    v->kept[v->p->stride + BUS_MARGIN + column] = (short)(word >> 16);
  }
}

/* Puts a block of bus words and letters into local memory and begins to fetch the next one's. The block begins at
 * step `offset` of the tile and at `column`. */
INLINE void open_block(strip2 *v, long column, int offset, bool again, bool last) {
  const uint word = again ? v->words[offset + v->item] : await_word(v, column);
  const uint letter = (v->letter & 0x100ffu) | (v->letter_before & 0xffu) << 8 | (v->letter_before & 0x10000u) << 1;
#if BEST
  if (!again) v->words[offset + v->item] = word;
#endif
  warp_barrier();
  v->block->bus[v->item] = add2(word, v->shift);
  v->block->letters[v->item] = v->block->letters[ITEMS + v->item];
  v->block->letters[ITEMS + v->item] = letter + 0x4400u;
  warp_barrier();
  v->care = any_item(letter >> 16) ? 2 : v->care - 1;
  v->letter_before = v->letter;
  if (last) return;
  if (!again) fetch_word(v, column + ITEMS);
  v->letter = letter_word(v, column + ITEMS + v->item);
}

/* Writes the block's last row to the bus for the strip below, and the bottom row. */
INLINE void close_block(const strip2 *v, long column) {
  warp_barrier();
  put_word(v, column + v->item - (LANES - 1), add2(v->block->below[v->item], v->unshift));
  if (v->chosen_lane >= 0 && column + v->item >= v->chosen_lane)
    v->w->bottom[BUS_MARGIN + column + v->item - v->chosen_lane] =
        (short)(half_of(v->block->bottom[v->item], v->chosen_lane / ITEMS) - BIAS + (int)v->p->gap_first + (int)v->base);
}

/* What leaves a step besides the lanes. */
INLINE void end_step(const lanes2 *s, const strip2 *v, int k, const bool bottom) {
  if (v->item == ITEMS - 1) v->block->below[k] = permute(s->x[ALPHA - 1], s->f, 0x7632u);
  if (bottom) {
    const uint x = chosen_x(s, v);
    if (v->item == v->chosen_lane % ITEMS) v->block->bottom[k] = x;
  }
}

/* The steps of one block; returns the largest X of the two lanes' cells. */
INLINE uint block_steps(lanes2 *s, const strip2 *v, const bool bottom) {
  local const uint *letters = v->block->letters + ITEMS - v->item;
  uint best = 0;
#pragma unroll 4
  for (int k = 0; k < ITEMS; k++) {
    best = max2(best, step(s, v, v->block->bus[k], letters[k], false, 0));
    end_step(s, v, k, bottom);
  }
  return best;
}

INLINE uint careful_block_steps(lanes2 *s, const strip2 *v, long column, int wanted, strip_best *found) {
  local const uint *letters = v->block->letters + ITEMS - v->item;
  uint best = 0;
#pragma unroll 1
  for (int k = 0; k < ITEMS; k++) {
    best = max2(best, careful_step(s, v, v->block->bus[k], letters[k], column + k, wanted, found));
    end_step(s, v, k, true);
  }
  return best;
}

/* Makes ready for the block that begins at `column`: the letters before it, and its own. */
INLINE void start_blocks(strip2 *v, long column) {
  const uint older = letter_word(v, column - 2 * ITEMS + v->item);
  v->letter_before = letter_word(v, column - ITEMS + v->item);
  v->letter = letter_word(v, column + v->item);
  const uint letter = (v->letter_before & 0x100ffu) | (older & 0xffu) << 8 | (older & 0x10000u) << 1;
  warp_barrier();
  v->block->letters[ITEMS + v->item] = letter + 0x4400u;
  v->care = any_item(letter >> 16) ? 2 : 0;
}

/* The tile's steps; returns the largest X of the two lanes' cells. With `again`, every cell whose X is `wanted` is
 * offered to `found`. Nothing is fetched beyond column `end`. All work-items take part. */
INLINE uint sweep(lanes2 *s, strip2 *v, long tile, long end, const bool again, int wanted, strip_best *found) {
  const long begin = tile_begin(v->p, v->strip, tile);
  const int steps = (int)(tile_begin(v->p, v->strip, tile + 1) - begin);
  uint best = 0;
#pragma unroll 1
  for (int offset = 0; offset < steps; offset += ITEMS) {
    const long column = begin + offset;
    uint largest;
    open_block(v, column, offset, again, column + ITEMS >= end);
    if (again || v->care > 0 || column < LANES || (LOCAL && v->chosen_lane >= 0))
      largest = careful_block_steps(s, v, column, wanted, found);
#if !LOCAL
    else if (v->chosen_lane >= 0)
      largest = block_steps(s, v, true);
#endif
    else
      largest = block_steps(s, v, false);
    best = max2(best, largest);
    if (!again) close_block(v, column);
  }
  return best;
}

#define STATE_WORDS (2 * ALPHA + 2)

/* The lanes from the state, or, not begun, near the base. */
INLINE void load_lanes(lanes2 *s, global const uint *state, int item, bool begun, uint fresh) {
#pragma unroll
  for (int a = 0; a < ALPHA; a++) {
    s->x[a] = begun ? state[a * ITEMS + item] : fresh;
    s->e[a] = begun ? state[(ALPHA + a) * ITEMS + item] : fresh;
  }
  s->f = begun ? state[2 * ALPHA * ITEMS + item] : fresh;
  s->diagonal = begun ? state[(2 * ALPHA + 1) * ITEMS + item] : fresh;
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

/* Adds `moved` to all values. */
INLINE void move_lanes(lanes2 *s, uint moved) {
#pragma unroll
  for (int a = 0; a < ALPHA; a++) {
    s->x[a] = add2(s->x[a], moved);
    s->e[a] = add2(s->e[a], moved);
  }
  s->f = add2(s->f, moved);
  s->diagonal = add2(s->diagonal, moved);
}

INLINE void set_base(strip2 *v, long base) {
  const uint first = (uint)v->p->gap_first, from_bus = BIAS - (uint)base;
  v->base = base;
  v->shift = ((from_bus - first) & 0xffffu) | from_bus << 16;
  v->unshift = ((first - from_bus) & 0xffffu) | (0u - from_bus) << 16;
  v->floor = pair_of(clamp(-base, -FLOOR_LIMIT, FLOOR_LIMIT) + BIAS);
}

INLINE void open_strip(strip2 *v, const region_work *w, long strip, local block2 *block) {
  constant region_params *p = w->p;
  v->w = w;
  v->p = p;
  v->block = block;
  v->strip = strip;
  v->strip_row = strip * STRIP_ROWS;
  v->item = (int)get_local_id(0) % ITEMS;
  v->kept = 0;
  if (keeps_row(p, strip)) v->kept = w->rows + ((strip + 1) / p->row_interval - 1) % p->row_slots * 2 * p->stride;
  v->first = pair_of(p->gap_first);
  v->minus_first = pair_of(-p->gap_first);
  v->minus_ext = pair_of(-p->gap_ext);
  v->mismatch = pair_of(p->mismatch + p->gap_first);
  v->before = (uint)(v->item + ITEMS - 1) % ITEMS;
  v->take_half = v->item ? 0x3210u : 0x1054u;
  v->take_f = v->item ? 0x3210u : 0x1076u;
  const long bottom_row = p->rows - 1 - v->strip_row;
  v->chosen = (int)(bottom_row % ALPHA);
  v->chosen_lane = p->bottom && strip == p->strips - 1 ? (int)(bottom_row / ALPHA) : -1;
#pragma unroll
  for (int a = 0; a < ALPHA; a++) {
    const long row = v->strip_row + (long)v->item * ALPHA + a;
    v->scores_low[a] = row_scores(p, query_code(p, w->query, row));
    v->scores_high[a] = row_scores(p, query_code(p, w->query, row + ITEMS * ALPHA));
  }
}

#if BEST
/* If the tile can hold the best cell: goes through it again from the state to find where, and offers it. */
INLINE void find_best(lanes2 *s, strip2 *v, long tile, long end, global const uint *state, uint largest,
                      local chain_memory *memory) {
  const uint fresh = pair_of(BIAS - v->p->gap_first);
  memory->best[v->item] = max(half_of(largest, 0), half_of(largest, 1));
  warp_barrier();
  int best = memory->best[0];
  for (int item = 1; item < ITEMS; item++) best = max(best, memory->best[item]);
  const bool offers = v->item == 0 && may_be_best(v->w, v->base + best - BIAS + v->p->gap_first);
  if (!any_item(offers)) return;
  strip_best found = v->w->bests[v->strip];
  load_lanes(s, state, v->item, tile_begin(v->p, v->strip, tile) > 0, fresh);
  start_blocks(v, tile_begin(v->p, v->strip, tile));
  sweep(s, v, tile, end, true, best, &found);
  memory->score[v->item] = found.score;
  memory->row[v->item] = found.row;
  memory->column[v->item] = found.column;
  warp_barrier();
  if (v->item == 0) {
    for (int item = 0; item < ITEMS; item++)
      best_offer(&found, memory->score[item], memory->row[item], memory->column[item]);
    publish_best(v->w, v->strip, &found);
  }
}
#endif

/* Computes the tiles first_tile to end_tile, exclusive, of a strip, one after the other. */
static void compute_tiles(const region_work *w, long strip, long first_tile, long end_tile,
                          local chain_memory *memory) {
  constant region_params *p = w->p;
  global uint *state = w->states + strip * (STATE_WORDS * ITEMS + p->tile_columns);
  const long begin = tile_begin(p, strip, first_tile), end = tile_begin(p, strip, end_tile);
  strip2 v;
  lanes2 s;
  if (begin >= end) return;
  open_strip(&v, w, strip, &memory->block);
  v.words = state + STATE_WORDS * ITEMS;
  set_base(&v, begin == 0 ? left_border_h(p, v.strip_row + STRIP_ROWS / 2) : w->bases[strip]);
  load_lanes(&s, state, v.item, begin > 0, pair_of(BIAS - p->gap_first));
  start_blocks(&v, begin);
  fetch_word(&v, begin);
#pragma unroll 1
  for (long tile = first_tile; tile < end_tile; tile++) {
    strip_best unused;
    const bool begun = tile_begin(p, strip, tile) > 0;
    if (begun) { /* move the base to the middle of the strip's last column */
      const uint middle = from_item(s.x[ALPHA - 1], 0) >> 16;
      const long base = v.base + (long)middle - BIAS + p->gap_first;
      move_lanes(&s, pair_of(v.base - base));
      set_base(&v, base);
    }
#if BEST
    if (begun) save_lanes(state, &s, v.item);
#endif
    const uint largest = sweep(&s, &v, tile, end, false, 0, &unused);
#if BEST
    find_best(&s, &v, tile, end, state, largest, memory);
#endif
  }
  save_lanes(state, &s, v.item);
  if (v.item == 0) w->bases[strip] = v.base;
  if (end == p->tiles * p->tile_columns) { /* the columns that the last lane does not reach hold padding only */
    const uint word = add2(memory->block.below[ITEMS - 1], v.unshift);
    for (int x = v.item; x < LANES - 1; x += ITEMS) put_word(&v, end - (LANES - 1) + x, word);
  }
}

#include "strips.clh"
