#ifndef HOST_CLI_REPORT_REPORT_H
#define HOST_CLI_REPORT_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "clalign/align.h"
#include "clalign/status.h"

/* Ending a command: exit codes, error messages, and flushing standard output. */

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

/* Prints "clalign: MESSAGE" on stderr unless `status` is CLA_OK. Returns the exit code. A status without a
 * message is reported by its name, such as "interrupted". */
int cli_finish(cla_status status, const cla_error *error);

/* Prints the name of a record or file. Control characters become '?', so that names cannot control the
 * terminal. */
void cli_print_name(FILE *file, const char *name);

/* Prints "clalign: warning: MESSAGE" on stderr. */
void cli_warn(const char *message);

/* Flushes standard output. CLA_ERROR_OUTPUT if output was lost. If the reader has ended (`| head`), the
 * process ends by SIGPIPE. */
cla_status cli_flush_stdout(cla_error *error);

/* Ends the process by SIGPIPE if standard output is a pipe without a reader. */
void cli_end_if_reader_gone(void);

/* Handling of SIGINT and SIGTERM. A command starts in the immediate phase, in which a signal ends the process
 * with EXIT_INTERRUPTED. There is nothing to clean up yet, and a read from a terminal may never return. In
 * the deferred phase, a signal only sets a flag, which the command queries. */

/* Sets the function that removes files when a signal ends the process. The function must be
 * async-signal-safe. It replaces a function set earlier. */
void cli_set_clean_up(void (*what)(void));
void cli_clean_up(void);

/* Installs the handlers, in the immediate phase. Ignores SIGPIPE and SIGXFSZ, so that a lost reader is only
 * an error of one write and does not end a long computation. */
void interrupt_install(void);

/* Never returns if another thread is ending the process because of a signal. So failures caused by that
 * thread's cleaning up are not reported. */
void interrupt_wait_for_end(void);

/* Catches crashes, which are usually a driver's, from this call on, and removes the temporary folder. If
 * virtual memory is limited, a message names the limit, and the process ends with EXIT_RESOURCE. */
void interrupt_catch_crashes(void);

/* Repeats interrupt_catch_crashes if it was called before, because the compilers of drivers (LLVM) replace
 * the handlers. */
void interrupt_catch_crashes_again(void);

/* From this call on, a signal in the immediate phase ends the process with EXIT_RESUMABLE. */
void interrupt_resumable(void);

void interrupt_defer(void);
void interrupt_immediate(void);

/* True if a signal came in the deferred phase. */
bool interrupt_requested(void);

/* Returns the seconds of a clock that never goes back. */
double cli_seconds(void);

/* Makes the folder of an option, unless there is one. *made: true if it was made. CLA_ERROR_OUTPUT. */
cla_status cli_folder_make(bool *made, const char *folder, const char *option, cla_error *error);

/* Printing text as wide as the terminal. */

/* Returns the number of columns of the terminal with that descriptor; `elsewhere` if it is no terminal. */
int terminal_columns(int descriptor, int elsewhere);

/* Writes a number of bytes: "512 bytes", "3.2 MiB", "96 GiB". */
#define CLI_BYTES_SIZE 32
void cli_bytes_text(char text[CLI_BYTES_SIZE], int64_t bytes);

/* A page whose lines are broken at spaces. */
typedef struct wrapped {
  FILE *file;
  int width;  /* columns of the page */
  int indent; /* columns of indentation after each break */
  int column; /* column after the last word; 0: the line is empty */
} wrapped;

/* Appends the words of a text to the page. Words are separated by spaces or line breaks. */
void wrapped_put(wrapped *page, const char *text);

/* Prints lines, and breaks those that are too wide at spaces. The rest of a broken line is indented by
 * `indent`. */
void wrapped_lines(FILE *file, const char *text, int width, int indent);

/* Returns a driver's text as a JSON string. If the text is not UTF-8, characters beyond ASCII become '?'.
 * NULL if memory is short. */
struct json_t *json_driver_text(const char *text);

/* More than a program has libraries (cla_components). */
#define CLI_COMPONENTS_MOST 16

/* Returns an object with the version of each library (cla_components), by name. NULL if memory is short. */
struct json_t *json_components(void);

/* Joins a command line for the headers of output files: "clalign align ...". Arguments are put in single
 * quotes where needed; tabs and line breaks become spaces. The caller frees *out. */
cla_status command_line_text(char **out, const char *command, int count, char **arguments, cla_error *error);

/* Prints the summary of `clalign align`, for at least one alignment, to stderr. First comes what is aligned:
 * coordinates (1-based, inclusive); with a path also identity and gaps; score and scoring. Then comes one
 * line per further alignment; and last the computed cells, times, rate and device. `advise`: also prints the
 * text of align_advice. */
cla_status align_summary_print(const cla_results *found, bool advise, cla_error *error);

#define ADVICE_SIZE 320

/* Writes a line that advises better options for long DNA; empty if there is nothing to advise. The reasons
 * are: much of a record is not aligned, long gaps lower the identity a lot, or the other strand is the
 * related one. `counts`: statistics of the first alignment. CLA_ERROR_MEMORY. */
cla_status align_advice(char text[ADVICE_SIZE], const cla_results *found, const cla_statistics *counts,
                        cla_error *error);

/* Prints that no alignment reached the options' minimum score. */
void align_summary_print_none(const cla_align_options *how);

/* Building kernels is reported if it takes at least this many seconds. Loading cached kernels takes less. */
#define BUILD_SHOWN 0.3

/* Writes the circular record of an alignment with a path as FASTA, rotated so that it starts with the first
 * aligned letter. If the query is aligned on its reverse strand, writes that strand. CLA_ERROR_OUTPUT,
 * CLA_ERROR_OPTION, CLA_ERROR_MEMORY. */
cla_status turned_record_write(const char *path, const cla_alignment *alignment, const cla_sequence *record,
                               cla_circular circular, cla_error *error);

#endif
