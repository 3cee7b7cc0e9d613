#include "write/text_buffer.h"

#include <string.h>

void text_flush(text_buffer *text) {
  if (text->used > 0) fwrite(text->bytes, 1, text->used, text->file);
  text->used = 0;
}

void text_put_bytes(text_buffer *text, const char *bytes, size_t count) {
  if (count > TEXT_BUFFER_SIZE - text->used) text_flush(text);
  if (count > TEXT_BUFFER_SIZE) {
    fwrite(bytes, 1, count, text->file);
    return;
  }
  memcpy(text->bytes + text->used, bytes, count);
  text->used += count;
}

void text_put(text_buffer *text, const char *string) {
  text_put_bytes(text, string, strlen(string));
}

void text_put_number(text_buffer *text, int64_t number) {
  char digits[TEXT_NUMBER_MOST];
  int first = TEXT_NUMBER_MOST;
  uint64_t left = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
  if (TEXT_BUFFER_SIZE - text->used < TEXT_NUMBER_MOST) text_flush(text);
  do {
    digits[--first] = (char)('0' + left % 10);
    left /= 10;
  } while (left > 0);
  if (number < 0) digits[--first] = '-';
  for (int at = first; at < TEXT_NUMBER_MOST; at++) text->bytes[text->used++] = digits[at];
}
