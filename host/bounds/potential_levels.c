/* Makes the levels of a potential, from coarse to fine. Each level works in the area that the previous level
 * left. */

#include <math.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "base/machine.h"
#include "bounds/potential_internal.h"

#define MIDDLE 4 /* a middle chunk or bucket spans this many fine ones */
/* With at least this number of fine buckets, there is a middle level. */
#define BUCKETS_MANY (INT64_C(1) << 20)
#define COARSE_MANY (INT64_C(1) << 21) /* with more coarse buckets, a still coarser level comes first */
/* in the seed level that comes before edits, a chunk spans this many chunks of edits */
#define BEFORE_EDITS 2
/* Barriers: chunks whose edits are counted before those of all other chunks (docs/internals/bounds.md). */
#define BARRIERS 24       /* number of barriers */
#define BARRIER_SPARE 1.3 /* barriers are made from this many times the chunks that the costs require */
#define BARRIER_MOST 0.6  /* barriers are at most this fraction of all chunks */
#define BARRIERS_APART 8  /* minimum chunks of a period */
/* Barriers are used with at most this many threads. With more threads, counting edits in all chunks takes
 * less time than computing the costs at barriers. */
#define BARRIER_THREADS 4
/* Barriers are used if a level has over BARRIER_GAIN times as many diagonals as would remain with barriers.
 */
#define BARRIER_GAIN 4

/* The state while levels are made. */
typedef struct making {
  potential *p; /* p->fine: the last level made; p->left: the buckets that this level left */
  potential_levels *levels;
  double part;  /* fraction of its own area that the last level left */
  bool many;    /* the coarse level left so many fine buckets that intermediate levels are needed */
  bool useless; /* every bucket is excluded, or the levels take too much work */
  bool ended;   /* the next level would take too much work or memory, so no further level is made */
} making;

/* A kind of level, with the condition under which it is made. */
struct level_kind {
  const char *name; /* for error messages */
  bool (*wanted)(const making *m);
  cla_status (*make)(making *m, level l, cla_error *error);
  int64_t chunks, buckets; /* number of fine chunks in a chunk; number of fine buckets in a bucket */
  cla_level_size size;     /* name in the report */
  bool edits;              /* regions are found by edits; false: by seeds */
};

void level_free(level *l) {
  free(l->first);
  free(l->last);
  free(l->rest.offsets);
  free(l->rest.cost);
  free(l->rest.starts);
}

/* Computes p->area and p->expected from the last level. */
static void measure(potential *p) {
  const int64_t cells = p->fine.bucket * p->fine.chunk_rows;
  p->area = p->expected = 0;
  for (int64_t c = 0; c < p->fine.chunks; c++) {
    p->area += (p->left[c].last - p->left[c].first + 1) * cells;
    p->expected += p->left[c].expected * cells;
  }
}

/* Sets the buckets of a chunk to [first, last], limited to the matrix. */
static void set_buckets(level *l, const potential *p, int64_t chunk, int64_t first, int64_t last) {
  const int64_t lowest = bucket_of(p, l, -chunk_row(p, l, chunk + 1)),
                highest = bucket_of(p, l, p->problem.columns - chunk_row(p, l, chunk));
  l->first[chunk] = larger(smaller(first, highest), lowest);
  l->last[chunk] = larger(smaller(last, highest), lowest);
}

/* Gives a level the buckets that the last level left; the first level gets all buckets that gaps can
 * reach. */
static void take_left(level *to, const potential *p) {
  const level *from = &p->fine;
  const chunk_left all = gaps_leave(p);
  const int64_t chunks = from->chunk_rows / to->chunk_rows, buckets = from->bucket / to->bucket;
  for (int64_t c = 0; c < to->chunks; c++) {
    const chunk_left *of = from->chunks > 0 ? &p->left[c / chunks] : NULL;
    if (of)
      set_buckets(to, p, c, of->first * buckets, of->last * buckets + buckets - 1);
    else
      set_buckets(to, p, c, bucket_of(p, to, all.first), bucket_of(p, to, all.last));
  }
}

/* Allocates a level's chunks, and sets their buckets. */
static cla_status begin(level *l, const potential *p, cla_error *error) {
  l->chunks = (p->problem.rows + l->chunk_rows - 1) / l->chunk_rows;
  cla_status status = ALLOCATE_ARRAY(&l->first, l->chunks, l->kind->name, error);
  if (status == CLA_OK) status = ALLOCATE_ARRAY(&l->last, l->chunks, l->kind->name, error);
  if (status == CLA_OK) take_left(l, p);
  return status;
}

/* Adds a level to the report, with the reason why it ended. */
static cla_bound_level *add_level(const making *m, const level *l, cla_level_end end) {
  cla_bound_level *added = &m->levels->at[m->levels->count++];
  *added = (cla_bound_level){.size = l->kind->size, .edits = l->edits, .end = end};
  return added;
}

static potential_part part_left(const making *m, int64_t chunk) {
  const potential *p = m->p;
  const level *l = &p->fine;
  const int64_t row = chunk_row(p, l, chunk);
  return (potential_part){.level = &m->levels->at[m->levels->count - 1],
                          .number = m->levels->count - 1,
                          .row = row,
                          .rows = chunk_row(p, l, chunk + 1) - row,
                          .first = first_diagonal(p, l, p->left[chunk].first),
                          .last = first_diagonal(p, l, p->left[chunk].last + 1) - 1};
}

/* Returns the number of the part's cells in one row. */
static int64_t cells_of_row(const potential *p, const potential_part *part, int64_t row) {
  const int64_t first = larger(row + part->first, 0),
                last = smaller(row + part->last, p->problem.columns - 1);
  return larger(last - first + 1, 0);
}

/* Estimates, from each chunk's first and last row, the fraction of the matrix that the level leaves. Reports
 * the parts. */
static void tell_left(const making *m, cla_bound_level *said) {
  const potential *p = m->p;
  const potential_input *input = p->input;
  double cells = 0;
  for (int64_t c = 0; c < p->fine.chunks; c++) {
    const potential_part part = part_left(m, c);
    const int64_t ends = cells_of_row(p, &part, part.row) + cells_of_row(p, &part, part.row + part.rows - 1);
    cells += (double)part.rows * (double)ends / 2;
  }
  said->left = fmin(cells / (double)p->problem.rows / (double)p->problem.columns, 1);
  for (int64_t c = 0; c < p->fine.chunks && input->left; c++) {
    const potential_part part = part_left(m, c);
    input->left(input->user, &part);
  }
}

/* Runs level_narrow for p->fine and reports the level. */
static cla_status narrow(making *m, cla_error *error) {
  potential *p = m->p;
  cla_bound_level *said = add_level(m, &p->fine, CLA_LEVEL_RAN);
  const double began = machine_seconds();
  const int64_t cells = p->cells, exact = p->exact_cells;
  said->seconds = -1;
  p->memory_short = false;
  cla_status status = level_narrow(p, &p->fine, &m->useless, error);
  said->cells = p->cells - cells;
  said->exact_cells = p->exact_cells - exact;
  if (m->useless) said->end = p->memory_short ? CLA_LEVEL_MEMORY : CLA_LEVEL_TIME;
  if (status == CLA_OK && !m->useless) {
    tell_left(m, said);
    m->part = said->left / fmax(m->levels->count > 1 ? said[-1].left : 1, said->left);
  }
  said->seconds = machine_seconds() - began;
  return status;
}

static int64_t buckets_of_level(const level *l) {
  int64_t buckets = 0;
  for (int64_t c = 0; c < l->chunks; c++) buckets += l->last[c] - l->first[c] + 1;
  return buckets;
}

/* Makes a level from seeds alone. The next level starts with the buckets that it leaves. */
static cla_status make_coarse(making *m, level l, cla_error *error) {
  potential *p = m->p;
  cla_status status = begin(&l, p, error);
  level_free(&p->fine);
  p->fine = l;
  if (status != CLA_OK) return status;
  p->fine.buckets = buckets_of_level(&p->fine);
  choose_word(&p->fine, p);
  status = narrow(m, error);
  if (status != CLA_OK || m->useless) return status;
  measure(p);
  m->many = p->input->shape.chunk_rows > 0 ? p->shape.turns > 1
                                           : p->area / (p->shape.chunk_rows * p->shape.bucket) > BUCKETS_MANY;
  return CLA_OK;
}

/* Limits the work of a finer level to the later work that it is likely to save. Returns false if it saves
 * nothing. A level by edits may leave next to nothing. A level by seeds leaves about the same fraction of
 * its area as the previous level. (Measured fractions of the middle and the fine level: satellite arrays of
 * 1 Mbp 0.40, 0.48; of 3 Mbp 0.39, 0.55; M. tuberculosis x BCG 0.83, 0.91.) */
static bool limit_work(making *m, bool edits) {
  potential *p = m->p;
  const potential_input *input = p->input;
  const double part = edits ? 0 : m->part;
  if (!input->left_work) return true;
  measure(p);
  const double area = (double)p->area, expected = (double)p->expected;
  const double spared = input->left_work(input->user, p, area, expected) -
                        input->left_work(input->user, p, part * area, part * expected);
  p->work_most = smaller(input->work_most, p->work + (int64_t)fmin(fmax(spared, 0), 1e18));
  return spared > 0;
}

static cla_status begin_finer(level *l, const potential *p, cla_error *error) {
  cla_status status = begin(l, p, error);
  if (status == CLA_OK)
    choose_word(l, p);
  else
    level_free(l);
  return status;
}

/* Completes a level that was begun. If the new level costs too much, and the previous level has fits, too,
 * the previous level remains the last one. */
static cla_status finish_finer(making *m, level l, cla_error *error) {
  potential *p = m->p;
  level before = p->fine;
  const bool spares = !before.fits || limit_work(m, l.edits);
  m->ended = before.fits && (!spares || !level_affordable(p, &l));
  if (m->ended) {
    add_level(m, &l, !spares ? CLA_LEVEL_ENOUGH : p->memory_short ? CLA_LEVEL_MEMORY : CLA_LEVEL_TIME);
    level_free(&l);
    return CLA_OK;
  }
  p->fine = l;
  p->fine.before = &before;
  p->fine.buckets = buckets_of_level(&l);
  cla_status status = narrow(m, error);
  p->fine.before = NULL;
  const bool dear = p->memory_short || p->work > p->work_most;
  if (before.fits && status == CLA_OK && m->useless && dear && !bound_pair_stopped(p->pair)) {
    m->useless = false;
    m->ended = true;
    l = p->fine;
    p->fine = before;
    before = l;
  }
  level_free(&before);
  return status;
}

static cla_status make_finer(making *m, level l, cla_error *error) {
  cla_status status = begin_finer(&l, m->p, error);
  return status == CLA_OK ? finish_finer(m, l, error) : status;
}

static cla_status make_edits(making *m, level l, cla_error *error) {
  cla_status status = begin_finer(&l, m->p, error);
  if (status != CLA_OK) return status;
  choose_rare_word(&l, m->p);
  return finish_finer(m, l, error);
}

/* Chooses a level's barriers. In a chunk, the bound's path costs K. Other paths cost at least T by seeds,
 * and at least E by edits. So `b` barriers among `n` chunks suffice if b (E - K) > (n - b) (K - T). Returns
 * false if barriers would save no time. */
static bool choose_barriers(level *l, const potential *p) {
  const double own = p->path_cost * (double)l->chunk_rows, seeds = (double)l->threshold,
               edits = random_cost(p) * (double)l->chunk_rows;
  const double part = BARRIER_SPARE * (own - seeds) / (edits - seeds);
  l->period = p->shape.period > 0 ? p->shape.period : l->chunks / BARRIERS;
  l->barrier = (int64_t)ceil(fmin(fmax(part, 0), 1) * (double)l->period);
  if (p->shape.period > 0) return true;
  const double width = (double)(l->period - l->barrier) * (own - seeds) / p->costs.ext;
  return p->threads <= BARRIER_THREADS && l->period >= BARRIERS_APART && part > 0 && part <= BARRIER_MOST &&
         (double)(buckets_of_level(l) * l->bucket) > BARRIER_GAIN * width * (double)l->chunks;
}

/* Makes a level that counts edits in barriers only, if barriers save time. */
static cla_status make_barriers(making *m, level l, cla_error *error) {
  cla_status status = begin_finer(&l, m->p, error);
  if (status != CLA_OK) return status;
  if (choose_barriers(&l, m->p)) return finish_finer(m, l, error);
  level_free(&l);
  return CLA_OK;
}

static bool always(const making *m) {
  (void)m;
  return true;
}

/* True if even the coarse level would have very many buckets. */
static bool in_huge_matrix(const making *m) {
  const potential *p = m->p;
  const chunk_left all = gaps_leave(p);
  const int64_t rows = p->shape.chunk_rows * COARSER, bucket = p->shape.bucket * COARSE_BUCKETS;
  return (p->problem.rows / rows + 1) * ((all.last - all.first) / bucket + 1) > COARSE_MANY;
}

static bool by_seeds(const making *m) {
  return !m->p->shape.edits;
}

static bool by_seeds_in_much(const making *m) {
  return !m->p->shape.edits && m->many;
}

static bool by_edits(const making *m) {
  return m->p->shape.edits && !m->many;
}

static bool by_edits_in_much(const making *m) {
  return m->p->shape.edits && m->many;
}

/* All levels, in the order in which they are made. At most CLA_LEVELS_MOST of them are made for a pair. A
 * level by seeds comes before the levels by edits, because edits need the costs of paths near the bound's
 * path. */
static const level_kind kinds[] = {
    {"the coarser level", in_huge_matrix, make_coarse, COARSER, COARSE_BUCKETS *COARSE_BUCKETS,
     CLA_LEVEL_COARSE, false},
    {"the coarse level", always, make_coarse, COARSER, COARSE_BUCKETS, CLA_LEVEL_COARSE, false},
    {"the middle level", by_seeds_in_much, make_finer, MIDDLE, MIDDLE, CLA_LEVEL_MIDDLE, false},
    {"the fine level", by_seeds, make_finer, 1, 1, CLA_LEVEL_FINE, false},
    {"the level before edits", by_edits, make_finer, BEFORE_EDITS, 1, CLA_LEVEL_FINE, false},
    {"barriers", by_edits, make_barriers, 1, 1, CLA_LEVEL_FINE, true},
    {"edits", by_edits, make_edits, 1, 1, CLA_LEVEL_FINE, true},
    {"the middle level before edits", by_edits_in_much, make_finer, BEFORE_EDITS, MIDDLE, CLA_LEVEL_MIDDLE,
     false},
    {"middle barriers", by_edits_in_much, make_barriers, 1, MIDDLE, CLA_LEVEL_MIDDLE, true},
    {"middle edits", by_edits_in_much, make_edits, 1, MIDDLE, CLA_LEVEL_MIDDLE, true},
};

cla_status levels_make(potential *p, potential_levels *levels, bool *useless, cla_error *error) {
  making m = {.p = p, .levels = levels};
  cla_status status = CLA_OK;
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    const level_kind *kind = &kinds[i];
    if (status != CLA_OK || m.useless || m.ended) break;
    if (!kind->wanted(&m)) continue;
    const level l = {.kind = kind,
                     .chunk_rows = p->shape.chunk_rows * kind->chunks,
                     .bucket = p->shape.bucket * kind->buckets,
                     .edits = kind->edits,
                     .fits = kind->size != CLA_LEVEL_COARSE};
    status = kind->make(&m, l, error);
  }
  if (status == CLA_OK && !m.useless) measure(p);
  *useless = m.useless;
  return status;
}
