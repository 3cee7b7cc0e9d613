/* clalign align: aligns one pair, from reading two files to writing every output. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clalign/align.h"
#include "cli/commands/command.h"
#include "cli/options/align_options.h"
#include "cli/options/device_options.h"
#include "cli/options/options.h"
#include "cli/report/certificates.h"
#include "cli/report/outputs.h"
#include "cli/report/progress_bar.h"
#include "cli/report/report.h"

typedef struct align_settings {
  cli_align_settings how;
  cli_outputs outputs;
  cli_lower_bound lower_bound;
  int64_t min_score, split_drop; /* in thousandths of a point */
  cli_certify certify;
  bool explain, quiet;
} align_settings;

static align_settings settings;

/* Maximum number of alignments: a binary alignment file contains no more, and each takes a sweep. */
#define MOST_ALIGNMENTS 65535

/* clang-format off */
static cli_option options[] = {
    CLI_SCORING_OPTIONS(settings.how),
    CLI_STRAND_OPTION(settings.how.align.strand),
    CLI_CIRCULAR_OPTION(settings.how.align.circular),
    {.name = "rotated", .argument = "FILE", CLI_TEXT(settings.outputs.rotated),
     .description = "with --circular: also write that record as FASTA, turned to begin with the first letter that is aligned"},
    {.name = "max-alignments", .argument = "K", .parse = cli_parse_int64, .destination = &settings.how.align.several.most,
     .minimum = 1, .maximum = MOST_ALIGNMENTS,
     .description = "the best K local alignments of which no two use the same pair of letters, in the order of their scores", .default_text = "1"},
    CLI_SPLIT_OPTIONS(settings.how.align.several.split, settings.split_drop,
                      "cut the alignment where it is not worth having, and report the pieces, the best first; with --strand both also "
                      "what is inverted between them"),
    {.name = "min-score", .argument = "N", .parse = cli_parse_thousandths, .destination = &settings.min_score,
     .minimum = INT64_MIN / CLA_UNITS_LIMIT, .maximum = INT64_MAX / CLA_UNITS_LIMIT,
     .description = "an alignment that scores less is not reported: outputs are then without one, which is no error"},
    {.name = "band", .argument = "N", .parse = cli_parse_int64, .destination = &settings.how.align.band,
     .maximum = INT64_MAX / 4,
     .description = "only alignments within N diagonals of the two corners' are looked at: the result is not proven to be the best"},
    CLI_GAP_PLACEMENT_OPTION(settings.how.align.gap_placement),
    {.name = "allow-empty", CLI_FLAG(settings.how.scoring.allow_empty),
     .description = "records without letters are aligned, and no error"},
    CLI_CERTIFY_PAIR_OPTIONS(settings.certify),
    CLI_OUTPUT_OPTIONS(settings.outputs, "output", output_certified_format_names, "; may be repeated", "pair; json with --score-only", "standard output"),
    CLI_WRITE_OPTIONS(settings.outputs),
    CLI_SAVE_OPTIONS(settings.outputs),
    CLI_PLOT_OPTIONS(settings.outputs.plot),
    {.name = "score-only", CLI_FLAG(settings.how.align.score_only),
     .description = "score and end cell without the alignment, in less time"},
    {.name = "lower-bound", .heading = "what is known beforehand", .argument = "SCORE|auto|off|FILE", .parse = cli_parse_lower_bound,
     .destination = &settings.lower_bound,
     .description = "what the score is known to reach, which saves time: a score, an "
                    "alignment of this pair (PAF with cg:Z, SAM, BAM or .cla), or "
                    "what clalign finds; off: nothing", .default_text = "auto"},
    CLI_RESOURCES_OPTIONS(settings.how),
    {.name = "run-dir", .heading = "runs that can be resumed", .argument = "DIR", CLI_TEXT(settings.how.align.run.directory),
     .description = "keep the run in a new folder; 'clalign resume DIR' goes on with it after an interrupt or a crash"},
    {.name = "disk", CLI_SIZE(settings.how.align.budgets.disk_bytes),
     .description = "budget of disk for --run-dir", .default_text = "half of what is free"},
    {.name = "explain", .letters = "v", .heading = "messages", CLI_FLAG(settings.explain), .description = "print the plan on stderr before the run"},
    {.name = "quiet", .letters = "q", CLI_FLAG(settings.quiet), .description = "no progress and no summary on stderr"},
    {.name = NULL},
};
/* clang-format on */

static const cli_example examples[] = {
    {"clalign align a.fa b.fa", "the best local alignment, as text"},
    {"clalign align --mode global --strand both --format paf --output ab.paf a.fa.gz b.fa.gz",
     "both from end to end, on the better strand, as PAF"},
    {"clalign align --preset genome --mode global --split --strand both -o ab.vcf.gz -o ab.paf a.fa b.fa",
     "two genomes: what is worth aligning, inversions, and the differences with the letters they are known "
     "of"},
    {"clalign align --mode global --circular query --strand both --rotated turned.fa assembly.fa "
     "reference.fa",
     "a plasmid's assembly, and that record turned to begin where the reference begins"},
    {"clalign align --matrix BLOSUM62 --gap-open 11 --gap-extend 1 --format json p.fa q.fa",
     "proteins, with gap costs as NCBI writes them"},
    {"clalign align --run-dir run --save ab.cla chr1.fa:chr1 other.fa:chr1:1-50000000",
     "a long run that survives a power cut ('clalign resume run') and keeps its result for 'clalign show'"},
    {NULL, NULL},
};

static const cli_syntax align_syntax = {
    .command = "align",
    .positionals = "QUERY TARGET",
    .purpose = "Aligns two sequences exactly, DNA or proteins, in memory linear in their lengths.",
    .notes =
        "QUERY and TARGET are FASTA or FASTQ files, plain or gzip: FILE, FILE:RECORD, FILE:#3 (the third), "
        "FILE:RECORD:FROM-TO or FILE:FROM-TO (1-based, inclusive), - for standard input. Of files with "
        "several "
        "records 'clalign batch --all-vs-all QUERY TARGET' aligns all pairs.",
    .examples = examples,
    .options = options,
    .least_positionals = 2,
    .most_positionals = 2,
};

static cla_status check_conflicts(const cli_arguments *parsed, cla_error *error) {
  const cla_align_options *how = &settings.how.align;
  const bool bound = settings.lower_bound.file || settings.lower_bound.bound.kind == CLA_LOWER_BOUND_SCORE;
  cli_demands demands = {.mode = ""};
  cli_demands_of(&demands, how, settings.how.align.several.most, options);
  cli_demands_of_inputs(&demands, parsed);
  cli_demand_set(&demands, DEMAND_BAND, how->has_band, "--band");
  cli_demand_set(&demands, DEMAND_BOUND, bound, "--lower-bound");
  cli_demand_set(&demands, DEMAND_CERTIFY, settings.certify.wanted, "--certify");
  cli_demand_set(&demands, DEMAND_OPTIMAL, settings.certify.optimal_most > 0, "--optimal");
  cli_demand_set(&demands, DEMAND_STABLE, settings.certify.stable, "--stable");
  cli_demand_set(&demands, DEMAND_STABLE, settings.certify.plane.path_count > 0, "--stable-plot");
  cli_demand_set(&demands, DEMAND_CIRCULAR, how->circular != CLA_CIRCULAR_NONE, "--circular");
  cli_demand_set(&demands, DEMAND_DISK, how->budgets.disk_bytes > 0, "--disk");
  cli_demand_set(&demands, DEMAND_EXPLAIN, settings.explain, "--explain");
  cli_demand_set(&demands, DEMAND_KERNEL, how->kernel.name, "--kernel");
  cli_demand_set(&demands, DEMAND_NO_RUN_DIR, !how->run.directory, "no --run-dir");
  cli_demand_set(&demands, DEMAND_RUN_DIR, how->run.directory, "--run-dir");
  cli_demand_set(&demands, DEMAND_SPLIT, how->several.split, "--split");
  cli_demand_set(&demands, DEMAND_NO_SPLIT, !how->several.split, "no --split");
  cli_demand_set(&demands, DEMAND_SPLIT_DROP, cli_option_given(options, "split-drop"), "--split-drop");
  cli_demand_set(&demands, DEMAND_SETTING, cli_option_given(options, "set"), "--set");
  cli_demand_set(&demands, DEMAND_ROTATED, settings.outputs.rotated, "--rotated");
  cli_demand_set(&demands, DEMAND_NO_CIRCULAR, how->circular == CLA_CIRCULAR_NONE, "no --circular");
  return cli_demands_check(&demands, STEP_ALIGN, error);
}

/* Refuses all options that can be checked before a file is read or a device is opened. */
static cla_status check_settings(const cli_arguments *parsed, cla_error *error) {
  cla_status status = cli_align_settings_settle(&settings.how, options, error);
  settings.how.align.has_band = cli_option_given(options, "band");
  if (status == CLA_OK) status = check_conflicts(parsed, error);
  if (status == CLA_OK) status = cli_certify_check(&settings.certify, error);
  if (status != CLA_OK) return status;
  cla_format standard = settings.how.align.score_only ? CLA_FORMAT_JSON : CLA_FORMAT_PAIR;
  settings.outputs.quiet = settings.quiet;
  settings.outputs.how.free_ends |= cli_preset_shows_ends(&settings.how.scoring);
  settings.outputs.callable = settings.how.align.several.split;
  cli_certify_set_outputs(&settings.outputs, &settings.certify);
  status = outputs_prepare(&settings.outputs, standard, parsed->positionals, 2, error);
  if (status == CLA_OK)
    status = outputs_check_files(&settings.outputs, settings.how.scoring.matrix,
                                 settings.how.align.run.directory, error);
  if (status == CLA_OK && settings.lower_bound.file)
    status = outputs_check_input(&settings.outputs, settings.lower_bound.file, error);
  if (status == CLA_OK && settings.how.align.score_only)
    status = outputs_check_score_only(&settings.outputs, error);
  return status;
}

static void print_plan(const char *text, void *user) {
  progress_bar_clear(user);
  cli_preset_print(&settings.how.scoring);
  fputs(text, stderr);
}

/* Prints a warning about a damaged run directory. */
static void print_note(const char *text, void *user) {
  progress_bar_clear(user);
  cli_warn(text);
}

/* Objects that a run has opened. */
typedef struct opened {
  cli_late_device late;
  cla_partner *partners;
  cla_device *device; /* NULL: none */
} opened;

/* Aligns the pair, writes the outputs and prints the summary. Once this function runs, an interrupt no longer
 * ends the process immediately. */
static cla_status align_pair(opened *own, const cla_sequence *query, const cla_sequence *target,
                             const char *command_line, cla_error *error) {
  progress_bar bar;
  progress_bar_init(&bar, settings.quiet);
  settings.how.align.callbacks.progress = progress_bar_update;
  settings.how.align.callbacks.progress_user = &bar;
  settings.how.align.callbacks.note = print_note;
  settings.how.align.callbacks.note_user = &bar;
  settings.how.align.callbacks.explain = settings.explain ? print_plan : NULL;
  settings.how.align.callbacks.explain_user = &bar;
  settings.how.align.callbacks.device = own->device || cli_ranks ? NULL : cli_late_device_open;
  settings.how.align.callbacks.device_user = &own->late;
  cla_results found;
  interrupt_defer();
  cla_status status = cla_align_several(&found, own->device, query, target, &settings.how.align, error);
  const certify_means means = {settings.how.align.budgets, own->device, &settings.how.align, &bar};
  if (status == CLA_OK) status = cli_certify_results(&found, &settings.certify, &means, error);
  progress_bar_clear(&bar);
  const cla_results listed = status == CLA_OK ? cli_certify_listed(&found, &settings.certify) : found;
  if (status == CLA_OK) {
    const cla_write_options write_options = {.command = command_line};
    status = outputs_write(&settings.outputs, &listed, &write_options, error);
  }
  if (status == CLA_OK)
    status = cli_plane_write(&settings.certify.plane, &found, own->device, &settings.how.align,
                             &settings.outputs.plot.options, error);
  progress_bar_clear(&bar);
  const cla_circular circular = settings.how.align.circular;
  if (status == CLA_OK && settings.outputs.rotated && found.count > 0)
    status = turned_record_write(settings.outputs.rotated, found.alignments[0],
                                 circular == CLA_CIRCULAR_QUERY ? query : target, circular, error);
  if (status == CLA_OK && !settings.quiet && found.count > 0)
    status = align_summary_print(&listed, true, error);
  else if (status == CLA_OK && !settings.quiet)
    align_summary_print_none(&settings.how.align);
  if (status == CLA_OK && !settings.quiet && found.count > 0) outputs_print_hint(&settings.outputs);
  cli_certificates_free(&found);
  cla_results_free(&found);
  return status;
}

/* Makes the first GPU, or else the first device, the main device of the alignment. The other devices become
 * its partners. */
static cla_status share_work(opened *own, cla_error *error) {
  const cli_devices *devices = &own->late.devices;
  size_t first = 0, count = 0;
  for (size_t i = devices->count; i-- > 0;)
    if (cla_device_describe(devices->items[i])->kind == CLA_DEVICE_GPU) first = i;
  own->partners = calloc(devices->count + 1, sizeof *own->partners);
  if (!own->partners)
    return cli_error(error, CLA_ERROR_MEMORY, "out of memory for a list of devices; free some memory");
  for (size_t i = 0; i < devices->count; i++)
    if (i != first)
      own->partners[count++] = (cla_partner){.device = devices->items[i], .tuning = devices->tunings[i]};
  own->device = devices->items[first];
  settings.how.align.tuning = devices->tunings[first];
  settings.how.align.partners = own->partners;
  settings.how.align.partner_count = count;
  return CLA_OK;
}

/* Opens the devices that --device names; with ranks, the devices that the pair needs. Otherwise no device is
 * opened before it is needed, because a driver takes 0.1 s or more. */
static cla_status open_devices(opened *own, const cla_sequence *query, const cla_sequence *target,
                               cla_error *error) {
  const bool needed = cli_ranks && cla_align_needs_device(query, target, &settings.how.align);
  if (!settings.how.device.select && !cli_device_has_own_kernels() && !needed) return CLA_OK;
  cla_device *first = NULL;
  const cla_tuning *tuning = NULL;
  cla_status status = cli_late_device_open(&first, &tuning, &own->late, error);
  return status == CLA_OK ? share_work(own, error) : status;
}

/* Marks the sequences of which only the aligned range has to be kept in memory. */
static void choose_ranges(void) {
  const cla_align_options *how = &settings.how.align;
  const bool ranges =
      settings.outputs.plot.count == 0 && !settings.lower_bound.file && how->circular == CLA_CIRCULAR_NONE;
  settings.how.scoring.range_alone[0] =
      ranges && how->strand == CLA_STRAND_FORWARD && !outputs_want_qualities(&settings.outputs);
  settings.how.scoring.range_alone[1] = ranges;
}

static cla_status run(const cli_arguments *parsed, const char *command_line, cla_error *error) {
  cla_align_options *how = &settings.how.align;
  cla_sequence *pair[2] = {NULL, NULL};
  opened own = {.device = NULL};
  cla_status status = check_settings(parsed, error);
  settings.how.scoring.qualities = outputs_want_qualities(&settings.outputs);
  settings.how.scoring.keep_case = settings.outputs.keep_case;
  choose_ranges();
  if (status == CLA_OK)
    status = cli_scoring_read_pair(pair, parsed->positionals, &settings.how.scoring, &how->scoring, options,
                                   error);
  if (status == CLA_OK) status = cli_certify_check_scheme(&settings.certify, &how->scoring, error);
  const cla_sequence *query = pair[0], *target = pair[1];
  if (status == CLA_OK) status = cli_check_strand(how->strand, cla_sequence_alphabet(query), error);
  if (status == CLA_OK)
    status = outputs_check_alphabet(&settings.outputs, cla_sequence_alphabet(query), error);
  if (status == CLA_OK) status = outputs_check_letters(&settings.outputs, query, target, error);
  if (status == CLA_OK) status = outputs_check_region(&settings.outputs, query, target, error);
  if (status == CLA_OK) status = cli_lower_bound_settle(&settings.lower_bound, query, target, how, error);
  how->allow_empty = settings.how.scoring.allow_empty;
  if (!settings.how.device.select && !cli_device_has_own_kernels()) how->host_cells = CLA_HOST_CELLS;
  how->lower_bound = settings.lower_bound.bound;
  how->ranks = cli_ranks;
  how->keep_work = settings.outputs.save_work || settings.outputs.plot.options.work;
  how->has_min_score = cli_option_given(options, "min-score");
  if (status == CLA_OK)
    status = cli_scoring_units(&how->min_score, settings.min_score, &how->scoring, "min-score", error);
  if (status == CLA_OK && cli_option_given(options, "split-drop"))
    status = cli_scoring_units(&how->several.drop, settings.split_drop, &how->scoring, "split-drop", error);
  if (status == CLA_OK)
    status = cli_late_device_begin(&own.late, &settings.how.device, settings.quiet, error);
  if (status == CLA_OK) status = open_devices(&own, query, target, error);
  if (status == CLA_OK) status = align_pair(&own, query, target, command_line, error);
  cla_path_free(&settings.lower_bound.path);
  free(own.partners);
  cli_late_device_end(&own.late);
  cla_sequence_free(pair[1]);
  cla_sequence_free(pair[0]);
  return status;
}

/* Aligns, with a run directory if one is wanted. */
static cla_status run_kept(command_call *call, cla_error *error) {
  char *text = NULL;
  cla_status status = CLA_OK;
  call->resumable = settings.how.align.run.directory != NULL;
  if (call->resumable)
    status = run_arguments_text(&text, NULL, call->line, call->count, call->arguments, error);
  settings.how.align.run.text = text;
  settings.how.align.run.resume = call->resumed;
  if (status == CLA_OK) status = run(call->parsed, call->line, error);
  free(text);
  return status;
}

static void begin(void) {
  cli_align_settings_init(&settings.how);
}

const command align_command = {
    .syntax = &align_syntax, .purpose = "align two sequences exactly", .begin = begin, .run = run_kept};
