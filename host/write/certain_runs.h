#ifndef HOST_WRITE_CERTAIN_RUNS_H
#define HOST_WRITE_CERTAIN_RUNS_H

#include "clalign/alignment.h"
#include "clalign/certain.h"

/* The columns of a certificate as runs, in the order of the target. */

/* Columns of one kind that follow each other and have the same margin. They are all in the same block, or all
 * in none. */
typedef struct certain_run {
  int64_t columns; /* >= 1 */
  int64_t query;   /* number of the path's query letters before the run */
  int64_t target;  /* number of the path's target letters before the run */
  cla_run_kind kind;
  int64_t margin;                   /* 0 .. delta + 1 */
  const cla_ambiguous_block *block; /* NULL: no block */
} certain_run;

typedef struct certain_runs {
  const cla_certificate *certificate;
  const cla_alignment *alignment;
  int64_t column, block; /* the next column; the next block that may hold it */
  size_t run;            /* index of the path's run with that column */
  int64_t left;          /* columns of the path's run that are not yet read */
  int64_t query, target;
} certain_runs;

/* Starts reading. The certificate is that of the alignment. */
void certain_runs_begin(certain_runs *runs, const cla_certificate *certificate,
                        const cla_alignment *alignment);

/* Reads the next run; returns false after the last one. */
bool certain_runs_next(certain_runs *runs, certain_run *out);

/* Refuses a certificate with other columns than the alignment's (CLA_ERROR_OPTION). `number` is the
 * alignment's, from 1 on. */
cla_status certificate_check(const cla_certificate *certificate, const cla_alignment *alignment,
                             size_t number, cla_error *error);

/* Returns the class of a block as a word: "shift" or "alternative". */
const char *ambiguity_word(const cla_ambiguous_block *block);

#endif
