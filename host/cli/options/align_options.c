#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "clalign/kernel.h"
#include "cli/options/align_options.h"
#include "cli/report/report.h"

const char *const cli_mode_words[] = {"local", "global", "semi-global", "overlap", "extend", NULL};

cla_status cli_parse_mode(const cli_option *option, const char *value, cla_error *error) {
  int place = 0;
  return cla_mode_find(option->destination, value) ? CLA_OK : cli_find_word(&place, option, value, error);
}

cla_status cli_parse_free_ends(const cli_option *option, const char *value, cla_error *error) {
  int *ends = option->destination;
  for (const char *word = value;; word++) {
    const size_t length = strcspn(word, ",");
    int end = 0;
    for (int i = 0; i < CLA_FREE_END_COUNT; i++) {
      const char *name = cla_free_end_name((cla_free_ends)(1 << i));
      if (strlen(name) == length && memcmp(name, word, length) == 0) end = 1 << i;
    }
    if (end == 0)
      return cli_error(error, CLA_ERROR_OPTION,
                       "--free-ends takes query-start, query-end, target-start and target-end with commas "
                       "between, not '%s'",
                       value);
    if (*ends & end)
      return cli_error(error, CLA_ERROR_OPTION, "--free-ends names %s twice; once is enough",
                       cla_free_end_name((cla_free_ends)end));
    *ends |= end;
    word += length;
    if (*word == '\0') return CLA_OK;
  }
}

const char *const *cli_free_ends_hints(void) {
  static const char *names[CLA_FREE_END_COUNT + 1];
  for (int i = 0; i < CLA_FREE_END_COUNT; i++) names[i] = cla_free_end_name((cla_free_ends)(1 << i));
  return names;
}

/* Sets the mode that --free-ends implies. Fails if --mode contradicts it. */
static cla_status settle_mode(cla_align_options *align, const cla_preset *preset, const cli_option *options,
                              cla_error *error) {
  const bool listed = cli_option_given(options, "free-ends"), named = cli_option_given(options, "mode");
  if (preset && preset->has_mode && !listed && !named) align->mode = preset->mode;
  if (!listed && align->mode == CLA_MODE_FREE_ENDS)
    return cli_error(error, CLA_ERROR_OPTION, "--mode free-ends needs the ends; name them with --free-ends");
  if (!listed) return CLA_OK;
  const cla_mode meant = cla_free_ends_mode(align->free_ends);
  if (named && align->mode != meant && align->mode != CLA_MODE_FREE_ENDS)
    return cli_error(error, CLA_ERROR_OPTION,
                     "--free-ends with these ends is not --mode %s; leave one of them out",
                     cla_mode_name(align->mode));
  align->mode = meant;
  if (meant != CLA_MODE_FREE_ENDS) align->free_ends = 0;
  return CLA_OK;
}

const char *const cli_strand_words[] = {"forward", "reverse", "both", NULL}; /* in the order of cla_strand */

const char *const cli_circular_words[] = {"query", "target", NULL};

const char *const cli_gap_placement_words[] = {"left", "right", NULL};

/* Appends a setting to the text of all settings; the library checks names and values. */
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
  cla_status status = settle_mode(&settings->align, settings->scoring.preset, options, error);
  if (status != CLA_OK) return status;
  settings->align.budgets.threads = settings->device.threads;
  if (cli_option_given(options, "set")) settings->align.kernel.settings = settings->kernel_settings.text;
  return cli_scoring_begin(&settings->scoring, &settings->align.scoring, options, error);
}

cla_status cli_check_strand(cla_strand strand, cla_alphabet alphabet, cla_error *error) {
  if (strand == CLA_STRAND_FORWARD || alphabet == CLA_ALPHABET_DNA) return CLA_OK;
  return cli_error(error, CLA_ERROR_INPUT, "--strand is for DNA, and these sequences are %s; leave it out",
                   alphabet == CLA_ALPHABET_PROTEIN ? "proteins" : "of a matrix' own letters");
}

#define HINTS_MOST 63

const char *const *cli_kernel_hints(void) {
  static const char *names[HINTS_MOST + 1];
  cla_kernel_info *kernels = NULL;
  cla_error error = {.status = CLA_OK};
  size_t count = 0;
  if (cla_kernels_list(&kernels, &count, &error) != CLA_OK) count = 0; /* no list, so no hints */
  for (size_t i = 0; i < count && i < HINTS_MOST; i++) names[i] = kernels[i].name;
  cla_kernels_free(kernels);
  return names;
}

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

cla_status cli_late_device_serve(cli_late_device *late, const cla_device_options *options,
                                 cla_align_options *align, bool quiet, cla_error *error) {
  cla_device *first = NULL;
  const cla_tuning *tuning = NULL;
  const bool named = options->select || cli_device_has_own_kernels() || cli_ranks;
  cla_status status = cli_late_device_begin(late, options, quiet, error);
  if (!named) align->host_cells = CLA_HOST_CELLS;
  align->callbacks.device = cli_late_device_open;
  align->callbacks.device_user = late;
  return status == CLA_OK && named ? cli_late_device_open(&first, &tuning, late, error) : status;
}
