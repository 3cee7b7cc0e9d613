#ifndef HOST_WRITE_ALIGNMENT_FACTS_H
#define HOST_WRITE_ALIGNMENT_FACTS_H

#include "clalign/alignment.h"
#include "write/byte_stream.h"

/* What few alignments have, as pairs of a key and a value (docs/internals/format-cla.md, "Further facts"). */

/* Whether the alignment has any of them; with_work: a record of its work follows it, if it has one. */
bool alignment_facts_any(const cla_alignment *alignment, bool with_work);

void alignment_facts_put(byte_sink *sink, const cla_alignment *alignment, bool with_work);

/* False, and *key is it, for a key that is unknown, out of order or there without need. *has_work: a record
 * of the work follows the path. */
bool alignment_facts_take(cla_alignment *alignment, bool *has_work, byte_source *source, uint64_t *key);

#endif
