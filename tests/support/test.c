#include "support/test.h"

#include <stdarg.h>

_Thread_local cla_error why;

const char *test_text(const char *format, ...) {
  static _Thread_local char text[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  return text;
}
