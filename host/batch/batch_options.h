#ifndef HOST_BATCH_BATCH_OPTIONS_H
#define HOST_BATCH_BATCH_OPTIONS_H

#include "clalign/batch.h"

/* CLA_ERROR_OPTION for what cannot be asked of a batch, beyond what each pair finds out by itself. */
cla_status batch_options_check(const cla_batch_options *options, cla_device *const *devices,
                               size_t device_count, cla_error *error);

#endif
