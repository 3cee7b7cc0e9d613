#ifndef HOST_DEVICE_PROGRAM_CACHE_H
#define HOST_DEVICE_PROGRAM_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "device/device.h"

/* Built programs, kept in a folder from one process to the next.
 *
 * One file per program, "<XXH3-128 of the key, hexadecimal>.program", in the form of program_entry.h. The key
 * holds all that the binary depends on, source and driver included, so that nothing in the folder ever
 * becomes wrong; whoever wants may delete any of it at any time.
 *
 * A cache that cannot be read or written is no error: the caller then builds from source, as without one. So
 * no function here reports why. An entry is trusted only if it is the user's own and nobody else can write
 * it, because a binary is code: files that others own or may write count as damaged.
 *
 * Several processes may use the folder at once: entries appear under their names complete (atomic_file.h),
 * whoever writes the same one last wins, and both are right. */

/* The key of `source` (includes in place) built with `options` for `device`, on the heap. */
cla_status program_cache_key(char **key, const cla_device *device, const char *options, const char *source,
                             cla_error *error);

/* The binary stored under `key`, on the heap; false if there is none that can be used. Remembers that the
 * entry was in use today. */
bool program_cache_load(uint8_t **binary, size_t *binary_bytes, const char *folder, const char *key);

/* Creates `folder` and what is missing above it, for this user alone. False if entries cannot be stored
 * there. */
bool program_cache_prepare(const char *folder);

/* Stores a binary, in place of what there is under the key, in a folder that is prepared if need be. Then
 * makes room: entries that were not used for PROGRAM_CACHE_DAYS go, and the longest unused ones while all
 * together are larger than PROGRAM_CACHE_BYTES. False if nothing could be stored. */
bool program_cache_store(const char *folder, const char *key, const uint8_t *binary, size_t binary_bytes);

#define PROGRAM_CACHE_DAYS 90
#define PROGRAM_CACHE_BYTES (INT64_C(256) << 20)

/* The making room alone, as of `now`, seconds since the epoch. Touches only files named as entries are, and
 * temporary files that a process left behind more than a day ago. */
void program_cache_trim(const char *folder, int64_t now, int64_t limit_bytes);

/* The file of `key`. False if its path is too long. */
bool program_cache_path(char *out, size_t size, const char *folder, const char *key);

#endif
