#include "support/packed_check.h"

#include "reference/reference.h"
#include "support/reference_difference.h"
#include "support/test.h"

void packed_check_pair(const packed_batch *all, const path_scheme *scheme, const pack_pair *pair, int index) {
  reference_alignment want;
  pack_path path = {0};
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
  pack_pair traced = *pair;
  if (index % 3 == 0) traced.rows.most = NULL;
  assert_ok_for(pack_trace(&path, scheme, &traced, 0, &why), "%s, seed %llu, mode %d, pair %d", all->kind,
                (unsigned long long)all->seed, (int)all->mode, index);
  cr_assert(path.start_query == want.query_start && path.start_target == want.target_start &&
                same_runs(path.runs, path.run_count, want.runs, want.run_count),
            "%s, seed %llu, mode %d, free ends %d, pair %d of %lld x %lld letters: another path", all->kind,
            (unsigned long long)all->seed, (int)all->mode, all->free_ends, index,
            (long long)pair->query_letters, (long long)pair->target_letters);
  free(path.runs);
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
