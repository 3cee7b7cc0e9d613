/* Files for --lower-bound: the first byte says which strand is wanted and for which mode, the rest is the
 * file, SAM, BAM, PAF or .cla, of one pair of sequences. */

#include <stdlib.h>

#include "fuzz.h"
#include "fuzz_pair.h"
#include "path/lower_bound.h"
#include "result/path_check.h"
#include "seq/sequence.h"

/* What was read is either a bound of the ranges, or told to be none. */
static void find_bound(const cla_path *path, const fuzz_pair *pair, uint8_t choice) {
  static const cla_mode modes[] = {CLA_MODE_LOCAL, CLA_MODE_GLOBAL, CLA_MODE_SEMI_GLOBAL, CLA_MODE_OVERLAP,
                                   CLA_MODE_EXTEND};
  cla_error error = {.message = ""};
  cla_scoring scoring;
  score_table table;
  lower_bound bound;
  cla_scoring_init(&scoring);
  const letter_set *letters = sequence_alphabet(pair->query);
  score_table_build(&table, &scoring, letters->letters, letters->unambiguous);
  const int64_t begin = choice & 64 ? FUZZ_PAIR_LETTERS / 3 : 0;
  const cla_lower_bound wanted = {.kind = CLA_LOWER_BOUND_PATH, .path = path};
  const lower_bound_input input = {.problem = {.query = sequence_codes(pair->query) + begin,
                                               .target = sequence_codes(pair->target) + begin,
                                               .rows = cla_sequence_length(pair->query) - begin,
                                               .columns = cla_sequence_length(pair->target) - begin,
                                               .scheme = {.scoring = &scoring,
                                                          .table = &table,
                                                          .ends = path_ends_make(modes[choice / 4 % 5], 0)}},
                                   .query_begin = begin,
                                   .target_begin = begin,
                                   .mode = modes[choice / 4 % 5],
                                   .wanted = &wanted,
                                   .work_most = 1 << 20,
                                   .threads = 1,
                                   .memory_bytes = 1 << 24};
  if (fuzz_ok(lower_bound_find(&bound, &input, &error), &error) && bound.has_path)
    fuzz_demand(bound.query_start >= 0 && bound.query_stop <= input.problem.rows && bound.target_start >= 0 &&
                    bound.target_stop <= input.problem.columns,
                "a bound's path leaves the ranges");
  lower_bound_free(&bound);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
  static const cla_strand strands[] = {CLA_STRAND_FORWARD, CLA_STRAND_REVERSE, CLA_STRAND_BOTH,
                                       CLA_STRAND_FORWARD};
  static fuzz_pair pair;
  fuzz_input input = {.at = bytes, .left = count};
  cla_error error = {.message = ""};
  cla_path path;
  if (!pair.query) fuzz_pair_make(&pair);
  const uint8_t choice = fuzz_byte(&input);
  const char *file = fuzz_file(input.at, input.left);
  if (fuzz_ok(cla_path_read(&path, file, pair.query, pair.target, strands[choice % 4], &error), &error))
    find_bound(&path, &pair, choice);
  cla_path_free(&path);
  return 0;
}
