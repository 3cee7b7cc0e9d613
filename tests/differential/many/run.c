#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "differential/many/many.h"
#include "differential/oracle.h"
#include "seq/sequence.h"

static void *must_allocate(int64_t count, size_t size) {
  void *memory = calloc((size_t)(count > 0 ? count : 1), size);
  if (!memory) abort();
  return memory;
}

static uint8_t as_given(const many_case *one, char letter) {
  if (!one->coded) return (uint8_t)(one->lower ? tolower(letter) : letter);
  const bool dna = one->asked.alphabet == CLA_ALPHABET_DNA;
  const char *letters = dna ? SEQUENCE_LETTERS : one->asked.scoring.letters;
  return (uint8_t)(strchr(letters, dna && letter == 'U' ? 'T' : letter) - letters);
}

/* The letters of one side, one sequence after the other. */
static void lay_out(const many_case *one, int side, uint8_t **letters, int64_t **offsets) {
  int64_t sum = 0;
  *offsets = must_allocate(one->sequences + 1, sizeof **offsets);
  for (int64_t i = 0; i < one->sequences; i++) {
    sum += side == 0 ? one->drawn[i].rows : one->drawn[i].columns;
    (*offsets)[i + 1] = sum;
  }
  *letters = must_allocate(sum, 1);
  for (int64_t i = 0; i < one->sequences; i++) {
    const char *from = side == 0 ? one->drawn[i].query : one->drawn[i].target;
    for (int64_t k = 0; from[k]; k++) (*letters)[(*offsets)[i] + k] = as_given(one, from[k]);
  }
}

static void allocate_results(cla_pair_results *r, const many_case *one) {
  r->score = must_allocate(one->pairs, sizeof *r->score);
  for (int side = 0; side < 2; side++) {
    r->start[side] = must_allocate(one->pairs, sizeof *r->start[side]);
    r->end[side] = must_allocate(one->pairs, sizeof *r->end[side]);
  }
  r->strand = must_allocate(one->pairs, 1);
  r->status = must_allocate(one->pairs, 1);
  if (one->asked.score_only) return;
  for (int64_t pair = 0; pair < one->pairs; pair++) {
    const case_pair letters = many_pair(one, pair);
    r->runs_capacity += letters.rows + letters.columns;
  }
  r->runs = must_allocate(r->runs_capacity, sizeof *r->runs);
  r->run_offsets = must_allocate(one->pairs + 1, sizeof *r->run_offsets);
}

void many_run(many_results *out, const many_case *one) {
  uint8_t *letters[2];
  int64_t *offsets[2];
  cla_align_options options;
  *out = (many_results){0};
  for (int side = 0; side < 2; side++) lay_out(one, side, &letters[side], &offsets[side]);
  allocate_results(&out->of, one);
  cla_align_options_init(&options);
  options.mode = one->asked.mode;
  options.free_ends = one->asked.free_ends;
  options.strand = one->asked.strand;
  options.scoring = one->asked.scoring;
  options.score_only = one->asked.score_only;
  options.allow_empty = one->allow_empty;
  options.budgets.threads = one->threads;
  const cla_pair_arrays arrays = {.alphabet = one->asked.alphabet,
                                  .coded = one->coded,
                                  .letters = {letters[0], letters[1]},
                                  .offsets = {offsets[0], offsets[1]},
                                  .sequences = {one->sequences, one->sequences},
                                  .of = {one->of[0], one->of[1]},
                                  .pairs = one->pairs};
  out->status = cla_align_arrays(&out->of, &arrays, NULL, &options, &out->error);
  for (int side = 0; side < 2; side++) {
    free(letters[side]);
    free(offsets[side]);
  }
}

void many_results_free(many_results *results) {
  cla_pair_results *r = &results->of;
  free(r->score);
  for (int side = 0; side < 2; side++) {
    free(r->start[side]);
    free(r->end[side]);
  }
  free(r->strand);
  free(r->status);
  free(r->runs);
  free(r->run_offsets);
}

/* Whether the letters of a pair are one, where no matrix says so; ambiguous ones never are. */
static bool is_match(char query, char target) {
  return strchr("ACGTU", query) && (query == target || (strchr("TU", query) && strchr("TU", target)));
}

/* The path's runs, joined where only matches and other pairs meet; NULL if it is the expected one. */
static const char *path_difference(const many_case *one, const many_results *results, int64_t pair,
                                   const oracle_path *want, const char *query, const char *target) {
  const cla_pair_results *r = &results->of;
  const bool by_letters = one->asked.scoring.matrix_size == 0;
  int64_t at = r->run_offsets[pair], i = want->query_start, j = want->target_start;
  for (size_t run = 0; run < want->run_count; run++) {
    int64_t length = 0;
    for (; at < r->run_offsets[pair + 1]; at++) {
      const int kind = r->runs[at] & 15;
      const cla_run_kind is = kind == CLA_PACKED_QUERY    ? CLA_RUN_QUERY
                              : kind == CLA_PACKED_TARGET ? CLA_RUN_TARGET
                                                          : CLA_RUN_PAIR;
      if (is != want->runs[run].kind) break;
      for (int64_t k = 0; k < r->runs[at] >> 4; k++, length++) {
        if (length >= want->runs[run].length) return "path";
        if (is == CLA_RUN_PAIR && by_letters && is_match(query[i], target[j]) != (kind == CLA_PACKED_MATCH))
          return "matches";
        i += is != CLA_RUN_TARGET;
        j += is != CLA_RUN_QUERY;
      }
    }
    if (length != want->runs[run].length) return "path";
  }
  return at == r->run_offsets[pair + 1] ? NULL : "path";
}

/* The oracle's path on the forward strand. Without paths there is no first letter, which is the last one of
 * a query on the reverse strand. */
static void forward_range(const many_case *one, const oracle_path *want, int64_t rows, int64_t start[2],
                          int64_t end[2]) {
  const bool alone = one->asked.score_only;
  const bool empty = one->asked.mode == CLA_MODE_LOCAL && want->score == 0;
  start[0] = alone ? -1 : want->query_start;
  end[0] = want->query_stop;
  start[1] = alone ? -1 : want->target_start;
  end[1] = want->target_stop;
  if (!want->reverse || empty) return;
  end[0] = alone ? -1 : rows - want->query_start;
  start[0] = rows - want->query_stop;
}

static const char *difference(const many_case *one, const many_results *results, int64_t index,
                              const case_pair *pair, const oracle_path *want) {
  const cla_pair_results *r = &results->of;
  int64_t start[2], end[2];
  forward_range(one, want, pair->rows, start, end);
  if (r->status[index] != CLA_OK) return "status";
  if (r->score[index] != want->score) return "score";
  if ((r->strand[index] == CLA_STRAND_REVERSE) != want->reverse) return "strand";
  for (int side = 0; side < 2; side++)
    if (r->start[side][index] != start[side] || r->end[side][index] != end[side]) return "ends";
  if (one->asked.score_only) return NULL;
  char *turned = want->reverse ? oracle_reverse(pair->query, pair->rows) : NULL;
  const char *what = path_difference(one, results, index, want, turned ? turned : pair->query, pair->target);
  free(turned);
  return what;
}

many_verdict many_compare(char text[MANY_TEXT_SIZE], const many_case *one, const many_results *results,
                          int64_t index) {
  const case_pair pair = many_pair(one, index);
  const cla_pair_results *r = &results->of;
  if (results->status != CLA_OK) {
    snprintf(text, MANY_TEXT_SIZE, "the call failed: %s", results->error.message);
    return MANY_WRONG;
  }
  if (!one->allow_empty && (pair.rows == 0 || pair.columns == 0)) {
    snprintf(text, MANY_TEXT_SIZE, "an empty sequence has status %d", r->status[index]);
    return r->status[index] == CLA_ERROR_INPUT ? MANY_SAME : MANY_WRONG;
  }
  if (one->large && r->status[index] == CLA_ERROR_OPTION) return MANY_REFUSED;
  oracle_result result = oracle_align(&one->asked, &pair);
  const oracle_path *want = &result.paths[0];
  const char *what = difference(one, results, index, &pair, want);
  if (what)
    snprintf(text, MANY_TEXT_SIZE,
             "%s: got status %d, score %lld, strand %d, query %lld-%lld, target %lld-%lld; expected score "
             "%lld, %s "
             "strand, query %lld-%lld, target %lld-%lld on it",
             what, r->status[index], (long long)r->score[index], r->strand[index],
             (long long)r->start[0][index], (long long)r->end[0][index], (long long)r->start[1][index],
             (long long)r->end[1][index], (long long)want->score, want->reverse ? "reverse" : "forward",
             (long long)want->query_start, (long long)want->query_stop, (long long)want->target_start,
             (long long)want->target_stop);
  oracle_free(&result);
  return what ? MANY_WRONG : MANY_SAME;
}
