/* The matrix of docs/internals/exactness.md, "The canonical alignment". */

#include <stdlib.h>
#include <string.h>

#include "differential/oracle.h"

#define UNREACHED (-(INT64_C(1) << 60))

/* Where H of a cell comes from, the three low bits of a cell's byte; the others say which gaps were opened in
 * the cell before. */
enum { FROM_NOWHERE, FROM_PAIR, FROM_E, FROM_E2, FROM_F, FROM_F2 };
#define SOURCE 7
#define E_OPENED 8
#define E2_OPENED 16
#define F_OPENED 32
#define F2_OPENED 64

typedef struct table {
  const oracle_matrix *m;
  uint8_t *cells;       /* (rows + 1) x (columns + 1) */
  int64_t *h, *f, *f2;  /* of the row above, then of this one */
  int64_t first2, ext2; /* beyond reach where there is one piece */
  oracle_path best;
  bool any;
} table;

int64_t oracle_gap(const cla_scoring *s, int64_t letters) {
  if (letters == 0) return 0;
  const int64_t one = s->gap_first + (letters - 1) * s->gap_ext;
  const int64_t two = s->gap_first2 + (letters - 1) * s->gap_ext2;
  return s->gap_first2 > 0 && two < one ? two : one;
}

static void *must_allocate(int64_t count, size_t size) {
  void *memory = calloc((size_t)(count > 0 ? count : 1), size);
  if (!memory) abort();
  return memory;
}

static bool in_band(const oracle_matrix *m, int64_t i, int64_t j) {
  return !m->has_band || (j - i >= m->lowest && j - i <= m->highest);
}

static bool may_end(const oracle_matrix *m, int64_t i, int64_t j) {
  return m->anywhere || (i == m->rows && j == m->columns) || (m->query_end && j == m->columns) ||
         (m->target_end && i == m->rows);
}

/* Rows come from above, and columns from the left: the first of equal ends stays. */
static void offer_end(table *t, int64_t i, int64_t j, int64_t h) {
  if (h <= UNREACHED / 2 || !may_end(t->m, i, j) || (t->any && h <= t->best.score)) return;
  t->any = true;
  t->best.score = h;
  t->best.query_stop = i;
  t->best.target_stop = j;
}

static void border_row(table *t) {
  const oracle_matrix *m = t->m;
  for (int64_t j = 0; j <= m->columns; j++) {
    const bool is_free = j == 0 || m->target_start;
    t->h[j] = !in_band(m, 0, j) ? UNREACHED : is_free ? 0 : -oracle_gap(m->costs, j);
    t->f[j] = t->f2[j] = UNREACHED;
    t->cells[j] = is_free ? FROM_NOWHERE : FROM_E;
    offer_end(t, 0, j, t->h[j]);
  }
}

/* H of the left border. Its cells lead straight up. */
static int64_t border_cell(table *t, int64_t i, uint8_t *cell) {
  const oracle_matrix *m = t->m;
  *cell = m->query_start ? FROM_NOWHERE : FROM_F;
  if (!in_band(m, i, 0)) return UNREACHED;
  return m->query_start ? 0 : -oracle_gap(m->costs, i);
}

static int64_t larger_of(int64_t opened, int64_t longer, uint8_t *cell, uint8_t flag) {
  if (opened >= longer) *cell |= flag;
  return opened >= longer ? opened : longer;
}

static void fill_row(table *t, int64_t i) {
  const oracle_matrix *m = t->m;
  uint8_t *cells = t->cells + i * (m->columns + 1);
  const uint8_t *used = m->used ? m->used + i * (m->columns + 1) : NULL;
  const int64_t *scores = m->scores[(unsigned char)m->query[i - 1]];
  const int64_t first = m->costs->gap_first, ext = m->costs->gap_ext;
  int64_t diagonal = t->h[0], left, e = UNREACHED, e2 = UNREACHED;
  left = t->h[0] = border_cell(t, i, &cells[0]);
  offer_end(t, i, 0, left);
  for (int64_t j = 1; j <= m->columns; j++) {
    uint8_t cell = 0;
    const int64_t above = t->h[j];
    if (!in_band(m, i, j)) {
      diagonal = above;
      left = e = e2 = t->h[j] = t->f[j] = t->f2[j] = UNREACHED;
      continue;
    }
    e = larger_of(left - first, e - ext, &cell, E_OPENED);
    e2 = larger_of(left - t->first2, e2 - t->ext2, &cell, E2_OPENED);
    const int64_t f = larger_of(above - first, t->f[j] - ext, &cell, F_OPENED);
    const int64_t f2 = larger_of(above - t->first2, t->f2[j] - t->ext2, &cell, F2_OPENED);
    int64_t h = used && used[j] ? UNREACHED : diagonal + scores[(unsigned char)m->target[j - 1]];
    uint8_t source = FROM_PAIR;
    if (e > h) h = e, source = FROM_E;
    if (e2 > h) h = e2, source = FROM_E2;
    if (f > h) h = f, source = FROM_F;
    if (f2 > h) h = f2, source = FROM_F2;
    if (m->floor && h <= 0) h = 0, source = FROM_NOWHERE;
    cells[j] = (uint8_t)(cell | source);
    diagonal = above;
    left = t->h[j] = h;
    t->f[j] = f;
    t->f2[j] = f2;
    if (m->anywhere || j == m->columns || i == m->rows) offer_end(t, i, j, h);
  }
}

static void put_run(oracle_path *path, cla_run_kind kind) {
  if (path->run_count > 0 && path->runs[path->run_count - 1].kind == kind) {
    path->runs[path->run_count - 1].length++;
    return;
  }
  if ((path->run_count & (path->run_count + 1)) == 0) {
    path->runs = realloc(path->runs, (2 * path->run_count + 2) * sizeof *path->runs);
    if (!path->runs) abort();
  }
  path->runs[path->run_count++] = (cla_run){.length = 1, .kind = kind};
}

/* Back from the end, in the states that exactness.md's table has. */
static void trace(table *t, oracle_path *path) {
  int64_t i = path->query_stop, j = path->target_stop;
  int state = FROM_PAIR; /* FROM_PAIR stands for state H */
  for (;;) {
    const uint8_t cell = t->cells[i * (t->m->columns + 1) + j];
    if (state == FROM_PAIR) {
      const int source = cell & SOURCE;
      if (source == FROM_NOWHERE) break;
      if (source == FROM_PAIR) {
        put_run(path, CLA_RUN_PAIR);
        i--;
        j--;
      } else {
        state = source;
      }
      continue;
    }
    const bool target = state == FROM_E || state == FROM_E2;
    const uint8_t opened = state == FROM_E    ? E_OPENED
                           : state == FROM_E2 ? E2_OPENED
                           : state == FROM_F  ? F_OPENED
                                              : F2_OPENED;
    put_run(path, target ? CLA_RUN_TARGET : CLA_RUN_QUERY);
    if (target)
      j--;
    else
      i--;
    if ((cell & opened) || i == 0 || j == 0) state = FROM_PAIR;
  }
  path->query_start = i;
  path->target_start = j;
  for (size_t a = 0, b = path->run_count; a + 1 < b; a++) {
    const cla_run kept = path->runs[a];
    path->runs[a] = path->runs[--b];
    path->runs[b] = kept;
  }
}

oracle_path oracle_solve(const oracle_matrix *m, bool score_alone) {
  table t = {.m = m, .first2 = -UNREACHED / 4, .ext2 = 0};
  if (m->costs->gap_first2 > 0) {
    t.first2 = m->costs->gap_first2;
    t.ext2 = m->costs->gap_ext2;
  }
  t.cells = must_allocate((m->rows + 1) * (m->columns + 1), 1);
  t.h = must_allocate(m->columns + 1, sizeof *t.h);
  t.f = must_allocate(m->columns + 1, sizeof *t.f);
  t.f2 = must_allocate(m->columns + 1, sizeof *t.f2);
  border_row(&t);
  for (int64_t i = 1; i <= m->rows; i++) fill_row(&t, i);
  oracle_path path = t.best;
  if (!score_alone && m->floor && path.score == 0) path.query_stop = path.target_stop = 0;
  if (!score_alone) trace(&t, &path);
  free(t.cells);
  free(t.h);
  free(t.f);
  free(t.f2);
  return path;
}
