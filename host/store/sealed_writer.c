#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>
#include <zstd.h>

#include "base/allocate.h"
#include "base/atomic_file.h"
#include "base/error.h"
#include "store/sealed_file_layout.h"

#define COMPRESSION_LEVEL 1 /* of rows, 3 gains 5 % and takes three times as long */
#define BLOCK_BYTES (1 << 17)

struct sealed_writer {
  atomic_file *file;
  char *path;
  ZSTD_CCtx *zstd;
  XXH3_state_t *checksum;
  void *block;
  int64_t content_bytes;
  int failed; /* errno of the first failure, or 0 */
};

static void free_writer(sealed_writer *writer) {
  atomic_file_discard(writer->file);
  ZSTD_freeCCtx(writer->zstd);
  XXH3_freeState(writer->checksum);
  free(writer->block);
  free(writer->path);
  free(writer);
}

/* Writes as it is. */
static void write_bytes(sealed_writer *writer, const void *bytes, size_t count) {
  if (writer->failed) return;
  errno = 0;
  if (fwrite(bytes, 1, count, atomic_file_stream(writer->file)) != count)
    writer->failed = errno ? errno : EIO;
  XXH3_64bits_update(writer->checksum, bytes, count);
}

cla_status sealed_writer_open(sealed_writer **out, const char *path, const sealed_kind *kind,
                              cla_error *error) {
  sealed_writer *writer = NULL;
  cla_status status = allocate_zeros((void **)&writer, 1, sizeof *writer, "a file of a run", error);
  *out = NULL;
  if (status != CLA_OK) return status;
  status = allocate_text(&writer->path, path, error);
  if (status == CLA_OK) status = allocate_array(&writer->block, BLOCK_BYTES, 1, "a file of a run", error);
  if (status == CLA_OK) {
    writer->zstd = ZSTD_createCCtx();
    writer->checksum = XXH3_createState();
    if (!writer->zstd || !writer->checksum)
      status =
          error_set(error, CLA_ERROR_MEMORY, "out of memory to compress %.1024s; free some memory", path);
  }
  if (status == CLA_OK) status = atomic_file_open(&writer->file, path, error);
  if (status != CLA_OK) {
    free_writer(writer);
    return status;
  }
  ZSTD_CCtx_setParameter(writer->zstd, ZSTD_c_compressionLevel, COMPRESSION_LEVEL);
  XXH3_64bits_reset(writer->checksum);
  sealed_header header = {
      .version = SEALED_FILE_VERSION, .byte_order = SEALED_FILE_BYTE_ORDER, .kind = *kind};
  memcpy(header.magic, SEALED_FILE_MAGIC, sizeof header.magic);
  write_bytes(writer, &header, sizeof header);
  *out = writer;
  return CLA_OK;
}

static void compress(sealed_writer *writer, const void *bytes, int64_t count, ZSTD_EndDirective directive) {
  ZSTD_inBuffer in = {.src = bytes, .size = (size_t)count};
  size_t left = 0;
  do {
    ZSTD_outBuffer out = {.dst = writer->block, .size = BLOCK_BYTES};
    left = ZSTD_compressStream2(writer->zstd, &out, &in, directive);
    if (ZSTD_isError(left)) writer->failed = ENOMEM;
    if (!writer->failed && out.pos > 0) write_bytes(writer, writer->block, out.pos);
  } while (!writer->failed && (in.pos < in.size || (directive == ZSTD_e_end && left > 0)));
}

void sealed_writer_put(sealed_writer *writer, const void *bytes, int64_t count) {
  if (writer->failed) return;
  writer->content_bytes += count;
  compress(writer, bytes, count, ZSTD_e_continue);
}

cla_status sealed_writer_commit(sealed_writer *writer, cla_error *error) {
  cla_status status = CLA_OK;
  compress(writer, NULL, 0, ZSTD_e_end);
  sealed_end end = {.content_bytes = writer->content_bytes};
  write_bytes(writer, &end.content_bytes, sizeof end.content_bytes);
  end.checksum = XXH3_64bits_digest(writer->checksum);
  write_bytes(writer, &end.checksum, sizeof end.checksum);
  if (writer->failed) {
    status = error_set(error, CLA_ERROR_OUTPUT, "cannot write %.1024s: %s; %s", writer->path,
                       strerror(writer->failed), output_remedy(writer->failed));
  } else {
    status = atomic_file_commit(writer->file, error);
    writer->file = NULL;
  }
  free_writer(writer);
  return status;
}
