/* Searches on every device that has a kernel for them, against the oracle: queries of all shapes along
 * targets of all lengths. */

#include <stdlib.h>
#include <string.h>

#include "packs/stream.h"
#include "reference/reference.h"
#include "seq/random_stream.h"
#include "seq/sequence.h"
#include "support/cases/packed_batch.h"
#include "support/test.h"
#include "support/test_devices.h"

#define FIRST_SEED 8500000
#define TARGETS_MOST 400
#define ROWS 6
/* Longer than one strip of the widest kernel. */
#define LETTERS_MOST 1500

static const int64_t query_letters[ROWS] = {1, 100, 300, 500, 640, LETTERS_MOST};

typedef struct stream_case {
  uint8_t queries[ROWS][LETTERS_MOST];
  uint8_t *codes;
  int64_t offsets[TARGETS_MOST + 1];
  int32_t scores[ROWS * TARGETS_MOST];
  stream_targets targets;
  stream_row rows[ROWS];
  int count;
} stream_case;

/* Queries are pieces of targets, so that some pairs are related. */
static void make_queries(stream_case *t, random_stream *stream) {
  const int64_t letters = t->offsets[t->targets.count];
  for (int i = 0; i < ROWS; i++) {
    int64_t at = (int64_t)random_stream_below(stream, (uint64_t)letters);
    for (int64_t k = 0; k < query_letters[i]; k++) {
      t->queries[i][k] = t->codes[at];
      if (random_stream_below(stream, 40) == 0) at = (int64_t)random_stream_below(stream, (uint64_t)letters);
      at = (at + 1) % letters;
    }
  }
}

/* All but the longest query have a part of the targets. */
static void make_rows(stream_case *t, random_stream *stream) {
  const int64_t targets = t->targets.count;
  for (int i = 0; i < ROWS; i++) {
    const int64_t first = i + 1 < ROWS ? (int64_t)random_stream_below(stream, (uint64_t)targets) : 0;
    const int64_t past = i + 1 < ROWS
                             ? first + 1 + (int64_t)random_stream_below(stream, (uint64_t)(targets - first))
                             : targets;
    t->rows[i] =
        (stream_row){t->queries[i], query_letters[i], first, past, t->scores + (int64_t)i * TARGETS_MOST};
  }
}

static void make_targets(stream_case *t, const packed_batch *all) {
  int64_t letters = 0;
  for (int i = 0; i < all->count; i++) letters += all->pairs[i].target_letters;
  t->codes = malloc((size_t)letters);
  cr_assert(t->codes);
  for (int i = 0; i < all->count; i++) {
    memcpy(t->codes + t->offsets[i], all->pairs[i].target, (size_t)all->pairs[i].target_letters);
    t->offsets[i + 1] = t->offsets[i] + all->pairs[i].target_letters;
  }
  t->targets = (stream_targets){.codes = t->codes, .offsets = t->offsets, .count = all->count};
}

static void check_scores(const stream_case *t, const packed_batch *all, const path_scheme *scheme) {
  for (int i = 0; i < ROWS; i++)
    for (int64_t target = t->rows[i].first; target < t->rows[i].past; target++) {
      reference_alignment want;
      const pair_problem problem = {t->queries[i], t->codes + t->offsets[target], query_letters[i],
                                    t->offsets[target + 1] - t->offsets[target], *scheme};
      assert_ok(reference_score(&want, &problem, &why));
      cr_assert_eq(t->rows[i].score[target - t->rows[i].first], want.score,
                   "%s, seed %llu: query %d, target %d: %d instead of %d", all->kind,
                   (unsigned long long)all->seed, i, (int)target,
                   (int)t->rows[i].score[target - t->rows[i].first], (int)want.score);
    }
}

static void check_search(cla_device *device, const packed_batch *all) {
  static stream_case t;
  const path_scheme scheme = packed_batch_scheme(all);
  stream_engine *engine = NULL;
  random_stream stream;
  random_stream_init(&stream, all->seed, 1);
  make_targets(&t, all);
  make_queries(&t, &stream);
  make_rows(&t, &stream);
  assert_ok(stream_create(&engine, device, &scheme, &why));
  /* The first time the targets come to the device with the kernels, the second time they lie there. */
  for (int again = 0; again < 2; again++) {
    memset(t.scores, 0xff, sizeof t.scores);
    if (!again) assert_ok(stream_prepare(engine, &(stream_rows){&t.targets, t.rows, ROWS}, &why));
    assert_ok_for(stream_search(engine, &(stream_rows){&t.targets, t.rows, ROWS}, &why), "%s, seed %llu",
                  all->kind, (unsigned long long)all->seed);
    check_scores(&t, all, &scheme);
  }
  stream_free(engine);
  free(t.codes);
}

Test(stream, scores_equal_the_oracle, .timeout = 7200) {
  const int searches = (int)test_count("CLALIGN_TEST_PACKS", 4);
  FOR_EACH_DEVICE (device) {
    const cla_device_info *info = cla_device_describe(device);
    int searched = 0;
    for (uint64_t seed = FIRST_SEED; seed < FIRST_SEED + 200 && searched < searches; seed++) {
      OWNED(free_packed_batch)
      packed_batch *all = seed % 2 ? packed_batch_make_lettered(seed, 60, 200, false)
                                   : packed_batch_make(seed, 60, 200, packed_batch_factor(seed));
      const path_scheme scheme = packed_batch_scheme(all);
      if (stream_letters_most(info, &scheme) < LETTERS_MOST) continue;
      check_search(device, all);
      searched++;
    }
    printf("%s: %d searches\n", info->name, searched);
    cr_assert(searched > 0 || info->kind == CLA_DEVICE_CPU || !info->packed_pairs);
  }
}

/* One long target beside short ones, and a score near the limit. */
Test(stream, long_targets_and_high_scores, .timeout = 7200) {
  static const cla_scoring scoring = {.match = 20, .mismatch = -7, .gap_first = 9, .gap_ext = 2};
  FOR_EACH_DEVICE (device) {
    OWNED(free_packed_batch) packed_batch *all = packed_batch_new("long targets");
    uint8_t letters[LETTERS_MOST];
    random_stream stream;
    random_stream_init(&stream, FIRST_SEED, 2);
    all->scoring = scoring;
    all->mode = CLA_MODE_LOCAL;
    all->seed = FIRST_SEED;
    score_table_build(&all->table, &all->scoring, SEQUENCE_LETTERS, SEQUENCE_UNAMBIGUOUS);
    for (int i = 0; i < LETTERS_MOST; i++) letters[i] = (uint8_t)random_stream_below(&stream, 4);
    for (int i = 0; i < 40; i++)
      packed_batch_add(all, letters, 1, letters + i, i == 20 ? LETTERS_MOST - i : 1 + i % 3);
    const path_scheme scheme = packed_batch_scheme(all);
    if (stream_letters_most(cla_device_describe(device), &scheme) < LETTERS_MOST) continue;
    check_search(device, all);
  }
}
