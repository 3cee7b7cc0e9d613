#include "cli/cli_lower_bound.h"

#include <string.h>
#include <unistd.h>

#include "cli/cli_report.h"

cla_status cli_parse_lower_bound(const cli_option *option, const char *value, cla_error *error) {
  cli_lower_bound *given = option->destination;
  const size_t digits = strspn(value + (value[0] == '-'), "0123456789");
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
  if (digits > 0 && value[(value[0] == '-') + digits] == '\0') {
    cli_option number = *option;
    number.destination = &given->bound.score;
    number.minimum = INT64_MIN;
    number.maximum = INT64_MAX;
    given->bound.kind = CLA_LOWER_BOUND_SCORE;
    return cli_parse_int64(&number, value, error);
  }
  return cli_error(
      error, CLA_ERROR_INPUT,
      "--%s takes auto, off, a score, or a PAF, SAM, BAM or .cla file, and there is no file '%s'",
      option->name, value);
}

cla_status cli_lower_bound_read(cli_lower_bound *given, const cla_sequence *query, const cla_sequence *target,
                                cla_strand strand, cla_error *error) {
  if (!given->file) return CLA_OK;
  given->bound = (cla_lower_bound){.kind = CLA_LOWER_BOUND_PATH, .path = &given->path};
  return cla_path_read(&given->path, given->file, query, target, strand, error);
}
