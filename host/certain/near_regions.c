/* The backward sweep on several threads (near_region.h). */

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/extremes.h"
#include "base/machine.h"
#include "certain/near_region.h"

#define REGIONS_OF_THREAD 8 /* more regions than threads, because some have many more nodes than others */
#define BLOCKS_LEAST 8      /* a region has at least so many blocks: the one behind it is swept twice */

/* The alignment's node on a line. */
typedef struct walk {
  const cuts *cuts;
  int64_t index; /* number of columns so far */
  int64_t row, column;
} walk;

/* Goes on to line `line`, or to the line before it if a pair crosses the line. Returns true if the alignment
 * comes to the node by a pair. */
static bool walk_to(walk *w, int64_t line) {
  const cuts *c = w->cuts;
  while (w->index < c->column_count) {
    const int kind = c->kinds[w->index];
    const int64_t row = w->row + (kind != CLA_RUN_TARGET), column = w->column + (kind != CLA_RUN_QUERY);
    if (row + column > line) break;
    w->row = row;
    w->column = column;
    w->index++;
  }
  return w->row + w->column >= line - 1 && w->index > 0 && c->kinds[w->index - 1] == CLA_RUN_PAIR;
}

/* Adds a region that ends with block `last`, if the block behind it has a seed. */
static void add_region(near_regions *all, walk *w, int64_t last) {
  const int64_t line = replay_last_line(all->input->values, last + 1);
  if (w->row + w->column > line || !walk_to(w, line)) return;
  near_region *r = &all->regions[all->count++];
  *r = (near_region){.last = last, .seed_line = w->row + w->column, .seed_row = w->row};
}

/* Reverses the regions' order, and sets their first blocks and lines. */
static void order_regions(near_regions *all) {
  const replay *values = all->input->values;
  for (int64_t i = 0; i < all->count / 2; i++) {
    const near_region other = all->regions[i];
    all->regions[i] = all->regions[all->count - 1 - i];
    all->regions[all->count - 1 - i] = other;
  }
  for (int64_t i = 0; i < all->count; i++) {
    near_region *r = &all->regions[i];
    r->first = i + 1 < all->count ? all->regions[i + 1].last + 1 : 0;
    r->first_line = r->first > 0 ? replay_last_line(values, r->first - 1) + 1 : 0;
    r->last_line = replay_last_line(values, r->last);
    graph_begin(&r->graph, all->cuts, all->input, i > 0 ? r->last_line : -1);
  }
}

static cla_status make_regions(near_regions *all, cla_error *error) {
  const near_optimal_input *in = all->input;
  const int64_t blocks = replay_blocks(in->values);
  int64_t count =
      in->threads > 1 ? smaller((int64_t)in->threads * REGIONS_OF_THREAD, blocks / BLOCKS_LEAST) : 1;
  if (in->regions > 0) count = smaller(in->regions, blocks);
  count = larger(count, 1);
  walk w = {.cuts = all->cuts, .row = all->cuts->start_row, .column = all->cuts->start_column};
  cla_status status = ALLOCATE_ZEROS(&all->regions, count, "parts of a certificate", error);
  if (status != CLA_OK) return status;
  for (int64_t i = 1; i < count; i++) add_region(all, &w, i * blocks / count - 1);
  all->regions[all->count++] = (near_region){.last = blocks - 1, .seed_line = -1, .seed_row = -1};
  order_regions(all);
  return CLA_OK;
}

static void free_regions(near_regions *all) {
  for (int64_t i = 0; i < all->count; i++) {
    near_region *r = &all->regions[i];
    graph_free(&r->graph);
    for (int k = 0; k < 2; k++) free(r->begin[k].nodes);
    for (int k = 0; k < 2; k++) free(r->end[k].nodes);
  }
  free(all->regions);
}

/* Sweeps regions until none is left. */
static void take_regions(void *user, int index) {
  near_thread thread = {.all = user, .ticks = index == 0};
  near_regions *all = user;
  cla_error error;
  cla_status status = replay_reader_make(&thread.reader, all->input->values, &error);
  for (int64_t i; status == CLA_OK && (i = atomic_fetch_add(&all->next, 1)) < all->count;)
    status = near_region_sweep(&all->regions[i], &thread, NULL, &error);
  replay_reader_free(thread.reader);
  first_error_note(&all->failed, status, &error);
}

/* True if two lines have the same nodes, with equal rests. */
static bool are_equal(const near_line *a, const near_line *b, int pieces) {
  if (a->count != b->count || a->line != b->line) return false;
  for (int64_t i = 0; i < a->count; i++) {
    const near_node *x = &a->nodes[i], *y = &b->nodes[i];
    if (x->row != y->row || x->rest_h != y->rest_h) return false;
    for (int k = 0; k < pieces; k++)
      if (x->rest_e[k] != y->rest_e[k] || x->rest_f[k] != y->rest_f[k]) return false;
  }
  return true;
}

/* Sweeps those regions again that did not begin with the right lines. */
static cla_status repeat_wrong(near_regions *all, cla_error *error) {
  const int pieces = gap_pieces(all->cuts->problem->scheme.scoring);
  near_thread thread = {.all = all, .ticks = true};
  cla_status status = replay_reader_make(&thread.reader, all->input->values, error);
  for (int64_t i = 1; i < all->count && status == CLA_OK; i++) {
    near_region *r = &all->regions[i];
    const near_region *behind = &all->regions[i - 1];
    if (are_equal(&r->begin[0], &behind->end[0], pieces) && are_equal(&r->begin[1], &behind->end[1], pieces))
      continue;
    graph_free(&r->graph);
    graph_begin(&r->graph, all->cuts, all->input, r->last_line);
    r->seed_line = -1;
    status = near_region_sweep(r, &thread, behind, error);
  }
  replay_reader_free(thread.reader);
  return status;
}

/* Moves the blocks of a graph to another one. */
static cla_status take_blocks(optimal_graph *to, optimal_graph *from, cla_error *error) {
  cla_status status = ALLOCATE_GROW(&to->blocks, &to->block_capacity, to->block_count + from->block_count + 1,
                                    "a certificate", error);
  if (status == CLA_OK && from->block_count > 0)
    memcpy(to->blocks + to->block_count, from->blocks, (size_t)from->block_count * sizeof *from->blocks);
  if (status != CLA_OK) return status;
  to->block_count += from->block_count;
  from->block_count = 0;
  return CLA_OK;
}

/* Joins the graphs: each begins with the node with which another one ends. */
static cla_status join_graphs(optimal_graph *g, near_regions *all, cla_error *error) {
  int64_t at = INT64_MAX;
  cla_status status = CLA_OK;
  for (int64_t i = 0; i < all->count && status == CLA_OK; i++) {
    optimal_graph *next = &all->regions[i].graph;
    if (next->waits_for >= 0 || next->begins != at) continue;
    status = take_blocks(g, next, error);
    at = next->passed;
  }
  if (status != CLA_OK || at == -1) return status;
  return error_set(error, CLA_ERROR_VERIFICATION,
                   "wrong value: the parts of the certificate contradict each other; report this");
}

cla_status near_optimal_sweep(cuts *c, optimal_graph *g, int64_t *cells, const near_optimal_input *input,
                              cla_error *error) {
  near_regions all = {.cuts = c, .input = input};
  cla_status status = make_regions(&all, error);
  if (status == CLA_OK) {
    parallel_run((int)smaller(input->threads, all.count), take_regions, &all);
    status = first_error_take(&all.failed, error);
  }
  if (status == CLA_OK) status = repeat_wrong(&all, error);
  if (status == CLA_OK) status = join_graphs(g, &all, error);
  *cells = replay_cells(input->values) + atomic_load(&all.cells);
  free_regions(&all);
  return status;
}
