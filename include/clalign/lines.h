#ifndef CLALIGN_LINES_H
#define CLALIGN_LINES_H

#include <stddef.h>

#include "clalign/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Reads the lines of a text file (plain, gzip or bgzf), without the byte-order mark of UTF-8 and without line
 * ends ("\n", "\r\n", "\r"). Only one thread at a time may use an open file. */
typedef struct cla_lines cla_lines;

/* Opens `path`; "-" is the standard input. CLA_ERROR_INPUT if the file is missing, a directory, UTF-16 or
 * damaged; CLA_ERROR_MEMORY. */
cla_status cla_lines_open(cla_lines **out, const char *path, cla_error *error);

/* Reads the next line; *line is NULL at the end of the file. The line is zero-terminated, but may also
 * contain zero bytes. The caller may alter the line, which is valid until the next call. Errors:
 * CLA_ERROR_INPUT if the file is damaged or truncated; CLA_ERROR_MEMORY. */
cla_status cla_lines_next(char **line, size_t *length, cla_lines *lines, cla_error *error);

/* Closes the file; NULL is allowed. */
void cla_lines_close(cla_lines *lines);

#ifdef __cplusplus
}
#endif

#endif
