/* clalign bench: measures kernels on simulated pairs. */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clalign/kernel.h"
#include "cli/bench/bench.h"
#include "cli/commands/command.h"
#include "cli/options/device_options.h"
#include "cli/options/options.h"
#include "cli/report/report.h"

static bench_settings settings = {
    .sizes = {{10000, 10000}, {100000, 100000}},
    .size_count = 2,
    .modes = {CLA_MODE_LOCAL, CLA_MODE_GLOBAL},
    .mode_count = 2,
    .relations = {false},
    .relation_count = 1,
    .kernels = {"default"},
    .kernel_count = 1,
    .runs = 3,
};

/* clang-format off */
static cli_option options[] = {
    {.name = "sizes", .argument = "LIST", .parse = bench_parse_sizes, .destination = &settings,
     .description = "letters of both sequences, or of query and target: 500,10k,1M,20kx1M", .default_text = "10k,100k"},
    {.name = "modes", .argument = "LIST", .parse = bench_parse_modes, .destination = &settings,
     .description = "local, global", .default_text = "local,global"},
    {.name = "relation", .argument = "NAME", .parse = bench_parse_relation, .words = bench_relation_words, .destination = &settings,
     .description = "unrelated; related: 5 % substitutions, 0.5 % indels; both", .default_text = "unrelated"},
    {.name = "kernels", .argument = "LIST", .parse = bench_parse_kernels, .destination = &settings,
     .description = "kernel variants by name, default for what 'clalign align' would take, or all that run here",
     .default_text = "default"},
    {.name = "matrix", .argument = "FILE|NAME", CLI_TEXT(settings.given.matrix),
     .description = "scores of pairs, as for 'clalign align'; with one for proteins, the pairs are proteins",
     .default_text = "none: match 1, mismatch -3"},
    {.name = "gap-first", CLI_SCORE(settings.given.given.gap_first, 0, CLA_SCORE_LIMIT),
     .description = "cost of a gap's first letter", .default_text = "5, or the matrix'"},
    {.name = "gap-ext", CLI_SCORE(settings.given.given.gap_ext, 0, CLA_SCORE_LIMIT),
     .description = "cost of each further letter", .default_text = "2, or the matrix'"},
    {.name = "gap-first2", CLI_SCORE(settings.given.given.gap_first2, 0, CLA_SCORE_LIMIT),
     .description = "a second piece, for long gaps, with --gap-ext2: a gap costs the\nless of the two; dearer for the first letter than --gap-first"},
    {.name = "gap-ext2", CLI_SCORE(settings.given.given.gap_ext2, 0, CLA_SCORE_LIMIT),
     .description = "and cheaper than --gap-ext for each further one"},
    CLI_SETTING_OPTION(settings.set),
    {.name = "repeat", .argument = "N", .parse = cli_parse_int32, .destination = &settings.runs,
     .minimum = 1, .maximum = BENCH_RUNS_LIMIT,
     .description = "runs of each, in turns; medians are shown", .default_text = "3"},
    {.name = "full", CLI_FLAG(settings.full),
     .description = "also the full alignment, beside the forward sweep alone"},
    {.name = "batch", .argument = "N", .parse = cli_parse_int64, .destination = &settings.batch,
     .minimum = 1, .maximum = 10000000,
     .description = "instead: N pairs of lengths as in a database, as 'clalign batch --device' aligns them"},
    CLI_DEVICES_OPTIONS(settings.device, NULL),
    CLI_JSON_OPTION(settings.json),
    {.name = "quiet", .letters = "q", CLI_FLAG(settings.quiet),
     .description = "no progress on stderr"},
    {.name = NULL},
};
/* clang-format on */

static const cli_example examples[] = {
    {"clalign bench", "the forward sweep on small pairs"},
    {"clalign bench --sizes 100k,1M --full", "larger ones, with traceback"},
    {"clalign bench --batch 1000", "many short pairs and a few long ones"},
    {"clalign bench --batch 10000 --device all", "likewise, on all devices at once"},
    {NULL, NULL},
};

static const cli_syntax bench_syntax = {
    .command = "bench",
    .positionals = "",
    .purpose = "Measures the speed of the kernels on simulated pairs of sequences.",
    .notes =
        "Times are those of the DP stages, without kernel builds. raw: cells that were computed per second "
        "of\n"
        "the forward sweep; GCUPS: cells of the matrix per second of all stages; both in 10^9. ratio: full\n"
        "alignment to sweep. GCUPS/W: 10^9 cells of the matrix per joule.\n"
        "docs/measurements/performance.md says more, and what the JSON keys are.",
    .examples = examples,
    .options = options,
};

/* Checks whether the plan allows the kernel with the settings on the device, for a pair that contains all
 * letters. CLA_OK if it does. */
static cla_status check_kernel(const char *kernel, const cla_device *device, const cla_sequence *letters,
                               cla_error *error) {
  cla_align_options align;
  cla_align_options_init(&align);
  align.kernel.name = strcmp(kernel, "default") == 0 ? NULL : kernel;
  align.scoring = settings.scoring;
  align.kernel.settings = settings.set.text[0] ? settings.set.text : NULL;
  char *text = NULL;
  cla_status status = cla_explain(&text, device, letters, letters, &align, error);
  free(text);
  return status;
}

/* True if "all kernels" skips the kernel: it is made for CPUs, and the device is no CPU. */
static bool left_out(const char *kernel, const cla_kernel_info *kernels, size_t count,
                     const cla_device_info *device) {
  for (size_t i = 0; i < count; i++)
    if (strcmp(kernels[i].name, kernel) == 0) return kernels[i].for_cpus && device->kind != CLA_DEVICE_CPU;
  return false;
}

/* Refuses named kernels that cannot run on the device. With "all kernels", such kernels are skipped
 * instead. */
static cla_status settle_kernels(const cla_device *device, cla_error *error) {
  const cla_device_info *info = cla_device_describe(device);
  cla_sequence *letters = NULL;
  cla_kernel_info *kernels = NULL;
  size_t count = 0;
  int kept = 0;
  cla_status status = cla_kernels_list(&kernels, &count, error);
  const char *all = settings.protein ? "ARNDCQEGHILKMFPSTWYV" : "ACGT";
  const cla_alphabet alphabet = settings.protein ? CLA_ALPHABET_PROTEIN : CLA_ALPHABET_DNA;
  if (status == CLA_OK)
    status =
        cla_sequence_from_letters_with(&letters, "letters", all, (int64_t)strlen(all),
                                       &(cla_sequence_options){.known = true, .alphabet = alphabet}, error);
  for (int i = 0; i < settings.kernel_count && status == CLA_OK; i++) {
    char *name = settings.kernels[i];
    if (settings.all_kernels && left_out(name, kernels, count, info)) {
      if (!settings.quiet) fprintf(stderr, "clalign: left out %s: it is made for CPUs\n", name);
      continue;
    }
    status = check_kernel(name, device, letters, error);
    if (status == CLA_ERROR_OPTION && settings.all_kernels) {
      if (!settings.quiet)
        fprintf(stderr, "clalign: left out: %.*s\n", (int)strcspn(error->message, ";"), error->message);
      status = CLA_OK;
      continue;
    }
    memmove(settings.kernels[kept++], name, BENCH_NAME_SIZE);
  }
  settings.kernel_count = kept;
  if (status == CLA_OK && kept == 0)
    status = cli_error(error, CLA_ERROR_OPTION,
                       "no kernel runs here with --set %s; change it, or name a kernel with --kernels to see "
                       "why",
                       settings.set.text);
  cla_sequence_free(letters);
  cla_kernels_free(kernels);
  return status;
}

static cla_status settle_scores(cla_error *error) {
  cla_status status = cli_scoring_begin(&settings.given, &settings.scoring, options, error);
  const cla_alphabet alphabet = settings.given.known ? settings.given.alphabet : CLA_ALPHABET_DNA;
  if (status != CLA_OK) return status;
  if (alphabet == CLA_ALPHABET_OWN)
    return cli_error(error, CLA_ERROR_OPTION,
                     "--matrix %s is neither for DNA nor for proteins, of which pairs are made here",
                     settings.given.matrix);
  settings.protein = alphabet == CLA_ALPHABET_PROTEIN;
  return cli_scoring_finish(&settings.given, &settings.scoring, alphabet, options, error);
}

static cla_status print_case(const bench_case *what, const cla_device_info *device, cla_error *error) {
  cla_status status = CLA_OK;
  if (settings.json)
    status = bench_json_print(&settings, device, what, error);
  else
    bench_table_print(&settings, what);
  return status == CLA_OK ? cli_flush_stdout(error) : status;
}

/* Measures and prints one case after another. *finished: number of measured cases. */
static cla_status measure_all(cla_device *device, int *finished, int all, cla_error *error) {
  const cla_device_info *info = cla_device_describe(device);
  bench_case *now = calloc(1, sizeof *now);
  if (!now) return cli_error(error, CLA_ERROR_MEMORY, "out of memory for the results; free some memory");
  cla_status status = CLA_OK;
  for (int index = 0; index < all && status == CLA_OK; index++) {
    const int of_relation = settings.size_count * settings.mode_count;
    *now = (bench_case){.related = settings.relations[index / of_relation],
                        .size = settings.sizes[index % of_relation / settings.mode_count],
                        .mode = settings.modes[index % settings.mode_count]};
    char size[64], label[128];
    bench_size_text(size, sizeof size, &now->size);
    snprintf(label, sizeof label, "%d/%d %s %s", index + 1, all, size,
             now->mode == CLA_MODE_LOCAL ? "local" : "global");
    if (!settings.json && index == 0) bench_table_head(&settings, info);
    if (!settings.json && index % of_relation == 0) bench_table_title(&settings, now->related);
    status = cli_flush_stdout(error);
    if (status == CLA_OK) status = bench_case_measure(now, &settings, device, label, error);
    if (status == CLA_OK) status = print_case(now, info, error);
    if (status == CLA_OK) *finished += 1;
  }
  free(now);
  return status;
}

/* Refuses options that are not possible with --batch. */
static cla_status check_batch(cla_error *error) {
  static const char *const others[] = {"sizes", "kernels", "set"};
  for (size_t i = 0; settings.batch > 0 && i < sizeof others / sizeof others[0]; i++)
    if (cli_option_given(options, others[i]))
      return cli_error(error, CLA_ERROR_OPTION,
                       "--batch has pairs of its own, on kernels that are chosen for them; leave --%s out",
                       others[i]);
  if (settings.batch > 0 &&
      ((cli_option_given(options, "modes") && settings.mode_count > 1) || settings.relation_count > 1))
    return cli_error(error, CLA_ERROR_OPTION,
                     "--batch is of one mode and one relation; give one --modes and one --relation");
  return CLA_OK;
}

/* Runs all cases. Without --batch, the command has only one device. */
static cla_status run_cases(const cli_devices *devices, cla_error *error) {
  int finished = 0;
  const int all = settings.relation_count * settings.size_count * settings.mode_count;
  settings.tuning = devices->tunings[0];
  cla_status status = measure_all(devices->items[0], &finished, all, error);
  if (status == CLA_ERROR_INTERRUPTED)
    cli_error(error, status, "interrupted; %d of %d cases were measured and printed", finished, all);
  return status;
}

static cla_status run(command_call *call, cla_error *error) {
  (void)call;
  cli_devices devices = {0};
  bench_energy energy = {.count = 0};
  cla_status status = check_batch(error);
  if (status == CLA_OK) status = settle_scores(error);
  if (status == CLA_OK) status = cli_devices_open(&devices, &settings.device, error);
  if (status == CLA_OK && settings.batch == 0 && devices.count > 1)
    status = cli_error(error, CLA_ERROR_OPTION,
                       "--device %s are %zu devices, and kernels are measured on one; name one, or give "
                       "--batch",
                       settings.device.select, devices.count);
  for (size_t i = 0; i < devices.count && status == CLA_OK; i++)
    status = settle_kernels(devices.items[i], error);
  if (status == CLA_OK) status = cli_devices_load_tuning(&devices, settings.quiet, error);
  if (status == CLA_OK) {
    bench_energy_open(&energy, &devices);
    settings.energy = &energy;
    interrupt_defer();
    status = settings.batch > 0 ? bench_batch_run(&settings, &devices, settings.batch, error)
                                : run_cases(&devices, error);
  }
  bench_energy_close(&energy);
  cli_devices_close(&devices);
  return status;
}

const command bench_command = {
    .syntax = &bench_syntax, .purpose = "measure the speed of kernels on simulated pairs", .run = run};
