/* clalign resume: continues a run from its run directory. */

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clalign/batch_directory.h"
#include "clalign/run_directory.h"
#include "cli/commands/command.h"
#include "cli/options/align_options.h"
#include "cli/options/device_options.h"
#include "cli/options/options.h"
#include "cli/report/outputs.h"
#include "cli/report/report.h"

/* The options are parsed here only to check them; they are parsed again together with those of the first
 * run. */
typedef struct resume_settings {
  cli_align_settings how;
  cli_outputs outputs;
  cli_lower_bound lower_bound;
  bool explain, quiet;
} resume_settings;

static resume_settings settings;

/* clang-format off */
static cli_option options[] = {
    CLI_OUTPUT_OPTIONS(settings.outputs, NULL, output_certified_format_names, "; may be repeated", "as the run began", NULL),
    CLI_SAVE_OPTIONS(settings.outputs),
    CLI_PLOT_OPTIONS(settings.outputs.plot),
    {.name = "lower-bound", .argument = "auto|off|FILE", .parse = cli_parse_lower_bound,
     .destination = &settings.lower_bound,
     .description = "as for 'clalign align'; a score that was claimed stays the run's"},
    CLI_RESOURCES_OPTIONS(settings.how),
    {.name = "disk", CLI_SIZE(settings.how.align.budgets.disk_bytes),
     .description = "budget of disk for DIR", .default_text = "half of what is free"},
    {.name = "explain", .letters = "v", CLI_FLAG(settings.explain), .description = "print the plan on stderr before the run"},
    {.name = "quiet", .letters = "q", CLI_FLAG(settings.quiet), .description = "no progress and no summary on stderr"},
    {.name = NULL},
};
/* clang-format on */

static const cli_example examples[] = {
    {"clalign resume run", "goes on in the folder of 'clalign align --run-dir run'"},
    {"clalign resume --device 1 run", "likewise, on another device"},
    {NULL, NULL},
};

static const cli_syntax resume_syntax = {
    .command = "resume",
    .positionals = "DIR",
    .purpose =
        "Goes on with what 'clalign align --run-dir DIR', 'batch --run-dir DIR' or 'fill --run-dir DIR' "
        "began, "
        "and ends with the same result.",
    .notes =
        "Options that are given take the place of the first run's; an output, of all its outputs. A run "
        "that\n"
        "is finished writes its result again.",
    .examples = examples,
    .options = options,
    .least_positionals = 1,
    .most_positionals = 1,
};

/* Names of the first run's options that are replaced by options of this command line. */
static const char *given[sizeof options / sizeof options[0] + 1];

static void list_given(void) {
  int count = 0;
  bool outputs = false;
  for (const cli_option *option = options; option->name; option++) {
    if (option->given) given[count++] = option->name;
    if (option->given && option->destination == &settings.outputs) outputs = true;
  }
  if (settings.outputs.save || settings.outputs.plot.count > 0) outputs = true;
  const char *all[] = {"format",    "output",     "save",      "save-work", "plot",     "plot-region",
                       "plot-work", "plot-title", "plot-size", "plot-dpi",  "plot-dark"};
  for (size_t i = 0; outputs && i < sizeof all / sizeof all[0]; i++)
    if (!cli_option_given(options, all[i])) given[count++] = all[i];
  given[count++] = "run-dir";
  given[count] = NULL;
}

/* Changes to the first run's working folder, because that run's paths are relative to it. Makes the paths of
 * this command line absolute first. */
static cla_status change_folder(const char *folder, cla_error *error) {
  char here[PATH_MAX];
  if (getcwd(here, sizeof here) && strcmp(here, folder) == 0) return CLA_OK;
  for (int i = 0; i < settings.outputs.count; i++)
    if (settings.outputs.items[i].path && settings.outputs.items[i].path[0] != '/')
      return cli_error(error, CLA_ERROR_OPTION, "--output %s: the run began in %.1024s; give a path from /",
                       settings.outputs.items[i].path, folder);
  if (settings.outputs.save && settings.outputs.save[0] != '/')
    return cli_error(error, CLA_ERROR_OPTION, "--save %s: the run began in %.1024s; give a path from /",
                     settings.outputs.save, folder);
  for (int i = 0; i < settings.outputs.plot.count; i++)
    if (settings.outputs.plot.paths[i][0] != '/')
      return cli_error(error, CLA_ERROR_OPTION, "--plot %s: the run began in %.1024s; give a path from /",
                       settings.outputs.plot.paths[i], folder);
  if (chdir(folder) != 0)
    return cli_error(
        error, CLA_ERROR_INPUT,
        "the folder %.1024s, in which the run began, is gone; restore it for the names of its files", folder);
  return CLA_OK;
}

/* Joins the arguments of the first run with those of this command line (`again`), for the command whose
 * syntax is `syntax`. */
static cla_status join(run_arguments *all, const run_arguments *first, const cli_syntax *syntax,
                       const char *folder, const run_arguments *again, cla_error *error) {
  static const char *const none[] = {NULL};
  list_given();
  cla_status status = run_arguments_add(all, syntax, first, false, given, error);
  if (status == CLA_OK) status = run_arguments_add(all, &resume_syntax, again, false, none, error);
  if (status == CLA_OK) status = run_arguments_append(all, "--run-dir", error);
  if (status == CLA_OK) status = run_arguments_append(all, folder, error);
  if (status == CLA_OK) status = run_arguments_append(all, "--", error);
  if (status == CLA_OK) status = run_arguments_add(all, syntax, first, true, none, error);
  return status;
}

/* Reads the arguments of the first run from its run directory, and finds its command. */
static cla_status read_first(run_arguments *first, const command **of, const char *folder, cla_error *error) {
  cla_run_directory *run = NULL;
  char *text = NULL;
  *of = cla_batch_directory_exists(folder) ? &batch_command : &align_command;
  cla_status status = *of == &batch_command ? cla_batch_directory_text(&text, folder, error)
                                            : cla_run_directory_read(&run, folder, error);
  if (status == CLA_OK) interrupt_resumable();
  if (status == CLA_OK) status = run_arguments_read(first, run ? run->text : text, error);
  if (status == CLA_OK && first->command && strcmp(first->command, fill_command.syntax->command) == 0)
    *of = &fill_command;
  cla_run_directory_free(run);
  free(text);
  return status;
}

static cla_status prepare(run_arguments *all, run_arguments *first, const command **of, const char *directory,
                          const run_arguments *again, cla_error *error) {
  char *folder = realpath(directory, NULL);
  cla_status status = read_first(first, of, folder ? folder : directory, error);
  if (status == CLA_OK) status = change_folder(first->folder, error);
  if (status == CLA_OK) status = join(all, first, (*of)->syntax, folder, again, error);
  free(folder);
  return status;
}

static cla_status resume(command_call *call, cla_error *error) {
  run_arguments all = {0}, first = {0};
  const run_arguments again = {.items = call->arguments, .count = call->count};
  const command *of = NULL;
  cla_status status = prepare(&all, &first, &of, call->parsed->positionals[0], &again, error);
  if (status == CLA_OK) call->code = command_run(of, all.count, all.items, first.line);
  run_arguments_free(&all);
  run_arguments_free(&first);
  return status;
}

static void begin(void) {
  cli_align_settings_init(&settings.how);
}

const command resume_command = {.syntax = &resume_syntax,
                                .purpose = "go on with a run that was interrupted",
                                .begin = begin,
                                .run = resume};
