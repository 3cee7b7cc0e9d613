/* The optimal alignments themselves: of each block its ways, and alignments as one way of each block. */

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/extremes.h"
#include "certain/certain_internal.h"

#define WHAT "the list of optimal alignments"

/* What may follow a node. The order is that of the ways. */
typedef enum way_choice { CHOICE_END, CHOICE_PAIR, CHOICE_QUERY, CHOICE_TARGET, CHOICES } way_choice;

/* A node of the way that is being followed. */
typedef struct way_step {
  int64_t node, row, column;
  int64_t value;                /* score of the way so far */
  int64_t open[CLA_GAP_PIECES]; /* the same by the piece that the gap at the end uses */
  int choice;                   /* the choice to try next */
  int kind;                     /* cla_run_kind of the column before the node; -1: none */
} way_step;

/* The search for the ways of a part. */
typedef struct way_search {
  const optimal_graph *graph;
  found_block *block;
  const cla_scoring *scoring;
  int pieces;
  bool above;
  way_step *steps;
  uint8_t *kinds; /* cla_run_kind by column of the way so far */
  int64_t depth;
} way_search;

static bool ends_part(const way_search *s, const way_step *at) {
  const near_node *node = &s->graph->nodes[at->node];
  if (s->graph->below) return at->node == 0 && at->value + node->rest_h == s->graph->cuts->optimum;
  return node->ends && at->value == s->graph->cuts->optimum;
}

/* Sets the step behind `at` by a column. Returns false if no optimal alignment goes there. */
static bool take(way_step *to, const way_search *s, const way_step *at, cla_run_kind kind) {
  const int64_t row = at->row + (kind != CLA_RUN_TARGET), column = at->column + (kind != CLA_RUN_QUERY);
  const cuts *c = s->graph->cuts;
  const int64_t index = graph_find(s->graph, row, column);
  if (index < 0) return false;
  const near_node *node = &s->graph->nodes[index];
  *to = (way_step){.node = index, .row = row, .column = column, .kind = (int)kind};
  if (kind == CLA_RUN_PAIR) {
    to->value = at->value + near_pair_score(c, row, column);
    return to->value + node->rest_h == c->optimum;
  }
  bool possible = false;
  for (int k = 0; k < s->pieces; k++) {
    const cla_gap_piece *gap = &s->scoring->gap[k];
    to->open[k] = at->kind == (int)kind ? at->open[k] - gap->ext : at->value - gap->first;
    to->value = k == 0 || to->open[k] > to->value ? to->open[k] : to->value;
    const int64_t rest = kind == CLA_RUN_TARGET ? node->rest_e[k] : node->rest_f[k];
    possible |= to->open[k] + rest == c->optimum;
  }
  return possible;
}

/* Adds a way with these columns to the block. */
static cla_status add_way(found_block *to, const int64_t start[2], const uint8_t *kinds, int64_t columns,
                          cla_error *error) {
  cla_status status = ALLOCATE_GROW(&to->ways, &to->way_capacity, to->way_count + 1, WHAT, error);
  if (status == CLA_OK)
    status = ALLOCATE_GROW(&to->way_kinds, &to->kind_capacity, to->kind_count + columns + 1, WHAT, error);
  if (status != CLA_OK) return status;
  to->ways[to->way_count++] =
      (listed_way){.row = start[0], .column = start[1], .first_kind = to->kind_count, .columns = columns};
  memcpy(to->way_kinds + to->kind_count, kinds, (size_t)columns);
  to->kind_count += columns;
  return CLA_OK;
}

/* True if the way so far is the alignment's own one. */
static bool is_own(const way_search *s) {
  const listed_way *own = &s->block->ways[0];
  return own->columns == s->depth && own->row == s->steps[0].row && own->column == s->steps[0].column &&
         memcmp(s->block->way_kinds + own->first_kind, s->kinds, (size_t)s->depth) == 0;
}

/* Adds the way so far to the block, if it is new and there is room for it among `most`. */
static cla_status add_found(way_search *s, int64_t most, cla_error *error) {
  const int64_t start[2] = {s->steps[0].row, s->steps[0].column};
  if (is_own(s)) return CLA_OK;
  s->block->more_ways = s->block->way_count >= most;
  return s->block->more_ways ? CLA_OK : add_way(s->block, start, s->kinds, s->depth, error);
}

/* Follows all ways from the first step, until the block has `most` of them and there are more. */
static cla_status follow(way_search *s, int64_t most, cla_error *error) {
  static const cla_run_kind columns[] = {
      [CHOICE_PAIR] = CLA_RUN_PAIR, [CHOICE_QUERY] = CLA_RUN_QUERY, [CHOICE_TARGET] = CLA_RUN_TARGET};
  cla_status status = CLA_OK;
  s->depth = 0;
  while (s->depth >= 0 && status == CLA_OK && !s->block->more_ways) {
    way_step *at = &s->steps[s->depth];
    const int choice = at->choice++;
    if (choice == CHOICES) {
      s->depth--;
    } else if (choice != CHOICE_END) {
      if (take(at + 1, s, at, columns[choice])) s->kinds[s->depth++] = (uint8_t)columns[choice];
    } else if (ends_part(s, at)) {
      if (s->graph->below) at->choice = CHOICES;
      status = add_found(s, most, error);
    }
  }
  return status;
}

/* Follows the ways from all starts of the part, from the first line on. */
static cla_status follow_all(way_search *s, int64_t most, cla_error *error) {
  const optimal_graph *g = s->graph;
  cla_status status = CLA_OK;
  for (int64_t line = g->line_count - 1; line >= 0; line--)
    for (int64_t i = g->offsets[line]; i < graph_line_end(g, line); i++) {
      if (!graph_starts(g, s->above, i) || status != CLA_OK || s->block->more_ways) continue;
      s->steps[0] = (way_step){.node = i,
                               .row = g->nodes[i].row,
                               .column = g->first_line - line - g->nodes[i].row,
                               .value = s->above ? g->nodes[i].h : 0,
                               .kind = -1};
      status = follow(s, most, error);
    }
  return status;
}

cla_status block_ways_list(found_block *block, optimal_graph *g, const int64_t start[2], bool above,
                           cla_error *error) {
  const cuts *c = g->cuts;
  const cla_scoring *scoring = c->problem->scheme.scoring;
  way_search s = {
      .graph = g, .block = block, .scoring = scoring, .pieces = gap_pieces(scoring), .above = above};
  const int64_t most = (g->in->ways_most + g->ways - 1) / g->ways;
  if (g->ways >= g->in->ways_most) { /* a block has two ways or more */
    block->more_ways = true;
    return CLA_OK;
  }
  cla_status status =
      add_way(block, start, c->kinds + block->block.first_column, block->block.columns, error);
  if (status == CLA_OK) status = ALLOCATE_ARRAY(&s.steps, g->line_count + 1, WHAT, error);
  if (status == CLA_OK) status = ALLOCATE_ARRAY(&s.kinds, g->line_count + 1, WHAT, error);
  if (status == CLA_OK) status = follow_all(&s, most, error);
  free(s.steps);
  free(s.kinds);
  g->ways *= block->way_count;
  return status;
}

void block_ways_free(found_block *block) {
  free(block->ways);
  free(block->way_kinds);
}

/* A path that is being put together. */
typedef struct growing_path {
  cla_run *runs;
  int64_t count, capacity;
  int64_t start[2], letters[2]; /* first row and column of the path, and its rows and columns */
} growing_path;

static cla_status put_columns(growing_path *to, const uint8_t *kinds, int64_t columns, cla_error *error) {
  for (int64_t i = 0; i < columns; i++) {
    const cla_run_kind kind = (cla_run_kind)kinds[i];
    to->letters[0] += kind != CLA_RUN_TARGET;
    to->letters[1] += kind != CLA_RUN_QUERY;
    if (to->count > 0 && to->runs[to->count - 1].kind == kind) {
      to->runs[to->count - 1].length++;
      continue;
    }
    cla_status status = ALLOCATE_GROW(&to->runs, &to->capacity, to->count + 1, WHAT, error);
    if (status != CLA_OK) return status;
    to->runs[to->count++] = (cla_run){.length = 1, .kind = kind};
  }
  return CLA_OK;
}

/* Puts the path together that takes way ways[i] of block i; 0 is the alignment's own way. */
static cla_status put_path(growing_path *to, const optimal_graph *g, const int64_t *ways, cla_error *error) {
  const cuts *c = g->cuts;
  int64_t column = 0;
  cla_status status = CLA_OK;
  to->count = to->letters[0] = to->letters[1] = 0;
  to->start[0] = c->start_row;
  to->start[1] = c->start_column;
  for (int64_t i = g->block_count - 1; i >= 0 && status == CLA_OK; i--) {
    const found_block *block = &g->blocks[i];
    if (ways[i] == 0) continue;
    const listed_way *way = &block->ways[ways[i]];
    if (block->block.first_column == 0 && to->count == 0) {
      to->start[0] = way->row;
      to->start[1] = way->column;
    }
    status = put_columns(to, c->kinds + column, block->block.first_column - column, error);
    if (status == CLA_OK) status = put_columns(to, block->way_kinds + way->first_kind, way->columns, error);
    column = block->block.first_column + block->block.columns;
  }
  return status == CLA_OK ? put_columns(to, c->kinds + column, c->column_count - column, error) : status;
}

/* Goes on to the next alignment. Returns false if there is none. */
static bool next_ways(int64_t *ways, const optimal_graph *g) {
  for (int64_t i = 0; i < g->block_count; i++) {
    if (++ways[i] < g->blocks[i].way_count) return true;
    ways[i] = 0;
  }
  return false;
}

/* Sets the aligned part of a side from its start and letters on the strand. */
static void set_side(cla_side *side, bool reverse, int64_t start, int64_t letters) {
  side->start = reverse ? side->length - start - letters : start;
  side->stop = side->start + letters;
}

static cla_status copy_alignment(cla_alignment **out, const growing_path *from, const list_origin *origin,
                                 bool is_first, cla_error *error) {
  cla_alignment copy = *origin->alignment;
  copy.runs = from->runs;
  copy.run_count = (size_t)from->count;
  set_side(&copy.query, copy.strand == CLA_STRAND_REVERSE, from->start[0] + origin->query_first,
           from->letters[0]);
  set_side(&copy.target, false, from->start[1] + origin->target_first, from->letters[1]);
  if (!is_first) {
    copy.gap_placement = CLA_GAPS_OTHER;
    copy.metrics = (cla_metrics){0};
    copy.work = NULL;
  }
  return cla_alignment_copy(out, &copy, NULL, error);
}

/* Adds the alignment that takes these ways. */
static cla_status add_alignment(cla_certificate *out, growing_path *made, const optimal_graph *g,
                                const int64_t *ways, const list_origin *origin, cla_error *error) {
  const int64_t at = out->optimal_count;
  cla_status status = put_path(made, g, ways, error);
  if (status == CLA_OK) status = copy_alignment(&out->optimal[at], made, origin, at == 0, error);
  out->optimal_count += status == CLA_OK;
  return status;
}

cla_status optimal_list_make(cla_certificate *out, const optimal_graph *g, const list_origin *origin,
                             int64_t most, cla_error *error) {
  growing_path made = {0};
  int64_t *ways = NULL, capacity = 0, bytes = 0;
  bool more = true;
  cla_status status = ALLOCATE_ZEROS(&ways, g->block_count + 1, WHAT, error);
  while (status == CLA_OK && more && out->optimal_count < most) {
    status = ALLOCATE_GROW(&out->optimal, &capacity, out->optimal_count + 1, WHAT, error);
    if (status == CLA_OK) status = add_alignment(out, &made, g, ways, origin, error);
    bytes += made.count * (int64_t)sizeof *made.runs;
    if (status == CLA_OK && bytes > origin->memory_bytes)
      status = error_set(error, CLA_ERROR_MEMORY,
                         "%lld optimal alignments need more than %lld MiB; raise --memory, or list fewer",
                         (long long)most, (long long)(origin->memory_bytes >> 20));
    more = next_ways(ways, g);
  }
  for (int64_t i = 0; i < g->block_count; i++) more |= g->blocks[i].more_ways;
  out->optimal_all = !more;
  free(made.runs);
  free(ways);
  return status;
}
