#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/extremes.h"
#include "base/key_sort.h"
#include "packs/chain_internal.h"

/* Limits on the letters and cells of one launch. They are so large that the end of a launch, when only some
 * chains work, is a small part of it. They are so small that a user can interrupt between launches. */
#define LAUNCH_BYTES (INT64_C(512) << 20)
#define LAUNCH_CELLS_NVIDIA 1e9 /* cells per chain on NVIDIA's GPUs */
#define LAUNCH_CELLS 1e8

/* Time of a chain that runs alone, relative to its time beside other chains. */
#define ALONE 0.6
/* Pairs are divided among chains if that reduces the time to at most this fraction. Handing words from
 * chain to chain also takes time. */
#define SHARING_PAYS 0.95
/* The time with a config that must first be built and tested counts this many times. */
#define BUILD_PAYS 1.15
/* Approximate number of pairs whose times are computed. */
#define LOOKED_AT 4096
/* Room is checked in advance for this many parts and letters beyond the launch's load, so checks are rare. */
#define PARTS_AHEAD 1024
#define LETTERS_AHEAD (INT64_C(1) << 20)
/* Minimum cost of a pair that is divided, as a fraction of a chain's share of all work. */
#define SHARED_LEAST 0.125

/* Limits of a launch, and the cost above which pairs are divided among chains. */
typedef struct launch_bounds {
  int64_t bytes;
  double cells, shared_cost;
} launch_bounds;

/* A call's pairs, and the current launch's parts in the order in which chains take them. */
typedef struct chain_call {
  chain_engine *engine;
  const kernel_config *config;
  kernel_gaps gaps;
  launch_bounds most;
  pack_pair *pairs;
  keyed_list order;       /* order of all pairs: the longest first */
  int64_t first, count;   /* the launch's first pair in `order`, and its number of pairs */
  chain_letters *letters; /* places of the launch's letters; NULL: pairs do not share letters */
  chain_part *list;       /* owned */
  int64_t capacity;
  chain_load load, roomy; /* the launch's load; a load for which there is room */
} chain_call;

/* The time of all pairs: each chain's share of evenly divided work; the time from start to end if no pair
 * is divided; the same time if pairs are divided. */
typedef struct chain_times {
  double of_chain, whole, shared;
} chain_times;

static uint64_t cells_of(const pack_pair *pair) {
  return (uint64_t)pair->query_letters * (uint64_t)pair->target_letters;
}

/* The pairs whose times are computed. Of very many pairs, these are every `step`-th one and the largest. */
typedef struct chain_sample {
  const pack_pair *pairs, *largest;
  int64_t count, step;
} chain_sample;

static chain_sample sample_of(const pack_pair *pairs, int64_t count) {
  chain_sample out = {.pairs = pairs, .largest = pairs, .count = count, .step = larger(count / LOOKED_AT, 1)};
  for (int64_t i = 1; i < count && out.step > 1; i++)
    if (cells_of(&pairs[i]) > cells_of(out.largest)) out.largest = &pairs[i];
  return out;
}

/* Adds the times of `pairs` pairs like `pair`. */
static void add_times(chain_times *times, const kernel_config *config, kernel_gaps gaps,
                      const pack_pair *pair, int64_t pairs) {
  const int64_t rows = pair->query_letters, columns = pair->target_letters;
  const double cost = chain_cost(config, gaps, rows, columns);
  times->of_chain += cost * (double)pairs / (double)config->groups;
  times->whole = fmax(times->whole, columns > CHAIN_OWN_COLUMNS_MOST ? INFINITY : cost);
  times->shared = fmax(times->shared, chain_shared_cost(config, gaps, rows, columns));
}

static chain_times times_of(const kernel_config *config, kernel_gaps gaps, const chain_sample *sample) {
  chain_times out = {0};
  for (int64_t i = 0; i < sample->count; i += sample->step)
    add_times(&out, config, gaps, &sample->pairs[i], sample->step);
  if (sample->step > 1) add_times(&out, config, gaps, sample->largest, 0);
  out.whole = fmax(out.of_chain, ALONE * out.whole);
  out.shared = fmax(out.of_chain, ALONE * out.shared);
  return out;
}

/* Returns the time with the config's launch. If pairs cannot be divided, only each chain's share counts. */
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

kernel_config chain_choose_rows(const kernel_config *config, kernel_gaps gaps, const pack_pair *pairs,
                                int64_t count, chain_configs tested) {
  const bool may_share = config->launch == KERNEL_PERSISTENT;
  const chain_sample sample = sample_of(pairs, count);
  kernel_config out = *config, tried = *config;
  double least = INFINITY;
  for (const int *alpha = config->variant->alphas; *alpha && *alpha <= config->alpha; alpha++) {
    tried.alpha = *alpha;
    if ((*alpha & (*alpha - 1)) != 0 && *alpha != config->alpha)
      continue; /* only few values are tried, because each must be built and tested */
    const chain_times times = times_of(&tried, gaps, &sample);
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

/* Sorts the pairs by decreasing number of cells, so that no long pair comes last. */
static cla_status order_pairs(chain_call *call, int64_t count, cla_error *error) {
  const pack_pair *pairs = call->pairs;
  uint64_t most = 0;
  cla_status status = CLA_OK;
  for (int64_t i = 0; i < count; i++)
    if (cells_of(&pairs[i]) > most) most = cells_of(&pairs[i]);
  for (int64_t i = 0; i < count && status == CLA_OK; i++)
    status = keyed_list_add(&call->order, most - cells_of(&pairs[i]), i, error);
  return status == CLA_OK ? key_sort(&call->order, 0, key_bits(most), error) : status;
}

static launch_bounds bounds_of(const chain_call *call, int64_t count) {
  const kernel_config *config = call->config;
  const double of_chain = config->variant->packed_pairs ? LAUNCH_CELLS_NVIDIA : LAUNCH_CELLS;
  launch_bounds out = {.bytes = smaller(LAUNCH_BYTES, chain_bytes_most(call->engine)),
                       .cells = of_chain * (double)config->groups,
                       .shared_cost = INFINITY};
  const chain_sample sample = sample_of(call->pairs, count);
  if (config->launch == KERNEL_PERSISTENT)
    out.shared_cost = SHARED_LEAST * times_of(config, call->gaps, &sample).of_chain;
  return out;
}

/* Returns pair `i` of the launch. */
static pack_pair *pair_at(const chain_call *call, int64_t i) {
  return &call->pairs[call->order.items[call->first + i].value];
}

/* True if each of the pair's strips becomes a part of its own. */
static bool is_shared(const chain_call *call, const pack_pair *pair) {
  const int64_t rows = pair->query_letters, columns = pair->target_letters;
  return chain_strips(call->config, rows) > 1 &&
         (chain_is_long(call->config, columns) ||
          chain_cost(call->config, call->gaps, rows, columns) > call->most.shared_cost);
}

/* The places of a pair's letters in the launch, whether or not the letters are already there. */
typedef struct pair_letters_at {
  int64_t query, target, end; /* end: end of the launch's letters, including this pair's */
} pair_letters_at;

static pair_letters_at place_letters(const chain_call *call, const pack_pair *pair) {
  pair_letters_at out = {.query = chain_letters_at(call->letters, pair->query, pair->query_letters, 0),
                         .target = chain_letters_at(call->letters, pair->target, pair->target_letters, 1),
                         .end = call->load.letters};
  if (out.query < 0) {
    out.query = out.end;
    out.end += chain_whole_rows(call->config, pair->query_letters);
  }
  if (out.target < 0) {
    out.target = out.end;
    out.end += pair->target_letters;
  }
  return out;
}

/* Returns the launch's load with one more pair. */
static chain_load load_with(const chain_call *call, const pack_pair *pair, bool shared,
                            const pair_letters_at *letters) {
  const kernel_config *config = call->config;
  const chain_load *load = &call->load;
  const int64_t rows = pair->query_letters, columns = pair->target_letters;
  const bool own_bus = shared || chain_is_long(config, columns);
  return (chain_load){
      .parts = load->parts + (shared ? chain_strips(config, rows) : 1),
      .letters = letters->end,
      .columns = larger(load->columns, columns),
      .own_columns = own_bus ? load->own_columns : larger(load->own_columns, columns),
      .bus_bytes = load->bus_bytes + (own_bus ? chain_bus_bytes(config, call->gaps, columns) : 0)};
}

/* Adds the pair to the launch, as a part for each strip or as one part. The launch's load becomes `with`. */
static cla_status add_pair(chain_call *call, const chain_load *with, const pack_pair *pair, bool shared,
                           const pair_letters_at *letters, cla_error *error) {
  const int64_t rows = pair->query_letters, parts = call->load.parts;
  cla_status status = ALLOCATE_GROW(&call->list, &call->capacity, with->parts, "pairs of a launch", error);
  if (status != CLA_OK) return status;
  for (int64_t i = 0; i < with->parts - parts; i++)
    call->list[parts + i] = (chain_part){.rows = rows,
                                         .columns = pair->target_letters,
                                         .query_at = letters->query,
                                         .target_at = letters->target,
                                         .first_strip = i,
                                         .end_strip = shared ? i + 1 : chain_strips(call->config, rows)};
  chain_letters_put(call->letters, pair->query, rows, 0, letters->query);
  chain_letters_put(call->letters, pair->target, pair->target_letters, 1, letters->target);
  call->count++;
  call->load = *with;
  return CLA_OK;
}

/* True if the launch has room for the load. */
static bool has_room(chain_call *call, const chain_load *load) {
  chain_load *roomy = &call->roomy;
  if (load->columns <= roomy->columns && load->own_columns <= roomy->own_columns &&
      load->bus_bytes <= roomy->bus_bytes && load->parts <= roomy->parts && load->letters <= roomy->letters)
    return true;
  *roomy = *load;
  roomy->parts += PARTS_AHEAD;
  roomy->letters += LETTERS_AHEAD;
  if (chain_has_room(call->engine, call->config, roomy)) return true;
  *roomy = *load;
  return chain_has_room(call->engine, call->config, load);
}

/* Chooses the pairs of a launch, at least one. */
static cla_status choose_pairs(chain_call *call, cla_error *error) {
  const launch_bounds *most = &call->most;
  const chain_load *load = &call->load;
  double cells = 0;
  cla_status status = CLA_OK;
  call->load = call->roomy = (chain_load){0};
  call->count = 0;
  chain_letters_begin(call->letters);
  while (call->first + call->count < call->order.count && status == CLA_OK) {
    const pack_pair *pair = pair_at(call, call->count);
    const bool shared = is_shared(call, pair);
    const pair_letters_at letters = place_letters(call, pair);
    const chain_load with = load_with(call, pair, shared, &letters);
    if (load->letters >= most->bytes || load->bus_bytes >= most->bytes || cells >= most->cells) break;
    if (call->count > 0 && !has_room(call, &with)) break;
    status = add_pair(call, &with, pair, shared, &letters, error);
    cells += (double)cells_of(pair);
  }
  return status;
}

/* Writes the pair's letters unless an earlier pair has written them. *written is the end of the letters
 * written so far. */
static void write_letters(uint8_t *letters, int64_t *written, const kernel_config *config,
                          const chain_part *place, const pack_pair *pair) {
  if (place->query_at >= *written) {
    const int64_t rows = chain_whole_rows(config, place->rows);
    memcpy(letters + place->query_at, pair->query, (size_t)place->rows);
    memset(letters + place->query_at + place->rows, PACK_QUERY_NEVER, (size_t)(rows - place->rows));
    *written = place->query_at + rows;
  }
  if (place->target_at >= *written) {
    memcpy(letters + place->target_at, pair->target, (size_t)place->columns);
    *written = place->target_at + place->columns;
  }
}

/* Sets a pair's result from the results of its parts. `ends` points to the result of the part with the first
 * strip. */
static void chain_take_parts(pack_pair *pair, const path_scheme *scheme, const chain_ends *ends,
                             int64_t parts) {
  pack_ends found = {.score = 0};
  strip_best best = ends->best;
  for (int64_t i = 1; i < parts; i++)
    if (ends[i].best.score > best.score)
      best = ends[i].best; /* at equal scores the upper cell is canonical */
  if (path_ends_in_last_row(&scheme->ends)) {
    found.row_score = ends[parts - 1].row_score;
    found.row_column = ends[parts - 1].row_column + 1;
  }
  if (scheme->ends.anywhere) {
    found.score = best.score;
    found.row = best.score > 0 ? best.row + 1 : 0;
    found.column = best.score > 0 ? best.column + 1 : 0;
  } else if (scheme->ends.query_end) {
    found.column_score = best.score;
    found.column_row = best.row + 1;
  }
  pack_take_ends(pair, scheme, &found);
  pair->rows = (row_tops){0};
}

static cla_status run_launch(const chain_call *call, cla_error *error) {
  chain_engine *engine = call->engine;
  uint8_t *letters = NULL;
  int64_t pair = 0, written = 0;
  cla_status status = chain_fill(&letters, engine, call->config, &call->load, error);
  if (status != CLA_OK) return status;
  for (int64_t i = 0; i < call->load.parts; i++)
    if (call->list[i].first_strip == 0)
      write_letters(letters, &written, call->config, &call->list[i], pair_at(call, pair++));
  status = chain_write_letters(engine, letters, call->load.letters + CHAIN_SPARE_LETTERS, error);
  if (status == CLA_OK) status = chain_launch(engine, call->config, call->list, error);
  pair = 0;
  for (int64_t i = 0, parts = 1; i < call->load.parts && status == CLA_OK; i += parts, parts = 1) {
    while (i + parts < call->load.parts && call->list[i + parts].first_strip > 0) parts++;
    chain_take_parts(pair_at(call, pair++), &engine->scheme, engine->found + i, parts);
  }
  return status;
}

cla_status chain_run(chain_engine *engine, const kernel_config *config, pack_pair *pairs, int64_t count,
                     const pack_question *question, cla_error *error) {
  chain_call call = {
      .engine = engine, .config = config, .gaps = kernel_gaps_of(engine->scheme.scoring), .pairs = pairs};
  call.most = bounds_of(&call, count);
  cla_status status = chain_letters_create(&call.letters, pairs, count, error);
  if (status == CLA_OK) status = order_pairs(&call, count, error);
  for (; call.first < count && status == CLA_OK; call.first += call.count) {
    status = pack_question_ask(question, error);
    if (status == CLA_OK) status = choose_pairs(&call, error);
    if (status == CLA_OK) status = run_launch(&call, error);
  }
  chain_letters_free(call.letters);
  free(call.order.items);
  free(call.list);
  return status;
}
