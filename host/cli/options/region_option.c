#include "cli/options/region_option.h"

#include <string.h>

#include "cli/report/report.h"

/* A number from 1 on, with commas as in the regions of files; NULL if there is none, else what follows it. */
static const char *read_position(int64_t *out, const char *text) {
  int64_t value = 0;
  if (*text < '1' || *text > '9') return NULL;
  for (; (*text >= '0' && *text <= '9') || *text == ','; text++) {
    if (*text == ',') continue;
    if (__builtin_mul_overflow(value, 10, &value) || __builtin_add_overflow(value, *text - '0', &value))
      return NULL;
  }
  *out = value;
  return text;
}

cla_status cli_parse_region(const cli_option *option, const char *value, cla_error *error) {
  cli_region *region = option->destination;
  const char *colon = strchr(value, ':');
  const size_t length = colon ? (size_t)(colon - value) : 0;
  const bool of_query = length == 5 && strncmp(value, "query", length) == 0;
  const bool of_target = length == 6 && strncmp(value, "target", length) == 0;
  int64_t from = 0, to = -1;
  const char *rest = of_query || of_target ? read_position(&from, colon + 1) : NULL;
  if (rest) rest = *rest == '-' ? rest + 1 : NULL;
  if (rest && *rest) rest = read_position(&to, rest);
  if (!rest || *rest || (to >= 0 && to < from))
    return cli_error(error, CLA_ERROR_OPTION,
                     "--%s takes query:FROM-TO or target:FROM-TO with positions from 1, not '%s'",
                     option->name, value);
  *region = (cli_region){
      .text = value, .side = of_query ? CLA_SIDE_QUERY : CLA_SIDE_TARGET, .begin = from - 1, .end = to};
  return CLA_OK;
}
