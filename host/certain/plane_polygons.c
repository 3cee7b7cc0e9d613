#include "certain/plane_polygons.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "scoring/score_table.h"

int plane_sign(const plane_line *line, const plane_point *point) {
  const __int128 value =
      line->slopes[0] * point->number[0] + line->slopes[1] * point->number[1] + line->base * point->one;
  return value < 0 ? -1 : value > 0;
}

plane_line plane_difference(const plane_line *a, const plane_line *b) {
  return (plane_line){a->base - b->base, {a->slopes[0] - b->slopes[0], a->slopes[1] - b->slopes[1]}};
}

plane_point plane_point_make(__int128 x, __int128 y, __int128 one) {
  const __int128 divisor = common_divisor_wide(common_divisor_wide(x, y), one);
  return (plane_point){{x / divisor, y / divisor}, one / divisor};
}

bool plane_points_equal(const plane_point *a, const plane_point *b) {
  return a->one == b->one && a->number[0] == b->number[0] && a->number[1] == b->number[1];
}

/* Returns the point in which both lines are 0. They are not parallel. */
static plane_point crossing(const plane_line *a, const plane_line *b) {
  const __int128 x = (__int128)a->slopes[1] * b->base - (__int128)b->slopes[1] * a->base,
                 y = (__int128)b->slopes[0] * a->base - (__int128)a->slopes[0] * b->base,
                 one = (__int128)a->slopes[0] * b->slopes[1] - (__int128)b->slopes[0] * a->slopes[1];
  return one < 0 ? plane_point_make(-x, -y, -one) : plane_point_make(x, y, one);
}

static cla_status make_room(plane_polygon *p, int64_t count, cla_error *error) {
  int64_t capacity = p->capacity;
  cla_status status = ALLOCATE_GROW(&p->sides, &capacity, count, "polygons", error);
  capacity = p->capacity;
  if (status == CLA_OK) status = ALLOCATE_GROW(&p->corners, &capacity, count, "polygons", error);
  capacity = p->capacity;
  if (status == CLA_OK) status = ALLOCATE_GROW(&p->states, &capacity, count, "polygons", error);
  if (status == CLA_OK) p->capacity = capacity;
  return status;
}

static void set_corners(plane_polygon *p) {
  for (int64_t i = 0; i < p->count; i++) {
    p->corners[i] = crossing(&p->sides[i], &p->sides[(i + 1) % p->count]);
    p->states[i] = CORNER_OPEN;
  }
}

cla_status plane_polygon_begin(plane_polygon *p, const int64_t low[2], const int64_t high[2], int64_t one,
                               cla_error *error) {
  *p = (plane_polygon){.count = 0};
  cla_status status = make_room(p, 4, error);
  if (status != CLA_OK) return status;
  /* Counter-clockwise: below, right, above, left. */
  p->sides[0] = (plane_line){-low[1], {0, one}};
  p->sides[1] = (plane_line){high[0], {-one, 0}};
  p->sides[2] = (plane_line){high[1], {0, -one}};
  p->sides[3] = (plane_line){-low[0], {one, 0}};
  p->count = low[0] < high[0] && low[1] < high[1] ? 4 : 0;
  set_corners(p);
  return CLA_OK;
}

cla_status plane_polygon_copy(plane_polygon *to, const plane_polygon *from, cla_error *error) {
  *to = (plane_polygon){.line = from->line};
  cla_status status = make_room(to, from->count + 1, error);
  if (status != CLA_OK || from->count == 0) return status;
  to->count = from->count;
  memcpy(to->sides, from->sides, (size_t)from->count * sizeof *from->sides);
  memcpy(to->corners, from->corners, (size_t)from->count * sizeof *from->corners);
  memcpy(to->states, from->states, (size_t)from->count * sizeof *from->states);
  return CLA_OK;
}

void plane_polygon_free(plane_polygon *p) {
  free(p->sides);
  free(p->corners);
  free(p->states);
  *p = (plane_polygon){.count = 0};
}

/* True if the line is above 0 at corner i. */
static bool is_above(const plane_polygon *p, const plane_line *line, int64_t i) {
  return plane_sign(line, &p->corners[i]) > 0;
}

cla_status plane_polygon_cut(plane_polygon *p, const plane_line *line, cla_error *error) {
  plane_polygon kept = {.line = p->line};
  bool above = false, below = false;
  int64_t first = 0;
  for (int64_t i = 0; i < p->count; i++) {
    const int sign = plane_sign(line, &p->corners[i]);
    above = above || sign > 0;
    below = below || sign < 0;
  }
  if (!above) p->count = 0;
  if (!above || !below) return CLA_OK;
  cla_status status = make_room(&kept, p->count + 1, error);
  if (status != CLA_OK) {
    plane_polygon_free(&kept);
    return status;
  }
  /* The sides that are kept follow each other; the line is the side between the last and the first. */
  while (!is_above(p, line, first) || is_above(p, line, (first + p->count - 1) % p->count)) first++;
  int64_t at = first;
  for (bool more = true; more; at = (at + 1) % p->count) {
    kept.sides[kept.count] = p->sides[at];
    kept.corners[kept.count] = p->corners[at];
    kept.states[kept.count++] = p->states[at];
    more = is_above(p, line, at);
  }
  const int64_t last = kept.count - 1;
  kept.sides[kept.count++] = *line;
  /* A corner through which the line leads stays as it is. */
  if (plane_sign(line, &kept.corners[last]) != 0) {
    kept.corners[last] = crossing(&kept.sides[last], line);
    kept.states[last] = CORNER_OPEN;
  }
  const int64_t before = (first + p->count - 1) % p->count;
  const bool through = plane_sign(line, &p->corners[before]) == 0;
  kept.corners[last + 1] = through ? p->corners[before] : crossing(line, &kept.sides[0]);
  kept.states[last + 1] = through ? p->states[before] : CORNER_OPEN;
  plane_polygon_free(p);
  *p = kept;
  return CLA_OK;
}

void plane_polygon_mark(plane_polygon *p, const plane_point *point, corner_state state) {
  for (int64_t i = 0; i < p->count; i++)
    if (p->states[i] == CORNER_OPEN && plane_points_equal(&p->corners[i], point)) p->states[i] = state;
}

bool plane_polygon_has(const plane_polygon *p, const plane_point *point) {
  for (int64_t i = 0; i < p->count; i++)
    if (plane_sign(&p->sides[i], point) < 0) return false;
  return p->count > 0;
}
