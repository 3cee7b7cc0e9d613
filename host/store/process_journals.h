#ifndef HOST_STORE_PROCESS_JOURNALS_H
#define HOST_STORE_PROCESS_JOURNALS_H

#include "store/batch_journal.h"

/* The journals of other processes in a batch's folder, journal-NUMBER.clj. Each process makes its own, so
 * that no two ever write to one file, and a later run reads all. */
typedef struct process_journals {
  batch_journal **items; /* owned */
  int64_t count, capacity;
} process_journals;

/* Makes one with a number that no other has. As batch_journal_create. */
cla_status process_journal_create(batch_journal **out, const char *folder, const uint8_t key[16],
                                  cla_error *error);

/* Opens all journals with batch_journal_open, and sums up their lost bytes. Zero-initialise; end with
 * process_journals_close in every case. */
cla_status process_journals_open(process_journals *out, const char *folder, const uint8_t key[16],
                                 int64_t *lost_bytes, cla_error *error);

int64_t process_journals_count(const process_journals *journals); /* of entries */

/* batch_journal_read of the journal that has the entry. */
cla_status process_journals_read(uint8_t **bytes, int64_t *length_bytes, journal_unit *unit,
                                 const process_journals *journals, int64_t first, cla_error *error);

void process_journals_close(process_journals *journals);

#endif
