#include "pipeline/band_line.h"

#include <stddef.h>

/* Loops without dependence between their turns, which the compiler cannot see by itself. */
#if defined(__clang__)
#define INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#elif defined(__GNUC__)
#define INDEPENDENT _Pragma("GCC ivdep")
#else
#define INDEPENDENT
#endif

#define ALWAYS_INLINE static inline __attribute__((always_inline))
#define LARGER(a, b) ((a) > (b) ? (a) : (b))

/* Whole groups of so many cells are computed, so that no loop has a slow rest. */
#define GROUP 16

/* The line's cells for one type of value. `TABLE` and `DIRECTIONS` are constants where it is called. */
#define DEFINE_LINE(name, value)                                                                            \
  ALWAYS_INLINE void name(const band_line *line, const band_costs *costs, bool table, bool directed) {      \
    value *h = line->h, *e = line->e, *f = line->f;                                                         \
    const value *left = line->before, *pairs = line->before_2, *f_before = line->f_before;                  \
    const value *floor = line->floor, *query = line->query, *target = line->target;                         \
    const int32_t *scores = line->scores;                                                                   \
    uint8_t *directions = line->directions;                                                                 \
    const value first = (value)costs->first, ext = (value)costs->ext;                                       \
    const value down_first = (value)costs->down_first, down_ext = (value)costs->down_ext;                   \
    const value equal = (value)costs->equal, other = (value)costs->other;                                   \
    const int64_t count = (line->count + GROUP - 1) / GROUP * GROUP;                                        \
    INDEPENDENT                                                                                             \
    for (int64_t i = 0; i < count; i++) {                                                                   \
      const value score =                                                                                   \
          table ? (value)scores[query[i] + target[i]] : (value)(query[i] == target[i] ? equal : other);     \
      const value pair = (value)(pairs[i - 1] + score);                                                     \
      const value e_opened = (value)(left[i] - first), e_further = (value)(e[i] - ext);                     \
      const value f_opened = (value)(left[i - 1] - down_first);                                             \
      const value f_further = (value)(f_before[i - 1] - down_ext);                                          \
      const value e_here = LARGER(e_opened, e_further), f_here = LARGER(f_opened, f_further);               \
      const value straight = LARGER(pair, floor[i]), gap = LARGER(e_here, f_here);                          \
      const value here = LARGER(straight, gap);                                                             \
      e[i] = e_here;                                                                                        \
      f[i] = f_here;                                                                                        \
      h[i] = here;                                                                                          \
      if (directed)                                                                                         \
        directions[i] =                                                                                     \
            (uint8_t)((here == floor[i] ? BAND_FROM_START                                                   \
                       : here == pair   ? BAND_FROM_PAIR                                                    \
                       : here == e_here ? BAND_FROM_E                                                       \
                                        : BAND_FROM_F) |                                                    \
                      (e_here == e_opened ? BAND_E_OPENED : 0) | (f_here == f_opened ? BAND_F_OPENED : 0)); \
    }                                                                                                       \
  }

DEFINE_LINE(line_16, int16_t)
DEFINE_LINE(line_32, int32_t)

/* The functions for one instruction set. */
#define DEFINE_FUNCTIONS(set, attribute)                                                \
  attribute static void set##_16(const band_line *l, const band_costs *c) {             \
    line_16(l, c, false, false);                                                        \
  }                                                                                     \
  attribute static void set##_16_directed(const band_line *l, const band_costs *c) {    \
    line_16(l, c, false, true);                                                         \
  }                                                                                     \
  attribute static void set##_32(const band_line *l, const band_costs *c) {             \
    line_32(l, c, false, false);                                                        \
  }                                                                                     \
  attribute static void set##_32_directed(const band_line *l, const band_costs *c) {    \
    line_32(l, c, false, true);                                                         \
  }                                                                                     \
  attribute static void set##_table(const band_line *l, const band_costs *c) {          \
    line_32(l, c, true, false);                                                         \
  }                                                                                     \
  attribute static void set##_table_directed(const band_line *l, const band_costs *c) { \
    line_32(l, c, true, true);                                                          \
  }                                                                                     \
  static const band_line_function set##_functions[3][2] = {                             \
      {set##_16, set##_16_directed}, {set##_32, set##_32_directed}, {set##_table, set##_table_directed}};

DEFINE_FUNCTIONS(plain, )
#if defined(__x86_64__) && defined(__GNUC__)
DEFINE_FUNCTIONS(avx2, __attribute__((target("avx2"))))
#endif

band_line_function band_line_choose(int value_bytes, bool by_table, bool directions) {
  const int kind = by_table ? 2 : value_bytes == 2 ? 0 : 1;
#if defined(__x86_64__) && defined(__GNUC__)
  if (__builtin_cpu_supports("avx2")) return avx2_functions[kind][directions];
#endif
  return plain_functions[kind][directions];
}
