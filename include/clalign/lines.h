#ifndef CLALIGN_LINES_H
#define CLALIGN_LINES_H

#include <stddef.h>

#include "clalign/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The lines of a text file, plain, gzip or bgzf. The byte-order mark of UTF-8 and the line ends ("\n",
 * "\r\n", "\r") are left out. Not for several threads at once. */
typedef struct cla_lines cla_lines;

/* Opens `path`, "-" being the standard input. CLA_ERROR_INPUT (missing, a directory, UTF-16, damaged),
 * CLA_ERROR_MEMORY. */
cla_status cla_lines_open(cla_lines **out, const char *path, cla_error *error);

/* Reads the next line; *line is NULL at the end of the file. The line is zero-terminated, but may also hold
 * zero bytes. The caller may alter the line, which is valid until the next call. Errors: CLA_ERROR_INPUT
 * (damaged or cut short), CLA_ERROR_MEMORY. */
cla_status cla_lines_next(char **line, size_t *length, cla_lines *lines, cla_error *error);

/* Closes the file; NULL is allowed. */
void cla_lines_close(cla_lines *lines);

#ifdef __cplusplus
}
#endif

#endif
