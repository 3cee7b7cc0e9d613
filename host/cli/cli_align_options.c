#include "cli/cli_align_options.h"

#include <stdio.h>
#include <string.h>

#include "cli/cli_report.h"

cla_status cli_parse_mode(const cli_option *option, const char *value, cla_error *error) {
  cla_mode *mode = option->destination;
  if (strcmp(value, "local") == 0)
    *mode = CLA_MODE_LOCAL;
  else if (strcmp(value, "global") == 0)
    *mode = CLA_MODE_GLOBAL;
  else
    return cli_error(error, CLA_ERROR_OPTION, "--mode takes local or global, not '%s'", value);
  return CLA_OK;
}

/* The library knows the names and the values; here they are only strung together. */
cla_status cli_parse_setting(const cli_option *option, const char *value, cla_error *error) {
  cli_kernel_settings *all = option->destination;
  const size_t size = sizeof all->text, used = strlen(all->text);
  if (used + strlen(value) + 2 > size)
    return cli_error(error, CLA_ERROR_OPTION, "--set is given too often; give each name once");
  snprintf(all->text + used, size - used, "%s%s", used > 0 ? "," : "", value);
  return CLA_OK;
}

void cli_align_settings_init(cli_align_settings *settings) {
  memset(settings, 0, sizeof *settings);
  cla_align_options_init(&settings->align);
}

/* The NCBI form open + k x extend is the other form with first = open + extend. */
static cla_status settle_gap_costs(cli_align_settings *settings, const cli_option *options,
                                   cla_error *error) {
  bool open = cli_option_given(options, "gap-open"), extend = cli_option_given(options, "gap-extend");
  bool own = cli_option_given(options, "gap-first") || cli_option_given(options, "gap-ext");
  if ((open || extend) && own)
    return cli_error(error, CLA_ERROR_OPTION,
                     "--gap-open and --gap-extend do not mix with --gap-first and --gap-ext; use one form");
  if (open != extend)
    return cli_error(error, CLA_ERROR_OPTION, "--gap-open and --gap-extend need each other; give both");
  if (!open) return CLA_OK;
  if (settings->gap_open + settings->gap_extend > CLA_SCORE_LIMIT)
    return cli_error(error, CLA_ERROR_OPTION, "--gap-open and --gap-extend add up to more than %d; lower one",
                     CLA_SCORE_LIMIT);
  settings->align.scoring.gap_first = settings->gap_open + settings->gap_extend;
  settings->align.scoring.gap_ext = settings->gap_extend;
  return CLA_OK;
}

cla_status cli_align_settings_settle(cli_align_settings *settings, const cli_option *options,
                                     cla_error *error) {
  const cla_scoring *scoring = &settings->align.scoring;
  settings->align.threads = settings->device.threads;
  if (cli_option_given(options, "set")) settings->align.settings = settings->kernel_settings.text;
  cla_status status = settle_gap_costs(settings, options, error);
  if (status != CLA_OK) return status;
  if (scoring->gap_ext > scoring->gap_first)
    return cli_error(error, CLA_ERROR_OPTION,
                     "--gap-first %d is below --gap-ext %d; the first letter costs at least "
                     "as much as a further one",
                     scoring->gap_first, scoring->gap_ext);
  return cla_scoring_check(scoring, error);
}
