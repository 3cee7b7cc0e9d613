#include "plan/plan_internal.h"

#include <math.h>

#include "base/error.h"
#include "base/extremes.h"
#include "plan/plan_blocks.h"
#include "scoring/lane_width.h"

/* Minimum number of kept rows, whatever they cost. With fewer rows, bands would be too wide, and too few to
 * share among threads. */
#define SPECIAL_ROWS_LEAST 48
#define SPECIAL_ROWS_MOST 1024 /* maximum number of kept rows */
/* Kept rows beyond SPECIAL_ROWS_LEAST take at most this fraction of the memory budget. */
#define SPECIAL_ROWS_SHARE 0.5
/* Cost of a kept row in the sweep. Measured on an H200: a row of 23,000 nodes 0.05 ms, one of 200,000 nodes
 * 0.1 ms, one of a million nodes 0.5 ms. */
#define ROW_SECONDS_GPU 2e-5     /* seconds of the pause between launches */
#define ROW_SECONDS_CPU 2e-4     /* seconds of the pause between launches */
#define ROW_NODE_SECONDS 4.5e-10 /* seconds per node */
/* Width of a band, as a fraction of its block's rows. Measured on 1 Mbp: 0.02 at 1 % divergence, 0.06 at 5
 * %, 0.17 at 15 %, 0.23 at 20 %. For paths from end to end, the width is about the fraction of the score
 * that is lost. */
#define BAND_WIDTH 0.1
#define BAND_WIDTH_LIKE 0.02 /* minimum width if a bound is known */
/* Width of a band in a global pair whose sequences may be dissimilar everywhere. If scores are looked up,
 * bands are wider, because the largest scores say less about a row. */
#define BAND_WIDTH_UNLIKE 1.05       /* fraction of the block's rows */
#define BAND_WIDTH_UNLIKE_LOOKUP 2.1 /* fraction of the block's rows, if scores are looked up */
/* Kept rows that end simultaneously may take 1 / ROWS_AT_ONCE_PART of the device memory. */
#define ROWS_AT_ONCE_PART 8
#define BAND_WANDER 1.4 /* factor on band_block_wander for blocks that threads compute ahead of the path */
#define BAND_WIDTH_LEAST 100 /* minimum columns of a band */
#define BLOCK_ROWS_ENOUGH 64 /* a block benefits from at most this many kept rows */
/* Memory must have room for at least this many kept rows of nested blocks, each row as wide as the target. */
#define BLOCK_ROWS_LEAST 4
/* The sweep's rows take at most this fraction of the memory that has no other use. */
#define ROWS_OF_ROOM 0.75
/* Kept rows in memory if all rows go to disk. One is above the sweep's start, one arrives, some wait for
 * the writer. One more is being written, or read by the traceback. */
#define ROWS_ON_THE_WAY 5
#define ROWS_OF_A_THREAD 3   /* kept rows in memory for each further thread: received, waiting, written */
#define ROW_WRITE_RATE 2.5e8 /* bytes of rows that a thread compresses and writes per second */
/* Host memory of any pair: direction bits, parts of rows, the driver. */
#define HOST_BASE_BYTES (INT64_C(8) << 20)
#define ROWS_TO_VERIFY 64  /* rows between the last row and the row kept for an unpruned score */
#define SHARE_ROUNDED 1e-3 /* relative rounding error when a budget is shared */
/* Memory that a band should have for kept lines and directions, in bytes. */
#define BAND_BASE_BYTES (INT64_C(16) << 20)
#define BAND_ROW_BYTES 256 /* bytes per row that a band should have */
/* Maximum number of bands that wait for the path, in addition to one for each thread. */
#define BANDS_AHEAD 3
#define DEVICE_BASE_BYTES (INT64_C(1) << 16) /* device memory of any pair: parameters, scores */

/* The engine's device buffers. Each has the size that the largest stage needs. */
enum { SEQUENCES, BUS, STATES, BASES, BESTS, BOTTOM, KEPT, COUNTERS, PRUNING, BUFFERS };

/* Memory that one or more stages use. */
typedef struct memory_use {
  int64_t bytes[BUFFERS];
  int64_t kept_rows;  /* kept rows of the sweep that are on the host at the same time */
  int64_t block_rows; /* kept rows of nested blocks that are on the host at the same time */
} memory_use;

static int64_t device_bytes(const memory_use *use) {
  int64_t sum = DEVICE_BASE_BYTES;
  for (int i = 0; i < BUFFERS; i++) sum += use->bytes[i];
  return sum;
}

static int64_t largest_buffer(const memory_use *use, const plan_input *input) {
  int64_t largest = larger(input->rows, input->columns);
  for (int i = BUS; i < BUFFERS; i++) largest = larger(largest, use->bytes[i]);
  return largest;
}

/* Returns the kept rows among the sweep's first `rows` rows. */
static kernel_kept_rows sweep_of(const plan *p, const plan_input *input, int64_t rows, int64_t interval) {
  return (kernel_kept_rows){.rows = rows,
                            .interval = interval,
                            .panel_rows = p->panel_rows,
                            .prune = p->prune,
                            .window = input->windows.columns};
}

/* Adds the memory of a region as wide as the target. */
static void add_region(memory_use *use, const kernel_config *config, const plan_input *input,
                       kernel_kept_rows kept) {
  const kernel_geometry g = kernel_layout(config, kernel_gaps_of(input->scoring), kept.rows, input->columns);
  const int64_t bytes[BUFFERS] = {
      [SEQUENCES] = input->rows + input->columns,
      [BUS] = g.bus_bytes,
      [STATES] = g.state_bytes,
      [BASES] = g.base_bytes,
      [BESTS] = g.best_bytes,
      [BOTTOM] = g.bottom_bytes,
      [KEPT] = kernel_row_slots(&g, config, &kept) * g.row_bytes,
      [COUNTERS] = g.counter_bytes,
  };
  for (int i = 0; i < BUFFERS; i++) use->bytes[i] = larger(use->bytes[i], bytes[i]);
}

int64_t plan_first_interval(const plan *whole) {
  const bool several = whole->row_interval > 0 && whole->first_rows > whole->row_interval;
  return several ? whole->row_interval : whole->first_rows;
}

/* Returns the number of rows that the sweep keeps, including the row between the sweep's two parts. */
static int64_t rows_kept(const plan *p, int64_t rows) {
  const int64_t first = p->first_rows > 0 ? p->first_rows / plan_first_interval(p) : 0;
  return first + (p->row_interval > 0 ? (rows - p->first_rows) / p->row_interval : 0);
}

/* Adds the memory of a block of a sweep on several devices (plan_blocks.h): the last row, which the block
 * hands down, and the buffers of narrower tiles. */
static void add_block(memory_use *use, const plan *p, const plan_input *input) {
  const kernel_gaps gaps = kernel_gaps_of(input->scoring);
  const kernel_config narrow = plan_block_config(&p->sweep, input, input->rows);
  const kernel_geometry g = kernel_layout(&narrow, gaps, input->rows, input->columns);
  add_region(use, &narrow, input, sweep_of(p, input, input->rows, p->row_interval));
  use->bytes[KEPT] = larger(use->bytes[KEPT], g.row_bytes);
  if (p->prune)
    use->bytes[PRUNING] = larger(use->bytes[PRUNING], g.run_bytes + g.note_bytes + input->windows.bytes);
}

/* Returns the memory of the sweep, the start search and all levels of nested blocks, each as wide as the
 * target. */
static memory_use all_stages(const plan *p, const plan_input *input) {
  memory_use all = {0};
  add_region(&all, &p->sweep, input, sweep_of(p, input, input->rows, p->row_interval));
  if (p->first_rows > 0)
    add_region(&all, &p->sweep, input, sweep_of(p, input, p->first_rows, plan_first_interval(p)));
  all.kept_rows = rows_kept(p, input->rows);
  if (p->prune) {
    const kernel_gaps gaps = kernel_gaps_of(input->scoring);
    const kernel_geometry g = kernel_layout(&p->sweep, gaps, input->rows, input->columns);
    all.bytes[PRUNING] = g.run_bytes + g.note_bytes + input->windows.bytes;
  }
  if (input->devices > 1) add_block(&all, p, input);
  if (input->disk_bytes > 0 && all.kept_rows > ROWS_ON_THE_WAY) all.kept_rows = ROWS_ON_THE_WAY;
  if (input->score_only) return all; /* verifying a score needs no device memory */
  int64_t rows = p->row_interval > 0 ? p->row_interval : input->rows;
  add_region(&all, &p->blocks, input, (kernel_kept_rows){.rows = rows});
  for (int64_t interval = 0; (interval = plan_block_interval(p, rows, INT64_MAX)) > 0; rows = interval) {
    add_region(&all, &p->blocks, input, (kernel_kept_rows){.rows = rows, .interval = interval});
    all.block_rows += rows / interval;
  }
  return all;
}

/* True if the sweep keeps only one row, near the last one. */
static bool keeps_end_row(const plan *p, const plan_input *input) {
  return p->verifies && !p->prune && input->disk_bytes <= 0;
}

/* Returns the smallest interval, in whole strips, with which at most `count` rows are kept; 0: no rows are
 * kept. */
static int64_t interval_for(const plan *p, const plan_input *input, int64_t count) {
  const int64_t strip_rows = kernel_strip_rows(&p->sweep), rows = input->rows;
  if (count <= 0) return 0;
  if (keeps_end_row(p, input)) return larger(rows - ROWS_TO_VERIFY, 0) / strip_rows * strip_rows;
  const int64_t interval = plan_panel_interval(p, input, rows / (count + 1) + 1);
  return interval <= rows ? interval : 0;
}

/* Returns the bytes of a row's values in full width on the host. */
static int64_t row_values_bytes(const plan_input *input) {
  return gap_lines(input->scoring) * (input->columns + 1) * (int64_t)sizeof(int64_t);
}

/* Returns the host memory of the sweep alone: its last row, and the upper border of a part that starts below
 * a kept row. An unpruned sweep on one device reads this border piece by piece. */
static int64_t host_of_sweep(const plan *p, const plan_input *input, int64_t line) {
  const bool resumes = input->disk_bytes > 0 && (p->prune || input->devices > 1);
  int64_t bytes = path_ends_in_last_row(&input->ends) ? line : 0;
  if (p->first_rows > 0 || resumes) bytes += row_values_bytes(input);
  return bytes;
}

/* Returns the host memory of the traceback: directions and left borders of a small block (dp/small_block.c),
 * and the path. */
static int64_t host_of_traceback(const plan *p, const plan_input *input) {
  if (input->score_only && !p->verifies) return 0;
  const int64_t rows = larger(p->trace.small_block_rows, kernel_strip_rows(&p->blocks));
  const double values = gap_lines(input->scoring) * (double)sizeof(int64_t);
  const double panels = (1 + values / 16) * (double)rows * sqrt(16 * (double)input->columns);
  return (int64_t)panels + input->rows + input->columns; /* one run of the path per 16 letters */
}

/* Returns the host memory except that of kept rows: sequences, bus lines, and the larger of the sweep's and
 * the traceback's memory. */
static int64_t host_base(const plan *p, const plan_input *input) {
  const kernel_gaps gaps = kernel_gaps_of(input->scoring);
  const kernel_geometry sweep = kernel_layout(&p->sweep, gaps, input->rows, input->columns);
  const int64_t line = (input->columns + 1) * (int64_t)sizeof(int64_t);
  const kernel_geometry blocks = kernel_layout(&p->blocks, gaps, input->rows, input->columns);
  int64_t bytes = HOST_BASE_BYTES + input->rows + input->columns +
                  larger(kernel_staged_bytes(&sweep), kernel_staged_bytes(&blocks));
  const int64_t interval = p->row_interval > 0 ? p->row_interval : p->first_rows;
  if (interval > 0) { /* room for kept rows on their way */
    const kernel_row_pieces pieces =
        kernel_row_pieces_for(&sweep, &p->sweep, interval, p->trace.threads, p->prune);
    bytes += pieces.count * pieces.bytes;
  }
  return bytes + larger(host_of_sweep(p, input, line), host_of_traceback(p, input));
}

/* A row stores one difference per node and line, and little else. */
int64_t plan_row_bytes(const plan_input *input, int64_t nodes) {
  const int64_t lines = gap_lines(input->scoring);
  return lines * nodes * lane_width_difference_bytes(input->table->maximum, input->scoring) + nodes / 512 +
         64;
}

/* Returns the bytes of a kept row as wide as the target. */
static int64_t special_row_bytes(const plan_input *input) {
  return plan_row_bytes(input, input->columns + 1);
}

/* A kept row of a pruned sweep has at most this many times the average number of nodes. */
#define ROW_SHARE_MOST 2
/* Strips of kernels without tiles end at multiples of this number of columns (nvidia16_runs.clh). */
#define ROW_COLUMNS_LEAST 256

/* Returns the bytes of one of the sweep's kept rows. */
static int64_t kept_row_bytes_of(const plan *p, const plan_input *input) {
  const int64_t tile = larger(p->sweep.tile_columns, ROW_COLUMNS_LEAST) + p->sweep.lanes;
  const double least = (double)tile / (double)input->columns;
  const double share =
      p->prune && input->disk_bytes <= 0 ? fmin(ROW_SHARE_MOST * fmax(p->prune_share, least), 1) : 1;
  return (int64_t)(share * (double)special_row_bytes(input));
}

/* Returns the bytes for one border and for the kept rows of nested blocks, if each block keeps as many rows
 * as are useful. */
static int64_t block_bytes_enough(const plan *p, const plan_input *input, const memory_use *use) {
  if (input->score_only && !p->verifies) return 0;
  return use->block_rows * special_row_bytes(input) + row_values_bytes(input);
}

/* Returns the minimum bytes of the kept rows of nested blocks. To verify only a score, the path is followed
 * only between the sweep's rows. */
static int64_t block_bytes_least(const plan *p, const plan_input *input, const memory_use *use) {
  if (input->score_only) return block_bytes_enough(p, input, use);
  return smaller(use->block_rows, BLOCK_ROWS_LEAST) * special_row_bytes(input);
}

/* Sets the kept rows of the sweep and of blocks, and the minimum memory that they need. */
static memory_use set_rows(plan *p, const plan_input *input, int64_t special, int64_t block_rows) {
  p->row_interval = interval_for(p, input, special);
  p->panel_rows = plan_panel_rows(p, input);
  p->special_rows = p->row_interval > 0 || input->disk_bytes > 0 ? rows_kept(p, input->rows) : 0;
  p->trace.block_rows_kept = input->score_only ? 0 : block_rows;
  const memory_use use = all_stages(p, input);
  p->predicted.device_bytes = device_bytes(&use);
  p->predicted.disk_bytes = input->disk_bytes > 0 ? p->special_rows * special_row_bytes(input) : 0;
  p->trace.block_bytes = block_bytes_least(p, input, &use);
  p->predicted.host_bytes =
      host_base(p, input) + use.kept_rows * kept_row_bytes_of(p, input) + p->trace.block_bytes;
  return use;
}

/* Gives blocks the memory that they can use, but at most half of the remaining memory. Bands get the other
 * half. */
static void set_block_bytes(plan *p, const plan_input *input, const memory_use *use) {
  const int64_t left = input->memory_bytes - p->predicted.host_bytes;
  const int64_t more = smaller(block_bytes_enough(p, input, use) - p->trace.block_bytes, left / 2);
  p->trace.block_bytes += larger(more, 0);
  p->predicted.host_bytes += larger(more, 0);
}

/* True if the sweep's rows leave enough memory for the traceback. */
static bool leaves_room(const plan *p, const plan_input *input, const memory_use *use) {
  const int64_t bytes = use->kept_rows * kept_row_bytes_of(p, input);
  const int64_t room = input->memory_bytes - (p->predicted.host_bytes - bytes);
  return input->disk_bytes > 0 || (double)bytes <= ROWS_OF_ROOM * (double)room;
}

/* True if the sweep's rows fit in the disk budget, or stay in memory. */
static bool fits_on_disk(const plan *p, const plan_input *input) {
  return p->predicted.disk_bytes <= input->disk_bytes;
}

static bool fits(const plan *p, const plan_input *input, const memory_use *use) {
  return fits_on_disk(p, input) && p->predicted.host_bytes <= input->memory_bytes &&
         p->predicted.device_bytes <= input->device_memory_bytes &&
         largest_buffer(use, input) <= input->device->max_allocation_bytes;
}

/* Returns the budget of host memory as the user gave it. */
static int64_t whole_memory(const plan_input *input) {
  return input->memory_of_bytes > 0 ? input->memory_of_bytes : input->memory_bytes;
}

/* Returns the whole budget, rounded up, if `bytes` is the pair's share. */
static int64_t whole_memory_for(const plan_input *input, int64_t bytes) {
  if (input->memory_of_bytes == 0) return bytes;
  const double wholes = (double)input->memory_of_bytes / (double)input->memory_bytes;
  return (int64_t)ceil((double)bytes * wholes * (1 + SHARE_ROUNDED));
}

#define GIB(bytes) ((double)(bytes) / (1 << 30))

static cla_status host_does_not_fit(const plan *p, const plan_input *input, cla_error *error) {
  const int64_t have = whole_memory(input), need = whole_memory_for(input, p->predicted.host_bytes);
  if (input->memory_given)
    return error_set(error, CLA_ERROR_MEMORY, "--memory %lld is too small: %lld bytes would do",
                     (long long)have, (long long)need);
  return error_set(
      error, CLA_ERROR_MEMORY,
      "--memory %lld (%.3g GiB) would do; without it, half of what is free may be used, %.3g GiB, "
      "which is too little",
      (long long)need, GIB(need), GIB(have));
}

static cla_status device_does_not_fit(const plan *p, const plan_input *input, cla_error *error) {
  const int64_t have = input->device_memory_bytes, need = p->predicted.device_bytes;
  if (input->device_memory_given)
    return error_set(error, CLA_ERROR_MEMORY, "--device-memory %lld is too small: %lld bytes would do",
                     (long long)have, (long long)need);
  return error_set(
      error, CLA_ERROR_MEMORY,
      "%.3g GiB of device memory are needed, and %s has %.3g GiB for this; choose another --device "
      "or a shorter range, or give --device-memory %lld to try with all that it has",
      GIB(need), input->device->name, GIB(have), (long long)need);
}

static cla_status does_not_fit(const plan *p, const plan_input *input, const memory_use *use,
                               cla_error *error) {
  if (!fits_on_disk(p, input))
    return error_set(error, CLA_ERROR_MEMORY,
                     "--disk %lld is too small: %lld special rows take up to %lld bytes",
                     (long long)input->disk_bytes, (long long)p->special_rows,
                     (long long)(p->special_rows * special_row_bytes(input)));
  if (p->predicted.host_bytes > input->memory_bytes) return host_does_not_fit(p, input, error);
  if (p->predicted.device_bytes > input->device_memory_bytes) return device_does_not_fit(p, input, error);
  return error_set(
      error, CLA_ERROR_MEMORY,
      "%s allows buffers of at most %lld bytes, this needs one of %lld; keep fewer --special-rows, align a "
      "shorter range, or choose another --device",
      input->device->name, (long long)input->device->max_allocation_bytes,
      (long long)largest_buffer(use, input));
}

/* Returns the width of a band as a fraction of the block's `interval` rows. */
static double band_width(const plan *p, const plan_input *input, int64_t interval) {
  if (input->ends.floor) return BAND_WIDTH;
  if (!plan_unlike(input)) return fmax(plan_lost_share(input, input->bound), BAND_WIDTH_LIKE);
  const double one = input->table->needs_lookup ? BAND_WIDTH_UNLIKE_LOOKUP : BAND_WIDTH_UNLIKE;
  if (p->trace.threads == 1) return one;
  const double away = (double)p->trace.threads * (double)interval;
  return one + 2 * BAND_WANDER * pow(away, 2.0 / 3) / (double)interval;
}

double plan_band_cells(const plan *p, const plan_input *input, int64_t interval) {
  const double nodes = band_width(p, input, interval) * (double)interval + BAND_WIDTH_LEAST;
  return (double)input->rows * fmin(nodes, (double)input->columns);
}

/* Returns the number `n` of kept rows that minimises the time of rows and bands: n row_seconds + width
 * rows^2 / n / rate. `width` is the width of bands between about `n` kept rows. */
static int64_t rows_by_cost(const plan *p, const plan_input *input) {
  const bool gpu = input->device->kind == CLA_DEVICE_GPU;
  const double row_seconds =
      (gpu ? ROW_SECONDS_GPU : ROW_SECONDS_CPU) +
      ROW_NODE_SECONDS * (double)input->columns * (p->prune ? p->prune_share : 1) +
      (input->disk_bytes > 0 ? (double)special_row_bytes(input) / ROW_WRITE_RATE / p->trace.threads : 0);
  const int64_t bytes =
      input->disk_bytes > 0 ? input->disk_bytes : (int64_t)(SPECIAL_ROWS_SHARE * (double)input->memory_bytes);
  const int64_t most = smaller(SPECIAL_ROWS_MOST, bytes / kept_row_bytes_of(p, input));
  int64_t interval = larger(input->rows / SPECIAL_ROWS_MOST, 1);
  for (int i = 0; i < 2; i++) {
    const double seconds = band_width(p, input, interval) / (PLAN_BAND_RATE * p->trace.threads);
    interval = larger((int64_t)sqrt(row_seconds / seconds), 1);
  }
  return larger(SPECIAL_ROWS_LEAST, smaller(input->rows / interval, most));
}

/* Sets how many blocks are computed ahead, and the memory of a band, from the remaining memory. While a
 * block is computed, the row that it needs from disk is in memory. */
static void set_bands(plan *p, const plan_input *input) {
  const int64_t rows = p->row_interval > 0 ? p->row_interval : input->rows;
  const int64_t row_bytes = input->disk_bytes > 0 ? special_row_bytes(input) : 0;
  const int64_t wanted = BAND_BASE_BYTES + rows * BAND_ROW_BYTES;
  const int64_t left = input->memory_bytes - p->predicted.host_bytes;
  p->trace.blocks_ahead = p->trace.threads + BANDS_AHEAD;
  while (p->trace.blocks_ahead > 1 && p->trace.blocks_ahead * (row_bytes + wanted / 2) > left)
    p->trace.blocks_ahead--;
  p->trace.band_bytes = left / p->trace.blocks_ahead - row_bytes;
  if (p->trace.band_bytes > wanted) p->trace.band_bytes = wanted;
  if (p->trace.band_bytes < 0)
    p->trace.band_bytes = 0;
  else
    p->predicted.host_bytes += p->trace.blocks_ahead * (row_bytes + p->trace.band_bytes);
}

/* Sets the number of threads that write rows to disk. During the sweep these threads may use the traceback's
 * memory and half of the remaining memory. */
static void set_rows_at_once(plan *p, const plan_input *input) {
  const int64_t bands = p->trace.band_bytes > 0 ? p->trace.blocks_ahead * p->trace.band_bytes : 0;
  const int64_t later = p->trace.block_bytes + bands;
  const int64_t room = later + larger(input->memory_bytes - p->predicted.host_bytes, 0) / 2;
  const int64_t bytes = ROWS_OF_A_THREAD * special_row_bytes(input);
  p->rows_at_once = 1;
  if (input->disk_bytes <= 0) return;
  const int64_t more = smaller(p->trace.threads - 1, room / bytes);
  p->rows_at_once += (int)more;
  p->predicted.host_bytes += larger(more * bytes - later, 0);
}

/* Returns the number of kept rows if only the score is wanted. A pruned sweep keeps as many as for an
 * alignment. An unpruned sweep keeps one row near the last row, if the path may end in the last row. On
 * several devices it keeps none, because their blocks would have to end at that row. */
static int64_t rows_to_verify(const plan *p, const plan_input *input) {
  const int64_t count =
      p->prune ? rows_by_cost(p, input) : path_ends_in_last_row(&input->ends) && input->devices <= 1;
  return input->special_rows >= 0 ? smaller(count, input->special_rows) : count;
}

/* Sets the kept rows if only the score is wanted. If memory has no room for these rows, the score is not
 * verified. */
static memory_use set_rows_of_score(plan *out, const plan_input *input, int64_t special) {
  memory_use use = set_rows(out, input, special, 0);
  if (!fits(out, input, &use)) {
    out->verifies = false;
    use = set_rows(out, input, input->disk_bytes > 0 ? special : 0, 0);
  }
  if (out->verifies) set_bands(out, input);
  return use;
}

/* Chooses how many kept rows may end simultaneously on a GPU. They may take a fraction of the device
 * memory. */
static void choose_rows_at_once(plan *p, const plan_input *input) {
  const kernel_geometry g =
      kernel_layout(&p->sweep, kernel_gaps_of(input->scoring), input->rows, input->columns);
  const int64_t room = smaller(input->device_memory_bytes, input->device->max_allocation_bytes);
  int64_t rows = KERNEL_ROWS_AT_ONCE_MOST;
  while (rows > KERNEL_ROWS_AT_ONCE_FEW && 2 * rows * g.row_bytes > room / ROWS_AT_ONCE_PART) rows /= 2;
  const bool many = input->device->kind == CLA_DEVICE_GPU && rows > KERNEL_ROWS_AT_ONCE_FEW;
  p->sweep.rows_at_once = many ? (int)rows : 0;
}

cla_status plan_rows(plan *out, const plan_input *input, cla_error *error) {
  const bool verified = input->score_only && input->disk_bytes <= 0;
  const bool chosen = input->special_rows >= 0 && !verified;
  out->verifies = input->score_only;
  choose_rows_at_once(out, input);
  int64_t special = verified ? rows_to_verify(out, input)
                    : chosen ? input->special_rows
                             : rows_by_cost(out, input);
  const int64_t useful = input->rows / out->trace.small_block_rows;
  if (!chosen && special > useful) special = useful;
  if (input->disk_bytes > 0 && special > 0 && input->disk_bytes < special_row_bytes(input))
    return error_set(
        error, CLA_ERROR_MEMORY,
        "--disk %lld is too small: a special row takes up to %lld bytes; free some disk or choose "
        "another folder",
        (long long)input->disk_bytes, (long long)special_row_bytes(input));
  memory_use use = set_rows(out, input, special, 1);
  if (out->sweep.rows_at_once > 0 && !fits(out, input, &use)) {
    out->sweep.rows_at_once = 0;
    use = set_rows(out, input, special, 1);
  }
  while (!chosen && special > 0 && !(fits(out, input, &use) && leaves_room(out, input, &use)))
    use = set_rows(out, input, --special, 1);
  if (input->score_only) use = set_rows_of_score(out, input, special);
  if (!fits(out, input, &use)) return does_not_fit(out, input, &use, error);
  if (input->score_only) {
    set_rows_at_once(out, input);
    return CLA_OK;
  }
  int64_t block_rows = BLOCK_ROWS_ENOUGH;
  use = set_rows(out, input, special, block_rows);
  while (block_rows > 1 && !fits(out, input, &use)) use = set_rows(out, input, special, --block_rows);
  set_block_bytes(out, input, &use);
  set_bands(out, input);
  set_rows_at_once(out, input);
  return CLA_OK;
}
