/* docs/internals/exactness.md, "Gap placement": a path as a line of letters P, I and D, whose gaps move one
 * letter at a time. */

#include <stdlib.h>
#include <string.h>

#include "differential/oracle.h"

typedef struct step_line {
  char *steps;
  int64_t count;
  const char *query, *target; /* from the path's start on */
} step_line;

static step_line unfold(const oracle_path *path, const oracle_matrix *m) {
  step_line out = {.query = m->query + path->query_start, .target = m->target + path->target_start};
  for (size_t r = 0; r < path->run_count; r++) out.count += path->runs[r].length;
  out.steps = malloc((size_t)out.count + 1);
  if (!out.steps) abort();
  int64_t at = 0;
  for (size_t r = 0; r < path->run_count; r++)
    for (int64_t k = 0; k < path->runs[r].length; k++) out.steps[at++] = "PID"[path->runs[r].kind];
  out.steps[at] = '\0';
  return out;
}

static void fold(oracle_path *path, const step_line *from) {
  free(path->runs);
  path->runs = calloc((size_t)from->count + 1, sizeof *path->runs);
  if (!path->runs) abort();
  path->run_count = 0;
  for (int64_t i = 0; i < from->count; i++) {
    const cla_run_kind kind = (cla_run_kind)(strchr("PID", from->steps[i]) - "PID");
    if (i == 0 || from->steps[i] != from->steps[i - 1]) path->runs[path->run_count++].kind = kind;
    path->runs[path->run_count - 1].length++;
  }
}

/* The letter of the gap's own sequence that a step consumes: the number of such letters before it. */
static char letter_at(const step_line *l, char kind, int64_t step) {
  int64_t before = 0;
  for (int64_t i = 0; i < step; i++) before += l->steps[i] == 'P' || l->steps[i] == kind;
  return kind == 'I' ? l->query[before] : l->target[before];
}

/* Whether the gap of steps first to last - 1 may move over the pair beside it: it takes a letter there and
 * gives the same one at its other end. Towards lower steps if `left`. */
static bool may_move(const step_line *l, int64_t first, int64_t last, bool left, bool keeps_pair) {
  const int64_t pair = left ? first - 1 : last, by = left ? -1 : 1;
  const char kind = l->steps[first];
  if (pair < 0 || pair >= l->count || l->steps[pair] != 'P') return false;
  if (letter_at(l, kind, pair) != letter_at(l, kind, left ? last - 1 : first)) return false;
  /* What it would touch: gaps of the other kind it may, of its own kind not, and the path's end not always.
   */
  const int64_t next = pair + by;
  if (next < 0 || next >= l->count) return !keeps_pair;
  return l->steps[next] != kind;
}

static bool move_some(step_line *l, bool left, const bool keeps_pair[2]) {
  bool moved = false;
  for (int64_t first = 0; first < l->count; first++) {
    const char kind = l->steps[first];
    int64_t last = first;
    if (kind == 'P') continue;
    while (last < l->count && l->steps[last] == kind) last++;
    if (may_move(l, first, last, left, keeps_pair[kind == 'D'])) {
      l->steps[left ? first - 1 : last] = kind;
      l->steps[left ? last - 1 : first] = 'P';
      moved = true;
      last += !left; /* of the gap as it is now */
    }
    first = last - 1;
  }
  return moved;
}

void oracle_place_gaps(oracle_path *path, const oracle_matrix *m, cla_gap_placement placement) {
  if (placement == CLA_GAPS_CANONICAL || path->run_count == 0) return;
  const bool left = placement == CLA_GAPS_LEFT;
  /* Where an end is free, a gap there would be none. */
  const bool keeps_pair[2] = {left ? m->query_start : m->query_end || m->anywhere,
                              left ? m->target_start : m->target_end || m->anywhere};
  step_line line = unfold(path, m);
  while (move_some(&line, left, keeps_pair)) continue;
  fold(path, &line);
  free(line.steps);
}
