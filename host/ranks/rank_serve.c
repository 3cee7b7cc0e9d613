/* The loop of a rank other than 0: waits for work, and does it. */

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "device/device.h"
#include "ranks/cluster.h"
#include "ranks/ranks.h"
#include "ranks/ranks_batch.h"
#include "ranks/ranks_internal.h"
#include "ranks/ranks_trace.h"

/* The message in which rank 0 names the devices to open. */
typedef struct devices_head {
  int32_t threads;
  int32_t named; /* a text with the names comes after this head */
} devices_head;

/* Starts a device early, while rank 0 reads files and seeks a bound. A failure is reported later, when the
 * device is needed. */
static void start(const cla_device *device) {
  cla_error unused;
  (void)device_start(device, &unused);
}

static cla_status open_devices(cluster_devices *devices, cla_ranks *ranks, const cla_rank_message *message,
                               cluster_open open, cla_error *error) {
  devices_head head;
  rank_reader from = rank_read(message);
  if (!rank_copy(&head, &from, sizeof head)) return ranks_damaged(message, error);
  char *select = strndup((const char *)from.at, (size_t)from.left);
  if (!select) return error_set(error, CLA_ERROR_MEMORY, "out of memory for a name; free some memory");
  if (head.threads > 0) ranks->threads = head.threads;
  cla_status status = open(devices, head.named ? select : NULL, head.threads, error);
  free(select);
  for (size_t i = 0; i < devices->count && status == CLA_OK; i++) start(devices->items[i]);
  return status;
}

/* Devices that are opened for the first pair that needs one. */
typedef struct late_devices {
  cluster_devices *devices;
  cluster_open open;
  int threads;
  pthread_mutex_t lock;
} late_devices;

static cla_status open_late(cla_device **device, const cla_tuning **tuning, void *user, cla_error *error) {
  late_devices *late = user;
  pthread_mutex_lock(&late->lock);
  cla_status status =
      late->devices->count > 0 ? CLA_OK : late->open(late->devices, NULL, late->threads, error);
  if (status == CLA_OK && late->devices->count == 0)
    status = error_set(error, CLA_ERROR_DEVICE, "it has no device");
  if (status == CLA_OK) {
    *device = late->devices->items[0];
    *tuning = late->devices->tunings ? late->devices->tunings[0] : NULL;
  }
  pthread_mutex_unlock(&late->lock);
  return status;
}

static cla_status batch_pairs(const cla_ranks *ranks, cluster_devices *devices, cluster_open open,
                              const cla_rank_message *message, cla_error *error) {
  late_devices late = {devices, open, ranks->threads, PTHREAD_MUTEX_INITIALIZER};
  const batch_means means = {devices->items, devices->tunings, devices->count, open_late, &late};
  return batch_for_rank0(ranks, &means, message, error);
}

int cluster_serve(const cla_ranks *job, cluster_open open) {
  cluster_devices devices = {0};
  cla_ranks own = *job, *ranks = &own; /* a copy, which gets rank 0's number of threads */
  bool told = false;                   /* rank 0 knows that this rank can receive no more messages */
  for (;;) {
    cla_rank_message message = {0};
    cla_error error = {.status = CLA_OK};
    int code = 0;
    const cla_status heard = ranks_wait(ranks, &message, &(rank_tick){.call = NULL}, &error);
    cla_status status = heard;
    const rank_work work = rank_work_of(&message);
    rank_reader from = rank_read(&message);
    bool quits = false;
    if (heard == CLA_OK) switch (message.kind) {
        case CLA_RANK_QUIT: quits = rank_copy(&code, &from, sizeof code); break;
        case CLA_RANK_DEVICES: status = open_devices(&devices, ranks, &message, open, &error); break;
        case RANK_BATCH: status = batch_pairs(ranks, &devices, open, &message, &error); break;
        case RANK_TRACE: status = trace_for_rank0(ranks, &message, &error); break;
        case RANK_PAIR: status = sweep_for_rank0(ranks, &devices, &message, &error); break;
        default: break; /* messages that were still on their way at the end of a sweep */
      }
    free(message.bytes);
    if (quits) return code;
    if (ranks_is_gone(ranks, 0)) return CLUSTER_LEFT_ALONE;
    if (status != CLA_OK && (heard == CLA_OK || !told)) {
      const bool said = ranks_fail(ranks, &work, status, &error) == CLA_OK;
      told = told || (said && heard != CLA_OK);
    }
    if (told) ranks->rest(ranks->user, false);
  }
}
