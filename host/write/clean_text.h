#ifndef HOST_WRITE_CLEAN_TEXT_H
#define HOST_WRITE_CLEAN_TEXT_H

#include <stdbool.h>
#include <stdio.h>

#include "clalign/status.h"

/* Text as a format can hold it. Each gives a copy that the caller frees; errors: CLA_ERROR_MEMORY. */

typedef enum clean_rule {
  CLEAN_COLUMN,        /* no control characters or blanks, which separate columns and lines */
  CLEAN_FIRST_COLUMN,  /* as CLEAN_COLUMN, and no leading '#', which makes the line a comment */
  CLEAN_SAM_QUERY,     /* SAM's QNAME: printable ASCII but for '@' */
  CLEAN_SAM_REFERENCE, /* SAM's RNAME: printable ASCII but for \ , " ' ` ( ) [ ] { } < > and a leading * or =
                        */
  CLEAN_LINE,          /* a text field to the end of a line: control characters become spaces */
} clean_rule;

/* Replaces every byte that `rule` forbids, or that belongs to a blank beyond ASCII which it forbids (no-break
 * space, line separator), with '_' (CLEAN_LINE: ' '); `fallback` stands for a name that is
 * empty. The length stays. */
cla_status clean_name(char **out, const char *name, clean_rule rule, const char *fallback, cla_error *error);

/* Replaces every byte that does not belong to valid UTF-8 with U+FFFD, because JSON is UTF-8. */
cla_status clean_utf8(char **out, const char *text, cla_error *error);

/* Prints a name in a column of so many letters, cut if it has more and `cut`, else with spaces behind it. A
 * letter of UTF-8 may be several bytes, and counts as one. */
void print_name(FILE *file, const char *name, int width, bool cut);

/* The letters of a text of UTF-8. */
int text_letters(const char *text);

#endif
