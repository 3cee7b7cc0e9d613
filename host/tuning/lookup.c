#include "tuning/lookup.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/allocate.h"
#include "base/error.h"

/* An entry is used only for pairs up to REACH times smaller or larger than the measured pairs. Larger
 * distances occur if a tuning was interrupted and lacks some sizes. */
#define REACH 32
/* Shorter pairs are treated as pairs of this length: starting a kernel takes longer than computing them. */
#define LEAST_LENGTH 10000
/* Added to the distance of an entry for another kind of gap costs. The number exceeds the logarithm of any
 * length, so such entries come last in their record. */
#define OTHER_GAPS 100.0

#define NAME_LETTERS 48 /* largest number of letters of the device's name in a record's file name */
#define SUFFIX ".txt"

static cla_status warn(cla_tuning *tuning, cla_error *error, bool malformed, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

static cla_status warn(cla_tuning *tuning, cla_error *error, bool malformed, const char *format, ...) {
  char text[CLA_ERROR_MESSAGE_SIZE], *copy = NULL;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  cla_status status = ALLOCATE_GROW(&tuning->warnings, &tuning->warning_capacity, tuning->warning_count + 1,
                                    "warnings", error);
  if (status == CLA_OK) status = allocate_text(&copy, text, error);
  if (status == CLA_OK)
    tuning->warnings[tuning->warning_count++] = (cla_tuning_warning){.text = copy, .malformed = malformed};
  return status;
}

cla_status cla_tuning_path(char **out, const char *folder, const cla_device_info *device, cla_error *error) {
  char name[NAME_LETTERS + 1], *path = NULL;
  tuning_record head;
  tuning_record_head(&head, device);
  size_t letters = 0;
  for (const char *letter = head.device; *letter && letters < NAME_LETTERS; letter++)
    name[letters++] = isalnum((unsigned char)*letter) || *letter == '-' ? *letter : '_';
  name[letters] = '\0';
  /* The hash distinguishes devices whose shortened names are equal. It does not include the driver, so that
   * a record of an earlier driver is found and reported as stale. */
  const uint64_t hash =
      XXH64(head.platform, strlen(head.platform), XXH64(head.device, strlen(head.device), 0));
  const size_t size = strlen(folder) + sizeof name + 64;
  *out = NULL;
  cla_status status = ALLOCATE_ARRAY(&path, (int64_t)size, "a path", error);
  if (status != CLA_OK) return status;
  snprintf(path, size, "%s/%s-%d-%08x" SUFFIX, folder, name, head.compute_units, (unsigned)(hash >> 32));
  *out = path;
  return CLA_OK;
}

/* Checks whether a record was made with the current driver and kernels; if not, adds a warning. */
static cla_status check_stale(bool *fresh, cla_tuning *tuning, const tuning_source *source,
                              const tuning_record *head, cla_error *error) {
  const tuning_record *record = &source->record;
  *fresh = false;
  if (source->user && strcmp(record->driver, "*") != 0 && strcmp(record->driver, head->driver) != 0)
    return warn(tuning, error, false,
                "tuning record %.1024s is stale and not used: it was made with driver %s, this is %s; run "
                "'clalign tune'",
                source->path, record->driver, head->driver);
  if (record->signature && record->signature != head->signature)
    return warn(tuning, error, false,
                "tuning record %.1024s is stale and not used: it was made with other kernels than this "
                "version's; run 'clalign tune'",
                source->path);
  *fresh = true;
  return CLA_OK;
}

/* True if the record is for the device. A user's record must have the device's name; a shipped record must
 * have a pattern that matches the name. */
static bool fits(const tuning_source *source, const tuning_record *head) {
  const tuning_record *record = &source->record;
  if (record->compute_units > 0 && record->compute_units != head->compute_units) return false;
  if (source->user)
    return strcmp(record->platform, head->platform) == 0 && strcmp(record->device, head->device) == 0;
  if (record->chip[0] && fnmatch(record->chip, head->chip, 0) != 0) return false;
  return fnmatch(record->platform, head->platform, 0) == 0 && fnmatch(record->device, head->device, 0) == 0 &&
         fnmatch(record->driver, head->driver, 0) == 0;
}

/* Returns the number of literal letters in a pattern. */
static int64_t literal_letters(const char *pattern) {
  int64_t count = 0;
  bool in_brackets = false;
  for (; *pattern; pattern++) {
    if (*pattern == '[')
      in_brackets = true;
    else if (*pattern == ']')
      in_brackets = false;
    else if (!in_brackets && *pattern != '*' && *pattern != '?')
      count++;
  }
  return count;
}

static void set_kinship(tuning_source *source, const tuning_record *head) {
  const tuning_record *record = &source->record;
  source->kinship = literal_letters(record->device) > 0     ? TUNING_BY_DEVICE
                    : literal_letters(record->chip) > 0     ? TUNING_BY_CHIP
                    : literal_letters(record->platform) > 0 ? TUNING_BY_VENDOR
                                                            : TUNING_BY_NOTHING;
  snprintf(source->chip, sizeof source->chip, "%s", head->chip);
}

/* Adapts a record that was timed on another number of compute units: strips in flight grow with the units,
 * and the time of a cell shrinks. */
static void scale(tuning_source *source, int units) {
  tuning_record *record = &source->record;
  if (record->measured_units <= 0 || units <= 0 || units == record->measured_units) return;
  const double ratio = (double)units / record->measured_units;
  for (int64_t i = 0; i < record->entry_count; i++) {
    tuning_entry *entry = &record->entries[i];
    const double groups = fmin(fmax(round(entry->config.groups * ratio), 1), TUNING_GROUPS_LIMIT);
    if (entry->config.launch == KERNEL_PERSISTENT) entry->config.groups = (int)groups;
    entry->model.per_cell /= ratio;
  }
  source->timed = record->measured_units;
  source->has_units = units;
}

/* Reads the record at `path`, and adds it if it is usable. Takes ownership of `path`. */
static cla_status add_source(cla_tuning *tuning, char *path, bool user, const tuning_record *head,
                             cla_error *error) {
  tuning_source source = {.path = path, .user = user};
  cla_error reading = {.message = ""};
  bool fresh = false;
  cla_status status = tuning_record_read(&source.record, path, &reading);
  if (status == CLA_ERROR_INPUT) {
    status = warn(tuning, error, true, "%s; the record is not used", reading.message);
  } else if (status != CLA_OK) {
    error_set(error, status, "%s", reading.message);
  } else if (fits(&source, head)) {
    status = check_stale(&fresh, tuning, &source, head, error);
  } else if (user) {
    status =
        warn(tuning, error, true,
             "tuning record %.1024s is not used: it is of another device (%s, %d compute units); remove it "
             "and run 'clalign tune'",
             path, source.record.device, source.record.compute_units);
  }
  if (status == CLA_OK && fresh)
    status = ALLOCATE_GROW(&tuning->sources, &tuning->source_capacity, tuning->source_count + 1,
                           "tuning records", error);
  if (status == CLA_OK && fresh) {
    set_kinship(&source, head);
    if (!user) scale(&source, head->compute_units);
    tuning->sources[tuning->source_count++] = source;
    return CLA_OK;
  }
  tuning_record_free(&source.record);
  free(path);
  return status;
}

static cla_status add_user_record(cla_tuning *tuning, const char *folder, const cla_device_info *device,
                                  const tuning_record *head, cla_error *error) {
  char *path = NULL;
  cla_status status = cla_tuning_path(&path, folder, device, error);
  if (status != CLA_OK) return status;
  if (access(path, F_OK) == 0 || (errno != ENOENT && errno != ENOTDIR))
    return add_source(tuning, path, true, head, error);
  free(path);
  return CLA_OK;
}

/* Sorts specific records first: those for the device, for its chip, for its vendor, for every device. Within
 * a kind, the more literal letters the patterns have, the more specific a record is. */
static int compare_shipped(const void *a, const void *b) {
  const tuning_source *x = a, *y = b;
  const tuning_source *both[2] = {x, y};
  int64_t numbers[2][5];
  for (int i = 0; i < 2; i++) {
    const tuning_record *record = &both[i]->record;
    numbers[i][0] = literal_letters(record->device);
    numbers[i][1] = literal_letters(record->chip);
    numbers[i][2] = literal_letters(record->platform);
    numbers[i][3] = record->compute_units > 0;
    numbers[i][4] = literal_letters(record->driver);
  }
  for (int i = 0; i < 5; i++)
    if (numbers[0][i] != numbers[1][i]) return numbers[0][i] > numbers[1][i] ? -1 : 1;
  return strcmp(x->path, y->path);
}

static int is_record(const struct dirent *entry) {
  const size_t length = strlen(entry->d_name), suffix = strlen(SUFFIX);
  return entry->d_name[0] != '.' && length > suffix && strcmp(entry->d_name + length - suffix, SUFFIX) == 0;
}

static cla_status add_shipped_records(cla_tuning *tuning, const char *folder, const tuning_record *head,
                                      cla_error *error) {
  struct dirent **names = NULL;
  const int64_t first = tuning->source_count;
  const int count = scandir(folder, &names, is_record, alphasort);
  cla_status status = CLA_OK;
  if (count < 0)
    return warn(tuning, error, true,
                "cannot read the folder of shipped tuning records %.1024s: %s; give another one", folder,
                strerror(errno));
  for (int i = 0; i < count && status == CLA_OK; i++) {
    const size_t size = strlen(folder) + strlen(names[i]->d_name) + 2;
    char *path = NULL;
    status = ALLOCATE_ARRAY(&path, (int64_t)size, "a path", error);
    if (status != CLA_OK) break;
    snprintf(path, size, "%s/%s", folder, names[i]->d_name);
    status = add_source(tuning, path, false, head, error);
  }
  for (int i = 0; i < count; i++) free(names[i]);
  free(names);
  if (tuning->source_count > first)
    qsort(tuning->sources + first, (size_t)(tuning->source_count - first), sizeof *tuning->sources,
          compare_shipped);
  return status;
}

cla_status tuning_lookup(cla_tuning **out, const cla_device_info *device, const cla_tuning_folders *folders,
                         cla_error *error) {
  cla_tuning *tuning = NULL;
  tuning_record head;
  tuning_record_head(&head, device);
  snprintf(head.chip, sizeof head.chip, "%s", device->chip);
  *out = NULL;
  cla_status status = ALLOCATE_ZEROS(&tuning, 1, "tuning records", error);
  if (status == CLA_OK && folders && folders->user)
    status = add_user_record(tuning, folders->user, device, &head, error);
  if (status == CLA_OK && folders && folders->shipped)
    status = add_shipped_records(tuning, folders->shipped, &head, error);
  if (status == CLA_OK)
    *out = tuning;
  else
    cla_tuning_free(tuning);
  return status;
}

cla_status cla_tuning_load(cla_tuning **out, const cla_device *device, const cla_tuning_folders *folders,
                           cla_error *error) {
  return tuning_lookup(out, cla_device_describe(device), folders, error);
}

void cla_tuning_free(cla_tuning *tuning) {
  if (!tuning) return;
  for (int64_t i = 0; i < tuning->source_count; i++) {
    tuning_record_free(&tuning->sources[i].record);
    free(tuning->sources[i].path);
  }
  for (int64_t i = 0; i < tuning->warning_count; i++) free((char *)tuning->warnings[i].text);
  free(tuning->sources);
  free(tuning->warnings);
  free(tuning);
}

const cla_tuning_warning *cla_tuning_warnings(const cla_tuning *tuning, size_t *count) {
  *count = (size_t)tuning->warning_count;
  return tuning->warnings;
}

tuning_walk tuning_walk_begin(const cla_tuning *tuning, const tuning_problem *problem) {
  int64_t shorter = problem->rows < problem->columns ? problem->rows : problem->columns;
  if (shorter < LEAST_LENGTH) shorter = LEAST_LENGTH;
  return (tuning_walk){.tuning = tuning,
                       .local = problem->local,
                       .matrix = problem->matrix,
                       .two_pieces = problem->two_pieces,
                       .size = log((double)shorter),
                       .entry_index = -1,
                       .distance = -1,
                       .reach = log(REACH)};
}

/* Returns the distance of the entry from the problem, or INFINITY if the entry cannot be used. */
static double distance_of(const tuning_walk *walk, const tuning_entry *entry) {
  const double distance = fabs(log((double)entry->length) - walk->size);
  if (entry->local != walk->local || entry->matrix != walk->matrix || distance > walk->reach) return INFINITY;
  if (entry->two_pieces == walk->two_pieces) return distance;
  return walk->two_pieces ? distance + OTHER_GAPS : INFINITY;
}

/* Returns the entry of `record` that follows (walk->distance, walk->entry_index) in the walk's order, or
 * NULL. */
static const tuning_entry *next_in_record(tuning_walk *walk, const tuning_record *record) {
  const tuning_entry *found = NULL;
  int64_t index = 0;
  double least = INFINITY;
  for (int64_t i = 0; i < record->entry_count; i++) {
    const tuning_entry *entry = &record->entries[i];
    const double distance = distance_of(walk, entry);
    const bool was_given =
        distance < walk->distance || (distance == walk->distance && i <= walk->entry_index);
    if (was_given || distance >= least) continue;
    least = distance;
    found = entry;
    index = i;
  }
  if (found) {
    walk->distance = least;
    walk->entry_index = index;
  }
  return found;
}

const tuning_entry *tuning_walk_next(tuning_walk *walk) {
  while (walk->tuning && walk->source_index < walk->tuning->source_count) {
    walk->source = &walk->tuning->sources[walk->source_index];
    const tuning_entry *entry = next_in_record(walk, &walk->source->record);
    if (entry) return entry;
    walk->source_index++;
    walk->distance = -1;
    walk->entry_index = -1;
  }
  walk->source = NULL;
  return NULL;
}

void tuning_source_describe(char *out, size_t size, const tuning_source *source) {
  static const char *const ways[] = {[TUNING_BY_DEVICE] = "by device",
                                     [TUNING_BY_CHIP] = "by chip ",
                                     [TUNING_BY_VENDOR] = "by vendor",
                                     [TUNING_BY_NOTHING] = "for any device"};
  const char *slash = strrchr(source->path, '/');
  char scaled[64] = "";
  if (source->timed > 0)
    snprintf(scaled, sizeof scaled, ", scaled from %d to %d units", source->timed, source->has_units);
  if (source->user)
    snprintf(out, size, "user record %s", source->path);
  else
    snprintf(out, size, "shipped record %s (%s%s%s)", slash ? slash + 1 : source->path, ways[source->kinship],
             source->kinship == TUNING_BY_CHIP ? source->chip : "", scaled);
}

cla_status cla_tuning_describe(char **out, const cla_tuning *tuning, cla_error *error) {
  char one[1200], *text = NULL;
  int64_t length = 0, capacity = 0;
  cla_status status = allocate_text(out, "", error);
  for (int64_t i = 0; status == CLA_OK && i < tuning->source_count; i++) {
    tuning_source_describe(one, sizeof one, &tuning->sources[i]);
    const int64_t more = (int64_t)strlen(one);
    status = ALLOCATE_GROW(&text, &capacity, length + more + 2, "a text", error);
    if (status != CLA_OK) break;
    length += snprintf(text + length, (size_t)more + 2, "%s\n", one);
  }
  if (status == CLA_OK && text) {
    free(*out);
    *out = text;
  } else {
    free(text);
  }
  if (status != CLA_OK) {
    free(*out);
    *out = NULL;
  }
  return status;
}

double tuning_seconds(const cla_tuning *tuning, const kernel_config *config, bool region,
                      const tuning_problem *problem, const tuning_source **source) {
  tuning_walk walk = tuning_walk_begin(tuning, problem);
  bool (*same)(const kernel_config *, const kernel_config *) =
      region ? kernel_same_but_tile : kernel_same_config;
  const tuning_entry *entry = NULL;
  if (region) walk.reach = INFINITY;
  while ((entry = tuning_walk_next(&walk)) && !same(&entry->config, config)) continue;
  if (source) *source = walk.source;
  return entry ? time_model_seconds(&entry->model, problem->rows, problem->columns) : -1;
}
