#ifndef HOST_TUNING_LOOKUP_H
#define HOST_TUNING_LOOKUP_H

#include "clalign/tune.h"
#include "tuning/tuning_record.h"

/* The records for a device, and their entries for a problem. */

typedef struct tuning_source {
  tuning_record record;
  char *path;
  bool user; /* the user's record; false: shipped */
} tuning_source;

struct cla_tuning {
  tuning_source *sources; /* in the order in which they are searched */
  int64_t source_count, source_capacity;
  cla_tuning_warning *warnings; /* their texts are on the heap */
  int64_t warning_count, warning_capacity;
};

/* cla_tuning_load for a device that need not be opened. */
cla_status tuning_lookup(cla_tuning **out, const cla_device_info *device, const cla_tuning_folders *folders,
                         cla_error *error);

/* The sweep for which entries are sought. */
typedef struct tuning_problem {
  bool local;            /* entries for local mode; false: for global mode */
  bool matrix;           /* entries for scores that are looked up; false: for match and mismatch */
  bool two_pieces;       /* entries for two pieces of gap costs first, then for one; false: only for one */
  int64_t rows, columns; /* letters */
} tuning_problem;

/* A walk through the entries of one mode and kind of scores, best first. The order:
 *
 * 1. by source
 * 2. entries for the problem's kind of gap costs before others
 * 3. by distance of the size class, up to 32 times the size
 * 4. as in the file
 *
 * A problem's size is that of its shorter side, which limits how many tiles can be computed at once. The best
 * config depends on that; a longer other side only makes the work last. */
typedef struct tuning_walk {
  const tuning_source *source; /* source of the last entry */
  const cla_tuning *tuning;
  bool local, matrix, two_pieces;
  double size; /* the logarithm of the shorter side */
  int64_t source_index, entry_index;
  double distance, reach; /* logarithmic distance of the last entry, and its limit; other gap costs add a
                           * constant */
} tuning_walk;

/* Begins a walk over the entries for a problem. `tuning` may be NULL: there are no entries. */
tuning_walk tuning_walk_begin(const cla_tuning *tuning, const tuning_problem *problem);

/* The next entry, owned by the record, or NULL. */
const tuning_entry *tuning_walk_next(tuning_walk *walk);

/* "user record PATH" or "shipped record NAME". */
void tuning_source_describe(char *out, size_t size, const tuning_source *source);

/* Predicted seconds of a forward sweep with `config`, by the first entry in the order above that timed the
 * same config; negative: none did. For a `region` within a run the value is an estimate, for any width of
 * tiles and any size of the entry. *source: the entry's record, or NULL; source may be NULL. */
double tuning_seconds(const cla_tuning *tuning, const kernel_config *config, bool region,
                      const tuning_problem *problem, const tuning_source **source);

#endif
