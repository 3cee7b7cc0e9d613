#include "cli/report/report.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "cli/options/driver_folder.h"

cla_status cli_error(cla_error *error, cla_status status, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  error->status = status;
  vsnprintf(error->message, sizeof error->message, format, arguments);
  va_end(arguments);
  return status;
}

void cli_error_append(cla_error *error, const char *text) {
  size_t used = strlen(error->message);
  snprintf(error->message + used, sizeof error->message - used, "%s", text);
}

int cli_exit_code(cla_status status) {
  switch (status) {
    case CLA_OK: return EXIT_RESULT;
    case CLA_ERROR_OPTION: return EXIT_OPTION;
    case CLA_ERROR_INPUT: return EXIT_INPUT;
    case CLA_ERROR_DEVICE:
    case CLA_ERROR_MEMORY:
    case CLA_ERROR_OUTPUT: return EXIT_RESOURCE;
    case CLA_ERROR_INTERRUPTED: return EXIT_INTERRUPTED;
    case CLA_ERROR_VERIFICATION: return EXIT_VERIFICATION;
  }
  return EXIT_RESOURCE;
}

static void print_text(FILE *file, const char *text, bool keep_lines) {
  for (; *text; text++) {
    unsigned char code = (unsigned char)*text;
    bool allowed = (code >= ' ' && code != 127) || (keep_lines && (code == '\n' || code == '\t'));
    fputc(allowed ? code : '?', file);
  }
}

void cli_print_name(FILE *file, const char *name) {
  print_text(file, name, false);
}

/* An error stays one line, but the log of a failed kernel build keeps its own. */
static void print_line(const char *kind, const char *message, bool keep_lines) {
  fprintf(stderr, "clalign: %s", kind);
  print_text(stderr, message, keep_lines);
  fputc('\n', stderr);
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

/* Where memory is limited, freeing some helps nobody: the limit has the place of the remedy. */
static void print_out_of_memory(const char *message, const char *limit) {
  char line[sizeof((cla_error *)0)->message];
  snprintf(line, sizeof line, "%.*s; %s", (int)strcspn(message, ";"), message, limit);
  print_line("", line, false);
}

int cli_finish(cla_status status, const cla_error *error) {
  static const char out_of_memory[] = "out of memory";
  char limit[CLI_LIMIT_SIZE];
  if (status == CLA_ERROR_MEMORY && strncmp(error->message, out_of_memory, sizeof out_of_memory - 1) == 0 &&
      cli_memory_limit(limit))
    print_out_of_memory(error->message, limit);
  else if (status != CLA_OK && error->message[0])
    print_line("", error->message, status == CLA_ERROR_DEVICE);
  else if (status != CLA_OK)
    print_line("", cla_status_name(status), false);
  return cli_exit_code(status);
}

void cli_warn(const char *message) {
  print_line("warning: ", message, false);
}

void cli_end_if_reader_gone(void) {
  struct pollfd descriptor = {.fd = STDOUT_FILENO, .events = POLLOUT};
  if (poll(&descriptor, 1, 0) != 1 || !(descriptor.revents & POLLERR)) return;
  sigset_t only_sigpipe;
  sigemptyset(&only_sigpipe);
  sigaddset(&only_sigpipe, SIGPIPE);
  signal(SIGPIPE, SIG_DFL);
  sigprocmask(SIG_UNBLOCK, &only_sigpipe, NULL);
  driver_folder_remove();
  raise(SIGPIPE);
}

cla_status cli_flush_stdout(cla_error *error) {
  bool lost_before = ferror(stdout) != 0;
  errno = 0;
  if (fflush(stdout) == 0 && !lost_before) return CLA_OK;
  int reason = errno;
  cli_end_if_reader_gone();
  return cli_error(error, CLA_ERROR_OUTPUT,
                   "cannot write to standard output: %s; free space or use --output FILE",
                   reason ? strerror(reason) : "earlier output was lost");
}
