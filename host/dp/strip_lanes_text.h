/* Computes scores, not losses, in lanes of 8 bits, with the vectors of dp/lanes.h. STRIP_ROWS rows are
 * computed together, so that H and F of a column are loaded and stored only once for all these rows.
 *
 *      G(i,j) = max(H(i-1,j-1) + score, E(i,j)), and 0 of local scores
 *      H(i,j) = max(G(i,j), F(i,j))
 *      E(i,j+1) = max(E(i,j) - ext, G(i,j) - first),     F(i+1,j) likewise
 *
 * No gap opens from F: of two adjacent gaps, the target's gap comes first. Sums wrap around; fit_scores
 * (pair_lanes.c) ensures that a value outside the range of a byte is detected. */

/* The state of a strip between two columns. */
typedef struct strip {
  lanes left[STRIP_ROWS + 1]; /* H of the previous column, starting with the row above the strip */
  lanes e[CLA_GAP_PIECES][STRIP_ROWS];
  lanes low[STRIP_ROWS],
      high[STRIP_ROWS];        /* halves of the rows' tables; without tables, `low` holds the letters */
  lanes same, other;           /* without tables: scores of equal and of unequal letters */
  lanes first[CLA_GAP_PIECES]; /* cost of a gap's first letter */
  lanes
      ext[CLA_GAP_PIECES]; /* cost of a further letter minus the rise; in tiles, only for pieces from 1 on */
  lanes zero;              /* stored value of the local score 0; unused in tiles */
  lanes most;              /* largest H of all cells; in tiles, largest H of the last row, minus the rise */
  lanes middle;            /* in tiles that store H: largest H of the middle row, minus the rise */
  lanes handed;            /* in tiles: number added to the values of the strip above */
} strip;

/* Pointers to vectors by column. */
typedef struct strip_lines {
  uint8_t *h, *f[CLA_GAP_PIECES]; /* values of the row above the strip; replaced by the strip's last row */
  const uint8_t *target;
  const uint8_t *pairs;  /* STRIP_ROWS vectors for each column */
  uint8_t *kept;         /* all H of a tile, STRIP_ROWS vectors for each column */
  const uint8_t *floors; /* in tiles, by row + column: stored value of 0 */
  const uint8_t *rises;  /* in tiles, by row + column: number by which values are raised */
} strip_lines;

/* How scores of pairs are found: by comparing letters, from strip_lines.pairs, or in tables. */
enum { PAIRS_COMPARED, PAIRS_GIVEN, PAIRS_FROM_TABLES };

LANE_OPERATION lanes strip_pair(const strip *of, int row, lanes letters, const uint8_t *pairs,
                                const int how) {
  if (how == PAIRS_FROM_TABLES) return lanes_look_up(of->low[row], of->high[row], letters);
  if (how == PAIRS_GIVEN) return lanes_load(pairs + row * LANES_BYTES);
  return lanes_choose8(lanes_equal8(of->low[row], letters), of->same, of->other);
}

/* Computes `count` columns of a strip. Values of a tile rise by `ext` with each row and column. Callers pass
 * constants for the parameters after `count`. */
LANE_OPERATION void strip_columns(strip *state, strip_lines at, int32_t count, const int pieces,
                                  const int how, const int tile, const int floor, const int keep) {
  strip x = *state;
  for (int32_t j = 0; j < count; j++) {
    const lanes letters = lanes_load(at.target);
    lanes f[CLA_GAP_PIECES], diagonal = x.left[0];
    x.left[0] = lanes_load(at.h);
    if (tile) x.left[0] = lanes_plus(x.left[0], x.handed);
    UNROLLED
    for (int k = 0; k < pieces; k++)
      f[k] = tile ? lanes_plus(lanes_load(at.f[k]), x.handed) : lanes_load(at.f[k]);
#define ROW(row)                                                                                          \
  do {                                                                                                    \
    lanes here = lanes_plus(diagonal, strip_pair(&x, row, letters, at.pairs, how));                       \
    UNROLLED                                                                                              \
    for (int k = 0; k < pieces; k++) here = lanes_max(here, x.e[k][row]);                                 \
    if (floor) here = lanes_max(here, tile ? lanes_load(at.floors + (row)*LANES_BYTES) : x.zero);         \
    const lanes opens = here;                                                                             \
    UNROLLED                                                                                              \
    for (int k = 0; k < pieces; k++) here = lanes_max(here, f[k]);                                        \
    if (!tile) x.most = lanes_max(x.most, here);                                                          \
    if (keep) lanes_store(at.kept + (row)*LANES_BYTES, here);                                             \
    diagonal = x.left[(row) + 1];                                                                         \
    x.left[(row) + 1] = here;                                                                             \
    UNROLLED                                                                                              \
    for (int k = 0; k < pieces; k++) {                                                                    \
      const lanes opened = lanes_minus(opens, x.first[k]);                                                \
      x.e[k][row] = lanes_max(tile && k == 0 ? x.e[k][row] : lanes_minus(x.e[k][row], x.ext[k]), opened); \
      f[k] = lanes_max(tile && k == 0 ? f[k] : lanes_minus(f[k], x.ext[k]), opened);                      \
    }                                                                                                     \
  } while (0)
    ROW(0);
    ROW(1);
    ROW(2);
    ROW(3);
    if (keep)
      x.middle = lanes_max(x.middle,
                           lanes_less_or_0(x.left[STRIP_MIDDLE],
                                           lanes_load(at.rises - (STRIP_ROWS - STRIP_MIDDLE) * LANES_BYTES)));
    ROW(4);
    ROW(5);
    ROW(6);
    ROW(7);
#undef ROW
    if (tile) x.most = lanes_max(x.most, lanes_less_or_0(x.left[STRIP_ROWS], lanes_load(at.rises)));
    lanes_store(at.h, x.left[STRIP_ROWS]);
    UNROLLED
    for (int k = 0; k < pieces; k++) {
      lanes_store(at.f[k], f[k]);
      at.f[k] += LANES_BYTES;
    }
    at.h += LANES_BYTES;
    at.target += LANES_BYTES;
    at.pairs += STRIP_ROWS * LANES_BYTES;
    at.kept += STRIP_ROWS * LANES_BYTES;
    at.floors += LANES_BYTES;
    at.rises += LANES_BYTES;
  }
  *state = x;
}

_Static_assert(STRIP_ROWS == 8 && STRIP_MIDDLE == 4, "strip_columns has as many rows");

/* Sets the scheme's scores and costs, for values that rise by `rise` with each row and column. This
 * function is not inlined: otherwise, compilers would know the numbers and load them into vectors again in
 * each cell. */
static __attribute__((noinline)) void strip_begin(strip *of, const lanes_scheme *s, int rise) {
  of->same = lanes_set8(s->match + 2 * rise);
  of->other = lanes_set8(s->match - s->unlike + 2 * rise);
  for (int k = 0; k < s->pieces; k++) {
    of->first[k] = lanes_set8(s->across[k].first - rise);
    of->ext[k] = lanes_set8(s->across[k].ext - rise);
  }
}

/* Returns the lines from the column at byte offset `at` on. */
static strip_lines strip_lines_of(lanes_space *space, int64_t at) {
  strip_lines lines = {.h = (uint8_t *)space->h + at,
                       .target = (const uint8_t *)space->target + at,
                       .pairs = (const uint8_t *)space->pairs + at * STRIP_ROWS,
                       .kept = space->kept,
                       .floors = space->floors,
                       .rises = space->rises + (STRIP_ROWS + 1) * LANES_BYTES};
  for (int k = 0; k < CLA_GAP_PIECES; k++) lines.f[k] = (uint8_t *)space->f[k] + at;
  return lines;
}

static const uint8_t *strip_scores(const lanes_group *group) {
  return group->scheme->scores[group->values == LANES_TILES];
}

/* Looks up the scores of a strip's pairs if queries differ. */
static void strip_look_up(const lanes_group *group, lanes_space *space, int32_t row, int32_t columns) {
  const uint8_t *query = (const uint8_t *)space->query + (int64_t)row * LANES_BYTES, *target = space->target;
  uint8_t *pairs = space->pairs;
#if LANES_BYTES > 16
  if (space->is_turned) {
    for (int k = 0; k < STRIP_ROWS; k++) {
      turned_tables tables;
      turned_take_row(&tables, space, 8, row + k, strip_scores(group));
      turned_look_up(pairs + k * LANES_BYTES, STRIP_ROWS * LANES_BYTES, &tables, space, 8, 0, columns);
    }
    return;
  }
#endif
  for (int64_t at = 0; at < (int64_t)columns * LANES_BYTES; at += LANES_BYTES)
    for (int k = 0; k < STRIP_ROWS; k++, pairs += LANES_BYTES)
      for (int lane = 0; lane < LANES_BYTES; lane++)
        pairs[lane] = strip_scores(group)[32 * query[k * LANES_BYTES + lane] + target[at + lane]];
}

/* Returns how the scores of a group's pairs are found. */
static int strip_how(const lanes_group *group, const lanes_space *space) {
  return !group->scheme->look_up ? PAIRS_COMPARED : space->one_query ? PAIRS_FROM_TABLES : PAIRS_GIVEN;
}

/* Loads the letters of the strip whose first row is `row`, counted from 0. */
static void strip_take_rows(strip *of, const lanes_group *group, lanes_space *space, int32_t row,
                            int32_t columns) {
  const uint8_t *query = (const uint8_t *)space->query + (int64_t)row * LANES_BYTES;
  const int how = strip_how(group, space);
  for (int k = 0; k < STRIP_ROWS; k++, query += LANES_BYTES) {
    const uint8_t *table = strip_scores(group) + 32 * *query;
    of->low[k] = how == PAIRS_FROM_TABLES ? lanes_half(table) : lanes_load(query);
    of->high[k] = how == PAIRS_FROM_TABLES ? lanes_half(table + 16) : lanes_set8(0);
  }
  if (how == PAIRS_GIVEN) strip_look_up(group, space, row, columns);
}

/* Computes local scores without ends. Letters behind a sequence's end score 0 or less, so lanes may have
 * different lengths. */
static void solve_scores(lanes_group *group, lanes_space *space) {
  const lanes_scheme *s = group->scheme;
  int32_t rows, columns;
  take_letters8(group, space, &rows, &columns);
  const lanes zero = lanes_set8(s->zero);
  strip state = {.most = zero, .zero = zero};
  strip_begin(&state, s, 0);
  const strip_lines lines = strip_lines_of(space, 0);
  memset(space->h, s->zero, (size_t)columns * LANES_BYTES);
  for (int k = 0; k < s->pieces; k++) memset(space->f[k], s->zero, (size_t)columns * LANES_BYTES);
  for (int32_t row = 0; row < rows; row += STRIP_ROWS) {
    state.left[0] = zero;
    for (int i = 0; i < STRIP_ROWS; i++) {
      state.left[i + 1] = zero;
      for (int k = 0; k < s->pieces; k++) state.e[k][i] = zero;
    }
    strip_take_rows(&state, group, space, row, columns);
#define CASE(pieces, how)                                        \
  case how:                                                      \
    strip_columns(&state, lines, columns, pieces, how, 0, 1, 0); \
    break
#define CALL(pieces)                 \
  switch (strip_how(group, space)) { \
    CASE(pieces, PAIRS_COMPARED);    \
    CASE(pieces, PAIRS_GIVEN);       \
    CASE(pieces, PAIRS_FROM_TABLES); \
  }
    BY_GAP_PIECES(s->pieces, CALL);
#undef CALL
#undef CASE
  }
  uint8_t scores[LANES_BYTES];
  lanes_store(scores, state.most);
  for (int lane = 0; lane < group->count; lane++)
    group->loss[lane] =
        scores[lane] < s->high ? s->match * group->rows[lane] - (scores[lane] - s->zero) : LANES_UNKNOWN;
  group->cells = (int64_t)rows * columns * group->count;
}
