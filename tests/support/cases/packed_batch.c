#include "support/cases/packed_batch.h"

#include "seq/random_stream.h"
#include "seq/sequence.h"
#include "support/lettered_pairs.h"
#include "support/random_pairs.h"
#include "support/reference_difference.h"
#include "support/reference_path.h"
#include "support/test.h"
#include "support/traced_pair.h"

packed_batch *packed_batch_new(const char *kind) {
  packed_batch *all = calloc(1, sizeof *all);
  cr_assert(all);
  cla_scoring_init(&all->scoring);
  all->kind = kind;
  return all;
}

static uint8_t *copy_codes(const uint8_t *codes, int64_t length) {
  uint8_t *copy = malloc((size_t)length);
  cr_assert(copy);
  memcpy(copy, codes, (size_t)length);
  return copy;
}

void packed_batch_add(packed_batch *all, const uint8_t *query, int64_t rows, const uint8_t *target,
                      int64_t columns) {
  cr_assert(all->count < PACKED_BATCH_MOST);
  all->pairs[all->count++] = (pack_pair){.query = copy_codes(query, rows),
                                         .target = copy_codes(target, columns),
                                         .query_letters = rows,
                                         .target_letters = columns};
}

void packed_batch_share_query(packed_batch *all) {
  pack_pair *last = &all->pairs[all->count - 1];
  const pack_pair *first = &all->pairs[0];
  cr_assert(last != first);
  free((void *)last->query);
  last->query = first->query;
  last->query_letters = first->query_letters;
}

path_scheme packed_batch_scheme(const packed_batch *all) {
  return (path_scheme){
      .scoring = &all->scoring, .table = &all->table, .ends = path_ends_make(all->mode, all->free_ends)};
}

void packed_batch_free(packed_batch *all) {
  for (int i = 0; i < all->count; i++) {
    const bool shared = i > 0 && all->pairs[i].query == all->pairs[0].query;
    if (!shared) free((void *)all->pairs[i].query);
    free((void *)all->pairs[i].target);
  }
  free(all);
}

static int32_t times(int32_t score, int32_t factor) {
  return score * factor;
}

packed_batch *packed_batch_make(uint64_t seed, int count, int64_t max_length, int32_t factor) {
  random_pair pair;
  random_pair_make(&pair, seed, max_length);
  random_pair_choose_mode(&pair);
  packed_batch *all = packed_batch_new(pair.scheme);
  all->scoring = pair.scoring;
  all->mode = pair.mode;
  all->free_ends = pair.free_ends;
  all->seed = seed;
  cla_scoring *scoring = &all->scoring;
  scoring->match = times(scoring->match, factor);
  scoring->mismatch = times(scoring->mismatch, factor);
  scoring->gap_first = times(scoring->gap_first, factor);
  scoring->gap_ext = times(scoring->gap_ext, factor);
  scoring->gap_first2 = times(scoring->gap_first2, factor);
  scoring->gap_ext2 = times(scoring->gap_ext2, factor);
  for (int i = 0; i < CLA_MATRIX_STRIDE * CLA_MATRIX_STRIDE; i++)
    scoring->matrix[i] = times(scoring->matrix[i], factor);
  random_pair_free(&pair);
  score_table_build(&all->table, scoring, SEQUENCE_LETTERS, SEQUENCE_UNAMBIGUOUS);
  for (int i = 0; i < count; i++) {
    random_pair_make(&pair, seed * 1000 + (uint64_t)i, max_length);
    packed_batch_add(all, pair.query, pair.query_length, pair.target, pair.target_length);
    random_pair_free(&pair);
  }
  return all;
}

int32_t packed_batch_factor(uint64_t seed) {
  static const int32_t factors[] = {1, 1, 1, 3, 40, 4000};
  random_pair pair;
  int32_t largest = 1, factor = factors[seed % 6];
  random_pair_make(&pair, seed, 5);
  const cla_scoring *scoring = &pair.scoring;
  const int32_t sizes[] = {scoring->match, -scoring->mismatch, scoring->gap_first, scoring->gap_first2};
  for (int i = 0; i < 4; i++)
    if (sizes[i] > largest) largest = sizes[i];
  for (int i = 0; i < CLA_MATRIX_STRIDE * CLA_MATRIX_STRIDE; i++)
    if (abs(scoring->matrix[i]) > largest) largest = abs(scoring->matrix[i]);
  random_pair_free(&pair);
  while (factor > 1 && largest > 400000 / factor) factor /= 2;
  return factor > 0 ? factor : 1;
}

packed_batch *packed_batch_make_lettered(uint64_t seed, int count, int64_t max_length, bool one_query) {
  lettered_pair scheme;
  lettered_pair_make(&scheme, seed, max_length);
  packed_batch *all = packed_batch_new(scheme.scheme);
  all->scoring = scheme.scoring;
  all->mode = scheme.mode;
  all->seed = seed;
  const letter_set *letters = sequence_alphabet(scheme.query);
  score_table_build(&all->table, &all->scoring, letters->letters, letters->unambiguous);
  const int codes = (int)strlen(letters->letters);
  random_stream stream;
  random_stream_init(&stream, seed, 7);
  for (int i = 0; i < count; i++) {
    const int64_t rows = 1 + (int64_t)random_stream_below(&stream, (uint64_t)max_length);
    const int64_t columns = 1 + (int64_t)random_stream_below(&stream, (uint64_t)max_length);
    uint8_t *query = malloc((size_t)rows), *target = malloc((size_t)columns);
    cr_assert(query && target);
    random_stream_codes(&stream, query, rows, codes);
    const uint8_t *like = one_query && i > 0 ? all->pairs[0].query : query;
    const int64_t like_letters = one_query && i > 0 ? all->pairs[0].query_letters : rows;
    for (int64_t k = 0; k < columns; k++)
      target[k] = k < like_letters && random_stream_below(&stream, 6) > 0
                      ? like[k]
                      : (uint8_t)random_stream_below(&stream, (uint64_t)codes);
    packed_batch_add(all, query, rows, target, columns);
    if (one_query && i > 0) packed_batch_share_query(all);
    free(query);
    free(target);
  }
  lettered_pair_free(&scheme);
  return all;
}

void free_packed_batch(packed_batch **all) {
  packed_batch_free(*all);
}

void packed_check_pair(const packed_batch *all, const path_scheme *scheme, const pack_pair *pair, int index) {
  reference_alignment want;
  traced_pair path;
  assert_ok(reference_align(&want,
                            &(pair_problem){pair->query,
                                            pair->target,
                                            pair->query_letters,
                                            pair->target_letters,
                                            {&all->scoring, &all->table, scheme->ends}},
                            &why));
  cr_assert(
      want.score == pair->score && want.query_end == pair->end_query && want.target_end == pair->end_target,
      "%s, seed %llu, mode %d, free ends %d, pair %d of %lld x %lld letters: score %lld at (%lld, %lld), "
      "not %lld at (%lld, %lld)",
      all->kind, (unsigned long long)all->seed, (int)all->mode, all->free_ends, index,
      (long long)pair->query_letters, (long long)pair->target_letters, (long long)pair->score,
      (long long)pair->end_query, (long long)pair->end_target, (long long)want.score,
      (long long)want.query_end, (long long)want.target_end);
  if (traced_pair_find(&path, scheme, pair, index % 3 == 0 ? 0 : INT64_MAX, 64)) {
    cr_assert(path.start_query == want.query_start && path.start_target == want.target_start &&
                  same_runs(path.runs, path.run_count, want.runs, want.run_count),
              "%s, seed %llu, mode %d, free ends %d, pair %d of %lld x %lld letters: another path", all->kind,
              (unsigned long long)all->seed, (int)all->mode, all->free_ends, index,
              (long long)pair->query_letters, (long long)pair->target_letters);
    free(path.runs);
  }
  reference_alignment_free(&want);
}

void packed_check_drop_too_large(cla_device *device, packed_batch *all, const path_scheme *scheme) {
  const cla_device_info *facts = cla_device_describe(device);
  const int before = all->count;
  int kept = 0;
  for (int i = 0; i < before; i++) {
    const pack_pair pair = all->pairs[i];
    if (pack_takes(facts, scheme, pair.query_letters, pair.target_letters)) {
      all->pairs[kept++] = pair;
    } else {
      cr_assert(pair.query_letters + pair.target_letters > 100, "a short pair is not taken");
      free((void *)pair.query);
      free((void *)pair.target);
    }
  }
  all->count = kept;
}

void packed_check_batch(cla_device *device, packed_batch *all) {
  pack_solver *solver = NULL;
  const path_scheme scheme = packed_batch_scheme(all);
  assert_ok(pack_solver_create(&solver, device, &scheme, &why));
  packed_check_drop_too_large(device, all, &scheme);
  const int half = (all->count + 1) / 2;
  assert_ok_for(pack_solve(solver, all->pairs, all->count, NULL, &why), "%s, seed %llu, mode %d", all->kind,
                (unsigned long long)all->seed, (int)all->mode);
  for (int i = 0; i < all->count; i++) packed_check_pair(all, &scheme, &all->pairs[i], i);
  for (int i = 0; i < half; i++)
    all->pairs[i].score = all->pairs[i].end_query = all->pairs[i].end_target = -9;
  assert_ok(pack_solve(solver, all->pairs, half, NULL, &why));
  for (int i = 0; i < half; i++) packed_check_pair(all, &scheme, &all->pairs[i], i);
  pack_solver_free(solver);
}
