#ifndef TESTS_FUZZ_SEEDS_H
#define TESTS_FUZZ_SEEDS_H

#include <stdio.h>

#include "clalign/alignment.h"
#include "fuzz.h"
#include "fuzz_pair.h"

/* First inputs of the fuzz targets, made by the library's own writers and tables, so that they follow the
 * formats. */

/* Where they go. */
void seeds_begin(const char *folder);

/* One more input of a target: `head`, a string of hexadecimal digits for the bytes that choose, and then the
 * bytes. */
void seeds_put(const char *target, const char *head, const void *bytes, size_t count);
void seeds_put_text(const char *target, const char *head, const char *text);

/* The bytes of a file; the caller frees them. */
char *seeds_read(const char *path, size_t *count);

/* "FOLDER/NAME"; static until the next call. */
const char *seeds_path(const char *name);

/* The best alignment of the pair in that mode and on that strand. The caller frees it. */
cla_alignment *seeds_align(const fuzz_pair *pair, cla_mode mode, bool reverse);

void seeds_of_text(const char *tuning_folder); /* sequence, matrix, lift, tuning */
void seeds_of_alignments(void);                /* alignment, bound_path, aligned_records */
void seeds_of_run_directories(void);
void seeds_of_options(void);

#endif
