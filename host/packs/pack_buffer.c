#include "packs/pack_buffer.h"

#include "base/error.h"
#include "base/extremes.h"
#include "scoring/lane_width.h"

/* What a buffer grows to, in what is needed, and the part of all that buffers may take, up to which it does.
 */
#define GROWTH 4
#define PLENTY 64

cla_status pack_buffer_grow(pack_buffer *buffer, const cla_device *device, int64_t bytes, poison_kind kind,
                            const char *what, cla_error *error) {
  if (buffer->memory && buffer->bytes >= bytes)
    return device_poison(device, buffer->memory, 0, bytes, kind, error);
  if (buffer->memory) clReleaseMemObject(buffer->memory);
  *buffer = (pack_buffer){0};
  cla_status status = device_buffer(&buffer->memory, device, bytes, kind, what, error);
  if (status == CLA_OK) buffer->bytes = bytes;
  return status;
}

void pack_buffer_free(pack_buffer *buffer, const cla_device *device) {
  cla_error ignored;
  pack_buffer_unmap(buffer, device, &ignored);
  if (buffer->memory) clReleaseMemObject(buffer->memory);
  *buffer = (pack_buffer){0};
}

int64_t pack_needs_bytes(const pack_need *needs, int count) {
  int64_t bytes = 0;
  for (int i = 0; i < count; i++) bytes += needs[i].bytes;
  return bytes;
}

bool pack_needs_fit(const pack_need *needs, int count, int64_t most, const cla_device *device) {
  for (int i = 0; i < count; i++)
    if (needs[i].bytes > device->info.max_allocation_bytes) return false;
  return pack_needs_bytes(needs, count) <= most;
}

void pack_needs_free(const pack_need *needs, int count, const cla_device *device) {
  for (int i = 0; i < count; i++) pack_buffer_free(needs[i].buffer, device);
}

/* Makes the buffer large enough or, up to `plenty` bytes, larger, if there is memory for that. */
static cla_status meet(const pack_need *need, int64_t plenty, const cla_device *device, cla_error *error) {
  const int64_t more = smaller(GROWTH * need->bytes, plenty);
  cla_error unused = {.status = CLA_OK};
  const bool large = need->buffer->memory && need->buffer->bytes >= need->bytes;
  if (!large && more > need->bytes &&
      pack_buffer_grow(need->buffer, device, more, need->kind, need->what, &unused) == CLA_OK)
    return CLA_OK;
  return pack_buffer_grow(need->buffer, device, need->bytes, need->kind, need->what, error);
}

cla_status pack_needs_meet(const pack_need *needs, int count, int64_t most, const cla_device *device,
                           cla_error *error) {
  const int64_t needed = pack_needs_bytes(needs, count);
  int64_t grown = 0;
  if (needed > most)
    return error_set(error, CLA_ERROR_MEMORY,
                     "a pack of pairs needs %lld bytes of %s and may take %lld; give more --device-memory",
                     (long long)needed, device->info.name, (long long)most);
  for (int i = 0; i < count; i++) grown += larger(needs[i].bytes, needs[i].buffer->bytes);
  if (grown > most) pack_needs_free(needs, count, device);
  const int64_t plenty =
      device->info.kind == CLA_DEVICE_GPU && grown <= most - count * (most / PLENTY) ? most / PLENTY : 0;
  cla_status status = CLA_OK;
  for (int i = 0; i < count && status == CLA_OK; i++) status = meet(&needs[i], plenty, device, error);
  return status;
}

cla_status pack_buffer_write(const cla_device *device, const pack_buffer *buffer, const void *data,
                             int64_t bytes, cla_error *error) {
  const cl_int code =
      clEnqueueWriteBuffer(device->queue, buffer->memory, CL_TRUE, 0, (size_t)bytes, data, 0, NULL, NULL);
  return device_check(device, code, "clEnqueueWriteBuffer", error);
}

cla_status pack_buffer_read(const cla_device *device, const pack_buffer *buffer, void *into, int64_t bytes,
                            cla_error *error) {
  const cl_int code =
      clEnqueueReadBuffer(device->queue, buffer->memory, CL_TRUE, 0, (size_t)bytes, into, 0, NULL, NULL);
  return device_check(device, code, "clEnqueueReadBuffer", error);
}

cla_status pack_buffer_map(pack_buffer *buffer, const cla_device *device, int64_t bytes, cla_error *error) {
  cl_int code = CL_SUCCESS;
  buffer->mapped = clEnqueueMapBuffer(device->queue, buffer->memory, CL_TRUE, CL_MAP_WRITE_INVALIDATE_REGION,
                                      0, (size_t)bytes, 0, NULL, NULL, &code);
  if (code != CL_SUCCESS) buffer->mapped = NULL;
  return device_check(device, code, "clEnqueueMapBuffer", error);
}

cla_status pack_buffer_unmap(pack_buffer *buffer, const cla_device *device, cla_error *error) {
  if (!buffer->mapped) return CLA_OK;
  const cl_int code = clEnqueueUnmapMemObject(device->queue, buffer->memory, buffer->mapped, 0, NULL, NULL);
  buffer->mapped = NULL;
  return device_check(device, code, "clEnqueueUnmapMemObject", error);
}

cla_status pack_scores_load(pack_buffer *buffer, const cla_device *device, const cla_scoring *scoring,
                            const score_table *table, int padding, cla_error *error) {
  int32_t scores[PACKED_SCORE_STRIDE][PACKED_SCORE_STRIDE];
  const int32_t lowest = table->minimum < 0 ? table->minimum : 0;
  for (int query = 0; query < PACKED_SCORE_STRIDE; query++)
    for (int target = 0; target < PACKED_SCORE_STRIDE; target++) {
      const bool behind = query >= CLA_MATRIX_STRIDE || target >= CLA_MATRIX_STRIDE || target == padding;
      const int32_t score = behind ? lowest : table->score[query * CLA_MATRIX_STRIDE + target];
      scores[query][target] = lane_width_clamp(score, scoring);
    }
  cla_status status = pack_buffer_grow(buffer, device, sizeof scores, POISON_INTS, "the score table", error);
  return status == CLA_OK ? pack_buffer_write(device, buffer, scores, sizeof scores, error) : status;
}
