#ifndef HOST_TRACE_LIVE_BAND_INTERNAL_H
#define HOST_TRACE_LIVE_BAND_INTERNAL_H

#include "trace/band_line.h"
#include "trace/live_band.h"
#include "trace/score_lines.h"

/* A live band as live_band.c, live_band_lines.c, live_band_values.c and whole_band.c share it. */

/* Ends of the lines are looked at this often, and only such lines are kept; in between the band grows by one
 * cell at either end. So many lines are computed together where they are wide. */
#define LINES_BETWEEN_LOOKS 8

/* What a band that is a part of the whole matrix (trace/whole_band.h) has besides. Its values are `spare`
 * lower than the true ones at most. */
typedef struct band_part {
  int64_t spare;
  int64_t least_score; /* no end below it is of interest, */
  int64_t quiet;       /* and up to this line there is none */
  path_end end;        /* the best one since the line that was kept last */
  cla_status (*tick)(void *user, int64_t cells, cla_error *error); /* NULL: none */
  void *tick_user;
} band_part;

/* A line that was kept, and all that is needed to go on from it. */
typedef struct kept_line {
  int64_t line;
  int64_t first, last;               /* its rows */
  int64_t before_first, before_last; /* of the line before */
  void *values; /* h, h of the line before, e, f, e2, f2: rows first - 1 .. last + 1 each */
  path_end end; /* of a part: the best one since the kept line before */
} kept_line;

#define BAND_KEPT_ARRAYS 6 /* of a kept line; 4 with one piece of gap costs */

/* How values are stored: H of a matrix row as H - row_step row - base. */
typedef struct band_scale {
  int64_t row_step; /* about what a row is worth */
  int64_t base;
  int64_t base_x;      /* X of a stored value is it + base_x - row_excess[row] */
  int32_t *row_excess; /* what the rows from the corner to there are worth, less row_step for each */
  int64_t lowest;      /* the least stored H: dead everywhere */
  int value_bytes;
} band_scale;

/* What pairs and gaps score. */
typedef struct band_scores {
  band_costs costs;
  band_pairs pairs;
  int32_t *table;    /* of pairs by table */
  score_lines lines; /* of pairs by line */
} band_scores;

/* Values and letters by row, from row 0 on. Line d has h[d % 3] and f[d % 2]. */
typedef struct band_arrays {
  void *memory; /* of them all; each one's row 0 lies where a vector may */
  void *h[3], *f[2], *e, *floor;
  void *f2[2], *e2;     /* of the second piece of gap costs */
  void *query, *target; /* target: column j at [columns - j] */
} band_arrays;

/* The line that was computed last. */
typedef struct band_front {
  int64_t line;                      /* rows plus columns of its cells, from the corner */
  int64_t first, last;               /* its rows; none: last < first */
  int64_t before_first, before_last; /* rows of the line before */
} band_front;

typedef struct kept_lines {
  kept_line *lines;
  int64_t count, capacity;
  int64_t interval, shift; /* every so many, counted from so many lines above the corner */
} kept_lines;

/* The rows of a line, and where the first one's direction byte is. */
typedef struct line_place {
  int64_t first, last, offset;
} line_place;

/* Direction bytes of the lines since the one gone on from. */
typedef struct band_directions {
  uint8_t *bytes;
  int64_t count, capacity;
  line_place *places; /* by line */
  int64_t places_capacity;
} band_directions;

struct live_band {
  live_band_input in;
  band_goals goals;
  int64_t rows, columns; /* of the nodes that it may have */
  int64_t border_last;   /* the last row in which a path may start on the left border, or less than 0 */
  band_scale scale;
  band_scores scores;
  band_arrays arrays;
  band_front front;
  kept_lines kept;
  band_directions directions;
  int64_t bytes, cells;
  band_part *part; /* NULL: it is none */
};

static inline bool band_two_pieces(const live_band *band) {
  return gap_two_pieces(band->in.problem->scheme.scoring);
}

static inline int band_kept_arrays(const live_band *band) {
  return band_two_pieces(band) ? BAND_KEPT_ARRAYS : 4;
}

static inline int64_t value_get(const live_band *band, const void *values, int64_t index) {
  /* The band's arrays are there from its making on, which clang-tidy does not see. */
  /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference) */
  return band->scale.value_bytes == 2 ? ((const int16_t *)values)[index] : ((const int32_t *)values)[index];
}

static inline void value_put(const live_band *band, void *values, int64_t index, int64_t value) {
  if (band->scale.value_bytes == 2)
    ((int16_t *)values)[index] = (int16_t)value;
  else
    ((int32_t *)values)[index] = (int32_t)value;
}

static inline void *value_at(const live_band *band, void *values, int64_t index) {
  return (char *)values + index * band->scale.value_bytes;
}

/* H, E or F of the matrix as it is stored for a row counted from the corner, at least the lowest. */
static inline int64_t value_stored(const live_band *band, int64_t row, int64_t value) {
  const int64_t stored = value - band->scale.row_step * (band->in.row + row) - band->scale.base;
  return stored > band->scale.lowest ? stored : band->scale.lowest;
}

/* The arrays of a kept line as the band has them on its line; returns how many there are. */
int band_values_arrays(const live_band *band, void *arrays[BAND_KEPT_ARRAYS]);

/* Computes the next line in rows up to `most_row` and columns up to `most_column`; `directions`, unless NULL,
 * gets a byte for each cell, but for that of row 0. False if it has no row. */
bool band_next_line(live_band *band, int64_t most_row, int64_t most_column, band_line_function function,
                    uint8_t *directions);

/* Whether band_next_lines computes the next LINES_BETWEEN_LOOKS lines, in less time than one after the other.
 */
bool band_is_wide(const live_band *band);

/* Computes them, as band_next_line with all of the band's rows and columns would. */
bool band_next_lines(live_band *band, band_line_function function);

/* Computes lines up to `end`, and keeps some. *outcome: LIVE_BAND_READY, or LIVE_BAND_EMPTY if nothing is
 * alive any more before. CLA_ERROR_MEMORY, and what a part's tick returns. */
cla_status live_band_go_on(live_band_outcome *outcome, live_band *band, int64_t end, cla_error *error);

/* Sets what the input's extent says of values, from its columns and the rest of the input. */
void band_values_look(live_band_input *input, const band_goals *goals);

/* Allocates and fills the arrays for band->in and band->goals; *fits is false where the values have more than
 * 32 bits. CLA_ERROR_MEMORY. */
cla_status band_values_make(bool *fits, live_band *band, cla_error *error);
void band_values_free(live_band *band);

/* Puts the band on the first line. */
void band_values_begin(live_band *band);

/* Puts F of a line that begins in the upper row into that row: as it is there, not as it enters the next. */
void band_values_put_top_f(live_band *band, int64_t line);

/* Puts the band on a kept line above node (row, column), counted from the corner, with the rows from which
 * steps along the lines can lead there. */
void band_values_go_back(live_band *band, const kept_line *line, int64_t row, int64_t column);

/* Keeps the line on which the band stands. CLA_ERROR_MEMORY. */
cla_status band_values_keep(live_band *band, cla_error *error);

#endif
