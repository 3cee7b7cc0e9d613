#include "packs/chain_run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/extremes.h"
#include "base/key_sort.h"

/* Letters and cells of one launch: enough that its end, when the last chains are alone, is short beside it,
 * and not so many that nobody can interrupt it. */
#define LAUNCH_BYTES (INT64_C(512) << 20)
#define LAUNCH_CELLS_NVIDIA 1e9 /* for each chain */
#define LAUNCH_CELLS 1e8

/* What a chain that is left alone takes of the time that it would have beside the others. */
#define ALONE 0.6
/* How much less time pairs should take by being shared out: handing words from chain to chain costs some. */
#define SHARING_PAYS 0.95
/* And with a kernel that is to be built and tested first. */
#define BUILD_PAYS 1.15
/* Of what each chain has to do: shorter pairs are not shared out. */
#define SHARED_LEAST 0.125

/* A launch's parts of pairs, in the order in which chains take them. */
typedef struct chain_launch {
  chain_part *list;
  int64_t capacity, pairs;
  chains_load load;
} chain_launch;

/* What all pairs take: of each chain, if all do as much; and from begin to end. */
typedef struct chain_times {
  double of_chain, whole, shared;
} chain_times;

static chain_times times_of(const kernel_config *config, kernel_gaps gaps, const packed_pair *pairs,
                            int64_t count) {
  double sum = 0, whole = 0, shared = 0;
  for (int64_t i = 0; i < count; i++) {
    const int64_t rows = pairs[i].query_letters, columns = pairs[i].target_letters;
    const double cost = chain_cost(config, gaps, rows, columns);
    sum += cost;
    whole = fmax(whole, columns > CHAIN_OWN_COLUMNS_MOST ? INFINITY : cost);
    shared = fmax(shared, chain_shared_cost(config, gaps, rows, columns));
  }
  const double of_chain = sum / config->groups;
  return (chain_times){
      .of_chain = of_chain, .whole = fmax(of_chain, ALONE * whole), .shared = fmax(of_chain, ALONE * shared)};
}

/* The time by the config's launch; where no pair can be shared out, that of all chains together. */
static double time_with(const kernel_config *config, bool may_share, const chain_times *times) {
  if (config->launch == KERNEL_PERSISTENT) return times->shared / SHARING_PAYS;
  return may_share ? times->whole : times->of_chain;
}

chain_configs chain_config_bit(const kernel_config *config) {
  const int *alphas = config->variant->alphas;
  int index = 0;
  while (alphas[index] != config->alpha) index++;
  return UINT64_C(1) << (2 * index + (config->launch == KERNEL_PERSISTENT));
}

kernel_config chain_choose_rows(const kernel_config *config, kernel_gaps gaps, const packed_pair *pairs,
                                int64_t count, chain_configs tested) {
  const bool may_share = config->launch == KERNEL_PERSISTENT;
  kernel_config out = *config, tried = *config;
  double least = INFINITY;
  for (const int *alpha = config->variant->alphas; *alpha && *alpha <= config->alpha; alpha++) {
    tried.alpha = *alpha;
    if ((*alpha & (*alpha - 1)) != 0 && *alpha != config->alpha) continue; /* each is built and tested */
    const chain_times times = times_of(&tried, gaps, pairs, count);
    for (int shared = 0; shared <= (int)may_share; shared++) {
      tried.launch = shared ? KERNEL_PERSISTENT : KERNEL_DIAGONALS;
      double time = time_with(&tried, may_share, &times);
      if (!(chain_config_bit(&tried) & tested)) time *= BUILD_PAYS;
      if (time >= least) continue;
      least = time;
      out = tried;
    }
  }
  return out;
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

/* What goes into a launch at most, and from which cost on pairs are shared out. */
typedef struct launch_bounds {
  int64_t bytes;
  double cells, shared_cost;
} launch_bounds;

static launch_bounds bounds_of(const kernel_config *config, const chains *engine, kernel_gaps gaps,
                               const packed_pair *pairs, int64_t count) {
  const double of_chain = config->variant->packed_pairs ? LAUNCH_CELLS_NVIDIA : LAUNCH_CELLS;
  launch_bounds out = {.bytes = smaller(LAUNCH_BYTES, chains_bytes_most(engine)),
                       .cells = of_chain * (double)config->groups,
                       .shared_cost = INFINITY};
  if (config->launch == KERNEL_PERSISTENT)
    out.shared_cost = SHARED_LEAST * times_of(config, gaps, pairs, count).of_chain;
  return out;
}

/* Whether the pair's strips are parts of their own. */
static bool is_shared(const kernel_config *config, kernel_gaps gaps, double shared_cost,
                      const packed_pair *pair) {
  const int64_t rows = pair->query_letters, columns = pair->target_letters;
  return chain_strips(config, rows) > 1 &&
         (chain_is_long(config, columns) || chain_cost(config, gaps, rows, columns) > shared_cost);
}

/* What the launch takes with the pair. */
static chains_load load_with(const chains_load *load, const kernel_config *config, kernel_gaps gaps,
                             const packed_pair *pair, bool shared) {
  const int64_t rows = pair->query_letters, columns = pair->target_letters;
  const bool own_bus = shared || chain_is_long(config, columns);
  return (chains_load){.parts = load->parts + (shared ? chain_strips(config, rows) : 1),
                       .letters = load->letters + chain_whole_rows(config, rows) + columns,
                       .columns = larger(load->columns, columns),
                       .own_columns = own_bus ? load->own_columns : larger(load->own_columns, columns),
                       .bus_bytes = load->bus_bytes + (own_bus ? chain_bus_bytes(config, gaps, columns) : 0)};
}

/* Adds the pair to the launch, which takes `with` then: its strips one by one, or all of them as one part. */
static cla_status add_pair(chain_launch *launch, const kernel_config *config, const chains_load *with,
                           const packed_pair *pair, bool shared, cla_error *error) {
  const int64_t rows = pair->query_letters, at = launch->load.letters;
  cla_status status = allocate_grow((void **)&launch->list, &launch->capacity, with->parts,
                                    sizeof *launch->list, "pairs of a launch", error);
  if (status != CLA_OK) return status;
  for (int64_t i = 0; i < with->parts - launch->load.parts; i++)
    launch->list[launch->load.parts + i] =
        (chain_part){.rows = rows,
                     .columns = pair->target_letters,
                     .query_at = at,
                     .target_at = at + chain_whole_rows(config, rows),
                     .first_strip = i,
                     .end_strip = shared ? i + 1 : chain_strips(config, rows)};
  launch->pairs++;
  launch->load = *with;
  return CLA_OK;
}

/* How many pairs from `first` on go into a launch, at least one, and where their letters will be. */
static cla_status choose_pairs(chain_launch *launch, chains *engine, const kernel_config *config,
                               kernel_gaps gaps, const launch_bounds *most, const packed_pair *pairs,
                               const keyed_list *order, int64_t first, cla_error *error) {
  double cells = 0;
  cla_status status = CLA_OK;
  const chains_load *load = &launch->load;
  launch->load = (chains_load){0};
  launch->pairs = 0;
  for (int64_t at = first; at < order->count && status == CLA_OK; at++) {
    const packed_pair *pair = &pairs[order->items[at].value];
    const bool shared = is_shared(config, gaps, most->shared_cost, pair);
    const chains_load with = load_with(load, config, gaps, pair, shared);
    if (load->letters >= most->bytes || load->bus_bytes >= most->bytes || cells >= most->cells) break;
    if (launch->pairs > 0 && !chains_have_room(engine, config, &with)) break;
    status = add_pair(launch, config, &with, pair, shared, error);
    cells += (double)cells_of(pair);
  }
  return status;
}

static void write_letters(uint8_t *letters, const kernel_config *config, const chain_part *place,
                          const packed_pair *pair) {
  const int64_t rows = chain_whole_rows(config, place->rows);
  memcpy(letters + place->query_at, pair->query, (size_t)place->rows);
  memset(letters + place->query_at + place->rows, PACKED_QUERY_NEVER, (size_t)(rows - place->rows));
  memcpy(letters + place->target_at, pair->target, (size_t)place->columns);
}

/* Of a pair's parts, from the first strip on. */
static void take(packed_pair *pair, const chains_input *input, const chain_ends *ends, int64_t parts) {
  packed_ends found = {.score = 0};
  strip_best best = ends->best;
  for (int64_t i = 1; i < parts; i++)
    if (ends[i].best.score > best.score) best = ends[i].best; /* of equal ones the upper is canonical */
  if (path_ends_in_last_row(&input->ends)) {
    found.row_score = ends[parts - 1].row_score;
    found.row_column = ends[parts - 1].row_column + 1;
  }
  if (input->ends.anywhere) {
    found.score = best.score;
    found.row = best.score > 0 ? best.row + 1 : 0;
    found.column = best.score > 0 ? best.column + 1 : 0;
  } else if (input->ends.query_end) {
    found.column_score = best.score;
    found.column_row = best.row + 1;
  }
  packed_take_ends(pair, &input->ends, input->scoring, &found);
  pair->rows = (packed_rows){0};
}

static cla_status run_launch(chains *engine, const chains_input *input, const kernel_config *config,
                             const chain_launch *launch, packed_pair *pairs, const keyed *items,
                             cla_error *error) {
  const chain_ends *ends = NULL;
  uint8_t *letters = NULL;
  int64_t pair = 0;
  cla_status status = chains_reserve(engine, config, &launch->load, error);
  if (status == CLA_OK) status = chains_fill(&letters, engine, launch->load.letters, error);
  if (status != CLA_OK) return status;
  for (int64_t i = 0; i < launch->load.parts; i++)
    if (launch->list[i].first_strip == 0)
      write_letters(letters, config, &launch->list[i], &pairs[items[pair++].value]);
  status = chains_run(&ends, engine, config, launch->list, launch->load.parts, error);
  pair = 0;
  for (int64_t i = 0, parts = 1; i < launch->load.parts && status == CLA_OK; i += parts, parts = 1) {
    while (i + parts < launch->load.parts && launch->list[i + parts].first_strip > 0) parts++;
    take(&pairs[items[pair++].value], input, ends + i, parts);
  }
  return status;
}

cla_status chain_run(chains *engine, const chains_input *input, const kernel_config *config,
                     packed_pair *pairs, int64_t count, const packed_question *question, cla_error *error) {
  keyed_list order = {0};
  chain_launch launch = {0};
  const kernel_gaps gaps = kernel_gaps_of(input->scoring);
  const launch_bounds most = bounds_of(config, engine, gaps, pairs, count);
  cla_status status = order_pairs(&order, pairs, count, error);
  for (int64_t first = 0; first < count && status == CLA_OK; first += launch.pairs) {
    status = packed_ask_question(question, error);
    if (status == CLA_OK)
      status = choose_pairs(&launch, engine, config, gaps, &most, pairs, &order, first, error);
    if (status == CLA_OK)
      status = run_launch(engine, input, config, &launch, pairs, order.items + first, error);
  }
  free(order.items);
  free(launch.list);
  return status;
}
