/* The systems of the paper on layouts of the matrix: its two, the one it plans, and its sequential version.
 */

#include "layouts.h"

/* Figure 1 there: a match scores 1, a mismatch 0, a gap letter costs 1. */
static const study_scheme scheme = {
    .mode = CLA_MODE_GLOBAL, .gap_first = 1, .gap_ext = 1, .match = 1, .mismatch = 0};

static const study_setting none[] = {{0, 0, 0}, {0, 0, 0}};
static const study_setting slices[] = {/* rows, and work-items */
                                       {0, 0, 1024},
                                       {0, 0, 256},
                                       {0, 0, 512},
                                       {0, 0, 960},
                                       {0, 0, 0}};

#define SYSTEM(NAME, SOURCE, SECTION, ADDS)                                                 \
  .paper = "004", .name = (NAME), .source = (SOURCE), .section = (SECTION), .adds = (ADDS), \
  .scheme = &scheme, .whole_matrix = true

const study_system paper_004[] = {
    {SYSTEM("Sequential", "sequential.c", "4", "one thread"), .settings = none, .run = layout_sequential},
    {SYSTEM("Rows", "layout_rows.cl", "3", "a work-item a row; the matrix row by row"), .settings = slices,
     .on_device = true, .run = layout_rows},
    {SYSTEM("Columns", "layout_columns.cl", "3", "the matrix column by column"), .settings = slices,
     .on_device = true, .run = layout_columns},
    {SYSTEM("Diagonals", "layout_diagonals.cl", "5", "the matrix diagonal by diagonal (planned)"),
     .settings = slices, .on_device = true, .run = layout_diagonals},
    {.name = NULL},
};
