#ifndef HOST_RUNS_BATCH_JOURNAL_H
#define HOST_RUNS_BATCH_JOURNAL_H

#include <stdbool.h>
#include <stdint.h>

#include "clalign/status.h"

/* The file journal.clj in a batch's directory (docs/internals/format-run-dir.md). Entries are only appended,
 * each with a checksum. The checksums distinguish complete entries from incomplete ones, however the run
 * ended. */
typedef struct batch_journal batch_journal;

/* The range of pairs [first, past) of an entry. */
typedef struct journal_unit {
  int64_t first, past;
} journal_unit;

/* Makes a new journal for the batch with that key. CLA_ERROR_OUTPUT, CLA_ERROR_MEMORY. */
cla_status batch_journal_create(batch_journal **out, const char *path, const uint8_t key[16],
                                cla_error *error);

/* Opens a journal, checks all of it, and cuts off an incomplete end. *lost_bytes receives the number of bytes
 * cut off. Makes the file if it is missing. CLA_ERROR_INPUT for a journal of another batch or version; other
 * errors as batch_journal_create. */
cla_status batch_journal_open(batch_journal **out, const char *path, const uint8_t key[16],
                              int64_t *lost_bytes, cla_error *error);

/* Returns the number of entries that the journal had when it was opened. If several entries have the same
 * first pair, the last one is used. */
int64_t batch_journal_count(const batch_journal *journal);

/* Finds the first entry whose first pair is `first` or later. Returns false if there is none. */
bool batch_journal_next(journal_unit *unit, const batch_journal *journal, int64_t first);

/* Reads the content of the entry that begins with pair `first`. *bytes is NULL if there is no such entry; the
 * caller frees *bytes. CLA_ERROR_INPUT, CLA_ERROR_MEMORY. */
cla_status batch_journal_read(uint8_t **bytes, int64_t *length_bytes, journal_unit *unit,
                              batch_journal *journal, int64_t first, cla_error *error);

/* Appends an entry. Entries are synced to the disk at most once a second. After CLA_ERROR_OUTPUT the journal
 * is unchanged. */
cla_status batch_journal_add(batch_journal *journal, const journal_unit *unit, const void *bytes,
                             int64_t length_bytes, cla_error *error);

/* Syncs and closes the file, and frees the journal, also after CLA_ERROR_OUTPUT. NULL is allowed. */
cla_status batch_journal_close(batch_journal *journal, cla_error *error);

#endif
