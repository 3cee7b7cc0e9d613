#include <stdio.h>
#include <stdlib.h>
#include <xxhash.h>
#include <zstd.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/files.h"
#include "clalign/alignment.h"
#include "result/path_check.h"
#include "write/alignment_codec.h"
#include "write/alignment_file.h"
#include "write/writer.h"

#define COMPRESSION_LEVEL                                                           \
  9 /* on gap lists the higher levels gain about 1 % and take several times as long \
     */

#define COMPRESSED_BYTES 8192 /* in memory; below it compressing takes longer than the rest */

/* `place` is where they go, as " to FILE", or "". */
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

/* Chooses the coding and gives the bytes to store: *stored points into `payload` or to *compressed. */
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

/* Payloads of fewer bytes than `compressed_bytes` are left as they are. */
static cla_status pack(byte_sink *whole, const cla_alignment *const *alignments, size_t count,
                       const char *place, bool with_work, int64_t compressed_bytes, cla_error *error) {
  byte_sink payload = {.error = error};
  alignment_file_coding coding = ALIGNMENT_FILE_PLAIN;
  void *compressed = NULL;
  const void *stored = NULL;
  int64_t stored_bytes = 0;
  int version = 1; /* so that older programs read what they can */
  cla_status status = check_alignments(alignments, count, place, error);
  if (status != CLA_OK) goto done;
  for (size_t index = 0; index < count; index++) {
    const int needed = alignment_codec_version(alignments[index], with_work);
    if (needed > version) version = needed;
  }
  for (size_t index = 0; index < count; index++)
    alignment_encode(&payload, alignments[index], version, with_work);
  status = payload.status;
  stored = payload.bytes;
  stored_bytes = payload.length;
  if (status == CLA_OK && payload.length >= compressed_bytes)
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

/* A short write sets the stream's error flag. */
static void put_bytes(FILE *file, const byte_sink *whole) {
  (void)!fwrite(whole->bytes, 1, (size_t)whole->length, file);
}

static cla_status save(const char *path, const cla_alignment *const *alignments, size_t count, bool with_work,
                       cla_error *error) {
  char place[1024];
  byte_sink whole = {.error = error};
  atomic_file *file = NULL;
  snprintf(place, sizeof place, " to %s", path);
  cla_status status = pack(&whole, alignments, count, place, with_work, 0, error);
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
  cla_status status = pack(&whole, alignments, count, "", false, COMPRESSED_BYTES, error);
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
  cla_status status = pack(&whole, job->alignments, job->count, "", false, 0, error);
  if (status == CLA_OK) put_bytes(job->file, &whole);
  free(whole.bytes);
  return status;
}
