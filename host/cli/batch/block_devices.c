#include "cli/batch/block_devices.h"

#include <stdlib.h>
#include <string.h>

#include "cli/batch/batch_reader.h"
#include "cli/report/report.h"

/* A GPU's driver takes some tenths of a second to start: it pays for work that takes longer. */
#define WORTH_SECONDS 0.4
/* Pairs that say which kernel is built. */
#define LIKE_PAIRS 1024

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
  const cla_device_options options = {.select = "gpu", .threads = d->options.threads};
  cla_status status = gpu ? cli_device_open(gpu, &options, &ignored) : CLA_ERROR_MEMORY;
  pthread_mutex_unlock(d->opening);
  d->opened.count = status == CLA_OK;
  if (status == CLA_OK) status = make_partners(d, &ignored);
  if (status == CLA_OK) status = cla_pair_arrays_prepare(&d->like, *gpu, &d->align, &ignored);
  atomic_store(&d->ready, status == CLA_OK);
  return NULL;
}

/* Copies a side of the first pairs, one behind the other. */
static bool copy_side(cla_pair_arrays *to, const cla_pair_arrays *from, int side) {
  int64_t *offsets = calloc((size_t)to->pairs + 1, sizeof *offsets);
  to->offsets[side] = offsets;
  if (!offsets) return false;
  for (int64_t i = 0; i < to->pairs; i++) {
    const int64_t *offset = from->offsets[side] + (from->of[side] ? from->of[side][i] : i);
    offsets[i + 1] = offsets[i] + offset[1] - offset[0];
  }
  uint8_t *letters = malloc((size_t)offsets[to->pairs] + 1);
  to->letters[side] = letters;
  to->sequences[side] = to->pairs;
  for (int64_t i = 0; i < to->pairs && letters; i++) {
    const int64_t first = from->offsets[side][from->of[side] ? from->of[side][i] : i];
    memcpy(letters + offsets[i], from->letters[side] + first, (size_t)(offsets[i + 1] - offsets[i]));
  }
  return letters;
}

void block_devices_want(block_devices *d, double seconds, const cla_pair_arrays *like,
                        const cla_align_options *align, pthread_mutex_t *opening) {
  if (seconds < WORTH_SECONDS || d->options.select || atomic_exchange(&d->wanted, true)) return;
  if (!cla_devices_may_have_gpu()) return;
  d->like = (cla_pair_arrays){.alphabet = like->alphabet,
                              .coded = like->coded,
                              .pairs = like->pairs < LIKE_PAIRS ? like->pairs : LIKE_PAIRS};
  if (!copy_side(&d->like, like, 0) || !copy_side(&d->like, like, 1)) return;
  d->align = *align;
  d->align.partners = NULL;
  d->align.partner_count = 0;
  d->align.callbacks = (cla_callbacks){.progress = is_wanted, .progress_user = d};
  d->opening = opening;
  d->started = batch_thread_start(&d->thread, open_gpu, d);
}

bool block_devices_ready(const block_devices *d) {
  return atomic_load(&d->ready) && !atomic_load(&d->lost);
}

void block_devices_use(const block_devices *d, cla_align_options *align) {
  if (!block_devices_ready(d)) return;
  align->partners = d->partners;
  align->partner_count = d->opened.count;
}

bool block_devices_lose(block_devices *d) {
  return !atomic_exchange(&d->lost, true);
}

void block_devices_end(block_devices *d) {
  atomic_store(&d->ended, true);
  if (d->started) pthread_join(d->thread, NULL);
  cli_devices_close(&d->opened);
  free(d->partners);
  for (int side = 0; side < 2; side++) {
    free((void *)d->like.letters[side]);
    free((void *)d->like.offsets[side]);
  }
  *d = (block_devices){.started = false};
}
