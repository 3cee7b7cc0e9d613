#include "wavefront/last_row.h"

#include "base/extremes.h"
#include "wavefront/pruning.h"
#include "wavefront/row_delivery.h"

void last_row_begin(last_row *l, wavefront *engine, const region *what, const kernel_config *config,
                    const kernel_geometry *g, int64_t row_slots) {
  *l = (last_row){.engine = engine, .what = what, .config = config, .g = g, .next = -1};
  if (what->below) l->offset = (what->rows / what->row_interval - 1) % row_slots * g->row_bytes;
}

/* The nodes of the row that were computed in the diagonals before `end`. */
static cla_status computed_nodes(row_nodes *out, const last_row *l, int64_t end, cla_error *error) {
  const int64_t strip = l->g->strips - 1;
  strip_run run = {0};
  cla_status status = l->what->prune ? pruning_read(&run, l->engine, strip, 1, error) : CLA_OK;
  if (status != CLA_OK) return status;
  *out = pruning_row_nodes(l->engine, l->what, l->config, strip, l->what->rows, &run);
  out->last = smaller(out->last, kernel_columns_passed(l->g, strip, end));
  return CLA_OK;
}

/* The values of `count` nodes from `node` on, line behind line, to the piece. */
static cla_status read_nodes(const last_row *l, int64_t node, int64_t count, char *piece, cla_error *error) {
  const kernel_geometry *g = l->g;
  const cla_device *device = l->engine->device;
  const int64_t bytes = count * g->value_bytes;
  cla_status status = CLA_OK;
  for (int line = 0; status == CLA_OK && line < g->lines; line++) {
    const int64_t from = l->offset + (line * g->stride + g->margin + node - 1) * g->value_bytes;
    const cl_int code = clEnqueueReadBuffer(device->transfers, l->engine->rows.memory, CL_TRUE, (size_t)from,
                                            (size_t)bytes, piece + line * bytes, 0, NULL, NULL);
    status = device_check(device, code, "clEnqueueReadBuffer", error);
  }
  return status;
}

/* Hands over the lanes' nodes from l->next on, up to `last`. */
static cla_status hand_over_lanes(last_row *l, const row_nodes *nodes, cla_error *error) {
  const kernel_geometry *g = l->g;
  const region *what = l->what;
  const int64_t most = KERNEL_ROW_PIECE_BYTES / g->lines / g->value_bytes;
  /* The memory that kept rows pass through, too, but not at the same time. */
  cla_status status =
      transfer_memory_grow(&l->engine->pieces, l->engine->device, KERNEL_ROW_PIECE_BYTES, error);
  char *piece = l->engine->pieces.data;
  while (status == CLA_OK && l->next <= nodes->last) {
    const int64_t count = smaller(most, nodes->last + 1 - l->next), bytes = count * g->value_bytes;
    const region_row_part part = {.row = what->rows,
                                  .column = l->next,
                                  .count = count,
                                  .before = nodes->left_h,
                                  .h = piece,
                                  .f = piece + bytes,
                                  .f2 = g->lines > 2 ? piece + 2 * bytes : NULL,
                                  .lane_bits = l->config->variant->lane_bits};
    status = read_nodes(l, l->next, count, piece, error);
    if (status == CLA_OK) status = what->below(what->user, &part, error);
    l->next += count;
  }
  return status;
}

static cla_status hand_over(last_row *l, const row_nodes *nodes, cla_error *error) {
  const region *what = l->what;
  cla_status status = CLA_OK;
  if (nodes->first > nodes->last) return CLA_OK;
  if (l->next < 0) {
    uint32_t border[3];
    const region_row_part left = row_part_on_border(border, what->rows, nodes, l->engine->input.scoring);
    status = what->below(what->user, &left, error);
    l->next = nodes->first + 1;
  }
  return status == CLA_OK ? hand_over_lanes(l, nodes, error) : status;
}

cla_status last_row_hand_over(last_row *l, int64_t end, cla_error *error) {
  row_nodes nodes;
  if (!l->what->below || kernel_columns_passed(l->g, l->g->strips - 1, end) == 0) return CLA_OK;
  cla_status status = computed_nodes(&nodes, l, end, error);
  return status == CLA_OK ? hand_over(l, &nodes, error) : status;
}

cla_status last_row_end(last_row *l, const region_result *result, cla_error *error) {
  const region *what = l->what;
  row_nodes nodes;
  if (!what->below) return CLA_OK;
  cla_status status = computed_nodes(&nodes, l, kernel_diagonals(l->g), error);
  if (status == CLA_OK) status = hand_over(l, &nodes, error);
  const region_row_part end = {.row = what->rows,
                               .column = larger(l->next, 0),
                               .best_score = result->best_score,
                               .best_row = result->best_row,
                               .best_column = result->best_column};
  return status == CLA_OK ? what->below(what->user, &end, error) : status;
}
