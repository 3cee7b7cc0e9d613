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
 * blocks of 32 steps in which a lane meets one mask them, which takes an instruction more for every pair of cells.
 * Beside the region the score is 0 less `first`: no cell there can be the best, and a lane that has not begun on a
 * border of zeros keeps them.
 *
 * In a persistent launch the bus is a line of words of 64 bits: (H, F) below, the strip that wrote them above. A
 * strip that finds its upper neighbour's number has the values with it, without a fence or a second look; the
 * next block's words are fetched while this one is computed.
 *
 * A shuffle needs the whole warp. Where ptxas cannot tell that a branch is taken by all of it, it puts a check
 * (BRA.DIV) before each shuffle, and moves nothing past it. It can tell as long as loops and branches with shuffles
 * depend on constants, group numbers, votes, shuffles from a fixed item and sums of these; a function that is not
 * inlined, the result of redux.sync within the loops, or a ticket that comes by a shuffle end that
 * (docs/performance.md says how to look).
 *
 * Launch: strips.clh's, groups of 4 warps, each with a strip of its own.
 * Local memory of a warp: 8 x 32 + 16 values of 32 bits and, with BEST, 3 x 32 of 64 bits.
 *
 * Defines: LANES (64), ALPHA, LOCAL, BEST, MATRIX (0), PERSISTENT; tile_columns is a multiple of 64. */

#define KERNEL nvidia16
#define VALUE short
#define STATE uint
#define ITEMS 32
#define CHAIN_ITEMS ITEMS
#define CHAINS 4 /* a multiprocessor's schedulers: groups of one warp may end up on one and the same */
#define chain_barrier() warp_barrier()
#define chain_uniform(v) ((int)warp_largest((uint)(v)))
#define OWN_TILE_LOOP
#define OWN_TICKET
#define OWN_RUNS
#define known_now(counters) (*(volatile global const int *)((counters) + COUNTER_KNOWN))

#include "common.clh"
#if PRUNE
#include "prune_bound.clh"
#endif

/* The lanes live in registers only where everything that takes their address is inlined. */
#define INLINE static inline __attribute__((always_inline))
#define BIAS 32768
#define GROUP 4 /* steps that read and write local memory together */
#define GROUPS (ALPHA <= 4 ? 6 : ALPHA <= 8 ? 2 : 1) /* in a loop's body, which must fit the cache of instructions */
#define PREPARE (3 * ITEMS / 4) /* the step before which the next block's bus words and letters are asked for */
#define AHEAD (ALPHA <= 2) /* take the last row's F from the first row's at once: where a step waits for the shuffle */
#define FLOOR_LIMIT 32000L

#include "ptx.clh"

/* H left of the strip's first column, beside `row`. */
#if PRUNE
#define ENTRY_H(v, row) entry_of(v, row)
#else
#define ENTRY_H(v, row) left_border_h((v)->p, row)
#endif

INLINE uint pair_of(long v) { return ((uint)v & 0xffffu) * 0x10001u; }
INLINE int half_of(uint v, int high) { return (int)((high ? v >> 16 : v) & 0xffffu); }

#include "nvidia16_step.clh"
#include "nvidia16_blocks.clh"

#define STATE_WORDS (2 * ALPHA + 2)

/* All values the same: lanes that have not begun. With a floor that is what they are on a border of zeros, and no more
 * than what they are elsewhere. */
INLINE void begin_lanes(lanes2 *s, const strip2 *v) {
#if LOCAL && PRUNE
  const uint value = v->floor + v->less_first;
#else
  const uint value = pair_of(BIAS - v->p->gap_first);
#endif
#pragma unroll
  for (int a = 0; a < ALPHA; a++) s->x[a] = s->e[a] = value;
  s->f = s->diagonal = value;
}

INLINE void load_lanes(lanes2 *s, global const uint *state, int item) {
#pragma unroll
  for (int a = 0; a < ALPHA; a++) {
    s->x[a] = state[a * ITEMS + item];
    s->e[a] = state[(ALPHA + a) * ITEMS + item];
  }
  s->f = state[2 * ALPHA * ITEMS + item];
  s->diagonal = state[(2 * ALPHA + 1) * ITEMS + item];
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

/* The lanes from the state and into it. */
INLINE void swap_lanes(lanes2 *s, global uint *state, int item) {
  uint kept;
#define SWAP(value, word) kept = state[(word) * ITEMS + item], state[(word) * ITEMS + item] = (value), (value) = kept
#pragma unroll
  for (int a = 0; a < ALPHA; a++) {
    SWAP(s->x[a], a);
    SWAP(s->e[a], ALPHA + a);
  }
  SWAP(s->f, 2 * ALPHA);
  SWAP(s->diagonal, 2 * ALPHA + 1);
#undef SWAP
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
  v->border = ((uint)(ENTRY_H(v, row) - shift) & 0xffffu) | (uint)(ENTRY_H(v, other) - shift) << 16;
  v->border_above = ((uint)(ENTRY_H(v, row - 1) - shift) & 0xffffu) | (uint)(ENTRY_H(v, other - 1) - shift) << 16;
  v->border_step = pair_of(v->origin ? p->gap_ext : p->left_further);
  const bool fresh = LOCAL && v->origin == 0 && p->corner == 0 && p->left_first == 0 && p->left_further == 0;
  v->entering = (int)from_item(fresh ? 0 : (uint)v->origin + LANES, 0);
}

INLINE void open_strip(strip2 *v, const region_work *w, long strip, local block2 *block) {
  constant region_params *p = w->p;
  v->w = w;
  v->p = p;
  v->block = block;
  v->below = (int)get_local_id(0) % ITEMS == ITEMS - 1 ? block->below : block->below_others + GROUP;
  v->strip = strip;
  v->strip_row = strip * STRIP_ROWS;
  v->origin = 0;
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
  v->less_first = from_item(0u - pair_of(p->gap_first), 0); /* ptxas would multiply gap_first again in every step */
  v->minus_first = pair_of(-p->gap_first);
  v->minus_ext = pair_of(-p->gap_ext);
  v->minus_lane = pair_of(-p->gap_ext * ALPHA);
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
#if !LOCAL
    v->chosen_rows[a] = v->chosen == a;
#endif
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
  short lane;      /* the first one that has it */
  short slot;      /* of the running tile; the other one is that tile's */
} strip_notes;

INLINE global uint *strip_slot(const region_work *w, long strip, int slot) {
  return w->states + strip * STRIP_WORDS(w->p) + slot * SLOT_WORDS(w->p);
}

/* The first step of the strip's tile. */
INLINE long step_of(const strip2 *v, long tile) {
#if PRUNE
  return min(v->origin + tile * v->p->tile_columns, v->end);
#else
  return tile_begin(v->p, v->strip, tile);
#endif
}

#if BEST
#include "nvidia16_best.clh"
#endif

/* Moves the base to the middle of the strip's last column. */
INLINE void move_base(lanes2 *s, strip2 *v) {
  const uint middle = from_item(s->x[ALPHA - 1], 0) >> 16;
  const long base = v->base + (long)middle - BIAS + v->p->gap_first;
  move_lanes(s, pair_of(v->base - base));
  set_base(v, base);
}

#if PRUNE
/* Computes what matters of a strip; its tiles begin with its first column. */
INLINE void compute_tiles(const region_work *w, long strip, long first_tile, long end_tile,
                          local chain_memory *memory) {
  constant region_params *p = w->p;
  strip_notes notes = {0, 0, 0, 0, 0};
  strip2 v;
  lanes2 s;
  bool last = false;
  open_strip(&v, w, strip, &memory->block);
  v.end = p->tiles * p->tile_columns;
  if (!find_start(&v)) return;
  v.words = strip_slot(w, strip, 0) + STATE_WORDS * ITEMS;
  set_base(&v, entry_of(&v, v.strip_row + STRIP_ROWS / 2));
  set_border(&v);
  begin_lanes(&s, &v);
  start_blocks(&v, v.origin);
#pragma unroll 1
  for (long tile = 0; !last; tile++) {
    if (tile > 0) move_base(&s, &v);
#if BEST
    if (tile > 0) save_lanes(strip_slot(w, strip, notes.slot), &s, v.item);
#endif
    const uint largest = sweep(&s, &v, step_of(&v, tile), step_of(&v, tile + 1));
    last = any_item(step_of(&v, tile + 1) == v.end);
    if (last) publish_end(&v);
#if BEST
    note_best(&s, &v, &notes, tile, largest, last, memory);
#else
    (void)largest;
#endif
  }
}
#else
/* Computes the tiles first_tile to end_tile, exclusive, of a strip, one after the other. */
INLINE void compute_tiles(const region_work *w, long strip, long first_tile, long end_tile,
                          local chain_memory *memory) {
  constant region_params *p = w->p;
  global strip_notes *kept_notes = (global strip_notes *)(w->states + (strip + 1) * STRIP_WORDS(p) - 8);
  strip_notes notes = {0, 0, 0, 0, 0};
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
  if (begin > 0)
    load_lanes(&s, strip_slot(w, strip, notes.slot), v.item);
  else
    begin_lanes(&s, &v);
  start_blocks(&v, begin);
  fetch_word(&v, begin);
#pragma unroll 1
  for (long tile = first_tile; tile < end_tile; tile++) {
    const long from = tile_begin(p, strip, tile);
    if (from > 0) {
      move_base(&s, &v);
      if (from < LANES) set_border(&v); /* some lanes have yet to begin */
    }
#if BEST
    if (from > 0) save_lanes(strip_slot(w, strip, notes.slot), &s, v.item);
#endif
    const uint largest = sweep(&s, &v, from, tile_begin(p, strip, tile + 1));
    const bool last = tile + 1 == end_tile && end == p->tiles * p->tile_columns;
    if (last) { /* the columns that the last lane does not reach hold padding only */
      const uint word = add2(memory->block.below[ITEMS - 1], v.unshift);
      put_word(&v, end - (LANES - 1), word);
      if (v.item < ITEMS - 1) put_word(&v, end - (LANES - 1) + ITEMS, word);
    }
#if BEST
    note_best(&s, &v, &notes, tile, largest, last, memory);
#else
    (void)largest;
#endif
  }
  save_lanes(strip_slot(w, strip, notes.slot), &s, v.item);
  if (v.item == 0) {
    w->bases[strip] = v.base;
    *kept_notes = notes;
  }
}
#endif

/* The next strip's number. */
INLINE long take_ticket(global int *counters, local chain_memory *memory) {
  int ticket = 0;
  if (get_local_id(0) % ITEMS == 0) ticket = atomic_inc(counters + COUNTER_TICKET);
  return warp_largest(ticket);
}

#include "strips.clh"
