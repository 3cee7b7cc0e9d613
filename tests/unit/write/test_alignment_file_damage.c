/* A binary alignment that is cut, altered, foreign or dishonest about its sizes is refused. */

#include <sys/stat.h>
#include <xxhash.h>
#include <zstd.h>

#include "support/alignment_files.h"
#include "support/made_alignment.h"
#include "support/test.h"

TestSuite(alignment_file_damage, .init = alignment_file_begin, .fini = own_file_end);

/* The file of the example, for the caller to free, and to write again as it is not. */
static char *example_bytes(size_t *length) {
  made_alignment made = alignment_file_example();
  alignment_file_save(made.alignment);
  made_alignment_free(&made);
  return made_read(own_path, length);
}

Test(alignment_file_damage, is_rejected_when_truncated_at_any_byte) {
  size_t length = 0;
  OWNED(free_memory) char *bytes = example_bytes(&length);
  for (size_t kept = 0; kept < length; kept++) {
    made_write(own_path, bytes, kept);
    alignment_file_expect_rejected(kept == 0 ? "is empty" : "is truncated");
  }
}

Test(alignment_file_damage, is_rejected_when_any_bit_is_altered) {
  size_t length = 0;
  OWNED(free_memory) char *bytes = example_bytes(&length);
  for (size_t bit = 0; bit < 8 * length; bit++) {
    bytes[bit / 8] = (char)(bytes[bit / 8] ^ (1 << bit % 8));
    made_write(own_path, bytes, length);
    alignment_file_expect_rejected("");
    bytes[bit / 8] = (char)(bytes[bit / 8] ^ (1 << bit % 8));
  }
}

Test(alignment_file_damage, is_rejected_with_bytes_after_its_end) {
  size_t length = 0;
  OWNED(free_memory) char *bytes = example_bytes(&length);
  made_write(own_path, bytes, length + 1); /* the zero after the bytes */
  alignment_file_expect_rejected("goes on after its");
}

Test(alignment_file_damage, of_a_newer_version_names_both_versions) {
  size_t length = 0;
  OWNED(free_memory) char *bytes = example_bytes(&length);
  bytes[ALIGNMENT_FILE_MAGIC_BYTES] = 5;
  made_write(own_path, bytes, length);
  alignment_file_expect_rejected("format version 5, this program knows versions up to 4");
}

Test(alignment_file_damage, that_is_none_is_rejected) {
  alignment_file_expect_rejected("No such file");
  made_write(own_path, "", 0);
  alignment_file_expect_rejected("is empty");
  made_write(own_path, ">q\nACGT\n", 8);
  alignment_file_expect_rejected("is not a binary alignment");
  made_write(own_path, "\x89PNG\r\n\x1a\n and more", 17);
  alignment_file_expect_rejected("is not a binary alignment");
  cr_assert_eq(remove(own_path), 0);
  cr_assert_eq(mkdir(own_path, 0700), 0);
  alignment_file_expect_rejected("is a directory");
}

Test(alignment_file_damage, with_absurd_sizes_is_rejected_without_memory_for_them) {
  static const uint64_t sizes[] = {1u << 30, UINT64_MAX, INT64_MAX, UINT64_MAX - 55, (uint64_t)1 << 40};
  size_t length = 0;
  OWNED(free_memory) char *bytes = example_bytes(&length);
  for (size_t index = 0; index < sizeof sizes / sizeof sizes[0]; index++)
    for (size_t field = 24; field <= 32; field += 8) { /* payload bytes, stored bytes */
      char *copy = malloc(length);
      memcpy(copy, bytes, length);
      for (size_t byte = 0; byte < 8; byte++) copy[field + byte] = (char)(sizes[index] >> (8 * byte));
      made_write(own_path, copy, length);
      alignment_file_expect_rejected(own_path);
      free(copy);
    }
  /* A right digest around a frame that would grow 20,000 times over. */
  size_t large = 64u << 20;
  OWNED(free_memory) char *zeros = calloc(large, 1), *packed = malloc(ZSTD_compressBound(large));
  size_t packed_bytes = ZSTD_compress(packed, ZSTD_compressBound(large), zeros, large, 1);
  alignment_file_wrap(packed, packed_bytes, large, 1, ALIGNMENT_FILE_ZSTD);
  alignment_file_expect_rejected("impossible values");
  alignment_file_wrap(packed, packed_bytes, 1000, 1, ALIGNMENT_FILE_ZSTD);
  alignment_file_expect_rejected("cannot be decompressed");
}

Test(alignment_file_damage, with_impossible_header_values_is_rejected_under_a_right_checksum) {
  static const struct {
    size_t offset;
    uint8_t value;
  } cases[] = {{8, 0}, {12, 0}, {14, 1}, {16, 2}, {20, 1}, {23, 1}};
  size_t length = 0;
  OWNED(free_memory) char *bytes = example_bytes(&length);
  size_t covered = length - ALIGNMENT_FILE_DIGEST_BYTES;
  for (size_t index = 0; index < sizeof cases / sizeof cases[0]; index++) {
    XXH128_canonical_t digest;
    char kept = bytes[cases[index].offset];
    bytes[cases[index].offset] = (char)cases[index].value;
    XXH128_canonicalFromHash(&digest, XXH3_128bits(bytes, covered));
    memcpy(bytes + covered, digest.digest, sizeof digest.digest);
    made_write(own_path, bytes, length);
    alignment_file_expect_rejected("impossible values");
    bytes[cases[index].offset] = kept;
  }
}

Test(alignment_file_damage, with_less_data_than_announced_is_rejected) {
  char zeros[1000] = "", packed[1000];
  size_t packed_bytes = ZSTD_compress(packed, sizeof packed, zeros, sizeof zeros, 1);
  alignment_file_wrap(packed, packed_bytes, sizeof zeros + 1, 1, ALIGNMENT_FILE_ZSTD);
  alignment_file_expect_rejected("cannot be decompressed");
}
