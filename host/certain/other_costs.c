#include "certain/other_costs.h"

#include <string.h>

#include "base/error.h"
#include "base/extremes.h"
#include "pipeline/pipeline.h"
#include "result/path_check.h"
#include "scoring/gap_costs.h"
#include "seq/alphabet.h"
#include "seq/sequence.h"

const char *cla_cost_name(cla_cost cost) {
  if (cost == CLA_COST_MATCH || cost == CLA_COST_MISMATCH)
    return cost == CLA_COST_MATCH ? "match" : "mismatch";
  const int at = (int)cost - (int)CLA_COST_GAP_FIRST;
  return at >= 0 && at < 2 * CLA_GAP_PIECES ? gap_names[at / 2][at % 2] : NULL;
}

int32_t cla_cost_value(const cla_scoring *scoring, cla_cost cost) {
  const int32_t all[CLA_COST_COUNT] = {scoring->match,   scoring->mismatch,   scoring->gap_first,
                                       scoring->gap_ext, scoring->gap_first2, scoring->gap_ext2};
  return all[cost];
}

/* Returns where the scheme has the score or cost. */
static int32_t *place_of(cla_scoring *scoring, cla_cost cost) {
  int32_t *const all[CLA_COST_COUNT] = {&scoring->match,   &scoring->mismatch,   &scoring->gap_first,
                                        &scoring->gap_ext, &scoring->gap_first2, &scoring->gap_ext2};
  return all[cost];
}

bool cost_varies(const cla_scoring *scoring, cla_cost cost) {
  if (cost == CLA_COST_MATCH || cost == CLA_COST_MISMATCH) return scoring->matrix_size == 0;
  return cost == CLA_COST_GAP_FIRST || cost == CLA_COST_GAP_EXT || gap_pieces(scoring) > 1;
}

int64_t cost_largest_other(const cost_search *s, const cost_values *values) {
  const cla_scoring *scoring = &s->alignment->scoring;
  int64_t most = 1;
  for (int cost = 0; cost < CLA_COST_COUNT; cost++) {
    bool varies = false;
    for (int i = 0; i < values->count; i++) varies = varies || values->costs[i] == (cla_cost)cost;
    const int64_t value = cla_cost_value(scoring, (cla_cost)cost);
    if (!varies) most = larger(most, value < 0 ? -value : value);
  }
  for (int i = 0; i < scoring->matrix_size; i++)
    for (int k = 0; k < scoring->matrix_size; k++) {
      const int64_t value = scoring->matrix[i * CLA_MATRIX_STRIDE + k];
      most = larger(most, value < 0 ? -value : value);
    }
  return most;
}

bool cost_can_express(const cost_search *s, const cost_values *values) {
  if (values->one > CLA_SCORE_LIMIT / cost_largest_other(s, values)) return false;
  for (int i = 0; i < values->count; i++)
    if (values->numbers[i] > CLA_SCORE_LIMIT || values->numbers[i] < -CLA_SCORE_LIMIT) return false;
  return true;
}

/* Brings both pieces into their order. A piece that is never cheaper than the other one is left out. */
static void order_pieces(cla_scoring *scheme) {
  const cla_gap_piece a = scheme->gap[0], b = scheme->gap[1];
  if (a.first < b.first && a.ext > b.ext) return;
  scheme->gap[1] = (cla_gap_piece){0};
  if (a.first <= b.first && a.ext <= b.ext) return;
  scheme->gap[0] = b;
  if (a.first > b.first && a.ext < b.ext) scheme->gap[1] = a;
}

/* Sets the scheme of the values, with all scores and costs multiplied by values->one. */
static void set_scheme(cla_scoring *out, const cost_search *s, const cost_values *values) {
  *out = s->alignment->scoring;
  const bool two = gap_pieces(out) > 1;
  for (int cost = 0; cost < CLA_COST_COUNT; cost++)
    *place_of(out, (cla_cost)cost) = (int32_t)(*place_of(out, (cla_cost)cost) * values->one);
  for (int i = 0; i < out->matrix_size * CLA_MATRIX_STRIDE; i++)
    out->matrix[i] = (int32_t)(out->matrix[i] * values->one);
  for (int i = 0; i < values->count; i++) *place_of(out, values->costs[i]) = (int32_t)values->numbers[i];
  out->units = 1;
  if (two) order_pieces(out);
}

/* Returns the path's score in a scheme. */
static cla_status score_in(int64_t *out, const cost_search *s, const cla_alignment *of,
                           const cla_scoring *scoring) {
  cla_alignment other = *of;
  other.scoring = *scoring;
  return alignment_rescore(out, &other, s->pair.query, s->pair.target, s->error);
}

cla_status cost_score(int64_t *out, const cost_search *s, const cla_alignment *of,
                      const cost_values *values) {
  cla_scoring scheme;
  *out = 0;
  if (path_is_empty(of)) return CLA_OK;
  set_scheme(&scheme, s, values);
  return score_in(out, s, of, &scheme);
}

cla_status cost_pairs(int64_t *out, const cost_search *s, const cla_alignment *of, cla_cost cost) {
  cla_scoring scheme = s->alignment->scoring;
  *out = 0;
  if (path_is_empty(of)) return CLA_OK;
  scheme.match = cost == CLA_COST_MATCH;
  scheme.mismatch = -(cost == CLA_COST_MISMATCH);
  memset(scheme.gap, 0, sizeof scheme.gap);
  cla_status status = score_in(out, s, of, &scheme);
  if (cost == CLA_COST_MISMATCH) *out = -*out;
  return status;
}

cla_status cost_pairs_score(int64_t *out, const cost_search *s, const cla_alignment *of,
                            const cost_values *values) {
  cla_scoring scheme = s->alignment->scoring;
  for (int i = 0; i < values->count; i++) *place_of(&scheme, values->costs[i]) = 0;
  memset(scheme.gap, 0, sizeof scheme.gap);
  *out = 0;
  return path_is_empty(of) ? CLA_OK : score_in(out, s, of, &scheme);
}

cla_status cost_align(cla_alignment **out, cost_search *s, const cost_values *values) {
  const cla_alignment *a = s->alignment;
  cla_align_options how;
  cla_align_options_init(&how);
  how.mode = a->mode;
  how.free_ends = a->free_ends;
  how.strand = a->strand;
  how.budgets = s->how->budgets;
  how.host_cells = s->how->host_cells;
  how.tuning = s->how->tuning;
  how.partners = s->how->partners;
  how.partner_count = s->how->partner_count;
  how.kernel = s->how->kernel;
  how.callbacks.progress = s->how->callbacks.progress;
  how.callbacks.progress_user = s->how->callbacks.progress_user;
  how.callbacks.device = s->how->callbacks.device;
  how.callbacks.device_user = s->how->callbacks.device_user;
  set_scheme(&how.scoring, s, values);
  const cla_path path = {.strand = a->strand,
                         .query_start = strand_query_start(a),
                         .target_start = a->target.start,
                         .runs = a->runs,
                         .run_count = a->run_count};
  if (s->own_path && (a->query.end - a->query.begin) > how.host_cells / (a->target.end - a->target.begin))
    how.lower_bound = (cla_lower_bound){.kind = CLA_LOWER_BOUND_PATH, .path = &path};
  s->alignments++;
  return cla_align(out, s->device, s->pair.query, s->pair.target, &how, s->error);
}

static cla_status check(const cost_search *s) {
  const cla_alignment *a = s->alignment;
  if (a->has_split || a->has_band || path_is_empty(a) || !a->has_path)
    return error_set(s->error, CLA_ERROR_OPTION,
                     "ranges of scores are of a whole alignment with columns that is the best one: without "
                     "pieces and without a band");
  const uint32_t met =
      letter_codes_met(sequence_codes(s->pair.query) + a->query.begin, a->query.end - a->query.begin) |
      letter_codes_met(sequence_codes(s->pair.target) + a->target.begin, a->target.end - a->target.begin);
  if (a->scoring.ambiguity == CLA_AMBIGUITY_EXPECTED && met >> 4 != 0)
    return error_set(
        s->error, CLA_ERROR_OPTION,
        "the expected scores of ambiguous letters are rounded, so ranges of scores are not known; "
        "count these letters as mismatches, or as neutral");
  return CLA_OK;
}

/* Checks that the alignment is optimal, as nothing else would tell. */
static cla_status check_optimal(cost_search *s) {
  const cost_values own = {.one = 1};
  cla_alignment *found = NULL;
  int64_t score = 0;
  cla_status status = cost_score(&score, s, s->alignment, &own);
  if (status == CLA_OK) status = cost_align(&found, s, &own);
  if (status == CLA_OK && found->score != score)
    status = error_set(s->error, CLA_ERROR_VERIFICATION,
                       found->score > score
                           ? "the alignment is not optimal; align again"
                           : "wrong value: an optimal alignment scores less than the given one; report this");
  cla_alignment_free(found);
  return status;
}

cla_status cost_search_begin(cost_search *out, const cla_results *pair) {
  cla_status status = path_check_fit(out->alignment, pair->query, pair->target, out->error);
  if (status == CLA_OK)
    status = rotated_pair_make(&out->pair, out->alignment, pair->query, pair->target, out->error);
  if (status == CLA_OK) status = check(out);
  return status == CLA_OK ? check_optimal(out) : status;
}

void cost_search_end(cost_search *s) {
  rotated_pair_free(&s->pair);
}
