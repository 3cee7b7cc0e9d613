#include "trace/replay.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/extremes.h"
#include "scoring/gap_costs.h"
#include "trace/banded_internal.h"
#include "trace/whole_band_internal.h"

/* Lines of the matrix that follow each other in one band. */
typedef struct replay_part {
  live_band *band;
  int64_t kept;        /* index of the kept line before the block; -1: the band's first line */
  int64_t first, last; /* numbers of the matrix' lines */
  int64_t lower;       /* true value minus the band's value */
  int64_t end;         /* largest score of an end in the lines; INT64_MIN: no end */
  int64_t end_before;  /* largest such score in the blocks before */
} replay_part;

struct replay {
  replay_input in;
  row_worth worth;
  whole_band *whole; /* with a potential */
  banded fixed;      /* without a potential: all diagonals that matter */
  banded_input fixed_input;
  replay_part *parts; /* from the first line to the last */
  int64_t count, capacity;
};

struct replay_reader {
  const replay *of;
  live_band band;          /* a copy of a part's band, with its own arrays */
  const live_band *copied; /* the band that was copied; NULL: none */
  int64_t next;            /* number of blocks that are left */
  int64_t cells;           /* of earlier copies */
  replay_line *lines;
  int64_t lines_capacity;
  char *values;
  int64_t values_count, values_capacity; /* bytes */
};

void replay_free(replay *r) {
  if (!r) return;
  whole_band_free(r->whole);
  banded_free(&r->fixed);
  row_worth_free(&r->worth);
  free(r->parts);
  free(r);
}

int64_t replay_blocks(const replay *r) {
  return r->count;
}

int64_t replay_last_line(const replay *r, int64_t block) {
  return r->parts[block].last;
}

int64_t replay_cells(const replay *r) {
  if (r->whole) return whole_band_cells(r->whole);
  return r->fixed.band ? live_band_cells(r->fixed.band) : 0;
}

bool replay_ends_before(const replay_reader *reader, int64_t score) {
  const replay *r = reader->of;
  return reader->next < r->count && r->parts[reader->next].end_before >= score;
}

static cla_status add_part(replay *r, replay_part part, cla_error *error) {
  if (part.first > part.last) return CLA_OK;
  cla_status status = ALLOCATE_GROW(&r->parts, &r->capacity, r->count + 1, "a band's blocks", error);
  if (status != CLA_OK) return status;
  part.end_before = INT64_MIN;
  if (r->count > 0) part.end_before = larger(r->parts[r->count - 1].end, r->parts[r->count - 1].end_before);
  if (part.end != INT64_MIN) part.end += part.lower;
  r->parts[r->count++] = part;
  return CLA_OK;
}

/* A range of a band's lines, cut into blocks at the kept lines. */
typedef struct band_range {
  live_band *band;
  int64_t above;       /* the line before the range; -1: the range starts with the matrix' first line */
  int64_t last;        /* last line of the range */
  int64_t lower, rest; /* see replay_part; best end behind the last kept line */
} band_range;

/* Adds the blocks of a range. */
static cla_status add_range(replay *r, const band_range *range, cla_error *error) {
  const live_band *band = range->band;
  const int64_t corner = band->in.row + band->in.column;
  replay_part part = {.band = range->band, .kept = -1, .first = range->above + 1, .lower = range->lower};
  cla_status status = CLA_OK;
  for (int64_t k = 0; k < band->kept.count && status == CLA_OK; k++) {
    const kept_line *kept = &band->kept.lines[k];
    if (corner + kept->line > range->last) break;
    part.last = corner + kept->line;
    part.end = kept->end.score;
    if (part.last > range->above) status = add_part(r, part, error);
    part.kept = k;
    part.first = larger(part.last, range->above) + 1;
  }
  part.last = range->last;
  part.end = range->rest;
  return status == CLA_OK ? add_part(r, part, error) : status;
}

static cla_status add_whole(replay *r, cla_error *error) {
  const whole_band *w = r->whole;
  cla_status status = CLA_OK;
  for (int i = 0; i < w->count && status == CLA_OK; i++) {
    const whole_band_part *p = &w->parts[i];
    const bool last = i + 1 == w->count;
    const band_range range = {.band = p->band,
                              .above = p->right_below,
                              .last = last ? p->line + p->band->front.line : p[1].right_below,
                              .lower = p->lower,
                              .rest = last ? p->own.end.score : INT64_MIN};
    status = add_range(r, &range, error);
  }
  return status;
}

static cla_status sweep_whole(replay *r, live_band_outcome *outcome, cla_error *error) {
  path_end end;
  const whole_band_input input = {.problem = r->in.problem,
                                  .potential = r->in.potential,
                                  .worth = &r->worth,
                                  .bound = r->in.bound,
                                  .margin = r->in.margin,
                                  .threads = r->in.threads,
                                  .parts = r->in.parts,
                                  .line_interval = r->in.line_interval,
                                  .bytes_limit = r->in.bytes_limit,
                                  .tick = r->in.tick,
                                  .tick_user = r->in.tick_user};
  cla_status status = row_worth_make(&r->worth, r->in.problem->query, r->in.problem->rows,
                                     r->in.problem->scheme.table, error);
  if (status == CLA_OK) status = whole_band_sweep(&r->whole, outcome, &end, &input, error);
  if (status != CLA_OK || *outcome == LIVE_BAND_TOO_LARGE) return status;
  if (*outcome != LIVE_BAND_READY || end.score != r->in.bound->path_score)
    return error_set(error, CLA_ERROR_VERIFICATION,
                     "wrong value: the best score is %lld, but the alignment's score is %lld; the alignment "
                     "is not optimal for its scheme",
                     (long long)end.score, (long long)r->in.bound->path_score);
  return add_whole(r, error);
}

/* Computes all lines, and notes the best end behind each kept line. */
static cla_status sweep_lines(replay *r, cla_error *error) {
  banded *b = &r->fixed;
  cla_status status = CLA_OK;
  b->best.end.score = INT64_MIN;
  banded_offer_ends(b);
  while (status == CLA_OK && b->band->front.line < b->band->rows + b->band->columns) {
    const int64_t kept = b->band->kept.count;
    status = banded_next_line(b, error);
    banded_offer_ends(b);
    if (status == CLA_OK && b->band->kept.count > kept) {
      b->band->kept.lines[kept].end = b->best.end;
      b->best.end.score = INT64_MIN;
    }
    if (status == CLA_OK) status = banded_tick(b, error);
  }
  return status;
}

/* Returns the largest score of a path that comes to a diagonal `away` beyond that of both corners. `above`:
 * on the side of the target. */
static int64_t score_beyond(const pair_problem *problem, int64_t away, bool above) {
  const path_ends *ends = &problem->scheme.ends;
  const cla_scoring *scoring = problem->scheme.scoring;
  const int64_t surplus = above ? problem->columns - problem->rows : problem->rows - problem->columns;
  const int64_t from_start = away + larger(surplus, 0), from_end = away + larger(-surplus, 0);
  const int64_t pairs = larger((above ? problem->columns : problem->rows) - from_start, 0);
  const bool starts = ends->floor || (above ? ends->target_start : ends->query_start);
  const bool stops = ends->anywhere || (above ? ends->query_end : ends->target_end);
  int64_t score = pairs * larger(problem->scheme.table->maximum, 0);
  if (!starts) score -= gap_cost(scoring, from_start);
  if (!stops) score -= gap_cost(scoring, from_end);
  return score;
}

/* Returns how many diagonals beyond those of both corners matter. */
static int64_t diagonals_beyond(const replay_input *in) {
  const int64_t least = in->bound->path_score - in->margin;
  int64_t low = 0, high = in->problem->rows + in->problem->columns;
  while (low < high) {
    const int64_t middle = low + (high - low) / 2 + 1;
    if (larger(score_beyond(in->problem, middle, false), score_beyond(in->problem, middle, true)) >= least)
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

static cla_status sweep_fixed(replay *r, live_band_outcome *outcome, cla_error *error) {
  const pair_problem *problem = r->in.problem;
  r->fixed_input = (banded_input){.problem = *problem,
                                  .band = diagonals_beyond(&r->in),
                                  .all_matters = true,
                                  .memory_bytes = r->in.bytes_limit,
                                  .threads = r->in.threads,
                                  .tick = r->in.tick,
                                  .tick_user = r->in.tick_user};
  r->fixed.in = &r->fixed_input;
  *outcome = LIVE_BAND_READY;
  cla_status status = banded_make(&r->fixed, error);
  if (status == CLA_OK) status = sweep_lines(r, error);
  if (status != CLA_OK) return status;
  const band_range all = {.band = r->fixed.band,
                          .above = -1,
                          .last = problem->rows + problem->columns,
                          .rest = r->fixed.best.end.score};
  return add_range(r, &all, error);
}

cla_status replay_make(replay **out, live_band_outcome *outcome, const replay_input *input,
                       cla_error *error) {
  replay *r = NULL;
  *out = NULL;
  *outcome = LIVE_BAND_READY;
  cla_status status = ALLOCATE_ZEROS(&r, 1, "a band", error);
  if (status != CLA_OK) return status;
  r->in = *input;
  status = input->potential ? sweep_whole(r, outcome, error) : sweep_fixed(r, outcome, error);
  if (status == CLA_OK && *outcome == LIVE_BAND_READY)
    *out = r;
  else
    replay_free(r);
  return status;
}

cla_status replay_reader_make(replay_reader **out, const replay *r, cla_error *error) {
  cla_status status = ALLOCATE_ZEROS(out, 1, "a band's blocks", error);
  if (status == CLA_OK) (*out)->of = r;
  return status;
}

void replay_reader_begin(replay_reader *reader, int64_t block) {
  reader->next = block + 1;
}

static void drop_copy(replay_reader *reader) {
  if (!reader->copied) return;
  reader->cells += reader->band.cells;
  band_values_free_copy(&reader->band);
  reader->copied = NULL;
}

void replay_reader_free(replay_reader *reader) {
  if (!reader) return;
  drop_copy(reader);
  free(reader->lines);
  free(reader->values);
  free(reader);
}

int64_t replay_reader_bytes(const replay *r) {
  int64_t most = 0;
  for (int64_t i = 0; i < r->count; i++) most = larger(most, band_values_bytes(r->parts[i].band));
  return most;
}

int64_t replay_reader_cells(const replay_reader *reader) {
  return reader->cells + (reader->copied ? reader->band.cells : 0);
}

static cla_status copy_band(replay_reader *reader, const live_band *band, cla_error *error) {
  if (reader->copied == band) return CLA_OK;
  drop_copy(reader);
  reader->copied = band;
  return band_values_copy(&reader->band, band, error);
}

/* Copies the values of the band's current line into the block. */
static cla_status store_line(replay_reader *r, const replay_part *part, cla_error *error) {
  live_band *band = &r->band;
  const band_front *at = &band->front;
  const int64_t count = larger(at->last - at->first + 1, 0);
  const int64_t bytes = count * band->scale.value_bytes;
  replay_line *line = &r->lines[band->in.row + band->in.column + at->line - part->first];
  *line = (replay_line){.first = band->in.row + at->first,
                        .last = band->in.row + at->first + count - 1,
                        .base = band->scale.base + part->lower,
                        .at = r->values_count / band->scale.value_bytes};
  void *arrays[BAND_KEPT_ARRAYS_MOST];
  const int stored = band_values_arrays(band, arrays);
  cla_status status = ALLOCATE_GROW(&r->values, &r->values_capacity, r->values_count + stored * bytes + 1,
                                    "a band's block", error);
  for (int i = 0; i < stored && status == CLA_OK && count > 0; i++) {
    if (i == 1) continue; /* H of the line before */
    memcpy(r->values + r->values_count, value_at(band, arrays[i], at->first), (size_t)bytes);
    r->values_count += bytes;
  }
  return status;
}

/* Limits the edges of a band without a potential to the diagonals that matter to the block. Outside of these
 * edges no value is known. So the edges are farther away by the number of the block's lines. */
static void set_edges(live_band *band, const replay_part *part, const replay_reach *reach, bool all) {
  const int64_t lines = part->last - part->first + 3;
  const band_edges *most = &part->band->edges;
  band->edges.low = all ? most->low : larger(reach->low_diagonal - lines, most->low);
  band->edges.high = all ? most->high : smaller(reach->high_diagonal + lines, most->high);
}

/* Puts the band's front on the line before the block. */
static void go_back(live_band *band, const replay_part *part, const replay_reach *reach, bool all) {
  const bool whole = all || band->edges.fixed;
  const int64_t row = whole ? band->rows : smaller(reach->row - band->in.row, band->rows);
  const int64_t column = whole ? band->columns : smaller(reach->column - band->in.column, band->columns);
  if (band->edges.fixed) set_edges(band, part, reach, all);
  if (part->kept < 0)
    band_values_begin(band);
  else
    band_values_go_back(band, &band->kept.lines[part->kept], row, column);
}

static cla_status compute_block(replay_reader *r, const replay_part *part, const replay_reach *reach,
                                bool all, cla_error *error) {
  cla_status status = copy_band(r, part->band, error);
  live_band *band = &r->band;
  if (status != CLA_OK) return status;
  const int64_t corner = band->in.row + band->in.column;
  const int64_t row = all ? band->rows : smaller(reach->row - band->in.row, band->rows);
  const int64_t column = all ? band->columns : smaller(reach->column - band->in.column, band->columns);
  if (row < 0 || column < 0) return CLA_OK;
  go_back(band, part, reach, all);
  status = part->kept < 0 ? store_line(r, part, error) : CLA_OK;
  while (status == CLA_OK && corner + band->front.line < part->last) {
    if (!band_next_line(band, row, column, NULL)) return CLA_OK;
    if (corner + band->front.line >= part->first) status = store_line(r, part, error);
    const bool look = (band->front.line + band->kept.shift) % LINES_BETWEEN_LOOKS == 0;
    if (look && !band->edges.fixed && !band_leave_dead_out(band, &band->goals)) return status;
  }
  return status;
}

cla_status replay_next(replay_block *out, bool *more, replay_reader *r, const replay_reach *reach,
                       cla_error *error) {
  *more = r->next > 0;
  if (!*more) return CLA_OK;
  const replay_input *in = &r->of->in;
  const replay_part *part = &r->of->parts[--r->next];
  const live_band *band = part->band;
  const int64_t count = part->last - part->first + 1;
  const bool all = part->end != INT64_MIN && part->end >= in->bound->path_score - in->margin;
  cla_status status = ALLOCATE_GROW(&r->lines, &r->lines_capacity, count, "a band's block", error);
  if (status != CLA_OK) return status;
  for (int64_t i = 0; i < count; i++) r->lines[i] = (replay_line){.first = 0, .last = -1};
  r->values_count = 0;
  if (all || reach->row >= 0) status = compute_block(r, part, reach, all, error);
  *out = (replay_block){.first = part->first,
                        .last = part->last,
                        .has_ends = all,
                        .best_end = part->end,
                        .lines = r->lines,
                        .values = r->values,
                        .value_bytes = band->scale.value_bytes,
                        .pieces = band->scores.costs.pieces,
                        .lowest = band->edges.fixed ? band->scale.lowest / 2 : band->scale.lowest,
                        .row_step = band->scale.row_step,
                        .problem = in->problem};
  return status;
}

int64_t replay_border_value(const replay_block *block, int64_t row, int64_t column, int which) {
  const path_scheme *scheme = &block->problem->scheme;
  const cla_scoring *scoring = scheme->scoring;
  const int piece = (which - 1) / 2;
  const int64_t letters = row + column;
  const bool across = which != REPLAY_H && which == REPLAY_E(piece);
  if (which == REPLAY_H)
    return row == 0 ? path_ends_top_h(&scheme->ends, scoring, column)
                    : path_ends_left_h(&scheme->ends, scoring, row);
  if (letters == 0 || across != (row == 0) || (across ? scheme->ends.target_start : scheme->ends.query_start))
    return REPLAY_DEAD;
  return -gap_line(scoring->gap[piece].first, scoring->gap[piece].ext, letters);
}

/* Returns the first index from `from` to `last` whose value, plus its row's worth, is at least `score`. */
static int64_t next_high(const replay_block *block, int64_t at, int64_t from, int64_t last, int64_t score) {
  const int16_t *of_2 = (const int16_t *)block->values + at;
  const int32_t *of_4 = (const int32_t *)block->values + at;
  for (int64_t i = from; i <= last; i++) {
    const int64_t stored = block->value_bytes == 2 ? of_2[i] : of_4[i];
    if (stored + block->row_step * i >= score && stored > block->lowest) return i;
  }
  return INT64_MAX;
}

int64_t replay_next_high(const replay_block *block, int64_t line, int64_t row, int64_t score) {
  const replay_line *l = &block->lines[line - block->first];
  row = larger(row, l->first);
  if (row > l->last) return INT64_MAX;
  if ((row == 0 || row == line) && replay_value(block, line, row, REPLAY_H) >= score) return row;
  const int64_t from = larger(row, 1), last = smaller(l->last, line - 1);
  const int64_t found =
      next_high(block, l->at, from - l->first, last - l->first, score - l->base - block->row_step * l->first);
  if (found != INT64_MAX) return found + l->first;
  if (row < line && line <= l->last && replay_value(block, line, line, REPLAY_H) >= score) return line;
  return INT64_MAX;
}
