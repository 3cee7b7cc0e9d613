#include "dp/score_lines.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/extremes.h"

#define SIDE SCORE_LINES_AT_ONCE /* rows and columns of a square */
#define SQUARE (SIDE * SIDE)

static int64_t changed(int32_t score, int64_t least, int64_t subtract) {
  return larger(score, least) - subtract;
}

bool score_lines_fit(const score_table *table, int64_t least, int64_t subtract) {
  return changed(table->maximum, least, subtract) <= INT8_MAX &&
         changed(table->minimum, least, subtract) >= INT8_MIN;
}

static int64_t line_bytes(int64_t columns) {
  return columns + 1 + 2 * SCORE_LINES_MARGIN;
}

static int64_t made_bytes(int64_t rows) {
  return rows + 2 * SIDE + SCORE_LINES_MARGIN;
}

int64_t score_lines_bytes(int64_t rows, int64_t columns) {
  return CLA_MATRIX_STRIDE * line_bytes(columns) + SIDE * made_bytes(rows) +
         (rows + SCORE_LINES_MARGIN + 1) * (int64_t)sizeof(int64_t);
}

/* Numbers the lines of the query's letters in the order in which they occur. Returns the number of lines. */
static int64_t number_letters(int64_t number[CLA_MATRIX_STRIDE], const score_lines_input *in) {
  int64_t count = 0;
  for (int code = 0; code < CLA_MATRIX_STRIDE; code++) number[code] = -1;
  for (int64_t i = 0; i < in->rows; i++)
    if (number[in->query[i]] < 0) number[in->query[i]] = count++;
  return count;
}

static void fill_line(int8_t *line, const score_lines_input *in, int code) {
  int8_t score[CLA_MATRIX_STRIDE];
  for (int b = 0; b < CLA_MATRIX_STRIDE; b++) {
    const int64_t value = changed(in->table->score[code * CLA_MATRIX_STRIDE + b], in->least, in->subtract);
    score[b] = value >= INT8_MIN && value <= INT8_MAX
                   ? (int8_t)value
                   : INT8_MIN; /* scores of pairs that do not occur may be out of range */
  }
  line[SCORE_LINES_MARGIN] = 0; /* column 0 has no pair; a score of 0 keeps dead values dead */
  for (int64_t j = 1; j <= in->columns; j++) line[SCORE_LINES_MARGIN + j] = score[in->target[j - 1]];
}

cla_status score_lines_make(score_lines *out, const score_lines_input *in, cla_error *error) {
  int64_t number[CLA_MATRIX_STRIDE];
  const int64_t letters = number_letters(number, in);
  *out = (score_lines){.rows = in->rows,
                       .columns = in->columns,
                       .stride = line_bytes(in->columns),
                       .made_stride = made_bytes(in->rows),
                       .made_line = -1};
  cla_status status = ALLOCATE_ARRAY(&out->profile, letters * out->stride, "a band's scores", error);
  if (status == CLA_OK)
    status = ALLOCATE_ARRAY(&out->of_row, in->rows + SCORE_LINES_MARGIN + 1, "a band's scores", error);
  if (status == CLA_OK)
    status = ALLOCATE_ARRAY(&out->made, SIDE * out->made_stride, "a band's scores", error);
  if (status != CLA_OK) return status;
  for (int code = 0; code < CLA_MATRIX_STRIDE; code++)
    if (number[code] >= 0) fill_line(out->profile + number[code] * out->stride, in, code);
  for (int64_t i = 1; i <= in->rows; i++) out->of_row[i] = number[in->query[i - 1]] * out->stride;
  out->of_row[0] = 0; /* rows outside the block may use any line */
  for (int64_t i = in->rows + 1; i <= in->rows + SCORE_LINES_MARGIN; i++) out->of_row[i] = 0;
  return CLA_OK;
}

void score_lines_free(score_lines *lines) {
  free(lines->profile);
  free(lines->of_row);
  free(lines->made);
}

cla_status score_lines_share(score_lines *out, const score_lines *from, cla_error *error) {
  *out = *from;
  out->made_line = -1;
  return ALLOCATE_ARRAY(&out->made, SIDE * out->made_stride, "a band's scores", error);
}

void score_lines_free_shared(score_lines *lines) {
  free(lines->made);
}

/* Interleaves the two halves of a square, which rotates the 8-bit index of each element by one bit. */
static void interleave(uint8_t to[restrict SQUARE], const uint8_t from[restrict SQUARE]) {
  for (int i = 0; i < SQUARE / 2; i++) {
    to[2 * i] = from[i];
    to[2 * i + 1] = from[i + SQUARE / 2];
  }
}

/* Transposes a square: rotates the 8-bit index of each element by four bits. */
static void transpose(uint8_t square[SQUARE]) {
  uint8_t other[SQUARE];
  interleave(other, square);
  interleave(square, other);
  interleave(other, square);
  interleave(square, other);
}

static void make_square(score_lines *lines, int64_t row) {
  uint8_t square[SQUARE];
  for (int64_t i = 0; i < SIDE; i++) {
    const int64_t column = lines->made_line - row - i;
    memcpy(square + i * SIDE, lines->profile + lines->of_row[row + i] + SCORE_LINES_MARGIN + column, SIDE);
  }
  transpose(square);
  for (int64_t d = 0; d < SIDE; d++)
    memcpy(lines->made + d * lines->made_stride + row - lines->made_first, square + d * SIDE, SIDE);
}

const int8_t *score_lines_get(score_lines *lines, int64_t line, int64_t first, int64_t last, int64_t most) {
  const bool made = lines->made_line >= 0 && line >= lines->made_line && line < lines->made_line + SIDE &&
                    first >= lines->made_first && last <= lines->made_last;
  if (!made) {
    lines->made_line = line;
    lines->made_first = first;
    lines->made_last = smaller(last + SIDE, most); /* a band grows by at most one row per line */
    for (int64_t row = first; row <= lines->made_last; row += SIDE) make_square(lines, row);
  }
  return lines->made + (line - lines->made_line) * lines->made_stride + first - lines->made_first;
}
