#ifndef HOST_SCORING_MATRIX_TABLES_H
#define HOST_SCORING_MATRIX_TABLES_H

#include <stdint.h>

/* A built-in matrix, which is symmetric. */
typedef struct matrix_table {
  const char *name;    /* NULL ends the list */
  const char *letters; /* in the order of rows and columns */
  int32_t first, ext;  /* the gap costs that go with it (docs/matrices.md), in 1/units points */
  int32_t units;
  const int16_t *scores; /* the lower triangle, row by row, diagonal included */
} matrix_table;

extern const matrix_table matrix_tables[];

#endif
