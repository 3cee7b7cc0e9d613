#ifndef HOST_RESULT_ALIGNMENT_CODEC_H
#define HOST_RESULT_ALIGNMENT_CODEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "clalign/alignment.h"
#include "clalign/status.h"
#include "clalign/work.h"

/* The integers of binary alignments. Integers of fixed width are little-endian. Integers of variable width
 * have 7 bits per byte, the lowest bits first; all bytes but the last have the top bit set (LEB128). Signed
 * integers are first mapped to unsigned ones: 0, -1, 1, -2 become 0, 1, 2, 3. */

/* A buffer to which bytes are appended. The caller initialises it with zeros, and frees `bytes` with
 * free(). After the first failure, all further calls do nothing, and `status` stays as it is. */
typedef struct byte_sink {
  uint8_t *bytes;
  int64_t length, capacity;
  cla_status status; /* CLA_OK or CLA_ERROR_MEMORY */
  cla_error *error;  /* set on failure; may be NULL */
} byte_sink;

void byte_sink_put(byte_sink *sink, const void *bytes, int64_t length);
void byte_sink_put_fixed(byte_sink *sink, uint64_t value, int width_bytes);
void byte_sink_put_unsigned(byte_sink *sink, uint64_t value);
void byte_sink_put_signed(byte_sink *sink, int64_t value);

/* Bytes to read, not owned. If a value is missing or not canonical, `failed` is set, and all further calls
 * return zero. So a reader need only check `failed` at the end, and before it allocates memory. */
typedef struct byte_source {
  const uint8_t *at, *end;
  bool failed;
} byte_source;

/* Consumes the next `length` bytes and returns a pointer to them; NULL if fewer are left. */
const uint8_t *byte_source_take(byte_source *source, uint64_t length);
uint64_t byte_source_take_fixed(byte_source *source, int width_bytes);
uint64_t byte_source_take_unsigned(byte_source *source);
int64_t byte_source_take_signed(byte_source *source);

/* Reads an unsigned value, which must be in 0 .. INT64_MAX. */
int64_t byte_source_take_size(byte_source *source);
int64_t byte_source_left(const byte_source *source);

/* An alignment as bytes, in a .cla file's payload (docs/internals/format-cla.md) and in messages between
 * processes. There is no other binary form, so a new field of cla_alignment must be added only here
 * (tests/unit/result/test_alignment_codec.c). The path is stored as the two gap lists of CUDAlign 2.1,
 * section 4.8. Metrics are not stored, and `work` is stored only on request. */

#define ALIGNMENT_CODEC_VERSION 4 /* the newest version; it can store every alignment */

/* Returns the lowest format version that can store the alignment. */
int alignment_codec_version(const cla_alignment *alignment, bool with_work);

/* Appends a consistent alignment (path_is_consistent) in format `version`, which must be able to store the
 * alignment. The sink reports failures. */
void alignment_encode(byte_sink *sink, const cla_alignment *alignment, int version, bool with_work);

#define CODEC_FAULT_SIZE 512

/* Reads an alignment in format `version` from the source. The source may contain arbitrary bytes, so the
 * allocated memory is at most a small multiple of the remaining bytes. The caller frees *out with
 * cla_alignment_free. Errors: CLA_ERROR_INPUT with `fault`, a phrase that describes what is wrong;
 * CLA_ERROR_MEMORY with `error`. After an error, *out is NULL. */
cla_status alignment_decode(cla_alignment **out, byte_source *source, int version,
                            char fault[CODEC_FAULT_SIZE], cla_error *error);

/* Properties that few alignments have, stored as pairs of a key and a value (docs/internals/format-cla.md,
 * "Further facts"). */

/* True if the alignment has at least one such fact. With `with_work`, a record of the work also counts as a
 * fact. */
bool alignment_facts_any(const cla_alignment *alignment, bool with_work);

void alignment_facts_put(byte_sink *sink, const cla_alignment *alignment, bool with_work);

/* Reads the facts. Returns false if a key is unknown, out of order or not needed; *key is that key. Sets
 * *work_form to the form of the work record that follows the path; 0: no record follows. */
bool alignment_facts_take(cla_alignment *alignment, int *work_form, byte_source *source, uint64_t *key);

/* The work record as bytes of a .cla file's payload (docs/internals/format-cla.md). */

#define WORK_CODEC_FORM 1   /* form of a record without levels of bounds */
#define WORK_CODEC_LEVELS 2 /* form of a record with levels of bounds */

int work_codec_form(const cla_work *work);
void work_codec_put(byte_sink *sink, const cla_work *work);

typedef struct matrix_size {
  int64_t rows, columns;
} matrix_size;

/* Reads the work record for a matrix of size `size` from arbitrary bytes. If the bytes are not such a record,
 * *out is NULL and the status is CLA_OK; otherwise the caller frees *out with free(). The allocated memory is
 * a small multiple of the remaining bytes. CLA_ERROR_MEMORY. */
cla_status work_codec_take(cla_work **out, byte_source *source, int form, const matrix_size *size,
                           cla_error *error);

#endif
