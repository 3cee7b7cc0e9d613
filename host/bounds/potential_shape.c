/* Chooses a potential's chunks, buckets and seeds according to the cost of the bound's path. */

#include <math.h>

#include "bounds/potential_internal.h"
#include "dp/edits.h"

#define BUDGET_MOST (NEVER / 2)
#define FINE_BUCKET 16 /* width in diagonals */
#define WORD_LEAST 5   /* letters of the shortest seed */
/* Maximum number of buckets of the coarse level. Beyond it, all chunks and buckets are enlarged. */
#define COARSE_MOST (INT64_C(1) << 26)
/* Minimum threshold of seeds, as a fraction of the bound's path's cost per chunk. Below it, regions are
 * found by edits. */
#define THRESHOLD_LEAST 0.9
#define RANDOM_EDITS 0.45 /* edits per row between random letters, in the best of many columns */
#define RARE 0.05 /* maximum number of chance matches of a rare seed on all diagonals that a path reaches */

chunk_left gaps_leave(const potential *p) {
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

double random_cost(const potential *p) {
  return RANDOM_EDITS * chain_edit_cost(&p->costs);
}

bool choose_word(level *l, const potential *p) {
  const double mean = p->path_cost * (double)l->chunk_rows;
  const double wanted = mean + 3 * sqrt(mean * p->costs.other > 1 ? mean * p->costs.other : 1);
  int64_t best = -1;
  level tried = *l;
  for (int word = p->shape.word_most; word >= p->shape.word_least; word--) {
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

void choose_rare_word(level *l, const potential *p) {
  const double reach = RANDOM_EDITS * REACH_NEAR * (double)l->chunk_rows;
  l->word = p->shape.word_least;
  while (l->word < p->shape.word_most && reach * pow(p->letter_chance, l->word) > RARE) l->word++;
  l->broken = chain_broken_cost(&p->costs, l->word);
}

/* Returns the rows of a fine chunk. If the path is expensive, few seeds are unbroken. Then chunks must be
 * larger, so that they have more unbroken seeds than chance explains. */
static int64_t chunk_rows_for(const potential *p) {
  return p->path_cost * 16 < p->costs.other * 1.2 ? 512 : 1024;
}

/* Enlarges chunks and buckets until the coarse level has at most COARSE_MOST buckets. */
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

/* Chooses the sizes of chunks and buckets, and whether regions are found by seeds or edits. */
static cla_status choose(cla_level_end *hindrance, potential *p, cla_error *error) {
  p->shape = (potential_shape){.chunk_rows = chunk_rows_for(p),
                               .bucket = FINE_BUCKET,
                               .word_least = WORD_LEAST,
                               .word_most = WORD_MOST};
  enlarge(&p->shape, p);
  level fine = {.chunk_rows = p->shape.chunk_rows, .bucket = p->shape.bucket};
  p->shape.edits = !choose_word(&fine, p);
  if (p->shape.edits && p->path_cost > random_cost(p))
    *hindrance = CLA_LEVEL_UNLIKE;
  else if (p->shape.edits && !p->input->edits)
    *hindrance = CLA_LEVEL_TIME;
  if (*hindrance != CLA_LEVEL_RAN) return CLA_OK;
  const double edits = random_cost(p) * (double)fine.chunk_rows;
  cla_status status = path_spread(p, &fine, p->shape.edits ? (int64_t)edits : fine.threshold, error);
  if (p->spread > p->input->spread_most) *hindrance = CLA_LEVEL_TIME;
  return status;
}

cla_status choose_shape(cla_level_end *hindrance, potential *p, cla_error *error) {
  const lower_bound *bound = p->input->bound;
  const int64_t rows = bound->query_stop - bound->query_start,
                columns = bound->target_stop - bound->target_start;
  const int64_t cost = p->costs.match * (rows + columns) - 2 * bound->path_score;
  *hindrance = CLA_LEVEL_RAN;
  p->path_cost = (double)cost / (double)larger(rows, 1);
  p->shape = p->input->shape;
  cla_status status = p->shape.chunk_rows > 0 ? CLA_OK : choose(hindrance, p, error);
  if (p->costs.free_start) p->budget += (2 * p->costs.match + p->costs.ext) * p->shape.bucket;
  if (p->budget < 0 || p->budget > BUDGET_MOST || !bound->has_path) *hindrance = CLA_LEVEL_UNLIKE;
  return status;
}
