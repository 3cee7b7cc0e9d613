#include <stdlib.h>

#include "base/allocate.h"
#include "bounds/potential_internal.h"
#include "dp/stretch.h"

/* Unlike stretches are chunks in which the bound's path costs more than a level's threshold. In these chunks,
 * the costs of the diagonals around the path are computed exactly (docs/internals/bounds.md, "Unlike
 * stretches"). */

/* Maximum number of threads that strips keep busy: each strip waits for the one before it. */
#define THREADS_MOST 4
/* Maximum time for exact costs, as a fraction of the time that halving the area would save. */
#define PART_MOST 0.5
/* the bound's path must cost more than the threshold by at least 1 / DEAR_PART of the threshold */
#define DEAR_PART 4
/* a finer level may compute at most 1 / AGAIN_PART of the coarser level's exact cells */
#define AGAIN_PART 3

/* Extends each part's low, high and gain by the run of chunks that leads to the part: from above or, if
 * `back`, from below. In a run, the bound's path costs more than another path beside it. `gain` excludes
 * the gap that both paths need. */
static void look_at_runs(path_part *parts, const level_work *w, bool back) {
  const int64_t chunks = w->l->chunks;
  int64_t gain = 0, more = 0, low = INT64_MAX, high = INT64_MIN;
  for (int64_t i = 0; i < chunks; i++) {
    path_part *part = &parts[back ? chunks - 1 - i : i];
    const int64_t beside = w->known[back ? chunks - 1 - i : i].dear;
    const int64_t own = part->cost - beside, without_gap = path_without_gap(w->p, part) - beside;
    if (more <= 0) {
      more = 0;
      low = INT64_MAX;
      high = INT64_MIN;
    }
    more += own;
    low = smaller(low, part->first);
    high = larger(high, part->last);
    part->low = smaller(part->low, low);
    part->high = larger(part->high, high);
    part->gain += larger(gain, 0) + (back ? 0 : without_gap);
    gain = larger(gain, 0) + without_gap;
  }
}

/* Chooses the buckets of a chunk in which leaving the bound's path may lower the cost. */
static unlike_chunk choose_buckets(const level_work *w, const path_part *part, int64_t chunk) {
  const potential *p = w->p;
  const level *l = w->l;
  const int32_t dear = w->known[chunk].dear;
  if (dear <= 0 || part->first > part->last || part->cost <= dear + dear / DEAR_PART)
    return (unlike_chunk){.first = 1, .last = 0};
  const int64_t reach = (larger(part->gain, 0) / 2 + part->cost) / p->costs.ext;
  const int64_t low = larger(part->low - reach, -p->problem.rows), high = part->high + reach;
  return (unlike_chunk){.first = larger(bucket_of(p, l, low), l->first[chunk]),
                        .last = smaller(bucket_of(p, l, high), l->last[chunk])};
}

/* True if computing `cells` cells exactly saves time. The cells may take PART_MOST of the time that halving
 * the area saves. If a coarser level computed exact cells, a finer level may compute at most 1 / AGAIN_PART
 * of their number. */
static bool is_worth_it(const level_work *w, int64_t cells) {
  const level *l = w->l;
  const potential_input *input = w->p->input;
  const int64_t strips = (l->chunk_rows - 1) / stretch_rows_most(&w->p->costs) + 1;
  const double takes = (double)cells / (double)smaller(w->p->threads, smaller(strips, THREADS_MOST));
  double buckets = 0;
  for (int64_t c = 0; c < l->chunks; c++) buckets += (double)(l->last[c] - l->first[c] + 1);
  if (!input->left_work) return cells > 0;
  const double area = buckets * (double)l->bucket * (double)l->chunk_rows;
  return cells > 0 && (w->p->unlike_cells == 0 || cells <= w->p->unlike_cells / AGAIN_PART) &&
         takes <= PART_MOST * (input->left_work(input->user, w->p, area, area) -
                               input->left_work(input->user, w->p, area / 2, area / 2));
}

cla_status unlike_find(level_work *w, cla_error *error) {
  potential *p = w->p;
  const level *l = w->l;
  int64_t cells = 0;
  if (stretch_rows_most(&p->costs) == 0) return CLA_OK;
  cla_status status = ALLOCATE_ARRAY(&w->unlike, l->chunks, "a potential", error);
  if (status != CLA_OK) return status;
  look_at_runs(w->path, w, false);
  look_at_runs(w->path, w, true);
  for (int64_t c = 0; c < l->chunks; c++) {
    w->unlike[c] = choose_buckets(w, &w->path[c], c);
    cells += larger(w->unlike[c].last - w->unlike[c].first + 1, 0) * l->bucket * l->chunk_rows;
  }
  if (is_worth_it(w, cells)) {
    p->unlike_cells = larger(p->unlike_cells, cells);
  } else {
    free(w->unlike);
    w->unlike = NULL;
  }
  return CLA_OK;
}

static cla_status grow_row(unlike_row *r, int64_t count, cla_error *error) {
  int32_t **const arrays[] = {&r->h, &r->f, &r->next_h, &r->next_f};
  cla_status status = CLA_OK;
  for (int i = 0; i < 4 && status == CLA_OK; i++)
    status = allocate_grow((void **)arrays[i], &r->capacity[i], count, sizeof *r->h, "a potential", error);
  return status;
}

/* Sets beside[0] and beside[1] to lower limits on the costs of paths that leave the exact buckets: across
 * the first diagonal, across the last one. */
static void costs_beside(int32_t beside[2], const unlike_chunk *unlike, const unlike_crossing *over) {
  beside[0] = least_cost(cost_at(over->below, unlike->first), over->ends[0]);
  beside[1] = least_cost(cost_at(over->below, unlike->last), over->ends[unlike->last - unlike->first]);
}

/* Sets the row's costs at the chunk's lower border: at each node the larger of the exact cost from the
 * chunk below and the chain's cost of the bucket. */
static void begin_row(unlike_row *r, const level_work *w, int64_t border, const unlike_chunk *unlike,
                      const unlike_crossing *over) {
  const int64_t bucket = w->l->bucket, count = (unlike->last - unlike->first + 1) * bucket;
  const int64_t diagonal = first_diagonal(w->p, w->l, unlike->first);
  const int32_t ext = w->p->costs.ext, opened = cost_open_gap(&w->p->costs);
  const bool goes_on = r->count > 0 && r->border == border;
  int32_t *h = r->next_h, *f = r->next_f;
  int32_t beside[2];
  costs_beside(beside, unlike, over);
  for (int64_t k = 0; k < count; k += bucket) {
    const int64_t least = cost_at(over->below, unlike->first + k / bucket);
    for (int64_t i = k; i < k + bucket; i++) {
      const int64_t at = diagonal + i - r->diagonal;
      const bool known = goes_on && at >= 0 && at < r->count;
      h[i] = known ? (int32_t)larger(r->h[at], least) : (int32_t)least;
      f[i] = known ? (int32_t)larger(r->f[at], least + opened) : (int32_t)(least + opened);
    }
  }
  h[0] = least_cost(h[0], beside[0]);
  h[count - 1] = least_cost(h[count - 1], beside[1]);
  for (int64_t k = 1; k < count; k++) h[k] = least_cost(h[k], (int64_t)h[k - 1] + ext);
  for (int64_t k = count - 2; k >= 0; k--) h[k] = least_cost(h[k], (int64_t)h[k + 1] + ext);
  for (int64_t k = 0; k < count; k++) f[k] = least_cost(f[k], (int64_t)h[k] + opened);
  const unlike_row old = *r;
  *r = (unlike_row){.border = border,
                    .diagonal = diagonal,
                    .count = count,
                    .h = h,
                    .f = f,
                    .next_h = old.h,
                    .next_f = old.f,
                    .capacity = {old.capacity[2], old.capacity[3], old.capacity[0], old.capacity[1]}};
}

cla_status unlike_cross(level_work *w, unlike_row *r, const unlike_crossing *over, cla_error *error) {
  potential *p = w->p;
  const level *l = w->l;
  const unlike_chunk *unlike = &w->unlike[over->chunk];
  const int64_t count = unlike->last - unlike->first + 1, most = stretch_rows_most(&p->costs);
  const int64_t upper = chunk_row(p, l, over->chunk), lower = chunk_row(p, l, over->chunk + 1);
  int32_t *least = NULL;
  stretch_strip *strips = NULL;
  int64_t strip = 0;
  cla_status status = ALLOCATE_ARRAY(&least, count, "a potential", error);
  if (status == CLA_OK) status = ALLOCATE_ARRAY(&strips, l->chunk_rows / most + 1, "a potential", error);
  if (status == CLA_OK) status = grow_row(r, count * l->bucket, error);
  if (status != CLA_OK) goto done;
  for (int64_t b = 0; b < count; b++) least[b] = NEVER;
  begin_row(r, w, over->chunk + 1, unlike, over);
  for (int64_t row = lower; row > upper; row -= most)
    strips[strip++] = (stretch_strip){.row = row, .rows = smaller(most, row - upper)};
  stretch s = {.query = p->problem.query,
               .target = p->problem.target,
               .columns = p->problem.columns,
               .costs = &p->costs,
               .threads = p->threads,
               .bucket = l->bucket,
               .diagonal = r->diagonal,
               .count = r->count,
               .h = r->h,
               .f = r->f,
               .ends = over->ends,
               .least = least};
  costs_beside(s.beside, unlike, over);
  status = stretch_pass(&s, strips, strip, error);
  r->border = over->chunk;
  p->cells += (lower - upper) * r->count;
  p->exact_cells += (lower - upper) * r->count;
  for (int64_t b = unlike->first; b <= unlike->last && status == CLA_OK; b++) {
    if (b < over->above->first || b > over->above->last) continue;
    int32_t *cost = &over->above->cost[b - over->above->first];
    *cost = (int32_t)larger(*cost, least[b - unlike->first]);
  }
done:
  free(least);
  free(strips);
  return status;
}

void unlike_row_free(unlike_row *r) {
  free(r->h);
  free(r->f);
  free(r->next_h);
  free(r->next_f);
}
