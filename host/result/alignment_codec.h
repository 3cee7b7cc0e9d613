#ifndef HOST_RESULT_ALIGNMENT_CODEC_H
#define HOST_RESULT_ALIGNMENT_CODEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "clalign/alignment.h"
#include "clalign/status.h"
#include "clalign/work.h"

/* The binary alignment's integers. Those of fixed width are little-endian. Those of variable width have 7
 * bits a byte, lowest first; all bytes but the last have the top bit set (LEB128). Signed ones are folded
 * first: 0, -1, 1, -2 become 0, 1, 2, 3. */

/* Bytes that grow at the end. Zero-initialise; free `bytes` with free(). After the first failure every
 * further put does nothing and `status` stays. */
typedef struct byte_sink {
  uint8_t *bytes;
  int64_t length, capacity;
  cla_status status; /* CLA_OK or CLA_ERROR_MEMORY */
  cla_error *error;  /* gets the failure; may be NULL */
} byte_sink;

void byte_sink_put(byte_sink *sink, const void *bytes, int64_t length);
void byte_sink_put_fixed(byte_sink *sink, uint64_t value, int width_bytes);
void byte_sink_put_unsigned(byte_sink *sink, uint64_t value);
void byte_sink_put_signed(byte_sink *sink, int64_t value);

/* Bytes to read, not owned. What is missing or not canonical sets `failed`, and every further take gives
 * zero, so that a reader need only ask at the end and before it allocates. */
typedef struct byte_source {
  const uint8_t *at, *end;
  bool failed;
} byte_source;

/* `length` bytes in place, or NULL. */
const uint8_t *byte_source_take(byte_source *source, uint64_t length);
uint64_t byte_source_take_fixed(byte_source *source, int width_bytes);
uint64_t byte_source_take_unsigned(byte_source *source);
int64_t byte_source_take_signed(byte_source *source);

/* An unsigned value that must fit in 0 .. INT64_MAX. */
int64_t byte_source_take_size(byte_source *source);
int64_t byte_source_left(const byte_source *source);

/* An alignment as bytes, in a .cla file's payload (docs/internals/format-cla.md) and in messages between
 * processes. There is no other form, so a new field of cla_alignment has to go through here alone
 * (tests/unit/result/test_alignment_codec.c). The path is kept as the two gap lists of CUDAlign 2.1,
 * section 4.8. Metrics are not kept, and `work` only on demand. */

#define ALIGNMENT_CODEC_VERSION 4 /* the newest version; it can hold every alignment */

/* The lowest format version that can hold the alignment. */
int alignment_codec_version(const cla_alignment *alignment, bool with_work);

/* Appends an alignment that is consistent (path_is_consistent) in the form of a version that can hold it;
 * failures are told by the sink. */
void alignment_encode(byte_sink *sink, const cla_alignment *alignment, int version, bool with_work);

#define CODEC_FAULT_SIZE 512

/* Takes an alignment in the form of `version` from the source. The source may hold anything, so the allocated
 * memory is at most a small multiple of the bytes that are left. The caller frees *out with
 * cla_alignment_free.
 *
 * Errors: CLA_ERROR_INPUT with `fault`, a phrase that names the fault; CLA_ERROR_MEMORY with `error`. *out is
 * then NULL. */
cla_status alignment_decode(cla_alignment **out, byte_source *source, int version,
                            char fault[CODEC_FAULT_SIZE], cla_error *error);

/* Facts that few alignments have, as pairs of a key and a value (docs/internals/format-cla.md, "Further
 * facts"). */

/* Whether the alignment has further facts. with_work: a record of its work, if there is one, is written
 * behind it. */
bool alignment_facts_any(const cla_alignment *alignment, bool with_work);

void alignment_facts_put(byte_sink *sink, const cla_alignment *alignment, bool with_work);

/* Takes the facts. False if a key is unknown, out of order or not needed; *key is that key. *work_form: form
 * of the record of the work that follows the path; 0: none follows. */
bool alignment_facts_take(cla_alignment *alignment, int *work_form, byte_source *source, uint64_t *key);

/* The record of the work as bytes of a .cla file's payload (docs/internals/format-cla.md). */

#define WORK_CODEC_FORM 1   /* form of a record without levels of bounds */
#define WORK_CODEC_LEVELS 2 /* form of a record with levels of bounds */

int work_codec_form(const cla_work *work);
void work_codec_put(byte_sink *sink, const cla_work *work);

typedef struct matrix_size {
  int64_t rows, columns;
} matrix_size;

/* Takes the record of a matrix of that size from bytes that may be anything. *out is NULL, with CLA_OK, if
 * they are no such record; else it ends with free(). The allocated memory is a small multiple of the bytes.
 * CLA_ERROR_MEMORY. */
cla_status work_codec_take(cla_work **out, byte_source *source, int form, const matrix_size *size,
                           cla_error *error);

#endif
