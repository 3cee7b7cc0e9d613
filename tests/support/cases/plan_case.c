#include "support/cases/plan_case.h"

#include <string.h>

#include "seq/sequence.h"
#include "support/test.h"

void plan_case_make(plan_case *x, int64_t rows, int64_t columns) {
  memset(x, 0, sizeof *x);
  x->device = (cla_device_info){.kind = CLA_DEVICE_CPU,
                                .name = "a CPU",
                                .compute_units = 2,
                                .native_short_lanes = 16,
                                .memory_bytes = PLAN_CASE_ROOM,
                                .max_allocation_bytes = PLAN_CASE_ROOM,
                                .local_memory_bytes = INT64_C(1) << 20,
                                .max_group_size = 4096};
  cla_scoring_init(&x->scoring);
  score_table_build(&x->table, &x->scoring, SEQUENCE_LETTERS, SEQUENCE_UNAMBIGUOUS);
  x->input = (plan_input){.rows = rows,
                          .columns = columns,
                          .ends = path_ends_make(CLA_MODE_LOCAL, 0),
                          .mode = "local",
                          .scoring = &x->scoring,
                          .table = &x->table,
                          .device = &x->device,
                          .special_rows = -1,
                          .memory_bytes = PLAN_CASE_ROOM,
                          .device_memory_bytes = PLAN_CASE_ROOM};
}

void plan_case_take_gpu(plan_case *x) {
  x->device.kind = CLA_DEVICE_GPU;
  x->device.packed_pairs = true;
  x->device.counters = CLA_COUNTERS_PTX;
  x->device.compute_units = 132;
  x->device.max_group_size = 1024;
  x->device.local_memory_bytes = 49152;
  x->device.native_short_lanes = 1;
}

void plan_case_rescore(plan_case *x, int match, int first, int ext) {
  x->scoring.match = match;
  x->scoring.gap_first = first;
  x->scoring.gap_ext = ext;
  score_table_build(&x->table, &x->scoring, SEQUENCE_LETTERS, SEQUENCE_UNAMBIGUOUS);
}

tuned_plan tuned;

void tuned_plan_size_is(int64_t rows, int64_t columns) {
  tuned.x.input.rows = rows;
  tuned.x.input.columns = columns;
}

void tuned_plan_put(bool local, int64_t length, kernel_config config, time_model model) {
  const tuning_entry entry = {.local = local, .length = length, .config = config, .model = model};
  assert_ok(tuning_record_put(&tuned.source.record, &entry, &why));
}

void tuned_plan_begin(void) {
  tuned = (tuned_plan){0};
  plan_case_make(&tuned.x, 1000000, 1000000);
  tuned.x.device.counters = CLA_COUNTERS_ATOMICS;
  tuned.source = (tuning_source){.path = "/home/someone/records/a.txt", .user = true};
  tuned_plan_put(true, 10000, (kernel_config){&kernel_vector16, 8, 2, 64, KERNEL_DIAGONALS, 0, 0},
                 (time_model){.constant = 0.25, .per_cell = 1e-10});
  tuned_plan_put(true, 1000000, (kernel_config){&kernel_vector16, 32, 16, 2048, KERNEL_PERSISTENT, 5, 0},
                 (time_model){.per_cell = 3e-11});
  tuned_plan_put(true, 1000000, (kernel_config){&kernel_vector32, 16, 4, 512, KERNEL_DIAGONALS, 0, 0},
                 (time_model){.per_cell = 6e-11});
  tuned_plan_put(false, 100000, (kernel_config){&kernel_vector16, 16, 4, 128, KERNEL_DIAGONALS, 0, 0},
                 (time_model){.per_cell = 4e-11});
  tuned.tuning = (cla_tuning){.sources = &tuned.source, .source_count = 1};
  tuned.x.input.tuning = &tuned.tuning;
}

void tuned_plan_end(void) {
  tuning_record_free(&tuned.source.record);
}

void tuned_plan_expect(kernel_config wanted, const char *reason) {
  assert_ok(plan_make(&tuned.made, &tuned.x.input, &why));
  const kernel_config *got = &tuned.made.sweep;
  cr_expect(got->variant == wanted.variant && got->lanes == wanted.lanes && got->alpha == wanted.alpha &&
                got->tile_columns == wanted.tile_columns && got->launch == wanted.launch &&
                got->groups == wanted.groups,
            "%s %d x %d, tile %d, launch %d, groups %d", got->variant->name, got->lanes, got->alpha,
            (int)got->tile_columns, (int)got->launch, got->groups);
  cr_expect(strstr(tuned.made.reason, reason), "%s", tuned.made.reason);
}

kernel_config tuned_plan_rule_for(int64_t rows, int64_t columns) {
  tuned_plan_size_is(rows, columns);
  tuned.x.input.tuning = NULL;
  assert_ok(plan_make(&tuned.made, &tuned.x.input, &why));
  tuned.x.input.tuning = &tuned.tuning;
  return tuned.made.sweep;
}
