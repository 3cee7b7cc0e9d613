/* Kept rows of other ranks: a row's end waits for the blocks above, and what comes behind it does not. */

#include <sched.h>
#include <stdatomic.h>

#include "ranks/ranks_internal.h"
#include "support/test.h"

enum { NODES = 4, ROWS = 10 };

/* Blocks of ROWS rows, of rank 1 and of rank 2. */
typedef struct fixture {
  cla_ranks ranks;
  cla_scoring scoring;
  sweep_work sweep;
  sweep_block blocks[2];
  rank_round round;
  atomic_int taken; /* parts for which there is room again */
} fixture;

static cla_status send(void *user, int to, int kind, const cla_rank_bytes *parts, int part_count,
                       cla_error *error) {
  (void)to;
  (void)parts;
  (void)part_count;
  (void)error;
  atomic_fetch_add(&((fixture *)user)->taken, kind == RANK_KEPT_TAKEN);
  return CLA_OK;
}

static int64_t waiting(void *user, int to) {
  (void)user;
  (void)to;
  return 0;
}

static void rest(void *user, bool at_work) {
  (void)user;
  (void)at_work;
  sched_yield();
}

static void set_up(fixture *x) {
  *x = (fixture){.ranks = {.count = 3, .send = send, .waiting = waiting, .rest = rest, .user = x},
                 .round = {.base = {.sweep = &x->sweep, .blocks = x->blocks, .count = 2, .end = 2},
                           .ranks = &x->ranks,
                           .number = 1}};
  cla_scoring_init(&x->scoring);
  const row_shape shape = {.nodes = NODES, .largest_score = 1, .scoring = &x->scoring};
  assert_ok(special_rows_create(&x->sweep.kept, &shape, &why));
  x->sweep.input.rows = 2 * ROWS;
  for (int i = 0; i < 2; i++)
    x->blocks[i] = (sweep_block){
        .round = &x->round.base, .index = i, .where = {.row = i * ROWS, .rows = ROWS}, .owner = i + 1};
  assert_ok(block_round_open(&x->round.base, &why));
  assert_ok(kept_queue_open(&x->round, &why));
}

static void tear_down(fixture *x) {
  special_rows_free(x->sweep.kept);
  free(x->round.base.devices);
  pthread_mutex_destroy(&x->round.base.lock);
  pthread_mutex_destroy(&x->round.base.rows);
  pthread_cond_destroy(&x->round.base.news);
}

/* So many nodes of a block's last row; 0: its end. */
static void add_part(fixture *x, int block, int64_t count) {
  const int32_t h[NODES] = {0}, f[NODES] = {-5, -5, -5, -5};
  const rank_part head = {.number = 1,
                          .lane_bits = 32,
                          .block = block,
                          .row = ROWS,
                          .count = count,
                          .lines = 2,
                          .best_score = INT64_MIN};
  rank_writer bytes = {0};
  assert_ok(rank_write(&bytes, &head, sizeof head, &why));
  assert_ok(rank_write(&bytes, h, count * (int64_t)sizeof *h, &why));
  assert_ok(rank_write(&bytes, f, count * (int64_t)sizeof *f, &why));
  kept_queue_add(&x->round, &(cla_rank_message){block + 1, RANK_KEPT, bytes.bytes, bytes.length});
}

static void add_done(fixture *x, int block) {
  const block_word word = {.number = 1, .block = block};
  rank_writer bytes = {0};
  assert_ok(rank_write(&bytes, &word, sizeof word, &why));
  kept_queue_add(&x->round, &(cla_rank_message){block + 1, RANK_DONE, bytes.bytes, bytes.length});
}

/* The lower block's row and its end, which waits for the upper one; behind these a part of the upper one's
 * row. There is room again for both parts. */
static void add_behind_an_end(fixture *x) {
  add_part(x, 1, NODES);
  add_part(x, 1, 0);
  add_done(x, 1);
  add_part(x, 0, NODES);
  while (atomic_load(&x->taken) < 2) sched_yield();
}

Test(kept_queue, an_end_that_waits_for_blocks_above_holds_up_no_part, .timeout = 600) {
  static fixture x;
  int64_t row;
  set_up(&x);
  add_behind_an_end(&x);
  pthread_mutex_lock(&x.round.base.lock);
  cr_expect_not(x.blocks[1].kept);
  x.blocks[0].done = x.blocks[1].done = true;
  pthread_cond_broadcast(&x.round.base.news);
  pthread_mutex_unlock(&x.round.base.lock);
  add_part(&x, 0, 0);
  add_done(&x, 0);
  kept_queue_close(&x.round);
  cr_expect(x.blocks[0].kept && x.blocks[1].kept);
  assert_ok(special_rows_last_whole(&row, x.sweep.kept, &why));
  cr_expect_eq(row, 2 * ROWS);
  tear_down(&x);
}

Test(kept_queue, a_round_that_ends_waits_for_no_block, .timeout = 600) {
  static fixture x;
  int64_t row;
  set_up(&x);
  add_behind_an_end(&x);
  block_round_end(&x.round.base, 0, NULL);
  kept_queue_close(&x.round);
  assert_ok(special_rows_last_whole(&row, x.sweep.kept, &why));
  cr_expect_eq(row, -1);
  tear_down(&x);
}
