#ifndef HOST_RUNS_SEALED_JSON_H
#define HOST_RUNS_SEALED_JSON_H

#include <jansson.h>
#include <stdint.h>

#include "clalign/status.h"

/* The JSON files of a run directory. Each holds an object with "format", "version" and "checksum". The
 * checksum is the XXH3-128 of the object without the key "checksum", in compact form with sorted keys. */

#define SEALED_JSON_VERSION 1

/* Computes the XXH3-128 of the object's compact form with sorted keys. CLA_ERROR_MEMORY. */
cla_status sealed_json_checksum(uint8_t checksum[16], const json_t *object, cla_error *error);

/* Adds the three keys to the object, and writes the file, complete or not at all. CLA_ERROR_OUTPUT,
 * CLA_ERROR_MEMORY. */
cla_status sealed_json_write(const char *path, const char *format, json_t *object, cla_error *error);

/* Reads and checks a file. The caller frees *out with json_decref. Errors: CLA_ERROR_MEMORY; CLA_ERROR_INPUT,
 * whose message describes what is wrong with the file. The message is the end of a sentence that the caller
 * starts with the file's name. */
cla_status sealed_json_read(json_t **out, const char *path, const char *format, cla_error *error);

/* Sets *error after reading the file at `path` failed with `reason`. If the file is at fault, adds the file's
 * name and the remedy. */
void sealed_json_explain(cla_error *error, cla_status status, const char *path, const cla_error *reason);

#endif
