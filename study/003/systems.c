/* The systems of Aji 2008 for one pair: CUDA-SWat's ladder, and the tiles of Cell-SWat on threads. */

#include "study.h"

cla_status swat_naive(study_result *out, const study_task *task, cla_error *error);
cla_status swat_diag_host(study_result *out, const study_task *task, cla_error *error);
cla_status swat_offload(study_result *out, const study_task *task, cla_error *error);
cla_status swat_coalesced(study_result *out, const study_task *task, cla_error *error);
cla_status swat_tiled(study_result *out, const study_task *task, cla_error *error);
cla_status swat_cell(study_result *out, const study_task *task, cla_error *error);

/* The thesis does not say its scores. With these the best path is a long one, with gaps. */
static const study_scheme scheme = {
    .mode = CLA_MODE_LOCAL, .match = 5, .mismatch = -4, .gap_first = 10, .gap_ext = 1};

/* Tile rows, tile columns, work-items or threads. */
static const study_setting none[] = {{0, 0, 0}, {0, 0, 0}};
static const study_setting items[] = {{0, 0, 128}, {0, 0, 64}, {0, 0, 256}, {0, 0, 0}};
static const study_setting tiles[] = {{32, 32, 32}, {16, 16, 16},  {16, 16, 32},
                                      {32, 32, 64}, {32, 32, 128}, {0, 0, 0}};
static const study_setting threads[] = {{64, 64, 0},  {64, 64, 1}, {64, 64, 2}, {64, 64, 4}, {64, 64, 8},
                                        {64, 64, 16}, {32, 32, 1}, {32, 32, 2}, {0, 0, 0}};

#define SYSTEM(NAME, SOURCE, SECTION, ADDS)                                                 \
  .paper = "003", .name = (NAME), .source = (SOURCE), .section = (SECTION), .adds = (ADDS), \
  .scheme = &scheme, .whole_matrix = true
#define ON_GPU(SETS, RUN) .settings = (SETS), .on_device = true, .run = (RUN)

const study_system paper_003[] = {
    {SYSTEM("Naive", "swat_naive.c", "4.2.2", "one thread, row by row"), .settings = none, .run = swat_naive},
    {SYSTEM("DiagHost", "swat_diagonals.c", "4.2.2", "diagonals one behind the other in memory"),
     .settings = none, .run = swat_diag_host},
    {SYSTEM("Offload", "swat_offload.cl", "4.2.2", "a launch a diagonal, a work-item a cell"),
     ON_GPU(items, swat_offload)},
    {SYSTEM("Coalesced", "swat_coalesced.cl", "4.2.2", "diagonals begin at multiples of 64 bytes"),
     ON_GPU(items, swat_coalesced)},
    {SYSTEM("Tiled", "swat_tiled.cl", "4.2.2", "a tile a work-group; one work-item copies borders"),
     ON_GPU(tiles, swat_tiled)},
    {SYSTEM("Optimised", "swat_optimised.cl", "4.2.2", "borders are ORed into whole tiles"),
     ON_GPU(tiles, swat_tiled)},
    {SYSTEM("Cell", "swat_cell.c", "4.1.2", "Cell-SWat: a row of tiles a thread"), .settings = threads,
     .run = swat_cell},
    {.name = NULL},
};
