#include "cli/commands/device_report.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "clalign/version.h"
#include "clalign/write.h"
#include "cli/report/private_text.h"
#include "cli/report/report.h"

#define FORMAT "clalign report"
#define FORMAT_VERSION 1
#define RECORD_MOST (1 << 20) /* bytes of the largest record that is taken into a report */

const char *device_kind_name(cla_device_kind kind) {
  return kind == CLA_DEVICE_CPU ? "cpu" : kind == CLA_DEVICE_GPU ? "gpu" : "other";
}

json_t *device_object(const cla_device_info *device) {
  return json_pack(
      "{si ss so so so so so so si si sI sI sI sI}", "index", device->index, "kind",
      device_kind_name(device->kind), "name", json_driver_text(device->name), "chip",
      json_driver_text(device->chip), "platform", json_driver_text(device->platform), "vendor",
      json_driver_text(device->vendor), "version", json_driver_text(device->version), "driver",
      json_driver_text(device->driver), "compute_units", device->compute_units, "native_short_lanes",
      device->native_short_lanes, "memory_bytes", (json_int_t)device->memory_bytes, "max_allocation_bytes",
      (json_int_t)device->max_allocation_bytes, "local_memory_bytes", (json_int_t)device->local_memory_bytes,
      "max_group_size", (json_int_t)device->max_group_size);
}

/* Sets a key of the object; an object or a value that is NULL means that memory was short. */
static void set(device_report *report, json_t *object, const char *key, json_t *value) {
  if (json_object_set_new(object, key, value) != 0) report->failed = true;
}

static void append(device_report *report, json_t *array, json_t *value) {
  if (json_array_append_new(array, value) != 0) report->failed = true;
}

/* Returns a text for others as JSON; NULL if memory is short. */
static json_t *public_string(const device_report *report, const char *text) {
  char *shown = public_text(text, report->hidden);
  json_t *string = shown ? json_driver_text(shown) : NULL;
  free(shown);
  return string;
}

/* Reads the value of a line such as "model name : x" or PRETTY_NAME="x" from a file; empty if there is none.
 */
static void read_value(char *out, size_t size, const char *path, const char *key) {
  char line[512];
  FILE *file = fopen(path, "r");
  out[0] = '\0';
  while (file && !out[0] && fgets(line, sizeof line, file)) {
    if (strncmp(line, key, strlen(key)) != 0) continue;
    char *value = line + strlen(key) + strspn(line + strlen(key), " \t:=\"");
    value[strcspn(value, "\"\n")] = '\0';
    snprintf(out, size, "%s", value);
  }
  if (file) fclose(file);
}

static json_t *host_object(const device_report *report) {
  char processor[256], system[256];
  struct utsname own;
  memset(&own, 0, sizeof own);
  uname(&own);
  read_value(processor, sizeof processor, "/proc/cpuinfo", "model name");
  read_value(system, sizeof system, "/etc/os-release", "PRETTY_NAME");
  return json_pack("{so sI sI so so ss}", "processor", json_driver_text(processor), "threads",
                   (json_int_t)sysconf(_SC_NPROCESSORS_ONLN), "memory_bytes",
                   (json_int_t)sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE), "system",
                   public_string(report, system), "kernel", public_string(report, own.release), "machine",
                   own.machine);
}

static json_t *extensions_array(const char *list) {
  json_t *array = json_array();
  for (const char *word = list; array && *word; word += strspn(word, " ")) {
    const size_t length = strcspn(word, " ");
    if (length > 0 && json_array_append_new(array, json_stringn(word, length)) != 0) {
      json_decref(array);
      return NULL;
    }
    word += length;
  }
  return array;
}

static cla_status write_report(device_report *report, cla_error *error) {
  char *text = report->failed ? NULL : json_dumps(report->root, JSON_INDENT(1) | JSON_REAL_PRECISION(6));
  char *lines = text ? malloc(strlen(text) + 2) : NULL;
  cla_status status = CLA_ERROR_MEMORY;
  if (lines) {
    snprintf(lines, strlen(text) + 2, "%s\n", text);
    status = cla_write_text(report->path, lines, error);
  } else {
    cli_error(error, status, "out of memory for the report %.512s; free some memory", report->path);
  }
  free(lines);
  free(text);
  return status;
}

/* Writes what is known so far, unless the report can be written only once. */
static void write_stage(device_report *report) {
  if (!report->once) write_report(report, NULL);
}

cla_status device_report_begin(device_report *report, const char *path, cla_error *error) {
  char day[16] = "";
  struct stat about;
  struct tm date;
  const time_t now = time(NULL);
  if (!path) return CLA_OK;
  report->path = strcmp(path, "-") == 0 ? "/dev/stdout" : path;
  report->once = stat(report->path, &about) == 0 && !S_ISREG(about.st_mode) && !S_ISDIR(about.st_mode);
  if (strcmp(path, "-") == 0) report->once = true;
  if (gmtime_r(&now, &date)) strftime(day, sizeof day, "%Y-%m-%d", &date);
  report->root =
      json_pack("{ss si ss sb ss sb so so so sn s[] sn s[] s[]}", "format", FORMAT, "version", FORMAT_VERSION,
                "made", day, "complete", 0, "clalign", cla_version(), "own_kernels",
                cli_device_has_own_kernels(), "libraries", json_components(), "loader", json_null(), "host",
                host_object(report), "device", "self_test", "tuning", "bench", "failures");
  report->failed = !report->root;
  return report->once ? CLA_OK : write_report(report, error);
}

void device_report_facts(device_report *report, const cli_device_facts *facts, bool opened) {
  const cla_device_info *info = &facts->info;
  static const char *const counters[] = {"none", "atomics", "ptx"};
  static const char *const shuffles[] = {"none", "khr", "intel"};
  if (!report->path) return;
  if (facts->loader[0]) set(report, report->root, "loader", json_driver_text(facts->loader));
  if (opened) {
    json_t *device = device_object(info);
    json_t *more = json_pack("{ss ss si si sb so}", "counters", counters[info->counters], "shuffle",
                             shuffles[info->shuffle], "sub_group_sizes", info->sub_group_sizes,
                             "lockstep_items", info->lockstep_items, "packed_pairs", info->packed_pairs,
                             "extensions", extensions_array(facts->extensions));
    if (!device || !more || json_object_update(device, more) != 0) report->failed = true;
    json_decref(more);
    set(report, report->root, "device", device);
  }
  write_stage(report);
}

void device_report_trials(device_report *report, const char *key, const char *scores, const cla_trial *trials,
                          size_t count) {
  if (!report->path) return;
  for (size_t i = 0; i < count; i++) {
    const cla_trial *trial = &trials[i];
    append(
        report, json_object_get(report->root, key),
        json_pack("{ss ss ss sI ss ss so so}", "scores", scores, "kernel", trial->kernel, "mode", trial->mode,
                  "length", (json_int_t)trial->length, "outcome", cla_trial_word(trial->outcome), "config",
                  trial->config, "gcups_raw", trial->gcups > 0 ? json_real(trial->gcups) : json_null(),
                  "message", public_string(report, trial->message)));
  }
  write_stage(report);
}

/* Returns the text of a regular file; NULL if it cannot be read. */
static char *read_text(const char *path) {
  struct stat about;
  FILE *file = NULL;
  if (stat(path, &about) == 0 && S_ISREG(about.st_mode) && about.st_size <= RECORD_MOST)
    file = fopen(path, "r");
  char *text = file ? calloc((size_t)about.st_size + 1, 1) : NULL;
  if (text && fread(text, 1, (size_t)about.st_size, file) != (size_t)about.st_size) text[0] = '\0';
  if (file) fclose(file);
  return text;
}

void device_report_tuning(device_report *report, const char *record, const cla_tune_summary *summary) {
  if (!report->path) return;
  char *text = record ? read_text(record) : NULL;
  set(report, report->root, "tuning",
      json_pack("{so sI sI sI sI sI sI si si si}", "record", text && *text ? json_string(text) : json_null(),
                "measured", (json_int_t)summary->measured, "build_failed", (json_int_t)summary->build_failed,
                "refused", (json_int_t)summary->refused, "wrong", (json_int_t)summary->wrong, "hung",
                (json_int_t)summary->hung, "crashed", (json_int_t)summary->crashed, "classes_done",
                summary->classes_done, "classes_kept", summary->classes_kept, "classes_missing",
                summary->classes_missing));
  free(text);
  write_stage(report);
}

void device_report_failure(device_report *report, const char *stage, const char *message) {
  if (!report->path) return;
  append(report, json_object_get(report->root, "failures"),
         json_pack("{ss so}", "stage", stage, "message", public_string(report, message)));
  write_stage(report);
}

cla_status device_report_end(device_report *report, bool complete, cla_error *error) {
  if (!report->path || !report->root) return CLA_OK;
  set(report, report->root, "complete", json_boolean(complete));
  const cla_status status = write_report(report, error);
  json_decref(report->root);
  report->root = NULL;
  return status;
}
