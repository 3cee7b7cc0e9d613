/* Text on its way into a file of BGZF blocks, which bgzip, tabix and every reader of gzip take. */

#include <errno.h>
#include <htslib/bgzf.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/files.h"
#include "write/writer.h"

#define LEVEL (-1) /* zlib's default */

typedef struct packer {
  FILE *plain;
  size_t used;
  char text[BGZF_BLOCK_SIZE], block[BGZF_MAX_BLOCK_SIZE];
} packer;

/* Compresses the text that waits; without any, this is the mark of the end. */
static bool put_block(packer *pack) {
  size_t bytes = sizeof pack->block;
  errno = 0;
  if (bgzf_compress(pack->block, &bytes, pack->text, pack->used, LEVEL) != 0) {
    if (!errno) errno = EIO;
    return false;
  }
  pack->used = 0;
  return fwrite(pack->block, 1, bytes, pack->plain) == bytes;
}

static ssize_t take_bytes(void *cookie, const char *bytes, size_t count) {
  packer *pack = cookie;
  for (size_t taken = 0; taken < count;) {
    const size_t room = sizeof pack->text - pack->used;
    const size_t part = count - taken < room ? count - taken : room;
    memcpy(pack->text + pack->used, bytes + taken, part);
    pack->used += part;
    taken += part;
    if (pack->used == sizeof pack->text && !put_block(pack)) return 0;
  }
  return (ssize_t)count;
}

static int end_stream(void *cookie) {
  packer *pack = cookie;
  const bool right = (pack->used == 0 || put_block(pack)) && put_block(pack);
  const int error_number = errno;
  free(pack);
  errno = error_number;
  return right ? 0 : EOF;
}

cla_status compressed_stream_open(FILE **out, FILE *plain, cla_error *error) {
  static const cookie_io_functions_t functions = {.write = take_bytes, .close = end_stream};
  packer *pack = NULL;
  cla_status status = allocate_array((void **)&pack, 1, sizeof *pack, "a compressed output", error);
  if (status != CLA_OK) return status;
  pack->plain = plain;
  pack->used = 0;
  *out = fopencookie(pack, "w", functions);
  if (*out) return CLA_OK;
  free(pack);
  return error_set(error, CLA_ERROR_MEMORY, "out of memory for a compressed output; free some memory");
}

cla_status compressed_stream_close(FILE *stream, const char *name, cla_error *error) {
  const bool lost = ferror(stream);
  const int earlier = lost && errno ? errno : EIO;
  errno = 0;
  const bool closed = fclose(stream) == 0;
  if (!lost && closed) return CLA_OK;
  const int error_number = lost ? earlier : errno ? errno : EIO;
  cla_status status =
      error_set(error, CLA_ERROR_OUTPUT, "cannot write %.1024s: %s; %s",
                name ? name : "the compressed output", strerror(error_number), output_remedy(error_number));
  errno = error_number;
  return status;
}
