#include <sched.h>
#include <stdatomic.h>
#include <string.h>

#include "base/allocate.h"
#include "base/extremes.h"
#include "base/loops.h"
#include "base/machine.h"
#include "trace/live_band_internal.h"

/* Corrects the cells of the line whose pair an earlier alignment uses: without the pair, only gaps lead to
 * them. No other cell of the line depends on them. */
static void forbid_used(live_band *band, const band_line *line, int64_t number, int64_t first) {
  const int pieces = band_pieces(band);
  const used_pairs *used = band->in.problem->scheme.table->used;
  const int64_t above = band->in.row + first;
  for (int which = 0; which < used_pairs_paths(used); which++) {
    const int64_t row = used_pairs_on_line(used, which, band->in.row + band->in.column + number);
    const int64_t i = row - above;
    if (row == 0 || i < 0 || i >= line->count) continue;
    const int64_t floor = value_get(band, line->floor, i);
    int64_t h = floor, e[CLA_GAP_PIECES] = {0}, f[CLA_GAP_PIECES] = {0};
    for (int k = 0; k < pieces; k++) {
      e[k] = value_get(band, line->e[k], i);
      f[k] = value_get(band, line->f[k], i);
      h = larger(h, larger(e[k], f[k]));
    }
    value_put(band, line->h, i, h);
    if (!line->directions) continue;
    const int from = h == floor ? FROM_START : DIRECTION_OF_GAP(h, e, f, pieces);
    line->directions[i] = (cell_direction)((line->directions[i] & ~FROM_MASK) | from);
  }
}

/* Moves the front to the next line, limited to rows up to `most_row` and columns up to `most_column`. Returns
 * false if the line has no row. In a band with fixed edges, a line may be empty without ending the band. */
static bool step(band_front *front, const live_band *band, int64_t most_row, int64_t most_column) {
  const int64_t d = ++front->line, top = smaller(band->in.extent.last, most_column);
  const band_edges *edges = &band->edges;
  front->before_first = front->first;
  front->before_last = front->last;
  if (edges->fixed) {
    front->first = larger(larger((d - edges->high + 1) / 2, 0), d - band->columns);
    front->last = smaller((d - edges->low) / 2, smaller(d, band->rows));
    return true;
  }
  if (front->first == 0 && d > top) front->first = 1;
  front->first = larger(front->first, d - most_column);
  front->last = smaller(front->last + 1, most_row);
  return front->first <= front->last;
}

/* Sets the line's pointers for the rows `row` to `last`. Each field is written only once, because narrow
 * bands have many lines of few cells. */
ALWAYS_INLINE void set_cells(band_line *line, live_band *band, int64_t d, int64_t row, int64_t last) {
  const band_arrays *arrays = &band->arrays;
  const int pieces = band_pieces(band);
  const int64_t here = d % 2, before = (d + 1) % 2;
  line->h = value_at(band, arrays->h[d % 3], row);
  line->before = value_at(band, arrays->h[(d + 2) % 3], row);
  line->before_2 = value_at(band, arrays->h[(d + 1) % 3], row);
  for (int k = 0; k < pieces; k++) {
    line->e[k] = value_at(band, arrays->e[k], row);
    line->f[k] = value_at(band, arrays->f[k][here], row);
    line->f_before[k] = value_at(band, arrays->f[k][before], row);
  }
  line->floor = value_at(band, arrays->floor, row);
  line->query = value_at(band, arrays->query, row);
  line->target = value_at(band, arrays->target, band->columns - d + row);
  line->scores = band->scores.table;
  line->line_scores = NULL;
  line->directions = NULL;
  line->count = last - row + 1;
}

/* Writes the values of the cell above the line's first row. */
static void put_above(live_band *band, const band_front *at) {
  const int64_t d = at->line, above = at->first - 1;
  const int pieces = band_pieces(band);
  if (at->first == 0) {
    value_put(band, band->arrays.h[d % 3], 0, value_stored(band, 0, band->in.top.h[d]));
    band_values_put_top_f(band, d);
    return;
  }
  value_put(band, band->arrays.h[d % 3], above, band->scale.lowest);
  for (int k = 0; k < pieces; k++) value_put(band, band->arrays.f[k][d % 2], above, band->scale.lowest);
}

/* Writes H of a cell in the line's last row or in the row below. No gap reaches that cell. */
static void put_below(live_band *band, const band_front *at, int64_t row, int64_t h) {
  const int pieces = band_pieces(band);
  value_put(band, band->arrays.h[at->line % 3], row, h);
  for (int k = 0; k < pieces; k++) value_put(band, band->arrays.e[k], row, band->scale.lowest);
}

/* In a band with fixed edges: writes the values of the line's node on the left border. */
static void put_left(live_band *band, const band_front *at) {
  const path_scheme *scheme = &band->in.problem->scheme;
  const int64_t h = path_ends_left_h(&scheme->ends, scheme->scoring, at->last);
  put_below(band, at, at->last, value_stored(band, at->last, h));
}

/* True if a path may start in the line's last node, which then lies on the left border, and in no other node
 * of the line. */
static bool starts_below(const live_band *band, const band_front *at) {
  const path_ends *ends = &band->in.problem->scheme.ends;
  return ends->query_start && !ends->floor && band->in.column == 0 && at->last == at->line;
}

/* Computes the cells of `line`, from row `row` on. */
static void compute(live_band *band, const band_front *at, const band_line *line, int64_t row) {
  const int64_t last = row + line->count - 1;
  const bool starts = last == at->last && starts_below(band, at);
  if (starts) value_put(band, band->arrays.floor, last, value_stored(band, last, 0));
  if (line->count > 0) band_line_compute(line, &band->scores.costs);
  if (band->in.problem->scheme.table->used) forbid_used(band, line, at->line, row);
  if (starts) value_put(band, band->arrays.floor, last, band->scale.lowest);
  band->cells += line->count;
}

bool band_next_line(live_band *band, int64_t most_row, int64_t most_column, cell_direction *directions) {
  const band_front *at = &band->front;
  if (band->edges.fixed && at->line - band->arrays.moved == band->edges.between) band_values_move(band);
  if (!step(&band->front, band, most_row, most_column)) return false;
  const bool left = band->edges.fixed && at->last == at->line;
  const int64_t row = larger(at->first, 1), last = at->last - left;
  band_line line;
  set_cells(&line, band, at->line, row, last);
  line.directions = directions;
  if (band->scores.costs.pairs == BAND_PAIRS_LINE && row <= last)
    line.line_scores = score_lines_get(&band->scores.lines, at->line, row, last, most_row);
  compute(band, at, &line, row);
  put_above(band, at);
  if (left) put_left(band, at);
  put_below(band, at, at->last + 1, band->scale.lowest);
  return true;
}

cla_status band_directed_line(bool *there, live_band *band, int64_t most_row, int64_t most_column,
                              cla_error *error) {
  band_directions *to = &band->directions;
  const band_front *at = &band->front;
  const int64_t index = at->line + 1 - to->from, most = at->last - at->first + 2 + BAND_LINE_ROOM;
  cla_status status =
      ALLOCATE_GROW(&to->places, &to->places_capacity, index + 1, "a band's directions", error);
  if (status == CLA_OK)
    status = ALLOCATE_GROW(&to->codes, &to->capacity, to->count + most, "a band's directions", error);
  *there = status == CLA_OK && band_next_line(band, most_row, most_column, to->codes + to->count);
  if (!*there) return status;
  const int64_t first = larger(at->first, 1);
  to->places[index] = (line_place){.first = first, .last = at->last, .offset = to->count};
  to->count += larger(at->last - first + 1, 0);
  return CLA_OK;
}

/* Several lines (a tile) are computed together: first some rows of all lines, then the next rows of all
 * lines. So values are read from the nearest cache. A cell depends on its own row and the row above. The
 * arrays contain the row above only for the latest lines, so a row_edge stores that row's values for every
 * line. */

#define LINES LINES_BETWEEN_LOOKS
/* Bytes of each array that are computed together. Nine to twelve such arrays stay in the nearest cache. */
#define ROWS_BYTES 3072
/* A line of at least this many times ROWS_BYTES is wide: it does not stay in the nearest cache. */
#define WIDE_ROWS_LEAST 3

/* The values of one row in the lines of a tile, and in the two lines before the tile. The line just before
 * the tile is at index [1], line `i` of the tile at [i + 1]. */
typedef struct row_edge {
  int64_t h[LINES + 2], f[CLA_GAP_PIECES][LINES + 2];
} row_edge;

static void edge_get(row_edge *edge, const live_band *band, int64_t line, int index, int64_t row) {
  edge->h[index] = value_get(band, band->arrays.h[line % 3], row);
  for (int k = 0; k < band_pieces(band); k++)
    edge->f[k][index] = value_get(band, band->arrays.f[k][line % 2], row);
}

/* Writes the row's values of a line, and H of the previous line. */
static void edge_put(const row_edge *edge, live_band *band, int64_t line, int index, int64_t row) {
  value_put(band, band->arrays.h[line % 3], row, edge->h[index]);
  value_put(band, band->arrays.h[(line + 2) % 3], row, edge->h[index - 1]);
  for (int k = 0; k < band_pieces(band); k++)
    value_put(band, band->arrays.f[k][line % 2], row, edge->f[k][index]);
}

/* Copies of cells of the line before the tile. Functions write whole groups of cells, and so may overwrite
 * the originals. */
typedef struct next_cells {
  int32_t values[BAND_KEPT_ARRAYS_MOST][BAND_LINE_ROOM];
} next_cells;

static void next_cells_move(live_band *band, next_cells *cells, int64_t row, bool back) {
  const size_t bytes = (size_t)(BAND_LINE_ROOM * band->scale.value_bytes);
  void *arrays[BAND_KEPT_ARRAYS_MOST];
  const int count = band_values_arrays(band, arrays);
  for (int i = 0; i < count; i++) {
    void *there = value_at(band, arrays[i], row);
    if (back)
      memcpy(there, cells->values[i], bytes);
    else
      memcpy(cells->values[i], there, bytes);
  }
}

bool band_is_wide(const live_band *band) {
  const int64_t rows = band->front.last - band->front.first + 1 - 2 * LINES;
  return band->scores.costs.pairs != BAND_PAIRS_LINE && !band->in.problem->scheme.table->used &&
         rows * band->scale.value_bytes >= WIDE_ROWS_LEAST * ROWS_BYTES;
}

/* The rows [from, end) of a tile's lines. `above` contains the values of row from - 1; `below` receives the
 * values of the last row. */
typedef struct tile_rows {
  const band_front *lines; /* the line before the tile, then the tile's lines */
  int64_t from, end;
  bool first, last;
  row_edge above, below;
} tile_rows;

static void compute_rows(live_band *band, tile_rows *tile) {
  const int64_t d = tile->lines[0].line;
  for (int k = 1; k <= LINES; k++) {
    const band_front *at = tile->lines + k;
    const bool left = tile->last && band->edges.fixed && at->last == at->line;
    const int64_t row = tile->first ? larger(at->first, 1) : tile->from;
    const int64_t last = tile->last ? at->last - left : tile->end - 1;
    if (!tile->first) edge_put(&tile->above, band, d + k - 1, k, tile->from - 1);
    band_line line;
    set_cells(&line, band, at->line, row, last);
    compute(band, at, &line, row);
    if (tile->first) put_above(band, at);
    if (left) put_left(band, at);
    if (tile->last) put_below(band, at, at->last + 1, band->scale.lowest);
    if (!tile->last) edge_get(&tile->below, band, d + k, k + 1, tile->end - 1);
  }
}

/* A tile's lines, while threads compute the tiles of a wide band. */
typedef struct line_tile {
  const band_front *lines; /* the line before the tile, then the tile's lines */
  atomic_llong done;       /* rows before this one, but the last, are complete; INT64_MAX: all are */
} line_tile;

/* Waits until the tile's rows up to `row` are complete. */
static void wait_for(line_tile *tile, int64_t row) {
  while (atomic_load_explicit(&tile->done, memory_order_acquire) < row) sched_yield();
}

/* Computes a tile's lines. `before` has the lines before the tile, if another thread may compute them: then
 * rows wait until they are complete there. */
static void compute_lines(live_band *band, line_tile *of, line_tile *before) {
  const int64_t d = of->lines[0].line, some = ROWS_BYTES / band->scale.value_bytes;
  next_cells next;
  tile_rows tile = {.lines = of->lines, .first = true};
  for (tile.from = of->lines[LINES].first; !tile.last; tile.from = tile.end) {
    tile.end = (tile.from + some) / BAND_LINE_ROOM * BAND_LINE_ROOM; /* a row at which a vector may start */
    tile.last = tile.end + some / 2 > of->lines[0].last;
    if (before) wait_for(before, tile.last ? INT64_MAX : tile.end + 2 * BAND_LINE_ROOM);
    if (!tile.last) {
      edge_get(&tile.below, band, d - 1, 0, tile.end - 1);
      edge_get(&tile.below, band, d, 1, tile.end - 1);
      next_cells_move(band, &next, tile.end, false);
    }
    compute_rows(band, &tile);
    if (!tile.last) next_cells_move(band, &next, tile.end, true);
    if (!tile.first) edge_put(&tile.above, band, d + LINES, LINES + 1, tile.from - 1);
    tile.above = tile.below;
    tile.first = false;
    atomic_store_explicit(&of->done, tile.last ? INT64_MAX : tile.end, memory_order_release);
  }
}

/* Tiles that threads take one after the other. */
typedef struct line_tiles {
  const live_band *band;
  line_tile tiles[BAND_TILES_MOST];
  int64_t count;
  atomic_llong next, cells;
} line_tiles;

static void take_tiles(void *user, int index) {
  line_tiles *all = user;
  live_band own = *all->band; /* shares the arrays */
  (void)index;
  own.cells = 0;
  for (int64_t i; (i = atomic_fetch_add(&all->next, 1)) < all->count;) {
    own.front = all->tiles[i].lines[0];
    compute_lines(&own, &all->tiles[i], i > 0 ? &all->tiles[i - 1] : NULL);
  }
  atomic_fetch_add(&all->cells, own.cells);
}

bool band_next_tiles(live_band *band, int64_t count, int threads) {
  band_front lines[BAND_TILES_MOST * LINES + 1] = {band->front};
  line_tiles all = {.band = band, .count = count};
  for (int64_t k = 1; k <= count * LINES; k++) {
    lines[k] = lines[k - 1];
    if (!step(lines + k, band, band->rows, band->columns)) return false;
  }
  for (int64_t i = 0; i < count; i++) all.tiles[i].lines = lines + i * LINES;
  parallel_run((int)smaller(threads, count), take_tiles, &all);
  band->cells += atomic_load(&all.cells);
  band->front = lines[count * LINES];
  return true;
}

bool band_next_lines(live_band *band) {
  band_front lines[LINES + 1] = {band->front};
  line_tile tile = {.lines = lines};
  for (int k = 1; k <= LINES; k++) {
    lines[k] = lines[k - 1];
    if (!step(lines + k, band, band->rows, band->columns)) return false;
  }
  compute_lines(band, &tile, NULL);
  band->front = lines[LINES];
  return true;
}
