/* clalign show: prints a saved alignment in any output format. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clalign/alignment.h"
#include "cli/commands/command.h"
#include "cli/commands/saved_alignment.h"
#include "cli/options/align_options.h"
#include "cli/options/device_options.h"
#include "cli/options/options.h"
#include "cli/report/certificates.h"
#include "cli/report/outputs.h"
#include "cli/report/report.h"

static cli_outputs outputs;
static cla_gap_placement gap_placement; /* CLA_GAPS_CANONICAL: the placement in the file */
static cli_region region;
static cli_certify certify;
static bool split;
static int64_t split_drop; /* in thousandths of a point */

/* clang-format off */
static cli_option options[] = {
    CLI_OUTPUT_OPTIONS(outputs, NULL, output_certified_format_names, "; may be repeated", "pair; json for a score without alignment", "standard output"),
    CLI_WRITE_OPTIONS(outputs),
    CLI_PLOT_OPTIONS(outputs.plot),
    {.name = "region",
     .argument = "SIDE:FROM-TO",
     .parse = cli_parse_region,
     .destination = &region,
     .description = "only what is aligned with these letters of the query's or target's record (1-based, "
                    "inclusive): query:FROM-TO or target:FROM-TO"},
    CLI_GAP_PLACEMENT_OPTION(gap_placement),
    CLI_CERTIFY_PAIR_OPTIONS(certify),
    CLI_SPLIT_OPTIONS(split, split_drop, "cut each alignment where it is not worth having, and show the pieces, the best first"),
    {.name = NULL},
};
/* clang-format on */

static const cli_example examples[] = {
    {"clalign show --format sam --output ab.sam ab.cla", "a saved alignment as SAM"},
    {"clalign show ab.cla a.fa b.fa", "as text, with the sequences from these files"},
    {"clalign show --region target:1001-2000 --format vcf ab.cla",
     "the differences in a region of the target"},
    {NULL, NULL},
};

static const cli_syntax show_syntax = {
    .command = "show",
    .positionals = "FILE.cla [QUERY TARGET]",
    .purpose = "Prints a saved alignment, after it was verified against its sequences.",
    .notes = "Without QUERY and TARGET the sequences are read from where the alignment says they were.",
    .examples = examples,
    .options = options,
    .least_positionals = 1,
    .most_positionals = 3,
};

/* Refuses options that need a path if the alignment has none. */
static cla_status check_score_only(const char *file, cla_error *error) {
  const char *option = gap_placement != CLA_GAPS_CANONICAL ? "gap-placement"
                       : region.text                       ? "region"
                       : split                             ? "split"
                       : certify.wanted                    ? "certify"
                                                           : NULL;
  if (option)
    return cli_error(error, CLA_ERROR_OPTION,
                     "--%s is for an alignment, and %.1024s holds a score alone; leave it out", option, file);
  return outputs_check_score_only(&outputs, error);
}

static cla_status cut_into_pieces(saved_alignment *saved, cla_error *error) {
  const cla_scoring *scoring = &saved->items[0]->scoring;
  int64_t drop = cla_split_drop(scoring);
  cla_status status = CLA_OK;
  if (cli_option_given(options, "split-drop"))
    status = cli_scoring_units(&drop, split_drop, scoring, "split-drop", error);
  return status == CLA_OK ? saved_alignment_split(saved, drop, error) : status;
}

/* Applies the options that change the alignments, and verifies the results. */
static cla_status change(saved_alignment *saved, cla_error *error) {
  cla_status status = saved_alignment_verify(saved, error);
  if (status == CLA_OK && gap_placement != CLA_GAPS_CANONICAL) {
    status = saved_alignment_place_gaps(saved, gap_placement, error);
    if (status == CLA_OK) status = saved_alignment_verify(saved, error);
  }
  if (status == CLA_OK && split) {
    status = cut_into_pieces(saved, error);
    if (status == CLA_OK) status = saved_alignment_verify(saved, error);
  }
  if (status == CLA_OK && region.text) {
    status = saved_alignment_cut(saved, &region, error);
    if (status == CLA_OK) status = saved_alignment_verify(saved, error);
  }
  return status;
}

/* Prints the summary; used if standard output is a terminal and no --format is given. */
static cla_status print_summary(const cla_results *found, cla_error *error) {
  cla_status status = align_summary_print(found, false, error);
  if (status == CLA_OK) outputs_print_hint(&outputs);
  return status;
}

static cla_status show(command_call *call, cla_error *error) {
  const cli_arguments *arguments = call->parsed;
  saved_alignment saved = {0};
  if (arguments->count == 2)
    return cli_error(error, CLA_ERROR_OPTION, "'show' needs QUERY and TARGET together, or neither");
  cla_status status = saved_alignment_load(&saved, arguments->positionals[0], error);
  if (status == CLA_OK && !split && cli_option_given(options, "split-drop"))
    status = cli_error(error, CLA_ERROR_OPTION, "--split-drop says where --split cuts; give both");
  if (status != CLA_OK) goto done;
  status = cli_certify_check(&certify, error);
  if (status != CLA_OK) goto done;
  outputs.callable = split;
  cli_certify_set_outputs(&outputs, &certify);
  saved.keep_case = outputs.keep_case;
  bool from_file = arguments->count == 1;
  const char *locations[] = {saved.items[0]->query.location, saved.items[0]->target.location,
                             arguments->positionals[0]};
  if (!from_file) {
    locations[0] = arguments->positionals[1];
    locations[1] = arguments->positionals[2];
  }
  bool has_path = saved_alignment_has_path(&saved);
  status = outputs_prepare(&outputs, has_path ? CLA_FORMAT_PAIR : CLA_FORMAT_JSON, locations, 3, error);
  if (status == CLA_OK && !has_path) status = check_score_only(arguments->positionals[0], error);
  if (status == CLA_OK) status = saved_alignment_read(&saved, locations[0], locations[1], from_file, error);
  if (status == CLA_OK) status = outputs_check_region(&outputs, saved.query, saved.target, error);
  if (status == CLA_OK) status = change(&saved, error);
  if (status != CLA_OK) goto done;
  cla_write_options write_options = {.command = call->line};
  interrupt_defer(); /* so that an output file is either finished or removed */
  cla_results found = {.alignments = saved_alignment_list(&saved),
                       .count = saved.count,
                       .query = saved.query,
                       .target = saved.target};
  cla_align_options align;
  cli_late_device late = {0};
  const cla_device_options device = {0};
  cla_align_options_init(&align);
  if (certify.stable || certify.plane.path_count > 0)
    status = cli_late_device_serve(&late, &device, &align, true, error);
  const certify_means means = {.align = &align};
  if (status == CLA_OK) status = cli_certify_results(&found, &certify, &means, error);
  const cla_results listed = status == CLA_OK ? cli_certify_listed(&found, &certify) : found;
  if (status == CLA_OK) status = outputs_write(&outputs, &listed, &write_options, error);
  if (status == CLA_OK)
    status = cli_plane_write(&certify.plane, &found, NULL, &align, &outputs.plot.options, error);
  if (status == CLA_OK && outputs.count == 0 && outputs.plot.count == 0)
    status = print_summary(&listed, error);
  cli_certificates_free(&found);
  cli_late_device_end(&late);
done:
  saved_alignment_free(&saved);
  return status;
}

const command show_command = {
    .syntax = &show_syntax, .purpose = "print a saved alignment in any format", .run = show};
