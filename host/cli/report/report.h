#ifndef HOST_CLI_REPORT_REPORT_H
#define HOST_CLI_REPORT_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "clalign/align.h"
#include "clalign/status.h"

/* How a command ends: exit codes, the line of an error, and flushing standard output. */

/* Exit codes of the program; README.md documents them. */
enum {
  EXIT_RESULT = 0,
  EXIT_OPTION = 1,       /* wrong command, option or option value */
  EXIT_INPUT = 2,        /* wrong input file, record, range or content */
  EXIT_RESOURCE = 3,     /* failure of device, memory or output */
  EXIT_RESUMABLE = 4,    /* interrupted or out of time; repeating the command continues the run */
  EXIT_VERIFICATION = 5, /* an alignment failed its verification */
  EXIT_INTERRUPTED = 130,
};

/* Sets an error of the program and returns `status`. */
cla_status cli_error(cla_error *error, cla_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Appends text to the error's message, cut to fit. */
void cli_error_append(cla_error *error, const char *text);

#define CLI_LIMIT_SIZE 192

/* True if the process' virtual memory is limited (ulimit -v); then writes the limit and the remedy. */
bool cli_memory_limit(char text[CLI_LIMIT_SIZE]);

/* Prints "clalign: MESSAGE" on stderr unless `status` is CLA_OK, and returns the exit code. A status without
 * a message is reported by its name, such as "interrupted". */
int cli_finish(cla_status status, const cla_error *error);

/* Prints the name of a record or file. Control characters become '?', so that names cannot control the
 * terminal. */
void cli_print_name(FILE *file, const char *name);

/* Prints "clalign: warning: MESSAGE" on stderr. */
void cli_warn(const char *message);

/* Flushes standard output. CLA_ERROR_OUTPUT if output was lost. If the reader has gone (`| head`), the
 * process ends by SIGPIPE. */
cla_status cli_flush_stdout(cla_error *error);

/* Ends the process by SIGPIPE if standard output is a pipe without a reader. */
void cli_end_if_reader_gone(void);

/* SIGINT and SIGTERM. A command starts in the immediate phase, in which a signal ends the process with
 * EXIT_INTERRUPTED. There is nothing to clean up then, and a read from a terminal may never return. In the
 * deferred phase a signal only sets a flag, which the command queries. */

/* Sets the function that removes files when a signal ends the process. It must be async-signal-safe and
 * replaces an earlier one. */
void cli_set_clean_up(void (*what)(void));
void cli_clean_up(void);

/* Installs the handlers, in the immediate phase. Ignores SIGPIPE and SIGXFSZ, so that a lost reader is an
 * error of one write, not the end of a long computation. */
void interrupt_install(void);

/* Never returns while another thread ends the process because of a signal. So failures that the cleaning up
 * causes are not reported. */
void interrupt_wait_for_end(void);

/* From now on a crash, usually of a driver, removes the temporary folder. If virtual memory is limited,
 * crashes are always caught: a message names the limit, and the process ends with EXIT_RESOURCE. */
void interrupt_catch_crashes(void);

/* Repeats interrupt_catch_crashes if it was called: drivers' compilers (LLVM) replace the handlers by their
 * own. */
void interrupt_catch_crashes_again(void);

/* From now on a signal in the immediate phase ends the process with EXIT_RESUMABLE. */
void interrupt_resumable(void);

void interrupt_defer(void);
void interrupt_immediate(void);

/* True if a signal came in the deferred phase. */
bool interrupt_requested(void);

/* Text as wide as the terminal. */

/* Number of columns of the terminal behind a descriptor; `elsewhere` if it is no terminal. */
int terminal_columns(int descriptor, int elsewhere);

/* Writes a number of bytes: "512 bytes", "3.2 MiB", "96 GiB". */
#define CLI_BYTES_SIZE 32
void cli_bytes_text(char text[CLI_BYTES_SIZE], int64_t bytes);

/* A page whose lines are broken at spaces. */
typedef struct wrapped {
  FILE *file;
  int width;  /* columns of the page */
  int indent; /* columns before each line that follows a break */
  int column; /* column behind the last word; 0: the line is empty */
} wrapped;

/* Appends the words of a text to the page. Words are separated by spaces or line ends. */
void wrapped_put(wrapped *page, const char *text);

/* Prints lines, and breaks those that are too wide at spaces. The rest of a broken line is indented by
 * `indent`. */
void wrapped_lines(FILE *file, const char *text, int width, int indent);

/* A driver's text as a JSON string. If the text is not UTF-8, letters beyond ASCII become '?'. NULL if memory
 * is short. */
struct json_t *json_driver_text(const char *text);

/* Makes one text of the command line for the headers of output files, "clalign align ...". Arguments are put
 * in single quotes where needed; tabs and line ends become blanks. The caller frees *out. */
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

/* Prints that no alignment reached the options' minimum score. */
void align_summary_print_none(const cla_align_options *how);

/* Seconds of building kernels from which they are reported; cached kernels take less. */
#define BUILD_SHOWN 0.3

/* Writes the circular record of an alignment with a path as FASTA, rotated so that it begins with the first
 * aligned letter. If the query is aligned on its reverse strand, that strand is written. CLA_ERROR_OUTPUT,
 * CLA_ERROR_OPTION, CLA_ERROR_MEMORY. */
cla_status turned_record_write(const char *path, const cla_alignment *alignment, const cla_sequence *record,
                               cla_circular circular, cla_error *error);

#endif
