/* Pairs as arrays that another rank aligns, against cla_align of each pair. */

#include "ranks/ranks.h"
#include "ranks/ranks_batch.h"
#include "support/cases/arrays_case.h"
#include "support/ranks/local_ranks.h"
#include "support/test.h"

#define FIRST_SEED 9700000
#define CASES 24

static local_ranks *all;
static cla_arrays_ranks *lent;

static void begin(const arrays_case *x) {
  all = local_ranks_begin_on((cla_device *[]){NULL, NULL}, 2);
  assert_ok(cla_arrays_ranks_begin(&lent, local_ranks_first(all), &x->options, &why));
  cr_assert_gt(cla_arrays_ranks_room(lent), 2);
}

static void end(void) {
  cla_arrays_ranks_end(lent);
  local_ranks_end(all);
}

/* Waits for pairs that are out. */
static arrays_case *take(bool *aligned) {
  const cla_ranks *first = local_ranks_first(all);
  void *user = NULL;
  while (!user) {
    assert_ok(cla_arrays_ranks_take(&user, aligned, lent, &why));
    if (!user) first->rest(first->user, true);
  }
  return user;
}

Test(ranks_arrays, give_what_cla_align_gives) {
  for (uint64_t seed = FIRST_SEED; seed < FIRST_SEED + CASES; seed++) {
    static arrays_case x;
    bool aligned = false;
    arrays_case_make(&x, seed);
    begin(&x);
    if (seed % 2 == 1) assert_ok(cla_arrays_ranks_keep(lent, &x.arrays, &why)); /* targets go ahead */
    cr_assert(cla_arrays_ranks_send(lent, &x.results, &x.arrays, &x));
    cr_assert_eq(take(&aligned), &x);
    cr_assert(aligned);
    arrays_case_check_all(&x, seed);
    end();
    arrays_case_end(&x);
  }
}

Test(ranks_arrays, have_room_for_so_many_calls) {
  static arrays_case x;
  int64_t sent = 0;
  bool aligned = false;
  arrays_case_make(&x, FIRST_SEED);
  begin(&x);
  while (cla_arrays_ranks_send(lent, &x.results, &x.arrays, &x)) sent++;
  cr_assert_eq(sent, cla_arrays_ranks_room(lent));
  for (int64_t i = 0; i < sent; i++) cr_assert_eq(take(&aligned), &x);
  cr_assert(cla_arrays_ranks_send(lent, &x.results, &x.arrays, &x));
  cr_assert_eq(take(&aligned), &x);
  arrays_case_check_all(&x, FIRST_SEED);
  end();
  arrays_case_end(&x);
}

Test(ranks_arrays, of_a_rank_that_dies_come_back_as_they_were) {
  static arrays_case x[2];
  bool aligned[2] = {false, false};
  for (int i = 0; i < 2; i++) arrays_case_make(&x[i], FIRST_SEED + 3);
  begin(&x[0]);
  local_ranks_die(all, RANK_RESULTS, 1);
  for (int i = 0; i < 2; i++) cr_assert(cla_arrays_ranks_send(lent, &x[i].results, &x[i].arrays, &x[i]));
  for (int i = 0; i < 2; i++) {
    bool whole = false;
    const arrays_case *back = take(&whole);
    aligned[back == &x[1]] = whole;
  }
  cr_assert_eq(aligned[0] + aligned[1], 1, "rank 1 has died, and rank 2 has not");
  arrays_case_check_all(&x[aligned[1]], FIRST_SEED + 3);
  end();
  for (int i = 0; i < 2; i++) arrays_case_end(&x[i]);
}
