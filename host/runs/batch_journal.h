#ifndef HOST_RUNS_BATCH_JOURNAL_H
#define HOST_RUNS_BATCH_JOURNAL_H

#include <stdbool.h>
#include <stdint.h>

#include "clalign/status.h"

/* journal.clj of a batch's directory (docs/internals/format-run-dir.md). Entries are only added, each with
 * its checksum. So complete entries can be told from incomplete ones after any end. */
typedef struct batch_journal batch_journal;

/* A range of pairs that an entry is about. */
typedef struct journal_unit {
  int64_t first, past;
} journal_unit;

/* Makes a new journal of the batch with that key. CLA_ERROR_OUTPUT, CLA_ERROR_MEMORY. */
cla_status batch_journal_create(batch_journal **out, const char *path, const uint8_t key[16],
                                cla_error *error);

/* Opens a journal, checks all of it and cuts off an incomplete end of *lost_bytes bytes. A missing file is
 * made. CLA_ERROR_INPUT for a journal of another batch or version; other errors as batch_journal_create. */
cla_status batch_journal_open(batch_journal **out, const char *path, const uint8_t key[16],
                              int64_t *lost_bytes, cla_error *error);

/* The number of entries when the journal was opened. Of several for the same first pair the last one counts.
 */
int64_t batch_journal_count(const batch_journal *journal);

/* The first entry whose first pair is `first` or a later one; false: none. */
bool batch_journal_next(journal_unit *unit, const batch_journal *journal, int64_t first);

/* Reads the content of the entry that begins with pair `first`. *bytes is NULL if there is none; the caller
 * frees it. CLA_ERROR_INPUT, CLA_ERROR_MEMORY. */
cla_status batch_journal_read(uint8_t **bytes, int64_t *length_bytes, journal_unit *unit,
                              batch_journal *journal, int64_t first, cla_error *error);

/* Adds an entry; it is on the disk a second later at most. CLA_ERROR_OUTPUT leaves the journal as it was. */
cla_status batch_journal_add(batch_journal *journal, const journal_unit *unit, const void *bytes,
                             int64_t length_bytes, cla_error *error);

/* CLA_ERROR_OUTPUT; frees in every case. NULL is allowed. */
cla_status batch_journal_close(batch_journal *journal, cla_error *error);

#endif
