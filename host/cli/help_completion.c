/* Completions of command lines, from the commands' tables. */

#include "cli/help_completion.h"

#include <stdio.h>
#include <string.h>

#include "cli/cli_report.h"
#include "cli/command.h"

static void put_words(const char *const *words) {
  for (; *words; words++) printf(" %s", *words);
}

/* Within single quotes of a shell. The text holds none, but shells and the reader of the text may differ on
 * brackets and colons, which zsh gives a meaning. */
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

static void put_bash(void) {
  puts(
      "# bash completion of clalign; made by 'clalign help --completion bash'.\n"
      "_clalign() {\n"
      "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]}\n"
      "  COMPREPLY=()\n"
      "  if [ \"$COMP_CWORD\" -eq 1 ]; then");
  fputs("    mapfile -t COMPREPLY < <(compgen -W \"", stdout);
  for (const command *entry = commands; entry->name; entry++) printf("%s ", entry->name);
  puts("\" -- \"$word\")\n    return\n  fi\n  case \"$command $before\" in");
  for (const command *entry = commands; entry->name; entry++)
    for (const cli_option *option = entry->syntax->options; option->name; option++) {
      if (!option->words) continue;
      printf("    \"%s --%s\")\n      mapfile -t COMPREPLY < <(compgen -W \"", entry->name, option->name);
      put_words(option->words);
      puts("\" -- \"$word\")\n      return ;;");
    }
  puts("  esac\n  if [[ $word == -* ]]; then\n    case $command in");
  for (const command *entry = commands; entry->name; entry++) {
    printf("      %s) mapfile -t COMPREPLY < <(compgen -W \"", entry->name);
    for (const cli_option *option = entry->syntax->options; option->name; option++)
      printf("--%s ", option->name);
    puts("--help\" -- \"$word\") ;;");
  }
  puts("    esac\n    return\n  fi\n  if [ \"$command\" = help ]; then");
  fputs("    mapfile -t COMPREPLY < <(compgen -W \"", stdout);
  for (const command *entry = commands; entry->name; entry++) printf("%s ", entry->name);
  puts(
      "\" -- \"$word\")\n    return\n  fi\n  mapfile -t COMPREPLY < <(compgen -f -- \"$word\")\n}\n"
      "complete -o filenames -F _clalign clalign");
}

static void put_zsh(void) {
  puts(
      "#compdef clalign\n# zsh completion of clalign; made by 'clalign help --completion zsh'.\n"
      "_clalign() {\n  local context state line\n  local -a commands\n  commands=(");
  for (const command *entry = commands; entry->name; entry++) {
    printf("    '%s:", entry->name);
    put_quoted(entry->purpose, "");
    puts("'");
  }
  puts(
      "  )\n  _arguments -C '1: :->command' '*:: :->arguments'\n  case $state in\n"
      "    command) _describe command commands ;;\n    arguments)\n      case $words[1] in");
  for (const command *entry = commands; entry->name; entry++) {
    printf("        %s) _arguments", entry->name);
    for (const cli_option *option = entry->syntax->options; option->name; option++) {
      printf(" \\\n          '%s--%s[", option->repeatable ? "*" : "", option->name);
      put_quoted(option->description, "[]");
      fputs("]", stdout);
      if (option->argument) {
        printf(":%s:", option->argument);
        if (option->words) {
          putchar('(');
          put_words(option->words);
          putchar(')');
        } else {
          fputs("_files", stdout);
        }
      }
      putchar('\'');
    }
    printf(" \\\n          '--help[print the help]' '*:%s:%s' ;;\n",
           strcmp(entry->name, "help") == 0 ? "command" : "file",
           strcmp(entry->name, "help") == 0 ? "{_describe command commands}" : "_files");
  }
  puts("      esac ;;\n  esac\n}\n_clalign \"$@\"");
}

static void put_fish(void) {
  puts("# fish completion of clalign; made by 'clalign help --completion fish'.");
  for (const command *entry = commands; entry->name; entry++) {
    printf("complete -c clalign -n __fish_use_subcommand -f -a %s -d '", entry->name);
    put_quoted(entry->purpose, "");
    puts("'");
    for (const cli_option *option = entry->syntax->options; option->name; option++) {
      printf("complete -c clalign -n '__fish_seen_subcommand_from %s' -l %s", entry->name, option->name);
      if (option->argument) fputs(" -r", stdout);
      if (option->words) {
        fputs(" -f -a '", stdout);
        put_words(option->words);
        putchar('\'');
      }
      fputs(" -d '", stdout);
      put_quoted(option->description, "");
      puts("'");
    }
    printf("complete -c clalign -n '__fish_seen_subcommand_from %s' -l help -d 'print the help'\n",
           entry->name);
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
