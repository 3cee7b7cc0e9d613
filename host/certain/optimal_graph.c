/* Optimal alignments as paths in a graph: their number, and how many have each column. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/extremes.h"
#include "certain/certain_internal.h"

/* Logarithms of numbers of paths to a node and from a node. Alignments differ in their columns. So a gap is
 * counted once: it opens only behind another kind of column, and with the first piece of gap costs that is
 * cheapest for its length. */
typedef struct node_counts {
  double pair, across, down; /* paths to the node, by their last column: none or a pair, a gap along the row,
                                a gap down the column */
  double e[CLA_GAP_PIECES], f[CLA_GAP_PIECES]; /* paths to the node within a gap that is not closed */
  double on_pair;            /* paths from the node that end there, or continue with a pair */
  double on_across, on_down; /* paths from the node that open a gap */
  double rest_e[CLA_GAP_PIECES], rest_f[CLA_GAP_PIECES]; /* paths that continue or close a gap */
} node_counts;

/* The graph of one part while its paths are counted. */
typedef struct counting {
  const optimal_graph *graph;
  const cuts *cuts;
  node_counts *counts;           /* by node */
  int64_t least[CLA_GAP_PIECES]; /* by piece: letters of the shortest gap for which it is the cheapest */
  int pieces;
  const cla_gap_piece *gap;
  bool above; /* the last node is one that all optimal alignments pass */
  double all; /* paths in the part */
} counting;

static double log_sum(double a, double b) {
  const double most = fmax(a, b), least = fmin(a, b);
  return isinf(least) ? most : most + log1p(exp(least - most));
}

static void add(double *to, double a) {
  *to = log_sum(*to, a);
}

static int64_t line_number(const optimal_graph *g, int64_t index) {
  return g->first_line - index;
}

/* Finds the shortest gap for which each piece is cheaper than all pieces before it. */
static void find_least(counting *w) {
  for (int k = 0; k < w->pieces; k++) {
    int64_t letters = 1;
    for (int i = 0; i < k; i++) {
      const int64_t more = (int64_t)w->gap[k].first - w->gap[i].first,
                    less = (int64_t)w->gap[i].ext - w->gap[k].ext;
      letters = larger(letters, more / less + 2);
    }
    w->least[k] = letters;
  }
}

/* Returns the index of the node where a gap of a piece opens whose first counted letter leads to node `to`.
 * -1: no optimal alignment has such a gap. */
static int64_t opens(const counting *w, int64_t to, int64_t row, int64_t column, int k, bool across) {
  const near_node *node = &w->graph->nodes[to];
  const int64_t letters = w->least[k], cost = gap_line(w->gap[k].first, w->gap[k].ext, letters);
  const int64_t from = graph_find(w->graph, across ? row : row - letters, across ? column - letters : column);
  if (from < 0) return -1;
  const int64_t rest = across ? node->rest_e[k] : node->rest_f[k];
  return w->graph->nodes[from].h - cost + rest == w->cuts->optimum ? from : -1;
}

/* Returns the index of the node before `to` within a gap that does not close there; -1: there is none. */
static int64_t extends(const counting *w, int64_t to, int64_t row, int64_t column, int k, bool across) {
  const near_node *node = &w->graph->nodes[to];
  const int64_t from = graph_find(w->graph, across ? row : row - 1, across ? column - 1 : column);
  if (from < 0) return -1;
  const near_node *before = &w->graph->nodes[from];
  const int64_t value = (across ? before->e[k] : before->f[k]) - w->gap[k].ext;
  return value + (across ? node->rest_e[k] : node->rest_f[k]) == w->cuts->optimum ? from : -1;
}

/* Returns the index of the node before `to` by an optimal pair; -1: there is none. */
static int64_t pairs(const counting *w, int64_t to, int64_t row, int64_t column) {
  const int64_t from = row > 0 && column > 0 ? graph_find(w->graph, row - 1, column - 1) : -1;
  if (from < 0) return -1;
  const int64_t score =
      w->graph->nodes[from].h + near_pair_score(w->cuts, row, column) + w->graph->nodes[to].rest_h;
  return score == w->cuts->optimum ? from : -1;
}

static double arrived(const node_counts *of) {
  return log_sum(of->pair, log_sum(of->across, of->down));
}

static double leaving(const node_counts *of) {
  return log_sum(of->on_pair, log_sum(of->on_across, of->on_down));
}

static bool closes(const counting *w, const near_node *node, int k, bool across) {
  return (across ? node->e[k] : node->f[k]) + node->rest_h == w->cuts->optimum;
}

/* True if an optimal alignment comes to the node within a gap of the piece. */
static bool has_gap(const counting *w, const near_node *node, int k, bool across) {
  return (across ? node->e[k] + node->rest_e[k] : node->f[k] + node->rest_f[k]) == w->cuts->optimum;
}

/* Counts the paths to a node. */
static void count_to(counting *w, int64_t at, int64_t line) {
  const near_node *node = &w->graph->nodes[at];
  node_counts *to = &w->counts[at];
  const int64_t row = node->row, column = line - row;
  const int64_t from = pairs(w, at, row, column);
  if (from >= 0) add(&to->pair, arrived(&w->counts[from]));
  for (int side = 0; side < 2; side++) {
    const bool across = side == 0;
    for (int k = 0; k < w->pieces; k++) {
      double *open = across ? &to->e[k] : &to->f[k];
      if (!has_gap(w, node, k, across)) continue;
      const int64_t before = extends(w, at, row, column, k, across);
      if (before >= 0) add(open, across ? w->counts[before].e[k] : w->counts[before].f[k]);
      const int64_t opened = opens(w, at, row, column, k, across);
      if (opened >= 0) {
        const node_counts *start = &w->counts[opened];
        add(open, log_sum(start->pair, across ? start->down : start->across));
      }
      if (closes(w, node, k, across)) add(across ? &to->across : &to->down, *open);
    }
  }
}

/* Counts the paths from a node, whose counts are complete: passes them on to the nodes before it. */
static void count_from(counting *w, int64_t at, int64_t line) {
  const near_node *node = &w->graph->nodes[at];
  node_counts *of = &w->counts[at];
  const int64_t row = node->row, column = line - row;
  for (int side = 0; side < 2; side++) {
    const bool across = side == 0;
    const double closed = log_sum(of->on_pair, across ? of->on_down : of->on_across);
    for (int k = 0; k < w->pieces; k++) {
      double *rest = across ? &of->rest_e[k] : &of->rest_f[k];
      if (!has_gap(w, node, k, across)) continue;
      if (closes(w, node, k, across)) add(rest, closed);
      const int64_t before = extends(w, at, row, column, k, across);
      if (before >= 0) add(across ? &w->counts[before].rest_e[k] : &w->counts[before].rest_f[k], *rest);
      const int64_t opened = opens(w, at, row, column, k, across);
      if (opened >= 0) add(across ? &w->counts[opened].on_across : &w->counts[opened].on_down, *rest);
    }
  }
  const int64_t from = pairs(w, at, row, column);
  if (from >= 0) add(&w->counts[from].on_pair, leaving(of));
}

/* Returns the number of paths that have the gap's letter which leads to the node. */
static double through_letter(const counting *w, int64_t at, int64_t row, int64_t column, bool across) {
  const node_counts *of = &w->counts[at];
  double sum = -INFINITY;
  for (int k = 0; k < w->pieces; k++) {
    add(&sum, across ? of->e[k] + of->rest_e[k] : of->f[k] + of->rest_f[k]);
    /* Gaps of which this is a letter before the first counted one. */
    for (int64_t ahead = 1; ahead < w->least[k]; ahead++) {
      const int64_t to_row = across ? row : row + ahead, to_column = across ? column + ahead : column;
      const int64_t to = graph_find(w->graph, to_row, to_column);
      const int64_t opened = to >= 0 ? opens(w, to, to_row, to_column, k, across) : -1;
      if (opened < 0) continue;
      const node_counts *start = &w->counts[opened];
      add(&sum, log_sum(start->pair, across ? start->down : start->across) +
                    (across ? w->counts[to].rest_e[k] : w->counts[to].rest_f[k]));
    }
  }
  return sum;
}

static void clear(counting *w) {
  for (int64_t i = 0; i < w->graph->count; i++) {
    node_counts *of = &w->counts[i];
    of->pair = of->across = of->down = of->on_pair = of->on_across = of->on_down = -INFINITY;
    for (int k = 0; k < CLA_GAP_PIECES; k++) of->e[k] = of->f[k] = of->rest_e[k] = of->rest_f[k] = -INFINITY;
  }
}

static void count_paths(counting *w) {
  const optimal_graph *g = w->graph;
  clear(w);
  w->all = -INFINITY;
  for (int64_t line = g->line_count - 1; line >= 0; line--)
    for (int64_t i = g->offsets[line]; i < graph_line_end(g, line); i++) {
      if (graph_starts(g, w->above, i)) add(&w->counts[i].pair, 0);
      if (!(w->above && graph_starts(g, w->above, i))) count_to(w, i, line_number(g, line));
      if (graph_ends(g, i)) add(&w->all, arrived(&w->counts[i]));
    }
  for (int64_t line = 0; line < g->line_count; line++)
    for (int64_t i = g->offsets[line]; i < graph_line_end(g, line); i++) {
      if (graph_ends(g, i)) add(&w->counts[i].on_pair, 0);
      if (!(w->above && graph_starts(g, w->above, i))) count_from(w, i, line_number(g, line));
    }
}

/* The columns of the alignment in a part, and the node before the first of them. */
typedef struct part_columns {
  int64_t first, end;
  int64_t row, column;
} part_columns;

static part_columns columns_of(const counting *w) {
  const optimal_graph *g = w->graph;
  const cuts *c = w->cuts;
  part_columns of = {0, c->column_count, c->start_row, c->start_column};
  if (w->above) {
    const near_node *node = &g->nodes[g->count - 1];
    of.row = node->row;
    of.column = line_number(g, g->line_count - 1) - node->row;
    of.first =
        larger(of.row > c->start_row ? c->rows[of.row - c->start_row - 1].index + 1 : 0,
               of.column > c->start_column ? c->columns[of.column - c->start_column - 1].index + 1 : 0);
  }
  if (g->below) {
    const int64_t row = g->nodes[0].row, column = g->first_line - row;
    of.end = larger(row > c->start_row ? c->rows[row - c->start_row - 1].index + 1 : 0,
                    column > c->start_column ? c->columns[column - c->start_column - 1].index + 1 : 0);
  }
  return of;
}

/* Sets the supports of the part's columns. Returns the least one. */
static double set_supports(float *supports, const counting *w, const part_columns *of) {
  int64_t row = of->row, column = of->column;
  double least = 1;
  for (int64_t i = of->first; i < of->end; i++) {
    const int kind = w->cuts->kinds[i];
    row += kind != CLA_RUN_TARGET;
    column += kind != CLA_RUN_QUERY;
    const int64_t at = graph_find(w->graph, row, column);
    const int64_t from = at >= 0 && kind == CLA_RUN_PAIR ? pairs(w, at, row, column) : -1;
    double paths = -INFINITY;
    if (from >= 0) paths = arrived(&w->counts[from]) + leaving(&w->counts[at]);
    if (at >= 0 && kind != CLA_RUN_PAIR) paths = through_letter(w, at, row, column, kind == CLA_RUN_TARGET);
    const double support = fmin(exp(paths - w->all), 1);
    supports[i - of->first] = (float)support;
    least = fmin(least, support);
  }
  return least;
}

/* Returns the number of places to which the part's gap can move over pairs of equal letters; -1: the part has
 * no gap, or more than one. A pair of unlike letters would have to move, too. */
static int64_t places_of_gap(const counting *w, const part_columns *of) {
  const uint8_t *kinds = w->cuts->kinds;
  int64_t row = of->row, column = of->column, first = of->first;
  while (first < of->end && kinds[first] == CLA_RUN_PAIR) first++;
  int64_t end = first;
  while (end < of->end && kinds[end] == kinds[first]) end++;
  for (int64_t i = end; i < of->end; i++)
    if (kinds[i] != CLA_RUN_PAIR) return -1;
  if (first == of->end) return -1;
  const bool across = kinds[first] == CLA_RUN_TARGET;
  const int64_t letters = end - first, at = (across ? column : row) + first - of->first;
  const pair_problem *problem = w->cuts->problem;
  const uint8_t *letter = (across ? problem->target : problem->query) + at;
  const uint8_t *partner = across ? problem->query + row : problem->target + column;
  partner += first - of->first;
  int64_t left = 0, right = 0;
  while (left < first - of->first && letter[-1 - left] == letter[letters - 1 - left] &&
         letter[-1 - left] == partner[-1 - left])
    left++;
  while (right < of->end - end && letter[right] == letter[letters + right] && letter[right] == partner[right])
    right++;
  return left + right;
}

/* Sets the range of rows and columns of the part's nodes. */
static void set_range(cla_ambiguous_block *block, const optimal_graph *g) {
  *block = (cla_ambiguous_block){.query_start = INT64_MAX, .target_start = INT64_MAX};
  for (int64_t line = 0; line < g->line_count; line++)
    for (int64_t i = g->offsets[line]; i < graph_line_end(g, line); i++) {
      const int64_t row = g->nodes[i].row, column = line_number(g, line) - row;
      block->query_start = smaller(block->query_start, row);
      block->query_stop = larger(block->query_stop, row);
      block->target_start = smaller(block->target_start, column);
      block->target_stop = larger(block->target_stop, column);
    }
}

static cla_status add_block(optimal_graph *g, const counting *w, int32_t above_loss, cla_error *error) {
  cla_status status =
      ALLOCATE_GROW(&g->blocks, &g->block_capacity, g->block_count + 1, "a certificate", error);
  if (status != CLA_OK) return status;
  const part_columns of = columns_of(w);
  found_block *to = &g->blocks[g->block_count];
  *to = (found_block){0};
  status = ALLOCATE_ARRAY(&to->supports, of.end - of.first + 1, "a certificate", error);
  if (status != CLA_OK) return status;
  g->block_count++;
  set_range(&to->block, g);
  to->block.first_column = of.first;
  to->block.columns = of.end - of.first;
  to->block.log10_alignments = w->all / log(10);
  to->block.least_support = set_supports(to->supports, w, &of);
  const int64_t places = places_of_gap(w, &of);
  to->block.kind = w->all < 40 && places >= 0 && (int64_t)(exp(w->all) + 0.5) == places + 1
                       ? CLA_AMBIGUITY_SHIFT
                       : CLA_AMBIGUITY_OTHER;
  to->lines[0] = w->above ? line_number(g, g->line_count - 1) : -1;
  to->lines[1] = g->below ? g->first_line : -1;
  to->losses[0] = above_loss;
  to->losses[1] = g->below_loss;
  const int64_t start[2] = {of.row, of.column};
  return g->in->ways_most > 0 ? block_ways_list(to, g, start, w->above, error) : CLA_OK;
}

/* True if the part is a single step from one node to the next. */
static bool is_single(const optimal_graph *g, bool above) {
  return above && g->below && g->count <= 2;
}

/* Counts the part's paths, and adds it to the blocks if there is more than one. */
static cla_status finish_part(optimal_graph *g, bool above, int32_t above_loss, cla_error *error) {
  const cla_scoring *scoring = g->cuts->problem->scheme.scoring;
  counting w = {
      .graph = g, .cuts = g->cuts, .pieces = gap_pieces(scoring), .gap = scoring->gap, .above = above};
  if (g->count == 0 || is_single(g, above)) return CLA_OK;
  find_least(&w);
  cla_status status = ALLOCATE_ARRAY(&w.counts, g->count, "a certificate", error);
  if (status != CLA_OK) return status;
  count_paths(&w);
  if (w.all > log(1.5)) status = add_block(g, &w, above_loss, error);
  free(w.counts);
  return status;
}

/* True if an optimal alignment has a gap that leads through the last node, and costs less than two gaps. */
static bool gap_passes(const optimal_graph *g, int64_t line) {
  const cla_scoring *scoring = g->cuts->problem->scheme.scoring;
  const counting w = {.graph = g, .cuts = g->cuts, .pieces = gap_pieces(scoring), .gap = scoring->gap};
  const int64_t row = g->nodes[g->count - 1].row, column = line - row;
  const int64_t right = graph_find(g, row, column + 1), below = graph_find(g, row + 1, column);
  if (w.pieces == 1 && scoring->gap[0].first == scoring->gap[0].ext) return false;
  for (int k = 0; k < w.pieces; k++) {
    if (right >= 0 && extends(&w, right, row, column + 1, k, true) >= 0) return true;
    if (below >= 0 && extends(&w, below, row + 1, column, k, false) >= 0) return true;
  }
  return false;
}

/* Starts the next part with the node that the finished part began with. */
static void begin_part(optimal_graph *g, int32_t loss) {
  memmove(g->nodes, g->nodes + g->count - 1, sizeof *g->nodes);
  g->first_line = line_number(g, g->line_count - 1);
  g->count = g->line_count = 1;
  g->offsets[0] = 0;
  g->below = true;
  g->below_loss = loss;
}

/* Returns what is lost by passing the line elsewhere than by the node. */
static int32_t line_loss(const optimal_graph *g, const near_line *line, const near_node *node,
                         int64_t across) {
  int64_t best = across;
  for (int64_t i = 0; i < line->count; i++)
    if (line->nodes[i].row != node->row) best = larger(best, line->nodes[i].best);
  return (int32_t)smaller(g->cuts->optimum - best, g->cuts->delta + 1);
}

static cla_status add_node(optimal_graph *g, const near_node *node, cla_error *error) {
  if ((g->count + 1) * (int64_t)(sizeof *node + sizeof(node_counts)) > g->in->bytes_limit)
    return error_set(error, CLA_ERROR_MEMORY,
                     "the best alignments differ in a part that needs more than %lld MiB of memory; raise "
                     "--memory",
                     (long long)(g->in->bytes_limit >> 20));
  cla_status status = ALLOCATE_GROW(&g->nodes, &g->capacity, g->count + 1, "a certificate", error);
  if (status == CLA_OK) g->nodes[g->count++] = *node;
  return status;
}

cla_status graph_line(optimal_graph *g, const near_line *line, int64_t across, bool ends_before,
                      cla_error *error) {
  const int64_t optimum = g->cuts->optimum, before = g->count;
  if (g->count == 0) { /* no alignment ends behind this line */
    g->first_line = line->line;
    g->line_count = 0;
  }
  cla_status status =
      ALLOCATE_GROW(&g->offsets, &g->line_capacity, g->line_count + 1, "a certificate", error);
  if (status == CLA_OK) g->offsets[g->line_count++] = g->count;
  bool starts = false;
  for (int64_t i = 0; i < line->count && status == CLA_OK; i++) {
    const near_node *node = &line->nodes[i];
    if (node->best < optimum) continue;
    status = add_node(g, node, error);
    starts |= node->starts && node->rest_h == optimum;
  }
  const bool all_pass = status == CLA_OK && g->count == before + 1 && across < optimum && !ends_before &&
                        g->lowest_start < 0 && !gap_passes(g, line->line);
  if (starts && g->lowest_start < 0) g->lowest_start = line->line;
  if (!all_pass || (g->waits_for >= 0 && line->line > g->waits_for)) return status;
  const int32_t loss = line_loss(g, line, &g->nodes[g->count - 1], across);
  if (g->waits_for < 0)
    status = finish_part(g, true, loss, error);
  else
    g->begins = line->line;
  g->waits_for = -1;
  g->passed = line->line;
  begin_part(g, loss);
  return status;
}

void graph_begin(optimal_graph *g, const cuts *c, const near_optimal_input *input, int64_t waits_for) {
  *g = (optimal_graph){.cuts = c,
                       .in = input,
                       .lowest_start = -1,
                       .passed = INT64_MAX,
                       .waits_for = waits_for,
                       .begins = INT64_MAX,
                       .ways = 1};
}

cla_status graph_finish(optimal_graph *g, cla_error *error) {
  return finish_part(g, false, 0, error);
}

void graph_free(optimal_graph *g) {
  free(g->nodes);
  free(g->offsets);
  for (int64_t i = 0; i < g->block_count; i++) {
    free(g->blocks[i].supports);
    block_ways_free(&g->blocks[i]);
  }
  free(g->blocks);
}
