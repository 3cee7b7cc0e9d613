#ifndef TESTS_SUPPORT_MADE_COMPARISON_H
#define TESTS_SUPPORT_MADE_COMPARISON_H

#include "clalign/compare.h"

/* A comparison that a test wrote down: a query record is parts of random target records, one after the other,
 * and new letters. Each part is a piece of equal letters. */

#define MADE_RECORDS 4
#define MADE_PIECES 32

/* A part of a query record. */
typedef struct made_part {
  size_t record;    /* of the target */
  int64_t from, to; /* letters of the record; to is 0: new letters, as many as `from` */
  bool reverse;
  bool joined;  /* belongs to the piece of the last part that has one, whose strand it has */
  bool unknown; /* has no piece */
  bool changed; /* each 100th letter is another one */
  cla_block_role role;
} made_part;

typedef struct made_comparison {
  cla_sequence *queries[MADE_RECORDS], *targets[MADE_RECORDS];
  char *target_letters[MADE_RECORDS];
  bool circular[2][MADE_RECORDS];
  cla_block blocks[MADE_PIECES];
  cla_alignment *pieces[MADE_PIECES];
  cla_comparison comparison;
  uint32_t seed;
} made_comparison;

/* Adds a target record of so many random letters, "t1" and so on. All of them come before the first query. */
void made_comparison_target(made_comparison *made, int64_t length, bool circular);

/* Adds a query record, "q1" and so on, turned around as a whole if `turned`. */
void made_comparison_query(made_comparison *made, const made_part *parts, size_t count, bool circular,
                           bool turned);

void made_comparison_free(made_comparison *made);

/* Begins the declaration of one that its block owns (support/test.h). */
#define OWNED_COMPARISON OWNED(made_comparison_free) made_comparison

#endif
