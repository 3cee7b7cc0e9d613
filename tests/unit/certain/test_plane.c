/* Polygons of two costs of tiny pairs, beside all alignments that there are. */

#include "clalign/plane.h"
#include "seq/sequence.h"
#include "support/all_alignments.h"
#include "support/random_pairs.h"
#include "support/test.h"
#include "support/tiny_cases.h"

#define CASES_OF_ONE_RUN 60
/* The grid has points at multiples of 1 / FINE. */
#define FINE 3
/* A box has this many units in each direction. */
#define WIDE 4

/* A point of the grid: x / FINE and y / FINE. */
typedef struct grid_point {
  int64_t x, y;
} grid_point;

/* Makes the scheme of a point, multiplied by FINE. Returns false if there is none. */
static bool scheme_at(cla_scoring *out, const tiny_case *c, const cla_cost_box *box, grid_point at) {
  const bool two = c->scoring.gap_first2 > 0;
  *out = c->scoring;
  for (int i = 0; i < CLA_COST_COUNT; i++) *tiny_cost(out, i) *= FINE;
  *tiny_cost(out, (int)box->costs[0]) = (int32_t)at.x;
  *tiny_cost(out, (int)box->costs[1]) = (int32_t)at.y;
  return out->match >= 0 && out->mismatch <= 0 && out->gap_ext >= 0 && out->gap_first >= out->gap_ext &&
         (!two || (out->gap_ext2 >= 0 && out->gap_first2 >= out->gap_ext2));
}

/* Returns what a gap costs by the cheaper piece. The list of all alignments needs pieces in their order. */
static int64_t cheapest_gap(const cla_scoring *s, bool two, int64_t letters) {
  const int64_t first = s->gap_first + (letters - 1) * s->gap_ext,
                second = s->gap_first2 + (letters - 1) * s->gap_ext2;
  return two && second < first ? second : first;
}

static int64_t score_in(const tiny_case *c, const listed_alignment *a, const cla_scoring *s) {
  int64_t score = 0, row = a->row, column = a->column;
  for (int i = 0; i < a->count;) {
    int next = i + 1;
    if (a->kinds[i] == CLA_RUN_PAIR) {
      score += c->query[row] == c->target[column] ? s->match : s->mismatch;
    } else {
      while (next < a->count && a->kinds[next] == a->kinds[i]) next++;
      score -= cheapest_gap(s, c->scoring.gap_first2 > 0, next - i);
    }
    for (; i < next; i++) {
      row += a->kinds[i] != CLA_RUN_TARGET;
      column += a->kinds[i] != CLA_RUN_QUERY;
    }
  }
  return score;
}

/* Returns the best score of all listed alignments. */
static int64_t best_in(const tiny_case *c, const alignment_list *list, const cla_scoring *s) {
  int64_t best = c->mode == CLA_MODE_LOCAL ? 0 : INT64_MIN;
  for (int64_t i = 0; i < list->count; i++) {
    const int64_t score = score_in(c, &list->all[i], s);
    if (score > best) best = score;
  }
  return best;
}

/* Returns on which side of the corner's side the point lies: 1 inside, 0 on it, -1 outside. */
static int side_of(const cla_cost_polygon *p, int64_t corner, grid_point at) {
  const cla_cost_corner *a = &p->corners[corner], *b = &p->corners[(corner + 1) % p->corner_count];
  const double ax = (double)a->number[0] / (double)a->one, ay = (double)a->number[1] / (double)a->one;
  const double bx = (double)b->number[0] / (double)b->one, by = (double)b->number[1] / (double)b->one;
  const double x = (double)at.x / FINE, y = (double)at.y / FINE;
  const double turn = (bx - ax) * (y - ay) - (by - ay) * (x - ax);
  return turn > 1e-9 ? 1 : turn < -1e-9 ? -1 : 0;
}

/* Returns 1 for a point within the polygon, 0 on its border, -1 outside. */
static int place_in(const cla_cost_polygon *p, grid_point at) {
  int place = 1;
  for (int64_t i = 0; i < p->corner_count; i++) {
    const int side = side_of(p, i, at);
    if (side < place) place = side;
  }
  return place;
}

static void check_point(const tiny_case *c, const alignment_list *list, const cla_cost_plane *plane,
                        grid_point at, int64_t own) {
  cla_scoring scheme;
  int64_t within = 0, touching = 0;
  const bool exists = scheme_at(&scheme, c, &plane->box, at);
  const int64_t best = exists ? best_in(c, list, &scheme) : 0;
  for (int64_t i = 0; i < plane->count; i++) {
    const cla_cost_polygon *p = &plane->polygons[i];
    const int place = place_in(p, at);
    if (place < 0) continue;
    within += place > 0;
    touching++;
    const int64_t told = p->base * FINE + p->slopes[0] * at.x + p->slopes[1] * at.y;
    cr_assert(exists, "case %llu: a polygon where no scheme is", (unsigned long long)c->seed);
    cr_assert_eq(told, best, "case %llu: the best at %lld / %d, %lld / %d is %lld and not %lld",
                 (unsigned long long)c->seed, (long long)at.x, FINE, (long long)at.y, FINE, (long long)best,
                 (long long)told);
    const bool is_own = score_in(c, &list->all[own], &scheme) == best;
    cr_assert(place == 0 ? is_own || !p->own : is_own == p->own, "case %llu: the alignment's own polygon",
              (unsigned long long)c->seed);
  }
  cr_assert(within <= 1 && (touching > 0) == exists, "case %llu: %lld polygons at %lld / %d, %lld / %d",
            (unsigned long long)c->seed, (long long)touching, (long long)at.x, FINE, (long long)at.y, FINE);
}

static void check_plane(const tiny_case *c, const alignment_list *list, const cla_cost_plane *plane,
                        int64_t own) {
  const cla_cost_box *box = &plane->box;
  cr_assert(plane->exact && plane->beside == 0 && plane->count > 0);
  for (int64_t i = 0; i < plane->count; i++) cr_assert(plane->polygons[i].corner_count >= 3);
  for (int64_t x = box->low[0] * FINE; x <= box->high[0] * FINE; x++)
    for (int64_t y = box->low[1] * FINE; y <= box->high[1] * FINE; y++)
      check_point(c, list, plane, (grid_point){x, y}, own);
}

/* Chooses two costs, and ranges around the scheme's values. Returns false if no scheme may be in the box. */
static bool choose_box(cla_cost_box *box, const tiny_case *c) {
  const int count = c->scoring.gap_first2 > 0 ? 6 : 4;
  const int x = (int)(c->seed % (uint64_t)count), y = (int)(c->seed / 7 % (uint64_t)count);
  cla_scoring scheme = c->scoring;
  *box = (cla_cost_box){.costs = {(cla_cost)x, (cla_cost)y}, .one = 1};
  if (x == y) return false;
  for (int i = 0; i < 2; i++) {
    const int64_t value = *tiny_cost(&scheme, (int)box->costs[i]);
    box->low[i] = value - 1 - (int64_t)(c->seed / 3 % (WIDE - 1));
    box->high[i] = box->low[i] + WIDE;
  }
  return true;
}

/* Returns false for a case without an alignment that has columns. */
static bool check_case(uint64_t seed) {
  tiny_case made;
  const tiny_case *c = &made;
  tiny_case_make(&made, seed);
  made.rows -= made.rows > 5;
  made.columns -= made.columns > 5;
  tiny_problem tiny;
  tiny_problem_make(&tiny, c, &c->scoring);
  alignment_list list;
  alignment_list_make(&list, &tiny.problem);
  const int64_t of = alignment_list_draw(&list, seed / 7);
  cla_cost_plane_options options = {.alignments_most = 1000};
  bool sought = choose_box(&options.box, c) && of >= 0 && list.all[of].count > 0 &&
                (c->mode != CLA_MODE_LOCAL || list.optimum > 0);
  if (sought) {
    OWNED(free_sequence) cla_sequence *query = random_pair_sequence("q", c->query, c->rows);
    OWNED(free_sequence) cla_sequence *target = random_pair_sequence("t", c->target, c->columns);
    OWNED(free_alignment)
    cla_alignment *alignment = tiny_case_alignment(c, &list.all[of], query, target);
    cla_align_options how;
    cla_align_options_init(&how);
    how.host_cells = 1 << 20;
    const cla_results pair = {
        .alignments = (const cla_alignment *const *)&alignment, .count = 1, .query = query, .target = target};
    cla_cost_plane *plane = NULL;
    const cla_status status = cla_cost_plane_find(&plane, NULL, &pair, &how, &options, &why);
    /* A gap that costs nothing leaves no room for the cost of further letters. */
    sought = status != CLA_ERROR_OPTION || c->scoring.gap_first > 0;
    cr_assert(status == CLA_OK || !sought, "case %llu: %s", (unsigned long long)seed, why.message);
    if (status == CLA_OK) check_plane(c, &list, plane, of);
    cla_cost_plane_free(plane);
  }
  alignment_list_free(&list);
  return sought;
}

Test(plane, polygons_tell_the_best_score_at_all_costs) {
  tiny_cases_check(check_case, CASES_OF_ONE_RUN, 3);
}
