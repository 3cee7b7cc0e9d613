#ifndef HOST_WRITE_ALIGNMENT_FILE_H
#define HOST_WRITE_ALIGNMENT_FILE_H

/* The container of a .cla file (docs/internals/format-cla.md): header, payload, digest. All integers are
 * little-endian. The reader and writer are cla_alignment_save and cla_alignment_load. */

#define ALIGNMENT_FILE_MAGIC \
  "\x89"                     \
  "CLA\r\n\x1a\n" /* eight bytes that a transfer as text would change */
#define ALIGNMENT_FILE_MAGIC_BYTES 8
#define ALIGNMENT_FILE_HEADER_BYTES 40 /* magic, version, count, coding, 0, payload bytes, stored bytes */
#define ALIGNMENT_FILE_DIGEST_BYTES 16
#define ALIGNMENT_FILE_COUNT_LIMIT 65535

typedef enum alignment_file_coding {
  ALIGNMENT_FILE_PLAIN = 0,
  ALIGNMENT_FILE_ZSTD = 1, /* one zstd frame */
} alignment_file_coding;

/* A payload is at most ALIGNMENT_FILE_RATIO times its stored size plus ALIGNMENT_FILE_FREE_BYTES. So a
 * small file cannot require much memory. A payload with a higher compression ratio is stored uncompressed. */
#define ALIGNMENT_FILE_RATIO 16
#define ALIGNMENT_FILE_FREE_BYTES (INT64_C(1) << 20)

#endif
