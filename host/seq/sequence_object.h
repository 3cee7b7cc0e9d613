#ifndef HOST_SEQ_SEQUENCE_OBJECT_H
#define HOST_SEQ_SEQUENCE_OBJECT_H

#include "seq/letter_store.h"
#include "seq/sequence.h"

/* Makes a sequence of finished letters, whose codes it takes over (`letters` is empty afterwards, on
 * failure as well if the codes are gone); name and location are copied, 0 <= begin < end <= length, or all 0.
 * CLA_ERROR_MEMORY. */
cla_status sequence_create(cla_sequence **out, const char *name, const char *location, letter_store *letters,
                           int64_t begin, int64_t end, cla_error *error);

/* Makes a sequence of the same letters, which they share, with another location and range. `whole` may be
 * freed before it. CLA_ERROR_MEMORY. */
cla_status sequence_view(cla_sequence **out, cla_sequence *whole, const char *location, int64_t begin,
                         int64_t end, cla_error *error);

#endif
