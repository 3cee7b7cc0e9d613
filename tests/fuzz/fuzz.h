#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "clalign/status.h"

/* What the fuzz targets share. Each target is a file fuzz_NAME.c with LLVMFuzzerTestOneInput; its input
 * begins with bytes that choose what is done with the rest. What goes wrong ends the process with a word, as
 * the sanitizers do. */

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

/* An input that is being read. */
typedef struct fuzz_input {
  const uint8_t *at;
  size_t left;
} fuzz_input;

/* The next byte, 0 at the end. */
uint8_t fuzz_byte(fuzz_input *input);

/* The next `count` bytes, or what there is, as a string without zeros but the last; the caller frees it. */
char *fuzz_text(fuzz_input *input, size_t count);

/* The path of a file in memory with these bytes, the same one in each call; static. */
const char *fuzz_file(const void *bytes, size_t count);

/* Another one, open for writing and emptied; its path is fuzz_output_path. */
int fuzz_output(void);
const char *fuzz_output_path(void);

/* A folder in memory, the same one in each call, which is removed at the end; static. */
const char *fuzz_folder(void);

/* Writes a file of that name into it, in the place of the one before. */
void fuzz_folder_write(const char *name, const void *bytes, size_t count);

/* Memory, or the end of the process. */
void *fuzz_allocate(size_t count);

/* Ends the process unless `holds`. */
void fuzz_demand(bool holds, const char *what);

/* Whether a call succeeded; if not, its message must be one line and of that status. */
bool fuzz_ok(cla_status status, const cla_error *error);

/* fuzz_ok for errors of the program, whose messages become one line only when printed. */
bool fuzz_told(cla_status status, const cla_error *error);

#endif
