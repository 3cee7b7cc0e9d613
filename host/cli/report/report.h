#ifndef HOST_CLI_REPORT_REPORT_H
#define HOST_CLI_REPORT_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "clalign/status.h"

/* How a command ends: exit codes, the one line of an error, and standard output's last bytes. */

/* Exit codes of the program; README.md documents them. */
enum {
  EXIT_RESULT = 0,
  EXIT_OPTION = 1,       /* command, option or option value */
  EXIT_INPUT = 2,        /* input file, record, range or content */
  EXIT_RESOURCE = 3,     /* device, memory or output */
  EXIT_RESUMABLE = 4,    /* interrupted or out of time; the same command goes on */
  EXIT_VERIFICATION = 5, /* an alignment does not fit */
  EXIT_INTERRUPTED = 130,
};

/* Sets an error of the program's own, as the library's functions do, and returns `status`. */
cla_status cli_error(cla_error *error, cla_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Appends to the message that is there, as far as it fits. */
void cli_error_append(cla_error *error, const char *text);

#define CLI_LIMIT_SIZE 160

/* Whether the process' virtual memory is limited (ulimit -v): that, with the remedy. */
bool cli_memory_limit(char text[CLI_LIMIT_SIZE]);

int cli_exit_code(cla_status status);

/* Prints "clalign: MESSAGE" on stderr unless `status` is CLA_OK, and returns the exit code. A status without
 * a message is reported by its name, "interrupted" for example. */
int cli_finish(cla_status status, const cla_error *error);

/* Prints what comes from outside, a record's or a file's name: whatever it holds, it cannot steer the
 * terminal. Control characters become '?'. */
void cli_print_name(FILE *file, const char *name);

/* Prints "clalign: warning: MESSAGE" on stderr. */
void cli_warn(const char *message);

/* Flushes standard output. CLA_ERROR_OUTPUT if anything written to it was lost. When its reader has gone
 * (`| head`), the process ends here by SIGPIPE, as other tools do. */
cla_status cli_flush_stdout(cla_error *error);

/* Ends the process by SIGPIPE if standard output is a pipe without a reader. */
void cli_end_if_reader_gone(void);

#endif
