#include "pipeline/band_values.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "pipeline/band_letters.h"
#include "scoring/lane_width.h"

#define ARRAYS 8      /* by row: 3 h, 2 f, e, floor, query */
#define ARRAYS_TWO 11 /* with two pieces of gap costs: 2 f2, e2 as well */

/* Live values lie between *least, which is below the lowest of the goals, and the result: the largest value
 * of the upper row, or of a fresh start there. */
static int64_t largest_live(int64_t *least, const live_band_input *in, const band_goals *goals, int64_t first,
                            int64_t last) {
  *least = band_goals_lowest(goals) - 1;
  int64_t most = in->ends.query_start ? -goals->match * in->row : *least;
  for (int64_t c = first; c <= last; c++) {
    const int64_t x = in->top_h[c] - goals->match * in->row;
    if (x > most) most = x;
  }
  return most;
}

/* E, F and pairs are at most so much lower than the lowest stored H, which is just below what is alive. */
static int64_t room_below(const live_band_input *in, const band_goals *goals) {
  return 3 * gap_most_first(in->scoring) + 2 * goals->match + 2;
}

int live_band_value_bytes(const live_band_input *input, const band_goals *goals, int64_t first,
                          int64_t last) {
  int64_t least;
  const int64_t below = room_below(input, goals);
  const int64_t range = largest_live(&least, input, goals, first, last) - least + 2 * below;
  if (range <= UINT16_MAX && !input->table->needs_lookup) return 2;
  return range + BAND_LINE_ROOM * below < INT32_MAX / 2 ? 4 : 0;
}

/* Chooses bytes, base and lowest value. False where the values have more than 32 bits. */
static bool choose_range(live_band *band) {
  int64_t least;
  const int64_t below = room_below(&band->in, &band->goals);
  largest_live(&least, &band->in, &band->goals, band->top_first, band->top_last);
  band->value_bytes = live_band_value_bytes(&band->in, &band->goals, band->top_first, band->top_last);
  band->lowest = (band->value_bytes == 2 ? INT16_MIN : INT32_MIN / 2) + below;
  band->base = least - band->lowest;
  return band->value_bytes > 0;
}

static void fill_arrays(live_band *band, bool by_table) {
  const live_band_input *in = &band->in;
  for (int64_t i = 1; i <= band->rows; i++)
    value_put(band, band->query, i, band_letter(in->query[in->row + i - 1], true, by_table));
  for (int64_t j = 1; j <= band->columns; j++)
    value_put(band, band->target, band->columns - j,
              band_letter(in->target[in->column + j - 1], false, by_table));
  for (int64_t i = 0; i <= band->rows; i++)
    value_put(band, band->floor, i, in->ends.floor ? value_stored(band, i, 0) : band->lowest);
}

static int64_t row_arrays(const cla_scoring *scoring) {
  return gap_two_pieces(scoring) ? ARRAYS_TWO : ARRAYS;
}

int64_t live_band_bytes(int64_t rows, int64_t columns, const cla_scoring *scoring) {
  return row_arrays(scoring) * (rows + 1 + 2 * BAND_LINE_ROOM) * 4 + (columns + 1 + 2 * BAND_LINE_ROOM) * 4;
}

cla_status band_values_make(bool *fits, live_band *band, cla_error *error) {
  const cla_scoring *scoring = band->in.scoring;
  const bool by_table = band->in.table->needs_lookup;
  const int64_t row_values = band->rows + 1 + 2 * BAND_LINE_ROOM;
  const int64_t column_values = band->columns + 1 + 2 * BAND_LINE_ROOM;
  const int64_t count = row_arrays(scoring);
  *fits = choose_range(band);
  if (!*fits) return CLA_OK;
  band->costs = band_costs_of(band->in.table, scoring, band_least_score(scoring));
  cla_status status =
      by_table ? band_scores_make(&band->scores, band->in.table, band_least_score(scoring), error) : CLA_OK;
  if (status == CLA_OK)
    status = allocate_array(&band->memory, count * row_values + column_values, band->value_bytes,
                            "a band's lines", error);
  if (status != CLA_OK) return status;
  void **arrays[ARRAYS_TWO] = {&band->h[0],  &band->h[1],  &band->h[2],  &band->f[0],  &band->f[1], &band->e,
                               &band->floor, &band->query, &band->f2[0], &band->f2[1], &band->e2};
  for (int64_t i = 0; i < count; i++)
    *arrays[i] = value_at(band, band->memory, i * row_values + BAND_LINE_ROOM);
  band->target = value_at(band, band->memory, count * row_values + BAND_LINE_ROOM);
  fill_arrays(band, by_table);
  return CLA_OK;
}

void band_values_free(live_band *band) {
  for (int64_t i = 0; i < band->kept_count; i++) free(band->kept[i].values);
  free(band->kept);
  free(band->scores);
  free(band->memory);
  free(band->directions);
  free(band->places);
}

void band_values_begin(live_band *band) {
  const int64_t d = band->top_first;
  band->line = d;
  band->first = band->last = 0;
  band->before_first = 0;
  band->before_last = -1;
  for (int64_t row = -1; row <= 1; row++) {
    for (int i = 0; i < 3; i++) value_put(band, band->h[i], row, band->lowest);
    for (int i = 0; i < 2; i++) value_put(band, band->f[i], row, band->lowest);
    value_put(band, band->e, row, band->lowest);
    if (!band_two_pieces(band)) continue;
    for (int i = 0; i < 2; i++) value_put(band, band->f2[i], row, band->lowest);
    value_put(band, band->e2, row, band->lowest);
  }
  value_put(band, band->h[d % 3], 0, value_stored(band, 0, band->in.top_h[d]));
  band_values_put_top_f(band, d);
}

void band_values_put_top_f(live_band *band, int64_t line) {
  const cla_scoring *scoring = band->in.scoring;
  value_put(band, band->f[line % 2], 0, value_stored(band, 0, band->in.top_f[line] + scoring->gap_ext));
  if (band_two_pieces(band))
    value_put(band, band->f2[line % 2], 0, value_stored(band, 0, band->in.top_f2[line] + scoring->gap_ext2));
}

/* The arrays of a kept line. */
static void line_arrays(const live_band *band, int64_t line, void *arrays[BAND_KEPT_ARRAYS]) {
  arrays[0] = band->h[line % 3];
  arrays[1] = band->h[(line + 2) % 3];
  arrays[2] = band->e;
  arrays[3] = band->f[line % 2];
  arrays[4] = band->e2;
  arrays[5] = band->f2[line % 2];
}

void band_values_go_back(live_band *band, const kept_line *kept, int64_t row, int64_t column) {
  const int64_t stored = kept->last - kept->first + 3;
  const int64_t highest = row - (row + column - kept->line) - 1;
  const int kept_arrays = band_kept_arrays(band);
  void *arrays[BAND_KEPT_ARRAYS];
  line_arrays(band, kept->line, arrays);
  band->line = kept->line;
  band->first = kept->first > highest ? kept->first : highest;
  band->last = kept->last < row ? kept->last : row;
  if (band->first > band->last) { /* no cell of the line, but perhaps a diagonal step over it */
    band->first = kept->first;
    band->last = kept->last;
  }
  for (int i = 0; i < kept_arrays; i++)
    memcpy(value_at(band, arrays[i], band->first - 1),
           value_at(band, kept->values, i * stored + band->first - kept->first),
           (size_t)((band->last - band->first + 3) * band->value_bytes));
  band->before_first = kept->before_first;
  band->before_last = kept->before_last;
}

cla_status band_values_keep(live_band *band, cla_error *error) {
  const int64_t count = band->last - band->first + 3;
  const int kept_arrays = band_kept_arrays(band);
  void *arrays[BAND_KEPT_ARRAYS];
  cla_status status = allocate_grow((void **)&band->kept, &band->kept_capacity, band->kept_count + 1,
                                    sizeof *band->kept, "a band's lines", error);
  if (status != CLA_OK) return status;
  kept_line *kept = band->kept + band->kept_count;
  *kept = (kept_line){.line = band->line,
                      .first = band->first,
                      .last = band->last,
                      .before_first = band->before_first,
                      .before_last = band->before_last};
  status = allocate_array(&kept->values, kept_arrays * count, band->value_bytes, "a band's line", error);
  if (status != CLA_OK) return status;
  band->kept_count++;
  band->bytes += kept_arrays * count * band->value_bytes;
  line_arrays(band, band->line, arrays);
  for (int i = 0; i < kept_arrays; i++)
    memcpy(value_at(band, kept->values, i * count), value_at(band, arrays[i], band->first - 1),
           (size_t)(count * band->value_bytes));
  return CLA_OK;
}
