#include "bounds/potential.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/machine.h"
#include "bounds/potential_internal.h"
#include "dp/edits.h"

#define BUDGET_MOST (NEVER / 2)
#define FINE_BUCKET 16   /* diagonals */
#define COARSE_BUCKETS 8 /* a coarse bucket spans this many fine buckets */
#define COARSER 16       /* a coarse chunk spans this many fine chunks */
#define WORD_LEAST 5     /* letters of the shortest seed */
/* Most buckets of the coarse level; more make all chunks and buckets larger. */
#define COARSE_MOST (INT64_C(1) << 26)
#define MIDDLE 4                        /* a middle chunk or bucket spans this many fine ones */
#define BUCKETS_MANY (INT64_C(1) << 20) /* fine buckets from which on there is a middle level */
#define COARSE_MANY (INT64_C(1) << 21)  /* coarse buckets from which on a still coarser level comes first */
/* Least threshold of seeds, as a part of the bound's cost of a chunk; below: edits. */
#define THRESHOLD_LEAST 0.9
#define RANDOM_EDITS 0.45 /* edits per row of random letters, in the best of many columns */
#define RARE 0.05         /* most chance matches of a rare seed among the diagonals that a path reaches */
/* Barriers: chunks that take edits before all others do (docs/internals/bounds.md). */
#define BARRIERS 24       /* number of barriers */
#define BARRIER_SPARE 1.3 /* a barrier has this many times the chunks that the costs ask for */
#define BARRIER_MOST 0.6  /* barriers are at most this part of all chunks */
#define BARRIERS_APART 8  /* least chunks of a period */
/* With more threads, edits of all chunks take less time than passing barriers' costs. */
#define BARRIER_THREADS 4
#define BARRIER_GAIN 4 /* a level must look at this many times the diagonals that barriers leave */
#define BEFORE_EDITS 2 /* a chunk of the seed level before edits spans this many chunks of edits */

/* Diagonals reachable when gap costs alone use up the budget. */
static chunk_left gaps_leave(const potential *p) {
  const cost_scheme *c = &p->costs;
  const int64_t rows = p->problem.rows, columns = p->problem.columns, corner = columns - rows;
  const int64_t start = c->free_start ? c->match : c->ext, end = c->free_end ? c->match : c->ext;
  chunk_left left = {.first = -rows, .last = columns};
  if (start + end > 0) {
    left.first = larger(left.first, -((p->budget - end * corner) / (start + end)) - 1);
    left.last = smaller(left.last, (p->budget + end * corner) / (start + end) + 1);
  }
  left.first = smaller(left.first, smaller(0, corner));
  left.last = larger(left.last, larger(0, corner));
  return left;
}

/* Allocates a level's chunks by its chunk_rows. */
static cla_status level_begin(level *l, const potential *p, cla_error *error) {
  l->chunks = (p->problem.rows + l->chunk_rows - 1) / l->chunk_rows;
  cla_status status = allocate_array((void **)&l->first, l->chunks, sizeof *l->first, "a potential", error);
  return status == CLA_OK
             ? allocate_array((void **)&l->last, l->chunks, sizeof *l->last, "a potential", error)
             : status;
}

static void level_free(level *l) {
  free(l->first);
  free(l->last);
  free(l->rest.offsets);
  free(l->rest.cost);
  free(l->rest.starts);
}

/* Cost of the bound's path per row. */
static double path_cost(const potential *p, const lower_bound *bound) {
  const int64_t rows = bound->query_stop - bound->query_start,
                columns = bound->target_stop - bound->target_start;
  return (double)(p->costs.match * (rows + columns) - 2 * bound->path_score) / (double)larger(rows, 1);
}

/* Cost per row that edits prove for a path through random letters. */
static double random_cost(const potential *p) {
  return RANDOM_EDITS * chain_edit_cost(&p->costs);
}

/* Chooses the seeds of a level for paths of `cost` per row. It takes the longest word whose threshold exceeds
 * what a chunk is likely to cost, else the word with the largest threshold. False if that threshold is too
 * low to be of use. */
static bool choose_word(level *l, const potential *p, double cost, const potential_shape *shape) {
  const double mean = cost * (double)l->chunk_rows;
  const double wanted = mean + 3 * sqrt(mean * p->costs.other > 1 ? mean * p->costs.other : 1);
  int64_t best = -1;
  level tried = *l;
  for (int word = shape->word_most; word >= shape->word_least; word--) {
    int64_t needed;
    tried.word = word;
    tried.broken = chain_broken_cost(&p->costs, word);
    const int64_t most = l->chunk_rows / word * tried.broken;
    const int64_t reached = level_threshold(&needed, p, &tried, l->chunk_rows / word, most);
    if (reached <= best) continue;
    best = reached;
    tried.most = (int32_t)most;
    tried.threshold = reached;
    *l = tried;
    if ((double)best >= wanted) break;
  }
  return (double)best >= THRESHOLD_LEAST * mean;
}

/* Chooses the seeds beside edits: the shortest word that rarely matches by chance on a diagonal that a path
 * reaches. */
static void choose_rare_word(level *l, const potential *p, const potential_shape *shape) {
  const double reach = RANDOM_EDITS * REACH_NEAR * (double)l->chunk_rows;
  l->word = shape->word_least;
  while (l->word < shape->word_most && reach * pow(p->letter_chance, l->word) > RARE) l->word++;
  l->broken = chain_broken_cost(&p->costs, l->word);
}

/* Rows of a fine chunk. Expensive paths keep few seeds, and need larger chunks to stand out from chance. */
static int64_t chunk_rows_for(double cost, const potential *p) {
  return cost * 16 < p->costs.other * 1.2 ? 512 : 1024;
}

/* A potential while it is made. */
typedef struct making {
  potential *p;
  potential_levels *levels;
  const potential_input *input;
  chunk_left *left;
  potential_shape shape;
  double cost;  /* cost of the bound's path per row */
  double part;  /* area that the last level leaves, divided by the area that it looked at */
  bool useless; /* the potential excludes nothing, or takes too much work */
  bool refused; /* the potential would take too long or leave too much, so no level is made */
  bool ended;   /* the next level would take too much, so the current one is the last */
} making;

/* Sets p->area and p->expected by the last level. */
static void measure(potential *p, const chunk_left *left) {
  const int64_t cells = p->fine.bucket * p->fine.chunk_rows;
  p->area = p->expected = 0;
  for (int64_t c = 0; c < p->fine.chunks; c++) {
    p->area += (left[c].last - left[c].first + 1) * cells;
    p->expected += left[c].expected * cells;
  }
}

/* Sets the buckets of a chunk to [first, last], cut to those inside the matrix. */
static void set_buckets(level *l, const potential *p, int64_t chunk, int64_t first, int64_t last) {
  const int64_t lowest = bucket_of(p, l, -chunk_row(p, l, chunk + 1)),
                highest = bucket_of(p, l, p->problem.columns - chunk_row(p, l, chunk));
  l->first[chunk] = larger(smaller(first, highest), lowest);
  l->last[chunk] = larger(smaller(last, highest), lowest);
}

/* Gives a level the buckets that a coarser one has left. */
static void take_left(level *to, const potential *p, const level *from, const chunk_left *left) {
  const int64_t chunks = from->chunk_rows / to->chunk_rows, buckets = from->bucket / to->bucket;
  for (int64_t c = 0; c < to->chunks; c++) {
    const chunk_left *of = &left[c / chunks];
    set_buckets(to, p, c, of->first * buckets, of->last * buckets + buckets - 1);
  }
}

/* Adds a level to the report, with the reason for its end. */
static cla_bound_level *add_level(const making *m, const level *l, cla_level_end end) {
  potential_levels *levels = m->levels;
  cla_bound_level *added = &levels->at[levels->count];
  *added = (cla_bound_level){.size = l->bucket >= m->shape.bucket * COARSE_BUCKETS ? CLA_LEVEL_COARSE
                                     : l->bucket > m->shape.bucket                 ? CLA_LEVEL_MIDDLE
                                                                                   : CLA_LEVEL_FINE,
                             .edits = l->edits,
                             .end = end};
  levels->count++;
  return added;
}

static potential_part part_left(const making *m, const level *l, int64_t chunk) {
  const potential *p = m->p;
  const int64_t row = chunk_row(p, l, chunk);
  return (potential_part){.level = &m->levels->at[m->levels->count - 1],
                          .number = m->levels->count - 1,
                          .row = row,
                          .rows = chunk_row(p, l, chunk + 1) - row,
                          .first = first_diagonal(p, l, m->left[chunk].first),
                          .last = first_diagonal(p, l, m->left[chunk].last + 1) - 1};
}

/* The number of the part's cells in one row. */
static int64_t cells_of_row(const potential *p, const potential_part *part, int64_t row) {
  const int64_t first = larger(row + part->first, 0),
                last = smaller(row + part->last, p->problem.columns - 1);
  return larger(last - first + 1, 0);
}

/* Estimates the part of the matrix that a level leaves, by each chunk's first and last row. Reports the
 * parts. */
static void tell_left(const making *m, const level *l, cla_bound_level *said) {
  const potential *p = m->p;
  const potential_input *input = m->input;
  double cells = 0;
  for (int64_t c = 0; c < l->chunks; c++) {
    const potential_part part = part_left(m, l, c);
    const int64_t ends = cells_of_row(p, &part, part.row) + cells_of_row(p, &part, part.row + part.rows - 1);
    cells += (double)part.rows * (double)ends / 2;
  }
  said->left = fmin(cells / (double)p->problem.rows / (double)p->problem.columns, 1);
  for (int64_t c = 0; c < l->chunks && input->left; c++) {
    const potential_part part = part_left(m, l, c);
    input->left(input->user, &part);
  }
}

/* Runs level_narrow and reports it. */
static cla_status narrow(making *m, level *l, cla_error *error) {
  potential *p = m->p;
  cla_bound_level *said = add_level(m, l, CLA_LEVEL_RAN);
  const double began = machine_seconds();
  const int64_t cells = p->cells, exact = p->exact_cells;
  said->seconds = -1;
  p->memory_short = false;
  cla_status status = level_narrow(m->left, p, l, &m->useless, error);
  said->cells = p->cells - cells;
  said->exact_cells = p->exact_cells - exact;
  if (m->useless) said->end = p->memory_short ? CLA_LEVEL_MEMORY : CLA_LEVEL_TIME;
  if (status == CLA_OK && !m->useless) {
    tell_left(m, l, said);
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

/* Chooses a level's barriers. A chunk costs K on the bound's path, T elsewhere by seeds and E elsewhere by
 * edits. So b barrier chunks of n suffice if b (E - K) > (n - b) (K - T). Returns false if barriers do not
 * pay. */
static bool choose_barriers(level *l, const making *m) {
  const potential *p = m->p;
  const double own = m->cost * (double)l->chunk_rows, seeds = (double)l->threshold,
               edits = random_cost(p) * (double)l->chunk_rows;
  const double part = BARRIER_SPARE * (own - seeds) / (edits - seeds);
  l->period = m->shape.period > 0 ? m->shape.period : l->chunks / BARRIERS;
  l->barrier = (int64_t)ceil(fmin(fmax(part, 0), 1) * (double)l->period);
  if (m->shape.period > 0) return true;
  const double width = (double)(l->period - l->barrier) * (own - seeds) / p->costs.ext;
  return p->threads <= BARRIER_THREADS && l->period >= BARRIERS_APART && part > 0 && part <= BARRIER_MOST &&
         (double)(buckets_of_level(l) * l->bucket) > BARRIER_GAIN * width * (double)l->chunks;
}

/* Limits the work of a finer level to what it is likely to spare. Returns false if it spares nothing. A level
 * by edits may leave next to nothing. A level by seeds leaves about the same part of its area as the level
 * before left of its own. (Part left by middle, then fine: satellite arrays of 1 Mbp 0.40, 0.48; of 3 Mbp
 * 0.39, 0.55; M. tuberculosis x BCG 0.83, 0.91.) */
static bool limit_work(making *m, bool edits) {
  potential *p = m->p;
  const potential_input *input = m->input;
  const double part = edits ? 0 : m->part;
  if (!input->left_work) return true;
  measure(p, m->left);
  const double area = (double)p->area, expected = (double)p->expected;
  const double spared = input->left_work(input->user, p, area, expected) -
                        input->left_work(input->user, p, part * area, part * expected);
  p->work_most = smaller(input->work_most, p->work + (int64_t)fmin(fmax(spared, 0), 1e18));
  return spared > 0;
}

/* Makes the next level in what `from` has left. If next.barrier is set, barriers are chosen; the level is
 * left out if they do not pay. */
static cla_status make_finer(making *m, const level *from, level next, cla_error *error) {
  potential *p = m->p;
  level before = *from;
  const bool barriers = next.barrier > 0;
  next.fits = true;
  cla_status status = level_begin(&next, p, error);
  if (status == CLA_OK) take_left(&next, p, from, m->left);
  if (status == CLA_OK) choose_word(&next, p, m->cost, &m->shape);
  if (status == CLA_OK && barriers && !choose_barriers(&next, m)) {
    level_free(&next);
    return CLA_OK;
  }
  const bool own = from == &p->fine, spares = !own || limit_work(m, next.edits);
  m->ended = status == CLA_OK && own && (!spares || !level_affordable(p, &next));
  if (m->ended) {
    add_level(m, &next, !spares ? CLA_LEVEL_ENOUGH : p->memory_short ? CLA_LEVEL_MEMORY : CLA_LEVEL_TIME);
    level_free(&next);
    return CLA_OK;
  }
  p->fine = next;
  if (status == CLA_OK) {
    p->fine.before = own ? &before : from;
    p->fine.buckets = buckets_of_level(&p->fine);
    if (next.edits && !barriers) choose_rare_word(&p->fine, p, &m->shape);
    status = narrow(m, &p->fine, error);
    p->fine.before = NULL;
  }
  const bool dear = p->memory_short || p->work > p->work_most;
  if (own && status == CLA_OK && m->useless && dear && !bound_pair_stopped(p->pair)) {
    m->useless = false;
    m->ended = true;
    next = p->fine;
    p->fine = before;
    before = next;
  }
  if (own) level_free(&before);
  return status;
}

static bool goes_on(const making *m, cla_status status) {
  return status == CLA_OK && !m->useless && !m->ended;
}

/* True if the fine level would have so many buckets that a middle level comes first. */
static bool has_many_buckets(const level *from, const potential_shape *shape) {
  return buckets_of_level(from) * (from->chunk_rows / shape->chunk_rows) * (from->bucket / shape->bucket) >
         BUCKETS_MANY;
}

/* Makes a coarse level, by seeds alone, in what `from` has left. NULL: in the whole matrix. */
static cla_status narrow_coarse(making *m, level *coarse, const level *from, cla_error *error) {
  potential *p = m->p;
  const chunk_left all = gaps_leave(p);
  cla_status status = level_begin(coarse, p, error);
  if (status != CLA_OK) return status;
  if (from)
    take_left(coarse, p, from, m->left);
  else
    for (int64_t c = 0; c < coarse->chunks; c++)
      set_buckets(coarse, p, c, bucket_of(p, coarse, all.first), bucket_of(p, coarse, all.last));
  coarse->buckets = buckets_of_level(coarse);
  choose_word(coarse, p, m->cost, &m->shape);
  status = narrow(m, coarse, error);
  if (status == CLA_OK && !m->useless) take_left(coarse, p, coarse, m->left);
  return status;
}

/* Makes the coarse level. If it has very many buckets, a still coarser one comes first. */
static cla_status make_coarse(making *m, level *coarse, cla_error *error) {
  const potential *p = m->p;
  const chunk_left all = gaps_leave(p);
  const int64_t rows = m->shape.chunk_rows * COARSER, bucket = m->shape.bucket * COARSE_BUCKETS;
  level first = {.chunk_rows = rows, .bucket = bucket * COARSE_BUCKETS};
  cla_status status = CLA_OK;
  const bool many = (p->problem.rows / rows + 1) * ((all.last - all.first) / bucket + 1) > COARSE_MANY;
  *coarse = (level){.chunk_rows = rows, .bucket = bucket};
  if (many) status = narrow_coarse(m, &first, NULL, error);
  if (status == CLA_OK && !m->useless) status = narrow_coarse(m, coarse, many ? &first : NULL, error);
  level_free(&first);
  return status;
}

static cla_status make_levels(making *m, cla_error *error) {
  potential *p = m->p;
  level coarse = {0};
  const bool chosen = m->input->shape.chunk_rows == 0;
  cla_status status = make_coarse(m, &coarse, error);
  if (status != CLA_OK || m->useless) goto done;
  const bool twice = chosen ? has_many_buckets(&coarse, &m->shape) : m->shape.turns > 1;
  const bool edits = m->shape.edits;
  const int64_t rows = m->shape.chunk_rows, bucket = m->shape.bucket * (twice ? MIDDLE : 1);
  if (edits) { /* a level by seeds first: edits need to know what paths near the bound's path cost */
    status = make_finer(m, &coarse, (level){.chunk_rows = BEFORE_EDITS * rows, .bucket = bucket}, error);
    const level some = {.chunk_rows = rows, .bucket = bucket, .edits = true, .barrier = 1};
    if (goes_on(m, status)) status = make_finer(m, &p->fine, some, error);
    if (goes_on(m, status))
      status = make_finer(m, &p->fine, (level){.chunk_rows = rows, .bucket = bucket, .edits = true}, error);
  } else {
    status =
        make_finer(m, &coarse, (level){.chunk_rows = twice ? MIDDLE * rows : rows, .bucket = bucket}, error);
  }
  if (goes_on(m, status) && twice && !edits)
    status = make_finer(m, &p->fine, (level){.chunk_rows = rows, .bucket = m->shape.bucket}, error);
  if (status == CLA_OK && !m->useless) measure(p, m->left);
done:
  level_free(&coarse);
  return status;
}

/* Enlarges chunks and buckets until the coarse level has at most COARSE_MOST. */
static void enlarge(potential_shape *shape, const potential *p) {
  const chunk_left all = gaps_leave(p);
  const double chunks = (double)p->problem.rows / COARSER,
               buckets = (double)(all.last - all.first) / COARSE_BUCKETS;
  while (chunks / (double)shape->chunk_rows * (buckets / (double)shape->bucket) > COARSE_MOST &&
         2 * shape->chunk_rows <= EDIT_ROWS_MOST) {
    if (16 * shape->bucket <= shape->chunk_rows)
      shape->bucket *= 2;
    else
      shape->chunk_rows *= 2;
  }
}

/* Chooses chunks, buckets, and between seeds and edits. */
static cla_status choose_shape(making *m, const potential_input *input, cla_error *error) {
  potential *p = m->p;
  m->shape = input->shape;
  if (m->shape.chunk_rows > 0) return CLA_OK;
  m->shape = (potential_shape){.chunk_rows = chunk_rows_for(m->cost, p),
                               .bucket = FINE_BUCKET,
                               .word_least = WORD_LEAST,
                               .word_most = WORD_MOST};
  enlarge(&m->shape, p);
  level fine = {.chunk_rows = m->shape.chunk_rows, .bucket = m->shape.bucket};
  m->shape.edits = !choose_word(&fine, p, m->cost, &m->shape);
  m->useless = m->shape.edits && m->cost > random_cost(p);
  m->refused = m->shape.edits && !input->edits;
  if (m->refused || m->useless) return CLA_OK;
  const double edits = random_cost(p) * (double)fine.chunk_rows;
  cla_status status = path_spread(p, &fine, m->shape.edits ? (int64_t)edits : fine.threshold, error);
  m->refused = p->spread > input->spread_most;
  return status;
}

cla_status potential_make(potential **out, potential_levels *levels, const potential_input *input,
                          cla_error *error) {
  const pair_problem *problem = &input->pair->problem;
  potential *p = NULL;
  *out = NULL;
  *levels = (potential_levels){0};
  cla_status status = allocate_zeros((void **)&p, 1, sizeof *p, "a potential", error);
  if (status != CLA_OK) return status;
  p->pair = input->pair;
  p->bound = input->bound;
  p->problem = *problem;
  p->threads = input->threads;
  p->work_most = input->work_most;
  p->bytes_most = input->bytes_most;
  p->input = input;
  potential_costs(p);
  p->chance = input->shape.chance;
  p->plain = input->shape.plain;
  making m = {.p = p, .levels = levels, .input = input, .cost = path_cost(p, input->bound)};
  status = choose_shape(&m, input, error);
  if (status != CLA_OK) goto done;
  if (p->costs.free_start) p->budget += (2 * p->costs.match + p->costs.ext) * m.shape.bucket;
  m.useless |= p->budget < 0 || p->budget > BUDGET_MOST || !input->bound->has_path;
  if (m.useless || m.refused) {
    const level coarse = {.bucket = m.shape.bucket * COARSE_BUCKETS};
    add_level(&m, &coarse, m.useless ? CLA_LEVEL_UNLIKE : CLA_LEVEL_TIME);
    m.useless = true;
    goto done;
  }
  const int64_t chunks = (problem->rows + m.shape.chunk_rows - 1) / m.shape.chunk_rows;
  status = allocate_array((void **)&m.left, chunks, sizeof *m.left, "a potential", error);
  if (status == CLA_OK) status = make_levels(&m, error);

done:
  p->left = m.left;
  levels->cells = p->cells;
  word_index_free(&p->index);
  if (status == CLA_OK && !m.useless)
    *out = p;
  else
    potential_free(p);
  return status;
}

void potential_free(potential *p) {
  if (!p) return;
  level_free(&p->fine);
  free(p->left);
  free(p);
}
