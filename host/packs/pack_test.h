#ifndef HOST_PACKS_PACK_TEST_H
#define HOST_PACKS_PACK_TEST_H

#include "packs/packs.h"

/* What is tested: a way to solve pairs of a scheme. */
typedef struct packed_tested {
  const char *kernel; /* for the error */
  const cla_scoring *scoring;
  const score_table *table;
  path_ends ends;
  bool one_query;        /* it solves pairs of one query, with targets that do not have the code */
  uint8_t padding;       /* of that number */
  int64_t rows, columns; /* at the most of a pair, >= 2 */
  int pairs;             /* how many */
  cla_status (*solve)(void *user, packed_pair *pairs, int64_t count, cla_error *error);
  void *user;
} packed_tested;

/* Compares what the device finds of a few pairs with what the reference does. CLA_ERROR_DEVICE names the
 * difference; CLA_ERROR_MEMORY. */
cla_status packed_test(const packed_tested *tested, cla_error *error);

#endif
