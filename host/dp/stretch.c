#include "dp/stretch.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/extremes.h"
#include "base/loops.h"
#include "base/machine.h"
#include "seq/sequence.h"

/* The rows of a strip are divided among lanes. In each step, a lane computes the node BEHIND nodes before
 * that of the lane above:
 *
 *      lane 0   rows 1 .. k         node t
 *      lane 1   rows k + 1 .. 2 k   node t - BEHIND      and so on, in step t
 *
 * So a lane's first row reads values that the last row of the lane above stored BEHIND steps earlier. With a
 * smaller distance, a load would overlap several recent stores, and would have to wait until these stores
 * have left the processor's store buffer. */

#define ROWS_MOST 512    /* rows of a strip */
#define FIRST_MOST 10000 /* differences fit into 16 bits if a gap's first letter costs at most this */
#define STEPS 64         /* steps from one report of a strip's progress to the next */
#define BEHIND 2         /* number of nodes by which a lane lags behind the lane above */
#define RECORDS 4        /* number of steps for which the values of last rows are stored; more than BEHIND */
#define NO_QUERY 64      /* query letter that matches nothing */
#define NO_TARGET 65     /* target letter that matches nothing */
#define LANE_BYTES 64    /* bytes of a vector: one value of all lanes */
#define LANES_MOST LANE_BYTES
/* Largest number of rows of a lane; lanes with values of 16 bits have this number. */
#define LANE_ROWS_MOST (ROWS_MOST / (LANE_BYTES / 2))

/* Differences at a node of a strip's first or last row (dp/stretch_step.h).
 *
 * - along: the node's cost minus the cost of the previous node in the row
 * - gap: the cost of a vertical gap that ends at the node, minus the cost of the previous node in the row
 * - least: the cost of the cheapest gap that continues from the node or opens there, minus the node's cost */
typedef struct node_costs {
  int16_t along, gap, least;
} node_costs;

/* The strips. Each thread takes one strip after the other. The work on a strip stays some steps behind the
 * work on the strip before it. */
typedef struct shared_strips {
  const stretch *s;
  const stretch_strip *strips;
  int64_t count;
  bool narrow; /* differences fit into 8 bits */
  /* The nodes of the border between two strips, the last node first. Each strip replaces them by the nodes of
   * its own last row. */
  node_costs *nodes;
  int64_t (*edges)[2];   /* for each border, the costs of its last node [0] and its first node [1] */
  void *letters[BEHIND]; /* the target's letters in reverse order; letters[i] has every BEHIND-th letter from
                            i on */
  int64_t letters_end;   /* index of letter i in letters[i]; later letters have lower indices */
  atomic_llong *ready;   /* for each strip, the number of finished nodes of its last row */
  atomic_llong next;
  atomic_bool failed;
} shared_strips;

/* Costs of a step, reduced by `ext` for each letter. */
typedef struct step_costs {
  int32_t same, other; /* cost of a match, and of any other pair */
  int32_t open;        /* cost of opening a gap */
  bool tells;          /* pass_row computes d->least and d->across */
} step_costs;

/* The state of a strip while a thread computes it. Rows and nodes are numbered in the order of work: rows
 * upwards, nodes from the last diagonal to the first. */
typedef struct strip_work {
  const stretch_strip *strip;
  step_costs costs;
  int64_t lanes, lane_rows;
  int64_t last_lane, last_row; /* lane of the strip's last row; number of that row within the lane */
  int64_t edge[2];             /* cost of the latest computed node on the last [0] and first [1] diagonal */
  int64_t *corners;            /* output: `edge` at the strip's last row */
  void *query, *down, *gap;    /* by row within the lane, then by lane */
  void *along, *gap_down; /* RECORDS records of all lanes; before each is room for the first lane's values */
} strip_work;

/* The nodes of a step on the last diagonal [0] and the first one [1]. */
typedef struct step_edges {
  int64_t row[2], lane[2]; /* row within the lane, and lane; row -1: no such node in this step */
  int64_t most[2];         /* largest cost of the diagonal step to the node */
} step_edges;

/* One step of all lanes. */
typedef struct step_at {
  int64_t step, letter;    /* number of the step; index of the first lane's letter */
  const step_edges *edges; /* NULL: no row needs special care */
  const node_costs *in;    /* border node that the first lane needs BEHIND steps later */
} step_at;

/* A strip's index, and where its letters and its steps begin. */
typedef struct strip_place {
  int64_t index;
  int64_t letter; /* index of the target's letter at node 0 of the strip */
  int64_t late;   /* steps until the strip's last row reaches node 0 */
} strip_place;

#define STRETCH_VALUE int8_t
#define STRETCH_LANES LANE_BYTES
#define STRETCH_MOST INT8_MAX
#define STRETCH_NAME(name) name##_8
#define STRETCH_STEP step_8
#include "dp/stretch_step.h"
#define STRETCH_VALUE int16_t
#define STRETCH_LANES (LANE_BYTES / 2)
#define STRETCH_MOST INT16_MAX
#define STRETCH_NAME(name) name##_16
#define STRETCH_STEP step_16
#include "dp/stretch_step.h"

ALWAYS_INLINE void put(void *values, int64_t at, int64_t value, bool narrow) {
  if (narrow)
    ((int8_t *)values)[at] = (int8_t)value;
  else
    ((int16_t *)values)[at] = (int16_t)value;
}

ALWAYS_INLINE void store(const shared_strips *all, void *values, int64_t at, int64_t value) {
  put(values, at, value, all->narrow);
}

/* Returns the costs of a step. A pair that is no match never costs more than two gaps of one letter. */
static step_costs costs_of(const cost_scheme *c) {
  const int64_t other = smaller(c->other, 2 * (int64_t)c->first);
  return (step_costs){
      .same = -2 * c->ext, .other = (int32_t)other - 2 * c->ext, .open = cost_open_gap(c), .tells = false};
}

/* True if all differences fit into 8 bits (docs/internals/bounds.md, "Unlike stretches"). */
static bool is_narrow(const cost_scheme *c) {
  const step_costs costs = costs_of(c);
  return c->first + larger(c->first, 2 * (int64_t)c->ext) <= -INT8_MIN &&
         costs.other + costs.open <= INT8_MAX;
}

static int64_t last_column(const shared_strips *all) {
  return all->strips[0].row + all->s->diagonal + all->s->count - 1;
}

/* Loads every BEHIND-th letter of the target from column `column` on. */
ALWAYS_INLINE void load_letters(void *out, const stretch *s, int64_t column, int64_t count, bool narrow) {
  const int64_t first = smaller(column < 0 ? (BEHIND - 1 - column) / BEHIND : 0, count);
  const int64_t end = larger(smaller((s->columns - column + BEHIND - 1) / BEHIND, count), first);
  for (int64_t k = 0; k < first; k++) put(out, k, NO_TARGET, narrow);
  for (int64_t k = first; k < end; k++) {
    const uint8_t letter = s->target[column + BEHIND * k];
    put(out, k, letter < SEQUENCE_UNAMBIGUOUS ? letter : NO_TARGET, narrow);
  }
  for (int64_t k = end; k < count; k++) put(out, k, NO_TARGET, narrow);
}

/* Loads the target's letters in reverse order. Letter 0 is the letter of the last column that any strip
 * needs. */
static void load_target(const shared_strips *all) {
  for (int64_t i = 0; i < BEHIND; i++) {
    const int64_t column = last_column(all) - i - BEHIND * all->letters_end;
    if (all->narrow)
      load_letters(all->letters[i], all->s, column, all->letters_end + LANES_MOST + 1, true);
    else
      load_letters(all->letters[i], all->s, column, all->letters_end + LANES_MOST + 1, false);
  }
}

/* Loads the nodes of the border. No path uses the node before the first loaded node. */
static void load_border(const shared_strips *all) {
  const stretch *s = all->s;
  const int32_t first = s->costs->first, ext = s->costs->ext;
  int64_t before = s->h[s->count - 1] + (int64_t)first;
  for (int64_t n = 0; n < s->count; n++) {
    const int64_t at = s->count - 1 - n;
    all->nodes[n] =
        (node_costs){.along = (int16_t)(s->h[at] - before - ext), .gap = (int16_t)(s->f[at] - before - ext)};
    before = s->h[at];
  }
  all->edges[0][0] = s->h[s->count - 1];
  all->edges[0][1] = s->h[0];
}

/* Computes the costs of the last row's nodes from their differences. */
static void tell_costs(const shared_strips *all) {
  const stretch *s = all->s;
  const int32_t first = s->costs->first, ext = s->costs->ext, open = cost_open_gap(s->costs);
  const node_costs *node = all->nodes;
  int64_t here = all->edges[all->count][0], before = here + first;
  for (int64_t bucket = s->count / s->bucket - 1; bucket >= 0; bucket--) {
    const int64_t end = s->ends[bucket];
    int64_t least = s->least[bucket];
    for (int64_t at = (bucket + 1) * s->bucket - 1; at >= bucket * s->bucket; at--, node++) {
      here = before + node->along + ext;
      const int64_t cost = smaller(here, end), down = before + node->gap + ext;
      least = smaller(least, smaller(cost, here + node->least - open));
      s->h[at] = (int32_t)smaller(cost, COST_NEVER);
      s->f[at] = (int32_t)smaller(down, COST_NEVER);
      before = here;
    }
    s->least[bucket] = (int32_t)least;
  }
}

/* Sets the state of a lane before node 0, as if gaps came from a node just before the border. */
static void begin_lane(const shared_strips *all, const strip_work *w, int64_t lane) {
  const int64_t open = w->costs.open;
  for (int64_t row = 0; row < w->lane_rows; row++) {
    const bool top = lane == 0 && row == 0;
    store(all, w->down, row * w->lanes + lane, top ? open : 0);
    store(all, w->gap, row * w->lanes + lane, top ? 2 * open : open);
  }
}

static void load_query(const shared_strips *all, const strip_work *w) {
  for (int64_t lane = 0; lane < w->lanes; lane++)
    for (int64_t row = 0; row < w->lane_rows; row++) {
      const int64_t i = lane * w->lane_rows + row;
      const uint8_t letter = i < w->strip->rows ? all->s->query[w->strip->row - 1 - i] : NO_QUERY;
      store(all, w->query, row * w->lanes + lane, letter < SEQUENCE_UNAMBIGUOUS ? letter : NO_QUERY);
    }
}

static void await_nodes(const shared_strips *all, int64_t strip, int64_t nodes) {
  if (strip == 0) return;
  while (atomic_load_explicit(&all->ready[strip - 1], memory_order_acquire) < nodes &&
         !atomic_load(&all->failed))
    sched_yield();
}

/* Returns a node of the border. Beyond the last node, a gap continues along the border. */
ALWAYS_INLINE node_costs node_of(const shared_strips *all, const strip_work *w, int64_t node) {
  if (node < all->s->count) return all->nodes[node];
  return (node_costs){.gap = (int16_t)w->costs.open};
}

/* Finds the row whose node on a diagonal is computed `steps` steps after the border's node on that diagonal.
 * Sets *lane to the row's lane, and returns the number of the row within that lane; -1 if there is no such
 * row. */
ALWAYS_INLINE int64_t edge_row(int64_t *lane, const strip_work *w, int64_t steps) {
  const int64_t turn = w->lane_rows + BEHIND;
  if (steps <= 0 || steps > w->strip->rows + BEHIND * w->last_lane) return -1;
  const int64_t row = (steps - 1) % turn;
  *lane = (steps - 1) / turn;
  return row < w->lane_rows && *lane * w->lane_rows + row < w->strip->rows ? row : -1;
}

/* Finds the step's nodes on the first and last diagonal. Returns false if there are none. */
ALWAYS_INLINE bool find_edges(step_edges *e, const shared_strips *all, strip_work *w, int64_t step,
                              int64_t index) {
  const stretch *s = all->s;
  for (int i = 0; i < 2; i++) {
    e->row[i] = edge_row(&e->lane[i], w, i == 0 ? step : step - (s->count - 1));
    if (e->row[i] == 0 && e->lane[i] == 0) w->edge[i] = all->edges[index][i];
    e->most[i] = smaller(s->beside[1 - i] - w->edge[i] + w->costs.same, INT16_MAX);
  }
  return e->row[0] >= 0 || e->row[1] >= 0;
}

/* Stores a node of the strip's last row for the next strip. */
ALWAYS_INLINE void give_node(shared_strips *all, const strip_work *w, int64_t node, node_costs of) {
  if (node < 0) return;
  if (node == 0) {
    const int64_t along = -(int64_t)all->s->costs->first - all->s->costs->ext;
    of.gap = (int16_t)(of.gap + along - of.along);
    of.along = (int16_t)along;
    w->corners[0] = w->edge[0];
  }
  all->nodes[node] = of;
}

/* Stores the border's first nodes in the records from which the first lane reads. */
static void load_first(const shared_strips *all, const strip_work *w) {
  for (int64_t i = 0; i < BEHIND; i++) {
    const int64_t at = (2 * i + 1) * w->lanes - 1;
    const node_costs node = node_of(all, w, i);
    store(all, w->along, at, node.along);
    store(all, w->gap_down, at, node.gap);
  }
}

/* Computes a step that may have nodes on the first or last diagonal. */
ALWAYS_INLINE void pass_step(shared_strips *all, strip_work *w, int64_t step, const strip_place *at,
                             bool narrow) {
  step_edges edges;
  node_costs out = {0};
  if (step % BEHIND == 0 && step / BEHIND < w->lanes) begin_lane(all, w, step / BEHIND);
  const node_costs in = node_of(all, w, step + BEHIND);
  const bool care = find_edges(&edges, all, w, step, at->index) || w->last_row < w->lane_rows - 1;
  const step_at of = {.step = step, .letter = step + at->letter, .edges = care ? &edges : NULL, .in = &in};
  if (narrow)
    step_8(&out, w, all, &of);
  else
    step_16(&out, w, all, &of);
  give_node(all, w, step - at->late, out);
}

/* Computes the steps [step, end). In these steps all lanes have a node, and no node is on the first or last
 * diagonal. */
ALWAYS_INLINE void pass_inner(shared_strips *all, strip_work *w, const strip_place *at, int64_t step,
                              int64_t end, bool narrow) {
  const int64_t letter = at->letter, late = at->late;
  node_costs *const nodes = all->nodes;
  for (; step < end; step++) {
    const step_at of = {.step = step, .letter = step + letter, .in = &nodes[step + BEHIND]};
    if (narrow)
      step_8(&nodes[step - late], w, all, &of);
    else
      step_16(&nodes[step - late], w, all, &of);
  }
}

ALWAYS_INLINE void pass_steps(shared_strips *all, strip_work *w, int64_t index, bool narrow) {
  const int64_t count = all->s->count;
  const strip_place at = {.index = index,
                          .late = w->strip->rows + BEHIND * w->last_lane,
                          .letter = all->strips[0].row - w->strip->row};
  const bool whole = w->last_row == w->lane_rows - 1;
  const int64_t inner = whole ? larger(at.late, BEHIND * w->lanes) + 1 : INT64_MAX, outer = count - BEHIND;
  for (int64_t t = 0; t < at.late + count; t += STEPS) {
    const int64_t end = smaller(t + STEPS, at.late + count);
    atomic_store_explicit(&all->ready[index], larger(t - at.late, 0), memory_order_release);
    await_nodes(all, index, smaller(t + STEPS + BEHIND, count));
    if (atomic_load(&all->failed)) return;
    if (t == 0) load_first(all, w);
    if (t >= inner && end <= outer)
      pass_inner(all, w, &at, t, end, narrow);
    else
      for (int64_t step = t; step < end; step++) pass_step(all, w, step, &at, narrow);
  }
  w->corners[1] = w->edge[1];
  atomic_store_explicit(&all->ready[index], count, memory_order_release);
}

ALWAYS_INLINE void pass_strip(shared_strips *all, strip_work *w, int64_t index) {
  if (all->narrow)
    pass_steps(all, w, index, true);
  else
    pass_steps(all, w, index, false);
}

BY_PROCESSOR(static, void, pass, pass_strip, (shared_strips * all, strip_work *w, int64_t index),
             (all, w, index))

static void take_strips(void *user, int thread) {
  shared_strips *all = user;
  void *memory = NULL;
  (void)thread;
  if (posix_memalign(&memory, LANE_BYTES, LANE_BYTES * (3 * LANE_ROWS_MOST + 4 * RECORDS)) != 0) {
    atomic_store(&all->failed, true);
    return;
  }
  uint8_t *const bytes = memory;
  strip_work w = {.costs = costs_of(all->s->costs),
                  .lanes = all->narrow ? LANE_BYTES : LANE_BYTES / 2,
                  .query = bytes,
                  .down = bytes + LANE_BYTES * LANE_ROWS_MOST,
                  .gap = bytes + LANE_BYTES * 2 * LANE_ROWS_MOST,
                  .along = bytes + LANE_BYTES * 3 * LANE_ROWS_MOST,
                  .gap_down = bytes + LANE_BYTES * (3 * LANE_ROWS_MOST + 2 * RECORDS)};
  for (int64_t i; (i = atomic_fetch_add(&all->next, 1)) < all->count && !atomic_load(&all->failed);) {
    w.strip = &all->strips[i];
    w.corners = all->edges[i + 1];
    w.lane_rows = (w.strip->rows - 1) / w.lanes + 1;
    w.last_lane = (w.strip->rows - 1) / w.lane_rows;
    w.last_row = (w.strip->rows - 1) % w.lane_rows;
    memset(w.down, 0, (size_t)(LANE_BYTES * (2 * LANE_ROWS_MOST + 4 * RECORDS)));
    load_query(all, &w);
    pass(all, &w, i);
  }
  free(memory);
}

int64_t stretch_rows_most(const cost_scheme *costs) {
  return costs->first > FIRST_MOST ? 0 : ROWS_MOST;
}

/* Allocates the arrays of the target's letters. */
static cla_status make_letters(shared_strips *all, cla_error *error) {
  const stretch_strip *last = &all->strips[all->count - 1];
  const int64_t steps = all->s->count + last->rows + BEHIND * LANES_MOST;
  all->letters_end = (all->strips[0].row - last->row + steps) / BEHIND + 1;
  cla_status status = CLA_OK;
  for (int i = 0; i < BEHIND && status == CLA_OK; i++)
    status = allocate_array(&all->letters[i], all->letters_end + LANES_MOST + 1, all->narrow ? 1 : 2,
                            "a potential", error);
  return status;
}

cla_status stretch_pass(stretch *s, const stretch_strip *strips, int64_t count, cla_error *error) {
  shared_strips all = {.s = s, .strips = strips, .count = count, .narrow = is_narrow(s->costs)};
  cla_status status = ALLOCATE_ZEROS(&all.ready, count, "a potential", error);
  if (status == CLA_OK) status = ALLOCATE_ARRAY(&all.edges, count + 1, "a potential", error);
  if (status == CLA_OK) status = ALLOCATE_ARRAY(&all.nodes, s->count, "a potential", error);
  if (status == CLA_OK) status = make_letters(&all, error);
  if (status != CLA_OK) goto done;
  load_target(&all);
  load_border(&all);
  parallel_run((int)smaller(s->threads, count), take_strips, &all);
  if (atomic_load(&all.failed))
    status = allocate_failed("the potential", error);
  else
    tell_costs(&all);
done:
  for (int i = 0; i < BEHIND; i++) free(all.letters[i]);
  free(all.nodes);
  free(all.edges);
  free(all.ready);
  return status;
}
