#include "cli/options/plot_options.h"

#include <limits.h>
#include <stdio.h>

#include "cli/options/region_option.h"
#include "cli/report/report.h"

cla_status cli_parse_plot_region(const cli_option *option, const char *value, cla_error *error) {
  cla_plot_options *options = option->destination;
  cli_region region;
  cli_option alone = *option;
  alone.destination = &region;
  cla_status status = cli_parse_region(&alone, value, error);
  if (status != CLA_OK) return status;
  const bool of_query = region.side == CLA_SIDE_QUERY;
  cla_plot_range *range = of_query ? &options->query : &options->target;
  if (region.end < 0)
    return cli_error(error, CLA_ERROR_OPTION, "--%s %s has no end; give FROM-TO", option->name, value);
  if (range->to > 0)
    return cli_error(error, CLA_ERROR_OPTION, "--%s is given twice for the %s; leave one out", option->name,
                     of_query ? "query" : "target");
  *range = (cla_plot_range){.from = region.begin, .to = region.end};
  return CLA_OK;
}

cla_status cli_plot_check(const cli_plot *plot, const cla_sequence *query, const cla_sequence *target,
                          cla_error *error) {
  if (plot->path) return cla_plot_check(plot->path, &plot->options, query, target, error);
  if (plot->options.query.to == 0 && plot->options.target.to == 0) return CLA_OK;
  return cli_error(error, CLA_ERROR_OPTION, "--plot-region is the part that --plot draws; give both");
}

cla_status cli_plot_write(const cli_plot *plot, const cla_alignment *const *alignments, size_t count,
                          const cla_sequence *query, const cla_sequence *target, cla_error *error) {
  char text[PATH_MAX + 64];
  if (!plot->path) return CLA_OK;
  if (count > 0) return cla_plot_write(plot->path, alignments, count, query, target, &plot->options, error);
  snprintf(text, sizeof text, "there is no alignment to plot: %s is not written", plot->path);
  cli_warn(text);
  return CLA_OK;
}
