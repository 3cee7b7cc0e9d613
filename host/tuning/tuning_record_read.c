#include <ctype.h>
#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/files.h"
#include "tuning/tuning_record.h"

#define TITLE "clalign tuning record "
#define FORMAT "1"
#define FILE_LIMIT (INT64_C(1) << 20)
#define FIELDS 12 /* number of an entry's words, without the optional words after the mode */

/* The lines before the entries. Each of the first KEYS_NEEDED must occur once; the others may be missing. */
enum { KEY_PLATFORM, KEY_DEVICE, KEY_DRIVER, KEY_UNITS, KEY_SIGNATURE, KEY_CHIP, KEY_COUNT };
#define KEYS_NEEDED KEY_CHIP
static const char *const keys[KEY_COUNT] = {"platform", "device", "driver", "units", "signature", "chip"};

typedef struct reader {
  const char *path;
  int64_t line; /* number of the current line, from 1 */
  tuning_record *record;
  bool titled, ended;
  bool seen[KEY_COUNT];
  cla_error *error;
} reader;

static cla_status refuse(const reader *r, const char *format, ...) __attribute__((format(printf, 2, 3)));

static cla_status refuse(const reader *r, const char *format, ...) {
  char what[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(what, sizeof what, format, arguments);
  va_end(arguments);
  return error_set(r->error, CLA_ERROR_INPUT,
                   "%.1024s:%lld: %s; mend the line, or remove the file and run 'clalign tune'", r->path,
                   (long long)r->line, what);
}

/* Reads a whole number that consists of digits only. */
static bool read_number(int64_t *out, const char *text, int64_t least, int64_t most) {
  char *end = NULL;
  errno = 0;
  if (!isdigit((unsigned char)text[0])) return false;
  const long long number = strtoll(text, &end, 10);
  *out = number;
  return errno == 0 && !*end && number >= least && number <= most;
}

static bool read_seconds(double *out, const char *text) {
  char *end = NULL;
  if (!isdigit((unsigned char)text[0]) || text[strspn(text, "0123456789.eE+-")] != '\0') return false;
  errno = 0;
  *out = strtod(text, &end);
  return !*end &&
         !(errno == ERANGE && *out > 1); /* numbers that are too close to 0 for a double are allowed */
}

static cla_status read_signature(reader *r, const char *value) {
  if (strcmp(value, "any") == 0) return CLA_OK;
  if (strlen(value) != 16 || value[strspn(value, "0123456789abcdef")] != '\0')
    return refuse(r, "a signature is 16 of the digits 0 to 9 and a to f, or any, not '%.64s'", value);
  r->record->signature = strtoull(value, NULL, 16);
  if (r->record->signature) return CLA_OK;
  return refuse(r, "no signature is 0; write any");
}

#define UNITS_LIMIT 1000000

/* Reads "132", "any", or "any 132". */
static cla_status read_units(reader *r, const char *value) {
  static const char any[] = "any ";
  int64_t units = 0, measured = 0;
  const bool told = strncmp(value, any, sizeof any - 1) == 0 &&
                    read_number(&measured, value + sizeof any - 1, 1, UNITS_LIMIT);
  if (!told && strcmp(value, "any") != 0 && !read_number(&units, value, 1, UNITS_LIMIT))
    return refuse(r,
                  "units is a whole number from 1 to %d, or any, or any and the number that was timed, not "
                  "'%.64s'",
                  UNITS_LIMIT, value);
  r->record->compute_units = (int)units;
  r->record->measured_units = (int)measured;
  return CLA_OK;
}

static cla_status read_key(reader *r, int key, const char *value) {
  if (r->record->entry_count > 0) return refuse(r, "%s belongs before the first entry", keys[key]);
  if (r->seen[key]) return refuse(r, "%s stands twice", keys[key]);
  if (!*value) return refuse(r, "%s has no value", keys[key]);
  r->seen[key] = true;
  if (key == KEY_UNITS) return read_units(r, value);
  if (key == KEY_SIGNATURE) return read_signature(r, value);
  char *out = key == KEY_PLATFORM ? r->record->platform
              : key == KEY_DEVICE ? r->record->device
              : key == KEY_CHIP   ? r->record->chip
                                  : r->record->driver;
  const size_t size = key == KEY_CHIP ? sizeof r->record->chip : sizeof r->record->platform;
  if (strlen(value) >= size) return refuse(r, "%s is longer than %zu letters", keys[key], size - 1);
  memcpy(out, value, strlen(value) + 1);
  return CLA_OK;
}

/* Splits a line at blanks. Returns the number of words, and stores the first FIELDS of them in `words`. The
 * optional words after the first one (TUNING_MATRIX_WORD, then TUNING_TWO_PIECES_WORD) set the entry's flags
 * and are not counted. */
static int split(char *words[FIELDS], tuning_entry *entry, char *line) {
  int count = 0;
  char *rest = NULL;
  for (char *word = strtok_r(line, " \t", &rest); word; word = strtok_r(NULL, " \t", &rest)) {
    if (count == 1 && !entry->matrix && !entry->two_pieces && strcmp(word, TUNING_MATRIX_WORD) == 0) {
      entry->matrix = true;
      continue;
    }
    if (count == 1 && !entry->two_pieces && strcmp(word, TUNING_TWO_PIECES_WORD) == 0) {
      entry->two_pieces = true;
      continue;
    }
    if (count < FIELDS) words[count] = word;
    count++;
  }
  return count;
}

/* Reads the words of an entry that are names: mode, kernel and launch style. */
static cla_status read_names(reader *r, tuning_entry *out, char *const words[FIELDS]) {
  out->local = strcmp(words[0], "local") == 0;
  out->config.variant = kernel_find(words[2]);
  if (!out->config.variant) return refuse(r, "no kernel is called '%.64s'", words[2]);
  if (strcmp(words[6], "persistent") == 0)
    out->config.launch = KERNEL_PERSISTENT;
  else if (strcmp(words[6], "diagonals") != 0)
    return refuse(r, "a launch is diagonals or persistent, not '%.64s'", words[6]);
  return CLA_OK;
}

static cla_status read_numbers(reader *r, tuning_entry *out, char *const words[FIELDS]) {
  static const char *const names[] = {"length", NULL, "lanes", "alpha", "tile", NULL, "groups"};
  int64_t numbers[7] = {0};
  for (int i = 0; i < 7; i++)
    if (names[i] && !read_number(&numbers[i], words[i + 1], 0, i == 0 ? INT64_MAX : INT32_MAX))
      return refuse(r, "%s is a whole number, not '%.64s'", names[i], words[i + 1]);
  out->length = numbers[0];
  out->config.lanes = (int)numbers[2];
  out->config.alpha = (int)numbers[3];
  out->config.tile_columns = numbers[4];
  out->config.groups = (int)numbers[6];
  double *const seconds[] = {&out->model.constant, &out->model.per_row, &out->model.per_column,
                             &out->model.per_cell};
  for (int i = 0; i < 4; i++)
    if (!read_seconds(seconds[i], words[8 + i]))
      return refuse(r, "c%d is seconds, 0 or more, not '%.64s'", i + 1, words[8 + i]);
  return CLA_OK;
}

static cla_status read_entry(reader *r, char *line) {
  char *words[FIELDS] = {0};
  tuning_entry entry = {0};
  char reason[256];
  for (int key = 0; key < KEYS_NEEDED; key++)
    if (!r->seen[key]) return refuse(r, "%s is missing before the first entry", keys[key]);
  const int count = split(words, &entry, line);
  if (count != FIELDS)
    return refuse(r,
                  "an entry has %d words (mode length kernel lanes alpha tile launch groups c1 c2 c3 c4) and "
                  "may have " TUNING_MATRIX_WORD " after the mode, then " TUNING_TWO_PIECES_WORD
                  ", this has %d",
                  FIELDS, count + entry.matrix + entry.two_pieces);
  cla_status status = read_names(r, &entry, words);
  if (status == CLA_OK) status = read_numbers(r, &entry, words);
  if (status != CLA_OK) return status;
  if (!tuning_entry_check(&entry, reason, sizeof reason)) return refuse(r, "%s", reason);
  if (r->record->entry_count == TUNING_ENTRY_LIMIT)
    return refuse(r, "a record holds at most %d entries", TUNING_ENTRY_LIMIT);
  const int64_t before = r->record->entry_count;
  status = tuning_record_put(r->record, &entry, r->error);
  if (status == CLA_OK && r->record->entry_count == before)
    return refuse(r, "a second entry for %s %s%s%s %s", words[0], entry.matrix ? TUNING_MATRIX_WORD " " : "",
                  entry.two_pieces ? TUNING_TWO_PIECES_WORD " " : "", words[1], words[2]);
  return status;
}

/* Reads the name and the value of a rate. */
static cla_status read_rate(reader *r, char *line) {
  char *rest = NULL;
  const char *name = strtok_r(line, " \t", &rest), *value = strtok_r(NULL, " \t", &rest);
  int rate = 0;
  if (!value || strtok_r(NULL, " \t", &rest)) return refuse(r, "a rate has a name and a value");
  while (rate < RATE_COUNT && strcmp(tuning_rate_rows[rate].name, name) != 0) rate++;
  if (rate == RATE_COUNT) return refuse(r, "no rate is called '%.64s' in this version of clalign", name);
  double *out = &r->record->rates.of[rate];
  if (*out > 0) return refuse(r, "a second rate %s", name);
  if (read_seconds(out, value) && isfinite(*out) && *out > 0) return CLA_OK;
  return refuse(r, "the rate %s is a number above 0, not '%.64s'", name, value);
}

static cla_status read_end(reader *r) {
  for (int key = 0; key < KEYS_NEEDED; key++)
    if (!r->seen[key]) return refuse(r, "%s is missing", keys[key]);
  r->ended = true;
  return CLA_OK;
}

/* Reads a line. The caller must have removed blanks at both ends, and skipped empty lines and comments. */
static cla_status read_line(reader *r, char *line) {
  const size_t title = strlen(TITLE);
  if (r->ended) return refuse(r, "something follows the line 'end'");
  if (!r->titled) {
    if (strncmp(line, TITLE, title) != 0)
      return refuse(r, "a tuning record begins with the line '" TITLE FORMAT "'");
    if (strcmp(line + title, FORMAT) != 0)
      return refuse(r, "the format is '%.64s', of another version of clalign, and not " FORMAT, line + title);
    r->titled = true;
    return CLA_OK;
  }
  if (strcmp(line, "end") == 0) return read_end(r);
  const size_t length = strcspn(line, " \t");
  if ((length == 5 && strncmp(line, "local", length) == 0) ||
      (length == 6 && strncmp(line, "global", length) == 0))
    return read_entry(r, line);
  char *value = line + length + strspn(line + length, " \t");
  if (length == strlen(TUNING_RATE_WORD) && strncmp(line, TUNING_RATE_WORD, length) == 0)
    return read_rate(r, value);
  for (int key = 0; key < KEY_COUNT; key++)
    if (strlen(keys[key]) == length && strncmp(line, keys[key], length) == 0) return read_key(r, key, value);
  return refuse(r, "'%.*s' is unknown here", length < 64 ? (int)length : 64, line);
}

static cla_status read_lines(reader *r, FILE *file) {
  char *line = NULL;
  size_t capacity = 0;
  ssize_t length = 0;
  cla_status status = CLA_OK;
  errno = 0;
  while (status == CLA_OK && (length = getline(&line, &capacity, file)) >= 0) {
    r->line++;
    if (strlen(line) != (size_t)length) {
      status = refuse(r, "a zero byte");
      break;
    }
    while (length > 0 && isspace((unsigned char)line[length - 1])) line[--length] = '\0';
    const bool marked = r->line == 1 && strncmp(line, TEXT_MARK, TEXT_MARK_BYTES) == 0;
    char *begin = line + (marked ? TEXT_MARK_BYTES : 0);
    begin += strspn(begin, " \t");
    if (*begin && *begin != '#') status = read_line(r, begin);
    errno = 0;
  }
  if (status == CLA_OK && !feof(file))
    status =
        error_set(r->error, CLA_ERROR_INPUT, "cannot read %.1024s: %s; look at the disk, or remove the file",
                  r->path, strerror(errno ? errno : EIO));
  if (status == CLA_OK && !r->ended) {
    r->line++;
    status = refuse(r, "the line 'end' is missing: the file is cut off");
  }
  free(line);
  return status;
}

/* Opens a record. Only regular files are opened, because a pipe could block and a folder has no lines. */
static cla_status open_record(FILE **out, const char *path, cla_error *error) {
  struct stat state;
  *out = NULL;
  if (stat(path, &state) == 0) {
    if (!S_ISREG(state.st_mode))
      return error_set(error, CLA_ERROR_INPUT,
                       "cannot read the tuning record %.1024s: it is no regular file; remove it", path);
    if (state.st_size > FILE_LIMIT)
      return error_set(error, CLA_ERROR_INPUT,
                       "cannot read the tuning record %.1024s: it has more than %lld bytes; remove it", path,
                       (long long)FILE_LIMIT);
    *out = fopen(path, "r");
  }
  if (*out) return CLA_OK;
  return error_set(error, CLA_ERROR_INPUT,
                   "cannot read the tuning record %.1024s: %s; make it readable, or run 'clalign tune'", path,
                   strerror(errno));
}

cla_status tuning_record_read(tuning_record *out, const char *path, cla_error *error) {
  FILE *file = NULL;
  memset(out, 0, sizeof *out);
  cla_status status = open_record(&file, path, error);
  if (!file) return status;
  /* Numbers have a decimal point, regardless of the application's locale. */
  const locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  if (plain == (locale_t)0) {
    fclose(file);
    return error_set(error, CLA_ERROR_MEMORY,
                     "out of memory: a locale for a tuning record; free some memory");
  }
  const locale_t before = uselocale(plain);
  reader r = {.path = path, .record = out, .error = error};
  status = read_lines(&r, file);
  uselocale(before);
  freelocale(plain);
  fclose(file);
  if (status != CLA_OK) {
    tuning_record_free(out);
    memset(out, 0, sizeof *out);
  }
  return status;
}
