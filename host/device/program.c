#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/machine.h"
#include "device/device.h"
#include "device/program.h"

#define LINES_AROUND 5

/* Returns the number of the first source line that the build log names, as in "FILE:307:12:"; 0 if there is
 * none. */
static long blamed_line(const char *log) {
  for (const char *colon = strchr(log, ':'); colon; colon = strchr(colon + 1, ':')) {
    char *end = NULL;
    const long line = strtol(colon + 1, &end, 10);
    if (line > 0 && *end == ':' && strtol(end + 1, NULL, 10) > 0) return line;
  }
  return 0;
}

/* Adds the source lines around line `blamed`, with their numbers; all lines if `blamed` is 0. */
static void add_numbered(kernel_text *out, const char *source, long blamed) {
  long number = 1;
  for (const char *line = source; *line; number++) {
    char prefix[32];
    const size_t length = strcspn(line, "\n");
    const int digits = snprintf(prefix, sizeof prefix, "%4ld ", number);
    const bool wanted = blamed <= 0 || (number >= blamed - LINES_AROUND && number <= blamed + LINES_AROUND);
    if (wanted &&
        (kernel_text_add(out, prefix, (size_t)digits, NULL) != CLA_OK ||
         kernel_text_add(out, line, length, NULL) != CLA_OK || kernel_text_add(out, "\n", 1, NULL) != CLA_OK))
      return;
    line += length + (line[length] == '\n');
  }
}

/* The source and options of a program. */
typedef struct build_source {
  const char *file, *options;
  const char *text; /* the file's text with its includes replaced by their text */
} build_source;

/* Sets an error with the options, the build log, and the numbered source lines where the build failed. */
static cla_status build_failed(const cla_device *device, cl_program program, cl_int code,
                               const build_source *source, cla_error *error) {
  size_t size = 0;
  char *log = NULL;
  kernel_text numbered = {0};
  if (clGetProgramBuildInfo(program, device->id, CL_PROGRAM_BUILD_LOG, 0, NULL, &size) == CL_SUCCESS &&
      size > 0)
    log = calloc(size + 1, 1);
  if (log) clGetProgramBuildInfo(program, device->id, CL_PROGRAM_BUILD_LOG, size, log, NULL);
  add_numbered(&numbered, source->text, log ? blamed_line(log) : 0);
  cla_status status = error_set(
      error, CLA_ERROR_DEVICE,
      "building kernel %s for %s failed with %s (%d), options '%s'; try another --device\n%.900s\n%s",
      source->file, device->info.name, opencl_error_name(code), code, source->options, log ? log : "",
      numbered.data ? numbered.data : "");
  free(numbered.data);
  free(log);
  return status;
}

#define OPTIONS_SIZE 1024

static cla_status compile(cl_program *out, const cla_device *device, const build_source *source,
                          cla_error *error) {
  cl_int code = CL_SUCCESS;
  *out = NULL;
  if (device->compiling) {
    const cla_status ended = device->compiling(device->compiling_user, error);
    if (ended != CLA_OK) return ended;
  }
  *out = clCreateProgramWithSource(device->on->context, 1, (const char *[]){source->text}, NULL, &code);
  cla_status status = device_check(device, code, "clCreateProgramWithSource", error);
  if (status != CLA_OK) return status;
  char options[OPTIONS_SIZE];
  snprintf(options, sizeof options, "%s -w",
           source->options); /* -w keeps PoCL from printing the number of warnings */
  code = clBuildProgram(*out, 1, &device->id, options, NULL, NULL);
  if (code == CL_SUCCESS) return CLA_OK;
  status = build_failed(device, *out, code, source, error);
  clReleaseProgram(*out);
  *out = NULL;
  return status;
}

/* Returns the program of a cached binary; NULL if there is none or the driver refuses it. The options are
 * passed again, because drivers such as NVIDIA's may compile a binary further. */
static cl_program build_cached(cla_device *device, const char *key, const char *options) {
  uint8_t *binary = NULL;
  size_t binary_bytes = 0;
  cl_int code = CL_SUCCESS, accepted = CL_SUCCESS;
  cl_uint kernels = 0;
  if (!program_cache_load(&binary, &binary_bytes, device->cache_path, key)) return NULL;
  const unsigned char *bytes = binary;
  cl_program program =
      clCreateProgramWithBinary(device->on->context, 1, &device->id, &binary_bytes, &bytes, &accepted, &code);
  if (code == CL_SUCCESS) code = accepted;
  if (code == CL_SUCCESS) code = clBuildProgram(program, 1, &device->id, options, NULL, NULL);
  if (code == CL_SUCCESS) code = clCreateKernelsInProgram(program, 0, NULL, &kernels);
  free(binary);
  if (code == CL_SUCCESS && kernels > 0) return program;
  if (program) clReleaseProgram(program);
  device->builds.refused++;
  return NULL;
}

/* Loads or compiles the program of `file`. *unsaved_key is set if the program was compiled and can be cached.
 */
static cla_status build(cl_program *out, char **unsaved_key, cla_device *device, const char *file,
                        const char *options, cla_error *error) {
  kernel_text source = {0};
  char *key = NULL;
  *out = NULL;
  cla_status status = kernel_source_collect(&source, device->kernel_path, file, error);
  if (status == CLA_OK && !source.data)
    status = error_set(error, CLA_ERROR_DEVICE,
                       "kernel file %s is empty; the kernel folder must hold every file of cl/", file);
  if (status == CLA_OK) status = device_start(device, error);
  if (status == CLA_OK && device->cache_path)
    status = program_cache_key(&key, device, options, source.data, error);
  if (status != CLA_OK) goto done;
  if (key) *out = build_cached(device, key, options);
  if (*out) {
    device->builds.from_cache++;
    goto done;
  }
  status = compile(out, device, &(build_source){file, options, source.data}, error);
  if (status != CLA_OK) goto done;
  device->builds.from_source++;
  *unsaved_key = key;
  key = NULL;

done:
  free(key);
  free(source.data);
  return status;
}

static device_program *find_entry(const cla_device *device, const char *name) {
  device_program *entry = device->programs;
  while (entry && strcmp(entry->name, name) != 0) entry = entry->next;
  return entry;
}

/* Programs that threads build at the same time, each with its own entry. */
typedef struct builds_ahead {
  cla_device *device;
  const wanted_program *wanted[PROGRAMS_AT_ONCE];
  device_program *entries[PROGRAMS_AT_ONCE];
  int count;
  atomic_int next;
} builds_ahead;

/* Adds an entry for the program, unless it is built or has one. Without memory for the entry, device_build
 * builds the program later. */
static void add_ahead(builds_ahead *ahead, const wanted_program *wanted) {
  char name[1024];
  device_program *entry = NULL;
  snprintf(name, sizeof name, "%s %s", wanted->file, wanted->options);
  if (find_entry(ahead->device, name)) return;
  for (int i = 0; i < ahead->count; i++)
    if (strcmp(ahead->entries[i]->name, name) == 0) return;
  if (ALLOCATE_ZEROS(&entry, 1, "a program", NULL) != CLA_OK) return;
  if (allocate_text(&entry->name, name, NULL) != CLA_OK) {
    free(entry);
    return;
  }
  ahead->wanted[ahead->count] = wanted;
  ahead->entries[ahead->count++] = entry;
}

static void build_ahead(void *user, int thread) {
  builds_ahead *ahead = user;
  (void)thread;
  for (int i; (i = atomic_fetch_add(&ahead->next, 1)) < ahead->count;) {
    device_program *entry = ahead->entries[i];
    const wanted_program *wanted = ahead->wanted[i];
    cla_error unused;
    (void)build(&entry->program, &entry->unsaved_key, ahead->device, wanted->file, wanted->options, &unused);
  }
}

void device_build_ahead(cla_device *device, const wanted_program *wanted, int count) {
  builds_ahead ahead = {.device = device};
  for (int i = 0; i < count && i < PROGRAMS_AT_ONCE; i++) add_ahead(&ahead, wanted + i);
  /* Mesa 22.3.6 gets one request at a time. A single program is left to device_build. */
  const bool several = ahead.count > 1 && strcmp(device->info.platform, "rusticl") != 0;
  if (several && device_start(device, NULL) == CLA_OK) parallel_run(ahead.count, build_ahead, &ahead);
  for (int i = 0; i < ahead.count; i++) {
    device_program *entry = ahead.entries[i];
    if (entry->program) {
      entry->next = device->programs;
      device->programs = entry;
      continue;
    }
    free(entry->name);
    free(entry);
  }
}

cla_status device_build(cl_program *out, cla_device *device, const char *file, const char *options,
                        cla_error *error) {
  char name[1024];
  device_program *entry = NULL;
  snprintf(name, sizeof name, "%s %s", file, options);
  entry = find_entry(device, name);
  *out = entry ? entry->program : NULL;
  if (entry) return CLA_OK;
  cla_status status = ALLOCATE_ZEROS(&entry, 1, "a program", error);
  if (status != CLA_OK) return status;
  status = allocate_text(&entry->name, name, error);
  if (status == CLA_OK) status = build(&entry->program, &entry->unsaved_key, device, file, options, error);
  if (status != CLA_OK) {
    free(entry->name);
    free(entry);
    return status;
  }
  entry->next = device->programs;
  device->programs = entry;
  *out = entry->program;
  return CLA_OK;
}
