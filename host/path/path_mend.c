#include "path/path_mend.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/extremes.h"
#include "base/machine.h"
#include "result/path_check.h"

/* A stretch's surplus: its cost minus the cost that dissimilar sequences of as many letters would have, in
 * edits. */
#define EDIT_LETTERS 5   /* letters of both sequences together, per edit between dissimilar sequences */
#define SURPLUS_LEAST 50 /* minimum surplus of a stretch */
#define SURPLUS_DROP 80  /* a stretch ends when its surplus has fallen by this much */
#define DROP_FIRST 16    /* in round 1, the surplus may also fall by 1 / DROP_FIRST of its maximum */
/* number of rounds; each doubles the part of the maximum by which the surplus may fall */
#define MEND_ROUNDS 4
#define SIDE_LEAST 32                  /* minimum letters of a stretch's shorter side */
#define BAND_LEAST 64                  /* diagonals on each side of a band that are added to `wander` */
#define WANDER_MOST (INT64_C(1) << 20) /* largest result of `wander` */
/* A stretch with more cells is divided into pieces before it is aligned. */
#define WHOLE_CELLS (INT64_C(1) << 24)
#define PIECE_LETTERS 4096 /* letters of a piece's longer side */
#define DETOUR_PART 4      /* path_detours gets 1 / DETOUR_PART of the work */

/* A part of a stretch, and its new alignment. */
typedef struct piece {
  bound_area area;
  int64_t band, score;
  bound_path way;
} piece;

/* A stretch of the path. */
typedef struct stretch {
  bound_area area;
  int64_t score, cells;
  /* Index of the first piece; number of pieces, 0: the pieces would have too many cells. */
  int64_t first, pieces;
  bound_path way; /* new path through all pieces */
  bool better;
} stretch;

typedef struct mending mending;
struct mending {
  const space_crosser *t;
  const mending *before; /* the previous round; stretches tried there are skipped; NULL: none */
  int64_t drop;          /* the surplus may fall by 1 / drop of its maximum */
  int64_t edit;          /* cost of an edit, in half points (bounds/chain.h) */
  int64_t largest;       /* largest surplus of all stretches */
  stretch *items;
  int64_t count, capacity;
  piece *pieces;
  int64_t piece_count, piece_capacity;
  atomic_llong next;
  atomic_int failed; /* the first cla_status that is not CLA_OK */
};

static int64_t longer_side(const bound_area *area) {
  return larger(bound_area_rows(area), bound_area_columns(area));
}

/* Returns length^(2/3), rounded down: about the number of diagonals over which an optimal path through
 * dissimilar letters wanders. Integers give the same result on every machine. */
static int64_t wander(int64_t length) {
  int64_t low = 0, high = WANDER_MOST;
  while (low < high) {
    const int64_t middle = low + (high - low + 1) / 2;
    if (middle * middle * middle <= length * length)
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

static int64_t band_of(const bound_area *area) {
  return BAND_LEAST + 2 * wander(smaller(bound_area_shorter(area), INT32_MAX));
}

/* Returns the approximate number of cells in the area's band. */
static int64_t cells_of(const bound_area *area) {
  const int64_t diagonals = longer_side(area) - bound_area_shorter(area) + 2 * band_of(area);
  return smaller(diagonals, longer_side(area)) * bound_area_shorter(area);
}

/* Returns part `i` of the area, which is divided into `parts` parts along the line between its first and last
 * corner. */
static bound_area part_of(const bound_area *area, int64_t i, int64_t parts) {
  const int64_t rows = bound_area_rows(area), columns = bound_area_columns(area);
  return (bound_area){.query = area->query + rows * i / parts,
                      .target = area->target + columns * i / parts,
                      .query_stop = area->query + rows * (i + 1) / parts,
                      .target_stop = area->target + columns * (i + 1) / parts};
}

static int64_t parts_of(const bound_area *area) {
  return cells_of(area) > WHOLE_CELLS ? (longer_side(area) - 1) / PIECE_LETTERS + 1 : 1;
}

static cla_status add_stretch(mending *m, const bound_area *area, int64_t score, cla_error *error) {
  if (bound_area_shorter(area) < SIDE_LEAST) return CLA_OK;
  cla_status status =
      ALLOCATE_GROW(&m->items, &m->capacity, m->count + 1, "stretches of the lower bound's path", error);
  if (status != CLA_OK) return status;
  const int64_t parts = parts_of(area);
  const bound_area part = part_of(area, parts - 1, parts);
  m->items[m->count++] = (stretch){.area = *area, .score = score, .cells = parts * cells_of(&part)};
  return CLA_OK;
}

static cla_status add_piece(mending *m, const bound_area *area, cla_error *error) {
  cla_status status = ALLOCATE_GROW(&m->pieces, &m->piece_capacity, m->piece_count + 1,
                                    "stretches of the lower bound's path", error);
  if (status == CLA_OK) m->pieces[m->piece_count++] = (piece){.area = *area, .band = band_of(area)};
  return status;
}

/* The surplus of the current stretch, in half points: EDIT_LETTERS * cost - edit * letters. */
typedef struct surplus {
  int64_t now, best; /* current surplus, and the largest so far */
  /* Score of the stretch up to here; score up to the point where the surplus was largest. */
  int64_t score, at_best;
  bound_area area; /* from the stretch's start to the point where the surplus was largest */
} surplus;

static int64_t edit_cost(const bound_pair *pair) {
  const path_scheme *scheme = &pair->problem.scheme;
  const int64_t match = larger(scheme->table->maximum, 0);
  const int64_t gap = 2 * gap_least_ext(scheme->scoring) + match;
  return larger(smaller(2 * (match - scheme->table->minimum), gap), 1);
}

static cla_status end_stretch(mending *m, surplus *s, cla_error *error) {
  cla_status status = CLA_OK;
  if (s->best >= SURPLUS_LEAST * EDIT_LETTERS * m->edit) status = add_stretch(m, &s->area, s->at_best, error);
  s->now = s->best = s->score = s->at_best = 0;
  return status;
}

/* Returns by how much `letters` letters of both sequences, which score `score`, raise the surplus. */
static int64_t growth_of(const mending *m, int64_t letters, int64_t score) {
  const int64_t match = larger(m->t->pair->problem.scheme.table->maximum, 0);
  return EDIT_LETTERS * (match * letters - 2 * score) - m->edit * letters;
}

/* Returns the surplus below which the stretch ends. */
static int64_t least_surplus(const mending *m, const surplus *s) {
  return s->best - larger(SURPLUS_DROP * EDIT_LETTERS * m->edit, s->best / m->drop);
}

/* Adds a step of the path to the surplus. If the stretch ends before the step, adds the stretch to `m`. */
static cla_status take_step(mending *m, surplus *s, const bound_area *step, int64_t score, cla_error *error) {
  const int64_t more = growth_of(m, bound_area_rows(step) + bound_area_columns(step), score);
  cla_status status = CLA_OK;
  if (s->now < least_surplus(m, s) || s->now + more < 0) status = end_stretch(m, s, error);
  if (s->now == 0) {
    s->area = *step;
    s->score = 0;
    if (more <= 0) return status;
  }
  s->now += more;
  s->score += score;
  if (s->now > s->best) {
    s->best = s->now;
    m->largest = larger(m->largest, s->best);
    s->at_best = s->score;
    s->area.query_stop = step->query_stop;
    s->area.target_stop = step->target_stop;
  }
  return status;
}

/* Adds `count` matches, each of which lowers the surplus. The result is the same as from `count` calls of
 * take_step. */
static cla_status take_matches(mending *m, surplus *s, int64_t count, cla_error *error) {
  const int64_t match = m->t->pair->problem.scheme.table->match, less = -growth_of(m, 2, match);
  if (s->now == 0 && s->best == 0) return CLA_OK;
  if (s->now - less * (count - 1) < larger(least_surplus(m, s), less)) return end_stretch(m, s, error);
  s->now -= less * count;
  s->score += match * count;
  return CLA_OK;
}

/* Adds all matches at the start of *step or, without a match, one pair. Sets the end of *step to the end of
 * the added pairs. */
static cla_status take_pairs(mending *m, surplus *s, bound_area *step, int64_t most, cla_error *error) {
  const bound_pair *pair = m->t->pair;
  const pair_problem *problem = &pair->problem;
  const int64_t matches =
      growth_of(m, 2, problem->scheme.table->match) < 0
          ? bound_match_length(problem->query + step->query, problem->target + step->target, most)
          : 0;
  step->query_stop = step->query + larger(matches, 1);
  step->target_stop = step->target + larger(matches, 1);
  return matches > 0 ? take_matches(m, s, matches, error)
                     : take_step(m, s, step, bound_pair_score(pair, step->query, step->target), error);
}

static cla_status take_gap(mending *m, surplus *s, bound_area *step, const cla_run *gap, cla_error *error) {
  step->query_stop = step->query + (gap->kind == CLA_RUN_TARGET ? 0 : gap->length);
  step->target_stop = step->target + (gap->kind == CLA_RUN_QUERY ? 0 : gap->length);
  return take_step(m, s, step, -gap_cost(m->t->pair->problem.scheme.scoring, gap->length), error);
}

/* Finds the stretches of the path, in path order. */
static cla_status find_stretches(mending *m, cla_error *error) {
  const bound_path *path = m->t->path;
  surplus s = {0};
  bound_area step = {.query = path->query, .target = path->target};
  cla_status status = CLA_OK;
  for (int64_t i = 0; i < path->count && status == CLA_OK; i++) {
    const cla_run *run = &path->runs[i];
    const int64_t end = step.query + run->length;
    bool ended = false;
    while (!ended && status == CLA_OK) {
      status = run->kind == CLA_RUN_PAIR ? take_pairs(m, &s, &step, end - step.query, error)
                                         : take_gap(m, &s, &step, run, error);
      ended = run->kind != CLA_RUN_PAIR || step.query_stop == end;
      step.query = step.query_stop;
      step.target = step.target_stop;
    }
  }
  return status == CLA_OK ? end_stretch(m, &s, error) : status;
}

/* Returns the largest size, in cells, such that all stretches up to this size together have at most `cells`
 * cells. */
static int64_t cells_most(const mending *m, int64_t cells) {
  int64_t least = 0, most = cells;
  while (least < most) {
    const int64_t middle = least + (most - least + 1) / 2;
    int64_t sum = 0;
    for (int64_t i = 0; i < m->count; i++)
      if (m->items[i].cells <= middle && sum <= cells) sum += m->items[i].cells;
    if (sum <= cells)
      least = middle;
    else
      most = middle - 1;
  }
  return least;
}

/* The work of one thread of parallel_run. */
static void take_pieces(void *user, int thread) {
  mending *m = user;
  const bound_pair pair = bound_pair_of_thread(m->t->pair, thread);
  for (int64_t i; (i = atomic_fetch_add(&m->next, 1)) < m->piece_count;) {
    piece *p = &m->pieces[i];
    if (bound_pair_stopped(&pair)) continue;
    bound_path_begin(&p->way, p->area.query, p->area.target);
    cla_status status = CLA_OK;
    if (bound_area_shorter(&p->area) > 0)
      status = pair.banded(&p->way, &p->score, &pair, &p->area, p->band, NULL);
    if (status != CLA_OK && !bound_pair_stopped(&pair)) atomic_store(&m->failed, (int)status);
  }
}

static cla_status align_pieces(mending *m, cla_error *error) {
  atomic_store(&m->next, 0);
  if (m->piece_count > 0) parallel_run((int)smaller(m->t->threads, m->piece_count), take_pieces, m);
  return atomic_load(&m->failed) == CLA_OK ? CLA_OK : bound_memory_error(error);
}

static void free_pieces(mending *m) {
  for (int64_t i = 0; i < m->piece_count; i++) bound_path_free(&m->pieces[i].way);
  m->piece_count = 0;
}

/* True if the previous round tried the same stretch. *at: index of the old stretch to compare first; 0
 * before the first call. */
static bool was_tried(const mending *m, const stretch *s, int64_t *at) {
  if (!m->before) return false;
  while (*at < m->before->count && m->before->items[*at].area.query < s->area.query) ++*at;
  const bound_area *area = *at < m->before->count ? &m->before->items[*at].area : NULL;
  return area && memcmp(area, &s->area, sizeof *area) == 0;
}

/* Aligns the stretches again. Each is aligned in pieces; a piece is a path from corner to corner of a
 * part. */
static cla_status align_stretches(mending *m, int64_t cells, cla_error *error) {
  int64_t at = 0;
  cla_status status = CLA_OK;
  for (int64_t i = 0; i < m->count; i++)
    if (was_tried(m, &m->items[i], &at)) m->items[i].cells = 0;
  const int64_t most = cells_most(m, cells);
  for (int64_t i = 0; i < m->count && status == CLA_OK; i++) {
    stretch *s = &m->items[i];
    s->first = m->piece_count;
    s->pieces = s->cells > 0 && s->cells <= most ? parts_of(&s->area) : 0;
    for (int64_t k = 0; k < s->pieces && status == CLA_OK; k++) {
      const bound_area part = part_of(&s->area, k, s->pieces);
      status = add_piece(m, &part, error);
    }
  }
  if (status == CLA_OK) status = align_pieces(m, error);
  for (int64_t i = 0; i < m->count && status == CLA_OK; i++) {
    stretch *s = &m->items[i];
    int64_t score = 0;
    bound_path_begin(&s->way, s->area.query, s->area.target);
    for (int64_t k = s->first; k < s->first + s->pieces && status == CLA_OK; k++) {
      score += m->pieces[k].score;
      status = bound_path_add_all(&s->way, &m->pieces[k].way, error);
    }
    const bool whole = s->way.query_stop == s->area.query_stop && s->way.target_stop == s->area.target_stop;
    s->better = s->pieces > 0 && whole && score > s->score;
  }
  free_pieces(m);
  return status;
}

/* A place on a path: step `offset` of a run. */
typedef struct way_place {
  const bound_path *way;
  int64_t run, offset;
} way_place;

/* Moves the place along its run by up to `limit` steps. *length receives the number of steps. Returns the
 * run, or NULL at the path's end. */
static const cla_run *next_part(way_place *at, int64_t *length, int64_t limit) {
  if (at->run == at->way->count) return NULL;
  const cla_run *run = &at->way->runs[at->run];
  *length = smaller(run->length - at->offset, limit);
  at->offset += *length;
  if (at->offset == run->length) {
    at->run++;
    at->offset = 0;
  }
  return run;
}

/* Copies the runs of the place's path to the path `to`, from the place up to the node (query_stop,
 * target_stop). */
static cla_status copy_part(bound_path *to, way_place *from, int64_t query_stop, int64_t target_stop,
                            cla_error *error) {
  cla_status status = CLA_OK;
  while (status == CLA_OK && from->run < from->way->count &&
         (to->query_stop < query_stop || to->target_stop < target_stop)) {
    const bool columns = from->way->runs[from->run].kind == CLA_RUN_TARGET;
    int64_t length;
    const cla_run *run =
        next_part(from, &length, columns ? target_stop - to->target_stop : query_stop - to->query_stop);
    status = bound_path_add(to, run->kind, length, error);
  }
  return status;
}

/* Replaces the old stretches of the path by those new ones that score more. */
static cla_status join(mending *m, cla_error *error) {
  bound_path *old = m->t->path, whole = {0}, skipped = {0};
  way_place at = {.way = old};
  cla_status status = CLA_OK;
  bound_path_begin(&whole, old->query, old->target);
  for (int64_t i = 0; i < m->count && status == CLA_OK; i++) {
    const stretch *s = &m->items[i];
    if (!s->better) continue;
    status = copy_part(&whole, &at, s->area.query, s->area.target, error);
    bound_path_begin(&skipped, whole.query_stop, whole.target_stop);
    if (status == CLA_OK) status = copy_part(&skipped, &at, s->area.query_stop, s->area.target_stop, error);
    if (status == CLA_OK) status = bound_path_add_all(&whole, &s->way, error);
  }
  if (status == CLA_OK) status = copy_part(&whole, &at, old->query_stop, old->target_stop, error);
  bound_path_free(&skipped);
  return bound_path_take(old, &whole, status);
}

/* Extends the area along the path until its longer side has `letters` letters, or the path ends. */
static void next_cut(bound_area *area, way_place *at, int64_t letters) {
  const cla_run *run;
  for (int64_t length;
       longer_side(area) < letters && (run = next_part(at, &length, letters - longer_side(area)));) {
    if (run->kind != CLA_RUN_TARGET) area->query_stop += length;
    if (run->kind != CLA_RUN_QUERY) area->target_stop += length;
  }
}

/* Cuts a stretch's new path again, in the middle between the previous cuts. Adds the pieces between the new
 * cuts, which are aligned later. */
static cla_status align_between(mending *m, stretch *s, cla_error *error) {
  bound_area area = {.query_stop = s->way.query, .target_stop = s->way.target};
  way_place at = {.way = &s->way};
  cla_status status = CLA_OK;
  s->first = m->piece_count;
  for (int64_t letters = PIECE_LETTERS / 2; at.run < s->way.count && status == CLA_OK;
       letters = PIECE_LETTERS) {
    area = (bound_area){area.query_stop, area.target_stop, area.query_stop, area.target_stop};
    next_cut(&area, &at, letters);
    status = add_piece(m, &area, error);
  }
  s->pieces = m->piece_count - s->first;
  return status;
}

/* True if the piece was aligned and scores more than `part`, the old path between the same corners. */
static bool is_better(const piece *p, const bound_path *part, const bound_pair *pair) {
  const pair_problem problem = {.query = pair->problem.query + part->query,
                                .target = pair->problem.target + part->target,
                                .scheme = pair->problem.scheme};
  int64_t score, unused;
  return p->way.query_stop == p->area.query_stop && p->way.target_stop == p->area.target_stop &&
         path_score(&score, &unused, part->runs, (size_t)part->count, &problem) && p->score > score;
}

/* Replaces parts of the stretch's new path by those pieces of align_between that score more. */
static cla_status take_better(mending *m, stretch *s, cla_error *error) {
  bound_path whole = {0}, part = {0};
  way_place at = {.way = &s->way};
  cla_status status = CLA_OK;
  bound_path_begin(&whole, s->way.query, s->way.target);
  for (int64_t k = s->first; k < s->first + s->pieces && status == CLA_OK; k++) {
    const piece *p = &m->pieces[k];
    bound_path_begin(&part, p->area.query, p->area.target);
    status = copy_part(&part, &at, p->area.query_stop, p->area.target_stop, error);
    if (status == CLA_OK)
      status = bound_path_add_all(&whole, is_better(p, &part, m->t->pair) ? &p->way : &part, error);
  }
  bound_path_free(&part);
  return bound_path_take(&s->way, &whole, status);
}

static cla_status smooth_stretches(mending *m, cla_error *error) {
  cla_status status = CLA_OK;
  for (int64_t i = 0; i < m->count && status == CLA_OK; i++) {
    stretch *s = &m->items[i];
    const bool several = s->better && s->pieces > 1;
    s->pieces = 0;
    if (several) status = align_between(m, s, error);
  }
  if (status == CLA_OK) status = align_pieces(m, error);
  for (int64_t i = 0; i < m->count && status == CLA_OK; i++)
    if (m->items[i].pieces > 0) status = take_better(m, &m->items[i], error);
  return status;
}

static void free_stretches(mending *m) {
  for (int64_t i = 0; i < m->count; i++) bound_path_free(&m->items[i].way);
  free_pieces(m);
  free(m->pieces);
  free(m->items);
}

static cla_status mend_stretches(mending *m, int64_t cells, cla_error *error) {
  bool any = false;
  cla_status status = find_stretches(m, error);
  if (status == CLA_OK) status = align_stretches(m, cells, error);
  if (status == CLA_OK) status = smooth_stretches(m, error);
  for (int64_t i = 0; i < m->count; i++) any |= m->items[i].better;
  return status == CLA_OK && any ? join(m, error) : status;
}

bool path_mend_possible(const bound_pair *pair) {
  const score_table *table = pair->problem.scheme.table;
  return pair->banded && !table->needs_lookup && !table->used;
}

/* True if some stretch of the previous round may become longer in this round. */
static bool reaches_further(const mending *m) {
  return m->before->largest / m->drop > SURPLUS_DROP * EDIT_LETTERS * m->edit;
}

cla_status path_mend(space_crosser *t, int64_t work, cla_error *error) {
  mending rounds[MEND_ROUNDS] = {{0}};
  cla_status status = CLA_OK;
  if (!path_mend_possible(t->pair)) return CLA_OK;
  status = path_detours(t, work / DETOUR_PART, error);
  for (int64_t i = 0; i < MEND_ROUNDS && status == CLA_OK; i++) {
    rounds[i] = (mending){
        .t = t, .before = i > 0 ? &rounds[i - 1] : NULL, .drop = DROP_FIRST >> i, .edit = edit_cost(t->pair)};
    if (i > 0 && !reaches_further(&rounds[i])) break;
    status = mend_stretches(&rounds[i], MEND_WORK_CELLS * work / MEND_ROUNDS, error);
  }
  for (int i = 0; i < MEND_ROUNDS; i++) free_stretches(&rounds[i]);
  return status == CLA_OK ? path_detours(t, work / DETOUR_PART, error) : status;
}
