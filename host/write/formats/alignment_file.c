#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>
#include <zstd.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/files.h"
#include "clalign/alignment.h"
#include "result/alignment_codec.h"
#include "result/path_check.h"
#include "write/formats/alignment_file.h"
#include "write/writer.h"

/* Level of zstd. On gap lists, higher levels save about 1 % and take several times as long. */
#define COMPRESSION_LEVEL 9

/* Smallest payload that is compressed in memory. For a smaller payload, compressing would take longer than
 * all other steps. */
#define COMPRESSED_BYTES 8192

/* Checks that the alignments can be saved. `place` is part of messages: " to FILE" or "". */
static cla_status check_alignments(const cla_alignment *const *alignments, size_t count, const char *place,
                                   cla_error *error) {
  char fault[PATH_FAULT_SIZE];
  cla_error reason = {.message = ""};
  if (count < 1 || count > ALIGNMENT_FILE_COUNT_LIMIT)
    return error_set(error, CLA_ERROR_OPTION,
                     "cannot save %zu alignments%.1024s: a binary alignment holds 1 to %d; use several files",
                     count, place, ALIGNMENT_FILE_COUNT_LIMIT);
  for (size_t index = 0; index < count; index++) {
    if (!path_is_consistent(alignments[index], fault))
      return error_set(error, CLA_ERROR_VERIFICATION,
                       "cannot save alignment %zu%.1024s: %s; align the sequences again", index + 1, place,
                       fault);
    cla_status status = cla_scoring_check(&alignments[index]->scoring, &reason);
    if (status != CLA_OK)
      return error_set(error, status, "cannot save alignment %zu%.512s: %.1024s", index + 1, place,
                       reason.message);
  }
  return CLA_OK;
}

/* Chooses the coding, and sets *stored to the bytes to store, which are in `payload` or in *compressed. */
static cla_status compress(const byte_sink *payload, void **compressed, const void **stored,
                           int64_t *stored_bytes, alignment_file_coding *coding, cla_error *error) {
  size_t bound = ZSTD_compressBound((size_t)payload->length);
  cla_status status = allocate_array(compressed, (int64_t)bound, 1, "a compressed alignment", error);
  if (status != CLA_OK) return status;
  size_t size = ZSTD_compress(*compressed, bound, payload->bytes, (size_t)payload->length, COMPRESSION_LEVEL);
  if (ZSTD_isError(size))
    return error_set(error, CLA_ERROR_MEMORY, "cannot compress an alignment: %s; free some memory",
                     ZSTD_getErrorName(size));
  int64_t limit = (int64_t)size * ALIGNMENT_FILE_RATIO + ALIGNMENT_FILE_FREE_BYTES;
  bool use = (int64_t)size < payload->length && payload->length <= limit;
  *coding = use ? ALIGNMENT_FILE_ZSTD : ALIGNMENT_FILE_PLAIN;
  *stored = use ? *compressed : payload->bytes;
  *stored_bytes = use ? (int64_t)size : payload->length;
  return CLA_OK;
}

static void put_header(byte_sink *sink, int version, size_t count, alignment_file_coding coding,
                       int64_t payload_bytes, int64_t stored_bytes) {
  byte_sink_put(sink, ALIGNMENT_FILE_MAGIC, ALIGNMENT_FILE_MAGIC_BYTES);
  byte_sink_put_fixed(sink, (uint64_t)version, 4);
  byte_sink_put_fixed(sink, count, 4);
  byte_sink_put_fixed(sink, coding, 4);
  byte_sink_put_fixed(sink, 0, 4);
  byte_sink_put_fixed(sink, (uint64_t)payload_bytes, 8);
  byte_sink_put_fixed(sink, (uint64_t)stored_bytes, 8);
}

static cla_status put_digest(byte_sink *sink) {
  XXH128_canonical_t digest;
  if (sink->status != CLA_OK) return sink->status;
  XXH128_canonicalFromHash(&digest, XXH3_128bits(sink->bytes, (size_t)sink->length));
  byte_sink_put(sink, digest.digest, ALIGNMENT_FILE_DIGEST_BYTES);
  return sink->status;
}

/* Options of packing alignments. */
typedef struct pack_options {
  const char *place; /* destination for messages: " to FILE" or "" */
  bool with_work;
  int64_t compressed_bytes; /* payloads of fewer bytes are not compressed */
} pack_options;

static cla_status pack(byte_sink *whole, const cla_alignment *const *alignments, size_t count,
                       pack_options how, cla_error *error) {
  byte_sink payload = {.error = error};
  alignment_file_coding coding = ALIGNMENT_FILE_PLAIN;
  void *compressed = NULL;
  const void *stored = NULL;
  int64_t stored_bytes = 0;
  int version = 1; /* the lowest version that suffices, so that older programs can read the file */
  cla_status status = check_alignments(alignments, count, how.place, error);
  if (status != CLA_OK) goto done;
  for (size_t index = 0; index < count; index++) {
    const int needed = alignment_codec_version(alignments[index], how.with_work);
    if (needed > version) version = needed;
  }
  for (size_t index = 0; index < count; index++)
    alignment_encode(&payload, alignments[index], version, how.with_work);
  status = payload.status;
  stored = payload.bytes;
  stored_bytes = payload.length;
  if (status == CLA_OK && payload.length >= how.compressed_bytes)
    status = compress(&payload, &compressed, &stored, &stored_bytes, &coding, error);
  if (status != CLA_OK) goto done;
  put_header(whole, version, count, coding, payload.length, stored_bytes);
  byte_sink_put(whole, stored, stored_bytes);
  status = put_digest(whole);
done:
  free(compressed);
  free(payload.bytes);
  return status;
}

/* Writes all bytes; a short write sets the stream's error flag. */
static void put_bytes(FILE *file, const byte_sink *whole) {
  (void)!fwrite(whole->bytes, 1, (size_t)whole->length, file);
}

static cla_status save(const char *path, const cla_alignment *const *alignments, size_t count, bool with_work,
                       cla_error *error) {
  char place[1024];
  byte_sink whole = {.error = error};
  atomic_file *file = NULL;
  snprintf(place, sizeof place, " to %s", path);
  cla_status status =
      pack(&whole, alignments, count, (pack_options){.place = place, .with_work = with_work}, error);
  if (status == CLA_OK) status = atomic_file_open(&file, path, error);
  if (status == CLA_OK) {
    put_bytes(atomic_file_stream(file), &whole);
    status = atomic_file_commit(file, error);
  }
  free(whole.bytes);
  return status;
}

cla_status cla_alignment_save(const char *path, const cla_alignment *const *alignments, size_t count,
                              cla_error *error) {
  return save(path, alignments, count, false, error);
}

cla_status cla_alignment_save_with_work(const char *path, const cla_alignment *const *alignments,
                                        size_t count, cla_error *error) {
  return save(path, alignments, count, true, error);
}

cla_status cla_alignments_pack(uint8_t **out, int64_t *length_bytes, const cla_alignment *const *alignments,
                               size_t count, cla_error *error) {
  byte_sink whole = {.error = error};
  cla_status status = pack(&whole, alignments, count,
                           (pack_options){.place = "", .compressed_bytes = COMPRESSED_BYTES}, error);
  *out = NULL;
  *length_bytes = whole.length;
  if (status == CLA_OK)
    *out = whole.bytes;
  else
    free(whole.bytes);
  return status;
}

cla_status write_cla(const write_job *job, cla_error *error) {
  byte_sink whole = {.error = error};
  cla_status status = pack(&whole, job->alignments, job->count, (pack_options){.place = ""}, error);
  if (status == CLA_OK) put_bytes(job->file, &whole);
  free(whole.bytes);
  return status;
}

typedef struct file_header {
  uint64_t version, count, coding, reserved, payload_bytes, stored_bytes;
} file_header;

static cla_status reject(const char *path, const char *what, cla_error *error) {
  return error_set(error, CLA_ERROR_INPUT, "%.1024s %s", path, what);
}

/* Reads up to `length` bytes; *got is the number of bytes read, fewer only at the end of the file. */
static cla_status read_bytes(int descriptor, uint8_t *bytes, int64_t length, int64_t *got, const char *path,
                             cla_error *error) {
  *got = 0;
  while (*got < length) {
    ssize_t count = read(descriptor, bytes + *got, (size_t)(length - *got));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0)
      return error_set(error, CLA_ERROR_INPUT, "cannot read %.1024s: %s; check the file and its disk", path,
                       strerror(errno));
    if (count == 0) break;
    *got += count;
  }
  return CLA_OK;
}

static cla_status open_file(int *descriptor, const char *path, cla_error *error) {
  struct stat state;
  *descriptor = open(path, O_RDONLY | O_CLOEXEC);
  if (*descriptor < 0)
    return error_set(error, CLA_ERROR_INPUT, "cannot read %.1024s: %s; give the path of a .cla file", path,
                     strerror(errno));
  if (fstat(*descriptor, &state) == 0 && S_ISDIR(state.st_mode))
    return reject(path, "is a directory; give the path of a .cla file", error);
  return CLA_OK;
}

static cla_status check_magic(const uint8_t *bytes, int64_t length, const char *path, cla_error *error) {
  int64_t known = length < ALIGNMENT_FILE_MAGIC_BYTES ? length : ALIGNMENT_FILE_MAGIC_BYTES;
  if (length == 0) return reject(path, "is empty; a binary alignment (.cla) was expected", error);
  if (memcmp(bytes, ALIGNMENT_FILE_MAGIC, (size_t)known) != 0)
    return reject(path, "is not a binary alignment (.cla); give the file of a saved alignment", error);
  if (length < ALIGNMENT_FILE_MAGIC_BYTES)
    return reject(path, "is truncated: it ends within its header; copy or save it again", error);
  return CLA_OK;
}

static cla_status check_header(file_header *header, const uint8_t *bytes, int64_t length, const char *path,
                               cla_error *error) {
  cla_status status = check_magic(bytes, length, path, error);
  if (status != CLA_OK) return status;
  byte_source source = {.at = bytes + ALIGNMENT_FILE_MAGIC_BYTES, .end = bytes + length};
  header->version = byte_source_take_fixed(&source, 4);
  if (!source.failed && header->version > ALIGNMENT_CODEC_VERSION)
    return error_set(error, CLA_ERROR_INPUT,
                     "%.1024s has the format version %llu, this program knows versions up to %d; use a newer "
                     "clalign, or save it again",
                     path, (unsigned long long)header->version, ALIGNMENT_CODEC_VERSION);
  header->count = byte_source_take_fixed(&source, 4);
  header->coding = byte_source_take_fixed(&source, 4);
  header->reserved = byte_source_take_fixed(&source, 4);
  header->payload_bytes = byte_source_take_fixed(&source, 8);
  header->stored_bytes = byte_source_take_fixed(&source, 8);
  if (source.failed)
    return reject(path, "is truncated: it ends within its header; copy or save it again", error);
  bool plain = header->coding == ALIGNMENT_FILE_PLAIN && header->payload_bytes == header->stored_bytes;
  bool packed = header->coding == ALIGNMENT_FILE_ZSTD &&
                header->payload_bytes / ALIGNMENT_FILE_RATIO <=
                    header->stored_bytes + ALIGNMENT_FILE_FREE_BYTES / ALIGNMENT_FILE_RATIO;
  if (header->version < 1 || header->count < 1 || header->count > ALIGNMENT_FILE_COUNT_LIMIT ||
      header->reserved != 0 || header->stored_bytes > INT64_MAX / 2 || !(plain || packed))
    return reject(path, "is altered: its header holds impossible values; copy or save it again", error);
  return CLA_OK;
}

/* Reads the stored bytes and the digest in pieces. So the memory depends on the size of the file, not on
 * the size that the header claims. */
static cla_status read_rest(byte_sink *whole, int descriptor, const file_header *header, const char *path,
                            cla_error *error) {
  uint8_t piece[1 << 14];
  int64_t wanted = ALIGNMENT_FILE_HEADER_BYTES + (int64_t)header->stored_bytes + ALIGNMENT_FILE_DIGEST_BYTES;
  int64_t got = 1;
  while (whole->length < wanted && got > 0) {
    int64_t left = wanted - whole->length, size = left < (int64_t)sizeof piece ? left : (int64_t)sizeof piece;
    cla_status status = read_bytes(descriptor, piece, size, &got, path, error);
    if (status != CLA_OK) return status;
    byte_sink_put(whole, piece, got);
    if (whole->status != CLA_OK) return whole->status;
  }
  if (whole->length < wanted)
    return error_set(error, CLA_ERROR_INPUT,
                     "%.1024s is truncated: it has %lld of %lld bytes; copy or save it again", path,
                     (long long)whole->length, (long long)wanted);
  cla_status status = read_bytes(descriptor, piece, 1, &got, path, error);
  if (status == CLA_OK && got > 0)
    return error_set(error, CLA_ERROR_INPUT,
                     "%.1024s goes on after its %lld bytes; it is altered: copy or save it again", path,
                     (long long)wanted);
  return status;
}

static cla_status check_digest(const byte_sink *whole, const char *path, cla_error *error) {
  XXH128_canonical_t digest;
  int64_t covered = whole->length - ALIGNMENT_FILE_DIGEST_BYTES;
  XXH128_canonicalFromHash(&digest, XXH3_128bits(whole->bytes, (size_t)covered));
  if (memcmp(digest.digest, whole->bytes + covered, ALIGNMENT_FILE_DIGEST_BYTES) == 0) return CLA_OK;
  return reject(path, "is altered: its checksum does not fit; copy or save it again", error);
}

/* Opens the payload. If it is compressed, decompresses it to *decompressed, which the caller frees. */
static cla_status open_payload(byte_source *payload, void **decompressed, const byte_sink *whole,
                               const file_header *header, const char *path, cla_error *error) {
  const uint8_t *stored = whole->bytes + ALIGNMENT_FILE_HEADER_BYTES;
  *payload = (byte_source){.at = stored, .end = stored + header->stored_bytes};
  if (header->coding == ALIGNMENT_FILE_PLAIN) return CLA_OK;
  cla_status status =
      allocate_array(decompressed, (int64_t)header->payload_bytes, 1, "a binary alignment", error);
  if (status != CLA_OK) return status;
  size_t size =
      ZSTD_decompress(*decompressed, (size_t)header->payload_bytes, stored, (size_t)header->stored_bytes);
  if (ZSTD_isError(size) || size != header->payload_bytes)
    return reject(path, "is damaged: its data cannot be decompressed; save it again", error);
  payload->at = *decompressed;
  payload->end = payload->at + size;
  return CLA_OK;
}

static cla_status decode_all(cla_alignment **alignments, byte_source *payload, const file_header *header,
                             const char *path, cla_error *error) {
  const size_t count = (size_t)header->count;
  char fault[CODEC_FAULT_SIZE];
  for (size_t index = 0; index < count; index++) {
    cla_status status = alignment_decode(&alignments[index], payload, (int)header->version, fault, error);
    if (status == CLA_ERROR_INPUT)
      return error_set(error, CLA_ERROR_INPUT,
                       "%.1024s is damaged: in alignment %zu of %zu, %s; save it again", path, index + 1,
                       count, fault);
    if (status != CLA_OK) return status;
  }
  if (byte_source_left(payload) > 0)
    return reject(path, "is damaged: its data go on after the last alignment; save it again", error);
  return CLA_OK;
}

/* Reads the alignments from the bytes of a whole file, including header and digest. */
static cla_status take_alignments(cla_alignment ***out, size_t *count, const byte_sink *whole,
                                  const file_header *header, const char *path, cla_error *error) {
  byte_source payload = {0};
  void *decompressed = NULL, *memory = NULL;
  cla_status status = check_digest(whole, path, error);
  if (status == CLA_OK) status = open_payload(&payload, &decompressed, whole, header, path, error);
  if (status == CLA_OK)
    status = allocate_zeros(&memory, (int64_t)header->count, sizeof(cla_alignment *), "alignments", error);
  if (status == CLA_OK) status = decode_all(memory, &payload, header, path, error);
  if (status == CLA_OK) {
    *out = memory;
    *count = (size_t)header->count;
    memory = NULL;
  }
  cla_alignments_free(memory, (size_t)header->count);
  free(decompressed);
  return status;
}

cla_status cla_alignments_unpack(cla_alignment ***out, size_t *count, const void *bytes, int64_t length_bytes,
                                 const char *source, cla_error *error) {
  file_header header = {0};
  byte_sink whole = {.bytes = (uint8_t *)bytes, .length = length_bytes};
  const int64_t ends = ALIGNMENT_FILE_HEADER_BYTES + ALIGNMENT_FILE_DIGEST_BYTES;
  *out = NULL;
  *count = 0;
  cla_status status = check_header(&header, bytes, length_bytes, source, error);
  if (status != CLA_OK) return status;
  if (length_bytes != (int64_t)header.stored_bytes + ends)
    return reject(source, "is truncated or goes on after its end; copy or save it again", error);
  return take_alignments(out, count, &whole, &header, source, error);
}

cla_status cla_alignment_load(cla_alignment ***out, size_t *count, const char *path, cla_error *error) {
  uint8_t start[ALIGNMENT_FILE_HEADER_BYTES];
  file_header header = {0};
  byte_sink whole = {.error = error};
  int64_t got = 0;
  int descriptor = -1;
  *out = NULL;
  *count = 0;
  cla_status status = open_file(&descriptor, path, error);
  if (status == CLA_OK) status = read_bytes(descriptor, start, sizeof start, &got, path, error);
  if (status == CLA_OK) status = check_header(&header, start, got, path, error);
  if (status != CLA_OK) goto done;
  byte_sink_put(&whole, start, got);
  status = read_rest(&whole, descriptor, &header, path, error);
  if (status == CLA_OK) status = take_alignments(out, count, &whole, &header, path, error);
done:
  if (descriptor >= 0) close(descriptor);
  free(whole.bytes);
  return status;
}
