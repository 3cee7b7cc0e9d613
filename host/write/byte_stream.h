#ifndef HOST_WRITE_BYTE_STREAM_H
#define HOST_WRITE_BYTE_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "clalign/status.h"

/* The binary alignment's primitives: little-endian integers of fixed width, and integers of variable
 * width, 7 bits a byte, the lowest first, the top bit set in all but the last byte (LEB128). Signed ones
 * are folded first: 0, -1, 1, -2, ... become 0, 1, 2, 3, ... */

/* Bytes that grow at the end. Zero-initialise; free `bytes` with free(). After the first failure every
 * further put does nothing and `status` stays. */
typedef struct byte_sink {
  uint8_t *bytes;
  int64_t length, capacity;
  cla_status status; /* CLA_OK or CLA_ERROR_MEMORY */
  cla_error *error;  /* where the failure is told; may be NULL */
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

#endif
