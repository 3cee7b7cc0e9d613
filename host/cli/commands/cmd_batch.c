/* clalign batch: aligns many pairs from lists or files. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "clalign/arrays.h"
#include "cli/batch/batch_run.h"
#include "cli/commands/command.h"
#include "cli/options/options.h"
#include "cli/report/report.h"

typedef struct batch_settings {
  cli_align_settings how;
  cli_outputs outputs;
  cli_certify certify;
  const char *save, *run_dir, *regions;
  bool all_vs_all, pairwise;
  bool keeps; /* true: the run directory is open */
  bool as_finished, fail_fast, explain, quiet;
  int64_t top;
  int64_t min_score, split_drop; /* in thousandths of a point */
  double max_evalue;
  cla_database database; /* the targets of --all-vs-all, if E-values are wanted */
} batch_settings;

static batch_settings settings;

#define USUAL_MAX_EVALUE 1e-6
#define MOST_ALIGNMENTS 65535 /* maximum number of alignments in a binary alignment file */

/* clang-format off */
static cli_option options[] = {
    {.name = "all-vs-all", .heading = "which pairs", CLI_FLAG(settings.all_vs_all),
     .description = "all records of A (or the one of A as FILE:RECORD) with all of B; of A alone all pairs, each once"},
    {.name = "pairwise", CLI_FLAG(settings.pairwise),
     .description = "the first record of A with the first of B, the second with the second, and so on"},
    {.name = "regions", .argument = "FILE.paf", CLI_TEXT(settings.regions),
     .description = "the regions of a PAF file, as minimap2 writes it, each on its strand: its query records are of A, its target records of B"},
    {.name = "top", .argument = "K", .parse = cli_parse_int64, .destination = &settings.top, .minimum = 1, .maximum = INT32_MAX,
     .description = "of the pairs that a query has one after the other only the K with the best scores"},
    CLI_SCORING_OPTIONS(settings.how),
    CLI_STRAND_OPTION(settings.how.align.strand),
    CLI_CIRCULAR_OPTION(settings.how.align.circular),
    {.name = "max-alignments", .argument = "K", .parse = cli_parse_int64, .destination = &settings.how.align.several.most,
     .minimum = 1, .maximum = MOST_ALIGNMENTS,
     .description = "of each pair the best K local alignments of which no two use the same pair of letters", .default_text = "1"},
    CLI_SPLIT_OPTIONS(settings.how.align.several.split, settings.split_drop,
                      "cut each alignment where it is not worth having, and report the pieces, as 'clalign align' does"),
    {.name = "min-score", .argument = "N", .parse = cli_parse_thousandths, .destination = &settings.min_score,
     .minimum = INT64_MIN / CLA_UNITS_LIMIT, .maximum = INT64_MAX / CLA_UNITS_LIMIT,
     .description = "an alignment that scores less is not reported"},
    {.name = "max-evalue", .argument = "E", .parse = cli_parse_real, .destination = &settings.max_evalue,
     .minimum = 0, .maximum = INT32_MAX,
     .description = "a local alignment is not reported if unrelated sequences of these lengths have more than E as good",
     .default_text = "1e-6 with --all-vs-all and no --min-score; else all are reported"},
    CLI_GAP_PLACEMENT_OPTION(settings.how.align.gap_placement),
    CLI_CERTIFY_OPTIONS(settings.certify),
    {.name = "allow-empty", CLI_FLAG(settings.how.scoring.allow_empty),
     .description = "records without letters are aligned, and no error"},
    {.name = "score-only", CLI_FLAG(settings.how.align.score_only),
     .description = "scores and end cells without the alignments, in less time"},
    CLI_OUTPUT_OPTIONS(settings.outputs, "output", output_many_format_names, "as for 'clalign align' but cla, and of --all-vs-all matrix and phylip; may be repeated", "paf; tsv with --score-only", "standard output"),
    CLI_WRITE_OPTIONS(settings.outputs),
    {.name = "save", .argument = "FOLDER", CLI_TEXT(settings.save),
     .description = "also save each pair for 'clalign show' and 'verify', as FOLDER/NUMBER.cla"},
    {.name = "plot", .argument = "FILE", .parse = cli_parse_plot, .destination = &settings.outputs.plot, .repeatable = true,
     .description = "also draw all alignments in one picture, to a .png, .svg, .pdf or .html: target records along x, query records along y by where they lie; may be repeated"},
    CLI_PLOT_LOOK_OPTIONS(settings.outputs.plot),
    {.name = "as-finished", CLI_FLAG(settings.as_finished),
     .description = "results as they are found, not in the order of the pairs"},
    {.name = "fail-fast", CLI_FLAG(settings.fail_fast),
     .description = "the first pair that fails ends the batch"},
    CLI_DEVICES_OPTIONS(settings.how.device, "devices, memory and kernels"),
    CLI_BUDGET_OPTIONS(settings.how),
    {.name = "run-dir", .heading = "batches that can be resumed", .argument = "DIR", CLI_TEXT(settings.run_dir),
     .description = "keep what is finished in a new folder; 'clalign resume DIR' goes on with it after an interrupt or a crash"},
    {.name = "explain", .letters = "v", .heading = "messages", CLI_FLAG(settings.explain), .description = "print the plan on stderr before the first pair"},
    {.name = "quiet", .letters = "q", CLI_FLAG(settings.quiet), .description = "no progress and no summary on stderr, errors only"},
    {.name = NULL},
};
/* clang-format on */

static const cli_example examples[] = {
    {"clalign batch --output hits.paf pairs.tsv", "the pairs of a list, as PAF"},
    {"clalign batch --all-vs-all --top 10 --format blast p.fa swissprot.fa.gz",
     "of each protein the ten best of a database, as BLAST's table"},
    {"clalign batch --pairwise --score-only --format json --output scores.json a.fa b.fa",
     "the i-th records of two files, scores only"},
    {"clalign batch --all-vs-all --strand both --top 1 -o hits.bam --plot hits.png contigs.fa genome.fa",
     "the best place of each contig, and a picture of all"},
    {"clalign batch --regions seeds.paf -o exact.paf contigs.fa genome.fa",
     "the regions that minimap2 has found, aligned exactly"},
    {NULL, NULL},
};

static const cli_syntax batch_syntax = {
    .command = "batch",
    .positionals = "PAIRS.tsv | A [B]",
    .purpose = "Aligns many pairs, each exactly as 'clalign align' does.",
    .notes =
        "PAIRS.tsv has a line for each pair: QUERY, a tab, TARGET, each as for 'clalign align'; - for "
        "standard input. Lines that are empty or begin with # are passed over, further columns too. With "
        "--all-vs-all, --pairwise or --regions A and B are files of sequences. Regions are aligned from end "
        "to "
        "end, unless --mode, --free-ends or --preset says otherwise.\n\n"
        "Short pairs are aligned on the host's threads, without a device. One is opened for the first pair "
        "that needs it; --device has devices align all.\n\n"
        "A pair that fails is named on stderr, and the others go on; the exit code is then 2, or 3 if memory "
        "or a device failed.",
    .examples = examples,
    .options = options,
    .least_positionals = 1,
    .most_positionals = 2,
};

/* True if the positional arguments are files of sequences. */
static bool of_files(void) {
  return settings.all_vs_all || settings.pairwise || settings.regions;
}

/* Checks the files and the options that define the pairs. */
static cla_status check_files(cli_demands *demands, const cli_arguments *parsed, cla_error *error) {
  const bool both = parsed->count == 2 && strcmp(parsed->positionals[0], "-") == 0 &&
                    strcmp(parsed->positionals[1], "-") == 0;
  cli_demand_set(demands, DEMAND_ALL_VS_ALL, settings.all_vs_all, "--all-vs-all");
  cli_demand_set(demands, DEMAND_PAIRWISE, settings.pairwise, "--pairwise");
  cli_demand_set(demands, DEMAND_REGIONS, settings.regions, "--regions");
  cli_demand_set(demands, DEMAND_CIRCULAR, settings.how.align.circular != CLA_CIRCULAR_NONE, "--circular");
  cli_demand_set(demands, DEMAND_STRAND, cli_option_given(options, "strand"), "--strand");
  cli_demand_set(demands, DEMAND_LIST, !of_files(), "a list");
  cli_demand_set(demands, DEMAND_ONE_FILE, parsed->count < 2, "one file");
  cli_demand_set(demands, DEMAND_TWO_FILES, parsed->count > 1, "two files");
  cli_demand_set(demands, DEMAND_TOP, settings.top > 0, "--top");
  cli_demand_set(demands, DEMAND_ONLY_STDIN, both, "-");
  return cli_demands_check(demands, STEP_BATCH_FILES, error);
}

static cla_status check_alignments(cli_demands *demands, const cli_arguments *parsed, cla_error *error) {
  cli_demands_of(demands, &settings.how.align, settings.how.align.several.most, options);
  cli_demands_of_inputs(demands, parsed);
  cli_demand_set(demands, DEMAND_SPLIT, settings.how.align.several.split, "--split");
  cli_demand_set(demands, DEMAND_NO_SPLIT, !settings.how.align.several.split, "no --split");
  cli_demand_set(demands, DEMAND_SPLIT_DROP, cli_option_given(options, "split-drop"), "--split-drop");
  snprintf(demands->several, sizeof demands->several, "--max-alignments %lld",
           (long long)settings.how.align.several.most);
  cli_demand_set(demands, DEMAND_SEVERAL, settings.how.align.several.most > 1, demands->several);
  cli_demand_set(demands, DEMAND_CERTIFY, settings.certify.wanted, "--certify");
  cli_demand_set(demands, DEMAND_RUN_DIR, settings.run_dir, "--run-dir");
  cli_demand_set(demands, DEMAND_TOP_AS_FINISHED, settings.as_finished && settings.top > 0, "--as-finished");
  return cli_demands_check(demands, STEP_BATCH, error);
}

/* Returns the output format that is a table of all pairs, or NULL. */
static const char *table_format(void) {
  const char *name = NULL;
  for (int i = 0; i < settings.outputs.count; i++) {
    const cla_format_facts *facts = cla_format_describe(settings.outputs.items[i].format);
    if (facts->many_pairs && (!name || facts->needs_path)) name = facts->name;
  }
  return name;
}

/* Refuses options that are not possible with a table of all pairs, which contains each pair once. */
static cla_status check_table(const cli_arguments *parsed, cla_error *error) {
  const char *format = table_format(), *columns = settings.outputs.how.columns;
  settings.outputs.how.one_file = settings.all_vs_all && parsed->count == 1;
  if (!format) return CLA_OK;
  const cla_several *several = &settings.how.align.several;
  const char *other = settings.top > 0                          ? "--top"
                      : cli_option_given(options, "min-score")  ? "--min-score"
                      : cli_option_given(options, "max-evalue") ? "--max-evalue"
                      : several->most > 1                       ? "--max-alignments"
                      : several->split                          ? "--split"
                                                                : NULL;
  if (other)
    return cli_error(error, CLA_ERROR_OPTION, "--format %s is a table of all pairs; leave out %s", format,
                     other);
  if (!settings.outputs.how.one_file && strcmp(format, "phylip") == 0)
    return cli_error(error, CLA_ERROR_OPTION,
                     "--format phylip is for all pairs of one file, --all-vs-all A; use matrix for two");
  if (columns && strcmp(columns, "identity") == 0 && settings.how.align.score_only)
    return cli_error(error, CLA_ERROR_OPTION, "identities need alignments; leave out --score-only");
  return CLA_OK;
}

static cla_status check_outputs(const cli_arguments *parsed, cla_error *error) {
  settings.outputs.quiet = settings.quiet;
  settings.outputs.tables = settings.all_vs_all;
  settings.outputs.callable = settings.how.align.several.split;
  cli_certify_set_outputs(&settings.outputs, &settings.certify);
  if (outputs_unasked(&settings.outputs) && !settings.save && settings.outputs.plot.count == 0)
    return cli_error(
        error, CLA_ERROR_OPTION,
        "a terminal is no place for a batch's results; keep them with -o FILE.paf, .sam or another "
        "ending, or ask for them here with --format paf");
  const cla_format standard = settings.how.align.score_only ? CLA_FORMAT_TSV : CLA_FORMAT_PAF;
  cla_status status = outputs_prepare(&settings.outputs, standard, parsed->positionals, parsed->count, error);
  for (int i = 0; i < settings.outputs.count && status == CLA_OK; i++)
    if (settings.outputs.items[i].format == CLA_FORMAT_CLA)
      status = cli_error(error, CLA_ERROR_OPTION,
                         "the format cla holds one pair; --save FOLDER saves each to a file of its own");
  if (status == CLA_OK) status = check_table(parsed, error);
  if (status == CLA_OK)
    status = outputs_check_files(&settings.outputs, settings.how.scoring.matrix, settings.run_dir, error);
  if (status == CLA_OK && settings.how.align.score_only && settings.outputs.plot.count > 0)
    return cli_error(error, CLA_ERROR_OPTION,
                     "--plot draws alignments, and --score-only makes none; leave one out");
  if (status == CLA_OK && settings.how.align.score_only)
    status = outputs_check_score_only(&settings.outputs, error);
  settings.outputs.how.score_only = settings.how.align.score_only;
  return status;
}

static cla_status check_settings(const cli_arguments *parsed, cla_error *error) {
  cli_demands demands = {.mode = ""};
  cla_status status = check_files(&demands, parsed, error);
  const bool mode_given = cli_option_given(options, "mode") || cli_option_given(options, "free-ends") ||
                          cli_option_given(options, "preset");
  if (settings.regions && !mode_given) settings.how.align.mode = CLA_MODE_GLOBAL;
  if (status == CLA_OK) status = cli_align_settings_settle(&settings.how, options, error);
  if (status == CLA_OK) status = check_alignments(&demands, parsed, error);
  if (status == CLA_OK) status = cli_certify_check(&settings.certify, error);
  return status == CLA_OK ? check_outputs(parsed, error) : status;
}

static batch_budget share_memory(void) {
  return batch_budget_share(settings.how.align.budgets.memory_bytes, settings.pairwise,
                            settings.certify.wanted);
}

static int host_threads(void) {
  const int threads = settings.how.align.budgets.threads;
  return threads > 0 ? threads : cli_ranks ? cli_ranks->threads : cla_host_threads();
}

static batch_inputs make_inputs(const cli_arguments *parsed) {
  const cli_scoring *scoring = &settings.how.scoring;
  const batch_budget budget = share_memory();
  return (batch_inputs){.list = of_files() ? NULL : parsed->positionals[0],
                        .regions = settings.regions,
                        .queries = of_files() ? parsed->positionals[0] : NULL,
                        .targets = parsed->count > 1 ? parsed->positionals[1] : NULL,
                        .pairwise = settings.pairwise,
                        .outputs = &settings.outputs,
                        .read_again = settings.run_dir != NULL,
                        .letters_kept = budget.kept_bytes,
                        .how = {.known = scoring->known,
                                .alphabet = scoring->alphabet,
                                .own = settings.how.align.scoring.letters,
                                .allow_empty = scoring->allow_empty,
                                .qualities = outputs_want_qualities(&settings.outputs),
                                .keep_case = settings.outputs.keep_case}};
}

/* Sets the largest E-value that is reported: that of --max-evalue, or for --all-vs-all USUAL_MAX_EVALUE. Also
 * finds the database to which E-values refer. */
static cla_status settle_cutoff(batch_run *run, cla_error *error) {
  const cla_align_options *align = &run->how.align;
  const bool given = cli_option_given(options, "max-evalue");
  const bool known = batch_cutoff_applies(align->mode, &align->scoring, run->alphabet);
  if (given && !known)
    return cli_error(error, CLA_ERROR_OPTION,
                     "--max-evalue is for local alignments with scores whose statistics are known "
                     "(docs/internals/blast-statistics.md); give --min-score instead");
  const bool usual =
      settings.all_vs_all && align->mode == CLA_MODE_LOCAL && !align->has_min_score && !table_format();
  if (usual && !given && !known)
    cli_warn(
        "no E-values are known for these scores: chance alignments are reported, too; --min-score N "
        "leaves them out");
  run->cutoff = (batch_cutoff){.on = known && (given || usual),
                               .most = given ? settings.max_evalue : USUAL_MAX_EVALUE,
                               .database = &settings.database};
  if (run->search)
    settings.database = batch_search_database(run->search);
  else if (known && (run->cutoff.on || outputs_want_expect(&settings.outputs)) && run->reader &&
           run->reader->database)
    run->reader->database(&settings.database, run->reader);
  return CLA_OK;
}

/* Completes the options that depend on the first pair. */
static cla_status settle_run(batch_run *run, cla_error *error) {
  cla_align_options *align = &settings.how.align;
  cla_status status =
      cli_scoring_finish(&settings.how.scoring, &align->scoring, run->alphabet, options, error);
  if (status == CLA_OK) status = cli_certify_check_scheme(&settings.certify, &align->scoring, error);
  if (status == CLA_OK) status = cli_check_strand(align->strand, run->alphabet, error);
  if (status == CLA_OK) status = outputs_check_alphabet(&settings.outputs, run->alphabet, error);
  align->has_min_score = cli_option_given(options, "min-score");
  align->allow_empty = settings.how.scoring.allow_empty;
  if (status == CLA_OK)
    status = cli_scoring_units(&align->min_score, settings.min_score, &align->scoring, "min-score", error);
  if (status == CLA_OK && cli_option_given(options, "split-drop"))
    status =
        cli_scoring_units(&align->several.drop, settings.split_drop, &align->scoring, "split-drop", error);
  run->how.align = *align;
  run->how.align.budgets.memory_of_bytes = align->budgets.memory_bytes;
  run->how.align.budgets.memory_bytes = share_memory().memory_bytes;
  run->how.align.ranks = cli_ranks;
  run->how.best_of_group = settings.top;
  run->how.as_finished = settings.as_finished;
  return status == CLA_OK ? settle_cutoff(run, error) : status;
}

static void print_plan(const char *text, void *user) {
  cli_preset_print(&settings.how.scoring);
  batch_report_plan(user, text);
}

/* Prints a note that --all-vs-all searches the forward strand only. For contigs, which may be on either
 * strand, half of the matches would be missing. */
static void print_strand(const batch_run *run) {
  if (!settings.all_vs_all || run->alphabet != CLA_ALPHABET_DNA || cli_option_given(options, "strand"))
    return;
  fputs("  strand   forward only; --strand both also finds what lies on the other\n", stderr);
}

/* True if host threads align pairs, with or without GPUs. */
static bool beside_gpus(void) {
  const char *select = settings.how.device.select;
  return !select || strcasecmp(select, "gpu") == 0;
}

/* True if the batch may be aligned in blocks of pairs, which do not support all options. A resumed batch
 * must use blocks if and only if the earlier run did. */
static bool may_be_in_blocks(const batch_run *run) {
  cla_batch_directory *directory = run->units.directory;
  if (directory && cla_batch_directory_units(directory) > 0) return cla_batch_directory_of_blocks(directory);
  const cla_align_options *align = &settings.how.align;
  const bool list = !settings.all_vs_all && !settings.pairwise;
  const bool of_ranks =
      cli_ranks && ((settings.all_vs_all && settings.top == 0) || settings.how.device.select ||
                    cli_device_has_own_kernels() || cla_devices_may_have_gpu());
  return (settings.all_vs_all || beside_gpus()) && !(list && settings.top > 0) && !of_ranks &&
         !settings.explain && !align->kernel.name && !align->kernel.settings && align->several.most == 1 &&
         !align->several.split && align->circular == CLA_CIRCULAR_NONE;
}

/* Aligns single pairs on host threads and devices. */
static cla_status run_on_devices(batch_run *run, cla_error *error) {
  cli_late_device late = {.begun = false};
  cla_status status =
      cli_late_device_serve(&late, &settings.how.device, &run->how.align, settings.quiet, error);
  run->devices = &late.devices;
  if (cli_ranks) run->how.align.host_cells = CLA_HOST_CELLS;
  run->how.align.callbacks.explain = settings.explain ? print_plan : NULL;
  run->how.align.callbacks.explain_user = &run->report;
  if (status == CLA_OK) status = batch_run_all(run, error);
  progress_bar_clear(&run->report.bar);
  if (status == CLA_OK) status = batch_outputs_finish(&run->outputs, error);
  if (status == CLA_OK) batch_report_summary(run);
  if (status == CLA_OK && !settings.quiet) print_strand(run);
  cli_late_device_end(&late);
  return status;
}

/* Aligns all pairs in blocks on host threads. */
static cla_status run_in_blocks(batch_run *run, cla_error *error) {
  cla_status status = run->blocks ? batch_blocks_all(run->blocks, &settings.how.device, error)
                                  : batch_search_all(run->search, error);
  progress_bar_clear(&run->report.bar);
  if (status == CLA_OK) status = batch_outputs_finish(&run->outputs, error);
  if (status == CLA_OK) batch_report_summary(run);
  if (status == CLA_OK && !settings.quiet) print_strand(run);
  return status;
}

/* True if the first pair is short enough for the lanes of host threads. */
static bool is_short(const batch_run *run) {
  const batch_pair *pair = batch_run_held(run);
  const double most = (double)cla_arrays_letters(&run->how.align);
  return batch_sequence_letters(pair->query) <= most && batch_sequence_letters(pair->target) <= most;
}

/* Returns the error of a run that used blocks but cannot be continued in blocks. */
static cla_status not_in_blocks(cla_error *error) {
  return cli_error(
      error, CLA_ERROR_INPUT,
      "the files cannot be read in blocks any more, as when the batch began: restore them, give as much "
      "--memory, or begin again in another --run-dir");
}

static cla_status run_pairs(batch_run *run, const batch_inputs *inputs, cla_error *error) {
  run->how.best_of_group = settings.top;
  if (settings.all_vs_all && may_be_in_blocks(run))
    run->search = batch_search_open(inputs, &settings.how.device, run);
  cla_status status = settle_run(run, error);
  if (status == CLA_OK && inputs->in_blocks && settings.all_vs_all && !run->search)
    status = not_in_blocks(error);
  if (status == CLA_OK && (inputs->list || inputs->regions) && may_be_in_blocks(run) &&
      (inputs->in_blocks || is_short(run)))
    run->blocks = batch_blocks_of_list(inputs, run);
  if (status == CLA_OK)
    status = run->blocks || run->search ? run_in_blocks(run, error) : run_on_devices(run, error);
  batch_search_close(run->search);
  return status;
}

/* Finishes a batch without pairs. With --regions this is no error, because a PAF file without records only
 * means that nothing was found. */
static cla_status finish_empty(batch_run *run, const char *what, cla_error *error) {
  if (run->read_status != CLA_OK) return CLA_OK; /* an error of the reader is reported later */
  if (run->report.failed > 0 || settings.regions) return batch_outputs_finish(&run->outputs, error);
  return cli_error(error, CLA_ERROR_INPUT, "%.1024s has no pairs; write QUERY, a tab and TARGET a line",
                   what);
}

/* Runs the batch once the reader and the run directory are open. */
static cla_status run_opened(batch_run *run, const batch_inputs *inputs, const char *what,
                             const char *command_line, cla_error *error) {
  bool found = false;
  run->alphabet_known = run->blocks || settings.how.scoring.known;
  if (!run->blocks) run->alphabet = settings.how.scoring.alphabet;
  run->how.fail_fast = settings.fail_fast;
  run->units.of_groups = settings.top > 0;
  run->units.in_any_order = settings.as_finished && !settings.run_dir;
  settings.outputs.how.database = &settings.database;
  settings.outputs.how.both_strands = settings.how.align.strand == CLA_STRAND_BOTH && !settings.regions;
  settings.outputs.how.free_ends |= cli_preset_shows_ends(&settings.how.scoring);
  settings.outputs.how.threads = host_threads();
  batch_report_init(&run->report, settings.quiet);
  cla_status status =
      batch_outputs_open(&run->outputs, &settings.outputs, settings.save, command_line, error);
  run->outputs.made_most = share_memory().text_bytes;
  if (status == CLA_OK && !run->blocks) status = batch_run_begin(run, &found, error);
  found = found || run->blocks;
  if (status == CLA_OK) status = found ? run_pairs(run, inputs, error) : finish_empty(run, what, error);
  if (status == CLA_OK) status = batch_run_verdict(run, error);
  if (settings.fail_fast && run->report.failed > 0)
    cli_error(error, status,
              "the batch ended at the pair that failed, as --fail-fast asks; files are not written");
  batch_run_end(run);
  batch_outputs_discard(&run->outputs);
  if (status == CLA_ERROR_OUTPUT && run->outputs.to_stdout) cli_end_if_reader_gone();
  return status;
}

static cla_status open_directory(cla_batch_directory **out, const char *text, bool resumed,
                                 cla_error *error) {
  char note[256];
  int64_t lost_bytes = 0;
  if (!settings.run_dir) return CLA_OK;
  cla_status status = resumed ? cla_batch_directory_resume(out, settings.run_dir, &lost_bytes, error)
                              : cla_batch_directory_begin(out, settings.run_dir, text, error);
  settings.keeps = status == CLA_OK;
  snprintf(
      note, sizeof note,
      "the last %lld bytes of the journal in the run directory were not complete; these pairs are done again",
      (long long)lost_bytes);
  if (status == CLA_OK && lost_bytes > 0) cli_warn(note);
  return status;
}

static batch_open *open_of(const batch_inputs *inputs) {
  if (inputs->list || inputs->regions) return batch_list_open;
  return inputs->pairwise ? batch_pairwise_open : batch_matrix_open;
}

/* Opens the inputs: files for blocks, or a reader of pairs. */
static cla_status open_inputs(batch_run *run, const batch_inputs *inputs, cla_error *error) {
  if (settings.pairwise && may_be_in_blocks(run))
    run->blocks = batch_blocks_open(&run->alphabet, inputs, run);
  if (!run->blocks && settings.pairwise && inputs->in_blocks) return not_in_blocks(error);
  return run->blocks ? CLA_OK : open_of(inputs)(&run->reader, inputs, error);
}

static cla_status run_batch(const cli_arguments *parsed, const char *command_line, const char *text,
                            bool resumed, cla_error *error) {
  batch_run run = {.reader = NULL};
  cla_error later = {.status = CLA_OK};
  cla_batch_options_init(&run.how);
  cla_status status = check_settings(parsed, error);
  if (status != CLA_OK) return status;
  batch_inputs inputs = make_inputs(parsed);
  interrupt_defer(); /* a signal must leave time to clean up */
  run.how.align.budgets = settings.how.align.budgets;
  run.how.align.mode = settings.how.align.mode;
  batch_certify_begin(&run.certify, &settings.certify, host_threads(), share_memory().certify_bytes);
  if (resumed) status = open_directory(&run.units.directory, text, true, error);
  inputs.in_blocks = run.units.directory && cla_batch_directory_of_blocks(run.units.directory);
  if (status == CLA_OK) status = open_inputs(&run, &inputs, error);
  if (status == CLA_OK && !resumed) status = open_directory(&run.units.directory, text, false, error);
  if (status == CLA_OK) status = run_opened(&run, &inputs, parsed->positionals[0], command_line, error);
  cla_status closed = cla_batch_directory_close(run.units.directory, &later);
  if (status == CLA_OK && closed != CLA_OK) *error = later;
  if (run.reader) run.reader->close(run.reader);
  batch_blocks_close(run.blocks);
  batch_certify_end(&run.certify);
  return status == CLA_OK ? closed : status;
}

/* Aligns the pairs, with a run directory if one is wanted. */
static cla_status run_kept(command_call *call, cla_error *error) {
  char *text = NULL;
  cla_status status = CLA_OK;
  call->resumable = settings.run_dir != NULL;
  if (settings.run_dir)
    status = run_arguments_text(&text, NULL, call->line, call->count, call->arguments, error);
  if (status == CLA_OK) status = run_batch(call->parsed, call->line, text, call->resumed, error);
  free(text);
  const bool stopped = status == CLA_ERROR_OUTPUT || status == CLA_ERROR_MEMORY || status == CLA_ERROR_DEVICE;
  if (stopped && settings.keeps && error->message[0])
    cli_error_append(error, "; what is finished is kept, and 'clalign resume' goes on");
  return status;
}

static void begin(void) {
  cli_align_settings_init(&settings.how);
}

const command batch_command = {
    .syntax = &batch_syntax, .purpose = "align many pairs", .begin = begin, .run = run_kept};
