/* What cla_align and cla_align_several return lies in the caller's memory. */

#include "clalign/align.h"
#include "support/counting_memory.h"
#include "support/test.h"
#include "support/test_devices.h"

static const char query_letters[] = "ACGTTGCATTACGGATCCATGACCTTAAGGCTA";
static const char target_letters[] = "TTACGTTGCATACGGATCCCCCATGACCTTAAGGTACGTTGCATT";

/* A device, a pair, and options that name the memory. */
typedef struct memory_case {
  cla_device *device;
  cla_sequence *query, *target;
  counting_memory memory;
  cla_allocator allocator;
  cla_align_options options;
} memory_case;

static void begin(memory_case *one) {
  memset(one, 0, sizeof *one);
  one->device = test_device_open(0);
  assert_ok(cla_sequence_from_letters(&one->query, "q", query_letters, sizeof query_letters - 1, &why));
  assert_ok(cla_sequence_from_letters(&one->target, "t", target_letters, sizeof target_letters - 1, &why));
  one->allocator = counting_memory_allocator(&one->memory);
  cla_align_options_init(&one->options);
  one->options.allocator = &one->allocator;
}

static void end(memory_case *one) {
  cr_expect_eq(one->memory.allocated, one->memory.released);
  cr_expect_eq(one->memory.foreign, 0);
  cla_sequence_free(one->query);
  cla_sequence_free(one->target);
  cla_device_close(one->device);
}

Test(result_memory_align, holds_an_alignment) {
  memory_case one;
  cla_alignment *alignment = NULL, *plain = NULL;
  begin(&one);
  assert_ok(cla_align(&alignment, one.device, one.query, one.target, &one.options, &why));
  cr_expect(counting_memory_owns(alignment) && counting_memory_owns(alignment->runs));
  assert_ok(cla_alignment_verify(alignment, one.query, one.target, &why));
  one.options.allocator = NULL;
  assert_ok(cla_align(&plain, one.device, one.query, one.target, &one.options, &why));
  cr_assert_eq(plain->run_count, alignment->run_count);
  for (size_t i = 0; i < plain->run_count; i++) /* field by field: runs are padded */
    cr_expect(plain->runs[i].length == alignment->runs[i].length &&
              plain->runs[i].kind == alignment->runs[i].kind);
  cla_alignment_free(plain);
  cla_alignment_free(alignment);
  end(&one);
}

Test(result_memory_align, holds_several_and_their_array) {
  memory_case one;
  cla_results found;
  begin(&one);
  one.options.several.most = 3;
  assert_ok(cla_align_several(&found, one.device, one.query, one.target, &one.options, &why));
  cr_assert_eq(found.count, 3);
  cr_expect(counting_memory_owns(found.alignments));
  for (size_t i = 0; i < found.count; i++)
    cr_expect(counting_memory_owns(found.alignments[i]) && counting_memory_owns(found.alignments[i]->runs));
  cla_results_free(&found);
  end(&one);
}

Test(result_memory_align, keeps_nothing_where_it_ends) {
  memory_case one;
  begin(&one);
  bool failed = true;
  for (int fail_at = 1; failed; fail_at++) {
    cla_results found;
    one.options.several.most = 2;
    one.memory = (counting_memory){.fail_at = fail_at};
    const cla_status status =
        cla_align_several(&found, one.device, one.query, one.target, &one.options, &why);
    failed = one.memory.fail_at < 0;
    cr_expect_eq(status, failed ? CLA_ERROR_MEMORY : CLA_OK);
    cr_expect_eq(found.count, failed ? 0 : 2);
    cr_expect_eq(found.alignments == NULL, failed);
    cla_results_free(&found);
    cr_expect_eq(one.memory.allocated, one.memory.released, "allocation %d", fail_at);
  }
  end(&one);
}

Test(result_memory_align, is_refused_before_work_where_a_function_is_missing) {
  memory_case one;
  cla_alignment *alignment = NULL;
  begin(&one);
  one.allocator.allocate = NULL;
  cr_expect_eq(cla_align(&alignment, one.device, one.query, one.target, &one.options, &why),
               CLA_ERROR_OPTION);
  cr_expect_null(alignment);
  end(&one);
}
