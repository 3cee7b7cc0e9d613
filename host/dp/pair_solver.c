#include "dp/pair_solver_internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/extremes.h"

/* If queries have at least this number of pairs on average, each group has a single query. Idle lanes then
 * cost less than look-ups for several queries. */
#define PAIRS_OF_QUERY 6
/* Global pairs with at least this number of rows get a scout (dp/pair_solver.h). So do pairs whose losses are
 * too high for lanes of 8 bits. */
#define SCOUT_ROWS 2048
/* A scout's band: SCOUT_BAND + rows / SCOUT_PART diagonals. */
#define SCOUT_BAND 16
#define SCOUT_PART 256
/* If a scout's bound needs a band at least this many times as wide as the scout's band, the scout is tried
 * again in a band four times as wide. */
#define SCOUT_WIDER 16
/* A band that was too narrow becomes twice as wide plus this number of diagonals. */
#define MORE_DIAGONALS 4

/* Bytes of vectors for each letter of a pair, including the least losses of large pairs' rows. */
#define LETTER_BYTES 512
/* For pairs with up to this number of letters, the memory for vectors is not limited. */
#define LETTERS_ALWAYS 8192

/* Number of cells above which a pair is large. */
#define LARGE_CELLS (INT64_C(1) << 18)

cla_status pair_solver_create(pair_solver **out, const path_scheme *scheme, const uint32_t matches[32],
                              int64_t path_bytes, cla_error *error) {
  cla_status status = ALLOCATE_ZEROS(out, 1, "a solver of pairs", error);
  if (status != CLA_OK) return status;
  pair_solver *s = *out;
  s->takes = lanes_scheme_make(&s->scheme, scheme);
  s->back_ends = (path_scheme){.scoring = scheme->scoring, .table = scheme->table};
  if (s->takes) lanes_scheme_make(&s->back, &s->back_ends);
  s->matches = matches;
  s->path_bytes = path_bytes;
  s->large_cells = LARGE_CELLS;
  s->scout_rows = SCOUT_ROWS;
  pair_solver_widest(s, 64);
  status = lanes_space_create(&s->space, error);
  if (status == CLA_OK) return CLA_OK;
  pair_solver_free(s);
  *out = NULL;
  return status;
}

void pair_solver_free(pair_solver *solver) {
  if (!solver) return;
  lanes_space_free(solver->space);
  free(solver->queue);
  free(solver->again);
  void *const others[] = {solver->runs, solver->turned, solver->rest,   solver->least,
                          solver->from, solver->words,  solver->counts, solver->bounded};
  for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) free(others[i]);
  free(solver);
}

void pair_solver_widest(pair_solver *solver, int widest) {
  solver->ways[0] = lanes_way_of(8, widest);
  solver->ways[1] = lanes_way_of(16, widest);
}

void pair_solver_scouts(pair_solver *solver, int32_t rows) {
  solver->scout_rows = rows;
}

void pair_solver_large(pair_solver *solver, int64_t cells) {
  solver->large_cells = cells;
}

const uint32_t *pair_solver_runs(const pair_solver *solver) {
  return solver->runs;
}

int64_t pair_solver_cells(const pair_solver *solver) {
  return solver->cells;
}

/* True if lanes of 8 bits can compute the pairs' local scores directly. */
static bool takes_scores(const pair_solver *s, const solver_pairs *pairs) {
  return pairs->scores_only && s->scheme.scores_fit;
}

static lanes_values values_of(const pair_solver *s, const solver_pairs *pairs, const pending *tried) {
  if (tried->bits == 16 || (solver_is_banded(s) && tried->band >= 0)) return LANES_LOSSES;
  return takes_scores(s, pairs) ? LANES_SCORES : LANES_TILES;
}

/* Returns how a pair is tried first. */
static pending first_try(pair_solver *s, const solver_pairs *pairs, int64_t pair) {
  const int32_t rows = pairs->rows[pair];
  seen_class *seen = &s->classes[solver_class(rows)];
  pending out = {.pair = pair, .rows = rows, .band = -1, .bits = 8};
  const bool fits = solver_is_banded(s) ? lanes_takes(s->ways[0], &s->scheme, rows, pairs->columns[pair])
                                        : takes_scores(s, pairs) || s->scheme.tiles_fit;
  const bool capped = 2 * seen->capped8 > seen->tried8;
  out.scouts = solver_is_banded(s) && fits && (capped || rows >= s->scout_rows);
  if (!fits || (capped && !out.scouts)) out.bits = 16;
  if (!solver_is_banded(s)) return out;
  if (out.scouts) {
    out.band = SCOUT_BAND + rows / SCOUT_PART;
    return out;
  }
  if (seen->chosen == 0 || seen->seen != seen->chosen_at) {
    seen->chosen = solver_choose_band(seen, rows);
    seen->chosen_at = seen->seen;
  }
  out.band = seen->chosen;
  return out;
}

/* Returns the distance between the diagonals of a matrix' first and last node. */
static int32_t diagonals_apart(const solver_pairs *pairs, int64_t pair) {
  return abs(pairs->rows[pair] - pairs->columns[pair]);
}

/* Stores a group's result for a pair; the result is the pair's optimum. */
static cla_status take_optimum(pair_solver *s, const solver_pairs *pairs, int64_t pair,
                               const lanes_group *group, int lane, cla_error *error) {
  pairs->solved[pair] = true;
  pairs->score[pair] = (int64_t)s->scheme.match * pairs->rows[pair] - group->loss[lane];
  pairs->end_row[pair] = group->end_row[lane];
  pairs->end_column[pair] = group->end_column[lane];
  return group->masks ? solver_take_path(s, pairs, pair, group, lane, error) : CLA_OK;
}

/* Returns the lowest loss that may be too high for a lane of `bits` bits. */
static int64_t least_unknown(int bits) {
  return bits == 8 ? UINT8_MAX : UINT16_MAX;
}

/* Evaluates a scout's result: stores the bound, or decides how the pair is tried next. */
static cla_status take_scout(pair_solver *s, const solver_pairs *pairs, const pending *tried,
                             const lanes_group *group, int lane, cla_error *error) {
  const int64_t pair = tried->pair;
  const int32_t rows = pairs->rows[pair], columns = pairs->columns[pair], loss = group->path_loss[lane];
  const int32_t needed =
      loss < LANES_UNKNOWN ? solver_band_for(&s->scheme, loss, rows, columns) : INT32_MAX / 2;
  seen_class *seen = &s->classes[solver_class(rows)];
  pending again = *tried;
  seen->tried8++;
  seen->capped8++;
  if (needed / SCOUT_WIDER > tried->band && group->banded) {
    again.band = 4 * tried->band;
    return solver_add_again(s, again, error);
  }
  if (4 * (int64_t)needed >= columns) { /* the band would be nearly the whole matrix */
    const bool tiles = !pairs->paths && s->scheme.tiles_fit;
    const int32_t whole = (int32_t)larger(rows, columns);
    again = (pending){.pair = pair, .rows = rows, .band = tiles ? -1 : whole, .bits = tiles ? 8 : 16};
    return solver_add_again(s, again, error);
  }
  pairs->score[pair] = (int64_t)s->scheme.match * rows - loss;
  pairs->end_row[pair] = rows;
  pairs->end_column[pair] = columns;
  cla_status status =
      ALLOCATE_GROW(&s->bounded, &s->bounded_room, s->bounded_count + 1, "pairs to be solved", error);
  if (status == CLA_OK) s->bounded[s->bounded_count++] = pair;
  return status;
}

/* Stores a group's result for a pair, or decides how the pair is tried next. In a band that is too narrow,
 * the loss may be far too high. So the band computed from this loss is only an upper limit for the next
 * try. */
static cla_status take_pair(pair_solver *s, const solver_pairs *pairs, const pending *tried,
                            const lanes_group *group, int lane, cla_error *error) {
  if (tried->scouts) return take_scout(s, pairs, tried, group, lane, error);
  const int64_t pair = tried->pair, loss = group->loss[lane];
  const int32_t rows = pairs->rows[pair], columns = pairs->columns[pair];
  seen_class *seen = &s->classes[solver_class(rows)];
  const bool capped = loss >= LANES_UNKNOWN, banded = group->banded && group->high < larger(rows, columns);
  const int32_t enough =
      solver_is_banded(s)
          ? solver_band_for(&s->scheme, capped ? least_unknown(tried->bits) : loss, rows, columns)
          : -1;
  pending again = *tried;
  again.band = solver_is_banded(s) ? 2 * group->high + MORE_DIAGONALS : -1;
  if (banded && enough > group->high) {
    again.band = (int32_t)smaller(again.band, enough);
    return solver_add_again(s, again, error);
  }
  seen->tried8 += tried->bits == 8;
  seen->capped8 += tried->bits == 8 && capped;
  if (!capped) {
    if (solver_is_banded(s)) solver_note_band(seen, solver_class(rows), enough);
    return take_optimum(s, pairs, pair, group, lane, error);
  }
  if (tried->bits == 16) return CLA_OK; /* the pair remains unsolved */
  again.bits = 16;
  return solver_add_again(s, again, error);
}

/* Returns the bytes of a group's directions for `rows` rows of `columns` columns. */
static int64_t masks_bytes(const pair_solver *s, const lanes_way *way, int64_t rows, int64_t columns) {
  return rows * columns * (LANES_MASKS(s->scheme.pieces) + 1) * way->mask_bytes;
}

static cla_status solve_group(pair_solver *s, const solver_pairs *pairs, pending *first, int count,
                              cla_error *error) {
  const lanes_way *way = s->ways[first->bits == 16];
  lanes_group group = {.scheme = &s->scheme,
                       .way = way,
                       .count = count,
                       .values = values_of(s, pairs, first),
                       .end = s->scheme.end,
                       .masks = pairs->paths && solver_is_banded(s) && !first->scouts};
  int32_t rows = 0, columns = 0, band = first->band;
  solver_sort_lanes(first, count);
  for (int lane = 0; lane < count; lane++) {
    const int64_t pair = first[lane].pair;
    group.rows[lane] = pairs->rows[pair];
    group.columns[lane] = pairs->columns[pair];
    group.query[lane] = pairs->query[pair];
    group.target[lane] = pairs->target[pair];
    rows = (int32_t)larger(rows, group.rows[lane]);
    columns = (int32_t)larger(columns, group.columns[lane]);
    band = (int32_t)larger(band, first[lane].band);
  }
  group.banded = group.moves = band >= 0 && 2 * (int64_t)band + 1 < columns + (int64_t)band;
  group.low = -band;
  group.high = band;
  const int64_t width = group.banded ? smaller(2 * (int64_t)band + 1, columns) : columns;
  if (group.masks && masks_bytes(s, way, rows, width) > s->path_bytes) return CLA_OK;
  cla_status status = lanes_solve(&group, s->space, error);
  s->cells += group.cells;
  for (int lane = 0; lane < count && status == CLA_OK; lane++)
    status = take_pair(s, pairs, &first[lane], &group, lane, error);
  return status;
}

/* Sorts the queue by numbers[pair]; the range of these numbers must be small. Pairs with equal numbers keep
 * their order. */
static cla_status sort_by(pending *out, const pending *queue, int64_t count, const int32_t *numbers,
                          cla_error *error) {
  int64_t *places = NULL;
  int32_t least = INT32_MAX, most = 0;
  for (int64_t i = 0; i < count; i++) {
    least = (int32_t)smaller(least, numbers[queue[i].pair]);
    most = (int32_t)larger(most, numbers[queue[i].pair]);
  }
  if (count == 0) return CLA_OK;
  cla_status status = ALLOCATE_ZEROS(&places, (int64_t)most - least + 2, "an order of pairs", error);
  if (status != CLA_OK) return status;
  for (int64_t i = 0; i < count; i++) places[numbers[queue[i].pair] - least + 1]++;
  for (int64_t i = 1; i <= most - least; i++) places[i] += places[i - 1];
  for (int64_t i = 0; i < count; i++) out[places[numbers[queue[i].pair] - least]++].pair = queue[i].pair;
  free(places);
  return CLA_OK;
}

/* Sorts the pairs by query, in the queries' order, if there are enough pairs per query; else by rows. */
static cla_status sort_by_query(pair_solver *s, const solver_pairs *pairs, int64_t count, cla_error *error) {
  int32_t *numbers = NULL, number = 0;
  cla_status status = ALLOCATE_ARRAY(&numbers, pairs->count, "an order of pairs", error);
  if (status != CLA_OK) return status;
  for (int64_t i = 0; i < pairs->count; i++) {
    number += i > 0 && pairs->query[i] != pairs->query[i - 1];
    numbers[i] = number;
  }
  s->by_query = pairs->count / (number + 1) >= PAIRS_OF_QUERY;
  status = sort_by(s->queue, s->again, count, s->by_query ? numbers : pairs->rows, error);
  free(numbers);
  return status;
}

/* True if lanes can compute a pair: its vectors fit into the memory, and, with look-up, no letter has the
 * code of padding. */
static bool takes_pair(const pair_solver *s, const solver_pairs *pairs, int64_t pair) {
  const int32_t rows = pairs->rows[pair], columns = pairs->columns[pair];
  if (!lanes_takes(s->ways[1], &s->scheme, rows, columns)) return false;
  const int64_t letters = (int64_t)rows + columns;
  if (letters > LETTERS_ALWAYS && letters * LETTER_BYTES > s->path_bytes) return false;
  return !s->scheme.look_up || (!memchr(pairs->query[pair], LANES_PADDING, (size_t)rows) &&
                                !memchr(pairs->target[pair], LANES_PADDING, (size_t)columns));
}

/* Queues the pairs that lanes can compute, sorted by rows, then by columns. If local scores are looked up,
 * sorts the pairs by query instead. */
static cla_status sort_pairs(pair_solver *s, const solver_pairs *pairs, int64_t *count, cla_error *error) {
  const char *what = "pairs to be solved";
  cla_status status = ALLOCATE_GROW(&s->queue, &s->queue_room, pairs->count, what, error);
  if (status == CLA_OK) status = ALLOCATE_GROW(&s->again, &s->again_room, pairs->count, what, error);
  *count = 0;
  for (int64_t i = 0; i < pairs->count && status == CLA_OK; i++)
    if (takes_pair(s, pairs, i)) s->queue[(*count)++].pair = i;
  if (status == CLA_OK) status = sort_by(s->again, s->queue, *count, pairs->columns, error);
  s->by_query = false;
  if (status != CLA_OK) return status;
  if (s->scheme.look_up && takes_scores(s, pairs)) return sort_by_query(s, pairs, *count, error);
  return sort_by(s->queue, s->again, *count, pairs->rows, error);
}

/* Pairs that are solved together. */
typedef struct pending_group {
  pending items[LANES_MOST];
  int size;
} pending_group;

/* Sets *group to the next group of the first round. How pairs are tried depends on the results of earlier
 * groups. A pair whose lengths need a wider band than the others waits for the second round. */
static cla_status next_of_first_round(pair_solver *s, const solver_pairs *pairs, int64_t *next, int64_t count,
                                      pending_group *group, cla_error *error) {
  cla_status status = CLA_OK;
  const pending *first = group->items;
  for (group->size = 0; *next < count && status == CLA_OK; ++*next) {
    pending try = first_try(s, pairs, s->queue[*next].pair);
    if (group->size > 0 && (try.bits != first->bits || try.scouts != first->scouts ||
                            (s->by_query && pairs->query[try.pair] != pairs->query[first->pair])))
      break;
    const int32_t apart = diagonals_apart(pairs, try.pair);
    if (try.band >= 0 && apart > try.band) {
      try.band = apart + try.band / 2;
      status = solver_add_again(s, try, error);
      continue;
    }
    group->items[group->size++] = try;
    if (group->size == s->ways[try.bits == 16]->lanes) {
      ++*next;
      break;
    }
  }
  return status;
}

static cla_status solve_first_round(pair_solver *s, const solver_pairs *pairs, int64_t count,
                                    cla_error *error) {
  cla_status status = CLA_OK;
  pending_group group;
  for (int64_t next = 0; next < count && status == CLA_OK;) {
    status = next_of_first_round(s, pairs, &next, count, &group, error);
    if (status == CLA_OK && group.size > 0) status = solve_group(s, pairs, group.items, group.size, error);
  }
  return status;
}

/* Solves the pairs of a later round, group by group. */
static cla_status solve_queue(pair_solver *s, const solver_pairs *pairs, int64_t count, cla_error *error) {
  cla_status status = CLA_OK;
  for (int64_t next = 0; next < count && status == CLA_OK;) {
    const int size = solver_group_size(s, s->queue + next, count - next);
    status = solve_group(s, pairs, s->queue + next, size, error);
    next += size;
  }
  return status;
}

cla_status pair_solver_solve(pair_solver *solver, const solver_pairs *pairs, cla_error *error) {
  int64_t count = 0;
  solver->run_count = solver->again_count = solver->bounded_count = 0;
  for (int64_t i = 0; i < pairs->count; i++) pairs->solved[i] = false;
  if (!solver->takes || pairs->count == 0) return CLA_OK;
  cla_status status = sort_pairs(solver, pairs, &count, error);
  if (status == CLA_OK) status = solve_first_round(solver, pairs, count, error);
  while (status == CLA_OK && (count = solver_next_round(solver)) > 0)
    status = solve_queue(solver, pairs, count, error);
  if (status == CLA_OK && solver->bounded_count > 0) status = solver_solve_bounded(solver, pairs, error);
  if (status == CLA_OK && pairs->paths && !solver_is_banded(solver))
    status = solver_solve_paths(solver, pairs, error);
  return status;
}

cla_status pair_solver_trace(pair_solver *solver, const solver_pairs *pairs, cla_error *error) {
  solver->run_count = solver->again_count = 0;
  for (int64_t i = 0; i < pairs->count; i++) pairs->solved[i] = solver->takes && takes_pair(solver, pairs, i);
  return solver_solve_paths(solver, pairs, error);
}
