/* Messages between ranks: cut ones are refused, and who waits is asked meanwhile. */

#include "base/error.h"
#include "ranks/ranks.h"
#include "support/test.h"

/* What sweep_for_rank0 and batch_for_rank0 read: a text, numbers, and a text that is not there. */
typedef struct parts {
  char *text;
  int64_t *numbers;
  char *none;
} parts;

static const int64_t numbers[] = {7, -1, INT64_MAX};

static cla_status read_parts(parts *out, const uint8_t *bytes, int64_t length) {
  rank_reader from = {bytes, length};
  cla_status status = rank_take_text(&out->text, &from, 4, &why);
  if (status == CLA_OK) status = rank_take(&out->numbers, &from, 3, sizeof *out->numbers, &why);
  if (status == CLA_OK) status = rank_take_text(&out->none, &from, 0, &why);
  return status;
}

static void free_parts(parts *read) {
  free(read->text);
  free(read->numbers);
  free(read->none);
}

static int64_t write_parts(uint8_t **bytes) {
  rank_writer message = {0};
  assert_ok(rank_write(&message, "abc", 4, &why));
  assert_ok(rank_write(&message, numbers, sizeof numbers, &why));
  *bytes = message.bytes;
  return message.length;
}

Test(ranks, a_message_that_is_cut_anywhere_is_refused) {
  OWNED(free_memory) uint8_t *bytes = NULL;
  const int64_t length = write_parts(&bytes);
  for (int64_t i = 0; i < length; i++) {
    OWNED(free_parts) parts read = {0};
    assert_error(read_parts(&read, bytes, i), CLA_ERROR_DEVICE, "damaged");
    cr_assert_null(read.numbers);
  }
  OWNED(free_parts) parts read = {0};
  assert_ok(read_parts(&read, bytes, length));
  cr_assert_str_eq(read.text, "abc");
  cr_assert_arr_eq(read.numbers, numbers, sizeof numbers);
  cr_assert_null(read.none);
}

Test(ranks, impossible_counts_are_refused) {
  const uint8_t bytes[16] = {0};
  const int64_t counts[] = {-1, INT64_MIN, 3, INT64_MAX / 8, INT64_MAX};
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
    rank_reader from = {bytes, sizeof bytes};
    void *out = &out;
    assert_error(rank_take(&out, &from, counts[i], 8, &why), CLA_ERROR_DEVICE, "damaged");
    cr_assert_null(out);
  }
}

Test(ranks, a_text_without_its_zero_is_refused) {
  rank_reader from = {(const uint8_t *)"abcd", 4};
  char *text = NULL;
  assert_error(rank_take_text(&text, &from, 3, &why), CLA_ERROR_DEVICE, "damaged");
  cr_assert_null(text);
}

/* A link on which nothing arrives but after some rests. */
typedef struct slow_link {
  int rests, ticks, arrives_after;
} slow_link;

static cla_status take(void *user, cla_rank_message *out, bool *found, cla_error *error) {
  const slow_link *link = user;
  (void)error;
  *found = link->rests >= link->arrives_after;
  if (*found) *out = (cla_rank_message){.kind = RANK_READY};
  return CLA_OK;
}

static void rest(void *user, bool at_work) {
  cr_expect_not(at_work);
  ((slow_link *)user)->rests++;
}

static cla_status third_ends(void *user, cla_error *error) {
  slow_link *link = user;
  return ++link->ticks < 3 ? CLA_OK : error_set(error, CLA_ERROR_INTERRUPTED, "the third time");
}

static bool always(void) {
  return true;
}

Test(ranks, a_wait_asks_its_tick_and_ends_with_what_it_says) {
  slow_link link = {.arrives_after = 2};
  cla_ranks ranks = {.take = take, .rest = rest, .user = &link};
  const rank_tick tick = {third_ends, &link}, none = {NULL, NULL};
  cla_rank_message message = {0};
  assert_ok(ranks_wait(&ranks, &message, &tick, &why));
  cr_assert_eq(message.kind, RANK_READY);
  cr_assert_eq(link.ticks, 2);
  link = (slow_link){.arrives_after = 100};
  assert_error(ranks_wait(&ranks, &message, &tick, &why), CLA_ERROR_INTERRUPTED, "the third time");
  link = (slow_link){.arrives_after = 5};
  assert_ok(ranks_wait(&ranks, &message, &none, &why));
  cr_assert_eq(link.rests, 5);
  link = (slow_link){.arrives_after = 5};
  ranks.interrupted = always;
  assert_error(ranks_wait(&ranks, &message, &none, &why), CLA_ERROR_INTERRUPTED, "a signal ended it");
}

/* Ranks one after the other in this process: each finds all that those before it have sent. */
#define RANKS 6

typedef struct sent {
  struct sent *next;
  cla_rank_message message;
} sent;

typedef struct net {
  int at; /* the rank whose turn it is */
  sent *first[RANKS], **end[RANKS];
  bool gone[RANKS];
} net;

static cla_status net_send(void *user, int to, int kind, const cla_rank_bytes *pieces, int piece_count,
                           cla_error *error) {
  net *n = user;
  rank_writer bytes = {0};
  sent *s = calloc(1, sizeof *s);
  cr_assert(s && !n->gone[to] && (to == 0 || to > n->at));
  for (int i = 0; i < piece_count; i++) assert_ok(rank_write(&bytes, pieces[i].at, pieces[i].count, error));
  s->message = (cla_rank_message){n->at, kind, bytes.bytes, bytes.length};
  *n->end[to] = s;
  n->end[to] = &s->next;
  return CLA_OK;
}

static cla_status net_take(void *user, cla_rank_message *out, bool *found, cla_error *error) {
  net *n = user;
  sent *s = n->first[n->at];
  (void)error;
  *found = s;
  cr_assert(s, "rank %d waits", n->at);
  *out = s->message;
  n->first[n->at] = s->next;
  if (!s->next) n->end[n->at] = &n->first[n->at];
  free(s);
  return CLA_OK;
}

static int64_t net_waiting(void *user, int to) {
  (void)user;
  (void)to;
  return 0;
}

static void net_begin(net *n) {
  *n = (net){.at = 0};
  for (int i = 0; i < RANKS; i++) n->end[i] = &n->first[i];
}

static cla_ranks net_rank(net *n, int rank) {
  n->at = rank;
  return (cla_ranks){.rank = rank,
                     .count = RANKS,
                     .send = net_send,
                     .take = net_take,
                     .waiting = net_waiting,
                     .gone = n->gone,
                     .user = n};
}

/* All share `count` bytes twice, with what is left of another stage before them. */
static void check_share(net *n, int64_t count) {
  uint8_t *bytes[2] = {malloc((size_t)count + 1), malloc((size_t)count + 1)};
  bool whole;
  for (int i = 0; i < 2; i++)
    for (int64_t at = 0; at < count; at++) bytes[i][at] = (uint8_t)(at * 7 + at / 251 + i);
  const cla_ranks first = net_rank(n, 0);
  const rank_stage broken = {.ends = RANK_END, .number = 4}, stage = {.ends = RANK_END, .number = 5};
  const rank_thing things[] = {{bytes[0], count}, {bytes[1], count}};
  assert_ok(ranks_share(&whole, &first, &broken, things + 1, 1, &why));
  assert_ok(ranks_share(&whole, &first, &stage, things, 2, &why));
  for (int rank = 1; rank < RANKS; rank++) {
    const cla_ranks ranks = net_rank(n, rank);
    if (n->gone[rank]) continue;
    uint8_t *got[] = {calloc(1, (size_t)count + 1), calloc(1, (size_t)count + 1)};
    const rank_thing into[] = {{got[0], count}, {got[1], count}};
    assert_ok(ranks_share(&whole, &ranks, &stage, into, 2, &why));
    cr_assert(whole);
    for (int i = 0; i < 2; i++) {
      cr_assert_arr_eq(got[i], bytes[i], (size_t)count, "rank %d, %d", rank, i);
      free(got[i]);
    }
  }
  free(bytes[0]);
  free(bytes[1]);
}

Test(ranks, all_have_what_rank_0_shares) {
  static const int64_t counts[] = {0, 1, 5, 1 << 20, (1 << 20) + 1, 3500000};
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
    net n;
    net_begin(&n);
    n.gone[1 + i % 4] = i > 1;
    n.gone[2] = i > 3;
    check_share(&n, counts[i]);
  }
}

Test(ranks, a_stage_that_rank_0_ends_shares_nothing_more) {
  net n;
  uint8_t got[8] = {0};
  bool whole = true;
  const int32_t others = 3, ends = 4;
  net_begin(&n);
  const cla_ranks first = net_rank(&n, 0);
  assert_ok(ranks_tell(&first, RANK_END, (cla_rank_bytes){&others, sizeof others}, &why));
  assert_ok(ranks_tell(&first, RANK_END, (cla_rank_bytes){&ends, sizeof ends}, &why));
  for (int rank = 1; rank < RANKS; rank++) {
    const cla_ranks ranks = net_rank(&n, rank);
    const rank_stage stage = {.ends = RANK_END, .number = 4};
    assert_ok(ranks_share(&whole, &ranks, &stage, &(rank_thing){got, sizeof got}, 1, &why));
    cr_assert_not(whole);
  }
}

Test(ranks, those_that_have_died_are_told) {
  net n;
  net_begin(&n);
  const cla_ranks ranks = net_rank(&n, 1);
  cr_assert_eq(ranks_left(&ranks), RANKS);
  n.gone[2] = n.gone[5] = true;
  cr_assert_eq(ranks_left(&ranks), RANKS - 2);
  assert_ok(ranks_check(&ranks, &why));
  n.gone[0] = true;
  assert_error(ranks_check(&ranks, &why), CLA_ERROR_INTERRUPTED, "rank 0 has died");
}

Test(ranks, what_a_rank_fails_with_is_rank_0s_error_at_that_work_unless_it_has_died) {
  net n;
  cla_rank_message message = {0};
  bool found;
  net_begin(&n);
  cla_ranks ranks = net_rank(&n, 3);
  ranks.host = "here";
  cla_error error = {.status = CLA_OK};
  error_set(&error, CLA_ERROR_MEMORY, "out of memory");
  const rank_work work = {RANK_TRACE, 7}, next = {RANK_TRACE, 8}, other = {RANK_PAIR, 7};
  assert_ok(ranks_fail(&ranks, &work, CLA_ERROR_MEMORY, &error));
  ranks = net_rank(&n, 0);
  assert_ok(net_take(&n, &message, &found, &why));
  cr_assert_eq(message.kind, RANK_ERROR);
  assert_error(ranks_failed(&ranks, &work, &message, &why), CLA_ERROR_MEMORY,
               "rank 3 on here: out of memory");
  assert_ok(ranks_failed(&ranks, &next, &message, &why));
  assert_ok(ranks_failed(&ranks, &other, &message, &why));
  n.gone[3] = true;
  assert_ok(ranks_failed(&ranks, &work, &message, &why));
  free(message.bytes);
  ranks = net_rank(&n, 2);
  assert_ok(ranks_fail(&ranks, &(rank_work){CLA_RANK_DEVICES, 0}, CLA_ERROR_DEVICE, &error));
  ranks = net_rank(&n, 0);
  assert_ok(net_take(&n, &message, &found, &why));
  assert_error(ranks_failed(&ranks, &next, &message, &why), CLA_ERROR_DEVICE, "rank 2 on ");
  free(message.bytes);
}
