#ifndef HOST_BASE_EXTREMES_H
#define HOST_BASE_EXTREMES_H

#include <stdint.h>

/* smaller() and larger() return the smaller and the larger of two numbers. */
static inline int64_t smaller(int64_t a, int64_t b) {
  return a < b ? a : b;
}

static inline int64_t larger(int64_t a, int64_t b) {
  return a > b ? a : b;
}

/* Returns -1, 0 or 1, as the functions that qsort calls do. */
static inline int compare_numbers(int64_t a, int64_t b) {
  return (a > b) - (a < b);
}

#endif
