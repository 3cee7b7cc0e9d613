/* Stage 5 of CUDAlign 2.1 (section 4.8, figure 7e): each small partition by its whole matrix, of a constant
 * size, and all paths one behind the other. Only gaps are kept, with their places: what lies between two gaps
 * are pairs. */

#include <stdlib.h>

#include "base/error.h"
#include "stages.h"

/* H, E and F of a partition, (rows + 1) * (columns + 1) values each. */
typedef struct small_matrix {
  int64_t rows, columns;
  int32_t *h, *e, *f; /* h owns the memory of all three */
} small_matrix;

static cla_status fill(small_matrix *m, const letter_pair *pair, const crosspoint *a, cla_error *error) {
  const gotoh_costs costs = pair->costs;
  const int64_t stride = m->columns + 1, size = (m->rows + 1) * stride;
  const cla_status status = allocate_array((void **)&m->h, 3 * size, sizeof *m->h, "a partition", error);
  if (status != CLA_OK) return status;
  m->e = m->h + size;
  m->f = m->e + size;
  for (int64_t i = 0; i <= m->rows; i++)
    for (int64_t j = 0; j <= m->columns; j++) {
      const int64_t at = i * stride + j;
      int32_t e = a->type == CROSS_ALONG ? 0 : GOTOH_MINUS_INFINITY, h = 0;
      int32_t f = a->type == CROSS_DOWN ? 0 : GOTOH_MINUS_INFINITY;
      if (at > 0) {
        e = j > 0 ? gotoh_larger(m->e[at - 1] - costs.ext, m->h[at - 1] - costs.first) : GOTOH_MINUS_INFINITY;
        f = i > 0 ? gotoh_larger(m->f[at - stride] - costs.ext, m->h[at - stride] - costs.first)
                  : GOTOH_MINUS_INFINITY;
        h = gotoh_larger(e, f);
      }
      if (i > 0 && j > 0)
        h = gotoh_larger(
            h, m->h[at - stride - 1] +
                   (pair->down[a->i + i - 1] == pair->across[a->j + j - 1] ? costs.match : costs.mismatch));
      m->h[at] = h;
      m->e[at] = e;
      m->f[at] = f;
    }
  return CLA_OK;
}

/* A gap letter at (i,j), before those that the list has: it begins a gap, or goes before the last one. */
static cla_status add_letter(gap_list *list, int64_t i, int64_t j, bool down, cla_error *error) {
  gap_run *last = list->count > 0 ? &list->gaps[list->count - 1] : NULL;
  if (last && (down ? last->j == j && last->i == i + 1 : last->i == i && last->j == j + 1)) {
    *last = (gap_run){i, j, last->length + 1};
    return CLA_OK;
  }
  const cla_status status = allocate_grow((void **)&list->gaps, &list->capacity, list->count + 1,
                                          sizeof *list->gaps, "the gaps", error);
  if (status == CLA_OK) list->gaps[list->count++] = (gap_run){i, j, 1};
  return status;
}

/* Follows the path from the partition's end to its start. CLA_ERROR_VERIFICATION: there is none of its
 * crosspoints' score. */
static cla_status follow(binary_alignment *out, const small_matrix *m, const crosspoint *a,
                         crosspoint_type type, int32_t ext, cla_error *error) {
  const int64_t stride = m->columns + 1;
  cla_status status = CLA_OK;
  for (int64_t i = m->rows, j = m->columns; (i > 0 || j > 0) && status == CLA_OK;) {
    const int64_t at = i * stride + j;
    if (type == CROSS_PLAIN && m->h[at] == m->e[at]) type = CROSS_ALONG;
    if (type == CROSS_PLAIN && m->h[at] == m->f[at]) type = CROSS_DOWN;
    if (type == CROSS_PLAIN ? i == 0 || j == 0 : (type == CROSS_ALONG ? j : i) == 0)
      return error_set(error, CLA_ERROR_VERIFICATION, "no path between two crosspoints");
    if (type == CROSS_PLAIN) {
      i--;
      j--;
    } else if (type == CROSS_ALONG) {
      type = m->e[at] == m->e[at - 1] - ext ? CROSS_ALONG : CROSS_PLAIN;
      j--;
      status = add_letter(&out->along, a->i + i, a->j + j, false, error);
    } else {
      type = m->f[at] == m->f[at - stride] - ext ? CROSS_DOWN : CROSS_PLAIN;
      i--;
      status = add_letter(&out->down, a->i + i, a->j + j, true, error);
    }
  }
  return status;
}

static void reverse(gap_list *list) {
  for (int64_t a = 0, b = list->count - 1; a < b; a++, b--) {
    const gap_run kept = list->gaps[a];
    list->gaps[a] = list->gaps[b];
    list->gaps[b] = kept;
  }
}

cla_status stage5_align(binary_alignment *out, stage_work *work, const crosspoint_list *list,
                        cla_error *error) {
  cla_status status = CLA_OK;
  out->start = list->points[0];
  out->end = list->points[list->count - 1];
  for (int64_t k = list->count - 1; k > 0 && status == CLA_OK; k--) {
    const crosspoint *a = &list->points[k - 1], *b = &list->points[k];
    small_matrix m = {.rows = b->i - a->i, .columns = b->j - a->j};
    status = fill(&m, &work->pair, a, error);
    if (status == CLA_OK) status = follow(out, &m, a, b->type, work->pair.costs.ext, error);
    work->cells += m.rows * m.columns;
    free(m.h);
  }
  reverse(&out->along);
  reverse(&out->down);
  return status;
}
