#ifndef TESTS_SUPPORT_ALL_ALIGNMENTS_H
#define TESTS_SUPPORT_ALL_ALIGNMENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "scoring/pair_problem.h"

/* Every alignment of two tiny sequences, and the certainty of one of them by its definition: by looking at
 * all of them. Nothing is shared with host/certain. */

#define ALIGNMENT_COLUMNS_MOST 16

/* An alignment: the node where it starts, and its columns. */
typedef struct listed_alignment {
  int row, column;
  int count;
  uint8_t kinds[ALIGNMENT_COLUMNS_MOST]; /* cla_run_kind by column */
  int64_t score;
} listed_alignment;

typedef struct alignment_list {
  const pair_problem *problem;
  listed_alignment *all;
  int64_t count, capacity;
  int64_t optimum;
} alignment_list;

/* Lists all alignments with at least one column, and those without a column. */
void alignment_list_make(alignment_list *out, const pair_problem *problem);
void alignment_list_free(alignment_list *list);

/* Returns the index of one of the optimal alignments that have a column, by `draw`; -1: there is none. */
int64_t alignment_list_draw(const alignment_list *list, uint64_t draw);

/* What is true of alignment `of` of the list. Margins are not limited. */
typedef struct true_certainty {
  int64_t margins[ALIGNMENT_COLUMNS_MOST];
  double supports[ALIGNMENT_COLUMNS_MOST];
  int64_t far[ALIGNMENT_COLUMNS_MOST]; /* displacement margins */
  double number;                       /* number of optimal alignments */
  int blocks;
  struct {
    int row, row_end, column, column_end;
    double number;
    int64_t margin;
    bool shift;
  } block[ALIGNMENT_COLUMNS_MOST + 2];
} true_certainty;

/* More than any margin. */
#define NO_OTHER (INT64_MAX / 4)

void true_certainty_find(true_certainty *out, const alignment_list *list, int64_t of, int64_t diagonals);

#endif
