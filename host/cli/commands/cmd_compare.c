/* clalign compare: compares two genomes, from reading two files to writing every output. */

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clalign/compare.h"
#include "clalign/sequence_file.h"
#include "cli/commands/command.h"
#include "cli/options/align_options.h"
#include "cli/report/certificates.h"
#include "cli/report/compare_outputs.h"
#include "cli/report/progress_bar.h"
#include "cli/report/report.h"

typedef struct compare_settings {
  cli_align_settings how;
  compare_outputs out;
  cli_certify certify;
  int64_t least_block, most_gap; /* in letters */
  int64_t split_drop;            /* in thousandths of a point */
  bool circular;
} compare_settings;

static compare_settings settings;

/* clang-format off */
static cli_option options[] = {
    CLI_COST_OPTIONS(settings.how),
    {.name = "circular", .heading = "which blocks", CLI_FLAG(settings.circular),
     .description = "all records are circles, not only those with circular=true or topology=circular in their headers"},
    {.name = "least-block", .argument = "N", .parse = cli_parse_int64, .destination = &settings.least_block, .minimum = 1, .maximum = INT32_MAX,
     .description = "letters of exact matches that a block has at least", .default_text = "100"},
    {.name = "most-gap", .argument = "N", .parse = cli_parse_int64, .destination = &settings.most_gap, .minimum = 1, .maximum = INT32_MAX,
     .description = "most letters of either genome between two neighbours that are aligned as one block", .default_text = "100000"},
    {.name = "split-drop", .argument = "N", .parse = cli_parse_thousandths, .destination = &settings.split_drop, .maximum = INT64_MAX / CLA_UNITS_LIMIT,
     .description = "a block is cut where the score drops by more than N; each piece scores more", .default_text = "60 matches, or 1.5 long gaps"},
    {.name = "copies", CLI_FLAG(settings.out.copies),
     .description = "also write alignments of further copies, whose letters of one genome a better block has; never as VCF"},
    CLI_GAP_PLACEMENT_OPTION(settings.how.align.gap_placement),
    CLI_CERTIFY_OPTIONS(settings.certify),
    CLI_OUTPUT_OPTIONS(settings.out.outputs, "output", output_many_format_names, "as for 'clalign align' but cla; may be repeated", "a summary alone", "standard output"),
    CLI_WRITE_OPTIONS(settings.out.outputs),
    {.name = "plot", .argument = "FILE", .parse = cli_parse_plot, .destination = &settings.out.outputs.plot, .repeatable = true,
     .description = "also draw all blocks in one picture, to a .png, .svg, .pdf or .html: target records along x, query records along y; may be repeated"},
    CLI_PLOT_LOOK_OPTIONS(settings.out.outputs.plot),
    {.name = "folder", .argument = "DIR", CLI_TEXT(settings.out.folder),
     .description = "write everything into a folder: summary, JSON, tables, PAF, VCF, chain, BED, figure, page (docs/compare.md)"},
    {.name = "tracks", .argument = "FILE", CLI_TEXT(settings.out.tracks),
     .description = "features of the target for the pictures: BED, or the genes of GFF; plain or gzip"},
    {.name = "least-event", .argument = "N", .parse = cli_parse_int64, .destination = &settings.out.least, .minimum = 1, .maximum = INT32_MAX,
     .description = "letters of an insertion, a loss or another event at least; shorter gaps are small variants", .default_text = "50"},
    {.name = "prove", CLI_FLAG(settings.out.prove),
     .description = "read the VCF again, rebuild the query's letters from it and the target, and compare; exit code 5 if a block differs"},
    {.name = "prove-vcf", .argument = "FILE", CLI_TEXT(settings.out.proven),
     .description = "prove this VCF, which the same comparison has written before"},
    CLI_DEVICES_OPTIONS(settings.how.device, "devices and memory"),
    {.name = "memory", CLI_SIZE(settings.how.align.budgets.memory_bytes),
     .description = "budget of host memory for each block: bytes, or 400M, 2G", .default_text = "half of what is free"},
    {.name = "quiet", .letters = "q", .heading = "messages", CLI_FLAG(settings.out.quiet), .description = "no progress and no summary on stderr"},
    {.name = NULL},
};
/* clang-format on */

static const cli_example examples[] = {
    {"clalign compare new.fa reference.fa", "what differs between two genomes"},
    {"clalign compare -o ab.paf -o ab.vcf.gz --plot ab.html a.fa b.fa",
     "its alignments, its differences with the letters they are known of, and a page to look at"},
    {NULL, NULL},
};

static const cli_syntax compare_syntax = {
    .command = "compare",
    .positionals = "QUERY TARGET",
    .purpose = "Compares two genomes: finds collinear blocks on both strands and aligns each exactly.",
    .notes =
        "QUERY and TARGET are FASTA files with one or many records of DNA. VCF has TARGET as its reference.",
    .examples = examples,
    .options = options,
    .least_positionals = 2,
    .most_positionals = 2,
};

/* All records of a genome's file. */
typedef struct genome_file {
  cla_sequence **records; /* owned */
  bool *circular;         /* for each record: true if it is circular; owned */
  size_t count, capacity;
} genome_file;

static void genome_file_free(genome_file *genome) {
  for (size_t i = 0; i < genome->count; i++) cla_sequence_free(genome->records[i]);
  free(genome->records);
  free(genome->circular);
  *genome = (genome_file){0};
}

/* Adds a record to the genome, which takes it over. */
static cla_status add_record(genome_file *genome, cla_sequence *record, cla_error *error) {
  if (genome->count == genome->capacity) {
    const size_t room = 2 * genome->capacity + 16;
    cla_sequence **records = realloc(genome->records, room * sizeof *records);
    if (records) genome->records = records;
    bool *circular = realloc(genome->circular, room * sizeof *circular);
    if (circular) genome->circular = circular;
    if (!records || !circular) {
      cla_sequence_free(record);
      return cli_error(error, CLA_ERROR_MEMORY,
                       "out of memory for the records of a genome; free some memory");
    }
    genome->capacity = room;
  }
  genome->circular[genome->count] = settings.circular || cla_sequence_circular(record);
  genome->records[genome->count++] = record;
  return CLA_OK;
}

/* Returns true if the path is FILE:RECORD, with which 'clalign align' chooses a record. */
static bool is_choice(const char *path) {
  char file[4096];
  const char *colon = strchr(path, ':');
  if (!colon || access(path, F_OK) == 0 || colon - path >= (ptrdiff_t)sizeof file) return false;
  memcpy(file, path, (size_t)(colon - path));
  file[colon - path] = 0;
  return access(file, F_OK) == 0;
}

static cla_status read_genome(genome_file *out, const char *path, cla_error *error) {
  const cla_sequence_options how = {
      .known = true, .alphabet = CLA_ALPHABET_DNA, .keep_case = settings.out.outputs.keep_case};
  cla_sequence_file *file = NULL;
  cla_sequence *record = NULL;
  if (is_choice(path))
    return cli_error(
        error, CLA_ERROR_INPUT,
        "compare reads all records of a file, and '%.1024s' names one; write it to a file of its own, "
        "as with 'samtools faidx FILE RECORD'",
        path);
  cla_status status = cla_sequence_file_open(&file, path, error);
  while (status == CLA_OK) {
    status = cla_sequence_file_next(&record, file, &how, error);
    if (status != CLA_OK || !record) break;
    status = add_record(out, record, error);
  }
  cla_sequence_file_close(file);
  if (status == CLA_OK && out->count == 0)
    return cli_error(error, CLA_ERROR_INPUT, "%.1024s has no records; give a FASTA file of a genome", path);
  return status;
}

/* The name of a record, and its number. */
typedef struct record_name {
  const char *name;
  size_t number;
} record_name;

static int compare_names(const void *left, const void *right) {
  const record_name *one = left, *other = right;
  const int order = strcmp(one->name, other->name);
  return order != 0 ? order : (one->number > other->number) - (one->number < other->number);
}

/* Refuses two records of one name. */
static cla_status check_names(const genome_file *genome, const char *path, cla_error *error) {
  record_name *names = calloc(genome->count + 1, sizeof *names);
  cla_status status = CLA_OK;
  if (!names)
    return cli_error(error, CLA_ERROR_MEMORY, "out of memory for the names of records; free some memory");
  for (size_t i = 0; i < genome->count; i++)
    names[i] = (record_name){cla_sequence_name(genome->records[i]), i + 1};
  qsort(names, genome->count, sizeof *names, compare_names);
  for (size_t i = 1; i < genome->count && status == CLA_OK; i++)
    if (strcmp(names[i - 1].name, names[i].name) == 0)
      status = cli_error(
          error, CLA_ERROR_INPUT,
          "records %zu and %zu of %.1024s are both called '%.256s', and places on the target are told by "
          "names; rename one",
          names[i - 1].number, names[i].number, path, names[i].name);
  free(names);
  return status;
}

static cla_status check_settings(const cli_arguments *parsed, cla_error *error) {
  cla_status status = cli_align_settings_settle(&settings.how, options, error);
  if (status == CLA_OK)
    status = cli_scoring_finish(&settings.how.scoring, &settings.how.align.scoring, CLA_ALPHABET_DNA, options,
                                error);
  if (status == CLA_OK) status = cli_certify_check(&settings.certify, error);
  if (status == CLA_OK)
    status = cli_certify_check_scheme(&settings.certify, &settings.how.align.scoring, error);
  cli_certify_set_outputs(&settings.out.outputs, &settings.certify);
  if (status == CLA_OK) status = compare_outputs_prepare(&settings.out, parsed->positionals, 2, error);
  if (status == CLA_OK)
    status = outputs_check_files(&settings.out.outputs, settings.how.scoring.matrix, NULL, error);
  return status;
}

/* Makes the certificates of all alignments that are written. */
static cla_status certify(cla_comparison *found, const cla_align_options *align, progress_bar *bar,
                          cla_error *error) {
  cla_certify_options how;
  if (!settings.certify.wanted) return CLA_OK;
  cla_status status =
      cli_certify_options(&how, &settings.certify, &align->budgets, &align->scoring, bar, error);
  if (status == CLA_OK) status = cla_comparison_certify(found, settings.out.copies, &how, error);
  progress_bar_clear(bar);
  for (size_t b = 0; b < found->block_count; b++)
    for (size_t p = 0; found->blocks[b].certificates && p < found->blocks[b].piece_count && status == CLA_OK;
         p++)
      status = cli_certify_check_mask(&settings.certify, found->blocks[b].certificates[p],
                                      found->blocks[b].pieces[p], error);
  return status;
}

static cla_status compare(const genome_file *query, const genome_file *target, const char *command_line,
                          cla_error *error) {
  cla_compare_options how;
  cla_comparison found;
  cli_late_device late = {.begun = false};
  progress_bar bar;
  progress_bar_init(&bar, settings.out.quiet);
  cla_compare_options_init(&how);
  how.align = settings.how.align;
  how.least_block = settings.least_block;
  how.most_gap = settings.most_gap;
  how.align.callbacks.progress = progress_bar_update;
  how.align.callbacks.progress_user = &bar;
  cla_status status =
      cli_late_device_serve(&late, &settings.how.device, &how.align, settings.out.quiet, error);
  if (status == CLA_OK && cli_option_given(options, "split-drop"))
    status = cli_scoring_units(&how.align.several.drop, settings.split_drop, &how.align.scoring, "split-drop",
                               error);
  if (status == CLA_OK) {
    const cla_genome a = {query->records, query->circular, query->count};
    const cla_genome b = {target->records, target->circular, target->count};
    status = cla_compare(&found, NULL, &a, &b, &how, error);
    progress_bar_clear(&bar);
    if (status == CLA_OK) status = certify(&found, &how.align, &bar, error);
    if (status == CLA_OK) status = compare_outputs_write(&settings.out, &found, command_line, error);
    cla_comparison_free(&found); /* accepts the empty comparison that an error leaves */
  }
  cli_late_device_end(&late);
  return status;
}

static cla_status run(command_call *call, cla_error *error) {
  const cli_arguments *parsed = call->parsed;
  genome_file query = {0}, target = {0};
  cla_status status = check_settings(parsed, error);
  interrupt_defer();
  if (status == CLA_OK) status = read_genome(&query, parsed->positionals[0], error);
  if (status == CLA_OK) status = read_genome(&target, parsed->positionals[1], error);
  if (status == CLA_OK) status = check_names(&target, parsed->positionals[1], error);
  if (status == CLA_OK) status = compare(&query, &target, call->line, error);
  if (status != CLA_OK) compare_outputs_abandon(&settings.out);
  genome_file_free(&query);
  genome_file_free(&target);
  return status;
}

static void begin(void) {
  cli_align_settings_init(&settings.how);
  settings.how.scoring.preset = cli_preset_find("genome");
}

const command compare_command = {
    .syntax = &compare_syntax, .purpose = "compare two genomes", .begin = begin, .run = run};
