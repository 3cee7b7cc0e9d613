#include "support/refused_kernels.h"

#include "support/test.h"

#define KERNELS_MOST 32 /* that are told apart */
#define NAME_SIZE 80

static struct {
  char names[KERNELS_MOST][NAME_SIZE]; /* "vector16 with 8 lanes x 4 rows" */
  int count;
  long long passed_over, compared; /* alignments */
} seen;

/* Whether the kernel is a new one; it is no longer. */
static bool note(const char *name) {
  for (int i = 0; i < seen.count; i++)
    if (strcmp(seen.names[i], name) == 0) return false;
  cr_assert_lt(seen.count, KERNELS_MOST, "more than %d refused kernels", KERNELS_MOST);
  strcpy(seen.names[seen.count++], name);
  return true;
}

bool refused_kernel_skip(const cla_error *error) {
  const char *rule = getenv("CLALIGN_TEST_REFUSED");
  char name[NAME_SIZE];
  if (!rule || strcmp(rule, "skip") != 0 || error->status != CLA_ERROR_DEVICE) return false;
  /* The message of host/wavefront/self_test.c. */
  const char *kernel = strstr(error->message, "self-test failed: kernel ");
  if (!kernel || sscanf(kernel, "self-test failed: kernel %79[^\n]", name) != 1) return false;
  char *end = strstr(name, " gives ");
  if (!end) return false;
  *end = '\0';
  seen.passed_over++;
  if (note(name)) printf("refused, and left out: %s\n", error->message);
  return true;
}

void refused_kernel_compared(void) {
  seen.compared++;
}

void refused_kernels_judge(const char *device) {
  if (seen.passed_over > 0)
    printf("%s: %lld alignments left out, %lld compared\n", device, seen.passed_over, seen.compared);
  cr_assert(seen.passed_over == 0 || seen.compared > 0, "the self-test refused every kernel on %s", device);
  memset(&seen, 0, sizeof seen);
}
