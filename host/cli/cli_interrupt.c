#include "cli/cli_interrupt.h"

#include <signal.h>
#include <stddef.h>
#include <unistd.h>

#include "cli/cli_report.h"

static volatile sig_atomic_t deferred;
static volatile sig_atomic_t requested;
static volatile sig_atomic_t resumable;

static void on_signal(int number) {
  (void)number;
  if (!deferred) _exit(resumable ? EXIT_RESUMABLE : EXIT_INTERRUPTED);
  requested = 1;
}

void interrupt_install(void) {
  struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
  sigemptyset(&action.sa_mask);
  sigaction(SIGTERM, &action, NULL);
  struct sigaction present;
  /* A shell starts background jobs of a script with SIGINT ignored; nohup-like wishes are respected. */
  if (sigaction(SIGINT, NULL, &present) == 0 && present.sa_handler != SIG_IGN)
    sigaction(SIGINT, &action, NULL);
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN); /* a file beyond the size limit is an error of one write, too */
}

void interrupt_resumable(void) {
  resumable = 1;
}

void interrupt_defer(void) {
  deferred = 1;
}

void interrupt_immediate(void) {
  deferred = 0;
}

bool interrupt_requested(void) {
  return requested != 0;
}
