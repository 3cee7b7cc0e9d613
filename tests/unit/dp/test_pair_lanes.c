/* Groups of pairs in the lanes of vectors against the oracle: scores, ends, and the canonical paths of whole
 * matrices and of bands that are proven. */

#include "dp/pair_lanes.h"
#include "seq/random_stream.h"
#include "seq/sequence.h"
#include "support/random_pairs.h"
#include "support/reference_path.h"
#include "support/test.h"

#define FIRST_SEED 9100000
#define GROUPS 700
#define LENGTH_MOST 90

/* A group of one scheme, and what it is solved with. */
typedef struct case_group {
  random_pair pairs[LANES_MOST];
  score_table table;
  path_scheme scheme;
  lanes_scheme lanes;
  lanes_group group;
  lanes_space *space;
  const lanes_way *way;
  uint64_t seed;
} case_group;

static int by_rows(const void *left, const void *right) {
  const random_pair *a = left, *b = right;
  return (a->query_length > b->query_length) - (a->query_length < b->query_length);
}

/* A target that is the query with changes, every second time. */
static void relate(random_pair *pair, random_stream *stream) {
  int64_t from = 0, to = 0;
  if (random_stream_below(stream, 2) == 0) return;
  while (to < pair->target_length && from < pair->query_length) {
    const uint64_t change = random_stream_below(stream, 24);
    pair->target[to++] = change == 0 ? (uint8_t)random_stream_below(stream, 4) : pair->query[from];
    from += change == 1 ? 3 : change != 2;
  }
}

static bool make_group(case_group *x, uint64_t seed, const lanes_way *way) {
  random_stream stream;
  random_stream_init(&stream, seed, 1);
  x->seed = seed;
  x->way = way;
  const int count = 1 + (int)random_stream_below(&stream, (uint64_t)way->lanes);
  for (int i = 0; i < count; i++) {
    random_pair_make(&x->pairs[i], seed * 100 + (i > 0 ? (uint64_t)i : 0), LENGTH_MOST);
    random_pair_choose_mode(&x->pairs[i]);
    relate(&x->pairs[i], &stream);
  }
  const random_pair first = x->pairs[0];
  qsort(x->pairs, (size_t)count, sizeof x->pairs[0], by_rows);
  for (int i = 0; i < count; i++) x->pairs[i].scoring = first.scoring;
  score_table_build(&x->table, &x->pairs[0].scoring, SEQUENCE_LETTERS, SEQUENCE_UNAMBIGUOUS);
  x->scheme = (path_scheme){&x->pairs[0].scoring, &x->table, path_ends_make(first.mode, first.free_ends)};
  bool takes = lanes_scheme_make(&x->lanes, &x->scheme);
  x->group = (lanes_group){.scheme = &x->lanes, .way = way, .end = x->lanes.end, .count = count};
  if (way->bits == 8 && x->lanes.tiles_fit && seed % 3 == 0)
    x->group.values = LANES_TILES;
  else
    x->group.masks = seed % 4 != 0 && x->lanes.end != LANES_END_ANYWHERE;
  for (int i = 0; i < count; i++) {
    x->group.rows[i] = (int32_t)x->pairs[i].query_length;
    x->group.columns[i] = (int32_t)x->pairs[i].target_length;
    x->group.query[i] = x->pairs[i].query;
    x->group.target[i] = x->pairs[i].target;
    takes = takes && lanes_takes(way, &x->lanes, x->group.rows[i], x->group.columns[i]);
  }
  return takes;
}

static void end_group(case_group *x) {
  for (int i = 0; i < x->group.count; i++) random_pair_free(&x->pairs[i]);
}

static void check_runs(const case_group *x, int lane, const reference_alignment *want) {
  static const uint32_t matches[32] = {1, 2, 4, 8};
  lanes_path path;
  int64_t at = 0;
  size_t run = 0;
  assert_ok_for(lanes_walk(&path, &x->group, lane, matches, x->space, &why), "seed %llu lane %d",
                (unsigned long long)x->seed, lane);
  cr_assert(path.start_row == want->query_start && path.start_column == want->target_start,
            "seed %llu lane %d: starts at (%d, %d), not (%lld, %lld)", (unsigned long long)x->seed, lane,
            path.start_row, path.start_column, (long long)want->query_start, (long long)want->target_start);
  for (int32_t i = path.run_count - 1; i >= 0; i--) {
    const int operation = (int)(path.runs[i] & 15);
    const cla_run_kind kind = operation == CLA_PACKED_QUERY    ? CLA_RUN_QUERY
                              : operation == CLA_PACKED_TARGET ? CLA_RUN_TARGET
                                                               : CLA_RUN_PAIR;
    cr_assert(run < want->run_count && want->runs[run].kind == kind, "seed %llu lane %d: another path",
              (unsigned long long)x->seed, lane);
    at += path.runs[i] >> 4;
    cr_assert(at <= want->runs[run].length);
    if (at < want->runs[run].length) continue;
    at = 0;
    run++;
  }
  cr_assert(run == want->run_count, "seed %llu lane %d: the path is too short", (unsigned long long)x->seed,
            lane);
}

static void check_lane(const case_group *x, int lane, int *exact) {
  const random_pair *pair = &x->pairs[lane];
  const lanes_group *group = &x->group;
  reference_alignment want;
  assert_ok(reference_align(&want, RANDOM_PAIR_PROBLEM(pair, &x->table, x->scheme.ends), &why));
  const int64_t loss = x->lanes.match * pair->query_length - want.score;
  if (group->loss[lane] == LANES_UNKNOWN) {
    cr_assert(group->values == LANES_TILES || loss >= (x->way->bits == 8 ? UINT8_MAX : UINT16_MAX),
              "seed %llu lane %d: %lld cannot be told", (unsigned long long)x->seed, lane, (long long)loss);
  } else {
    ++*exact;
    cr_assert(group->loss[lane] == loss && group->end_row[lane] == want.query_end &&
                  group->end_column[lane] == want.target_end,
              "seed %llu lane %d (%s): loss %d at (%d, %d), not %lld at (%lld, %lld)",
              (unsigned long long)x->seed, lane,
              random_pair_text(&x->pairs[lane], (char[RANDOM_PAIR_TEXT_SIZE]){0}), group->loss[lane],
              group->end_row[lane], group->end_column[lane], (long long)loss, (long long)want.query_end,
              (long long)want.target_end);
    if (group->masks) check_runs(x, lane, &want);
  }
  reference_alignment_free(&want);
}

static void check_groups(int bits, int widest) {
  static case_group x;
  int exact = 0, taken = 0;
  const lanes_way *way = lanes_way_of(bits, widest);
  assert_ok(lanes_space_create(&x.space, &why));
  for (uint64_t seed = FIRST_SEED; seed < FIRST_SEED + GROUPS; seed++) {
    if (make_group(&x, seed, way)) {
      assert_ok(lanes_solve(&x.group, x.space, &why));
      for (int lane = 0; lane < x.group.count; lane++) check_lane(&x, lane, &exact);
      taken++;
    }
    end_group(&x);
  }
  lanes_space_free(x.space);
  cr_assert(exact > 2000 && taken > GROUPS / 3, "%d exact pairs of %d groups", exact, taken);
}

Test(pair_lanes, whole_matrices_of_8_bits_are_the_oracles) {
  check_groups(8, 64);
}

Test(pair_lanes, whole_matrices_of_16_bits_are_the_oracles) {
  check_groups(16, 64);
}

Test(pair_lanes, narrower_vectors_give_the_same) {
  check_groups(8, 32);
  check_groups(16, 32);
  check_groups(8, 16);
  check_groups(16, 16);
}
