#ifndef HOST_PLAN_PLAN_INTERNAL_H
#define HOST_PLAN_PLAN_INTERNAL_H

#include "clalign/status.h"
#include "kernels/kernel.h"
#include "plan/plan.h"

/* The parameters of a kernel that an expert sets by hand: "NAME=VALUE,NAME=VALUE". */

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
  int64_t value[SETTING_COUNT]; /* a kernel_launch for SETTING_LAUNCH, a plan_bounds for SETTING_BOUNDS */
  bool any;                     /* whether something of the kernel is given */
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

/* Which kernel config computes the forward sweep. First what the user asks for (kernel, settings); what that
 * leaves open follows from the records of the device: the first entry in the order of tuning/lookup.h whose
 * variant takes the scheme and runs on the device; its tiles become narrower where the scheme's scores demand
 * it. Else the fastest variant that device and scheme allow, by rule. `reason`, of `size` bytes, says which
 * it was. Errors: CLA_ERROR_OPTION, CLA_ERROR_DEVICE. */
cla_status kernel_choice(kernel_config *out, char *reason, size_t size, const plan_input *input,
                         cla_error *error);

/* Which config computes regions nested in the sweep, given the sweep's: the same one where its lanes hold the
 * larger differences that a region within a region may have (scoring/lane_width.h), else the fastest that
 * does. CLA_ERROR_DEVICE. */
cla_status kernel_choice_blocks(kernel_config *out, const kernel_config *sweep, const plan_input *input,
                                cla_error *error);

/* Fits `variant` to device and scheme by rule, for regions of that nesting; false if they do not allow it. */
bool kernel_choice_fits(kernel_config *out, const kernel_variant *variant, const plan_input *input,
                        int nesting);

/* Columns of the tiles of a region that is `columns` wide, of that nesting: a power of two times the config's
 * lanes, as many as keep the cores busy and no wider than the scheme allows. */
int64_t kernel_choice_tile(const kernel_config *config, const plan_input *input, int64_t columns,
                           int nesting);

/* Predicted seconds of a sweep over rows x columns with `config`, of which a record timed the like; negative
 * if none did. A region within a run (`block`) has tiles of its own width, which the record's need not match.
 */
double kernel_choice_seconds(const kernel_config *config, const plan_input *input, int64_t rows,
                             int64_t columns, bool block);

/* Fills the plan's rows and memory from the budgets: as many special rows as help, fewer where memory is
 * short. The kernel must have been chosen. CLA_ERROR_MEMORY names the least budget that would do, or the
 * buffer that the device does not allow. */
cla_status plan_rows(plan *out, const plan_input *input, cla_error *error);

/* Strips that the device computes at once when it is full. */
int64_t plan_strips_at_once(const kernel_config *config, const cla_device_info *device);

/* A sweep that passes over nothing, on one device, goes panel by panel (docs/internals/scheduling.md): rows
 * that are computed to their ends before those below begin, so that their kept rows are whole soon. */

/* The least interval from `least` on that suits panels, a multiple of the strip's rows. */
int64_t plan_panel_interval(const plan *p, const plan_input *input, int64_t least);

/* The rows of a panel of the plan, which has its row_interval; 0: all in one. */
int64_t plan_panel_rows(const plan *p, const plan_input *input);

/* Cells a second that one thread of the host computes in bands. */
#define PLAN_BAND_RATE 2.6e9
/* What each row takes the one thread that follows the path through bands of many ends. */
#define PLAN_FOLLOW_SECONDS 2e-7

/* How far from the shortest way a path of that score from end to end may lead, as a share of what it passes,
 * 0 or more. */
double plan_lost_share(const plan_input *input, int64_t bound);

/* Whether the sequences may be unlike: paths go from end to end, and no good one is known. */
bool plan_unlike(const plan_input *input);

/* Cells of the bands between rows so far apart. */
double plan_band_cells(const plan *p, const plan_input *input, int64_t interval);

/* A pruned sweep in two parts (docs/internals/pruning.md, "In two parts"). Strips run side by side, and each
 * goes on as far to the right as the one above it, less a tile, because something may still come from there.
 * Where paths may begin in many columns of the first rows only, as with a short query in a long target, these
 * rows are computed to their ends first: what is below then knows that nothing comes. */

/* Sets first_rows of the pruned sweep that the plan describes, with the memory that its parts take, or 0
 * where one part is better or the budgets do not allow two. */
void plan_parts(plan *pruned, const plan_input *input);

/* Rows and columns in which a path that scores `bound` may begin. */
void plan_start_area(double *rows, double *columns, const plan_input *input, int64_t bound);

#endif
