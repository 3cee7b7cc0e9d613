/* Pairs and results between ranks: what comes back is as if rank 0 had aligned the whole records. */

#include "base/allocate.h"
#include "ranks/ranks_batch.h"
#include "seq/sequence_internal.h"
#include "support/filled_alignment.h"
#include "support/made_alignment.h"
#include "support/test.h"

#define QUERY "ACGTTGCAACGT"
#define TARGET "TACGTGCAACG"
#define PATH "4P1Q5P"

/* Records with letters before and behind the ranges, and the alignment that rank 0 would have found. */
typedef struct ranged_pair {
  made_alignment wanted;
  cla_sequence *views[2];
  batch_job job;
} ranged_pair;

static ranged_pair ranged_pair_make(void) {
  ranged_pair all = {.wanted =
                         made_alignment_make("GGG" QUERY "TT", "CC" TARGET "A", CLA_MODE_LOCAL, 3, 3, PATH)};
  cla_sequence *const records[] = {all.wanted.query, all.wanted.target};
  cla_side *const sides[] = {&all.wanted.alignment->query, &all.wanted.alignment->target};
  const int64_t begins[] = {3, 2}, lengths[] = {sizeof QUERY - 1, sizeof TARGET - 1};
  for (int i = 0; i < 2; i++) {
    sides[i]->begin = begins[i];
    sides[i]->end = begins[i] + lengths[i];
    assert_ok(sequence_view(&all.views[i], records[i], "", sides[i]->begin, sides[i]->end, &why));
  }
  all.job.pair =
      (cla_batch_pair){.query = all.views[0], .target = all.views[1], .kept_as = 5, .mark = {{7, 8}}};
  all.job.readable = true;
  return all;
}

static void ranged_pair_free(ranged_pair *all) {
  batch_job_clear(&all->job);
  cla_sequence_free(all->views[0]);
  cla_sequence_free(all->views[1]);
  made_alignment_free(&all->wanted);
}

/* The pair as another rank has it, aligned there. */
static rank_job send_pair(const ranged_pair *all) {
  rank_writer message = {0};
  rank_job there = {.job = NULL};
  made_alignment found = made_alignment_make(QUERY, TARGET, CLA_MODE_LOCAL, 0, 1, PATH);
  assert_ok(rank_job_write(&message, &all->job, 9, &why));
  for (int64_t i = 0; i < message.length; i++) {
    rank_reader cut = {message.bytes, i};
    assert_error(rank_job_read(&there, &cut, &why), CLA_ERROR_DEVICE, "damaged");
  }
  rank_reader from = {message.bytes, message.length};
  assert_ok(rank_job_read(&there, &from, &why));
  cr_assert_eq(there.place, 9);
  free(message.bytes);
  assert_ok(allocate_zeros((void **)&there.job->alignments, 1, sizeof(cla_alignment *), "", &why));
  there.job->alignments[0] = found.alignment;
  there.job->count = 1;
  found.alignment = NULL;
  made_alignment_free(&found);
  rank_job_place(&there);
  return there;
}

/* The result, back at rank 0. */
static void send_back(ranged_pair *all, const rank_job *there) {
  rank_writer message = {0};
  assert_ok(rank_result_write(&message, there->job, there->place, &why));
  for (int64_t i = 0; i < message.length; i++) {
    rank_reader cut = {message.bytes, i};
    assert_error(rank_result_read(&all->job, &cut, &why), CLA_ERROR_DEVICE, "damaged");
  }
  rank_reader from = {message.bytes, message.length};
  assert_ok(rank_result_read(&all->job, &from, &why));
  cr_assert_eq(from.left, 0);
  free(message.bytes);
}

Test(rank_jobs, a_pair_in_ranges_comes_back_as_of_its_records) {
  OWNED(ranged_pair_free) ranged_pair all = ranged_pair_make();
  rank_job there = send_pair(&all);
  send_back(&all, &there);
  cr_assert_eq(all.job.count, 1);
  cr_assert(made_alignment_same(all.job.alignments[0], all.wanted.alignment));
  rank_job_free(there.job);
}

/* Also how it was computed, which no file keeps. */
Test(rank_jobs, a_result_loses_no_field) {
  rank_writer message = {0};
  batch_job there = {.count = 1}, here = {.count = 0};
  assert_ok(allocate_zeros((void **)&there.alignments, 1, sizeof(cla_alignment *), "", &why));
  there.alignments[0] = filled_alignment_make(FILLED_PLAIN);
  assert_ok(rank_result_write(&message, &there, 3, &why));
  rank_reader from = {message.bytes, message.length};
  assert_ok(rank_result_read(&here, &from, &why));
  cr_assert_eq(from.left, 0);
  cr_assert_eq(here.count, 1);
  const cla_alignment *sent = there.alignments[0], *back = here.alignments[0];
  cr_assert(made_alignment_same(back, sent));
  cr_assert_eq(memcmp(&back->metrics, &sent->metrics, sizeof sent->metrics), 0);
  cr_assert(filled_work_same(back->work, sent->work));
  free(message.bytes);
  batch_job_clear(&there);
  batch_job_clear(&here);
}

/* All that a pair says but what is rank 0's alone: its group, what is kept of it, the source's pointer. A
 * new field of a pair does not compile until it has a value here. */
Test(rank_jobs, a_pair_loses_no_field) {
  OWNED(ranged_pair_free) ranged_pair all = ranged_pair_make();
  rank_writer message = {0};
  rank_job there = {.job = NULL};
  const cla_batch_pair pair = {all.views[0], all.views[1], 0,    true, CLA_STRAND_BOTH,
                               11,           {{12, 13}},   NULL, NULL};
  all.job.pair = pair;
  all.job.only_score = true;
  all.job.needed = (score_gate){true, 14};
  assert_ok(rank_job_write(&message, &all.job, 9, &why));
  rank_reader from = {message.bytes, message.length};
  assert_ok(rank_job_read(&there, &from, &why));
  const batch_job *job = there.job;
  cr_assert(job->only_score && job->gate && job->gate->given && job->gate->least == 14);
  cr_assert(job->pair.has_strand && job->pair.strand == CLA_STRAND_BOTH);
  free(message.bytes);
  rank_job_free(there.job);
}
