/* clalign align: one pair, from two files to every output. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clalign/align.h"
#include "cli/align_summary.h"
#include "cli/cli_command_line.h"
#include "cli/cli_device.h"
#include "cli/cli_interrupt.h"
#include "cli/cli_outputs.h"
#include "cli/cli_report.h"
#include "cli/command.h"
#include "cli/progress_bar.h"

#define SPECIAL_ROWS_LIMIT 1000000000

typedef struct align_settings {
  cla_align_options align;
  cla_device_options device;
  cli_outputs outputs;
  int32_t gap_open, gap_extend; /* the NCBI form */
  bool explain, quiet;
} align_settings;

static align_settings settings;

static cla_status parse_mode(const cli_option *option, const char *value, cla_error *error) {
  cla_mode *mode = option->destination;
  if (strcmp(value, "local") == 0)
    *mode = CLA_MODE_LOCAL;
  else if (strcmp(value, "global") == 0)
    *mode = CLA_MODE_GLOBAL;
  else
    return cli_error(error, CLA_ERROR_OPTION, "--mode takes local or global, not '%s'", value);
  return CLA_OK;
}

#define TEXT(variable) .parse = cli_parse_text, .destination = (void *)&(variable)
#define FLAG(variable) .parse = cli_parse_flag, .destination = &(variable)
#define SCORE(variable, least, most) \
  .argument = "N", .parse = cli_parse_int32, .destination = &(variable), .minimum = (least), .maximum = (most)
#define COST(variable) SCORE(variable, 0, CLA_SCORE_LIMIT)
#define SIZE(variable) \
  .argument = "SIZE", .parse = cli_parse_size, .destination = &(variable), .minimum = 1, .maximum = INT64_MAX

/* clang-format off */
static cli_option options[] = {
    {.name = "mode", .argument = "MODE", .parse = parse_mode, .destination = &settings.align.mode,
     .description = "local: the best-scoring parts; global: both from end to end", .default_text = "local"},
    {.name = "match", SCORE(settings.align.scoring.match, 0, CLA_SCORE_LIMIT),
     .description = "score of a pair of equal letters, 0 or more", .default_text = "1"},
    {.name = "mismatch", SCORE(settings.align.scoring.mismatch, -CLA_SCORE_LIMIT, 0),
     .description = "score of every other pair, 0 or less; N and the IUPAC\nletters match nothing",
     .default_text = "-3"},
    {.name = "gap-first", COST(settings.align.scoring.gap_first),
     .description = "cost of a gap's first letter", .default_text = "5"},
    {.name = "gap-ext", COST(settings.align.scoring.gap_ext),
     .description = "cost of each further letter, at most that of the first", .default_text = "2"},
    {.name = "gap-open", COST(settings.gap_open),
     .description = "the NCBI form, with --gap-extend: a gap of k letters costs\nopen + k x extend"},
    {.name = "gap-extend", COST(settings.gap_extend), .description = "see --gap-open"},
    {.name = "format", .argument = "FORMAT", .parse = outputs_parse_format, .destination = &settings.outputs,
     .repeatable = true,
     .description = "json, pair, paf, sam or cigar; may be repeated", .default_text = "pair; json with --score-only"},
    {.name = "output", .argument = "FILE", .parse = outputs_parse_output, .destination = &settings.outputs,
     .repeatable = true,
     .description = "where the --format before it goes", .default_text = "standard output"},
    {.name = "save", .argument = "FILE.cla", TEXT(settings.outputs.save),
     .description = "also save the alignment for 'clalign show' and 'verify'"},
    {.name = "score-only", FLAG(settings.align.score_only),
     .description = "score and end cell without the alignment, in less time"},
    {.name = "special-rows", .argument = "N", .parse = cli_parse_int64,
     .destination = &settings.align.special_rows, .maximum = SPECIAL_ROWS_LIMIT,
     .description = "rows that the forward sweep keeps for the traceback", .default_text = "as memory allows"},
    CLI_DEVICE_OPTIONS(settings.device),
    {.name = "memory", SIZE(settings.align.memory_bytes),
     .description = "budget of host memory: bytes, or 400M, 2G", .default_text = "half of what is free"},
    {.name = "device-memory", SIZE(settings.align.device_memory_bytes),
     .description = "budget of device memory", .default_text = "what the device has"},
    {.name = "kernel", .argument = "NAME", TEXT(settings.align.kernel),
     .description = "a kernel variant, for experts and tests", .default_text = "chosen by the plan"},
    {.name = "explain", FLAG(settings.explain), .description = "print the plan on stderr before the run"},
    {.name = "quiet", FLAG(settings.quiet), .description = "no progress and no summary on stderr"},
    {.name = NULL},
};
/* clang-format on */

static const cli_syntax syntax = {
    .command = "align",
    .positionals = "QUERY TARGET",
    .purpose = "Aligns two DNA sequences exactly, in memory linear in their lengths.",
    .notes =
        "QUERY and TARGET are FASTA or FASTQ files, plain or gzip: FILE, FILE:RECORD, FILE:RECORD:FROM-TO "
        "or\n"
        "FILE:FROM-TO (1-based, inclusive), - for standard input. CLALIGN_CL_PATH names a folder of kernel\n"
        "files to use instead of the built-in ones.",
    .options = options,
    .least_positionals = 2,
    .most_positionals = 2,
};

static bool is_stdin(const char *location) {
  return location[0] == '-' && (location[1] == '\0' || location[1] == ':');
}

/* The NCBI form open + k x extend is the other form with first = open + extend. */
static cla_status settle_gap_costs(cla_error *error) {
  bool open = cli_option_given(options, "gap-open"), extend = cli_option_given(options, "gap-extend");
  bool own = cli_option_given(options, "gap-first") || cli_option_given(options, "gap-ext");
  if ((open || extend) && own)
    return cli_error(error, CLA_ERROR_OPTION,
                     "--gap-open and --gap-extend do not mix with --gap-first and --gap-ext; use one form");
  if (open != extend)
    return cli_error(error, CLA_ERROR_OPTION, "--gap-open and --gap-extend need each other; give both");
  if (!open) return CLA_OK;
  if (settings.gap_open + settings.gap_extend > CLA_SCORE_LIMIT)
    return cli_error(error, CLA_ERROR_OPTION, "--gap-open and --gap-extend add up to more than %d; lower one",
                     CLA_SCORE_LIMIT);
  settings.align.scoring.gap_first = settings.gap_open + settings.gap_extend;
  settings.align.scoring.gap_ext = settings.gap_extend;
  return CLA_OK;
}

/* All that can be refused before a file is read or a device is opened. */
static cla_status check_settings(const char *const *locations, cla_error *error) {
  cla_status status = settle_gap_costs(error);
  if (status != CLA_OK) return status;
  if (settings.align.scoring.gap_ext > settings.align.scoring.gap_first)
    return cli_error(error, CLA_ERROR_OPTION,
                     "--gap-first %d is below --gap-ext %d; the first letter costs at least "
                     "as much as a further one",
                     settings.align.scoring.gap_first, settings.align.scoring.gap_ext);
  status = cla_scoring_check(&settings.align.scoring, error);
  if (status != CLA_OK) return status;
  if (is_stdin(locations[0]) && is_stdin(locations[1]))
    return cli_error(error, CLA_ERROR_OPTION,
                     "QUERY and TARGET cannot both be standard input; name a file for one of them");
  cla_format standard = settings.align.score_only ? CLA_FORMAT_JSON : CLA_FORMAT_PAIR;
  status = outputs_prepare(&settings.outputs, standard, locations, 2, error);
  if (status == CLA_OK && settings.align.score_only)
    status = outputs_check_score_only(&settings.outputs, error);
  return status;
}

static cla_status explain(const cla_device *device, const cla_sequence *query, const cla_sequence *target,
                          cla_error *error) {
  char *text = NULL;
  cla_status status = cla_explain(&text, device, query, target, &settings.align, error);
  if (status == CLA_OK) fprintf(stderr, "%s%s", text, text[0] && text[strlen(text) - 1] == '\n' ? "" : "\n");
  free(text);
  return status;
}

/* Aligns, writes and sums up. From here on an interrupt ends the command in good order. */
static cla_status align_pair(cla_device *device, const cla_sequence *query, const cla_sequence *target,
                             const char *command_line, cla_error *error) {
  progress_bar bar;
  progress_bar_init(&bar, settings.quiet);
  settings.align.progress = progress_bar_update;
  settings.align.progress_user = &bar;
  cla_alignment *alignment = NULL;
  interrupt_defer();
  cla_status status = cla_align(&alignment, device, query, target, &settings.align, error);
  progress_bar_clear(&bar);
  if (status == CLA_OK) {
    const cla_alignment *alignments[] = {alignment};
    cla_write_options write_options = {.command = command_line};
    status = outputs_write(&settings.outputs, alignments, 1, query, target, &write_options, error);
  }
  if (status == CLA_OK && !settings.quiet) status = align_summary_print(alignment, query, target, error);
  cla_alignment_free(alignment);
  return status;
}

static cla_status run(const char *const *locations, const char *command_line, cla_error *error) {
  cla_sequence *query = NULL, *target = NULL;
  cla_device *device = NULL;
  cla_status status = check_settings(locations, error);
  if (status != CLA_OK) goto done;
  status = cla_sequence_read(&query, locations[0], error);
  if (status != CLA_OK) goto done;
  status = cla_sequence_read(&target, locations[1], error);
  if (status != CLA_OK) goto done;
  status = cli_device_open(&device, &settings.device, error);
  if (status != CLA_OK) goto done;
  if (settings.explain) status = explain(device, query, target, error);
  if (status != CLA_OK) goto done;
  status = align_pair(device, query, target, command_line, error);
done:
  cla_device_close(device);
  cla_sequence_free(target);
  cla_sequence_free(query);
  return status;
}

int cmd_align(int count, char **arguments) {
  cla_error error = {.status = CLA_OK};
  cli_arguments parsed;
  char *command_line = NULL;
  cla_align_options_init(&settings.align);
  cla_status status = cli_parse_arguments(&parsed, &syntax, count, arguments, &error);
  if (status == CLA_OK && parsed.help) {
    cli_print_help(&syntax);
    return cli_finish(cli_flush_stdout(&error), &error);
  }
  if (status == CLA_OK) status = command_line_text(&command_line, syntax.command, count, arguments, &error);
  if (status == CLA_OK) status = run(parsed.positionals, command_line, &error);
  free(command_line);
  return cli_finish(status, &error);
}
