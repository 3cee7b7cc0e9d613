#include "result/alignment_codec.h"

#include <string.h>

#include "base/allocate.h"

void byte_sink_put(byte_sink *sink, const void *bytes, int64_t length) {
  if (sink->status != CLA_OK || length == 0) return;
  void *memory = sink->bytes;
  sink->status =
      allocate_grow(&memory, &sink->capacity, sink->length + length, 1, "a binary alignment", sink->error);
  if (sink->status != CLA_OK) return;
  sink->bytes = memory;
  memcpy(sink->bytes + sink->length, bytes, (size_t)length);
  sink->length += length;
}

void byte_sink_put_fixed(byte_sink *sink, uint64_t value, int width_bytes) {
  uint8_t bytes[8];
  for (int index = 0; index < width_bytes; index++) bytes[index] = (uint8_t)(value >> (8 * index));
  byte_sink_put(sink, bytes, width_bytes);
}

void byte_sink_put_unsigned(byte_sink *sink, uint64_t value) {
  uint8_t bytes[10];
  int length = 0;
  for (; value >= 0x80; value >>= 7) bytes[length++] = (uint8_t)(value | 0x80);
  bytes[length++] = (uint8_t)value;
  byte_sink_put(sink, bytes, length);
}

void byte_sink_put_signed(byte_sink *sink, int64_t value) {
  uint64_t bits = (uint64_t)value;
  byte_sink_put_unsigned(sink, value < 0 ? ~(bits << 1) : bits << 1);
}

int64_t byte_source_left(const byte_source *source) {
  return source->end - source->at;
}

const uint8_t *byte_source_take(byte_source *source, uint64_t length) {
  if (source->failed || length > (uint64_t)byte_source_left(source)) {
    source->failed = true;
    return NULL;
  }
  const uint8_t *taken = source->at;
  source->at += length;
  return taken;
}

uint64_t byte_source_take_fixed(byte_source *source, int width_bytes) {
  const uint8_t *bytes = byte_source_take(source, (uint64_t)width_bytes);
  uint64_t value = 0;
  if (!bytes) return 0;
  for (int index = 0; index < width_bytes; index++) value |= (uint64_t)bytes[index] << (8 * index);
  return value;
}

uint64_t byte_source_take_unsigned(byte_source *source) {
  uint64_t value = 0;
  for (int shift = 0; shift < 64; shift += 7) {
    const uint8_t *byte = byte_source_take(source, 1);
    if (!byte) return 0;
    /* The tenth byte may contain only one bit. A last byte of 0 is not canonical, because the number has a
     * shorter form. */
    if ((shift == 63 && *byte > 1) || (shift > 0 && *byte == 0)) break;
    value |= (uint64_t)(*byte & 0x7f) << shift;
    if (*byte < 0x80) return value;
  }
  source->failed = true;
  return 0;
}

int64_t byte_source_take_signed(byte_source *source) {
  uint64_t bits = byte_source_take_unsigned(source);
  return (int64_t)(bits & 1 ? ~(bits >> 1) : bits >> 1);
}

int64_t byte_source_take_size(byte_source *source) {
  uint64_t value = byte_source_take_unsigned(source);
  if (value <= INT64_MAX) return (int64_t)value;
  source->failed = true;
  return 0;
}
