#include "support/alignment_files.h"

#include <xxhash.h>

#include "support/made_alignment.h"
#include "support/test.h"

void alignment_file_begin(void) {
  own_file_begin("a.cla");
}

made_alignment alignment_file_example(void) {
  return made_alignment_make("TTACGTACGTTACGT", "GGACGTGACGTACGT", CLA_MODE_LOCAL, 2, 2, "4P1T4P1Q4P");
}

void alignment_file_save(const cla_alignment *alignment) {
  assert_ok(cla_alignment_save(own_path, &alignment, 1, &why));
}

void alignment_file_expect_same(const cla_alignment *const *alignments, size_t count, const char *what) {
  cla_alignment **loaded = NULL;
  size_t loaded_count = 0;
  assert_ok_for(cla_alignment_save(own_path, alignments, count, &why), "%s", what);
  assert_ok_for(cla_alignment_load(&loaded, &loaded_count, own_path, &why), "%s", what);
  cr_assert_eq(loaded_count, count);
  for (size_t index = 0; index < count; index++) {
    cr_assert(made_alignment_same(alignments[index], loaded[index]), "%s: alignment %zu", what, index);
    cr_assert_eq(loaded[index]->metrics.cells, 0);
  }
  cla_alignments_free(loaded, loaded_count);
}

void alignment_file_expect_rejected(const char *part) {
  cla_alignment **loaded = (cla_alignment **)&own_folder; /* a wrong value, which must be overwritten */
  size_t count = 7;
  cla_error error = {.message = ""};
  cr_assert_eq(cla_alignment_load(&loaded, &count, own_path, &error), CLA_ERROR_INPUT, "expected: %s", part);
  cr_assert_null(loaded);
  cr_assert_eq(count, 0);
  cr_assert(strstr(error.message, own_path), "no path in: %s", error.message);
  cr_assert(strstr(error.message, part), "message: %s; expected in it: %s", error.message, part);
  cr_assert_null(strchr(error.message, '\n'));
}

void alignment_file_wrap(const void *payload, size_t length, size_t payload_bytes, uint32_t count,
                         alignment_file_coding coding) {
  byte_sink sink = {0};
  XXH128_canonical_t digest;
  byte_sink_put(&sink, ALIGNMENT_FILE_MAGIC, ALIGNMENT_FILE_MAGIC_BYTES);
  byte_sink_put_fixed(&sink, ALIGNMENT_CODEC_VERSION, 4);
  byte_sink_put_fixed(&sink, count, 4);
  byte_sink_put_fixed(&sink, coding, 4);
  byte_sink_put_fixed(&sink, 0, 4);
  byte_sink_put_fixed(&sink, payload_bytes, 8);
  byte_sink_put_fixed(&sink, length, 8);
  byte_sink_put(&sink, payload, (int64_t)length);
  XXH128_canonicalFromHash(&digest, XXH3_128bits(sink.bytes, (size_t)sink.length));
  byte_sink_put(&sink, digest.digest, ALIGNMENT_FILE_DIGEST_BYTES);
  made_write(own_path, sink.bytes, (size_t)sink.length);
  free(sink.bytes);
}

void alignment_file_wrap_one(const byte_sink *payload) {
  const size_t length = (size_t)payload->length;
  alignment_file_wrap(payload->bytes, length, length, 1, ALIGNMENT_FILE_PLAIN);
}
