#include "schedule/chain_run.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/extremes.h"
#include "bound/key_sort.h"

/* Letters and cells of one launch: enough that its end, when the last chains are alone, is short beside it,
 * and not so many that nobody can interrupt it. */
#define LAUNCH_BYTES (INT64_C(512) << 20)
#define LAUNCH_CELLS_NVIDIA 1e9 /* for each chain */
#define LAUNCH_CELLS 1e8

/* A launch's pairs, in the order in which chains take them. */
typedef struct chain_launch {
  chain_pair *list;
  int64_t capacity, count;
  int64_t bytes;
} chain_launch;

void chain_choose_rows(kernel_config *config, int most, kernel_gaps gaps, const packed_pair *pairs,
                       int64_t count) {
  kernel_config tried = *config;
  double least = 0;
  for (const int *alpha = config->variant->alphas; *alpha && *alpha <= most; alpha++) {
    double cost = 0;
    tried.alpha = *alpha;
    for (int64_t i = 0; i < count; i++)
      cost += chain_cost(&tried, gaps, pairs[i].query_letters, pairs[i].target_letters);
    if (least > 0 && cost >= least) continue;
    least = cost;
    config->alpha = *alpha;
  }
}

static uint64_t cells_of(const packed_pair *pair) {
  return (uint64_t)pair->query_letters * (uint64_t)pair->target_letters;
}

/* The pairs by their cells, descending: no long one is left at the end. */
static cla_status order_pairs(keyed_list *out, const packed_pair *pairs, int64_t count, cla_error *error) {
  uint64_t most = 0;
  int bits = 0;
  cla_status status = CLA_OK;
  for (int64_t i = 0; i < count; i++)
    if (cells_of(&pairs[i]) > most) most = cells_of(&pairs[i]);
  for (int64_t i = 0; i < count && status == CLA_OK; i++)
    status = keyed_list_add(out, most - cells_of(&pairs[i]), i, error);
  while (bits < 63 && most >> bits) bits++;
  return status == CLA_OK ? key_sort(out, 0, bits, error) : status;
}

/* How many pairs from `first` on go into a launch, and where their letters will be. */
static cla_status choose_pairs(chain_launch *launch, const kernel_config *config, int64_t bytes_most,
                               double cells_most, const packed_pair *pairs, const keyed_list *order,
                               int64_t first, cla_error *error) {
  double cells = 0;
  launch->count = launch->bytes = 0;
  for (int64_t at = first; at < order->count && launch->bytes < bytes_most && cells < cells_most; at++) {
    const packed_pair *pair = &pairs[order->items[at].value];
    const int64_t rows = chain_whole_rows(config, pair->query_letters);
    cla_status status = allocate_grow((void **)&launch->list, &launch->capacity, launch->count + 1,
                                      sizeof *launch->list, "pairs of a launch", error);
    if (status != CLA_OK) return status;
    launch->list[launch->count++] = (chain_pair){.rows = pair->query_letters,
                                                 .columns = pair->target_letters,
                                                 .query_at = launch->bytes,
                                                 .target_at = launch->bytes + rows};
    launch->bytes += rows + pair->target_letters;
    cells += (double)cells_of(pair);
  }
  return CLA_OK;
}

static void write_letters(uint8_t *letters, const kernel_config *config, const chain_pair *place,
                          const packed_pair *pair) {
  const int64_t rows = chain_whole_rows(config, place->rows);
  memcpy(letters + place->query_at, pair->query, (size_t)place->rows);
  memset(letters + place->query_at + place->rows, PACKED_QUERY_NEVER, (size_t)(rows - place->rows));
  memcpy(letters + place->target_at, pair->target, (size_t)place->columns);
}

static void take(packed_pair *pair, const chains_input *input, const chain_ends *ends) {
  packed_ends found = {.score = 0};
  if (path_ends_in_last_row(&input->ends)) {
    found.row_score = ends->row_score;
    found.row_column = ends->row_column + 1;
  }
  if (input->ends.anywhere) {
    found.score = ends->best.score;
    found.row = ends->best.score > 0 ? ends->best.row + 1 : 0;
    found.column = ends->best.score > 0 ? ends->best.column + 1 : 0;
  } else if (input->ends.query_end) {
    found.column_score = ends->best.score;
    found.column_row = ends->best.row + 1;
  }
  packed_take_ends(pair, &input->ends, input->scoring, &found);
  pair->rows = (packed_rows){0};
}

static cla_status run_launch(chains *engine, const chains_input *input, const kernel_config *config,
                             const chain_launch *launch, packed_pair *pairs, const keyed *items,
                             cla_error *error) {
  const chain_ends *ends = NULL;
  uint8_t *letters = NULL;
  cla_status status = chains_fill(&letters, engine, launch->bytes, error);
  if (status != CLA_OK) return status;
  for (int64_t i = 0; i < launch->count; i++)
    write_letters(letters, config, &launch->list[i], &pairs[items[i].value]);
  status = chains_run(&ends, engine, config, launch->list, launch->count, error);
  for (int64_t i = 0; i < launch->count && status == CLA_OK; i++)
    take(&pairs[items[i].value], input, &ends[i]);
  return status;
}

cla_status chain_run(chains *engine, const chains_input *input, const kernel_config *config,
                     packed_pair *pairs, int64_t count, const packed_question *question, cla_error *error) {
  keyed_list order = {0};
  chain_launch launch = {0};
  const double of_chain = config->variant->packed_pairs ? LAUNCH_CELLS_NVIDIA : LAUNCH_CELLS;
  const double cells_most = of_chain * (double)config->groups;
  const int64_t bytes_most = smaller(LAUNCH_BYTES, chains_bytes_most(engine));
  cla_status status = order_pairs(&order, pairs, count, error);
  for (int64_t first = 0; first < count && status == CLA_OK; first += launch.count) {
    status = packed_ask_question(question, error);
    if (status == CLA_OK)
      status = choose_pairs(&launch, config, bytes_most, cells_most, pairs, &order, first, error);
    if (status == CLA_OK)
      status = run_launch(engine, input, config, &launch, pairs, order.items + first, error);
  }
  free(order.items);
  free(launch.list);
  return status;
}
