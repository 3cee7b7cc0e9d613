#ifndef CLALIGN_TUNE_H
#define CLALIGN_TUNE_H

#include <stdbool.h>
#include <stddef.h>

#include "clalign/device.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Tuning records: the fastest kernels and parameters on a device, and their times. Records are text files
 * (docs/tuning.md). A record never changes a result, only the time needed to compute it. */

/* The tuning records for one device, in the order in which they are looked up. They are immutable, so several
 * threads may use them at the same time. */
typedef struct cla_tuning cla_tuning;

/* The folders of records; either may be NULL. */
typedef struct cla_tuning_folders {
  const char *user;    /* folder of the user's records made on this machine; need not exist */
  const char *shipped; /* folder of the records shipped with clalign, for kinds of devices */
} cla_tuning_folders;

/* A warning about a record that is not used. */
typedef struct cla_tuning_warning {
  const char *text; /* a line with the file, the problem and the remedy */
  bool malformed; /* true: the record is damaged or unreadable, so the warning should always be shown; false:
                     stale */
} cla_tuning_warning;

/* Loads the records for `device`: first the user's records, then the shipped records for such devices, the
 * most specific record first. A record that is malformed (refused whole, with its line) or stale (made with
 * another driver or other kernels) is left out with a warning. If there is no record, the status is CLA_OK,
 * and kernels are chosen by rules. Errors: CLA_ERROR_MEMORY. The caller frees *out with cla_tuning_free. */
cla_status cla_tuning_load(cla_tuning **out, const cla_device *device, const cla_tuning_folders *folders,
                           cla_error *error);

/* Frees the records; NULL is allowed. */
void cla_tuning_free(cla_tuning *tuning);

/* Returns the warnings of loading, and sets *count to their number; `tuning` owns them. */
const cla_tuning_warning *cla_tuning_warnings(const cla_tuning *tuning, size_t *count);

/* Sets *out to a line for each used record, in the order in which records are asked. A line has the record's
 * file and how it was chosen: "shipped record nvidia.txt (by chip sm_90)". Without records, the text is
 * empty, and rules choose. The caller frees *out with free(). CLA_ERROR_MEMORY. */
cla_status cla_tuning_describe(char **out, const cla_tuning *tuning, cla_error *error);

/* Sets *out to the path of the user's record for `device` in `folder`, whether or not the file exists. Each
 * platform, device and number of compute units has its own record. The caller frees *out with free().
 * CLA_ERROR_MEMORY. */
cla_status cla_tuning_path(char **out, const char *folder, const cla_device_info *device, cla_error *error);

#ifdef __cplusplus
}
#endif

#endif
