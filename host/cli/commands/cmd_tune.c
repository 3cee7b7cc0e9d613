/* clalign tune: finds the fastest kernel configs of a device, once per machine. */

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clalign/tune.h"
#include "clalign/tuner.h"
#include "cli/commands/command.h"
#include "cli/commands/device_report.h"
#include "cli/commands/tune_process.h"
#include "cli/options/align_options.h"
#include "cli/options/device_options.h"
#include "cli/options/options.h"
#include "cli/report/progress_bar.h"
#include "cli/report/report.h"

#define SECONDS_LIMIT 1000000
#define LINE_SECONDS 30.0 /* seconds between progress lines without a terminal */

typedef struct tune_settings {
  cla_tune_options tune;
  cla_device_options device;
  cli_scoring given;
  cla_scoring scoring; /* the scheme to tune for */
  int64_t lengths[CLA_TUNE_LENGTHS_LIMIT];
  const char *output, *report;
  bool show, quiet;
} tune_settings;

static tune_settings settings;

static const char *const effort_words[] = {"quick", "normal", "full",
                                           NULL}; /* in the order of cla_tune_effort */

static const char *const mode_words[] = {"local", "global", "both", NULL};

static cla_status parse_mode(const cli_option *option, const char *value, cla_error *error) {
  cla_tune_options *tune = option->destination;
  int place = 0;
  cla_status status = cli_find_word(&place, option, value, error);
  if (status != CLA_OK) return status;
  tune->local = place != 1;
  tune->global = place != 0;
  return CLA_OK;
}

/* Reads a whole number at the start of `text` and sets *rest to the text after it. Returns -1 if there is
 * none. */
static int64_t read_number(const char *text, char **rest) {
  errno = 0;
  const long long number = isdigit((unsigned char)text[0]) ? strtoll(text, rest, 10) : -1;
  return errno == 0 ? number : -1;
}

/* Parses a duration such as 90, 90s, 10m or 2h. */
static cla_status parse_seconds(const cli_option *option, const char *value, cla_error *error) {
  char *rest = NULL;
  const int64_t number = read_number(value, &rest);
  const char *unit = number > 0 ? rest : "";
  const int64_t scale = *unit == 'h' ? 3600 : *unit == 'm' ? 60 : 1;
  const bool known = !*unit || (strchr("smh", *unit) && !unit[1]);
  if (number < 1 || !known || number > SECONDS_LIMIT / scale)
    return cli_error(error, CLA_ERROR_OPTION, "--%s takes seconds, or a time as in 90s, 10m or 2h, not '%s'",
                     option->name, value);
  *(double *)option->destination = (double)(number * scale);
  return CLA_OK;
}

static cla_status parse_pace(const cli_option *option, const char *value, cla_error *error) {
  cla_status status = cli_parse_real(option, value, error);
  if (status == CLA_OK && *(double *)option->destination <= 0)
    status = cli_error(error, CLA_ERROR_OPTION, "--pace takes a number above 0, not '%s'", value);
  return status;
}

/* Reads a list of lengths such as 10k,100k,1M. */
static cla_status parse_lengths(const cli_option *option, const char *value, cla_error *error) {
  tune_settings *all = option->destination;
  const char *text = value;
  for (;;) {
    int64_t letters = 0;
    const char *rest = cli_read_letters(&letters, text, CLA_TUNE_LENGTH_LIMIT);
    if (!rest || all->tune.length_count == CLA_TUNE_LENGTHS_LIMIT) break;
    all->lengths[all->tune.length_count++] = letters;
    if (!*rest) return CLA_OK;
    if (*rest != ',') break;
    text = rest + 1;
  }
  return cli_error(error, CLA_ERROR_OPTION,
                   "--lengths takes up to %d lengths of at most %" PRId64
                   " letters as in 10k,100k,1M, not '%s'",
                   CLA_TUNE_LENGTHS_LIMIT, CLA_TUNE_LENGTH_LIMIT, value);
}

/* clang-format off */
static cli_option options[] = {
    {.name = "effort", .argument = "EFFORT", .parse = cli_parse_word, .words = effort_words, .destination = &settings.tune.effort,
     .description = "quick: three size classes in 2 minutes; normal: seven in 10; full: no hurry",
     .default_text = "normal"},
    {.name = "time-limit", .argument = "TIME", .parse = parse_seconds,
     .destination = &settings.tune.time_limit_seconds,
     .description = "about how long it may take: seconds, or 90s, 10m, 2h", .default_text = "the effort's"},
    {.name = "pace", .argument = "FACTOR", .parse = parse_pace, .destination = &settings.tune.pace,
     .minimum = 0, .maximum = 1000,
     .description = "how long each kernel is looked at: above 1 on a busy machine", .default_text = "1"},
    {.name = "mode", .argument = "MODE", .parse = parse_mode, .words = mode_words, .destination = &settings.tune,
     .description = "local, global or both", .default_text = "both"},
    {.name = "matrix", .argument = "FILE|NAME", CLI_TEXT(settings.given.matrix),
     .description = "tune for scores of this matrix, as 'clalign align' takes them: what is found holds for every matrix",
     .default_text = "match and mismatch"},
    {.name = "type", .argument = "TYPE", .parse = cli_parse_type, .words = cli_type_words, .destination = &settings.given,
     .description = "dna, or protein: the matrix is then BLOSUM62", .default_text = "dna, or the matrix'"},
    {.name = "gap-first2", CLI_SCORE(settings.given.given.gap_first2, 0, CLA_SCORE_LIMIT),
     .description = "tune for gap costs in two pieces: of the second one the cost of the first letter, with --gap-ext2; what is found holds for all such costs"},
    {.name = "gap-ext2", CLI_SCORE(settings.given.given.gap_ext2, 0, CLA_SCORE_LIMIT),
     .description = "and that of each further one"},
    {.name = "lengths", .argument = "LIST", .parse = parse_lengths, .destination = &settings,
     .description = "size classes in letters, as in 10k,100k,1M", .default_text = "the effort's"},
    CLI_DEVICE_OPTIONS(settings.device),
    {.name = "output", .letters = "o", .argument = "FILE", CLI_TEXT(settings.output),
     .description = "write the record there instead of where it is looked up"},
    {.name = "report", .argument = "FILE", CLI_TEXT(settings.report),
     .description = "also try every kernel and measure rates, and write all that is found, and what fails, to a JSON file for others"},
    {.name = "restart", CLI_FLAG(settings.tune.restart),
     .description = "measure again what the record already has of such scores"},
    {.name = "hang-limit", .argument = "TIME", .parse = parse_seconds,
     .destination = &settings.tune.hang_seconds,
     .description = "a kernel that takes so much longer than expected is skipped", .default_text = "60s"},
    {.name = "show", CLI_FLAG(settings.show),
     .description = "print what is in force and where it comes from, and measure nothing"},
    {.name = "quiet", .letters = "q", CLI_FLAG(settings.quiet), .description = "no progress and no summary on stderr"},
    {.name = NULL},
};
/* clang-format on */

static const cli_example examples[] = {
    {"clalign tune", "once per machine: ten minutes, then every alignment uses what was found"},
    {"clalign tune --matrix BLOSUM62 --effort quick", "the same for proteins, in two minutes"},
    {"clalign tune --show", "what is in force"},
    {"clalign tune --effort quick --report report.json", "a file to attach to an issue: docs/devices.md"},
    {NULL, NULL},
};

static const cli_syntax tune_syntax = {
    .command = "tune",
    .positionals = "",
    .purpose = "Finds the fastest kernels of a device and remembers them for later alignments.",
    .notes =
        "The record is written after each size class: what is interrupted, or out of time, goes on with\n"
        "the next 'clalign tune'. Nothing else should run on the device meanwhile. Alignments with a score\n"
        "matrix, proteins' among them, have entries of their own in the same record, and so have those\n"
        "whose gap costs have two pieces: 'clalign tune' and 'clalign tune --matrix BLOSUM62' each leave\n"
        "the other's.\n"
        "\n"
        "--report FILE (- for standard output) is written after each stage, so that it exists whatever "
        "fails:\n"
        "no device, kernels that do not build or are wrong, Ctrl-C. It has no paths, user or host name. The\n"
        "exit code is that of the tuning; a kernel that fails is in the report and is no error.",
    .examples = examples,
    .options = options,
};

/* Sets the scheme to tune for. An asymmetric matrix is allowed, because it takes the same time as a symmetric
 * one. */
static cla_status settle_scoring(cla_error *error) {
  cli_scoring *given = &settings.given;
  cla_scoring *scoring = &settings.scoring;
  given->asymmetric = given->matrix != NULL;
  cla_status status = cli_scoring_begin(given, scoring, options, error);
  const cla_alphabet alphabet = given->known ? given->alphabet : CLA_ALPHABET_DNA;
  if (status == CLA_OK) status = cli_scoring_finish(given, scoring, alphabet, options, error);
  if (status != CLA_OK || !given->matrix || cla_scoring_alphabet(scoring) == alphabet) return status;
  return cli_error(error, CLA_ERROR_OPTION, "--matrix %.256s is not for the letters of --type; leave one out",
                   given->matrix);
}

/* Finds the path of the record: that of --output, or else a file in the user's folder. */
static cla_status find_path(char **out, const cla_device_info *device, cla_error *error) {
  char folder[CLI_FOLDER_SIZE];
  if (settings.output) {
    *out = strdup(settings.output);
    return *out ? CLA_OK : cli_error(error, CLA_ERROR_MEMORY, "out of memory; free some memory");
  }
  const char *kernels = getenv("CLALIGN_CL_PATH");
  if (kernels && *kernels)
    return cli_error(error, CLA_ERROR_OPTION,
                     "CLALIGN_CL_PATH is set, so the built-in kernels would not be measured; unset it, or "
                     "give --output FILE");
  if (!cli_tuning_folder(folder))
    return cli_error(error, CLA_ERROR_OUTPUT,
                     "no place for the record: neither HOME nor XDG_CONFIG_HOME is set; use --output FILE");
  return cla_tuning_path(out, folder, device, error);
}

/* Completes the message after the tuner: a remedy if the record could not be written, and whether something
 * is left to tune. */
static cla_status finish(cla_status status, const cla_tune_summary *summary, const char *path,
                         cla_error *error) {
  if (status == CLA_ERROR_OUTPUT && !settings.output && path) {
    cli_error_append(error, ", or use --output FILE; the record is ");
    cli_error_append(error, path);
  }
  if (status == CLA_ERROR_INTERRUPTED && summary->classes_done > 0)
    return cli_error(error, status, "interrupted; 'clalign tune' goes on with what is missing");
  if (status == CLA_OK && summary->classes_missing > 0)
    return cli_error(error, CLA_ERROR_INTERRUPTED,
                     "the time is up and %d size classes are missing; 'clalign tune' goes on with them",
                     summary->classes_missing);
  return status;
}

/* A cla_tune_progress_function whose user pointer is a progress_bar. Prints a line for each finished class.
 * On a terminal, the last line shows the progress and is overwritten. */
static void show_progress(const cla_tune_progress *progress, void *user) {
  progress_bar *bar = user;
  char length[32], line[512], left[64] = "";
  if (progress->notice) {
    progress_bar_clear(bar);
    fprintf(stderr, "clalign: %s\n", progress->notice);
    return;
  }
  if (settings.quiet) return;
  cli_letters_text(length, sizeof length, progress->length);
  if (progress->finished) {
    progress_bar_clear(bar);
    fprintf(stderr, "clalign: %-6s %5s  %s\n", progress->mode, length, progress->finished);
    return;
  }
  if (!progress_bar_due(bar, progress->seconds, LINE_SECONDS)) return;
  if (progress->seconds_left >= 0) {
    progress_duration(left, sizeof left, progress->seconds_left);
    strncat(left, " left", sizeof left - strlen(left) - 1);
  }
  snprintf(line, sizeof line, "%d/%d %s %s  best %.2f GCUPS  %s  %s", progress->number, progress->count,
           progress->mode, length, progress->best_gcups, left, progress->activity);
  progress_bar_show(bar, line, 1); /* one column is left free, because a full line wraps */
}

/* Prints the summary: the numbers of candidates and of classes by outcome. Failures are printed even if
 * --quiet is given. */
static void print_summary(const cla_tune_summary *summary, const char *path) {
  const int64_t failed =
      summary->build_failed + summary->refused + summary->wrong + summary->hung + summary->crashed;
  if (!settings.quiet) fprintf(stderr, "clalign: %" PRId64 " candidates measured\n", summary->measured);
  if (failed > 0)
    fprintf(stderr,
            "clalign: %" PRId64 " candidates skipped: %" PRId64 " do not build, %" PRId64
            " the device refused, %" PRId64 " gave wrong results, %" PRId64 " hung, %" PRId64 " crashed\n",
            failed, summary->build_failed, summary->refused, summary->wrong, summary->hung, summary->crashed);
  if (settings.quiet) return;
  if (summary->classes_kept > 0)
    fprintf(stderr, "clalign: %d size classes were in the record before; --restart measures them again\n",
            summary->classes_kept);
  if (summary->classes_done > 0)
    fprintf(stderr, "clalign: %d size classes written to %s\n", summary->classes_done, path);
}

static cla_status show(cla_error *error) {
  cla_device *device = NULL;
  cla_tuning *tuning = NULL;
  char *text = NULL;
  cla_status status = cli_device_open(&device, &settings.device, error);
  if (status == CLA_OK) status = cli_tuning_load(&tuning, device, settings.quiet, error);
  settings.tune.scoring = &settings.scoring;
  if (status == CLA_OK)
    status = cla_tune_show(&text, cla_device_describe(device), tuning, &settings.tune, error);
  if (status == CLA_OK) {
    fputs(text, stdout);
    status = cli_flush_stdout(error);
  }
  free(text);
  cla_tuning_free(tuning);
  cla_device_close(device);
  return status;
}

/* Tries kernels for the report, with their own worker. */
static cla_status try_kernels(device_report *report, cla_trial_kind kind, const cla_device_info *device,
                              const cla_scoring *scoring, cla_error *error) {
  cla_tune_options how = settings.tune;
  cla_trial *trials = NULL;
  size_t count = 0;
  tune_process process;
  progress_bar bar;
  const char *scores = scoring->matrix_size > 0 ? "matrix" : "match";
  tune_process_init(&process, device->index, settings.device.threads, scoring);
  progress_bar_init(&bar, settings.quiet);
  how.scoring = scoring;
  how.ask_user = &process;
  how.progress_user = &bar;
  if (!settings.quiet)
    fprintf(stderr, "clalign: %s with %s scores\n",
            kind == CLA_TRIAL_KERNELS ? "trying each kernel" : "measuring rates", scores);
  cla_status status = cla_tune_try(&trials, &count, kind, device, &how, error);
  tune_process_end(&process);
  progress_bar_clear(&bar);
  device_report_trials(report, kind == CLA_TRIAL_KERNELS ? "self_test" : "bench", scores, trials, count);
  free(trials);
  if (status != CLA_OK)
    device_report_failure(report, kind == CLA_TRIAL_KERNELS ? "self_test" : "bench", error->message);
  return status;
}

/* Tries each kernel with scores by match and mismatch, and with those of a matrix. */
static cla_status self_test(device_report *report, const cla_device_info *device, cla_error *error) {
  cla_scoring scoring;
  if (!report->path) return CLA_OK;
  cla_scoring_init(&scoring);
  cla_status status = try_kernels(report, CLA_TRIAL_KERNELS, device, &scoring, error);
  if (status == CLA_OK) status = cla_scoring_set_matrix(&scoring, "BLOSUM62", error);
  if (status == CLA_OK) status = try_kernels(report, CLA_TRIAL_KERNELS, device, &scoring, error);
  return status;
}

static cla_status search(cla_tune_summary *summary, const cla_device_info *device, cla_error *error) {
  tune_process process;
  progress_bar bar;
  tune_process_init(&process, device->index, settings.device.threads, &settings.scoring);
  progress_bar_init(&bar, settings.quiet);
  settings.tune.ask_user = &process;
  settings.tune.progress_user = &bar;
  const cla_status status = cla_tune(summary, device, &settings.tune, error);
  tune_process_end(&process);
  progress_bar_clear(&bar);
  return status;
}

/* Ends the report. Its errors count only if there was none before. */
static cla_status end_report(device_report *report, cla_status status, const cla_tune_summary *summary,
                             cla_error *error) {
  const char *path = report->path;
  cla_error writing = {.status = CLA_OK};
  const bool complete = status == CLA_OK && summary->classes_missing == 0;
  const cla_status written = device_report_end(report, complete, &writing);
  if (path && written == CLA_OK && !settings.quiet)
    fprintf(stderr, "clalign: the report is in %s; read it before you give it to others\n", path);
  if (written == CLA_OK || status != CLA_OK) return status;
  *error = writing;
  return written;
}

/* Prepares what the stages share. */
static void prepare(const char *record) {
  settings.tune.scoring = &settings.scoring;
  settings.tune.record_path = record;
  settings.tune.ask = tune_process_ask;
  settings.tune.progress = show_progress;
}

/* Tunes the device and, for a report, tries its kernels before and measures rates after that. */
static cla_status run_stages(device_report *report, cla_tune_summary *summary, const cla_device_info *device,
                             const char *record, cla_error *error) {
  cla_error rates = {.status = CLA_OK};
  prepare(record);
  if (!settings.quiet && settings.scoring.matrix_size > 0)
    fprintf(stderr, "clalign: tuning %s for matrix %s\n", device->name, settings.scoring.matrix_name);
  else if (!settings.quiet)
    fprintf(stderr, "clalign: tuning %s\n", device->name);
  cla_status status = self_test(report, device, error);
  if (status == CLA_OK) {
    status = search(summary, device, error);
    device_report_tuning(report, record, summary);
    if (status != CLA_OK) device_report_failure(report, "tuning", error->message);
  }
  if (report->path && status != CLA_ERROR_INTERRUPTED && status != CLA_ERROR_OPTION &&
      !interrupt_requested()) {
    const cla_status measured = try_kernels(report, CLA_TRIAL_RATES, device, &settings.scoring, &rates);
    if (status == CLA_OK && measured != CLA_OK) *error = rates;
    if (status == CLA_OK) status = measured;
  }
  return status;
}

static cla_status tune(command_call *call, cla_error *error) {
  cla_tune_summary summary = {0};
  static cli_device_facts facts;
  device_report report = {.hidden = {settings.output, settings.report ? settings.report : settings.output,
                                     settings.given.matrix}};
  char *path = NULL;
  cla_status status = device_report_begin(&report, settings.report, error);
  if (status != CLA_OK) return status;
  if (report.path) interrupt_defer();
  status = device_facts(&facts, &settings.device, error);
  device_report_facts(&report, &facts, status == CLA_OK);
  if (status != CLA_OK) {
    device_report_failure(&report, "device", error->message);
    return end_report(&report, status, &summary, error);
  }
  status = find_path(&path, &facts.info, error);
  interrupt_defer();
  if (status == CLA_OK) {
    status = run_stages(&report, &summary, &facts.info, path, error);
    print_summary(&summary, path);
  } else {
    device_report_failure(&report, "tuning", error->message);
  }
  call->resumable = summary.classes_done > 0 || status == CLA_OK;
  status = finish(end_report(&report, status, &summary, error), &summary, path, error);
  free(path);
  return status;
}

static cla_status run(command_call *call, cla_error *error) {
  cla_status status = settle_scoring(error);
  if (status != CLA_OK) return status;
  if (settings.tune.length_count > 0) settings.tune.lengths = settings.lengths;
  if (settings.show && settings.report)
    return cli_error(error, CLA_ERROR_OPTION,
                     "--show measures nothing, and --report is of what is measured; leave one out");
  return settings.show ? show(error) : tune(call, error);
}

static void begin(void) {
  cla_tune_options_init(&settings.tune);
}

const command tune_command = {
    .syntax = &tune_syntax, .purpose = "find the fastest kernels of a device", .begin = begin, .run = run};
