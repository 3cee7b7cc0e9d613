#ifndef HOST_PIPELINE_ALIGN_INPUT_H
#define HOST_PIPELINE_ALIGN_INPUT_H

#include "clalign/align.h"
#include "plan/plan.h"

/* CLA_ERROR_OPTION unless it is one strand. */
cla_status align_strand_check(cla_strand strand, cla_error *error);

/* CLA_ERROR_OPTION unless there is such a mode, with free ends where it has them. */
cla_status align_mode_check(const cla_align_options *options, cla_error *error);

/* Host memory that the stages may use. */
int64_t align_memory_budget(const cla_align_options *options);

/* What the plan is made from: lengths, the options with their defaults filled in, and the table of scores
 * of any letters, which must stay where it is. CLA_ERROR_OPTION for scores or a mode that cannot be. */
cla_status align_input_make(plan_input *out, score_table *table, const cla_device_info *device, int64_t rows,
                            int64_t columns, const cla_align_options *options, cla_error *error);

#endif
