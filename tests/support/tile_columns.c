#include "support/tile_columns.h"

#include "pipeline/pipeline.h"
#include "seq/sequence.h"
#include "support/random_pairs.h"
#include "support/test.h"

enum { LETTERS = 6000, BEFORE = 500, TILE = 128 };

/* Sets the options. On a CPU small tiles are chosen; on GPUs a strip is a large part of such a small
 * matrix. */
static bool set_up(cla_align_options *options, const tile_columns *all, const cla_partner *partner) {
  const bool fine_tiles = cla_device_describe(all->device)->kind == CLA_DEVICE_CPU;
  cla_align_options_init(options);
  options->scoring.ambiguity = CLA_AMBIGUITY_NEUTRAL;
  options->lower_bound = (cla_lower_bound){.kind = CLA_LOWER_BOUND_SCORE, .score = LETTERS - 1};
  options->score_only = true;
  if (partner->device) {
    options->partners = partner;
    options->partner_count = 1;
  }
  if (fine_tiles) {
    options->kernel.name = "vector8";
    options->kernel.settings = "lanes=32,alpha=4,tile=128";
  }
  return fine_tiles;
}

void tile_columns_check(const tile_columns *all) {
  const int64_t letters = BEFORE + TILE + LETTERS + all->behind;
  const cla_partner partner = {.device = all->partner};
  cla_align_options options;
  uint8_t *codes = random_letters(letters, all->seed);
  codes[BEFORE + TILE + 5] = SEQUENCE_LETTER_COUNT - 1; /* N, which a matrix scores */
  cla_sequence *query = random_pair_sequence("query", codes + BEFORE + TILE, LETTERS);
  const bool fine_tiles = set_up(&options, all, &partner);
  for (int cut = 0; cut < TILE; cut += all->step) {
    cla_alignment *got = NULL;
    cla_sequence *target = random_pair_sequence("target", codes + cut, letters - cut);
    assert_ok_for(pipeline_align(&got,
                                 &(align_job){.device = all->device,
                                              .query = query,
                                              .target = target,
                                              .options = &options,
                                              .adjust = all->adjust},
                                 &why),
                  "after %d letters", BEFORE + TILE - cut);
    cr_expect_eq(got->score, LETTERS - 1);
    if (fine_tiles)
      cr_expect_lt(got->metrics.cells_computed, got->metrics.cells / 2);
    else
      cr_expect_leq(got->metrics.cells_computed - got->metrics.blocks.cells - got->metrics.bands.cells,
                    got->metrics.cells);
    cla_alignment_free(got);
    cla_sequence_free(target);
  }
  cla_sequence_free(query);
  free(codes);
}
