#include "batch/batch_job.h"
#include "support/test.h"

#define MIB (INT64_C(1) << 20)

Test(batch_memory, shares_add_up_to_the_budget) {
  cla_batch_options options;
  cla_batch_options_init(&options);
  for (int64_t most = 1; most <= 100; most *= 10)
    for (int64_t bytes = 16 * MIB; bytes <= MIB * MIB; bytes *= 2) {
      options.align.several.most = most;
      options.align.budgets.memory_bytes = bytes;
      const cla_batch_options memory = batch_memory_share(&options);
      /* A pair's alignments, and its letters with as many bytes of results, are there at the same time. */
      const int64_t pairs = memory.pairs_ahead * most * (int64_t)sizeof(cla_alignment);
      if (bytes >= 16 * MIB * most)
        cr_expect_leq(pairs + 2 * memory.letters_ahead + memory.align.budgets.memory_bytes, bytes,
                      "%lld of %lld", (long long)most, (long long)bytes);
      cr_expect_geq(memory.align.budgets.memory_bytes, bytes / 4 * 3);
      cr_expect_gt(memory.pairs_ahead, 1);
      cr_expect_gt(memory.letters_ahead, 1);
    }
}

Test(batch_memory, is_what_the_options_say) {
  cla_batch_options options;
  cla_batch_options_init(&options);
  options.pairs_ahead = 3;
  options.letters_ahead = 900;
  options.align.budgets.memory_bytes = 64 * MIB;
  const cla_batch_options memory = batch_memory_share(&options);
  cr_expect_eq(memory.pairs_ahead, 3);
  cr_expect_eq(memory.letters_ahead, 900);
}
