/* The polygons of a plane of two costs (docs/internals/certainty.md). */

#include "clalign/plane.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/extremes.h"
#include "base/machine.h"
#include "certain/other_costs.h"
#include "certain/plane_polygons.h"
#include "result/path_check.h"
#include "scoring/gap_costs.h"

/* Points with denominators up to this one are looked at first. An alignment takes the longer the larger its
 * scores are: 1 Mbp at 5 % 0.5 s with scores multiplied by 2, and 14 s by 1,392. */
#define SIMPLE_MOST 32
/* Beside a corner with a larger one, points with these denominators are looked at first. */
static const int64_t probe_denominators[] = {2, 8, 32};

/* A polygon, and the counts of one alignment that is optimal in it. */
typedef struct found_polygon {
  plane_polygon area;
  cla_statistics counts;
} found_polygon;

typedef struct plane_search {
  cost_search again;
  const cla_cost_plane_options *options;
  plane_polygon domain; /* the part of the box in which schemes exist */
  found_polygon *polygons;
  int64_t count, capacity;
  double beside;
  plane_point *probes; /* points beside corners that were looked at */
  int64_t probe_count, probe_capacity;
} plane_search;

static cost_values values_at(const plane_search *s, const plane_point *point) {
  const cla_cost_box *box = &s->options->box;
  return (cost_values){.costs = {box->costs[0], box->costs[1]},
                       .count = 2,
                       .numbers = {(int64_t)point->number[0], (int64_t)point->number[1]},
                       .one = (int64_t)point->one};
}

/* True if a scheme of integers can express the point. */
static bool can_express(const plane_search *s, const plane_point *point) {
  const cost_values values = values_at(s, point);
  for (int i = 0; i < 2; i++)
    if (point->number[i] > CLA_SCORE_LIMIT || point->number[i] < -CLA_SCORE_LIMIT) return false;
  return point->one <= CLA_SCORE_LIMIT && cost_can_express(&s->again, &values);
}

/* Returns what a gap of this many letters costs by a piece, as a line. */
static plane_line cost_of_gap(const plane_search *s, int piece, int64_t letters) {
  plane_line line = {0};
  for (int k = 0; k < 2; k++) {
    const cla_cost cost = (cla_cost)((int)CLA_COST_GAP_FIRST + 2 * piece + k);
    const int64_t times = k == 0 ? 1 : letters - 1;
    if (cost == s->options->box.costs[0])
      line.slopes[0] = times;
    else if (cost == s->options->box.costs[1])
      line.slopes[1] = times;
    else
      line.base += times * cla_cost_value(&s->again.alignment->scoring, cost);
  }
  return line;
}

/* Returns a piece by which a gap is cheapest in all points, if there is one, or in one of them. */
static int piece_at(const plane_search *s, int64_t letters, const plane_point *points, int64_t count) {
  if (gap_pieces(&s->again.alignment->scoring) < 2) return 0;
  const plane_line a = cost_of_gap(s, 0, letters), b = cost_of_gap(s, 1, letters);
  const plane_line dearer = plane_difference(&a, &b);
  bool second = false;
  for (int64_t i = 0; i < count; i++) second = second || plane_sign(&dearer, &points[i]) > 0;
  return second;
}

/* Sets the line of an alignment whose gaps use the pieces that are cheapest in the points. Its score is never
 * less than the line. It is the line in all of the points, unless different pieces are cheapest. */
static cla_status set_line(plane_line *out, const plane_search *s, const cla_alignment *of,
                           const plane_point *points, int64_t count) {
  static const plane_point origin = {{0, 0}, 1};
  cla_status status = CLA_OK;
  *out = (plane_line){0};
  if (path_is_empty(of)) return CLA_OK;
  const cla_cost_box *box = &s->options->box;
  cost_values none = values_at(s, &origin);
  int64_t gaps = 0;
  for (size_t i = 0; i < of->run_count; i++) {
    if (of->runs[i].kind == CLA_RUN_PAIR) continue;
    const int piece = piece_at(s, of->runs[i].length, points, count);
    const plane_line cost = cost_of_gap(s, piece, of->runs[i].length);
    gaps += cost.base;
    for (int k = 0; k < 2; k++) out->slopes[k] -= cost.slopes[k];
  }
  for (int k = 0; k < 2 && status == CLA_OK; k++)
    if (box->costs[k] == CLA_COST_MATCH || box->costs[k] == CLA_COST_MISMATCH)
      status = cost_pairs(&out->slopes[k], &s->again, of, box->costs[k]);
  /* The pairs' part of the base: the score without costs of gaps. */
  none.count = 0;
  for (int k = 0; k < 2; k++)
    if (box->costs[k] == CLA_COST_MATCH || box->costs[k] == CLA_COST_MISMATCH)
      none.costs[none.count++] = box->costs[k];
  if (status == CLA_OK) status = cost_pairs_score(&out->base, &s->again, of, &none);
  out->base -= gaps;
  return status;
}

/* Adds the line: its polygon is cut out of the others. */
static cla_status add_line(plane_search *s, const plane_line *line, const cla_statistics *counts) {
  cla_error *error = s->again.error;
  found_polygon added = {.counts = *counts};
  cla_status status = ALLOCATE_GROW(&s->polygons, &s->capacity, s->count + 1, "polygons", error);
  if (status == CLA_OK) status = plane_polygon_copy(&added.area, &s->domain, error);
  added.area.line = *line;
  for (int64_t i = 0; i < s->count && status == CLA_OK; i++) {
    plane_polygon *other = &s->polygons[i].area;
    const plane_line above = plane_difference(line, &other->line);
    const plane_line below = plane_difference(&other->line, line);
    status = plane_polygon_cut(&added.area, &above, error);
    if (status == CLA_OK) status = plane_polygon_cut(other, &below, error);
  }
  if (status != CLA_OK) {
    plane_polygon_free(&added.area);
    return status;
  }
  s->polygons[s->count++] = added;
  int64_t kept = 0;
  for (int64_t i = 0; i < s->count; i++) {
    if (s->polygons[i].area.count == 0)
      plane_polygon_free(&s->polygons[i].area);
    else
      s->polygons[kept++] = s->polygons[i];
  }
  s->count = kept;
  return CLA_OK;
}

/* Aligns at the point, which lies in a polygon with this line. *is_best is true if nothing scores more there.
 * Else adds the line of what does. */
static cla_status look(bool *is_best, plane_search *s, const plane_line *line, const plane_point *point) {
  const cla_cost_box *box = &s->options->box;
  const cost_values values = values_at(s, point);
  cla_error *error = s->again.error;
  cla_alignment *found = NULL;
  cla_statistics counts = {0};
  plane_line better;
  if (s->again.alignments >= s->options->alignments_most)
    return error_set(error, CLA_ERROR_OPTION,
                     "the plane of %s and %s needs more than %lld alignments, with which %lld polygons were "
                     "found; give smaller ranges, or allow more alignments (--stable-most)",
                     cla_cost_name(box->costs[0]), cla_cost_name(box->costs[1]),
                     (long long)s->options->alignments_most, (long long)s->count);
  cla_status status = cost_align(&found, &s->again, &values);
  if (status != CLA_OK) return status;
  const __int128 own = (__int128)line->base * point->one + line->slopes[0] * point->number[0] +
                       line->slopes[1] * point->number[1];
  *is_best = found->score == own;
  if (found->score < own)
    status = error_set(error, CLA_ERROR_VERIFICATION,
                       "wrong value: an optimal alignment scores less than another one; report this");
  if (status == CLA_OK && !*is_best && !path_is_empty(found))
    status = alignment_count(&counts, found, s->again.pair.query, s->again.pair.target, error);
  if (status == CLA_OK && !*is_best) status = set_line(&better, s, found, point, 1);
  if (status == CLA_OK && !*is_best) status = add_line(s, &better, &counts);
  for (int64_t i = 0; i < s->count && status == CLA_OK; i++)
    plane_polygon_mark(&s->polygons[i].area, point, CORNER_EXACT);
  cla_alignment_free(found);
  return status;
}

static double place_of(const plane_point *point, int axis) {
  return (double)point->number[axis] / (double)point->one;
}

/* Sets *out to the point of the grid nearest to (x,y) that lies in the polygon, among those around. */
static bool find_around(plane_point *out, const plane_polygon *p, double x, double y, int64_t one) {
  const double at[2] = {x * (double)one, y * (double)one};
  double least = INFINITY;
  for (int64_t i = -1; i <= 1; i++)
    for (int64_t k = -1; k <= 1; k++) {
      const plane_point point = {{llround(at[0]) + i, llround(at[1]) + k}, one};
      const double far = hypot((double)point.number[0] - at[0], (double)point.number[1] - at[1]);
      if (far >= least || !plane_polygon_has(p, &point)) continue;
      least = far;
      *out = point;
    }
  return isfinite(least);
}

static double diameter_of(const plane_polygon *p) {
  double most = 0;
  for (int64_t i = 0; i < p->count; i++)
    for (int64_t k = 0; k < i; k++)
      most = fmax(most, hypot(place_of(&p->corners[i], 0) - place_of(&p->corners[k], 0),
                              place_of(&p->corners[i], 1) - place_of(&p->corners[k], 1)));
  return most;
}

/* Finds a point of the polygon near corner `corner` that a scheme can express. Returns false if there is none
 * on the way to the polygon's middle. *away is set to its distance, or to the polygon's diameter. */
static bool find_near(plane_point *out, double *away, const plane_search *s, const plane_polygon *p,
                      int64_t corner) {
  static const plane_point origin = {{0, 0}, 1};
  const cost_values any = values_at(s, &origin);
  double middle[2] = {0}, most = 1;
  const double x = place_of(&p->corners[corner], 0), y = place_of(&p->corners[corner], 1);
  for (int64_t i = 0; i < p->count; i++)
    for (int k = 0; k < 2; k++) {
      const double at = place_of(&p->corners[i], k);
      middle[k] += at / (double)p->count;
      most = fmax(most, fabs(at) + 1);
    }
  const int64_t one =
      smaller(CLA_SCORE_LIMIT / cost_largest_other(&s->again, &any), (int64_t)(CLA_SCORE_LIMIT / most));
  const double far = hypot(middle[0] - x, middle[1] - y);
  double step = 0; /* then 1 / one, and twice as far each time */
  while (one > 0) {
    const double share = far > 0 ? fmin(step / far, 1) : 1;
    if (find_around(out, p, x + share * (middle[0] - x), y + share * (middle[1] - y), one)) {
      *away = hypot(place_of(out, 0) - x, place_of(out, 1) - y);
      return true;
    }
    if (share >= 1) break;
    step = step > 0 ? 2 * step : 1 / (double)one;
  }
  *away = diameter_of(p);
  return false;
}

/* Aligns at the corner, or near it. */
static cla_status look_at_corner(plane_search *s, int64_t index, int64_t corner) {
  const plane_polygon *p = &s->polygons[index].area;
  const plane_line line = p->line;
  plane_point point = p->corners[corner];
  double away;
  bool is_best = true;
  if (can_express(s, &point)) return look(&is_best, s, &line, &point);
  const bool near = find_near(&point, &away, s, p, corner);
  cla_status status = near ? look(&is_best, s, &line, &point) : CLA_OK;
  if (status != CLA_OK || !is_best) return status;
  s->polygons[index].area.states[corner] = CORNER_NEAR;
  s->beside = fmax(s->beside, away);
  return CLA_OK;
}

/* Looks at simple points near the corner, which are cheaper, until one has a better alignment. Corners of few
 * known lines are not simple, and those of all lines mostly are. */
static cla_status probe_around(bool *is_best, plane_search *s, const plane_point *corner) {
  *is_best = true;
  for (size_t i = 0; i < sizeof probe_denominators / sizeof *probe_denominators; i++) {
    const int64_t one = probe_denominators[i];
    const plane_point point = plane_point_make(llround(place_of(corner, 0) * (double)one),
                                               llround(place_of(corner, 1) * (double)one), one);
    int64_t at = 0, probe = 0;
    while (at < s->count && !plane_polygon_has(&s->polygons[at].area, &point)) at++;
    while (probe < s->probe_count && !plane_points_equal(&s->probes[probe], &point)) probe++;
    if (at == s->count || probe < s->probe_count) continue;
    cla_status status =
        ALLOCATE_GROW(&s->probes, &s->probe_capacity, s->probe_count + 1, "polygons", s->again.error);
    if (status != CLA_OK) return status;
    s->probes[s->probe_count++] = point;
    const plane_line line = s->polygons[at].area.line;
    status = look(is_best, s, &line, &point);
    if (status != CLA_OK || !*is_best) return status;
  }
  return CLA_OK;
}

/* Finds the open corner with the smallest denominator. Returns false if there is none. */
static bool find_open(int64_t *index, int64_t *corner, const plane_search *s) {
  __int128 least = 0;
  for (int64_t i = 0; i < s->count; i++) {
    const plane_polygon *p = &s->polygons[i].area;
    for (int64_t k = 0; k < p->count; k++) {
      if (p->states[k] != CORNER_OPEN || (least > 0 && p->corners[k].one >= least)) continue;
      least = p->corners[k].one;
      *index = i;
      *corner = k;
    }
  }
  return least > 0;
}

/* Looks at open corners until there is none. */
static cla_status find_polygons(plane_search *s) {
  cla_status status = CLA_OK;
  int64_t index, corner;
  while (status == CLA_OK && find_open(&index, &corner, s)) {
    const plane_point point = s->polygons[index].area.corners[corner];
    bool is_best = true;
    if (point.one > SIMPLE_MOST) status = probe_around(&is_best, s, &point);
    if (status == CLA_OK && is_best) status = look_at_corner(s, index, corner);
  }
  return status;
}

/* Cuts off the parts of the box in which no scheme exists. */
static cla_status cut_domain(plane_search *s) {
  const cla_cost_box *box = &s->options->box;
  cla_error *error = s->again.error;
  cla_status status = plane_polygon_begin(&s->domain, box->low, box->high, box->one, error);
  for (int i = 0; i < 2 && status == CLA_OK; i++) {
    plane_line sign = {0};
    sign.slopes[i] = box->costs[i] == CLA_COST_MISMATCH ? -1 : 1;
    status = plane_polygon_cut(&s->domain, &sign, error);
  }
  for (int piece = 0; piece < gap_pieces(&s->again.alignment->scoring) && status == CLA_OK; piece++) {
    const plane_line one = cost_of_gap(s, piece, 1), two = cost_of_gap(s, piece, 2);
    const plane_line further = plane_difference(&two, &one);
    const plane_line above = plane_difference(&one, &further);
    if (above.slopes[0] != 0 || above.slopes[1] != 0) status = plane_polygon_cut(&s->domain, &above, error);
  }
  if (status != CLA_OK || s->domain.count > 0) return status;
  return error_set(error, CLA_ERROR_OPTION,
                   "no scheme has values of %s and %s in these ranges: match and costs are 0 or more, "
                   "mismatch is 0 or less, and a gap's first letter costs at least as much as a further one",
                   cla_cost_name(box->costs[0]), cla_cost_name(box->costs[1]));
}

static cla_status check(const plane_search *s) {
  const cla_cost_box *box = &s->options->box;
  cla_error *error = s->again.error;
  bool fits = box->one >= 1 && box->one <= CLA_SCORE_LIMIT;
  for (int i = 0; i < 2; i++) {
    const char *name = (int)box->costs[i] >= 0 ? cla_cost_name(box->costs[i]) : NULL;
    fits = fits && box->low[i] < box->high[i] && box->low[i] >= -CLA_COST_BOX_MOST &&
           box->high[i] <= CLA_COST_BOX_MOST;
    if (!name || !cost_varies(&s->again.alignment->scoring, box->costs[i]))
      return error_set(error, CLA_ERROR_OPTION, "the scheme has no %s that could change%s",
                       name ? name : "such cost",
                       s->again.alignment->scoring.matrix_size > 0 ? ": it has a matrix" : "");
  }
  if (box->costs[0] != box->costs[1] && fits) return CLA_OK;
  return error_set(error, CLA_ERROR_OPTION,
                   "a plane is of two different costs, each from a smaller value to a larger one");
}

/* Starts with the line of the given alignment. */
static cla_status add_own(plane_search *s) {
  const cla_alignment *own = s->again.alignment;
  const cla_cost_box *box = &s->options->box;
  const plane_point at = {
      {cla_cost_value(&own->scoring, box->costs[0]), cla_cost_value(&own->scoring, box->costs[1])}, 1};
  cla_statistics counts;
  plane_line line;
  cla_status status =
      alignment_count(&counts, own, s->again.pair.query, s->again.pair.target, s->again.error);
  if (status == CLA_OK) status = set_line(&line, s, own, &at, 1);
  return status == CLA_OK ? add_line(s, &line, &counts) : status;
}

/* Sets a corner. Numbers that are too large are rounded. */
static cla_cost_corner put_corner(const plane_point *point, corner_state state) {
  const __int128 most = INT64_MAX;
  if (point->one <= most && point->number[0] <= most && point->number[0] >= -most &&
      point->number[1] <= most && point->number[1] >= -most)
    return (cla_cost_corner){
        {(int64_t)point->number[0], (int64_t)point->number[1]}, (int64_t)point->one, state == CORNER_EXACT};
  const int64_t one = INT64_C(1) << 30;
  return (cla_cost_corner){
      {llround(place_of(point, 0) * (double)one), llround(place_of(point, 1) * (double)one)}, one, false};
}

static cla_status put_polygon(cla_cost_polygon *to, const plane_search *s, const found_polygon *from) {
  const plane_polygon *area = &from->area;
  const cla_statistics *counts = &from->counts;
  plane_line own;
  *to = (cla_cost_polygon){.base = area->line.base,
                           .slopes = {area->line.slopes[0], area->line.slopes[1]},
                           .matches = counts->matches,
                           .mismatches = counts->mismatches,
                           .gap_opens = counts->gap_opens,
                           .gap_letters = counts->gap_letters};
  cla_status status = ALLOCATE_ARRAY(&to->corners, area->count, "polygons", s->again.error);
  if (status != CLA_OK) return status;
  to->corner_count = area->count;
  for (int64_t i = 0; i < area->count; i++) to->corners[i] = put_corner(&area->corners[i], area->states[i]);
  status = set_line(&own, s, s->again.alignment, area->corners, area->count);
  to->own = own.base == area->line.base && own.slopes[0] == area->line.slopes[0] &&
            own.slopes[1] == area->line.slopes[1];
  return status;
}

static cla_status put_plane(cla_cost_plane *out, const plane_search *s) {
  cla_status status = ALLOCATE_ZEROS(&out->polygons, s->count, "polygons", s->again.error);
  for (int64_t i = 0; i < s->count && status == CLA_OK; i++) {
    status = put_polygon(&out->polygons[i], s, &s->polygons[i]);
    out->count = i + 1;
    out->own += out->polygons[i].own;
  }
  out->box = s->options->box;
  out->exact = true;
  for (int64_t i = 0; i < s->count; i++)
    for (int64_t k = 0; k < s->polygons[i].area.count; k++)
      out->exact = out->exact && s->polygons[i].area.states[k] == CORNER_EXACT;
  out->beside = out->exact ? 0 : s->beside;
  out->alignments = s->again.alignments;
  return status;
}

cla_status cla_cost_plane_find(cla_cost_plane **out, cla_device *device, const cla_results *pair,
                               const cla_align_options *how, const cla_cost_plane_options *options,
                               cla_error *error) {
  plane_search s = {.again = {.alignment = pair->alignments[0], .device = device, .how = how, .error = error},
                    .options = options};
  const double began = machine_seconds();
  cla_cost_plane *made = NULL;
  *out = NULL;
  cla_status status = check(&s);
  if (status == CLA_OK) status = cut_domain(&s);
  if (status == CLA_OK) status = cost_search_begin(&s.again, pair);
  if (status == CLA_OK) status = add_own(&s);
  if (status == CLA_OK) status = find_polygons(&s);
  if (status == CLA_OK) status = ALLOCATE_ZEROS(&made, 1, "polygons", error);
  if (status == CLA_OK) status = put_plane(made, &s);
  if (made) made->seconds = machine_seconds() - began;
  if (status == CLA_OK)
    *out = made;
  else
    cla_cost_plane_free(made);
  for (int64_t i = 0; i < s.count; i++) plane_polygon_free(&s.polygons[i].area);
  free(s.polygons);
  free(s.probes);
  plane_polygon_free(&s.domain);
  cost_search_end(&s.again);
  return status;
}

void cla_cost_plane_free(cla_cost_plane *plane) {
  if (!plane) return;
  for (int64_t i = 0; i < plane->count; i++) free(plane->polygons[i].corners);
  free(plane->polygons);
  free(plane);
}
