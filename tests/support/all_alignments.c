#include "support/all_alignments.h"

#include <stdlib.h>
#include <string.h>

#include "clalign/alignment.h"

static bool may_start(const alignment_list *list, int row, int column) {
  const path_ends *ends = &list->problem->scheme.ends;
  if (ends->floor) return true;
  return (row == 0 && column == 0) || (row == 0 && ends->target_start) || (column == 0 && ends->query_start);
}

static bool may_end(const alignment_list *list, int row, int column) {
  const path_ends *ends = &list->problem->scheme.ends;
  const bool bottom = row == list->problem->rows, side = column == list->problem->columns;
  if (ends->anywhere) return true;
  return (bottom && side) || (bottom && ends->target_end) || (side && ends->query_end);
}

/* A gap along a border on which alignments may start is no alignment of the mode. */
static bool may_gap(const alignment_list *list, int row, int column, int kind) {
  const path_ends *ends = &list->problem->scheme.ends;
  if (kind == CLA_RUN_TARGET) return !(row == 0 && ends->target_start);
  return !(column == 0 && ends->query_start);
}

static int64_t score_of(const alignment_list *list, const listed_alignment *a) {
  const pair_problem *p = list->problem;
  int64_t score = 0;
  int row = a->row, column = a->column;
  for (int i = 0; i < a->count;) {
    if (a->kinds[i] == CLA_RUN_PAIR) {
      score += p->scheme.table->score[p->query[row++] * CLA_MATRIX_STRIDE + p->target[column++]];
      i++;
      continue;
    }
    int length = 1;
    while (i + length < a->count && a->kinds[i + length] == a->kinds[i]) length++;
    int64_t cost = INT64_MAX;
    for (int k = 0; k < CLA_GAP_PIECES; k++) {
      const cla_gap_piece gap = p->scheme.scoring->gap[k];
      if (k > 0 && gap.first == 0) continue;
      const int64_t by = (int64_t)gap.first + (int64_t)(length - 1) * gap.ext;
      cost = by < cost ? by : cost;
    }
    score -= cost;
    *(a->kinds[i] == CLA_RUN_TARGET ? &column : &row) += length;
    i += length;
  }
  return score;
}

static void add(alignment_list *list, const listed_alignment *a) {
  if (list->count == list->capacity) {
    list->capacity = list->capacity * 2 + 64;
    list->all = realloc(list->all, (size_t)list->capacity * sizeof *list->all);
    if (!list->all) abort();
  }
  listed_alignment *to = &list->all[list->count++];
  *to = *a;
  to->score = score_of(list, a);
  if (to->score > list->optimum) list->optimum = to->score;
}

static void extend(alignment_list *list, listed_alignment *a, int row, int column) {
  if (may_end(list, row, column)) add(list, a);
  for (int kind = 0; kind < 3; kind++) {
    const int to_row = row + (kind != CLA_RUN_TARGET), to_column = column + (kind != CLA_RUN_QUERY);
    if (to_row > list->problem->rows || to_column > list->problem->columns) continue;
    if (kind != CLA_RUN_PAIR && !may_gap(list, row, column, kind)) continue;
    a->kinds[a->count++] = (uint8_t)kind;
    extend(list, a, to_row, to_column);
    a->count--;
  }
}

void alignment_list_make(alignment_list *out, const pair_problem *problem) {
  *out = (alignment_list){.problem = problem, .optimum = INT64_MIN};
  for (int row = 0; row <= problem->rows; row++)
    for (int column = 0; column <= problem->columns; column++) {
      listed_alignment a = {.row = row, .column = column};
      if (may_start(out, row, column)) extend(out, &a, row, column);
    }
}

void alignment_list_free(alignment_list *list) {
  free(list->all);
}

int64_t alignment_list_draw(const alignment_list *list, uint64_t draw) {
  int64_t number = 0;
  for (int64_t i = 0; i < list->count; i++)
    number += list->all[i].score == list->optimum && list->all[i].count > 0;
  if (number == 0) return -1;
  int64_t wanted = (int64_t)(draw % (uint64_t)number);
  for (int64_t i = 0; i < list->count; i++)
    if (list->all[i].score == list->optimum && list->all[i].count > 0 && wanted-- == 0) return i;
  return -1;
}

/* The node behind the first `columns` columns. */
static void node_of(int out[2], const listed_alignment *a, int columns) {
  out[0] = a->row;
  out[1] = a->column;
  for (int i = 0; i < columns; i++) {
    out[0] += a->kinds[i] != CLA_RUN_TARGET;
    out[1] += a->kinds[i] != CLA_RUN_QUERY;
  }
}

/* Returns the number of columns before the node; -1: the alignment does not pass it. */
static int passes(const listed_alignment *a, const int node[2]) {
  for (int i = 0; i <= a->count; i++) {
    int at[2];
    node_of(at, a, i);
    if (at[0] == node[0] && at[1] == node[1]) return i;
  }
  return -1;
}

static bool has_column(const listed_alignment *a, const int node[2], int kind) {
  const int at = passes(a, node);
  return at > 0 && a->kinds[at - 1] == kind;
}

/* True if the alignment, at the row (side 0) or column (side 1) of an edge to `node`, is more than
 * `diagonals` away, or does not get there. */
static bool is_far(const listed_alignment *a, const int node[2], int side, int64_t diagonals) {
  const int other = side == 0 ? CLA_RUN_TARGET : CLA_RUN_QUERY; /* columns that do not cross */
  for (int i = 1; i <= a->count; i++) {
    int at[2];
    node_of(at, a, i);
    if (at[side] == node[side] && a->kinds[i - 1] != other)
      return llabs((long long)at[1 - side] - node[1 - side]) > diagonals;
  }
  return true;
}

/* True if the alignment has a gap that leads through the node, and gaps are not merely sums of letters. */
static bool is_inside_gap(const alignment_list *list, const listed_alignment *a, int at) {
  const cla_scoring *s = list->problem->scheme.scoring;
  if (s->gap[1].first == 0 && s->gap[0].first == s->gap[0].ext) return false;
  return at > 0 && at < a->count && a->kinds[at] != CLA_RUN_PAIR && a->kinds[at] == a->kinds[at - 1];
}

static bool is_cut(const alignment_list *list, const int node[2]) {
  for (int64_t i = 0; i < list->count; i++) {
    if (list->all[i].score < list->optimum) continue;
    const int at = passes(&list->all[i], node);
    if (at < 0 || is_inside_gap(list, &list->all[i], at)) return false;
  }
  return true;
}

/* The part of an alignment between two nodes; a column count of -1 stands for its start or its end. */
typedef struct part {
  const listed_alignment *of;
  int from, to;
} part;

static part part_of(const listed_alignment *a, const int above[2], const int below[2]) {
  return (part){a, above[0] < 0 ? 0 : passes(a, above), below[0] < 0 ? a->count : passes(a, below)};
}

static bool same_part(const part *a, const part *b) {
  int at[2], other[2];
  node_of(at, a->of, a->from);
  node_of(other, b->of, b->from);
  return memcmp(at, other, sizeof at) == 0 && a->to - a->from == b->to - b->from &&
         memcmp(a->of->kinds + a->from, b->of->kinds + b->from, (size_t)(a->to - a->from)) == 0;
}

/* Finds the only gap of a part. Returns its letters; 0: there is no gap, or more than one. */
static int only_gap(const part *p, int *first, int *kind) {
  int gaps = 0, letters = 0;
  for (int i = p->from; i < p->to; i++) {
    if (p->of->kinds[i] == CLA_RUN_PAIR) continue;
    if (i == p->from || p->of->kinds[i] != p->of->kinds[i - 1]) {
      gaps++;
      *first = i;
      *kind = p->of->kinds[i];
    }
    letters++;
  }
  return gaps == 1 ? letters : 0;
}

/* True if both parts start and end in the same nodes and have one gap, of the same kind and length, and the
 * letters between both places are equal. */
static bool is_shift(const alignment_list *list, const part *a, const part *b) {
  int first[2] = {0}, kind[2] = {0}, node[2][2];
  const int letters = only_gap(a, &first[0], &kind[0]);
  if (letters == 0 || only_gap(b, &first[1], &kind[1]) != letters || kind[0] != kind[1]) return false;
  node_of(node[0], a->of, a->from);
  node_of(node[1], b->of, b->from);
  if (memcmp(node[0], node[1], sizeof node[0]) != 0 || a->to - a->from != b->to - b->from) return false;
  node_of(node[0], a->of, first[0]);
  node_of(node[1], b->of, first[1]);
  const int side = kind[0] == CLA_RUN_TARGET;
  const uint8_t *sequence = side ? list->problem->target : list->problem->query;
  const uint8_t *other = side ? list->problem->query : list->problem->target;
  const int lower = node[0][side] > node[1][side], moves = abs(node[0][side] - node[1][side]);
  for (int i = 0; i < moves; i++) {
    const uint8_t letter = sequence[node[lower][side] + i];
    if (letter != sequence[node[lower][side] + i + letters] || letter != other[node[lower][1 - side] + i])
      return false;
  }
  return true;
}

/* Looks at all optimal alignments between two nodes, and adds a block if they are not one. */
static void add_block(true_certainty *out, const alignment_list *list, int64_t of, const int above[2],
                      const int below[2]) {
  const part own = part_of(&list->all[of], above, below);
  double number = 0;
  bool shift = true;
  int low[2] = {1 << 20, 1 << 20}, high[2] = {-1, -1};
  int64_t other = INT64_MIN / 4;
  for (int64_t i = 0; i < list->count; i++) {
    const listed_alignment *a = &list->all[i];
    const bool both = (above[0] < 0 || passes(a, above) >= 0) && (below[0] < 0 || passes(a, below) >= 0);
    if (!both && a->score > other) other = a->score;
    if (a->score < list->optimum) continue;
    const part p = part_of(a, above, below);
    bool is_new = true;
    for (int64_t k = 0; k < i && is_new; k++) {
      if (list->all[k].score < list->optimum) continue;
      const part before = part_of(&list->all[k], above, below);
      is_new = !same_part(&p, &before);
    }
    number += is_new;
    shift &= same_part(&p, &own) || is_shift(list, &p, &own);
    for (int j = p.from; j <= p.to; j++) {
      int at[2];
      node_of(at, a, j);
      for (int side = 0; side < 2; side++) {
        if (at[side] < low[side]) low[side] = at[side];
        if (at[side] > high[side]) high[side] = at[side];
      }
    }
  }
  if (number < 2) return;
  out->block[out->blocks].row = low[0];
  out->block[out->blocks].row_end = high[0];
  out->block[out->blocks].column = low[1];
  out->block[out->blocks].column_end = high[1];
  out->block[out->blocks].number = number;
  out->block[out->blocks].shift = shift;
  out->block[out->blocks++].margin = other == INT64_MIN / 4 ? NO_OTHER : list->optimum - other;
}

static void find_blocks(true_certainty *out, const alignment_list *list, int64_t of) {
  const listed_alignment *p = &list->all[of];
  int above[2] = {-1, -1};
  for (int i = 0; i <= p->count; i++) {
    int node[2];
    node_of(node, p, i);
    if (!is_cut(list, node)) continue;
    add_block(out, list, of, above, node);
    memcpy(above, node, sizeof above);
  }
  add_block(out, list, of, above, (int[2]){-1, -1});
}

void true_certainty_find(true_certainty *out, const alignment_list *list, int64_t of, int64_t diagonals) {
  const listed_alignment *p = &list->all[of];
  *out = (true_certainty){0};
  for (int i = 0; i < p->count; i++) out->margins[i] = out->far[i] = NO_OTHER;
  for (int64_t k = 0; k < list->count; k++) {
    const listed_alignment *a = &list->all[k];
    const int64_t loss = list->optimum - a->score;
    out->number += loss == 0;
    for (int i = 0; i < p->count; i++) {
      int node[2];
      node_of(node, p, i + 1);
      const bool has = has_column(a, node, p->kinds[i]);
      out->supports[i] += has && loss == 0;
      if (!has && loss < out->margins[i]) out->margins[i] = loss;
      const bool far = (p->kinds[i] != CLA_RUN_TARGET && is_far(a, node, 0, diagonals)) ||
                       (p->kinds[i] != CLA_RUN_QUERY && is_far(a, node, 1, diagonals));
      if (far && loss < out->far[i]) out->far[i] = loss;
    }
  }
  for (int i = 0; i < p->count; i++) out->supports[i] /= out->number;
  find_blocks(out, list, of);
}
