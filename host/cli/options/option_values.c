/* Parses the values of options: numbers, sizes, texts. Parsing is strict, because a typing error such as
 * "--match 1O" must not be read as "--match 1". */

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options/options.h"
#include "cli/report/report.h"

cla_status cli_parse_flag(const cli_option *option, const char *value, cla_error *error) {
  (void)value;
  (void)error;
  *(bool *)option->destination = true;
  return CLA_OK;
}

cla_status cli_parse_text(const cli_option *option, const char *value, cla_error *error) {
  (void)error;
  *(const char **)option->destination = value;
  return CLA_OK;
}

/* Words of other programs, and clalign's words for them. */
static const struct {
  const char *said, *meant;
} meanings[] = {{"nw", "global"},
                {"needleman-wunsch", "global"},
                {"end-to-end", "global"},
                {"sw", "local"},
                {"smith-waterman", "local"},
                {"glocal", "semi-global"},
                {"sg", "semi-global"},
                {"fitting", "semi-global"},
                {"infix", "semi-global"},
                {"dovetail", "overlap"},
                {"ends-free", "overlap"},
                {"needle", "overlap"},
                {"water", "local"},
                {"extension", "extend"},
                {"plus", "forward"},
                {"minus", "reverse"},
                {"revcomp", "reverse"},
                {"rc", "reverse"},
                {"nt", "dna"},
                {"nucl", "dna"},
                {"nucleotide", "dna"},
                {"rna", "dna"},
                {"aa", "protein"},
                {"prot", "protein"},
                {"amino", "protein"},
                {"txt", "pair"},
                {"text", "pair"},
                {"emboss", "pair"},
                {"outfmt6", "blast"},
                {"6", "blast"},
                {"m8", "blast"},
                {"outfmt7", "blast7"},
                {"7", "blast7"}};

/* Returns the word that the user probably meant; NULL: none. */
static const char *meant_word(const char *const *words, const char *value) {
  char lower[32] = "";
  if (strlen(value) >= sizeof lower) return NULL;
  for (int i = 0; value[i]; i++) lower[i] = (char)tolower((unsigned char)value[i]);
  for (size_t i = 0; i < sizeof meanings / sizeof *meanings; i++)
    for (int j = 0; strcmp(meanings[i].said, lower) == 0 && words[j]; j++)
      if (strcmp(meanings[i].meant, words[j]) == 0) return words[j];
  return strlen(lower) > 1 ? cli_nearest(lower, words) : NULL;
}

/* Writes the words as "a, b or c". Returns the length of the text. */
static size_t join_words(char *text, size_t size, const char *const *words) {
  size_t used = 0;
  for (int i = 0; words[i] && used < size; i++)
    used += (size_t)snprintf(text + used, size - used, "%s%s",
                             i == 0         ? ""
                             : words[i + 1] ? ", "
                                            : " or ",
                             words[i]);
  return used < size ? used : size - 1;
}

void cli_option_describe(char text[CLI_DESCRIPTION_SIZE], const cli_option *option) {
  const bool behind = option->description[0] == ';';
  const size_t used = behind ? join_words(text, CLI_DESCRIPTION_SIZE, option->hints()) : 0;
  snprintf(text + used, CLI_DESCRIPTION_SIZE - used, "%s", option->description);
}

cla_status cli_find_word(int *place, const cli_option *option, const char *value, cla_error *error) {
  const char *const *words = option->words;
  char all[256] = "";
  for (*place = 0; words[*place]; ++*place)
    if (strcmp(value, words[*place]) == 0) return CLA_OK;
  join_words(all, sizeof all, words);
  const char *meant = meant_word(words, value);
  return cli_error(error, CLA_ERROR_OPTION, "--%s takes %s, not '%s'%s%s%s", option->name, all, value,
                   meant ? "; did you mean " : "", meant ? meant : "", meant ? "?" : "");
}

/* Reads a decimal integer at the start of `value` and sets *rest to the text after it. Leading spaces and "+"
 * are refused. */
static bool read_integer(int64_t *out, const char *value, const char **rest) {
  const char *digits = value[0] == '-' ? value + 1 : value;
  if (!isdigit((unsigned char)digits[0])) return false;
  char *end = NULL;
  errno = 0;
  long long number = strtoll(value, &end, 10);
  if (errno != 0) return false;
  *out = number;
  *rest = end;
  return true;
}

static cla_status out_of_range(const cli_option *option, const char *value, cla_error *error) {
  return cli_error(error, CLA_ERROR_OPTION,
                   "--%s takes a whole number from %" PRId64 " to %" PRId64 ", not '%s'", option->name,
                   option->minimum, option->maximum, value);
}

cla_status cli_parse_int64(const cli_option *option, const char *value, cla_error *error) {
  int64_t number = 0;
  const char *rest = "";
  if (!read_integer(&number, value, &rest) || *rest || number < option->minimum || number > option->maximum)
    return out_of_range(option, value, error);
  *(int64_t *)option->destination = number;
  return CLA_OK;
}

cla_status cli_parse_word(const cli_option *option, const char *value, cla_error *error) {
  int place = 0;
  cla_status status = cli_find_word(&place, option, value, error);
  if (status == CLA_OK) *(unsigned *)option->destination = (unsigned)(option->minimum + place);
  return status;
}

const char *const cli_json_words[] = {"text", "json", NULL};

cla_status cli_parse_json(const cli_option *option, const char *value, cla_error *error) {
  int place = 0;
  cla_status status = cli_find_word(&place, option, value, error);
  if (status == CLA_OK) *(bool *)option->destination = place == 1;
  return status;
}

cla_status cli_parse_int32(const cli_option *option, const char *value, cla_error *error) {
  int64_t number = 0;
  cli_option wide = *option;
  wide.destination = &number;
  cla_status status = cli_parse_int64(&wide, value, error);
  if (status == CLA_OK) *(int32_t *)option->destination = (int32_t)number;
  return status;
}

/* Reads a decimal number with at most three decimals, as thousandths. */
static bool read_thousandths(int64_t *out, const char *value) {
  const char *at = value + (value[0] == '-');
  int decimals = -1; /* number of decimals so far; -1: no point yet */
  bool digits = false;
  int64_t number = 0;
  for (; *at; at++) {
    if (*at == '.' && decimals < 0) {
      decimals = 0;
      continue;
    }
    if (!isdigit((unsigned char)*at) || decimals == 3) return false;
    if (__builtin_mul_overflow(number, 10, &number) || __builtin_add_overflow(number, *at - '0', &number))
      return false;
    if (decimals >= 0) decimals++;
    digits = true;
  }
  for (int left = decimals < 0 ? 3 : 3 - decimals; left > 0; left--)
    if (__builtin_mul_overflow(number, 10, &number)) return false;
  *out = value[0] == '-' ? -number : number;
  return digits;
}

cla_status cli_parse_thousandths(const cli_option *option, const char *value, cla_error *error) {
  int64_t number = 0;
  if (!read_thousandths(&number, value) || number < option->minimum * 1000 || number > option->maximum * 1000)
    return cli_error(error, CLA_ERROR_OPTION,
                     "--%s takes a number from %" PRId64 " to %" PRId64
                     " with at most three decimals, not '%s'",
                     option->name, option->minimum, option->maximum, value);
  *(int64_t *)option->destination = number;
  return CLA_OK;
}

/* Returns the exponent of 2 for the suffix of a size (K, M, G, T, each also as KB or KiB); -1 for other
 * suffixes. */
static int suffix_bits(const char *suffix) {
  if (!suffix[0]) return 0;
  static const char letters[] = "KMGT";
  const char *letter = strchr(letters, toupper((unsigned char)suffix[0]));
  if (!letter) return -1;
  const char *unit = suffix + 1;
  if (*unit && strcasecmp(unit, "b") != 0 && strcasecmp(unit, "ib") != 0) return -1;
  return 10 * (int)(letter - letters + 1);
}

cla_status cli_parse_size(const cli_option *option, const char *value, cla_error *error) {
  int64_t number = 0;
  const char *suffix = "";
  if (read_integer(&number, value, &suffix) && number >= 0) {
    int bits = suffix_bits(suffix);
    if (bits >= 0 && number <= (INT64_MAX >> bits)) {
      int64_t bytes = number << bits;
      if (bytes >= option->minimum && bytes <= option->maximum) {
        *(int64_t *)option->destination = bytes;
        return CLA_OK;
      }
    }
  }
  return cli_error(error, CLA_ERROR_OPTION,
                   "--%s takes a size in bytes, or with K, M, G or T as in 400M, not '%s'", option->name,
                   value);
}

cla_status cli_parse_real(const cli_option *option, const char *value, cla_error *error) {
  char *end = NULL;
  bool plain = isdigit((unsigned char)value[0]) || value[0] == '.';
  double number = plain ? strtod(value, &end) : NAN;
  if (!plain || end == value || *end || !isfinite(number) || number < (double)option->minimum ||
      number > (double)option->maximum)
    return cli_error(error, CLA_ERROR_OPTION, "--%s takes a number from %" PRId64 " to %" PRId64 ", not '%s'",
                     option->name, option->minimum, option->maximum, value);
  *(double *)option->destination = number;
  return CLA_OK;
}

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

/* Reads a number of at least 1, which may contain commas as in regions. Returns the text after the number;
 * NULL: no number. */
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
