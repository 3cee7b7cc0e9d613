#include "cli/cli_plot.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli_report.h"

/* Reads a position, 1-based, and moves *text behind it. */
static bool read_position(int64_t *out, const char **text) {
  char *end = NULL;
  if (!isdigit((unsigned char)**text)) return false;
  errno = 0;
  *out = strtoll(*text, &end, 10);
  *text = end;
  return errno == 0 && *out >= 1;
}

/* The range that follows `role` and a colon; NULL if it is another role. */
static const char *after_role(const char *value, const char *role) {
  const size_t length = strlen(role);
  return strncmp(value, role, length) == 0 && value[length] == ':' ? value + length + 1 : NULL;
}

cla_status cli_parse_plot_region(const cli_option *option, const char *value, cla_error *error) {
  cla_plot_options *options = option->destination;
  const char *query = after_role(value, "query"), *target = after_role(value, "target");
  const char *text = query ? query : target;
  cla_plot_range *range = query ? &options->query : &options->target;
  int64_t from = 0, to = 0;
  if (!text || !read_position(&from, &text) || *text++ != '-' || !read_position(&to, &text) || *text ||
      to < from)
    return cli_error(error, CLA_ERROR_OPTION,
                     "--%s takes query:FROM-TO or target:FROM-TO, 1-based with FROM <= TO, not '%s'",
                     option->name, value);
  if (range->to > 0)
    return cli_error(error, CLA_ERROR_OPTION, "--%s is given twice for the %s; leave one out", option->name,
                     query ? "query" : "target");
  *range = (cla_plot_range){.from = from - 1, .to = to};
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
