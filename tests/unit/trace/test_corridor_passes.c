/* The passes through a corridor for wider vectors and those for any processor: the same values and
 * directions. */

#define CLALIGN_BASELINE
#define corridor_takes baseline_takes
#define corridor_make baseline_make
#define corridor_free baseline_free
#define corridor_put_borders baseline_put_borders
#define corridor_go_back baseline_go_back
#define corridor_go_forth baseline_go_forth
#include "trace/corridor.c"
#undef corridor_go_back
#undef corridor_go_forth

#include "support/repeat_pairs.h"
#include "support/test.h"
#include "support/test_devices.h"

bool corridor_go_back(corridor *c);
void corridor_go_forth(corridor *c, const path_scheme *scheme);

static void expect_same(const corridor *one, const corridor *other, const char *pass,
                        unsigned long long seed) {
  const int64_t last = one->rows + one->columns, lines = last - one->low + 1;
  const bool forth = pass[0] == 'f';
  const corridor_edge *edges[] = {forth ? one->forth : one->back, forth ? other->forth : other->back};
  cr_assert_eq(one->low, other->low, "seed %llu, %s: lines from %lld and %lld", seed, pass,
               (long long)one->low, (long long)other->low);
  cr_assert_eq(memcmp(one->top + one->low, other->top + one->low, (size_t)lines * sizeof *one->top), 0,
               "seed %llu, %s: it runs elsewhere", seed, pass);
  for (int64_t line = one->low; line <= last; line++)
    cr_assert(edges[0][line].first == edges[1][line].first && edges[0][line].last == edges[1][line].last,
              "seed %llu, %s, %d lanes, line %lld: %d %d, not %d %d", seed, pass, one->lanes, (long long)line,
              edges[0][line].first, edges[0][line].last, edges[1][line].first, edges[1][line].last);
  if (!forth) return;
  cr_assert_eq(one->loss, other->loss, "seed %llu: loss %d, not %d", seed, one->loss, other->loss);
  for (int64_t at = (one->low + 1) * one->lanes; at < (last + 1) * one->lanes; at++)
    cr_assert_eq(one->directions[at], other->directions[at], "seed %llu, %d lanes: direction %d, not %d",
                 seed, one->lanes, one->directions[at], other->directions[at]);
}

/* Whether there is a corridor. Those of the narrow passes in registers are steered less often: what they
 * compute forth is compared where they run. */
static bool check_lanes(const repeat_pair *x, int lanes) {
  corridor one, other;
  assert_ok(corridor_make(&one, &x->scheme, &x->pair, lanes, &why));
  assert_ok(corridor_make(&other, &x->scheme, &x->pair, lanes, &why));
  const bool wide = corridor_go_back(&one), plain = baseline_go_back(&other);
  const bool steered_alike = gap_two_pieces(x->scheme.scoring) || lanes > CORRIDOR_NARROW;
  if (steered_alike) cr_assert_eq(wide, plain, "seed %llu", x->seed);
  if (wide) {
    if (steered_alike) expect_same(&one, &other, "back", x->seed);
    memcpy(other.top, one.top, (size_t)(one.rows + one.columns + 1) * sizeof *one.top);
    other.low = one.low;
    corridor_go_forth(&one, &x->scheme);
    baseline_go_forth(&other, &x->scheme);
    expect_same(&one, &other, "forth", x->seed);
  }
  corridor_free(&one);
  corridor_free(&other);
  return wide;
}

static void check_scheme(repeat_scheme scheme, long long count) {
  static repeat_pair x;
  long long compared = 0;
  for (long long k = 0; k < count; k++) {
    if (!repeat_pair_make(&x, scheme, 8900000 + (uint64_t)k, 400)) continue;
    if (!corridor_takes(&x.scheme, &x.pair)) continue;
    for (int lanes = CORRIDOR_NARROW; lanes <= CORRIDOR_LANES_MOST; lanes *= 2)
      compared += check_lanes(&x, lanes);
  }
  printf("%lld corridors were the same\n", compared);
  cr_expect_gt(compared, count / 4);
}

Test(corridor_passes, of_wider_vectors_are_those_of_any_processor, .timeout = 600) {
  const long long pairs = test_count("CLALIGN_TEST_PAIRS", 200);
  check_scheme(REPEAT_PLAIN, pairs);
  check_scheme(REPEAT_TWO_PIECES, pairs / 2);
}
