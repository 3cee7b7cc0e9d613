#ifndef TESTS_SUPPORT_SEQUENCE_FILES_H
#define TESTS_SUPPORT_SEQUENCE_FILES_H

#include <stdint.h>

#include "clalign/sequence.h"

/* For all tests of reading sequences: one file in a temporary folder, and functions that read it. */

/* For a suite's .init and .fini. */
void sequence_files_set_up(void);
void sequence_files_tear_down(void);

/* Writes the file "s.fa"; `text` is zero-terminated, `bytes` may hold anything. */
void write_text(const char *text);
void write_bytes(const void *bytes, int64_t length);

/* Writes the same file through htslib; mode "w" for bgzf, "wg" for gzip. */
void write_compressed(const char *mode, const char *text, int64_t length);

/* Returns the path of "s.fa" followed by `selection` (":RECORD" or ""); valid until the next call. */
const char *location_of(const char *selection);

/* Reads that location. Expects the record's name, and `expected` as the upper-case letters of the range. */
void expect_letters(const char *selection, const char *name, const char *expected);

/* Expects CLA_ERROR_INPUT, no sequence, a one-line message that names the file and holds `part`, and
 * silence on stderr. */
void expect_refused(const char *selection, const char *part);

#endif
