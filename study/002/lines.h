#ifndef TOOLS_STUDY_002_LINES_H
#define TOOLS_STUDY_002_LINES_H

#include "stages.h"

/* Paths from or to one crosspoint, line after line: rows or columns, forward or backward, two lines in
 * memory.
 *
 *   from (i,j)  0 1 2 3 places       backward: the letters before the crosspoint, the nearest first; values
 * are line 1      . . . .              of paths that lead to it. Line 0 and place 0 are the crosspoint's own
 * row and line 2      . . . .              column. */
typedef struct line_walk {
  const uint8_t *line_letters, *place_letters; /* of line 1, of place 1 */
  int step;                                    /* to the next letter: 1, or -1 backward */
  int64_t places, line;
  gotoh_costs costs;
  int32_t *h, *gap; /* owned; of places + 1 nodes: H, and the gap that goes on to the next line */
  int32_t last_gap; /* at the last place: the gap along the line */
} line_walk;

/* Stands on line 0. CLA_ERROR_MEMORY; the caller ends with lines_end, also then. */
cla_status lines_by_rows(line_walk *out, const letter_pair *pair, const crosspoint *from, int64_t places,
                         int step, cla_error *error);
cla_status lines_by_columns(line_walk *out, const letter_pair *pair, const crosspoint *from, int64_t places,
                            int step, cla_error *error);

/* Goes on to the next line. */
void lines_next(line_walk *walk);
void lines_end(line_walk *walk);

/* The place of the line whose H is `score`, -1: none. */
int64_t lines_find(const line_walk *walk, int32_t score);

/* True if the values of a path to a node and of one on from it add up to `score`, within a gap that both have
 * opened (Myers and Miller's matching). */
static inline bool lines_match_gap(int32_t before, int32_t after, gotoh_costs costs, int32_t score) {
  return before + after + costs.first - costs.ext == score;
}

#endif
