#ifndef HOST_DP_PAIR_LANES_H
#define HOST_DP_PAIR_LANES_H

#include "clalign/arrays.h"
#include "scoring/pair_problem.h"

/* Computes many pairs at once on one host thread, one pair in each lane of a vector.
 *
 * Values are losses: what a path's score lacks compared with a path that gains `match`, the highest pair
 * score, in each row above the node.
 *
 *      loss(i,j) = match i - H(i,j)
 *
 * No step of a path lowers its loss: a pair loses match - score, a gap's target letter `ext`, a gap's query
 * letter `ext + match`. So a loss that exceeds a lane's largest value stays at that value, and a smaller loss
 * at the path's end is exact. */

/* The nodes in which the best loss of a matrix is sought. */
typedef enum lanes_end {
  LANES_END_CORNER,
  LANES_END_BORDERS, /* the last row, the last column, or both, according to path_ends */
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
  int32_t zero;               /* if scores_fit: the value that stands for a score of 0 */
  int32_t high;               /* if scores_fit: the value that stands for the least score that is too high */
  bool tiles_fit;             /* lanes of 8 bits can compute scores by tiles (tile_lanes_text.h) */
  int32_t tile_columns;       /* if tiles_fit: columns of a tile */
  int32_t tile_level;         /* if tiles_fit: value to the left of a tile's first row */
  uint8_t scores[2][32 * 32]; /* [0]: scores modulo 256; [1]: for tiles, scores plus 2 ext */
} lanes_scheme;

/* Makes a scheme's losses. False if lanes cannot use the scheme: if matches score less than 0 or less than
 * mismatches, or if pairs are forbidden. */
bool lanes_scheme_make(lanes_scheme *out, const path_scheme *scheme);

#define LANES_UNKNOWN INT32_MAX            /* a loss that lanes cannot compute */
#define LANES_MOST 64                      /* largest number of pairs in a group */
#define LANES_QUERY_OTHER 0xFE             /* without look-up: a query letter that matches no letter */
#define LANES_TARGET_OTHER 0xFF            /* without look-up: a target letter that matches no letter */
#define LANES_MASKS(pieces) (4 * (pieces)) /* masks of a cell, without the mask of starts */
#define LANES_PADDING 31                   /* with look-up: stands behind a sequence's last letter */

/* What lanes compute. Scores and tiles need lanes of 8 bits, and give no masks. */
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

/* What is known about a group's best paths. Nodes that cannot be on a best path are not computed. */
typedef struct lanes_known {
  int32_t bound[LANES_MOST]; /* upper bound of each pair's loss at its corner */
  int32_t down, across; /* loss for each letter by which the query's rest is longer (down) or shorter (across)
                           than the target's */
  const uint16_t *rest; /* least loss of the rows that are left, by the number of these rows and by lane;
                           NULL: not known */
  int rest_bits;        /* `rest` has an entry for 2^rest_bits rows */
  int32_t beside; /* loss, in addition to `rest`, for each letter by which the target's rest is longer than
                     the query's */
  const lanes_range *sources; /* by row: nodes where paths may begin or come from a border; NULL: all nodes */

  /* The sweep goes back from the end, over reversed sequences. It has no masks, and losses may be too low. */
  bool back;
  const path_ends *ends; /* ends of the paths; the scheme has the ends of the sweep */
  uint16_t *least;       /* output: the least loss of each row, by lane */
  lanes_range *from;     /* output: `sources` of the way forth, by row from the start on */
  int32_t swept;         /* the last row that was computed, beyond which no path goes */
} lanes_known;

/* The pairs of one group, sorted by rows, and their results. */
typedef struct lanes_group {
  const lanes_scheme *scheme;
  const struct lanes_way *way; /* how the group is solved */
  int count;                   /* number of pairs in the group, >= 1 */
  int32_t rows[LANES_MOST], columns[LANES_MOST];
  const uint8_t *query[LANES_MOST]; /* codes */
  const uint8_t *target[LANES_MOST];
  lanes_values values;
  lanes_end end;             /* the scheme's `end`; with masks LANES_END_CORNER */
  bool banded;               /* only the diagonals `low` to `high` (column less row) are computed */
  int32_t low, high;         /* -rows <= low <= high <= columns; includes the diagonals of all last nodes */
  lanes_known *known;        /* NULL: nothing is known */
  bool moves;                /* lanes of 8 bits have a base for each pair, which moves down the rows */
  bool masks;                /* masks are kept for lanes_walk */
  int64_t masks_most;        /* bytes that masks may take; 0: no limit */
  bool any_cut;              /* some pair has cut_top or cut_left */
  bool cut_top[LANES_MOST];  /* no path begins at the upper border */
  bool cut_left[LANES_MOST]; /* no path begins at the left border */

  /* Results. */
  int32_t loss[LANES_MOST]; /* loss at the end, plus `match` per row below it; LANES_UNKNOWN: too high */
  int32_t end_row[LANES_MOST], end_column[LANES_MOST];
  /* With `moves`: the loss of some path to the corner, known even if `loss` is LANES_UNKNOWN. */
  int32_t path_loss[LANES_MOST];
  bool full;        /* masks_most was too small for all masks; there is no result */
  int32_t full_row; /* if full: the row whose masks had no room */
  int64_t cells;
} lanes_group;

/* Memory of one thread, which later calls use again. */
typedef struct lanes_space lanes_space;

/* A way to compute groups: with one kind of vectors, and lanes of 8 or of 16 bits. */
typedef struct lanes_way {
  int lanes; /* largest number of pairs in a group */
  int bits;
  int mask_bits; /* bits of a lane in a mask */
  int mask_bytes;
  void (*solve[LANES_VALUES])(lanes_group *group, lanes_space *space);
} lanes_way;

/* Returns this machine's way with the widest vectors of at most `widest` bytes (64: no limit), and lanes of
 * `bits` bits (8 or 16). */
const lanes_way *lanes_way_of(int bits, int widest);

/* Makes the memory of a thread. CLA_ERROR_MEMORY. */
cla_status lanes_space_create(lanes_space **out, cla_error *error);
void lanes_space_free(lanes_space *space);

/* True if a way can compute the losses of a matrix of that size. */
bool lanes_takes(const lanes_way *way, const lanes_scheme *scheme, int32_t rows, int32_t columns);

/* Solves a group. CLA_ERROR_MEMORY. */
cla_status lanes_solve(lanes_group *group, lanes_space *space, cla_error *error);

/* A canonical path (docs/internals/exactness.md) of a pair. */
typedef struct lanes_path {
  int32_t start_row, start_column;
  cla_packed_run *runs; /* the path's last run comes first; owned by `space` and valid until the next call
                           with that space */
  int32_t run_count;
} lanes_path;

/* Finds the path of lane `lane` in the group that was solved last, with masks. Bit t of matches[q] is set if
 * query code q and target code t count as a match. CLA_ERROR_DEVICE (the path does not have the loss that was
 * found), CLA_ERROR_MEMORY. */
cla_status lanes_walk(lanes_path *out, const lanes_group *group, int lane, const uint32_t matches[32],
                      lanes_space *space, cla_error *error);

#endif
