#include "plan/plan_rows.h"

#include "base/error.h"
#include "scoring/lane_width.h"

/* More rows cost memory and save little: with 48, traceback computes about 3 % of a square again. */
#define SPECIAL_ROWS_ENOUGH 48
/* Rows kept inside a block; the next block's rows are that much closer to each other. */
#define BLOCK_ROWS_ENOUGH 64
/* Host memory that does not grow with the sequences: direction bits, parts of rows, the driver's share. */
#define HOST_BASE_BYTES (INT64_C(8) << 20)
/* Device memory likewise: parameters, scores. */
#define DEVICE_BASE_BYTES (INT64_C(1) << 16)

/* Memory of a stage or of several, of which the largest counts. */
typedef struct memory_use {
  int64_t device, largest_buffer;
  int64_t kept_rows; /* on the host, at once */
} memory_use;

static int64_t larger(int64_t a, int64_t b) {
  return a > b ? a : b;
}

/* What a region of so many rows, of the whole target's width, takes if it keeps rows every `interval`. */
static memory_use region_use(const plan *p, const plan_input *input, int64_t rows, int64_t interval) {
  const kernel_geometry g = kernel_layout(&p->sweep, rows, input->columns);
  const int64_t kept = kernel_row_slots(&g, &p->sweep, rows, interval) * g.row_bytes;
  memory_use use = {.device = input->rows + input->columns + g.bus_bytes + g.state_bytes + g.base_bytes +
                              g.best_bytes + g.bottom_bytes + kept + DEVICE_BASE_BYTES};
  use.largest_buffer =
      larger(larger(g.bus_bytes, g.state_bytes), larger(kept, larger(input->rows, input->columns)));
  use.kept_rows = interval > 0 ? rows / interval : 0;
  return use;
}

int64_t plan_block_interval(const plan *whole, int64_t rows) {
  const int64_t strip_rows = kernel_strip_rows(&whole->sweep);
  int64_t parts = (rows + whole->small_block_rows - 1) / whole->small_block_rows;
  if (parts > whole->block_rows_kept + 1) parts = whole->block_rows_kept + 1;
  const int64_t even = (rows + parts - 1) / parts;
  const int64_t interval = (even + strip_rows - 1) / strip_rows * strip_rows;
  return interval < rows ? interval : 0;
}

/* The sweep and all levels of blocks below it, as if every block were as wide as the target. */
static memory_use all_stages(const plan *p, const plan_input *input) {
  memory_use all = region_use(p, input, input->rows, p->row_interval);
  if (input->score_only) return all;
  int64_t rows = p->row_interval > 0 ? p->row_interval : input->rows;
  for (int64_t interval = 0; (interval = plan_block_interval(p, rows)) > 0; rows = interval) {
    const memory_use level = region_use(p, input, rows, interval);
    all.device = larger(all.device, level.device);
    all.largest_buffer = larger(all.largest_buffer, level.largest_buffer);
    all.kept_rows += level.kept_rows;
  }
  return all;
}

/* The interval that gives at most `count` rows, whole strips; 0 for none. */
static int64_t interval_for(const plan *p, int64_t rows, int64_t count) {
  const int64_t strip_rows = kernel_strip_rows(&p->sweep);
  if (count <= 0) return 0;
  const int64_t even = rows / (count + 1) + 1;
  const int64_t interval = (even + strip_rows - 1) / strip_rows * strip_rows;
  return interval <= rows ? interval : 0;
}

/* Host memory besides kept rows: sequences, a bus line, a block's borders, the last row, the path. */
static int64_t host_base(const plan *p, const plan_input *input) {
  const kernel_geometry g = kernel_layout(&p->sweep, input->rows, input->columns);
  const int64_t node = (int64_t)sizeof(int64_t);
  int64_t bytes = HOST_BASE_BYTES + input->rows + input->columns + g.row_bytes;
  if (!input->local) bytes += (input->columns + 1) * node;
  if (input->score_only) return bytes;
  const int64_t border = 2 * (input->columns + 1) * node; /* H and F above a block */
  const int64_t panels = input->columns / 2 * node;       /* left borders of a small block's panels */
  const int64_t steps = input->rows + input->columns;     /* the path: a run for every 16 letters */
  return bytes + border + panels + steps;
}

/* Host memory of one special row in full width: two differences a node, and little else. */
static int64_t special_row_bytes(const plan_input *input) {
  const int64_t nodes = input->columns + 1;
  return 2 * nodes * lane_width_difference_bytes(input->table->maximum, input->scoring) + nodes / 512 + 64;
}

/* Sets the rows of the sweep and of blocks, and what they take. */
static memory_use set_rows(plan *p, const plan_input *input, int64_t special, int64_t block_rows) {
  p->row_interval = interval_for(p, input->rows, special);
  p->special_rows = p->row_interval > 0 ? input->rows / p->row_interval : 0;
  p->block_rows_kept = input->score_only ? 0 : block_rows;
  const memory_use use = all_stages(p, input);
  p->device_bytes = use.device;
  p->host_bytes = host_base(p, input) + use.kept_rows * special_row_bytes(input);
  return use;
}

static bool fits(const plan *p, const plan_input *input, const memory_use *use) {
  return p->host_bytes <= input->memory_bytes && use->device <= input->device_memory_bytes &&
         use->largest_buffer <= input->device->max_allocation_bytes;
}

static cla_status does_not_fit(const plan *p, const plan_input *input, const memory_use *use,
                               cla_error *error) {
  const char *option = p->host_bytes > input->memory_bytes ? "--memory" : "--device-memory";
  const int64_t budget =
      p->host_bytes > input->memory_bytes ? input->memory_bytes : input->device_memory_bytes;
  const int64_t least = p->host_bytes > input->memory_bytes ? p->host_bytes : use->device;
  if (least > budget)
    return error_set(error, CLA_ERROR_MEMORY, "%s %lld is too small: %lld bytes would do", option,
                     (long long)budget, (long long)least);
  return error_set(
      error, CLA_ERROR_MEMORY,
      "%s allows buffers of at most %lld bytes, this needs one of %lld; keep fewer --special-rows, align a "
      "shorter range, or choose another --device",
      input->device->name, (long long)input->device->max_allocation_bytes, (long long)use->largest_buffer);
}

cla_status plan_rows(plan *out, const plan_input *input, cla_error *error) {
  const bool chosen = input->special_rows >= 0;
  int64_t special = chosen ? input->special_rows : SPECIAL_ROWS_ENOUGH;
  const int64_t useful = input->rows / out->small_block_rows;
  if (!chosen && special > useful) special = useful;
  if (input->score_only) special = 0;
  memory_use use = set_rows(out, input, special, 1);
  while (!chosen && special > 0 && !fits(out, input, &use)) use = set_rows(out, input, --special, 1);
  if (!fits(out, input, &use)) return does_not_fit(out, input, &use, error);
  if (input->score_only) return CLA_OK;
  int64_t block_rows = BLOCK_ROWS_ENOUGH;
  use = set_rows(out, input, special, block_rows);
  while (block_rows > 1 && !fits(out, input, &use)) use = set_rows(out, input, special, --block_rows);
  return CLA_OK;
}
