/* Gaps moved left and right, beside a search that moves any gap a letter at a time until none can move. */

#include "result/alignment.h"
#include "seq/random_stream.h"
#include "seq/sequence.h"
#include "support/made_alignment.h"
#include "support/test.h"

static char *path_text(const cla_alignment *alignment) {
  char *text = NULL;
  size_t size = 0;
  FILE *file = open_memstream(&text, &size);
  for (size_t i = 0; i < alignment->run_count; i++)
    for (int64_t letter = 0; letter < alignment->runs[i].length; letter++)
      fputc("MID"[alignment->runs[i].kind], file);
  fclose(file);
  return text;
}

static void expect_placed(const char *query, const char *target, cla_mode mode, const char *path,
                          const char *left, const char *right) {
  const char *expected[] = {NULL, left, right};
  for (int placement = CLA_GAPS_LEFT; placement <= CLA_GAPS_RIGHT; placement++) {
    OWNED_MADE made = made_alignment_make(query, target, mode, 0, 0, path);
    assert_ok(cla_alignment_place_gaps(made.alignment, (cla_gap_placement)placement, made.query, made.target,
                                       &why));
    OWNED(free_memory) char *text = path_text(made.alignment);
    cr_expect_str_eq(text, expected[placement], "%s: %s, not %s", path, text, expected[placement]);
    cr_expect_eq(made.alignment->gap_placement, placement);
  }
}

Test(gap_placement, moves_over_pairs_whose_letters_stay_the_same) {
  expect_placed("GAAAC", "GAAAAAC", CLA_MODE_GLOBAL, "2P2T3P", "MDDMMMM", "MMMMDDM");
  expect_placed("GCACACAT", "GCACAT", CLA_MODE_GLOBAL, "3P2Q3P", "MIIMMMMM", "MMMMMIIM");
  expect_placed("GATTACA", "GATACA", CLA_MODE_GLOBAL, "3P1Q3P", "MMIMMMM", "MMMIMMM");
  /* Over a mismatch too, where the variant in the target stays the same one. */
  expect_placed("GAGAC", "GAAAAC", CLA_MODE_GLOBAL, "3P1T2P", "MDMMMM", "MMMMDM");
}

Test(gap_placement, reaches_the_ends_of_a_global_path_and_no_others) {
  expect_placed("AAA", "AAAAA", CLA_MODE_GLOBAL, "1P2T2P", "DDMMM", "MMMDD");
  expect_placed("AAAAAAAAA", "AAAAAAAAAAA", CLA_MODE_LOCAL, "4P2T5P", "MDDMMMMMMMM", "MMMMMMMMDDM");
}

Test(gap_placement, keeps_gaps_of_one_kind_apart_and_lets_others_touch) {
  expect_placed("AAAA", "AAAAAA", CLA_MODE_GLOBAL, "1P1T2P1T1P", "DMDMMM", "MMMDMD");
  expect_placed("CAAAC", "CAAAC", CLA_MODE_GLOBAL, "2P1T1P1Q1P", "MDIMMM", "MMMDIM");
  /* Two that are not neighbours may have only one of the other kind between them. */
  expect_placed("AAC", "GAC", CLA_MODE_GLOBAL, "1T1Q1P1T1Q", "DIMDI", "DMIDI");
  /* No gap passes another one. */
  expect_placed("CAAAC", "CAAAC", CLA_MODE_GLOBAL, "2P1Q1P1T1P", "MIDMMM", "MMMIDM");
}

Test(gap_placement, needs_a_path_and_a_direction) {
  OWNED_MADE made = made_alignment_make("AAA", "AAAA", CLA_MODE_GLOBAL, 0, 0, "1P1T2P");
  cr_expect_eq(cla_alignment_place_gaps(made.alignment, CLA_GAPS_CANONICAL, made.query, made.target, &why),
               CLA_ERROR_OPTION);
  cr_expect_eq(cla_alignment_place_gaps(made.alignment, CLA_GAPS_LEFT, made.target, made.query, &why),
               CLA_ERROR_VERIFICATION);
  cr_expect_eq(made.alignment->gap_placement, CLA_GAPS_CANONICAL);
}

/* One gap's letters [first, end) of `ops`, and where its letters and the pair's lie. */
typedef struct block {
  int64_t first, end;
  int64_t query, target; /* letters of the path before it */
} block;

/* The next block of equal gap letters from `from` on; false if there is none. */
static bool next_block(block *out, const char *ops, int64_t from) {
  int64_t query = 0, target = 0, at = 0;
  while (ops[at] && (at < from || ops[at] == 'M')) {
    query += ops[at] != 'D';
    target += ops[at] != 'I';
    at++;
  }
  *out = (block){.first = at, .end = at, .query = query, .target = target};
  while (ops[out->end] && ops[out->end] == ops[at]) out->end++;
  return ops[at] != '\0';
}

typedef struct walker {
  strand_letters query, target;
  int64_t query_start, target_start;
  bool local;
} walker;

/* Moves one gap by a letter if it can; `left` or right. */
static bool step(char *ops, const block *gap, const walker *w, bool left) {
  const int64_t length = (int64_t)strlen(ops);
  const char kind = ops[gap->first];
  const int64_t pair = left ? gap->first - 1 : gap->end;
  if (pair < 0 || pair >= length || ops[pair] != 'M') return false;
  const int64_t beyond = left ? pair - 1 : pair + 1;
  const bool at_end = beyond < 0 || beyond >= length;
  if ((at_end && w->local) || (!at_end && ops[beyond] == kind)) return false;
  const strand_letters *letters = kind == 'I' ? &w->query : &w->target;
  const int64_t first = kind == 'I' ? w->query_start + gap->query : w->target_start + gap->target;
  const int64_t count = gap->end - gap->first;
  const int64_t taken = left ? first - 1 : first + count, given = left ? first + count - 1 : first;
  if (strand_code(letters, taken) != strand_code(letters, given)) return false;
  ops[left ? gap->end - 1 : gap->first] = 'M';
  ops[pair] = kind;
  return true;
}

/* Until no gap can move, beginning with another gap each time. */
static void move_all(char *ops, const walker *w, bool left, random_stream *stream) {
  for (bool moved = true; moved;) {
    block gap;
    int64_t count = 0;
    moved = false;
    for (int64_t at = 0; next_block(&gap, ops, at); at = gap.end) count++;
    const int64_t begin = count > 0 ? (int64_t)random_stream_below(stream, (uint64_t)count) : 0;
    for (int64_t turn = 0; turn < count && !moved; turn++) {
      int64_t at = 0, number = (begin + turn) % count;
      for (; number >= 0 && next_block(&gap, ops, at); at = gap.end) number--;
      moved = step(ops, &gap, w, left);
    }
  }
}

static char *placed(made_alignment *made, cla_gap_placement placement, uint64_t seed) {
  assert_ok_for(cla_alignment_place_gaps(made->alignment, placement, made->query, made->target, &why),
                "seed %llu", (unsigned long long)seed);
  assert_ok_for(cla_alignment_verify(made->alignment, made->query, made->target, &why), "seed %llu",
                (unsigned long long)seed);
  return path_text(made->alignment);
}

Test(gap_placement, is_what_moving_gaps_by_a_letter_leads_to_in_any_order) {
  int64_t moved = 0;
  for (uint64_t seed = 1; seed <= 6000; seed++) {
    random_stream stream;
    random_stream_init(&stream, seed, 3);
    OWNED_MADE made = made_alignment_random(seed, seed % 3 == 0 ? 60 : 14);
    if (seed % 2 == 0) made_alignment_turn(&made);
    const walker w = {.query = strand_query(made.alignment, made.query),
                      .target = {.codes = sequence_codes(made.target)},
                      .query_start = strand_query_start(made.alignment),
                      .target_start = made.alignment->target.start,
                      .local = made.alignment->mode == CLA_MODE_LOCAL};
    OWNED(free_memory)
    char *canonical = path_text(made.alignment), *left = strdup(canonical), *right = strdup(canonical);
    move_all(left, &w, true, &stream);
    move_all(right, &w, false, &stream);
    const cla_gap_placement order[] = {CLA_GAPS_LEFT, CLA_GAPS_LEFT, CLA_GAPS_RIGHT, CLA_GAPS_RIGHT,
                                       CLA_GAPS_LEFT};
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
      OWNED(free_memory) char *text = placed(&made, order[i], seed);
      cr_assert_str_eq(text, order[i] == CLA_GAPS_LEFT ? left : right, "seed %llu, step %zu: %s from %s",
                       (unsigned long long)seed, i, text, canonical);
    }
    moved += strcmp(left, right) != 0;
  }
  cr_expect_gt(moved, 1000, "%lld", (long long)moved);
}
