#include "runs/sealed_file.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>
#include <zstd.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/files.h"

#define COMPRESSION_LEVEL 1 /* zstd level; level 3 makes rows 5 % smaller, in three times the time */
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

/* Writes bytes without compression. */
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
  cla_status status = ALLOCATE_ZEROS(&writer, 1, "a file of a run", error);
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

struct sealed_reader {
  FILE *file;
  ZSTD_DCtx *zstd;
  XXH3_state_t *checksum;
  char *block;
  ZSTD_inBuffer in;
  int64_t stream_left; /* number of bytes of the zstd stream not read yet */
};

static cla_status fault(cla_error *error, const char *text) {
  return error_set(error, CLA_ERROR_INPUT, "%s", text);
}

static cla_status altered(cla_error *error) {
  return fault(error, "is truncated or altered");
}

static cla_status unreadable(cla_error *error) {
  return error_set(error, CLA_ERROR_INPUT, "cannot be read: %s", strerror(errno ? errno : EIO));
}

/* Checks the header's fields, each before the fields that depend on it. */
static cla_status check_header(const sealed_header *header, const sealed_kind *kind, cla_error *error) {
  if (memcmp(header->magic, SEALED_FILE_MAGIC, sizeof header->magic) != 0)
    return fault(error, "is not a file of a run directory, or altered");
  if (header->byte_order != SEALED_FILE_BYTE_ORDER)
    return fault(error, "comes from a machine of another byte order, or is altered");
  if (header->version != SEALED_FILE_VERSION)
    return error_set(error, CLA_ERROR_INPUT, "has format version %u, or is altered; this program reads %d",
                     header->version, SEALED_FILE_VERSION);
  if (memcmp(header->kind.name, kind->name, sizeof kind->name) != 0)
    return fault(error, "is another kind of file, or altered");
  if (memcmp(header->kind.key, kind->key, sizeof kind->key) != 0)
    return fault(error, "belongs to another run, or is altered");
  return CLA_OK;
}

/* Reads the whole file, compares the checksum, and returns to the start of the zstd stream. */
static cla_status check_whole(sealed_reader *reader, const sealed_kind *kind, cla_error *error) {
  sealed_header header;
  sealed_end end;
  if (fread(&header, 1, sizeof header, reader->file) != sizeof header)
    return ferror(reader->file) ? unreadable(error) : altered(error);
  cla_status status = check_header(&header, kind, error);
  if (status != CLA_OK) return status;
  if (fseeko(reader->file, 0, SEEK_END) != 0) return unreadable(error);
  const int64_t bytes = ftello(reader->file);
  if (bytes < (int64_t)(sizeof header + sizeof end)) return altered(error);
  reader->stream_left = bytes - (int64_t)(sizeof header + sizeof end);
  if (fseeko(reader->file, 0, SEEK_SET) != 0) return unreadable(error);
  XXH3_64bits_reset(reader->checksum);
  for (int64_t left = bytes - (int64_t)sizeof end.checksum; left > 0;) {
    const size_t wanted = left < BLOCK_BYTES ? (size_t)left : BLOCK_BYTES;
    errno = 0;
    if (fread(reader->block, 1, wanted, reader->file) != wanted)
      return ferror(reader->file) ? unreadable(error) : altered(error);
    XXH3_64bits_update(reader->checksum, reader->block, wanted);
    left -= (int64_t)wanted;
  }
  errno = 0;
  if (fread(&end.checksum, sizeof end.checksum, 1, reader->file) != 1)
    return ferror(reader->file) ? unreadable(error) : altered(error);
  if (end.checksum != XXH3_64bits_digest(reader->checksum)) return altered(error);
  if (fseeko(reader->file, sizeof header, SEEK_SET) != 0) return unreadable(error);
  return CLA_OK;
}

cla_status sealed_reader_open(sealed_reader **out, const char *path, const sealed_kind *kind,
                              cla_error *error) {
  sealed_reader *reader = NULL;
  *out = NULL;
  cla_status status = ALLOCATE_ZEROS(&reader, 1, "a file of a run", error);
  if (status != CLA_OK) return status;
  status = ALLOCATE_ARRAY(&reader->block, BLOCK_BYTES, "a file of a run", error);
  if (status != CLA_OK) goto done;
  reader->zstd = ZSTD_createDCtx();
  reader->checksum = XXH3_createState();
  if (!reader->zstd || !reader->checksum) {
    status = error_set(error, CLA_ERROR_MEMORY, "out of memory to read %.1024s; free some memory", path);
    goto done;
  }
  reader->file = fopen(path, "rbe");
  status = reader->file ? check_whole(reader, kind, error) : unreadable(error);
done:
  if (status == CLA_OK)
    *out = reader;
  else
    sealed_reader_close(reader);
  return status;
}

cla_status sealed_reader_get(sealed_reader *reader, void *bytes, int64_t count, cla_error *error) {
  ZSTD_outBuffer out = {.dst = bytes, .size = (size_t)count};
  while (out.pos < out.size) {
    if (reader->in.pos == reader->in.size && reader->stream_left > 0) {
      const size_t wanted = reader->stream_left < BLOCK_BYTES ? (size_t)reader->stream_left : BLOCK_BYTES;
      errno = 0;
      if (fread(reader->block, 1, wanted, reader->file) != wanted) return unreadable(error);
      reader->in = (ZSTD_inBuffer){.src = reader->block, .size = wanted};
      reader->stream_left -= (int64_t)wanted;
    }
    const size_t in_before = reader->in.pos, out_before = out.pos;
    const size_t code = ZSTD_decompressStream(reader->zstd, &out, &reader->in);
    if (ZSTD_isError(code)) return altered(error);
    if (reader->in.pos == in_before && out.pos == out_before && reader->stream_left == 0)
      return altered(error);
  }
  return CLA_OK;
}

void sealed_reader_close(sealed_reader *reader) {
  if (!reader) return;
  if (reader->file) fclose(reader->file);
  ZSTD_freeDCtx(reader->zstd);
  XXH3_freeState(reader->checksum);
  free(reader->block);
  free(reader);
}
