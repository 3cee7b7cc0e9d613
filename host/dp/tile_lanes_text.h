/* Scores and ends of whole matrices in lanes of 8 bits, of any length: strips of strip_lanes_text.h, cut into
 * tiles.
 *
 * H of a tile stands in each lane as H - base, with a base for each pair and column of tiles. Every
 * `tile_rows` rows a base moves, so that the row's least H of the tile becomes `tile_low`. Between two moves
 * no value leaves a byte: with gap(k), the cost of a gap of k letters, and i0 the row of the last move
 *
 *      H(i0,j) - gap(k) <= H(i0+k,j) <= H(i0,j) + k match + gap(k)
 *      H(i,j) - gap(1) <= H(i,j+1) <= H(i,j) + match + gap(1)
 *
 * since a path can take a gap, and loses no more than that if its last rows' letters are left out. E and F
 * are `first` below some H at the lowest. A row with H that differ by more than `tile_spread` makes the
 * pair's result unknown. */

typedef struct tiles {
  lanes_group *group;
  lanes_space *space;
  strip strip;
  int32_t rows, columns;
  int32_t row;             /* the one above the strip */
  int done;                /* pairs whose last row is above the strip */
  int32_t least_column;    /* the shortest target's last column */
  int32_t bar[LANES_MOST]; /* by lane: an end before the strip scored so much */
  lanes widest;            /* by lane: the largest difference of H in a tile's row */
} tiles;

static int32_t *tile_bases(const lanes_space *space, int32_t tile) {
  return space->tile_bases + (int64_t)tile * LANES_MOST;
}

static uint8_t *tile_bytes(const lanes_space *space, int32_t tile, int what) {
  return space->tile_bytes + ((int64_t)tile * TILE_BYTES + what) * LANES_MOST;
}

static int32_t tile_width(const tiles *t, int32_t tile) {
  const int32_t width = t->group->scheme->tile_columns, left = t->columns - tile * width;
  return left < width ? left : width;
}

/* The upper border. */
static void tile_begin(const tiles *t, int32_t tile) {
  const lanes_scheme *s = t->group->scheme;
  const path_ends *ends = &s->scheme->ends;
  const int32_t first = tile * s->tile_columns, width = tile_width(t, tile);
  const int64_t base = path_ends_top_h(ends, s->scheme->scoring, first + width) - s->tile_low;
  for (int lane = 0; lane < LANES_BYTES; lane++) tile_bases(t->space, tile)[lane] = (int32_t)base;
  for (int64_t j = first; j < first + width; j++) {
    const lanes h = lanes_set8((int)(path_ends_top_h(ends, s->scheme->scoring, j + 1) - base));
    lanes_store((uint8_t *)t->space->h + j * LANES_BYTES, h);
    lanes_store((uint8_t *)t->space->f + j * LANES_BYTES, lanes_minus(h, lanes_set8(s->across[0][0])));
    lanes_store((uint8_t *)t->space->f2 + j * LANES_BYTES, lanes_minus(h, lanes_set8(s->across[1][0])));
  }
}

/* What the bars less `below` are in the lanes of a tile. */
static lanes tile_bars(const tiles *t, int32_t tile, int32_t below) {
  const int32_t *base = tile_bases(t->space, tile);
  uint8_t bars[LANES_BYTES];
  for (int lane = 0; lane < LANES_BYTES; lane++) {
    const int32_t bar = t->bar[lane] - below - base[lane];
    bars[lane] = (uint8_t)(bar < 0 ? 0 : bar > UINT8_MAX ? UINT8_MAX : bar);
  }
  return lanes_load(bars);
}

/* Moves the base to the row above the strip. */
static void tile_move(tiles *t, int32_t tile) {
  const lanes_scheme *s = t->group->scheme;
  const int64_t first = (int64_t)tile * s->tile_columns * LANES_BYTES;
  const int64_t bytes = (int64_t)tile_width(t, tile) * LANES_BYTES;
  uint8_t *const lines[] = {(uint8_t *)t->space->h + first, (uint8_t *)t->space->f + first,
                            (uint8_t *)t->space->f2 + first};
  int32_t *base = tile_bases(t->space, tile);
  const int32_t *before = tile > 0 ? tile_bases(t->space, tile - 1) : base;
  uint8_t *floors = tile_bytes(t->space, tile, TILE_FLOOR), *steps = tile_bytes(t->space, tile, TILE_STEP);
  uint8_t leasts[LANES_BYTES];
  lanes least = lanes_set8(UINT8_MAX), most = lanes_set8(0);
  for (int64_t at = 0; at < bytes; at += LANES_BYTES) {
    const lanes here = lanes_load(lines[0] + at);
    least = lanes_min8(least, here);
    most = lanes_max(most, here);
  }
  const lanes shift = lanes_minus(least, lanes_set8(s->tile_low));
  for (int line = 0; line < 2 + s->two; line++)
    for (int64_t at = 0; at < bytes; at += LANES_BYTES)
      lanes_store(lines[line] + at, lanes_minus(lanes_load(lines[line] + at), shift));
  t->widest = lanes_max(t->widest, lanes_minus(most, least));
  lanes_store(tile_bytes(t->space, tile, TILE_MOST), lanes_minus(most, shift));
  lanes_store(leasts, least);
  for (int lane = 0; lane < LANES_BYTES; lane++) {
    base[lane] += leasts[lane] - s->tile_low;
    steps[lane] = (uint8_t)(before[lane] - base[lane]);
    floors[lane] = (uint8_t)(base[lane] < 0 ? -base[lane] : 0);
  }
  lanes_store(tile_bytes(t->space, tile, TILE_BAR), tile_bars(t, tile, STRIP_ROWS * s->match));
}

/* Values that enter the strip from the left border. */
static void tiles_begin_strip(tiles *t) {
  lanes_group *group = t->group;
  const lanes_scheme *s = group->scheme;
  strip *x = &t->strip;
  for (int k = 0; k <= STRIP_ROWS; k++) {
    const int32_t h = (int32_t)path_ends_left_h(&s->scheme->ends, s->scheme->scoring, t->row + k);
    uint8_t bytes[LANES_BYTES];
    for (int lane = 0; lane < LANES_BYTES; lane++) bytes[lane] = (uint8_t)(h - tile_bases(t->space, 0)[lane]);
    x->left[k] = lanes_load(bytes);
  }
  for (int k = 0; k < STRIP_ROWS; k++) {
    x->e[k] = lanes_minus(x->left[k + 1], lanes_set8(s->across[0][0]));
    x->e2[k] = lanes_minus(x->left[k + 1], lanes_set8(s->across[1][0]));
  }
  strip_take_rows(x, group, t->space, t->row, t->columns);
}

/* Which pairs are in work, and what their ends must beat. */
static void tiles_set_bars(tiles *t) {
  const lanes_group *group = t->group;
  const int32_t match = group->scheme->match;
  while (t->done < group->count && group->rows[t->done] <= t->row) t->done++;
  for (int lane = 0; lane < LANES_BYTES; lane++)
    t->bar[lane] = lane >= t->done && lane < group->count ? match * group->rows[lane] - group->loss[lane]
                                                          : INT32_MAX / 2;
}

/* Whether an end may be in a tile of the strip: where paths end anywhere, one that is better than those above
 * the strip. A value is `match` above the one it comes from at the most, for each row. */
static bool tile_may_end(const tiles *t, int32_t tile) {
  const lanes_group *group = t->group;
  const lanes_scheme *s = group->scheme;
  const path_ends *ends = &s->scheme->ends;
  if (s->end == LANES_END_ANYWHERE) {
    uint8_t *low_bars = tile_bytes(t->space, tile, TILE_BAR);
    lanes most = lanes_load(tile_bytes(t->space, tile, TILE_MOST));
    for (int k = 0; k <= STRIP_ROWS; k++) most = lanes_max(most, t->strip.left[k]);
    if (!lanes_any8(lanes_less8(lanes_load(low_bars), most))) return false;
    const lanes bars = tile_bars(t, tile, STRIP_ROWS * s->match);
    lanes_store(low_bars, bars);
    return lanes_any8(lanes_less8(bars, most));
  }
  const bool last_row = t->done < group->count && group->rows[t->done] <= t->row + STRIP_ROWS;
  const bool last_column = tile * s->tile_columns + tile_width(t, tile) >= t->least_column;
  return (last_row && (ends->target_end || last_column)) || (ends->query_end && last_column);
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

/* The ends of a tile that score more than the bars: of equal ones the first row's, and there the first. */
static void tile_look_anywhere(tiles *t, int32_t tile) {
  const int32_t *base = tile_bases(t->space, tile), first = tile * t->group->scheme->tile_columns;
  const int32_t width = tile_width(t, tile);
  const lanes one = lanes_set8(1);
  lanes best = tile_bars(t, tile, 0), row = lanes_set8(0), column = row;
  uint8_t scores[LANES_BYTES], rows[LANES_BYTES], columns[LANES_BYTES];
  for (int k = 0; k < STRIP_ROWS; k++) {
    const lanes before = best;
    lanes at = one;
    for (int32_t j = 0; j < width; j++) {
      const lanes here = lanes_load(t->space->kept + (j * STRIP_ROWS + k) * LANES_BYTES);
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
      note_score(t->group, lane, base[lane] + scores[lane], t->row + rows[lane], first + columns[lane]);
}

/* The ends of a tile in a pair's last row and last column. */
static void tile_look_at_borders(tiles *t, int32_t tile, int lane) {
  lanes_group *group = t->group;
  const path_ends *ends = &group->scheme->scheme->ends;
  const int32_t before = tile * group->scheme->tile_columns, end = before + tile_width(t, tile);
  const int32_t last = group->columns[lane], past = last < end ? last : end;
  for (int k = 0; k < STRIP_ROWS && t->row + k < group->rows[lane]; k++) {
    const bool last_row = t->row + k + 1 == group->rows[lane];
    if (!last_row && !ends->query_end) continue;
    int32_t column = last_row && ends->target_end ? before + 1 : last;
    if (column <= before) continue;
    for (; column <= past; column++) {
      const uint8_t here = t->space->kept[((column - 1 - before) * STRIP_ROWS + k) * LANES_BYTES + lane];
      note_score(group, lane, tile_bases(t->space, tile)[lane] + here, t->row + k + 1, column);
    }
  }
}

static __attribute__((noinline)) void tile_columns_of(tiles *t, int32_t tile, const int keep) {
  const lanes_scheme *s = t->group->scheme;
  lanes_space *space = t->space;
  const int64_t at = (int64_t)tile * s->tile_columns * LANES_BYTES;
  const strip_lines lines = {(uint8_t *)space->h + at,
                             (uint8_t *)space->f + at,
                             (uint8_t *)space->f2 + at,
                             (const uint8_t *)space->target + at,
                             (const uint8_t *)space->pairs + at * STRIP_ROWS,
                             space->kept};
  const int32_t width = tile_width(t, tile);
#define CASE(two, how, floor, keep)                                                     \
  case (two)*16 + (how)*4 + (floor)*2 + (keep):                                         \
    strip_columns(&t->strip, s, lines, width, two, how, floor, MOST_OF_LAST_ROW, keep); \
    break
#define CASES(two, how) \
  CASE(two, how, 0, 0); \
  CASE(two, how, 0, 1); \
  CASE(two, how, 1, 0); \
  CASE(two, how, 1, 1)
  switch (s->two * 16 + strip_how(t->group, space) * 4 + s->scheme->ends.floor * 2 + keep) {
    CASES(0, PAIRS_COMPARED);
    CASES(0, PAIRS_GIVEN);
    CASES(0, PAIRS_FROM_TABLES);
    CASES(1, PAIRS_COMPARED);
    CASES(1, PAIRS_GIVEN);
    CASES(1, PAIRS_FROM_TABLES);
  }
#undef CASES
#undef CASE
}

static void tile_solve(tiles *t, int32_t tile) {
  strip *x = &t->strip;
  if (tile > 0) {
    const lanes step = lanes_load(tile_bytes(t->space, tile, TILE_STEP));
    for (int k = 0; k <= STRIP_ROWS; k++) x->left[k] = lanes_plus(x->left[k], step);
    for (int k = 0; k < STRIP_ROWS; k++) x->e[k] = lanes_plus(x->e[k], step);
    for (int k = 0; k < STRIP_ROWS; k++) x->e2[k] = lanes_plus(x->e2[k], step);
  }
  const bool keep = tile_may_end(t, tile);
  x->floor = lanes_load(tile_bytes(t->space, tile, TILE_FLOOR));
  x->most = lanes_set8(0);
  tile_columns_of(t, tile, keep);
  lanes_store(tile_bytes(t->space, tile, TILE_MOST), x->most);
  if (!keep) return;
  if (t->group->scheme->end == LANES_END_ANYWHERE)
    tile_look_anywhere(t, tile);
  else
    for (int lane = t->done; lane < t->group->count; lane++) tile_look_at_borders(t, tile, lane);
}

/* Ends on the upper and the left border. */
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
  tiles t = {.group = group, .space = space, .least_column = INT32_MAX, .widest = lanes_set8(0)};
  take_letters8(group, space, &t.rows, &t.columns);
  const int32_t count = (t.columns + s->tile_columns - 1) / s->tile_columns;
  strip_begin(&t.strip, s);
  tiles_begin_ends(&t);
  for (int32_t tile = 0; tile < count; tile++) tile_begin(&t, tile);
  for (; t.row < t.rows; t.row += STRIP_ROWS) {
    tiles_set_bars(&t);
    for (int32_t tile = 0; tile < count && t.row % s->tile_rows == 0; tile++) tile_move(&t, tile);
    tiles_begin_strip(&t);
    for (int32_t tile = 0; tile < count; tile++) tile_solve(&t, tile);
  }
  uint8_t widest[LANES_BYTES];
  lanes_store(widest, t.widest);
  for (int lane = 0; lane < group->count; lane++)
    if (widest[lane] > s->tile_spread) group->loss[lane] = LANES_UNKNOWN;
  group->cells = (int64_t)t.rows * t.columns * group->count;
}
