#ifndef HOST_PLAN_KERNEL_CHOICE_H
#define HOST_PLAN_KERNEL_CHOICE_H

#include "plan/plan.h"

/* Which kernel config computes the forward sweep. First what the user asks for (kernel, settings); what that
 * leaves open follows from the records of the device: the first entry in the order of tuning/lookup.h whose
 * variant takes the scheme and runs on the device; its tiles become narrower where the scheme's scores demand
 * it. Else the fastest variant that device and scheme allow, by rule. `reason`, of `size` bytes, says which
 * it was. Errors: CLA_ERROR_OPTION, CLA_ERROR_DEVICE. */
cla_status kernel_choice(kernel_config *out, char *reason, size_t size, const plan_input *input,
                         cla_error *error);

/* Which config computes regions nested in the sweep, given the sweep's: the same one where its lanes hold the
 * larger differences that a region within a region may have (scoring/lane_width.h), else the fastest that
 * does. CLA_ERROR_DEVICE. */
cla_status kernel_choice_blocks(kernel_config *out, const kernel_config *sweep, const plan_input *input,
                                cla_error *error);

/* Fits `variant` to device and scheme by rule, for regions of that nesting; false if they do not allow it. */
bool kernel_choice_fits(kernel_config *out, const kernel_variant *variant, const plan_input *input,
                        int nesting);

/* Columns of the tiles of a region that is `columns` wide, of that nesting: a power of two times the config's
 * lanes, as many as keep the cores busy and no wider than the scheme allows. */
int64_t kernel_choice_tile(const kernel_config *config, const plan_input *input, int64_t columns,
                           int nesting);

/* Predicted seconds of a sweep over rows x columns with `config`, of which a record timed the like; negative
 * if none did. A region within a run (`block`) has tiles of its own width, which the record's need not match.
 */
double kernel_choice_seconds(const kernel_config *config, const plan_input *input, int64_t rows,
                             int64_t columns, bool block);

#endif
