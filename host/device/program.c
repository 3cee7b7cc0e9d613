#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/error.h"
#include "device/device.h"
#include "device/embedded_kernels.h"

#define INCLUDE_DEPTH 8

typedef struct text {
  char *data;
  int64_t length, capacity;
} text;

static cla_status text_add(text *t, const char *from, size_t length, cla_error *error) {
  cla_status status = allocate_grow((void **)&t->data, &t->capacity, t->length + (int64_t)length + 1, 1,
                                    "kernel source", error);
  if (status != CLA_OK) return status;
  memcpy(t->data + t->length, from, length);
  t->length += (int64_t)length;
  t->data[t->length] = '\0';
  return CLA_OK;
}

/* The file from the folder that overrides the embedded kernels. */
static cla_status read_override(text *out, const char *folder, const char *name, cla_error *error) {
  char path[4096], block[4096];
  cla_status status = CLA_OK;
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "rb");
  if (!file)
    return error_set(error, CLA_ERROR_DEVICE,
                     "%s: kernel file cannot be read; the kernel folder must hold every file of cl/", path);
  size_t got = 0;
  while (status == CLA_OK && (got = fread(block, 1, sizeof block, file)) > 0)
    status = text_add(out, block, got, error);
  if (status == CLA_OK && ferror(file))
    status = error_set(error, CLA_ERROR_DEVICE, "%s: reading the kernel file failed", path);
  fclose(file);
  return status;
}

static cla_status read_embedded(text *out, const char *name, cla_error *error) {
  for (size_t i = 0; i < embedded_kernel_count; i++)
    if (strcmp(embedded_kernels[i].name, name) == 0)
      return text_add(out, embedded_kernels[i].source, strlen(embedded_kernels[i].source), error);
  return error_set(error, CLA_ERROR_DEVICE, "kernel file %s is not part of this build", name);
}

/* The file's name in a line `#include "name"`, or false. */
static bool parse_include(const char *line, size_t length, char *name, size_t size) {
  static const char start[] = "#include \"";
  if (length < sizeof start || strncmp(line, start, sizeof start - 1) != 0) return false;
  const char *begin = line + sizeof start - 1;
  const char *end = memchr(begin, '"', (size_t)(line + length - begin));
  if (!end || (size_t)(end - begin) >= size) return false;
  memcpy(name, begin, (size_t)(end - begin));
  name[end - begin] = '\0';
  return true;
}

/* Appends `name`'s text with its includes in place, so that no compiler has to look for files. */
static cla_status collect_source(text *out, const cla_device *device, const char *name, int depth,
                                 cla_error *error) {
  text raw = {0};
  cla_status status = depth > INCLUDE_DEPTH
                          ? error_set(error, CLA_ERROR_DEVICE, "kernel file %s includes itself", name)
                      : device->kernel_path ? read_override(&raw, device->kernel_path, name, error)
                                            : read_embedded(&raw, name, error);
  const char *line = raw.data;
  while (status == CLA_OK && line && *line) {
    char included[256];
    const char *newline = strchr(line, '\n');
    size_t length = newline ? (size_t)(newline - line) + 1 : strlen(line);
    if (parse_include(line, length, included, sizeof included))
      status = collect_source(out, device, included, depth + 1, error);
    else
      status = text_add(out, line, length, error);
    line += length;
  }
  free(raw.data);
  return status;
}

#define LINES_AROUND 5

/* The number of the first source line that the build log names, as in "FILE:307:12:"; 0 if none. */
static long blamed_line(const char *log) {
  for (const char *colon = strchr(log, ':'); colon; colon = strchr(colon + 1, ':')) {
    char *end = NULL;
    const long line = strtol(colon + 1, &end, 10);
    if (line > 0 && *end == ':' && strtol(end + 1, NULL, 10) > 0) return line;
  }
  return 0;
}

/* The lines around `blamed`, with their numbers; all from the start where nothing is blamed. */
static void add_numbered(text *out, const char *source, long blamed) {
  long number = 1;
  for (const char *line = source; *line; number++) {
    char prefix[32];
    const size_t length = strcspn(line, "\n");
    const int digits = snprintf(prefix, sizeof prefix, "%4ld ", number);
    const bool wanted = blamed <= 0 || (number >= blamed - LINES_AROUND && number <= blamed + LINES_AROUND);
    if (wanted && (text_add(out, prefix, (size_t)digits, NULL) != CLA_OK ||
                   text_add(out, line, length, NULL) != CLA_OK || text_add(out, "\n", 1, NULL) != CLA_OK))
      return;
    line += length + (line[length] == '\n');
  }
}

/* The build log, the options and the numbered source where it failed, as one error. */
static cla_status build_failed(const cla_device *device, cl_program program, cl_int code, const char *file,
                               const char *options, const char *source, cla_error *error) {
  size_t size = 0;
  char *log = NULL;
  text numbered = {0};
  if (clGetProgramBuildInfo(program, device->id, CL_PROGRAM_BUILD_LOG, 0, NULL, &size) == CL_SUCCESS &&
      size > 0)
    log = calloc(size + 1, 1);
  if (log) clGetProgramBuildInfo(program, device->id, CL_PROGRAM_BUILD_LOG, size, log, NULL);
  add_numbered(&numbered, source, log ? blamed_line(log) : 0);
  cla_status status = error_set(
      error, CLA_ERROR_DEVICE,
      "building kernel %s for %s failed with %s (%d), options '%s'; try another --device\n%.900s\n%s", file,
      device->info.name, opencl_error_name(code), code, options, log ? log : "",
      numbered.data ? numbered.data : "");
  free(numbered.data);
  free(log);
  return status;
}

static cla_status build(cl_program *out, const cla_device *device, const char *file, const char *options,
                        cla_error *error) {
  text source = {0};
  cl_int code = CL_SUCCESS;
  cla_status status = collect_source(&source, device, file, 0, error);
  if (status == CLA_OK && !source.data)
    status = error_set(error, CLA_ERROR_DEVICE,
                       "kernel file %s is empty; the kernel folder must hold every file of cl/", file);
  if (status != CLA_OK) goto done;
  const char *data = source.data;
  *out = clCreateProgramWithSource(device->context, 1, &data, NULL, &code);
  status = device_check(device, code, "clCreateProgramWithSource", error);
  if (status != CLA_OK) goto done;
  code = clBuildProgram(*out, 1, &device->id, options, NULL, NULL);
  if (code != CL_SUCCESS) {
    status = build_failed(device, *out, code, file, options, data, error);
    clReleaseProgram(*out);
    *out = NULL;
  }

done:
  free(source.data);
  return status;
}

cla_status device_build(cl_program *out, cla_device *device, const char *file, const char *options,
                        cla_error *error) {
  char key[1024];
  device_program *entry = NULL;
  snprintf(key, sizeof key, "%s %s", file, options);
  for (entry = device->programs; entry; entry = entry->next)
    if (strcmp(entry->key, key) == 0) {
      *out = entry->program;
      return CLA_OK;
    }
  *out = NULL;
  cla_status status = allocate_array((void **)&entry, 1, sizeof *entry, "a program", error);
  if (status != CLA_OK) return status;
  status = allocate_text(&entry->key, key, error);
  if (status == CLA_OK) status = build(&entry->program, device, file, options, error);
  if (status != CLA_OK) {
    free(entry->key);
    free(entry);
    return status;
  }
  entry->next = device->programs;
  device->programs = entry;
  *out = entry->program;
  return CLA_OK;
}
