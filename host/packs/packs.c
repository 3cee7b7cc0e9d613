#include "packs/packs.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/extremes.h"
#include "device/device.h"
#include "packs/chain_run.h"
#include "packs/lane_buffers.h"
#include "packs/lane_run.h"
#include "packs/pack_order.h"
#include "packs/pack_test.h"

/* Scores that int32 holds with room to spare, in the device's lanes and bases. */
#define SCORE_MOST (INT64_C(1) << 29)
/* Of the device's memory, for the lines of all groups or the buses of all chains; and for a pair's letters
 * and what is found of it. */
#define MEMORY_SHARE 4

/* Pairs of the test: several strips of a lane, and segments. */
#define TESTED_PAIRS 24
#define TESTED_LETTERS 72
/* The same of a chain: two strips, and three tiles. */
#define TESTED_CHAIN_PAIRS 6
#define TESTED_CHAIN_COLUMNS 600

struct packed {
  cla_device *device;
  const packed_scheme *scheme;
  packs_input input;
  score_table table; /* the input's: of the letters that the pairs have */
  bool chained;      /* a pair a chain, else a pair a lane; whichever, NULL: none yet: */
  packs *engine;
  packed_tops_list tops; /* of the last call's pairs */
  chains *chains;
  chains_input chained_input;
  kernel_config chain_most, chain; /* of the scheme, and the one of it for the pairs */
  chain_configs chains_tested;
  packed_question question;
  int64_t device_bytes; /* that may be taken; 0: all */
};

/* No matrix has scores that are further from 0. */
static bool scores_fit(const packed_scheme *scheme, int64_t rows, int64_t columns) {
  const cla_scoring *scoring = scheme->scoring;
  const int64_t most = scheme->table->maximum > 0 ? scheme->table->maximum : 0;
  if (rows > SCORE_MOST || columns > SCORE_MOST) return false;
  return smaller(rows, columns) * most < SCORE_MOST &&
         gap_cost(scoring, rows) + gap_cost(scoring, columns) + 4 * gap_most_first(scoring) < SCORE_MOST;
}

/* Whether all chains have room for pairs with such targets; long ones, where they can be shared out, have one
 * place. */
static bool chains_fit(const kernel_config *chain, const cla_device_info *device, const packed_scheme *scheme,
                       int64_t query_letters, int64_t target_letters) {
  const kernel_gaps gaps = kernel_gaps_of(scheme->scoring);
  const chains_input input = {.scoring = scheme->scoring, .table = scheme->table, .ends = scheme->ends};
  const bool shared = chain_is_long(chain, target_letters);
  const int64_t own = shared ? CHAIN_OWN_COLUMNS_MOST : target_letters;
  const int64_t shared_bytes = shared ? chain_bus_bytes(chain, gaps, target_letters) : 0;
  const chains_load load = {.parts = chain->groups,
                            .letters = chain_whole_rows(chain, query_letters) + target_letters,
                            .columns = target_letters,
                            .own_columns = own,
                            .bus_bytes = shared_bytes};
  return chain->groups * chain_bus_bytes(chain, gaps, own) + shared_bytes <= device->max_allocation_bytes &&
         chains_bytes(chain, &input, &load) <= device->memory_bytes / MEMORY_SHARE;
}

/* Whether all groups have room for packs with such pairs, and the device for one pack with its letters. */
static bool packs_fit(const packed_config *config, const cla_device_info *device, const packed_scheme *scheme,
                      int64_t query_letters, int64_t target_letters) {
  const packs_input input = {
      .config = *config, .scoring = scheme->scoring, .table = scheme->table, .ends = scheme->ends};
  const packed_pair pair = {.query_letters = query_letters, .target_letters = target_letters};
  const keyed only = {.value = 0};
  const packs_load none = {.packs = 0};
  int64_t letters = 0;
  const packed_pack pack = packed_measure(&letters, config, &pair, &only, 1, 0);
  const packs_load load = packs_load_with(&none, config, &pack, letters);
  const int64_t values = packed_group_values(config, kernel_gaps_of(scheme->scoring), pack.query_stride,
                                             packed_whole_columns(config, target_letters));
  const int64_t bytes = config->groups * values * config->value_bytes;
  return bytes <= device->max_allocation_bytes && bytes <= device->memory_bytes / MEMORY_SHARE &&
         packs_bytes(&input, &load) <= device->memory_bytes / MEMORY_SHARE;
}

bool packed_takes(const cla_device_info *device, const packed_scheme *scheme, int64_t query_letters,
                  int64_t target_letters) {
  packed_config config;
  kernel_config chain;
  if (scheme->table->used || !scores_fit(scheme, query_letters, target_letters)) return false;
  if (chain_choose(&chain, device, scheme->scoring, scheme->table))
    return chains_fit(&chain, device, scheme, query_letters, target_letters);
  return packed_choose(&config, device, scheme->scoring, scheme->table) &&
         packs_fit(&config, device, scheme, query_letters, target_letters);
}

int64_t packed_enough(const cla_device_info *device, const packed_scheme *scheme) {
  packed_config config;
  kernel_config chain;
  if (chain_choose(&chain, device, scheme->scoring, scheme->table)) return chain.groups;
  if (!packed_choose(&config, device, scheme->scoring, scheme->table)) return INT64_MAX;
  const int64_t groups = device->kind == CLA_DEVICE_CPU ? device->compute_units : config.groups;
  return groups * packed_pairs(&config);
}

bool packed_shares(const cla_device_info *device, const packed_scheme *scheme) {
  kernel_config chain;
  return chain_choose(&chain, device, scheme->scoring, scheme->table) && chain.launch == KERNEL_PERSISTENT;
}

bool packed_wants_alike(const cla_device_info *device, const packed_scheme *scheme) {
  kernel_config chain;
  return !chain_choose(&chain, device, scheme->scoring, scheme->table);
}

cla_status packed_create(packed **out, cla_device *device, const packed_scheme *scheme, cla_error *error) {
  cla_status status = allocate_zeros((void **)out, 1, sizeof **out, "packed pairs", error);
  if (status != CLA_OK) return status;
  (*out)->device = device;
  (*out)->scheme = scheme;
  return CLA_OK;
}

void packed_free(packed *packer) {
  if (!packer) return;
  packs_free(packer->engine);
  chains_free(packer->chains);
  packed_tops_free(&packer->tops);
  free(packer);
}

static uint32_t letters_met(const uint8_t *codes, int64_t count) {
  uint32_t met = 0;
  for (int64_t i = 0; i < count; i++) met |= UINT32_C(1) << codes[i];
  return met;
}

/* What the pairs' letters say of the input: few schemes need their scores looked up then, and where all pairs
 * have one query (the same codes) and some letter is left that no target has, that is quicker. Where nothing
 * is looked up, letters are compared, and that letter would match the query's. */
static void describe_pairs(packs_input *input, score_table *table, const packed_scheme *scheme,
                           const packed_pair *pairs, int64_t count) {
  uint32_t query = 0, target = 0;
  int free_code = 0;
  bool one_query = true;
  *table = *scheme->table;
  *input = (packs_input){
      .scoring = scheme->scoring, .table = table, .ends = scheme->ends, .padding = PACKED_TARGET_NEVER};
  if (!table->needs_lookup) return;
  for (int64_t i = 0; i < count; i++) {
    const packed_pair *pair = &pairs[i], *before = &pairs[i > 0 ? i - 1 : 0];
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

/* Whether an engine for one is one for the other; chains have no use for one query. */
static bool same_input(const packs_input *of_a, const packs_input *of_b, bool chained) {
  const score_table *a = of_a->table, *b = of_b->table;
  const bool same_query = of_a->one_query == of_b->one_query && of_a->padding == of_b->padding;
  if (!(chained || same_query) || a->needs_lookup != b->needs_lookup || a->maximum != b->maximum ||
      a->match != b->match || a->mismatch != b->mismatch)
    return false;
  for (int i = 0; a->needs_lookup && i < CLA_MATRIX_STRIDE * CLA_MATRIX_STRIDE; i++)
    if (a->score[i] != b->score[i]) return false;
  return true;
}

static void close_engines(packed *p) {
  packs_free(p->engine);
  chains_free(p->chains);
  p->engine = NULL;
  p->chains = NULL;
}

static packed_tested tested_of(packed *p, const char *kernel) {
  return (packed_tested){.kernel = kernel,
                         .scoring = p->scheme->scoring,
                         .table = &p->table,
                         .ends = p->scheme->ends,
                         .padding = UINT8_MAX,
                         .user = p};
}

static cla_status solve_tested_packs(void *user, packed_pair *pairs, int64_t count, cla_error *error) {
  packed *p = user;
  return packed_run(p->engine, &p->input, pairs, count, &p->tops, NULL, error);
}

static cla_status open_packs(packed *p, cla_error *error) {
  if (!packed_choose(&p->input.config, &p->device->info, p->scheme->scoring, &p->table))
    return error_set(error, CLA_ERROR_OPTION, "these scores are too large for packs of pairs");
  cla_status status = packs_create(&p->engine, p->device, &p->input, error);
  if (status != CLA_OK) return status;
  packed_tested tested = tested_of(p, p->input.config.name);
  tested.one_query = p->input.one_query;
  tested.padding = p->input.padding;
  tested.rows = tested.columns = TESTED_LETTERS;
  tested.pairs = TESTED_PAIRS;
  tested.solve = solve_tested_packs;
  status = packed_test(&tested, error);
  packed_tops_free(&p->tops);
  return status;
}

static cla_status solve_tested_chains(void *user, packed_pair *pairs, int64_t count, cla_error *error) {
  packed *p = user;
  return chain_run(p->chains, &p->chained_input, &p->chain, pairs, count, NULL, error);
}

/* Takes the rows a lane and the launch that suit the pairs, and tests them, once each. */
static cla_status set_chain(packed *p, const packed_pair *pairs, int64_t count, cla_error *error) {
  p->chain =
      chain_choose_rows(&p->chain_most, kernel_gaps_of(p->scheme->scoring), pairs, count, p->chains_tested);
  if (p->chains_tested & chain_config_bit(&p->chain)) return CLA_OK;
  packed_tested tested = tested_of(p, p->chain.variant->name);
  tested.rows = kernel_strip_rows(&p->chain) + TESTED_LETTERS;
  tested.columns = TESTED_CHAIN_COLUMNS;
  tested.pairs = TESTED_CHAIN_PAIRS;
  tested.solve = solve_tested_chains;
  cla_status status = packed_test(&tested, error);
  if (status == CLA_OK) p->chains_tested |= chain_config_bit(&p->chain);
  if (status == CLA_OK) device_save_programs(p->device);
  return status;
}

/* Makes the engine for the pairs' letters, tested. */
static cla_status open_engine(packed *p, const packed_pair *pairs, int64_t count, cla_error *error) {
  packs_input input;
  score_table table;
  cla_status status = CLA_OK;
  describe_pairs(&input, &table, p->scheme, pairs, count);
  if ((p->engine || p->chains) && same_input(&input, &p->input, p->chained))
    return p->chained ? set_chain(p, pairs, count, error) : CLA_OK;
  close_engines(p);
  p->input = input;
  p->table = table;
  p->input.table = &p->table;
  p->chained = chain_choose(&p->chain_most, &p->device->info, p->scheme->scoring, &p->table);
  if (p->chained) {
    p->chained_input =
        (chains_input){.scoring = p->scheme->scoring, .table = &p->table, .ends = p->scheme->ends};
    p->chains_tested = 0;
    status = chains_create(&p->chains, p->device, &p->chained_input, error);
    if (status == CLA_OK) status = set_chain(p, pairs, count, error);
  } else {
    status = open_packs(p, error);
    if (status == CLA_OK) device_save_programs(p->device);
  }
  if (status != CLA_OK) close_engines(p);
  return status;
}

void packed_limit(packed *packer, int64_t device_bytes) {
  packer->device_bytes = device_bytes;
}

void packed_release(packed *packer) {
  if (packer->chains) chains_release(packer->chains);
  if (packer->engine) packs_release(packer->engine);
}

void packed_ask(packed *packer, packed_go_on go_on, void *user) {
  packer->question = (packed_question){.go_on = go_on, .user = user};
}

cla_status packed_solve(packed *packer, packed_pair *pairs, int64_t count, cla_error *error) {
  packed *p = packer;
  packed_tops_free(&p->tops);
  if (count == 0) return CLA_OK;
  cla_status status = open_engine(p, pairs, count, error);
  if (status != CLA_OK) return status;
  const int64_t most = p->device_bytes > 0 ? p->device_bytes : p->device->info.memory_bytes;
  if (p->chained)
    chains_limit(p->chains, most);
  else
    packs_limit(p->engine, most);
  return p->chained ? chain_run(p->chains, &p->chained_input, &p->chain, pairs, count, &p->question, error)
                    : packed_run(p->engine, &p->input, pairs, count, &p->tops, &p->question, error);
}
