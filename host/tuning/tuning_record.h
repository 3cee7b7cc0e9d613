#ifndef HOST_TUNING_TUNING_RECORD_H
#define HOST_TUNING_TUNING_RECORD_H

#include <stdio.h>

#include "clalign/status.h"
#include "kernels/kernel.h"
#include "tuning/rates.h"
#include "tuning/time_model.h"

/* Files with the tuning results of a device, as text that people can read and edit (docs/tuning.md). */

/* A kernel config and its time model, for a size class, a mode and a kind of scores. */
typedef struct tuning_entry {
  bool local;      /* true: with a floor and a best cell; false: global */
  bool matrix;     /* true: scores are looked up (score_table.needs_lookup); false: match and mismatch */
  bool two_pieces; /* true: two pieces of gap costs (GAPS 3 in kernels); false: one */
  int64_t length; /* the size class: side length, in letters, of a square matrix in the middle of the class */
  kernel_config config; /* variant, lanes, alpha, tile_columns, launch, groups (0 unless persistent) */
  time_model model;     /* the config's time model, fitted around the size class */
} tuning_entry;

/* A tuning record. Entries of the same mode, scores, gaps and length are ordered by speed, fastest first,
 * with at most one entry for each variant. So if a scheme does not allow the fastest config, a search finds
 * the next one. */
typedef struct tuning_record {
  char platform[256], device[256], driver[256]; /* names from the driver, or, in shipped records, patterns */
  char chip[64];      /* pattern of the chip (cla_device_info.chip), in shipped records; empty: any */
  int compute_units;  /* number of compute units; 0: any */
  int measured_units; /* with compute_units 0: the number of units that were timed; 0: not told */
  uint64_t signature; /* tuning_signature of the kernels that were timed; 0: any */
  tuning_rates rates; /* measured rates; 0: not measured */
  tuning_entry *entries;
  int64_t entry_count, entry_capacity;
} tuning_record;

#define TUNING_LENGTH_LIMIT INT64_C(3000000000) /* the largest length; its square fits into int64_t */
#define TUNING_GROUPS_LIMIT 1000000
#define TUNING_ENTRY_LIMIT 4096
#define TUNING_RATE_WORD "rate"            /* first word of a line with a rate */
#define TUNING_MATRIX_WORD "matrix"        /* comes after an entry's mode */
#define TUNING_TWO_PIECES_WORD "two-piece" /* comes after an entry's mode or TUNING_MATRIX_WORD */

/* Returns a hash, never 0, of the sources and descriptions of all kernels. A record that was made with other
 * kernels is stale. */
uint64_t tuning_signature(void);

/* Makes an empty record for `device` and the kernels of this library. Names come from the driver, without
 * blanks at either end and with control characters replaced; an empty name becomes "unknown". */
void tuning_record_head(tuning_record *out, const cla_device_info *device);

/* Reads a record. A malformed record is refused as a whole, and *out is then empty. The message of
 * CLA_ERROR_INPUT names `path`, the line and the problem: an unknown or missing key, an illegal value, a
 * second entry of one kind, or a truncated file. A missing file is also CLA_ERROR_INPUT. */
cla_status tuning_record_read(tuning_record *out, const char *path, cla_error *error);

/* Writes the record as text; tuning_record_read then reads the same record. CLA_ERROR_OUTPUT if the stream
 * fails. */
cla_status tuning_record_print(FILE *stream, const tuning_record *record, cla_error *error);

/* Writes the record to `path`, completely or not at all (base/files.h). Creates missing folders.
 * CLA_ERROR_OUTPUT. */
cla_status tuning_record_write(const char *path, const tuning_record *record, cla_error *error);

/* Adds an entry, or replaces an entry with the same mode, scores, gaps, length and variant. The order of
 * entries is kept. CLA_ERROR_OPTION if tuning_record_read would refuse the entry. */
cla_status tuning_record_put(tuning_record *record, const tuning_entry *entry, cla_error *error);

/* True if a record may contain the entry. If not, writes the reason. */
bool tuning_entry_check(const tuning_entry *entry, char *reason, int64_t size);

void tuning_record_free(tuning_record *record);

#endif
