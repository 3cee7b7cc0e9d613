/* Bounds of one pair in all modes: a path that one mode finds is known to the others, too. */

#include <inttypes.h>

#include "path/lower_bound.h"
#include "seq/random_stream.h"
#include "support/bound_pairs.h"
#include "support/test.h"
#include "trace/banded.h"

/* A copy of the bound's path. */
static void copy_path(bound_path *out, const lower_bound *bound) {
  bound_path_begin(out, bound->query_start, bound->target_start);
  for (size_t i = 0; i < bound->run_count; i++)
    assert_ok(bound_path_add(out, bound->runs[i].kind, bound->runs[i].length, &why));
}

/* What a path of one mode brings in another one, cut to it: its best part, or the path without its end gaps,
 * led to the mode's ends. */
static int64_t worth_in(const lower_bound *bound, const bound_pair *pair, const path_ends *ends) {
  OWNED(bound_path_free) bound_path way = {0};
  copy_path(&way, bound);
  if (ends->floor) return bound_path_keep_best_part(&way, pair);
  bound_path_strip(&way);
  assert_ok(bound_path_complete(&way, pair, ends, &why));
  if (ends->anywhere) return bound_path_keep_best_start(&way, pair);
  return bound_path_score(&way, pair);
}

#define MODES 5 /* from local to extend */

static void expect_no_mode_is_behind(const bound_pair *pair, const char *text) {
  const cla_lower_bound automatic = {.kind = CLA_LOWER_BOUND_AUTO};
  lower_bound bounds[MODES];
  for (int mode = 0; mode < MODES; mode++) {
    lower_bound_input input = {.problem = pair->problem,
                               .mode = (cla_mode)mode,
                               .wanted = &automatic,
                               .banded = banded_cross,
                               .work_most = 160 * (pair->problem.rows + pair->problem.columns),
                               .threads = 1,
                               .memory_bytes = INT64_C(1) << 40};
    input.problem.scheme.ends = path_ends_make((cla_mode)mode, 0);
    assert_ok_for(lower_bound_find(&bounds[mode], &input, &why), "%s", text);
  }
  for (int mode = 0; mode < MODES; mode++)
    for (int other = 0; other < MODES; other++) {
      const path_ends ends = path_ends_make((cla_mode)mode, 0);
      if (!bounds[mode].has_path || !bounds[other].has_path) continue;
      const int64_t brought = worth_in(&bounds[other], pair, &ends);
      cr_expect_geq(bounds[mode].score, brought, "%s: %s has %" PRId64 ", the path of %s brings %" PRId64,
                    text, cla_mode_name((cla_mode)mode), bounds[mode].score, cla_mode_name((cla_mode)other),
                    brought);
    }
  for (int mode = 0; mode < MODES; mode++) lower_bound_free(&bounds[mode]);
}

Test(bounds_of_modes, are_no_less_than_what_a_path_of_another_mode_brings) {
  for (int kind = 0; kind < RELATED_KINDS; kind++)
    for (uint64_t seed = 1; seed <= 2; seed++) {
      char text[128];
      OWNED(bound_fixture_tear_down) bound_fixture x;
      bound_fixture_set_up(&x, (related_kind)kind, seed, 9000 * (int64_t)seed, 0);
      snprintf(text, sizeof text, "%s, seed %" PRIu64, x.related.name, seed);
      expect_no_mode_is_behind(&x.pair, text);
    }
}

/* Random letters but for copies of one repeat, which stands on the same diagonal in both sequences, and
 * elsewhere too; unlike stretches between related ones. */
static void make_mosaic(random_stream *from, uint8_t *query, uint8_t *target, int64_t letters) {
  const int64_t unit = 600;
  uint8_t repeat[600];
  for (int64_t i = 0; i < unit; i++) repeat[i] = (uint8_t)random_stream_below(from, 4);
  for (int64_t i = 0; i < letters; i++) {
    query[i] = (uint8_t)random_stream_below(from, 4);
    target[i] = random_stream_below(from, 50) == 0 ? (uint8_t)random_stream_below(from, 4) : query[i];
  }
  for (int64_t at = 0; at + 4 * unit < letters; at += unit + (int64_t)random_stream_below(from, 3000)) {
    const int kind = (int)random_stream_below(from, 4);
    uint8_t *const both[] = {query + at, target + at};
    for (int which = kind == 0 ? 0 : kind - 1; which < 2 && kind < 3; which++)
      memcpy(both[which], repeat, (size_t)unit);
    for (int64_t i = 0; i < 4 * unit && kind == 3; i++)
      target[at + i] = (uint8_t)random_stream_below(from, 4);
  }
  const int64_t third = letters / 3, turned = (int64_t)random_stream_below(from, (uint64_t)third);
  for (int64_t i = 0; i < turned / 2; i++) {
    const uint8_t swap = target[third + i];
    target[third + i] = (uint8_t)(3 - target[third + turned - 1 - i]);
    target[third + turned - 1 - i] = (uint8_t)(3 - swap);
  }
}

Test(bounds_of_modes, are_no_less_than_what_others_bring_in_mosaics) {
  for (uint64_t seed = 1; seed <= 16; seed++) {
    char text[64];
    random_stream from;
    random_stream_init(&from, seed, 0);
    const int64_t letters = 8000 + (int64_t)random_stream_below(&from, 24000);
    uint8_t *query = malloc((size_t)letters), *target = malloc((size_t)letters);
    score_table table;
    cla_scoring scoring = default_scoring();
    cr_assert(query && target);
    make_mosaic(&from, query, target, letters);
    /* Ends that are missing make ends of modes differ. */
    const int64_t cut = (int64_t)random_stream_below(&from, (uint64_t)letters / 2);
    const bound_pair pair = seed % 2
                                ? bound_pair_of(query + cut, letters - cut, target, letters, &scoring, &table)
                                : bound_pair_of(query, letters, target, letters - cut, &scoring, &table);
    snprintf(text, sizeof text, "mosaic, seed %" PRIu64, seed);
    expect_no_mode_is_behind(&pair, text);
    free(query);
    free(target);
  }
}
