#ifndef HOST_SEQ_SHOWN_TEXT_H
#define HOST_SEQ_SHOWN_TEXT_H

#include <stddef.h>

#define SHOWN_LOCATION_SIZE 320 /* of a file or location in a message */
#define SHOWN_NAME_SIZE 96      /* of a record's name in a message */
#define SHOWN_LETTER_SIZE 16

/* Copies `text` into buffer[size] for an error message, which must stay one line and leave room for the
 * remedy: control characters become '?', and what is too long loses its middle to "...". Returns `buffer`.
 * `size` >= 16. */
const char *shown_text(char *buffer, size_t size, const char *text);

/* A letter as 'x', or as "byte 0x00" if it cannot be printed. */
const char *shown_letter(char buffer[SHOWN_LETTER_SIZE], int letter);

#endif
