/* Text in blocks of gzip. */

#include <htslib/bgzf.h>

#include "seq/random_stream.h"
#include "support/made_alignment.h"
#include "support/test.h"
#include "write/writer.h"

/* Compresses the text in parts of up to 100,000 bytes. */
static char *compressed(const char *text, size_t bytes, int threads, size_t *length) {
  random_stream stream;
  char *out = NULL;
  FILE *plain = open_memstream(&out, length), *packed = NULL;
  random_stream_init(&stream, 1, 0);
  assert_ok(compressed_stream_open(&packed, plain, threads, &why));
  for (size_t at = 0; at < bytes;) {
    const size_t left = bytes - at, part = random_stream_below(&stream, 100000) + 1;
    at += fwrite(text + at, 1, part < left ? part : left, packed);
  }
  assert_ok(compressed_stream_close(packed, NULL, &why));
  fclose(plain);
  return out;
}

/* What htslib writes of the same text on one thread. */
static char *by_htslib(const char *text, size_t bytes, size_t *length) {
  char *folder = made_folder(), *path = made_path(folder, "a.gz");
  BGZF *file = bgzf_open(path, "w");
  cr_assert_eq(bgzf_write(file, text, bytes), (ssize_t)bytes);
  cr_assert_eq(bgzf_close(file), 0);
  char *out = made_read(path, length);
  free(path);
  made_folder_remove(folder);
  return out;
}

Test(compressed_stream, has_the_same_bytes_with_any_number_of_threads) {
  static const size_t sizes[] = {0, 1, BGZF_BLOCK_SIZE - 1, BGZF_BLOCK_SIZE, BGZF_BLOCK_SIZE + 1, 3000000};
  random_stream stream;
  char *text = malloc(sizes[5]);
  random_stream_init(&stream, 7, 0);
  for (size_t i = 0; i < sizes[5]; i++) text[i] = "ACGT\n"[random_stream_below(&stream, 5)];
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    size_t wanted_length = 0;
    OWNED(free_memory) char *wanted = by_htslib(text, sizes[i], &wanted_length);
    for (int threads = 0; threads < 6; threads++) {
      size_t length = 0;
      OWNED(free_memory) char *bytes = compressed(text, sizes[i], threads, &length);
      cr_expect(length == wanted_length && memcmp(bytes, wanted, length) == 0, "%zu bytes, %d threads",
                sizes[i], threads);
    }
  }
  free(text);
}
