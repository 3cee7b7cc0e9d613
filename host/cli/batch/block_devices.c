#include "cli/batch/block_devices.h"

#include <stdlib.h>
#include <string.h>

#include "cli/batch/batch_reader.h"
#include "cli/batch/pair_block.h"
#include "cli/report/report.h"

/* Minimum host seconds of work for which a GPU is started, or a kernel built. A driver takes 0.7 s to
 * start, and an uncached kernel 1.5 s to build. */
#define WORTH_SECONDS 1.5
/* Number of pairs that determine the kernel. */
#define LIKE_PAIRS 1024
/* Number of first blocks that are aligned with devices as trials. If devices turn out slower, one later
 * block in BLOCKS_OF_TRIAL is a further trial. */
#define TRIALS 4
#define BLOCKS_OF_TRIAL 64

static cla_status make_partners(block_devices *d, cla_error *error) {
  d->partners = calloc(d->opened.count > 0 ? d->opened.count : 1, sizeof *d->partners);
  if (!d->partners) return cli_error(error, CLA_ERROR_MEMORY, "out of memory for devices; free some memory");
  for (size_t i = 0; i < d->opened.count; i++) d->partners[i].device = d->opened.items[i];
  return CLA_OK;
}

/* Called before a kernel is compiled. Returns false if the host threads will have done the work by then. */
static bool is_wanted(const cla_progress *progress, void *user) {
  block_devices *d = user;
  (void)progress;
  return !atomic_load(&d->ended) && atomic_load(&d->host_ends) > cli_seconds() + WORTH_SECONDS;
}

static cla_status open_gpu(block_devices *d, cla_error *error) {
  const cla_device_options options = {.select = "gpu", .threads = d->options.threads};
  d->opened.items = calloc(1, sizeof(cla_device *));
  if (!d->opened.items)
    return cli_error(error, CLA_ERROR_MEMORY, "out of memory for devices; free some memory");
  cla_status status = cli_device_open(d->opened.items, &options, error);
  d->opened.count = status == CLA_OK;
  return status;
}

/* Waits for pairs that determine the kernel, and builds it for the GPU. */
static cla_status prepare_gpu(block_devices *d, cla_error *error) {
  pthread_mutex_lock(&d->lock);
  while (!d->told) pthread_cond_wait(&d->changed, &d->lock);
  pthread_mutex_unlock(&d->lock);
  if (atomic_load(&d->ended)) return CLA_ERROR_INTERRUPTED;
  return cla_pair_arrays_prepare(&d->like, d->opened.items[0], &d->align, error);
}

/* Opens the devices, in a thread. If the user named no devices, a failure is no error, because host threads
 * can do all the work. */
static void *open_devices(void *user) {
  block_devices *d = user;
  const bool named = d->options.select;
  pthread_mutex_lock(d->opening);
  cla_status status = named ? cli_devices_open(&d->opened, &d->options, &d->error) : open_gpu(d, &d->error);
  pthread_mutex_unlock(d->opening);
  if (status == CLA_OK) status = make_partners(d, &d->error);
  if (status == CLA_OK && !named) status = prepare_gpu(d, &d->error);
  d->status = status;
  atomic_store(&d->ready, status == CLA_OK);
  atomic_store(&d->over, true);
  return NULL;
}

cla_status block_devices_begin(block_devices *d, const cla_device_options *options, pthread_mutex_t *opening,
                               double seconds, cla_error *error) {
  d->options = *options;
  d->opening = opening;
  if (pthread_mutex_init(&d->lock, NULL) != 0)
    return cli_error(error, CLA_ERROR_MEMORY, "out of memory for devices; free some memory");
  pthread_cond_init(&d->changed, NULL);
  d->begun = true;
  if (options->select || (seconds >= WORTH_SECONDS && cla_devices_may_have_gpu()))
    atomic_store(&d->started, batch_thread_start(&d->thread, open_devices, d));
  if (options->select && !atomic_load(&d->started)) open_devices(d);
  return CLA_OK;
}

cla_status block_devices_wait(block_devices *d, cla_error *error) {
  if (!d->options.select) return CLA_OK;
  if (atomic_exchange(&d->started, false)) pthread_join(d->thread, NULL);
  if (d->status != CLA_OK) *error = d->error;
  return d->status;
}

/* Returns the index of a pair's sequence. */
static int64_t sequence_of(const cla_pair_arrays *pairs, int side, int64_t pair) {
  return pairs->of[side] ? pairs->of[side][pair] : pair;
}

/* Copies one side of the first pairs: their sequences, one after another. Consecutive pairs with the same
 * sequence share one copy. */
static bool copy_side(cla_pair_arrays *to, const cla_pair_arrays *from, int side) {
  int64_t *offsets = calloc((size_t)to->pairs + 1, sizeof *offsets);
  int64_t *of = calloc((size_t)to->pairs + 1, sizeof *of);
  int64_t count = 0;
  to->offsets[side] = offsets;
  to->of[side] = of;
  if (!offsets || !of) return false;
  for (int64_t i = 0; i < to->pairs; i++) {
    const int64_t sequence = sequence_of(from, side, i), *offset = from->offsets[side] + sequence;
    if (i == 0 || sequence != sequence_of(from, side, i - 1)) {
      offsets[count + 1] = offsets[count] + offset[1] - offset[0];
      count++;
    }
    of[i] = count - 1;
  }
  uint8_t *letters = malloc((size_t)offsets[count] + 1);
  to->letters[side] = letters;
  to->sequences[side] = count;
  for (int64_t i = 0; i < to->pairs && letters; i++) {
    const int64_t first = from->offsets[side][sequence_of(from, side, i)], at = of[i];
    memcpy(letters + offsets[at], from->letters[side] + first, (size_t)(offsets[at + 1] - offsets[at]));
  }
  return letters;
}

static void tell(block_devices *d) {
  pthread_mutex_lock(&d->lock);
  d->told = true;
  pthread_cond_signal(&d->changed);
  pthread_mutex_unlock(&d->lock);
}

void block_devices_want(block_devices *d, double seconds, const cla_pair_arrays *like,
                        const cla_align_options *align) {
  atomic_store(&d->host_ends, cli_seconds() + seconds);
  const bool worth = seconds >= WORTH_SECONDS && cla_devices_may_have_gpu();
  if (d->options.select || !(worth || atomic_load(&d->started)) || atomic_exchange(&d->wanted, true)) return;
  d->like = (cla_pair_arrays){.alphabet = like->alphabet,
                              .coded = like->coded,
                              .pairs = like->pairs < LIKE_PAIRS ? like->pairs : LIKE_PAIRS};
  if (!copy_side(&d->like, like, 0) || !copy_side(&d->like, like, 1)) return;
  d->align = *align;
  d->align.partners = NULL;
  d->align.partner_count = 0;
  d->align.callbacks = (cla_callbacks){.progress = is_wanted, .progress_user = d};
  tell(d);
  if (!atomic_load(&d->started)) atomic_store(&d->started, batch_thread_start(&d->thread, open_devices, d));
}

bool block_devices_ready(const block_devices *d) {
  return atomic_load(&d->ready) && !atomic_load(&d->lost);
}

bool block_devices_coming(const block_devices *d) {
  return atomic_load(&d->started) && !atomic_load(&d->over);
}

/* Returns true if a block should be aligned with devices: in a trial, or if trials have shown that devices
 * are faster. */
static bool pays(block_devices *d) {
  block_trial *t = &d->trial;
  pthread_mutex_lock(&d->lock);
  const bool again = ++t->asked % BLOCKS_OF_TRIAL == 0;
  const bool tries = t->begun < TRIALS || again;
  const bool known = t->ended >= TRIALS && t->without > 0;
  const bool with = tries || (known && t->with <= t->without);
  t->begun += with;
  pthread_mutex_unlock(&d->lock);
  return with;
}

bool block_devices_use(block_devices *d, cla_align_options *align, bool alike) {
  if (!block_devices_ready(d) || (alike && !pays(d))) return false;
  align->partners = d->partners;
  align->partner_count = d->opened.count;
  return true;
}

void block_devices_tell(block_devices *d, bool with, double cells, double seconds) {
  block_trial *t = &d->trial;
  const double of_cell = seconds / cells;
  pthread_mutex_lock(&d->lock);
  double *seen = with ? &t->with : &t->without;
  const bool first = *seen == 0 || (with && t->ended < TRIALS && of_cell < *seen);
  const bool slow = with && t->ended < TRIALS; /* building the kernel may have slowed this block */
  if (first)
    *seen = of_cell;
  else if (!slow)
    *seen = (*seen + of_cell) / 2;
  t->ended += with;
  pthread_mutex_unlock(&d->lock);
}

bool block_devices_lose(block_devices *d) {
  return !atomic_exchange(&d->lost, true);
}

void block_devices_end(block_devices *d) {
  atomic_store(&d->ended, true);
  if (d->begun) tell(d);
  if (atomic_load(&d->started)) pthread_join(d->thread, NULL);
  if (d->begun) {
    pthread_cond_destroy(&d->changed);
    pthread_mutex_destroy(&d->lock);
  }
  cli_devices_close(&d->opened);
  free(d->partners);
  for (int side = 0; side < 2; side++) {
    free((void *)d->like.letters[side]);
    free((void *)d->like.offsets[side]);
    free((void *)d->like.of[side]);
  }
  *d = (block_devices){.begun = false};
}
