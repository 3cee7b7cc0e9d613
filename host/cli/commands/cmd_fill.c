/* clalign fill: aligns the parts that another aligner's records leave out. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands/command.h"
#include "cli/compare/fill_run.h"
#include "cli/options/align_options.h"
#include "cli/options/options.h"
#include "cli/report/report.h"

#define INTERVAL_LETTERS 100000
#define END_LETTERS 1000
#define LETTERS_MOST (INT64_C(1) << 32)
#define USUAL_PRESET "genome"

typedef struct fill_settings {
  cli_align_settings how;
  cli_outputs outputs;
  int64_t interval_letters, end_letters, min_score;
  const char *run_dir;
  bool realign, one_strand, fail_fast, quiet;
} fill_settings;

static fill_settings settings;

/* clang-format off */
static cli_option options[] = {
    {.name = "interval", .heading = "what is filled", .argument = "N", .parse = cli_parse_letters, .destination = &settings.interval_letters, .maximum = LETTERS_MOST,
     .description = "records are neighbours if at most so many letters of either sequence lie between them", .default_text = "100k"},
    {.name = "extend", .argument = "N", .parse = cli_parse_letters, .destination = &settings.end_letters, .maximum = LETTERS_MOST,
     .description = "letters beyond the ends of chains that are looked at; 0: none", .default_text = "1k"},
    {.name = "realign", CLI_FLAG(settings.realign), .description = "align the records' own regions again, too"},
    {.name = "one-strand", CLI_FLAG(settings.one_strand), .description = "do not try intervals on the other strand"},
    {.name = "min-score", .argument = "N", .parse = cli_parse_thousandths, .destination = &settings.min_score, .minimum = 0, .maximum = INT64_MAX / CLA_UNITS_LIMIT,
     .description = "least score of an interval's other strand that becomes a record", .default_text = "60 matches, or 1.5 long gaps"},
    CLI_COST_OPTIONS(settings.how),
    CLI_OUTPUT_OPTIONS(settings.outputs, "output", output_pair_format_names, "as for 'clalign align' but cla; may be repeated", "sam for SAM and BAM, else paf", "standard output"),
    CLI_WRITE_OPTIONS(settings.outputs),
    {.name = "plot", .argument = "FILE", .parse = cli_parse_plot, .destination = &settings.outputs.plot, .repeatable = true,
     .description = "also draw all records in one picture, to a .png, .svg, .pdf or .html; may be repeated"},
    CLI_PLOT_LOOK_OPTIONS(settings.outputs.plot),
    {.name = "fail-fast", CLI_FLAG(settings.fail_fast), .description = "the first wrong record ends the command"},
    CLI_DEVICES_OPTIONS(settings.how.device, "devices and memory"),
    CLI_BUDGET_OPTIONS(settings.how),
    {.name = "run-dir", .heading = "runs that can be resumed", .argument = "DIR", CLI_TEXT(settings.run_dir),
     .description = "keep what is aligned in a new folder; 'clalign resume DIR' goes on with it after an interrupt or a crash"},
    {.name = "quiet", .letters = "q", .heading = "messages", CLI_FLAG(settings.quiet), .description = "no progress and no summary on stderr, errors only"},
    {.name = NULL},
};
/* clang-format on */

static const cli_example examples[] = {
    {"clalign fill -o filled.paf seeds.paf query.fa target.fa",
     "minimap2's records, joined where they follow each other"},
    {"clalign fill --realign --extend 10k -o filled.bam --plot filled.png seeds.bam contigs.fa genome.fa",
     "the same with exact records, longer ends and a picture"},
    {NULL, NULL},
};

static const cli_syntax fill_syntax = {
    .command = "fill",
    .positionals = "ALIGNMENTS A B",
    .purpose = "Aligns exactly what lies between the records of another program, and joins them.",
    .notes =
        "ALIGNMENTS is PAF with the tag cg or cs, SAM, BAM, chain, MAF of two lines a block, or nucmer's "
        "delta; - is a "
        "text on standard input. A and B are the files of queries and of targets that it was made of.\n\n"
        "Records of one query, target and strand that follow each other on both are a chain. Each interval "
        "between "
        "neighbours is aligned from end to end, and locally on the other strand. If that scores more, it is "
        "a record "
        "of its own, and its neighbours are not joined. The ends of chains are extended as far as the score "
        "rises.\n\n"
        "Scores are those of --preset " USUAL_PRESET
        " unless --preset, --matrix or --type says otherwise. A wrong "
        "record is named on stderr, and the others go on; the exit code is then 2.",
    .examples = examples,
    .options = options,
    .least_positionals = 3,
    .most_positionals = 3,
};

/* Selects the usual preset, unless --preset, --matrix or --type is given. */
static void choose_preset(void) {
  if (!cli_option_given(options, "preset") && !cli_option_given(options, "matrix") &&
      !cli_option_given(options, "type"))
    settings.how.scoring.preset = cli_preset_find(USUAL_PRESET);
}

static cla_status check_settings(const cli_arguments *parsed, cla_error *error) {
  choose_preset();
  cla_status status = cli_align_settings_settle(&settings.how, options, error);
  settings.how.align.free_ends = 0;
  for (int i = 0; i < parsed->count && settings.run_dir && status == CLA_OK; i++)
    if (strcmp(parsed->positionals[i], "-") == 0)
      status = cli_error(error, CLA_ERROR_OPTION,
                         "a run directory needs files that can be read again, not standard input");
  for (int i = 0; i < settings.outputs.count && status == CLA_OK; i++)
    if (settings.outputs.items[i].format == CLA_FORMAT_CLA && settings.outputs.items[i].given)
      status = cli_error(error, CLA_ERROR_OPTION, "the format cla holds one pair; choose another one");
  for (int i = 0; i < settings.outputs.count && status == CLA_OK; i++)
    status = record_files_check(settings.outputs.items[i].path, parsed, error);
  for (int i = 0; i < settings.outputs.plot.count && status == CLA_OK; i++)
    status = record_files_check(settings.outputs.plot.paths[i], parsed, error);
  return status;
}

/* Checks the outputs once the input's format is known. It is the default format of the outputs. */
static cla_status check_outputs(const cli_arguments *parsed, const fill_run *run, cla_error *error) {
  settings.outputs.quiet = settings.quiet;
  const cla_format standard = run->is_sam ? CLA_FORMAT_SAM : CLA_FORMAT_PAF;
  cla_status status = outputs_prepare(&settings.outputs, standard, parsed->positionals, parsed->count, error);
  if (status == CLA_OK)
    status = outputs_check_files(&settings.outputs, settings.how.scoring.matrix, NULL, error);
  return status == CLA_OK ? outputs_check_alphabet(&settings.outputs, settings.how.scoring.alphabet, error)
                          : status;
}

/* Completes the scoring. The alphabet is DNA unless options choose another one. */
static cla_status settle_run(fill_run *run, cla_error *error) {
  cli_scoring *scoring = &settings.how.scoring;
  if (!scoring->known) scoring->alphabet = CLA_ALPHABET_DNA;
  cla_status status = record_pairs_settle(&run->how.align, &settings.how, scoring->alphabet, options, error);
  run->pairs.how.known = true;
  run->pairs.how.alphabet = scoring->alphabet;
  run->pairs.how.keep_case = settings.outputs.keep_case;
  run->one_strand |= scoring->alphabet != CLA_ALPHABET_DNA;
  return status;
}

static cla_status begin_fill(fill_run *run, cla_error *error) {
  cla_fill_options how = {.interval_letters = settings.interval_letters,
                          .end_letters = settings.end_letters,
                          .worth = cla_split_drop(&run->how.align.scoring)};
  cla_status status = CLA_OK;
  if (cli_option_given(options, "min-score"))
    status = cli_scoring_units(&how.worth, settings.min_score, &run->how.align.scoring, "min-score", error);
  return status == CLA_OK ? cla_fill_begin(&run->fill, &how, error) : status;
}

/* Aligns all parts on host threads and devices. */
static cla_status run_on_devices(fill_run *run, cla_error *error) {
  cla_status status =
      cli_late_device_serve(&run->late, &settings.how.device, &run->how.align, settings.quiet, error);
  return status == CLA_OK ? fill_run_align(run, error) : status;
}

/* Opens the run directory, and aligns all parts that it does not have. */
static cla_status run_kept(fill_run *run, const char *text, bool resumed, cla_error *error) {
  cla_error later = {.status = CLA_OK};
  int64_t lost_bytes = 0;
  if (!settings.run_dir) return run_on_devices(run, error);
  cla_status status = resumed
                          ? cla_batch_directory_resume(&run->directory, settings.run_dir, &lost_bytes, error)
                          : cla_batch_directory_begin(&run->directory, settings.run_dir, text, error);
  if (status == CLA_OK && lost_bytes > 0)
    cli_warn("the end of the journal in the run directory was not complete; these parts are aligned again");
  if (status == CLA_OK) status = run_on_devices(run, error);
  const cla_status closed = cla_batch_directory_close(run->directory, &later);
  run->directory = NULL;
  if (status == CLA_OK && closed != CLA_OK) *error = later;
  return status == CLA_OK ? closed : status;
}

static cla_status write_all(fill_run *run, const char *line, cla_error *error) {
  batch_outputs outputs = {.outputs = NULL};
  cla_status status = batch_outputs_open(&outputs, &settings.outputs, NULL, line, error);
  if (status == CLA_OK) status = fill_run_write(run, &outputs, error);
  if (status == CLA_OK) status = batch_outputs_finish(&outputs, error);
  batch_outputs_discard(&outputs);
  if (status == CLA_ERROR_OUTPUT && outputs.to_stdout) cli_end_if_reader_gone();
  return status;
}

static cla_status run_opened(fill_run *run, const command_call *call, const char *text, cla_error *error) {
  cla_status status = settle_run(run, error);
  if (status == CLA_OK) status = begin_fill(run, error);
  if (status == CLA_OK) status = fill_run_read(run, error);
  if (status == CLA_OK) status = check_outputs(call->parsed, run, error);
  if (status == CLA_OK) status = run_kept(run, text, call->resumed, error);
  if (status == CLA_OK) status = write_all(run, call->line, error);
  if (status == CLA_OK && !settings.quiet) fill_run_summary(run);
  return status == CLA_OK ? fill_run_verdict(run, error) : status;
}

static cla_status fill(command_call *call, cla_error *error) {
  const char *const *files = call->parsed->positionals;
  char *text = NULL;
  fill_run run = {.pairs = {.files = files, .file_count = 1, .sides = {files[1], files[2]}},
                  .realign = settings.realign,
                  .one_strand = settings.one_strand,
                  .fail_fast = settings.fail_fast};
  cla_status status = check_settings(call->parsed, error);
  call->resumable = settings.run_dir != NULL;
  if (status == CLA_OK && settings.run_dir)
    status = run_arguments_text(&text, fill_syntax.command, call->line, call->count, call->arguments, error);
  if (status != CLA_OK) return status;
  run.pairs.how.own = settings.how.align.scoring.letters;
  cla_batch_options_init(&run.how);
  progress_bar_init(&run.bar, settings.quiet);
  interrupt_defer(); /* a signal must leave time to clean up */
  status = record_pairs_open(&run.pairs, settings.how.align.budgets.memory_bytes, error);
  if (status == CLA_OK) status = run_opened(&run, call, text, error);
  fill_run_end(&run);
  free(text);
  return status;
}

static void begin(void) {
  cli_align_settings_init(&settings.how);
  settings.interval_letters = INTERVAL_LETTERS;
  settings.end_letters = END_LETTERS;
}

const command fill_command = {
    .syntax = &fill_syntax, .purpose = "align between other aligners' results", .begin = begin, .run = fill};
