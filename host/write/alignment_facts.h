#ifndef HOST_WRITE_ALIGNMENT_FACTS_H
#define HOST_WRITE_ALIGNMENT_FACTS_H

#include "clalign/alignment.h"
#include "write/byte_stream.h"

/* What few alignments have, as pairs of a key and a value (docs/format-cla.md, "Further facts"). */

/* Whether the alignment has any of them. */
bool alignment_facts_any(const cla_alignment *alignment);

void alignment_facts_put(byte_sink *sink, const cla_alignment *alignment);

/* False, and *key is it, for a key that is unknown, out of order or there without need. */
bool alignment_facts_take(cla_alignment *alignment, byte_source *source, uint64_t *key);

#endif
