#ifndef HOST_RUNS_SEALED_FILE_H
#define HOST_RUNS_SEALED_FILE_H

#include <stdint.h>

#include "clalign/status.h"

/* The binary files of a run directory (docs/internals/format-run-dir.md). They are compressed, tied to one
 * run, and checked as a whole before any content is used. A file appears under its name only when it is
 * complete. */

#define SEALED_FILE_VERSION 1

/* The kind of a file, and the run to which the file belongs. */
typedef struct sealed_kind {
  char name[4];
  uint8_t key[16]; /* key of the run */
} sealed_kind;

typedef struct sealed_writer sealed_writer;

cla_status sealed_writer_open(sealed_writer **out, const char *path, const sealed_kind *kind,
                              cla_error *error);

/* Adds bytes to the content. After a failure, further calls do nothing; sealed_writer_commit reports the
 * failure. */
void sealed_writer_put(sealed_writer *writer, const void *bytes, int64_t count);

/* Completes, syncs and renames the file, and frees the writer, also after an error. CLA_ERROR_OUTPUT names
 * the path and the remedy; no file is then left under the name. */
cla_status sealed_writer_commit(sealed_writer *writer, cla_error *error);

typedef struct sealed_reader sealed_reader;

/* Opens a file and checks all of it. Errors: CLA_ERROR_MEMORY; CLA_ERROR_INPUT, whose message describes what
 * is wrong with the file, such as "is truncated or altered". The message is the end of a sentence that the
 * caller starts with the file's name. */
cla_status sealed_reader_open(sealed_reader **out, const char *path, const sealed_kind *kind,
                              cla_error *error);

/* Reads the next `count` bytes of the content. CLA_ERROR_INPUT if fewer are left. */
cla_status sealed_reader_get(sealed_reader *reader, void *bytes, int64_t count, cla_error *error);

/* NULL is allowed. */
void sealed_reader_close(sealed_reader *reader);

/* A sealed file consists of a sealed_header, a zstd stream, and a sealed_end. */

#define SEALED_FILE_MAGIC "CLARUN\r\n"
/* Stored in the byte order of the machine that writes the file. */
#define SEALED_FILE_BYTE_ORDER UINT32_C(0x01020304)

typedef struct sealed_header {
  char magic[8];
  uint32_t version, byte_order;
  sealed_kind kind;
  char zero[4];
} sealed_header;

typedef struct sealed_end {
  int64_t content_bytes; /* bytes of the content before compression */
  uint64_t checksum;     /* XXH3-64 of all bytes before the checksum */
} sealed_end;

_Static_assert(sizeof(sealed_header) == 40 && sizeof(sealed_end) == 16, "the layout has no padding");

#endif
