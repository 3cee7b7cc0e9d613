#include "seq/letter_range.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <xxhash.h>

#include "base/error.h"
#include "base/extremes.h"

#define PIECE 16384
#define BESIDE 64        /* number of letters kept on either side of the range; VCF needs one next to a gap */
#define PAGES 65536      /* unit of mapped memory, in bytes; a multiple of every system's page size */
#define MOVED (1L << 24) /* maximum number of letters that are in memory twice during a move */

static cla_status out_of_memory(cla_error *error) {
  return error_set(error, CLA_ERROR_MEMORY, "out of memory for a checksum; free some memory");
}

static cla_status begin_with_t(letter_sum *sum, cla_error *error) {
  if (!(sum->with_t = XXH3_createState())) return out_of_memory(error);
  XXH3_copyState(sum->with_t, sum->plain);
  return CLA_OK;
}

static void add_with_t(letter_sum *sum, const char *letters, int64_t count) {
  char piece[PIECE];
  for (int64_t at = 0; at < count; at += PIECE) {
    const int64_t size = smaller(count - at, PIECE);
    for (int64_t i = 0; i < size; i++) piece[i] = letters[at + i] == 'U' ? 'T' : letters[at + i];
    XXH3_128bits_update(sum->with_t, piece, (size_t)size);
  }
}

/* Adds letters to the sum. `u_as_t`: letter_sum_finish may need the sum in which U counts as T. Fails with
 * CLA_ERROR_MEMORY. */
static cla_status letter_sum_add(letter_sum *sum, const char *letters, int64_t count, bool u_as_t,
                                 cla_error *error) {
  if (!sum->plain) {
    sum->plain = XXH3_createState();
    if (!sum->plain || XXH3_128bits_reset(sum->plain) != XXH_OK) return out_of_memory(error);
  }
  if (u_as_t && !sum->with_t && memchr(letters, 'U', (size_t)count)) {
    cla_status status = begin_with_t(sum, error);
    if (status != CLA_OK) return status;
  }
  if (sum->with_t) add_with_t(sum, letters, count);
  XXH3_128bits_update(sum->plain, letters, (size_t)count);
  return CLA_OK;
}

void letter_sum_finish(uint8_t checksum[16], const letter_sum *sum, bool u_as_t) {
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, XXH3_128bits_digest(u_as_t && sum->with_t ? sum->with_t : sum->plain));
  memcpy(checksum, canonical.digest, sizeof canonical.digest);
}

static void letter_sum_free(letter_sum *sum) {
  XXH3_freeState(sum->plain);
  XXH3_freeState(sum->with_t);
  *sum = (letter_sum){0};
}

void letter_range_begin(letter_range *range, int64_t begin, int64_t end) {
  letter_range_free(range);
  range->begin = larger(begin - BESIDE, 0) / PAGES * PAGES;
  range->end = end > INT64_MAX - 2 * PAGES ? INT64_MAX : (end + BESIDE + PAGES - 1) / PAGES * PAGES;
}

void letter_range_free(letter_range *range) {
  letter_sum_free(&range->sum);
  *range = (letter_range){0};
}

cla_status letter_range_pass(letter_part *part, letter_range *range, const letter_set *set, bool detect,
                             const uint8_t *codes, cla_error *error) {
  char letters[PIECE];
  const int64_t first = range->tally.letters, total = part->count;
  for (int64_t at = 0; at < total; at += PIECE) {
    const int64_t size = smaller(total - at, PIECE);
    (void)letter_codes_spell(letters, set, codes + at, size);
    cla_status status = letter_sum_add(&range->sum, letters, size, detect, error);
    if (status != CLA_OK) return status;
  }
  letter_tally_add(&range->tally, codes, total);
  const int64_t begin = larger(range->begin, first), end = smaller(range->end, first + total);
  *part = (letter_part){.from = begin - first, .count = larger(end - begin, 0)};
  range->kept += part->count;
  return CLA_OK;
}

static int64_t mapped_bytes(int64_t letters) {
  return (letters + PAGES - 1) / PAGES * PAGES;
}

/* Moves the letters piece by piece, the last ones first, so that `kept` can shrink after each piece. */
static void move(uint8_t *to, uint8_t *kept, int64_t count) {
  while (count > 0) {
    const int64_t part = smaller(count, MOVED);
    count -= part;
    memcpy(to + count, kept + count, (size_t)part);
    void *smaller_one = count > 0 ? realloc(kept, (size_t)count) : NULL;
    if (smaller_one) kept = smaller_one;
  }
  free(kept);
}

cla_status letter_range_map(uint8_t **kept, const letter_range *range, cla_error *error) {
  const size_t bytes = (size_t)mapped_bytes(range->tally.letters);
  uint8_t *mapped = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  const size_t used = (size_t)mapped_bytes(range->kept);
  if (mapped != MAP_FAILED &&
      (used == 0 || mprotect(mapped + range->begin, used, PROT_READ | PROT_WRITE) == 0)) {
    if (used > 0) move(mapped + range->begin, *kept, range->kept);
    if (used > 0) (void)mprotect(mapped + range->begin, used, PROT_READ);
    *kept = mapped;
    return CLA_OK;
  }
  if (mapped != MAP_FAILED) munmap(mapped, bytes);
  return error_set(error, CLA_ERROR_MEMORY, "out of memory for a record of %lld letters; free some memory",
                   (long long)range->tally.letters);
}

void letter_range_unmap(uint8_t *mapped, int64_t letters) {
  if (mapped) munmap(mapped, (size_t)mapped_bytes(letters));
}
