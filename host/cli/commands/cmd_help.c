/* clalign help. */

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "clalign/version.h"
#include "cli/commands/command.h"
#include "cli/options/align_options.h"
#include "cli/options/device_options.h"
#include "cli/options/options.h"
#include "cli/report/report.h"

/* Man pages, made from the option tables of the commands. */

/* Prints text for roff, so that no line becomes a request and hyphens stay as typed. */
static void put_text(const char *text) {
  bool line_begins = true;
  for (; *text; text++) {
    if (line_begins && (*text == '.' || *text == '\'')) fputs("\\&", stdout);
    if (*text == '\\')
      fputs("\\e", stdout);
    else if (*text == '-')
      fputs("\\-", stdout);
    else
      putchar(*text);
    line_begins = *text == '\n';
  }
}

static void put_upper(const char *text) {
  for (; *text; text++) putchar(toupper((unsigned char)*text));
}

static void put_term(const char *term, const char *text, const char *default_text) {
  fputs(".TP\n.B ", stdout);
  put_text(term);
  putchar('\n');
  put_text(text);
  if (default_text) {
    fputs(" [", stdout);
    put_text(default_text);
    putchar(']');
  }
  putchar('\n');
}

static void put_option(const cli_option *option) {
  if (option->heading) {
    fputs(".SS ", stdout);
    printf("%c", toupper((unsigned char)option->heading[0]));
    put_text(option->heading + 1);
    putchar('\n');
  }
  char names[CLI_NAMES_SIZE], description[CLI_DESCRIPTION_SIZE];
  cli_option_names(names, option);
  fputs(option->letters ? ".TP\n.BR \"" : ".TP\n.BR ", stdout);
  put_text(names);
  if (option->letters) putchar('"');
  if (option->argument) {
    fputs(" \" \\fI", stdout);
    put_text(option->argument);
    fputs("\\fR\"", stdout);
  }
  putchar('\n');
  cli_option_describe(description, option);
  put_text(description);
  if (option->default_text) {
    fputs(" [", stdout);
    put_text(option->default_text);
    putchar(']');
  }
  putchar('\n');
}

static void put_paragraphs(const char *text) {
  for (const char *end; text; text = end ? end + 2 : NULL) {
    char paragraph[1024];
    end = strstr(text, "\n\n");
    snprintf(paragraph, sizeof paragraph, "%.*s", (int)(end ? (size_t)(end - text) : strlen(text)), text);
    puts(".PP");
    put_text(paragraph);
    putchar('\n');
  }
}

static void put_exit_codes(void) {
  puts(".SH EXIT STATUS");
  for (const cli_example *code = cli_exit_codes; code->line; code++) put_term(code->line, code->text, NULL);
}

static void put_head(const char *name, const char *purpose) {
  fputs(".TH \"", stdout);
  put_upper(name);
  printf("\" 1 \"\" \"clalign %s\" \"clalign\"\n.ad l\n.nh\n.SH NAME\n", cla_version());
  put_text(name);
  fputs(" \\- ", stdout);
  put_text(purpose);
  putchar('\n');
}

static void help_man_print(void) {
  put_head("clalign", "exact pairwise alignment of long sequences on OpenCL devices");
  puts(".SH SYNOPSIS\n.B clalign\n.I COMMAND\n[options] ...");
  puts(".SH DESCRIPTION");
  put_paragraphs(
      "clalign computes optimal alignments of two sequences, DNA or proteins, with affine gaps: not an "
      "approximation, at chromosomes' length, in memory linear in the lengths.");
  puts(".SH COMMANDS");
  for (const command *const *entry = commands; *entry; entry++) {
    char term[128];
    snprintf(term, sizeof term, "%s %s", (*entry)->syntax->command, (*entry)->syntax->positionals);
    put_term(term, (*entry)->purpose, NULL);
  }
  put_exit_codes();
  puts(".SH ENVIRONMENT");
  for (const cli_example *name = cli_environment; name->line; name++) put_term(name->line, name->text, NULL);
  puts(".SH SEE ALSO");
  for (const command *const *entry = commands; *entry; entry++)
    printf(".BR clalign\\-%s (1)%s\n", (*entry)->syntax->command, entry[1] ? "," : "");
}

static void help_man_print_command(const command *entry) {
  const cli_syntax *syntax = entry->syntax;
  char name[64];
  snprintf(name, sizeof name, "clalign-%s", entry->syntax->command);
  put_head(name, entry->purpose);
  printf(".SH SYNOPSIS\n.B clalign %s\n", entry->syntax->command);
  if (syntax->options->name) puts("[options]");
  if (syntax->positionals[0]) {
    fputs(".I ", stdout);
    put_text(syntax->positionals);
    putchar('\n');
  }
  puts(".SH DESCRIPTION");
  put_paragraphs(syntax->purpose);
  if (syntax->notes) put_paragraphs(syntax->notes);
  puts(".SH OPTIONS");
  for (const cli_option *option = syntax->options; option->name; option++) put_option(option);
  put_term("--help", "print the help", NULL);
  put_exit_codes();
  if (syntax->examples) puts(".SH EXAMPLES");
  for (const cli_example *example = syntax->examples; example && example->line; example++)
    put_term(example->line, example->text, NULL);
  puts(".SH SEE ALSO\n.BR clalign (1)");
}

static struct {
  const char *shell;
  bool man;
} settings;

static const char *const shells[] = {"bash", "zsh", "fish", NULL};

static cli_option help_options[] = {
    {.name = "man", CLI_FLAG(settings.man), .description = "print the man page, as it is installed"},
    {.name = "completion",
     .argument = "SHELL",
     CLI_TEXT(settings.shell),
     .words = shells,
     .description = "print what completes clalign's command lines in bash, zsh or fish"},
    {.name = NULL},
};

static const cli_example help_examples[] = {
    {"clalign help align", "the options of 'clalign align', with examples"},
    {"clalign help presets", "the presets of --preset, with their values"},
    {"clalign help --man align | man -l -", "the same as a man page"},
    {"source <(clalign help --completion bash)", "completes commands, options and words in this shell"},
    {NULL, NULL},
};

static const cli_syntax help_syntax = {
    .command = "help",
    .positionals = "[COMMAND | presets]",
    .purpose = "Prints the list of commands, the help of one, or the presets of scores.",
    .options = help_options,
    .examples = help_examples,
    .most_positionals = 1,
};

static cla_status print_help(const char *name, cla_error *error) {
  if (name && strcmp(name, "presets") == 0 && !settings.man && !settings.shell)
    return cli_presets_list(error);
  const command *found = name ? command_find(name) : NULL;
  if (name && !found) return command_unknown(name, NULL, error);
  if (settings.shell && (found || settings.man))
    return cli_error(error, CLA_ERROR_OPTION, "--completion is of all commands; leave the rest out");
  if (settings.shell) return help_completion_print(settings.shell, error);
  if (settings.man && found)
    help_man_print_command(found);
  else if (settings.man)
    help_man_print();
  else if (found)
    cli_print_help(found->syntax);
  else
    cli_print_commands();
  return CLA_OK;
}

static cla_status help(command_call *call, cla_error *error) {
  const cla_status status = print_help(call->parsed->count == 1 ? call->parsed->positionals[0] : NULL, error);
  return status == CLA_OK ? cli_flush_stdout(error) : status;
}

const command help_command = {.syntax = &help_syntax, .purpose = "print help", .run = help};
