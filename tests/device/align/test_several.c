/* Several alignments of a pair on every device against the oracle: each is the canonical one of what those
 * before it have left. */

#include "pipeline/kept_matrix.h"
#include "pipeline/pipeline.h"
#include "ranks/ranks.h"
#include "reference/reference.h"
#include "seq/random_stream.h"
#include "seq/sequence.h"
#include "support/build_kinds.h"
#include "support/cases/pair_case.h"
#include "support/ranks/local_ranks.h"
#include "support/reference_difference.h"
#include "support/related_pairs.h"
#include "support/small_plans.h"
#include "support/test.h"
#include "support/test_devices.h"

#define ROUNDS 5

static void make_in(pair_case *one, cla_mode mode, uint64_t seed, int64_t letters) {
  if (seed % 3 == 2)
    related_pair_make_random(&one->pair, seed / 3, letters);
  else
    random_pair_make(&one->pair, seed, letters);
  one->pair.mode = mode;
  one->pair.free_ends = 0;
  pair_case_begin(one);
  one->options.budgets.special_rows = 8; /* small pairs keep none by themselves, and so no matrix */
}

static void make(pair_case *one, uint64_t seed, int64_t letters) {
  make_in(one, CLA_MODE_LOCAL, seed, letters);
}

/* Every other pair is small. */
static void make_large_and_small(pair_case *one, uint64_t seed, int64_t letters) {
  make(one, seed, one->number % 2 == 0 ? letters : 160);
}

static void use(used_pairs *used, const reference_alignment *made) {
  assert_ok(used_pairs_add(used, made->query_start, made->target_start, made->runs, made->run_count, &why));
}

/* Blocks of a matrix that is kept have four strips, and rows within them lie so many strips apart. */
static void four_strips(plan *whole, int64_t apart) {
  const int64_t strip_rows = kernel_strip_rows(&whole->sweep);
  if (whole->matrix_block_rows == 0) return;
  whole->matrix_block_rows = 4 * strip_rows;
  whole->row_interval = apart * strip_rows;
}

static void near_rows(plan *whole) {
  small_plan(whole);
  four_strips(whole, 1);
}

static void far_rows(plan *whole) {
  small_plan(whole);
  four_strips(whole, 4);
}

/* The plan of a round. Rows of the same matrix lie at other distances in other rounds. */
typedef void (*plan_change)(plan *whole);
static plan_change change_of(const pair_case *one, int round) {
  static const plan_change changes[] = {near_rows, far_rows, near_rows, near_rows, far_rows};
  if ((one->pair.seed + (uint64_t)round) % 7 == 0) return NULL;
  return one->pair.seed % 4 < 2 ? small_plan : changes[round];
}

/* What the round must reach: nothing, its score, so that much is passed over, or more than there is. `slow`:
 * to compile a kernel that passes over something takes long. */
static strand_rival rival_of(const pair_case *one, int round, int64_t score, bool slow) {
  const uint64_t choice = (one->pair.seed / 2 + (uint64_t)round) % 7;
  return (strand_rival){.given = score > 0 && choice >= 3 && !slow, .least = score + (choice == 6 ? 1 : 0)};
}

static bool slow_to_compile(const char *kernel, const cla_device *device) {
  return kernel && strncmp(kernel, "wave", 4) == 0 && cla_device_describe(device)->kind == CLA_DEVICE_CPU;
}

/* The next round of one strand, with whatever blocks the seed wants. False if the kernel does not take the
 * scores. */
static bool check_round(cla_device *device, pair_case *one, const char *kernel, int round, strand_rest *rest,
                        const reference_alignment *want) {
  cla_alignment *got = NULL;
  const bool slow = slow_to_compile(kernel, device), all = build_kinds_all();
  strand_rival rival = rival_of(one, round, want->score, slow);
  /* Launched by diagonals, in one shape, it compiles in a third of the time. */
  one->options.kernel.name = kernel;
  if (slow && !all) one->options.kernel.settings = "launch=diagonals";
  const plan_change change = slow && !all ? near_rows : change_of(one, round);
  const bool lost = rival.given && rival.least > want->score;
  align_job job = pair_case_job(one, device, change);
  job.rival = &rival;
  job.rest = rest;
  const cla_status status = pipeline_align_strand(&got, &job, &why);
  if (status == CLA_ERROR_OPTION && kernel && strcmp(kernel, "wave16") == 0) return false;
  assert_ok_for(status, "%s", one->text);
  cr_assert_eq(got == NULL, lost, "kernel %s, round %d: %s", kernel ? kernel : "chosen", round, one->text);
  if (!lost) pair_case_compare(one, got, want, "a round");
  return true;
}

/* Some rounds of one strand; most keep their matrix. A kernel that takes long to compile begins with the
 * second one every day: the first is built as for any pair. */
static long long check_rounds(cla_device *device, pair_case *one, const char *kernel) {
  used_pairs *used = NULL;
  kept_matrix *matrix = NULL;
  long long further = 0;
  bool taken = true;
  const int begin = slow_to_compile(kernel, device) && !build_kinds_all();
  assert_ok(used_pairs_create(&used, &why));
  if (one->pair.seed % 5 != 0) assert_ok(kept_matrix_create(&matrix, &why));
  for (int round = 0; taken && round < ROUNDS; round++) {
    OWNED(reference_alignment_free) reference_alignment want;
    strand_rest rest = {.used = round > 0 ? used : NULL, .matrix = matrix, .wanted = ROUNDS - round};
    pair_case_reference(&want, one, one->pair.query, one->pair.target, used);
    taken = round < begin || check_round(device, one, kernel, round, &rest, &want);
    if (taken) use(used, &want);
    further += taken && round > 0 && want.score > 0;
  }
  used_pairs_free(used);
  kept_matrix_free(matrix);
  return further;
}

/* The kernel of the pair of that number. CPUs take long to compile the wave kernels, anew for each form of
 * gap costs: there two of sixty pairs have them. */
static const char *kernel_of(long long number, const cla_device_info *device) {
  static const char *const kernels[] = {NULL, "vector16", NULL, "wave16", "vector32", "wave32"};
  const bool rarely = device->kind == CLA_DEVICE_CPU && number % 60 > 5;
  const char *kernel = kernels[number % 6];
  return rarely && kernel && strncmp(kernel, "wave", 4) == 0 ? NULL : kernel;
}

static long long check_kernel_rounds(cla_device *device, pair_case *one) {
  return check_rounds(device, one, kernel_of(one->number, cla_device_describe(device)));
}

static void most_have_several(long long sum, long long count) {
  if (count >= 20) cr_expect(sum > count, "%lld alignments after the first", sum);
}

VARIATION(several, rounds_equal_the_oracle, .count_name = "CLALIGN_TEST_SEVERAL", .count = 6, .seed = 8000000,
          .letters = 700, .make = make_large_and_small, .check = check_kernel_rounds,
          .judge = most_have_several)

/* On two ranks, with strips that both have. */
static void set_ranks(pair_case *one, const local_ranks *ranks) {
  one->options.ranks = local_ranks_first(ranks);
  one->options.kernel.name = "vector32";
  one->options.kernel.settings = "lanes=4,alpha=2,tile=64";
  one->options.lower_bound.kind = CLA_LOWER_BOUND_OFF;
}

/* The rounds there: each one's blocks are dealt out. Returns those that the second rank has swept after the
 * first round. */
static long long check_rounds_on(local_ranks *ranks, cla_device *device, pair_case *one) {
  used_pairs *used = NULL;
  kept_matrix *matrix = NULL;
  int64_t blocks = 0;
  set_ranks(one, ranks);
  assert_ok(used_pairs_create(&used, &why));
  assert_ok(kept_matrix_create(&matrix, &why));
  for (int round = 0; round < ROUNDS; round++) {
    OWNED(reference_alignment_free) reference_alignment want;
    cla_alignment *got = NULL;
    strand_rest rest = {.used = round > 0 ? used : NULL, .matrix = matrix, .wanted = ROUNDS - round};
    align_job job = pair_case_job(one, device, near_rows);
    job.rest = &rest;
    pair_case_reference(&want, one, one->pair.query, one->pair.target, used);
    assert_ok_for(pipeline_align_strand(&got, &job, &why), "%s", one->text);
    pair_case_compare(one, got, &want, "a round");
    use(used, &want);
    if (round == 0) blocks = local_ranks_blocks(ranks);
  }
  blocks = local_ranks_blocks(ranks) - blocks;
  used_pairs_free(used);
  kept_matrix_free(matrix);
  return blocks;
}

static long long check_ranks(cla_device *device, pair_case *one) {
  OWNED(close_device) cla_device *other = test_device_open(0);
  local_ranks *ranks = local_ranks_begin(other);
  const long long blocks = check_rounds_on(ranks, device, one);
  local_ranks_end(ranks);
  return blocks;
}

/* The second rank dies as it is to send some message of the sweep: the first one goes on alone, below a kept
 * row. Returns whether it died. */
static long long check_death(cla_device *device, pair_case *one) {
  static const int kinds[] = {RANK_BORDER, RANK_READY, RANK_KEPT, RANK_DONE};
  OWNED(close_device) cla_device *other = test_device_open(0);
  local_ranks *ranks = local_ranks_begin(other);
  const int kind = kinds[one->number / 2 % 4], most = kind == RANK_KEPT || kind == RANK_BORDER ? 7 : 3;
  local_ranks_die(ranks, kind, 1 + (int)(one->number * 5 % most));
  if (one->number % 2 == 0) {
    (void)check_rounds_on(ranks, device, one);
  } else {
    OWNED(reference_alignment_free) reference_alignment want;
    cla_alignment *got = NULL;
    set_ranks(one, ranks);
    const align_job job = pair_case_job(one, device, near_rows);
    pair_case_reference(&want, one, one->pair.query, one->pair.target, NULL);
    assert_ok_for(pipeline_align_strand(&got, &job, &why), "%s", one->text);
    pair_case_compare(one, got, &want, "after a death");
  }
  const bool died = ranks_is_gone(local_ranks_first(ranks), 1);
  local_ranks_end(ranks);
  return died;
}

static void make_global_and_local(pair_case *one, uint64_t seed, int64_t letters) {
  make_in(one, one->number % 4 == 1 ? CLA_MODE_GLOBAL : CLA_MODE_LOCAL, seed, letters);
}

static void most_died(long long sum, long long count) {
  if (count >= 20) cr_expect(sum > count / 2, "%lld deaths", sum);
}

VARIATION(several, a_rank_that_dies_changes_nothing, .count_name = "CLALIGN_TEST_SEVERAL_DEATHS", .count = 48,
          .one_device = true, .seed = 8700045, .letters = 700, .make = make_global_and_local,
          .check = check_death, .judge = most_died)

VARIATION(several, rounds_on_ranks_equal_the_oracle, .count_name = "CLALIGN_TEST_SEVERAL_RANKS", .count = 12,
          .one_device = true, .seed = 8600045, .letters = 700, .make = make, .check = check_ranks,
          .judge = most_have_several)

/* Where gaps are free, further alignments go on with the pair behind the last one of a run, which no
 * alignment uses. With a kernel that looks for used pairs row by row. */
Test(several, the_pair_behind_a_run_is_free, .timeout = 600) {
  OWNED(close_device) cla_device *device = test_device_open(0);
  used_pairs *used = NULL;
  OWNED(pair_case_end)
  pair_case one = {.pair = {.query = random_letters(50, 2),
                            .target = random_letters(50, 3),
                            .query_length = 50,
                            .target_length = 50,
                            .mode = CLA_MODE_LOCAL,
                            .kind = "random letters",
                            .scheme = "free gaps"}};
  cla_scoring_init(&one.pair.scoring);
  one.pair.scoring.gap_first = one.pair.scoring.gap_ext = 0;
  pair_case_begin(&one);
  one.options.kernel.name = "vector32";
  one.options.score_only = true; /* one kernel to compile */
  assert_ok(used_pairs_create(&used, &why));
  for (int round = 0; round < ROUNDS; round++) {
    OWNED(reference_alignment_free) reference_alignment want;
    cla_alignment *got = NULL;
    strand_rest rest = {.used = used, .wanted = 1};
    align_job job = pair_case_job(&one, device, small_plan);
    job.rest = &rest;
    pair_case_reference(&want, &one, one.pair.query, one.pair.target, used);
    assert_ok_for(pipeline_align_strand(&got, &job, &why), "round %d", round);
    pair_case_compare(&one, got, &want, "a round");
    use(used, &want);
  }
  used_pairs_free(used);
}

/* The oracle's choice between the strands, round by round. */
static long long check_both(cla_device *device, pair_case *one) {
  const random_pair *pair = &one->pair;
  cla_align_options options = one->options;
  cla_results got;
  size_t want_count = 0;
  used_pairs *used[2] = {NULL, NULL};
  reference_alignment next[2];
  if (pair->scoring.matrix_size > 0) return 0;
  uint8_t *turned = malloc((size_t)pair->query_length);
  cr_assert_not_null(turned);
  reverse_complement_codes(turned, pair->query, pair->query_length);
  const uint8_t *const queries[] = {pair->query, turned};
  options.strand = CLA_STRAND_BOTH;
  options.several.most = ROUNDS;
  assert_ok_for(cla_align_several(&got, device, one->query, one->target, &options, &why), "%s", one->text);
  for (int s = 0; s < 2; s++) {
    assert_ok(used_pairs_create(&used[s], &why));
    pair_case_reference(&next[s], one, queries[s], pair->target, used[s]);
  }
  for (; want_count < ROUNDS; want_count++) {
    const int s = next[1].score > next[0].score;
    if (want_count > 0 && next[s].score == 0) break;
    cr_assert_lt(want_count, got.count, "%s: only %zu", one->text, got.count);
    cr_assert_eq(got.alignments[want_count]->strand == CLA_STRAND_REVERSE, s == 1);
    const char *differs = reference_difference(got.alignments[want_count], &next[s]);
    cr_assert_null(differs, "alignment %zu: %s: %s differs", want_count, one->text, differs);
    if (next[s].score == 0) {
      want_count++;
      break;
    }
    use(used[s], &next[s]);
    reference_alignment_free(&next[s]);
    pair_case_reference(&next[s], one, queries[s], pair->target, used[s]);
  }
  cr_assert_eq(got.count, want_count, "%s: %zu alignments, expected %zu", one->text, got.count, want_count);
  for (int s = 0; s < 2; s++) {
    reference_alignment_free(&next[s]);
    used_pairs_free(used[s]);
  }
  cla_results_free(&got);
  free(turned);
  return 1;
}

VARIATION(several, strands_take_turns, .count_name = "CLALIGN_TEST_TURNS", .count = 3, .one_device = true,
          .seed = 8500000, .letters = 120, .make = make, .check = check_both)

/* The query is its own reverse complement, and the target has its first half twice: four alignments with one
 * score. */
Test(several, of_equal_scores_the_forward_strand_comes_first) {
  static const char half[] = "ACCTGATTCGGATCAAGCTTGACCTAGAACGTC",
                    turned[] = "GACGTTCTAGGTCAAGCTTGATCCGAATCAGGT";
  char query[80], target[160];
  cla_sequence *pair[2] = {NULL, NULL};
  cla_results got;
  snprintf(query, sizeof query, "%s%s", half, turned);
  snprintf(target, sizeof target, "%sTTTTTTTTTTTTTTTTTTTTTTTTTTTT%s", half, half);
  OWNED(close_device) cla_device *device = test_device_open(0);
  cla_align_options options;
  cla_align_options_init(&options);
  options.strand = CLA_STRAND_BOTH;
  assert_ok(cla_sequence_from_letters(&pair[0], "query", query, (int64_t)strlen(query), &why));
  assert_ok(cla_sequence_from_letters(&pair[1], "target", target, (int64_t)strlen(target), &why));
  options.several.most = 4;
  assert_ok(cla_align_several(&got, device, pair[0], pair[1], &options, &why));
  cr_assert_eq(got.count, 4);
  for (size_t i = 0; i < got.count; i++) {
    cr_expect_eq(got.alignments[i]->score, (int64_t)strlen(half), "alignment %zu", i);
    cr_expect_eq(got.alignments[i]->strand, i < 2 ? CLA_STRAND_FORWARD : CLA_STRAND_REVERSE, "alignment %zu",
                 i);
  }
  cla_results_free(&got);
  cla_sequence_free(pair[0]);
  cla_sequence_free(pair[1]);
}

/* Unlike sequences have short alignments: after the first few only the blocks of the one before change. */
Test(several, only_what_has_changed_is_swept_again) {
  OWNED(close_device) cla_device *device = test_device_open(0);
  related_pair made;
  OWNED(pair_case_end) pair_case one = {0};
  used_pairs *used = NULL;
  kept_matrix *matrix = NULL;
  related_pair_make(&made, RELATED_NOT, 77, 3000);
  one.pair = (random_pair){.query = made.query,
                           .target = made.target,
                           .query_length = made.query_length,
                           .target_length = made.target_length,
                           .mode = CLA_MODE_LOCAL,
                           .kind = made.name,
                           .scheme = "default"};
  cla_scoring_init(&one.pair.scoring);
  pair_case_begin_without_oracle(&one);
  assert_ok(used_pairs_create(&used, &why));
  assert_ok(kept_matrix_create(&matrix, &why));
  const int64_t cells = made.query_length * made.target_length;
  for (int round = 0; round < ROUNDS; round++) {
    OWNED(free_alignment) cla_alignment *kept = NULL, *alone = NULL;
    strand_rest rest = {.used = used, .matrix = matrix, .wanted = ROUNDS - round};
    strand_rest none = {.used = used, .wanted = 1};
    align_job job = pair_case_job(&one, device, small_plan);
    job.rest = &rest;
    assert_ok(pipeline_align_strand(&kept, &job, &why));
    job = pair_case_job(&one, device, NULL);
    job.rest = &none;
    assert_ok(pipeline_align_strand(&alone, &job, &why));
    cr_expect_eq(kept->score, alone->score);
    cr_expect_eq(kept->query.start, alone->query.start);
    cr_expect_eq(kept->target.start, alone->target.start);
    cr_expect_eq(kept->run_count, alone->run_count);
    if (round == 0)
      cr_expect_geq(kept->metrics.cells_computed, cells);
    else
      cr_expect_lt(kept->metrics.cells_computed, cells / 4, "round %d", round);
    assert_ok(used_pairs_add(used, kept->query.start, kept->target.start, kept->runs, kept->run_count, &why));
  }
  kept_matrix_free(matrix);
  used_pairs_free(used);
}

Test(several, what_cannot_be_asked_for_is_told) {
  OWNED(close_device) cla_device *device = test_device_open(0);
  OWNED(pair_case_end) pair_case one = {0};
  cla_results got = {.count = 7};
  make(&one, 8900000, 50);
  cla_align_options options = one.options;
  options.several.most = 0;
  cr_expect_eq(cla_align_several(&got, device, one.query, one.target, &options, &why), CLA_ERROR_OPTION);
  options.several.most = 2;
  options.mode = CLA_MODE_GLOBAL;
  assert_error(cla_align_several(&got, device, one.query, one.target, &options, &why), CLA_ERROR_OPTION,
               "local");
  options.mode = CLA_MODE_LOCAL;
  options.score_only = true;
  cr_expect_eq(cla_align_several(&got, device, one.query, one.target, &options, &why), CLA_ERROR_OPTION);
  cr_expect_null(got.alignments);
  cr_expect_eq(got.count, 0);
}
