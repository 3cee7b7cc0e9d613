#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/extremes.h"
#include "clalign/alignment.h"
#include "result/alignment.h"
#include "result/cigar_reader.h"
#include "result/path_check.h"
#include "scoring/score_table.h"
#include "seq/sequence.h"

/* Builds the table of the scheme's scores for the sequences' codes. */
/* Counts those pairs of a step that score above 0. */
static int64_t count_positive(const score_table *table, const cigar_step *step, const cigar_reader *reader) {
  const uint8_t *target_codes = reader->target_codes + step->target;
  int64_t count = 0;
  for (int64_t i = 0; i < step->length; i++)
    count += table->score[strand_code(&reader->query_letters, step->query + i) * CLA_MATRIX_STRIDE +
                          target_codes[i]] > 0;
  return count;
}

#define WINDOW_COLUMNS 100
#define WINDOW_MATCHES 60 /* a window with fewer matches counts as dissimilar */
/* At most this many columns of a gap are counted, because a long insertion does not make a stretch
 * dissimilar. */
#define GAP_COLUMNS 10

/* The numbers of columns and matches in a window that is not full yet. */
typedef struct column_window {
  int64_t columns, matches;
} column_window;

/* Adds a run of columns to the windows. Either all columns are matches, or none is. */
static void put_columns(cla_statistics *statistics, column_window *window, int64_t columns, bool match) {
  statistics->compared += columns;
  while (columns > 0) {
    const int64_t room = WINDOW_COLUMNS - window->columns;
    const int64_t part = smaller(columns, room);
    window->columns += part;
    window->matches += match ? part : 0;
    columns -= part;
    if (window->columns < WINDOW_COLUMNS) return;
    if (window->matches < WINDOW_MATCHES) statistics->unlike += WINDOW_COLUMNS;
    *window = (column_window){0};
  }
}

static void put_step(cla_statistics *statistics, column_window *window, const cigar_step *step) {
  const bool gap = step->operation != '=' && step->operation != 'X';
  put_columns(statistics, window, gap && step->length > GAP_COLUMNS ? GAP_COLUMNS : step->length,
              step->operation == '=');
}

cla_status alignment_count(cla_statistics *out, const cla_alignment *alignment, const cla_sequence *query,
                           const cla_sequence *target, cla_error *error) {
  cla_status status = path_check_fit(alignment, query, target, error);
  if (status != CLA_OK) return status;
  if (!alignment->has_path)
    return error_set(error, CLA_ERROR_OPTION,
                     "the alignment has no path to count over; align again without score-only");
  cla_statistics statistics = {0};
  column_window window = {0};
  score_table table;
  cigar_reader reader;
  cigar_step step;
  /* In a scheme with only match and mismatch scores, only matches score above 0. */
  const bool others_positive =
      alignment->scoring.matrix_size > 0 || alignment->scoring.ambiguity != CLA_AMBIGUITY_MISMATCH;
  if (others_positive) pair_strands_table(&table, &alignment->scoring, query);
  cigar_reader_begin(&reader, alignment, query, target);
  while (cigar_reader_next(&reader, &step)) {
    statistics.columns += step.length;
    put_step(&statistics, &window, &step);
    switch (step.operation) {
      case '=': statistics.matches += step.length; break;
      case 'X':
        statistics.mismatches += step.length;
        if (others_positive && table.maximum > 0)
          statistics.positives += count_positive(&table, &step, &reader);
        break;
      default: statistics.gap_opens++; statistics.gap_letters += step.length;
    }
  }
  statistics.positives += statistics.matches;
  *out = statistics;
  return CLA_OK;
}

cla_status cla_alignment_count(cla_statistics *out, const cla_alignment *alignment, const cla_sequence *query,
                               const cla_sequence *target, cla_error *error) {
  rotated_pair pair;
  cla_status status = rotated_pair_make(&pair, alignment, query, target, error);
  if (status == CLA_OK) status = alignment_count(out, alignment, pair.query, pair.target, error);
  rotated_pair_free(&pair);
  return status;
}

static cla_status check_checksums(const cla_alignment *alignment, const cla_sequence *query,
                                  const cla_sequence *target, cla_error *error) {
  uint8_t query_sum[16], target_sum[16];
  cla_sequence_checksum(query, query_sum);
  cla_sequence_checksum(target, target_sum);
  bool query_fits = memcmp(query_sum, alignment->query.checksum, sizeof query_sum) == 0;
  bool target_fits = memcmp(target_sum, alignment->target.checksum, sizeof target_sum) == 0;
  if (query_fits && target_fits) return CLA_OK;
  if (memcmp(query_sum, alignment->target.checksum, sizeof query_sum) == 0 &&
      memcmp(target_sum, alignment->query.checksum, sizeof target_sum) == 0)
    return error_set(error, CLA_ERROR_VERIFICATION,
                     "verification failed: query and target are exchanged; give the query first");
  return error_set(
      error, CLA_ERROR_VERIFICATION,
      "verification failed: the %s's letters are not those that were aligned (their checksums differ); give "
      "the sequences that were aligned, query first",
      query_fits ? "target" : "query");
}

static cla_status too_large(int64_t query, cla_error *error) {
  return error_set(error, CLA_ERROR_VERIFICATION,
                   "verification failed: the path's score passes 2^63 at query position %lld; "
                   "use smaller scores",
                   (long long)query);
}

cla_status alignment_rescore(int64_t *out, const cla_alignment *alignment, const cla_sequence *query,
                             const cla_sequence *target, cla_error *error) {
  const cla_side *side = &alignment->query;
  const uint8_t *query_codes = sequence_codes(query) + side->start;
  uint8_t *turned = NULL;
  int64_t query_letters = 0;
  score_table table;
  pair_strands_table(&table, &alignment->scoring, query);
  if (alignment->strand == CLA_STRAND_REVERSE && side->stop > side->start) {
    cla_status status = ALLOCATE_ARRAY(&turned, side->stop - side->start, "the reverse complement", error);
    if (status != CLA_OK) return status;
    reverse_complement_codes(turned, query_codes, side->stop - side->start);
    query_codes = turned;
  }
  const pair_problem pair = {.query = query_codes,
                             .target = sequence_codes(target) + alignment->target.start,
                             .scheme = {.scoring = &alignment->scoring, .table = &table}};
  const bool fits = path_score(out, &query_letters, alignment->runs, alignment->run_count, &pair);
  free(turned);
  return fits ? CLA_OK : too_large(strand_query_start(alignment) + query_letters, error);
}

/* Checks the score of an alignment without a path, which cannot be computed again. Such a score is an error
 * only if no path up to the stops can reach it. */
static cla_status check_reachable(const cla_alignment *alignment, const cla_sequence *query,
                                  cla_error *error) {
  if (path_is_nowhere(alignment)) return CLA_OK;
  const cla_side *side = &alignment->query;
  const bool reverse = alignment->strand == CLA_STRAND_REVERSE;
  score_table table;
  pair_strands_table(&table, &alignment->scoring, query);
  int64_t rows = reverse ? side->end - side->start : side->stop - side->begin;
  int64_t columns = alignment->target.stop - alignment->target.begin, most = 0;
  int64_t best = table.maximum > 0 ? table.maximum : 0;
  if (__builtin_mul_overflow(rows < columns ? rows : columns, best, &most) || alignment->score <= most)
    return CLA_OK;
  char score[CLA_SCORE_TEXT_SIZE], limit[CLA_SCORE_TEXT_SIZE];
  cla_score_text(score, alignment->score, &alignment->scoring);
  cla_score_text(limit, most, &alignment->scoring);
  return error_set(error, CLA_ERROR_VERIFICATION,
                   "verification failed: the score %s is above %s, the most that %lld x %lld letters up "
                   "to query position %lld can reach; align the sequences again",
                   score, limit, (long long)rows, (long long)columns,
                   (long long)(reverse ? side->start : side->stop));
}

cla_status cla_alignment_verify(const cla_alignment *alignment, const cla_sequence *query,
                                const cla_sequence *target, cla_error *error) {
  cla_error reason = {.message = ""};
  if (cla_scoring_check(&alignment->scoring, &reason) != CLA_OK)
    return error_set(error, CLA_ERROR_VERIFICATION, "verification failed: %.1024s", reason.message);
  cla_status status = path_check_fit(alignment, query, target, error);
  if (status == CLA_OK) status = check_checksums(alignment, query, target, error);
  if (status != CLA_OK) return status;
  if (!alignment->has_path) return check_reachable(alignment, query, error);
  int64_t score = 0;
  rotated_pair pair;
  status = rotated_pair_make(&pair, alignment, query, target, error);
  if (status == CLA_OK) status = alignment_rescore(&score, alignment, pair.query, pair.target, error);
  rotated_pair_free(&pair);
  if (status != CLA_OK || score == alignment->score) return status;
  char found[CLA_SCORE_TEXT_SIZE], said[CLA_SCORE_TEXT_SIZE];
  cla_score_text(found, score, &alignment->scoring);
  cla_score_text(said, alignment->score, &alignment->scoring);
  return error_set(error, CLA_ERROR_VERIFICATION,
                   "verification failed: the path from query position %lld to %lld scores %s, not %s as "
                   "the alignment says; align the sequences again",
                   (long long)alignment->query.start, (long long)alignment->query.stop, found, said);
}
