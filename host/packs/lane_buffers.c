#include "packs/lane_buffers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/extremes.h"
#include "packs/pack_buffer.h"
#include "scoring/lane_width.h"

struct packs {
  cla_device *device;
  packed_config config;
  packed_build build;
  packed_params params;
  cl_kernel kernel;
  int64_t memory_most; /* of all buffers */
  pack_buffer settings, scores, list, letters, sizes, ends, tops, memory, tickets;
  packs_load load; /* of the launch */
  int32_t *found;
  int64_t found_capacity;
};

#define NEEDS 8

int packs_ends_of_lane(const packs *engine) {
  return engine->build.best ? PACKED_BEST_ENDS : PACKED_EDGE_ENDS;
}

/* Of the load's largest pack, in each group's memory. */
static int64_t group_values(const packs *engine, const packs_load *load) {
  return packed_group_values(&engine->config, engine->build.gaps, load->query_rows,
                             packed_whole_columns(&engine->config, load->columns));
}

static int64_t groups_of(const packs *engine, const packs_load *load) {
  return smaller(engine->config.groups, load->packs);
}

/* The buffers of a launch, but for the score table. */
static void needs_of(pack_need needs[NEEDS], packs *of, const packs_load *load) {
  const int64_t pairs = load->packs * packed_pairs(&of->config), number = (int64_t)sizeof(int32_t);
  const int64_t line_bytes = groups_of(of, load) * group_values(of, load) * of->config.value_bytes;
  const pack_need all[NEEDS] = {
      {&of->letters, load->letters, POISON_LETTERS, "the pairs' letters"},
      {&of->sizes, pairs * 2 * number, POISON_INTS, "the pairs' lengths"},
      {&of->ends, pairs * packs_ends_of_lane(of) * number, POISON_INTS, "the pairs' ends"},
      {&of->list, load->packs * (int64_t)sizeof(packed_pack), POISON_LONGS, "packs of pairs"},
      {&of->tops, load->tops * number, POISON_INTS, "what rows reach"},
      {&of->memory, line_bytes, POISON_LINES, "the packs' lines"},
      {&of->settings, (int64_t)sizeof of->params, POISON_LONGS, "the packs' parameters"},
      {&of->tickets, (int64_t)sizeof(cl_int), POISON_INTS, "the packs' tickets"}};
  memcpy(needs, all, sizeof all);
}

packs_load packs_load_with(const packs_load *load, const packed_config *config, const packed_pack *pack,
                           int64_t letters) {
  return (packs_load){.packs = load->packs + 1,
                      .letters = load->letters + letters,
                      .tops = load->tops + packed_tops(config, pack),
                      .query_rows = larger(load->query_rows, pack->query_stride),
                      .columns = larger(load->columns, pack->columns)};
}

static cla_status build_kernel(packs *engine, cla_error *error) {
  char file[64], options[256];
  cl_program program = NULL;
  cl_int code = CL_SUCCESS;
  snprintf(file, sizeof file, "%s.cl", engine->config.name);
  packed_options(options, sizeof options, &engine->config, &engine->device->info, engine->build);
  cla_status status = device_build(&program, engine->device, file, options, error);
  if (status != CLA_OK) return status;
  engine->kernel = clCreateKernel(program, engine->config.name, &code);
  return device_check(engine->device, code, "clCreateKernel", error);
}

static packed_params make_params(const packs_input *input) {
  const cla_scoring *scoring = input->scoring;
  const score_table *table = input->table;
  const path_ends *ends = &input->ends;
  return (packed_params){.match = table->match,
                         .mismatch = lane_width_clamp(table->mismatch, scoring),
                         .largest = table->maximum > 0 ? table->maximum : 0,
                         .gap_first = scoring->gap_first,
                         .gap_ext = scoring->gap_ext,
                         .gap_first2 = scoring->gap_first2,
                         .gap_ext2 = scoring->gap_ext2,
                         .query_start = ends->query_start,
                         .target_start = ends->target_start,
                         .ends_in_row = ends->target_end ? 2 : path_ends_in_last_row(ends),
                         .ends_in_column = ends->query_end};
}

static packed_build build_of(const packs_input *input) {
  return (packed_build){.floor = input->ends.floor,
                        .best = input->ends.anywhere,
                        .matrix = input->table->needs_lookup ? (input->one_query ? 2 : 1) : 0,
                        .gaps = kernel_gaps_of(input->scoring)};
}

int64_t packs_bytes(const packs_input *input, const packs_load *load) {
  packs none = {.config = input->config, .build = build_of(input)};
  pack_need needs[NEEDS];
  needs_of(needs, &none, load);
  return pack_needs_bytes(needs, NEEDS);
}

void packs_limit(packs *engine, int64_t bytes) {
  engine->memory_most = bytes;
}

void packs_release(packs *engine) {
  pack_need needs[NEEDS];
  needs_of(needs, engine, &engine->load);
  pack_needs_free(needs, NEEDS, engine->device);
}

bool packs_have_room(packs *engine, const packs_load *load) {
  pack_need needs[NEEDS];
  needs_of(needs, engine, load);
  return pack_needs_fit(needs, NEEDS, engine->memory_most - engine->scores.bytes, engine->device);
}

cla_status packs_create(packs **out, cla_device *device, const packs_input *input, cla_error *error) {
  packs *engine = NULL;
  *out = NULL;
  cla_status status = allocate_zeros((void **)&engine, 1, sizeof *engine, "packs of pairs", error);
  if (status != CLA_OK) return status;
  engine->device = device;
  engine->config = input->config;
  engine->params = make_params(input);
  engine->build = build_of(input);
  packs_limit(engine, device->info.memory_bytes);
  status = build_kernel(engine, error);
  if (status == CLA_OK)
    status = pack_scores_load(&engine->scores, engine->device, input->scoring, input->table, input->padding,
                              error);
  if (status == CLA_OK)
    *out = engine;
  else
    packs_free(engine);
  return status;
}

void packs_free(packs *engine) {
  if (!engine) return;
  pack_buffer *buffers[] = {&engine->settings, &engine->scores, &engine->list,
                            &engine->letters,  &engine->sizes,  &engine->ends,
                            &engine->tops,     &engine->memory, &engine->tickets};
  for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; i++)
    pack_buffer_free(buffers[i], engine->device);
  if (engine->kernel) clReleaseKernel(engine->kernel);
  free(engine->found);
  free(engine);
}

cla_status packs_fill(packs_memory *out, packs *engine, const packs_load *load, cla_error *error) {
  pack_need needs[NEEDS];
  engine->load = *load;
  engine->params.packs = load->packs;
  engine->params.rows_room = load->query_rows;
  engine->params.columns_room = packed_whole_columns(&engine->config, load->columns);
  needs_of(needs, engine, load);
  cla_status status = pack_buffer_unmap(&engine->letters, engine->device, error);
  if (status == CLA_OK) status = pack_buffer_unmap(&engine->sizes, engine->device, error);
  if (status == CLA_OK)
    status = pack_needs_meet(needs, NEEDS, engine->memory_most - engine->scores.bytes, engine->device, error);
  if (status == CLA_OK) status = pack_buffer_map(&engine->letters, engine->device, load->letters, error);
  if (status == CLA_OK) {
    const int64_t size_bytes = load->packs * packed_pairs(&engine->config) * 2 * (int64_t)sizeof(int32_t);
    status = pack_buffer_map(&engine->sizes, engine->device, size_bytes, error);
  }
  *out = (packs_memory){.letters = engine->letters.mapped, .sizes = engine->sizes.mapped};
  return status;
}

static cla_status launch(packs *engine, cla_error *error) {
  const int64_t values = group_values(engine, &engine->load);
  const cl_mem buffers[] = {engine->settings.memory, engine->scores.memory, engine->list.memory,
                            engine->letters.memory,  engine->sizes.memory,  engine->ends.memory,
                            engine->tops.memory,     engine->memory.memory, engine->tickets.memory};
  const cl_uint count = sizeof buffers / sizeof buffers[0];
  cl_int code = CL_SUCCESS;
  for (cl_uint i = 0; i < count && code == CL_SUCCESS; i++)
    code = clSetKernelArg(engine->kernel, i, sizeof(cl_mem), &buffers[i]);
  if (code == CL_SUCCESS) code = clSetKernelArg(engine->kernel, count, sizeof values, &values);
  cla_status status = device_check(engine->device, code, "clSetKernelArg", error);
  if (status != CLA_OK) return status;
  return device_launch(engine->device, engine->kernel, groups_of(engine, &engine->load), engine->config.items,
                       error);
}

cla_status packs_run(const int32_t **ends, int32_t *tops, packs *engine, const packed_pack *list,
                     cla_error *error) {
  const cl_int zero = 0;
  const packs_load *load = &engine->load;
  const int64_t numbers = load->packs * packed_pairs(&engine->config) * packs_ends_of_lane(engine);
  const int64_t list_bytes = load->packs * (int64_t)sizeof *list;
  cla_status status = pack_buffer_unmap(&engine->letters, engine->device, error);
  if (status == CLA_OK) status = pack_buffer_unmap(&engine->sizes, engine->device, error);
  if (status == CLA_OK)
    status = allocate_grow((void **)&engine->found, &engine->found_capacity, numbers, sizeof(int32_t),
                           "the pairs' ends", error);
  if (status == CLA_OK) status = pack_buffer_write(engine->device, &engine->list, list, list_bytes, error);
  if (status == CLA_OK)
    status =
        pack_buffer_write(engine->device, &engine->settings, &engine->params, sizeof engine->params, error);
  if (status == CLA_OK)
    status = pack_buffer_write(engine->device, &engine->tickets, &zero, sizeof zero, error);
  if (status == CLA_OK) status = launch(engine, error);
  if (status == CLA_OK)
    status = pack_buffer_read(engine->device, &engine->ends, engine->found,
                              numbers * (int64_t)sizeof(int32_t), error);
  if (status == CLA_OK)
    status =
        pack_buffer_read(engine->device, &engine->tops, tops, load->tops * (int64_t)sizeof(int32_t), error);
  *ends = engine->found;
  return status;
}
