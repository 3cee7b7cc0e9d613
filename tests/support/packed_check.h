#ifndef TESTS_SUPPORT_PACKED_CHECK_H
#define TESTS_SUPPORT_PACKED_CHECK_H

#include "clalign/device.h"
#include "support/packed_batch.h"

/* What packs find, against the oracle. */

/* Score and end cell of the batch's pair, which were found, and the canonical path from there, which is
 * traced here; of every third pair without what its rows are known to hold. */
void packed_check_pair(const packed_batch *all, const path_scheme *scheme, const pack_pair *pair, int index);

/* Takes the pairs out that the device does not take, because their scores pass 2^29: a few of the longest,
 * where scores are near their limit. */
void packed_check_drop_too_large(cla_device *device, packed_batch *all, const path_scheme *scheme);

/* Solves the batch with a solver of its own, twice: what a call leaves in the buffers must not matter to the
 * next. Checks every pair. */
void packed_check_batch(cla_device *device, packed_batch *all);

#endif
