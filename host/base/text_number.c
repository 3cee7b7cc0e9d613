#include "base/text_number.h"

#include <ctype.h>

int64_t text_number(const char *text) {
  int64_t number = 0;
  if (!*text) return -1;
  for (; *text; text++)
    if (!isdigit((unsigned char)*text) || __builtin_mul_overflow(number, (int64_t)10, &number) ||
        __builtin_add_overflow(number, (int64_t)(*text - '0'), &number))
      return -1;
  return number;
}
