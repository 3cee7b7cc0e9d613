#ifndef HOST_CLI_REPORT_CERTIFICATES_H
#define HOST_CLI_REPORT_CERTIFICATES_H

#include <limits.h>
#include <stdio.h>

#include "clalign/certain.h"
#include "cli/options/options.h"
#include "cli/report/outputs.h"
#include "cli/report/planes.h"
#include "cli/report/progress_bar.h"

/* The option --certify and those that go with it, and what they add to results. */

#define DISPLACEMENTS_MOST 8 /* largest number of --displacement's numbers */
#define OPTIMAL_MOST 65535   /* a binary alignment file has no more alignments */

typedef struct cli_certify {
  bool wanted;
  int64_t delta; /* in thousandths of a point; negative: the default */
  int64_t displacements[DISPLACEMENTS_MOST];
  int64_t displacement_count;
  int64_t mask_below;   /* in thousandths of a point; 0: mask nothing */
  char graph[PATH_MAX]; /* file of --graph; "": none */
  int64_t graph_block;  /* from 1 */
  bool stable;          /* also find the ranges of scores and costs */
  cli_plane plane;
  int64_t optimal_most; /* the largest number of best alignments to write; 0: the one alone */
} cli_certify;

/* Macros that are parts of initialisers: NOLINTBEGIN(bugprone-macro-parentheses) */
/* clang-format off */
/* Entries of the option table of a command that knows the two sequences alone. */
#define CLI_CERTIFY_PAIR_OPTIONS(certify) \
  CLI_CERTIFY_OPTIONS(certify), \
  {.name = "optimal", .argument = "N", .parse = cli_parse_int64, .destination = &(certify).optimal_most, .minimum = 1, .maximum = OPTIMAL_MOST, \
   .description = "with --certify: write up to N of the alignments with the best score, each once", .default_text = "1"}, \
  {.name = "graph", .argument = "FILE[:BLOCK]", .parse = cli_parse_graph, .destination = &(certify), .default_text = "block 1", \
   .description = "with --certify: also write all alignments through a block that lose no more than --certify's points, as a graph for Graphviz"}, \
  {.name = "stable", CLI_FLAG((certify).stable), \
   .description = "with --certify: also find how far each score and cost may change, one at a time, while this alignment stays the best; aligns some ten times for each"}, \
  {.name = "stable-plot", .argument = "FILE", .parse = cli_parse_plane_file, .destination = &(certify).plane, .repeatable = true, \
   .description = "with --certify: also draw which alignments are the best as two costs change together, to a .svg, .png or .pdf, or write it to a .json or .tsv; may be repeated"}, \
  {.name = "stable-costs", .argument = "COST[=FROM..TO],COST[=FROM..TO]", .parse = cli_parse_plane_costs, .destination = &(certify).plane, \
   .description = "the two costs of --stable-plot and their ranges: match, mismatch, gap-first, gap-ext, gap-first2 or gap-ext2; without a range from half to twice the scheme's", \
   .default_text = "mismatch,gap-first"}, \
  {.name = "stable-most", .argument = "N", .parse = cli_parse_int64, .destination = &(certify).plane.alignments_most, .minimum = 1, .maximum = 1000000000, \
   .description = "the largest number of alignments for --stable-plot, about three for each set of counts; if more are needed, nothing is drawn", .default_text = "5000"}
/* Entries of a command's option table. */
#define CLI_CERTIFY_OPTIONS(certify) \
  CLI_CERTIFY_MARGIN_OPTIONS(certify), \
  {.name = "mask-below", .argument = "POINTS", .parse = cli_parse_thousandths, .destination = &(certify).mask_below, .maximum = 1 << 28, \
   .description = "with --certify: bed leaves out letters whose column is certain by fewer points"}
/* Entries of the option table of a command that writes no BED. */
#define CLI_CERTIFY_MARGIN_OPTIONS(certify) \
  {.name = "certify", .argument = "POINTS", .alone = "auto", .parse = cli_parse_certify, .destination = &(certify), \
   .description = "also say how certain each column is: how many points the best alignment without it loses, exactly up to this number", \
   .default_text = "every pair's exactly"}, \
  {.name = "displacement", .argument = "N[,N]", .parse = cli_parse_displacements, .destination = &(certify), \
   .description = "with --certify: also what it costs to be more than N diagonals away; give --certify some hundred points"}
/* clang-format on */
/* NOLINTEND(bugprone-macro-parentheses) */

/* Parse functions whose destination is a cli_certify. */
cla_status cli_parse_certify(const cli_option *option, const char *value, cla_error *error);
cla_status cli_parse_graph(const cli_option *option, const char *value, cla_error *error);
cla_status cli_parse_displacements(const cli_option *option, const char *value, cla_error *error);

/* CLA_ERROR_OPTION for an option that goes with --certify, without it, or if margins up to --mask-below are
 * not known. */
cla_status cli_certify_check(const cli_certify *certify, cla_error *error);

/* What certificates are made with. */
typedef struct certify_means {
  cla_budgets budgets;
  cla_device *device;             /* for --stable; NULL: align->callbacks may provide one */
  const cla_align_options *align; /* for --stable: budgets, callbacks, tuning and host_cells are used */
  progress_bar *bar;              /* NULL: none */
} certify_means;

/* Tells the outputs what the options add to them. */
void cli_certify_set_outputs(cli_outputs *outputs, const cli_certify *certify);

/* CLA_ERROR_OPTION if --mask-below is above what --certify without a number finds with this scheme. */
cla_status cli_certify_check_scheme(const cli_certify *certify, const cla_scoring *scoring, cla_error *error);

/* Sets the options of cla_certify for alignments with this scheme. `bar` may be NULL. CLA_ERROR_OPTION. */
cla_status cli_certify_options(cla_certify_options *out, const cli_certify *certify,
                               const cla_budgets *budgets, const cla_scoring *scoring, progress_bar *bar,
                               cla_error *error);

/* CLA_ERROR_OPTION unless the certificate tells margins of --mask-below from smaller ones. */
cla_status cli_certify_check_mask(const cli_certify *certify, const cla_certificate *certificate,
                                  const cla_alignment *alignment, cla_error *error);

/* Makes the certificates of all alignments, if they are wanted, and sets found->certificates. An alignment
 * without columns gets none. The caller calls cli_certificates_free in every case. Errors are those of
 * cla_certify, and of cli_certify_check. */
cla_status cli_certify_results(cla_results *found, const cli_certify *certify, const certify_means *means,
                               cla_error *error);
void cli_certificates_free(cla_results *found);

/* Returns the alignments to write: with --optimal those of the only certificate, else `found`. The results
 * are valid as long as `found`. */
cla_results cli_certify_listed(const cla_results *found, const cli_certify *certify);

/* Prints the summary's lines about a certificate. */
void cli_certificate_print(FILE *out, const cla_certificate *certificate, const cla_alignment *alignment);

#endif
