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

/* The kernels' text comes from the embedded files of cl/, or from a folder whose files replace them. Kernels
 * include files by name alone, so file names are unique in all folders of cl/. */

/* Text that grows at the end. Zero-initialise; free `data` (NULL while nothing was added) with free(). */
typedef struct kernel_text {
  char *data; /* zero-terminated */
  int64_t length, capacity;
} kernel_text;

cla_status kernel_text_add(kernel_text *text, const char *from, size_t length, cla_error *error);

/* Appends the file called `name`, with its includes replaced by their text. `folder`, if not NULL, replaces
 * the embedded files; its files may lie in subfolders, as in cl/. CLA_ERROR_DEVICE names a file that is
 * missing or exists twice. */
cla_status kernel_source_collect(kernel_text *out, const char *folder, const char *name, cla_error *error);

/* Built programs, kept in a folder from one process to the next.
 *
 * The folder has one file per program, "<XXH3-128 of the key, hexadecimal>.program", whose format
 * program_entry_encode writes. The key holds everything on which the binary depends, including source and
 * driver. So no entry ever becomes wrong, and any file may be deleted at any time.
 *
 * A folder that cannot be read or written is no error: the caller builds from source, and the functions do
 * not report why. A binary is code, so an entry is trusted only if the user owns the file and nobody else can
 * write it; other files count as damaged.
 *
 * Several processes may use the folder simultaneously. Entries appear under their names only when they are
 * complete (base/files.h). If two processes write the same entry, both versions are correct, and the later
 * one stays.
 */

/* Makes the key of a program from its source (with included text), its options and its device. The caller
 * frees *key with free(). */
cla_status program_cache_key(char **key, const cla_device *device, const char *options, const char *source,
                             cla_error *error);

/* Loads the binary stored under `key`; the caller frees *binary with free(). False if there is no usable
 * entry. The entry's modification time is updated at most once a day, to show its last use. */
bool program_cache_load(uint8_t **binary, size_t *binary_bytes, const char *folder, const char *key);

/* Creates `folder` and the missing folders above it, accessible to this user only. False if entries cannot be
 * stored in `folder`. */
bool program_cache_prepare(const char *folder);

/* Prepares the folder and stores a binary under the key, in place of an earlier one. Then calls
 * program_cache_trim with PROGRAM_CACHE_BYTES. False if the binary could not be stored. */
bool program_cache_store(const char *folder, const char *key, const uint8_t *binary, size_t binary_bytes);

#define PROGRAM_CACHE_DAYS 90
#define PROGRAM_CACHE_BYTES (INT64_C(256) << 20)

/* Removes entries that were not used for PROGRAM_CACHE_DAYS. Then removes the least recently used ones
 * until the remaining ones fit into `limit_bytes`. Also removes temporary files older than a day. No other
 * files are touched. now: seconds since the epoch. */
void program_cache_trim(const char *folder, int64_t now, int64_t limit_bytes);

/* Writes the path of the file for `key`. False if the path is too long. */
bool program_cache_path(char *out, size_t size, const char *folder, const char *key);

/* The format of a file that holds a built program. Integers are little-endian:
 *
 *    0  8  "CLAPROG\n"
 *    8  8  version of this format
 *   16  8  bytes of the key
 *   24  8  bytes of the binary
 *   32     the key, then the binary
 *    . 16  XXH3-128 of all before it, canonical; the file ends here
 *
 * Readers compare the whole key, so that two keys with the same file name are not confused. */

#define PROGRAM_ENTRY_VERSION 1

/* Makes the bytes of the file for `binary` and `key`. The caller frees *out with free(). CLA_ERROR_MEMORY. */
cla_status program_entry_encode(uint8_t **out, size_t *out_bytes, const char *key, const uint8_t *binary,
                                size_t binary_bytes, cla_error *error);

/* Finds the binary within a file's bytes. False unless program_entry_encode makes exactly these bytes for
 * `key` and a binary of at least one byte. */
bool program_entry_decode(const uint8_t **binary, size_t *binary_bytes, const uint8_t *bytes, size_t length,
                          const char *key);

/* When programs are written to the folder. PoCL 3.1 makes a binary by compiling the kernel again. If a
 * command of that kernel runs at that time in any queue of the process, an assertion ends the process. So
 * binaries are made only while no other device is open. Programs of other devices wait until the last device
 * is closed. */

/* Counts the device as open until program_save_leave. Waits while another thread makes binaries. */
void program_save_join(cla_device *device);

/* Stops counting the device as open; does nothing if it was not counted. Call it before the device's programs
 * are freed. */
void program_save_leave(cla_device *device);

#endif
