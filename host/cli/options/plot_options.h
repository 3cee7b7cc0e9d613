#ifndef HOST_CLI_OPTIONS_PLOT_OPTIONS_H
#define HOST_CLI_OPTIONS_PLOT_OPTIONS_H

#include "clalign/plot.h"
#include "cli/options/options.h"

/* A picture of the matrix: --plot and --plot-region. */

typedef struct cli_plot {
  const char *path; /* NULL: none */
  cla_plot_options options;
} cli_plot;

/* clang-format off */
#define CLI_PLOT_OPTIONS(plot)                                                                               \
  {.name = "plot", .argument = "FILE", .parse = cli_parse_text, .destination = (void *)&(plot).path,         \
   .description = "also draw the matrix, to a .png, .svg or .pdf: path, what was computed, identity and the " \
                  "largest gaps"},                                                                           \
  {.name = "plot-region", .argument = "REGION", .parse = cli_parse_plot_region,                              \
   .destination = &(plot).options, .repeatable = true, .default_text = "all",                                \
   .description = "the part of the matrix to draw: query:FROM-TO or target:FROM-TO (1-based, inclusive), or " \
                  "both, one option each"}
/* clang-format on */

/* A parse function whose destination is a cla_plot_options. */
cla_status cli_parse_plot_region(const cli_option *option, const char *value, cla_error *error);

/* What can be known before hours of computing; `query` and `target` may be NULL, as in cla_plot_check. */
cla_status cli_plot_check(const cli_plot *plot, const cla_sequence *query, const cla_sequence *target,
                          cla_error *error);

/* Draws what was asked for, of `count` alignments or, with a warning, none. */
cla_status cli_plot_write(const cli_plot *plot, const cla_alignment *const *alignments, size_t count,
                          const cla_sequence *query, const cla_sequence *target, cla_error *error);

#endif
