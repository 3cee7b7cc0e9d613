/* Compares another aligner's path with the optimal path of its region. Both paths run from corner to
 * corner, and each common pair splits both. No gap spans such a pair, so the scores before and after it are
 * independent. Between neighbouring common pairs, the optimal path scores at least as much as the other. So
 * the whole difference is the sum over the stretches where it scores more. */

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/extremes.h"
#include "compare/records/audit_internal.h"
#include "result/alignment.h"
#include "scoring/gap_costs.h"
#include "scoring/score_table.h"

/* A position on a path. Query positions are those on the aligned strand. */
typedef struct path_cursor {
  const cla_run *run, *end;
  int64_t query, target; /* where `run` starts */
} path_cursor;

/* Consecutive pairs, of one path or of both. */
typedef struct pair_run {
  int64_t query, target, length;
} pair_run;

typedef struct audit_walk {
  strand_letters query;
  const uint8_t *target;
  const cla_scoring *scoring;
  score_table table;
  path_cursor pairs[2];  /* where common pairs are sought next: on the record's path, on the optimal path */
  path_cursor scored[2]; /* positions up to which scores were added */
  int64_t offset[2];     /* letters of scored[k].run whose scores were added */
  cla_audit *out;
  int64_t capacity;
} audit_walk;

static path_cursor begin_path(const cla_alignment *alignment) {
  return (path_cursor){alignment->runs, alignment->runs + alignment->run_count, strand_query_start(alignment),
                       alignment->target.start};
}

static void next_run(path_cursor *cursor) {
  const cla_run *run = cursor->run++;
  if (run->kind != CLA_RUN_TARGET) cursor->query += run->length;
  if (run->kind != CLA_RUN_QUERY) cursor->target += run->length;
}

/* Moves the cursor to the next run of pairs, unless it is at one. Returns false at the end of the path. */
static bool at_pairs(path_cursor *cursor) {
  while (cursor->run < cursor->end && cursor->run->kind != CLA_RUN_PAIR) next_run(cursor);
  return cursor->run < cursor->end;
}

/* Finds the next pairs that both paths contain. Returns false if there are none. */
static bool next_common(pair_run *out, audit_walk *w) {
  while (at_pairs(&w->pairs[0]) && at_pairs(&w->pairs[1])) {
    path_cursor *one = &w->pairs[0], *other = &w->pairs[1];
    const int64_t begin = larger(one->query, other->query);
    const int64_t end = smaller(one->query + one->run->length, other->query + other->run->length);
    const bool common = begin < end && one->target - one->query == other->target - other->query;
    if (common) *out = (pair_run){begin, one->target + begin - one->query, end - begin};
    next_run(one->query + one->run->length == end ? one : other);
    if (common) return true;
  }
  return false;
}

static int64_t pair_score(const audit_walk *w, int64_t query, int64_t target) {
  return w->table.score[strand_code(&w->query, query) * CLA_MATRIX_STRIDE + w->target[target]];
}

/* Adds the score of a path from where it was last scored to the start of a run of pairs, or to the path's
 * end. *pairs: number of pairs in between. */
static int64_t score_to(audit_walk *w, int path, int64_t query, int64_t target, int64_t *pairs) {
  path_cursor *cursor = &w->scored[path];
  int64_t score = 0;
  *pairs = 0;
  while (cursor->run < cursor->end) {
    const cla_run *run = cursor->run;
    const int64_t done = w->offset[path];
    if (run->kind != CLA_RUN_PAIR) {
      if (cursor->query >= query && cursor->target >= target) break;
      score -= gap_cost(w->scoring, run->length);
      next_run(cursor);
      continue;
    }
    const int64_t count = smaller(run->length, query - cursor->query) - done;
    for (int64_t i = done; i < done + count; i++)
      score += pair_score(w, cursor->query + i, cursor->target + i);
    *pairs += count;
    w->offset[path] = done + count < run->length ? done + count : 0;
    if (done + count < run->length) break;
    next_run(cursor);
  }
  return score;
}

/* Moves both cursors past common pairs, which are not scored. */
static void pass_pairs(audit_walk *w, const pair_run *common) {
  for (int path = 0; path < 2; path++) {
    path_cursor *cursor = &w->scored[path];
    w->offset[path] += common->length;
    if (w->offset[path] < cursor->run->length) continue;
    w->offset[path] = 0;
    next_run(cursor);
  }
}

static cla_status add_loss(audit_walk *w, const cla_loss *loss, cla_error *error) {
  cla_audit *out = w->out;
  cla_status status =
      ALLOCATE_GROW(&out->losses, &w->capacity, out->loss_count + 1, "losses of a path", error);
  if (status != CLA_OK) return status;
  cla_loss *added = &out->losses[out->loss_count++];
  *added = *loss;
  out->pairs += loss->pairs;
  if (!w->query.reverse) return CLA_OK;
  added->begin[0] = w->query.length - loss->end[0];
  added->end[0] = w->query.length - loss->begin[0];
  return CLA_OK;
}

/* Scores the stretch of both paths between the common pairs `before` and `after`. A run of length 0 stands
 * for an end of the region. */
static cla_status compare_stretch(audit_walk *w, const pair_run *before, const pair_run *after,
                                  cla_error *error) {
  int64_t scores[2], pairs[2];
  for (int path = 0; path < 2; path++)
    scores[path] = score_to(w, path, after->query, after->target, &pairs[path]);
  if (scores[0] == scores[1]) return CLA_OK;
  if (scores[0] > scores[1])
    return error_set(error, CLA_ERROR_VERIFICATION,
                     "wrong value: the path scores more than the optimal one before query letter "
                     "%lld; " WRONG_VALUE_REMEDY,
                     (long long)after->query);
  const int first = before->length > 0, last = after->length > 0;
  const int64_t query = before->query + before->length - first,
                target = before->target + before->length - first;
  const int64_t around =
      (first ? pair_score(w, query, target) : 0) + (last ? pair_score(w, after->query, after->target) : 0);
  const cla_loss loss = {.begin = {query, target},
                         .end = {after->query + last, after->target + last},
                         .score = scores[0] + around,
                         .optimal_score = scores[1] + around,
                         .pairs = pairs[1]};
  return add_loss(w, &loss, error);
}

static cla_status find_losses(audit_walk *w, const cla_alignment *optimal, cla_error *error) {
  const int64_t query = strand_query_start(optimal), target = optimal->target.start;
  pair_run before = {query, target, 0}, common;
  cla_status status = CLA_OK;
  while (status == CLA_OK && next_common(&common, w)) {
    status = compare_stretch(w, &before, &common, error);
    pass_pairs(w, &common);
    before = common;
  }
  const pair_run end = {query + optimal->query.stop - optimal->query.start, optimal->target.stop, 0};
  return status == CLA_OK ? compare_stretch(w, &before, &end, error) : status;
}

/* Checks that the optimal alignment is one of the path's region. */
static cla_status check_region(const cla_alignment *own, const cla_alignment *optimal, cla_error *error) {
  if (optimal->mode == CLA_MODE_GLOBAL && optimal->has_path && optimal->strand == own->strand &&
      optimal->query.start == own->query.start && optimal->query.stop == own->query.stop &&
      optimal->target.start == own->target.start && optimal->target.stop == own->target.stop)
    return CLA_OK;
  return error_set(
      error, CLA_ERROR_OPTION,
      "a path is compared with the global alignment of its region on its strand; align that region");
}

static cla_status compare(cla_audit *out, const cla_alignment *own, const cla_alignment *optimal,
                          const cla_sequence *query, const cla_sequence *target, cla_error *error) {
  audit_walk w = {.query = strand_query(optimal, query),
                  .target = sequence_codes(target),
                  .scoring = &optimal->scoring,
                  .pairs = {begin_path(own), begin_path(optimal)},
                  .scored = {begin_path(own), begin_path(optimal)},
                  .out = out};
  out->score = own->score;
  out->optimal_score = optimal->score;
  cla_status status = alignment_count(&out->statistics, own, query, target, error);
  if (status == CLA_OK) status = alignment_count(&out->optimal, optimal, query, target, error);
  if (status != CLA_OK || own->score == optimal->score) return status;
  pair_strands_table(&w.table, w.scoring, query);
  return find_losses(&w, optimal, error);
}

cla_status cla_audit_make(cla_audit **out, const cla_aligned_record *record, const cla_alignment *optimal,
                          const cla_sequence *query, const cla_sequence *target, cla_error *error) {
  cla_alignment *own = NULL;
  cla_status status = ALLOCATE_ZEROS(out, 1, "an audit", error);
  if (status == CLA_OK)
    status = cla_aligned_record_alignment(&own, record, query, target, &optimal->scoring, error);
  if (status == CLA_OK) status = check_region(own, optimal, error);
  if (status == CLA_OK) status = compare(*out, own, optimal, query, target, error);
  cla_alignment_free(own);
  if (status == CLA_OK) return CLA_OK;
  cla_audit_free(*out);
  *out = NULL;
  return status;
}

void cla_audit_free(cla_audit *audit) {
  if (!audit) return;
  free(audit->losses);
  free(audit);
}
