#ifndef HOST_RUNS_SEALED_JSON_H
#define HOST_RUNS_SEALED_JSON_H

#include <jansson.h>
#include <stdint.h>

#include "clalign/status.h"

/* The JSON files of a run directory: an object with "format" and "version", and with "checksum", the XXH3-128
 * of the object without it, written compactly with sorted keys. */

#define SEALED_JSON_VERSION 1

/* XXH3-128 of the object's compact form. CLA_ERROR_MEMORY. */
cla_status sealed_json_checksum(uint8_t checksum[16], const json_t *object, cla_error *error);

/* Adds the three keys and writes the file: complete or not at all. CLA_ERROR_OUTPUT, CLA_ERROR_MEMORY. */
cla_status sealed_json_write(const char *path, const char *format, json_t *object, cla_error *error);

/* Reads and checks a file. The caller ends *out with json_decref. CLA_ERROR_INPUT describes the file's fault,
 * as the end of a sentence that the caller begins with its name. CLA_ERROR_MEMORY. */
cla_status sealed_json_read(json_t **out, const char *path, const char *format, cla_error *error);

/* Completes the error of a failed reading. If the file is wrong, the message gets its name and the remedy. */
void sealed_json_explain(cla_error *error, cla_status status, const char *path, const cla_error *reason);

#endif
