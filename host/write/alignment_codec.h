#ifndef HOST_WRITE_ALIGNMENT_CODEC_H
#define HOST_WRITE_ALIGNMENT_CODEC_H

#include "clalign/alignment.h"
#include "write/byte_stream.h"

/* One alignment as bytes of a .cla file's payload (docs/internals/format-cla.md). The path is kept as the two
 * gap lists of CUDAlign 2.1, section 4.8; the metrics are not kept, and its `work` only where it is asked
 * for. */

/* The lowest format version that can hold the alignment. */
int alignment_codec_version(const cla_alignment *alignment, bool with_work);

/* Appends an alignment that is consistent (path_is_consistent) in the form of a version that can hold it;
 * failures are told by the sink. */
void alignment_encode(byte_sink *sink, const cla_alignment *alignment, int version, bool with_work);

#define CODEC_FAULT_SIZE 512

/* Takes one alignment in the form of `version` from the source, which may hold anything: what it allocates is
 * bounded by a small multiple of the bytes that are left. The caller frees *out with cla_alignment_free.
 *
 * Errors: CLA_ERROR_INPUT with `fault`, a phrase that says what does not fit; CLA_ERROR_MEMORY with
 * `error`. *out is then NULL. */
cla_status alignment_decode(cla_alignment **out, byte_source *source, int version,
                            char fault[CODEC_FAULT_SIZE], cla_error *error);

#endif
