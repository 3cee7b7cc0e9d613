/* The systems of CUDAlign 2.1: its stages one by one, three of them also without their ideas,
 * and clalign beside them. */

#include "000/clalign_run.h"
#include "stages.h"

/* All ideas of 2.1; each function names what is otherwise. */
#define ALL_IDEAS .prune = true, .orthogonal = true, .balanced = true

#define RUN_STAGE(NAME, ...)                                                            \
  static cla_status NAME(study_result *out, const study_task *task, cla_error *error) { \
    const stage_choice choice = {__VA_ARGS__};                                          \
    return stages_run(out, task, &choice, error);                                       \
  }

#define RUN_CLALIGN(NAME, ...)                                                          \
  static cla_status NAME(study_result *out, const study_task *task, cla_error *error) { \
    const clalign_choice choice = {__VA_ARGS__};                                        \
    return clalign_run(out, task, &choice, error);                                      \
  }

RUN_STAGE(myers_miller, .on_host = true)
RUN_STAGE(stage1_all, .stage = 1, .orthogonal = true, .balanced = true)
RUN_STAGE(stage1_pruned, .stage = 1, ALL_IDEAS)
RUN_STAGE(stage2_rows, .stage = 2, .prune = true, .balanced = true)
RUN_STAGE(stage2_columns, .stage = 2, ALL_IDEAS)
RUN_STAGE(stage3, .stage = 3, ALL_IDEAS)
RUN_STAGE(stage4_rows, .stage = 4, .prune = true, .orthogonal = true)
RUN_STAGE(stage4_balanced, .stage = 4, ALL_IDEAS)
RUN_STAGE(stage5, .stage = 5, ALL_IDEAS)
RUN_STAGE(stage6, .stage = 6, ALL_IDEAS)
RUN_STAGE(all_stages, ALL_IDEAS)
RUN_CLALIGN(clalign_all, .part = CLALIGN_SWEEP)
RUN_CLALIGN(clalign_pruned, .part = CLALIGN_SWEEP, .bound = true)
RUN_CLALIGN(clalign_trace, .part = CLALIGN_TRACE, .bound = true)
RUN_CLALIGN(clalign_whole, .part = CLALIGN_ALL, .bound = true)

static const study_scheme scheme = {.mode = CLA_MODE_LOCAL, .alike = true, .gap_first = 5, .gap_ext = 2};

static const study_setting plain[] = {{0, 0, 0}, {0, 0, 0}};

/* Rows between special rows, columns between special columns, work-items. */
static const study_setting kept[] = {
    {256, 128, 32}, {128, 64, 32}, {512, 128, 32}, {1024, 256, 32}, {0, 0, 0}};

#define ON_HOST(RUN) .settings = plain, .run = (RUN), .scheme = &scheme, .paper = "002"
#define ON_GPU(RUN) .settings = kept, .on_device = true, .run = (RUN), .scheme = &scheme, .paper = "002"
#define CLALIGN(NAME, ADDS, RUN)                                                                         \
  .name = (NAME), .adds = (ADDS), .settings = plain, .on_device = true, .run = (RUN), .scheme = &scheme, \
  .paper = "002", .source = "clalign_run.c", .section = "-"
#define SYSTEM(NAME, SOURCE, SECTION, ADDS) \
  .name = (NAME), .source = (SOURCE), .section = (SECTION), .adds = (ADDS)

const study_system paper_002[] = {
    {SYSTEM("Myers-Miller", "goal_rows.c", "2.2", "all on one thread, in linear memory"),
     ON_HOST(myers_miller)},
    {SYSTEM("Stage1-all", "special_rows.cl", "4.4.1", "score, end and special rows"), ON_GPU(stage1_all)},
    {SYSTEM("Stage1", "block_pruning.cl", "4.4.2", "blocks that cannot matter are passed over"),
     ON_GPU(stage1_pruned)},
    {SYSTEM("Stage2-rows", "goal_rows.c", "4.5", "crosspoints on special rows, by rows"),
     ON_GPU(stage2_rows)},
    {SYSTEM("Stage2", "goal_columns.c", "4.5", "by columns, and only to the goal"), ON_GPU(stage2_columns)},
    {SYSTEM("Stage3", "split_partitions.c", "4.6", "crosspoints on special columns"), ON_GPU(stage3)},
    {SYSTEM("Stage4-rows", "balanced_splitting.c", "4.7", "halving at the middle row"), ON_GPU(stage4_rows)},
    {SYSTEM("Stage4", "balanced_splitting.c", "4.7", "the longer side is halved; orthogonal"),
     ON_GPU(stage4_balanced)},
    {SYSTEM("Stage5", "small_partitions.c", "4.8", "small partitions' paths; only gaps are kept"),
     ON_GPU(stage5)},
    {SYSTEM("Stage6", "reconstruction.c", "4.9", "the path from the gaps"), ON_GPU(stage6)},
    {SYSTEM("CUDAlign", "stages.c", "4.3", "all six stages"), ON_GPU(all_stages)},
    {CLALIGN("clalign-all", "clalign's sweep, all cells, with kept rows", clalign_all)},
    {CLALIGN("clalign-sweep", "a lower bound, then the sweep without what cannot reach it", clalign_pruned)},
    {CLALIGN("clalign-trace", "start search, blocks and bands, as stages 2 to 5", clalign_trace)},
    {CLALIGN("clalign", "all of clalign, as CUDAlign", clalign_whole)},
    {.name = NULL},
};
