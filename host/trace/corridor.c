#include "trace/corridor_internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/extremes.h"
#include "dp/directions.h"

#define LESS(a, b) ((a) < (b) ? (a) : (b))
#define DEAD CORRIDOR_LOSS_MOST
/* Number of places before a sequence's first letter, and after its last, that hold NO_QUERY or NO_TARGET. */
#define LETTER_ROOM (CORRIDOR_LANES_MOST + CORRIDOR_ROOM)
#define NO_QUERY 300
#define NO_TARGET 301
#define PLAIN_CODES 4  /* letters that match (scoring/score_table.h) */
#define OTHER_QUERY 64 /* is added to the query's other codes */

bool corridor_takes(const path_scheme *scheme, const pack_pair *pair) {
  const cla_scoring *scoring = scheme->scoring;
  const score_table *table = scheme->table;
  const int64_t rows = pair->end_query, columns = pair->end_target, match = table->match;
  if (table->needs_lookup || table->used || match < 1) return false;
  const int64_t step = 2 * (gap_most_first(scoring) + match) + (match - table->mismatch);
  const int64_t across = 2 * CORRIDOR_LANES_MOST * (scoring->gap_ext + match) + step;
  const int64_t loss = match * rows - pair->score;
  return step < INT16_MAX - DEAD && across + loss < DEAD && rows < INT16_MAX && columns < INT16_MAX &&
         -gap_cost(scoring, rows) > -DEAD && -gap_cost(scoring, columns) > -DEAD;
}

static void copy_letters(int16_t *query, int16_t *target, const pack_pair *pair, int64_t rows,
                         int64_t columns) {
  for (int64_t i = 0; i < rows; i++) {
    const int16_t code = pair->query[i];
    query[i] = (int16_t)(code < PLAIN_CODES ? code : code + OTHER_QUERY);
  }
  for (int64_t j = 0; j < columns; j++) target[j] = pair->target[columns - 1 - j];
  for (int64_t k = 0; k < LETTER_ROOM; k++) {
    query[-1 - k] = query[rows + k] = NO_QUERY;
    target[-1 - k] = target[columns + k] = NO_TARGET;
  }
}

cla_status corridor_make(corridor *out, const path_scheme *scheme, const pack_pair *pair, int lanes,
                         cla_error *error) {
  const cla_scoring *scoring = scheme->scoring;
  const int64_t rows = pair->end_query, columns = pair->end_target, lines = rows + columns + 1;
  const int64_t match = scheme->table->match;
  const int64_t row_room = rows + 2 * LETTER_ROOM, column_room = columns + 2 * LETTER_ROOM;
  *out = (corridor){
      .rows = rows, .columns = columns, .lanes = lanes, .two = gap_two_pieces(scoring), .match = match};
  out->costs = (corridor_costs){.mismatch = (int16_t)(match - scheme->table->mismatch),
                                .first = (int16_t)scoring->gap_first,
                                .ext = (int16_t)scoring->gap_ext,
                                .first_down = (int16_t)(scoring->gap_first + match),
                                .ext_down = (int16_t)(scoring->gap_ext + match),
                                .first2 = (int16_t)scoring->gap_first2,
                                .ext2 = (int16_t)scoring->gap_ext2,
                                .first2_down = (int16_t)(scoring->gap_first2 + match),
                                .ext2_down = (int16_t)(scoring->gap_ext2 + match)};
  const int64_t line_bytes = (int64_t)sizeof *out->top + 2 * (int64_t)sizeof *out->back + lanes;
  const int64_t bytes = lines * line_bytes + (2 * row_room + column_room) * (int64_t)sizeof *out->query;
  out->memory = malloc((size_t)bytes);
  if (!out->memory)
    return error_set(error, CLA_ERROR_MEMORY, "out of memory for a pair's path; free some memory");
  poison_memory(out->memory, bytes, POISON_LINES);
  out->top = out->memory;
  out->back = (corridor_edge *)(out->top + lines);
  out->forth = out->back + lines;
  out->query = (int16_t *)(out->forth + lines) + LETTER_ROOM;
  out->floor = out->query + row_room;
  out->target = out->floor + rows + 2 * LETTER_ROOM;
  out->directions = (uint8_t *)(out->target + columns + LETTER_ROOM);
  copy_letters(out->query, out->target, pair, rows, columns);
  for (int64_t k = -LETTER_ROOM; k < rows + LETTER_ROOM; k++)
    out->floor[k] = scheme->ends.floor && k >= 0 ? (int16_t)smaller(match * k, DEAD) : DEAD;
  return CLA_OK;
}

void corridor_free(corridor *c) {
  free(c->memory);
  c->memory = NULL;
}

/* The values of some lines, the latest of them at `line`. */
typedef struct line_values {
  int16_t h[3][CORRIDOR_LANES_MOST + 2 * CORRIDOR_ROOM];
  int16_t e[2][CORRIDOR_LANES_MOST + 2 * CORRIDOR_ROOM], f[2][CORRIDOR_LANES_MOST + 2 * CORRIDOR_ROOM];
  int16_t e2[2][CORRIDOR_LANES_MOST + 2 * CORRIDOR_ROOM], f2[2][CORRIDOR_LANES_MOST + 2 * CORRIDOR_ROOM];
} line_values;

static void clear(line_values *values) {
  int16_t *all = &values->h[0][0];
  for (size_t k = 0; k < sizeof *values / sizeof *all; k++) all[k] = DEAD;
}

/* Values and letters from which a line is computed: for each node, those of its neighbours in the path's
 * direction. */
typedef struct line_before {
  const int16_t *pair;            /* H past the pair of letters */
  const int16_t *across, *e, *e2; /* H, E and E2 past a letter of the target */
  const int16_t *down, *f, *f2;   /* H, F and F2 past one of the query */
  const int16_t *query, *target;
} line_before;

/* Arrays of a line that are written. Directions are written with a floor, which has the loss of a fresh start
 * by row. */
typedef struct line_here {
  int16_t *h, *e, *f, *e2, *f2;
  const int16_t *floor;
  uint8_t *directions;
} line_here;

/* A line of the way back, or forth; with one piece of gap costs or two. */
ALWAYS_INLINE void compute_line(const line_here *line, const line_before *b, const corridor_costs *costs,
                                bool forth, bool two, int lanes) {
  int16_t *restrict h = line->h, *restrict e = line->e, *restrict f = line->f;
  int16_t *restrict e2 = line->e2, *restrict f2 = line->f2;
  uint8_t *restrict directions = line->directions;
  const int16_t *floor = line->floor;
  const line_before a = *b;
  const corridor_costs c = *costs;
  INDEPENDENT
  for (int l = 0; l < lanes; l++) {
    const int16_t pair = (int16_t)(a.pair[l] + (a.query[l] == a.target[l] ? 0 : c.mismatch));
    const int16_t e_opened = (int16_t)(a.across[l] + c.first), e_further = (int16_t)(a.e[l] + c.ext);
    const int16_t f_opened = (int16_t)(a.down[l] + c.first_down), f_further = (int16_t)(a.f[l] + c.ext_down);
    const int16_t e_here = LESS(e_opened, e_further), f_here = LESS(f_opened, f_further);
    const int16_t e2_opened = two ? (int16_t)(a.across[l] + c.first2) : DEAD;
    const int16_t e2_further = two ? (int16_t)(a.e2[l] + c.ext2) : DEAD,
                  e2_here = LESS(e2_opened, e2_further);
    const int16_t f2_opened = two ? (int16_t)(a.down[l] + c.first2_down) : DEAD;
    const int16_t f2_further = two ? (int16_t)(a.f2[l] + c.ext2_down) : DEAD,
                  f2_here = LESS(f2_opened, f2_further);
    const int16_t most = forth ? floor[l] : DEAD, gap_1 = LESS(e_here, f_here),
                  gap_2 = LESS(e2_here, f2_here);
    const int16_t gap = two ? LESS(gap_1, gap_2) : gap_1, straight = LESS(pair, most),
                  here = LESS(gap, straight);
    e[l] = e_here;
    f[l] = f_here;
    h[l] = here;
    if (two) {
      e2[l] = e2_here;
      f2[l] = f2_here;
    }
    if (forth) {
      const int gap_from = direction_of_gap(here, e_here, f_here, e2_here, two);
      const int opened =
          direction_opened(e_here, e_opened, E_OPENED) | direction_opened(f_here, f_opened, F_OPENED);
      const int opened2 = two ? direction_opened(e2_here, e2_opened, E2_OPENED) |
                                    direction_opened(f2_here, f2_opened, F2_OPENED)
                              : 0;
      directions[l] = (uint8_t)(direction_of(here, most, pair, gap_from) | opened | opened2);
    }
  }
}

/* The row of the next line's first node. The corridor moves towards the better end of the line. */
ALWAYS_INLINE int64_t steer(const corridor *c, const int16_t *h, int64_t top, int64_t line) {
  const int32_t first = h[0], last = h[c->lanes - 1] + (int32_t)c->match * (c->lanes - 1);
  if (h[0] >= DEAD && h[c->lanes - 1] >= DEAD) return top - (line & 1);
  return first < last ? top - 1 : top;
}

ALWAYS_INLINE bool go_back(corridor *c, int lanes, bool two) {
  line_values values;
  int64_t line = c->rows + c->columns, top = c->rows - lanes / 2, top_before = top;
  clear(&values);
  values.h[line % 3][CORRIDOR_ROOM + lanes / 2] = 0;
  for (;; line--) {
    const int16_t *here = values.h[line % 3] + CORRIDOR_ROOM;
    c->top[line] = (int32_t)top;
    c->back[line] = (corridor_edge){.first = here[0], .last = here[lanes - 1]};
    c->low = line;
    if (corridor_is_beyond(c, line, top)) return false;
    if (corridor_ends(c, line, top)) return true;
    const int64_t next = steer(c, here, top, line);
    const int64_t same = CORRIDOR_ROOM + next - top, past = CORRIDOR_ROOM + next - top_before + 1;
    const line_before before = {.pair = values.h[(line + 1) % 3] + past,
                                .across = values.h[line % 3] + same,
                                .e = values.e[line % 2] + same,
                                .e2 = values.e2[line % 2] + same,
                                .down = values.h[line % 3] + same + 1,
                                .f = values.f[line % 2] + same + 1,
                                .f2 = values.f2[line % 2] + same + 1,
                                .query = c->query + next,
                                .target = c->target + c->columns - line + next};
    const int64_t other = (line + 1) % 2;
    const line_here next_line = {.h = values.h[(line + 2) % 3] + CORRIDOR_ROOM,
                                 .e = values.e[other] + CORRIDOR_ROOM,
                                 .f = values.f[other] + CORRIDOR_ROOM,
                                 .e2 = values.e2[other] + CORRIDOR_ROOM,
                                 .f2 = values.f2[other] + CORRIDOR_ROOM};
    compute_line(&next_line, &before, &c->costs, false, two, lanes);
    top_before = top;
    top = next;
  }
}

ALWAYS_INLINE void go_forth(corridor *c, const path_scheme *scheme, int lanes, bool two) {
  line_values values;
  const int64_t last = c->rows + c->columns;
  clear(&values);
  for (int64_t line = c->low; line <= last; line++) {
    const int64_t top = c->top[line], top_1 = line > c->low ? c->top[line - 1] : top;
    const int64_t top_2 = line > c->low + 1 ? c->top[line - 2] : top_1;
    const int64_t same = CORRIDOR_ROOM + top - top_1, past = CORRIDOR_ROOM + top - top_2 - 1;
    const line_here here = {.h = values.h[line % 3] + CORRIDOR_ROOM,
                            .e = values.e[line % 2] + CORRIDOR_ROOM,
                            .f = values.f[line % 2] + CORRIDOR_ROOM,
                            .e2 = values.e2[line % 2] + CORRIDOR_ROOM,
                            .f2 = values.f2[line % 2] + CORRIDOR_ROOM,
                            .floor = c->floor + top,
                            .directions = c->directions + line * lanes};
    int16_t *const gaps[] = {here.e, here.f, here.e2, here.f2};
    const line_before before = {.pair = values.h[(line + 1) % 3] + past,
                                .across = values.h[(line + 2) % 3] + same,
                                .e = values.e[(line + 1) % 2] + same,
                                .e2 = values.e2[(line + 1) % 2] + same,
                                .down = values.h[(line + 2) % 3] + same - 1,
                                .f = values.f[(line + 1) % 2] + same - 1,
                                .f2 = values.f2[(line + 1) % 2] + same - 1,
                                .query = c->query + top - 1,
                                .target = c->target + c->columns - line + top};
    compute_line(&here, &before, &c->costs, true, two, lanes);
    if (corridor_has_borders(c, line)) corridor_put_borders(c, scheme, here.h, gaps, two ? 4 : 2, line);
    c->forth[line] = (corridor_edge){.first = here.h[0], .last = here.h[lanes - 1]};
  }
  c->loss = values.h[last % 3][CORRIDOR_ROOM + c->rows - c->top[last]];
}

/* The passes for one instruction set, with widths that compilers know.
 * NOLINTBEGIN(bugprone-macro-parentheses): a prefix is no expression. */
#define PASSES(prefix, name, two)                                             \
  prefix static bool name##_back(corridor *c) {                               \
    switch (c->lanes) {                                                       \
      case CORRIDOR_NARROW: return go_back(c, CORRIDOR_NARROW, two);          \
      case CORRIDOR_MIDDLE: return go_back(c, CORRIDOR_MIDDLE, two);          \
      default: return go_back(c, CORRIDOR_LANES_MOST, two);                   \
    }                                                                         \
  }                                                                           \
  prefix static void name##_forth(corridor *c, const path_scheme *scheme) {   \
    switch (c->lanes) {                                                       \
      case CORRIDOR_NARROW: go_forth(c, scheme, CORRIDOR_NARROW, two); break; \
      case CORRIDOR_MIDDLE: go_forth(c, scheme, CORRIDOR_MIDDLE, two); break; \
      default: go_forth(c, scheme, CORRIDOR_LANES_MOST, two);                 \
    }                                                                         \
  }

/* NOLINTEND(bugprone-macro-parentheses) */

PASSES(, plain, false)
PASSES(, plain_two, true)

#if X86_VECTORS
PASSES(__attribute__((target("avx2"))), avx2, false)
PASSES(__attribute__((target("avx2"))), avx2_two, true)
#endif

bool corridor_go_back(corridor *c) {
#if X86_VECTORS
  if (__builtin_cpu_supports("avx2")) {
    if (c->two) return avx2_two_back(c);
    return c->lanes == CORRIDOR_NARROW ? corridor_back_avx2(c) : avx2_back(c);
  }
#endif
  return c->two ? plain_two_back(c) : plain_back(c);
}

void corridor_go_forth(corridor *c, const path_scheme *scheme) {
#if X86_VECTORS
  if (__builtin_cpu_supports("avx2")) {
    if (c->two)
      avx2_two_forth(c, scheme);
    else if (c->lanes == CORRIDOR_NARROW)
      corridor_forth_avx2(c, scheme);
    else
      avx2_forth(c, scheme);
    return;
  }
#endif
  (c->two ? plain_two_forth : plain_forth)(c, scheme);
}
