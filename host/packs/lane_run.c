#include "packs/lane_run.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/extremes.h"
#include "packs/pack_order.h"

/* Letters of one launch: enough to keep a device busy for long, and not for so long that nobody can interrupt
 * it. */
#define LAUNCH_BYTES (INT64_C(64) << 20)
#define LAUNCH_CELLS_CPU 2e9 /* for each compute unit, */
#define LAUNCH_CELLS_GPU 1e10

/* Takes the node if it is better. */
static void offer(packed_pair *pair, int64_t row, int64_t column, int64_t score) {
  const path_end than = {pair->score, pair->end_query, pair->end_target};
  if (!path_end_is_better((path_end){score, row, column}, than)) return;
  pair->score = score;
  pair->end_query = row;
  pair->end_target = column;
}

void packed_take_ends(packed_pair *pair, const path_ends *kind, const cla_scoring *scoring,
                      const packed_ends *ends) {
  const int64_t rows = pair->query_letters, columns = pair->target_letters;
  if (kind->anywhere) {
    pair->score = ends->score;
    pair->end_query = ends->row;
    pair->end_target = ends->column;
    return;
  }
  pair->score = INT64_MIN;
  pair->end_query = pair->end_target = 0;
  if (kind->query_end) {
    offer(pair, 0, columns, path_ends_top_h(kind, scoring, columns));
    offer(pair, ends->column_row, columns, ends->column_score);
  }
  if (!path_ends_in_last_row(kind)) return;
  if (kind->target_end) offer(pair, rows, 0, path_ends_left_h(kind, scoring, rows));
  offer(pair, rows, ends->row_column, ends->row_score);
}

/* What a lane says of its pair. */
static packed_ends ends_of_lane(const packs_input *input, const int32_t *lane) {
  if (input->ends.anywhere) return (packed_ends){.score = lane[0], .row = lane[1], .column = lane[2]};
  return (packed_ends){
      .row_score = lane[0], .row_column = lane[1], .column_score = lane[2], .column_row = lane[3]};
}

cla_status packed_ask_question(const packed_question *question, cla_error *error) {
  if (!question || !question->go_on || question->go_on(question->user)) return CLA_OK;
  return error_set(error, CLA_ERROR_INTERRUPTED, "interrupted between two packs of pairs");
}

/* The packs of a launch. */
typedef struct packs_launch {
  packed_pack *list; /* owned */
  int64_t capacity;
  packs_load load;
} packs_launch;

/* How many packs from `first` on go into a launch, at least one. */
static cla_status choose_packs(packs_launch *launch, packs *engine, const packs_input *input,
                               double cells_most, const packed_pair *pairs, const keyed_list *order,
                               int64_t first, cla_error *error) {
  const int64_t together = packed_pairs(&input->config);
  packs_load *load = &launch->load;
  double cells = 0;
  *load = (packs_load){0};
  for (int64_t at = first; at < order->count && load->letters < LAUNCH_BYTES && cells < cells_most;
       at += together) {
    int64_t bytes = 0;
    packed_pack pack = packed_measure(&bytes, &input->config, pairs, order->items + at,
                                      smaller(together, order->count - at), load->letters);
    const packs_load with = packs_load_with(load, &input->config, &pack, bytes);
    if (load->packs > 0 && !packs_have_room(engine, &with)) break;
    cla_status status = allocate_grow((void **)&launch->list, &launch->capacity, with.packs,
                                      sizeof *launch->list, "packs of pairs", error);
    if (status != CLA_OK) return status;
    pack.tops_at = load->tops;
    launch->list[load->packs] = pack;
    *load = with;
    cells += (double)pack.rows * (double)pack.columns * (double)together;
  }
  return CLA_OK;
}

void packed_tops_free(packed_tops_list *tops) {
  for (int64_t i = 0; i < tops->count; i++) free(tops->blocks[i]);
  free(tops->blocks);
  *tops = (packed_tops_list){0};
}

static cla_status add_tops(int32_t **out, packed_tops_list *tops, int64_t numbers, cla_error *error) {
  cla_status status = allocate_grow((void **)&tops->blocks, &tops->capacity, tops->count + 1,
                                    sizeof *tops->blocks, "what rows reach", error);
  if (status == CLA_OK)
    status = allocate_array((void **)out, numbers, sizeof **out, "what rows reach", error);
  if (status == CLA_OK) tops->blocks[tops->count++] = *out;
  return status;
}

/* Fills the packs' memory, computes them and takes what they say. */
static cla_status run_packs(packs *engine, const packs_input *input, const packs_launch *launch,
                            int32_t *tops, packed_pair *pairs, const keyed *items, int64_t count,
                            cla_error *error) {
  const int64_t together = packed_pairs(&input->config);
  const packed_pack *list = launch->list;
  const int32_t *ends = NULL;
  packs_memory memory;
  cla_status status = packs_fill(&memory, engine, &launch->load, error);
  if (status != CLA_OK) return status;
  for (int64_t i = 0; i < launch->load.packs; i++)
    packed_write(memory.letters, memory.sizes + 2 * i * together, &list[i], input, pairs,
                 items + i * together, smaller(together, count - i * together));
  status = packs_run(&ends, tops, engine, list, error);
  for (int64_t i = 0; i < count && status == CLA_OK; i++) {
    packed_pair *pair = &pairs[items[i].value];
    const packed_ends found = ends_of_lane(input, ends + i * packs_ends_of_lane(engine));
    packed_take_ends(pair, &input->ends, input->scoring, &found);
    pair->rows = (packed_rows){.most = tops + list[i / together].tops_at + i % together,
                               .stride = together,
                               .step = input->config.alpha};
  }
  return status;
}

cla_status packed_run(packs *engine, const packs_input *input, packed_pair *pairs, int64_t count,
                      packed_tops_list *tops, const packed_question *question, cla_error *error) {
  keyed_list order = {0};
  packs_launch launch = {.list = NULL};
  int32_t *block = NULL;
  const int64_t together = packed_pairs(&input->config);
  const double cells_most =
      (input->config.items > 1 ? LAUNCH_CELLS_GPU : LAUNCH_CELLS_CPU) * (double)input->config.groups;
  cla_status status = packed_order(&order, pairs, count, together, error);
  for (int64_t first = 0; first < count && status == CLA_OK; first += launch.load.packs * together) {
    status = packed_ask_question(question, error);
    if (status == CLA_OK)
      status = choose_packs(&launch, engine, input, cells_most, pairs, &order, first, error);
    if (status == CLA_OK) status = add_tops(&block, tops, launch.load.tops, error);
    if (status == CLA_OK)
      status = run_packs(engine, input, &launch, block, pairs, order.items + first,
                         smaller(launch.load.packs * together, count - first), error);
  }
  free(order.items);
  free(launch.list);
  return status;
}
