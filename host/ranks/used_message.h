#ifndef HOST_RANKS_USED_MESSAGE_H
#define HOST_RANKS_USED_MESSAGE_H

#include "base/ranks.h"
#include "scoring/used_pairs.h"

/* Write a set of used pairs for another rank, and read it there; NULL is an empty set. CLA_ERROR_MEMORY;
 * CLA_ERROR_DEVICE for a damaged message. The reader ends with used_pairs_free. */
cla_status used_pairs_write(rank_writer *into, const used_pairs *used, cla_error *error);
cla_status used_pairs_read(used_pairs **out, rank_reader *from, cla_error *error);

#endif
