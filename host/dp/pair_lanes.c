#include "dp/pair_lanes.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/extremes.h"
#include "base/loops.h"
#include "dp/pair_lanes_internal.h"

#define LOSS_MOST 65535 /* largest loss in a lane of 16 bits */
#define LARGE_PAGES_FROM (INT64_C(4) << 20)

static int32_t capped(int64_t loss) {
  return (int32_t)smaller(loss, LOSS_MOST);
}

static void make_table(lanes_scheme *out, const score_table *table) {
  for (int code = 0; code < 32 * 32; code++) {
    const bool padding = code / 32 == LANES_PADDING || code % 32 == LANES_PADDING;
    const int64_t loss = padding ? LOSS_MOST : (int64_t)out->match - table->score[code];
    out->table[code] = (uint16_t)capped(
        loss < 0 ? LOSS_MOST : loss); /* only letters that do not occur can have a negative loss */
    out->bytes[code] = (uint8_t)smaller(out->table[code], UINT8_MAX);
  }
}

/* Decides whether lanes of 8 bits can hold local scores. A value outside the range of a byte must be
 * detected. A gap opens from a value of at least 0, so the gap's value is at least -(first + ext). The
 * first H that reaches `high` is one pair away from a lower H. */
static void fit_scores(lanes_scheme *out, const score_table *table) {
  const int32_t least = table->needs_lookup ? table->minimum : table->mismatch;
  out->zero = -least;
  for (int piece = 0; piece < out->pieces; piece++)
    out->zero = (int32_t)larger(out->zero, (int64_t)out->across[piece].first + out->across[piece].ext);
  out->high = UINT8_MAX - out->match;
  out->scores_fit = out->scheme->ends.floor && least <= 0 && out->high > out->zero;
  for (int code = 0; code < 32 * 32 && table->needs_lookup; code++) {
    const bool padding = code / 32 == LANES_PADDING || code % 32 == LANES_PADDING;
    out->scores[0][code] = (uint8_t)(padding ? least : table->score[code]);
    out->scores[1][code] = (uint8_t)(out->scores[0][code] + 2 * out->across[0].ext);
  }
}

/* Chooses the widest tiles in which all values fit into a byte. With v(k,l) of tile_lanes_text.h, open =
 * first - ext, and slope = match + 2 ext, the bounds of H give
 *
 *      v(k,l) >= tile_level - 2 open,     v(0,l) >= tile_level - ext - match - first - open, which is less
 *      v(k,l) <= tile_level + (k - 1 + l) slope + 2 open
 *
 * New gaps have the value G - first (strip_lanes_text.h), and G is at least the H of the diagonal neighbour
 * plus a pair's score. For values that enter at the tile's left border, this neighbour lies one column to the
 * left of the border. That lowers `v` by match + first. */
static void fit_tiles(lanes_scheme *out, const score_table *table) {
  const int64_t least = table->needs_lookup ? table->minimum : table->mismatch;
  const int64_t match = out->match, ext = out->across[0].ext, first = out->across[0].first;
  const int64_t open = out->across[out->pieces - 1].first - ext, slope = match + 2 * ext;
  const int64_t pair = smaller(0, least + 2 * ext);
  const int64_t level = slope + 2 * open + match + first - pair + open + ext;
  const int64_t left = UINT8_MAX - level - 2 * open - (STRIP_ROWS - 1) * slope;
  out->tile_columns = (int32_t)(slope > 0 ? smaller(left / slope, TILE_COLUMNS_MOST) : TILE_COLUMNS_MOST);
  out->tile_level = (int32_t)smaller(level, UINT8_MAX);
  out->tiles_fit = least <= 0 && left > 0 && out->tile_columns >= TILE_COLUMNS_LEAST;
}

bool lanes_scheme_make(lanes_scheme *out, const path_scheme *scheme) {
  const cla_scoring *s = scheme->scoring;
  const score_table *table = scheme->table;
  const int32_t match = table->needs_lookup ? table->maximum : table->match;
  if (match < 0 || table->used || (!table->needs_lookup && match < table->mismatch)) return false;
  *out = (lanes_scheme){.scheme = scheme,
                        .match = match,
                        .pieces = gap_pieces(s),
                        .look_up = table->needs_lookup,
                        .end = scheme->ends.anywhere                               ? LANES_END_ANYWHERE
                               : scheme->ends.query_end || scheme->ends.target_end ? LANES_END_BORDERS
                                                                                   : LANES_END_CORNER};
  for (int k = 0; k < out->pieces; k++) {
    out->across[k] = s->gap[k];
    out->down[k] = (cla_gap_piece){s->gap[k].first + match, s->gap[k].ext + match};
  }
  out->unlike = match - table->mismatch;
  if (table->needs_lookup) make_table(out, table);
  out->most = table->needs_lookup ? match - table->minimum : out->unlike;
  fit_scores(out, table);
  fit_tiles(out, table);
  return true;
}

const lanes_way *lanes_way_of(int bits, int widest) {
  const int place = bits == 16;
#if X86_VECTORS
  if (LEAST(widest, vector_bytes()) >= 64) return &lanes_ways_avx512[place];
  if (LEAST(widest, vector_bytes()) >= 32) return &lanes_ways_avx2[place];
#endif
  (void)widest;
  return &lanes_ways_plain[place];
}

cla_status lanes_space_create(lanes_space **out, cla_error *error) {
  return ALLOCATE_ZEROS(out, 1, "the vectors of many pairs", error);
}

void lanes_space_free(lanes_space *space) {
  if (!space) return;
  void *const all[] = {space->query,        space->target,    space->turned, space->h,
                       space->pairs,        space->masks,     space->left,   space->top,
                       space->tile_reached, space->tile_lows, space->runs,   space->mask_rows};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) free(all[i]);
  for (int k = 0; k < CLA_GAP_PIECES; k++) free(space->f[k]);
  free(space);
}

#define VALUE_MOST (INT32_MAX / 8) /* largest loss or score */

/* True if lanes can hold the values: a gap's loss fits into a lane, every value into 32 bits, and, if paths
 * may end anywhere, every position into 16 bits. */
bool lanes_takes(const lanes_way *way, const lanes_scheme *scheme, int32_t rows, int32_t columns) {
  const int64_t most = way->bits == 8 ? UINT8_MAX : UINT16_MAX;
  if (((int64_t)rows + columns) * ((int64_t)scheme->match + scheme->across[0].first) > VALUE_MOST)
    return false;
  if (scheme->end == LANES_END_ANYWHERE && (rows > UINT16_MAX || columns > UINT16_MAX)) return false;
  for (int k = 0; k < scheme->pieces; k++) /* checking query gaps suffices: they lose more than target gaps */
    if (scheme->down[k].first >= most || scheme->down[k].ext >= most) return false;
  return scheme->most < most && scheme->match < most;
}

static cla_status make_room(void **memory, int64_t *room, int64_t wanted, cla_error *error) {
  if (*room >= wanted) return CLA_OK;
  free(*memory);
  *memory = NULL;
  *room = 0;
  cla_status status = allocate_array(memory, wanted, 1, "the vectors of many pairs", error);
  if (status == CLA_OK) *room = wanted;
  return status;
}

/* Makes room for masks. Masks may need much memory, and each page of it is used only once, so large pages
 * are requested. */
static cla_status make_masks(lanes_space *space, int64_t bytes, cla_error *error) {
  const bool larger_ones = bytes > space->mask_bytes;
  cla_status status = make_room((void **)&space->masks, &space->mask_bytes, bytes, error);
#ifdef MADV_HUGEPAGE
  const uintptr_t page = 4096, begin = ((uintptr_t)space->masks + page - 1) / page * page;
  if (status == CLA_OK && larger_ones && bytes >= LARGE_PAGES_FROM)
    (void)madvise((void *)begin, (size_t)bytes / page * page - page, MADV_HUGEPAGE);
#endif
  (void)larger_ones;
  return status;
}

/* Allocates room for `count` vectors of `vector` bytes in each array. */
static cla_status make_vectors(lanes_space *space, int64_t count, int64_t vector, bool pairs_of_strips,
                               cla_error *error) {
  void **const all[] = {&space->query, &space->target, &space->h};
  const int lines = 3 + CLA_GAP_PIECES;
  cla_status status = CLA_OK;
  const int64_t bytes = count * vector, turned = bytes + TURNED_COLUMNS_MOST * vector;
  int64_t room = space->vectors;
  for (int i = 0; i < lines && status == CLA_OK; i++) {
    room = space->vectors;
    status = make_room(i < 3 ? all[i] : &space->f[i - 3], &room, bytes, error);
  }
  const int64_t pairs = pairs_of_strips ? STRIP_ROWS * turned : turned;
  if (status == CLA_OK) status = make_room(&space->turned, &space->turned_bytes, turned, error);
  if (status == CLA_OK) status = make_room(&space->pairs, &space->pairs_bytes, pairs, error);
  space->vectors = status == CLA_OK ? room : 0;
  return status;
}

static cla_status make_tiles(lanes_space *space, int64_t columns, cla_error *error) {
  const int64_t lanes = LANES_MOST * (columns / TILE_COLUMNS_LEAST + 1);
  cla_status status = make_room((void **)&space->tile_reached, &space->tile_reached_room, 4 * lanes, error);
  return status == CLA_OK ? make_room((void **)&space->tile_lows, &space->tile_lows_room, lanes, error)
                          : status;
}

static void make_borders(lanes_space *space, const lanes_scheme *scheme, int64_t rows, int64_t columns) {
  const path_ends *ends = &scheme->scheme->ends;
  const cla_scoring *scoring = scheme->scheme->scoring;
  for (int64_t i = 0; i <= rows; i++)
    space->left[i] = (uint16_t)capped(scheme->match * i - path_ends_left_h(ends, scoring, i));
  for (int64_t j = 0; j <= columns; j++) space->top[j] = (uint16_t)capped(-path_ends_top_h(ends, scoring, j));
}

cla_status lanes_solve(lanes_group *group, lanes_space *space, cla_error *error) {
  const lanes_way *way = group->way;
  int64_t rows = 0, columns = 0;
  for (int lane = 0; lane < group->count; lane++) {
    rows = larger(rows, group->rows[lane]);
    columns = larger(columns, group->columns[lane]);
  }
  const int64_t vector = (int64_t)way->lanes * way->bits / 8, most = larger(rows, columns) + STRIP_ROWS;
  const lanes_scheme *scheme = group->scheme;
  const int64_t width = group->banded ? smaller((int64_t)group->high - group->low + 1, columns) : columns;
  space->masks_of_cell = LANES_MASKS(scheme->pieces) + (scheme->end == LANES_END_ANYWHERE);
  const int64_t cell_bytes = (int64_t)space->masks_of_cell * way->mask_bytes;
  const int64_t most_bytes = group->masks_most > 0 ? group->masks_most : INT64_MAX;
  const int64_t mask_bytes = group->masks ? smaller(rows * width * cell_bytes, most_bytes) : 1;
  space->mask_cells = mask_bytes / cell_bytes;
  cla_status status =
      make_vectors(space, most, vector, group->values != LANES_LOSSES && scheme->look_up, error);
  if (status == CLA_OK) status = make_masks(space, mask_bytes, error);
  if (status == CLA_OK && group->masks)
    status = make_room((void **)&space->mask_rows, &space->mask_rows_room,
                       (rows + 1) * (int64_t)sizeof *space->mask_rows, error);
  int64_t left = space->border, top = space->border;
  if (status == CLA_OK) status = make_room((void **)&space->left, &left, 2 * most, error);
  if (status == CLA_OK) status = make_room((void **)&space->top, &top, 2 * most, error);
  space->border = smaller(left, top);
  if (status == CLA_OK && group->values == LANES_TILES) status = make_tiles(space, columns, error);
  if (status != CLA_OK) return status;
  make_borders(space, scheme, rows, columns);
  way->solve[group->values](group, space);
  return CLA_OK;
}

/* The state of a walk along a path. */
typedef struct walk {
  const lanes_group *group;
  const lanes_way *way;
  lanes_space *space;
  const uint8_t *query, *target;
  const uint32_t *matches;
  int32_t row, column;
  int lane;
  int64_t loss; /* loss of the steps so far */
  int32_t runs; /* number of runs in `space` */
} walk;

/* Returns the byte of a cell's mask that holds this lane's bit. */
static const uint8_t *mask_byte(const walk *w, int32_t row, int32_t column, int mask) {
  const lanes_space *space = w->space;
  return space->masks + space->mask_rows[row] +
         ((int64_t)column * space->masks_of_cell + mask) * w->way->mask_bytes +
         (w->lane * w->way->mask_bits >> 3);
}

static bool mask_has(const walk *w, int32_t row, int32_t column, int mask) {
  return *mask_byte(w, row, column, mask) >> (w->lane * w->way->mask_bits & 7) & 1;
}

static cla_status add_run(walk *w, int64_t length, int operation, cla_error *error) {
  lanes_space *space = w->space;
  if (length == 0) return CLA_OK;
  if (w->runs > 0 && (int)(space->runs[w->runs - 1] & 15) == operation) {
    space->runs[w->runs - 1] += (uint32_t)length << 4;
    return CLA_OK;
  }
  cla_status status = ALLOCATE_GROW(&space->runs, &space->run_room, w->runs + 1, "the runs of a path", error);
  if (status != CLA_OK) return status;
  space->runs[w->runs++] = (uint32_t)length << 4 | (uint32_t)operation;
  return CLA_OK;
}

/* Returns the number of consecutive pairs on the path, from the current node upwards. */
static int32_t count_pairs(const walk *w) {
  const lanes_space *space = w->space;
  const bool floor = w->group->scheme->scheme->ends.floor;
  const int shift = w->lane * w->way->mask_bits & 7;
  const int64_t to_started = (int64_t)(space->masks_of_cell - 1) * w->way->mask_bytes;
  const int32_t most = w->row < w->column ? w->row : w->column;
  const int64_t *rows = space->mask_rows + w->row,
                cell_bytes = (int64_t)space->masks_of_cell * w->way->mask_bytes;
  int64_t column = mask_byte(w, w->row, w->column, FROM_PAIR_MASK) - space->masks - rows[0];
  int32_t count = 0;
  for (; count < most; count++, column -= cell_bytes) {
    const uint8_t *bytes = space->masks + (column + rows[-count]);
    if (!(*bytes >> shift & 1) || (floor && bytes[to_started] >> shift & 1)) break;
  }
  return count;
}

/* Returns eight letters as one 64-bit number. */
static uint64_t eight(const uint8_t *letters) {
  uint64_t word;
  memcpy(&word, letters, sizeof word);
  return word;
}

/* Counts the pairs of equal letters among the eight pairs before `query` and `target`. Counting starts at
 * the last pair and stops at the first unequal pair. Returns 0 if a query letter is ambiguous. */
static int32_t count_equal(const uint8_t *query, const uint8_t *target) {
  const uint64_t letters = eight(query - 8), other = letters ^ eight(target - 8);
  if (letters & UINT64_C(0xFCFCFCFCFCFCFCFC)) return 0;
  return other == 0 ? 8 : __builtin_clzll(le64toh(other)) >> 3;
}

/* Counts consecutive matches (if `match`) or mismatches among the `most` pairs before the node. Counting
 * starts at the last pair and stops at the first pair of the other kind. */
static int32_t count_alike(const walk *w, int32_t row, int32_t column, int32_t most, bool match) {
  const uint8_t *query = w->query + row, *target = w->target + column;
  const int32_t letters = row < column ? row : column; /* number of pairs on the diagonal before the node */
  int32_t count = 0, equal = 8;
  while (match && !w->group->scheme->look_up && equal == 8 && count < most && count + 8 <= letters) {
    equal = count_equal(query - count, target - count);
    count += equal;
  }
  if (count >= most) return most;
  while (count < most && (w->matches[query[-1 - count]] >> target[-1 - count] & 1) == match) count++;
  return count;
}

/* Returns the loss of the `count` pairs before `query` and `target`. If `match`, all of these pairs are
 * matches. */
static int64_t loss_of_pairs(const walk *w, const uint8_t *query, const uint8_t *target, int32_t count,
                             bool match) {
  const lanes_scheme *s = w->group->scheme;
  int64_t loss = 0;
  if (!s->look_up) return match ? 0 : (int64_t)count * s->unlike;
  for (int32_t i = 1; i <= count; i++) loss += s->table[32 * query[-i] + target[-i]];
  return loss;
}

/* Walks back over pairs until the path reaches a gap or its start. */
static cla_status walk_pairs(walk *w, cla_error *error) {
  const int32_t count = count_pairs(w);
  const uint8_t *query = w->query + w->row, *target = w->target + w->column;
  cla_status status = CLA_OK;
  w->row -= count;
  w->column -= count;
  for (int32_t done = 0, some; done < count && status == CLA_OK; done += some) {
    const bool match = w->matches[query[-1 - done]] >> target[-1 - done] & 1;
    some = count_alike(w, w->row + count - done, w->column + count - done, count - done, match);
    w->loss += loss_of_pairs(w, query - done, target - done, some, match);
    status = add_run(w, some, match ? CLA_PACKED_MATCH : CLA_PACKED_OTHER, error);
  }
  return status;
}

/* Returns the piece of the gap from which the path comes: the first piece whose gap along the row gives the
 * cell's value. Without such a piece, returns the first one whose gap down the rows gives the value. */
static int gap_of(const walk *w, bool *across) {
  const int pieces = w->group->scheme->pieces;
  int k = 0;
  while (k < pieces && !mask_has(w, w->row, w->column, MASK_OF(ACROSS_MASK, k))) k++;
  *across = k < pieces;
  if (*across) return k;
  for (k = 0; k < pieces - 1 && !mask_has(w, w->row, w->column, MASK_OF(DOWN_MASK, k));) k++;
  return k;
}

/* Walks back through a gap to the node where the gap opens. */
static cla_status walk_gap(walk *w, cla_error *error) {
  const lanes_scheme *s = w->group->scheme;
  bool across;
  const int piece = gap_of(w, &across);
  const int opens = MASK_OF(across ? OPENS_ACROSS_MASK : OPENS_DOWN_MASK, piece);
  const cla_gap_piece costs = across ? s->across[piece] : s->down[piece];
  int64_t letters = 0;
  do {
    if (across)
      w->column--;
    else
      w->row--;
    letters++;
  } while (w->row > 0 && w->column > 0 && !mask_has(w, w->row, w->column, opens));
  w->loss += gap_line(costs.first, costs.ext, letters);
  return add_run(w, letters, across ? CLA_PACKED_TARGET : CLA_PACKED_QUERY, error);
}

/* Completes a walk that has reached the upper or left border. The path starts there, or follows the border
 * to the corner. */
static cla_status walk_border(walk *w, cla_error *error) {
  const lanes_scheme *s = w->group->scheme;
  const path_ends *ends = &s->scheme->ends;
  const cla_scoring *scoring = s->scheme->scoring;
  cla_status status = CLA_OK;
  if (w->column > 0 && !ends->target_start && !ends->floor) {
    status = add_run(w, w->column, CLA_PACKED_TARGET, error);
    w->loss += gap_cost(scoring, w->column);
    w->column = 0;
  }
  if (w->row > 0 && !ends->query_start && !ends->floor) {
    status = add_run(w, w->row, CLA_PACKED_QUERY, error);
    w->loss += gap_cost(scoring, w->row) + (int64_t)s->match * w->row;
    w->row = 0;
  }
  return status;
}

cla_status lanes_walk(lanes_path *out, const lanes_group *group, int lane, const uint32_t matches[32],
                      lanes_space *space, cla_error *error) {
  const lanes_scheme *s = group->scheme;
  walk w = {.group = group,
            .way = group->way,
            .space = space,
            .query = group->query[lane],
            .target = group->target[lane],
            .matches = matches,
            .lane = lane,
            .row = group->end_row[lane],
            .column = group->end_column[lane],
            .loss = (int64_t)s->match * (group->rows[lane] - group->end_row[lane])};
  cla_status status = CLA_OK;
  while (status == CLA_OK && w.row > 0 && w.column > 0) {
    status = walk_pairs(&w, error);
    if (status != CLA_OK || w.row == 0 || w.column == 0) break;
    if (s->scheme->ends.floor && mask_has(&w, w.row, w.column, space->masks_of_cell - 1)) break;
    status = walk_gap(&w, error);
  }
  if (status == CLA_OK) status = walk_border(&w, error);
  w.loss += (int64_t)s->match * w.row; /* loss of the rows above the start */
  if (status == CLA_OK && w.loss != group->loss[lane])
    return error_set(error, CLA_ERROR_DEVICE,
                     "wrong value: a path that loses %lld was found for a pair that loses %lld",
                     (long long)w.loss, (long long)group->loss[lane]);
  *out = (lanes_path){.start_row = w.row, .start_column = w.column, .runs = space->runs, .run_count = w.runs};
  return status;
}
