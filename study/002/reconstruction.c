/* Stage 6 of CUDAlign 2.1 (section 4.9): the path from the binary alignment, which has the start, the end and
 * the gaps. From the start on, the nearest gap of either list comes next, and pairs fill what is between. */

#include <inttypes.h>

#include "base/error.h"
#include "stages.h"

static cla_status add(study_result *out, int64_t *capacity, cla_run_kind kind, int64_t length,
                      cla_error *error) {
  if (length == 0) return CLA_OK;
  const cla_status status = allocate_grow((void **)&out->runs, capacity, (int64_t)out->run_count + 1,
                                          sizeof *out->runs, "the path", error);
  if (status == CLA_OK) out->runs[out->run_count++] = (cla_run){.length = length, .kind = kind};
  return status;
}

/* Pairs up to the next gap: as many rows as columns, or the gaps are wrong. */
static cla_status add_pairs(study_result *out, int64_t *capacity, int64_t rows, int64_t columns,
                            cla_error *error) {
  if (rows == columns && rows >= 0) return add(out, capacity, CLA_RUN_PAIR, rows, error);
  return error_set(error, CLA_ERROR_VERIFICATION,
                   "%" PRId64 " rows and %" PRId64 " columns lie between two gaps", rows, columns);
}

cla_status stage6_reconstruct(study_result *out, const binary_alignment *alignment, cla_error *error) {
  const gap_list *along = &alignment->along, *down = &alignment->down;
  const crosspoint *end = &alignment->end;
  int64_t i = alignment->start.i, j = alignment->start.j, a = 0, d = 0, capacity = 0;
  cla_status status = CLA_OK;
  while (status == CLA_OK && (a < along->count || d < down->count)) {
    const int64_t first_along = a < along->count ? along->gaps[a].i + along->gaps[a].j : INT64_MAX;
    const int64_t first_down = d < down->count ? down->gaps[d].i + down->gaps[d].j : INT64_MAX;
    const bool is_along = first_along < first_down;
    const gap_run *next = is_along ? &along->gaps[a] : &down->gaps[d];
    status = add_pairs(out, &capacity, next->i - i, next->j - j, error);
    if (status == CLA_OK)
      status = add(out, &capacity, is_along ? CLA_RUN_TARGET : CLA_RUN_QUERY, next->length, error);
    i = next->i + (is_along ? 0 : next->length);
    j = next->j + (is_along ? next->length : 0);
    a += is_along;
    d += !is_along;
  }
  out->query_start = alignment->start.i;
  out->target_start = alignment->start.j;
  out->query_end = end->i;
  out->target_end = end->j;
  return status == CLA_OK ? add_pairs(out, &capacity, end->i - i, end->j - j, error) : status;
}
