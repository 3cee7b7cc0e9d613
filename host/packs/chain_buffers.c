#include "packs/chain_buffers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/extremes.h"
#include "packs/pack_buffer.h"
#include "wavefront/region_params.h"

/* Of the device's memory, for letters. */
#define MEMORY_SHARE 4
/* Profiles are made of four rows at once, also behind the last strip's. */
#define SPARE_BYTES 4

struct chains {
  cla_device *device;
  chains_input input;
  int64_t memory_most; /* of all buffers */
  pack_buffer settings, of_launch, scores, parts, letters, bus, states, bases, bottom, ends, ticket;
  uint8_t *filled; /* the letters, until they are brought to the device: memory that drivers reach better
                    * takes them longer to make than it saves in a second of work */
  int64_t filled_capacity, filled_bytes;
  chain_ends *found;
  int64_t found_capacity;
};

/* The memory of chains and pairs. */
typedef struct chain_room {
  int64_t chains;
  kernel_geometry whole, longest; /* of one strip along the longest target of whole pairs, and of all */
  int64_t bus_bytes;              /* of all chains and of the pairs that they share */
} chain_room;

#define NEEDS 10

static chain_room room_of(const kernel_config *config, kernel_gaps gaps, const chains_load *load) {
  const int64_t strip_rows = kernel_strip_rows(config), most = smaller(config->groups, load->parts);
  chain_room room = {.chains = kernel_groups(config, most) * kernel_chains(config)};
  room.whole = kernel_layout(config, gaps, strip_rows, larger(load->own_columns, 1));
  room.longest = kernel_layout(config, gaps, strip_rows, larger(load->columns, 1));
  room.bus_bytes = room.chains * room.whole.bus_bytes + load->bus_bytes;
  return room;
}

/* The buffers of a launch, but for the score table. */
static void needs_of(pack_need needs[NEEDS], chains *of, const chain_room *room, const chains_load *load) {
  const bool bottom = path_ends_in_last_row(&of->input.ends);
  const int64_t part_bytes = (int64_t)sizeof(chain_part), end_bytes = (int64_t)sizeof(chain_ends);
  const pack_need all[NEEDS] = {
      {&of->letters, load->letters + SPARE_BYTES, POISON_LETTERS, "the pairs' letters"},
      {&of->bus, room->bus_bytes, POISON_LINES, "the bus between strips"},
      {&of->states, room->chains * room->longest.state_bytes, POISON_LINES, "the strips' state"},
      {&of->bases, room->chains * room->longest.base_bytes, POISON_LONGS, "the strips' bases"},
      {&of->bottom, bottom ? room->chains * room->longest.bottom_bytes : 1, POISON_LINES, "the last rows"},
      {&of->ends, load->parts * end_bytes, POISON_LONGS, "the pairs' ends"},
      {&of->parts, load->parts * part_bytes, POISON_LONGS, "the pairs"},
      {&of->settings, (int64_t)sizeof(region_params), POISON_LONGS, "the pairs' parameters"},
      {&of->of_launch, (int64_t)sizeof(chain_params), POISON_LONGS, "the pairs' parameters"},
      {&of->ticket, (int64_t)sizeof(cl_int), POISON_INTS, "the pairs' ticket"}};
  memcpy(needs, all, sizeof all);
}

cla_status chains_create(chains **out, cla_device *device, const chains_input *input, cla_error *error) {
  chains *engine = NULL;
  *out = NULL;
  cla_status status = allocate_zeros((void **)&engine, 1, sizeof *engine, "chains of pairs", error);
  if (status != CLA_OK) return status;
  engine->device = device;
  engine->input = *input;
  chains_limit(engine, device->info.memory_bytes);
  status = pack_scores_load(&engine->scores, engine->device, input->scoring, input->table, -1, error);
  if (status == CLA_OK)
    *out = engine;
  else
    chains_free(engine);
  return status;
}

void chains_free(chains *engine) {
  if (!engine) return;
  pack_buffer *buffers[] = {&engine->settings, &engine->of_launch, &engine->scores, &engine->parts,
                            &engine->letters,  &engine->bus,       &engine->states, &engine->bases,
                            &engine->bottom,   &engine->ends,      &engine->ticket};
  for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; i++)
    pack_buffer_free(buffers[i], engine->device);
  free(engine->filled);
  free(engine->found);
  free(engine);
}

static cla_status build_kernel(cl_kernel *out, chains *engine, const kernel_config *config,
                               cla_error *error) {
  const path_ends *ends = &engine->input.ends;
  const kernel_build build = {.local = ends->floor,
                              .best = path_ends_best(ends),
                              .matrix = engine->input.table->needs_lookup,
                              .pairs = true,
                              .gaps = kernel_gaps_of(engine->input.scoring)};
  char file[64], options[256];
  cl_program program = NULL;
  cl_int code = CL_SUCCESS;
  snprintf(file, sizeof file, "%s.cl", config->variant->name);
  kernel_options(options, sizeof options, config, &engine->device->info, build);
  cla_status status = device_build(&program, engine->device, file, options, error);
  if (status != CLA_OK) return status;
  *out = clCreateKernel(program, config->variant->name, &code);
  return device_check(engine->device, code, "clCreateKernel", error);
}

void chains_limit(chains *engine, int64_t bytes) {
  engine->memory_most = bytes;
}

void chains_release(chains *engine) {
  const chain_room room = {.chains = 0};
  const chains_load load = {.parts = 0};
  pack_need needs[NEEDS];
  needs_of(needs, engine, &room, &load);
  pack_needs_free(needs, NEEDS, engine->device);
}

int64_t chains_bytes(const kernel_config *config, const chains_input *input, const chains_load *load) {
  const chain_room room = room_of(config, kernel_gaps_of(input->scoring), load);
  chains none = {.input = *input};
  pack_need needs[NEEDS];
  needs_of(needs, &none, &room, load);
  return pack_needs_bytes(needs, NEEDS);
}

bool chains_have_room(chains *engine, const kernel_config *config, const chains_load *load) {
  const chain_room room = room_of(config, kernel_gaps_of(engine->input.scoring), load);
  pack_need needs[NEEDS];
  needs_of(needs, engine, &room, load);
  return pack_needs_fit(needs, NEEDS, engine->memory_most - engine->scores.bytes, engine->device);
}

int64_t chains_bytes_most(const chains *engine) {
  const cla_device_info *info = &engine->device->info;
  return smaller(info->max_allocation_bytes / 2, info->memory_bytes / MEMORY_SHARE);
}

cla_status chains_fill(uint8_t **letters, chains *engine, int64_t bytes, cla_error *error) {
  const int64_t all = bytes + SPARE_BYTES;
  cla_status status =
      allocate_grow((void **)&engine->filled, &engine->filled_capacity, all, 1, "the pairs' letters", error);
  *letters = engine->filled;
  engine->filled_bytes = all;
  if (status == CLA_OK) memset(*letters + bytes, PACKED_QUERY_NEVER, SPARE_BYTES);
  return status;
}

/* The parameters of a region, as far as all pairs have them in common. */
static region_params make_params(const chains *engine, const kernel_config *config, int64_t stride) {
  const chains_input *input = &engine->input;
  const path_ends *ends = &input->ends;
  const border_rule gap = border_of_gap(input->scoring, 0), none = {0};
  region_params params = region_params_make(input->scoring, input->table, ends->query_start ? &none : &gap,
                                            ends->target_start ? &none : &gap);
  params.rows = INT64_MAX; /* a query's letters say where it ends */
  params.query_step = params.target_step = 1;
  params.tile_columns = config->tile_columns;
  params.bottom = path_ends_in_last_row(ends);
  params.stride = stride;
  return params;
}

/* Whether the part is a pair that has the bus of its chain, which is no longer for a few long targets. */
static bool is_whole(const chain_part *part, const kernel_config *config) {
  return !chain_is_long(config, part->columns) && part->first_strip == 0 &&
         part->end_strip == chain_strips(config, part->rows);
}

/* What the parts take. */
static chains_load load_of(const chains *engine, const kernel_config *config, const chain_part *parts,
                           int64_t count) {
  const kernel_gaps gaps = kernel_gaps_of(engine->input.scoring);
  chains_load load = {.parts = count, .letters = engine->filled_bytes - SPARE_BYTES};
  for (int64_t i = 0; i < count; i++) {
    const bool whole = is_whole(&parts[i], config);
    load.columns = larger(load.columns, parts[i].columns);
    if (whole) load.own_columns = larger(load.own_columns, parts[i].columns);
    if (!whole && parts[i].first_strip == 0)
      load.bus_bytes += chain_bus_bytes(config, gaps, parts[i].columns);
  }
  return load;
}

/* Where each part's bus is: the chain's own, or behind all chains' the pair's. */
static void place_buses(const chain_room *room, kernel_gaps gaps, const kernel_config *config,
                        chain_part *parts, int64_t count) {
  int64_t at = room->chains * room->whole.bus_bytes, number = 1; /* 0 is what the words are at first */
  for (int64_t i = 0; i < count; i++) {
    chain_part *part = &parts[i];
    if (part->first_strip > 0) { /* the pair's bus is there */
      part->bus_at = part[-1].bus_at;
      part->stride = part[-1].stride;
      part->number = part[-1].number;
      continue;
    }
    const bool whole = is_whole(part, config);
    const kernel_geometry own =
        whole ? room->whole : kernel_layout(config, gaps, kernel_strip_rows(config), part->columns);
    part->bus_at = whole ? -1 : at / own.value_bytes;
    part->stride = own.stride;
    part->number = number;
    if (!whole) at += own.bus_bytes;
    number += chain_strips(config, part->rows) + 1;
  }
}

static cla_status make_room(const chain_room *room, chains *engine, const chains_load *load,
                            cla_error *error) {
  pack_need needs[NEEDS];
  needs_of(needs, engine, room, load);
  return pack_needs_meet(needs, NEEDS, engine->memory_most - engine->scores.bytes, engine->device, error);
}

cla_status chains_reserve(chains *engine, const kernel_config *config, const chains_load *load,
                          cla_error *error) {
  const chain_room room = room_of(config, kernel_gaps_of(engine->input.scoring), load);
  return make_room(&room, engine, load, error);
}

static cla_status write_settings(const chains *engine, const kernel_config *config, const chain_room *room,
                                 const chain_part *parts, int64_t count, cla_error *error) {
  const path_ends *ends = &engine->input.ends;
  const cla_device *device = engine->device;
  const cl_int zero = 0;
  const region_params params = make_params(engine, config, room->whole.stride);
  const chain_params launch = {.parts = count,
                               .ends_in_row = ends->anywhere     ? 0
                                              : ends->target_end ? 2
                                                                 : path_ends_in_last_row(ends),
                               .bus_values = room->whole.bus_bytes / room->whole.value_bytes,
                               .state_values = room->longest.state_bytes / (int64_t)sizeof(uint32_t),
                               .bottom_values = room->longest.stride};
  cla_status status = pack_buffer_write(device, &engine->settings, &params, sizeof params, error);
  if (status == CLA_OK)
    status = pack_buffer_write(device, &engine->letters, engine->filled, engine->filled_bytes, error);
  if (status == CLA_OK) status = pack_buffer_write(device, &engine->of_launch, &launch, sizeof launch, error);
  if (status == CLA_OK)
    status = pack_buffer_write(device, &engine->parts, parts, count * (int64_t)sizeof *parts, error);
  if (status == CLA_OK) status = pack_buffer_write(device, &engine->ticket, &zero, sizeof zero, error);
  /* Words of earlier launches have numbers, too. */
  if (status == CLA_OK && room->whole.word_bytes > 0)
    status = device_check(device,
                          clEnqueueFillBuffer(device->queue, engine->bus.memory, &zero, sizeof zero, 0,
                                              (size_t)room->bus_bytes, 0, NULL, NULL),
                          "clEnqueueFillBuffer", error);
  return status;
}

static cla_status launch(const chains *engine, cl_kernel kernel, const kernel_config *config,
                         int64_t chains_at_once, cla_error *error) {
  const cl_mem buffers[] = {engine->settings.memory, engine->of_launch.memory, engine->scores.memory,
                            engine->parts.memory,    engine->letters.memory,   engine->bus.memory,
                            engine->states.memory,   engine->bases.memory,     engine->bottom.memory,
                            engine->ends.memory,     engine->ticket.memory};
  const cl_uint count = sizeof buffers / sizeof buffers[0];
  cl_int code = CL_SUCCESS;
  for (cl_uint i = 0; i < count && code == CL_SUCCESS; i++)
    code = clSetKernelArg(kernel, i, sizeof(cl_mem), &buffers[i]);
  cla_status status = device_check(engine->device, code, "clSetKernelArg", error);
  if (status != CLA_OK) return status;
  return device_launch(engine->device, kernel, kernel_groups(config, chains_at_once),
                       kernel_group_items(config), error);
}

cla_status chains_run(const chain_ends **ends, chains *engine, const kernel_config *config, chain_part *parts,
                      int64_t count, cla_error *error) {
  const kernel_gaps gaps = kernel_gaps_of(engine->input.scoring);
  const chains_load load = load_of(engine, config, parts, count);
  const chain_room room = room_of(config, gaps, &load);
  cl_kernel kernel = NULL;
  cla_status status = build_kernel(&kernel, engine, config, error);
  place_buses(&room, gaps, config, parts, count);
  if (status == CLA_OK) status = make_room(&room, engine, &load, error);
  if (status == CLA_OK) status = write_settings(engine, config, &room, parts, count, error);
  if (status == CLA_OK)
    status = allocate_grow((void **)&engine->found, &engine->found_capacity, count, sizeof *engine->found,
                           "the pairs' ends", error);
  if (status == CLA_OK) status = launch(engine, kernel, config, room.chains, error);
  if (status == CLA_OK)
    status = pack_buffer_read(engine->device, &engine->ends, engine->found,
                              count * (int64_t)sizeof *engine->found, error);
  *ends = engine->found;
  if (kernel) clReleaseKernel(kernel);
  return status;
}
