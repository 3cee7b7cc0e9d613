#ifndef HOST_RESULT_ALIGNMENT_CODEC_H
#define HOST_RESULT_ALIGNMENT_CODEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "clalign/alignment.h"
#include "clalign/status.h"
#include "clalign/work.h"

/* The binary alignment's integers. Integers of fixed width are little-endian. Integers of variable width have
 * 7 bits per byte, lowest first; all bytes but the last have the top bit set (LEB128). Signed integers are
 * folded first: 0, -1, 1, -2 become 0, 1, 2, 3. */

/* Bytes that grow at the end. Zero-initialise; free `bytes` with free(). After the first failure every
 * further put does nothing, and `status` does not change. */
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

/* Bytes to read, not owned. A value that is missing or not canonical sets `failed`, and every further take
 * returns zero. So a reader need only check `failed` at the end and before it allocates. */
typedef struct byte_source {
  const uint8_t *at, *end;
  bool failed;
} byte_source;

/* Takes the next `length` bytes and returns a pointer to them; NULL if fewer are left. */
const uint8_t *byte_source_take(byte_source *source, uint64_t length);
uint64_t byte_source_take_fixed(byte_source *source, int width_bytes);
uint64_t byte_source_take_unsigned(byte_source *source);
int64_t byte_source_take_signed(byte_source *source);

/* Takes an unsigned value, which must be in 0 .. INT64_MAX. */
int64_t byte_source_take_size(byte_source *source);
int64_t byte_source_left(const byte_source *source);

/* An alignment as bytes, in a .cla file's payload (docs/internals/format-cla.md) and in messages between
 * processes. Alignments have no other binary form, so a new field of cla_alignment must be added only here
 * (tests/unit/result/test_alignment_codec.c). The path is kept as the two gap lists of CUDAlign 2.1,
 * section 4.8. Metrics are not kept, and `work` is kept only on demand. */

#define ALIGNMENT_CODEC_VERSION 4 /* the newest version; it can hold every alignment */

/* Returns the lowest format version that can hold the alignment. */
int alignment_codec_version(const cla_alignment *alignment, bool with_work);

/* Appends a consistent alignment (path_is_consistent) in the form of `version`, which must be able to hold
 * the alignment. The sink reports failures. */
void alignment_encode(byte_sink *sink, const cla_alignment *alignment, int version, bool with_work);

#define CODEC_FAULT_SIZE 512

/* Takes an alignment in the form of `version` from the source. Because the source may hold arbitrary bytes,
 * the allocated memory is at most a small multiple of the bytes left. The caller frees *out with
 * cla_alignment_free.
 *
 * Errors: CLA_ERROR_INPUT with `fault`, a phrase that names the fault; CLA_ERROR_MEMORY with `error`. *out is
 * then NULL. */
cla_status alignment_decode(cla_alignment **out, byte_source *source, int version,
                            char fault[CODEC_FAULT_SIZE], cla_error *error);

/* Facts that few alignments have, as pairs of a key and a value (docs/internals/format-cla.md, "Further
 * facts"). */

/* True if the alignment has further facts. With `with_work` the alignment's record of the work, if there is
 * one, counts as a fact. */
bool alignment_facts_any(const cla_alignment *alignment, bool with_work);

void alignment_facts_put(byte_sink *sink, const cla_alignment *alignment, bool with_work);

/* Takes the facts. Returns false if a key is unknown, out of order or not needed; *key is that key. Sets
 * *work_form to the form of the record of the work that follows the path; 0: no record follows. */
bool alignment_facts_take(cla_alignment *alignment, int *work_form, byte_source *source, uint64_t *key);

/* The record of the work as bytes of a .cla file's payload (docs/internals/format-cla.md). */

#define WORK_CODEC_FORM 1   /* form of a record without levels of bounds */
#define WORK_CODEC_LEVELS 2 /* form of a record with levels of bounds */

int work_codec_form(const cla_work *work);
void work_codec_put(byte_sink *sink, const cla_work *work);

typedef struct matrix_size {
  int64_t rows, columns;
} matrix_size;

/* Takes the record of the work on a matrix of size `size` from arbitrary bytes. *out is NULL, with CLA_OK, if
 * the bytes are no such record; otherwise the caller frees *out with free(). The allocated memory is a small
 * multiple of the bytes left. CLA_ERROR_MEMORY. */
cla_status work_codec_take(cla_work **out, byte_source *source, int form, const matrix_size *size,
                           cla_error *error);

#endif
