/* A job is settled before anything is opened: what cannot be is refused, and whether a device is needed is
 * the same whoever asks. */

#include "pipeline/pipeline.h"
#include "ranks/cluster.h"
#include "support/test.h"

typedef struct pair {
  cla_sequence *query, *target;
  cla_align_options options;
} pair;

static pair pair_make(const char *query, const char *target) {
  pair made = {0};
  assert_ok(cla_sequence_from_letters(&made.query, "q", query, (int64_t)strlen(query), &why));
  assert_ok(cla_sequence_from_letters(&made.target, "t", target, (int64_t)strlen(target), &why));
  cla_align_options_init(&made.options);
  made.options.host_cells = CLA_HOST_CELLS;
  return made;
}

static void pair_free(pair *made) {
  cla_sequence_free(made->query);
  cla_sequence_free(made->target);
}

static cla_status settle(settled_job *out, const pair *of) {
  const align_job asked = {.query = of->query, .target = of->target, .options = &of->options};
  return align_settle(out, &asked, &why);
}

static bool needs_device(const pair *of) {
  settled_job settled;
  assert_ok(settle(&settled, of));
  const bool needed = settled_needs_device(&settled);
  cr_assert_eq(cla_align_needs_device(of->query, of->target, &of->options), needed);
  return needed;
}

Test(align_settle, ranks_have_budgets_and_still_need_no_device) {
  OWNED(pair_free) pair of = pair_make("ACGTACGT", "ACGTTCGT");
  cla_ranks ranks = {
      .count = 3, .threads = 2, .memory_bytes = 1 << 20, .least_cells = 65, .peers = &rank_peers};
  cr_expect(!needs_device(&of));
  of.options.ranks = &ranks;
  cr_expect(!needs_device(&of));
  cr_expect_eq(align_memory_budget(&of.options), 1 << 20);
  cr_expect_eq(align_threads(&of.options), 2);
  ranks.least_cells = 64; /* the pair is for all ranks */
  cr_expect(needs_device(&of));
  ranks.count = 1;
  cr_expect(!needs_device(&of));
  of.options.budgets.memory_bytes = 1 << 30; /* the user's own */
  cr_expect(needs_device(&of));
}

static void expect_refused(const pair *of, const char *part) {
  settled_job settled;
  assert_error(settle(&settled, of), CLA_ERROR_OPTION, part);
  cr_expect(!cla_align_needs_device(of->query, of->target, &of->options), "%s", part);
}

#define REFUSED(part, ...)                                    \
  do {                                                        \
    OWNED(pair_free) pair of = pair_make("ACGTACGT", "ACGT"); \
    cla_align_options *o = &of.options;                       \
    __VA_ARGS__;                                              \
    expect_refused(&of, part);                                \
  } while (0)

Test(align_settle, refuses_what_cannot_be) {
  REFUSED("gap extension cost -1", o->scoring.gap_ext = -1);
  REFUSED("mode 9 does not exist", o->mode = (cla_mode)9);
  REFUSED("with free-ends alone", o->free_ends = CLA_FREE_QUERY_END);
  REFUSED("strand 3 does not exist", o->strand = (cla_strand)3);
  REFUSED("gap placement 3", o->gap_placement = (cla_gap_placement)3);
  REFUSED("no gaps to place", o->gap_placement = CLA_GAPS_LEFT, o->score_only = true);
  REFUSED("band of -1", o->has_band = true, o->band = -1);
  REFUSED("0 alignments", o->several.most = 0);
  REFUSED("local mode", o->several.most = 2, o->mode = CLA_MODE_GLOBAL);
  REFUSED("no path to cut", o->several.split = true, o->score_only = true);
  REFUSED("circular sequence 7", o->circular = (cla_circular)7);
}

Test(align_settle, proteins_have_their_scheme) {
  OWNED(pair_free) pair of = pair_make("MKWVTFISLL", "MKWVTFLL");
  settled_job settled;
  assert_ok(settle(&settled, &of));
  cr_expect_str_eq(settled.job.options->scoring.matrix_name, "BLOSUM62");
  of.options.scoring.match = 2;
  assert_error(settle(&settled, &of), CLA_ERROR_OPTION, "the sequences are proteins");
}
