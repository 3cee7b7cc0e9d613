/* The passes through a narrow corridor with its values in registers. A line is computed from the one before,
 * shifted by a lane or not. Through memory that would be slow, because such loads overlap earlier stores only
 * in part. */

#include "trace/corridor_internal.h"

#if X86_VECTORS
#include <immintrin.h>

#include "dp/directions.h"

#define WITH_AVX2 __attribute__((target("avx2")))
#define INLINE_AVX2 static inline __attribute__((always_inline, target("avx2")))
#define DEAD CORRIDOR_LOSS_MOST
/* Lines between two looks at the corridor's place. In between it can move by one lane. */
#define LINES_BETWEEN_LOOKS 4
#define HALF (CORRIDOR_NARROW / 2)

typedef struct lanes {
  __m256i low, high;
} lanes;

INLINE_AVX2 __m256i load(const void *memory) {
  return _mm256_loadu_si256(memory);
}

INLINE_AVX2 lanes load_lanes(const int16_t *memory) {
  return (lanes){load(memory), load(memory + HALF)};
}

INLINE_AVX2 void store_lanes(int16_t *memory, lanes of) {
  _mm256_storeu_si256((__m256i *)(void *)memory, of.low);
  _mm256_storeu_si256((__m256i *)(void *)(memory + HALF), of.high);
}

INLINE_AVX2 lanes all_lanes(int16_t value) {
  return (lanes){_mm256_set1_epi16(value), _mm256_set1_epi16(value)};
}

/* Each lane gets the next lane's value; the last one gets DEAD. */
INLINE_AVX2 lanes next_lanes(lanes of) {
  const __m256i dead = _mm256_set1_epi16(DEAD);
  return (lanes){_mm256_alignr_epi8(_mm256_permute2x128_si256(of.low, of.high, 0x21), of.low, 2),
                 _mm256_alignr_epi8(_mm256_permute2x128_si256(of.high, dead, 0x21), of.high, 2)};
}

/* Each lane gets the value of the lane before; the first one gets DEAD. */
INLINE_AVX2 lanes lanes_before(lanes of) {
  const __m256i dead = _mm256_set1_epi16(DEAD);
  return (lanes){_mm256_alignr_epi8(of.low, _mm256_permute2x128_si256(dead, of.low, 0x21), 14),
                 _mm256_alignr_epi8(of.high, _mm256_permute2x128_si256(of.low, of.high, 0x21), 14)};
}

/* A line, and H of the line before it: by node of this line, past a letter of the target (across), and past a
 * letter of the query (down). */
typedef struct line_state {
  lanes h, e, f;
  lanes across, down;
} line_state;

/* Half of a line's cells: the values that they are computed from, and the results. */
typedef struct half_line {
  __m256i pair, across, e, down, f;
  __m256i h, e_opened, f_opened;
} half_line;

typedef struct cost_lanes {
  __m256i mismatch, first, ext, first_down, ext_down;
} cost_lanes;

INLINE_AVX2 cost_lanes make_costs(const corridor_costs *c) {
  return (cost_lanes){.mismatch = _mm256_set1_epi16(c->mismatch),
                      .first = _mm256_set1_epi16(c->first),
                      .ext = _mm256_set1_epi16(c->ext),
                      .first_down = _mm256_set1_epi16(c->first_down),
                      .ext_down = _mm256_set1_epi16(c->ext_down)};
}

/* most: loss of a fresh start, or DEAD. */
INLINE_AVX2 void compute(half_line *x, const cost_lanes *c, const int16_t *query, const int16_t *target,
                         __m256i most) {
  const __m256i equal = _mm256_cmpeq_epi16(load(query), load(target));
  x->pair = _mm256_add_epi16(x->pair, _mm256_andnot_si256(equal, c->mismatch));
  x->e_opened = _mm256_add_epi16(x->across, c->first);
  x->f_opened = _mm256_add_epi16(x->down, c->first_down);
  x->e = _mm256_min_epi16(x->e_opened, _mm256_add_epi16(x->e, c->ext));
  x->f = _mm256_min_epi16(x->f_opened, _mm256_add_epi16(x->f, c->ext_down));
  x->h = _mm256_min_epi16(_mm256_min_epi16(x->e, x->f), _mm256_min_epi16(x->pair, most));
}

/* Sets the neighbours of the next line's cells. other: `s` moved by one lane. stays: the neighbour across has
 * the same lane; else the neighbour down the rows has it. */
INLINE_AVX2 void neighbours(half_line *low, half_line *high, line_state *s, const line_state *other,
                            bool stays) {
  const lanes pair = stays ? s->down : s->across;
  const lanes across = stays ? s->h : other->h, e = stays ? s->e : other->e;
  const lanes down = stays ? other->h : s->h, f = stays ? other->f : s->f;
  *low = (half_line){.pair = pair.low, .across = across.low, .e = e.low, .down = down.low, .f = f.low};
  *high = (half_line){.pair = pair.high, .across = across.high, .e = e.high, .down = down.high, .f = f.high};
  s->across = across;
  s->down = down;
}

INLINE_AVX2 void put_line(line_state *s, const half_line *low, const half_line *high) {
  s->h = (lanes){low->h, high->h};
  s->e = (lanes){low->e, high->e};
  s->f = (lanes){low->f, high->f};
}

INLINE_AVX2 corridor_edge edge_of(const lanes *h) {
  return (corridor_edge){.first = (int16_t)_mm256_extract_epi16(h->low, 0),
                         .last = (int16_t)_mm256_extract_epi16(h->high, HALF - 1)};
}

/* Number of lanes by which the corridor moves up in the next lines. */
static int lean(const corridor *c, corridor_edge edge) {
  const int32_t first = edge.first, last = edge.last + (int32_t)c->match * (CORRIDOR_NARROW - 1);
  const int32_t even = 2 * (c->costs.ext + c->costs.ext_down);
  if (edge.first >= DEAD && edge.last >= DEAD) return 0;
  return first + even < last ? 1 : last + even < first ? -1 : 0;
}

WITH_AVX2 bool corridor_back_avx2(corridor *c) {
  const cost_lanes costs = make_costs(&c->costs);
  const __m256i dead = _mm256_set1_epi16(DEAD);
  const lanes none = all_lanes(DEAD);
  line_state s = {.h = none, .e = none, .f = none, .across = none, .down = none};
  int64_t line = c->rows + c->columns, top = c->rows - HALF;
  int16_t begin[CORRIDOR_NARROW];
  int leaning = 0;
  store_lanes(begin, none);
  begin[HALF] = 0;
  s.h = load_lanes(begin);
  for (;; line--) {
    const corridor_edge edge = edge_of(&s.h);
    half_line low, high;
    c->top[line] = (int32_t)top;
    c->back[line] = edge;
    c->low = line;
    if (corridor_is_beyond(c, line, top)) return false;
    if (corridor_ends(c, line, top)) return true;
    if (line % LINES_BETWEEN_LOOKS == 0) leaning = lean(c, edge);
    /* Up and left in turn. */
    bool up = line & 1;
    if (leaning != 0 && up == (leaning < 0)) {
      up = !up;
      leaning = 0;
    }
    const int64_t next = up ? top - 1 : top;
    const line_state other = up ? (line_state){.h = lanes_before(s.h), .e = lanes_before(s.e)}
                                : (line_state){.h = next_lanes(s.h), .f = next_lanes(s.f)};
    neighbours(&low, &high, &s, &other, !up);
    const int16_t *query = c->query + next, *target = c->target + c->columns - line + next;
    compute(&low, &costs, query, target, dead);
    compute(&high, &costs, query + HALF, target + HALF, dead);
    put_line(&s, &low, &high);
    top = next;
  }
}

/* direction_of and direction_opened (dp/directions.h) in 16 bits each. */
INLINE_AVX2 __m256i directions_of(const half_line *x, __m256i floor) {
  const __m256i is_e = _mm256_cmpeq_epi16(x->h, x->e), is_pair = _mm256_cmpeq_epi16(x->h, x->pair);
  const __m256i is_start = _mm256_cmpeq_epi16(x->h, floor);
  const __m256i of_gap = _mm256_blendv_epi8(_mm256_set1_epi16(FROM_F), _mm256_set1_epi16(FROM_E), is_e);
  const __m256i of_pair = _mm256_blendv_epi8(of_gap, _mm256_set1_epi16(FROM_PAIR), is_pair);
  const __m256i from = _mm256_blendv_epi8(of_pair, _mm256_set1_epi16(FROM_START), is_start);
  const __m256i e_bit = _mm256_and_si256(_mm256_cmpeq_epi16(x->e, x->e_opened), _mm256_set1_epi16(E_OPENED));
  const __m256i f_bit = _mm256_and_si256(_mm256_cmpeq_epi16(x->f, x->f_opened), _mm256_set1_epi16(F_OPENED));
  return _mm256_or_si256(from, _mm256_or_si256(e_bit, f_bit));
}

static WITH_AVX2 void put_borders(const corridor *c, const path_scheme *scheme, line_state *s, int64_t line) {
  int16_t h[CORRIDOR_NARROW], e[CORRIDOR_NARROW], f[CORRIDOR_NARROW], *const gaps[] = {e, f};
  store_lanes(h, s->h);
  store_lanes(e, s->e);
  store_lanes(f, s->f);
  corridor_put_borders(c, scheme, h, gaps, 2, line);
  s->h = load_lanes(h);
  s->e = load_lanes(e);
  s->f = load_lanes(f);
}

WITH_AVX2 void corridor_forth_avx2(corridor *c, const path_scheme *scheme) {
  const cost_lanes costs = make_costs(&c->costs);
  const int64_t last = c->rows + c->columns;
  const lanes none = all_lanes(DEAD);
  int16_t end[CORRIDOR_NARROW];
  line_state s = {.h = none, .e = none, .f = none, .across = none, .down = none};
  for (int64_t line = c->low; line <= last; line++) {
    const int64_t top = c->top[line];
    const bool stays = line == c->low || top == c->top[line - 1];
    half_line low, high;
    const line_state other = stays ? (line_state){.h = lanes_before(s.h), .f = lanes_before(s.f)}
                                   : (line_state){.h = next_lanes(s.h), .e = next_lanes(s.e)};
    neighbours(&low, &high, &s, &other, stays);
    const int16_t *query = c->query + top - 1, *target = c->target + c->columns - line + top;
    const lanes floor = load_lanes(c->floor + top);
    compute(&low, &costs, query, target, floor.low);
    compute(&high, &costs, query + HALF, target + HALF, floor.high);
    put_line(&s, &low, &high);
    const __m256i bytes =
        _mm256_packus_epi16(directions_of(&low, floor.low), directions_of(&high, floor.high));
    _mm256_storeu_si256((__m256i *)(void *)(c->directions + line * CORRIDOR_NARROW),
                        _mm256_permute4x64_epi64(bytes, 0xd8));
    if (corridor_has_borders(c, line)) put_borders(c, scheme, &s, line);
    c->forth[line] = edge_of(&s.h);
  }
  store_lanes(end, s.h);
  c->loss = end[c->rows - c->top[last]];
}
#else
typedef int corridor_avx2_is_for_other_machines; /* a file needs something */
#endif
