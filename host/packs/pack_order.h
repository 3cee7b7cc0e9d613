#ifndef HOST_PACKS_PACK_ORDER_H
#define HOST_PACKS_PACK_ORDER_H

#include "base/key_sort.h"
#include "packs/lane_buffers.h"
#include "packs/packs.h"

/* Which pairs share a pack, and how a pack lies in the device's memory. */

/* Puts indices of the pairs into the list, which begins empty, so that each `together` in a row are of about
 * the same size: sorted by rows, and within groups of about as many packs as there are groups by columns.
 * CLA_ERROR_MEMORY. */
cla_status packed_order(keyed_list *out, const packed_pair *pairs, int64_t count, int64_t together,
                        cla_error *error);

/* The pack of `count` pairs, at most packed_pairs, whose letters begin at `at`; *bytes is how many they take.
 */
packed_pack packed_measure(int64_t *bytes, const packed_config *config, const packed_pair *pairs,
                           const keyed *chosen, int64_t count, int64_t at);

/* Writes its letters, and the rows and columns of each lane; `letters` and `sizes` are those of all packs,
 * and `sizes` of this one. */
void packed_write(uint8_t *letters, int32_t *sizes, const packed_pack *pack, const packs_input *input,
                  const packed_pair *pairs, const keyed *chosen, int64_t count);

#endif
