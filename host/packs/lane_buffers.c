#include <stdlib.h>

#include "base/allocate.h"
#include "base/extremes.h"
#include "packs/lane_internal.h"
#include "scoring/lane_width.h"

/* The kernel's arguments. */
enum { SETTINGS, SCORES, LIST, LETTERS, SIZES, ENDS, TOPS, MEMORY, TICKETS, BUFFERS };
static const pack_buffer_kind kinds[BUFFERS] = {[SETTINGS] = {POISON_LONGS, "the packs' parameters"},
                                                [SCORES] = {POISON_INTS, "the score table"},
                                                [LIST] = {POISON_LONGS, "packs of pairs"},
                                                [LETTERS] = {POISON_LETTERS, "the pairs' letters"},
                                                [SIZES] = {POISON_INTS, "the pairs' lengths"},
                                                [ENDS] = {POISON_INTS, "the pairs' ends"},
                                                [TOPS] = {POISON_INTS, "what rows reach"},
                                                [MEMORY] = {POISON_LINES, "the packs' lines"},
                                                [TICKETS] = {POISON_INTS, "the packs' tickets"}};

int lane_ends(const lane_engine *engine) {
  return engine->build.best ? LANE_BEST_ENDS : LANE_EDGE_ENDS;
}

/* Returns the number of values in a group's memory for the load's largest pack. */
static int64_t group_values(const lane_engine *engine, const lane_load *load) {
  return lane_group_values(&engine->input.config, engine->build.gaps, load->query_rows,
                           lane_whole_columns(&engine->input.config, load->columns));
}

static int64_t groups_of(const lane_engine *engine, const lane_load *load) {
  return smaller(engine->input.config.groups, load->packs);
}

/* Sets the bytes that a load needs in each buffer. */
static void set_needs(int64_t needed[BUFFERS], const lane_engine *of, const lane_load *load) {
  const lane_config *config = &of->input.config;
  const int64_t pairs = load->packs * lane_pack_pairs(config), number = (int64_t)sizeof(int32_t);
  needed[SETTINGS] = (int64_t)sizeof of->params;
  needed[SCORES] = 0;
  needed[LIST] = load->packs * (int64_t)sizeof(lane_pack);
  needed[LETTERS] = load->letters;
  needed[SIZES] = pairs * 2 * number;
  needed[ENDS] = pairs * lane_ends(of) * number;
  needed[TOPS] = load->tops * number;
  needed[MEMORY] = groups_of(of, load) * group_values(of, load) * config->value_bytes;
  needed[TICKETS] = (int64_t)sizeof(cl_int);
}

lane_load lane_load_with(const lane_load *load, const lane_config *config, const lane_pack *pack) {
  return (lane_load){
      .packs = load->packs + 1,
      .letters = load->letters + (pack->query_stride + pack->target_stride) * lane_pack_pairs(config),
      .tops = load->tops + pack->rows / config->alpha * lane_pack_pairs(config),
      .query_rows = larger(load->query_rows, pack->query_stride),
      .columns = larger(load->columns, pack->columns)};
}

static lane_params make_params(const path_scheme *scheme, const lane_config *config) {
  const cla_scoring *scoring = scheme->scoring;
  const score_table *table = scheme->table;
  const path_ends *ends = &scheme->ends;
  return (lane_params){.match = table->match,
                       .mismatch = lane_width_clamp(table->mismatch, scoring),
                       .largest = table->maximum > 0 ? table->maximum : 0,
                       .level = config->level,
                       .gap = kernel_gap_costs(scoring),
                       .query_start = ends->query_start,
                       .target_start = ends->target_start,
                       .ends_in_row = ends->target_end ? 2 : path_ends_in_last_row(ends),
                       .ends_in_column = ends->query_end};
}

/* Returns an engine without a device. */
static lane_engine engine_of(const lane_input *input) {
  const path_scheme *scheme = &input->scheme;
  return (lane_engine){.input = *input,
                       .params = make_params(scheme, &input->config),
                       .build = {.floor = scheme->ends.floor,
                                 .best = scheme->ends.anywhere,
                                 .matrix = scheme->table->needs_lookup ? (input->one_query ? 2 : 1) : 0,
                                 .gaps = kernel_gaps_of(scheme->scoring)}};
}

int64_t lane_bytes(const lane_input *input, const lane_load *load) {
  const lane_engine none = engine_of(input);
  int64_t needed[BUFFERS];
  set_needs(needed, &none, load);
  return pack_buffers_bytes(needed, BUFFERS);
}

bool lane_has_room(const lane_engine *engine, const lane_load *load) {
  int64_t needed[BUFFERS];
  set_needs(needed, engine, load);
  return pack_buffers_fit(&engine->buffers, needed);
}

cla_status lane_create(lane_engine **out, cla_device *device, const lane_input *input, cla_error *error) {
  lane_engine *engine = NULL;
  char options[256];
  *out = NULL;
  cla_status status = ALLOCATE_ZEROS(&engine, 1, "packs of pairs", error);
  if (status != CLA_OK) return status;
  *engine = engine_of(input);
  pack_buffers_begin(&engine->buffers, device, kinds, BUFFERS, SCORES);
  lane_options(options, sizeof options, &input->config, &device->info, engine->build);
  status = pack_kernel_build(&engine->kernel, device, input->config.name, options, error);
  if (status == CLA_OK)
    status = pack_buffers_load_scores(&engine->buffers, &input->scheme, input->padding, error);
  if (status == CLA_OK)
    *out = engine;
  else
    lane_free(engine);
  return status;
}

void lane_free(lane_engine *engine) {
  if (!engine) return;
  pack_buffers_free(&engine->buffers);
  if (engine->kernel) clReleaseKernel(engine->kernel);
  for (int64_t i = 0; i < engine->tops_count; i++) free(engine->tops[i]);
  free(engine->tops);
  free(engine->found);
  free(engine);
}

cla_status lane_fill(lane_engine *engine, const lane_load *load, cla_error *error) {
  pack_buffers *buffers = &engine->buffers;
  int64_t needed[BUFFERS];
  engine->load = *load;
  engine->params.packs = load->packs;
  engine->params.rows_room = load->query_rows;
  engine->params.columns_room = lane_whole_columns(&engine->input.config, load->columns);
  set_needs(needed, engine, load);
  cla_status status = pack_buffers_unmap(buffers, LETTERS, error);
  if (status == CLA_OK) status = pack_buffers_unmap(buffers, SIZES, error);
  if (status == CLA_OK) status = pack_buffers_meet(buffers, needed, error);
  if (status == CLA_OK) status = pack_buffers_map(buffers, LETTERS, needed[LETTERS], error);
  if (status == CLA_OK) status = pack_buffers_map(buffers, SIZES, needed[SIZES], error);
  engine->letters = buffers->list[LETTERS].mapped;
  engine->sizes = buffers->list[SIZES].mapped;
  return status;
}

cla_status lane_launch(lane_engine *engine, int32_t *tops, const lane_pack *list, cla_error *error) {
  const cl_int zero = 0;
  const int64_t values = group_values(engine, &engine->load);
  pack_buffers *buffers = &engine->buffers;
  int64_t needed[BUFFERS];
  set_needs(needed, engine, &engine->load);
  cla_status status = pack_buffers_unmap(buffers, LETTERS, error);
  if (status == CLA_OK) status = pack_buffers_unmap(buffers, SIZES, error);
  if (status == CLA_OK)
    status = ALLOCATE_GROW(&engine->found, &engine->found_capacity, needed[ENDS], "the pairs' ends", error);
  if (status == CLA_OK) status = pack_buffers_write(buffers, LIST, list, needed[LIST], error);
  if (status == CLA_OK)
    status = pack_buffers_write(buffers, SETTINGS, &engine->params, sizeof engine->params, error);
  if (status == CLA_OK) status = pack_buffers_write(buffers, TICKETS, &zero, sizeof zero, error);
  if (status == CLA_OK)
    status = device_check(buffers->device, clSetKernelArg(engine->kernel, BUFFERS, sizeof values, &values),
                          "clSetKernelArg", error);
  if (status == CLA_OK)
    status = pack_buffers_launch(buffers, engine->kernel, groups_of(engine, &engine->load),
                                 engine->input.config.items, error);
  if (status == CLA_OK) status = pack_buffers_read(buffers, ENDS, engine->found, needed[ENDS], error);
  if (status == CLA_OK) status = pack_buffers_read(buffers, TOPS, tops, needed[TOPS], error);
  return status;
}
