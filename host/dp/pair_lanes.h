#ifndef HOST_DP_PAIR_LANES_H
#define HOST_DP_PAIR_LANES_H

#include "clalign/arrays.h"
#include "scoring/pair_problem.h"

/* Computes many pairs at once on one host thread, one pair in each lane of a vector. Values are losses,
 * compared with a path that gains `match`, the highest score of a pair, in each row above the node:
 *
 *     loss(i,j) = match i - H(i,j)
 *
 * No step of a path lowers its loss: a pair loses match - score, a letter of a target gap `ext`, a letter
 * of a query gap `ext + match`. So a loss that is too large for a lane is stored as the lane's largest
 * value, and any smaller loss at a path's end is exact. */

/* The nodes among which the least loss of a matrix is sought. */
typedef enum lanes_end {
  LANES_END_CORNER,
  LANES_END_BORDERS, /* the last row, the last column, or both, depending on path_ends */
  LANES_END_ANYWHERE
} lanes_end;

/* A scoring scheme in terms of losses. */
typedef struct lanes_scheme {
  const path_scheme *scheme;
  int32_t match;                        /* highest score of a pair of letters, >= 0 */
  int32_t unlike;                       /* without look-up: loss of a pair that is no match */
  int32_t most;                         /* largest loss of a pair of letters */
  int pieces;                           /* number of pieces of gap costs */
  cla_gap_piece across[CLA_GAP_PIECES]; /* losses of the letters of a target gap */
  cla_gap_piece down[CLA_GAP_PIECES];   /* losses of the letters of a query gap */
  bool look_up;                         /* losses of pairs are looked up in the tables */
  lanes_end end;
  uint16_t table[32 * 32];    /* losses of pairs: [query code * 32 + target code] */
  uint8_t bytes[32 * 32];     /* `table` with values above 255 set to 255 */
  bool scores_fit;            /* lanes of 8 bits can hold local scores instead of losses */
  int32_t zero;               /* if scores_fit: stored value of the score 0 */
  int32_t high;               /* if scores_fit: stored value of the lowest score that does not fit */
  bool tiles_fit;             /* lanes of 8 bits can compute scores by tiles (tile_lanes_text.h) */
  int32_t tile_columns;       /* if tiles_fit: columns of a tile */
  int32_t tile_level;         /* if tiles_fit: stored value to the left of a tile's first row */
  uint8_t scores[2][32 * 32]; /* [0]: scores modulo 256; [1]: for tiles, scores plus 2 ext */
} lanes_scheme;

/* Computes a scheme's losses. Returns false if lanes cannot use the scheme: if matches score less than 0 or
 * less than mismatches, or if used pairs are excluded. */
bool lanes_scheme_make(lanes_scheme *out, const path_scheme *scheme);

#define LANES_UNKNOWN INT32_MAX            /* a loss that lanes cannot compute */
#define LANES_MOST 64                      /* largest number of pairs in a group */
#define LANES_QUERY_OTHER 0xFE             /* without look-up: a query letter that matches no letter */
#define LANES_TARGET_OTHER 0xFF            /* without look-up: a target letter that matches no letter */
#define LANES_MASKS(pieces) (4 * (pieces)) /* masks of a cell, without the mask of starts */
#define LANES_PADDING 31                   /* with look-up: code that follows a sequence's last letter */

/* The kind of values that lanes compute. Scores and tiles need lanes of 8 bits, and produce no masks. */
typedef enum lanes_values {
  LANES_LOSSES,
  LANES_SCORES, /* local scores without ends, if scores_fit */
  LANES_TILES,  /* scores and ends, if tiles_fit */
  LANES_VALUES
} lanes_values;

/* The columns `first` to `last` of a row; none if last < first. */
typedef struct lanes_range {
  int32_t first, last;
} lanes_range;

/* Facts that are known about a group's best paths. Nodes that cannot be on a best path are not computed. */
typedef struct lanes_known {
  int32_t bound[LANES_MOST]; /* upper bound of each pair's loss at its corner */
  int32_t down, across; /* down, across: loss per letter by which the rest of the query is longer, or shorter,
                           than the rest of the target */
  const uint16_t *rest; /* least loss of the remaining rows, by their number and by lane; NULL: not known */
  int rest_bits;        /* `rest` has an entry for 2^rest_bits rows */
  int32_t beside; /* loss per letter by which the rest of the target is longer than the rest of the query;
                     added to `rest` */
  const lanes_range *sources; /* by row: nodes where paths may start or come from a border; NULL: all nodes */

  /* True for a sweep backwards from the end, over reversed sequences. Such a sweep has no masks, and its
   * losses may be too low. */
  bool back;
  const path_ends *ends; /* ends of the paths; the scheme contains the ends of the sweep */
  uint16_t *least;       /* output: the least loss of each row, by lane */
  lanes_range *from;     /* output: by row, `sources` for the forward sweep, counted from the matrix' start */
  int32_t swept;         /* the last row that was computed; no path goes beyond it */
} lanes_known;

/* The pairs of one group, sorted by number of rows, and their results. */
typedef struct lanes_group {
  const lanes_scheme *scheme;
  const struct lanes_way *way; /* the instructions and lanes with which the group is solved */
  int count;                   /* number of pairs in the group, >= 1 */
  int32_t rows[LANES_MOST], columns[LANES_MOST];
  const uint8_t *query[LANES_MOST]; /* codes */
  const uint8_t *target[LANES_MOST];
  lanes_values values;
  lanes_end end;             /* the scheme's `end`, or with masks LANES_END_CORNER */
  bool banded;               /* only the diagonals `low` to `high` (column minus row) are computed */
  int32_t low, high;         /* -rows <= low <= high <= columns; includes the diagonals of all last nodes */
  lanes_known *known;        /* NULL: nothing is known about the best paths */
  bool moves;                /* each pair in lanes of 8 bits has a base, which changes from row to row */
  bool masks;                /* masks are stored for lanes_walk */
  int64_t masks_most;        /* largest number of bytes of the masks; 0: no limit */
  bool any_cut;              /* cut_top or cut_left is set for some pair */
  bool cut_top[LANES_MOST];  /* no path starts at the upper border */
  bool cut_left[LANES_MOST]; /* no path starts at the left border */

  /* Results. */
  int32_t loss[LANES_MOST]; /* loss at the end, plus `match` for each row below the end; LANES_UNKNOWN: too
                               high */
  int32_t end_row[LANES_MOST], end_column[LANES_MOST];
  /* With `moves`: the loss of a path to the corner, set even if `loss` is LANES_UNKNOWN. */
  int32_t path_loss[LANES_MOST];
  bool full;        /* masks_most was too small for all masks; there is no result */
  int32_t full_row; /* if full: the first row whose masks did not fit */
  int64_t cells;
} lanes_group;

/* Memory of one thread, used again by later calls. */
typedef struct lanes_space lanes_space;

/* A way to compute groups: a kind of vectors, and lanes of 8 or 16 bits. */
typedef struct lanes_way {
  int lanes; /* largest number of pairs in a group */
  int bits;
  int mask_bits; /* bits of a lane in a mask */
  int mask_bytes;
  void (*solve[LANES_VALUES])(lanes_group *group, lanes_space *space);
} lanes_way;

/* Returns a way to compute groups with lanes of `bits` bits (8 or 16). It uses this machine's widest
 * vectors of at most `widest` bytes (64: no limit). */
const lanes_way *lanes_way_of(int bits, int widest);

/* Makes the memory of a thread. CLA_ERROR_MEMORY. */
cla_status lanes_space_create(lanes_space **out, cla_error *error);
void lanes_space_free(lanes_space *space);

/* True if `way` can compute the losses of a matrix of `rows` x `columns`. */
bool lanes_takes(const lanes_way *way, const lanes_scheme *scheme, int32_t rows, int32_t columns);

/* Solves a group. CLA_ERROR_MEMORY. */
cla_status lanes_solve(lanes_group *group, lanes_space *space, cla_error *error);

/* A canonical path (docs/internals/exactness.md) of a pair. */
typedef struct lanes_path {
  int32_t start_row, start_column;
  cla_packed_run *runs; /* runs, the path's last run first; owned by the lanes_space, and valid until the next
                           call with it */
  int32_t run_count;
} lanes_path;

/* Finds the path of lane `lane` in the group that was solved last, with masks. Bit t of matches[q] is set if
 * query code q and target code t count as a match. CLA_ERROR_DEVICE if the path does not have the loss that
 * lanes_solve found; CLA_ERROR_MEMORY. */
cla_status lanes_walk(lanes_path *out, const lanes_group *group, int lane, const uint32_t matches[32],
                      lanes_space *space, cla_error *error);

#endif
