#ifndef HOST_PACKS_PACK_BUFFER_H
#define HOST_PACKS_PACK_BUFFER_H

#include "device/device.h"
#include "packs/lane_config.h"

/* What the engines for many short pairs (packs.h, chains.h) have in common: buffers that stay allocated
 * between launches, and the score table. */

/* Begins as zero. */
typedef struct pack_buffer {
  cl_mem memory;
  int64_t bytes;
  void *mapped; /* where the host writes it now, or NULL */
} pack_buffer;

/* Makes it so large, if it is smaller. What it had is lost. CLA_ERROR_MEMORY, CLA_ERROR_DEVICE. */
cla_status pack_buffer_grow(pack_buffer *buffer, const cla_device *device, int64_t bytes, poison_kind kind,
                            const char *what, cla_error *error);
void pack_buffer_free(pack_buffer *buffer, const cla_device *device);

/* How large a launch needs a buffer. */
typedef struct pack_need {
  pack_buffer *buffer;
  int64_t bytes;
  poison_kind kind; /* what it has, */
  const char *what; /* for messages */
} pack_need;

/* Bytes that all of them need. */
int64_t pack_needs_bytes(const pack_need *needs, int count);

/* Whether they are `most` bytes at the most, and each is one that the device allows. */
bool pack_needs_fit(const pack_need *needs, int count, int64_t most, const cla_device *device);

/* Makes all so large, each as pack_buffer_grow. Where earlier launches needed more of some, so that all
 * together would take more than `most` bytes, these are freed first. On a GPU, where allocating waits for
 * what others compute, they grow by more where that is a small part of `most`. CLA_ERROR_MEMORY, also where
 * more than `most` is needed; CLA_ERROR_DEVICE. */
cla_status pack_needs_meet(const pack_need *needs, int count, int64_t most, const cla_device *device,
                           cla_error *error);
void pack_needs_free(const pack_need *needs, int count, const cla_device *device);

/* All wait until they are done. */
cla_status pack_buffer_write(const cla_device *device, const pack_buffer *buffer, const void *data,
                             int64_t bytes, cla_error *error);
cla_status pack_buffer_read(const cla_device *device, const pack_buffer *buffer, void *into, int64_t bytes,
                            cla_error *error);

/* Its first `bytes` as memory of the host, to be written as a whole; nothing to unmap is no error. */
cla_status pack_buffer_map(pack_buffer *buffer, const cla_device *device, int64_t bytes, cla_error *error);
cla_status pack_buffer_unmap(pack_buffer *buffer, const cla_device *device, cla_error *error);

/* Puts the score table there as cl/packed_scores.clh and cl/common.clh have it: clamped, and with the lowest
 * score for what lies behind ends. `padding` is a code of a target that means that, too; -1: there is none.
 */
cla_status pack_scores_load(pack_buffer *buffer, const cla_device *device, const cla_scoring *scoring,
                            const score_table *table, int padding, cla_error *error);

#endif
