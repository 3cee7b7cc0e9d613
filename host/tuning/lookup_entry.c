/* Which entry of the records holds for a problem. */

#include <math.h>
#include <string.h>

#include "tuning/lookup.h"

/* An entry says nothing of pairs that many times smaller or larger than those it was measured with: tuning
 * that was interrupted leaves sizes out. */
#define REACH 32
/* Pairs below this are all alike: starting takes longer than computing. */
#define LEAST_LENGTH 10000
/* What was measured with other gap costs comes after everything else of its record: more than the logarithm
 * of any length. */
#define OTHER_GAPS 100.0

tuning_walk tuning_walk_begin(const cla_tuning *tuning, const tuning_problem *problem) {
  int64_t shorter = problem->rows < problem->columns ? problem->rows : problem->columns;
  if (shorter < LEAST_LENGTH) shorter = LEAST_LENGTH;
  return (tuning_walk){.tuning = tuning,
                       .local = problem->local,
                       .matrix = problem->matrix,
                       .two_pieces = problem->two_pieces,
                       .size = log((double)shorter),
                       .entry_index = -1,
                       .distance = -1,
                       .reach = log(REACH)};
}

/* How near the entry is to the problem, or INFINITY for none that holds. */
static double distance_of(const tuning_walk *walk, const tuning_entry *entry) {
  const double distance = fabs(log((double)entry->length) - walk->size);
  if (entry->local != walk->local || entry->matrix != walk->matrix || distance > walk->reach) return INFINITY;
  if (entry->two_pieces == walk->two_pieces) return distance;
  return walk->two_pieces ? distance + OTHER_GAPS : INFINITY;
}

/* The entry that follows (walk->distance, walk->entry_index) in this record, or NULL. */
static const tuning_entry *next_in_record(tuning_walk *walk, const tuning_record *record) {
  const tuning_entry *found = NULL;
  int64_t index = 0;
  double least = INFINITY;
  for (int64_t i = 0; i < record->entry_count; i++) {
    const tuning_entry *entry = &record->entries[i];
    const double distance = distance_of(walk, entry);
    const bool was_given =
        distance < walk->distance || (distance == walk->distance && i <= walk->entry_index);
    if (was_given || distance >= least) continue;
    least = distance;
    found = entry;
    index = i;
  }
  if (found) {
    walk->distance = least;
    walk->entry_index = index;
  }
  return found;
}

const tuning_entry *tuning_walk_next(tuning_walk *walk) {
  while (walk->tuning && walk->source_index < walk->tuning->source_count) {
    walk->source = &walk->tuning->sources[walk->source_index];
    const tuning_entry *entry = next_in_record(walk, &walk->source->record);
    if (entry) return entry;
    walk->source_index++;
    walk->distance = -1;
    walk->entry_index = -1;
  }
  walk->source = NULL;
  return NULL;
}

void tuning_source_describe(char *out, size_t size, const tuning_source *source) {
  const char *slash = strrchr(source->path, '/');
  if (source->user)
    snprintf(out, size, "user record %s", source->path);
  else
    snprintf(out, size, "shipped record %s", slash ? slash + 1 : source->path);
}

double tuning_seconds(const cla_tuning *tuning, const kernel_config *config, bool region,
                      const tuning_problem *problem, const tuning_source **source) {
  tuning_walk walk = tuning_walk_begin(tuning, problem);
  bool (*same)(const kernel_config *, const kernel_config *) =
      region ? kernel_same_but_tile : kernel_same_config;
  const tuning_entry *entry = NULL;
  if (region) walk.reach = INFINITY;
  while ((entry = tuning_walk_next(&walk)) && !same(&entry->config, config)) continue;
  if (source) *source = walk.source;
  return entry ? time_model_seconds(&entry->model, problem->rows, problem->columns) : -1;
}
