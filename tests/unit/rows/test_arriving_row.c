/* A row on its way from one region to the next: what comes out is what a kept row gives. */

#include <pthread.h>

#include "rows/arriving_row.h"
#include "rows/special_rows.h"
#include "seq/random_stream.h"
#include "support/test.h"

#define NODES 300

typedef struct made_row {
  cla_scoring scoring;
  row_shape shape;
  uint16_t h[NODES], f[NODES];
  int64_t first, last; /* first and last computed node; none if first > last */
} made_row;

static void make_row(made_row *made, uint64_t seed, int64_t first, int64_t last) {
  random_stream stream;
  random_stream_init(&stream, seed, 5);
  memset(made, 0, sizeof *made);
  cla_scoring_init(&made->scoring);
  made->shape = (row_shape){.nodes = NODES, .largest_score = made->scoring.match, .scoring = &made->scoring};
  made->first = first;
  made->last = last;
  int64_t h = -70000;
  for (int64_t j = 0; j < NODES; j++) {
    h += (int64_t)random_stream_below(&stream, 5) - 3;
    made->h[j] = (uint16_t)h;
    made->f[j] = (uint16_t)(h - (int64_t)random_stream_below(&stream, 5));
  }
}

static region_row_part part_of(const made_row *made, int64_t column, int64_t count) {
  return (region_row_part){.row = 1,
                           .column = column,
                           .count = count,
                           .before = -70000,
                           .h = made->h + column,
                           .f = {made->f + column},
                           .lane_bits = 16};
}

/* The row as a kept row has it. */
static void keep(const made_row *made, int64_t *h, int64_t *f) {
  special_rows *rows = NULL;
  const region_row_part all = part_of(made, made->first, made->last + 1 - made->first);
  const region_row_part end = {.row = 1, .column = made->last + 1};
  assert_ok(special_rows_create(&rows, &made->shape, &why));
  assert_ok(special_rows_put(rows, &all, &why));
  assert_ok(special_rows_put(rows, &end, &why));
  special_rows_read(rows, 1, 0, NODES, (row_values){h, {f}});
  special_rows_free(rows);
}

typedef struct sender {
  arriving_row *row;
  const made_row *made;
} sender;

/* Hands it down in uneven parts. */
static void *send(void *user) {
  const sender *s = user;
  const made_row *made = s->made;
  int64_t column = made->first;
  for (int64_t count = 1; column <= made->last; column += count, count = count * 3 % 50 + 1) {
    if (count > made->last + 1 - column) count = made->last + 1 - column;
    const region_row_part part = part_of(made, column, count);
    assert_ok(arriving_row_put(s->row, &part, &why));
  }
  const region_row_part end = {.row = 1, .column = made->last + 1};
  assert_ok(arriving_row_put(s->row, &end, &why));
  return NULL;
}

/* Also when it has been another row before. */
Test(arriving_row, has_the_values_of_a_kept_row) {
  static const int64_t ranges[][2] = {{0, NODES - 1}, {0, 120}, {40, NODES - 1},
                                      {100, 101},     {0, 0},   {7, 250}};
  made_row made;
  sender s = {.made = &made};
  for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
    region_arrival there = {0};
    bool any = false;
    int64_t h[NODES], f[NODES];
    make_row(&made, 60 + i, ranges[i][0], ranges[i][1]);
    keep(&made, h, f);
    pthread_t thread;
    if (i == 0)
      assert_ok(arriving_row_create(&s.row, &made.shape, &why));
    else
      arriving_row_reset(s.row);
    cr_assert_eq(pthread_create(&thread, NULL, send, &s), 0);
    assert_ok(arriving_row_begun(&any, s.row, &why));
    cr_assert(any);
    const row_values values = arriving_row_values(s.row);
    for (int64_t wanted = 1; wanted <= NODES; wanted += 37) {
      assert_ok(arriving_row_await(s.row, &there, wanted, &why));
      cr_assert(there.nodes >= wanted && there.computed <= made.last);
      for (int64_t j = 0; j < there.nodes; j++)
        cr_assert(values.h[j] == h[j] && values.f[0][j] == f[j], "range %zu: node %lld", i, (long long)j);
    }
    cr_assert_eq(pthread_join(thread, NULL), 0);
    assert_ok(arriving_row_await(s.row, &there, NODES, &why));
    cr_assert(there.nodes == NODES && there.computed == made.last);
    cr_assert(memcmp(values.h, h, sizeof h) == 0 && memcmp(values.f[0], f, sizeof f) == 0);
  }
  arriving_row_free(s.row);
}

Test(arriving_row, may_have_no_node_at_all) {
  made_row made;
  arriving_row *row = NULL;
  bool any = true;
  make_row(&made, 70, 1, 0);
  const region_row_part end = {.row = 1};
  assert_ok(arriving_row_create(&row, &made.shape, &why));
  assert_ok(arriving_row_put(row, &end, &why));
  assert_ok(arriving_row_begun(&any, row, &why));
  cr_assert(!any);
  arriving_row_free(row);
}

static void *stop(void *user) {
  arriving_row_stop(user);
  return NULL;
}

Test(arriving_row, wakes_who_waits_when_there_will_be_no_more) {
  made_row made;
  arriving_row *row = NULL;
  region_arrival there = {0};
  pthread_t thread;
  make_row(&made, 80, 0, NODES - 1);
  const region_row_part part = part_of(&made, 0, 10);
  assert_ok(arriving_row_create(&row, &made.shape, &why));
  assert_ok(arriving_row_put(row, &part, &why));
  cr_assert_eq(pthread_create(&thread, NULL, stop, row), 0);
  cr_assert_eq(arriving_row_await(row, &there, 11, &why), CLA_ERROR_INTERRUPTED);
  cr_assert_eq(pthread_join(thread, NULL), 0);
  arriving_row_free(row);
}
