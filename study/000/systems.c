/* The systems of CUDAlign 1.0, and clalign beside them. */

#include "clalign_run.h"

cla_status cudalign_gotoh(study_result *out, const study_task *task, cla_error *error);
cla_status cudalign_blocks(study_result *out, const study_task *task, cla_error *error);
cla_status cudalign_phases(study_result *out, const study_task *task, cla_error *error);

static cla_status clalign_32(study_result *out, const study_task *task, cla_error *error) {
  const clalign_choice choice = {.part = CLALIGN_SWEEP, .score_only = true, .lane_bits = 32};
  return clalign_run(out, task, &choice, error);
}

static cla_status clalign_unpruned(study_result *out, const study_task *task, cla_error *error) {
  const clalign_choice choice = {.part = CLALIGN_SWEEP, .score_only = true};
  return clalign_run(out, task, &choice, error);
}

static cla_status clalign_score(study_result *out, const study_task *task, cla_error *error) {
  const clalign_choice choice = {.part = CLALIGN_SWEEP, .score_only = true, .bound = true};
  return clalign_run(out, task, &choice, error);
}

static const study_scheme scheme = {.mode = CLA_MODE_LOCAL, .alike = true, .gap_first = 5, .gap_ext = 2};

static const study_setting plain[] = {{0, 0, 0}, {0, 0, 0}};

/* Rows of a block, ALPHA for each work-item; least columns of a block; work-items. */
static const study_setting blocks[] = {{256, 128, 64}, {128, 64, 32},   {512, 256, 128},
                                       {64, 128, 64},  {256, 1024, 64}, {0, 0, 0}};

#define ON_GPU(RUN) .settings = blocks, .on_device = true, .run = (RUN), .scheme = &scheme, .paper = "000"
#define CLALIGN(RUN)                                                                     \
  .settings = plain, .on_device = true, .run = (RUN), .scheme = &scheme, .paper = "000", \
  .source = "clalign_run.c", .section = "-"
#define SYSTEM(NAME, SOURCE, SECTION, ADDS) \
  .name = (NAME), .source = (SOURCE), .section = (SECTION), .adds = (ADDS)

const study_system paper_000[] = {
    {SYSTEM("Gotoh", "gotoh_rows.c", "2.3", "row by row on one thread, a row in memory"), .settings = plain,
     .run = cudalign_gotoh, .scheme = &scheme, .paper = "000"},
    {SYSTEM("Blocks", "blocks.cl", "5.1 to 5.3", "blocks of threads with some rows each; two buses"),
     ON_GPU(cudalign_blocks)},
    {SYSTEM("Delegation", "delegation.cl", "5.4.1", "blocks leave their last cells to the next"),
     ON_GPU(cudalign_phases)},
    {SYSTEM("Phases", "phases.cl", "5.4.2", "a long phase without tests"), ON_GPU(cudalign_phases)},
    {SYSTEM("Unrolled", "unrolled.cl", "5.4.3", "two steps a turn"), ON_GPU(cudalign_phases)},
    {.name = "clalign-32", .adds = "clalign's sweep in 32-bit lanes, all cells", CLALIGN(clalign_32)},
    {.name = "clalign-all",
     .adds = "clalign's sweep with its own choice of lanes, all cells",
     CLALIGN(clalign_unpruned)},
    {.name = "clalign",
     .adds = "a lower bound first; what cannot reach it is passed over",
     CLALIGN(clalign_score)},
    {.name = NULL},
};
