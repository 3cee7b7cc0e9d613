#include "cli/options/lower_bound_option.h"

#include <string.h>
#include <unistd.h>

#include "cli/options/scoring_options.h"
#include "cli/report/report.h"

cla_status cli_parse_lower_bound(const cli_option *option, const char *value, cla_error *error) {
  cli_lower_bound *given = option->destination;
  const bool number = value[strspn(value, "-.")] && value[strspn(value, "-.0123456789")] == '\0';
  given->bound = (cla_lower_bound){.kind = CLA_LOWER_BOUND_AUTO};
  if (access(value, F_OK) == 0) {
    given->file = value;
    return CLA_OK;
  }
  if (strcmp(value, "auto") == 0) return CLA_OK;
  if (strcmp(value, "off") == 0) {
    given->bound.kind = CLA_LOWER_BOUND_OFF;
    return CLA_OK;
  }
  if (number) {
    cli_option score = *option;
    score.destination = &given->thousandths;
    score.minimum = INT64_MIN / CLA_UNITS_LIMIT;
    score.maximum = INT64_MAX / CLA_UNITS_LIMIT;
    given->bound.kind = CLA_LOWER_BOUND_SCORE;
    return cli_parse_thousandths(&score, value, error);
  }
  return cli_error(
      error, CLA_ERROR_INPUT,
      "--%s takes auto, off, a score, or a PAF, SAM, BAM or .cla file, and there is no file '%s'",
      option->name, value);
}

cla_status cli_lower_bound_settle(cli_lower_bound *given, const cla_sequence *query,
                                  const cla_sequence *target, const cla_align_options *how,
                                  cla_error *error) {
  if (given->bound.kind == CLA_LOWER_BOUND_SCORE)
    return cli_scoring_units(&given->bound.score, given->thousandths, &how->scoring, "lower-bound", error);
  if (!given->file) return CLA_OK;
  given->bound = (cla_lower_bound){.kind = CLA_LOWER_BOUND_PATH, .path = &given->path};
  return cla_path_read(&given->path, given->file, query, target, how->strand, error);
}
