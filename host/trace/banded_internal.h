#ifndef HOST_TRACE_BANDED_INTERNAL_H
#define HOST_TRACE_BANDED_INTERNAL_H

#include "trace/banded.h"
#include "trace/live_band_internal.h"

/* A band with fixed edges while its lines are computed. banded.c traces a path in it; replay.c computes its
 * lines again. */
typedef struct banded {
  const banded_input *in; /* must outlive the band */
  live_band *band;        /* owned */
  row_values top;         /* owned; values of row 0 */
  row_worth worth;
  int64_t interval; /* lines from one kept line to the next */
  int64_t ticked;   /* cells at the last tick */
  banded_result best;
} banded;

/* Creates the band of b->in and computes line 0, the node (0,0). The caller calls banded_free, also after an
 * error. CLA_ERROR_MEMORY, CLA_ERROR_OPTION if banded_holds is false. */
cla_status banded_make(banded *b, cla_error *error);
void banded_free(banded *b);

/* Computes the next line, and keeps it if it is due. In a wide band, computes the next lines together if no
 * path ends in them and none is due. CLA_ERROR_MEMORY. */
cla_status banded_next_line(banded *b, cla_error *error);

/* Updates b->best.end by those nodes of the line in which a path may end. */
void banded_offer_ends(banded *b);

/* Calls the input's tick if enough cells were computed since the last call. */
cla_status banded_tick(banded *b, cla_error *error);

#endif
