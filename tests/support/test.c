#include "support/test.h"

#include <stdarg.h>

#include "base/allocate.h"

_Thread_local cla_error why;

const char *test_text(const char *format, ...) {
  static _Thread_local char text[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  return text;
}

cla_scoring default_scoring(void) {
  cla_scoring scoring;
  cla_scoring_init(&scoring);
  return scoring;
}

void free_memory(void *pointer) {
  free(*(void **)pointer);
}

void free_sequence(cla_sequence **sequence) {
  cla_sequence_free(*sequence);
}

void free_alignment(cla_alignment **alignment) {
  cla_alignment_free(*alignment);
}

void close_device(cla_device **device) {
  cla_device_close(*device);
}

/* CLALIGN_TEST_SEED also chooses the values of memory that was never written. */
#ifdef CLALIGN_POISON
__attribute__((constructor)) static void choose_poison(void) {
  const char *seed = getenv("CLALIGN_TEST_SEED");
  if (seed) poison_choose(strtoull(seed, NULL, 10));
}
#endif
