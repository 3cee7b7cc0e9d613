/* clalign align: one pair, from two files to every output. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clalign/align.h"
#include "cli/align_command.h"
#include "cli/align_summary.h"
#include "cli/cli_align_options.h"
#include "cli/cli_command_line.h"
#include "cli/cli_help.h"
#include "cli/cli_interrupt.h"
#include "cli/cli_lower_bound.h"
#include "cli/cli_outputs.h"
#include "cli/cli_report.h"
#include "cli/cli_tuning.h"
#include "cli/command.h"
#include "cli/progress_bar.h"
#include "cli/run_arguments.h"

typedef struct align_settings {
  cli_align_settings how;
  cli_outputs outputs;
  cli_lower_bound lower_bound;
  int64_t min_score; /* in thousandths of a point */
  int64_t most;      /* alignments */
  bool explain, quiet;
} align_settings;

static align_settings settings;

/* More take a sweep each, and a binary alignment holds no more. */
#define MOST_ALIGNMENTS 65535

#define TEXT(variable) .parse = cli_parse_text, .destination = (void *)&(variable)
#define FLAG(variable) .parse = cli_parse_flag, .destination = &(variable)

/* clang-format off */
static cli_option options[] = {
    CLI_SCORING_OPTIONS(settings.how),
    CLI_STRAND_OPTION(settings.how.align.strand),
    {.name = "circular", .argument = "WORD", .parse = cli_parse_circular, .words = cli_circular_words, .destination = &settings.how.align.circular,
     .description = "query or target is a circle, such as a plasmid: the best alignment of all its rotations"},
    {.name = "max-alignments", .argument = "K", .parse = cli_parse_int64, .destination = &settings.most,
     .minimum = 1, .maximum = MOST_ALIGNMENTS,
     .description = "the best K local alignments of which no two use the same pair of letters, in the order of their scores", .default_text = "1"},
    {.name = "min-score", .argument = "N", .parse = cli_parse_thousandths, .destination = &settings.min_score,
     .minimum = INT64_MIN / CLA_UNITS_LIMIT, .maximum = INT64_MAX / CLA_UNITS_LIMIT,
     .description = "an alignment that scores less is not reported: outputs are then without one, which is no error"},
    {.name = "band", .argument = "N", .parse = cli_parse_int64, .destination = &settings.how.align.band,
     .maximum = INT64_MAX / 4,
     .description = "only alignments within N diagonals of the two corners' are looked at: the result is not proven to be the best"},
    CLI_GAP_PLACEMENT_OPTION(settings.how.align.gap_placement),
    {.name = "allow-empty", FLAG(settings.how.scoring.allow_empty),
     .description = "records without letters are aligned, and no error"},
    {.name = "format", .heading = "output", .argument = "FORMAT", .parse = outputs_parse_format, .words = output_format_words, .destination = &settings.outputs,
     .repeatable = true,
     .description = OUTPUT_FORMATS, .default_text = "pair; json with --score-only"},
    {.name = "output", .argument = "FILE", .parse = outputs_parse_output, .destination = &settings.outputs,
     .repeatable = true,
     .description = "where the --format before it goes", .default_text = "standard output"},
    {.name = "save", .argument = "FILE.cla", TEXT(settings.outputs.save),
     .description = "also save the alignment for 'clalign show' and 'verify'"},
    {.name = "save-work", FLAG(settings.outputs.save_work),
     .description = "save with it how the matrix was computed, which 'clalign show --plot' draws; such files differ between devices"},
    CLI_PLOT_OPTIONS(settings.outputs.plot),
    {.name = "score-only", FLAG(settings.how.align.score_only),
     .description = "score and end cell without the alignment, in less time"},
    {.name = "lower-bound", .heading = "what is known beforehand", .argument = "SCORE|auto|off|FILE", .parse = cli_parse_lower_bound,
     .destination = &settings.lower_bound,
     .description = "what the score is known to reach, which saves time: a score, an "
                    "alignment of this pair (PAF with cg:Z, SAM, BAM or .cla), or "
                    "what clalign finds; off: nothing", .default_text = "auto"},
    CLI_RESOURCE_OPTIONS(settings.how),
    {.name = "run-dir", .heading = "runs that can be resumed", .argument = "DIR", TEXT(settings.how.align.run_dir),
     .description = "keep the run in a new folder; 'clalign resume DIR' goes on with it after an interrupt or a crash"},
    {.name = "disk", CLI_SIZE(settings.how.align.disk_bytes),
     .description = "budget of disk for --run-dir", .default_text = "half of what is free"},
    {.name = "explain", .heading = "messages", FLAG(settings.explain), .description = "print the plan on stderr before the run"},
    {.name = "quiet", FLAG(settings.quiet), .description = "no progress and no summary on stderr"},
    {.name = NULL},
};
/* clang-format on */

static const cli_example examples[] = {
    {"clalign align a.fa b.fa", "the best local alignment, as text"},
    {"clalign align --mode global --strand both --format paf --output ab.paf a.fa.gz b.fa.gz",
     "both from end to end, on the better strand, as PAF"},
    {"clalign align --matrix BLOSUM62 --gap-open 11 --gap-extend 1 --format json p.fa q.fa",
     "proteins, with gap costs as NCBI writes them"},
    {"clalign align --run-dir run --save ab.cla chr1.fa:chr1 other.fa:chr1:1-50000000",
     "a long run that survives a power cut ('clalign resume run') and keeps its result for 'clalign show'"},
    {NULL, NULL},
};

const cli_syntax align_syntax = {
    .command = "align",
    .positionals = "QUERY TARGET",
    .purpose = "Aligns two sequences exactly, DNA or proteins, in memory linear in their lengths.",
    .notes =
        "QUERY and TARGET are FASTA or FASTQ files, plain or gzip: FILE, FILE:RECORD, FILE:RECORD:FROM-TO or "
        "FILE:FROM-TO (1-based, inclusive), - for standard input.",
    .examples = examples,
    .options = options,
    .least_positionals = 2,
    .most_positionals = 2,
};

static bool is_stdin(const char *location) {
  return location[0] == '-' && (location[1] == '\0' || location[1] == ':');
}

static cla_status check_several(cla_error *error) {
  if (settings.most < 2) return CLA_OK;
  if (settings.how.align.mode != CLA_MODE_LOCAL)
    return cli_error(error, CLA_ERROR_OPTION,
                     "--max-alignments %lld is for local alignments; leave it out, or --mode",
                     (long long)settings.most);
  if (settings.how.align.score_only)
    return cli_error(error, CLA_ERROR_OPTION,
                     "--max-alignments %lld needs the alignments, and --score-only makes none; leave one out",
                     (long long)settings.most);
  if (settings.how.align.run_dir)
    return cli_error(error, CLA_ERROR_OPTION,
                     "--run-dir keeps one alignment, and --max-alignments %lld asks for more; leave one out",
                     (long long)settings.most);
  if (settings.how.align.gap_placement != CLA_GAPS_CANONICAL)
    return cli_error(
        error, CLA_ERROR_OPTION,
        "--gap-placement may move a gap onto a pair of another one of --max-alignments %lld; leave one out",
        (long long)settings.most);
  if (settings.how.align.circular != CLA_CIRCULAR_NONE)
    return cli_error(error, CLA_ERROR_OPTION,
                     "--circular finds one alignment, and --max-alignments %lld asks for more; leave one out",
                     (long long)settings.most);
  return CLA_OK;
}

static cla_status check_circular(cla_error *error) {
  const cla_align_options *how = &settings.how.align;
  if (how->circular == CLA_CIRCULAR_NONE) return CLA_OK;
  if (how->mode != CLA_MODE_LOCAL && how->mode != CLA_MODE_GLOBAL)
    return cli_error(error, CLA_ERROR_OPTION, "--circular goes with --mode local and global, not with %s",
                     cla_mode_name(how->mode));
  if (how->run_dir)
    return cli_error(error, CLA_ERROR_OPTION,
                     "--run-dir keeps no search for the best rotation; leave it out, or rotate the circular "
                     "sequence and align it as a linear one");
  if (settings.lower_bound.file || settings.lower_bound.bound.kind == CLA_LOWER_BOUND_SCORE)
    return cli_error(
        error, CLA_ERROR_OPTION,
        "--lower-bound with --circular takes auto or off, because what is known of linear sequences "
        "says nothing of the other rotations");
  return CLA_OK;
}

static cla_status check_band(cla_error *error) {
  static const char *const others[] = {"run-dir", "circular", "max-alignments", "explain", "kernel",
                                       "set",     NULL};
  settings.how.align.has_band = cli_option_given(options, "band");
  if (!settings.how.align.has_band) return CLA_OK;
  for (int i = 0; others[i]; i++)
    if (cli_option_given(options, others[i]))
      return cli_error(error, CLA_ERROR_OPTION, "--band and --%s do not go together; leave one out",
                       others[i]);
  if (settings.lower_bound.file || settings.lower_bound.bound.kind == CLA_LOWER_BOUND_SCORE)
    return cli_error(error, CLA_ERROR_OPTION,
                     "--lower-bound is of the whole matrix and says nothing of a --band; leave one out");
  return CLA_OK;
}

/* All that can be refused before a file is read or a device is opened. */
static cla_status check_settings(const char *const *locations, cla_error *error) {
  cla_status status = cli_align_settings_settle(&settings.how, options, error);
  if (status != CLA_OK) return status;
  if (is_stdin(locations[0]) && is_stdin(locations[1]))
    return cli_error(error, CLA_ERROR_OPTION,
                     "QUERY and TARGET cannot both be standard input; name a file for one of them");
  if (settings.how.align.disk_bytes > 0 && !settings.how.align.run_dir)
    return cli_error(error, CLA_ERROR_OPTION, "--disk is for the folder of --run-dir; give both");
  if (settings.how.align.run_dir && (is_stdin(locations[0]) || is_stdin(locations[1])))
    return cli_error(error, CLA_ERROR_OPTION,
                     "--run-dir needs files that can be read again, not standard input");
  if (settings.how.align.score_only && cli_option_given(options, "gap-placement"))
    return cli_error(
        error, CLA_ERROR_OPTION,
        "--gap-placement is for an alignment's gaps, and --score-only makes none; leave one out");
  status = check_circular(error);
  if (status != CLA_OK) return status;
  status = check_several(error);
  if (status == CLA_OK) status = check_band(error);
  if (status != CLA_OK) return status;
  const cla_strand strand = settings.how.align.strand;
  if (settings.how.align.run_dir && strand == CLA_STRAND_BOTH)
    return cli_error(
        error, CLA_ERROR_OPTION,
        "--run-dir keeps one strand; run --strand forward and --strand reverse in a folder each, and "
        "take the better one");
  cla_format standard = settings.how.align.score_only ? CLA_FORMAT_JSON : CLA_FORMAT_PAIR;
  status = outputs_prepare(&settings.outputs, standard, locations, 2, error);
  if (status == CLA_OK && settings.how.align.score_only)
    status = outputs_check_score_only(&settings.outputs, error);
  if (status == CLA_OK && settings.most > 1) status = outputs_check_several(&settings.outputs, error);
  return status;
}

static void print_plan(const char *text, void *user) {
  progress_bar_clear(user);
  fputs(text, stderr);
}

/* Of a damaged run directory. */
static void print_note(const char *text, void *user) {
  progress_bar_clear(user);
  cli_warn(text);
}

/* Aligns, writes and sums up. From here on an interrupt ends the command in good order. */
static cla_status align_pair(cla_device *device, const cla_sequence *query, const cla_sequence *target,
                             const char *command_line, cla_error *error) {
  progress_bar bar;
  progress_bar_init(&bar, settings.quiet);
  settings.how.align.progress = progress_bar_update;
  settings.how.align.progress_user = &bar;
  settings.how.align.note = print_note;
  settings.how.align.note_user = &bar;
  settings.how.align.explain = settings.explain ? print_plan : NULL;
  settings.how.align.explain_user = &bar;
  settings.how.align.keep_work = settings.outputs.save_work || settings.outputs.plot.path;
  cla_alignment **alignments = NULL;
  size_t count = 0;
  interrupt_defer();
  cla_status status = cla_align_several(&alignments, &count, device, query, target, &settings.how.align,
                                        settings.most, error);
  progress_bar_clear(&bar);
  if (status == CLA_OK) {
    cla_write_options write_options = {.command = command_line};
    status = outputs_write(&settings.outputs, (const cla_alignment *const *)alignments, count, query, target,
                           &write_options, error);
  }
  if (status == CLA_OK && !settings.quiet && count > 0)
    status = align_summary_print((const cla_alignment *const *)alignments, count, query, target, error);
  else if (status == CLA_OK && !settings.quiet)
    align_summary_print_none(&settings.how.align);
  cla_alignments_free(alignments, count);
  return status;
}

static cla_status run(const char *const *locations, const char *command_line, cla_error *error) {
  cla_sequence *pair[2] = {NULL, NULL};
  cla_device *device = NULL;
  cla_tuning *tuning = NULL;
  cla_status status = check_settings(locations, error);
  if (status != CLA_OK) goto done;
  settings.how.align.allow_empty = settings.how.scoring.allow_empty;
  status = cli_scoring_read_pair(pair, locations, &settings.how.scoring, &settings.how.align.scoring, options,
                                 error);
  if (status != CLA_OK) goto done;
  const cla_sequence *query = pair[0], *target = pair[1];
  status = cli_check_strand(settings.how.align.strand, cla_sequence_alphabet(query), error);
  if (status != CLA_OK) goto done;
  status = outputs_check_alphabet(&settings.outputs, cla_sequence_alphabet(query), error);
  if (status != CLA_OK) goto done;
  status = outputs_check_region(&settings.outputs, query, target, error);
  if (status != CLA_OK) goto done;
  status = cli_lower_bound_settle(&settings.lower_bound, query, target, &settings.how.align, error);
  if (status != CLA_OK) goto done;
  settings.how.align.lower_bound = settings.lower_bound.bound;
  settings.how.align.has_min_score = cli_option_given(options, "min-score");
  status = cli_scoring_units(&settings.how.align.min_score, settings.min_score, &settings.how.align.scoring,
                             "min-score", error);
  if (status != CLA_OK) goto done;
  status = cli_device_open(&device, &settings.how.device, error);
  if (status != CLA_OK) goto done;
  status = cli_tuning_load(&tuning, device, settings.quiet, error);
  if (status != CLA_OK) goto done;
  settings.how.align.tuning = tuning;
  status = align_pair(device, query, target, command_line, error);
done:
  cla_path_free(&settings.lower_bound.path);
  cla_tuning_free(tuning);
  cla_device_close(device);
  cla_sequence_free(pair[1]);
  cla_sequence_free(pair[0]);
  return status;
}

static int run_and_finish(const cli_arguments *parsed, int count, char **arguments, const char *resumed) {
  cla_error error = {.status = CLA_OK};
  char *line = NULL, *text = NULL;
  cla_status status = command_line_text(&line, align_syntax.command, count, arguments, &error);
  const char *shown = resumed ? resumed : line;
  if (status == CLA_OK && settings.how.align.run_dir)
    status = run_arguments_text(&text, shown, count, arguments, &error);
  settings.how.align.run_text = text;
  settings.how.align.resume = resumed != NULL;
  if (status == CLA_OK) status = run(parsed->positionals, shown, &error);
  free(text);
  free(line);
  const int code = cli_finish(status, &error);
  return code == EXIT_INTERRUPTED && settings.how.align.run_dir ? EXIT_RESUMABLE : code;
}

int align_command_run(int count, char **arguments, const char *resumed) {
  cla_error error = {.status = CLA_OK};
  cli_arguments parsed;
  cli_align_settings_init(&settings.how);
  settings.most = 1;
  cla_status status = cli_parse_arguments(&parsed, &align_syntax, count, arguments, &error);
  if (status != CLA_OK) return cli_finish(status, &error);
  if (!parsed.help) return run_and_finish(&parsed, count, arguments, resumed);
  cli_print_help(&align_syntax);
  return cli_finish(cli_flush_stdout(&error), &error);
}

int cmd_align(int count, char **arguments) {
  return align_command_run(count, arguments, NULL);
}
