#include "dp/fits.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/extremes.h"
#include "base/loops.h"
#include "base/machine.h"
#include "seq/sequence.h"

#define LANES 32
#define NO_QUERY 64  /* query letter that matches nothing */
#define NO_TARGET 65 /* target letter that matches nothing */

typedef int16_t lanes[LANES];

/* Fits that are computed together, one in each lane. The lane of a small fit is idle at the end. */
typedef struct fit_group {
  const fits_input *in;
  const fit *fits[LANES];
  int64_t count, rows, diagonals;
  lanes *query, *target, *h, *f; /* query: by row; target: by row + diagonal; h and f: by diagonal */
} fit_group;

/* Computes one row: H and F of each diagonal, from those of the row above. */
ALWAYS_INLINE void pass_row(lanes *restrict h, lanes *restrict f, const int16_t *restrict query,
                            const lanes *restrict target, int64_t diagonals, const fit_costs *costs) {
  const int16_t other = costs->other, first = costs->first, ext = costs->ext;
  lanes e, before;
  for (int l = 0; l < LANES; l++) e[l] = before[l] = FIT_MOST;
  for (int64_t k = 0; k < diagonals; k++) {
    int16_t *here = h[k], *down = f[k];
    const int16_t *above = h[k + 1], *above_f = f[k + 1], *letter = target[k];
    INDEPENDENT
    for (int l = 0; l < LANES; l++) {
      const int16_t pair = (int16_t)(here[l] + (query[l] == letter[l] ? 0 : other));
      const int16_t f_opened = (int16_t)(above[l] + first), f_further = (int16_t)(above_f[l] + ext);
      const int16_t e_opened = (int16_t)(before[l] + first), e_further = (int16_t)(e[l] + ext);
      const int16_t f_here = LEAST(f_opened, f_further), e_here = LEAST(e_opened, e_further);
      const int16_t gap = LEAST(f_here, e_here), straight = LEAST(pair, gap);
      const int16_t value = LEAST(straight, (int16_t)FIT_MOST);
      down[l] = LEAST(f_here, (int16_t)FIT_MOST);
      e[l] = LEAST(e_here, (int16_t)FIT_MOST);
      before[l] = here[l] = value;
    }
  }
}

static void take_results(const fit_group *g, int64_t row) {
  for (int lane = 0; lane < g->count; lane++) {
    const fit *of = g->fits[lane];
    if (of->rows != row) continue;
    for (int64_t k = 0; k < of->count; k++) {
      int32_t *least = &of->least[k / of->bucket];
      if (k % of->bucket == 0 || g->h[k][lane] < *least) *least = g->h[k][lane];
    }
  }
}

/* Computes all rows. A lane's result is stored after the last row of the lane's fit. */
ALWAYS_INLINE void pass_rows(const fit_group *g) {
  for (int64_t row = 0; row < g->rows; row++) {
    pass_row(g->h, g->f, g->query[row], (const lanes *)(g->target + row), g->diagonals, &g->in->costs);
    take_results(g, row + 1);
  }
}

BY_PROCESSOR(static, void, pass, pass_rows, (const fit_group *g), (g))

static void load(const fit_group *g) {
  const fits_input *in = g->in;
  for (int lane = 0; lane < LANES; lane++) {
    const fit *of = lane < g->count ? g->fits[lane] : NULL;
    for (int64_t i = 0; i < g->rows; i++)
      g->query[i][lane] = of && i < of->rows && in->query[of->row + i] < SEQUENCE_UNAMBIGUOUS
                              ? in->query[of->row + i]
                              : NO_QUERY;
    for (int64_t i = 0; i < g->rows + g->diagonals; i++) {
      const int64_t column = of ? of->row + of->diagonal + i : -1;
      const bool known = column >= 0 && column < in->columns && in->target[column] < SEQUENCE_UNAMBIGUOUS;
      g->target[i][lane] = known ? in->target[column] : NO_TARGET;
    }
    /* No path enters a fit from beyond its last diagonal. */
    for (int64_t k = 0; k <= g->diagonals; k++)
      g->h[k][lane] = g->f[k][lane] = of && k < of->count ? 0 : FIT_MOST;
  }
}

/* All fits, from which threads take groups of LANES fits. */
typedef struct shared_fits {
  const fits_input *in;
  const fit **order;       /* fits by size, largest first, because a group takes as long as its largest fit */
  int64_t rows, diagonals; /* largest numbers of rows and of diagonals of any fit */
  atomic_llong next, cells;
  atomic_bool failed;
} shared_fits;

static bool is_stopped(const shared_fits *s, int thread) {
  return s->in->stopped && s->in->stopped(s->in->stopped_by, thread);
}

static void take_groups(void *user, int thread) {
  shared_fits *s = user;
  const fits_input *in = s->in;
  const int64_t letters = 2 * s->rows + s->diagonals, places = 2 * (s->diagonals + 1);
  void *memory = NULL;
  fit_group g = {.in = in};
  if (posix_memalign(&memory, 64, (size_t)(letters + places) * sizeof(lanes)) != 0) {
    atomic_store(&s->failed, true);
    return;
  }
  for (;;) {
    const int64_t from = atomic_fetch_add(&s->next, LANES);
    if (from >= in->count || atomic_load(&s->failed) || is_stopped(s, thread)) break;
    g.count = smaller(LANES, in->count - from);
    g.rows = g.diagonals = 0;
    for (int64_t i = 0; i < g.count; i++) {
      g.fits[i] = s->order[from + i];
      g.rows = larger(g.rows, g.fits[i]->rows);
      g.diagonals = larger(g.diagonals, g.fits[i]->count);
    }
    g.query = memory;
    g.target = g.query + g.rows;
    g.h = g.target + g.rows + g.diagonals;
    g.f = g.h + g.diagonals + 1;
    load(&g);
    pass(&g);
    atomic_fetch_add(&s->cells, g.rows * g.diagonals * LANES);
  }
  free(memory);
}

static int larger_first(const void *a, const void *b) {
  const fit *x = *(const fit *const *)a, *y = *(const fit *const *)b;
  if (x->count != y->count) return x->count < y->count ? 1 : -1;
  return (x->row > y->row) - (x->row < y->row);
}

cla_status fits_compute(int64_t *cells, const fits_input *input, cla_error *error) {
  shared_fits s = {.in = input};
  *cells = 0;
  cla_status status = ALLOCATE_ARRAY(&s.order, input->count, "a potential", error);
  if (status != CLA_OK) return status;
  for (int64_t i = 0; i < input->count; i++) {
    s.order[i] = &input->fits[i];
    s.rows = larger(s.rows, input->fits[i].rows);
    s.diagonals = larger(s.diagonals, input->fits[i].count);
  }
  qsort(s.order, (size_t)input->count, sizeof *s.order, larger_first);
  parallel_run((int)smaller(input->threads, input->count / LANES + 1), take_groups, &s);
  free(s.order);
  *cells = atomic_load(&s.cells);
  return atomic_load(&s.failed) ? allocate_failed("the potential", error) : CLA_OK;
}
