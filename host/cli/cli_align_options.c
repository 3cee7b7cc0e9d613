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

cla_status cli_parse_strand(const cli_option *option, const char *value, cla_error *error) {
  static const char *const names[] = {"forward", "reverse", "both"}; /* in the order of cla_strand */
  for (int i = 0; i < 3; i++)
    if (strcmp(value, names[i]) == 0) {
      *(cla_strand *)option->destination = (cla_strand)i;
      return CLA_OK;
    }
  return cli_error(error, CLA_ERROR_OPTION, "--%s takes forward, reverse or both, not '%s'", option->name,
                   value);
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

cla_status cli_align_settings_settle(cli_align_settings *settings, const cli_option *options,
                                     cla_error *error) {
  settings->align.threads = settings->device.threads;
  if (cli_option_given(options, "set")) settings->align.settings = settings->kernel_settings.text;
  return cli_scoring_begin(&settings->scoring, &settings->align.scoring, options, error);
}
