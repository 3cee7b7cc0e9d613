/* Scripts that complete command lines, made from the option tables of the commands. */

#include "cli/commands/command.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "cli/report/report.h"

/* True if an option's value may be a file or a folder, judged by the name of its argument. */
static bool takes_file(const cli_option *option) {
  return option->argument && (strstr(option->argument, "FILE") || strstr(option->argument, "DIR"));
}

/* Prints each word with a space before it. */
static void put_words(const char *const *words) {
  for (; *words; words++) printf(" %s", *words);
}

/* Prints the possible values of an option, each with a space before it: its words, its hints, and the
 * lower-case words of an argument such as auto|off|FILE. */
static void put_choices(const cli_option *option) {
  if (option->words) put_words(option->words);
  if (option->hints) put_words(option->hints());
  for (const char *part = option->argument; part && *part; part += strspn(part, "|")) {
    const size_t length = strcspn(part, "|");
    if (strspn(part, "abcdefghijklmnopqrstuvwxyz") == length) printf(" %.*s", (int)length, part);
    part += length;
  }
}

/* Prints text for use inside a shell's single quotes. Characters in `escaped`, such as brackets and colons
 * for zsh, get a backslash. */
static void put_quoted(const char *text, const char *escaped) {
  for (; *text; text++) {
    if (*text == '\'')
      fputs("'\\''", stdout);
    else if (*text == '\n')
      putchar(' ');
    else if (strchr(escaped, *text))
      printf("\\%c", *text);
    else
      putchar(*text);
  }
}

static void put_description(const cli_option *option, const char *escaped) {
  char text[CLI_DESCRIPTION_SIZE];
  cli_option_describe(text, option);
  put_quoted(text, escaped);
}

static void put_commands(void) {
  for (const command *const *entry = commands; *entry; entry++) printf(" %s", (*entry)->syntax->command);
}

/* Prints the part of the bash script that completes the values of options. */
static void put_bash_values(void) {
  puts("  case \"$command $before\" in");
  for (const command *const *entry = commands; *entry; entry++)
    for (const cli_option *option = (*entry)->syntax->options; option->name; option++) {
      if (!option->argument) continue;
      printf("    ");
      for (const char *letter = option->letters; letter && *letter; letter++)
        printf("\"%s -%c\" | ", (*entry)->syntax->command, *letter);
      printf("\"%s --%s\") mapfile -t COMPREPLY < <(compgen%s -W \"", (*entry)->syntax->command, option->name,
             takes_file(option) ? " -f" : "");
      put_choices(option);
      puts("\" -- \"$word\"); return ;;");
    }
  puts("  esac");
}

static void put_bash(void) {
  /* Bash splits "--format=json" into three words, with "=" as one of them. */
  puts(
      "# bash completion of clalign; made by 'clalign help --completion bash'.\n"
      "_clalign() {\n"
      "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]}\n"
      "  COMPREPLY=()\n"
      "  if [ \"$word\" = = ]; then\n    word=\n"
      "  elif [ \"$before\" = = ] && [ \"$COMP_CWORD\" -gt 2 ]; then\n"
      "    before=${COMP_WORDS[COMP_CWORD - 2]}\n  fi\n"
      "  if [ \"$COMP_CWORD\" -eq 1 ]; then");
  fputs("    mapfile -t COMPREPLY < <(compgen -W \"", stdout);
  put_commands();
  puts("\" -- \"$word\")\n    return\n  fi");
  put_bash_values();
  puts("  if [[ $word == -* ]]; then\n    case $command in");
  for (const command *const *entry = commands; *entry; entry++) {
    printf("      %s) mapfile -t COMPREPLY < <(compgen -W \"", (*entry)->syntax->command);
    for (const cli_option *option = (*entry)->syntax->options; option->name; option++)
      printf("--%s ", option->name);
    puts("--help\" -- \"$word\") ;;");
  }
  puts("    esac\n    return\n  fi\n  if [ \"$command\" = help ]; then");
  fputs("    mapfile -t COMPREPLY < <(compgen -W \"", stdout);
  put_commands();
  puts(
      " presets\" -- \"$word\")\n    return\n  fi\n  mapfile -t COMPREPLY < <(compgen -f -- \"$word\")\n}\n"
      "complete -o filenames -F _clalign clalign");
}

/* Prints an option for zsh by one of its names, such as "--output=" or "-o+". The character `mark` allows the
 * value to follow directly or as the next word. */
static void put_zsh_name(const cli_option *option, const char *name, const char *mark) {
  printf(" \\\n          '%s%s%s[", option->repeatable ? "*" : "", name, option->argument ? mark : "");
  put_description(option, "[]");
  putchar(']');
  if (option->argument) {
    putchar(':');
    put_quoted(option->argument, ":");
    fputs(takes_file(option) ? ":{_clalign_words_or_files" : ":(", stdout);
    put_choices(option);
    putchar(takes_file(option) ? '}' : ')');
  }
  putchar('\'');
}

static void put_zsh_option(const cli_option *option) {
  char name[CLI_NAMES_SIZE];
  snprintf(name, sizeof name, "--%s", option->name);
  put_zsh_name(option, name, "=");
  for (const char *letter = option->letters; letter && *letter; letter++) {
    snprintf(name, sizeof name, "-%c", *letter);
    put_zsh_name(option, name, "+");
  }
}

static void put_zsh(void) {
  puts(
      "#compdef clalign\n# zsh completion of clalign; made by 'clalign help --completion zsh'.\n"
      "_clalign_words_or_files() {\n  compadd -- \"$@\"\n  _files\n}\n"
      "_clalign() {\n  local context state line\n  local -a commands\n  commands=(");
  for (const command *const *entry = commands; *entry; entry++) {
    printf("    '%s:", (*entry)->syntax->command);
    put_quoted((*entry)->purpose, "");
    puts("'");
  }
  puts(
      "  )\n  _arguments -C '1: :->command' '*:: :->arguments'\n  case $state in\n"
      "    command) _describe command commands ;;\n    arguments)\n      case $words[1] in");
  for (const command *const *entry = commands; *entry; entry++) {
    printf("        %s) _arguments", (*entry)->syntax->command);
    for (const cli_option *option = (*entry)->syntax->options; option->name; option++) put_zsh_option(option);
    printf(" \\\n          '--help[print the help]' '*:%s:%s' ;;\n",
           strcmp((*entry)->syntax->command, "help") == 0 ? "command" : "file",
           strcmp((*entry)->syntax->command, "help") == 0 ? "{_describe command commands}" : "_files");
  }
  /* As a file of $fpath, the script is the function's body. If sourced, it registers the function. */
  puts(
      "      esac ;;\n  esac\n}\n"
      "if [ \"$funcstack[1]\" = _clalign ]; then\n  _clalign \"$@\"\nelse\n  compdef _clalign clalign\nfi");
}

static void put_fish(void) {
  puts("# fish completion of clalign; made by 'clalign help --completion fish'.");
  for (const command *const *entry = commands; *entry; entry++) {
    printf("complete -c clalign -n __fish_use_subcommand -f -a %s -d '", (*entry)->syntax->command);
    put_quoted((*entry)->purpose, "");
    puts("'");
    for (const cli_option *option = (*entry)->syntax->options; option->name; option++) {
      printf("complete -c clalign -n '__fish_seen_subcommand_from %s' -l %s", (*entry)->syntax->command,
             option->name);
      for (const char *letter = option->letters; letter && *letter; letter++) printf(" -s %c", *letter);
      if (option->argument) {
        fputs(takes_file(option) ? " -r -a '" : " -x -a '", stdout);
        put_choices(option);
        putchar('\'');
      }
      fputs(" -d '", stdout);
      put_description(option, "");
      puts("'");
    }
    printf("complete -c clalign -n '__fish_seen_subcommand_from %s' -l help -d 'print the help'\n",
           (*entry)->syntax->command);
  }
}

cla_status help_completion_print(const char *shell, cla_error *error) {
  static const struct {
    const char *name;
    void (*put)(void);
  } shells[] = {{"bash", put_bash}, {"zsh", put_zsh}, {"fish", put_fish}};
  for (size_t i = 0; i < sizeof shells / sizeof shells[0]; i++) {
    if (strcmp(shell, shells[i].name) != 0) continue;
    shells[i].put();
    return CLA_OK;
  }
  return cli_error(error, CLA_ERROR_OPTION, "--completion takes bash, zsh or fish, not '%s'", shell);
}
