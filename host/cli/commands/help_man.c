/* Man pages from the commands' tables. */

#include "cli/commands/help_man.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "clalign/version.h"
#include "cli/options/help.h"

/* Text as roff takes it: no line of it is a request, and a hyphen is the one that is typed. */
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
  fputs(".TP\n.BR \\-\\-", stdout);
  put_text(option->name);
  if (option->argument) {
    fputs(" \" \\fI", stdout);
    put_text(option->argument);
    fputs("\\fR\"", stdout);
  }
  putchar('\n');
  put_text(option->description);
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

void help_man_print(void) {
  put_head("clalign", "exact pairwise alignment of long sequences on OpenCL devices");
  puts(".SH SYNOPSIS\n.B clalign\n.I COMMAND\n[options] ...");
  puts(".SH DESCRIPTION");
  put_paragraphs(
      "clalign computes optimal alignments of two sequences, DNA or proteins, with affine gaps: not an "
      "approximation, at chromosomes' length, in memory linear in the lengths.");
  puts(".SH COMMANDS");
  for (const command *entry = commands; entry->name; entry++) {
    char term[128];
    snprintf(term, sizeof term, "%s %s", entry->name, entry->syntax->positionals);
    put_term(term, entry->purpose, NULL);
  }
  put_exit_codes();
  puts(".SH ENVIRONMENT");
  for (const cli_example *name = cli_environment; name->line; name++) put_term(name->line, name->text, NULL);
  puts(".SH SEE ALSO");
  for (const command *entry = commands; entry->name; entry++)
    printf(".BR clalign\\-%s (1)%s\n", entry->name, entry[1].name ? "," : "");
}

void help_man_print_command(const command *entry) {
  const cli_syntax *syntax = entry->syntax;
  char name[64];
  snprintf(name, sizeof name, "clalign-%s", entry->name);
  put_head(name, entry->purpose);
  printf(".SH SYNOPSIS\n.B clalign %s\n", entry->name);
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
