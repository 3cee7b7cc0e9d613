/* Divides a call's pairs into packs and launches, and places the packs in the device's memory. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/extremes.h"
#include "base/key_sort.h"
#include "packs/lane_internal.h"

/* Limits of one launch. It has enough work to keep a device busy, but a user can interrupt between
 * launches. */
#define LAUNCH_BYTES (INT64_C(64) << 20) /* of letters */
#define LAUNCH_CELLS_CPU 2e9             /* per group of a CPU's launch */
#define LAUNCH_CELLS_GPU 1e10            /* per group of a GPU's launch */

/* A call's pairs, and the packs of the current launch. */
typedef struct lane_call {
  lane_engine *engine;
  pack_pair *pairs;
  keyed_list order; /* order of all pairs; `together` consecutive pairs share a pack */
  int64_t together;
  int64_t first;   /* place in the order of the launch's first pair */
  lane_pack *list; /* owned */
  int64_t capacity;
  lane_load load;
} lane_call;

/* Sorts a part of a list by its keys. */
static cla_status sort_part(keyed *items, int64_t count, cla_error *error) {
  void *scratch = NULL;
  uint64_t all = 0;
  bool sorted = true;
  for (int64_t i = 0; i < count; i++) {
    all |= items[i].key;
    sorted = sorted && (i == 0 || items[i - 1].key <= items[i].key);
  }
  if (sorted) return CLA_OK;
  cla_status status = allocate_array(&scratch, count, sizeof *items, "sorting pairs", error);
  if (status != CLA_OK) return status;
  const keyed *in_order = key_sort_with(items, scratch, count, 0, key_bits(all));
  if (in_order != items) memcpy(items, in_order, (size_t)count * sizeof *items);
  free(scratch);
  return CLA_OK;
}

/* Orders the pairs so that the pairs of a pack have about the same size. First sorts all pairs by rows, and
 * cuts them into groups; then sorts each group by columns. A group has about as many packs as there are
 * groups. */
static cla_status order_pairs(lane_call *call, int64_t count, cla_error *error) {
  keyed_list *out = &call->order;
  cla_status status = CLA_OK;
  for (int64_t i = 0; i < count && status == CLA_OK; i++)
    status = keyed_list_add(out, (uint64_t)call->pairs[i].query_letters, i, error);
  if (status == CLA_OK) status = sort_part(out->items, count, error);
  const int64_t pack_count = (count + call->together - 1) / call->together;
  const int64_t group = call->together * (int64_t)ceil(sqrt((double)pack_count));
  for (int64_t i = 0; i < count && status == CLA_OK; i++)
    out->items[i].key = (uint64_t)call->pairs[out->items[i].value].target_letters;
  for (int64_t i = 0; i < count && status == CLA_OK; i += group)
    status = sort_part(out->items + i, smaller(group, count - i), error);
  return status;
}

/* Returns pair `i` of the order. */
static pack_pair *pair_at(const lane_call *call, int64_t i) {
  return &call->pairs[call->order.items[i].value];
}

/* Returns the pack of the pairs from `from` on, placed behind the launch's load. */
static lane_pack measure(const lane_call *call, int64_t from) {
  int64_t rows = 0, columns = 0, rows_least = INT64_MAX, columns_least = INT64_MAX;
  for (int64_t i = from; i < smaller(from + call->together, call->order.count); i++) {
    const pack_pair *pair = pair_at(call, i);
    rows = larger(rows, pair->query_letters);
    columns = larger(columns, pair->target_letters);
    rows_least = smaller(rows_least, pair->query_letters);
    columns_least = smaller(columns_least, pair->target_letters);
  }
  lane_pack pack = lane_pack_make(&call->engine->input.config, rows, columns, call->load.letters);
  pack.rows_least = rows_least;
  pack.columns_least = columns_least;
  pack.tops_at = call->load.tops;
  return pack;
}

/* Chooses the packs of a launch, at least one. */
static cla_status choose_packs(lane_call *call, cla_error *error) {
  const lane_config *config = &call->engine->input.config;
  const double cells_most =
      (config->items > 1 ? LAUNCH_CELLS_GPU : LAUNCH_CELLS_CPU) * (double)config->groups;
  lane_load *load = &call->load;
  double cells = 0;
  *load = (lane_load){0};
  for (int64_t at = call->first; at < call->order.count && load->letters < LAUNCH_BYTES && cells < cells_most;
       at += call->together) {
    const lane_pack pack = measure(call, at);
    const lane_load with = lane_load_with(load, config, &pack);
    if (load->packs > 0 && !lane_has_room(call->engine, &with)) break;
    cla_status status = ALLOCATE_GROW(&call->list, &call->capacity, with.packs, "packs of pairs", error);
    if (status != CLA_OK) return status;
    call->list[load->packs] = pack;
    *load = with;
    cells += (double)pack.rows * (double)pack.columns * (double)call->together;
  }
  return CLA_OK;
}

static void write_line(uint8_t *line, int64_t stride, const uint8_t *codes, int64_t letters, uint8_t never) {
  if (letters > 0) memcpy(line, codes, (size_t)letters);
  memset(line + letters, never, (size_t)(stride - letters));
}

/* Writes the letters and lengths of pack `number` of the launch. */
static void write_pack(const lane_call *call, int64_t number) {
  const lane_engine *engine = call->engine;
  static const pack_pair none;
  const lane_pack *pack = &call->list[number];
  for (int64_t lane = 0; lane < call->together; lane++) {
    const int64_t index = number * call->together + lane, at = call->first + index;
    const pack_pair *pair = at < call->order.count ? pair_at(call, at) : &none;
    write_line(engine->letters + pack->query_at + lane * pack->query_stride, pack->query_stride, pair->query,
               pair->query_letters, PACK_QUERY_NEVER);
    write_line(engine->letters + pack->target_at + lane * pack->target_stride, pack->target_stride,
               pair->target, pair->target_letters, engine->input.padding);
    engine->sizes[2 * index] = (int32_t)pair->query_letters;
    engine->sizes[2 * index + 1] = (int32_t)pair->target_letters;
  }
}

/* Allocates memory for the tops of a launch. */
static cla_status add_tops(int32_t **out, lane_engine *engine, int64_t numbers, cla_error *error) {
  cla_status status =
      ALLOCATE_GROW(&engine->tops, &engine->tops_capacity, engine->tops_count + 1, "what rows reach", error);
  if (status == CLA_OK) status = ALLOCATE_ARRAY(out, numbers, "what rows reach", error);
  if (status == CLA_OK) engine->tops[engine->tops_count++] = *out;
  return status;
}

/* Sets a pair's score and end from its lane's numbers. */
static void take_lane(pack_pair *pair, const path_scheme *scheme, const int32_t *lane) {
  pack_ends ends = {0};
  if (scheme->ends.anywhere)
    ends = (pack_ends){.score = lane[0], .row = lane[1], .column = lane[2]};
  else
    ends = (pack_ends){
        .row_score = lane[0], .row_column = lane[1], .column_score = lane[2], .column_row = lane[3]};
  pack_take_ends(pair, scheme, &ends);
}

/* Writes the launch's packs to the device, computes them and sets the pairs' results. */
static cla_status run_launch(const lane_call *call, cla_error *error) {
  lane_engine *engine = call->engine;
  const lane_input *input = &engine->input;
  int32_t *tops = NULL;
  cla_status status = add_tops(&tops, engine, call->load.tops, error);
  if (status == CLA_OK) status = lane_fill(engine, &call->load, error);
  if (status != CLA_OK) return status;
  for (int64_t i = 0; i < call->load.packs; i++) write_pack(call, i);
  status = lane_launch(engine, tops, call->list, error);
  const int64_t count = smaller(call->load.packs * call->together, call->order.count - call->first);
  for (int64_t i = 0; i < count && status == CLA_OK; i++) {
    pack_pair *pair = pair_at(call, call->first + i);
    take_lane(pair, &input->scheme, engine->found + i * lane_ends(engine));
    pair->rows = (row_tops){.most = tops + call->list[i / call->together].tops_at + i % call->together,
                            .stride = call->together,
                            .step = input->config.alpha};
  }
  return status;
}

cla_status lane_run(lane_engine *engine, pack_pair *pairs, int64_t count, const pack_question *question,
                    cla_error *error) {
  lane_call call = {.engine = engine, .pairs = pairs, .together = lane_pack_pairs(&engine->input.config)};
  while (engine->tops_count > 0) free(engine->tops[--engine->tops_count]);
  cla_status status = order_pairs(&call, count, error);
  while (call.first < count && status == CLA_OK) {
    status = pack_question_ask(question, error);
    if (status == CLA_OK) status = choose_packs(&call, error);
    if (status == CLA_OK) status = run_launch(&call, error);
    call.first += call.load.packs * call.together;
  }
  free(call.order.items);
  free(call.list);
  return status;
}
