/* What the process is told by a signal while work-items run. */

#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "emulator/emulator.h"

static const int signals[] = {SIGSEGV, SIGBUS, SIGILL};
#define SIGNALS (sizeof signals / sizeof signals[0])

static struct sigaction before[SIGNALS];

/* emulator/compile has the compiler put a trap where arithmetic or an index goes wrong. */
static void tell(int number, siginfo_t *info, void *context) {
  char where[160];
  faults_end();
  if (number == SIGILL)
    emulator_stop("a work-item's signed sum does not fit, or its index is beside an array");
  memory_describe(where, sizeof where, info->si_addr);
  emulator_stop("a work-item touches %s", where);
}

void faults_begin(void) {
  struct sigaction action = {.sa_sigaction = tell, .sa_flags = SA_SIGINFO | SA_NODEFER};
  for (size_t i = 0; i < SIGNALS; i++) sigaction(signals[i], &action, before + i);
}

void faults_end(void) {
  for (size_t i = 0; i < SIGNALS; i++) sigaction(signals[i], before + i, NULL);
}
