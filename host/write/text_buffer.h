#ifndef HOST_WRITE_TEXT_BUFFER_H
#define HOST_WRITE_TEXT_BUFFER_H

#include <stdint.h>
#include <stdio.h>

/* Text on its way to a stream: a call of stdio for each number would take longer than to align short pairs.
 * Output errors stay in the stream's error flag. End with text_flush. */

#define TEXT_BUFFER_SIZE 16384
#define TEXT_NUMBER_MOST 20 /* letters of a number: "-9223372036854775808" */

typedef struct text_buffer {
  FILE *file;
  size_t used;
  char bytes[TEXT_BUFFER_SIZE];
} text_buffer;

static inline void text_begin(text_buffer *text, FILE *file) {
  text->file = file;
  text->used = 0;
}

/* Hands over what is there. */
void text_flush(text_buffer *text);

/* Any number of bytes; text, without its zero. */
void text_put_bytes(text_buffer *text, const char *bytes, size_t count);
void text_put(text_buffer *text, const char *string);

static inline void text_put_char(text_buffer *text, char byte) {
  if (text->used == TEXT_BUFFER_SIZE) text_flush(text);
  text->bytes[text->used++] = byte;
}

void text_put_number(text_buffer *text, int64_t number);

#endif
