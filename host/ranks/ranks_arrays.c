/* Other ranks as helpers of cla_align_arrays. Rank 0 sends pairs to them and takes their results. */

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/error.h"
#include "clalign/arrays.h"
#include "ranks/ranks_arrays.h"

/* Number of messages with pairs for each thread of a rank: one is being aligned, the other is on its way. */
#define LOTS_OF_THREAD 2

/* Pairs that a rank has to align. */
typedef struct lent_lot {
  int32_t number; /* number of the lot; 0: unused place */
  bool sending;   /* the message is being sent from the pairs' memory */
  cla_pair_results *results;
  int64_t pairs;
  void *user;
} lent_lot;

struct cla_arrays_ranks {
  const cla_ranks *ranks;
  int32_t batch, begun; /* number of the batch, and of the newest lot */
  int most;             /* maximum number of lots that a rank may have */
  const uint8_t *kept;  /* letters of the targets that all ranks have received; NULL: none */
  pthread_mutex_t lock; /* guards all fields but the first */
  lent_lot *lots;       /* `most` places for each rank */
};

/* Lists the arrays of a message in their order; a missing array has no bytes. With `kept`, the targets are
 * missing. Returns the number of arrays. Offsets start with 0. */
static int rank_arrays_parts(cla_rank_bytes out[RANK_ARRAYS_PARTS], const cla_pair_arrays *pairs, bool kept) {
  const int64_t longs = (int64_t)sizeof(int64_t);
  int count = 0;
  for (int side = 0; side < 2; side++)
    out[count++] = (cla_rank_bytes){pairs->offsets[side], (pairs->sequences[side] + 1) * longs};
  for (int side = 0; side < 2; side++)
    out[count++] = (cla_rank_bytes){pairs->of[side], pairs->of[side] ? pairs->pairs * longs : 0};
  out[count++] = (cla_rank_bytes){pairs->strand, pairs->strand ? pairs->pairs : 0};
  for (int side = 0; side < 2; side++)
    out[count++] = (cla_rank_bytes){pairs->letters[side], pairs->offsets[side][pairs->sequences[side]]};
  if (kept) out[1].count = out[count - 1].count = 0;
  return count;
}

int rank_results_parts(rank_result_part out[RANK_RESULT_PARTS], const cla_pair_results *found, int64_t pairs,
                       int64_t runs) {
  const int64_t longs = pairs * (int64_t)sizeof(int64_t);
  const rank_result_part all[RANK_RESULT_PARTS] = {
      {found->score, longs},
      {found->start[0], longs},
      {found->end[0], longs},
      {found->start[1], longs},
      {found->end[1], longs},
      {found->run_offsets, longs + (int64_t)sizeof(int64_t)},
      {found->runs, runs * (int64_t)sizeof *found->runs},
      {found->strand, pairs},
      {found->status, pairs},
  };
  memcpy(out, all, sizeof all);
  for (int i = 0; i < RANK_RESULT_PARTS; i++)
    if (!out[i].at) out[i].bytes = 0;
  return RANK_RESULT_PARTS;
}

cla_status cla_arrays_ranks_begin(cla_arrays_ranks **out, const cla_ranks *ranks,
                                  const cla_align_options *options, cla_error *error) {
  cla_arrays_ranks *all = NULL;
  rank_batch head;
  *out = NULL;
  if (!ranks_any(ranks)) return CLA_OK;
  cla_status status = ALLOCATE_ZEROS(&all, 1, "the ranks", error);
  if (status != CLA_OK) return status;
  all->ranks = ranks;
  all->most = LOTS_OF_THREAD * (options->budgets.threads > 0 ? options->budgets.threads : ranks->threads) + 1;
  pthread_mutex_init(&all->lock, NULL);
  memset(&head, 0, sizeof head);
  head.arrays = true;
  head.options.align = *options;
  status = ALLOCATE_ZEROS(&all->lots, (int64_t)ranks->count * all->most, "the ranks", error);
  if (status == CLA_OK) status = rank_batch_tell(ranks, &head, error);
  all->batch = head.number;
  if (status == CLA_OK)
    *out = all;
  else
    cla_arrays_ranks_end(all);
  return status;
}

int64_t cla_arrays_ranks_room(const cla_arrays_ranks *all) {
  return all ? (int64_t)all->most * (all->ranks->count - 1) : 0;
}

static lent_lot *lots_of(const cla_arrays_ranks *all, int rank) {
  return all->lots + (ptrdiff_t)rank * all->most;
}

static int lots_out(const cla_arrays_ranks *all, int rank) {
  int out = 0;
  for (int i = 0; i < all->most; i++) out += lots_of(all, rank)[i].number > 0;
  return out;
}

cla_status cla_arrays_ranks_keep(cla_arrays_ranks *all, const cla_pair_arrays *pairs, cla_error *error) {
  static const int64_t none[1];
  cla_rank_bytes parts[1 + RANK_ARRAYS_PARTS];
  rank_arrays head;
  cla_pair_arrays targets = *pairs;
  targets.sequences[0] = targets.pairs = 0;
  targets.offsets[0] = none;
  targets.of[0] = targets.of[1] = NULL;
  targets.strand = NULL;
  memset(&head, 0, sizeof head);
  head.lot.number = all->batch;
  head.sequences[1] = targets.sequences[1];
  parts[0] = (cla_rank_bytes){&head, sizeof head};
  const int count = 1 + rank_arrays_parts(parts + 1, &targets, false);
  cla_status status = ranks_tell_parts(all->ranks, RANK_UNITS, parts, count, error);
  if (status == CLA_OK) all->kept = pairs->letters[1];
  return status;
}

/* Finds an unused place of the rank that has the fewest lots; NULL: all places are used. The caller holds the
 * lock. */
static lent_lot *find_place(int *rank, cla_arrays_ranks *all) {
  int least = all->most;
  *rank = 0;
  for (int i = 1; i < all->ranks->count; i++) {
    const int out = lots_out(all, i);
    if (ranks_is_gone(all->ranks, i) || out >= least) continue;
    least = out;
    *rank = i;
  }
  for (int i = 0; *rank > 0 && i < all->most; i++)
    if (lots_of(all, *rank)[i].number == 0) return lots_of(all, *rank) + i;
  return NULL;
}

bool cla_arrays_ranks_send(cla_arrays_ranks *all, cla_pair_results *results, const cla_pair_arrays *pairs,
                           void *user) {
  int rank = 0;
  cla_error unused;
  cla_rank_bytes parts[1 + RANK_ARRAYS_PARTS];
  rank_result_part wanted[RANK_RESULT_PARTS];
  rank_arrays head;
  pthread_mutex_lock(&all->lock);
  lent_lot *lot = find_place(&rank, all);
  if (lot)
    *lot = (lent_lot){
        .number = ++all->begun, .sending = true, .results = results, .pairs = pairs->pairs, .user = user};
  const int32_t number = all->begun;
  pthread_mutex_unlock(&all->lock);
  if (!lot) return false;
  memset(&head, 0, sizeof head);
  head.lot = (rank_lot){all->batch, number, (int32_t)pairs->pairs};
  head.alphabet = (int32_t)pairs->alphabet;
  head.coded = pairs->coded;
  head.has_strand = pairs->strand != NULL;
  head.kept = all->kept && pairs->letters[1] == all->kept;
  for (int side = 0; side < 2; side++) {
    head.sequences[side] = pairs->sequences[side];
    head.has_of[side] = pairs->of[side] != NULL;
  }
  const int count = rank_results_parts(wanted, results, pairs->pairs, 0);
  for (int i = 0; i < count; i++) head.wanted |= (uint32_t)(wanted[i].at != NULL) << i;
  parts[0] = (cla_rank_bytes){&head, sizeof head};
  const int part_count = 1 + rank_arrays_parts(parts + 1, pairs, head.kept);
  const bool sent =
      all->ranks->send(all->ranks->user, rank, RANK_UNITS, parts, part_count, &unused) == CLA_OK;
  pthread_mutex_lock(&all->lock);
  /* Otherwise the results have arrived, and the place has been reused. */
  if (lot->number == number) lot->sending = false;
  if (!sent) lot->number = 0;
  pthread_mutex_unlock(&all->lock);
  return sent;
}

/* Copies a rank's results into the caller's arrays. */
static cla_status take_results(cla_arrays_ranks *all, void **user, const cla_rank_message *message,
                               cla_error *error) {
  rank_reader from = rank_read(message);
  rank_found head;
  rank_result_part parts[RANK_RESULT_PARTS];
  lent_lot *lot = NULL;
  if (!rank_copy(&head, &from, sizeof head)) return ranks_damaged(message, error);
  if (head.lot.number != all->batch) return CLA_OK; /* a message of an earlier batch */
  for (int i = 0; i < all->most && !lot; i++)
    if (lots_of(all, message->from)[i].number == head.lot.lot) lot = lots_of(all, message->from) + i;
  if (!lot || lot->pairs != head.lot.count || head.runs < 0 || head.runs > lot->results->runs_capacity)
    return ranks_damaged(message, error);
  const int count = rank_results_parts(parts, lot->results, lot->pairs, head.runs);
  for (int i = 0; i < count; i++)
    if (!rank_copy(parts[i].at, &from, parts[i].bytes)) return ranks_damaged(message, error);
  lot->results->runs_wanted = head.runs;
  lot->results->failed = head.failed;
  lot->results->cells_computed = head.cells_computed;
  *user = lot->user;
  lot->number = 0;
  return CLA_OK;
}

/* Returns the `user` of a lot whose rank has died; NULL: none. */
static void *take_lost(cla_arrays_ranks *all) {
  for (int rank = 1; rank < all->ranks->count; rank++)
    for (int i = 0; ranks_is_gone(all->ranks, rank) && i < all->most; i++) {
      lent_lot *lot = lots_of(all, rank) + i;
      if (lot->number == 0 || lot->sending) continue;
      lot->number = 0;
      return lot->user;
    }
  return NULL;
}

cla_status cla_arrays_ranks_take(void **user, bool *aligned, cla_arrays_ranks *all, cla_error *error) {
  cla_status status = CLA_OK;
  *user = NULL;
  *aligned = true;
  for (bool found = true; found && !*user && status == CLA_OK;) {
    cla_rank_message message = {0};
    status = all->ranks->take(all->ranks->user, &message, &found, error);
    if (status != CLA_OK || !found) break;
    pthread_mutex_lock(&all->lock);
    if (message.kind == RANK_RESULTS) status = take_results(all, user, &message, error);
    pthread_mutex_unlock(&all->lock);
    if (message.kind == RANK_ERROR)
      status = ranks_failed(all->ranks, &(rank_work){RANK_BATCH, all->batch}, &message, error);
    free(message.bytes);
  }
  if (*user || status != CLA_OK) return status;
  pthread_mutex_lock(&all->lock);
  *user = take_lost(all);
  *aligned = !*user;
  pthread_mutex_unlock(&all->lock);
  return CLA_OK;
}

void cla_arrays_ranks_end(cla_arrays_ranks *all) {
  cla_error unused;
  if (!all) return;
  if (all->batch > 0)
    (void)ranks_tell(all->ranks, RANK_BATCH_END, (cla_rank_bytes){&all->batch, sizeof all->batch}, &unused);
  pthread_mutex_destroy(&all->lock);
  free(all->lots);
  free(all);
}
