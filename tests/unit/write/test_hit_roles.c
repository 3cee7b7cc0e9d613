/* Which alignment of a query is its best place. */

#include "write/hit_roles.h"

#include "support/test.h"

static query_hit hit(uint64_t query, int64_t from, int64_t to, int64_t score, int64_t order) {
  return (query_hit){.query = {{query, 0}}, .from = from, .to = to, .score = score, .order = order};
}

static const query_hit *find(const query_hit *hits, int64_t count, int64_t order) {
  for (int64_t i = 0; i < count; i++)
    if (hits[i].order == order) return &hits[i];
  cr_assert_fail("no hit %lld", (long long)order);
  return NULL;
}

static void expect_role(const query_hit *hits, int64_t count, int64_t order, hit_role role) {
  cr_expect_eq(find(hits, count, order)->role, role, "of hit %lld", (long long)order);
}

Test(hit_roles, one_of_each_query_is_primary) {
  query_hit hits[] = {hit(2, 0, 100, 50, 0), hit(1, 0, 100, 40, 1), hit(2, 0, 100, 60, 2),
                      hit(1, 0, 100, 40, 3)};
  query_hits_rank(hits, 4);
  expect_role(hits, 4, 2, HIT_PRIMARY);
  expect_role(hits, 4, 0, HIT_SECONDARY);
  expect_role(hits, 4, 1, HIT_PRIMARY); /* of equal scores the first */
  expect_role(hits, 4, 3, HIT_SECONDARY);
  cr_expect_eq(find(hits, 4, 1)->rivals, 1);
  cr_expect_eq(find(hits, 4, 2)->rivals, 0);
}

Test(hit_roles, other_letters_of_the_query_are_supplementary) {
  query_hit hits[] = {hit(1, 0, 100, 90, 0), hit(1, 50, 150, 80, 1), hit(1, 49, 149, 70, 2),
                      hit(1, 150, 200, 40, 3), hit(1, 10, 20, 10, 4)};
  query_hits_rank(hits, 5);
  expect_role(hits, 5, 0, HIT_PRIMARY);
  expect_role(hits, 5, 1, HIT_SUPPLEMENTARY); /* half of its letters are no more than half */
  expect_role(hits, 5, 2, HIT_SECONDARY);
  expect_role(hits, 5, 3, HIT_SUPPLEMENTARY);
  expect_role(hits, 5, 4, HIT_SECONDARY); /* a repeat within a better one */
}

Test(hit_roles, what_is_not_aligned_counts_where_nothing_is) {
  query_hit hits[] = {hit(1, 0, 0, 0, 0), hit(1, 0, 9, -5, 1), hit(2, 0, 0, 0, 2), hit(2, 0, 0, 0, 3)};
  hits[0].empty = hits[2].empty = hits[3].empty = true;
  query_hits_rank(hits, 4);
  expect_role(hits, 4, 0, HIT_NONE);
  expect_role(hits, 4, 1, HIT_PRIMARY);
  expect_role(hits, 4, 2, HIT_PRIMARY);
  expect_role(hits, 4, 3, HIT_NONE);
}
