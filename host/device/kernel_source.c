#include "device/program.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/error.h"

#define INCLUDE_DEPTH 8
#define PATH_SIZE 4096

cla_status kernel_text_add(kernel_text *text, const char *from, size_t length, cla_error *error) {
  cla_status status =
      ALLOCATE_GROW(&text->data, &text->capacity, text->length + (int64_t)length + 1, "kernel source", error);
  if (status != CLA_OK) return status;
  memcpy(text->data + text->length, from, length);
  text->length += (int64_t)length;
  text->data[text->length] = '\0';
  return CLA_OK;
}

/* Finds a file in the folder that replaces the embedded kernels. As in cl/, the file may lie in the folder or
 * in a subfolder. */
static cla_status find_override(char *path, size_t size, const char *folder, const char *name,
                                cla_error *error) {
  bool found = false;
  cla_status status = CLA_OK;
  snprintf(path, size, "%s/%s", folder, name);
  if (access(path, F_OK) == 0) return CLA_OK;
  DIR *stream = opendir(folder);
  for (const struct dirent *entry; status == CLA_OK && stream && (entry = readdir(stream));) {
    char inside[PATH_SIZE];
    snprintf(inside, sizeof inside, "%s/%s/%s", folder, entry->d_name, name);
    if (entry->d_name[0] == '.' || access(inside, F_OK) != 0) continue;
    if (found)
      status =
          error_set(error, CLA_ERROR_DEVICE, "%s and %s: a kernel file may be there only once", path, inside);
    else
      snprintf(path, size, "%s", inside);
    found = true;
  }
  if (stream) closedir(stream);
  if (status != CLA_OK || found) return status;
  return error_set(error, CLA_ERROR_DEVICE,
                   "%s: neither the folder nor a folder in it has the kernel file %s; the kernel folder must "
                   "hold every file of cl/",
                   folder, name);
}

static cla_status read_override(kernel_text *out, const char *folder, const char *name, cla_error *error) {
  char path[PATH_SIZE], block[4096];
  cla_status status = find_override(path, sizeof path, folder, name, error);
  if (status != CLA_OK) return status;
  FILE *file = fopen(path, "rb");
  if (!file) return error_set(error, CLA_ERROR_DEVICE, "%s: kernel file cannot be read", path);
  size_t got = 0;
  while (status == CLA_OK && (got = fread(block, 1, sizeof block, file)) > 0)
    status = kernel_text_add(out, block, got, error);
  if (status == CLA_OK && ferror(file))
    status = error_set(error, CLA_ERROR_DEVICE, "%s: reading the kernel file failed", path);
  fclose(file);
  return status;
}

static cla_status read_embedded(kernel_text *out, const char *name, cla_error *error) {
  for (size_t i = 0; i < embedded_kernel_count; i++)
    if (strcmp(embedded_kernels[i].name, name) == 0)
      return kernel_text_add(out, embedded_kernels[i].source, strlen(embedded_kernels[i].source), error);
  return error_set(error, CLA_ERROR_DEVICE, "kernel file %s is not part of this build", name);
}

/* Copies the file's name from a line `#include "name"`; false for other lines. */
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

/* Appends the text of file `name`. Each include is replaced by the included text, so that no compiler has to
 * find files. */
static cla_status collect(kernel_text *out, const char *folder, const char *name, int depth,
                          cla_error *error) {
  kernel_text raw = {0};
  cla_status status = depth > INCLUDE_DEPTH
                          ? error_set(error, CLA_ERROR_DEVICE, "kernel file %s includes itself", name)
                      : folder ? read_override(&raw, folder, name, error)
                               : read_embedded(&raw, name, error);
  const char *line = raw.data;
  while (status == CLA_OK && line && *line) {
    char included[256];
    const char *newline = strchr(line, '\n');
    size_t length = newline ? (size_t)(newline - line) + 1 : strlen(line);
    if (parse_include(line, length, included, sizeof included))
      status = collect(out, folder, included, depth + 1, error);
    else
      status = kernel_text_add(out, line, length, error);
    line += length;
  }
  free(raw.data);
  return status;
}

cla_status kernel_source_collect(kernel_text *out, const char *folder, const char *name, cla_error *error) {
  return collect(out, folder, name, 0, error);
}
