#include "bound/path_mend.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/extremes.h"
#include "base/machine.h"

/* Unlike letters take about an edit for so many letters of both sequences; a stretch takes more of them. */
#define EDIT_LETTERS 5
#define SURPLUS_LEAST 50 /* edits that a stretch costs more */
#define SURPLUS_DROP 80  /* edits; over so many fewer a stretch does not go on */
#define SIDE_LEAST 32    /* letters of a stretch's shorter side */
/* Diagonals of a band: so many, and the length to the power of 2/3, by which paths through unlike letters
 * wander off. */
#define BAND_LEAST 64
#define WANDER (2.0 / 3)

/* A stretch of the path, and its new way. */
typedef struct stretch {
  bound_area area;
  int64_t score, band, cells;
  bound_path way;
  bool better;
} stretch;

typedef struct mending {
  const space_crosser *t;
  stretch *items;
  int64_t count, capacity;
  int64_t cells_most; /* of a stretch that is aligned */
  atomic_llong next;
  atomic_int failed; /* the first cla_status that is not CLA_OK */
} mending;

static int64_t shorter_side(const bound_area *area) {
  return smaller(bound_area_rows(area), bound_area_columns(area));
}

static int64_t longer_side(const bound_area *area) {
  return larger(bound_area_rows(area), bound_area_columns(area));
}

static cla_status add_stretch(mending *m, const bound_area *area, int64_t score, cla_error *error) {
  if (shorter_side(area) < SIDE_LEAST) return CLA_OK;
  cla_status status = allocate_grow((void **)&m->items, &m->capacity, m->count + 1, sizeof *m->items,
                                    "stretches of the lower bound's path", error);
  if (status != CLA_OK) return status;
  const int64_t band = BAND_LEAST + 2 * (int64_t)pow((double)shorter_side(area), WANDER);
  const int64_t diagonals = longer_side(area) - shorter_side(area) + 2 * band;
  m->items[m->count++] = (stretch){.area = *area,
                                   .score = score,
                                   .band = band,
                                   .cells = smaller(diagonals, longer_side(area)) * shorter_side(area)};
  return CLA_OK;
}

/* The path's surplus over EDIT_LETTERS as it goes on: costs in edits of the cheapest kind, times
 * EDIT_LETTERS, less its letters. */
typedef struct surplus {
  int64_t edit;           /* what one costs, in halves of points (bound/chain.h) */
  int64_t now, best;      /* since the stretch's start, and the largest so far */
  int64_t score, at_best; /* of the path since then */
  bound_area area;        /* to where it was largest */
} surplus;

static surplus begin_surplus(const bound_pair *pair) {
  const path_scheme *scheme = &pair->problem.scheme;
  const int64_t match = larger(scheme->table->maximum, 0);
  return (surplus){
      .edit = larger(
          smaller(2 * (match - scheme->table->minimum), 2 * gap_least_ext(scheme->scoring) + match), 1)};
}

/* Takes a step of the path: letters of it, what it scores and costs, and where it has come to. */
static cla_status take_step(mending *m, surplus *s, const bound_area *step, int64_t score, cla_error *error) {
  const int64_t match = larger(m->t->pair->problem.scheme.table->maximum, 0);
  const int64_t letters = bound_area_rows(step) + bound_area_columns(step);
  const int64_t more = EDIT_LETTERS * (match * letters - 2 * score) - s->edit * letters;
  const int64_t unit = EDIT_LETTERS * s->edit;
  cla_status status = CLA_OK;
  if (s->best - s->now > larger(SURPLUS_DROP * unit, s->best / 2) || s->now + more < 0) {
    if (s->best >= SURPLUS_LEAST * unit) status = add_stretch(m, &s->area, s->at_best, error);
    s->now = s->best = s->score = s->at_best = 0;
  }
  if (s->now == 0) {
    s->area = *step;
    s->score = 0;
    if (more <= 0) return status;
  }
  s->now += more;
  s->score += score;
  if (s->now > s->best) {
    s->best = s->now;
    s->at_best = s->score;
    s->area.query_stop = step->query_stop;
    s->area.target_stop = step->target_stop;
  }
  return status;
}

/* The stretches of the path, in order. */
static cla_status find_stretches(mending *m, cla_error *error) {
  const bound_pair *pair = m->t->pair;
  const bound_path *path = m->t->path;
  surplus s = begin_surplus(pair);
  bound_area step = {.query = path->query, .target = path->target};
  cla_status status = CLA_OK;
  for (int64_t i = 0; i < path->count && status == CLA_OK; i++) {
    const cla_run run = path->runs[i];
    const bool pairs = run.kind == CLA_RUN_PAIR;
    const int64_t length = pairs ? 1 : run.length;
    for (int64_t k = 0; k < run.length && status == CLA_OK; k += length) {
      step.query_stop = step.query + (run.kind == CLA_RUN_TARGET ? 0 : length);
      step.target_stop = step.target + (run.kind == CLA_RUN_QUERY ? 0 : length);
      const int64_t score = pairs ? bound_pair_score(pair, step.query, step.target)
                                  : -gap_cost(pair->problem.scheme.scoring, length);
      status = take_step(m, &s, &step, score, error);
      step.query = step.query_stop;
      step.target = step.target_stop;
    }
  }
  if (status == CLA_OK && s.best >= SURPLUS_LEAST * EDIT_LETTERS * s.edit)
    status = add_stretch(m, &s.area, s.at_best, error);
  return status;
}

/* The largest stretches are left as they are where all take too much. */
static void limit_cells(mending *m, int64_t cells) {
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
  m->cells_most = least;
}

/* For parallel_run. Thread 0 is the caller's, which alone calls the tick. */
static void take_stretches(void *user, int thread) {
  mending *m = user;
  bound_pair pair = *m->t->pair;
  if (thread > 0) pair.ticks = false;
  for (int64_t i; (i = atomic_fetch_add(&m->next, 1)) < m->count;) {
    stretch *s = &m->items[i];
    int64_t score = 0;
    if (s->cells > m->cells_most || bound_pair_stopped(&pair)) continue;
    bound_path_begin(&s->way, s->area.query, s->area.target);
    cla_status status = pair.banded(&s->way, &score, &pair, &s->area, s->band, NULL);
    s->better = status == CLA_OK && score > s->score;
    if (status != CLA_OK) atomic_store(&m->failed, (int)status);
  }
}

/* Adds the runs of `from` from a node on it to another one to the path, which has come to the first. */
static cla_status copy_part(bound_path *to, const bound_path *from, int64_t *run, int64_t *offset,
                            int64_t query_stop, int64_t target_stop, cla_error *error) {
  cla_status status = CLA_OK;
  while (status == CLA_OK && *run < from->count &&
         (to->query_stop < query_stop || to->target_stop < target_stop)) {
    const cla_run *next = &from->runs[*run];
    const int64_t limit =
        next->kind == CLA_RUN_TARGET ? target_stop - to->target_stop : query_stop - to->query_stop;
    const int64_t length = smaller(next->length - *offset, limit);
    status = bound_path_add(to, next->kind, length, error);
    *offset += length;
    if (*offset < next->length) continue;
    ++*run;
    *offset = 0;
  }
  return status;
}

/* The path with the better stretches. */
static cla_status join(mending *m, cla_error *error) {
  bound_path *old = m->t->path, whole = {0}, skipped = {0};
  int64_t run = 0, offset = 0;
  cla_status status = CLA_OK;
  bound_path_begin(&whole, old->query, old->target);
  for (int64_t i = 0; i < m->count && status == CLA_OK; i++) {
    const stretch *s = &m->items[i];
    if (!s->better) continue;
    status = copy_part(&whole, old, &run, &offset, s->area.query, s->area.target, error);
    bound_path_begin(&skipped, whole.query_stop, whole.target_stop);
    if (status == CLA_OK)
      status = copy_part(&skipped, old, &run, &offset, s->area.query_stop, s->area.target_stop, error);
    for (int64_t k = 0; k < s->way.count && status == CLA_OK; k++)
      status = bound_path_add(&whole, s->way.runs[k].kind, s->way.runs[k].length, error);
  }
  if (status == CLA_OK)
    status = copy_part(&whole, old, &run, &offset, old->query_stop, old->target_stop, error);
  bound_path_free(&skipped);
  if (status == CLA_OK) {
    const bound_path swap = *old;
    *old = whole;
    whole = swap;
  }
  bound_path_free(&whole);
  return status;
}

cla_status path_mend(space_crosser *t, int64_t work, cla_error *error) {
  mending m = {.t = t};
  const score_table *table = t->pair->problem.scheme.table;
  bool any = false;
  if (!t->pair->banded || table->needs_lookup || table->used) return CLA_OK;
  cla_status status = find_stretches(&m, error);
  if (status == CLA_OK && m.count > 0) {
    limit_cells(&m, MEND_WORK_CELLS * work);
    parallel_run((int)smaller(t->threads, m.count), take_stretches, &m);
    if (atomic_load(&m.failed) != CLA_OK)
      status = error_set(error, CLA_ERROR_MEMORY,
                         "out of memory for the lower bound; free some, or leave it out (--lower-bound off)");
  }
  for (int64_t i = 0; i < m.count; i++) any |= m.items[i].better;
  if (status == CLA_OK && any) status = join(&m, error);
  for (int64_t i = 0; i < m.count; i++) bound_path_free(&m.items[i].way);
  free(m.items);
  return status;
}
