/* Wide vectors of 8-bit lanes, for CPUs. Each lane has its own base; one work-item computes one tile.
 *
 *   g      = max(H(i-1,j-1) + s, E(i,j))          and the floor 0 in local mode
 *   H(i,j) = max(g, F(i,j))
 *   F(i+1,j) = max(F(i,j) - ext, g - first)
 *   E(i,j+1) = max(E(i,j) - ext, g - first)
 *
 * F opens from g, because opening a gap from F is never better than extending F. E opens from g, because E after F costs as much
 * as F after E.
 *
 * Lane l owns ALPHA rows. Its values are relative to base[l], and rise by ext with every row and column:
 *
 *   v(a,k) = H - base[l] + ext (a + k)            row a of the lane, step k of the segment
 *
 * In such values, a further gap letter needs no operation, and opening E and F needs one subtraction. A cell needs a comparison,
 * a selection, an addition, a subtraction and four maxima; the floor, which rises too, needs a fifth maximum. After every SEGMENT
 * steps, all values are lowered by what they have risen. If a first row's value is then outside lane_least .. lane_most, each lane
 * changes its base so that its first row's value is `level`; with COLUMNS, each lane always does. lane_width.h proves that the
 * values of the next segment are in 0 .. 255. When a lane passes values to the next lane, the difference of the bases is added.
 *
 * With linear gaps (GAPS 1), E is the left H and F the upper H in such values. A cell needs an addition and two maxima; the floor
 * needs a third maximum. With two pieces (GAPS 3, common.clh), E2 and F2 rise by ext - ext2 with each letter, and a cell needs
 * seven more operations. F and F2 open as in vector.clh.
 *
 *   vector8_skewed.clh    lane l works on column k - l at step k; for match and mismatch, or two pieces
 *   vector8_columns.clh   all lanes work on column k - (LANES - 1); for score matrices
 *
 * Tiles, bus and state are the same for both. A tile is computed a second time if the values seen in the first pass show that it
 * may contain the best cell. With BEST 2, this is done for all tiles with cells in the last column.
 *
 * Launch: as in strips.clh, one work-item per chain. Local memory: a ticket. Private memory: about 6 TILE bytes and (4 ALPHA + 2
 * SEGMENT) vectors, for matrices SCORE_STRIDE ALPHA vectors more.
 *
 * Options: those of common.clh. LANES is 16, 32 or 64, TILE at least LANES, and tile_columns a multiple of LANES. Also:
 *
 *   SEGMENT       columns after which lanes may move their bases: 4, 8, 12 or 16 */

#define KERNEL vector8
#define VALUE uchar
#define VALUE_BITS 8
#define STATE uchar
#define CHAIN_ITEMS 1
#define TAIL 16         /* number of lanes that are stored together, the last lane included */
#define SEGMENT_MOST 16 /* largest SEGMENT */

#include "common.clh"
#if !COLUMNS && LANES % SEGMENT != 0 /* a shorter segment is also valid, and divides a tile */
#undef SEGMENT
#define SEGMENT 8
#endif
#include "lanes.clh"
#include "vector8_lanes.clh"
#if COLUMNS
#include "vector8_columns.clh"
#else
#include "vector8_skewed.clh"
#endif

/* The column of a lane in the tile's first step. */
#define LANE_COLUMN(first_step, lane) ((first_step) - LANE_LAG(lane))

/* Sets all fields of the view that do not change within the tile, except `entry`, which is set. */
static void open_view(tile_view *v, const region_work *w, long strip, long tile, long base) {
  constant region_params *p = w->p;
  const int first = (int)p->gap.first, ext = (int)p->gap.ext;
  const long steps = p->tile_columns;
  v->p = p;
  v->base = base;
  v->strip_row = strip * STRIP_ROWS;
  v->first_step = tile * steps;
  v->own_step = (tile - v->entry.tile) * steps;
  for (int piece = 0; piece < PIECES; piece++) v->opening[piece] = (vec)(uchar)(piece_first(p, piece) - ext);
  v->rise2 = (vec)(uchar)(p->gap.ext - p->gap.ext2);
  for (int i = 0; i < ALPHA + SEGMENT; i++) v->rises[i] = (vec)(uchar)(i * ext);
  for (int k = 0; k < SEGMENT_MOST; k++) v->above_rises[k] = (k - 1) * ext;
  v->least = (uchar)p->lane_least;
  v->room = (uchar)(p->lane_most - p->lane_least);
  v->level = v->least + v->room / 2;
  v->zero = (int)clamp(-base, -(1L << 30), 1L << 30);

  open_scores(&v->scores, w, strip, v->first_step, 2 * ext);
  if (COLUMNS) {
    /* Number of lanes such that extending a gap over all their rows but one costs as much as opening a gap. */
    const int fewest = ext > 0 ? ((first - ext) / ext + 1 + ALPHA) / ALPHA : LANES;
    short lane_rises[LANES];
    uchar forgetful[LANES];
    for (int lane = 0; lane < LANES; lane++) {
      lane_rises[lane] = (short)(lane * ALPHA * ext);
      forgetful[lane] = lane + fewest < LANES ? 255 : 0;
    }
    __builtin_memcpy(&v->lane_rises, lane_rises, sizeof lane_rises);
    v->forgetful = load_vec(forgetful);
    v->far = 0;
  }

  global const uchar *above = w->bus + ((strip + 1) & 1) * BUS_LINES * p->stride + BUS_MARGIN;
  global uchar *below = w->bus + (strip & 1) * BUS_LINES * p->stride + BUS_MARGIN;
  for (int line = 0; line < STEP_LINES; line++)
    load_arriving(&v->above[line], above + line * p->stride + LANE_COLUMN(v->first_step, 0), steps, line > 0, ext);
  for (int line = 0; line < BUS_LINES; line++)
    v->below[line] = below + line * p->stride + LANE_COLUMN(v->first_step, LANES - 1);
  const int bottom_row = (int)(p->rows - 1 - v->strip_row);
  v->bottom_row = bottom_row % ALPHA;
  v->bottom_lane = bottom_row / ALPHA;
  const long bottom_column = LANE_COLUMN(v->first_step, v->bottom_lane);
  v->bottom = p->bottom && strip == p->strips - 1 ? w->bottom + BUS_MARGIN + bottom_column : 0;
}

/* Computes the tile again if it may hold the best cell. `score` is the largest that the first pass has seen. */
static void look_for_best(const region_work *w, tile_view *v, long strip, long score, global const uchar *state, int moved) {
  search wanted;
  lanes again;
  if (BEST == 2 && !reaches_last_column(v->p, v->first_step)) return;
  if (BEST == 1 && !may_be_best_within(w, score - SEEN_ABOVE(v->p), SEEN_ABOVE(v->p) + SEEN_BELOW(v->p))) return;
  const long known = (long)atomic_max(w->counters + COUNTER_KNOWN, 0) << v->p->known_shift;
  wanted.found = w->bests[strip];
  wanted.least = max(max(known, wanted.found.score), 1L);
  load_lanes(&again, state, v->own_step > 0, moved);
  search_steps(&again, v, &wanted);
  if (BEST == 1) may_be_best(w, wanted.found.score); /* this raises the known score for other groups */
  publish_best(w, strip, &wanted.found);
}

static void compute_tile(const region_work *w, long strip, long tile, local chain_memory *memory) {
  constant region_params *p = w->p;
  global uchar *state = w->states + strip * STATE_BYTES;
  tile_view v;
  find_entry(&v.entry, w, strip);
  const bool begun = tile > v.entry.tile;
  const int moved = begun ? state_base(state, 0) : 0;
  const long base = begun ? w->bases[strip] + moved : entry_h(p, &v.entry, strip * STRIP_ROWS);
  lanes s;
  w->bases[strip] = base;
  open_view(&v, w, strip, tile, base);
  load_lanes(&s, state, begun, moved);

  tile_best best = {(ints)(-(1 << 30)), (segment_ints)(-(1 << 30))};
  if (begun) best.largest = largest_entering(&v, &s);
  compute_steps(&s, &v, &best);
  for (int line = 0; line < BUS_LINES; line++) {
    write_line(v.below[line], &v.last[min(line, STEP_LINES - 1)], &v, line > 0);
    finish_line(w, v.below[line], line, strip, tile);
  }
  int largest[LANES + SEGMENT_MOST], score = -(1 << 30);
  __builtin_memcpy(largest, &best.largest, sizeof best.largest);
  __builtin_memcpy(largest + LANES, &best.above, sizeof best.above);
  for (int i = 0; i < LANES + SEGMENT_MOST; i++) score = max(score, largest[i]);
  if (BEST) look_for_best(w, &v, strip, base + score, state, moved);
  save_lanes(state, &s);
}

/* Returns H in the last row of a lane, in the lane's last computed column. */
static inline long lane_h(const region_work *w, long strip, int lane) {
  global const uchar *state = w->states + strip * STATE_BYTES;
  return w->bases[strip] + state_base(state, lane) + state_h(state, lane) - (ALPHA - 2) * w->p->gap.ext;
}

#include "strips.clh"
