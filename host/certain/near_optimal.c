/* The backward sweep of a region: from its last line to its first, the nodes of near-optimal alignments
 * alone. The forward values are exact, so no bound is needed: a node matters if both values together reach
 * the optimum less delta. */

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/extremes.h"
#include "certain/near_region.h"

#define DEAD REPLAY_DEAD

/* The state of the sweep. */
typedef struct near_sweep {
  cuts *cuts;
  near_region *region;
  replay_reader *reader;
  replay_block block;
  near_line lines[3]; /* line d is at [d % 3]; only the lines d, d + 1 and d + 2 are kept */
  int64_t last_line;  /* last line of the matrix */
  int64_t given;      /* last line that the graph has received */
  int64_t first_end;  /* first line of the block with an end of the optimum; INT64_MAX: none */
  int64_t least;      /* the least score that matters */
  int64_t across;     /* best score of a pair across the line behind the current one */
  const cla_scoring *scoring;
  int pieces;
} near_sweep;

static near_line *line_of(near_sweep *s, int64_t line) {
  return &s->lines[(line + 3) % 3];
}

/* The neighbours of a node on the lines behind it; NULL: the node is on no alignment that matters. */
typedef struct near_next {
  const near_node *right, *below, *pair;
} near_next;

/* Sets the best rests of paths from the node. `known` is the score of one of them, and `score` that of a
 * pair. */
static void set_rests(near_node *node, const near_sweep *s, const near_next *next, int64_t known,
                      int64_t score) {
  int64_t rest = node->ends ? larger(known, 0) : known;
  if (next->pair) rest = larger(rest, score + next->pair->rest_h);
  for (int k = 0; k < s->pieces; k++) {
    const int64_t first = s->scoring->gap[k].first;
    if (next->right && next->right->e[k] > DEAD / 2) rest = larger(rest, next->right->rest_e[k] - first);
    if (next->below && next->below->f[k] > DEAD / 2) rest = larger(rest, next->below->rest_f[k] - first);
  }
  node->rest_h = rest;
  for (int k = 0; k < s->pieces; k++) {
    const int64_t ext = s->scoring->gap[k].ext;
    node->rest_e[k] = next->right ? larger(rest, next->right->rest_e[k] - ext) : rest;
    node->rest_f[k] = next->below ? larger(rest, next->below->rest_f[k] - ext) : rest;
  }
}

/* Notes the node's start and end in the cuts, and the gaps' letters that lead to it on alignments with these
 * scores. */
static void note_node(near_sweep *s, const near_node *node, int64_t column, int64_t across, int64_t down) {
  cuts *c = s->cuts;
  cuts_edge(c, CLA_RUN_TARGET, node->row, column, across);
  cuts_edge(c, CLA_RUN_QUERY, node->row, column, down);
  if (node->starts && node->rest_h >= s->least) cuts_start(c, node->row, column, node->rest_h);
  if (node->ends && node->h >= s->least) cuts_end(c, node->row, column, node->h);
}

/* True if the sweep starts in the node, with the rest of the alignment behind it. */
static bool is_seed(const near_sweep *s, int64_t line, int64_t row) {
  return line == s->region->seed_line && row == s->region->seed_row;
}

/* Sets the node of row `row`. Returns false if no alignment through it matters. */
static bool make_node(near_node *node, near_sweep *s, int64_t line, int64_t row, const near_next *next) {
  const int64_t column = line - row;
  if (row < 0 || column < 0) return false;
  node->row = row;
  node->h = replay_value(&s->block, line, row, REPLAY_H);
  if (node->h <= DEAD / 2) return false;
  for (int k = 0; k < s->pieces; k++) {
    node->e[k] = replay_value(&s->block, line, row, REPLAY_E(k));
    node->f[k] = replay_value(&s->block, line, row, REPLAY_F(k));
  }
  node->starts = near_starts(s->cuts, row, column);
  node->ends = near_ends(s->cuts, row, column);
  const int64_t score = next->pair ? near_pair_score(s->cuts, row + 1, column + 1) : 0;
  set_rests(node, s, next, is_seed(s, line, row) ? s->cuts->optimum - node->h : DEAD, score);
  const int64_t across = near_gap_score(node, s->pieces, true), down = near_gap_score(node, s->pieces, false);
  node->best = larger(node->h + node->rest_h, larger(across, down));
  if (node->best < s->least) return false;
  note_node(s, node, column, across, down);
  if (next->pair) {
    const int64_t through = node->h + score + next->pair->rest_h;
    cuts_edge(s->cuts, CLA_RUN_PAIR, row + 1, column + 1, through);
    s->across = larger(s->across, through);
  }
  return true;
}

/* Adds the node of row `row` to line `line`, if an alignment through it matters. */
static cla_status offer(near_sweep *s, int64_t line, int64_t row, const near_next *next, cla_error *error) {
  near_line *to = line_of(s, line);
  cla_status status =
      ALLOCATE_GROW(&to->nodes, &to->capacity, to->count + 1, "nodes of near-optimal alignments", error);
  if (status == CLA_OK && make_node(&to->nodes[to->count], s, line, row, next)) to->count++;
  return status;
}

static int64_t row_at(const near_line *line, int64_t index) {
  return index < line->count ? line->nodes[index].row : INT64_MAX / 2;
}

/* Returns the first row of the line, from `row` on, in which an alignment ends that scores at least `least`.
 */
static int64_t next_end(const near_sweep *s, int64_t line, int64_t row, int64_t least) {
  const replay_line *values = &s->block.lines[line - s->block.first];
  if (!s->block.has_ends || s->block.best_end < least) return INT64_MAX / 2;
  row = larger(row, values->first);
  if (s->cuts->problem->scheme.ends.anywhere)
    return smaller(replay_next_high(&s->block, line, row, least), INT64_MAX / 2);
  /* The rows of the nodes in the last column and in the last row. */
  const int64_t rows[] = {line - s->cuts->problem->columns, s->cuts->problem->rows};
  for (int i = 0; i < 2; i++)
    if (rows[i] >= row && rows[i] <= values->last && near_ends(s->cuts, rows[i], line - rows[i]) &&
        replay_value(&s->block, line, rows[i], REPLAY_H) >= least)
      return rows[i];
  return INT64_MAX / 2;
}

/* Returns the first row of the line, from `row` on, with an end that matters or with the seed. */
static int64_t next_entry(const near_sweep *s, int64_t line, int64_t row) {
  const int64_t end = next_end(s, line, row, s->least);
  return line == s->region->seed_line && s->region->seed_row >= row ? smaller(end, s->region->seed_row) : end;
}

/* Makes the line from the two lines behind it. */
static cla_status make_line(near_sweep *s, int64_t line, cla_error *error) {
  const near_line *behind = line_of(s, line + 1), *second = line_of(s, line + 2);
  int64_t right = 0, below = 0, pair = 0, end = next_entry(s, line, 0);
  cla_status status = CLA_OK;
  s->across = DEAD;
  *line_of(s, line) =
      (near_line){.line = line, .nodes = line_of(s, line)->nodes, .capacity = line_of(s, line)->capacity};
  while (status == CLA_OK) {
    const int64_t row = smaller(smaller(row_at(behind, right), row_at(behind, below) - 1),
                                smaller(row_at(second, pair) - 1, end));
    if (row > s->cuts->problem->rows) break;
    const near_next next = {
        .right = row_at(behind, right) == row ? &behind->nodes[right++] : NULL,
        .below = row_at(behind, below) == row + 1 ? &behind->nodes[below++] : NULL,
        .pair = row_at(second, pair) == row + 1 ? &second->nodes[pair++] : NULL,
    };
    if (end == row) end = next_entry(s, line, row + 1);
    status = offer(s, line, row, &next, error);
  }
  return status;
}

static void widen(replay_reach *reach, const near_line *line) {
  for (int64_t i = 0; i < line->count; i++) {
    const int64_t row = line->nodes[i].row, column = line->line - row;
    if (reach->row < 0) reach->low_diagonal = reach->high_diagonal = column - row;
    reach->row = larger(reach->row, row);
    reach->column = larger(reach->column, column);
    reach->low_diagonal = smaller(reach->low_diagonal, column - row);
    reach->high_diagonal = larger(reach->high_diagonal, column - row);
  }
}

/* Sets first_end. */
static void find_first_end(near_sweep *s) {
  s->first_end = INT64_MAX;
  if (s->block.best_end < s->cuts->optimum) return;
  for (int64_t line = s->block.first; line <= s->block.last && s->first_end == INT64_MAX; line++)
    if (next_end(s, line, 0, s->cuts->optimum) < INT64_MAX / 2) s->first_end = line;
}

/* Gives the line behind the current one to the graph. Only now all pairs across that line are known. */
static cla_status give_line(near_sweep *s, int64_t line, cla_error *error) {
  s->given = line;
  const bool ends_before = replay_ends_before(s->reader, s->cuts->optimum) || s->first_end < line;
  struct near_graph *to = s->region->graph.in->graph;
  cla_status status = to ? near_graph_line(to, line_of(s, line), error) : CLA_OK;
  return status == CLA_OK ? graph_line(&s->region->graph, line_of(s, line), s->across, ends_before, error)
                          : status;
}

static cla_status copy_line(near_line *to, const near_line *from, int64_t line, cla_error *error) {
  to->line = line;
  to->count = from->count;
  cla_status status =
      ALLOCATE_GROW(&to->nodes, &to->capacity, from->count, "nodes of near-optimal alignments", error);
  if (status == CLA_OK && from->count > 0)
    memcpy(to->nodes, from->nodes, (size_t)from->count * sizeof *from->nodes);
  return status;
}

/* Copies line `line` and the line behind it. */
static cla_status copy_lines(near_line to[2], near_sweep *s, int64_t line, cla_error *error) {
  cla_status status = copy_line(&to[0], line_of(s, line), line, error);
  return status == CLA_OK ? copy_line(&to[1], line_of(s, line + 1), line + 1, error) : status;
}

/* True if the region's graph is complete, or if it has not begun in the region. */
static bool is_complete(const near_sweep *s) {
  const near_region *r = s->region;
  return r->graph.passed < r->first_line || (r->graph.waits_for >= 0 && s->given <= r->first_line);
}

static cla_status sweep_block(near_sweep *s, cla_error *error) {
  near_region *r = s->region;
  cla_status status = CLA_OK;
  for (int64_t line = s->block.last; line >= s->block.first && status == CLA_OK && !is_complete(s); line--) {
    status = make_line(s, line, error);
    if (status == CLA_OK && line < s->last_line && line <= r->last_line)
      status = give_line(s, line + 1, error);
    if (status == CLA_OK && line == r->last_line + 1) status = copy_lines(r->begin, s, line, error);
    if (status == CLA_OK && line == r->first_line) status = copy_lines(r->end, s, line, error);
  }
  return status;
}

/* Returns the nodes from which the next block needs values. */
static replay_reach find_reach(near_sweep *s, int64_t last) {
  const near_region *r = s->region;
  replay_reach reach = {.row = -1, .column = -1};
  widen(&reach, line_of(s, last + 1));
  widen(&reach, line_of(s, last + 2));
  if (r->seed_line < 0 || last < r->last_line + 1) return reach;
  const int64_t column = r->seed_line - r->seed_row;
  return (replay_reach){r->seed_row, column, column - r->seed_row, column - r->seed_row};
}

/* Completes the graph behind the matrix' first line. */
static cla_status finish(near_sweep *s, cla_error *error) {
  s->across = DEAD;
  s->first_end = INT64_MAX;
  cla_status status = give_line(s, 0, error);
  if (s->region->graph.waits_for >= 0 || status != CLA_OK) return status;
  s->region->graph.passed = -1;
  return graph_finish(&s->region->graph, error);
}

/* Sets the lines behind the region to those of `behind`. */
static cla_status take_lines(near_sweep *s, const near_region *behind, cla_error *error) {
  cla_status status = CLA_OK;
  for (int i = 0; i < 2 && status == CLA_OK; i++) {
    const near_line *from = &behind->end[i];
    status = copy_line(line_of(s, from->line), from, from->line, error);
  }
  return status;
}

/* Counts the cells of a block. */
static cla_status count(near_thread *thread, int64_t cells, cla_error *error) {
  near_regions *all = thread->all;
  const near_optimal_input *in = all->input;
  const int64_t done = atomic_fetch_add(&all->cells, cells) + cells;
  const cla_status failed = first_error_status(&all->failed);
  if (failed != CLA_OK) return error_set(error, failed, "another thread failed");
  return thread->ticks && in->tick ? in->tick(in->tick_user, replay_cells(in->values) + done, error) : CLA_OK;
}

cla_status near_region_sweep(near_region *r, near_thread *thread, const near_region *behind,
                             cla_error *error) {
  cuts *c = thread->all->cuts;
  const replay *values = thread->all->input->values;
  replay_reader *reader = thread->reader;
  near_sweep s = {.cuts = c,
                  .region = r,
                  .reader = reader,
                  .least = c->optimum - c->delta,
                  .given = INT64_MAX,
                  .last_line = replay_last_line(values, replay_blocks(values) - 1),
                  .scoring = c->problem->scheme.scoring,
                  .pieces = gap_pieces(c->problem->scheme.scoring)};
  cla_status status = behind ? take_lines(&s, behind, error) : CLA_OK;
  bool more = true;
  int64_t next = r->last + (!behind && r->seed_line >= 0);
  replay_reader_begin(reader, next);
  while (status == CLA_OK && more && !is_complete(&s)) {
    const int64_t cells = replay_reader_cells(reader);
    const replay_reach reach = find_reach(&s, replay_last_line(values, next));
    status = replay_next(&s.block, &more, reader, &reach, error);
    if (status != CLA_OK || !more) break;
    find_first_end(&s);
    status = sweep_block(&s, error);
    if (status == CLA_OK) status = count(thread, replay_reader_cells(reader) - cells, error);
    more = --next >= 0;
  }
  if (status == CLA_OK && !more && !is_complete(&s)) status = finish(&s, error);
  for (int i = 0; i < 3; i++) free(s.lines[i].nodes);
  return status;
}
