#include <ctype.h>
#include <errno.h>
#include <jansson.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cli/report/report.h"

#include "clalign/version.h"

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

double cli_seconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

cla_status cli_folder_make(bool *made, const char *folder, const char *option, cla_error *error) {
  struct stat facts;
  *made = mkdir(folder, 0777) == 0;
  if (*made) return CLA_OK;
  const int problem = errno;
  if (stat(folder, &facts) == 0 && S_ISDIR(facts.st_mode)) return CLA_OK;
  return cli_error(error, CLA_ERROR_OUTPUT, "cannot make the folder %.1024s of --%s: %s; give another",
                   folder, option, strerror(problem));
}

static int cli_exit_code(cla_status status) {
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

/* Prints a message as one line. `keep_lines` keeps its line breaks, for the log of a failed kernel build. */
static void print_line(const char *kind, const char *message, bool keep_lines) {
  fprintf(stderr, "clalign: %s", kind);
  print_text(stderr, message, keep_lines);
  fputc('\n', stderr);
}

/* Prints an error about memory. If `limit` is set, freeing memory does not help, so the text about the limit
 * replaces the remedy. */
static void print_out_of_memory(const char *message, const char *limit) {
  char line[sizeof((cla_error *)0)->message];
  snprintf(line, sizeof line, "%.*s; %s", (int)strcspn(message, ";"), message, limit);
  print_line("", line, false);
}

int cli_finish(cla_status status, const cla_error *error) {
  static const char out_of_memory[] = "out of memory";
  char limit[CLI_LIMIT_SIZE];
  interrupt_wait_for_end();
  /* After a signal, a driver's compiler removes its files and then fails. */
  if (status == CLA_ERROR_DEVICE && interrupt_requested())
    return cli_finish(CLA_ERROR_INTERRUPTED, &(cla_error){.status = CLA_ERROR_INTERRUPTED});
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
  cli_clean_up();
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

void cli_bytes_text(char text[CLI_BYTES_SIZE], int64_t bytes) {
  static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB"};
  double value = (double)bytes;
  size_t unit = 0;
  for (; value >= 1000 && unit + 1 < sizeof units / sizeof units[0]; unit++) value /= 1024;
  snprintf(text, CLI_BYTES_SIZE, "%.3g %s", value, units[unit]);
}

int terminal_columns(int descriptor, int elsewhere) {
  struct winsize size;
  return isatty(descriptor) && ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col
                                                                                            : elsewhere;
}

static void put_word(wrapped *page, const char *word, size_t length) {
  bool begins = page->column <= page->indent;
  if (!begins && page->column + 1 + (int)length > page->width) {
    fputc('\n', page->file);
    page->column = 0;
    begins = true;
  }
  if (page->column < page->indent) {
    fprintf(page->file, "%*s", page->indent - page->column, "");
    page->column = page->indent;
  } else if (!begins) {
    fputc(' ', page->file);
    page->column++;
  }
  fprintf(page->file, "%.*s", (int)length, word);
  page->column += (int)length;
}

void wrapped_put(wrapped *page, const char *text) {
  for (text += strspn(text, " \n"); *text; text += strspn(text, " \n")) {
    const size_t length = strcspn(text, " \n");
    put_word(page, text, length);
    text += length;
  }
}

/* Returns where to break a line of `length` bytes: at its last space within the width or, without one, at
 * its first space; but not before `least`. */
static size_t break_of(const char *line, size_t length, size_t least, size_t width) {
  if (length <= width) return length;
  size_t at = width;
  while (at > least && line[at] != ' ') at--;
  if (at > least) return at;
  at = least + strcspn(line + least, " ");
  return at < length ? at : length;
}

void wrapped_lines(FILE *file, const char *text, int width, int indent) {
  if (width <= indent) width = indent + 1;
  for (const char *line = text; *line;) {
    size_t length = strcspn(line, "\n");
    const char *next = line + length + (line[length] == '\n');
    /* The first break must come after the label. */
    size_t end = break_of(line, length, (size_t)indent < length ? (size_t)indent : length, (size_t)width);
    fprintf(file, "%.*s\n", (int)end, line);
    for (line += end, length -= end; length > 0; line += end, length -= end) {
      const size_t spaces = strspn(line, " ");
      line += spaces;
      length -= spaces;
      end = break_of(line, length, 0, (size_t)(width - indent));
      if (end > 0) fprintf(file, "%*s%.*s\n", indent, "", (int)end, line);
      if (end == 0) break;
    }
    line = next;
  }
}

json_t *json_driver_text(const char *text) {
  json_t *value = json_string(text);
  if (value) return value;
  char plain[256];
  size_t length = 0;
  for (; text[length] && length < sizeof plain - 1; length++)
    plain[length] = (unsigned char)text[length] < 128 ? text[length] : '?';
  return json_stringn(plain, length);
}

json_t *json_components(void) {
  cla_component components[CLI_COMPONENTS_MOST];
  const int all = cla_components(components, CLI_COMPONENTS_MOST);
  json_t *object = json_object();
  for (int i = 0; i < all && i < CLI_COMPONENTS_MOST; i++)
    if (json_object_set_new(object, components[i].name, json_driver_text(components[i].version)) != 0) {
      json_decref(object);
      return NULL;
    }
  return object;
}

static bool is_plain(const char *argument) {
  for (const char *letter = argument; *letter; letter++)
    if (!isalnum((unsigned char)*letter) && !strchr("_-+=./:,@%", *letter)) return false;
  return *argument != '\0';
}

/* Appends one argument, quoted for a shell, and returns the end. A single quote becomes '\''. */
static char *append(char *at, const char *argument) {
  bool quoted = !is_plain(argument);
  *at++ = ' ';
  if (quoted) *at++ = '\'';
  for (const char *letter = argument; *letter; letter++) {
    if (*letter == '\'') at = stpcpy(at, "'\\'");
    *at++ = iscntrl((unsigned char)*letter) ? ' ' : *letter;
  }
  if (quoted) *at++ = '\'';
  return at;
}

cla_status command_line_text(char **out, const char *command, int count, char **arguments, cla_error *error) {
  size_t size = strlen("clalign ") + strlen(command) + 1;
  for (int i = 0; i < count; i++) size += 4 * strlen(arguments[i]) + 3;
  *out = malloc(size);
  if (!*out)
    return cli_error(error, CLA_ERROR_MEMORY, "out of memory for the command line; free some memory");
  char *at = stpcpy(stpcpy(*out, "clalign "), command);
  for (int i = 0; i < count; i++) at = append(at, arguments[i]);
  *at = '\0';
  return CLA_OK;
}
