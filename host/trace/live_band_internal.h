#ifndef HOST_TRACE_LIVE_BAND_INTERNAL_H
#define HOST_TRACE_LIVE_BAND_INTERNAL_H

#include "dp/band_line.h"
#include "dp/score_lines.h"
#include "trace/live_band.h"

/* Types and functions shared by live_band.c, live_band_lines.c, live_band_values.c, whole_band.c and
 * banded.c.
 */

/* Number of lines from one trim to the next; a trim removes dead cells at both ends of a line. Between two
 * trims, each line grows by one cell at either end. Only trimmed lines can be kept. Wide lines between two
 * trims are computed together. */
#define LINES_BETWEEN_LOOKS 8

/* Additional state of a band that is a part of a whole_band (trace/whole_band.h). */
typedef struct band_part {
  int64_t spare;       /* upper limit of (true value - the part's value) */
  int64_t least_score; /* least score of an end that matters */
  int64_t quiet;       /* ends up to and including this line do not matter */
  path_end end;        /* the best end since the last kept line */
  cla_status (*tick)(void *user, int64_t cells, cla_error *error); /* NULL: none */
  void *tick_user;
} band_part;

/* A kept line, with everything needed to continue the band from there. */
typedef struct kept_line {
  int64_t line;
  int64_t first, last;               /* rows of the line */
  int64_t before_first, before_last; /* rows of the previous line */
  int64_t base;                      /* band_scale.base of the values */
  void *values; /* h, h of the previous line, e and f of each piece of gap costs; all for rows first - 1 to
                   last + 1 */
  path_end end; /* in a part of a whole_band: the best end since the previous kept line */
} kept_line;

/* Number of arrays of a kept line, by the number of pieces of gap costs. */
#define BAND_KEPT_ARRAYS(pieces) (2 + 2 * (pieces))
#define BAND_KEPT_ARRAYS_MOST BAND_KEPT_ARRAYS(CLA_GAP_PIECES)

/* How values are stored: H is stored as H - row_step * row - base. */
typedef struct band_scale {
  int64_t row_step; /* approximate worth of a row */
  int64_t base;
  int64_t base_x;      /* X of a stored value `v` is v + base_x - row_excess[row] */
  int32_t *row_excess; /* by row: sum of (worth - row_step) over the rows from the corner to the row */
  int64_t lowest;      /* the lowest stored H; every node with this H is dead */
  int value_bytes;
} band_scale;

/* The scores of pairs and gaps. */
typedef struct band_scores {
  band_costs costs;
  int32_t *table;    /* scores if pairs are looked up by BAND_PAIRS_TABLE */
  score_lines lines; /* scores if pairs are looked up by BAND_PAIRS_LINE */
} band_scores;

/* Values and letters by row. Line `d` uses h[d % 3] and f[piece][d % 2]. In a live band, the arrays have
 * room for all rows and columns, and row 0 is aligned for vectors. In a band with fixed edges, they have
 * room for little more than the rows of a line, and move along with the lines. */
typedef struct band_arrays {
  void *memory;          /* memory of all arrays */
  int64_t rows, columns; /* rows and columns for which there is room */
  int64_t moved;         /* the line at which the arrays were last moved */
  void *h[3], *floor;
  void *f[CLA_GAP_PIECES][2], *e[CLA_GAP_PIECES]; /* F and E by piece of gap costs */
  void *query, *target;                           /* letters; column `j` is at target[columns - j] */
} band_arrays;

/* The last computed line. */
typedef struct band_front {
  int64_t line;        /* the line's number: row plus column of its cells, counted from the corner */
  int64_t first, last; /* rows of the line; none if last < first */
  int64_t before_first, before_last; /* rows of the previous line */
} band_front;

typedef struct kept_lines {
  kept_line *lines;
  int64_t count, capacity;
  int64_t interval; /* lines from one kept line to the next */
  int64_t shift; /* kept lines are counted from an earlier line than the corner's: number of lines between the
                    two */
} kept_lines;

/* The rows of a line, and the index of its first direction. */
typedef struct line_place {
  int64_t first, last, offset;
} line_place;

/* Directions of the lines after line `from`. */
typedef struct band_directions {
  int64_t from;
  cell_direction *codes;
  int64_t count, capacity;
  line_place *places; /* by line */
  int64_t places_capacity;
} band_directions;

/* Edges that do not depend on values, for a band of the whole matrix (trace/banded.h). The base changes
 * from line to line. So 4 bytes per value suffice for sequences of any length. */
typedef struct band_edges {
  bool fixed;        /* false: the band is live */
  int64_t low, high; /* lowest and highest diagonal (column - row) */
  int64_t between;   /* lines from one move of the arrays to the next */
} band_edges;

struct live_band {
  live_band_input in;
  band_goals goals;
  int64_t rows, columns; /* largest row and column of the band's nodes, counted from the corner */
  int64_t border_last;   /* the last row in which a path may start on the left border; negative: none */
  band_edges edges;
  band_scale scale;
  band_scores scores;
  band_arrays arrays;
  band_front front;
  kept_lines kept;
  band_directions directions;
  int64_t bytes, cells;
  bool directed;   /* the directions of all lines are stored */
  band_part *part; /* for a part of a whole_band, else NULL */
};

static inline int band_pieces(const live_band *band) {
  return band->scores.costs.pieces;
}

static inline int band_kept_arrays(const live_band *band) {
  return BAND_KEPT_ARRAYS(band_pieces(band));
}

static inline int64_t value_get(const live_band *band, const void *values, int64_t index) {
  /* The band always has its arrays, but clang-tidy cannot see that. */
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

/* Converts a matrix value H, E or F to its stored form, which is at least scale.lowest; `row` counts from the
 * corner. */
static inline int64_t value_stored(const live_band *band, int64_t row, int64_t value) {
  const int64_t stored = value - band->scale.row_step * (band->in.row + row) - band->scale.base;
  return stored > band->scale.lowest ? stored : band->scale.lowest;
}

/* Lists the band's arrays that a kept line stores. Returns their number. */
int band_values_arrays(const live_band *band, void *arrays[BAND_KEPT_ARRAYS_MOST]);

/* Computes the next line, up to row `most_row` and column `most_column`. If `directions` is not NULL, stores
 * a direction for each cell except the cell of row 0. Returns false if the line has no row. */
bool band_next_line(live_band *band, int64_t most_row, int64_t most_column, cell_direction *directions);

/* Calls band_next_line with directions, and stores the directions in the band. *there is the result of
 * band_next_line. CLA_ERROR_MEMORY. */
cla_status band_directed_line(bool *there, live_band *band, int64_t most_row, int64_t most_column,
                              cla_error *error);

/* True if band_next_lines can compute the next LINES_BETWEEN_LOOKS lines, and is faster than
 * band_next_line. */
bool band_is_wide(const live_band *band);

/* Computes the next LINES_BETWEEN_LOOKS lines, up to the band's last row and column. Returns false if a line
 * has no row. */
bool band_next_lines(live_band *band);

/* Computes the next `count` * LINES_BETWEEN_LOOKS lines on several threads. `count` is at most
 * BAND_TILES_MOST. Returns false if a line has no row. */
#define BAND_TILES_MOST 32
bool band_next_tiles(live_band *band, int64_t count, int threads);

/* Removes dead cells from both ends of the line. An end is not moved if new live cells may still enter there:
 * on the upper row, and on the matrix' left border if paths may start on that border. Returns false if
 * neither a cell nor a diagonal step across the line is alive. If only a diagonal step is alive, `first`
 * becomes `last` + 1. */
bool band_leave_dead_out(live_band *band, const band_goals *goals);

/* Computes lines up to `end`, and keeps some of them. *outcome is LIVE_BAND_READY, LIVE_BAND_EMPTY if no live
 * node is left, or the value for an exceeded limit or a cancelled band. Errors: CLA_ERROR_MEMORY, and errors
 * of a part's tick. */
cla_status live_band_go_on(live_band_outcome *outcome, live_band *band, int64_t end, cla_error *error);

/* Sets value_bytes and least_x of the input's extent from the rest of the input. */
void band_values_look(live_band_input *input, const band_goals *goals);

/* Allocates and fills the arrays for band->in and band->goals. *fits is false if values need more than 32
 * bits. CLA_ERROR_MEMORY. */
cla_status band_values_make(bool *fits, live_band *band, cla_error *error);
void band_values_free(live_band *band);

/* Returns the bytes of the band's arrays. */
int64_t band_values_bytes(const live_band *band);

/* Makes a copy of a band that has its own arrays and front, but shares everything else with the band. Only
 * lines from a kept line on may be computed in it. CLA_ERROR_MEMORY. */
cla_status band_values_copy(live_band *out, const live_band *band, cla_error *error);
void band_values_free_copy(live_band *copy);

/* Sets the band's front to the first line. */
void band_values_begin(live_band *band);

/* With fixed edges: moves the arrays to the line's rows, and the base to the line's largest value. */
void band_values_move(live_band *band);

/* Writes F of the upper row into a line whose first cell is in that row. The border stores another F, the
 * one that enters the row below; F of the upper row is computed from it. */
void band_values_put_top_f(live_band *band, int64_t line);

/* Sets the band's front to a kept line above node (row, column), counted from the corner. The front keeps
 * only rows from which paths can reach the node. */
void band_values_go_back(live_band *band, const kept_line *line, int64_t row, int64_t column);

/* Stores the band's current line as a kept line. CLA_ERROR_MEMORY. */
cla_status band_values_keep(live_band *band, cla_error *error);

#endif
