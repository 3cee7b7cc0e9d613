/* The graph of all alignments that score at most delta less than the optimum, in the lines of a block, as a
 * text for Graphviz. */

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/extremes.h"
#include "certain/certain_internal.h"
#include "result/alignment.h"

void near_graph_place(near_graph *g, const cla_ambiguous_block *block, const list_origin *origin) {
  const cla_side *query = &origin->alignment->query;
  const bool reverse = origin->alignment->strand == CLA_STRAND_REVERSE;
  const int64_t start = reverse ? query->length - block->query_stop : block->query_start;
  const int64_t rows = block->query_stop - block->query_start;
  g->origin = *origin;
  g->top = start - origin->query_first + block->target_start - origin->target_first;
  g->bottom = g->top + rows + block->target_stop - block->target_start;
}

cla_status near_graph_line(near_graph *g, const near_line *line, cla_error *error) {
  optimal_graph *to = &g->graph;
  if (line->line < g->top || line->line > g->bottom) return CLA_OK;
  if (to->line_count == 0) to->first_line = line->line;
  cla_status status = ALLOCATE_GROW(&to->offsets, &to->line_capacity, to->line_count + 1, "a graph", error);
  if (status == CLA_OK)
    status = ALLOCATE_GROW(&to->nodes, &to->capacity, to->count + line->count + 1, "a graph", error);
  if (status != CLA_OK) return status;
  to->offsets[to->line_count++] = to->count;
  if (line->count > 0) memcpy(to->nodes + to->count, line->nodes, (size_t)line->count * sizeof *line->nodes);
  to->count += line->count;
  return CLA_OK;
}

/* Writes a node's name: the numbers of letters before it, in the records. */
static void put_name(FILE *file, const near_graph *g, int64_t row, int64_t column) {
  const cla_side *query = &g->origin.alignment->query;
  const int64_t position = row + g->origin.query_first;
  const bool reverse = g->origin.alignment->strand == CLA_STRAND_REVERSE;
  fprintf(file, "\"%" PRId64 ",%" PRId64 "\"", reverse ? query->length - position : position,
          column + g->origin.target_first);
}

static void put_letter(FILE *file, char letter) {
  if (letter == '"' || letter == '\\') fputc('\\', file);
  fputc(letter, file);
}

/* True if the alignment has the edge that leads to the node. */
static bool is_written(const cuts *c, cla_run_kind kind, int64_t row, int64_t column) {
  const bool across = kind == CLA_RUN_TARGET;
  const int64_t at = across ? column - c->start_column - 1 : row - c->start_row - 1;
  const int64_t most = across ? c->stop_column - c->start_column : c->stop_row - c->start_row;
  if (at < 0 || at >= most) return false;
  const path_crossing *crossing = across ? &c->columns[at] : &c->rows[at];
  return crossing->kind == (uint8_t)kind && crossing->across == (across ? row : column);
}

/* Writes the edge of this kind that leads to the node, if it loses at most delta. */
static void put_edge(FILE *file, const near_graph *g, const cuts *c, const near_node *node, int64_t column,
                     cla_run_kind kind) {
  const int64_t row = node->row, from_row = row - (kind != CLA_RUN_TARGET),
                from_column = column - (kind != CLA_RUN_QUERY);
  const int64_t from = from_row < 0 || from_column < 0 ? -1 : graph_find(&g->graph, from_row, from_column);
  const cla_scoring *scoring = c->problem->scheme.scoring;
  if (from < 0) return;
  const int64_t score = kind == CLA_RUN_PAIR
                            ? g->graph.nodes[from].h + near_pair_score(c, row, column) + node->rest_h
                            : near_gap_score(node, gap_pieces(scoring), kind == CLA_RUN_TARGET);
  if (score < c->optimum - c->delta) return;
  const char *letters = g->letters;
  char loss[CLA_SCORE_TEXT_SIZE];
  cla_score_text(loss, c->optimum - score, scoring);
  const bool written = is_written(c, kind, row, column), best = score == c->optimum;
  fputs("  ", file);
  put_name(file, g, from_row, from_column);
  fputs(" -> ", file);
  put_name(file, g, row, column);
  fputs(" [label=\"", file);
  put_letter(file, kind == CLA_RUN_TARGET ? '-' : letters[c->problem->query[row - 1]]);
  fputc('/', file);
  put_letter(file, kind == CLA_RUN_QUERY ? '-' : letters[c->problem->target[column - 1]]);
  if (!best) fprintf(file, " %s", loss);
  fprintf(file, "\", loss=%s, written=%s%s];\n", loss, written ? "true" : "false",
          written ? ", penwidth=3"
          : best  ? ""
                  : ", style=dashed");
}

static void put_node(FILE *file, const near_graph *g, const cuts *c, const near_node *node, int64_t column) {
  const int64_t least = c->optimum - c->delta;
  char loss[CLA_SCORE_TEXT_SIZE];
  cla_score_text(loss, c->optimum - node->best, c->problem->scheme.scoring);
  fputs("  ", file);
  put_name(file, g, node->row, column);
  fprintf(file, " [loss=%s", loss);
  if (node->starts && node->rest_h >= least) fputs(", start=true, shape=house", file);
  if (node->ends && node->h >= least) fputs(", end=true, shape=invhouse", file);
  fputs("];\n", file);
}

void near_graph_write(FILE *file, const near_graph *g, const cuts *c) {
  const optimal_graph *graph = &g->graph;
  char delta[CLA_SCORE_TEXT_SIZE];
  cla_score_text(delta, c->delta, c->problem->scheme.scoring);
  fprintf(
      file,
      "/* Block %" PRId64
      ": all alignments that lose at most %s points. A node says how many letters of "
      "the\n   query's and of the target's record are before it. Edges: query letter / target letter, and "
      "what is\n   lost; thick: the written alignment; dashed: no best alignment. */\n",
      g->number, delta);
  fprintf(file, "digraph block_%" PRId64 " {\n", g->number);
  for (int64_t line = graph->line_count - 1; line >= 0; line--)
    for (int64_t i = graph->offsets[line]; i < graph_line_end(graph, line); i++) {
      const near_node *node = &graph->nodes[i];
      const int64_t column = graph->first_line - line - node->row;
      put_node(file, g, c, node, column);
      put_edge(file, g, c, node, column, CLA_RUN_PAIR);
      put_edge(file, g, c, node, column, CLA_RUN_QUERY);
      put_edge(file, g, c, node, column, CLA_RUN_TARGET);
    }
  fputs("}\n", file);
}
