#ifndef HOST_CLI_REPORT_REPORT_H
#define HOST_CLI_REPORT_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "clalign/align.h"
#include "clalign/status.h"

/* How a command ends: exit codes, the one line of an error, and standard output's last bytes. */

/* Exit codes of the program; README.md documents them. */
enum {
  EXIT_RESULT = 0,
  EXIT_OPTION = 1,       /* command, option or option value */
  EXIT_INPUT = 2,        /* input file, record, range or content */
  EXIT_RESOURCE = 3,     /* device, memory or output */
  EXIT_RESUMABLE = 4,    /* interrupted or out of time; the same command continues the run */
  EXIT_VERIFICATION = 5, /* an alignment does not fit */
  EXIT_INTERRUPTED = 130,
};

/* Sets an error of the program's own, as the library's functions do, and returns `status`. */
cla_status cli_error(cla_error *error, cla_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Appends text to the error's message, as far as it fits. */
void cli_error_append(cla_error *error, const char *text);

#define CLI_LIMIT_SIZE 192

/* Whether the process' virtual memory is limited (ulimit -v): that, with the remedy. */
bool cli_memory_limit(char text[CLI_LIMIT_SIZE]);

/* Prints "clalign: MESSAGE" on stderr unless `status` is CLA_OK, and returns the exit code. A status without
 * a message is reported by its name, "interrupted" for example. */
int cli_finish(cla_status status, const cla_error *error);

/* Prints a record's or a file's name. Control characters become '?', so it cannot steer the terminal. */
void cli_print_name(FILE *file, const char *name);

/* Prints "clalign: warning: MESSAGE" on stderr. */
void cli_warn(const char *message);

/* Flushes standard output. CLA_ERROR_OUTPUT if anything written to it was lost. When its reader has gone
 * (`| head`), the process ends here by SIGPIPE, as other tools do. */
cla_status cli_flush_stdout(cla_error *error);

/* Ends the process by SIGPIPE if standard output is a pipe without a reader. */
void cli_end_if_reader_gone(void);

/* SIGINT and SIGTERM. A command starts in the immediate phase: the signal ends the process with
 * EXIT_INTERRUPTED. Nothing must be cleaned up then, and a read from a terminal may never return. In the
 * deferred phase the signal only sets a flag that the command asks for. */

/* Sets the function that removes files when a signal ends the process. It must be async-signal-safe. There is
 * at most one. */
void cli_set_clean_up(void (*what)(void));
void cli_clean_up(void);

/* Installs the handlers, in the immediate phase. Ignores SIGPIPE and SIGXFSZ: a reader that went away is then
 * an error of one write, not the end of a long computation. */
void interrupt_install(void);

/* Does not return once a signal ends the process on another thread. So failures that its cleaning up causes
 * are not reported. */
void interrupt_wait_for_end(void);

/* From now on a crash, usually a driver's, leaves no temporary folder behind. Under a limit of virtual memory
 * crashes are always caught: a message names the limit, and the process ends with EXIT_RESOURCE. */
void interrupt_catch_crashes(void);

/* Repeats that if it was done: drivers' compilers install their own handlers (LLVM). */
void interrupt_catch_crashes_again(void);

/* From now on a signal in the immediate phase ends the process with EXIT_RESUMABLE, because the run can be
 * resumed. */
void interrupt_resumable(void);

void interrupt_defer(void);
void interrupt_immediate(void);

/* Whether a signal came in the deferred phase. */
bool interrupt_requested(void);

/* Text as wide as the terminal. */

/* Columns of the terminal behind a descriptor; `elsewhere` if it is no terminal. */
int terminal_columns(int descriptor, int elsewhere);

/* Bytes as people read them: "512 bytes", "3.2 MiB", "96 GiB". */
#define CLI_BYTES_SIZE 32
void cli_bytes_text(char text[CLI_BYTES_SIZE], int64_t bytes);

/* A page whose lines are broken at spaces. */
typedef struct wrapped {
  FILE *file;
  int width;  /* of the page */
  int indent; /* columns before each line that follows a break */
  int column; /* column behind the last word; 0: the line is empty */
} wrapped;

/* Appends the words of a text to the page. Spaces and ends of lines separate them. */
void wrapped_put(wrapped *page, const char *text);

/* Copies lines, and breaks those that are too wide at a space. The rest of a broken line is indented by
 * `indent`. */
void wrapped_lines(FILE *file, const char *text, int width, int indent);

/* A driver's text as a JSON string. If it is not UTF-8, letters beyond ASCII become '?'. NULL when memory is
 * short. */
struct json_t *json_driver_text(const char *text);

/* The command line as one text for the headers of output files: "clalign align ...", arguments with other
 * than plain letters in single quotes, tabs and line ends as blanks. The caller frees *out. */
cla_status command_line_text(char **out, const char *command, int count, char **arguments, cla_error *error);

/* Prints the closing lines of `clalign align` for at least one alignment to stderr. First comes what is
 * aligned: coordinates (1-based inclusive), with a path identity and gaps, score and scoring. Each alignment
 * after the first has a line. What was computed, times, rate and device come last. advise: also the line of
 * align_advice. */
cla_status align_summary_print(const cla_results *found, bool advise, cla_error *error);

#define ADVICE_SIZE 320

/* Sets a line that names better options for long DNA, or nothing. Reasons: much of a record is left out, long
 * gaps count for much of the identity, the other strand is the related one. counts: of the first alignment.
 * CLA_ERROR_MEMORY. */
cla_status align_advice(char text[ADVICE_SIZE], const cla_results *found, const cla_statistics *counts,
                        cla_error *error);

/* Prints that no alignment reached the least score of the options. */
void align_summary_print_none(const cla_align_options *how);

/* Seconds for kernels that are worth a word: kernels that were compiled before take less. */
#define BUILD_SHOWN 0.3

/* Writes the circular record of an alignment with a path as FASTA, rotated to begin with the first aligned
 * letter. A query on the reverse strand is written as that strand. CLA_ERROR_OUTPUT, CLA_ERROR_OPTION,
 * CLA_ERROR_MEMORY. */
cla_status turned_record_write(const char *path, const cla_alignment *alignment, const cla_sequence *record,
                               cla_circular circular, cla_error *error);

#endif
