#include "path/path_mend.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "base/extremes.h"

#define GAP_LEAST 64     /* a straight way is tried for gaps of at least this many letters */
#define ROUNDS 4         /* number of rounds in each direction */
#define LOOK_LETTERS 128 /* number of pairs at the start of a straight way that are compared first */
#define LOOK_LIKE 96  /* minimum number of matches among LOOK_LETTERS pairs for a straight way to be tried */
#define SHIFT_MOST 12 /* maximum letters of a gap on the straight way */
#define AHEAD 32 /* number of pairs after a mismatch that are compared to find out whether there is a gap */
#define AHEAD_LIKE 28    /* minimum number of matches among AHEAD pairs that shows a mismatch without a gap */
#define STEP_LETTERS 512 /* letters of the straight way between two comparisons with the path */
/* In the first round, the straight way's score may fall below its maximum by the score of this many
 * matches. */
#define DROP_FIRST 2000
#define DROP_GROWS 4 /* factor by which the allowed fall grows from each round to the next */

/* A node of a path, with the score of the path up to this node. */
typedef struct path_place {
  const bound_path *path;
  int64_t run, offset; /* offset: number of steps of the run before the node */
  int64_t query, target, score;
} path_place;

static bool is_long_gap(const cla_run *run) {
  return run->kind != CLA_RUN_PAIR && run->length >= GAP_LEAST;
}

static path_place first_place(const bound_path *path) {
  return (path_place){.path = path, .query = path->query, .target = path->target};
}

/* Moves the place forward by at most `most` pairs, or by a whole gap. */
static void move_on(path_place *at, const bound_pair *pair, int64_t most) {
  const cla_run *run = &at->path->runs[at->run];
  const bool gap = run->kind != CLA_RUN_PAIR;
  const int64_t steps = gap ? run->length : smaller(run->length - at->offset, most);
  if (gap) at->score -= gap_cost(pair->problem.scheme.scoring, run->length);
  for (int64_t i = 0; i < steps && !gap; i++)
    at->score += bound_pair_score(pair, at->query + i, at->target + i);
  at->query += run->kind == CLA_RUN_TARGET ? 0 : steps;
  at->target += run->kind == CLA_RUN_QUERY ? 0 : steps;
  at->offset += steps;
  if (at->offset < run->length) return;
  at->run++;
  at->offset = 0;
}

/* Moves the place forward until it is neither above nor left of the node (query, target). Returns false if
 * the path ends first. */
static bool move_beyond(path_place *at, const bound_pair *pair, int64_t query, int64_t target) {
  while (at->run < at->path->count && (at->query < query || at->target < target))
    move_on(at, pair, larger(query - at->query, target - at->target));
  return at->query >= query && at->target >= target;
}

/* True if most of the next pairs on the place's diagonal are matches. */
static bool looks_alike(const bound_pair *pair, const path_place *at) {
  const pair_problem *problem = &pair->problem;
  const int64_t letters =
      smaller(LOOK_LETTERS, smaller(problem->rows - at->query, problem->columns - at->target));
  int64_t like = 0;
  for (int64_t i = 0; i < letters; i++)
    like += bound_letters_match(problem->query[at->query + i], problem->target[at->target + i]);
  return like * LOOK_LETTERS >= letters * LOOK_LIKE;
}

/* Returns the score of the next AHEAD pairs on the node's diagonal. *like receives the number of matches. */
static int64_t score_ahead(int64_t *like, const bound_pair *pair, int64_t query, int64_t target) {
  const pair_problem *problem = &pair->problem;
  const int64_t count = smaller(AHEAD, smaller(problem->rows - query, problem->columns - target));
  int64_t score = 0;
  *like = 0;
  for (int64_t i = 0; i < count; i++) {
    score += bound_pair_score(pair, query + i, target + i);
    *like += bound_letters_match(problem->query[query + i], problem->target[target + i]);
  }
  return score;
}

/* Extends the path by all matches after its stop, then by a mismatch or a short gap. Returns the score of the
 * added steps. */
static int64_t step_straight(bound_path *way, const bound_pair *pair, int64_t *letters, cla_status *status) {
  const pair_problem *problem = &pair->problem;
  const int64_t rows = problem->rows - way->query_stop, columns = problem->columns - way->target_stop;
  const int64_t matches = bound_match_length(problem->query + way->query_stop,
                                             problem->target + way->target_stop, smaller(rows, columns));
  const int64_t query = way->query_stop + matches, target = way->target_stop + matches;
  const bool ends = matches == smaller(rows, columns);
  int64_t best = 0, like = 0, score = 0;
  *letters -= matches + AHEAD;
  if (!ends) {
    score = bound_pair_score(pair, query, target);
    int64_t most = score + score_ahead(&like, pair, query + 1, target + 1);
    for (int64_t shift = -SHIFT_MOST; like < AHEAD_LIKE && shift <= SHIFT_MOST; shift++) {
      const int64_t up = larger(-shift, 0), right = larger(shift, 0);
      if (shift == 0 || query + up >= problem->rows || target + right >= problem->columns) continue;
      const int64_t cost = gap_cost(problem->scheme.scoring, up + right);
      const int64_t shifted = score_ahead(&like, pair, query + up, target + right) - cost;
      *letters -= AHEAD;
      if (shifted <= most) continue;
      most = shifted;
      best = shift;
      score = -cost;
    }
  }
  *status = bound_path_add(way, CLA_RUN_PAIR, matches + (!ends && best == 0), NULL);
  if (*status == CLA_OK && best != 0)
    *status = bound_path_add(way, best < 0 ? CLA_RUN_QUERY : CLA_RUN_TARGET, best < 0 ? -best : best, NULL);
  return score + matches * problem->scheme.table->match;
}

/* Builds a straight way. It leaves a node of a path along the node's diagonal, as long as this may raise
 * the score, and returns to the path by a gap. *back: on input, the node where the way leaves the path; on
 * output, the node of return with the largest gain. Adds nothing if the path scores more. */
static cla_status go_straight(bound_path *best, path_place *back, const bound_pair *pair, int64_t drop,
                              int64_t *letters) {
  const pair_problem *problem = &pair->problem;
  const cla_scoring *scoring = problem->scheme.scoring;
  const path_place from = *back;
  path_place at = from;
  bound_path way = {0};
  int64_t sum = 0, most = 0, gain = 0;
  cla_status status = CLA_OK;
  bound_path_begin(best, from.query, from.target);
  bound_path_begin(&way, from.query, from.target);
  while (status == CLA_OK && *letters > 0 && gain >= most - drop) {
    const int64_t begin = way.query_stop;
    while (status == CLA_OK && way.query_stop < smaller(begin + STEP_LETTERS, problem->rows) &&
           way.target_stop < problem->columns)
      sum += step_straight(&way, pair, letters, &status);
    if (way.query_stop == begin || !move_beyond(&at, pair, way.query_stop, way.target_stop)) break;
    gain = sum + from.score - at.score - gap_cost(scoring, at.query - way.query_stop) -
           gap_cost(scoring, at.target - way.target_stop);
    if (gain <= most || status != CLA_OK) continue;
    most = gain;
    *back = at;
    status = bound_path_add_all(best, &way, NULL);
    const int64_t query = way.query_stop, target = way.target_stop;
    bound_path_free(&way);
    bound_path_begin(&way, query, target);
  }
  bound_path_free(&way);
  return best->count > 0 && status == CLA_OK ? bound_path_add_gaps(best, back->query, back->target, NULL)
                                             : status;
}

/* Removes detours from a path, proceeding from its start to its stop. */
static cla_status take_out(bound_path *path, const bound_pair *pair, int64_t drop, int64_t *letters,
                           cla_error *error) {
  bound_path straighter = {0};
  path_place at = first_place(path);
  cla_status status = CLA_OK;
  bound_path_begin(&straighter, path->query, path->target);
  while (at.run < path->count && status == CLA_OK) {
    const cla_run *run = &path->runs[at.run];
    const int64_t steps = run->length - at.offset;
    bound_path way = {0};
    if (is_long_gap(run) && looks_alike(pair, &at) && !bound_pair_stopped(pair) &&
        go_straight(&way, &at, pair, drop, letters) != CLA_OK)
      status = bound_memory_error(error);
    if (status == CLA_OK && way.count > 0) {
      status = bound_path_add_all(&straighter, &way, error);
    } else if (status == CLA_OK) {
      status = bound_path_add(&straighter, run->kind, steps, error);
      move_on(&at, pair, steps);
    }
    bound_path_free(&way);
  }
  return bound_path_take(path, &straighter, status);
}

/* Reverses the path, so that it fits the reversed sequences. */
static cla_status turn_path(bound_path *path, const pair_problem *problem, cla_error *error) {
  bound_path turned = {0};
  cla_status status = CLA_OK;
  bound_path_begin(&turned, problem->rows - path->query_stop, problem->columns - path->target_stop);
  for (int64_t i = path->count - 1; i >= 0 && status == CLA_OK; i--)
    status = bound_path_add(&turned, path->runs[i].kind, path->runs[i].length, error);
  return bound_path_take(path, &turned, status);
}

static cla_status turn_letters(uint8_t **out, const uint8_t *letters, int64_t count, cla_error *error) {
  cla_status status = ALLOCATE_ARRAY(out, count, "sequences that are turned round", error);
  for (int64_t i = 0; i < count && status == CLA_OK; i++) (*out)[i] = letters[count - 1 - i];
  return status;
}

cla_status path_detours(space_crosser *t, int64_t letters, cla_error *error) {
  bound_pair turned = *t->pair;
  uint8_t *query = NULL, *target = NULL;
  cla_status status = turn_letters(&query, t->pair->problem.query, turned.problem.rows, error);
  if (status == CLA_OK)
    status = turn_letters(&target, t->pair->problem.target, turned.problem.columns, error);
  turned.problem.query = query;
  turned.problem.target = target;
  int64_t drop = DROP_FIRST * larger(turned.problem.scheme.table->match, 1);
  for (int round = 0; round < 2 * ROUNDS && status == CLA_OK; round++) {
    status = take_out(t->path, round % 2 == 0 ? t->pair : &turned, drop, &letters, error);
    if (status == CLA_OK) status = turn_path(t->path, &turned.problem, error);
    if (round % 2 == 1) drop *= DROP_GROWS;
  }
  free(query);
  free(target);
  return status;
}
