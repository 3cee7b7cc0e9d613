#include "wavefront/packs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/extremes.h"
#include "scoring/lane_width.h"
#include "wavefront/pack_buffer.h"

struct packs {
  cla_device *device;
  packed_config config;
  packed_build build;
  packed_params params;
  cl_kernel kernel;
  pack_buffer settings, scores, list, letters, sizes, ends, tops, memory, tickets;
  int64_t pack_count;
  int32_t *found;
  int64_t found_capacity;
};

int packs_ends_of_lane(const packs *engine) {
  return engine->build.best ? PACKED_BEST_ENDS : PACKED_EDGE_ENDS;
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

cla_status packs_create(packs **out, cla_device *device, const packs_input *input, cla_error *error) {
  packs *engine = NULL;
  *out = NULL;
  cla_status status = allocate_array((void **)&engine, 1, sizeof *engine, "packs of pairs", error);
  if (status != CLA_OK) return status;
  engine->device = device;
  engine->config = input->config;
  engine->params = make_params(input);
  engine->build = (packed_build){.floor = input->ends.floor,
                                 .best = input->ends.anywhere,
                                 .matrix = input->table->needs_lookup ? (input->one_query ? 2 : 1) : 0,
                                 .gaps = kernel_gaps_of(input->scoring)};
  status = build_kernel(engine, error);
  if (status == CLA_OK)
    status = pack_buffer_grow(&engine->settings, engine->device, sizeof engine->params,
                              "the packs' parameters", error);
  if (status == CLA_OK)
    status = pack_scores_load(&engine->scores, engine->device, input->scoring, input->table, input->padding,
                              error);
  if (status == CLA_OK)
    status = pack_buffer_grow(&engine->tickets, engine->device, sizeof(cl_int), "the packs' tickets", error);
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

cla_status packs_fill(packs_memory *out, packs *engine, int64_t letters_bytes, int64_t pack_count,
                      cla_error *error) {
  const int64_t pairs = pack_count * packed_pairs(&engine->config), number = (int64_t)sizeof(int32_t);
  const int64_t size_bytes = pairs * 2 * number, end_bytes = pairs * packs_ends_of_lane(engine) * number;
  engine->pack_count = pack_count;
  cla_status status = pack_buffer_unmap(&engine->letters, engine->device, error);
  if (status == CLA_OK) status = pack_buffer_unmap(&engine->sizes, engine->device, error);
  if (status == CLA_OK)
    status = pack_buffer_grow(&engine->letters, engine->device, letters_bytes, "the pairs' letters", error);
  if (status == CLA_OK)
    status = pack_buffer_grow(&engine->sizes, engine->device, size_bytes, "the pairs' lengths", error);
  if (status == CLA_OK)
    status = pack_buffer_grow(&engine->ends, engine->device, end_bytes, "the pairs' ends", error);
  if (status == CLA_OK)
    status = pack_buffer_grow(&engine->list, engine->device, pack_count * (int64_t)sizeof(packed_pack),
                              "packs of pairs", error);
  if (status == CLA_OK) status = pack_buffer_map(&engine->letters, engine->device, letters_bytes, error);
  if (status == CLA_OK) status = pack_buffer_map(&engine->sizes, engine->device, size_bytes, error);
  *out = (packs_memory){.letters = engine->letters.mapped, .sizes = engine->sizes.mapped};
  return status;
}

/* Room for the largest pack in each group's memory. */
static cla_status make_room(packs *engine, const packed_pack *list, int64_t *groups, int64_t *group_values,
                            cla_error *error) {
  int64_t rows = 0, columns = 0;
  for (int64_t i = 0; i < engine->pack_count; i++) {
    rows = larger(rows, list[i].query_stride);
    columns = larger(columns, list[i].columns);
  }
  engine->params.packs = engine->pack_count;
  engine->params.rows_room = rows;
  engine->params.columns_room = packed_whole_columns(&engine->config, columns);
  *groups = smaller(engine->config.groups, engine->pack_count);
  *group_values = packed_group_values(&engine->config, engine->build.gaps, rows, engine->params.columns_room);
  return pack_buffer_grow(&engine->memory, engine->device,
                          *groups * *group_values * engine->config.value_bytes, "the packs' lines", error);
}

static cla_status launch(packs *engine, int64_t groups, int64_t group_values, cla_error *error) {
  const cl_mem buffers[] = {engine->settings.memory, engine->scores.memory, engine->list.memory,
                            engine->letters.memory,  engine->sizes.memory,  engine->ends.memory,
                            engine->tops.memory,     engine->memory.memory, engine->tickets.memory};
  const cl_uint count = sizeof buffers / sizeof buffers[0];
  const size_t local = (size_t)engine->config.items, global = (size_t)groups * local;
  cl_int code = CL_SUCCESS;
  for (cl_uint i = 0; i < count && code == CL_SUCCESS; i++)
    code = clSetKernelArg(engine->kernel, i, sizeof(cl_mem), &buffers[i]);
  if (code == CL_SUCCESS) code = clSetKernelArg(engine->kernel, count, sizeof group_values, &group_values);
  cla_status status = device_check(engine->device, code, "clSetKernelArg", error);
  if (status != CLA_OK) return status;
  code =
      clEnqueueNDRangeKernel(engine->device->queue, engine->kernel, 1, NULL, &global, &local, 0, NULL, NULL);
  return device_check(engine->device, code, "clEnqueueNDRangeKernel", error);
}

cla_status packs_run(const int32_t **ends, int32_t *tops, packs *engine, const packed_pack *list,
                     cla_error *error) {
  const cl_int zero = 0;
  int64_t groups = 0, group_values = 0, top_numbers = 0;
  const int64_t numbers = engine->pack_count * packed_pairs(&engine->config) * packs_ends_of_lane(engine);
  const int64_t list_bytes = engine->pack_count * (int64_t)sizeof *list;
  for (int64_t i = 0; i < engine->pack_count; i++) top_numbers += packed_tops(&engine->config, &list[i]);
  cla_status status = pack_buffer_unmap(&engine->letters, engine->device, error);
  if (status == CLA_OK) status = pack_buffer_unmap(&engine->sizes, engine->device, error);
  if (status == CLA_OK)
    status = pack_buffer_grow(&engine->tops, engine->device, top_numbers * (int64_t)sizeof *tops,
                              "what rows reach", error);
  if (status == CLA_OK) status = make_room(engine, list, &groups, &group_values, error);
  if (status == CLA_OK)
    status = allocate_grow((void **)&engine->found, &engine->found_capacity, numbers, sizeof(int32_t),
                           "the pairs' ends", error);
  if (status == CLA_OK) status = pack_buffer_write(engine->device, &engine->list, list, list_bytes, error);
  if (status == CLA_OK)
    status =
        pack_buffer_write(engine->device, &engine->settings, &engine->params, sizeof engine->params, error);
  if (status == CLA_OK)
    status = pack_buffer_write(engine->device, &engine->tickets, &zero, sizeof zero, error);
  if (status == CLA_OK) status = launch(engine, groups, group_values, error);
  if (status == CLA_OK)
    status = pack_buffer_read(engine->device, &engine->ends, engine->found,
                              numbers * (int64_t)sizeof(int32_t), error);
  if (status == CLA_OK)
    status =
        pack_buffer_read(engine->device, &engine->tops, tops, top_numbers * (int64_t)sizeof(int32_t), error);
  *ends = engine->found;
  return status;
}
