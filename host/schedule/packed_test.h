#ifndef HOST_SCHEDULE_PACKED_TEST_H
#define HOST_SCHEDULE_PACKED_TEST_H

#include "wavefront/packs.h"

/* Solves a few small fixed pairs with the engine and compares scores and ends with the oracle's, so that a
 * compiler or device that gets the kernel wrong is found before work. CLA_ERROR_DEVICE if the device is
 * wrong, CLA_ERROR_MEMORY. */
cla_status packed_test(packs *engine, const packs_input *input, cla_error *error);

#endif
