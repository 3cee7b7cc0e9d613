#ifndef CLALIGN_TUNE_H
#define CLALIGN_TUNE_H

#include <stdbool.h>
#include <stddef.h>

#include "clalign/device.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Tuning records: which kernel and parameters are fastest on a device, and how long they take. They are text
 * files (docs/tuning.md). A record never changes a result, only its time. */

/* The records that hold for one device, in the order in which they are asked. Immutable: several threads may
 * use it at once. */
typedef struct cla_tuning cla_tuning;

/* The folders of records; either may be NULL. */
typedef struct cla_tuning_folders {
  const char *user;    /* records that this machine's user made; need not exist */
  const char *shipped; /* records that come with clalign, for kinds of devices */
} cla_tuning_folders;

/* A warning about a record that is not used. */
typedef struct cla_tuning_warning {
  const char *text; /* a line with the file, its fault and the remedy */
  bool malformed;   /* damaged or unreadable, which should be told in any case; else stale */
} cla_tuning_warning;

/* Loads the records for `device`: the user's own, then the shipped ones that fit it, the most specific first.
 * A record that is malformed (refused whole, with its line) or stale (made with another driver or other
 * kernels) is left out with a warning. None at all is CLA_OK: kernels are then chosen by rule. Errors:
 * CLA_ERROR_MEMORY. End with cla_tuning_free. */
cla_status cla_tuning_load(cla_tuning **out, const cla_device *device, const cla_tuning_folders *folders,
                           cla_error *error);

/* NULL is allowed. */
void cla_tuning_free(cla_tuning *tuning);

/* The warnings of loading, `*count` of them; owned by `tuning`. */
const cla_tuning_warning *cla_tuning_warnings(const cla_tuning *tuning, size_t *count);

/* The path of the user's record for `device` in `folder`, whether it exists or not: one for each platform,
 * device and number of compute units. The caller frees *out with free(). CLA_ERROR_MEMORY. */
cla_status cla_tuning_path(char **out, const char *folder, const cla_device_info *device, cla_error *error);

#ifdef __cplusplus
}
#endif

#endif
