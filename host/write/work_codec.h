#ifndef HOST_WRITE_WORK_CODEC_H
#define HOST_WRITE_WORK_CODEC_H

#include "clalign/work.h"
#include "write/byte_stream.h"

/* The record of the work as bytes of a .cla file's payload (docs/internals/format-cla.md). */

#define WORK_CODEC_FORM 1

void work_codec_put(byte_sink *sink, const cla_work *work);

/* Takes the record of a matrix of so many rows and columns from bytes that may be anything. *out is NULL, and
 * the status CLA_OK, where they are no such record; else it ends with free(). What is allocated is
 * a small multiple of the bytes. CLA_ERROR_MEMORY. */
cla_status work_codec_take(cla_work **out, byte_source *source, int64_t rows, int64_t columns,
                           cla_error *error);

#endif
