#include "support/tiny_cases.h"

#include <stdlib.h>

#include "seq/random_stream.h"
#include "support/random_pairs.h"
#include "support/test.h"

#define ALL_LETTERS 4

static int64_t below(random_stream *stream, int64_t limit) {
  return (int64_t)random_stream_below(stream, (uint64_t)limit);
}

static void choose_scheme(cla_scoring *s, random_stream *stream) {
  *s = default_scoring();
  s->match = (int32_t)below(stream, 4);
  s->mismatch = -(int32_t)below(stream, 5);
  s->gap_first = 1 + (int32_t)below(stream, 6);
  s->gap_ext = below(stream, 3) == 0 ? s->gap_first : (int32_t)below(stream, s->gap_first + 1);
  if (s->gap_ext == 0 || below(stream, 3) > 0) return;
  s->gap_ext2 = (int32_t)below(stream, s->gap_ext);
  s->gap_first2 = s->gap_first + 1 + (int32_t)below(stream, 5);
}

void tiny_case_make(tiny_case *c, uint64_t seed) {
  static const int free_ends[] = {1, 2, 3, 4, 6, 7, 8, 9, 11, 13, 14};
  random_stream stream;
  random_stream_init(&stream, seed, 0);
  const int64_t kinds = 2 + below(&stream, ALL_LETTERS - 1);
  c->seed = seed;
  c->rows = 1 + below(&stream, TINY_LETTERS);
  c->columns = 1 + below(&stream, TINY_LETTERS);
  const bool related = below(&stream, 2) == 0;
  for (int i = 0; i < TINY_LETTERS; i++) c->query[i] = (uint8_t)below(&stream, kinds);
  const int64_t shift = below(&stream, 2);
  for (int i = 0; i < TINY_LETTERS; i++)
    c->target[i] = related && i + shift < TINY_LETTERS && below(&stream, 8) > 0
                       ? c->query[i + shift]
                       : (uint8_t)below(&stream, kinds);
  choose_scheme(&c->scoring, &stream);
  c->mode = (cla_mode)below(&stream, CLA_MODE_COUNT);
  c->free_ends = c->mode == CLA_MODE_FREE_ENDS
                     ? free_ends[below(&stream, (int64_t)(sizeof free_ends / sizeof *free_ends))]
                     : 0;
  if (c->mode == CLA_MODE_FREE_ENDS && cla_free_ends_mode(c->free_ends) != CLA_MODE_FREE_ENDS)
    c->free_ends = CLA_FREE_QUERY_START;
}

void tiny_problem_make(tiny_problem *out, const tiny_case *c, const cla_scoring *scoring) {
  score_table_build(&out->table, scoring, "ACGTN", 4);
  out->problem = (pair_problem){c->query,
                                c->target,
                                c->rows,
                                c->columns,
                                {scoring, &out->table, path_ends_make(c->mode, c->free_ends)}};
}

int32_t *tiny_cost(cla_scoring *s, int cost) {
  int32_t *const all[] = {&s->match, &s->mismatch, &s->gap_first, &s->gap_ext, &s->gap_first2, &s->gap_ext2};
  return all[cost];
}

void tiny_cases_check(bool (*check)(uint64_t seed), uint64_t usual, uint64_t part) {
  const char *cases = getenv("CASES"), *first = getenv("FIRST");
  const uint64_t count = cases ? strtoull(cases, NULL, 10) : usual;
  const uint64_t from = first ? strtoull(first, NULL, 10) : 1;
  uint64_t checked = 0;
  for (uint64_t seed = from; seed < from + count; seed++) checked += check(seed);
  cr_assert(checked > count / part, "only %llu cases have columns", (unsigned long long)checked);
}

cla_alignment *tiny_case_alignment(const tiny_case *c, const listed_alignment *listed, cla_sequence *query,
                                   cla_sequence *target) {
  cla_align_options options;
  cla_alignment *out;
  cla_align_options_init(&options);
  options.scoring = c->scoring;
  options.mode = c->mode;
  options.free_ends = c->free_ends;
  options.host_cells = 1 << 20;
  assert_ok_for(cla_align(&out, NULL, query, target, &options, &why), "case %llu",
                (unsigned long long)c->seed);
  cr_assert_eq(out->score, listed->score, "case %llu: score %lld, not %lld", (unsigned long long)c->seed,
               (long long)out->score, (long long)listed->score);
  free(out->runs);
  out->runs = calloc(ALIGNMENT_COLUMNS_MOST, sizeof *out->runs);
  out->run_count = 0;
  out->query.start = out->query.stop = listed->row;
  out->target.start = out->target.stop = listed->column;
  for (int i = 0; i < listed->count; i++) {
    const cla_run_kind kind = (cla_run_kind)listed->kinds[i];
    if (i == 0 || out->runs[out->run_count - 1].kind != kind)
      out->runs[out->run_count++] = (cla_run){.kind = kind};
    out->runs[out->run_count - 1].length++;
    out->query.stop += kind != CLA_RUN_TARGET;
    out->target.stop += kind != CLA_RUN_QUERY;
  }
  return out;
}
