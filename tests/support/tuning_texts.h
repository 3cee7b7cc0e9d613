#ifndef TESTS_SUPPORT_TUNING_TEXTS_H
#define TESTS_SUPPORT_TUNING_TEXTS_H

#include "tuning/tuning_record.h"

/* Tuning records as text, in own_path (support/made_alignment.h). */

/* For a suite's .init; own_file_end is for its .fini. */
void tuning_text_begin(void);

/* Lines 1 to 8 of a valid record; further entries and "end" follow. */
#define TUNING_HEAD                              \
  "clalign tuning record 1\n"                    \
  "# a comment\n"                                \
  "platform Portable Computing Language\n"       \
  "device pthread-Intel(R) Xeon(R) #1 @ 2 GHz\n" \
  "driver 3.1\n"                                 \
  "units 2\n"                                    \
  "signature 0123456789abcdef\n"
#define TUNING_MATRIX_ENTRY "local matrix 100000 vector16 32 4 256 diagonals 0 0.001 0 2.5e-08 6.6e-11\n"
#define TUNING_PIECES_ENTRY "local two-piece 100000 vector16 16 4 256 diagonals 0 0.001 0 2.5e-08 5e-11\n"
#define TUNING_BOTH_ENTRY "local matrix two-piece 100000 vector16 8 4 256 diagonals 0 0.001 0 2.5e-08 9e-11\n"
#define TUNING_ENTRY "local 100000 vector16 16 8 512 diagonals 0 0.001 0 2.5e-08 3.3e-11\n"

/* Makes a record with numbers that need all their digits. The caller calls tuning_record_free. */
void tuning_text_example(tuning_record *record);

/* Returns the record's text; the caller frees it. */
char *tuning_text_written(const tuning_record *record, size_t *length);

void tuning_text_expect_same(const tuning_record *a, const tuning_record *b);

#endif
