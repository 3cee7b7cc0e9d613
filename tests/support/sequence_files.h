#ifndef TESTS_SUPPORT_SEQUENCE_FILES_H
#define TESTS_SUPPORT_SEQUENCE_FILES_H

#include <stdint.h>

#include "clalign/sequence.h"

/* What the tests of reading sequences share: one file in a temporary folder, and its reading. */

/* For TestSuite's .init and .fini. */
void sequence_files_set_up(void);
void sequence_files_tear_down(void);

/* Writes the file "s.fa"; `text` is zero-terminated, `bytes` may hold anything. */
void write_text(const char *text);
void write_bytes(const void *bytes, int64_t length);

/* The same through htslib, mode "w" for bgzf or "wg" for gzip. */
void write_compressed(const char *mode, const char *text, int64_t length);

/* The path of "s.fa" followed by `selection` (":RECORD" or ""); valid until the next call. */
const char *location_of(const char *selection);

/* Reads that location. `expected` is the upper-case letters of the range. Fails the test otherwise. */
void expect_letters(const char *selection, const char *name, const char *expected);

/* Expects CLA_ERROR_INPUT, no sequence, a one-line message that names the file and holds `part`, and
 * silence on stderr. */
void expect_refused(const char *selection, const char *part);

#endif
