#include "plan/plan_internal.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

#define GROUPS_LIMIT 1000000

static const char *const names[SETTING_COUNT] = {"lanes",  "alpha", "tile",  "launch",
                                                 "groups", "panel", "bounds"};

/* Words that are values of settings, in the order of the values; NULL ends a list. */
static const char *const launches[] = {
    [KERNEL_DIAGONALS] = "diagonals", [KERNEL_PERSISTENT] = "persistent", NULL};
static const char *const bounds[] = {[PLAN_BOUNDS_CHOSEN] = "auto",
                                     [PLAN_BOUNDS_OFF] = "off",
                                     [PLAN_BOUNDS_BAND] = "band",
                                     [PLAN_BOUNDS_SWEEP] = "sweep",
                                     NULL};
static const char *const *const words[SETTING_COUNT] = {
    [SETTING_LAUNCH] = launches, [SETTING_BOUNDS] = bounds};

static cla_status parse_word(int64_t *out, int setting, const char *value, int length, cla_error *error) {
  char list[64] = "";
  for (const char *const *word = words[setting]; *word; word++) {
    *out = word - words[setting];
    if ((int)strlen(*word) == length && strncmp(*word, value, (size_t)length) == 0) return CLA_OK;
    error_list_add(list, sizeof list, *word, word[1] ? ", " : " or ");
  }
  return error_set(error, CLA_ERROR_OPTION, "--set %s takes %s, not '%.*s'", names[setting], list, length,
                   value);
}

/* Reads a setting's value, a text of `length` letters. */
static cla_status parse_value(int64_t *out, int setting, const char *value, int length, cla_error *error) {
  if (words[setting]) return parse_word(out, setting, value, length, error);
  char *end = NULL;
  errno = 0;
  const long long number = isdigit((unsigned char)value[0]) ? strtoll(value, &end, 10) : 0;
  if (number < 1 || number > INT32_MAX || errno != 0 || end != value + length)
    return error_set(error, CLA_ERROR_OPTION, "--set %s takes a whole number from 1 on, not '%.*s'",
                     names[setting], length, value);
  *out = number;
  return CLA_OK;
}

/* Reads one NAME=VALUE of `length` letters. */
static cla_status parse_one(kernel_settings *out, const char *text, int length, cla_error *error) {
  const char *equals = memchr(text, '=', (size_t)length);
  const int name_length = equals ? (int)(equals - text) : length;
  int setting = 0;
  while (setting < SETTING_COUNT && ((int)strlen(names[setting]) != name_length ||
                                     strncmp(names[setting], text, (size_t)name_length) != 0))
    setting++;
  if (setting == SETTING_COUNT)
    return error_set(error, CLA_ERROR_OPTION,
                     "--set knows no '%.*s'; there are: lanes, alpha, tile, launch, groups, panel, bounds",
                     name_length, text);
  if (!equals)
    return error_set(error, CLA_ERROR_OPTION, "--set %s needs a value: --set %s=VALUE", names[setting],
                     names[setting]);
  if (out->given[setting])
    return error_set(error, CLA_ERROR_OPTION, "--set %s is given twice; give it once", names[setting]);
  out->given[setting] = true;
  out->any |=
      setting != SETTING_PANEL && setting != SETTING_BOUNDS; /* all others are settings of the kernel */
  return parse_value(&out->value[setting], setting, equals + 1, length - name_length - 1, error);
}

cla_status kernel_settings_parse(kernel_settings *out, const char *text, cla_error *error) {
  memset(out, 0, sizeof *out);
  cla_status status = CLA_OK;
  while (text && *text && status == CLA_OK) {
    const int length = (int)strcspn(text, ",");
    status = parse_one(out, text, length, error);
    text += length;
    if (*text == ',') text++;
  }
  return status;
}

static cla_status check_listed(const kernel_variant *variant, int setting, const int *values, int64_t value,
                               cla_error *error) {
  char list[128] = "";
  for (const int *one = values; *one; one++) {
    if (*one == value) return CLA_OK;
    snprintf(list + strlen(list), sizeof list - strlen(list), "%s%d", one == values ? "" : ", ", *one);
  }
  return error_set(error, CLA_ERROR_OPTION, "--set %s=%lld: kernel %s takes %s; see also --kernel",
                   names[setting], (long long)value, variant->name, list);
}

static cla_status apply_launch(kernel_config *config, const kernel_settings *settings, int default_groups,
                               cla_error *error) {
  if (settings->given[SETTING_LAUNCH]) config->launch = (kernel_launch)settings->value[SETTING_LAUNCH];
  if (config->launch != KERNEL_PERSISTENT) {
    if (settings->given[SETTING_GROUPS])
      return error_set(error, CLA_ERROR_OPTION,
                       "--set groups belongs to a persistent launch; add --set launch=persistent");
    config->groups = 0;
    return CLA_OK;
  }
  if (settings->given[SETTING_GROUPS] && settings->value[SETTING_GROUPS] > GROUPS_LIMIT)
    return error_set(error, CLA_ERROR_OPTION, "--set groups takes a whole number from 1 to %d, not %lld",
                     GROUPS_LIMIT, (long long)settings->value[SETTING_GROUPS]);
  if (settings->given[SETTING_GROUPS])
    config->groups = (int)settings->value[SETTING_GROUPS];
  else if (config->groups < 1)
    config->groups = default_groups;
  return CLA_OK;
}

cla_status kernel_settings_apply(kernel_config *config, const kernel_settings *settings, int default_groups,
                                 cla_error *error) {
  const kernel_variant *variant = config->variant;
  const int64_t lanes = settings->value[SETTING_LANES], alpha = settings->value[SETTING_ALPHA];
  cla_status status = CLA_OK;
  if (settings->given[SETTING_LANES])
    status = check_listed(variant, SETTING_LANES, variant->lanes, lanes, error);
  if (status == CLA_OK && settings->given[SETTING_ALPHA])
    status = check_listed(variant, SETTING_ALPHA, variant->alphas, alpha, error);
  if (status != CLA_OK) return status;
  if (settings->given[SETTING_LANES]) config->lanes = (int)lanes;
  if (settings->given[SETTING_ALPHA]) config->alpha = (int)alpha;
  return apply_launch(config, settings, default_groups, error);
}

cla_status kernel_settings_tile(kernel_config *config, const kernel_settings *settings, int64_t limit,
                                cla_error *error) {
  const int64_t tile = settings->value[SETTING_TILE];
  if (tile < config->lanes || tile > limit || tile % config->lanes != 0)
    return error_set(error, CLA_ERROR_OPTION,
                     "--set tile=%lld: kernel %s with %d lanes x %d rows and these scores takes multiples of "
                     "%d up to %lld",
                     (long long)tile, config->variant->name, config->lanes, config->alpha, config->lanes,
                     (long long)limit);
  config->tile_columns = tile;
  return CLA_OK;
}
