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
 * blocks of 32 steps in which a lane meets one, and the first of a strip, mask them, which takes an instruction
 * more for every pair of cells.
 *
 * In a persistent launch the bus is a line of words of 64 bits: (H, F) below, the strip that wrote them above. A
 * strip that finds its upper neighbour's number has the values with it, without a fence or a second look; the
 * next block's words are fetched while this one is computed.
 *
 * Launch: strips.clh's, groups of 4 warps, each with a strip of its own.
 * Local memory of a warp: 6 x 32 + 4 values of 32 bits and, with BEST, 3 x 32 of 64 bits.
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

/* Whether any work-item of the warp says so. */
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
  uint bus[ITEMS + 1];     /* one more, because steps read one ahead */
  uint below[ITEMS], below_others[ITEMS + 1]; /* what the last item writes, and what the others do */
  uint bottom[ITEMS];
} block2;

typedef struct chain_memory {
  int ticket;
  block2 block;
#if BEST
  long score[ITEMS], row[ITEMS], column[ITEMS]; /* each work-item's best cell */
#endif
} chain_memory;

/* A strip, and where in it its group is. */
typedef struct strip2 {
  const region_work *w;
  constant region_params *p;
  local block2 *block;
  local uint *below;  /* where this item writes its last row */
  global uint *words; /* the bus words of the tile, kept for going through it again */
  global short *kept; /* this item's place in a special row's slot, or 0 */
  uint scores_low[ALPHA], scores_high[ALPHA];
  uint first, minus_first, minus_ext, mismatch, floor;
  uint border, border_above, border_step; /* X on the left border of each lane's first row, above it, and its fall */
  uint before, take_half, take_f; /* the shuffle's source and the selectors of item 0 */
  uint shift, unshift;            /* added to a bus word they make it X and F relative to the base, and back */
  uint letter_before;             /* this item's letter of the block before the next */
  uint code;                      /* and of the next, as the sequence has it */
  ulong word;                     /* this item's bus word of the next block */
  /* What is needed for every block, so that it is not read from memory: */
  global const uchar *letters;     /* of column 0 */
  global const short *lines_above; /* this item's place at column 0: H, and F `stride` further on, */
  global short *lines_below;
  global const ulong *words_above; /* or both in a word */
  global ulong *words_below;
  long letter_step, columns, stride;
  long strip, strip_row, base, end; /* nothing is fetched from column `end` on */
  int item, chosen, chosen_lane;
  bool fresh; /* the left border is 0 everywhere, and the floor with it */
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
 * matches nothing, looked at only if `masked`. */
INLINE uint step(lanes2 *s, const strip2 *v, uint bus, uint selector, const bool masked, uint never) {
  const uint above = permute(from_item(s->x[ALPHA - 1], v->before), bus, v->take_half);
  uint f = permute(from_item(s->f, v->before), bus, v->take_f);
  uint diagonal = s->diagonal, best = 0;
  s->diagonal = above;
#pragma unroll
  for (int a = 0; a < ALPHA; a++) {
    uint score = permute(v->scores_low[a], v->scores_high[a], selector);
    if (masked) score = (score & ~never) | (v->mismatch & never);
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

/* Fetches the letter of this item's column in the block at `column`; of a column beside the region, any letter. */
INLINE void fetch_letter(strip2 *v, long column) {
  v->code = v->letters[clamp(column + v->item, 0L, v->columns - 1) * v->letter_step];
}

/* The letter fetched for the block at `column` as the low lane's selector, and bit 16 if it matches nothing. */
INLINE uint letter_word(const strip2 *v, long column) {
  const bool inside = column + v->item >= 0 && column + v->item < v->columns;
  return inside && v->code < UNAMBIGUOUS ? v->code | (8u | v->code) << 4 : 0x10080u;
}

/* The same for both lanes: the low lane's letter, and the high lane's, 32 columns before. */
INLINE uint letter_pair(uint low, uint high) {
  return ((low & 0x100ffu) | (high & 0xffu) << 8 | (high & 0x10000u) << 1) + 0x4400u;
}

/* Puts the lanes of `halves` on the left border: the step to come is their column 0. */
INLINE void enter_lanes(lanes2 *s, const strip2 *v, uint halves) {
  uint x = v->border;
  s->diagonal = (s->diagonal & ~halves) | (v->border_above & halves);
#pragma unroll
  for (int a = 0; a < ALPHA; a++) {
    s->x[a] = (s->x[a] & ~halves) | (x & halves);
    s->e[a] = (s->e[a] & ~halves) | (x & halves);
    x -= v->border_step;
#if LOCAL
    x = max2(x, v->floor - v->first);
#endif
  }
}

/* The halves whose lane begins at step `column`. */
INLINE uint entering_halves(const strip2 *v, long column) {
  return (column == v->item ? 0xffffu : 0) | (column == v->item + ITEMS ? 0xffff0000u : 0);
}

/* The halves whose lane has begun by step `column`. */
INLINE uint begun_halves(const strip2 *v, long column) {
  return (column >= v->item ? 0xffffu : 0) | (column >= v->item + ITEMS ? 0xffff0000u : 0);
}

/* The halves whose letter matches nothing. */
INLINE uint never_halves(uint letter) { return (letter >> 16 & 1u) * 0xffffu | (letter >> 17 & 1u) * 0xffff0000u; }

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

/* The chosen row's X after a step, of the chosen lane's work-item: halves the rows by the bits of `chosen`. */
INLINE uint chosen_x(const lanes2 *s, const strip2 *v) {
  uint x[ALPHA];
#pragma unroll
  for (int a = 0; a < ALPHA; a++) x[a] = s->x[a];
#pragma unroll
  for (int apart = 1; apart < ALPHA; apart *= 2)
#pragma unroll
    for (int a = 0; a + apart < ALPHA; a += 2 * apart) x[a] = v->chosen & apart ? x[a + apart] : x[a];
  return x[0];
}

/* Fetches the bus word of the block that begins at `column`, whether it is there already or not. In persistent
 * launches the region's upper border is there as the words of a strip -1, or follows a rule. */
INLINE void fetch_word(strip2 *v, long column) {
#if PERSISTENT
  v->word = load_word(v->words_above + column);
#else
  v->word = (ushort)v->lines_above[column] | (uint)(ushort)v->lines_above[v->stride + column] << 16;
#endif
}

/* The same, once it is there. The warp looks as one, so that it does not part. */
INLINE uint await_word(strip2 *v, long column) {
#if PERSISTENT
  if (v->strip == 0 && v->p->top_rule) {
    const uint h = (uint)top_border_h(v->p, column + v->item);
    return (h & 0xffffu) | (h - (uint)v->p->gap_first) << 16;
  }
  while (any_item((uint)(v->word >> 32) != (uint)v->strip)) fetch_word(v, column);
#endif
  return (uint)v->word;
}

/* Writes this item's bus word of the block at `column` for the strip below. */
INLINE void put_word(const strip2 *v, long column, uint word) {
#if PERSISTENT
  store_word(v->words_below + column, (ulong)(uint)(v->strip + 1) << 32 | word);
#else
  v->lines_below[column] = (short)word;
  v->lines_below[v->stride + column] = (short)(word >> 16);
#endif
  if (v->kept) {
    v->kept[column] = (short)word;
    v->kept[v->stride + column] = (short)(word >> 16);
  }
}

/* Puts a block of bus words and letters into local memory. It begins at step `offset` of the tile and at `column`. */
INLINE void open_block(strip2 *v, long column, int offset, bool again) {
  const uint word = again ? v->words[offset + v->item] : await_word(v, column);
  const uint letter = letter_word(v, column);
  const uint pair = letter_pair(letter, v->letter_before);
#if BEST
  if (!again) v->words[offset + v->item] = word;
#endif
  warp_barrier();
  v->block->bus[v->item] = add2(word, v->shift);
  v->block->letters[v->item] = v->block->letters[ITEMS + v->item];
  v->block->letters[ITEMS + v->item] = pair;
  warp_barrier();
  v->care = any_item(pair >> 16) ? 2 : v->care - 1;
  v->letter_before = letter;
  fetch_letter(v, column + ITEMS);
}

/* Begins to fetch the word of the next block: in the middle of a block, so late that the strip above will have written
 * it and so early that it has come when the block ends. */
INLINE void fetch_next(strip2 *v, long column) {
  if (column + ITEMS < v->end) fetch_word(v, column + ITEMS);
}

/* Writes the block's last row to the bus for the strip below, and the bottom row. */
INLINE void close_block(const strip2 *v, long column) {
  warp_barrier();
  put_word(v, column - (LANES - 1), add2(v->block->below[v->item], v->unshift));
  if (v->chosen_lane >= 0 && column + v->item >= v->chosen_lane)
    v->w->bottom[BUS_MARGIN + column + v->item - v->chosen_lane] =
        (short)(half_of(v->block->bottom[v->item], v->chosen_lane / ITEMS) - BIAS + (int)v->p->gap_first +
                (int)v->base);
}

/* What leaves a step besides the lanes. All items write, because a branch for the last one would part the warp. */
INLINE void end_step(const lanes2 *s, const strip2 *v, int k, const bool bottom) {
  v->below[k] = permute(s->x[ALPHA - 1], s->f, 0x7632u);
  if (bottom) {
    const uint x = chosen_x(s, v);
    if (v->item == v->chosen_lane % ITEMS) v->block->bottom[k] = x;
  }
}

/* The steps of one block; returns the largest X of the two lanes' cells. What a step takes from local memory is read
 * a step ahead: what is written there at a step's end would hold it back. */
INLINE uint block_steps(lanes2 *s, strip2 *v, long column, const bool bottom) {
  local const uint *letters = v->block->letters + ITEMS - v->item;
  uint best = 0, bus = v->block->bus[0], letter = letters[0];
#pragma unroll 1
  for (int part = 0; part < ITEMS; part += ITEMS / 2) {
    if (part > 0) fetch_next(v, column);
#pragma unroll 4
    for (int k = part; k < part + ITEMS / 2; k++) {
      const uint next_bus = v->block->bus[k + 1], next_letter = letters[k + 1];
      best = max2(best, step(s, v, bus, letter, false, 0));
      end_step(s, v, k, bottom);
      bus = next_bus;
      letter = next_letter;
    }
  }
  return best;
}

/* The same where letters may match nothing, lanes may begin, and the bottom row may be wanted. A lane that has not
 * begun has no cell above 0: on a fresh local border it stays as it is, elsewhere it is overwritten as it begins. */
INLINE uint masked_block_steps(lanes2 *s, strip2 *v, long column) {
  local const uint *letters = v->block->letters + ITEMS - v->item;
  const bool entering = column < LANES && !v->fresh, bottom = v->chosen_lane >= 0;
  uint best = 0, bus = v->block->bus[0], letter = letters[0];
#pragma unroll 1
  for (int k = 0; k < ITEMS; k++) {
    const uint next_bus = v->block->bus[k + 1], next_letter = letters[k + 1];
    if (k == ITEMS / 2) fetch_next(v, column);
    if (entering) enter_lanes(s, v, entering_halves(v, column + k));
    const uint largest = step(s, v, bus, letter, true, never_halves(letter));
    best = max2(best, entering ? largest & begun_halves(v, column + k) : largest);
    end_step(s, v, k, bottom);
    bus = next_bus;
    letter = next_letter;
  }
  return best;
}

/* Makes ready for the block that begins at `column`: the letters before it, and its own. */
INLINE void start_blocks(strip2 *v, long column) {
  fetch_letter(v, column - 2 * ITEMS);
  const uint older = letter_word(v, column - 2 * ITEMS);
  fetch_letter(v, column - ITEMS);
  v->letter_before = letter_word(v, column - ITEMS);
  fetch_letter(v, column);
  const uint pair = letter_pair(v->letter_before, older);
  warp_barrier();
  v->block->letters[ITEMS + v->item] = pair;
  v->care = any_item(pair >> 16) ? 2 : 0;
}

/* The tile's steps; returns the largest X of the two lanes' cells. */
INLINE uint sweep(lanes2 *s, strip2 *v, long begin, long end) {
  uint best = 0;
#pragma unroll 1
  for (long column = begin; column < end; column += ITEMS) {
    uint largest;
    open_block(v, column, (int)(column - begin), false);
    if (v->care > 0 || column < LANES || (LOCAL && v->chosen_lane >= 0))
      largest = masked_block_steps(s, v, column);
#if !LOCAL
    else if (v->chosen_lane >= 0)
      largest = block_steps(s, v, column, true);
#endif
    else
      largest = block_steps(s, v, column, false);
    best = max2(best, largest);
    close_block(v, column);
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

/* The left border as enter_lanes takes it, relative to the base. */
INLINE void set_border(strip2 *v) {
  constant region_params *p = v->p;
  const long row = v->strip_row + (long)v->item * ALPHA, other = row + ITEMS * ALPHA;
  const long shift = v->base + p->gap_first - BIAS;
  v->border = ((uint)(left_border_h(p, row) - shift) & 0xffffu) | (uint)(left_border_h(p, other) - shift) << 16;
  v->border_above =
      ((uint)(left_border_h(p, row - 1) - shift) & 0xffffu) | (uint)(left_border_h(p, other - 1) - shift) << 16;
  v->border_step = pair_of(p->left_further);
  v->fresh = LOCAL && p->corner == 0 && p->left_first == 0 && p->left_further == 0;
}

INLINE void open_strip(strip2 *v, const region_work *w, long strip, local block2 *block) {
  constant region_params *p = w->p;
  v->w = w;
  v->p = p;
  v->block = block;
  v->below = (int)get_local_id(0) % ITEMS == ITEMS - 1 ? block->below : block->below_others + 1;
  v->strip = strip;
  v->strip_row = strip * STRIP_ROWS;
  v->item = (int)get_local_id(0) % ITEMS;
  v->stride = p->stride;
  v->columns = p->columns;
  v->letters = w->target + p->target_first;
  v->letter_step = p->target_step;
  const long upper = (strip + 1) & 1, lower = strip & 1, place = BUS_MARGIN + v->item;
  v->lines_above = w->bus + upper * 2 * p->stride + place;
  v->lines_below = w->bus + lower * 2 * p->stride + place;
  v->words_above = (global const ulong *)(w->bus + 4 * p->stride) + upper * p->stride + place;
  v->words_below = (global ulong *)(w->bus + 4 * p->stride) + lower * p->stride + place;
  v->kept = 0;
  if (keeps_row(p, strip))
    v->kept = w->rows + ((strip + 1) / p->row_interval - 1) % p->row_slots * 2 * p->stride + place;
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

/* A strip's memory between launches: two slots with the lanes before a tile, and after them the tile's bus words;
 * one for the running tile, and one for the tile that may hold the best cell. */
#define SLOT_WORDS(p) (STATE_WORDS * ITEMS + (p)->tile_columns)
#define STRIP_WORDS(p) (2 * SLOT_WORDS(p) + 8)

/* What follows the slots. */
typedef struct strip_notes { /* 8 words, with what aligns it */
  long tile, base; /* of the tile that may hold the best cell */
  int best;        /* its largest X, or 0: there is none */
  int slot;        /* of the running tile; the other one is that tile's */
} strip_notes;

INLINE global uint *strip_slot(const region_work *w, long strip, int slot) {
  return w->states + strip * STRIP_WORDS(w->p) + slot * SLOT_WORDS(w->p);
}

#if BEST
/* Goes through the noted tile again and offers every cell that has its largest X to the strip's best. Rare, and so
 * large that it would cost the loops that matter their registers: not inlined. */
static __attribute__((noinline)) void find_best(const region_work *w, long strip, const strip_notes *notes,
                                                local chain_memory *memory) {
  global uint *state = strip_slot(w, strip, notes->slot ^ 1);
  const long begin = tile_begin(w->p, strip, notes->tile), end = tile_begin(w->p, strip, notes->tile + 1);
  strip2 v;
  lanes2 s;
  open_strip(&v, w, strip, &memory->block);
  set_base(&v, notes->base);
  set_border(&v);
  v.words = state + STATE_WORDS * ITEMS;
  strip_best found = w->bests[strip];
  load_lanes(&s, state, v.item, begin > 0, pair_of(BIAS - w->p->gap_first));
  start_blocks(&v, begin);
  local const uint *letters = memory->block.letters + ITEMS - v.item;
#pragma unroll 1
  for (long column = begin; column < end; column++) {
    const int k = (int)(column - begin) % ITEMS;
    if (k == 0) open_block(&v, column, (int)(column - begin), true);
    enter_lanes(&s, &v, entering_halves(&v, column));
    const uint largest = step(&s, &v, memory->block.bus[k], letters[k], true, never_halves(letters[k]));
    if (half_of(largest, 0) == notes->best) offer_lane(&s, &v, 0, column - v.item, notes->best, &found);
    if (half_of(largest, 1) == notes->best) offer_lane(&s, &v, 1, column - v.item - ITEMS, notes->best, &found);
  }
  memory->score[v.item] = found.score;
  memory->row[v.item] = found.row;
  memory->column[v.item] = found.column;
  warp_barrier();
  if (v.item == 0) {
    for (int item = 0; item < ITEMS; item++)
      best_offer(&found, memory->score[item], memory->row[item], memory->column[item]);
    publish_best(w, strip, &found);
  }
}

INLINE long noted_score(const strip2 *v, const strip_notes *notes) {
  return notes->base + notes->best - BIAS + v->p->gap_first;
}

/* Whether some cell may still be the best that has the score; raises what is known. */
INLINE bool still_best(const strip2 *v, long score) {
  const bool says = v->item == 0 && may_be_best(v->w, score);
  return any_item(says);
}

/* Notes the tile that has just been computed if it can hold the best cell. The tile noted before is beaten, and
 * forgotten, or as good, and gone through now. True if that was done: the block in local memory is another. */
INLINE bool note_best(strip2 *v, strip_notes *notes, long tile, uint largest, local chain_memory *memory) {
  int best = max(half_of(largest, 0), half_of(largest, 1));
  bool searched = false;
#pragma unroll
  for (uint apart = 1; apart < ITEMS; apart *= 2) best = max(best, (int)from_item((uint)best, v->item ^ apart));
  const long score = v->base + best - BIAS + v->p->gap_first;
  if (!still_best(v, score)) return false;
  if (notes->best > 0 && noted_score(v, notes) == score) {
    find_best(v->w, v->strip, notes, memory);
    searched = true;
  }
  notes->tile = tile;
  notes->base = v->base;
  notes->best = best;
  notes->slot ^= 1;
  v->words = strip_slot(v->w, v->strip, notes->slot) + STATE_WORDS * ITEMS;
  return searched;
}
#endif

/* Computes the tiles first_tile to end_tile, exclusive, of a strip, one after the other. */
static void compute_tiles(const region_work *w, long strip, long first_tile, long end_tile,
                          local chain_memory *memory) {
  constant region_params *p = w->p;
  global strip_notes *kept_notes = (global strip_notes *)(w->states + (strip + 1) * STRIP_WORDS(p) - 8);
  strip_notes notes = {0, 0, 0, 0};
  const long begin = tile_begin(p, strip, first_tile), end = tile_begin(p, strip, end_tile);
  strip2 v;
  lanes2 s;
  if (begin >= end) return;
  open_strip(&v, w, strip, &memory->block);
  if (begin > 0) notes = *kept_notes;
  v.words = strip_slot(w, strip, notes.slot) + STATE_WORDS * ITEMS;
  v.end = end;
  set_base(&v, begin == 0 ? left_border_h(p, v.strip_row + STRIP_ROWS / 2) : w->bases[strip]);
  set_border(&v);
  load_lanes(&s, strip_slot(w, strip, notes.slot), v.item, begin > 0, pair_of(BIAS - p->gap_first));
  start_blocks(&v, begin);
  fetch_word(&v, begin);
#pragma unroll 1
  for (long tile = first_tile; tile < end_tile; tile++) {
    const long from = tile_begin(p, strip, tile);
    if (from > 0) { /* move the base to the middle of the strip's last column */
      const uint middle = from_item(s.x[ALPHA - 1], 0) >> 16;
      const long base = v.base + (long)middle - BIAS + p->gap_first;
      move_lanes(&s, pair_of(v.base - base));
      set_base(&v, base);
      if (from < LANES) set_border(&v); /* some lanes have yet to begin */
    }
#if BEST
    if (from > 0) save_lanes(strip_slot(w, strip, notes.slot), &s, v.item);
    const uint largest = sweep(&s, &v, from, tile_begin(p, strip, tile + 1));
    if (note_best(&v, &notes, tile, largest, memory)) start_blocks(&v, tile_begin(p, strip, tile + 1));
#else
    sweep(&s, &v, from, tile_begin(p, strip, tile + 1));
#endif
  }
  save_lanes(strip_slot(w, strip, notes.slot), &s, v.item);
  if (v.item == 0) {
    w->bases[strip] = v.base;
    *kept_notes = notes;
  }
  if (end == p->tiles * p->tile_columns) { /* the columns that the last lane does not reach hold padding only */
    const uint word = add2(memory->block.below[ITEMS - 1], v.unshift);
    put_word(&v, end - (LANES - 1), word);
    if (v.item < ITEMS - 1) put_word(&v, end - (LANES - 1) + ITEMS, word);
#if BEST
    if (notes.best > 0 && still_best(&v, noted_score(&v, &notes))) find_best(w, strip, &notes, memory);
#endif
  }
}

#include "strips.clh"
