/* Defines lanes_way.solve for lanes of BITS bits, with the vectors of dp/lanes.h. */

#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)
#define OF(name) PASTE(name, BITS)

#if BITS == 8
#define ELEMENT uint8_t
#define CAP 255
#define MASK_BYTES LANES_MASK_BYTES_8
#define MASK lanes_mask8
#define ADD lanes_add8
#define MIN lanes_min8
#define SET lanes_set8
#define EQUAL lanes_equal8
#define LESS lanes_less8
#define CHOOSE lanes_choose8
#define KEEP lanes_keep8
#define LOW_BYTES(a, low) (a)
#else
#define ELEMENT uint16_t
#define CAP 65535
#define MASK_BYTES LANES_MASK_BYTES_16
#define MASK lanes_mask16
#define ADD lanes_add16
#define MIN lanes_min16
#define SET lanes_set16
#define EQUAL lanes_equal16
#define LESS lanes_less16
#define CHOOSE lanes_choose16
#define KEEP lanes_keep16
#define LOW_BYTES(a, low) lanes_and(a, low)
#endif
#define COUNT (LANES_BYTES / (int)sizeof(ELEMENT))

LANE_OPERATION int OF(capped)(int64_t loss) {
  return loss < CAP ? (int)loss : CAP;
}

/* Stores the letters of all pairs in vectors, one vector for each position. Lanes without a pair get the
 * first pair's letters. */
static void OF(spread)(ELEMENT *to, const uint8_t *const *letters, const int32_t *lengths, int count,
                       int32_t most, const letter_marks *marks) {
  const int together = COUNT < LETTERS_TOGETHER ? COUNT : LETTERS_TOGETHER;
  for (int lane = 0; lane < COUNT; lane += together) {
    letter_block of;
    letter_block_begin(&of, letters, lengths, lane, count);
    for (int32_t i = 0; i < most; i += LETTERS_TOGETHER) {
      sixteen_letters block[LETTERS_TOGETHER];
      letter_block_at(block, &of, i, marks);
      ELEMENT *at = to + (int64_t)i * COUNT + lane;
      for (int k = 0; k < LETTERS_TOGETHER && i + k < most; k++)
        put_letters(at + k * COUNT, block[k], together, BITS);
    }
  }
}

/* State of the search for the ends of paths, and of a row at the end of its computed part. */
typedef struct OF(ends) {
  int done;                /* number of pairs whose last row has been reached */
  lanes best, row, column; /* if paths end anywhere: best loss so far, converted to this row, and its place */
  lanes diagonal, e[CLA_GAP_PIECES]; /* values from which the row can be continued to the right */
} OF(ends);

static void OF(note_end)(lanes_group *group, int lane, int64_t loss, int32_t row, int32_t column) {
  if (loss >= CAP || loss >= group->loss[lane]) return;
  group->loss[lane] = (int32_t)loss;
  group->end_row[lane] = row;
  group->end_column[lane] = column;
}

/* Searches each pair's last column for ends, in a row that is not the pair's last row. */
static void OF(look_at_last_columns)(lanes_group *group, const ELEMENT *h, int32_t row, int done) {
  const int64_t match = group->scheme->match;
  for (int lane = done; lane < group->count; lane++) {
    const int64_t loss = h[(int64_t)group->columns[lane] * COUNT + lane];
    if (loss >= CAP || row >= group->rows[lane]) continue;
    const int whole = OF(capped)(loss + match * (group->rows[lane] - row));
    OF(note_end)(group, lane, whole, row, group->columns[lane]);
  }
}

/* Adds the base to a pair's loss. A loss at or above the limit becomes LANES_UNKNOWN: the path may have
 * passed a node whose loss was too high for the lane. */
static void OF(add_base)(lanes_group *group, const lanes_space *space, int lane) {
  if (space->based && group->loss[lane] < CAP) group->loss[lane] += space->base[lane];
  group->path_loss[lane] = group->loss[lane];
  if (group->loss[lane] >= space->limit[lane]) group->loss[lane] = LANES_UNKNOWN;
}

/* Finds the ends of all pairs whose last row is this one. */
static void OF(end_pairs)(lanes_group *group, const lanes_space *space, OF(ends) * ends, int32_t row) {
  const ELEMENT *h = space->h;
  const path_ends *free_ends = &group->scheme->scheme->ends;
  for (; ends->done < group->count && group->rows[ends->done] == row; ends->done++) {
    const int lane = ends->done;
    const int32_t last = group->columns[lane];
    const int32_t first = group->end == LANES_END_BORDERS && free_ends->target_end ? 0 : last;
    if (group->end == LANES_END_ANYWHERE) {
      ELEMENT losses[COUNT], rows[COUNT], columns[COUNT];
      lanes_store(losses, ends->best);
      lanes_store(rows, ends->row);
      lanes_store(columns, ends->column);
      OF(note_end)(group, lane, losses[lane], rows[lane], columns[lane]);
    } else {
      for (int32_t column = first; column <= last; column++)
        OF(note_end)(group, lane, h[(int64_t)column * COUNT + lane], row, column);
      OF(add_base)(group, space, lane);
    }
  }
}

/* Returns `loss` minus each lane's base. If a pair's base exceeds `loss`, the pair's result becomes
 * unknown. */
static lanes OF(without_base)(const lanes_group *group, lanes_space *space, int64_t loss, bool cut) {
  ELEMENT out[COUNT];
  for (int lane = 0; lane < COUNT; lane++) {
    const int64_t rest = loss - space->base[lane];
    if (rest < 0) space->limit[lane] = 0;
    out[lane] = (ELEMENT)(cut && group->cut_left[lane] ? CAP : OF(capped)(rest < 0 ? 0 : rest));
  }
  return lanes_load(out);
}

/* Returns the losses on the left border of a row. */
LANE_OPERATION lanes OF(left_border)(const lanes_group *group, lanes_space *space, int32_t row) {
  if (!space->based && !group->any_cut) return SET(OF(capped)(space->left[row]));
  return OF(without_base)(group, space, space->left[row], true);
}

/* Returns the losses of paths that start in the row, or CAP if paths cannot start in the matrix' cells. */
LANE_OPERATION lanes OF(start)(const lanes_group *group, lanes_space *space, int32_t row) {
  const lanes_scheme *s = group->scheme;
  const int64_t loss = s->scheme->ends.floor ? (int64_t)s->match * row : CAP;
  if (!space->based || !s->scheme->ends.floor) return SET(OF(capped)(loss));
  return OF(without_base)(group, space, loss, false);
}

/* Computes the columns of `range` in a row of the matrix. `goes_on` is true if the columns to the left were
 * computed just before. Callers pass constants for the parameters after `masks`. */
LANE_OPERATION void OF(row)(const lanes_group *group, lanes_space *space, OF(ends) * ends, int32_t row,
                            lanes_range range, bool goes_on, uint8_t *masks, const int pieces,
                            const int anywhere, const int look_up, const int keep) {
  const lanes_scheme *s = group->scheme;
  const int32_t first = range.first, last = range.last;
  const int count = LANES_MASKS(pieces) + anywhere;
  const lanes unlike = SET(s->unlike), zero = SET(0), cap = SET(CAP);
  lanes across_open[CLA_GAP_PIECES], across_ext[CLA_GAP_PIECES], e[CLA_GAP_PIECES];
  lanes down_open[CLA_GAP_PIECES], down_ext[CLA_GAP_PIECES], down[CLA_GAP_PIECES];
  ELEMENT *f[CLA_GAP_PIECES];
  UNROLLED
  for (int k = 0; k < pieces; k++) {
    across_open[k] = SET(s->across[k].first);
    across_ext[k] = SET(s->across[k].ext);
    down_open[k] = SET(s->down[k].first);
    down_ext[k] = SET(s->down[k].ext);
    f[k] = (ELEMENT *)space->f[k] + (int64_t)first * COUNT;
    e[k] = goes_on ? ends->e[k] : cap;
  }
  const ELEMENT *target = (const ELEMENT *)space->target + (int64_t)(first - 1) * COUNT;
  const ELEMENT *pairs = (const ELEMENT *)space->pairs + (int64_t)(first - 1) * COUNT;
  ELEMENT *h = (ELEMENT *)space->h + (int64_t)first * COUNT;
  const lanes query = lanes_load((const ELEMENT *)space->query + (int64_t)(row - 1) * COUNT);
  const lanes start = anywhere ? OF(start)(group, space, row) : cap;
  lanes diagonal = goes_on ? ends->diagonal : lanes_load(h - COUNT);
  lanes best = ends->best, best_column = ends->column, column = SET(first);
  if (!goes_on && first == 1) {
    const lanes border = OF(left_border)(group, space, row);
    lanes_store(h - COUNT, border);
    UNROLLED
    for (int k = 0; k < pieces; k++) e[k] = ADD(border, across_open[k]);
  }
  for (int32_t j = first; j <= last; j++) {
    const lanes pair = look_up ? lanes_load(pairs) : CHOOSE(EQUAL(query, lanes_load(target)), zero, unlike);
    const lanes by_pair = ADD(diagonal, pair);
    lanes here = anywhere ? MIN(by_pair, start) : by_pair;
    diagonal = lanes_load(h);
    UNROLLED
    for (int k = 0; k < pieces; k++) {
      down[k] = lanes_load(f[k]);
      here = MIN(here, down[k]);
    }
    UNROLLED
    for (int k = 0; k < pieces; k++) here = MIN(here, e[k]);
    if (keep) KEEP(masks, EQUAL(here, by_pair));
    UNROLLED
    for (int k = 0; k < pieces; k++) {
      const lanes opened_across = ADD(here, across_open[k]), opened_down = ADD(here, down_open[k]);
      const lanes next_e = MIN(ADD(e[k], across_ext[k]), opened_across);
      const lanes next_f = MIN(ADD(down[k], down_ext[k]), opened_down);
      if (keep) {
        KEEP(masks + MASK_OF(ACROSS_MASK, k) * MASK_BYTES, EQUAL(here, e[k]));
        KEEP(masks + MASK_OF(OPENS_ACROSS_MASK, k) * MASK_BYTES, EQUAL(next_e, opened_across));
        KEEP(masks + MASK_OF(OPENS_DOWN_MASK, k) * MASK_BYTES, EQUAL(next_f, opened_down));
        if (k < pieces - 1) KEEP(masks + MASK_OF(DOWN_MASK, k) * MASK_BYTES, EQUAL(here, down[k]));
      }
      e[k] = next_e;
      lanes_store(f[k], next_f);
      f[k] += COUNT;
    }
    if (anywhere && keep) KEEP(masks + LANES_MASKS(pieces) * MASK_BYTES, EQUAL(here, start));
    if (anywhere && !keep) { /* with masks, the end is already known */
      const MASK better = LESS(here, best);
      best = MIN(best, here);
      best_column = CHOOSE(better, column, best_column);
      column = ADD(column, SET(1));
    }
    lanes_store(h, here);
    h += COUNT;
    target += COUNT;
    pairs += COUNT;
    if (keep) masks += count * MASK_BYTES;
  }
  ends->diagonal = diagonal;
  UNROLLED
  for (int k = 0; k < pieces; k++) ends->e[k] = e[k];
  if (!anywhere || keep) return;
  ends->row = CHOOSE(LESS(best, ends->best), SET(row), ends->row);
  ends->best = best;
  ends->column = best_column;
}

/* Looks up the losses of a row's pairs. If all pairs have the same query, one instruction looks up many
 * losses. */
static void OF(look_up_pairs)(const lanes_group *group, lanes_space *space, int32_t row, int32_t first,
                              int32_t last) {
  const lanes_scheme *s = group->scheme;
  const ELEMENT *query = (const ELEMENT *)space->query + (int64_t)(row - 1) * COUNT;
  const ELEMENT *target = (const ELEMENT *)space->target;
  const ELEMENT longest = query[group->count - 1];
  ELEMENT *pairs = space->pairs;
  if (space->one_query) {
    const lanes low = SET(UINT8_MAX); /* the upper byte of a 16-bit element is no letter */
    (void)low;
    const lanes lower = lanes_half(s->bytes + 32 * longest), upper = lanes_half(s->bytes + 32 * longest + 16);
    for (int64_t j = first - 1; j < last; j++)
      lanes_store(pairs + j * COUNT,
                  LOW_BYTES(lanes_look_up(lower, upper, lanes_load(target + j * COUNT)), low));
    return;
  }
#if LANES_BYTES > 16
  if (space->is_turned) {
    turned_tables tables;
    turned_take_row(&tables, space, BITS, row - 1, s->bytes);
    turned_look_up((uint8_t *)pairs, LANES_BYTES, &tables, space, BITS, first - 1, last);
    return;
  }
#endif
  for (int64_t at = (int64_t)(first - 1) * COUNT; at < (int64_t)last * COUNT; at += COUNT)
    for (int lane = 0; lane < COUNT; lane++)
      pairs[at + lane] = (ELEMENT)(BITS == 8 ? s->bytes[32 * query[lane] + target[at + lane]]
                                             : s->table[32 * query[lane] + target[at + lane]]);
}

#if BITS == 8
/* Returns the least loss that a path can have below a row. The path may be in an open gap there. */
static int32_t least_below(const lanes_group *group, int lane, int32_t row) {
  const lanes_known *known = group->known;
  const int32_t rows = lane < group->count ? group->rows[lane] - row - 1 : -1;
  if (!known || !known->rest || rows < 0) return 0;
  return known->rest[(int64_t)(rows >> known->rest_bits) * LANES_MOST + lane];
}

/* Subtracts the row's least loss from all losses of the row. So lanes of 8 bits suffice for long pairs: in
 * a narrow band, no loss is much larger than the least. If a loss is too high for its lane, a path through
 * the node loses at least the base plus CAP. Results from that limit on are not exact. */
static void move_base(const lanes_group *group, lanes_space *space, int32_t row, int32_t first,
                      int32_t last) {
  const lanes_scheme *s = group->scheme;
  const lanes_known *known = group->known;
  const int32_t from = first == 1 ? 0 : first;
  uint8_t *const h = space->h;
  const lanes cap = SET(CAP), high = SET(CAP - s->down[s->pieces - 1].first - 1);
  lanes least = cap, too_high = SET(0);
  for (int32_t j = from; j <= last; j++) {
    const lanes here = lanes_load(h + (int64_t)j * COUNT);
    least = MIN(least, here);
    too_high = CHOOSE(LESS(high, here), cap, too_high);
  }
  if (!known || !known->back) least = CHOOSE(EQUAL(least, cap), SET(0), least);
  /* In a sweep backwards, losses may be too low, so capped losses are lowered like the others. */
  const lanes high_stays = known && known->back ? lanes_minus(cap, least) : cap;
  uint8_t leasts[COUNT], unknown[COUNT];
  lanes_store(leasts, least);
  lanes_store(unknown, too_high);
  for (int lane = 0; lane < COUNT; lane++) {
    const int32_t limit = space->base[lane] + CAP + least_below(group, lane, row);
    if (unknown[lane] && limit < space->limit[lane]) space->limit[lane] = limit;
    space->base[lane] += leasts[lane];
  }
  for (int64_t j = from; j <= last; j++) {
    for (int line = 0; line <= s->pieces; line++) {
      uint8_t *at = (line == 0 ? h : (uint8_t *)space->f[line - 1]) + j * COUNT;
      const lanes value = lanes_load(at);
      lanes_store(at, CHOOSE(EQUAL(value, cap), high_stays, lanes_minus(value, least)));
    }
  }
  space->based = true;
}
#endif

/* For each pair: limits of a path's loss in the rows so far and in the remaining rows. */
typedef struct OF(left) {
  int32_t loss[COUNT]; /* the pair's bound, with the base subtracted; negative if the pair has no more rows */
  int32_t most[COUNT]; /* upper limit of the loss of the rows so far */
  int32_t rest[COUNT]; /* least loss of the remaining rows */
  int32_t apart[COUNT]; /* column after which the query and the target have equally many letters */
} OF(left);

static void OF(find_left)(OF(left) * left, const lanes_group *group, const lanes_space *space, int done,
                          int32_t row) {
  const lanes_known *known = group->known;
  const bool rises = known->back && known->ends->floor;
  for (int lane = 0; lane < COUNT; lane++) {
    const bool any = lane >= done && lane < group->count;
    const int32_t rows = any ? group->rows[lane] - row : 0;
    left->rest[lane] = known->rest ? known->rest[(int64_t)(rows >> known->rest_bits) * LANES_MOST + lane] : 0;
    left->loss[lane] = any ? known->bound[lane] - space->base[lane] : -1;
    left->most[lane] = rises ? group->scheme->match * row - space->base[lane] : INT32_MAX;
    left->apart[lane] = any ? row + group->columns[lane] - group->rows[lane] : 0;
  }
}

/* Marks the first `done` pairs as ended. */
static void OF(leave)(OF(left) * left, int done) {
  for (int lane = 0; lane < done; lane++) left->loss[lane] = -1;
}

/* True if a best path of some pair may pass the node: the node's loss plus the least loss to the end is at
 * most the pair's bound. The least loss leaves out the cost of opening a gap, because a gap may be open
 * already. */
static bool OF(matters)(const lanes_group *group, const OF(left) * left, const ELEMENT *all, int32_t column) {
  const int32_t down = group->known->down, across = group->known->across, beside = group->known->beside;
  const ELEMENT *h = all + (int64_t)column * COUNT;
  int32_t any = 0;
  for (int lane = 0; lane < COUNT; lane++) {
    const int32_t apart = column - left->apart[lane], loss = h[lane];
    const int32_t aside = apart > 0 ? apart * down : -apart * across;
    const int32_t rest = left->rest[lane] + (apart > 0 ? 0 : -apart * beside);
    const int32_t on = loss + (rest > aside ? rest : aside);
    any |= (on <= left->loss[lane]) & (loss <= left->most[lane]);
  }
  return any != 0;
}

/* Excludes a node from all paths. */
LANE_OPERATION void OF(leave_out)(const lanes_group *group, lanes_space *space, int32_t column) {
  lanes_store((ELEMENT *)space->h + (int64_t)column * COUNT, SET(CAP));
  for (int k = 0; k < group->scheme->pieces; k++)
    lanes_store((ELEMENT *)space->f[k] + (int64_t)column * COUNT, SET(CAP));
}

/* At both ends of a row, excludes the columns that do not matter, so that no path passes through them to the
 * rows below. The first column remains as long as the left border may matter. */
static void OF(trim)(const lanes_group *group, lanes_space *space, const OF(left) * left, int32_t row,
                     lanes_range *range) {
  const lanes_known *known = group->known;
  bool border = range->first <= 1;
  if (border && known->sources) border = known->sources[row].first == 0 && known->sources[row].last >= 0;
  if (border && known->back) border = OF(matters)(group, left, space->h, 0);
  if (!known->sources && !known->back) border = row + group->low <= 1;
  while (range->first <= range->last && !border && !OF(matters)(group, left, space->h, range->first))
    OF(leave_out)(group, space, range->first++);
  if (range->first > 1) OF(leave_out)(group, space, 0);
  for (; range->first <= range->last && !OF(matters)(group, left, space->h, range->last); range->last--)
    OF(leave_out)(group, space, range->last);
  if (range->first > range->last && !border) *range = (lanes_range){.first = INT32_MAX / 2, .last = -1};
}

static void OF(add_source)(lanes_range *range, int32_t column) {
  if (range->last < range->first) *range = (lanes_range){.first = column, .last = column};
  if (column < range->first) range->first = column;
  if (column > range->last) range->last = column;
}

/* Records the nodes of a pair's row in which a path of the forward sweep may start, and the nodes that such
 * a path may reach along a border. A gap may be open in these nodes. */
static void OF(note_sources)(const lanes_group *group, const lanes_space *space, int lane, int32_t row,
                             int32_t first, int32_t last) {
  const lanes_known *known = group->known;
  const cla_scoring *scoring = group->scheme->scheme->scoring;
  const int32_t columns = group->columns[lane], rows = group->rows[lane] - row;
  const int64_t start = (int64_t)group->scheme->match * rows, open = gap_most_cut(scoring);
  const int64_t left = start - path_ends_left_h(known->ends, scoring, rows) - open;
  const int64_t bound = (int64_t)known->bound[lane] - space->base[lane];
  const ELEMENT *h = (const ELEMENT *)space->h + lane;
  const bool all = rows == 0 || known->ends->floor;
  for (int32_t j = all ? first : columns; j <= last && j <= columns; j++) {
    const int64_t top = -path_ends_top_h(known->ends, scoring, columns - j) - open;
    const int64_t before = j == columns ? left : rows == 0 ? top : start;
    if (before + h[(int64_t)j * COUNT] <= bound) OF(add_source)(&known->from[rows], columns - j);
  }
}

/* Records what the forward sweep needs from a row of the sweep backwards: the least losses and the
 * sources. */
static void OF(note_row)(const lanes_group *group, lanes_space *space, int done, int32_t row,
                         lanes_range range) {
  const lanes_known *known = group->known;
  const int32_t first = range.first <= 1 ? 0 : range.first, match = group->scheme->match;
  ELEMENT leasts[COUNT];
  lanes least = SET(CAP);
  for (int64_t j = first; j <= range.last; j++)
    least = MIN(least, lanes_load((const ELEMENT *)space->h + j * COUNT));
  lanes_store(leasts, least);
  uint16_t *out = known->least + (int64_t)row * LANES_MOST;
  for (int lane = 0; lane < COUNT; lane++) {
    const int32_t loss = space->base[lane] + leasts[lane];
    out[lane] = (uint16_t)(loss < UINT16_MAX ? loss : UINT16_MAX);
  }
  for (int lane = done; lane < group->count; lane++) {
    const int32_t rows = group->rows[lane] - row, columns = group->columns[lane];
    const bool starts = known->ends->floor && out[lane] + match * rows <= known->bound[lane];
    const bool border = first <= columns && columns <= range.last;
    if (rows == 0 || starts || border) OF(note_sources)(group, space, lane, row, first, range.last);
  }
}

/* Returns the range of the columns of row 0 that matter, and excludes all others. */
static lanes_range OF(begin_range)(const lanes_group *group, lanes_space *space, int32_t columns) {
  const lanes_known *known = group->known;
  lanes_range range = {.first = 1, .last = columns};
  if (known && known->sources) {
    range = known->sources[0];
    if (range.first < 1) range.first = 1;
    if (known->sources[0].last < known->sources[0].first)
      range = (lanes_range){.first = INT32_MAX / 2, .last = -1};
  } else if (known && known->back) {
    OF(left) left;
    OF(note_row)(group, space, 0, 0, range);
    OF(find_left)(&left, group, space, 0, 0);
    OF(trim)(group, space, &left, 0, &range);
  }
  return range;
}

/* Returns the columns to compute in a row: those that can be reached from the row before, and the row's
 * sources, all within the band. */
LANE_OPERATION lanes_range OF(next_range)(const lanes_group *group, lanes_range before, int32_t row,
                                          int32_t low, int32_t high) {
  lanes_range out = {.first = before.first, .last = before.last + 1};
  if (group->known && group->known->sources) {
    const lanes_range sources = group->known->sources[row];
    if (sources.first <= sources.last && sources.first < out.first) out.first = sources.first;
    if (sources.first <= sources.last && sources.last > out.last) out.last = sources.last;
    if (out.first < 1 && out.last < 1) out.last = 1; /* computing column 1 also sets the left border */
  }
  if (out.first < low) out.first = low;
  if (out.first < 1) out.first = 1;
  if (out.last > high) out.last = high;
  return out;
}

LANE_OPERATION void OF(rows)(lanes_group *group, lanes_space *space, int32_t rows, int32_t columns,
                             const int pieces, const int anywhere, const int look_up, const int keep) {
  const lanes_scheme *s = group->scheme;
  const bool in_last_columns = group->end == LANES_END_BORDERS && s->scheme->ends.query_end;
  const int32_t low = group->banded ? group->low : -rows, high = group->banded ? group->high : columns;
  OF(ends) ends = {.best = SET(0), .row = SET(0), .column = SET(0)};
  const lanes match = SET(OF(capped)(s->match));
  const lanes_known *known = group->known;
  const int64_t mask_bytes = (LANES_MASKS(pieces) + anywhere) * MASK_BYTES;
  int64_t cells = 0;
  OF(left) left;
  lanes_range before = OF(begin_range)(group, space, columns);
  for (int32_t row = 1; row <= rows; row++) {
    const int32_t right = row > columns - high ? columns : row + high;
    lanes_range now = OF(next_range)(group, before, row, row + low, right), part = now;
    if (known) OF(find_left)(&left, group, space, ends.done, row);
    if (anywhere) ends.best = ADD(ends.best, match);
    if (keep) space->mask_rows[row] = (cells - now.first) * mask_bytes;
    for (bool goes_on = false; part.first <= part.last; goes_on = true) {
      const int64_t width = part.last - part.first + 1;
      group->full = keep && cells + width > space->mask_cells;
      group->full_row = row;
      if (group->full) return;
      if (look_up) OF(look_up_pairs)(group, space, row, part.first, part.last);
      OF(row)
      (group, space, &ends, row, part, goes_on, space->masks + cells * mask_bytes, pieces, anywhere, look_up,
       keep);
      cells += width;
      group->cells += width * group->count;
      now.last = part.last;
      part.first = part.last + 1;
      if (known && (known->rest || known->back) && OF(matters)(group, &left, space->h, part.last))
        part.last = right - part.last < COLUMNS_MORE ? right : part.last + COLUMNS_MORE;
    }
    if (in_last_columns) OF(look_at_last_columns)(group, space->h, row, ends.done);
    if (known && known->back) OF(note_row)(group, space, ends.done, row, now);
    OF(end_pairs)(group, space, &ends, row);
    if (known && ends.done < group->count) {
      OF(leave)(&left, ends.done);
      OF(trim)(group, space, &left, row, &now);
    }
    before = now;
    if (known && known->back) group->known->swept = row;
    if (known && known->back && now.last < 0) return;
#if BITS == 8
    if (row % ROWS_OF_BASE == 0 && group->moves && now.first <= now.last)
      move_base(group, space, row, now.first, now.last);
#endif
  }
}

static void OF(begin)(lanes_group *group, lanes_space *space, int32_t columns) {
  const lanes_scheme *s = group->scheme;
  const lanes_range *sources = group->known ? group->known->sources : NULL;
  ELEMENT *h = space->h;
  for (int64_t j = 0; j <= columns; j++) {
    const bool in_band = !group->banded || j <= group->high;
    const bool inside = in_band && (!sources || (j >= sources->first && j <= sources->last));
    const lanes value = SET(inside ? OF(capped)(space->top[j]) : CAP);
    lanes_store(h + j * COUNT, value);
    for (int k = 0; k < s->pieces; k++)
      lanes_store((ELEMENT *)space->f[k] + j * COUNT, ADD(value, SET(s->down[k].first)));
  }
  for (int lane = 0; lane < COUNT && group->any_cut; lane++)
    for (int64_t j = 1; j <= columns && group->cut_top[lane]; j++) {
      h[j * COUNT + lane] = CAP;
      for (int k = 0; k < s->pieces; k++) ((ELEMENT *)space->f[k])[j * COUNT + lane] = CAP;
    }
  group->cells = 0;
  space->based = false;
  for (int lane = 0; lane < LANES_MOST; lane++) {
    space->base[lane] = 0;
    space->limit[lane] = LANES_UNKNOWN;
  }
  for (int lane = 0; lane < group->count; lane++) {
    group->loss[lane] = group->path_loss[lane] = LANES_UNKNOWN;
    group->end_row[lane] = group->end_column[lane] = 0;
  }
  if (group->end == LANES_END_BORDERS && s->scheme->ends.query_end) OF(look_at_last_columns)(group, h, 0, 0);
}

/* Stores the letters of all pairs in vectors. Sets *rows and *columns to the largest numbers of rows and
 * columns. */
static void OF(take_letters)(const lanes_group *group, lanes_space *space, int32_t *rows, int32_t *columns) {
  const lanes_scheme *s = group->scheme;
  const letter_marks query_marks = {!s->look_up, s->look_up ? LANES_PADDING : LANES_QUERY_OTHER};
  const letter_marks target_marks = {!s->look_up, s->look_up ? LANES_PADDING : LANES_TARGET_OTHER};
  *rows = *columns = 0;
  for (int lane = 0; lane < group->count; lane++) {
    *rows = group->rows[lane] > *rows ? group->rows[lane] : *rows;
    *columns = group->columns[lane] > *columns ? group->columns[lane] : *columns;
  }
  const int32_t whole_strips = (*rows + STRIP_ROWS - 1) / STRIP_ROWS * STRIP_ROWS;
  OF(spread)(space->query, group->query, group->rows, group->count, whole_strips, &query_marks);
  OF(spread)(space->target, group->target, group->columns, group->count, *columns, &target_marks);
  space->one_query = s->look_up && s->most < UINT8_MAX;
  for (int lane = 1; lane < group->count; lane++)
    space->one_query = space->one_query && group->query[lane] == group->query[0] &&
                       (group->values == LANES_LOSSES || group->rows[lane] == group->rows[0]);
#if LANES_BYTES > 16
  space->is_turned = s->look_up && s->most < UINT8_MAX && !space->one_query;
  if (space->is_turned) turn_targets(space, BITS, *columns);
#endif
}

static void OF(solve)(lanes_group *group, lanes_space *space) {
  const lanes_scheme *s = group->scheme;
  int32_t rows, columns;
  OF(take_letters)(group, space, &rows, &columns);
  OF(begin)(group, space, columns);
#define CASE(pieces, anywhere, look_up, keep)                               \
  case (anywhere)*4 + (look_up)*2 + (keep):                                 \
    OF(rows)(group, space, rows, columns, pieces, anywhere, look_up, keep); \
    break
#define CALL(pieces)                                                            \
  switch ((s->end == LANES_END_ANYWHERE) * 4 + s->look_up * 2 + group->masks) { \
    CASE(pieces, 0, 0, 0);                                                      \
    CASE(pieces, 0, 0, 1);                                                      \
    CASE(pieces, 0, 1, 0);                                                      \
    CASE(pieces, 0, 1, 1);                                                      \
    CASE(pieces, 1, 0, 0);                                                      \
    CASE(pieces, 1, 0, 1);                                                      \
    CASE(pieces, 1, 1, 0);                                                      \
    CASE(pieces, 1, 1, 1);                                                      \
  }
  BY_GAP_PIECES(s->pieces, CALL);
#undef CALL
#undef CASE
}

#undef ELEMENT
#undef CAP
#undef MASK_BYTES
#undef MASK
#undef ADD
#undef MIN
#undef SET
#undef EQUAL
#undef LESS
#undef CHOOSE
#undef KEEP
#undef LOW_BYTES
#undef COUNT
#undef OF
#undef PASTE
#undef PASTE_
