/* Packs of pairs that were made for what random ones hardly meet: values at a lane's limits, ties far apart,
 * letters that one side alone has. */

#include "seq/sequence.h"
#include "support/cases/packed_batch.h"
#include "support/test.h"
#include "support/test_devices.h"

/* Scores at the limit of lanes of 8 bits, or a little larger. One letter repeated, against itself and against
 * another one, makes matrices that rise and fall as fast as possible. */
Test(packed_corners, steep_matrices_equal_the_oracle, .timeout = 7200) {
  static const cla_mode modes[] = {CLA_MODE_LOCAL, CLA_MODE_GLOBAL, CLA_MODE_OVERLAP};
  static const int schemes[][4] = {{40, -90, 40, 1}, {8, -20, 10, 5}, {1, 0, 90, 0}, {50, 0, 0, 0}};
  FOR_EACH_DEVICE (device) {
    for (int which = 0; which < 12; which++) {
      const int *scores = schemes[which % 4];
      OWNED(free_packed_batch) packed_batch *all = packed_batch_new("steep");
      uint8_t same[200], other[200];
      all->scoring.match = scores[0];
      all->scoring.mismatch = scores[1];
      all->scoring.gap_first = scores[2];
      all->scoring.gap_ext = scores[3];
      all->mode = modes[which / 4];
      all->seed = (uint64_t)which;
      score_table_build(&all->table, &all->scoring, SEQUENCE_LETTERS, SEQUENCE_UNAMBIGUOUS);
      memset(same, 1, sizeof same);
      memset(other, 2, sizeof other);
      for (int64_t rows = 1; rows <= 200; rows += 11) {
        packed_batch_add(all, same, rows, same, 201 - rows);
        packed_batch_add(all, same, rows, same, rows);
        packed_batch_add(all, same, 201 - rows, other, rows);
        memset(other, 1, (size_t)rows); /* the next one's begin */
      }
      packed_check_batch(device, all);
    }
  }
}

/* Of as good cells of one strip the canonical one is in a later tile, in the same lane or in an upper one. */
Test(packed_corners, ties_in_several_tiles_end_in_the_upper_row, .timeout = 600) {
  enum { BEHIND = 1500, BETWEEN = 300 };
  static uint8_t query[9 + BEHIND], target[5 + 9 + 2 * BETWEEN];
  static const uint8_t never = 8; /* N */
  FOR_EACH_DEVICE (device) {
    OWNED(free_packed_batch) packed_batch *all = packed_batch_new("ties");
    score_table_build(&all->table, &all->scoring, SEQUENCE_LETTERS, SEQUENCE_UNAMBIGUOUS);
    for (int lower = 0; lower < 3; lower++) {
      memset(query, never, sizeof query);
      memset(target, never, sizeof target);
      for (int k = 0; k < 5; k++) query[k] = (uint8_t)(k % 4);            /* ACGTA */
      for (int k = 0; k < 4; k++) target[5 + k] = (uint8_t)((k + 1) % 4); /* CGTA, in a row below */
      for (int k = 0; k < 4; k++) target[9 + (lower + 1) * BETWEEN / 2 + k] = (uint8_t)k;
      packed_batch_add(all, query, sizeof query, target, sizeof target);
    }
    packed_check_batch(device, all);
  }
}

/* Adds a long pair whose query has the begin of the target several times, far apart: as good ends in many
 * strips. */
static void add_repeats(packed_batch *all, int64_t times, int64_t apart) {
  enum { LETTERS = 60 };
  static uint8_t query[4000], target[1500];
  memset(query, 8, sizeof query); /* N */
  memset(target, 8, sizeof target);
  for (int64_t k = 0; k < LETTERS; k++) target[k] = (uint8_t)(k * k / 3 % 4);
  for (int64_t i = 0; i < times; i++) memcpy(query + i * apart, target, LETTERS);
  packed_batch_add(all, query, times * apart, target, sizeof target);
}

/* Where a GPU shares long pairs out among its chains, strip by strip, others of the same launch go whole. */
Test(packed_corners, long_pairs_among_many_short_ones_equal_the_oracle, .timeout = 7200) {
  static const cla_mode modes[] = {CLA_MODE_LOCAL, CLA_MODE_GLOBAL, CLA_MODE_OVERLAP, CLA_MODE_SEMI_GLOBAL};
  FOR_EACH_DEVICE (device) {
    for (size_t which = 0; which < sizeof modes / sizeof modes[0]; which++) {
      OWNED(free_packed_batch) packed_batch *all = packed_batch_make(8700000 + which, 120, 40, 1);
      packed_batch *longer = packed_batch_make(8710000 + which, 6, 1500, 1);
      all->kind = "long and short";
      all->mode = modes[which];
      for (int i = 0; i < longer->count; i++)
        packed_batch_add(all, longer->pairs[i].query, longer->pairs[i].query_letters, longer->pairs[i].target,
                         longer->pairs[i].target_letters);
      add_repeats(all, 20, 130);
      add_repeats(all, 9, 400);
      packed_batch_free(longer);
      packed_check_batch(device, all);
    }
  }
}

/* Longer than the chains' own memory is. */
Test(packed_corners, a_very_long_target_equals_the_oracle, .timeout = 7200) {
  enum { ROWS = 150, COLUMNS = 33000 };
  static uint8_t query[ROWS], target[COLUMNS];
  for (int k = 0; k < ROWS; k++) query[k] = (uint8_t)(k * k / 5 % 4);
  for (int k = 0; k < COLUMNS; k++) target[k] = (uint8_t)((k % 1000 < ROWS ? query[k % 1000] : k) % 4);
  FOR_EACH_DEVICE (device) {
    OWNED(free_packed_batch) packed_batch *all = packed_batch_new("a very long target");
    score_table_build(&all->table, &all->scoring, SEQUENCE_LETTERS, SEQUENCE_UNAMBIGUOUS);
    packed_batch_add(all, query, ROWS, target, COLUMNS);
    packed_batch_add(all, query, 30, target, COLUMNS - 100); /* of one strip */
    packed_batch_add(all, query, 40, target, 70);
    packed_check_batch(device, all);
  }
}

/* The pairs have only letters that the matrix scores as plain matches and mismatches, so no score is looked
 * up. Then the padding after a target's end must not be a letter of the query. */
Test(packed_corners, a_letter_that_no_target_has_may_be_the_querys, .timeout = 600) {
  static const uint8_t query[] = {1, 2, 0, 0, 0, 0}, short_target[] = {1, 2},
                       long_target[] = {1, 2, 1, 1, 2, 2, 3, 3, 3};
  FOR_EACH_DEVICE (device) {
    OWNED(free_packed_batch) packed_batch *all = packed_batch_new("a letter that no target has");
    all->scoring.ambiguity = CLA_AMBIGUITY_NEUTRAL;
    all->mode = CLA_MODE_LOCAL;
    score_table_build(&all->table, &all->scoring, SEQUENCE_LETTERS, SEQUENCE_UNAMBIGUOUS);
    cr_assert(all->table.needs_lookup);
    packed_batch_add(all, query, 6, short_target, 2);
    packed_batch_add(all, query, 6, long_target, 9);
    packed_batch_share_query(all);
    packed_check_batch(device, all);
  }
}
