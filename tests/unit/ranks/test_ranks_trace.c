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

static rank_traces *begin(void) {
  rank_traces *traces = NULL;
  const pair_problem problem = {.query = pair.query,
                                .target = pair.target,
                                .rows = pair.query_length,
                                .columns = pair.target_length,
                                .scheme = {&pair.scoring, &table, {.floor = true}}};
  assert_ok(rank_traces_begin(&traces, local_ranks_first(ranks), &problem, problem.rows,
                              &(rank_tick){.call = NULL}, &why));
  return traces;
}

/* Moves messages until that fails. */
static cla_status move_to_failure(rank_traces *traces) {
  cla_status status = CLA_OK;
  while (status == CLA_OK) status = rank_traces_move(traces, &why);
  return status;
}

Test(ranks_trace, the_threads_of_others_are_known) {
  rank_traces *traces = begin();
  cr_assert_eq(rank_traces_rank_count(traces), 2);
  cr_assert_eq(rank_traces_threads(traces), 2);
  cr_assert_eq(rank_traces_rank(traces, 1), 1);
  rank_traces_end(traces);
}

/* The tracebacks of a process are numbered from 1. */
Test(ranks_trace, a_block_that_is_cut_is_refused_and_the_rank_named) {
  const int64_t whole = sizeof(trace_block);
  const int64_t lengths[] = {sizeof(int32_t), whole / 2, whole - 1, whole, whole + 8};
  for (int32_t i = 0; i < 5; i++) {
    OWNED(free_memory) uint8_t *bytes = calloc(1, (size_t)whole + 8);
    rank_traces *traces = begin();
    const trace_block head = {.id = i + 1, .goals = {.last_column = pair.target_length}};
    memcpy(bytes, &head, sizeof head);
    assert_ok(
        ranks_send(local_ranks_first(ranks), 1, RANK_TRACE_BLOCK, (cla_rank_bytes){bytes, lengths[i]}, &why));
    assert_error(move_to_failure(traces), CLA_ERROR_DEVICE,
                 "rank 1 on here: rank 0 sent what this one cannot");
    rank_traces_end(traces);
  }
}

Test(ranks_trace, a_block_that_nobody_has_ends_it) {
  rank_traces *traces = begin();
  const trace_take take = {.id = 1, .number = 77}, drop = {.id = 1, .drop = true, .number = 78};
  assert_ok(
      ranks_send(local_ranks_first(ranks), 1, RANK_TRACE_TAKE, (cla_rank_bytes){&drop, sizeof drop}, &why));
  assert_ok(
      ranks_send(local_ranks_first(ranks), 1, RANK_TRACE_TAKE, (cla_rank_bytes){&take, sizeof take}, &why));
  assert_error(move_to_failure(traces), CLA_ERROR_DEVICE, "rank 1 on here");
  rank_traces_end(traces);
}
