/* Tracebacks on several ranks: what another rank cannot read, or rank 0, ends them with a word about who sent
 * it. */

#include "ranks/ranks_trace.h"
#include "seq/sequence.h"
#include "support/random_pairs.h"
#include "support/ranks/local_ranks.h"
#include "support/test.h"

static random_pair pair;
static score_table table;
static local_ranks *ranks;
static traceback traced;

static void set_up(void) {
  random_pair_make(&pair, 1, 50);
  score_table_build(&table, &pair.scoring, SEQUENCE_LETTERS, SEQUENCE_UNAMBIGUOUS);
  ranks = local_ranks_begin(NULL);
}

static void tear_down(void) {
  local_ranks_end(ranks);
  random_pair_free(&pair);
}

TestSuite(ranks_trace, .init = set_up, .fini = tear_down);

static far_bands *begin(void) {
  far_bands *traces = NULL;
  const pair_problem problem = {.query = pair.query,
                                .target = pair.target,
                                .rows = pair.query_length,
                                .columns = pair.target_length,
                                .scheme = {&pair.scoring, &table, {.floor = true}}};
  traced = (traceback){.problem = problem, .end_row = problem.rows, .far_user = local_ranks_first(ranks)};
  assert_ok(rank_traces_begin(&traces, &traced, &why));
  return traces;
}

/* Moves messages until that fails. */
static cla_status move_to_failure(far_bands *traces) {
  cla_status status = CLA_OK;
  while (status == CLA_OK) status = traces->calls->move(traces, &why);
  return status;
}

Test(ranks_trace, the_threads_of_others_are_known) {
  far_bands *traces = begin();
  cr_assert_eq(traces->processes, 2);
  cr_assert_eq(traces->threads, 2);
  cr_assert_eq(traces->process_of[1], 1);
  traces->calls->end(traces);
}

/* The tracebacks of a process are numbered from 1. */
Test(ranks_trace, a_block_that_is_cut_is_refused_and_the_rank_named) {
  const int64_t whole = sizeof(trace_block);
  const int64_t lengths[] = {sizeof(int32_t), whole / 2, whole - 1, whole, whole + 8};
  for (int32_t i = 0; i < 5; i++) {
    OWNED(free_memory) uint8_t *bytes = calloc(1, (size_t)whole + 8);
    far_bands *traces = begin();
    const trace_block head = {.id = i + 1, .goals = {.last_column = pair.target_length}};
    memcpy(bytes, &head, sizeof head);
    assert_ok(
        ranks_send(local_ranks_first(ranks), 1, RANK_TRACE_BLOCK, (cla_rank_bytes){bytes, lengths[i]}, &why));
    assert_error(move_to_failure(traces), CLA_ERROR_DEVICE,
                 "rank 1 on here: rank 0 sent what this one cannot");
    traces->calls->end(traces);
  }
}

Test(ranks_trace, a_block_that_nobody_has_ends_it) {
  far_bands *traces = begin();
  const trace_take take = {.id = 1, .number = 77}, drop = {.id = 1, .drop = true, .number = 78};
  assert_ok(
      ranks_send(local_ranks_first(ranks), 1, RANK_TRACE_TAKE, (cla_rank_bytes){&drop, sizeof drop}, &why));
  assert_ok(
      ranks_send(local_ranks_first(ranks), 1, RANK_TRACE_TAKE, (cla_rank_bytes){&take, sizeof take}, &why));
  assert_error(move_to_failure(traces), CLA_ERROR_DEVICE, "rank 1 on here");
  traces->calls->end(traces);
}
