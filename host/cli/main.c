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
#include "cli/options/options.h"
#include "cli/report/report.h"

const command commands[] = {
    {"align", &align_syntax, "align two sequences exactly", cmd_align},
    {"batch", &batch_syntax, "align many pairs", cmd_batch},
    {"compare", &compare_syntax, "compare two genomes", cmd_compare},
    {"audit", &audit_syntax, "say what other aligners' results lose", cmd_audit},
    {"fill", &fill_syntax, "align between other aligners' results", cmd_fill},
    {"resume", &resume_syntax, "go on with a run that was interrupted", cmd_resume},
    {"predict", &predict_syntax, "say how long an alignment will take", cmd_predict},
    {"show", &show_syntax, "print a saved alignment in any format", cmd_show},
    {"verify", &verify_syntax, "re-score a saved alignment against its sequences", cmd_verify},
    {"lift", &lift_syntax, "lift annotations from one sequence to the other", cmd_lift},
    {"devices", &devices_syntax, "list the OpenCL devices", cmd_devices},
    {"tune", &tune_syntax, "find the fastest kernels of a device", cmd_tune},
    {"bench", &bench_syntax, "measure the speed of kernels on simulated pairs", cmd_bench},
    {"simulate", &simulate_syntax, "make a pair of sequences for tests and benchmarks", cmd_simulate},
    {"help", &help_syntax, "print help", cmd_help},
    {"version", &version_syntax, "print versions and devices", cmd_version},
    {NULL, NULL, NULL, NULL},
};

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
  return found ? found->run(count - 2, arguments + 2)
               : cli_finish(command_unknown(name, arguments[2], &error), &error);
}
