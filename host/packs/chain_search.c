/* A search: targets that stay on the device, and queries behind them. */

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/extremes.h"
#include "packs/chain_internal.h"

/* Pairs of a row are ordered by their cells in so many classes. */
#define CLASSES 512

/* A pair of the launch. */
typedef struct search_place {
  int32_t row, index; /* of the row's targets */
} search_place;

/* A launch, while its parts are made. */
typedef struct search_call {
  const kernel_config *config;
  const pack_targets *targets;
  const pack_row *rows;
  int64_t row_count, pairs, longest; /* longest: letters of a target */
  int64_t *query_at, *strips;        /* of each row: where its letters lie, and how many strips they have */
  uint8_t *letters;                  /* of all queries, and behind them */
  int64_t letter_count;
  search_place *places; /* of each part: of each row the largest pairs come first */
  double classes_of_cell;
} search_call;

static int64_t columns_of(const search_call *call, int64_t target) {
  return call->targets->offsets[target + 1] - call->targets->offsets[target];
}

/* The class of a pair: the largest come first. */
static int64_t class_of(const search_call *call, double rows, int64_t columns) {
  return CLASSES - 1 - (int64_t)(rows * (double)columns * call->classes_of_cell);
}

static int64_t target_bytes(const search_call *call) {
  return call->targets->offsets[call->targets->count];
}

/* Counts pairs, and finds the largest. */
static void measure(search_call *call) {
  int64_t most = 1;
  for (int64_t i = 0; i < call->row_count; i++) {
    const pack_row *row = &call->rows[i];
    int64_t longest = 1;
    for (int64_t target = row->first; target < row->past; target++)
      longest = larger(longest, columns_of(call, target));
    call->pairs += row->past - row->first;
    call->longest = larger(call->longest, longest);
    most = larger(most, chain_whole_rows(call->config, row->query_letters) * longest);
  }
  call->classes_of_cell = (CLASSES - 1) / (double)most;
}

static bool is_of_row_before(const search_call *call, int64_t i) {
  const pack_row *row = &call->rows[i];
  return i > 0 && row->query == row[-1].query && row->query_letters == row[-1].query_letters;
}

/* Puts the queries behind the targets: rows of one query that follow each other have it once. */
static cla_status place_queries(search_call *call, cla_error *error) {
  int64_t count = 0;
  cla_status status = allocate_array((void **)&call->query_at, 2 * call->row_count, sizeof *call->query_at,
                                     "queries of a launch", error);
  call->strips = call->query_at + call->row_count;
  for (int64_t i = 0; i < call->row_count && status == CLA_OK; i++) {
    const bool again = is_of_row_before(call, i);
    call->query_at[i] = again ? call->query_at[i - 1] : target_bytes(call) + count;
    if (!again) count += chain_whole_rows(call->config, call->rows[i].query_letters);
    call->strips[i] = chain_strips(call->config, call->rows[i].query_letters);
  }
  call->letter_count = count;
  if (status == CLA_OK)
    status =
        allocate_array((void **)&call->letters, count + CHAIN_SPARE_LETTERS, 1, "letters of a launch", error);
  if (status != CLA_OK) return status;
  memset(call->letters, PACK_QUERY_NEVER, (size_t)(count + CHAIN_SPARE_LETTERS));
  for (int64_t i = 0; i < call->row_count; i++)
    memcpy(call->letters + call->query_at[i] - target_bytes(call), call->rows[i].query,
           (size_t)call->rows[i].query_letters);
  return CLA_OK;
}

/* Puts the pairs of a row in the order of classes, from a place on. Chains take pairs of one query one after
 * the other, and what a kernel has made for a query serves all of them. */
static void place_row(search_call *call, int64_t at, int32_t number) {
  const pack_row *row = &call->rows[number];
  const double rows = (double)chain_whole_rows(call->config, row->query_letters);
  int64_t begins[CLASSES + 1] = {0};
  begins[0] = at;
  for (int64_t target = row->first; target < row->past; target++)
    begins[class_of(call, rows, columns_of(call, target)) + 1]++;
  for (int i = 1; i <= CLASSES; i++) begins[i] += begins[i - 1];
  for (int64_t target = row->first; target < row->past; target++)
    call->places[begins[class_of(call, rows, columns_of(call, target))]++] =
        (search_place){number, (int32_t)(target - row->first)};
}

static void place_pairs(search_call *call) {
  int64_t at = 0;
  for (int32_t i = 0; i < call->row_count; i++) {
    place_row(call, at, i);
    at += call->rows[i].past - call->rows[i].first;
  }
}

static void make_parts(const search_call *call, chain_part *parts) {
  for (int64_t i = 0; i < call->pairs; i++) {
    const search_place *place = &call->places[i];
    const pack_row *row = &call->rows[place->row];
    const int64_t target = row->first + place->index;
    parts[i] = (chain_part){.rows = row->query_letters,
                            .columns = columns_of(call, target),
                            .query_at = call->query_at[place->row],
                            .target_at = call->targets->offsets[target],
                            .end_strip = call->strips[place->row]};
  }
}

static void take_ends(const search_call *call, const chain_engine *engine) {
  for (int64_t i = 0; i < call->pairs; i++) {
    const search_place *place = &call->places[i];
    const pack_row *row = &call->rows[place->row];
    const int64_t target = row->first + place->index;
    pack_pair pair = {.query_letters = row->query_letters, .target_letters = columns_of(call, target)};
    chain_take_parts(&pair, &engine->scheme, &engine->found[i], 1);
    row->found[place->index] = (pack_found){
        .score = pair.score, .end_query = (int32_t)pair.end_query, .end_target = (int32_t)pair.end_target};
  }
}

/* The launch's load, for which there is room. */
static cla_status make_load(chain_load *load, const search_call *call, const chain_engine *engine,
                            cla_error *error) {
  *load = (chain_load){.parts = call->pairs,
                       .letters = target_bytes(call) + call->letter_count,
                       .columns = call->longest,
                       .own_columns = call->longest};
  if (load->letters <= chain_bytes_most(engine) && chain_has_room(engine, call->config, load)) return CLA_OK;
  return error_set(error, CLA_ERROR_MEMORY, "a device has no room for all targets of a search");
}

/* Puts the targets on the device, with room for the rows. */
static cla_status keep_targets(search_call *call, chain_engine *engine, cla_error *error) {
  chain_load load;
  cla_status status = make_load(&load, call, engine, error);
  return status == CLA_OK
             ? chain_keep(engine, call->config, &load, call->targets->codes, target_bytes(call), error)
             : status;
}

static cla_status run(search_call *call, chain_engine *engine, cla_error *error) {
  static const char what[] = "pairs of a launch";
  cla_status status = allocate_grow((void **)&engine->parts, &engine->part_capacity, call->pairs,
                                    sizeof *engine->parts, what, error);
  if (status == CLA_OK)
    status = allocate_grow((void **)&engine->places, &engine->place_capacity, call->pairs,
                           sizeof *call->places, what, error);
  if (status == CLA_OK) status = keep_targets(call, engine, error);
  if (status != CLA_OK) return status;
  call->places = engine->places;
  place_pairs(call);
  make_parts(call, engine->parts);
  status = chain_write_letters(engine, call->letters, call->letter_count + CHAIN_SPARE_LETTERS,
                               target_bytes(call), error);
  if (status == CLA_OK)
    status = chain_launch(engine, call->config, engine->parts, call->targets->scores_alone, error);
  if (status == CLA_OK) take_ends(call, engine);
  return status;
}

cla_status chain_search(chain_engine *engine, const kernel_config *config, const pack_search_rows *search,
                        bool launch, cla_error *error) {
  search_call call = {
      .config = config, .targets = search->targets, .rows = search->rows, .row_count = search->count};
  measure(&call);
  cla_status status = place_queries(&call, error);
  if (status == CLA_OK) status = launch ? run(&call, engine, error) : keep_targets(&call, engine, error);
  free(call.query_at);
  free(call.letters);
  return status;
}
