/* Messages between ranks: cut ones are refused, and who waits is asked meanwhile. */

#include "base/error.h"
#include "base/ranks.h"
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
