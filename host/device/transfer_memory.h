#ifndef HOST_DEVICE_TRANSFER_MEMORY_H
#define HOST_DEVICE_TRANSFER_MEMORY_H

#include "device/device.h"

/* Memory of the host that the device reaches best: drivers copy from and to it without a copy of their own,
 * and while kernels run. Begins as zero. */
typedef struct transfer_memory {
  cl_mem memory;
  void *data; /* valid until it grows */
  int64_t bytes;
} transfer_memory;

/* Makes it so large, if it is smaller. What it had is lost. CLA_ERROR_MEMORY, CLA_ERROR_DEVICE. */
cla_status transfer_memory_grow(transfer_memory *memory, const cla_device *device, int64_t bytes,
                                cla_error *error);
void transfer_memory_free(transfer_memory *memory, const cla_device *device);

#endif
