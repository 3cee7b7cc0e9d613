/* The step of dp/stretch.c for one type of value. The file is included once for each type: STRETCH_VALUE is
 * the type, STRETCH_LANES the number of lanes, STRETCH_STEP the function's name.
 *
 *      along = cost less that of the node before it in the row      down = less that of the node above
 *      gap_along, gap_down = cost of a gap that comes to the node   less that of the node across
 *
 * "Less that of" means minus the cost of that node. All values are reduced by `ext` for each letter on the
 * path, so a gap continues without an addition. Each row stores `down` and the gap along the row for its next
 * node. `along` and the gap down are passed from row to row. These differences of neighbours are from Suzuki
 * and Kasahara 2018; docs/internals/bounds.md, "Unlike stretches", gives their range. */

/* The state of a row. */
typedef struct STRETCH_NAME(step_row) {
  STRETCH_VALUE *down, *gap;
  const STRETCH_VALUE *query; /* letter of each lane */
  const STRETCH_VALUE *most;  /* for each lane the largest cost of the diagonal step; NULL: no limit */
} STRETCH_NAME(step_row);

/* The values that are passed from row to row, by lane. */
typedef struct STRETCH_NAME(step_lanes) {
  STRETCH_VALUE along[STRETCH_LANES], gap[STRETCH_LANES], target[STRETCH_LANES];
  /* Set in the last row: cost of the cheapest gap at the node (continued, or opened there), minus the
   * node's cost. */
  STRETCH_VALUE least[STRETCH_LANES];
  /* Set in the last row: the node's cost minus the cost of its diagonal neighbour. */
  STRETCH_VALUE across[STRETCH_LANES];
} STRETCH_NAME(step_lanes);

ALWAYS_INLINE void STRETCH_NAME(pass_row)(STRETCH_NAME(step_lanes) * d, STRETCH_NAME(step_row) row,
                                          step_costs costs) {
  const STRETCH_VALUE same = (STRETCH_VALUE)costs.same, other = (STRETCH_VALUE)costs.other;
  const STRETCH_VALUE open = (STRETCH_VALUE)costs.open;
  INDEPENDENT
  for (int l = 0; l < STRETCH_LANES; l++) {
    const STRETCH_VALUE pair = row.query[l] == d->target[l] ? same : other;
    const STRETCH_VALUE along = d->along[l], down = row.down[l], gap_down = d->gap[l], gap_along = row.gap[l];
    const STRETCH_VALUE gap = LEAST(gap_down, gap_along), free = LEAST(pair, gap);
    const STRETCH_VALUE here = row.most ? LEAST(free, row.most[l]) : free;
    const STRETCH_VALUE opened = (STRETCH_VALUE)(here + open);
    const STRETCH_VALUE next_along = LEAST(opened, gap_along), next_down = LEAST(opened, gap_down);
    row.down[l] = (STRETCH_VALUE)(here - along);
    d->along[l] = (STRETCH_VALUE)(here - down);
    row.gap[l] = (STRETCH_VALUE)(next_along - along);
    d->gap[l] = (STRETCH_VALUE)(next_down - down);
    if (costs.tells) {
      d->least[l] = (STRETCH_VALUE)(LEAST(next_along, next_down) - here);
      d->across[l] = here;
    }
  }
}

/* Returns the state of each lane's first row. */
ALWAYS_INLINE STRETCH_NAME(step_row) STRETCH_NAME(first_row)(const strip_work *w) {
  return (STRETCH_NAME(step_row)){.down = w->down, .gap = w->gap, .query = w->query};
}

ALWAYS_INLINE void STRETCH_NAME(next_row)(STRETCH_NAME(step_row) * row) {
  row->down += STRETCH_LANES;
  row->gap += STRETCH_LANES;
  row->query += STRETCH_LANES;
}

static void STRETCH_NAME(tell_node)(node_costs *out, const STRETCH_NAME(step_lanes) * d, int64_t lane) {
  *out = (node_costs){.along = d->along[lane], .gap = d->gap[lane], .least = d->least[lane]};
}

/* Computes all rows of a step with a special case. Either a node lies on the first or last diagonal, or the
 * strip's last row is not the last row of its lane. */
ALWAYS_INLINE void STRETCH_NAME(pass_with_care)(node_costs *out, STRETCH_NAME(step_lanes) * d, strip_work *w,
                                                const step_edges *edges, step_costs costs) {
  STRETCH_NAME(step_row) of = STRETCH_NAME(first_row)(w);
  costs.tells = true;
  for (int64_t row = 0; row < w->lane_rows; row++, STRETCH_NAME(next_row)(&of)) {
    STRETCH_VALUE most[STRETCH_LANES];
    for (int l = 0; l < STRETCH_LANES; l++) most[l] = STRETCH_MOST;
    of.most = most;
    for (int i = 0; i < 2; i++)
      if (edges->row[i] == row)
        most[edges->lane[i]] = (STRETCH_VALUE)smaller(most[edges->lane[i]], edges->most[i]);
    STRETCH_NAME(pass_row)(d, of, costs);
    for (int i = 0; i < 2; i++)
      if (edges->row[i] == row) w->edge[i] += d->across[edges->lane[i]] - costs.same;
    if (row == w->last_row) STRETCH_NAME(tell_node)(out, d, w->last_lane);
  }
}

/* Computes the next node of all rows of all lanes. */
ALWAYS_INLINE void STRETCH_STEP(node_costs *out, strip_work *w, const shared_strips *all, const step_at *at) {
  STRETCH_NAME(step_lanes) d;
  STRETCH_VALUE *const records[] = {w->along, w->gap_down};
  const int64_t now = at->step % RECORDS * 2 * STRETCH_LANES + STRETCH_LANES - 1,
                later = (at->step + BEHIND) % RECORDS * 2 * STRETCH_LANES + STRETCH_LANES;
  const STRETCH_VALUE *target =
      (const STRETCH_VALUE *)all->letters[at->letter % BEHIND] + all->letters_end - at->letter / BEHIND;
  step_costs costs = w->costs;
  for (int l = 0; l < STRETCH_LANES; l++) {
    d.along[l] = records[0][now + l];
    d.gap[l] = records[1][now + l];
    d.target[l] = target[l];
  }
  if (at->edges) {
    STRETCH_NAME(pass_with_care)(out, &d, w, at->edges, costs);
  } else {
    STRETCH_NAME(step_row) of = STRETCH_NAME(first_row)(w);
    const int64_t rows = w->lane_rows;
    costs.tells = false;
    for (int64_t row = 1; row < rows; row++, STRETCH_NAME(next_row)(&of))
      STRETCH_NAME(pass_row)(&d, of, costs);
    costs.tells = true;
    STRETCH_NAME(pass_row)(&d, of, costs);
    STRETCH_NAME(tell_node)(out, &d, w->last_lane);
  }
  for (int l = 0; l < STRETCH_LANES; l++) {
    records[0][later + l] = d.along[l];
    records[1][later + l] = d.gap[l];
  }
  records[0][later - 1] = (STRETCH_VALUE)at->in->along;
  records[1][later - 1] = (STRETCH_VALUE)at->in->gap;
}

#undef STRETCH_VALUE
#undef STRETCH_LANES
#undef STRETCH_MOST
#undef STRETCH_NAME
#undef STRETCH_STEP
