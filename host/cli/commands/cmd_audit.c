/* clalign audit: compares another aligner's results with the optimal ones. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands/command.h"
#include "cli/compare/audit_run.h"
#include "cli/options/align_options.h"
#include "cli/options/options.h"
#include "cli/report/report.h"

#define WINDOW_LETTERS 1000
#define WORST 10

static const char *const format_words[] = {"tsv", "json", NULL}; /* in the order of cla_audit_format */

typedef struct audit_settings {
  cli_align_settings how;
  cla_audit_format format;
  const char *output, *losses, *track, *page;
  int64_t window_letters, worst;
  bool fail_fast, quiet;
} audit_settings;

static audit_settings settings;

/* clang-format off */
static cli_option options[] = {
    CLI_COST_OPTIONS(settings.how),
    {.name = "format", .heading = "output", .argument = "FORMAT", .parse = cli_parse_word, .words = format_words, .destination = &settings.format,
     .description = "tsv: a line for each record; json: an object a line, with each stretch that loses points", .default_text = "tsv"},
    {.name = "output", .letters = "o", .argument = "FILE", CLI_TEXT(settings.output), .description = "where the table goes", .default_text = "standard output"},
    {.name = "losses", .argument = "FILE.bed", CLI_TEXT(settings.losses),
     .description = "also the stretches that lose points, as BED on the targets, each with the command that shows it"},
    {.name = "track", .argument = "FILE.bedgraph", CLI_TEXT(settings.track), .description = "also lost points along the targets, as bedGraph"},
    {.name = "window", .argument = "N", .parse = cli_parse_letters, .destination = &settings.window_letters, .minimum = 1, .maximum = INT32_MAX,
     .description = "letters of a window of --track and --page", .default_text = "1000"},
    {.name = "page", .argument = "FILE.html", CLI_TEXT(settings.page), .description = "also a page with pictures and the worst records"},
    {.name = "worst", .argument = "N", .parse = cli_parse_int64, .destination = &settings.worst, .minimum = 0, .maximum = AUDIT_WORST_MOST,
     .description = "records in the list of those that lose most", .default_text = "10"},
    {.name = "fail-fast", CLI_FLAG(settings.fail_fast), .description = "the first wrong record ends the audit"},
    CLI_DEVICES_OPTIONS(settings.how.device, "devices and memory"),
    CLI_BUDGET_OPTIONS(settings.how),
    {.name = "quiet", .letters = "q", .heading = "messages", CLI_FLAG(settings.quiet), .description = "no progress and no summary on stderr, errors only"},
    {.name = NULL},
};
/* clang-format on */

static const cli_example examples[] = {
    {"clalign audit --preset genome hits.paf reads.fa genome.fa",
     "each record's score beside the best one of its region"},
    {"clalign audit --losses lost.bed --page lost.html -o audit.tsv one.bam other.paf reads.fa genome.fa",
     "two aligners side by side, where they lose points, and pictures"},
    {NULL, NULL},
};

static const cli_syntax audit_syntax = {
    .command = "audit",
    .positionals = "ALIGNMENTS... A B",
    .purpose = "Compares alignments of other programs with the best ones of the same regions.",
    .notes =
        "ALIGNMENTS are files of PAF with the tag cg or cs, SAM, BAM, chain, MAF of two lines a block, or "
        "nucmer's "
        "delta; - is a text on standard input. A and B are the files of queries and of targets that they "
        "were made "
        "of.\n\n"
        "Each record is scored by the given costs, and its region is aligned again from end to end, on its "
        "strand. The table says what it scores, what the best alignment scores, and the command that shows "
        "it.\n\n"
        "A wrong record, whose CIGAR, letters, names or lengths do not fit, is named on stderr, and the "
        "others go "
        "on; the exit code is then 2.",
    .examples = examples,
    .options = options,
    .least_positionals = 3,
    .most_positionals = CLI_POSITIONALS,
};

/* options that `clalign align` does not have, or that do not apply to a single part */
static const char *const not_of_align[] = {
    "format", "output",  "losses", "track", "window",        "page",   "worst", "fail-fast",
    "device", "threads", "memory", "quiet", "device-memory", "kernel", "set",   NULL};

/* Makes the `clalign align` command line that aligns a part with the costs of this run. */
static cla_status make_command(char **out, int count, char **arguments, cla_error *error) {
  const run_arguments from = {.items = arguments, .count = count};
  run_arguments costs = {.items = NULL};
  cla_status status = run_arguments_append(&costs, "--mode", error);
  if (status == CLA_OK) status = run_arguments_append(&costs, "global", error);
  if (status == CLA_OK) status = run_arguments_add(&costs, &audit_syntax, &from, false, not_of_align, error);
  if (status == CLA_OK) status = command_line_text(out, "align", costs.count, costs.items, error);
  run_arguments_free(&costs);
  return status;
}

/* Refuses outputs that would replace an input or another output. */
static cla_status check_outputs(const cli_arguments *parsed, cla_error *error) {
  const char *const outputs[] = {settings.output, settings.losses, settings.track, settings.page};
  cla_status status = CLA_OK;
  for (size_t i = 0; i < sizeof outputs / sizeof outputs[0] && status == CLA_OK; i++) {
    status = record_files_check(outputs[i], parsed, error);
    for (size_t k = 0; outputs[i] && k < i && status == CLA_OK; k++)
      if (outputs[k] && strcmp(outputs[i], outputs[k]) == 0)
        return cli_error(error, CLA_ERROR_OPTION, "two outputs go to %.512s; name two files", outputs[i]);
  }
  return status;
}

static cla_status check_settings(const cli_arguments *parsed, cla_error *error) {
  cla_status status = cli_align_settings_settle(&settings.how, options, error);
  settings.how.align.mode = CLA_MODE_GLOBAL;
  settings.how.align.free_ends = 0;
  return status == CLA_OK ? check_outputs(parsed, error) : status;
}

static cla_status open_outputs(audit_run *run, cla_error *error) {
  const int32_t units = run->how.align.scoring.units;
  const cla_audit_output table = {settings.format, settings.output, stdout, units},
                         losses = {CLA_AUDIT_BED, settings.losses, NULL, units};
  cla_status status = cla_audit_table_open(&run->tables[0], &table, &run->command, error);
  if (status == CLA_OK && settings.losses)
    status = cla_audit_table_open(&run->tables[1], &losses, &run->command, error);
  if (status == CLA_OK && (settings.track || settings.page))
    status = cla_audit_track_begin(&run->track, settings.window_letters, error);
  return status;
}

/* Completes all outputs. */
static cla_status finish_outputs(audit_run *run, cla_error *error) {
  cla_status status = CLA_OK;
  for (int i = 0; i < AUDIT_TABLES && status == CLA_OK; i++) {
    cla_audit_table *table = run->tables[i];
    run->tables[i] = NULL;
    if (table) status = cla_audit_table_finish(table, error);
  }
  if (status == CLA_OK && settings.track)
    status = cla_audit_track_write(settings.track, run->track, run->how.align.scoring.units, error);
  return status == CLA_OK && settings.page ? audit_run_page(run, settings.page, error) : status;
}

/* Completes the scoring, which depends on the first record's letters. */
static cla_status settle_run(audit_run *run, cla_error *error) {
  cla_status status = record_pairs_settle(&run->how.align, &settings.how, run->alphabet, options, error);
  run->pairs.how.known |= run->alphabet == CLA_ALPHABET_DNA;
  return status;
}

/* Audits all records on host threads and devices. */
static cla_status run_on_devices(audit_run *run, cla_error *error) {
  cla_status status =
      cli_late_device_serve(&run->late, &settings.how.device, &run->how.align, settings.quiet, error);
  return status == CLA_OK ? audit_run_all(run, error) : status;
}

/* Audits the input once it is open, and completes the outputs. */
static cla_status run_opened(audit_run *run, cla_error *error) {
  cla_status status = audit_run_begin(run, error);
  if (status == CLA_OK) status = settle_run(run, error);
  if (status == CLA_OK) status = open_outputs(run, error);
  if (status == CLA_OK) status = run_on_devices(run, error);
  if (status == CLA_OK) status = finish_outputs(run, error);
  if (status == CLA_OK && !settings.quiet) audit_run_summary(run);
  return status == CLA_OK ? audit_run_verdict(run, error) : status;
}

static cla_status audit(command_call *call, cla_error *error) {
  const cli_arguments *parsed = call->parsed;
  const int files = parsed->count - 2;
  const char *queries = parsed->positionals[files], *targets = parsed->positionals[files + 1];
  char *again = NULL;
  cla_status status = check_settings(parsed, error);
  if (status == CLA_OK) status = make_command(&again, call->count, call->arguments, error);
  if (status != CLA_OK) return status;
  audit_run run = {.pairs = {.files = parsed->positionals,
                             .file_count = files,
                             .sides = {queries, targets},
                             .how = {.known = settings.how.scoring.known,
                                     .alphabet = settings.how.scoring.alphabet,
                                     .own = settings.how.align.scoring.letters}},
                   .command = {.command = again, .files = {queries, targets}},
                   .fail_fast = settings.fail_fast};
  cla_batch_options_init(&run.how);
  progress_bar_init(&run.bar, settings.quiet);
  interrupt_defer(); /* a signal must leave time to clean up */
  status = record_pairs_open(&run.pairs, settings.how.align.budgets.memory_bytes, error);
  if (status == CLA_OK) status = audit_run_open(&run, settings.worst, error);
  if (status == CLA_OK) status = run_opened(&run, error);
  audit_run_end(&run);
  if (status == CLA_ERROR_OUTPUT && !settings.output) cli_end_if_reader_gone();
  free(again);
  return status;
}

static void begin(void) {
  cli_align_settings_init(&settings.how);
  settings.window_letters = WINDOW_LETTERS;
  settings.worst = WORST;
}

const command audit_command = {.syntax = &audit_syntax,
                               .purpose = "say what other aligners' results lose",
                               .begin = begin,
                               .run = audit};
