#include "runs/sealed_json.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/error.h"
#include "base/files.h"

/* Digits of a real number. With 15 digits, every digit changes the number, so the checksum detects an altered
 * digit. */
#define DIGITS JSON_REAL_PRECISION(15)

static cla_status out_of_memory(cla_error *error) {
  return error_set(error, CLA_ERROR_MEMORY, "out of memory for a run directory; free some memory");
}

cla_status sealed_json_checksum(uint8_t checksum[16], const json_t *object, cla_error *error) {
  XXH128_canonical_t canonical;
  char *text = json_dumps(object, JSON_COMPACT | JSON_SORT_KEYS | JSON_ENSURE_ASCII | DIGITS);
  if (!text) return out_of_memory(error);
  XXH128_canonicalFromHash(&canonical, XXH3_128bits(text, strlen(text)));
  memcpy(checksum, canonical.digest, sizeof canonical.digest);
  free(text);
  return CLA_OK;
}

/* Writes the object's checksum to `text`, as 32 hexadecimal digits. */
static cla_status checksum_text(char text[33], const json_t *object, cla_error *error) {
  uint8_t checksum[16] = {0};
  cla_status status = sealed_json_checksum(checksum, object, error);
  for (size_t i = 0; status == CLA_OK && i < sizeof checksum; i++)
    snprintf(text + 2 * i, 3, "%02x", checksum[i]);
  return status;
}

cla_status sealed_json_write(const char *path, const char *format, json_t *object, cla_error *error) {
  char text[33];
  atomic_file *file = NULL;
  if (json_object_set_new(object, "format", json_string(format)) != 0 ||
      json_object_set_new(object, "version", json_integer(SEALED_JSON_VERSION)) != 0)
    return out_of_memory(error);
  cla_status status = checksum_text(text, object, error);
  if (status == CLA_OK && json_object_set_new(object, "checksum", json_string(text)) != 0)
    status = out_of_memory(error);
  if (status == CLA_OK) status = atomic_file_open(&file, path, error);
  if (status != CLA_OK) return status;
  errno = 0;
  const int code = json_dumpf(object, atomic_file_stream(file), JSON_INDENT(2) | JSON_SORT_KEYS | DIGITS);
  if (code == 0 && fputc('\n', atomic_file_stream(file)) != EOF) return atomic_file_commit(file, error);
  const int reason = errno ? errno : EIO;
  atomic_file_discard(file);
  return error_set(error, CLA_ERROR_OUTPUT, "cannot write %.1024s: %s; %s", path, strerror(reason),
                   output_remedy(reason));
}

static cla_status check(json_t *object, const char *format, cla_error *error) {
  char text[33];
  const char *found = json_string_value(json_object_get(object, "format"));
  const char *sum = json_string_value(json_object_get(object, "checksum"));
  const json_t *version = json_object_get(object, "version");
  if (!found || strcmp(found, format) != 0 || !json_is_integer(version) || !sum)
    return error_set(error, CLA_ERROR_INPUT, "is not a %s, or is altered", format);
  if (json_integer_value(version) != SEALED_JSON_VERSION)
    return error_set(error, CLA_ERROR_INPUT, "has format version %lld, or is altered; this program reads %d",
                     (long long)json_integer_value(version), SEALED_JSON_VERSION);
  char wanted[33];
  snprintf(wanted, sizeof wanted, "%s", sum);
  json_object_del(object, "checksum");
  cla_status status = checksum_text(text, object, error);
  if (status == CLA_OK && strcmp(text, wanted) != 0)
    status = error_set(error, CLA_ERROR_INPUT, "is altered: its checksum does not hold");
  return status;
}

cla_status sealed_json_read(json_t **out, const char *path, const char *format, cla_error *error) {
  json_error_t reason;
  *out = NULL;
  errno = 0;
  FILE *file = fopen(path, "rbe");
  if (!file) return error_set(error, CLA_ERROR_INPUT, "cannot be read: %s", strerror(errno));
  json_t *object = json_loadf(file, JSON_REJECT_DUPLICATES, &reason);
  const int read_error = ferror(file) ? errno : 0;
  fclose(file);
  if (!object && read_error)
    return error_set(error, CLA_ERROR_INPUT, "cannot be read: %s", strerror(read_error));
  if (!object)
    return error_set(error, CLA_ERROR_INPUT, "is truncated or altered: %.160s in line %d", reason.text,
                     reason.line);
  cla_status status = json_is_object(object) ? check(object, format, error)
                                             : error_set(error, CLA_ERROR_INPUT, "is not a %s", format);
  if (status == CLA_OK)
    *out = object;
  else
    json_decref(object);
  return status;
}

void sealed_json_explain(cla_error *error, cla_status status, const char *path, const cla_error *reason) {
  if (status == CLA_ERROR_INPUT)
    error_set(error, status, "%.1024s %.512s; restore it, or begin again in another --run-dir", path,
              reason->message);
  else
    error_set(error, status, "%s", reason->message);
}
