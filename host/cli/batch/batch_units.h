#ifndef HOST_CLI_BATCH_BATCH_UNITS_H
#define HOST_CLI_BATCH_BATCH_UNITS_H

#include "clalign/batch_directory.h"
#include "cli/batch/batch_reader.h"

/* What a run directory keeps as a whole: a pair, or with --top a query's pairs. Units begin in the order in
 * which their pairs are read. */
typedef struct batch_unit {
  int64_t first, past; /* indices of its pairs */
  int64_t group;
  cla_pairs_mark mark;
  bool failed; /* one of its pairs: it is not kept, so that another run tries it again */
  struct batch_unit *next, *previous;
} batch_unit;

/* Those that are not finished. Zero-initialise, set the first three. */
typedef struct batch_units {
  cla_batch_directory *directory; /* NULL: nothing is kept */
  bool of_groups;                 /* --top */
  batch_unit *oldest, *newest;
  batch_unit *receiving; /* of groups: the one whose results come */
} batch_units;

/* The unit of a pair that was read, which is new or that of the pair before. CLA_ERROR_MEMORY. */
cla_status batch_units_add(batch_unit **out, batch_units *units, const batch_pair *pair, cla_error *error);

/* Takes a pair's result before it is written. CLA_ERROR_OUTPUT, CLA_ERROR_MEMORY. */
cla_status batch_units_take(batch_units *units, batch_unit *unit, int64_t index,
                            const cla_alignment *const *alignments, size_t count, cla_error *error);

/* A pair of the unit failed. */
void batch_units_fail(batch_units *units, batch_unit *unit);

/* All units before this one have their results, or all units where it is NULL. CLA_ERROR_OUTPUT. */
cla_status batch_units_finish_before(batch_units *units, const batch_unit *unit, cla_error *error);

/* Removes a unit without keeping it. */
void batch_units_remove(batch_units *units, batch_unit *unit);

void batch_units_clear(batch_units *units);

#endif
