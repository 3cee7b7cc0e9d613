#ifndef HOST_DP_PAIR_LANES_H
#define HOST_DP_PAIR_LANES_H

#include "clalign/arrays.h"
#include "scoring/pair_problem.h"

/* Many pairs at once on one host thread, a pair a lane of a vector.
 *
 * Values are losses: what a path to a node misses to `match`, the highest score of a pair of letters, in each
 * row above the node.
 *
 *      loss(i,j) = match i - H(i,j)
 *
 * No step of a path lowers its loss: a pair loses match - score, a gap's letter of the target `ext`, one of
 * the query `ext + match`. So a loss that passes the largest value of a lane stays there, and one that is
 * smaller at the path's end is exact. */

/* Where losses are looked for when a matrix is done. */
typedef enum lanes_end {
  LANES_END_CORNER,
  LANES_END_BORDERS, /* the last row, the last column, or both, as path_ends has it */
  LANES_END_ANYWHERE
} lanes_end;

/* A scheme as losses. */
typedef struct lanes_scheme {
  const path_scheme *scheme;
  int32_t match;                        /* >= 0 */
  int32_t unlike;                       /* loss of a pair without look-up that is no match */
  int32_t most;                         /* largest loss of a pair of letters */
  int pieces;                           /* of gap costs */
  cla_gap_piece across[CLA_GAP_PIECES]; /* losses of a target gap's letters */
  cla_gap_piece down[CLA_GAP_PIECES];   /* losses of a query gap's letters */
  bool look_up;                         /* pairs' losses are in the tables */
  lanes_end end;
  uint16_t table[32 * 32];    /* [query code * 32 + target code] */
  uint8_t bytes[32 * 32];     /* `table` with 255 at the most */
  bool scores_fit;            /* lanes of 8 bits can hold local scores instead of losses */
  int32_t zero;               /* if scores_fit: stands for a score of 0 */
  int32_t high;               /* if scores_fit: stands for the least score that is too high */
  bool tiles_fit;             /* lanes of 8 bits can tell scores by tiles (tile_lanes_text.h) */
  int32_t tile_columns;       /* columns of a tile, if tiles_fit */
  int32_t tile_level;         /* value left of the first row of a tile, if tiles_fit */
  uint8_t scores[2][32 * 32]; /* [0]: scores modulo 256; [1]: for tiles, with a rise of 2 ext */
} lanes_scheme;

/* False if the scheme has no such losses: letters that match cost. */
bool lanes_scheme_make(lanes_scheme *out, const path_scheme *scheme);

#define LANES_UNKNOWN INT32_MAX            /* a loss that lanes cannot tell */
#define LANES_MOST 64                      /* most pairs of a group */
#define LANES_QUERY_OTHER 0xFE             /* without look-up: a query letter that matches none */
#define LANES_TARGET_OTHER 0xFF            /* without look-up: a target letter that matches none */
#define LANES_MASKS(pieces) (4 * (pieces)) /* masks of a cell, without that of starts */
#define LANES_PADDING 31                   /* with look-up: stands behind a sequence's last letter */

/* What lanes compute. Scores and tiles are for lanes of 8 bits, and give no masks. */
typedef enum lanes_values {
  LANES_LOSSES,
  LANES_SCORES, /* local scores without ends, where scores_fit */
  LANES_TILES,  /* scores and ends, where tiles_fit */
  LANES_VALUES
} lanes_values;

/* Columns of a row: none if last < first. */
typedef struct lanes_range {
  int32_t first, last;
} lanes_range;

/* What is known of a group's best paths. Nodes that these rule out are not computed. */
typedef struct lanes_known {
  int32_t bound[LANES_MOST]; /* loss of each pair at its corner */
  int32_t down, across; /* loss of each letter by which the query or the target is longer from a node on */
  const uint16_t *rest; /* least loss from a row on, by rows that are left and by lane; NULL: nothing */
  int rest_bits;        /* `rest` has an entry for 2^rest_bits rows */
  int32_t beside;       /* loss in addition to `rest` for each letter by which the target is longer */
  const lanes_range *sources; /* by row: nodes where paths may come from borders or begin; NULL: all */

  /* A sweep back from the end, over sequences in reverse. It has no masks, and losses may be too low. */
  bool back;
  const path_ends *ends; /* the paths' ends; the scheme has those of the sweep */
  uint16_t *least;       /* out: the least loss of each row, by lane */
  lanes_range *from;     /* out: the sources of the way forth, by row from the start on */
  int32_t swept;         /* the last row that may be on a path */
} lanes_known;

/* Pairs of one group, sorted by rows, and what is found of them. */
typedef struct lanes_group {
  const lanes_scheme *scheme;
  const struct lanes_way *way; /* how it is solved */
  int count;                   /* pairs of the group, >= 1 */
  int32_t rows[LANES_MOST], columns[LANES_MOST];
  const uint8_t *query[LANES_MOST]; /* codes */
  const uint8_t *target[LANES_MOST];
  lanes_values values;
  lanes_end end;            /* the scheme's end; with masks LANES_END_CORNER */
  bool banded;              /* only nodes of the diagonals `low` to `high`, columns less rows, are computed */
  int32_t low, high;        /* from -rows to columns; the diagonals of all corners lie between */
  lanes_known *known;       /* NULL: nothing */
  bool moves;               /* lanes of 8 bits have a base for each pair, which moves */
  bool masks;               /* masks are kept for lanes_walk */
  int64_t masks_most;       /* bytes that masks may take; 0: as many as it takes */
  bool any_cut;             /* some pairs have cut_top or cut_left */
  bool cut_top[LANES_MOST]; /* no path begins at the upper border */
  bool cut_left[LANES_MOST]; /* no path begins at the left border */

  /* Results. */
  int32_t loss[LANES_MOST]; /* at the path's end, plus match for each row below it; LANES_UNKNOWN: too high
                               for the lanes */
  int32_t end_row[LANES_MOST], end_column[LANES_MOST];
  /* With `moves`: what some path to the corner loses, even where `loss` is not known. */
  int32_t path_loss[LANES_MOST];
  bool full;        /* there was no room for all masks: nothing is found */
  int32_t full_row; /* if full: the row whose masks had no room */
  int64_t cells;
} lanes_group;

/* Memory of one thread, which calls use again. */
typedef struct lanes_space lanes_space;

/* One way to compute groups: with one kind of vectors, and lanes of 8 or of 16 bits. */
typedef struct lanes_way {
  int lanes; /* most pairs of a group */
  int bits;
  int mask_bits; /* bits of a lane in a mask */
  int mask_bytes;
  void (*solve[LANES_VALUES])(lanes_group *group, lanes_space *space);
} lanes_way;

/* This machine's way with the widest vectors of at most `widest` bytes (64: no limit). `bits` is 8 or 16. */
const lanes_way *lanes_way_of(int bits, int widest);

/* CLA_ERROR_MEMORY. */
cla_status lanes_space_create(lanes_space **out, cla_error *error);
void lanes_space_free(lanes_space *space);

/* Whether a way can tell the losses of such a matrix. */
bool lanes_takes(const lanes_way *way, const lanes_scheme *scheme, int32_t rows, int32_t columns);

/* Solves a group. CLA_ERROR_MEMORY. */
cla_status lanes_solve(lanes_group *group, lanes_space *space, cla_error *error);

/* The canonical path (docs/internals/exactness.md) of a pair of the group that was solved last, with masks.
 */
typedef struct lanes_path {
  int32_t start_row, start_column;
  cla_packed_run *runs; /* in `space`, until its next call; the path's last run comes first */
  int32_t run_count;
} lanes_path;

/* `matches` has a bit for each target code by query code: the pairs that count as matches. CLA_ERROR_DEVICE
 * (the path does not lose what was found), CLA_ERROR_MEMORY. */
cla_status lanes_walk(lanes_path *out, const lanes_group *group, int lane, const uint32_t matches[32],
                      lanes_space *space, cla_error *error);

#endif
