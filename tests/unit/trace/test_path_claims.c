/* Which stage's value is wrong: each of the values along a path is altered in turn. */

#include "base/error.h"
#include "seq/alphabet.h"
#include "support/test.h"
#include "trace/path_claims.h"

/* Codes of ACGTACGTAC and ACGTTACCTAC: 4 pairs, a T of the target alone, 4 pairs with a mismatch, two letters
 * of the query alone. Pairs score 1 or -1. A gap's first letter costs 2, each further one 1. */
static const uint8_t query[] = {0, 1, 2, 3, 0, 1, 2, 3, 0, 1}, target[] = {0, 1, 2, 3, 3, 0, 1, 1, 3};
static const cla_run runs[] = {{.length = 4, .kind = CLA_RUN_PAIR},
                               {.length = 1, .kind = CLA_RUN_TARGET},
                               {.length = 4, .kind = CLA_RUN_PAIR},
                               {.length = 2, .kind = CLA_RUN_QUERY}};

typedef struct example {
  path_claims claims;
  score_table table;
  cla_scoring scoring;
  claimed_path path;
} example;

static void claim(example *made, int64_t row, int64_t column, int64_t value, query_gap gap,
                  const char *stage) {
  const trace_point point = {.row = row, .column = column, .value = value, .in_query_gap = gap};
  assert_ok(path_claims_add(&made->claims, &point, stage, &why));
}

static void make(example *made) {
  *made = (example){.path = {.runs = runs, .run_count = 4, .problem = {.query = query, .target = target}}};
  cla_scoring_init(&made->scoring);
  made->scoring.match = 1;
  made->scoring.mismatch = -1;
  made->scoring.gap_first = 2;
  made->scoring.gap_ext = 1;
  score_table_build(&made->table, &made->scoring, alphabet_dna.letters, alphabet_dna.unambiguous);
  made->path.problem.scheme.table = &made->table;
  made->path.problem.scheme.scoring = &made->scoring;
  claim(made, 10, 9, 1, NO_QUERY_GAP, "forward sweep");
  claim(made, 9, 9, 2, QUERY_GAP, "band");
  claim(made, 8, 9, 4, NO_QUERY_GAP, "small block");
  claim(made, 4, 5, 2, NO_QUERY_GAP, "band ahead of the path");
  claim(made, 2, 2, 2, NO_QUERY_GAP, "band");
  const trace_point start = {.at_start = true};
  assert_ok(path_claims_add(&made->claims, &start, "small block", &why));
}

Test(path_claims, right_values_are_not_blamed) {
  example made;
  wrong_claim wrong;
  make(&made);
  cr_expect_not(path_claims_find_wrong(&wrong, &made.claims, &made.path));
  path_claims_free(&made.claims);
}

Test(path_claims, each_wrong_value_is_blamed_on_its_stage) {
  static const char *const stages[] = {"band", NULL, "band ahead of the path", "band", "small block"};
  for (int64_t at = 0; at < 5; at++) {
    example made;
    wrong_claim wrong;
    make(&made);
    path_claim *altered = made.claims.items + at;
    altered->value += 3;
    const bool found = path_claims_find_wrong(&wrong, &made.claims, &made.path);
    cr_expect_eq(found, !altered->in_gap, "claim %d", (int)at);
    if (found) {
      cr_expect_eq(wrong.claim, altered, "claim %d", (int)at);
      cr_expect_eq(wrong.value, altered->value - 3);
      cr_expect_not(wrong.missed);
      cr_expect_str_eq(wrong.stage, stages[at], "claim %d: %s", (int)at, wrong.stage);
    }
    path_claims_free(&made.claims);
  }
}

Test(path_claims, a_node_off_the_path_is_blamed) {
  for (int64_t at = 0; at < 5; at++) {
    example made;
    wrong_claim wrong;
    make(&made);
    made.claims.items[at].column++;
    cr_expect(path_claims_find_wrong(&wrong, &made.claims, &made.path));
    cr_expect_eq(wrong.claim, made.claims.items + at, "claim %d", (int)at);
    cr_expect(wrong.missed);
    path_claims_free(&made.claims);
  }
}

Test(path_claims, the_message_has_stage_values_device_kernel_and_remedy) {
  cla_error error = {.status = CLA_ERROR_VERIFICATION,
                     .message = "verification failed: it scores 1, not 4; align"};
  example made;
  make(&made);
  made.claims.items[0].value = 4;
  path_claims_blame(&error, &made.claims, &made.path);
  wrong_value_add_device(&error, "a CPU", "vector8");
  cr_expect_eq(error.status, CLA_ERROR_VERIFICATION);
  cr_expect_str_eq(
      error.message,
      "verification failed: the forward sweep has the value 4 at (10, 9), and the path that the "
      "band traced from (9, 9) scores 1 there (device a CPU, kernel vector8); " WRONG_VALUE_REMEDY);
  made.claims.items[0].value = 1;
  made.claims.items[3].value = 5;
  path_claims_blame(&error, &made.claims, &made.path);
  cr_expect(strstr(error.message, "the traceback has the value 5 at (4, 5)"), "%s", error.message);
  made.claims.items[3].value = 2;
  path_claims_blame(&error, &made.claims, &made.path);
  cr_expect(strstr(error.message, "all stages agree with the path"), "%s", error.message);
  path_claims_free(&made.claims);
}

Test(path_claims, other_messages_get_no_device) {
  why = (cla_error){.status = CLA_ERROR_MEMORY, .message = "out of memory"};
  wrong_value_add_device(&why, "a CPU", "vector8");
  cr_expect_str_eq(why.message, "out of memory");
  wrong_value_add_device(NULL, "a CPU", "vector8");
}
