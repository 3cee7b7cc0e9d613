#include "packs/packs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/extremes.h"
#include "packs/chain_internal.h"
#include "packs/lane_internal.h"

/* Limit of scores, so that int32 suffices in the device's lanes and bases. */
#define SCORE_MOST (INT64_C(1) << 29)
/* The lines of all groups may take 1 / MEMORY_SHARE of the device's memory. So may one pack with its
 * letters, and the buses of all chains with one pair's letters. */
#define MEMORY_SHARE 4

/* Number of first pairs that decide whether scores need a look-up. */
#define FIRST_PAIRS 64

/* Number and size of the pairs in the test of lanes: several strips and segments. */
#define TESTED_PAIRS 24
#define TESTED_LETTERS 72
/* Number and size of the pairs in the test of chains: two strips and three tiles. */
#define TESTED_CHAIN_PAIRS 6
#define TESTED_CHAIN_COLUMNS 600

struct pack_solver {
  cla_device *device;
  const path_scheme *scheme;
  score_table table;  /* scores of the letters that occur in the pairs */
  lane_input input;   /* uses `table` */
  lane_engine *lanes; /* at most one of the two engines is not NULL */
  chain_engine *chains;
  kernel_config chain_most; /* config for the scheme, with the most rows per lane */
  kernel_config chain;      /* config for the pairs of the last call */
  chain_configs chains_tested;
  int64_t device_bytes; /* limit of the device memory; 0: none */
};

/* True if no value in a matrix of that size can exceed SCORE_MOST. */
static bool scores_fit(const path_scheme *scheme, int64_t rows, int64_t columns) {
  const cla_scoring *scoring = scheme->scoring;
  const int64_t most = scheme->table->maximum > 0 ? scheme->table->maximum : 0;
  if (rows > SCORE_MOST || columns > SCORE_MOST) return false;
  return smaller(rows, columns) * most < SCORE_MOST &&
         gap_cost(scoring, rows) + gap_cost(scoring, columns) + 4 * gap_most_first(scoring) < SCORE_MOST;
}

/* True if all chains have room for pairs with targets of `columns` letters. If long pairs can be divided,
 * room for one long pair suffices. */
static bool chains_fit(const kernel_config *chain, const cla_device_info *device, const path_scheme *scheme,
                       int64_t rows, int64_t columns) {
  const kernel_gaps gaps = kernel_gaps_of(scheme->scoring);
  const bool shared = chain_is_long(chain, columns);
  const int64_t own = shared ? CHAIN_OWN_COLUMNS_MOST : columns;
  const chain_load load = {.parts = chain->groups,
                           .letters = chain_whole_rows(chain, rows) + columns,
                           .columns = columns,
                           .own_columns = own,
                           .bus_bytes = shared ? chain_bus_bytes(chain, gaps, columns) : 0};
  return chain->groups * chain_bus_bytes(chain, gaps, own) + load.bus_bytes <= device->max_allocation_bytes &&
         chain_bytes(chain, scheme, &load) <= device->memory_bytes / MEMORY_SHARE;
}

/* True if all groups have room for packs with pairs of this size, and the device has room for one pack with
 * its letters. */
static bool lanes_fit(const lane_config *config, const cla_device_info *device, const path_scheme *scheme,
                      int64_t rows, int64_t columns) {
  const lane_input input = {.config = *config, .scheme = *scheme};
  const lane_load none = {.packs = 0};
  const lane_pack pack = lane_pack_make(config, rows, columns, 0);
  const lane_load load = lane_load_with(&none, config, &pack);
  const int64_t values = lane_group_values(config, kernel_gaps_of(scheme->scoring), pack.query_stride,
                                           lane_whole_columns(config, columns));
  const int64_t bytes = config->groups * values * config->value_bytes;
  return bytes <= device->max_allocation_bytes && bytes <= device->memory_bytes / MEMORY_SHARE &&
         lane_bytes(&input, &load) <= device->memory_bytes / MEMORY_SHARE;
}

bool pack_takes(const cla_device_info *device, const path_scheme *scheme, int64_t query_letters,
                int64_t target_letters) {
  lane_config config;
  kernel_config chain;
  if (scheme->table->used || !scores_fit(scheme, query_letters, target_letters)) return false;
  if (chain_choose(&chain, device, scheme))
    return chains_fit(&chain, device, scheme, query_letters, target_letters);
  return lane_choose(&config, device, scheme) &&
         lanes_fit(&config, device, scheme, query_letters, target_letters);
}

pack_way pack_way_of(const cla_device_info *device, const path_scheme *scheme) {
  lane_config config;
  kernel_config chain;
  if (chain_choose(&chain, device, scheme))
    return (pack_way){.enough = chain.groups, .shares = chain.launch == KERNEL_PERSISTENT};
  if (!lane_choose(&config, device, scheme)) return (pack_way){.alike = true};
  const int64_t groups = device->kind == CLA_DEVICE_CPU ? device->compute_units : config.groups;
  return (pack_way){.enough = groups * lane_pack_pairs(&config), .alike = true};
}

cla_status pack_solver_create(pack_solver **out, cla_device *device, const path_scheme *scheme,
                              cla_error *error) {
  cla_status status = ALLOCATE_ZEROS(out, 1, "packed pairs", error);
  if (status != CLA_OK) return status;
  (*out)->device = device;
  (*out)->scheme = scheme;
  return CLA_OK;
}

static void close_engines(pack_solver *p) {
  lane_free(p->lanes);
  chain_free(p->chains);
  p->lanes = NULL;
  p->chains = NULL;
}

void pack_solver_free(pack_solver *solver) {
  if (!solver) return;
  close_engines(solver);
  free(solver);
}

static uint32_t letters_met(const uint8_t *codes, int64_t count) {
  uint32_t met = 0;
  for (int64_t i = 0; i < count; i++) met |= UINT32_C(1) << codes[i];
  return met;
}

/* True if the letters of the first pairs already need scores from a look-up, whatever letters further pairs
 * have. */
static bool needs_lookup_anyway(const path_scheme *scheme, const pack_pair *pairs, int64_t count) {
  score_table table = *scheme->table;
  uint32_t query = 0, target = 0;
  for (int64_t i = 0; i < smaller(count, FIRST_PAIRS); i++) {
    query |= letters_met(pairs[i].query, pairs[i].query_letters);
    target |= letters_met(pairs[i].target, pairs[i].target_letters);
  }
  score_table_keep(&table, query, target);
  return table.needs_lookup;
}

/* Sets the input for the letters that occur in the pairs. For these letters alone, few schemes need a
 * look-up. A look-up in lanes is faster if all pairs have the same query (the same codes) and some code
 * occurs in no target. Without a look-up, letters are compared, so an unused code might match and is not
 * set. */
static void describe_pairs(lane_input *input, score_table *table, const path_scheme *scheme, bool chained,
                           const pack_pair *pairs, int64_t count) {
  uint32_t query = 0, target = 0;
  int free_code = 0;
  bool one_query = true;
  *table = *scheme->table;
  *input = (lane_input){.scheme = *scheme, .padding = PACK_TARGET_NEVER};
  input->scheme.table = table;
  if (!table->needs_lookup || (chained && needs_lookup_anyway(scheme, pairs, count))) return;
  for (int64_t i = 0; i < count; i++) {
    const pack_pair *pair = &pairs[i], *before = &pairs[i > 0 ? i - 1 : 0];
    const bool same = pair->query == before->query && pair->query_letters == before->query_letters;
    if (i == 0 || !same) query |= letters_met(pair->query, pair->query_letters);
    target |= letters_met(pair->target, pair->target_letters);
    if (!same) one_query = false;
  }
  score_table_keep(table, query, target);
  while (free_code < CLA_MATRIX_STRIDE && target >> free_code & 1) free_code++;
  input->one_query = one_query && table->needs_lookup && free_code < CLA_MATRIX_STRIDE;
  if (input->one_query) input->padding = (uint8_t)free_code;
}

/* True if an engine for one input also fits the other. Chains do not depend on `one_query` and `padding`. */
static bool same_input(const lane_input *of_a, const lane_input *of_b, bool chained) {
  const score_table *a = of_a->scheme.table, *b = of_b->scheme.table;
  const bool same_query = of_a->one_query == of_b->one_query && of_a->padding == of_b->padding;
  if (!(chained || same_query) || a->needs_lookup != b->needs_lookup || a->maximum != b->maximum ||
      a->match != b->match || a->mismatch != b->mismatch)
    return false;
  for (int i = 0; a->needs_lookup && i < CLA_MATRIX_STRIDE * CLA_MATRIX_STRIDE; i++)
    if (a->score[i] != b->score[i]) return false;
  return true;
}

/* Solves the pairs with the current engine. */
static cla_status solve(pack_solver *p, pack_pair *pairs, int64_t count, const pack_question *question,
                        cla_error *error) {
  return p->chains ? chain_run(p->chains, &p->chain, pairs, count, question, error)
                   : lane_run(p->lanes, pairs, count, question, error);
}

static cla_status solve_tested(void *user, pack_pair *pairs, int64_t count, cla_error *error) {
  return solve(user, pairs, count, NULL, error);
}

static cla_status open_lanes(pack_solver *p, cla_error *error) {
  if (!lane_choose(&p->input.config, &p->device->info, &p->input.scheme))
    return error_set(error, CLA_ERROR_OPTION, "these scores are too large for packs of pairs");
  const pack_tested tested = {.kernel = p->input.config.name,
                              .scheme = p->input.scheme,
                              .one_query = p->input.one_query,
                              .padding = p->input.padding,
                              .rows = TESTED_LETTERS,
                              .columns = TESTED_LETTERS,
                              .pairs = TESTED_PAIRS,
                              .solve = solve_tested,
                              .user = p};
  cla_status status = lane_create(&p->lanes, p->device, &p->input, error);
  const lane_config *config = &p->input.config;
  const pack_geometry geometry = {.alpha = config->alpha,
                                  .lanes = config->lanes,
                                  .segment = config->segment,
                                  .one_query = p->input.one_query,
                                  .padding = p->input.padding};
  return status == CLA_OK ? pack_test_once(p->device, &tested, &geometry, error) : status;
}

/* Chooses a config (rows per lane, launch) for the pairs, and tests the config unless it was tested before.
 */
static cla_status set_chain(pack_solver *p, bool may_share, const pack_pair *pairs, int64_t count,
                            cla_error *error) {
  kernel_config most = p->chain_most;
  if (!may_share) most.launch = KERNEL_DIAGONALS;
  p->chain = chain_choose_rows(&most, kernel_gaps_of(p->scheme->scoring), pairs, count, p->chains_tested);
  if (p->chains_tested & chain_config_bit(&p->chain)) return CLA_OK;
  const pack_tested tested = {.kernel = p->chain.variant->name,
                              .scheme = p->input.scheme,
                              .padding = UINT8_MAX,
                              .rows = kernel_strip_rows(&p->chain) + TESTED_LETTERS,
                              .columns = TESTED_CHAIN_COLUMNS,
                              .pairs = TESTED_CHAIN_PAIRS,
                              .solve = solve_tested,
                              .user = p};
  const pack_geometry geometry = {
      .alpha = p->chain.alpha, .launch = (int64_t)p->chain.launch, .lanes = p->chain.lanes};
  cla_status status = pack_test_once(p->device, &tested, &geometry, error);
  if (status == CLA_OK) p->chains_tested |= chain_config_bit(&p->chain);
  return status;
}

/* Makes and tests the engine for the input. `may_share`: a pair's strips may be divided among chains. */
static cla_status use_input(pack_solver *p, const lane_input *input, bool may_share, const pack_pair *pairs,
                            int64_t count, cla_error *error) {
  cla_status status = CLA_OK;
  if ((p->lanes || p->chains) && same_input(input, &p->input, p->chains != NULL))
    return p->chains ? set_chain(p, may_share, pairs, count, error) : CLA_OK;
  close_engines(p);
  p->input = *input;
  p->table = *input->scheme.table;
  p->input.scheme.table = &p->table;
  if (chain_choose(&p->chain_most, &p->device->info, &p->input.scheme)) {
    p->chains_tested = 0;
    status = chain_create(&p->chains, p->device, &p->input.scheme, error);
    if (status == CLA_OK) status = set_chain(p, may_share, pairs, count, error);
  } else {
    status = open_lanes(p, error);
  }
  if (status != CLA_OK) close_engines(p);
  return status;
}

/* Makes the engine for the pairs' letters. */
static cla_status open_engine(pack_solver *p, const pack_pair *pairs, int64_t count, cla_error *error) {
  lane_input input;
  score_table table;
  kernel_config any;
  const bool chained = chain_choose(&any, &p->device->info, p->scheme);
  describe_pairs(&input, &table, p->scheme, chained, pairs, count);
  return use_input(p, &input, true, pairs, count, error);
}

void pack_solver_limit(pack_solver *solver, int64_t device_bytes) {
  solver->device_bytes = device_bytes;
}

cla_status pack_prepare(pack_solver *solver, const pack_pair *pairs, int64_t count, cla_error *error) {
  if (count == 0) return CLA_OK;
  return open_engine(solver, pairs, count, error);
}

/* Limits the buffers of the current engine. */
static void limit_buffers(pack_solver *p) {
  pack_buffers_limit(p->chains ? &p->chains->buffers : &p->lanes->buffers, p->device_bytes);
}

cla_status pack_solve(pack_solver *solver, pack_pair *pairs, int64_t count, const pack_question *question,
                      cla_error *error) {
  if (count == 0) return CLA_OK;
  cla_status status = open_engine(solver, pairs, count, error);
  if (status != CLA_OK) return status;
  limit_buffers(solver);
  return solve(solver, pairs, count, question, error);
}
