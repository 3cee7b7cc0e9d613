#include "seq/sequence_internal.h"

#include <stdio.h>
#include <string.h>

static void copy_printable(char *to, const char *from, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const unsigned char byte = (unsigned char)from[i];
    to[i] = byte < 0x20 || byte == 0x7f ? '?' : (char)byte;
  }
}

const char *shown_text(char *buffer, size_t size, const char *text) {
  const size_t length = strlen(text);
  if (length < size) {
    copy_printable(buffer, text, length);
    buffer[length] = '\0';
    return buffer;
  }
  const size_t head = (size - 4) / 2, tail = size - 4 - head;
  copy_printable(buffer, text, head);
  memcpy(buffer + head, "...", 3);
  copy_printable(buffer + head + 3, text + length - tail, tail);
  buffer[size - 1] = '\0';
  return buffer;
}

const char *shown_letter(char buffer[SHOWN_LETTER_SIZE], int letter) {
  if (letter > 0x20 && letter < 0x7f)
    (void)snprintf(buffer, SHOWN_LETTER_SIZE, "'%c'", letter);
  else
    (void)snprintf(buffer, SHOWN_LETTER_SIZE, "byte 0x%02X", (unsigned)letter & 0xffU);
  return buffer;
}
