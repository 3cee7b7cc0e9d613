#ifndef HOST_PLAN_PLAN_INTERNAL_H
#define HOST_PLAN_PLAN_INTERNAL_H

#include "clalign/status.h"
#include "kernels/kernel.h"
#include "plan/plan.h"

/* Settings that an expert user makes: "NAME=VALUE,NAME=VALUE". */

enum {
  SETTING_LANES,
  SETTING_ALPHA,
  SETTING_TILE,
  SETTING_LAUNCH,
  SETTING_GROUPS,
  SETTING_PANEL, /* strips of the sweep's panels (plan_panels.c) */
  SETTING_BOUNDS,
  SETTING_COUNT
};

typedef struct kernel_settings {
  bool given[SETTING_COUNT];
  int64_t value[SETTING_COUNT]; /* SETTING_LAUNCH has a kernel_launch, SETTING_BOUNDS a plan_bounds */
  bool any;                     /* at least one setting of the kernel is given */
} kernel_settings;

/* Reads settings; NULL or an empty text means no settings. Fails with CLA_ERROR_OPTION if a name is unknown
 * or given twice, or if a value is not a number. The message lists the settings. */
cla_status kernel_settings_parse(kernel_settings *out, const char *text, cla_error *error);

/* Sets a config's lanes, alpha, launch and groups, but not its tile. A persistent launch gets
 * `default_groups` if no number of groups is given. Fails with CLA_ERROR_OPTION if a value is illegal; the
 * message lists the variant's legal values. */
cla_status kernel_settings_apply(kernel_config *config, const kernel_settings *settings, int default_groups,
                                 cla_error *error);

/* Sets the tile's columns from the settings. Fails with CLA_ERROR_OPTION if they are not a multiple of the
 * lanes or exceed the scheme's `limit`. */
cla_status kernel_settings_tile(kernel_config *config, const kernel_settings *settings, int64_t limit,
                                cla_error *error);

/* Chooses the kernel config of the forward sweep. The first item that applies decides:
 *
 * 1. the user's kernel and settings
 * 2. the device's records: the first entry, in the order of tuning/lookup.h, whose variant takes the scheme
 *    and runs on the device; its tiles become narrower if the scores require it
 * 3. the rule: the fastest variant that device and scheme allow
 *
 * `reason`, of `size` bytes, receives the reason for the choice. Errors: CLA_ERROR_OPTION,
 * CLA_ERROR_DEVICE. */
cla_status kernel_choice(kernel_config *out, char *reason, size_t size, const plan_input *input,
                         cla_error *error);

/* Chooses the config of regions nested in the sweep. Uses the sweep's variant if its lanes hold the larger
 * differences of nested regions (scoring/lane_width.h), else the fastest variant whose lanes do. Fails with
 * CLA_ERROR_DEVICE. */
cla_status kernel_choice_blocks(kernel_config *out, const kernel_config *sweep, const plan_input *input,
                                cla_error *error);

/* Fits the variant to the device and the scheme by rule, for regions of that nesting. Returns false if the
 * device or the scheme does not allow the variant. */
bool kernel_choice_fits(kernel_config *out, const kernel_variant *variant, const plan_input *input,
                        int nesting);

/* Returns the tile width, in columns, for a region of that nesting: a power of two times the config's
 * lanes. The tiles are narrow enough to keep the cores busy, and at most as wide as the scheme allows. */
int64_t kernel_choice_tile(const kernel_config *config, const plan_input *input, int64_t columns,
                           int nesting);

/* Predicts the seconds of a sweep over rows x columns with `config` from a similar sweep in a record;
 * negative: no record has one. `block`: the region is a block of a run, whose tile width may differ from
 * the record's. */
double kernel_choice_seconds(const kernel_config *config, const plan_input *input, int64_t rows,
                             int64_t columns, bool block);

/* Sets the plan's kept rows and memory within the budgets: as many rows as are useful, or fewer if memory
 * is short. out->sweep and out->blocks must be set. Fails with CLA_ERROR_MEMORY; the message contains the
 * least budget that suffices, or the buffer that the device refuses. */
cla_status plan_rows(plan *out, const plan_input *input, cla_error *error);

/* Returns the number of strips that a fully used device computes simultaneously. */
int64_t plan_strips_at_once(const kernel_config *config, const cla_device_info *device);

/* A panel (docs/internals/kernels.md) is a range of rows. It is computed completely before the rows below
 * it start, so its kept rows are complete early. An unpruned sweep on one device may have panels. */

/* Returns the smallest interval of kept rows, at least `least`, that suits panels; a multiple of the strip's
 * rows. */
int64_t plan_panel_interval(const plan *p, const plan_input *input, int64_t least);

/* Returns the rows of a panel; 0: one panel. The plan's row_interval must be set. */
int64_t plan_panel_rows(const plan *p, const plan_input *input);

/* Cells per second of a host thread in bands. */
#define PLAN_BAND_RATE 2.6e9
/* Time, in seconds per row, that one thread takes to follow the path through bands with many ends. */
#define PLAN_FOLLOW_SECONDS 2e-7

/* Returns an upper limit on the scores of all paths. Each letter that a path must pass in gaps costs at least
 * a gap's extension. */
int64_t plan_best_conceivable(const plan_input *input);

/* Returns how far a path of score `bound` from end to end may stray from the shortest way, as a fraction of
 * the letters that the path passes; >= 0. */
double plan_lost_share(const plan_input *input, int64_t bound);

/* True if the sequences may be dissimilar: paths run from end to end, and no good path is known. */
bool plan_unlike(const plan_input *input);

/* Predicts the number of cells in all bands between kept rows that are `interval` rows apart. */
double plan_band_cells(const plan *p, const plan_input *input, int64_t interval);

/* Sets first_rows of a pruned sweep (docs/internals/pruning.md, "In two parts") and the memory of both parts.
 * first_rows is 0 if a sweep in one part is better, or if the budgets do not allow two parts. */
void plan_parts(plan *pruned, const plan_input *input);

#endif
