#ifndef HOST_TUNING_TUNING_RECORD_H
#define HOST_TUNING_TUNING_RECORD_H

#include <stdio.h>

#include "clalign/status.h"
#include "kernels/kernel.h"
#include "tuning/rates.h"
#include "tuning/time_model.h"

/* A device's tuning results as text that a person can read and edit (docs/tuning.md). */

/* A kernel config for a size class, mode and kind of scores, with its time. */
typedef struct tuning_entry {
  bool local;           /* with a floor and a best cell; else global */
  bool matrix;          /* scores are looked up (score_table.needs_lookup); else match and mismatch */
  bool two_pieces;      /* gap costs have two (GAPS 3 of the kernels); else one */
  int64_t length;       /* the size class: the side of a square in the middle of its range, letters */
  kernel_config config; /* variant, lanes, alpha, tile_columns, launch, groups (0 unless persistent) */
  time_model model;     /* time model of the config, fitted around this size */
} tuning_entry;

/* A tuning record. Entries of the same mode, scores, gaps and length are ordered by speed, fastest first,
 * with at most one for each variant. So a scheme that the fastest one does not allow finds the next one. */
typedef struct tuning_record {
  char platform[256], device[256], driver[256]; /* set by tuning_record_head; patterns in shipped records */
  int compute_units;                            /* 0: any */
  uint64_t signature;                           /* tuning_signature of the timed kernels; 0: any */
  tuning_rates rates;                           /* 0 where not measured */
  tuning_entry *entries;
  int64_t entry_count, entry_capacity;
} tuning_record;

#define TUNING_LENGTH_LIMIT INT64_C(3000000000) /* so that its square is an int64_t */
#define TUNING_GROUPS_LIMIT 1000000
#define TUNING_ENTRY_LIMIT 4096
#define TUNING_RATE_WORD "rate"            /* begins the line of a rate */
#define TUNING_MATRIX_WORD "matrix"        /* after an entry's mode */
#define TUNING_TWO_PIECES_WORD "two-piece" /* after an entry's mode, or after the matrix' word */

/* A hash of the sources and descriptions of all kernels: a record made with others is stale. Never 0. */
uint64_t tuning_signature(void);

/* Makes an empty record of `device` and the kernels of this library. Names are the driver's, without outer
 * blanks and with control characters replaced; "unknown": no name. */
void tuning_record_head(tuning_record *out, const cla_device_info *device);

/* Reads a record. A malformed record is refused whole, and *out is empty then. CLA_ERROR_INPUT names `path`,
 * the line and the fault, such as an unknown or missing key, an illegal value, an entry twice or a truncated
 * file. A missing file is CLA_ERROR_INPUT, too. */
cla_status tuning_record_read(tuning_record *out, const char *path, cla_error *error);

/* Writes the record as text that tuning_record_read takes back unchanged. CLA_ERROR_OUTPUT if the stream
 * fails. */
cla_status tuning_record_print(FILE *stream, const tuning_record *record, cla_error *error);

/* Writes it to `path` at once or not at all (base/files.h); makes the folders above. CLA_ERROR_OUTPUT.
 */
cla_status tuning_record_write(const char *path, const tuning_record *record, cla_error *error);

/* Adds an entry. It replaces one of the same mode, scores, gaps, length and variant. The file's order is
 * kept. CLA_ERROR_OPTION for an entry that a reader would refuse. */
cla_status tuning_record_put(tuning_record *record, const tuning_entry *entry, cla_error *error);

/* Whether a record may hold the entry; if not, *reason tells why. */
bool tuning_entry_check(const tuning_entry *entry, char *reason, int64_t size);

void tuning_record_free(tuning_record *record);

#endif
