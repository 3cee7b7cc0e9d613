#ifndef HOST_PLAN_KERNEL_CHOICE_H
#define HOST_PLAN_KERNEL_CHOICE_H

#include "plan/plan.h"

/* Which kernel config computes the forward sweep: what the user asks for, else the fastest that device and
 * scheme allow. `reason`, of `size` bytes, says why. Errors: CLA_ERROR_OPTION, CLA_ERROR_DEVICE. */
cla_status kernel_choice(kernel_config *out, char *reason, size_t size, const plan_input *input,
                         cla_error *error);

/* Columns of the tiles of a region that is `columns` wide: a power of two times the config's lanes, as many
 * as keep the cores busy and no wider than the scheme allows. */
int64_t kernel_choice_tile(const kernel_config *config, const plan_input *input, int64_t columns);

#endif
