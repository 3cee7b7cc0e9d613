/* Alignments in memory of the caller's. */

#include "clalign/alignment.h"
#include "support/counting_memory.h"
#include "support/made_alignment.h"
#include "support/test.h"

static void expect_inside(const cla_alignment *alignment) {
  cr_expect(counting_memory_owns(alignment), "the alignment");
  cr_expect(counting_memory_owns(alignment->query.name), "the query's name");
  cr_expect(counting_memory_owns(alignment->query.location), "the query's location");
  cr_expect(counting_memory_owns(alignment->target.name), "the target's name");
  cr_expect(counting_memory_owns(alignment->target.location), "the target's location");
  cr_expect(alignment->run_count == 0 || counting_memory_owns(alignment->runs), "the runs");
}

Test(result_memory, holds_a_whole_copy_and_gets_it_back) {
  for (uint64_t seed = 1; seed <= 20; seed++) {
    counting_memory memory = {0};
    const cla_allocator allocator = counting_memory_allocator(&memory);
    OWNED_MADE made = made_alignment_random(seed, 60);
    cla_alignment *copy = NULL;
    assert_ok(cla_alignment_copy(&copy, made.alignment, &allocator, &why));
    cr_expect(made_alignment_same(copy, made.alignment), "seed %llu", (unsigned long long)seed);
    expect_inside(copy);
    assert_ok(cla_alignment_verify(copy, made.query, made.target, &why));
    cla_alignment_free(copy);
    cr_expect_eq(memory.allocated, memory.released);
    cr_expect_eq(memory.foreign, 0);
  }
}

Test(result_memory, of_malloc_takes_a_copy_too) {
  made_alignment made = made_alignment_make("ACGTACGT", "ACGTCGT", CLA_MODE_GLOBAL, 0, 0, "4P1Q3P");
  OWNED(free_alignment) cla_alignment *copy = NULL;
  assert_ok(cla_alignment_copy(&copy, made.alignment, NULL, &why));
  cr_expect(made_alignment_same(copy, made.alignment));
  cr_expect_neq(copy->runs, made.alignment->runs);
  made_alignment_free(&made);
  cr_expect_eq(copy->runs[0].length, 4);
}

Test(result_memory, keeps_nothing_where_it_ends) {
  OWNED_MADE made = made_alignment_make("ACGTACGT", "ACGTCGT", CLA_MODE_GLOBAL, 0, 0, "4P1Q3P");
  int pieces = 0;
  for (bool failed = true; failed; pieces++) {
    counting_memory memory = {.fail_at = pieces + 1};
    const cla_allocator allocator = counting_memory_allocator(&memory);
    cla_alignment *copy = made.alignment;
    why = (cla_error){0};
    cla_status status = cla_alignment_copy(&copy, made.alignment, &allocator, &why);
    failed = memory.fail_at < 0;
    cr_expect_eq(status, failed ? CLA_ERROR_MEMORY : CLA_OK);
    if (failed) {
      cr_expect_null(copy);
      cr_expect_not_null(strstr(why.message, "allocator"), "%s", why.message);
    }
    cla_alignment_free(copy);
    cr_expect_eq(memory.allocated, memory.released, "piece %d", pieces + 1);
  }
  cr_expect_eq(pieces - 1, 6, "an alignment, four names and the runs");
}

Test(result_memory, wants_both_functions) {
  counting_memory memory = {0};
  cla_allocator half = counting_memory_allocator(&memory);
  OWNED_MADE made = made_alignment_make("ACGT", "ACGT", CLA_MODE_GLOBAL, 0, 0, "4P");
  cla_alignment *copy = NULL;
  half.release = NULL;
  cr_expect_eq(cla_alignment_copy(&copy, made.alignment, &half, &why), CLA_ERROR_OPTION);
  cr_expect_null(copy);
  cr_expect_eq(memory.allocated, 0);
}

Test(result_memory, has_the_runs_of_moved_gaps_too) {
  counting_memory memory = {0};
  const cla_allocator allocator = counting_memory_allocator(&memory);
  OWNED_MADE made = made_alignment_make("ACAAAGT", "ACAAGT", CLA_MODE_GLOBAL, 0, 0, "4P1Q2P");
  cla_alignment *copy = NULL;
  assert_ok(cla_alignment_copy(&copy, made.alignment, &allocator, &why));
  assert_ok(cla_alignment_place_gaps(copy, CLA_GAPS_LEFT, made.query, made.target, &why));
  cr_expect_eq(copy->runs[0].length, 2);
  expect_inside(copy);
  cla_alignment_free(copy);
  cr_expect_eq(memory.allocated, memory.released);
  cr_expect_eq(memory.foreign, 0);
}
