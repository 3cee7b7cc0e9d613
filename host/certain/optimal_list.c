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
  optimal_list *list;
  const cla_scoring *scoring;
  int pieces;
  bool above;
  const listed_block *own; /* the alignment's own columns */
  way_step *steps;
  uint8_t *kinds; /* of the way so far */
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

/* Adds a way with these columns to the list's last block. */
static cla_status add_way(optimal_list *list, const way_step *start, const uint8_t *kinds, int64_t columns,
                          cla_error *error) {
  cla_status status = allocate_grow((void **)&list->ways, &list->way_capacity, list->way_count + 1,
                                    sizeof *list->ways, WHAT, error);
  if (status == CLA_OK)
    status = allocate_grow((void **)&list->kinds, &list->kind_capacity, list->kind_count + columns, 1, WHAT,
                           error);
  if (status != CLA_OK) return status;
  list->ways[list->way_count++] = (listed_way){
      .row = start->row, .column = start->column, .first_kind = list->kind_count, .columns = columns};
  memcpy(list->kinds + list->kind_count, kinds, (size_t)columns);
  list->kind_count += columns;
  list->blocks[list->block_count - 1].ways++;
  return CLA_OK;
}

static bool is_own(const way_search *s) {
  const listed_way *own = &s->list->ways[s->own->first_way];
  return own->columns == s->depth && own->row == s->steps[0].row && own->column == s->steps[0].column &&
         memcmp(s->list->kinds + own->first_kind, s->kinds, (size_t)s->depth) == 0;
}

/* Follows all ways from the first step, until the block has `most` of them. *more is true if there are more.
 */
static cla_status follow(way_search *s, int64_t most, bool *more, cla_error *error) {
  s->depth = 0;
  while (s->depth >= 0) {
    way_step *at = &s->steps[s->depth];
    const int choice = at->choice++;
    if (choice == CHOICES) {
      s->depth--;
    } else if (choice != CHOICE_END) {
      static const cla_run_kind columns[] = {
          [CHOICE_PAIR] = CLA_RUN_PAIR, [CHOICE_QUERY] = CLA_RUN_QUERY, [CHOICE_TARGET] = CLA_RUN_TARGET};
      if (!take(at + 1, s, at, columns[choice])) continue;
      s->kinds[s->depth++] = (uint8_t)columns[choice];
    } else if (ends_part(s, at)) {
      if (s->graph->below) at->choice = CHOICES;
      if (is_own(s)) continue;
      *more = s->list->blocks[s->list->block_count - 1].ways >= most;
      if (*more) return CLA_OK;
      cla_status status = add_way(s->list, &s->steps[0], s->kinds, s->depth, error);
      if (status != CLA_OK) return status;
    }
  }
  return CLA_OK;
}

static bool is_start(const way_search *s, int64_t index) {
  const near_node *node = &s->graph->nodes[index];
  if (s->above) return index == s->graph->count - 1;
  return node->starts && node->rest_h == s->graph->cuts->optimum;
}

/* Follows the ways from all starts of the part, from the first line on. */
static cla_status follow_all(way_search *s, int64_t most, bool *more, cla_error *error) {
  const optimal_graph *g = s->graph;
  cla_status status = CLA_OK;
  for (int64_t line = g->line_count - 1; line >= 0 && status == CLA_OK && !*more; line--)
    for (int64_t i = g->offsets[line]; i < graph_line_end(g, line) && status == CLA_OK && !*more; i++) {
      if (!is_start(s, i)) continue;
      s->steps[0] = (way_step){.node = i,
                               .row = g->nodes[i].row,
                               .column = g->first_line - line - g->nodes[i].row,
                               .value = s->above ? g->nodes[i].h : 0,
                               .kind = -1};
      status = follow(s, most, more, error);
    }
  return status;
}

cla_status list_block(optimal_list *list, const optimal_graph *g, bool above, const listed_block *own,
                      cla_error *error) {
  const cla_scoring *scoring = g->cuts->problem->scheme.scoring;
  const way_step start = {.row = own->row, .column = own->column};
  way_search s = {
      .graph = g, .list = list, .scoring = scoring, .pieces = gap_pieces(scoring), .above = above};
  const int64_t most = (list->most + list->count - 1) / list->count;
  bool more = false;
  if (list->count >= list->most) { /* a block has two ways or more */
    list->more = true;
    return CLA_OK;
  }
  cla_status status = allocate_grow((void **)&list->blocks, &list->block_capacity, list->block_count + 1,
                                    sizeof *list->blocks, WHAT, error);
  if (status != CLA_OK) return status;
  s.own = &list->blocks[list->block_count++];
  list->blocks[list->block_count - 1] = *own;
  list->blocks[list->block_count - 1].first_way = list->way_count;
  status =
      add_way(list, &start, g->cuts->kinds + own->first_column, own->end_column - own->first_column, error);
  if (status == CLA_OK)
    status = allocate_array((void **)&s.steps, g->line_count + 1, sizeof *s.steps, WHAT, error);
  if (status == CLA_OK) status = allocate_array((void **)&s.kinds, g->line_count + 1, 1, WHAT, error);
  if (status == CLA_OK) status = follow_all(&s, most, &more, error);
  free(s.steps);
  free(s.kinds);
  list->more |= more;
  if (status == CLA_OK) list->count *= list->blocks[list->block_count - 1].ways;
  return status;
}

/* A path that is being put together. */
typedef struct growing_path {
  cla_run *runs;
  int64_t count, capacity;
  int64_t start[2], letters[2]; /* of the query and of the target, in the matrix */
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
    cla_status status =
        allocate_grow((void **)&to->runs, &to->capacity, to->count + 1, sizeof *to->runs, WHAT, error);
    if (status != CLA_OK) return status;
    to->runs[to->count++] = (cla_run){.length = 1, .kind = kind};
  }
  return CLA_OK;
}

/* Puts the path of alignment `number` together. */
static cla_status put_path(growing_path *to, const optimal_list *list, const cuts *c, int64_t number,
                           cla_error *error) {
  int64_t column = 0, below = list->count;
  cla_status status = CLA_OK;
  to->count = to->letters[0] = to->letters[1] = 0;
  to->start[0] = c->start_row;
  to->start[1] = c->start_column;
  for (int64_t i = list->block_count - 1; i >= 0 && status == CLA_OK; i--) {
    const listed_block *block = &list->blocks[i];
    below /= block->ways;
    const listed_way *way = &list->ways[block->first_way + number / below];
    number %= below;
    if (block->first_column == 0 && column == 0 && to->count == 0) {
      to->start[0] = way->row;
      to->start[1] = way->column;
    }
    status = put_columns(to, c->kinds + column, block->first_column - column, error);
    if (status == CLA_OK) status = put_columns(to, list->kinds + way->first_kind, way->columns, error);
    column = block->end_column;
  }
  return status == CLA_OK ? put_columns(to, c->kinds + column, c->column_count - column, error) : status;
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

cla_status list_alignments(cla_certificate *out, const optimal_list *list, const cuts *c,
                           const list_origin *origin, cla_error *error) {
  const int64_t number = smaller(list->count, list->most);
  growing_path made = {0};
  int64_t bytes = 0;
  cla_status status = allocate_zeros((void **)&out->optimal, number + 1, sizeof *out->optimal, WHAT, error);
  for (int64_t i = 0; i < number && status == CLA_OK; i++) {
    status = put_path(&made, list, c, i, error);
    bytes += made.count * (int64_t)sizeof *made.runs;
    if (status == CLA_OK && bytes > origin->memory_bytes)
      status = error_set(error, CLA_ERROR_MEMORY,
                         "%lld optimal alignments need more than %lld MiB; raise --memory, or list fewer",
                         (long long)number, (long long)(origin->memory_bytes >> 20));
    if (status == CLA_OK) status = copy_alignment(&out->optimal[i], &made, origin, i == 0, error);
    if (status == CLA_OK) out->optimal_count++;
  }
  out->optimal_all = !list->more && list->count <= list->most;
  free(made.runs);
  return status;
}

void list_free(optimal_list *list) {
  free(list->blocks);
  free(list->ways);
  free(list->kinds);
}
