/* clalign: the command-line program, which uses libclalign's public headers only. */

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clalign/sequence_file.h"
#include "cli/commands/command.h"
#include "cli/commands/tune_process.h"
#include "cli/options/options.h"
#include "cli/report/report.h"

const command *const commands[] = {&align_command,
                                   &batch_command,
                                   &compare_command,
                                   &audit_command,
                                   &fill_command,
                                   &resume_command,
                                   &predict_command,
                                   &show_command,
                                   &verify_command,
                                   &lift_command,
                                   &devices_command,
                                   &tune_command,
                                   &bench_command,
                                   &simulate_command,
                                   &help_command,
                                   &version_command,
                                   NULL};

_Static_assert(sizeof commands / sizeof commands[0] <= COMMANDS_MOST + 1, "COMMANDS_MOST is too small");

/* Opens closed standard descriptors in a way that fails on use, so that lost output is an error. Otherwise a
 * file could get descriptor 1 or 2, and receive output for the terminal. */
static void occupy_standard_descriptors(void) {
  for (int descriptor = 0; descriptor <= 2; descriptor++)
    if (fcntl(descriptor, F_GETFD) == -1 && errno == EBADF &&
        open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY) < 0)
      exit(EXIT_RESOURCE);
}

/* Keeps freed memory in the process, so that later stages can use it. The system must clear each new page,
 * and threads wait for each other meanwhile. */
static void keep_memory(void) {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TOP_PAD, 16 << 20);
  mallopt(M_TRIM_THRESHOLD, 64 << 20);
#endif
}

/* Prints a warning only once, even if its file is read several times. */
static void warn_once(const char *text, void *user) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  static char last[CLA_ERROR_MESSAGE_SIZE];
  (void)user;
  pthread_mutex_lock(&lock);
  if (strcmp(last, text) != 0) cli_warn(text);
  snprintf(last, sizeof last, "%s", text);
  pthread_mutex_unlock(&lock);
}

int main(int count, char **arguments) {
  keep_memory();
  occupy_standard_descriptors();
  interrupt_install();
  cla_sequence_notes(warn_once, NULL);
  cla_error error = {.status = CLA_OK};
  if (count < 2)
    return cli_finish(cli_error(&error, CLA_ERROR_OPTION, "no command; 'clalign help' lists them"), &error);
  const char *name = arguments[1];
  if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) name = "help";
  if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0) name = "version";
  const command *found = command_find(name);
  if (!found) return cli_finish(command_unknown(name, arguments[2], &error), &error);
  if (found == &tune_command && arguments[2] && strcmp(arguments[2], TUNE_PROCESS_WORD) == 0)
    return tune_process_serve(count - 3, arguments + 3);
  return command_run(found, count - 2, arguments + 2, NULL);
}
