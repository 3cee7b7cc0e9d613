/* Aligns two long sequences and gives up when it is first told how far that is; then aligns them again to the
 * end, and shows how far it is.
 *
 * The callback runs in the thread that called cla_align, some times a second. After a cancelled call nothing
 * is left behind, and the device can be used for the next one. Another thread, or a signal handler, cancels
 * by setting a flag that the callback reads. */

#include <inttypes.h>
#include <stdlib.h>

#include "example_error.h"

typedef struct watcher {
  bool cancel; /* at the first call */
  int calls;
} watcher;

static bool watch(const cla_progress *progress, void *user) {
  watcher *own = user;
  own->calls++;
  fprintf(stderr, "%s: %.0f %%, %.1f s\n", progress->stage, 100 * progress->fraction, progress->seconds);
  return !own->cancel;
}

static cla_status simulate(cla_sequence **query, cla_sequence **target, cla_error *error) {
  cla_simulate_options wanted;
  char *first = NULL, *second = NULL;
  int64_t first_length = 0, second_length = 0;
  cla_simulate_options_init(&wanted);
  wanted.length = 100000;
  wanted.unrelated = true; /* so that nothing of the matrix can be passed over, and it takes a while */
  cla_status status = cla_simulate(&first, &first_length, &second, &second_length, &wanted, error);
  if (status == CLA_OK) status = cla_sequence_from_letters(query, "first", first, first_length, error);
  if (status == CLA_OK) status = cla_sequence_from_letters(target, "second", second, second_length, error);
  free(first);
  free(second);
  return status;
}

int main(void) {
  cla_device *device = NULL;
  cla_sequence *query = NULL, *target = NULL;
  cla_alignment *alignment = NULL;
  cla_align_options options;
  cla_error error;
  watcher hasty = {.cancel = true}, patient = {.cancel = false};
  cla_align_options_init(&options);
  options.score_only = true;
  options.callbacks.progress = watch;
  options.callbacks.progress_user = &hasty;
  cla_status status = cla_device_open(&device, NULL, &error);
  if (status == CLA_OK) status = simulate(&query, &target, &error);
  if (status == CLA_OK) {
    status = cla_align(&alignment, device, query, target, &options, &error);
    if (status == CLA_ERROR_INTERRUPTED) {
      fprintf(stderr, "cancelled: %s\n", error.message);
      status = CLA_OK;
    }
    /* NULL, unless the device was faster than the first call of the callback. */
    cla_alignment_free(alignment);
    alignment = NULL;
  }
  options.callbacks.progress_user = &patient;
  if (status == CLA_OK) status = cla_align(&alignment, device, query, target, &options, &error);
  if (status == CLA_OK) printf("score %" PRId64 "\n", alignment->score);
  cla_alignment_free(alignment);
  cla_sequence_free(target);
  cla_sequence_free(query);
  cla_device_close(device);
  return example_end(status, &error);
}
