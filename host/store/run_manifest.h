#ifndef HOST_STORE_RUN_MANIFEST_H
#define HOST_STORE_RUN_MANIFEST_H

#include "clalign/run_directory.h"

/* manifest.json of a run directory: what defines the run's result, and what the caller left there. */

/* Writes the manifest. CLA_ERROR_OUTPUT, CLA_ERROR_MEMORY. */
cla_status run_manifest_write(const char *folder, const cla_run_directory *run, cla_error *error);

/* The run's key, which ties its files together: XXH3-128 of what defines the result. */
cla_status run_manifest_key(uint8_t key[16], const cla_run_directory *run, cla_error *error);

/* Whether `folder` has a manifest, readable or not. */
bool run_manifest_exists(const char *folder);

#endif
