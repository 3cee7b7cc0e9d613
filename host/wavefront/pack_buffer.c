#include "wavefront/pack_buffer.h"

#include "scoring/lane_width.h"

cla_status pack_buffer_grow(pack_buffer *buffer, const cla_device *device, int64_t bytes, const char *what,
                            cla_error *error) {
  if (buffer->memory && buffer->bytes >= bytes) return CLA_OK;
  if (buffer->memory) clReleaseMemObject(buffer->memory);
  *buffer = (pack_buffer){0};
  cla_status status = device_buffer(&buffer->memory, device, bytes, what, error);
  if (status == CLA_OK) buffer->bytes = bytes;
  return status;
}

void pack_buffer_free(pack_buffer *buffer, const cla_device *device) {
  cla_error ignored;
  pack_buffer_unmap(buffer, device, &ignored);
  if (buffer->memory) clReleaseMemObject(buffer->memory);
  *buffer = (pack_buffer){0};
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
  cla_status status = pack_buffer_grow(buffer, device, sizeof scores, "the score table", error);
  return status == CLA_OK ? pack_buffer_write(device, buffer, scores, sizeof scores, error) : status;
}
