#ifndef CLALIGN_LINES_H
#define CLALIGN_LINES_H

#include <stddef.h>

#include "clalign/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The lines of a text file, plain, gzip or bgzf: without the byte-order mark of UTF-8 and whatever ends a
 * line ("\n", "\r\n", "\r"). Not for several threads at once. */
typedef struct cla_lines cla_lines;

/* Opens `path`, "-" being the standard input. CLA_ERROR_INPUT (missing, a directory, UTF-16, damaged),
 * CLA_ERROR_MEMORY. */
cla_status cla_lines_open(cla_lines **out, const char *path, cla_error *error);

/* Reads the next line; *line is NULL at the end. It is zero-terminated, but may also hold zero bytes. The
 * caller may alter it until the next call. CLA_ERROR_INPUT (damaged or cut short), CLA_ERROR_MEMORY. */
cla_status cla_lines_next(char **line, size_t *length, cla_lines *lines, cla_error *error);

/* NULL is allowed. */
void cla_lines_close(cla_lines *lines);

#ifdef __cplusplus
}
#endif

#endif
