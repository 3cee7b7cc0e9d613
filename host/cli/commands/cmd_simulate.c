/* clalign simulate: writes a random pair of sequences, given by a seed, as two FASTA files. */

#include <ctype.h>
#include <stdlib.h>

#include "clalign/sequence_file.h"
#include "clalign/simulate.h"
#include "cli/commands/command.h"
#include "cli/options/options.h"
#include "cli/report/outputs.h"
#include "cli/report/report.h"

#define LENGTH_LIMIT (INT64_C(1) << 40)
#define COUNT_LIMIT 1000000
#define MEAN_LIMIT 1000000
/* Default rates for the second haplotype of a satellite array, which differs less than other pairs. */
#define HAPLOTYPE_SUBSTITUTION_RATE 0.001
#define HAPLOTYPE_INDEL_RATE 0.0001

typedef struct simulate_settings {
  cla_simulate_options simulate;
  int64_t seed;
  const char *query_path, *target_path;
  const char *query_name, *target_name;
} simulate_settings;

static simulate_settings settings = {.seed = 1, .query_name = "query", .target_name = "target"};

/* clang-format off */
static cli_option options[] = {
    {.name = "output-query", .argument = "FILE", CLI_TEXT(settings.query_path),
     .description = "where the first sequence goes, as FASTA; needed"},
    {.name = "output-target", .argument = "FILE", CLI_TEXT(settings.target_path),
     .description = "where the second one goes; needed"},
    {.name = "query-name", .argument = "NAME", CLI_TEXT(settings.query_name),
     .description = "the first record's name", .default_text = "query"},
    {.name = "target-name", .argument = "NAME", CLI_TEXT(settings.target_name),
     .description = "the second record's name", .default_text = "target"},
    {.name = "seed", .argument = "N", .parse = cli_parse_int64, .destination = &settings.seed,
     .maximum = INT64_MAX,
     .description = "the same seed and options give the same letters everywhere", .default_text = "1"},
    {.name = "length", .argument = "N", .parse = cli_parse_letters, .destination = &settings.simulate.length,
     .maximum = LENGTH_LIMIT, .description = "letters of the first sequence, also as 200k or 1M", .default_text = "10000"},
    {.name = "substitution-rate", .argument = "RATE", .parse = cli_parse_real,
     .destination = &settings.simulate.substitution_rate, .maximum = 1,
     .description = "substituted letters, as a part of all", .default_text = "0.05; 0.001 with --satellite"},
    {.name = "indel-rate", .argument = "RATE", .parse = cli_parse_real,
     .destination = &settings.simulate.indel_rate, .maximum = 1,
     .description = "insertions and deletions per letter, half of each", .default_text = "0.005; 0.0001 with --satellite"},
    {.name = "indel-mean", .argument = "N", .parse = cli_parse_real,
     .destination = &settings.simulate.indel_mean, .minimum = 1, .maximum = MEAN_LIMIT,
     .description = "their mean length", .default_text = "3"},
    {.name = "long-insertions", .argument = "N", .parse = cli_parse_int64,
     .destination = &settings.simulate.long_insertions, .maximum = COUNT_LIMIT,
     .description = "number of long insertions in the second sequence", .default_text = "0"},
    {.name = "long-insertion-length", .argument = "N", .parse = cli_parse_letters,
     .destination = &settings.simulate.long_insertion_length, .maximum = LENGTH_LIMIT,
     .description = "letters of each", .default_text = "0"},
    {.name = "inversions", .argument = "N", .parse = cli_parse_int64,
     .destination = &settings.simulate.inversions, .maximum = COUNT_LIMIT,
     .description = "number of parts of the second sequence, evenly spread, that are on the other strand", .default_text = "0"},
    {.name = "inversion-length", .argument = "N", .parse = cli_parse_letters,
     .destination = &settings.simulate.inversion_length, .maximum = LENGTH_LIMIT,
     .description = "letters of each", .default_text = "0"},
    {.name = "protein", CLI_FLAG(settings.simulate.protein),
     .description = "amino acids instead of bases"},
    {.name = "unrelated", CLI_FLAG(settings.simulate.unrelated),
     .description = "a second sequence that has nothing to do with the first"},
    {.name = "satellite", CLI_FLAG(settings.simulate.satellite),
     .description = "two haplotypes of a satellite array: units of 12 monomers of 171 letters, which grew by copies of 1 to 20 units, between flanks"},
    {.name = NULL},
};
/* clang-format on */

static const cli_example examples[] = {
    {"clalign simulate --length 1000000 --output-query q.fa --output-target t.fa",
     "a related pair of a million letters"},
    {"clalign simulate --length 1000000 --inversions 2 --inversion-length 50000 --long-insertions 1 "
     "--long-insertion-length 40000 --output-query q.fa --output-target t.fa",
     "one with rearrangements, to look at with 'clalign align --max-alignments 3 --strand both --plot'"},
    {"clalign simulate --satellite --length 3M --output-query q.fa --output-target t.fa",
     "two haplotypes of a centromere, which differ by whole units"},
    {NULL, NULL},
};

static const cli_syntax simulate_syntax = {
    .command = "simulate",
    .positionals = "",
    .purpose = "Makes a pair of related (or unrelated) sequences for tests and benchmarks.",
    .examples = examples,
    .options = options,
};

static cla_status check_name(const char *option, const char *name, cla_error *error) {
  for (const char *letter = name; *letter; letter++)
    if (iscntrl((unsigned char)*letter) || *letter == ' ')
      return cli_error(error, CLA_ERROR_OPTION, "--%s takes one word without blanks, not '%s'", option, name);
  return CLA_OK;
}

/* Refuses a path whose name means another format, because only plain FASTA is written. */
static cla_status check_path(const char *option, const char *path, cla_error *error) {
  cla_format format;
  bool compressed;
  (void)cla_format_from_path(&format, &compressed, path);
  if (!compressed && cla_format_fits_path(CLA_FORMAT_FASTA, path)) return output_path_check(path, error);
  return cli_error(error, CLA_ERROR_OPTION,
                   "--%s writes plain FASTA, and %s is something else by its name; end it in .fa", option,
                   path);
}

static cla_status check_settings(cla_error *error) {
  if (!settings.query_path || !settings.target_path)
    return cli_error(error, CLA_ERROR_OPTION,
                     "'simulate' needs --output-query FILE and --output-target FILE");
  if (output_same_file(settings.query_path, settings.target_path))
    return cli_error(error, CLA_ERROR_OPTION,
                     "--output-query and --output-target are both %s; give two files", settings.query_path);
  cla_status status = check_name("query-name", settings.query_name, error);
  if (status == CLA_OK) status = check_name("target-name", settings.target_name, error);
  if (status == CLA_OK) status = check_path("output-query", settings.query_path, error);
  if (status == CLA_OK) status = check_path("output-target", settings.target_path, error);
  return status;
}

static void take_haplotype_rates(void) {
  if (!settings.simulate.satellite) return;
  if (!cli_option_given(options, "substitution-rate"))
    settings.simulate.substitution_rate = HAPLOTYPE_SUBSTITUTION_RATE;
  if (!cli_option_given(options, "indel-rate")) settings.simulate.indel_rate = HAPLOTYPE_INDEL_RATE;
}

static cla_status simulate(command_call *call, cla_error *error) {
  char *query = NULL, *target = NULL;
  int64_t query_length = 0, target_length = 0;
  (void)call;
  take_haplotype_rates();
  settings.simulate.seed = (uint64_t)settings.seed;
  cla_status status = check_settings(error);
  if (status == CLA_OK)
    status = cla_simulate(&query, &query_length, &target, &target_length, &settings.simulate, error);
  if (status == CLA_OK) {
    const cla_fasta_record records[] = {{settings.query_path, settings.query_name, query, query_length},
                                        {settings.target_path, settings.target_name, target, target_length}};
    interrupt_defer();
    status = cla_fasta_write(records, 2, interrupt_requested, error);
  }
  free(query);
  free(target);
  return status;
}

static void begin(void) {
  cla_simulate_options_init(&settings.simulate);
}

const command simulate_command = {.syntax = &simulate_syntax,
                                  .purpose = "make a pair of sequences for tests and benchmarks",
                                  .begin = begin,
                                  .run = simulate};
