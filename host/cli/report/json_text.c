#include "cli/report/json_text.h"

json_t *json_driver_text(const char *text) {
  json_t *value = json_string(text);
  if (value) return value;
  char plain[256];
  size_t length = 0;
  for (; text[length] && length < sizeof plain - 1; length++)
    plain[length] = (unsigned char)text[length] < 128 ? text[length] : '?';
  return json_stringn(plain, length);
}
