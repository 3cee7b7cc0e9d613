
#include "base/error.h"
#include "support/test.h"

/* What a file or a name holds is shown in messages: they stay one line all the same. */
Test(error, a_message_stays_one_line) {
  cla_error error = {.message = ""};
  cr_expect_eq(error_set(&error, CLA_ERROR_INPUT, "the letters '%s'", "A\nB\r\t\x1b[1m\x7f\xc3\xa9"),
               CLA_ERROR_INPUT);
  cr_expect_eq(error.status, CLA_ERROR_INPUT);
  cr_expect_str_eq(error.message, "the letters 'A?B???[1m?\xc3\xa9'");
}

Test(error, a_build_log_keeps_its_lines) {
  error_set(&why, CLA_ERROR_DEVICE, "a kernel does not build:\n%s", "line 1\nline 2");
  cr_expect_str_eq(why.message, "a kernel does not build:\nline 1\nline 2");
}
