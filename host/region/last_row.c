#include "region/last_row.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/extremes.h"
#include "base/machine.h"
#include "region/pruning.h"
#include "region/row_delivery.h"

/* Number of words read at a time; a GPU writes about as many in one or two milliseconds. */
#define WORDS_AT_ONCE 8192
/* Seconds between two checks for new words; reading takes a few percent of this time. */
#define SECONDS_BETWEEN_LOOKS 0.001

cla_status last_row_begin(last_row *l, const region_work *w, cla_error *error) {
  *l = (last_row){.w = w, .next = -1};
  if (!w->what->calls.below) return CLA_OK;
  l->offset = (w->what->rows / w->what->row_interval - 1) % w->row_slots * w->g->row_bytes;
  l->words = w->g->word_bytes > 0 && !w->what->prune &&
             w->engine->device->on->transfers != w->engine->device->on->queue;
  /* reads outside the queue do not wait for earlier commands, so wait for these here */
  return l->words ? device_check(w->engine->device, clFinish(w->engine->device->on->queue), "clFinish", error)
                  : CLA_OK;
}

void last_row_free(last_row *l) {
  free(l->lanes);
}

/* Sets *out to the nodes of the row that the diagonals before `end` have computed. */
static cla_status computed_nodes(row_nodes *out, const last_row *l, int64_t end, cla_error *error) {
  const int64_t strip = l->w->g->strips - 1;
  strip_run run = {0};
  cla_status status = l->w->what->prune ? pruning_read(&run, l->w->engine, strip, 1, error) : CLA_OK;
  if (status != CLA_OK) return status;
  *out = pruning_row_nodes(l->w, strip, l->w->what->rows, &run);
  out->last = smaller(out->last, kernel_columns_passed(l->w->g, strip, end));
  return CLA_OK;
}

/* Reads `count` nodes of the row from `node` on into `piece`, line after line. */
static cla_status read_nodes(const last_row *l, int64_t node, int64_t count, char *piece, cla_error *error) {
  const kernel_geometry *g = l->w->g;
  const int64_t bytes = count * g->value_bytes;
  cla_status status = CLA_OK;
  for (int line = 0; status == CLA_OK && line < g->lines; line++) {
    const int64_t from = l->offset + (line * g->stride + g->margin + node - 1) * g->value_bytes;
    status = wavefront_read_beside(l->w->engine, BUFFER_ROWS, from, piece + line * bytes, bytes, error);
  }
  return status;
}

/* Reads bus words of the last strip, from `node` on, and stores them as lanes' values. *count: on input,
 * the number of wanted words; on output, the number of words without a gap that have been written. */
static cla_status read_words(const last_row *l, int64_t node, int64_t *count, cla_error *error) {
  const kernel_geometry *g = l->w->g;
  const int64_t word = (int64_t)sizeof(uint64_t), strip = g->strips - 1;
  const int64_t parity = g->bus_bytes - (strip % 2 == 0 ? g->word_bytes : g->word_bytes / 2);
  const uint64_t *words = l->w->engine->pieces.data;
  uint16_t *h = l->lanes, *f = h + WORDS_AT_ONCE, *f2 = f + WORDS_AT_ONCE;
  cla_status status = CLA_OK;
  for (int line = 0; status == CLA_OK && line < g->lines - 1; line++) {
    const int64_t from = parity + (line * g->stride + g->margin + node - 1) * word;
    int64_t there = 0;
    status = wavefront_read_beside(l->w->engine, BUFFER_BUS, from, l->w->engine->pieces.data, *count * word,
                                   error);
    if (status != CLA_OK) return status;
    for (; there < *count && words[there] >> 32 == (uint64_t)strip + 1; there++) {
      if (line > 0) {
        f2[there] = (uint16_t)words[there];
      } else {
        h[there] = (uint16_t)words[there];
        f[there] = (uint16_t)(words[there] >> 16);
      }
    }
    *count = there;
  }
  return status;
}

/* Returns a part of `count` nodes, starting at l->next, without lines. */
static region_row_part part_of(const last_row *l, const row_nodes *nodes, int64_t count) {
  return (region_row_part){.row = l->w->what->rows,
                           .column = l->next,
                           .count = count,
                           .before = nodes->left_h,
                           .lane_bits = l->w->config->variant->lane_bits};
}

/* Hands over those nodes, starting at l->next, whose words have been written. */
static cla_status hand_over_words(last_row *l, const row_nodes *nodes, cla_error *error) {
  const region *what = l->w->what;
  cla_status status =
      transfer_memory_grow(&l->w->engine->pieces, l->w->engine->device, KERNEL_ROW_PIECE_BYTES, error);
  if (status == CLA_OK && !l->lanes)
    status = ALLOCATE_ARRAY(&l->lanes, GAP_LINES * WORDS_AT_ONCE, "the last row", error);
  for (int64_t wanted = 0, count = 0; status == CLA_OK && count == wanted && l->next <= nodes->last;) {
    count = wanted = smaller(WORDS_AT_ONCE, nodes->last + 1 - l->next);
    status = read_words(l, l->next, &count, error);
    region_row_part part = part_of(l, nodes, count);
    region_row_part_set(&part, l->lanes, WORDS_AT_ONCE * (int64_t)sizeof *l->lanes, l->w->g->lines);
    if (status == CLA_OK && count > 0) status = what->calls.below(what->calls.user, &part, error);
    l->next += count;
  }
  return status;
}

/* Hands over the nodes from l->next to nodes->last, which are read as lanes' values. */
static cla_status hand_over_lanes(last_row *l, const row_nodes *nodes, cla_error *error) {
  const kernel_geometry *g = l->w->g;
  const region *what = l->w->what;
  const int64_t most = KERNEL_ROW_PIECE_BYTES / g->lines / g->value_bytes;
  /* kept rows use the memory of `pieces`, too, but never at the same time */
  cla_status status =
      transfer_memory_grow(&l->w->engine->pieces, l->w->engine->device, KERNEL_ROW_PIECE_BYTES, error);
  char *piece = l->w->engine->pieces.data;
  while (status == CLA_OK && l->next <= nodes->last) {
    const int64_t count = smaller(most, nodes->last + 1 - l->next), bytes = count * g->value_bytes;
    region_row_part part = part_of(l, nodes, count);
    region_row_part_set(&part, piece, bytes, g->lines);
    status = read_nodes(l, l->next, count, piece, error);
    if (status == CLA_OK) status = what->calls.below(what->calls.user, &part, error);
    l->next += count;
  }
  return status;
}

static cla_status hand_over(last_row *l, const row_nodes *nodes, cla_error *error) {
  const region *what = l->w->what;
  cla_status status = CLA_OK;
  if (nodes->first > nodes->last) return CLA_OK;
  if (l->next < 0) {
    uint32_t border[GAP_LINES];
    const region_row_part left =
        row_part_on_border(border, what->rows, nodes, l->w->engine->pair.scheme.scoring);
    status = what->calls.below(what->calls.user, &left, error);
    l->next = nodes->first + 1;
  }
  if (status != CLA_OK) return status;
  return l->words ? hand_over_words(l, nodes, error) : hand_over_lanes(l, nodes, error);
}

bool last_row_comes(const last_row *l, int64_t end) {
  return l->words && l->next < kernel_columns_passed(l->w->g, l->w->g->strips - 1, end);
}

cla_status last_row_look(last_row *l, int64_t end, cla_error *error) {
  const double now = machine_seconds();
  row_nodes nodes;
  if (!last_row_comes(l, end) || now - l->looked < SECONDS_BETWEEN_LOOKS) return CLA_OK;
  l->looked = now;
  cla_status status = computed_nodes(&nodes, l, end, error);
  return status == CLA_OK ? hand_over(l, &nodes, error) : status;
}

cla_status last_row_hand_over(last_row *l, int64_t end, cla_error *error) {
  row_nodes nodes;
  if (!l->w->what->calls.below || kernel_columns_passed(l->w->g, l->w->g->strips - 1, end) == 0)
    return CLA_OK;
  cla_status status = computed_nodes(&nodes, l, end, error);
  if (status == CLA_OK) status = hand_over(l, &nodes, error);
  if (status == CLA_OK && l->words && l->next <= nodes.last)
    status = error_set(error, CLA_ERROR_DEVICE, "%s has computed a row that is not there; use another device",
                       l->w->engine->device->info.name);
  return status;
}

cla_status last_row_end(last_row *l, const region_result *result, cla_error *error) {
  const region *what = l->w->what;
  if (!what->calls.below) return CLA_OK;
  cla_status status = last_row_hand_over(l, kernel_diagonals(l->w->g), error);
  const region_row_part end = {.row = what->rows,
                               .column = larger(l->next, 0),
                               .best_score = result->best_score,
                               .best_row = result->best_row,
                               .best_column = result->best_column};
  return status == CLA_OK ? what->calls.below(what->calls.user, &end, error) : status;
}
