#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/extremes.h"
#include "packs/chain_internal.h"
#include "region/wavefront.h"

/* letters may take at most 1 / MEMORY_SHARE of the device's memory */
#define MEMORY_SHARE 4

/* The kernel's arguments. */
enum { SETTINGS, LAUNCH, SCORES, PARTS, LETTERS, BUS, STATES, BASES, BOTTOM, ENDS, TICKET, BUFFERS };
static const pack_buffer_kind kinds[BUFFERS] = {
    [SETTINGS] = {POISON_LONGS, "the pairs' parameters"}, [LAUNCH] = {POISON_LONGS, "the pairs' parameters"},
    [SCORES] = {POISON_INTS, "the score table"},          [PARTS] = {POISON_LONGS, "the pairs"},
    [LETTERS] = {POISON_LETTERS, "the pairs' letters"},   [BUS] = {POISON_LINES, "the bus between strips"},
    [STATES] = {POISON_LINES, "the strips' state"},       [BASES] = {POISON_LONGS, "the strips' bases"},
    [BOTTOM] = {POISON_LINES, "the last rows"},           [ENDS] = {POISON_LONGS, "the pairs' ends"},
    [TICKET] = {POISON_INTS, "the pairs' ticket"}};

/* The memory of chains and pairs. */
typedef struct chain_room {
  int64_t chains;
  /* Geometry of a strip that is as long as the longest target: of undivided pairs (`whole`), of all pairs
   * (`longest`). */
  kernel_geometry whole, longest;
  int64_t bus_bytes; /* bytes of the buses of all chains and of divided pairs */
} chain_room;

static chain_room room_of(const kernel_config *config, kernel_gaps gaps, const chain_load *load) {
  const int64_t strip_rows = kernel_strip_rows(config), most = smaller(config->groups, load->parts);
  chain_room room = {.chains = kernel_groups(config, most) * kernel_chains(config)};
  room.whole = kernel_layout(config, gaps, strip_rows, larger(load->own_columns, 1));
  room.longest = kernel_layout(config, gaps, strip_rows, larger(load->columns, 1));
  room.bus_bytes = room.chains * room.whole.bus_bytes + load->bus_bytes;
  return room;
}

/* Sets the bytes that a load needs in each buffer. */
static void set_needs(int64_t needed[BUFFERS], const kernel_config *config, const path_scheme *scheme,
                      const chain_load *load) {
  const chain_room room = room_of(config, kernel_gaps_of(scheme->scoring), load);
  const bool bottom = path_ends_in_last_row(&scheme->ends);
  needed[SETTINGS] = (int64_t)sizeof(region_params);
  needed[LAUNCH] = (int64_t)sizeof(chain_params);
  needed[SCORES] = 0;
  needed[PARTS] = load->parts * (int64_t)sizeof(chain_part);
  needed[LETTERS] = load->letters + CHAIN_SPARE_LETTERS;
  needed[BUS] = room.bus_bytes;
  needed[STATES] = room.chains * room.longest.state_bytes;
  needed[BASES] = room.chains * room.longest.base_bytes;
  needed[BOTTOM] = bottom ? room.chains * room.longest.bottom_bytes : 1;
  needed[ENDS] = load->parts * (int64_t)sizeof(chain_ends);
  needed[TICKET] = (int64_t)sizeof(cl_int);
}

cla_status chain_create(chain_engine **out, cla_device *device, const path_scheme *scheme, cla_error *error) {
  chain_engine *engine = NULL;
  *out = NULL;
  cla_status status = ALLOCATE_ZEROS(&engine, 1, "chains of pairs", error);
  if (status != CLA_OK) return status;
  engine->scheme = *scheme;
  pack_buffers_begin(&engine->buffers, device, kinds, BUFFERS, SCORES);
  status = pack_buffers_load_scores(&engine->buffers, scheme, -1, error);
  if (status == CLA_OK)
    *out = engine;
  else
    chain_free(engine);
  return status;
}

void chain_free(chain_engine *engine) {
  if (!engine) return;
  pack_buffers_free(&engine->buffers);
  free(engine->filled);
  free(engine->found);
  free(engine);
}

static cla_status build_kernel(cl_kernel *out, const chain_engine *engine, const kernel_config *config,
                               cla_error *error) {
  const path_scheme *scheme = &engine->scheme;
  cla_device *device = engine->buffers.device;
  const kernel_build build = {.local = scheme->ends.floor,
                              .best = path_ends_best(&scheme->ends),
                              .matrix = scheme->table->needs_lookup,
                              .pairs = true,
                              .gaps = kernel_gaps_of(scheme->scoring),
                              .scoring = scheme->scoring,
                              .table = scheme->table};
  char options[256];
  kernel_options(options, sizeof options, config, &device->info, build);
  return pack_kernel_build(out, device, config->variant->name, options, error);
}

int64_t chain_bytes(const kernel_config *config, const path_scheme *scheme, const chain_load *load) {
  int64_t needed[BUFFERS];
  set_needs(needed, config, scheme, load);
  return pack_buffers_bytes(needed, BUFFERS);
}

bool chain_has_room(const chain_engine *engine, const kernel_config *config, const chain_load *load) {
  int64_t needed[BUFFERS];
  set_needs(needed, config, &engine->scheme, load);
  return pack_buffers_fit(&engine->buffers, needed);
}

int64_t chain_bytes_most(const chain_engine *engine) {
  const cla_device_info *info = &engine->buffers.device->info;
  return smaller(info->max_allocation_bytes / 2, info->memory_bytes / MEMORY_SHARE);
}

cla_status chain_fill(uint8_t **letters, chain_engine *engine, const kernel_config *config,
                      const chain_load *load, cla_error *error) {
  int64_t needed[BUFFERS];
  set_needs(needed, config, &engine->scheme, load);
  engine->load = *load;
  cla_status status = pack_buffers_meet(&engine->buffers, needed, error);
  if (status == CLA_OK)
    status = ALLOCATE_GROW(&engine->filled, &engine->filled_capacity, needed[LETTERS], "the pairs' letters",
                           error);
  *letters = engine->filled;
  if (status == CLA_OK) memset(*letters + load->letters, PACK_QUERY_NEVER, CHAIN_SPARE_LETTERS);
  return status;
}

/* Returns the parameters of a region that are the same for all pairs. */
static region_params make_params(const path_scheme *scheme, const kernel_config *config, int64_t stride) {
  const path_ends *ends = &scheme->ends;
  const border_rule gap = border_of_gap(scheme->scoring, 0), none = {0};
  region_params params =
      region_params_make(scheme, ends->query_start ? &none : &gap, ends->target_start ? &none : &gap);
  params.rows = INT64_MAX; /* the query's letters show the kernel where the query ends */
  params.query_step = params.target_step = 1;
  params.tile_columns = config->tile_columns;
  params.bottom = path_ends_in_last_row(ends);
  params.stride = stride;
  return params;
}

cla_status chain_write_letters(chain_engine *engine, const uint8_t *letters, int64_t bytes,
                               cla_error *error) {
  return pack_buffers_write(&engine->buffers, LETTERS, letters, bytes, error);
}

/* True if the part is a whole pair that uses its chain's bus. A pair with a long target has a bus of its
 * own. */
static bool is_whole(const chain_part *part, const kernel_config *config) {
  return !chain_is_long(config, part->columns) && part->first_strip == 0 &&
         part->end_strip == chain_strips(config, part->rows);
}

/* Sets the place of each part's bus: the chain's own bus, or the pair's bus, which follows the buses of all
 * chains. */
static void place_buses(const chain_room *room, kernel_gaps gaps, const kernel_config *config,
                        chain_part *parts, int64_t count) {
  int64_t at = room->chains * room->whole.bus_bytes, number = 1; /* words are initially 0 */
  for (int64_t i = 0; i < count; i++) {
    chain_part *part = &parts[i];
    if (config->launch != KERNEL_PERSISTENT) {
      part->bus_at = -1;
      part->stride = room->whole.stride;
      part->number = 0;
      continue;
    }
    if (part->first_strip > 0) { /* an earlier part has placed the pair's bus */
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

static cla_status write_settings(chain_engine *engine, const kernel_config *config, const chain_room *room,
                                 const chain_part *parts, cla_error *error) {
  const path_ends *ends = &engine->scheme.ends;
  const chain_load *load = &engine->load;
  pack_buffers *buffers = &engine->buffers;
  const cl_int zero = 0;
  const region_params params = make_params(&engine->scheme, config, room->whole.stride);
  const chain_params launch = {.parts = load->parts,
                               .ends_in_row = ends->anywhere     ? 0
                                              : ends->target_end ? 2
                                                                 : path_ends_in_last_row(ends),
                               .bus_values = room->whole.bus_bytes / room->whole.value_bytes,
                               .state_values = room->longest.state_bytes / (int64_t)sizeof(uint32_t),
                               .bottom_values = room->longest.stride};
  cla_status status = pack_buffers_write(buffers, SETTINGS, &params, sizeof params, error);
  if (status == CLA_OK) status = pack_buffers_write(buffers, LAUNCH, &launch, sizeof launch, error);
  if (status == CLA_OK)
    status = pack_buffers_write(buffers, PARTS, parts, load->parts * (int64_t)sizeof *parts, error);
  if (status == CLA_OK) status = pack_buffers_write(buffers, TICKET, &zero, sizeof zero, error);
  /* Words from earlier launches contain numbers that could be mistaken for those of this launch. */
  if (status == CLA_OK && room->whole.word_bytes > 0)
    status = device_check(buffers->device,
                          clEnqueueFillBuffer(buffers->device->on->queue, buffers->list[BUS].memory, &zero,
                                              sizeof zero, 0, (size_t)room->bus_bytes, 0, NULL, NULL),
                          "clEnqueueFillBuffer", error);
  return status;
}

cla_status chain_launch(chain_engine *engine, const kernel_config *config, chain_part *parts,
                        cla_error *error) {
  const kernel_gaps gaps = kernel_gaps_of(engine->scheme.scoring);
  const int64_t count = engine->load.parts;
  const chain_room room = room_of(config, gaps, &engine->load);
  cl_kernel kernel = NULL;
  cla_status status = build_kernel(&kernel, engine, config, error);
  place_buses(&room, gaps, config, parts, count);
  if (status == CLA_OK) status = write_settings(engine, config, &room, parts, error);
  if (status == CLA_OK)
    status = ALLOCATE_GROW(&engine->found, &engine->found_capacity, count, "the pairs' ends", error);
  if (status == CLA_OK)
    status = pack_buffers_launch(&engine->buffers, kernel, kernel_groups(config, room.chains),
                                 kernel_group_items(config), error);
  if (status == CLA_OK)
    status = pack_buffers_read(&engine->buffers, ENDS, engine->found, count * (int64_t)sizeof *engine->found,
                               error);
  if (kernel) clReleaseKernel(kernel);
  return status;
}
