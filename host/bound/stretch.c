#include "bound/stretch.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "base/extremes.h"
#include "base/loops.h"
#include "base/machine.h"
#include "bound/bound_path.h"
#include "seq/sequence.h"

#define ROWS_MOST 512   /* of a strip */
#define GROUP 64        /* rows that a line may compute beyond its last one */
#define LINES 64        /* after which costs are counted anew, and others are told how far it is */
#define COST_MOST 20000 /* above what costs are counted from: larger ones count as that */
#define FALL_MOST 8000  /* below it */
#define RISE_MOST 12000 /* of costs over the rows of a strip */
#define NO_QUERY 64     /* letters that match nothing */
#define NO_TARGET 65

/* Strips that threads take one after the other, each behind the one before it. */
typedef struct shared_strips {
  const stretch *s;
  const stretch_strip *strips;
  int64_t count;
  int64_t room;        /* for the letters of a strip */
  atomic_llong *ready; /* by strip: nodes of its last row that are there */
  atomic_llong next;
  atomic_bool failed;
} shared_strips;

/* An anti-diagonal of a strip, by row: [0] is on the border that is come from. */
typedef struct stretch_line {
  int16_t *h, *e, *f;
  int16_t *before, *before_2, *f_before; /* of the line before, and of the one before that */
} stretch_line;

/* A strip while a thread passes it. Rows and columns count in the order in which they are come to. */
typedef struct strip_work {
  const stretch *s;
  const stretch_strip *strip;
  bool last;
  int64_t rows; /* with those beyond the last one */
  int64_t base; /* costs are counted from here */
  int16_t *h[3], *e, *f[2], *query, *letters;
} strip_work;

/* The place of a node among those of a border: from the last one on. */
ALWAYS_INLINE int64_t place_of(const stretch *s, int64_t node) {
  return s->count - 1 - node;
}

static int16_t target_letter(const strip_work *w, int64_t node) {
  const stretch *s = w->s;
  const int64_t column = w->strip->row + s->diagonal + place_of(s, node);
  const bool known = column >= 0 && column < s->columns && s->target[column] < SEQUENCE_UNAMBIGUOUS;
  return known ? s->target[column] : NO_TARGET;
}

static int16_t query_letter(const strip_work *w, int64_t row) {
  if (row > w->strip->rows) return NO_QUERY;
  const uint8_t letter = w->s->query[w->strip->row - row];
  return letter < SEQUENCE_UNAMBIGUOUS ? letter : NO_QUERY;
}

/* Before the first line: letters, and costs that are none. Row i of line t has the letter of node t - i. */
static void load_strip(strip_work *w, int64_t room, int64_t lines) {
  for (int64_t i = 1; i <= w->rows; i++) w->query[i] = query_letter(w, i);
  for (int64_t node = -w->rows; node <= lines; node++)
    w->letters[room - node] = node >= 1 ? target_letter(w, node) : NO_TARGET;
  for (int64_t i = 0; i <= w->rows; i++)
    w->h[0][i] = w->h[1][i] = w->h[2][i] = w->e[i] = w->f[0][i] = w->f[1][i] = COST_MOST;
}

/* Counts costs from so much more. */
ALWAYS_INLINE void count_from(strip_work *w, const stretch_line *line, int64_t more) {
  int16_t *const arrays[] = {line->before, line->before_2, line->f_before, line->e};
  const int16_t most = (int16_t)larger(smaller(COST_MOST + more, INT16_MAX), INT16_MIN);
  const int16_t less = (int16_t)smaller(larger(more, INT16_MIN), INT16_MAX);
  for (size_t a = 0; a < sizeof arrays / sizeof *arrays; a++)
    for (int64_t i = 0; i <= w->rows; i++) {
      const int16_t cost = arrays[a][i];
      arrays[a][i] = cost >= most ? (int16_t)COST_MOST : (int16_t)(cost - less);
    }
  w->base += more;
}

ALWAYS_INLINE int16_t least_of(const strip_work *w, const stretch_line *line) {
  int16_t least = INT16_MAX;
  for (int64_t i = 0; i <= w->rows; i++) {
    const int16_t here = LEAST(line->before[i], line->before_2[i]);
    least = LEAST(least, here);
  }
  return least;
}

ALWAYS_INLINE int16_t counted(const strip_work *w, int64_t cost) {
  return (int16_t)smaller(cost - w->base, COST_MOST);
}

ALWAYS_INLINE void pass_line(const strip_work *w, const stretch_line *line, const int16_t *restrict target) {
  const cost_scheme *c = w->s->costs;
  const int16_t other = (int16_t)c->other, first = (int16_t)c->first, ext = (int16_t)c->ext;
  const int16_t *restrict left = line->before, *restrict pairs = line->before_2;
  const int16_t *restrict f_before = line->f_before, *restrict query = w->query;
  int16_t *restrict h = line->h, *restrict e = line->e, *restrict f = line->f;
  INDEPENDENT
  for (int64_t i = 1; i <= w->rows; i++) {
    const int16_t pair = (int16_t)(pairs[i - 1] + (query[i] == target[i] ? 0 : other));
    const int16_t e_opened = (int16_t)(left[i] + first), e_further = (int16_t)(e[i] + ext);
    const int16_t f_opened = (int16_t)(left[i - 1] + first), f_further = (int16_t)(f_before[i - 1] + ext);
    const int16_t e_here = LEAST(e_opened, e_further), f_here = LEAST(f_opened, f_further);
    const int16_t gap = LEAST(e_here, f_here), straight = LEAST(pair, (int16_t)COST_MOST);
    e[i] = e_here;
    f[i] = f_here;
    h[i] = LEAST(gap, straight);
  }
}

/* The row of the line's node on the diagonal that is come to first, or last; 0: it has none. */
ALWAYS_INLINE int64_t row_beside(const strip_work *w, int64_t line, bool last) {
  const int64_t from = line - (last ? w->s->count - 1 : 0);
  return from > 0 && from % 2 == 0 && from / 2 <= w->strip->rows ? from / 2 : 0;
}

/* What comes to a line from outside: on the border that is come from, and on paths beside. */
typedef struct line_costs {
  int64_t h, f, beside[2];
  int64_t rows[2];
} line_costs;

ALWAYS_INLINE line_costs costs_outside(const strip_work *w, int64_t line) {
  const stretch *s = w->s;
  const int64_t at = place_of(s, line), none = w->base + COST_MOST;
  line_costs in = {.h = line < s->count ? s->h[at] : none, .f = line < s->count ? s->f[at] : none};
  for (int last = 0; last < 2; last++) {
    in.rows[last] = row_beside(w, line, last);
    in.beside[last] = in.rows[last] > 0 ? s->beside[!last] : none;
  }
  return in;
}

/* A node of the last row is there. */
ALWAYS_INLINE void give_node(const strip_work *w, int64_t node, const stretch_line *line) {
  const stretch *s = w->s;
  const int64_t at = place_of(s, node), row = w->strip->rows, down = w->base + line->f[row];
  int64_t here = w->base + line->h[row];
  if (w->last) {
    const int64_t bucket = at / s->bucket;
    const int64_t gap = smaller(down, w->base + line->e[row]) - chain_open_gap(s->costs);
    here = smaller(here, s->ends[bucket]);
    s->least[bucket] = (int32_t)smaller(s->least[bucket], smaller(here, gap));
  }
  s->h[at] = (int32_t)smaller(here, CHAIN_NEVER);
  s->f[at] = (int32_t)smaller(down, CHAIN_NEVER);
}

static void await_nodes(const shared_strips *all, int64_t strip, int64_t nodes) {
  if (strip == 0) return;
  while (atomic_load_explicit(&all->ready[strip - 1], memory_order_acquire) < nodes &&
         !atomic_load(&all->failed))
    sched_yield();
}

ALWAYS_INLINE void pass_lines(shared_strips *all, strip_work *w, int64_t index) {
  const stretch *s = w->s;
  const int64_t rows = w->strip->rows, lines = s->count + 2 * rows;
  for (int64_t t = 0; t < lines; t++) {
    const stretch_line line = {.h = w->h[t % 3],
                               .e = w->e,
                               .f = w->f[t % 2],
                               .before = w->h[(t + 2) % 3],
                               .before_2 = w->h[(t + 1) % 3],
                               .f_before = w->f[(t + 1) % 2]};
    if (t % LINES == 0) {
      await_nodes(all, index, smaller(t + LINES, s->count));
      if (atomic_load(&all->failed)) return;
      if (t == 0)
        w->base = s->h[place_of(s, 0)];
      else
        count_from(w, &line, least_of(w, &line));
      atomic_store_explicit(&all->ready[index], larger(t - 2 * rows, 0), memory_order_release);
    }
    const line_costs in = costs_outside(w, t);
    const int64_t least = smaller(in.h, smaller(in.beside[0], in.beside[1])) - w->base;
    if (least < -FALL_MOST) count_from(w, &line, least);
    line.h[0] = counted(w, in.h);
    line.f[0] = counted(w, in.f);
    if (t > 0) pass_line(w, &line, w->letters + all->room - t);
    for (int last = 0; last < 2; last++)
      if (in.rows[last] > 0)
        line.h[in.rows[last]] = LEAST(line.h[in.rows[last]], counted(w, in.beside[last]));
    if (t >= 2 * rows) give_node(w, t - 2 * rows, &line);
  }
  atomic_store_explicit(&all->ready[index], s->count, memory_order_release);
}

typedef void (*strip_function)(shared_strips *all, strip_work *w, int64_t index);

static void pass_plain(shared_strips *all, strip_work *w, int64_t index) {
  pass_lines(all, w, index);
}

#if X86_VECTORS
#ifdef __clang__
#define WIDEST "avx512bw"
#else
#define WIDEST "avx512bw,prefer-vector-width=512" /* GCC takes 32 bytes otherwise */
#endif
__attribute__((target("avx2"), optimize("O3"))) static void pass_avx2(shared_strips *all, strip_work *w,
                                                                      int64_t index) {
  pass_lines(all, w, index);
}
__attribute__((target(WIDEST), optimize("O3"))) static void pass_avx512(shared_strips *all, strip_work *w,
                                                                        int64_t index) {
  pass_lines(all, w, index);
}
#endif

static strip_function choose(void) {
#if X86_VECTORS
  if (__builtin_cpu_supports("avx512bw")) return pass_avx512;
  if (__builtin_cpu_supports("avx2")) return pass_avx2;
#endif
  return pass_plain;
}

static void take_strips(void *user, int thread) {
  shared_strips *all = user;
  const strip_function pass = choose();
  const int64_t size = ROWS_MOST + GROUP, letters = all->room + ROWS_MOST + GROUP;
  void *memory = NULL;
  (void)thread;
  if (posix_memalign(&memory, 64, (size_t)(7 * size + letters + GROUP) * sizeof(int16_t)) != 0) {
    atomic_store(&all->failed, true);
    return;
  }
  /* What is stored begins with row 1. */
  int16_t *const first = (int16_t *)memory + GROUP - 1;
  strip_work w = {.s = all->s,
                  .h = {first, first + size, first + 2 * size},
                  .e = first + 3 * size,
                  .f = {first + 4 * size, first + 5 * size},
                  .query = first + 6 * size,
                  .letters = first + 7 * size};
  for (int64_t i; (i = atomic_fetch_add(&all->next, 1)) < all->count && !atomic_load(&all->failed);) {
    w.strip = &all->strips[i];
    w.last = i == all->count - 1;
    w.rows = (w.strip->rows + GROUP - 1) / GROUP * GROUP;
    load_strip(&w, all->room, all->s->count + 2 * w.strip->rows);
    pass(all, &w, i);
  }
  free(memory);
}

int64_t stretch_rows_most(const cost_scheme *costs) {
  if (costs->other > RISE_MOST) return 0;
  return smaller(RISE_MOST / (2 * (int64_t)costs->first) / GROUP * GROUP, ROWS_MOST);
}

cla_status stretch_pass(stretch *s, const stretch_strip *strips, int64_t count, cla_error *error) {
  shared_strips all = {.s = s, .strips = strips, .count = count, .room = s->count + 2 * ROWS_MOST};
  cla_status status = allocate_zeros((void **)&all.ready, count, sizeof *all.ready, "a potential", error);
  if (status != CLA_OK) return status;
  parallel_run((int)smaller(s->threads, count), take_strips, &all);
  free(all.ready);
  return atomic_load(&all.failed) ? potential_memory_error(error) : CLA_OK;
}
