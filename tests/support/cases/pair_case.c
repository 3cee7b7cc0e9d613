#include "support/cases/pair_case.h"

#include "seq/sequence.h"
#include "support/build_kinds.h"
#include "support/reference_difference.h"
#include "support/reference_path.h"
#include "support/test.h"
#include "support/test_devices.h"

static void begin(pair_case *one, const letter_set *set) {
  const random_pair *pair = &one->pair;
  one->ends = path_ends_make(pair->mode, pair->free_ends);
  random_pair_text(pair, one->text);
  score_table_build(&one->table, &pair->scoring, set->letters, set->unambiguous);
  cla_align_options_init(&one->options);
  one->options.mode = pair->mode;
  one->options.free_ends = pair->free_ends;
  one->options.scoring = pair->scoring;
}

static void ask_oracle(pair_case *one) {
  pair_case_reference(&one->want, one, one->pair.query, one->pair.target, NULL);
}

void pair_case_begin_without_oracle(pair_case *one) {
  one->query = random_pair_sequence("query", one->pair.query, one->pair.query_length);
  one->target = random_pair_sequence("target", one->pair.target, one->pair.target_length);
  begin(one, sequence_alphabet(one->query));
}

void pair_case_begin(pair_case *one) {
  pair_case_begin_without_oracle(one);
  ask_oracle(one);
}

static uint8_t *codes_of(const cla_sequence *sequence) {
  const size_t length = (size_t)cla_sequence_length(sequence);
  uint8_t *codes = malloc(length);
  cr_assert_not_null(codes);
  return memcpy(codes, sequence_codes(sequence), length);
}

void pair_case_begin_lettered(pair_case *one, lettered_pair *from) {
  one->query = from->query;
  one->target = from->target;
  one->pair = (random_pair){.query = codes_of(from->query),
                            .target = codes_of(from->target),
                            .query_length = cla_sequence_length(from->query),
                            .target_length = cla_sequence_length(from->target),
                            .scoring = from->scoring,
                            .mode = from->mode,
                            .kind = "any letters",
                            .scheme = from->scheme,
                            .seed = from->seed};
  begin(one, sequence_alphabet(from->query));
  ask_oracle(one);
}

void pair_case_end(pair_case *one) {
  reference_alignment_free(&one->want);
  cla_sequence_free(one->query);
  cla_sequence_free(one->target);
  random_pair_free(&one->pair);
}

void pair_case_reference(reference_alignment *out, const pair_case *one, const uint8_t *query,
                         const uint8_t *target, used_pairs *used) {
  const random_pair *pair = &one->pair;
  score_table table = one->table;
  table.used = used;
  assert_ok_for(
      reference_align(
          out,
          &(pair_problem){
              query, target, pair->query_length, pair->target_length, {&pair->scoring, &table, one->ends}},
          &why),
      "%s", one->text);
}

align_job pair_case_job(const pair_case *one, cla_device *device, void (*adjust)(plan *whole)) {
  return (align_job){.device = device,
                     .query = one->query,
                     .target = one->target,
                     .options = &one->options,
                     .adjust = adjust};
}

static cla_status try_align(cla_alignment **out, const pair_case *one, cla_device *device,
                            void (*adjust)(plan *whole)) {
  const align_job job = pair_case_job(one, device, adjust);
  *out = NULL;
  return adjust ? pipeline_align(out, &job, &why)
                : cla_align(out, device, one->query, one->target, &one->options, &why);
}

static void expect_aligned(cla_status status, const pair_case *one, const char *how) {
  assert_ok_for(status, "kernel %s, %s, rows %lld: %s",
                one->options.kernel.name ? one->options.kernel.name : "chosen", how,
                (long long)one->options.budgets.special_rows, one->text);
}

cla_alignment *pair_case_align(const pair_case *one, cla_device *device, void (*adjust)(plan *whole),
                               const char *how) {
  cla_alignment *got = NULL;
  expect_aligned(try_align(&got, one, device, adjust), one, how);
  return got;
}

void pair_case_compare(const pair_case *one, cla_alignment *got, const reference_alignment *want,
                       const char *how) {
  const char *differs = reference_difference(got, want);
  cr_assert_null(differs,
                 "kernel %s, %s, rows %lld: %s: %s differs: %lld at (%lld,%lld), the oracle has %lld at "
                 "(%lld,%lld)",
                 got->metrics.kernel, how, (long long)one->options.budgets.special_rows, one->text, differs,
                 (long long)got->score, (long long)got->query.stop, (long long)got->target.stop,
                 (long long)want->score, (long long)want->query_end, (long long)want->target_end);
  cr_assert_eq(got->has_path, !one->options.score_only, "%s, %s: a path or none", how, one->text);
  cr_assert_str_empty(got->metrics.lost_devices);
  cla_alignment_free(got);
}

void pair_case_check(const pair_case *one, cla_device *device, void (*adjust)(plan *whole), const char *how) {
  cla_alignment *got = NULL;
  const cla_status status = try_align(&got, one, device, adjust);
  if (status != CLA_OK && refused_kernel_skip(&why)) return;
  expect_aligned(status, one, how);
  pair_case_compare(one, got, &one->want, how);
  refused_kernel_compared();
}

static void make_any(pair_case *one, uint64_t seed, int64_t letters) {
  random_pair_make(&one->pair, seed, letters);
  random_pair_choose_mode(&one->pair);
  pair_case_begin(one);
}

void variation_check(const variation *all) {
  const long long count = test_count(all->count_name, all->count);
  const long long drawn = count * (all->of_kinds ? build_kinds_drawn() : 1);
  cla_device *device = NULL;
  for (int index = 0; (index == 0 || !all->one_device) && (device = test_device_open(index)); index++) {
    long long sum = 0;
    for (long long i = 0; i < drawn; i++) {
      pair_case one = {.number = i};
      (all->make ? all->make : make_any)(&one, all->seed + (uint64_t)i, all->letters);
      sum += all->check(device, &one);
      pair_case_end(&one);
    }
    printf("%s: %lld pairs of up to %lld letters, seeds from %llu; counted %lld\n",
           cla_device_describe(device)->name, drawn, (long long)all->letters, (unsigned long long)all->seed,
           sum);
    refused_kernels_judge(cla_device_describe(device)->name);
    if (all->judge) all->judge(sum, count);
    cla_device_close(device);
  }
}

void variation_some_but_not_all(long long sum, long long count) {
  if (count >= 20) cr_expect(sum > 0 && sum < count, "%lld of about %lld", sum, count);
}
