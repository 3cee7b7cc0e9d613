#include "plan/plan_internal.h"

#include <math.h>

#include "base/error.h"
#include "base/extremes.h"
#include "plan/plan_blocks.h"
#include "scoring/lane_width.h"

/* How many rows the sweep keeps, whatever they cost: with fewer, bands get so wide that their values need 32
 * bits, and too few for many threads. Beyond the least they may not take more than such a part of the memory,
 * or all of the disk. */
#define SPECIAL_ROWS_LEAST 48
#define SPECIAL_ROWS_MOST 1024
#define SPECIAL_ROWS_SHARE 0.5
/* What a kept row costs the sweep: a break between launches, and each node. Seen on an H200: 0.05 ms a row of
 * 23,000 nodes, 0.1 ms of 200,000, 0.5 ms of a million. */
#define ROW_SECONDS_GPU 2e-5
#define ROW_SECONDS_CPU 2e-4
#define ROW_NODE_SECONDS 4.5e-10
/* Width of a band against the rows of its block, and its least width. Seen at a million letters: 0.02 at 1 %
 * divergence, 0.06 at 5 %, 0.17 at 15 %, 0.23 at 20 %; of a path from end to end, about the share that it
 * loses. */
#define BAND_WIDTH 0.1
#define BAND_WIDTH_LIKE 0.02
/* Likewise of a global pair without a bound, or with one that loses more, which may be unlike everywhere.
 * Where scores are looked up the largest tell less about a row. */
#define LOST_SHARE_UNLIKE 0.4
#define BAND_WIDTH_UNLIKE 1.05
#define BAND_WIDTH_UNLIKE_LOOKUP 2.1
/* More kept rows than a few end at once if these, and those handed over meanwhile, take no more than this
 * part of a device's memory. */
#define ROWS_AT_ONCE_PART 8
/* Of many ends at once, what band_block_wander takes: blocks are computed about as many blocks ahead of the
 * path as there are threads. */
#define BAND_WANDER 1.4
#define BAND_WIDTH_LEAST 100
/* Rows kept inside a block; the next block's rows are that much closer to each other. Memory has room for so
 * few of nested blocks at least, as wide as the target: they are wide only where unlike sequences are. */
#define BLOCK_ROWS_ENOUGH 64
#define BLOCK_ROWS_LEAST 4
/* The sweep's rows in memory take no more of it than this part, besides what is always needed. */
#define ROWS_OF_ROOM 0.75
/* Rows that are in memory at once while all are written to disk: one below which the sweep began, one that it
 * hands out, those that wait for the writer, one that it writes, or one that the traceback reads. */
#define ROWS_ON_THE_WAY 5
/* For each thread more that takes rows over and writes them: one handed out, waiting, and written. */
#define ROWS_OF_A_THREAD 3
/* Bytes of a row that a thread compresses and writes in a second. */
#define ROW_WRITE_RATE 2.5e8
/* Host memory that does not grow with the sequences: direction bits, parts of rows, the driver's share. */
#define HOST_BASE_BYTES (INT64_C(8) << 20)
/* To verify a score alone where nothing is passed over: one row, so far above the last one. */
#define ROWS_TO_VERIFY 64
/* By which part a share of a budget may be off: some bytes of at least the above. */
#define SHARE_ROUNDED 1e-3
/* A band's memory: what it takes for kept lines and directions, and for each row. */
#define BAND_BASE_BYTES (INT64_C(16) << 20)
#define BAND_ROW_BYTES 256
/* Bands that were computed and wait until the path comes there, besides one for each thread. */
#define BANDS_AHEAD 3
/* Device memory likewise: parameters, scores. */
#define DEVICE_BASE_BYTES (INT64_C(1) << 16)

/* The engine's device buffers; each grows to what the stage that needs most of it takes. */
enum { SEQUENCES, BUS, STATES, BASES, BESTS, BOTTOM, KEPT, COUNTERS, PRUNING, BUFFERS };

/* Memory of a stage or of several. */
typedef struct memory_use {
  int64_t bytes[BUFFERS];
  int64_t kept_rows;  /* on the host, at once: of the sweep, */
  int64_t block_rows; /* and of nested blocks */
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

/* The sweep's rows down to `rows`. */
static kernel_kept_rows sweep_of(const plan *p, const plan_input *input, int64_t rows, int64_t interval) {
  return (kernel_kept_rows){.rows = rows,
                            .interval = interval,
                            .panel_rows = p->panel_rows,
                            .prune = p->prune,
                            .window = input->windows.columns};
}

/* Adds what a region of the whole target's width takes. */
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

/* Rows that the sweep keeps, that between its parts included. */
static int64_t rows_kept(const plan *p, int64_t rows) {
  const int64_t first = p->first_rows > 0 ? p->first_rows / plan_first_interval(p) : 0;
  return first + (p->row_interval > 0 ? (rows - p->first_rows) / p->row_interval : 0);
}

/* What a block of the sweep on one of several devices takes besides (plan_blocks.h): its last row, to be
 * handed down, and the buffers of narrower tiles. */
static void add_block(memory_use *use, const plan *p, const plan_input *input) {
  const kernel_gaps gaps = kernel_gaps_of(input->scoring);
  const kernel_config narrow = plan_block_config(&p->sweep, input, input->rows);
  const kernel_geometry g = kernel_layout(&narrow, gaps, input->rows, input->columns);
  add_region(use, &narrow, input, sweep_of(p, input, input->rows, p->row_interval));
  use->bytes[KEPT] = larger(use->bytes[KEPT], g.row_bytes);
  if (p->prune)
    use->bytes[PRUNING] = larger(use->bytes[PRUNING], g.run_bytes + g.note_bytes + input->windows.bytes);
}

/* The sweep, the start search and all levels of blocks, as if every one were as wide as the target. */
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
  if (input->score_only) return all; /* what verifies a score stays on the host */
  int64_t rows = p->row_interval > 0 ? p->row_interval : input->rows;
  add_region(&all, &p->blocks, input, (kernel_kept_rows){.rows = rows});
  for (int64_t interval = 0; (interval = plan_block_interval(p, rows, INT64_MAX)) > 0; rows = interval) {
    add_region(&all, &p->blocks, input, (kernel_kept_rows){.rows = rows, .interval = interval});
    all.block_rows += rows / interval;
  }
  return all;
}

/* Whether one row near the last one is all that the sweep keeps. */
static bool keeps_end_row(const plan *p, const plan_input *input) {
  return p->verifies && !p->prune && input->disk_bytes <= 0;
}

/* The interval that gives at most `count` rows, whole strips; 0 for none. */
static int64_t interval_for(const plan *p, const plan_input *input, int64_t count) {
  const int64_t strip_rows = kernel_strip_rows(&p->sweep), rows = input->rows;
  if (count <= 0) return 0;
  if (keeps_end_row(p, input)) return larger(rows - ROWS_TO_VERIFY, 0) / strip_rows * strip_rows;
  const int64_t interval = plan_panel_interval(p, input, rows / (count + 1) + 1);
  return interval <= rows ? interval : 0;
}

/* Memory of a row's values as the host computes with them. */
static int64_t row_values_bytes(const plan_input *input) {
  return (gap_two_pieces(input->scoring) ? 3 : 2) * (input->columns + 1) * (int64_t)sizeof(int64_t);
}

/* Host memory of the sweep alone: the last row, and the upper border of what is swept below a kept row. A
 * sweep on one device that passes over nothing reads that piece by piece. */
static int64_t host_of_sweep(const plan *p, const plan_input *input, int64_t line) {
  const bool resumes = input->disk_bytes > 0 && (p->prune || input->devices > 1);
  int64_t bytes = path_ends_in_last_row(&input->ends) ? line : 0;
  if (p->first_rows > 0 || resumes) bytes += row_values_bytes(input);
  return bytes;
}

/* And of the traceback: directions and left borders of a small block (trace/small_block.c), and the path. */
static int64_t host_of_traceback(const plan *p, const plan_input *input) {
  if (input->score_only && !p->verifies) return 0;
  const int64_t rows = larger(p->trace.small_block_rows, kernel_strip_rows(&p->blocks));
  const double values = (gap_two_pieces(input->scoring) ? 3 : 2) * (double)sizeof(int64_t);
  const double panels = (1 + values / 16) * (double)rows * sqrt(16 * (double)input->columns);
  return (int64_t)panels + input->rows + input->columns; /* a run for every 16 letters */
}

/* Host memory besides kept rows: sequences, bus lines, and what the hungrier stage takes. */
static int64_t host_base(const plan *p, const plan_input *input) {
  const kernel_gaps gaps = kernel_gaps_of(input->scoring);
  const kernel_geometry sweep = kernel_layout(&p->sweep, gaps, input->rows, input->columns);
  const int64_t line = (input->columns + 1) * (int64_t)sizeof(int64_t);
  const kernel_geometry blocks = kernel_layout(&p->blocks, gaps, input->rows, input->columns);
  int64_t bytes = HOST_BASE_BYTES + input->rows + input->columns +
                  larger(kernel_staged_bytes(&sweep), kernel_staged_bytes(&blocks));
  const int64_t interval = p->row_interval > 0 ? p->row_interval : p->first_rows;
  if (interval > 0) { /* kept rows on their way */
    const kernel_row_pieces pieces =
        kernel_row_pieces_for(&sweep, &p->sweep, interval, p->trace.threads, p->prune);
    bytes += pieces.count * pieces.bytes;
  }
  return bytes + larger(host_of_sweep(p, input, line), host_of_traceback(p, input));
}

/* A difference a node for each line, and little else. */
int64_t plan_row_bytes(const plan_input *input, int64_t nodes) {
  const int64_t lines = gap_two_pieces(input->scoring) ? 3 : 2;
  return lines * nodes * lane_width_difference_bytes(input->table->maximum, input->scoring) + nodes / 512 +
         64;
}

/* Of a special row in full width. */
static int64_t special_row_bytes(const plan_input *input) {
  return plan_row_bytes(input, input->columns + 1);
}

/* What is kept of a row of the sweep where most of it is passed over: as much as of other rows, twice that at
 * most. */
#define ROW_SHARE_MOST 2
/* A strip of kernels without tiles of their own ends in steps of so many columns (nvidia16_runs.clh). */
#define ROW_COLUMNS_LEAST 256

/* Memory of one of the sweep's special rows. */
static int64_t kept_row_bytes_of(const plan *p, const plan_input *input) {
  const int64_t tile = larger(p->sweep.tile_columns, ROW_COLUMNS_LEAST) + p->sweep.lanes;
  const double least = (double)tile / (double)input->columns;
  const double share =
      p->prune && input->disk_bytes <= 0 ? fmin(ROW_SHARE_MOST * fmax(p->prune_share, least), 1) : 1;
  return (int64_t)(share * (double)special_row_bytes(input));
}

/* The most that rows and a border of nested blocks take, if each block keeps all the rows that help. */
static int64_t block_bytes_enough(const plan *p, const plan_input *input, const memory_use *use) {
  if (input->score_only && !p->verifies) return 0;
  return use->block_rows * special_row_bytes(input) + row_values_bytes(input);
}

/* The least that will do. A score alone is followed through the sweep's rows only. */
static int64_t block_bytes_least(const plan *p, const plan_input *input, const memory_use *use) {
  if (input->score_only) return block_bytes_enough(p, input, use);
  return smaller(use->block_rows, BLOCK_ROWS_LEAST) * special_row_bytes(input);
}

/* Sets the rows of the sweep and of blocks, and what they take at least. */
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

/* Gives blocks what helps them, at most half of the memory that is left: bands take the other half. */
static void set_block_bytes(plan *p, const plan_input *input, const memory_use *use) {
  const int64_t left = input->memory_bytes - p->predicted.host_bytes;
  const int64_t more = smaller(block_bytes_enough(p, input, use) - p->trace.block_bytes, left / 2);
  p->trace.block_bytes += larger(more, 0);
  p->predicted.host_bytes += larger(more, 0);
}

/* Whether the sweep's rows leave enough of the memory to the traceback. */
static bool leaves_room(const plan *p, const plan_input *input, const memory_use *use) {
  const int64_t bytes = use->kept_rows * kept_row_bytes_of(p, input);
  const int64_t room = input->memory_bytes - (p->predicted.host_bytes - bytes);
  return input->disk_bytes > 0 || (double)bytes <= ROWS_OF_ROOM * (double)room;
}

/* Whether the sweep's rows fit on the disk, if they go there. */
static bool fits_on_disk(const plan *p, const plan_input *input) {
  return p->predicted.disk_bytes <= input->disk_bytes;
}

static bool fits(const plan *p, const plan_input *input, const memory_use *use) {
  return fits_on_disk(p, input) && p->predicted.host_bytes <= input->memory_bytes &&
         p->predicted.device_bytes <= input->device_memory_bytes &&
         largest_buffer(use, input) <= input->device->max_allocation_bytes;
}

/* The budget of host memory as the user knows it. */
static int64_t whole_memory(const plan_input *input) {
  return input->memory_of_bytes > 0 ? input->memory_of_bytes : input->memory_bytes;
}

/* The whole budget of which the pair has so many bytes, rather more: shares are rounded. */
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

bool plan_unlike(const plan_input *input) {
  if (input->ends.floor) return false;
  return !input->bound_known || plan_lost_share(input, input->bound) > LOST_SHARE_UNLIKE;
}

/* Of a band, against the rows of its block, of which there are `interval`. */
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

/* As many rows as make their own cost and that of the bands between them least together:
 * n row_seconds + width rows^2 / n / rate, with the width of bands between about as many rows. */
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

/* How many blocks are computed ahead and what a band may take: shares of the memory that is left. Rows on
 * disk are in memory while their blocks are. */
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

/* How many threads write rows to disk: what the traceback takes of memory, and half of what is left, is the
 * sweep's until then. */
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

/* Rows for a score alone: as for an alignment where the sweep is pruned, or one above the last row if the
 * path may end there. Several devices keep none: their blocks would have to end at it. */
static int64_t rows_to_verify(const plan *p, const plan_input *input) {
  const int64_t count =
      p->prune ? rows_by_cost(p, input) : path_ends_in_last_row(&input->ends) && input->devices <= 1;
  return input->special_rows >= 0 ? smaller(count, input->special_rows) : count;
}

/* A score alone is not verified where there is no memory for that. */
static memory_use set_rows_of_score(plan *out, const plan_input *input, int64_t special) {
  memory_use use = set_rows(out, input, special, 0);
  if (!fits(out, input, &use)) {
    out->verifies = false;
    use = set_rows(out, input, input->disk_bytes > 0 ? special : 0, 0);
  }
  if (out->verifies) set_bands(out, input);
  return use;
}

/* As many rows at once as a part of a GPU's memory has room for. */
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
