#include "cli/batch/batch_run.h"

#include <stdlib.h>

#include "cli/report/report.h"

static bool is_same(const batch_units *units, const batch_unit *unit, const batch_pair *pair) {
  return unit && units->of_groups && unit->group == pair->group && unit->past == pair->index;
}

cla_status batch_units_add(batch_unit **out, batch_units *units, const batch_pair *pair, cla_error *error) {
  batch_unit *unit = units->newest;
  if (!is_same(units, unit, pair)) {
    unit = calloc(1, sizeof *unit);
    if (!unit) return cli_error(error, CLA_ERROR_MEMORY, "out of memory for a pair; free some memory");
    *unit = (batch_unit){
        .first = pair->index, .past = pair->index, .group = pair->group, .previous = units->newest};
    *(unit->previous ? &unit->previous->next : &units->oldest) = unit;
    units->newest = unit;
  }
  unit->past = pair->index + 1;
  if (pair->query && units->directory)
    cla_pairs_mark_add(&unit->mark, pair->query->sequence, pair->target->sequence);
  *out = unit;
  return CLA_OK;
}

void batch_units_remove(batch_units *units, batch_unit *unit) {
  *(unit->next ? &unit->next->previous : &units->newest) = unit->previous;
  *(unit->previous ? &unit->previous->next : &units->oldest) = unit->next;
  if (units->receiving == unit) units->receiving = NULL;
  free(unit);
}

/* Stores the results of the unit, unless one of its pairs failed, and removes the unit. */
static cla_status finish(batch_units *units, batch_unit *unit, cla_error *error) {
  cla_status status = CLA_OK;
  if (units->directory && !unit->failed)
    status = cla_batch_directory_finish_unit(units->directory, unit->first, unit->past, &unit->mark, error);
  else if (units->directory)
    cla_batch_directory_drop(units->directory);
  batch_units_remove(units, unit);
  return status;
}

cla_status batch_units_finish_before(batch_units *units, const batch_unit *unit, cla_error *error) {
  cla_status status = CLA_OK;
  /* finish removes the oldest unit from the list. The analyser does not see that, because it does not know
   * that the oldest unit has no predecessor. */
  while (units->oldest != unit && status == CLA_OK)
    status = finish(units, units->oldest, error); /* NOLINT(clang-analyzer-unix.Malloc) */
  return status;
}

/* Starts to receive a group's results, which come together. If groups come in order, the results of all
 * earlier groups are complete. */
static cla_status begin_receiving(batch_units *units, batch_unit *unit, cla_error *error) {
  cla_status status = CLA_OK;
  if (!units->in_any_order)
    status = batch_units_finish_before(units, unit, error);
  else if (units->receiving)
    batch_units_remove(units, units->receiving);
  units->receiving = unit;
  return status;
}

cla_status batch_units_take(batch_units *units, batch_unit *unit, int64_t index,
                            const cla_alignment *const *alignments, size_t count, cla_error *error) {
  cla_status status = CLA_OK;
  if (!units->of_groups) { /* cla_batch stores pairs itself */
    batch_units_remove(units, unit);
    return CLA_OK;
  }
  if (units->receiving != unit) status = begin_receiving(units, unit, error);
  if (status == CLA_OK && units->directory)
    status = cla_batch_directory_put(units->directory, index, alignments, count, error);
  return status;
}

void batch_units_fail(batch_units *units, batch_unit *unit) {
  unit->failed = true;
  if (!units->of_groups) batch_units_remove(units, unit);
}

void batch_units_clear(batch_units *units) {
  while (units->oldest) batch_units_remove(units, units->oldest); /* NOLINT(clang-analyzer-unix.Malloc) */
}
