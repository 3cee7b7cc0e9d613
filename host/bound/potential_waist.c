#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/machine.h"
#include "bound/potential_internal.h"
#include "bound/stretch.h"

/* Waists: borders between chunks at which all optimal paths pass a few diagonals, as exact costs of the rows
 * above and below show (docs/internals/bounds.md, "Waists"). */

#define SAMPLES 16     /* places at which it is asked what a waist takes */
#define PLACES 5       /* of which the best becomes a waist */
#define PLACE_MOST 2   /* times as much as the usual one it may take */
#define GAIN_SPARE 0.8 /* times as many rows as paths elsewhere need to cost more, on average, */
#define GAIN_GAPS 8    /* and for so many gaps more */
/* Cells of an exact pass, for each cell that a waist may leave out: of what the sweep takes, or of what finer
 * levels do. */
#define LEFT_WORTH 0.3
#define FINER_WORTH 0.03
#define NO_LETTER 255
#define NO_WAIST ((waist){.first = INT64_MAX, .last = INT64_MIN})

/* The bound's path at a border. */
typedef struct bound_node {
  int64_t diagonal, cost; /* above it */
  bool usable;            /* it comes there, and not within a gap */
} bound_node;

/* Rows around a border, in which a waist is looked for. */
typedef struct waist_place {
  int64_t border, top, bottom; /* the first and the last border, too */
  int64_t first, last;         /* buckets that are left between them */
  double cells;                /* INFINITY: none is possible */
} waist_place;

/* Exact costs at a place's border from one side, by diagonal from the first on. */
typedef struct half {
  const waist_place *place;
  bool down; /* from the top, else from the bottom */
  int32_t *h;
  cla_status status;
} half;

typedef struct search {
  level_work *w;
  const chunk_left *left;
  bound_node *nodes; /* by border */
  int64_t own;       /* what the bound's path costs */
  int64_t total;     /* what a path of the bound's score costs */
  int64_t open;      /* of the gap that has the cheapest further letters */
  int64_t low, high; /* borders between which all paths come from above and go on below */
  double *area;      /* by border: of cells that are left from `low` to there */
  waist_place *places;
  half *halves; /* two of each place */
  int64_t count;
  int threads; /* of a half */
  atomic_llong next;
} search;

static int64_t total_cost(const potential *p) {
  return p->costs.match * (p->problem.rows + p->problem.columns) - 2 * p->bound->score;
}

static int64_t whole_gap_cost(const potential *p, int64_t letters) {
  return 2 * gap_cost(p->problem.scheme.scoring, letters) + p->costs.match * letters;
}

static bool has_waist(const waist *at) {
  return at->first <= at->last;
}

static cla_status make_waists(level *l, cla_error *error) {
  cla_status status =
      allocate_array((void **)&l->waists, l->chunks + 1, sizeof *l->waists, "a potential", error);
  for (int64_t b = 0; b <= l->chunks && status == CLA_OK; b++) l->waists[b] = NO_WAIST;
  return status;
}

cla_status waists_begin(level *l, cla_error *error) {
  const level *from = l->before;
  if (!from || !from->waists) return CLA_OK;
  const int64_t chunks = from->chunk_rows / l->chunk_rows;
  cla_status status = make_waists(l, error);
  for (int64_t b = 0; b <= from->chunks && b * chunks <= l->chunks && status == CLA_OK; b++)
    l->waists[b * chunks] = from->waists[b];
  if (status == CLA_OK) l->waist_count = from->waist_count;
  return status;
}

/* Notes where the path crosses borders, and what it costs, by what the scheme says of whole gaps. */
static void follow_bound(search *s) {
  const potential *p = s->w->p;
  const level *l = s->w->l;
  const lower_bound *bound = p->bound;
  int64_t row = bound->query_start, column = bound->target_start, border = 0;
  int64_t cost = p->costs.free_start ? p->costs.match * (row + column) : 0;
  while (border <= l->chunks && chunk_row(p, l, border) < row) border++;
  for (size_t i = 0; i < bound->run_count; i++) {
    const cla_run *run = &bound->runs[i];
    const int64_t gap = run->kind == CLA_RUN_PAIR ? 0 : whole_gap_cost(p, run->length);
    for (int64_t left = run->length; left > 0;) {
      const int64_t rest = border <= l->chunks ? chunk_row(p, l, border) - row : INT64_MAX;
      if (rest == 0) {
        s->nodes[border++] =
            (bound_node){.diagonal = column - row, .cost = cost, .usable = gap == 0 || left == run->length};
        continue;
      }
      const int64_t count = run->kind == CLA_RUN_TARGET ? left : smaller(left, rest);
      if (gap == 0) cost += pairs_cost(p, row, column, count);
      if (run->kind != CLA_RUN_TARGET) row += count;
      if (run->kind != CLA_RUN_QUERY) column += count;
      left -= count;
    }
    cost += gap;
  }
  s->own = cost;
  if (p->costs.free_end) s->own += p->costs.match * (p->problem.rows - row + p->problem.columns - column);
}

/* What paths elsewhere cost more in a chunk than the bound's, about. */
static double gain_of(const level_work *w, int64_t chunk) {
  const potential *p = w->p;
  const int64_t rows = chunk_row(p, w->l, chunk + 1) - chunk_row(p, w->l, chunk);
  return RANDOM_EDITS * chain_edit_cost(&p->costs) * (double)rows - (double)w->path[chunk].cost;
}

/* What they may cost less where they come in: the gap from the bound's path, or, further away, what levels do
 * not know of it. So the gap for half of the way at most. */
static double gain_needed(const search *s, int64_t border, int64_t chunk) {
  const potential *p = s->w->p;
  const level *l = s->w->l;
  const int64_t at = s->nodes[border].diagonal, first = first_diagonal(p, l, s->left[chunk].first),
                last = first_diagonal(p, l, s->left[chunk].last + 1) - 1;
  const double gain = GAIN_SPARE * (double)(p->costs.ext * larger(at - first, last - at)) / 2 +
                      (double)(GAIN_GAPS * p->costs.first);
  return p->waist_gain > 0 ? p->waist_gain * gain : gain;
}

/* Takes in a chunk, and says whether paths elsewhere have lost enough by its outer border. */
static bool take_chunk(waist_place *place, double *gain, const search *s, int64_t chunk, int64_t border) {
  place->first = smaller(place->first, s->left[chunk].first);
  place->last = larger(place->last, s->left[chunk].last);
  *gain += gain_of(s->w, chunk);
  return s->nodes[border].usable && *gain >= gain_needed(s, border, chunk);
}

static waist_place place_at(const search *s, int64_t border) {
  const level *l = s->w->l;
  waist_place place = {
      .border = border, .top = border, .bottom = border, .first = INT64_MAX, .last = -1, .cells = INFINITY};
  double gain = 0;
  bool enough = !s->nodes[border].usable;
  if (enough) return place;
  while (!enough && place.top > s->low) {
    place.top--;
    enough = take_chunk(&place, &gain, s, place.top, place.top);
  }
  if (!enough) return place;
  enough = false;
  gain = 0;
  while (!enough && place.bottom < s->high) {
    place.bottom++;
    enough = take_chunk(&place, &gain, s, place.bottom - 1, place.bottom);
  }
  if (enough)
    place.cells = (double)((place.bottom - place.top) * l->chunk_rows) *
                  (double)((place.last - place.first + 1) * l->bucket);
  return place;
}

static int compare_cells(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* The border above which a part of what is left lies. */
static int64_t border_at(const search *s, double part) {
  const double wanted = part * s->area[s->high];
  int64_t low = s->low, high = s->high;
  while (low < high) {
    const int64_t middle = low + (high - low) / 2;
    if (s->area[middle] < wanted)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static void add_areas(const search *s) {
  const level *l = s->w->l;
  s->area[s->low] = 0;
  for (int64_t c = s->low; c < s->high; c++)
    s->area[c + 1] = s->area[c] + (double)(s->left[c].last - s->left[c].first + 1) * (double)l->bucket *
                                      (double)l->chunk_rows;
}

/* How many waists make what they take and what they leave the least; 0: they are not worth it. *most: what
 * one may take. */
static int64_t choose_count(double *most, const search *s) {
  const potential *p = s->w->p;
  const double chosen = s->w->l->finest ? LEFT_WORTH : FINER_WORTH;
  const double worth = p->waist_worth > 0 ? p->waist_worth : chosen;
  double cells[SAMPLES];
  for (int i = 0; i < SAMPLES; i++) cells[i] = place_at(s, border_at(s, (2 * i + 1.0) / (2 * SAMPLES))).cells;
  qsort(cells, SAMPLES, sizeof *cells, compare_cells);
  const double usual = cells[SAMPLES / 2];
  *most = PLACE_MOST * usual;
  if (isinf(usual)) return 0;
  return (int64_t)fmin(sqrt(s->area[s->high] * worth / usual), (double)(s->high - s->low) / 2);
}

/* The best place for waist number `index` of `count`. */
static waist_place choose_place(const search *s, int64_t index, int64_t count) {
  waist_place best = {.cells = INFINITY};
  for (int i = 0; i < PLACES; i++) {
    const double at = (double)index + 1 + (i - PLACES / 2) / (2.0 * PLACES);
    const waist_place place = place_at(s, border_at(s, at / (double)(count + 1)));
    if (place.cells < best.cells) best = place;
  }
  return best;
}

/* Chooses places, as far as there is work left for them. */
static cla_status choose_places(search *s, cla_error *error) {
  level_work *w = s->w;
  potential *p = w->p;
  double most = 0;
  const int64_t tried = choose_count(&most, s);
  if (tried == 0) return CLA_OK;
  cla_status status = allocate_array((void **)&s->places, tried, sizeof *s->places, "a potential", error);
  if (status == CLA_OK && !w->l->waists) status = make_waists(w->l, error);
  for (int64_t i = 0; i < tried && status == CLA_OK; i++) {
    const waist_place place = choose_place(s, i, tried);
    if (place.cells > most || has_waist(&w->l->waists[place.border])) continue;
    const int64_t cells = (int64_t)place.cells;
    if (p->work + cells / p->threads > p->work_most || !level_affordable(p, w->l)) break;
    p->work += cells / p->threads;
    p->cells += cells;
    p->exact_cells += cells;
    s->places[s->count++] = place;
  }
  p->memory_short = false;
  return status;
}

/* What is known of costs at a half's outer border, less what the bound's path costs from there on: that gaps
 * lead to it, and what levels say. */
static void begin_half(int32_t *h, int64_t count, const search *s, const half *of) {
  const level_work *w = s->w;
  const level *l = w->l;
  const waist_place *place = of->place;
  const int64_t border = of->down ? place->top : place->bottom, ext = w->p->costs.ext;
  const bound_node *node = &s->nodes[border];
  const cost_row *row = &w->borders[of->down][border];
  const int64_t own = of->down ? node->cost : s->total - node->cost;
  for (int64_t i = 0; i < count; i++) {
    const int64_t away = llabs(first_diagonal(w->p, l, place->first) + i - node->diagonal);
    const int64_t bucket = place->first + i / l->bucket;
    const bool known = bucket >= row->first && bucket <= row->last;
    const int64_t gap = -s->open - ext * away;
    h[i] = least_cost(known ? larger(gap, cost_at(row, bucket) - own) : gap, NEVER);
  }
  for (int64_t i = 1; i < count; i++) h[i] = least_cost(h[i], (int64_t)h[i - 1] + ext);
  for (int64_t i = count - 2; i >= 0; i--) h[i] = least_cost(h[i], (int64_t)h[i + 1] + ext);
}

static void reverse(int32_t *h, int64_t count) {
  for (int64_t i = 0; i < count / 2; i++) {
    const int32_t kept = h[i];
    h[i] = h[count - 1 - i];
    h[count - 1 - i] = kept;
  }
}

/* Letters from before `end` back, as another sequence: NO_LETTER where there are none. */
static void copy_back(uint8_t *to, const uint8_t *from, int64_t letters, int64_t end, int64_t count) {
  for (int64_t k = 0; k < count; k++) {
    const int64_t at = end - 1 - k;
    to[k] = at >= 0 && at < letters ? from[at] : NO_LETTER;
  }
}

/* Passes a half's rows: from the top as if both sequences were reversed. */
static cla_status pass_half(half *of, const search *s, cla_error *error) {
  const potential *p = s->w->p;
  const level *l = s->w->l;
  const waist_place *place = of->place;
  const int64_t buckets = place->last - place->first + 1, count = buckets * l->bucket;
  const int64_t diagonal = first_diagonal(p, l, place->first), middle = chunk_row(p, l, place->border);
  const int64_t outer = chunk_row(p, l, of->down ? place->top : place->bottom), rows = llabs(outer - middle);
  const int64_t end = middle + diagonal + count, letters = rows + count; /* of columns, and before it */
  const int64_t from = of->down ? rows : outer, most = stretch_rows_most(&p->costs);
  int32_t *f = NULL, *beyond = NULL;
  stretch_strip *strips = NULL;
  uint8_t *codes = NULL;
  int64_t strip = 0;
  cla_status status = allocate_array((void **)&of->h, count, sizeof *of->h, "a potential", error);
  if (status == CLA_OK) status = allocate_array((void **)&f, count, sizeof *f, "a potential", error);
  if (status == CLA_OK)
    status = allocate_array((void **)&beyond, 2 * buckets, sizeof *beyond, "a potential", error);
  if (status == CLA_OK)
    status = allocate_array((void **)&strips, rows / most + 1, sizeof *strips, "a potential", error);
  if (status == CLA_OK) status = allocate_array((void **)&codes, rows + letters, 1, "a potential", error);
  if (status != CLA_OK) goto done;
  begin_half(of->h, count, s, of);
  if (of->down) {
    reverse(of->h, count);
    copy_back(codes, p->problem.query, p->problem.rows, middle, rows);
    copy_back(codes + rows, p->problem.target, p->problem.columns, end, letters);
  }
  memcpy(f, of->h, (size_t)count * sizeof *f);
  for (int64_t b = 0; b < 2 * buckets; b++) beyond[b] = NEVER;
  for (int64_t row = from; row > from - rows; row -= most)
    strips[strip++] = (stretch_strip){.row = row, .rows = smaller(most, row - (from - rows))};
  stretch pass = {.query = of->down ? codes : p->problem.query,
                  .target = of->down ? codes + rows : p->problem.target,
                  .columns = of->down ? letters : p->problem.columns,
                  .costs = &p->costs,
                  .threads = s->threads,
                  .bucket = l->bucket,
                  .diagonal = of->down ? end - middle - (diagonal + count - 1) : diagonal,
                  .count = count,
                  .h = of->h,
                  .f = f,
                  .beside = {NEVER, NEVER},
                  .ends = beyond,
                  .least = beyond + buckets};
  status = stretch_pass(&pass, strips, strip, error);
  if (of->down) reverse(of->h, count);
done:
  free(f);
  free(beyond);
  free(strips);
  free(codes);
  return status;
}

static void take_halves(void *user, int thread) {
  search *s = user;
  for (int64_t i; (i = atomic_fetch_add(&s->next, 1)) < 2 * s->count;) {
    if (thread == 0 && bound_pair_stopped(s->w->p->pair)) atomic_store(&s->next, 2 * s->count);
    s->halves[i].status = pass_half(&s->halves[i], s, NULL);
  }
}

/* The diagonals on which a path may come through both halves that costs no more than the bound's. */
static waist join_halves(const search *s, const half *below, const half *above) {
  const potential *p = s->w->p;
  const level *l = s->w->l;
  const waist_place *place = below->place;
  const int64_t first = first_diagonal(p, l, place->first);
  const int64_t most =
      s->nodes[place->bottom].cost - s->nodes[place->top].cost + p->spared + chain_open_gap(&p->costs);
  waist out = NO_WAIST;
  for (int64_t i = 0; i < (place->last - place->first + 1) * l->bucket; i++) {
    if ((int64_t)below->h[i] + above->h[i] > most) continue;
    out.first = smaller(out.first, first + i);
    out.last = first + i;
  }
  out.diagonal = s->nodes[place->border].diagonal;
  out.before = s->nodes[place->border].cost;
  return out;
}

static cla_status pass_halves(search *s, cla_error *error) {
  level *l = s->w->l;
  cla_status status =
      allocate_zeros((void **)&s->halves, 2 * s->count, sizeof *s->halves, "a potential", error);
  if (status != CLA_OK) return status;
  for (int64_t i = 0; i < 2 * s->count; i++)
    s->halves[i] = (half){.place = &s->places[i / 2], .down = i % 2 == 1};
  const int threads = s->w->p->threads;
  s->threads = (int)larger(threads / (2 * s->count), 1);
  parallel_run((int)smaller(threads, 2 * s->count), take_halves, s);
  for (int64_t i = 0; i < 2 * s->count; i++)
    if (s->halves[i].status != CLA_OK) status = potential_memory_error(error);
  for (int64_t i = 0; i < s->count && status == CLA_OK && !bound_pair_stopped(s->w->p->pair); i++) {
    waist *found = &l->waists[s->places[i].border];
    *found = join_halves(s, &s->halves[2 * i], &s->halves[2 * i + 1]);
    l->waist_count += has_waist(found);
  }
  for (int64_t i = 0; i < 2 * s->count; i++) free(s->halves[i].h);
  return status;
}

/* No path that matters starts below the upper limit or ends above the lower one. */
static void find_limits(search *s) {
  const int64_t chunks = s->w->l->chunks;
  s->low = 0;
  s->high = chunks;
  for (int64_t c = 0; c < chunks; c++)
    if (s->left[c].starts) s->low = c + 1;
  for (int64_t c = chunks - 1; c >= 0; c--)
    if (s->left[c].ends) s->high = c;
}

cla_status waists_find(bool *found, level_work *w, const chunk_left *left, cla_error *error) {
  potential *p = w->p;
  const level *l = w->l;
  const int64_t far = 1 << 20;
  search s = {
      .w = w, .left = left, .total = total_cost(p), .open = whole_gap_cost(p, far) - p->costs.ext * far};
  const int64_t before = l->waist_count;
  *found = false;
  find_limits(&s);
  if (p->waist_worth < 0 || stretch_rows_most(&p->costs) == 0 || s.low + 2 > s.high) return CLA_OK;
  cla_status status = allocate_zeros((void **)&s.nodes, l->chunks + 1, sizeof *s.nodes, "a potential", error);
  if (status == CLA_OK)
    status = allocate_array((void **)&s.area, l->chunks + 1, sizeof *s.area, "a potential", error);
  if (status == CLA_OK) follow_bound(&s);
  if (status == CLA_OK) add_areas(&s);
  if (status == CLA_OK && s.own <= s.total) status = choose_places(&s, error);
  if (status == CLA_OK && s.count > 0) status = pass_halves(&s, error);
  *found = l->waist_count > before;
  free(s.halves);
  free(s.places);
  free(s.area);
  free(s.nodes);
  return status;
}

void waists_raise(const cost_row *row, const level_work *w, int64_t border, bool to_end) {
  const potential *p = w->p;
  const waist *at = w->l->waists ? &w->l->waists[border] : NULL;
  if (!at || !has_waist(at)) return;
  const int64_t own = to_end ? total_cost(p) - at->before : at->before;
  for (int64_t b = row->first; b <= row->last; b++) {
    const int64_t first = larger(first_diagonal(p, w->l, b), at->first),
                  last = smaller(first_diagonal(p, w->l, b + 1) - 1, at->last);
    const int64_t away = larger(llabs(first - at->diagonal), llabs(last - at->diagonal));
    int32_t *cost = &row->cost[b - row->first];
    *cost = first > last ? NEVER : least_cost(larger(*cost, own - whole_gap_cost(p, away)), NEVER);
  }
}
