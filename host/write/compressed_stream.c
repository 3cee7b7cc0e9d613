/* A stream that compresses text into a file of BGZF blocks, which can be read by bgzip, tabix and every
 * reader of gzip. */

#include <errno.h>
#include <htslib/bgzf.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/files.h"
#include "base/machine.h"
#include "write/writer.h"

#define LEVEL (-1) /* zlib's default */
/* Number of blocks per thread that are compressed together. */
#define BLOCKS_OF_THREAD 4

typedef struct packed_block {
  size_t count;
  bool failed;
  char bytes[BGZF_MAX_BLOCK_SIZE];
} packed_block;

typedef struct packer {
  FILE *plain;
  int threads;
  size_t used, room;    /* bytes of text, and bytes allocated */
  char *text;           /* owned; blocks of BGZF_BLOCK_SIZE */
  packed_block *blocks; /* owned; one for each block of `text` */
  int block_count;      /* number of blocks with text */
  atomic_int next;      /* index of the next block to compress */
} packer;

/* Compresses blocks; any thread may run this function. */
static void pack_blocks(void *user, int thread) {
  packer *pack = user;
  (void)thread;
  for (int i; (i = atomic_fetch_add(&pack->next, 1)) < pack->block_count;) {
    packed_block *block = &pack->blocks[i];
    const size_t begin = (size_t)i * BGZF_BLOCK_SIZE, left = pack->used - begin;
    block->count = sizeof block->bytes;
    block->failed = bgzf_compress(block->bytes, &block->count, pack->text + begin,
                                  left < BGZF_BLOCK_SIZE ? left : BGZF_BLOCK_SIZE, LEVEL) != 0;
  }
}

/* Compresses and writes the collected text. If there is no text, writes the end mark. */
static bool put_blocks(packer *pack) {
  pack->block_count = pack->used > 0 ? (int)((pack->used + BGZF_BLOCK_SIZE - 1) / BGZF_BLOCK_SIZE) : 1;
  atomic_store(&pack->next, 0);
  parallel_run(pack->threads < pack->block_count ? pack->threads : pack->block_count, pack_blocks, pack);
  pack->used = 0;
  errno = 0;
  for (int i = 0; i < pack->block_count; i++) {
    const packed_block *block = &pack->blocks[i];
    if (!block->failed && fwrite(block->bytes, 1, block->count, pack->plain) == block->count) continue;
    if (!errno) errno = EIO;
    return false;
  }
  return true;
}

static ssize_t take_bytes(void *cookie, const char *bytes, size_t count) {
  packer *pack = cookie;
  for (size_t taken = 0; taken < count;) {
    const size_t left = count - taken, room = pack->room - pack->used, part = left < room ? left : room;
    memcpy(pack->text + pack->used, bytes + taken, part);
    pack->used += part;
    taken += part;
    if (pack->used == pack->room && !put_blocks(pack)) return 0;
  }
  return (ssize_t)count;
}

static void free_packer(packer *pack) {
  free(pack->text);
  free(pack->blocks);
  free(pack);
}

static int end_stream(void *cookie) {
  packer *pack = cookie;
  const bool right = (pack->used == 0 || put_blocks(pack)) && put_blocks(pack);
  const int error_number = errno;
  free_packer(pack);
  errno = error_number;
  return right ? 0 : EOF;
}

cla_status compressed_stream_open(FILE **out, FILE *plain, int threads, cla_error *error) {
  static const cookie_io_functions_t functions = {.write = take_bytes, .close = end_stream};
  const int blocks = threads > 1 ? BLOCKS_OF_THREAD * threads : 1;
  packer *pack = NULL;
  *out = NULL;
  cla_status status = ALLOCATE_ZEROS(&pack, 1, "a compressed output", error);
  if (status != CLA_OK) return status;
  pack->plain = plain;
  pack->threads = threads;
  pack->room = (size_t)blocks * BGZF_BLOCK_SIZE;
  status = allocate_array((void **)&pack->text, blocks, BGZF_BLOCK_SIZE, "a compressed output", error);
  if (status == CLA_OK) status = ALLOCATE_ARRAY(&pack->blocks, blocks, "a compressed output", error);
  if (status == CLA_OK) *out = fopencookie(pack, "w", functions);
  if (*out) return CLA_OK;
  free_packer(pack);
  return status != CLA_OK
             ? status
             : error_set(error, CLA_ERROR_MEMORY, "out of memory for a compressed output; free some memory");
}

cla_status compressed_stream_close(FILE *stream, const char *name, cla_error *error) {
  const bool lost = ferror(stream);
  const int earlier = lost && errno ? errno : EIO;
  errno = 0;
  const bool closed = fclose(stream) == 0;
  if (!lost && closed) return CLA_OK;
  return output_failed(name, "compressed", lost ? earlier : errno, error);
}
