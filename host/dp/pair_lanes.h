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
  int32_t match;        /* >= 0 */
  int32_t unlike;       /* loss of a pair without look-up that is no match */
  int32_t most;         /* of a pair */
  int32_t across[2][2]; /* by piece: loss of a target gap's first letter, and of each further one */
  int32_t down[2][2];   /* of a query gap's */
  bool two;             /* pieces */
  bool look_up;         /* pairs' losses are in the tables */
  lanes_end end;
  uint16_t table[32 * 32]; /* [query code * 32 + target code] */
  uint8_t bytes[32 * 32];  /* the same, no more than 255 */
  bool scores_fit;         /* lanes of 8 bits can tell local scores themselves, which they have so: */
  int32_t zero, high;      /* what stands for a score of 0, and for the least one that is too high */
  bool tiles_fit;          /* they can tell scores by tiles (tile_lanes_text.h), which are of */
  int32_t tile_columns, tile_level;
  uint8_t scores[2][32 * 32]; /* of pairs, negative ones less 256; of tiles with a rise of 2 ext */
} lanes_scheme;

/* False if the scheme has no such losses: letters that match cost. */
bool lanes_scheme_make(lanes_scheme *out, const path_scheme *scheme);

#define LANES_UNKNOWN INT32_MAX /* a loss that lanes cannot tell */
#define LANES_MOST 64           /* pairs of a group */
#define LANES_QUERY_OTHER 0xFE  /* a query letter that matches none, where nothing is looked up, */
#define LANES_TARGET_OTHER 0xFF /* and one of a target; */
#define LANES_PADDING 31        /* with look-up: behind a sequence's last letter */

/* What lanes compute. All but losses is for lanes of 8 bits, and gives no masks. */
typedef enum lanes_values {
  LANES_LOSSES,
  LANES_SCORES, /* local scores without ends, where scores_fit */
  LANES_TILES,  /* scores and ends, where tiles_fit */
  LANES_VALUES
} lanes_values;

/* Pairs of one group, sorted by rows, and what is found of them. */
typedef struct lanes_group {
  const lanes_scheme *scheme;
  const struct lanes_way *way; /* how it is solved */
  int count;                   /* of pairs, from 1 */
  int32_t rows[LANES_MOST], columns[LANES_MOST];
  const uint8_t *query[LANES_MOST]; /* codes */
  const uint8_t *target[LANES_MOST];
  lanes_values values;
  lanes_end end;     /* the scheme's; with masks the corner */
  bool banded;       /* only nodes of the diagonals `low` to `high`, columns less rows, are computed */
  int32_t low, high; /* -rows to columns; diagonals of all corners are inside */
  bool bounded;      /* with the corner for their end, pairs lose so much, and the lanes can tell it: */
  int32_t bound[LANES_MOST];
  bool moves;   /* lanes of 8 bits have a base for each pair, which moves */
  bool masks;   /* kept for lanes_walk */
  bool any_cut; /* some pairs have no path from the upper or the left border: */
  bool cut_top[LANES_MOST], cut_left[LANES_MOST];
  /* Found: */
  int32_t loss[LANES_MOST]; /* at the path's end, with match for each row below it; LANES_UNKNOWN: it is so
                               high that the lanes cannot tell */
  int32_t end_row[LANES_MOST], end_column[LANES_MOST];
  int64_t cells;
} lanes_group;

/* Memory of one thread, which calls use again. */
typedef struct lanes_space lanes_space;

/* One way to compute groups: of this machine's vectors, lanes of 8 bits or of 16. */
typedef struct lanes_way {
  int lanes; /* pairs of a group at the most */
  int bits;
  int mask_bits; /* of a lane */
  int mask_bytes;
  void (*solve[LANES_VALUES])(lanes_group *group, lanes_space *space);
} lanes_way;

/* Of `bits` 8 or 16, the widest of this machine; `widest` bytes of a vector at the most (64: no limit). */
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
