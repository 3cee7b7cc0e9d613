#ifndef HOST_DEVICE_PROGRAM_H
#define HOST_DEVICE_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "clalign/status.h"
#include "device/device.h"

/* The files of cl/, embedded by tools/embed_kernels.c when the library is built. */
typedef struct embedded_kernel {
  const char *name;   /* the file's name without its folder, "common.clh" */
  const char *source; /* the file's text, zero-terminated, static */
} embedded_kernel;

/* The `embedded_kernel_count` embedded files, ordered by name. */
extern const embedded_kernel embedded_kernels[];
extern const size_t embedded_kernel_count;

/* The kernels' text: the embedded files of cl/, or a folder's that replace them. Kernels include files by
 * their names alone: no two folders of cl/ have files of one name. */

/* Text that grows at the end. Zero-initialise; free `data` (NULL while nothing was added) with free(). */
typedef struct kernel_text {
  char *data; /* zero-terminated */
  int64_t length, capacity;
} kernel_text;

cla_status kernel_text_add(kernel_text *text, const char *from, size_t length, cla_error *error);

/* Appends the file called `name` with its includes in place, so that no compiler has to look for files.
 * `folder`, if not NULL, replaces the embedded files; its files may lie in folders, as in cl/.
 * CLA_ERROR_DEVICE names a file that is missing or is there twice. */
cla_status kernel_source_collect(kernel_text *out, const char *folder, const char *name, cla_error *error);

/* Built programs, kept in a folder from one process to the next.
 *
 * One file per program, "<XXH3-128 of the key, hexadecimal>.program", in the form of a program entry (see
 * below). The key holds all that the binary depends on, source and driver included. So no entry ever becomes
 * wrong, and any file may be deleted at any time.
 *
 * A cache that cannot be read or written is no error: the caller builds from source, and no function here
 * reports why. A binary is code. So an entry is trusted only if the user owns it and nobody else can write
 * it; other files count as damaged.
 *
 * Several processes may use the folder at once. Entries appear complete under their names (base/files.h). If
 * two processes write the same entry, both are right, and the last one stays. */

/* The key of `source` (includes in place) built with `options` for `device`, on the heap. */
cla_status program_cache_key(char **key, const cla_device *device, const char *options, const char *source,
                             cla_error *error);

/* Loads the binary stored under `key`, to the heap. False if there is no usable one. Notes that the entry was
 * used today. */
bool program_cache_load(uint8_t **binary, size_t *binary_bytes, const char *folder, const char *key);

/* Creates `folder` and the missing folders above it, for this user alone. False if entries cannot be stored
 * there. */
bool program_cache_prepare(const char *folder);

/* Stores a binary under the key, and replaces an earlier one. The folder is prepared first. Then entries are
 * removed that were not used for PROGRAM_CACHE_DAYS, and the longest unused ones while all exceed
 * PROGRAM_CACHE_BYTES. False if nothing could be stored. */
bool program_cache_store(const char *folder, const char *key, const uint8_t *binary, size_t binary_bytes);

#define PROGRAM_CACHE_DAYS 90
#define PROGRAM_CACHE_BYTES (INT64_C(256) << 20)

/* The making room alone, as of `now`, seconds since the epoch. Touches only files named as entries are, and
 * temporary files that a process left behind more than a day ago. */
void program_cache_trim(const char *folder, int64_t now, int64_t limit_bytes);

/* The file of `key`. False if its path is too long. */
bool program_cache_path(char *out, size_t size, const char *folder, const char *key);

/* A built program as the bytes of a file. Integers are little-endian:
 *
 *    0  8  "CLAPROG\n"
 *    8  8  version of this format
 *   16  8  bytes of the key
 *   24  8  bytes of the binary
 *   32     the key, then the binary
 *    . 16  XXH3-128 of all before it, canonical; the file ends here
 *
 * The key is compared in full on reading, so that two keys with the same file name cannot be mistaken for
 * each other. */

#define PROGRAM_ENTRY_VERSION 1

/* The entry of `binary` under `key`, on the heap. CLA_ERROR_MEMORY. */
cla_status program_entry_encode(uint8_t **out, size_t *out_bytes, const char *key, const uint8_t *binary,
                                size_t binary_bytes, cla_error *error);

/* Finds the binary within `bytes`. False unless they are exactly program_entry_encode's bytes for `key` and a
 * binary of at least one byte. */
bool program_entry_decode(const uint8_t **binary, size_t *binary_bytes, const uint8_t *bytes, size_t length,
                          const char *key);

/* The time at which programs go into the folder of built programs. PoCL 3.1 makes a binary by compiling the
 * kernel once more. If a command of that kernel runs meanwhile in any queue of the process, an assertion ends
 * the process. So binaries are made only while no other device is open. Programs that are proved right
 * earlier wait for the last device to be closed. */

/* Counts the device as open, until program_save_leave. Waits while binaries are made. */
void program_save_join(cla_device *device);

/* Ends the count of an open device; does nothing for others. To be called before the device's programs are
 * freed. */
void program_save_leave(cla_device *device);

#endif
