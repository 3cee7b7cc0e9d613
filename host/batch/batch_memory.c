#include "batch/batch_memory.h"

#include "base/extremes.h"

/* Of the budget, for pairs on their way: as much for pairs as for their letters. */
#define AHEAD_SHARE 16
/* A pair without its letters: its alignments, of 5 kB each, and what is noted of it on its way. */
#define PAIR_BYTES INT64_C(3072)
/* A letter, and what a result has for it. */
#define LETTER_BYTES 2
/* Many packs of short pairs, so that some are computed while of others paths are looked for. Fewer pairs than
 * the least ones would leave threads idle. */
#define PAIRS_LEAST 64
#define PAIRS_MOST (INT64_C(1) << 19)
#define LETTERS_LEAST (INT64_C(1) << 18)
#define LETTERS_MOST (INT64_C(1) << 30)
/* For the path of a pair of a pack, of 32,768 letters at the most: what it takes at least, and at the most.
 */
#define PATH_BYTES_LEAST (INT64_C(16) << 20)
#define PATH_BYTES_MOST (INT64_C(512) << 20)

static int64_t within(int64_t number, int64_t least, int64_t most) {
  return smaller(larger(number, least), most);
}

batch_memory batch_memory_share(int64_t bytes, const cla_batch_options *options) {
  const int64_t alignment = (int64_t)sizeof(cla_alignment);
  const int64_t pair = PAIR_BYTES + within(options->max_alignments, 1, INT64_MAX / 2 / alignment) * alignment;
  const int64_t pairs = within(bytes / AHEAD_SHARE / pair, PAIRS_LEAST, PAIRS_MOST);
  const int64_t letters = within(bytes / AHEAD_SHARE / LETTER_BYTES, LETTERS_LEAST, LETTERS_MOST);
  return (batch_memory){.pairs_ahead = options->pairs_ahead > 0 ? options->pairs_ahead : pairs,
                        .letters_ahead = options->letters_ahead > 0 ? options->letters_ahead : letters,
                        .aligning_bytes = larger(bytes - bytes / AHEAD_SHARE * 2, 1)};
}

trace_memory batch_memory_for_paths(int64_t aligning_bytes, int threads) {
  const int64_t bytes = aligning_bytes / 2;
  const int64_t at_once = within(bytes / PATH_BYTES_LEAST, 1, larger(threads, 1));
  return (trace_memory){.threads = (int)at_once, .path_bytes = within(bytes / at_once, 1, PATH_BYTES_MOST)};
}
