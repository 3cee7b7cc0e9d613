#include "cli/report/report.h"

#include <malloc.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

static void (*clean_up)(void);

void cli_set_clean_up(void (*what)(void)) {
  clean_up = what;
}

void cli_clean_up(void) {
  if (clean_up) clean_up();
}

static volatile sig_atomic_t deferred;
static volatile sig_atomic_t requested;
static volatile sig_atomic_t resumable;
static volatile sig_atomic_t ending;

static void on_signal(int number) {
  (void)number;
  if (!deferred) {
    ending = 1;
    cli_clean_up();
    _exit(resumable ? EXIT_RESUMABLE : EXIT_INTERRUPTED);
  }
  requested = 1;
}

void interrupt_wait_for_end(void) {
  while (ending) pause();
}

bool cli_memory_limit(char text[CLI_LIMIT_SIZE]) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return false;
  snprintf(
      text, CLI_LIMIT_SIZE,
      "virtual memory is limited to %lld MiB (ulimit -v): raise that, or lift it by 'ulimit -v unlimited'",
      (long long)(limit.rlim_cur >> 20));
  return true;
}

static char crash_text[CLI_LIMIT_SIZE + 128]; /* empty: memory is not limited */

static _Atomic pid_t crashed; /* the first thread that crashed */

/* If memory runs out, several threads of a driver crash together. The first one reports the crash; the others
 * wait for the end of the process. */
static void on_crash(int number) {
  pid_t first = 0;
  const pid_t self = (pid_t)syscall(SYS_gettid);
  const bool tells = atomic_compare_exchange_strong(&crashed, &first, self);
  while (!tells && first != self) pause();
  if (tells) cli_clean_up();
  if (tells && crash_text[0] && write(STDERR_FILENO, crash_text, strlen(crash_text)) > 0)
    _exit(EXIT_RESOURCE);
  signal(number, SIG_DFL);
  raise(number);
}

static bool catching;

void interrupt_catch_crashes(void) {
  catching = true;
  struct sigaction action = {.sa_handler = on_crash, .sa_flags = SA_NODEFER};
  sigemptyset(&action.sa_mask);
  sigaction(SIGABRT, &action, NULL);
  sigaction(SIGSEGV, &action, NULL);
  sigaction(SIGBUS, &action, NULL);
}

void interrupt_catch_crashes_again(void) {
  if (catching) interrupt_catch_crashes();
}

void interrupt_install(void) {
  struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
  sigemptyset(&action.sa_mask);
  sigaction(SIGTERM, &action, NULL);
  struct sigaction present;
  /* If SIGINT is ignored at the start, as in background jobs of a shell script, it stays ignored. */
  if (sigaction(SIGINT, NULL, &present) == 0 && present.sa_handler != SIG_IGN)
    sigaction(SIGINT, &action, NULL);
  sigaction(SIGXCPU, &action, NULL); /* the limit of processor time (ulimit -t) is a reason to end, too */
  char limit[CLI_LIMIT_SIZE];
  if (cli_memory_limit(limit)) {
    snprintf(crash_text, sizeof crash_text,
             "clalign: the process crashed, as OpenCL drivers do where memory runs out: %s\n", limit);
    interrupt_catch_crashes();
#ifdef M_ARENA_MAX
    /* One arena for all threads. Separate arenas would take 64 MiB of address space per thread, and leave too
     * little for the threads of drivers. */
    mallopt(M_ARENA_MAX, 1);
#endif
  }
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN); /* exceeding the limit of a file's size is only an error of that write */
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
