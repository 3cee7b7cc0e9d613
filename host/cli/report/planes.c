#include "cli/report/planes.h"

#include <stdlib.h>
#include <string.h>

#include "cli/report/report.h"

/* The widest range, in points. */
#define RANGE_MOST 1000000

cla_status cli_parse_plane_file(const cli_option *option, const char *value, cla_error *error) {
  cli_plane *plane = option->destination;
  cla_status status = cla_cost_plane_check(value, NULL, error);
  if (status != CLA_OK) return status;
  if (plane->path_count == PLANE_FILES_MOST)
    return cli_error(error, CLA_ERROR_OPTION, "--%s may be given %d times; leave out %.256s", option->name,
                     PLANE_FILES_MOST, value);
  plane->paths[plane->path_count++] = value;
  return CLA_OK;
}

/* Finds the cost of a name such as gap-first or gap_first. Returns false if there is none. */
static bool find_cost(cla_cost *out, const char *name) {
  for (int cost = 0; cost < CLA_COST_COUNT; cost++) {
    const char *known = cla_cost_name((cla_cost)cost);
    size_t i = 0;
    while (known[i] && (known[i] == name[i] || (known[i] == '_' && name[i] == '-'))) i++;
    if (known[i] || name[i]) continue;
    *out = (cla_cost)cost;
    return true;
  }
  return false;
}

/* Reads COST[=FROM..TO], which is changed. Returns false if it is something else. */
static bool read_axis(cli_plane *plane, int axis, const cli_option *option, char *text) {
  char *range = strchr(text, '=');
  cli_option number = *option;
  cla_error ignored;
  number.minimum = -RANGE_MOST;
  number.maximum = RANGE_MOST;
  plane->has_range[axis] = range != NULL;
  if (range) {
    *range++ = '\0';
    char *dots = strstr(range, "..");
    if (!dots) return false;
    *dots = '\0';
    number.destination = &plane->from[axis];
    if (cli_parse_thousandths(&number, range, &ignored) != CLA_OK) return false;
    number.destination = &plane->to[axis];
    if (cli_parse_thousandths(&number, dots + 2, &ignored) != CLA_OK) return false;
    if (plane->from[axis] >= plane->to[axis]) return false;
  }
  return find_cost(&plane->costs[axis], text);
}

cla_status cli_parse_plane_costs(const cli_option *option, const char *value, cla_error *error) {
  cli_plane *plane = option->destination;
  char text[256];
  char *comma = NULL;
  if (strlen(value) < sizeof text) {
    strcpy(text, value);
    comma = strchr(text, ',');
  }
  if (comma) *comma = '\0';
  if (comma && read_axis(plane, 0, option, text) && read_axis(plane, 1, option, comma + 1) &&
      plane->costs[0] != plane->costs[1]) {
    plane->given = true;
    return CLA_OK;
  }
  return cli_error(
      error, CLA_ERROR_OPTION,
      "--%s takes two of match, mismatch, gap-first, gap-ext, gap-first2 and gap-ext2, each with a "
      "range from a smaller to a larger number, as in mismatch=-6..-1,gap-first=2..12, not "
      "'%.256s'",
      option->name, value);
}

cla_status cli_plane_check(const cli_plane *plane, cla_error *error) {
  for (int i = 0; i < plane->path_count; i++) {
    cla_status status = output_path_check(plane->paths[i], error);
    if (status != CLA_OK) return status;
  }
  if (plane->path_count > 0 || (!plane->given && plane->alignments_most == 0)) return CLA_OK;
  return cli_error(error, CLA_ERROR_OPTION, "--%s is for a plane of two costs; give --stable-plot FILE, too",
                   plane->given ? "stable-costs" : "stable-most");
}

/* Sets the box in the scheme's units. */
static cla_cost_box choose_box(const cli_plane *plane, const cla_scoring *scoring) {
  const bool matrix = scoring->matrix_size > 0;
  const int64_t units = scoring->units > 0 ? scoring->units : 1;
  cla_cost_box box = {.costs = {matrix ? CLA_COST_GAP_FIRST : CLA_COST_MISMATCH,
                                matrix ? CLA_COST_GAP_EXT : CLA_COST_GAP_FIRST},
                      .one = CLA_UNITS_LIMIT};
  for (int i = 0; i < 2; i++) {
    if (plane->given) box.costs[i] = plane->costs[i];
    const int64_t value = cla_cost_value(scoring, box.costs[i]);
    if (plane->given && plane->has_range[i]) {
      box.low[i] = plane->from[i] * units;
      box.high[i] = plane->to[i] * units;
    } else if (value == 0) {
      box.low[i] = box.costs[i] == CLA_COST_MISMATCH ? -CLA_UNITS_LIMIT * units : 0;
      box.high[i] = box.low[i] + CLA_UNITS_LIMIT * units;
    } else {
      box.low[i] = value * CLA_UNITS_LIMIT * (value < 0 ? 4 : 1) / 2;
      box.high[i] = value * CLA_UNITS_LIMIT * (value < 0 ? 1 : 4) / 2;
    }
  }
  return box;
}

cla_status cli_plane_write(const cli_plane *plane, const cla_results *found, cla_device *device,
                           const cla_align_options *how, const cla_plot_options *look, cla_error *error) {
  if (plane->path_count == 0 || found->count == 0) return CLA_OK;
  if (found->count > 1)
    return cli_error(error, CLA_ERROR_OPTION,
                     "--stable-plot is about one alignment, and there are %zu; save one alone", found->count);
  const cla_cost_plane_options options = {
      .box = choose_box(plane, &found->alignments[0]->scoring),
      .alignments_most = plane->alignments_most > 0 ? plane->alignments_most : CLA_COST_PLANE_ALIGNMENTS};
  cla_cost_plane *made = NULL;
  cla_status status = cla_cost_plane_find(&made, device, found, how, &options, error);
  for (int i = 0; i < plane->path_count && status == CLA_OK; i++)
    status = cla_cost_plane_write(plane->paths[i], made, found, look, error);
  cla_cost_plane_free(made);
  return status;
}
