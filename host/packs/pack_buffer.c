#include <stdio.h>

#include "base/error.h"
#include "base/extremes.h"
#include "packs/pack_internal.h"
#include "scoring/lane_width.h"

/* A growing buffer becomes GROWTH times as large as needed, up to bytes_most / PLENTY bytes. */
#define GROWTH 4
#define PLENTY 64

/* Number of query codes, and of target codes, in the table. */
#define SCORE_STRIDE 34

void pack_buffers_begin(pack_buffers *all, cla_device *device, const pack_buffer_kind *kinds, int count,
                        int scores) {
  *all = (pack_buffers){.device = device, .kinds = kinds, .count = count, .scores = scores};
  pack_buffers_limit(all, 0);
}

void pack_buffers_limit(pack_buffers *all, int64_t bytes) {
  all->bytes_most = bytes > 0 ? bytes : all->device->info.memory_bytes;
}

static cla_status grow(pack_buffers *all, int index, int64_t bytes, cla_error *error) {
  pack_buffer *buffer = &all->list[index];
  const pack_buffer_kind *kind = &all->kinds[index];
  const bool large = buffer->memory && buffer->bytes >= bytes;
  if (large && buffer->kept) return CLA_OK;
  if (large) return device_poison(all->device, buffer->memory, 0, bytes, kind->kind, error);
  if (buffer->memory) clReleaseMemObject(buffer->memory);
  *buffer = (pack_buffer){0};
  cla_status status = device_buffer(&buffer->memory, all->device, bytes, kind->kind, kind->what, error);
  if (status != CLA_OK) return status;
  buffer->bytes = bytes;
  buffer->number = ++all->made;
  return CLA_OK;
}

static void free_buffer(pack_buffers *all, int index) {
  cla_error ignored;
  pack_buffers_unmap(all, index, &ignored);
  if (all->list[index].memory) clReleaseMemObject(all->list[index].memory);
  all->list[index] = (pack_buffer){0};
}

/* Frees all buffers but the score table. */
static void release(pack_buffers *all) {
  for (int i = 0; i < all->count; i++)
    if (i != all->scores) free_buffer(all, i);
}

void pack_buffers_free(pack_buffers *all) {
  for (int i = 0; i < all->count; i++) free_buffer(all, i);
}

int64_t pack_buffers_bytes(const int64_t *needed, int count) {
  int64_t bytes = 0;
  for (int i = 0; i < count; i++) bytes += needed[i];
  return bytes;
}

/* Returns the limit for the bytes of all buffers except the score table. */
static int64_t bytes_left(const pack_buffers *all) {
  return all->bytes_most - (all->scores == PACK_NO_SCORES ? 0 : all->list[all->scores].bytes);
}

bool pack_buffers_fit(const pack_buffers *all, const int64_t *needed) {
  for (int i = 0; i < all->count; i++)
    if (needed[i] > all->device->info.max_allocation_bytes) return false;
  return pack_buffers_bytes(needed, all->count) <= bytes_left(all);
}

/* Makes the buffer large enough. If memory suffices, makes a growing buffer larger than needed, up to
 * `plenty` bytes. */
static cla_status meet(pack_buffers *all, int index, int64_t bytes, int64_t plenty, cla_error *error) {
  const int64_t more = smaller(GROWTH * bytes, plenty);
  cla_error unused = {.status = CLA_OK};
  const bool large = all->list[index].memory && all->list[index].bytes >= bytes;
  if (!large && more > bytes && grow(all, index, more, &unused) == CLA_OK) return CLA_OK;
  return grow(all, index, bytes, error);
}

cla_status pack_buffers_meet(pack_buffers *all, const int64_t *needed, cla_error *error) {
  const int64_t bytes = pack_buffers_bytes(needed, all->count), most = bytes_left(all);
  const cla_device_info *info = &all->device->info;
  int64_t grown = 0;
  int count = 0;
  cla_status status = CLA_OK;
  if (bytes > most)
    return error_set(error, CLA_ERROR_MEMORY,
                     "a pack of pairs needs %lld bytes of %s and may take %lld; give more --device-memory",
                     (long long)bytes, info->name, (long long)most);
  for (int i = 0; i < all->count; i++) {
    if (i == all->scores) continue;
    grown += larger(needed[i], all->list[i].bytes);
    count++;
  }
  if (grown > most) release(all);
  const bool grows = info->kind == CLA_DEVICE_GPU && grown <= most - count * (most / PLENTY);
  for (int i = 0; i < all->count && status == CLA_OK; i++)
    if (i != all->scores) status = meet(all, i, needed[i], grows ? most / PLENTY : 0, error);
  return status;
}

cla_status pack_buffers_write_at(pack_buffers *all, int index, int64_t at, const void *data, int64_t bytes,
                                 cla_error *error) {
  const cl_int code = clEnqueueWriteBuffer(all->device->on->queue, all->list[index].memory, CL_TRUE,
                                           (size_t)at, (size_t)bytes, data, 0, NULL, NULL);
  return device_check(all->device, code, "clEnqueueWriteBuffer", error);
}

cla_status pack_buffers_write(pack_buffers *all, int index, const void *data, int64_t bytes,
                              cla_error *error) {
  return pack_buffers_write_at(all, index, 0, data, bytes, error);
}

cla_status pack_buffers_read(pack_buffers *all, int index, void *into, int64_t bytes, cla_error *error) {
  const cl_int code = clEnqueueReadBuffer(all->device->on->queue, all->list[index].memory, CL_TRUE, 0,
                                          (size_t)bytes, into, 0, NULL, NULL);
  return device_check(all->device, code, "clEnqueueReadBuffer", error);
}

cla_status pack_buffers_map(pack_buffers *all, int index, int64_t bytes, cla_error *error) {
  pack_buffer *buffer = &all->list[index];
  cl_int code = CL_SUCCESS;
  buffer->mapped = clEnqueueMapBuffer(all->device->on->queue, buffer->memory, CL_TRUE,
                                      CL_MAP_WRITE_INVALIDATE_REGION, 0, (size_t)bytes, 0, NULL, NULL, &code);
  if (code != CL_SUCCESS) buffer->mapped = NULL;
  return device_check(all->device, code, "clEnqueueMapBuffer", error);
}

cla_status pack_buffers_unmap(pack_buffers *all, int index, cla_error *error) {
  pack_buffer *buffer = &all->list[index];
  if (!buffer->mapped) return CLA_OK;
  const cl_int code =
      clEnqueueUnmapMemObject(all->device->on->queue, buffer->memory, buffer->mapped, 0, NULL, NULL);
  buffer->mapped = NULL;
  return device_check(all->device, code, "clEnqueueUnmapMemObject", error);
}

cla_status pack_buffers_load_scores(pack_buffers *all, const path_scheme *scheme, int padding,
                                    cla_error *error) {
  int32_t scores[SCORE_STRIDE][SCORE_STRIDE];
  const score_table *table = scheme->table;
  const int32_t lowest = table->minimum < 0 ? table->minimum : 0;
  for (int query = 0; query < SCORE_STRIDE; query++)
    for (int target = 0; target < SCORE_STRIDE; target++) {
      const bool behind = query >= CLA_MATRIX_STRIDE || target >= CLA_MATRIX_STRIDE || target == padding;
      const int32_t score = behind ? lowest : table->score[query * CLA_MATRIX_STRIDE + target];
      scores[query][target] = lane_width_clamp(score, scheme->scoring);
    }
  cla_status status = grow(all, all->scores, sizeof scores, error);
  return status == CLA_OK ? pack_buffers_write(all, all->scores, scores, sizeof scores, error) : status;
}

cla_status pack_kernel_build(cl_kernel *out, cla_device *device, const char *name, const char *options,
                             cla_error *error) {
  char file[64];
  cl_program program = NULL;
  cl_int code = CL_SUCCESS;
  snprintf(file, sizeof file, "%s.cl", name);
  cla_status status = device_build(&program, device, file, options, error);
  if (status != CLA_OK) return status;
  *out = clCreateKernel(program, name, &code);
  return device_check(device, code, "clCreateKernel", error);
}

cla_status pack_buffers_launch(const pack_buffers *all, cl_kernel kernel, int64_t groups, int64_t items,
                               cla_error *error) {
  cl_int code = CL_SUCCESS;
  for (int i = 0; i < all->count && code == CL_SUCCESS; i++)
    code = clSetKernelArg(kernel, (cl_uint)i, sizeof(cl_mem), &all->list[i].memory);
  cla_status status = device_check(all->device, code, "clSetKernelArg", error);
  return status == CLA_OK ? device_launch(all->device, kernel, groups, items, error) : status;
}
