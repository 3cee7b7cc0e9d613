#ifndef TOOLS_STUDY_002_STAGES_H
#define TOOLS_STUDY_002_STAGES_H

#include "000/gotoh.h"

/* CUDAlign 2.1 (sections 4.2 to 4.9): six stages from two sequences to an alignment, by ever
 * more crosspoints. A node (i,j) stands after i letters of the query and j of the target. */

/* How a path passes a crosspoint: its score there is H, E or F. */
typedef enum crosspoint_type {
  CROSS_PLAIN = 0,
  CROSS_ALONG = 1, /* within a gap along the row, of target letters: E */
  CROSS_DOWN = 2   /* within a gap down the rows, of query letters: F */
} crosspoint_type;

/* A node of an optimal path. Two that follow each other are a partition: the path between them is a problem
 * of its own. */
typedef struct crosspoint {
  int64_t i, j;
  int32_t score; /* of the path up to here */
  crosspoint_type type;
} crosspoint;

typedef struct crosspoint_list {
  crosspoint *points; /* owned */
  int64_t count, capacity;
} crosspoint_list;

/* The letters of the rows and of the columns. */
typedef struct letter_pair {
  const uint8_t *down, *across;
  gotoh_costs costs;
} letter_pair;

/* What a stage works on, and the cells that it has computed. */
typedef struct stage_work {
  letter_pair pair;
  int64_t cells;
} stage_work;

/* A row of which H and F are known, from node (row, left) on. h is NULL where there is none. */
typedef struct goal_row {
  int64_t row, left;
  const int32_t *h, *f;
  int32_t base;       /* to be added to h and f */
  bool start_unknown; /* the path may begin before it comes to the row */
} goal_row;

/* Rows that stage 1 has kept. */
typedef struct special_rows {
  int64_t step, count; /* row (k + 1) * step is line k + 1 of h and f; line 0 is row 0 */
  int64_t stride;      /* values of a line: one more than columns */
  int32_t *h, *f;      /* owned */
} special_rows;

/* A column that stage 2 has kept: the values of paths from (bottom - k, column) to the crosspoint number
 * `owner` are h[k] and e[k]. */
typedef struct special_column {
  int64_t column, bottom, places, owner;
  int32_t *h, *e; /* owned */
} special_column;

typedef struct special_columns {
  special_column *columns; /* owned */
  int64_t count, capacity;
  int64_t step, owner; /* for those that come */
} special_columns;

/* A gap: before letter i of the query and j of the target. */
typedef struct gap_run {
  int64_t i, j, length;
} gap_run;

typedef struct gap_list {
  gap_run *gaps; /* owned */
  int64_t count, capacity;
} gap_list;

/* The binary alignment: all that is needed beside the sequences. */
typedef struct binary_alignment {
  crosspoint start, end;
  gap_list along, down; /* GAP1 and GAP2 */
} binary_alignment;

/* Which of the ideas are taken, and which stage is told. */
typedef struct stage_choice {
  int stage;    /* 1 to 6; 0: all */
  bool on_host; /* stage 1 on one thread: no special rows, so no stage 3 either */
  bool prune;
  bool orthogonal; /* stage 2 goes by columns, and stops at the goal */
  bool balanced;   /* stage 4 halves the longer side, and its second half is orthogonal */
} stage_choice;

cla_status crosspoint_add(crosspoint_list *list, crosspoint point, cla_error *error);

/* Stage 1 (special_sweep.c): score and end; rows that are kept, columns and rows of the device's grid. */
cla_status stage1_sweep(crosspoint *end, special_rows *rows, study_result *out, const study_task *task,
                        bool prune, cla_error *error);

/* Finds the node of the goal's row through which an optimal path to `to` leads, or its start: `found`; its
 * score is 0 then, and `row` of the goal is not met. By rows (goal_rows.c), or by columns, where `keep`, if
 * not NULL, gets special columns (goal_columns.c). CLA_ERROR_VERIFICATION: there is none. */
cla_status goal_by_rows(crosspoint *found, stage_work *work, const crosspoint *to, const goal_row *goal,
                        cla_error *error);
cla_status goal_by_columns(crosspoint *found, stage_work *work, const crosspoint *to, const goal_row *goal,
                           special_columns *keep, cla_error *error);

/* Stage 2 (partial_traceback.c): crosspoints from `end` back to the start. By columns, some of which `keep`
 * gets; where it is NULL, by rows. */
cla_status stage2_trace(crosspoint_list *out, stage_work *work, const crosspoint *end,
                        const special_rows *rows, special_columns *keep, cla_error *error);

/* Stage 3 (split_partitions.c): from crosspoints in stage 2's order to more, from start to end. */
cla_status stage3_split(crosspoint_list *out, stage_work *work, const crosspoint_list *from,
                        const special_columns *columns, cla_error *error);

/* Stage 4 (balanced_splitting.c): partitions of at most STAGE4_MOST rows and columns, by `threads`. */
#define STAGE4_MOST 16
cla_status stage4_split(crosspoint_list *list, stage_work *work, bool balanced, int threads,
                        cla_error *error);

/* Stage 5 (small_partitions.c): the gaps of each partition. Stage 6 (reconstruction.c): the path. */
cla_status stage5_align(binary_alignment *out, stage_work *work, const crosspoint_list *list,
                        cla_error *error);
cla_status stage6_reconstruct(study_result *out, const binary_alignment *alignment, cla_error *error);

/* All stages (stages.c). */
cla_status stages_run(study_result *out, const study_task *task, const stage_choice *choice,
                      cla_error *error);

#endif
