#ifndef HOST_TUNING_LOOKUP_H
#define HOST_TUNING_LOOKUP_H

#include "clalign/tune.h"
#include "tuning/tuning_record.h"

/* Finds the records for a device, and their entries for a problem. */

/* How a shipped record was chosen, the closest first. */
typedef enum tuning_kinship {
  TUNING_BY_DEVICE, /* the device pattern spells out letters */
  TUNING_BY_CHIP,   /* the chip pattern spells out letters */
  TUNING_BY_VENDOR, /* the platform pattern spells out letters */
  TUNING_BY_NOTHING /* no pattern spells out letters */
} tuning_kinship;

typedef struct tuning_source {
  tuning_record record;
  char *path;
  bool user; /* true: the user's record; false: a shipped record */
  tuning_kinship kinship;
  char chip[64];        /* the device's chip */
  int timed, has_units; /* if the record was scaled: units that were timed, and units of the device; else 0 */
} tuning_source;

struct cla_tuning {
  tuning_source *sources; /* sources of records, in the order in which they are searched */
  int64_t source_count, source_capacity;
  cla_tuning_warning *warnings; /* texts are owned */
  int64_t warning_count, warning_capacity;
};

/* Like cla_tuning_load, for a device that need not be opened. */
cla_status tuning_lookup(cla_tuning **out, const cla_device_info *device, const cla_tuning_folders *folders,
                         cla_error *error);

/* The sweep for which entries are searched. */
typedef struct tuning_problem {
  bool local;      /* true: entries for local mode; false: for global mode */
  bool matrix;     /* true: entries for scores that are looked up; false: for match and mismatch */
  bool two_pieces; /* true: entries for two pieces of gap costs are looked up first, then entries for one
                      piece; false: only entries for one piece */
  int64_t rows, columns; /* number of letters */
} tuning_problem;

/* A walk through the entries of one mode and one kind of scores, best first. Entries are ordered:
 *
 * - by source
 * - within a source: entries for the problem's kind of gap costs before other entries
 * - then by distance of the size class from the problem's size, up to a factor of 32
 * - then by order in the file
 *
 * A problem's size is the length of its shorter side. It limits the number of tiles that can be computed at
 * the same time, on which the best config depends. The longer side affects only the duration. */
typedef struct tuning_walk {
  const tuning_source *source; /* source of the last entry */
  const cla_tuning *tuning;
  bool local, matrix, two_pieces;
  double size; /* logarithm of the length of the shorter side */
  int64_t source_index, entry_index;
  double distance, reach; /* logarithmic distance of the last entry, and the limit of distances */
} tuning_walk;

/* Starts a walk over the entries for a problem. `tuning` may be NULL; then there are no entries. */
tuning_walk tuning_walk_begin(const cla_tuning *tuning, const tuning_problem *problem);

/* Returns the next entry, which the record owns, or NULL. */
const tuning_entry *tuning_walk_next(tuning_walk *walk);

/* Writes "user record PATH", or "shipped record NAME" and how it was chosen. */
void tuning_source_describe(char *out, size_t size, const tuning_source *source);

/* Predicts the seconds of a forward sweep with `config` from the first entry, in the walk's order, for the
 * same config; returns a negative number if there is no such entry. If `region` is set, entries with any
 * width of tiles and any size are used, and the result is only an estimate. If `source` is not NULL, *source
 * is set to the entry's record, or to NULL. */
double tuning_seconds(const cla_tuning *tuning, const kernel_config *config, bool region,
                      const tuning_problem *problem, const tuning_source **source);

#endif
