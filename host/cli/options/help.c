/* Prints help on the terminal from the option tables of the commands. */

#include "cli/options/options.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/commands/command.h"
#include "cli/report/report.h"

#define COLUMNS_ELSEWHERE 80 /* width if the output is not a terminal */
#define COLUMNS_MOST 100
#define COLUMNS_LEAST 30
#define OPTION_COLUMN 28 /* column in which descriptions start */
#define NARROW_COLUMNS 64
#define NARROW_COLUMN 6 /* column of descriptions on a narrow terminal, below the name */

const cli_example cli_exit_codes[] = {
    {"0", "a result"},
    {"1", "unknown command or option, or an option's value, scores included"},
    {"2", "input file, record, range or content"},
    {"3", "device, memory, disk or output"},
    {"4", "interrupted with --run-dir, or tuning that was stopped: the same goes on later"},
    {"5", "verification failed: an alignment does not fit its sequences"},
    {"130", "interrupted without --run-dir; no unfinished file is left behind"},
    {NULL, NULL},
};

const cli_example cli_environment[] = {
    {"CLALIGN_CL_PATH", "a folder of kernel files to use instead of the built-in ones"},
    {"CLALIGN_TUNING_PATH", "a folder of tuning records instead of those that come with clalign"},
    {"CLALIGN_SYS_PATH", "a folder instead of /sys for 'clalign bench' to find counters of energy"},
    {"XDG_CACHE_HOME", "where the folder clalign of compiled kernels lies; ~/.cache if it is not set"},
    {"XDG_CONFIG_HOME", "where the folder clalign of the user's tuning records lies; ~/.config if not set"},
    {NULL, NULL},
};

static int help_columns(void) {
  const int columns = terminal_columns(STDOUT_FILENO, COLUMNS_ELSEWHERE);
  if (columns > COLUMNS_MOST) return COLUMNS_MOST;
  return columns < COLUMNS_LEAST ? COLUMNS_LEAST : columns;
}

/* Prints a term in the left column and its meaning in the right one. */
static void put_term(int width, int indent, int right, const char *term, const char *text,
                     const char *default_text) {
  int column = printf("%*s%s", indent, "", term);
  if (width < NARROW_COLUMNS) right = NARROW_COLUMN;
  if (column + 2 > right) {
    putchar('\n');
    column = 0;
  }
  wrapped page = {.file = stdout, .width = width, .indent = right, .column = column};
  wrapped_put(&page, text);
  if (default_text) {
    char shown[256];
    snprintf(shown, sizeof shown, "[%s]", default_text);
    wrapped_put(&page, shown);
  }
  putchar('\n');
}

static void put_paragraph(int width, const char *text) {
  wrapped page = {.file = stdout, .width = width};
  wrapped_put(&page, text);
  putchar('\n');
}

static void put_option(const cli_option *option, int width) {
  char term[128], names[CLI_NAMES_SIZE], description[CLI_DESCRIPTION_SIZE];
  cli_option_names(names, option);
  cli_option_describe(description, option);
  snprintf(term, sizeof term, "%s%s%s%s", names,
           option->alone      ? "[="
           : option->argument ? " "
                              : "",
           option->argument ? option->argument : "", option->alone ? "]" : "");
  put_term(width, 2, OPTION_COLUMN, term, description, option->default_text);
}

void cli_print_help(const cli_syntax *syntax) {
  const int width = help_columns();
  printf("usage: clalign %s%s%s%s\n\n", syntax->command, syntax->options->name ? " [options]" : "",
         syntax->positionals[0] ? " " : "", syntax->positionals);
  put_paragraph(width, syntax->purpose);
  if (!syntax->options->heading) puts("\noptions:");
  for (const cli_option *option = syntax->options; option->name; option++) {
    if (option->heading) printf("\n%s:\n", option->heading);
    put_option(option, width);
  }
  put_term(width, 2, OPTION_COLUMN, "--help", "print this help", NULL);
  for (const char *note = syntax->notes, *end; note; note = end ? end + 2 : NULL) {
    char paragraph[1024];
    end = strstr(note, "\n\n");
    snprintf(paragraph, sizeof paragraph, "%.*s", (int)(end ? (size_t)(end - note) : strlen(note)), note);
    putchar('\n');
    put_paragraph(width, paragraph);
  }
  if (!syntax->examples) return;
  puts("\nexamples:");
  for (const cli_example *example = syntax->examples; example->line; example++) {
    printf("  %s\n", example->line);
    wrapped page = {.file = stdout, .width = width, .indent = NARROW_COLUMN};
    wrapped_put(&page, example->text);
    putchar('\n');
  }
}

bool cli_begin(cli_arguments *parsed, const cli_syntax *syntax, int count, char **arguments, int *code) {
  cla_error error = {.status = CLA_OK};
  cla_status status = cli_parse_arguments(parsed, syntax, count, arguments, &error);
  if (status == CLA_OK && !parsed->help) return true;
  if (status == CLA_OK) {
    cli_print_help(syntax);
    status = cli_flush_stdout(&error);
  }
  *code = cli_finish(status, &error);
  return false;
}

void cli_print_commands(void) {
  const int width = help_columns();
  put_paragraph(width, "clalign aligns two long sequences exactly, DNA or proteins, on any OpenCL device.");
  puts("\nusage: clalign COMMAND [options] ...\n\ncommands:");
  for (const command *const *entry = commands; *entry; entry++) {
    char term[64];
    const bool room = (*entry)->syntax->positionals[0] != 0;
    snprintf(term, sizeof term, "%-8s%s%s", (*entry)->syntax->command, room ? " " : "",
             (*entry)->syntax->positionals);
    put_term(width, 2, 36, term, (*entry)->purpose, NULL);
  }
  puts("\nexit codes:");
  for (const cli_example *code = cli_exit_codes; code->line; code++)
    put_term(width, 2, NARROW_COLUMN + 2, code->line, code->text, NULL);
  putchar('\n');
  put_paragraph(width, "'clalign help COMMAND' prints a command's options and examples. Try:");
  puts("  clalign align query.fa target.fa");
}
