/* Regions of a traceback on the device. */

#include "base/machine.h"
#include "trace/traceback.h"

cla_status traceback_solve(region_result *out, traceback *t, const region *what, cla_error *error) {
  const kernel_config config = plan_region(t->plan, t->input, what->columns);
  path_scheme scheme = t->problem.scheme;
  const double began = machine_seconds();
  if (what->reverse) scheme.ends = (path_ends){0}; /* paths of a reverse region start in the corner */
  cla_status status = t->kernel ? t->kernel(t->kernel_user, t->engine, &config, &scheme, error) : CLA_OK;
  t->kernel_seconds += machine_seconds() - began;
  return status == CLA_OK ? wavefront_solve(out, t->engine, what, &config, error) : status;
}

cla_status traceback_tick(void *user, int64_t cells, cla_error *error) {
  const traceback *t = user;
  cla_status status = t->far ? t->far->calls->move(t->far, error) : CLA_OK;
  if (status != CLA_OK) return status;
  return t->tick ? t->tick(t->tick_user, t->cells + cells, error) : CLA_OK;
}
