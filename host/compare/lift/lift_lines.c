/* Functions that the readers of annotations share. */

#include "compare/lift/lift_lines.h"

#include <inttypes.h>
#include <string.h>

#include "base/allocate.h"
#include "base/error.h"

cla_status lift_report(const lift_work *work, int64_t number, const char *what, cla_error *error) {
  return error_set(error, CLA_ERROR_INPUT, "line %" PRId64 " of %s %s", number, work->shown, what);
}

cla_status lift_work_record(const lift_record **record, lift_work *work, const char *name, cla_error *error) {
  work->counts->features++;
  *record = work->last && strcmp(work->last->name, name) == 0 ? work->last : lift_map_record(work->map, name);
  if (*record) {
    work->last = *record;
    return CLA_OK;
  }
  work->counts->unknown++;
  return work->lost_name ? CLA_OK : allocate_text(&work->lost_name, name, error);
}
