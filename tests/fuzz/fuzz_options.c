/* The command line. The first byte chooses a command, the table of all options of scores and resources, or
 * the arguments that a run directory keeps. The rest is arguments, one a line. */

#include <sanitizer/asan_interface.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands/command.h"
#include "cli/options/align_options.h"
#include "fuzz.h"
#include "plan/plan_internal.h"

#define MOST_ARGUMENTS 64
#define MOST_VARIABLES 256

static cli_align_settings settings;

static cli_option shared_options[] = {CLI_SCORING_OPTIONS(settings),
                                      CLI_STRAND_OPTION(settings.align.strand),
                                      CLI_GAP_PLACEMENT_OPTION(settings.align.gap_placement),
                                      CLI_RESOURCE_OPTIONS(settings),
                                      {.name = NULL}};

static const cli_syntax shared_syntax = {
    .command = "align", .positionals = "QUERY TARGET", .options = shared_options, .most_positionals = 2};

/* What parsing changes: the tables, and the variables that options are stored in. They are as they were at
 * the start before each input. */
typedef struct variable {
  void *at, *before;
  size_t size;
} variable;

static variable variables[MOST_VARIABLES];
static int variable_count;

/* The whole variable in which `part` lies: AddressSanitizer knows where it begins and ends. */
static void remember(void *part) {
  void *begin = NULL;
  size_t size = 0;
  char name[64];
  for (int i = 0; i < variable_count; i++)
    if ((char *)part >= (char *)variables[i].at && (char *)part < (char *)variables[i].at + variables[i].size)
      return;
  const char *where = __asan_locate_address(part, name, sizeof name, &begin, &size);
  fuzz_demand(where && strcmp(where, "global") == 0 && begin && size > 0,
              "an option is stored in no variable");
  fuzz_demand(variable_count < MOST_VARIABLES, "there are too many variables");
  void *before = fuzz_allocate(size);
  memcpy(before, begin, size);
  variables[variable_count++] = (variable){.at = begin, .before = before, .size = size};
}

static void remember_syntax(const cli_syntax *syntax) {
  remember(syntax->options);
  for (const cli_option *option = syntax->options; option->name; option++)
    if (option->destination) remember(option->destination);
}

static int count_commands(void) {
  int count = 0;
  while (commands[count]) count++;
  return count;
}

static void restore(void) {
  if (variable_count == 0) {
    cli_align_settings_init(&settings);
    remember_syntax(&shared_syntax);
    for (int i = 0; commands[i]; i++) {
      if (commands[i]->begin) commands[i]->begin();
      remember_syntax(commands[i]->syntax);
    }
  }
  for (int i = 0; i < variable_count; i++) memcpy(variables[i].at, variables[i].before, variables[i].size);
}

/* Splits at line ends. */
static int split(char *arguments[MOST_ARGUMENTS], char *text) {
  int count = 0;
  for (char *rest = text; rest && count < MOST_ARGUMENTS;) arguments[count++] = strsep(&rest, "\n");
  return count;
}

/* What the options mean together: a scheme that can be used, and a kernel's settings. Files are not opened.
 */
static void settle(void) {
  cla_error error = {.message = ""};
  kernel_settings of_kernel;
  const char *matrix = settings.scoring.matrix;
  if (matrix && strchr(matrix, '/')) return;
  if (!fuzz_told(cli_align_settings_settle(&settings, shared_options, &error), &error)) return;
  const cla_alphabet alphabet = settings.scoring.known ? settings.scoring.alphabet : CLA_ALPHABET_DNA;
  cla_scoring *scoring = &settings.align.scoring;
  if (fuzz_told(cli_scoring_finish(&settings.scoring, scoring, alphabet, shared_options, &error), &error))
    fuzz_demand(fuzz_told(cla_scoring_check(scoring, &error), &error),
                "the options made a scheme that cannot be used");
  (void)fuzz_told(kernel_settings_parse(&of_kernel, settings.align.kernel.settings, &error), &error);
}

static void parse(const cli_syntax *syntax, int count, char **arguments) {
  cla_error error = {.message = ""};
  cli_arguments parsed;
  static const char *const none[] = {NULL};
  const run_arguments all = {.items = arguments, .count = count};
  run_arguments again = {0};
  if (!fuzz_told(cli_parse_arguments(&parsed, syntax, count, arguments, &error), &error) || parsed.help)
    return;
  fuzz_demand(parsed.count >= syntax->least_positionals && parsed.count <= syntax->most_positionals,
              "a command got too few or too many arguments");
  for (int i = 0; i < parsed.count; i++) fuzz_demand(*parsed.positionals[i] != '\0', "an argument is empty");
  if (syntax == &shared_syntax) settle();
  if (fuzz_told(run_arguments_add(&again, syntax, &all, true, none, &error), &error))
    fuzz_demand(again.count >= parsed.count, "a run forgets an argument");
  run_arguments_free(&again);
}

/* The text that a run directory keeps. */
static void read_kept(const char *text) {
  cla_error error = {.message = ""};
  run_arguments kept;
  if (fuzz_told(run_arguments_read(&kept, text, &error), &error))
    parse(align_command.syntax, kept.count, kept.items);
  run_arguments_free(&kept);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
  fuzz_input input = {.at = bytes, .left = count};
  cla_error error = {.message = ""};
  char *arguments[MOST_ARGUMENTS];
  restore();
  const int known = count_commands(), choice = fuzz_byte(&input) % (known + 3);
  char *text = fuzz_text(&input, input.left);
  if (choice < known)
    parse(commands[choice]->syntax, split(arguments, text), arguments);
  else if (choice == known)
    parse(&shared_syntax, split(arguments, text), arguments);
  else if (choice == known + 1)
    read_kept(text);
  else if (!command_find(text))
    (void)fuzz_told(command_unknown(text, NULL, &error), &error);
  free(text);
  return 0;
}
