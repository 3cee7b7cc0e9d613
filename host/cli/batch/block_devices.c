#include "cli/batch/block_devices.h"

#include <stdlib.h>

#include "cli/batch/batch_reader.h"
#include "cli/report/report.h"

/* A GPU's driver takes some tenths of a second to start: it pays for work that takes longer. */
#define WORTH_SECONDS 0.4

static cla_status make_partners(block_devices *d, cla_error *error) {
  d->partners = calloc(d->opened.count > 0 ? d->opened.count : 1, sizeof *d->partners);
  if (!d->partners) return cli_error(error, CLA_ERROR_MEMORY, "out of memory for devices; free some memory");
  for (size_t i = 0; i < d->opened.count; i++) d->partners[i].device = d->opened.items[i];
  return CLA_OK;
}

cla_status block_devices_open(block_devices *d, const cla_device_options *options, cla_error *error) {
  d->options = *options;
  if (!options->select) return CLA_OK;
  cla_status status = cli_devices_open(&d->opened, options, error);
  if (status == CLA_OK) status = make_partners(d, error);
  atomic_store(&d->ready, status == CLA_OK);
  return status;
}

/* Asked before a kernel is compiled. */
static bool is_wanted(const cla_progress *progress, void *user) {
  block_devices *d = user;
  (void)progress;
  return !atomic_load(&d->ended);
}

/* In the background. What fails is no error: host threads do all. */
static void *open_gpu(void *user) {
  block_devices *d = user;
  cla_error ignored;
  cla_device **const gpu = d->opened.items = calloc(1, sizeof(cla_device *));
  pthread_mutex_lock(d->opening);
  cla_status status = gpu ? cli_device_open(gpu, &d->options, &ignored) : CLA_ERROR_MEMORY;
  pthread_mutex_unlock(d->opening);
  d->opened.count = status == CLA_OK;
  if (status == CLA_OK) status = make_partners(d, &ignored);
  if (status == CLA_OK) status = cla_pair_arrays_prepare(&d->like, *gpu, &d->align, &ignored);
  atomic_store(&d->ready, status == CLA_OK);
  return NULL;
}

void block_devices_want(block_devices *d, double seconds, const cla_pair_arrays *like,
                        const cla_align_options *align, pthread_mutex_t *opening) {
  if (d->started || d->options.select || seconds < WORTH_SECONDS || !cla_devices_may_have_gpu()) return;
  d->options.select = "gpu";
  d->like = *like;
  d->align = *align;
  d->align.callbacks = (cla_callbacks){.progress = is_wanted, .progress_user = d};
  d->opening = opening;
  d->started = batch_thread_start(&d->thread, open_gpu, d);
}

bool block_devices_ready(const block_devices *d) {
  return atomic_load(&d->ready);
}

void block_devices_use(const block_devices *d, cla_align_options *align) {
  if (!block_devices_ready(d)) return;
  align->partners = d->partners;
  align->partner_count = d->opened.count;
}

void block_devices_end(block_devices *d) {
  atomic_store(&d->ended, true);
  if (d->started) pthread_join(d->thread, NULL);
  cli_devices_close(&d->opened);
  free(d->partners);
  d->partners = NULL;
  d->started = false;
}
