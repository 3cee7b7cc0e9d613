#ifndef HOST_PLAN_KERNEL_SETTINGS_H
#define HOST_PLAN_KERNEL_SETTINGS_H

#include "clalign/status.h"
#include "kernels/kernel.h"

/* The parameters of a kernel that an expert sets by hand: "NAME=VALUE,NAME=VALUE". */

enum { SETTING_LANES, SETTING_ALPHA, SETTING_TILE, SETTING_LAUNCH, SETTING_GROUPS, SETTING_COUNT };

typedef struct kernel_settings {
  bool given[SETTING_COUNT];
  int64_t value[SETTING_COUNT]; /* a kernel_launch for SETTING_LAUNCH */
  bool any;                     /* whether something is given */
} kernel_settings;

/* `text` NULL or empty: nothing. CLA_ERROR_OPTION names an unknown name, a value that is no number, a name
 * given twice, and what there is. */
cla_status kernel_settings_parse(kernel_settings *out, const char *text, cla_error *error);

/* Puts lanes, alpha, launch and groups into a config of the variant, `default_groups` where a persistent
 * launch needs a number and has none; the tile is left to the caller, who knows its limit. CLA_ERROR_OPTION
 * names the variant's legal values. */
cla_status kernel_settings_apply(kernel_config *config, const kernel_settings *settings, int default_groups,
                                 cla_error *error);

/* Sets the tile, which must be a multiple of the lanes from one up to `limit`, what the scheme allows.
 * CLA_ERROR_OPTION says so. */
cla_status kernel_settings_tile(kernel_config *config, const kernel_settings *settings, int64_t limit,
                                cla_error *error);

#endif
