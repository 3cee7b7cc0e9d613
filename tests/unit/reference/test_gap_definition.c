/* Gaps of canonical paths of short pairs, beside all placements that the definition lets them reach
 * (docs/internals/exactness.md, Gap placement). */

#include "result/alignment.h"
#include "seq/random_stream.h"
#include "seq/sequence.h"
#include "support/made_alignment.h"
#include "support/reference_path.h"
#include "support/test.h"
#include "support/test_devices.h"

#define LETTERS_MOST 14
#define GAPS_MOST 16
#define PLACEMENTS_MOST 20000

/* One gap; its first letter, were no pair before it. */
typedef struct gap {
  bool of_query;
  int length, letter;
} gap;

typedef struct placement {
  int8_t pairs[GAPS_MOST]; /* before each gap */
} placement;

typedef struct reached {
  gap gaps[GAPS_MOST];
  int gap_count, pairs;
  path_ends ends;
  strand_letters query, target;
  placement all[PLACEMENTS_MOST];
  int count;
} reached;

static void read_path(reached *r, const cla_alignment *alignment) {
  int query = (int)strand_query_start(alignment), target = (int)alignment->target.start;
  placement *first = &r->all[0];
  r->gap_count = r->pairs = 0;
  r->count = 1;
  memset(first, 0, sizeof *first);
  for (size_t k = 0; k < alignment->run_count; k++) {
    const int length = (int)alignment->runs[k].length;
    if (alignment->runs[k].kind == CLA_RUN_PAIR) {
      r->pairs += length;
      continue;
    }
    const bool of_query = alignment->runs[k].kind == CLA_RUN_QUERY;
    cr_assert_lt(r->gap_count, GAPS_MOST);
    first->pairs[r->gap_count] = (int8_t)r->pairs;
    r->gaps[r->gap_count++] =
        (gap){.of_query = of_query, .length = length, .letter = of_query ? query : target};
    if (of_query)
      query += length;
    else
      target += length;
  }
}

/* Whether a gap may stand where it does beside all others. */
static bool is_allowed(const reached *r, const placement *p, int moved) {
  const gap *g = &r->gaps[moved];
  const int at = p->pairs[moved];
  const bool free_start = r->ends.floor || (g->of_query ? r->ends.query_start : r->ends.target_start);
  const bool free_end = r->ends.anywhere || (g->of_query ? r->ends.query_end : r->ends.target_end);
  if (at < (free_start ? 1 : 0) || at > r->pairs - (free_end ? 1 : 0)) return false;
  for (int k = 0; k < r->gap_count; k++) {
    const int apart = k < moved ? at - p->pairs[k] : p->pairs[k] - at;
    if (k != moved && apart < (r->gaps[k].of_query == g->of_query ? 1 : 0)) return false;
  }
  return true;
}

static void reach(reached *r, const placement *p) {
  for (int k = 0; k < r->count; k++)
    if (memcmp(r->all[k].pairs, p->pairs, sizeof p->pairs) == 0) return;
  cr_assert_lt(r->count, PLACEMENTS_MOST);
  r->all[r->count++] = *p;
}

/* All that moves by one letter lead to, one way. */
static void reach_all(reached *r, bool left) {
  for (int at = 0; at < r->count; at++)
    for (int k = 0; k < r->gap_count; k++) {
      placement next = r->all[at];
      const gap *g = &r->gaps[k];
      const strand_letters *letters = g->of_query ? &r->query : &r->target;
      const int first = g->letter + next.pairs[k], taken = left ? first - 1 : first + g->length;
      const int given = left ? first + g->length - 1 : first;
      next.pairs[k] = (int8_t)(next.pairs[k] + (left ? -1 : 1));
      if (next.pairs[k] < 0 || next.pairs[k] > r->pairs || !is_allowed(r, &next, k)) continue;
      if (strand_code(letters, taken) == strand_code(letters, given)) reach(r, &next);
    }
}

/* The one in which every gap is as far as it is in any. */
static const placement *furthest(const reached *r, bool left, uint64_t seed) {
  for (int at = 0; at < r->count; at++) {
    bool is = true;
    for (int other = 0; other < r->count && is; other++)
      for (int k = 0; k < r->gap_count; k++) {
        const int by = r->all[other].pairs[k] - r->all[at].pairs[k];
        is &= left ? by >= 0 : by <= 0;
      }
    if (is) return &r->all[at];
  }
  cr_expect_fail("seed %llu: no placement is the furthest", (unsigned long long)seed);
  return &r->all[0];
}

/* Repeats of a short unit with few errors. */
static void make_letters(char *letters, random_stream *stream) {
  char unit[4];
  const uint64_t kinds = 1 + random_stream_below(stream, 4), period = 1 + random_stream_below(stream, 4);
  const int length = 1 + (int)random_stream_below(stream, LETTERS_MOST);
  for (int k = 0; k < 4; k++) unit[k] = "ACGT"[random_stream_below(stream, kinds)];
  for (int k = 0; k < length; k++)
    letters[k] = random_stream_below(stream, 5) > 0 ? unit[(uint64_t)k % period]
                                                    : "ACGT"[random_stream_below(stream, kinds)];
  letters[length] = 0;
}

static cla_scoring make_scoring(random_stream *stream) {
  static const int costs[][4] = {{0, 0, 0, 0}, {1, 0, 0, 0}, {1, 1, 0, 0}, {2, 2, 0, 0},
                                 {2, 1, 0, 0}, {5, 2, 0, 0}, {2, 2, 5, 1}, {3, 1, 5, 0}};
  cla_scoring scoring = default_scoring();
  const int *cost = costs[random_stream_below(stream, sizeof costs / sizeof *costs)];
  scoring.match = (int32_t)random_stream_below(stream, 3);
  scoring.mismatch = -(int32_t)random_stream_below(stream, 5);
  scoring.gap_first = cost[0];
  scoring.gap_ext = cost[1];
  scoring.gap_first2 = cost[2];
  scoring.gap_ext2 = cost[3];
  return scoring;
}

/* The canonical alignment. */
static made_alignment make_canonical(path_ends *ends, random_stream *stream, uint64_t seed) {
  char query[LETTERS_MOST + 1], target[LETTERS_MOST + 1], path[200] = "";
  score_table table;
  reference_alignment want;
  make_letters(query, stream);
  if (random_stream_below(stream, 2) == 0)
    make_letters(target, stream);
  else
    strcpy(target, query + random_stream_below(stream, (uint64_t)strlen(query)));
  const cla_scoring scoring = make_scoring(stream);
  const int listed = (int)random_stream_below(stream, CLA_FREE_ENDS_ALL + 1);
  const bool local = random_stream_below(stream, 3) == 0;
  const cla_mode mode = !local ? cla_free_ends_mode(listed) : listed % 2 ? CLA_MODE_LOCAL : CLA_MODE_EXTEND;
  const int free_ends = mode == CLA_MODE_FREE_ENDS ? listed : 0;
  *ends = path_ends_make(mode, free_ends);
  made_alignment made = made_alignment_make(query, target, mode, 0, 0, "");
  score_table_build(&table, &scoring, SEQUENCE_LETTERS, SEQUENCE_UNAMBIGUOUS);
  assert_ok_for(reference_align(&want,
                                &(pair_problem){sequence_codes(made.query),
                                                sequence_codes(made.target),
                                                cla_sequence_length(made.query),
                                                cla_sequence_length(made.target),
                                                {&scoring, &table, *ends}},
                                &why),
                "seed %llu", (unsigned long long)seed);
  made_alignment_free(&made);
  for (size_t k = 0; k < want.run_count; k++)
    sprintf(path + strlen(path), "%lld%c", (long long)want.runs[k].length, "PQT"[want.runs[k].kind]);
  made = made_alignment_make(query, target, mode, want.query_start, want.target_start, path);
  made.alignment->free_ends = free_ends;
  made.alignment->scoring = scoring;
  made.alignment->score = want.score;
  reference_alignment_free(&want);
  return made;
}

/* Whether a gap moved. */
static bool check(uint64_t seed, bool left) {
  static reached r, got;
  random_stream stream;
  random_stream_init(&stream, seed, 4);
  made_alignment made = make_canonical(&r.ends, &stream, seed);
  if (made.alignment->run_count == 0) {
    made_alignment_free(&made);
    return false;
  }
  if (random_stream_below(&stream, 2) == 0) made_alignment_turn(&made);
  r.query = strand_query(made.alignment, made.query);
  r.target =
      (strand_letters){.codes = sequence_codes(made.target), .length = cla_sequence_length(made.target)};
  read_path(&r, made.alignment);
  reach_all(&r, left);
  const placement *want = furthest(&r, left, seed);
  assert_ok_for(cla_alignment_place_gaps(made.alignment, left ? CLA_GAPS_LEFT : CLA_GAPS_RIGHT, made.query,
                                         made.target, &why),
                "seed %llu", (unsigned long long)seed);
  read_path(&got, made.alignment);
  cr_assert_eq(got.gap_count, r.gap_count, "seed %llu", (unsigned long long)seed);
  cr_assert_eq(got.pairs, r.pairs, "seed %llu", (unsigned long long)seed);
  for (int k = 0; k < r.gap_count; k++)
    cr_assert(got.gaps[k].of_query == r.gaps[k].of_query && got.gaps[k].length == r.gaps[k].length &&
                  got.all[0].pairs[k] == want->pairs[k],
              "seed %llu, gap %d: after %d pairs, not %d", (unsigned long long)seed, k, got.all[0].pairs[k],
              want->pairs[k]);
  made_alignment_free(&made);
  return want != &r.all[0];
}

Test(gap_definition, is_what_gaps_of_canonical_paths_are_placed_by, .timeout = 600) {
  const long long pairs = test_count("CLALIGN_TEST_PAIRS", 40000);
  long long moved = 0;
  for (uint64_t seed = 1; seed <= (uint64_t)pairs; seed++) moved += check(seed, true) + check(seed, false);
  cr_expect_gt(moved, pairs / 20, "%lld", moved);
}
