#ifndef HOST_STORE_SEALED_FILE_LAYOUT_H
#define HOST_STORE_SEALED_FILE_LAYOUT_H

#include "store/sealed_file.h"

/* A sealed file: this header, a zstd stream, and this end. */

#define SEALED_FILE_MAGIC "CLARUN\r\n"
#define SEALED_FILE_BYTE_ORDER UINT32_C(0x01020304) /* as the machine that wrote the file stores it */

typedef struct sealed_header {
  char magic[8];
  uint32_t version, byte_order;
  sealed_kind kind;
  char zero[4];
} sealed_header;

typedef struct sealed_end {
  int64_t content_bytes; /* before compression */
  uint64_t checksum;     /* XXH3-64 of everything before it */
} sealed_end;

_Static_assert(sizeof(sealed_header) == 40 && sizeof(sealed_end) == 16, "the layout has no padding");

#endif
