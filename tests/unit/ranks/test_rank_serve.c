/* A rank other than 0, and what it tells rank 0. */

#include "base/error.h"
#include "ranks/cluster.h"
#include "ranks/ranks.h"
#include "support/test.h"

#define NOTHING_MORE 0 /* messages cannot be taken */

/* What rank 0 sends, and how often it hears of a failure. */
typedef struct script {
  const int *kinds;
  int next, failures;
} script;

static cla_status send(void *user, int to, int kind, const cla_rank_bytes *parts, int part_count,
                       cla_error *error) {
  (void)parts;
  (void)part_count;
  (void)error;
  cr_expect_eq(to, 0);
  ((script *)user)->failures += kind == RANK_ERROR;
  return CLA_OK;
}

static cla_status take(void *user, cla_rank_message *out, bool *found, cla_error *error) {
  script *s = user;
  if (s->kinds[s->next] == NOTHING_MORE) {
    s->next++;
    return error_set(error, CLA_ERROR_MEMORY, "no room for a message");
  }
  int *code = calloc(1, sizeof *code);
  *code = 3;
  *out = (cla_rank_message){.kind = s->kinds[s->next++], .bytes = (uint8_t *)code};
  if (out->kind == CLA_RANK_QUIT) out->length = sizeof *code;
  *found = true;
  return CLA_OK;
}

static void rest(void *user, bool at_work) {
  (void)user;
  (void)at_work;
}

static int64_t waiting(void *user, int to) {
  (void)user;
  (void)to;
  return 0;
}

static cla_status open_none(cluster_devices *out, const char *select, int threads, cla_error *error) {
  (void)out;
  (void)select;
  (void)threads;
  (void)error;
  return CLA_OK;
}

static int failures_told(const int *kinds) {
  script s = {.kinds = kinds};
  const cla_ranks ranks = {.rank = 1,
                           .count = 2,
                           .host = "here",
                           .send = send,
                           .take = take,
                           .rest = rest,
                           .waiting = waiting,
                           .user = &s};
  cr_expect_eq(cluster_serve(&ranks, open_none), 3);
  return s.failures;
}

/* Each message is cut short, so whoever reads it fails. */
Test(rank_serve, a_rank_tells_of_a_failure_once_for_each_work) {
  const int nothing[] = {RANK_PAIR, NOTHING_MORE, NOTHING_MORE, NOTHING_MORE, CLA_RANK_QUIT};
  const int all[] = {CLA_RANK_DEVICES, RANK_PAIR,  RANK_KEPT_TAKEN, RANK_PAIR,    RANK_END,
                     RANK_TRACE,       RANK_STRIP, RANK_BATCH,      CLA_RANK_QUIT};
  cr_expect_eq(failures_told(nothing), 2);
  cr_expect_eq(failures_told(all), 5);
}
