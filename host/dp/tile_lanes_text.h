/* Computes scores and ends of whole matrices of any length in lanes of 8 bits: the strips of
 * strip_lanes_text.h are cut into tiles.
 *
 * Each lane has a base for each tile. In row `k` of a strip and column `l` of a tile, both counted from 1,
 * the lane holds
 *
 *      v(k,l) = H - base + ext (k + l)
 *
 * so that a gap continues without a subtraction. The base is chosen so that v(1,0), to the left of the tile,
 * is `tile_level`. fit_tiles (pair_lanes.c) proves that every value fits into a byte. H differs little
 * between nearby nodes, because a path can use a gap from one node to the other, or leave out letters. */

typedef struct tiles {
  lanes low; /* low bytes of the bases */
  strip strip;
  lanes_group *group;
  lanes_space *space;
  int32_t rows, columns;
  int32_t row;             /* the row above the strip */
  int done;                /* number of pairs whose last row is above the strip */
  int32_t least_column;    /* last column of the shortest target */
  int32_t none;            /* value of paths that come from a skipped neighbour */
  int32_t bar[LANES_MOST]; /* by lane: best score of an end in the rows above the strip */
  int32_t base[LANES_MOST];
  int32_t from_left[LANES_MOST], from[LANES_MOST]; /* by lane: largest value of a path that enters the tile:
                                                      from the left, from any side */
  bool left_passed;                                /* the tile to the left was skipped */
} tiles;

typedef enum tile_use {
  TILE_PASSED,
  TILE_COMPUTED,
  TILE_LOOKED_AT /* computed, and searched for ends */
} tile_use;

static int32_t *tile_reached(const lanes_space *space, int32_t tile) {
  return space->tile_reached + (int64_t)tile * LANES_MOST;
}

static uint8_t *tile_low(const lanes_space *space, int32_t tile) {
  return space->tile_lows + (int64_t)tile * LANES_MOST;
}

static int32_t tile_width(const tiles *t, int32_t tile) {
  const int32_t width = t->group->scheme->tile_columns, left = t->columns - tile * width;
  return left < width ? left : width;
}

/* Sets the values of the upper border like the last row of a strip whose tiles have base 0. */
static void tiles_begin_top(const tiles *t) {
  const lanes_scheme *s = t->group->scheme;
  const path_ends *ends = &s->scheme->ends;
  const int32_t width = s->tile_columns, ext = s->across[0].ext;
  for (int32_t j = 0; j < t->columns; j++) {
    const int64_t at = (int64_t)j * LANES_BYTES;
    const int32_t top = (int32_t)path_ends_top_h(ends, s->scheme->scoring, j + 1);
    const int32_t rise = ext * (STRIP_ROWS + j % width + 1);
    lanes_store((uint8_t *)t->space->h + at, lanes_set8(top + rise));
    for (int k = 0; k < s->pieces; k++)
      lanes_store((uint8_t *)t->space->f[k] + at, lanes_set8(top + rise + ext - s->across[k].first));
  }
  for (int32_t tile = 0; tile * width < t->columns; tile++) {
    memset(tile_low(t->space, tile), 0, LANES_MOST);
    memset(tile_reached(t->space, tile), 0, LANES_MOST * sizeof(int32_t));
  }
}

static void tiles_begin_rises(const tiles *t) {
  for (int n = 0; n < TILE_RISES; n++)
    lanes_store(t->space->rises + n * LANES_BYTES, lanes_set8(n * t->group->scheme->across[0].ext));
}

/* Finds the pairs that still have rows to compute, and sets the score that an end of each must exceed. */
static void tiles_set_bars(tiles *t) {
  const lanes_group *group = t->group;
  const int32_t match = group->scheme->match;
  while (t->done < group->count && group->rows[t->done] <= t->row) t->done++;
  for (int lane = 0; lane < LANES_BYTES; lane++)
    t->bar[lane] = lane >= t->done && lane < group->count ? match * group->rows[lane] - group->loss[lane]
                                                          : INT32_MAX / 2;
}

/* Sets the values that enter a strip from the left border. */
static void tiles_begin_strip(tiles *t) {
  const lanes_scheme *s = t->group->scheme;
  const path_ends *ends = &s->scheme->ends;
  strip *x = &t->strip;
  const int32_t ext = s->across[0].ext;
  const int32_t base = (int32_t)path_ends_left_h(ends, s->scheme->scoring, t->row + 1) + ext - s->tile_level;
  for (int k = 0; k <= STRIP_ROWS; k++)
    x->left[k] = lanes_set8((int32_t)path_ends_left_h(ends, s->scheme->scoring, t->row + k) - base + ext * k);
  for (int k = 0; k < s->pieces; k++)
    for (int i = 0; i < STRIP_ROWS; i++) x->e[k][i] = lanes_minus(x->left[i + 1], x->first[k]);
  t->left_passed = false;
  for (int lane = 0; lane < LANES_BYTES; lane++) t->base[lane] = base;
  t->low = lanes_set8(base);
  strip_take_rows(x, t->group, t->space, t->row, t->columns);
}

/* Sets the base of the next tile, after a tile of `width` columns. */
static void tiles_move_base(tiles *t, int32_t width) {
  const lanes_scheme *s = t->group->scheme;
  strip *x = &t->strip;
  uint8_t first[LANES_BYTES];
  const int32_t fall = s->tile_level + width * s->across[0].ext;
  const lanes step = lanes_minus(lanes_set8(s->tile_level), x->left[1]);
  lanes_store(first, x->left[1]);
  for (int lane = 0; lane < LANES_BYTES; lane++) t->base[lane] += first[lane] - fall;
  t->low = lanes_minus(t->low, lanes_plus(step, lanes_set8(fall - s->tile_level)));
  for (int k = 0; k <= STRIP_ROWS; k++) x->left[k] = lanes_plus(x->left[k], step);
  for (int k = 0; k < s->pieces; k++)
    for (int i = 0; i < STRIP_ROWS; i++) x->e[k][i] = lanes_plus(x->e[k][i], step);
}

/* Sets the stored values of the score 0 in the tile's rows and columns; a negative one is set to 0. Returns
 * false if all would be negative. */
static bool tiles_set_floors(const tiles *t, int32_t width) {
  uint8_t above[LANES_BYTES], below[LANES_BYTES];
  for (int lane = 0; lane < LANES_BYTES; lane++) {
    const int32_t base = t->base[lane];
    above[lane] = (uint8_t)(base > UINT8_MAX ? UINT8_MAX : base > 0 ? base : 0);
    below[lane] = (uint8_t)(base < 0 ? -base : 0);
  }
  const lanes lower = lanes_load(above), upper = lanes_load(below);
  const lanes last = lanes_load(t->space->rises + (width + STRIP_ROWS) * LANES_BYTES);
  if (!lanes_any8(lanes_less8(lower, lanes_plus(last, upper)))) return false;
  for (int n = 0; n < width + STRIP_ROWS - 1; n++) {
    const lanes rise = lanes_load(t->space->rises + (n + 2) * LANES_BYTES);
    lanes_store(t->space->floors + n * LANES_BYTES, lanes_less_or_0(lanes_plus(rise, upper), lower));
  }
  return true;
}

/* Sets the largest values that paths can have when they enter the tile from the left. */
static void tile_enter(tiles *t) {
  uint8_t most[LANES_BYTES];
  lanes left = t->strip.left[0];
  for (int k = 1; k <= STRIP_ROWS; k++)
    left = lanes_max(left, lanes_less_or_0(t->strip.left[k], lanes_load(t->space->rises + k * LANES_BYTES)));
  lanes_store(most, left);
  for (int lane = 0; lane < LANES_BYTES; lane++)
    t->from_left[lane] = t->left_passed ? t->none : t->base[lane] + most[lane];
}

/* Decides what to do with a tile if paths end anywhere. A path gains at most `match` in each of the remaining
 * rows, and in each of the remaining columns. If no path through the tile can reach a pair's best score so
 * far, the tile is skipped. */
static tile_use tile_use_anywhere(tiles *t, int32_t tile) {
  const lanes_group *group = t->group;
  const int32_t match = group->scheme->match, first = tile * group->scheme->tile_columns;
  int32_t *from = t->from;
  const int32_t *reached = tile_reached(t->space, tile);
  int better = 0, matters = group->scheme->pieces > 1;
  tile_enter(t);
  for (int lane = 0; lane < LANES_BYTES; lane++) {
    const int32_t rows = group->rows[lane] - t->row, columns = group->columns[lane] - first;
    from[lane] = t->from_left[lane] > reached[lane] ? t->from_left[lane] : reached[lane];
    better |= from[lane] + STRIP_ROWS * match > t->bar[lane];
    matters |= from[lane] + match * (rows < columns ? rows : columns) >= t->bar[lane];
  }
  return better ? TILE_LOOKED_AT : matters ? TILE_COMPUTED : TILE_PASSED;
}

static tile_use tile_use_of(tiles *t, int32_t tile) {
  const lanes_group *group = t->group;
  const path_ends *ends = &group->scheme->scheme->ends;
  if (ends->anywhere) return tile_use_anywhere(t, tile);
  const bool last_row = t->done < group->count && group->rows[t->done] <= t->row + STRIP_ROWS;
  const bool last_column = tile * group->scheme->tile_columns + tile_width(t, tile) >= t->least_column;
  return (last_row && (ends->target_end || last_column)) || (ends->query_end && last_column) ? TILE_LOOKED_AT
                                                                                             : TILE_COMPUTED;
}

static void note_score(lanes_group *group, int lane, int32_t score, int32_t row, int32_t column) {
  const int32_t loss = group->scheme->match * group->rows[lane] - score;
  const path_end found = {-(int64_t)loss, row, column};
  const path_end best = {-(int64_t)group->loss[lane], group->end_row[lane], group->end_column[lane]};
  if (!path_end_is_better(found, best)) return;
  group->loss[lane] = loss;
  group->end_row[lane] = row;
  group->end_column[lane] = column;
}

/* Sets halves[] to true for the halves of the tile in which some H may exceed a pair's best score so far. */
static void tile_may_be_better(const tiles *t, bool halves[2]) {
  const int32_t gain = (STRIP_ROWS - STRIP_MIDDLE) * t->group->scheme->match;
  uint8_t middle[LANES_BYTES];
  int upper = 0, lower = 0;
  lanes_store(middle, t->strip.middle);
  for (int lane = 0; lane < LANES_BYTES; lane++) {
    const int32_t above = t->base[lane] + middle[lane], left = t->from_left[lane];
    upper |= t->from[lane] + gain > t->bar[lane];
    lower |= (above > left ? above : left) + gain > t->bar[lane];
  }
  halves[0] = upper;
  halves[1] = lower;
}

/* Finds for each pair the tile's best end that exceeds the best score so far. Among equal ends, the end in
 * the first row is best, then the end in the first column. */
static void tile_look_anywhere(tiles *t, int32_t tile) {
  const int32_t first = tile * t->group->scheme->tile_columns, width = tile_width(t, tile);
  const lanes one = lanes_set8(1);
  bool halves[2];
  tile_may_be_better(t, halves);
  uint8_t scores[LANES_BYTES], rows[LANES_BYTES], columns[LANES_BYTES];
  for (int lane = 0; lane < LANES_BYTES; lane++) {
    const int32_t bar = t->bar[lane] - t->base[lane];
    scores[lane] = (uint8_t)(bar < 0 ? 0 : bar > UINT8_MAX ? UINT8_MAX : bar);
  }
  lanes best = lanes_load(scores), row = lanes_set8(0), column = row;
  for (int k = halves[0] ? 0 : STRIP_MIDDLE; k < (halves[1] ? STRIP_ROWS : STRIP_MIDDLE); k++) {
    const lanes before = best;
    lanes at = one;
    for (int32_t j = 0; j < width; j++) {
      const lanes rise = lanes_load(t->space->rises + (k + j + 2) * LANES_BYTES);
      const lanes here =
          lanes_less_or_0(lanes_load(t->space->kept + (j * STRIP_ROWS + k) * LANES_BYTES), rise);
      column = lanes_choose8(lanes_less8(best, here), at, column);
      best = lanes_max(best, here);
      at = lanes_plus(at, one);
    }
    row = lanes_choose8(lanes_less8(before, best), lanes_set8(k + 1), row);
  }
  lanes_store(scores, best);
  lanes_store(rows, row);
  lanes_store(columns, column);
  for (int lane = t->done; lane < t->group->count; lane++)
    if (rows[lane] > 0)
      note_score(t->group, lane, t->base[lane] + scores[lane], t->row + rows[lane], first + columns[lane]);
}

/* Finds ends in those parts of a pair's last row and last column that lie in the tile. */
static void tile_look_at_borders(tiles *t, int32_t tile, int lane) {
  lanes_group *group = t->group;
  const path_ends *ends = &group->scheme->scheme->ends;
  const int32_t before = tile * group->scheme->tile_columns, end = before + tile_width(t, tile);
  const int32_t last = group->columns[lane], past = last < end ? last : end;
  const int32_t ext = group->scheme->across[0].ext;
  for (int k = 1; k <= STRIP_ROWS && t->row + k <= group->rows[lane]; k++) {
    const bool last_row = t->row + k == group->rows[lane];
    if (!last_row && !ends->query_end) continue;
    int32_t column = last_row && ends->target_end ? before + 1 : last;
    if (column <= before) continue;
    for (; column <= past; column++) {
      const int32_t l = column - before;
      const int32_t here = t->space->kept[((l - 1) * STRIP_ROWS + k - 1) * LANES_BYTES + lane];
      note_score(group, lane, t->base[lane] + here - ext * (k + l), t->row + k, column);
    }
  }
}

static __attribute__((noinline)) void tile_columns_of(tiles *t, int32_t tile, bool floor, bool keep) {
  const lanes_scheme *s = t->group->scheme;
  lanes_space *space = t->space;
  const int64_t at = (int64_t)tile * s->tile_columns * LANES_BYTES;
  const strip_lines lines = strip_lines_of(space, at);
  const int32_t width = tile_width(t, tile);
#define CASE(pieces, how, floor, keep)                                   \
  case (how)*4 + (floor)*2 + (keep):                                     \
    strip_columns(&t->strip, lines, width, pieces, how, 1, floor, keep); \
    break
#define CASES(pieces, how) \
  CASE(pieces, how, 0, 0); \
  CASE(pieces, how, 0, 1); \
  CASE(pieces, how, 1, 0); \
  CASE(pieces, how, 1, 1)
#define CALL(pieces)                                           \
  switch (strip_how(t->group, space) * 4 + floor * 2 + keep) { \
    CASES(pieces, PAIRS_COMPARED);                             \
    CASES(pieces, PAIRS_GIVEN);                                \
    CASES(pieces, PAIRS_FROM_TABLES);                          \
  }
  BY_GAP_PIECES(s->pieces, CALL);
#undef CALL
#undef CASES
#undef CASE
}

/* Skips a tile. The tile's values are replaced by substitutes: the values of gaps through the tile, and of
 * local paths that start in the tile. The gaps run along the tile's rows, down its columns, or along a row
 * and then down. So the substitutes obey the bounds for neighbouring values. */
static void tile_pass(tiles *t, int32_t tile, bool floor) {
  const int32_t width = tile_width(t, tile);
  const int64_t at = (int64_t)tile * t->group->scheme->tile_columns * LANES_BYTES;
  uint8_t *h = (uint8_t *)t->space->h + at, *f = (uint8_t *)t->space->f[0] + at;
  const uint8_t *floors = t->space->floors;
  strip *x = &t->strip;
  lanes *e = x->e[0]; /* tiles are skipped only with one piece of gap costs */
  lanes down = x->handed, zero = lanes_set8(0), turned = e[0];
  for (int k = 1; k < STRIP_ROWS - 1; k++) turned = lanes_max(turned, e[k]);
  turned = lanes_minus(turned, x->first[0]);
  for (int32_t j = 0; j < width; j++, h += LANES_BYTES, f += LANES_BYTES) {
    if (floor) zero = lanes_load(floors + (j + STRIP_ROWS - 1) * LANES_BYTES);
    x->left[0] = lanes_plus(lanes_load(h), x->handed);
    down = lanes_plus(lanes_load(f), x->handed);
    const lanes last = lanes_max(down, turned), here = lanes_max(lanes_max(last, zero), e[STRIP_ROWS - 1]);
    lanes_store(h, here);
    lanes_store(f, lanes_max(last, lanes_minus(here, x->first[0])));
  }
  for (int k = 0; k < STRIP_ROWS; k++) {
    if (floor) zero = lanes_load(floors + (width - 1 + k) * LANES_BYTES);
    x->left[k + 1] = lanes_max(lanes_max(down, zero), e[k]);
    down = lanes_max(down, lanes_minus(x->left[k + 1], x->first[0]));
    e[k] = lanes_max(e[k], lanes_minus(x->left[k + 1], x->first[0]));
  }
}

/* Sets the largest values that paths can have in the tile's last row. */
static void tile_set_reached(const tiles *t, int32_t tile, bool passed) {
  int32_t *reached = tile_reached(t->space, tile);
  uint8_t most[LANES_BYTES];
  lanes_store(most, t->strip.most);
  for (int lane = 0; lane < LANES_BYTES; lane++)
    reached[lane] = passed ? t->none : t->base[lane] + most[lane];
}

static void tile_solve(tiles *t, int32_t tile) {
  const path_ends *ends = &t->group->scheme->scheme->ends;
  const int32_t width = tile_width(t, tile);
  strip *x = &t->strip;
  const tile_use use = tile_use_of(t, tile);
  const lanes rise = lanes_load(t->space->rises + STRIP_ROWS * LANES_BYTES);
  uint8_t *low = tile_low(t->space, tile);
  x->handed = lanes_minus(lanes_minus(lanes_load(low), t->low), rise);
  lanes_store(low, t->low);
  const bool floor = ends->floor && tiles_set_floors(t, width);
  x->most = x->middle = lanes_set8(0);
  t->left_passed = use == TILE_PASSED;
  if (use == TILE_PASSED)
    tile_pass(t, tile, floor);
  else
    tile_columns_of(t, tile, floor, use == TILE_LOOKED_AT);
  if (ends->anywhere) tile_set_reached(t, tile, use == TILE_PASSED);
  if (use == TILE_LOOKED_AT && ends->anywhere) tile_look_anywhere(t, tile);
  if (use == TILE_LOOKED_AT && !ends->anywhere)
    for (int lane = t->done; lane < t->group->count; lane++) tile_look_at_borders(t, tile, lane);
  tiles_move_base(t, width);
}

/* Records the ends on the upper and the left border. */
static void tiles_begin_ends(tiles *t) {
  lanes_group *group = t->group;
  const path_scheme *scheme = group->scheme->scheme;
  const path_ends *ends = &scheme->ends;
  for (int lane = 0; lane < group->count; lane++) {
    const int32_t rows = group->rows[lane], columns = group->columns[lane];
    group->loss[lane] = LANES_UNKNOWN;
    group->end_row[lane] = group->end_column[lane] = 0;
    if (ends->anywhere)
      group->loss[lane] = group->scheme->match * rows;
    else if (ends->query_end)
      note_score(group, lane, (int32_t)path_ends_top_h(ends, scheme->scoring, columns), 0, columns);
    if (!ends->anywhere && ends->target_end)
      note_score(group, lane, (int32_t)path_ends_left_h(ends, scheme->scoring, rows), rows, 0);
    t->least_column = columns < t->least_column ? columns : t->least_column;
  }
}

static void solve_tiles(lanes_group *group, lanes_space *space) {
  const lanes_scheme *s = group->scheme;
  tiles t = {.group = group, .space = space, .least_column = INT32_MAX, .low = lanes_set8(0)};
  take_letters8(group, space, &t.rows, &t.columns);
  t.none = s->scheme->ends.floor ? 0 : INT32_MIN / 4;
  strip_begin(&t.strip, s, s->across[0].ext);
  tiles_begin_ends(&t);
  tiles_begin_rises(&t);
  tiles_begin_top(&t);
  for (; t.row < t.rows; t.row += STRIP_ROWS) {
    tiles_set_bars(&t);
    tiles_begin_strip(&t);
    for (int32_t tile = 0; tile * s->tile_columns < t.columns; tile++) tile_solve(&t, tile);
  }
  group->cells = (int64_t)t.rows * t.columns * group->count;
}
