#include "cli/options/letters_option.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/report/report.h"

const char *cli_read_letters(int64_t *out, const char *text, int64_t most) {
  if (!isdigit((unsigned char)text[0])) return NULL;
  char *end = NULL;
  errno = 0;
  const long long number = strtoll(text, &end, 10);
  const int64_t unit = *end == 'k' || *end == 'K' ? 1000 : *end == 'M' ? 1000000 : 1;
  if (errno != 0 || number < 1 || number > most / unit) return NULL;
  *out = number * unit;
  return unit == 1 ? end : end + 1;
}

cla_status cli_parse_letters(const cli_option *option, const char *value, cla_error *error) {
  int64_t letters = 0;
  const char *rest = strcmp(value, "0") == 0 ? "" : cli_read_letters(&letters, value, option->maximum);
  if (rest && !*rest && letters >= option->minimum) {
    *(int64_t *)option->destination = letters;
    return CLA_OK;
  }
  return cli_error(error, CLA_ERROR_OPTION,
                   "--%s takes a number of letters from %" PRId64 " to %" PRId64
                   ", also as 200k or 1M, not '%s'",
                   option->name, option->minimum, option->maximum, value);
}

void cli_letters_text(char *text, size_t size, int64_t letters) {
  if (letters % 1000000 == 0)
    snprintf(text, size, "%" PRId64 "M", letters / 1000000);
  else if (letters % 1000 == 0)
    snprintf(text, size, "%" PRId64 "k", letters / 1000);
  else
    snprintf(text, size, "%" PRId64, letters);
}
