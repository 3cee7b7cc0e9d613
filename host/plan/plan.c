#include "plan/plan.h"

#include <string.h>

#include "base/extremes.h"
#include "plan/plan_internal.h"
#include "scoring/lane_width.h"

#define SMALL_BLOCK_ROWS 512 /* maximum rows of a block whose directions the host holds, a byte per cell */
#define SMALL_BLOCK_CELLS (INT64_C(1) << 22)
#define SEARCH_ROWS 512
#define BAND_ROWS 32     /* with fewer rows, a band's anti-diagonals are too short to save time */
#define WIDE_ROWS 256    /* with fewer rows, a band of many ends has too many cells */
#define AHEAD_ROWS 16384 /* with fewer rows, threads are not worth starting */

cla_status plan_make(plan *out, const plan_input *input, cla_error *error) {
  memset(out, 0, sizeof *out);
  out->trace.small_block_rows = SMALL_BLOCK_ROWS;
  out->trace.small_block_cells = SMALL_BLOCK_CELLS;
  out->search_rows = SEARCH_ROWS;
  out->trace.band_rows_least = BAND_ROWS;
  out->trace.wide_rows_least = WIDE_ROWS;
  out->trace.ahead_rows_least = AHEAD_ROWS;
  out->trace.threads = input->threads > 0 ? input->threads : 1;
  kernel_settings settings;
  cla_status status = kernel_settings_parse(&settings, input->settings, error);
  out->bounds = (plan_bounds)settings.value[SETTING_BOUNDS];
  for (int i = 0; i < SETTING_COUNT; i++) out->kernel_set |= i != SETTING_BOUNDS && settings.given[i];
  if (status == CLA_OK) status = kernel_choice(&out->sweep, out->reason, sizeof out->reason, input, error);
  if (status == CLA_OK) status = kernel_choice_blocks(&out->blocks, &out->sweep, input, error);
  if (status == CLA_OK) status = plan_rows(out, input, error);
  if (status != CLA_OK) return status;
  out->predicted.sweep_cells = input->rows * input->columns;
  plan_set_seconds(out, input, kernel_choice_seconds(&out->sweep, input, input->rows, input->columns, false));
  return CLA_OK;
}

const char *plan_tune_command(const plan_input *input) {
  static const char *const commands[2][3] = {
      {"clalign tune", "clalign tune --matrix EDNAFULL", "clalign tune --matrix BLOSUM62"},
      {"clalign tune --gap-first2 24 --gap-ext2 1",
       "clalign tune --matrix EDNAFULL --gap-first2 24 --gap-ext2 1",
       "clalign tune --matrix BLOSUM62 --gap-first2 24 --gap-ext2 0"}};
  const int letters = input->alphabet == CLA_ALPHABET_DNA ? 1 : 2;
  return commands[gap_pieces(input->scoring) > 1][input->table->needs_lookup ? letters : 0];
}

kernel_config plan_region(const plan *whole, const plan_input *input, int64_t columns) {
  kernel_config config = whole->blocks;
  config.tile_columns = kernel_choice_tile(&config, input, columns, LANE_WIDTH_NESTING);
  return config;
}

bool plan_takes_used(const char *kernel) {
  const kernel_variant *variant = kernel_find(kernel);
  return variant && variant->takes.used;
}

/* A block of a kept matrix has at least this many times as many strips as the device computes at once. At
 * the start and at the end of a block, only few strips are being computed. */
#define STRIPS_AT_ONCE_TIMES 4
/* Minimum number of cells of a block, because every block costs a search for its best cell. */
#define BLOCK_CELLS_LEAST (INT64_C(1) << 32)
/* A multiple of the strip's rows of most kernels. A block's rows are a multiple of this number: once pairs
 * are used, another kernel may have to continue. */
#define FITTING_ROWS 2048
/* minimum number of blocks for each of several devices, because the last turn is seldom full */
#define BLOCKS_OF_EACH 4

/* True if the config's lanes can hold the values of a block below a full row of the matrix. A block has the
 * same values as the whole matrix, and so the same differences. */
static bool lanes_hold(const kernel_config *config, const plan_input *input) {
  return kernel_tile_limit(config, input->scoring, input->table, 0) >= config->tile_columns;
}

void plan_keep(plan *out, const plan_input *input, int sharing) {
  const int64_t at_once = plan_strips_at_once(&out->sweep, input->device) * kernel_strip_rows(&out->sweep);
  const int64_t alone = larger(STRIPS_AT_ONCE_TIMES * at_once, BLOCK_CELLS_LEAST / input->columns);
  const int64_t each = larger(input->rows / ((int64_t)BLOCKS_OF_EACH * sharing), at_once);
  const int64_t wanted = sharing > 1 ? smaller(alone, each) : alone;
  out->matrix_block_rows = 0;
  if (out->row_interval == 0) return;
  const int64_t least = larger((wanted + out->row_interval - 1) / out->row_interval, 1);
  int64_t intervals = least;
  while (intervals < 2 * least && intervals * out->row_interval % FITTING_ROWS != 0) intervals++;
  if (intervals == 2 * least) intervals = least;
  out->matrix_block_rows = intervals * out->row_interval;
  out->panel_rows = 0;
}

bool plan_keep_fit(plan *out, const plan_input *input, int64_t block_rows) {
  kernel_config config = out->sweep;
  const int *alphas = config.variant->alphas;
  int last = 0;
  while (alphas[last]) last++;
  while (last > 0 &&
         (alphas[last - 1] > out->sweep.alpha || block_rows % (config.lanes * alphas[last - 1]) != 0))
    last--;
  if (last == 0) return false;
  config.alpha = alphas[last - 1];
  if (!lanes_hold(&config, input)) return false;
  out->sweep = config;
  out->matrix_block_rows = block_rows;
  if (out->row_interval == 0 || out->row_interval % kernel_strip_rows(&config) != 0 ||
      block_rows % out->row_interval != 0)
    out->row_interval = block_rows;
  return true;
}
