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

#define BAND_VALUE int16_t
#define BAND_LINE_CELLS cells_16
#include "pipeline/band_line_cells.h"
#define BAND_VALUE int32_t
#define BAND_LINE_CELLS cells_32
#include "pipeline/band_line_cells.h"

static void plain_16(const band_line *line, const band_costs *costs) {
  cells_16(line, costs, false, false);
}

static void plain_16_directed(const band_line *line, const band_costs *costs) {
  cells_16(line, costs, false, true);
}

static void plain_32(const band_line *line, const band_costs *costs) {
  cells_32(line, costs, false, false);
}

static void plain_32_directed(const band_line *line, const band_costs *costs) {
  cells_32(line, costs, false, true);
}

static void plain_table(const band_line *line, const band_costs *costs) {
  cells_32(line, costs, true, false);
}

static void plain_table_directed(const band_line *line, const band_costs *costs) {
  cells_32(line, costs, true, true);
}

static const band_line_function plain_functions[3][2] = {
    {plain_16, plain_16_directed}, {plain_32, plain_32_directed}, {plain_table, plain_table_directed}};

#if defined(__x86_64__) && defined(__GNUC__)
#define AVX2 __attribute__((target("avx2")))

AVX2 static void avx2_16(const band_line *line, const band_costs *costs) {
  cells_16(line, costs, false, false);
}

AVX2 static void avx2_16_directed(const band_line *line, const band_costs *costs) {
  cells_16(line, costs, false, true);
}

AVX2 static void avx2_32(const band_line *line, const band_costs *costs) {
  cells_32(line, costs, false, false);
}

AVX2 static void avx2_32_directed(const band_line *line, const band_costs *costs) {
  cells_32(line, costs, false, true);
}

AVX2 static void avx2_table(const band_line *line, const band_costs *costs) {
  cells_32(line, costs, true, false);
}

AVX2 static void avx2_table_directed(const band_line *line, const band_costs *costs) {
  cells_32(line, costs, true, true);
}

static const band_line_function avx2_functions[3][2] = {
    {avx2_16, avx2_16_directed}, {avx2_32, avx2_32_directed}, {avx2_table, avx2_table_directed}};
#endif

band_line_function band_line_choose(int value_bytes, bool by_table, bool directions) {
  const int kind = by_table ? 2 : value_bytes == 2 ? 0 : 1;
#if defined(__x86_64__) && defined(__GNUC__)
  if (__builtin_cpu_supports("avx2")) return avx2_functions[kind][directions];
#endif
  return plain_functions[kind][directions];
}
