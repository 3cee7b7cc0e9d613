#ifndef HOST_CLI_REPORT_PLANES_H
#define HOST_CLI_REPORT_PLANES_H

#include "clalign/plane.h"
#include "cli/options/options.h"
#include "cli/report/outputs.h"

/* The option --stable-plot and those that go with it. */

/* A plane of two costs. */
typedef struct cli_plane {
  const char *paths[PLANE_FILES_MOST];
  int path_count;          /* 0: no plane */
  bool given;              /* --stable-costs was given */
  cla_cost costs[2];       /* valid if `given` */
  bool has_range[2];       /* false: half to twice the scheme's value */
  int64_t from[2], to[2];  /* in thousandths of a point */
  int64_t alignments_most; /* 0: CLA_COST_PLANE_ALIGNMENTS */
} cli_plane;

/* Parse functions whose destination is a cli_plane. */
cla_status cli_parse_plane_file(const cli_option *option, const char *value, cla_error *error);
cla_status cli_parse_plane_costs(const cli_option *option, const char *value, cla_error *error);

/* CLA_ERROR_OPTION if options need --stable-plot, which is not given. CLA_ERROR_OUTPUT if a file cannot be
 * written. */
cla_status cli_plane_check(const cli_plane *plane, cla_error *error);

/* Finds the plane of the only alignment, and writes its files; does nothing if there are none. `device` and
 * `look` may be NULL. CLA_ERROR_OPTION if there are several alignments; errors of cla_cost_plane_find and
 * cla_cost_plane_write. */
cla_status cli_plane_write(const cli_plane *plane, const cla_results *found, cla_device *device,
                           const cla_align_options *how, const cla_plot_options *look, cla_error *error);

#endif
