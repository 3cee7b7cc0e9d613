#include "support/plan_case.h"

#include <string.h>

#include "seq/sequence.h"

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
