#include "seq/sequence_location.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/allocate.h"
#include "base/error.h"
#include "seq/shown_text.h"

static bool exists(const char *file, int *problem) {
  struct stat facts;
  if (strcmp(file, "-") == 0 || stat(file, &facts) == 0) return true;
  if (errno != ENOENT && errno != ENOTDIR) *problem = errno;
  return false;
}

static cla_status report_missing(const char *location, int problem, cla_error *error) {
  char shown[SHOWN_LOCATION_SIZE];
  shown_text(shown, sizeof shown, location);
  if (!*location)
    return error_set(error, CLA_ERROR_INPUT,
                     "the name of a sequence file is empty; give FILE or FILE:RECORD");
  if (problem)
    return error_set(error, CLA_ERROR_INPUT, "cannot read '%s': %s; check the path and its permissions",
                     shown, strerror(problem));
  if (strchr(location, ':'))
    return error_set(
        error, CLA_ERROR_INPUT,
        "cannot read '%s': neither a file of that name nor one named by a part before a colon exists; "
        "check the path",
        shown);
  return error_set(error, CLA_ERROR_INPUT, "cannot read '%s': there is no such file; check the path", shown);
}

cla_status sequence_location_split(sequence_location *out, const char *location, cla_error *error) {
  int problem = 0;
  *out = (sequence_location){0};
  cla_status status = allocate_text(&out->file, location, error);
  if (status || exists(out->file, &problem)) return status;
  for (size_t colon = strlen(location); colon-- > 1;) {
    if (location[colon] != ':') continue;
    out->file[colon] = '\0';
    if (!exists(out->file, &problem)) continue;
    out->selection = location + colon + 1;
    return CLA_OK;
  }
  sequence_location_free(out);
  return report_missing(location, problem, error);
}

void sequence_location_free(sequence_location *location) {
  free(location->file);
  *location = (sequence_location){0};
}

/* A decimal number with commas, at least one digit, a digit first. Returns the first byte after it, or NULL
 * if there is none; a number beyond int64 gives INT64_MAX. */
static const char *parse_number(int64_t *number, const char *text) {
  int64_t value = 0;
  bool overflow = false;
  if (*text < '0' || *text > '9') return NULL;
  for (; (*text >= '0' && *text <= '9') || *text == ','; text++) {
    if (*text == ',') continue;
    const int digit = *text - '0';
    overflow |= value > (INT64_MAX - digit) / 10;
    if (!overflow) value = value * 10 + digit;
  }
  *number = overflow ? INT64_MAX : value;
  return text;
}

static bool parse_form(int64_t *from, int64_t *to, const char *text) {
  *to = -1;
  const char *rest = parse_number(from, text);
  if (!rest || *rest++ != '-') return false;
  if (!*rest) return true;
  rest = parse_number(to, rest);
  return rest && !*rest;
}

bool sequence_range_form(const char *text) {
  int64_t from, to;
  return parse_form(&from, &to, text);
}

cla_status sequence_range_parse(int64_t *begin, int64_t *end, const char *text, int64_t length,
                                const char *record, cla_error *error) {
  char range[SHOWN_NAME_SIZE];
  int64_t from, to;
  shown_text(range, sizeof range, text);
  if (!parse_form(&from, &to, text))
    return error_set(
        error, CLA_ERROR_INPUT,
        "'%s' is no range of %s; write FROM-TO or FROM- with whole numbers, 1-based inclusive, within "
        "1-%lld",
        range, record, (long long)length);
  if (to < 0) to = length;
  if (from == 0 || to == 0)
    return error_set(error, CLA_ERROR_INPUT,
                     "range %s of %s begins or ends at 0, but positions count from 1; choose within 1-%lld",
                     range, record, (long long)length);
  if (from > length || to > length)
    return error_set(error, CLA_ERROR_INPUT,
                     "range %s is outside of %s, which has %lld letters; choose within 1-%lld", range, record,
                     (long long)length, (long long)length);
  if (from > to)
    return error_set(error, CLA_ERROR_INPUT, "range %s of %s is reversed; write the smaller position first",
                     range, record);
  *begin = from - 1;
  *end = to;
  return CLA_OK;
}
