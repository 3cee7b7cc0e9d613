#include "region/row_delivery.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/extremes.h"
#include "base/machine.h"

/* A kept row that is complete. */
typedef struct complete_row {
  int64_t strip; /* the strip above the row */
  strip_run run; /* with pruning: the strip's run */
  strip_best best;
} complete_row;

/* Complete rows that threads share. */
typedef struct shared_rows {
  const row_delivery *d;
  const complete_row *rows;
  int count;
  pthread_mutex_t lock; /* protects the fields below */
  int next;
  cla_status status;
  cla_error *error;
} shared_rows;

void row_delivery_begin(row_delivery *d, const region_work *w) {
  const int64_t first = w->what->row_interval / kernel_strip_rows(w->config) - 1;
  *d = (row_delivery){.w = w,
                      .pieces = kernel_row_pieces_for(w->g, w->config, w->what->row_interval,
                                                      w->what->calls.sink_threads, w->what->prune),
                      .best = {.score = REGION_NO_BEST(w->what->best)},
                      .next = first,
                      .unfinished = first};
}

void row_delivery_free(row_delivery *d) {
  free(d->bests);
}

/* True if the strip's bottom row is a kept row and there is a sink for it. */
static bool keeps_row(const row_delivery *d, int64_t strip) {
  const int64_t row = (strip + 1) * kernel_strip_rows(d->w->config);
  return strip >= 0 && strip < d->w->g->strips && d->w->what->row_interval > 0 && row <= d->w->what->rows &&
         row % d->w->what->row_interval == 0 && d->w->what->calls.sink;
}

/* Returns the number of strips from one kept row to the next. */
static int64_t strips_apart(const row_delivery *d) {
  return d->w->what->row_interval / kernel_strip_rows(d->w->config);
}

int64_t row_delivery_last_strip(const row_delivery *d) {
  const int64_t last = d->unfinished + (kernel_rows_at_once(d->w->g, d->w->config) - 1) * strips_apart(d);
  return keeps_row(d, last) ? last : INT64_MAX;
}

/* Returns the diagonal after which the row below the strip is complete. */
static int64_t end_of_row(const row_delivery *d, int64_t strip) {
  const kernel_geometry *g = d->w->g;
  if (!d->w->what->prune) return kernel_last_diagonal(g, strip);
  return kernel_tile_diagonal(g, strip, smaller(pruning_last_tile(d->w, strip), g->tiles - 1));
}

int64_t row_delivery_last_diagonal(const row_delivery *d) {
  const int64_t last = row_delivery_last_strip(d);
  return last < INT64_MAX ? end_of_row(d, last) : INT64_MAX;
}

void row_delivery_diagonals(row_delivery *d, int64_t end, int64_t last) {
  while (keeps_row(d, d->unfinished) && d->unfinished <= last && end_of_row(d, d->unfinished) < end)
    d->unfinished += strips_apart(d);
}

void row_delivery_strips(row_delivery *d, int64_t strip) {
  while (keeps_row(d, d->unfinished) && d->unfinished <= strip) d->unfinished += strips_apart(d);
}

/* Reads the best cells of the strips down to `strip`, except those that were read before. The strips must
 * have ended. */
static cla_status read_bests(row_delivery *d, int64_t strip, cla_error *error) {
  const int64_t bytes = (int64_t)sizeof *d->bests, count = strip + 1 - d->bests_read;
  cla_status status = CLA_OK;
  if (!d->w->what->best || count <= 0) return CLA_OK;
  if (!d->bests)
    status = allocate_array((void **)&d->bests, d->w->g->strips, bytes, "the strips' best cells", error);
  if (status == CLA_OK)
    status = wavefront_read_beside(d->w->engine, BUFFER_BESTS, d->bests_read * bytes,
                                   d->bests + d->bests_read, count * bytes, error);
  if (status == CLA_OK) d->bests_read = strip + 1;
  return status;
}

void take_best(strip_best *best, const strip_best *next, int64_t count) {
  for (int64_t i = 0; i < count; i++)
    if (next[i].score > best->score)
      *best = (strip_best){.score = next[i].score, .row = next[i].row + 1, .column = next[i].column + 1};
}

/* Includes the strips down to `strip` in d->best. */
static void take_bests(row_delivery *d, int64_t strip) {
  if (!d->w->what->best) return;
  take_best(&d->best, d->bests + d->bests_seen, strip + 1 - d->bests_seen);
  d->bests_seen = strip + 1;
}

/* Reads `count` nodes of each line, from `offset` on, into `piece`, and sets *apart to the number of bytes
 * from one line's start in `piece` to the next. If the nodes are most of the row, and the piece has room, one
 * command reads all lines. */
static cla_status read_lines(int64_t *apart, const row_delivery *d, int64_t offset, int64_t count,
                             char *piece, cla_error *error) {
  const kernel_geometry *g = d->w->g;
  const int64_t bytes = count * g->value_bytes, stride = g->stride * g->value_bytes;
  const int64_t all = (g->lines - 1) * stride + bytes;
  cla_status status = CLA_OK;
  *apart = stride;
  if (all <= d->pieces.bytes && stride <= 2 * bytes)
    return wavefront_read_beside(d->w->engine, BUFFER_ROWS, offset, piece, all, error);
  *apart = bytes;
  for (int line = 0; status == CLA_OK && line < g->lines; line++)
    status = wavefront_read_beside(d->w->engine, BUFFER_ROWS, offset + line * stride, piece + line * bytes,
                                   bytes, error);
  return status;
}

/* Returns the number of the row below a strip. */
static int64_t row_below(const row_delivery *d, int64_t strip) {
  return (strip + 1) * kernel_strip_rows(d->w->config);
}

/* Returns the row's offset in the device's buffer, where the row's left margin starts. */
static int64_t row_offset(const row_delivery *d, int64_t row) {
  return (row / d->w->what->row_interval - 1) % d->w->row_slots * d->w->g->row_bytes;
}

/* Nodes of a row; their values are as the lanes wrote them. */
typedef struct lane_nodes {
  int64_t node, count; /* first node; number of nodes */
  const char *lines;   /* line `l` starts at byte l * apart */
  int64_t apart;
} lane_nodes;

/* Passes the nodes to the sink, as a part of the row. */
static cla_status hand_over_nodes(const row_delivery *d, int64_t row, int64_t left_h, const lane_nodes *nodes,
                                  cla_error *error) {
  region_row_part part = {.row = row,
                          .column = nodes->node,
                          .count = nodes->count,
                          .before = left_h,
                          .lane_bits = d->w->config->variant->lane_bits};
  region_row_part_set(&part, nodes->lines, nodes->apart, d->w->g->lines);
  return d->w->what->calls.sink(d->w->what->calls.user, &part, error);
}

/* Hands over the row's nodes, except the one on the left border. `there`: the whole row as on the device,
 * if it was read before; NULL: the nodes are read into `piece`. */
static cla_status hand_over_lanes(const row_delivery *d, int64_t row, const row_nodes *nodes, char *piece,
                                  const char *there, cla_error *error) {
  const kernel_geometry *g = d->w->g;
  const int64_t whole = d->pieces.bytes >= g->row_bytes ? g->stride : 0;
  const int64_t most = larger(whole, KERNEL_ROW_PIECE_BYTES / g->lines / g->value_bytes);
  const int64_t begin = (g->margin + nodes->first) * g->value_bytes;
  int64_t offset = row_offset(d, row) + begin, apart = 0;
  cla_status status = CLA_OK;
  if (there) {
    const lane_nodes all = {.node = nodes->first + 1,
                            .count = nodes->last - nodes->first,
                            .lines = there + begin,
                            .apart = g->stride * g->value_bytes};
    return hand_over_nodes(d, row, nodes->left_h, &all, error);
  }
  for (int64_t node = nodes->first + 1; status == CLA_OK && node <= nodes->last; node += most) {
    const int64_t count = smaller(most, nodes->last + 1 - node);
    status = read_lines(&apart, d, offset, count, piece, error);
    const lane_nodes some = {.node = node, .count = count, .lines = piece, .apart = apart};
    if (status == CLA_OK) status = hand_over_nodes(d, row, nodes->left_h, &some, error);
    offset += count * g->value_bytes;
  }
  return status;
}

region_row_part row_part_on_border(uint32_t values[GAP_LINES], int64_t row, const row_nodes *nodes,
                                   const cla_scoring *scoring) {
  region_row_part part = {
      .row = row, .column = nodes->first, .count = 1, .before = nodes->left_h, .lane_bits = 32};
  const int lines = gap_lines(scoring);
  values[0] = (uint32_t)nodes->left_h;
  for (int k = 0; k < lines - 1; k++) values[k + 1] = (uint32_t)(nodes->left_h - scoring->gap[k].first);
  region_row_part_set(&part, values, sizeof *values, lines);
  return part;
}

/* Hands over the left border's node, the other nodes and the row's end. */
static cla_status hand_over_row(const row_delivery *d, const complete_row *complete, char *piece,
                                const char *there, cla_error *error) {
  const region *what = d->w->what;
  const int64_t row = row_below(d, complete->strip);
  const row_nodes nodes = pruning_row_nodes(d->w, complete->strip, row, &complete->run);
  uint32_t border[GAP_LINES];
  const region_row_part left = row_part_on_border(border, row, &nodes, d->w->engine->pair.scheme.scoring);
  const region_row_part end = {.row = row,
                               .column = nodes.last + 1,
                               .best_score = complete->best.score,
                               .best_row = complete->best.row,
                               .best_column = complete->best.column};
  if (nodes.first > nodes.last) return CLA_OK;
  cla_status status = what->calls.sink(what->calls.user, &left, error);
  if (status == CLA_OK) status = hand_over_lanes(d, row, &nodes, piece, there, error);
  return status == CLA_OK ? what->calls.sink(what->calls.user, &end, error) : status;
}

/* Hands over `count` rows that are adjacent on the device. */
static cla_status hand_over_rows(const row_delivery *d, const complete_row *rows, int count, char *piece,
                                 cla_error *error) {
  const int64_t offset = row_offset(d, row_below(d, rows[0].strip));
  const bool at_once = count > 1;
  cla_status status = CLA_OK;
  if (at_once)
    status =
        wavefront_read_beside(d->w->engine, BUFFER_ROWS, offset, piece, count * d->w->g->row_bytes, error);
  for (int i = 0; status == CLA_OK && i < count; i++)
    status = hand_over_row(d, rows + i, piece, at_once ? piece + i * d->w->g->row_bytes : NULL, error);
  return status;
}

/* Returns the number of rows that are read together: 1 with pruning, because the rows then have different
 * nodes. */
static int rows_together(const row_delivery *d, const complete_row *rows, int count) {
  int together = 1;
  while (!d->w->what->prune && together < d->pieces.rows && together < count &&
         row_offset(d, row_below(d, rows[together].strip)) > 0)
    together++;
  return together;
}

static void share(void *user, int index) {
  shared_rows *shared = user;
  const row_delivery *d = shared->d;
  char *piece = (char *)d->w->engine->pieces.data + index * d->pieces.bytes;
  for (;;) {
    cla_error error = {.status = CLA_OK};
    pthread_mutex_lock(&shared->lock);
    const int first = shared->next;
    const int count =
        first < shared->count ? rows_together(d, shared->rows + first, shared->count - first) : 0;
    shared->next += count;
    pthread_mutex_unlock(&shared->lock);
    if (count == 0) return;
    const cla_status status = hand_over_rows(d, shared->rows + first, count, piece, &error);
    if (status == CLA_OK) continue;
    pthread_mutex_lock(&shared->lock);
    shared->next = shared->count;
    if (shared->status == CLA_OK) shared->status = error_set(shared->error, status, "%s", error.message);
    pthread_mutex_unlock(&shared->lock);
  }
}

/* Allocates a piece of memory for each thread. */
static cla_status map_pieces(const row_delivery *d, cla_error *error) {
  return transfer_memory_grow(&d->w->engine->pieces, d->w->engine->device, d->pieces.count * d->pieces.bytes,
                              error);
}

/* Clears the row's memory on the device. Nodes that the next row does not write then have no values. */
static cla_status forget(const row_delivery *d, int64_t strip, cla_error *error) {
  const int64_t row = row_below(d, strip);
  if (row + d->w->row_slots * d->w->what->row_interval > d->w->what->rows) return CLA_OK;
  return device_poison(d->w->engine->device, d->w->engine->buffers[BUFFER_ROWS].memory, row_offset(d, row),
                       d->w->g->row_bytes, POISON_LINES, error);
}

static cla_status hand_over(row_delivery *d, const complete_row *rows, int count, cla_error *error) {
  const int threads = (int)smaller(d->pieces.count, count);
  shared_rows shared = {.d = d, .rows = rows, .count = count, .error = error};
  pthread_mutex_init(&shared.lock, NULL);
  parallel_run(threads, share, &shared);
  pthread_mutex_destroy(&shared.lock);
  cla_status status = shared.status;
  for (int i = 0; status == CLA_OK && i < count; i++) status = forget(d, rows[i].strip, error);
  return status;
}

cla_status row_delivery_hand_over(row_delivery *d, cla_error *error) {
  const int64_t apart = strips_apart(d);
  complete_row *rows = NULL;
  int count = 0;
  /* Allocates memory before the first rows are complete, while the device computes. */
  cla_status status = keeps_row(d, d->next) ? map_pieces(d, error) : CLA_OK;
  if (status != CLA_OK || d->next >= d->unfinished) return status;
  status = ALLOCATE_ARRAY(&rows, (d->unfinished - d->next) / apart, "kept rows", error);
  if (status == CLA_OK) status = read_bests(d, d->unfinished - apart, error);
  for (int64_t strip = d->next; status == CLA_OK && strip < d->unfinished; strip += apart) {
    complete_row *row = rows + count++;
    take_bests(d, strip);
    if (d->w->what->prune) status = pruning_read(&row->run, d->w->engine, strip, 1, error);
    row->strip = strip;
    row->best = d->best;
  }
  if (status == CLA_OK) status = hand_over(d, rows, count, error);
  if (status == CLA_OK) d->next = d->unfinished;
  free(rows);
  return status;
}
